#version 100
// vertex shader: crystal.vs
// Facets that mirror the surrounding night (a panorama), brighter at grazing angles. `Gloss` 0 paints plain stone.
precision mediump float;

varying vec2 uv;
varying vec4 color;
varying vec3 facing;

uniform sampler2D Texture;
uniform sampler2D Surroundings;
uniform float Gloss;

void main() {
    vec3 n = normalize(facing);
    vec3 base = texture2D(Texture, uv).rgb * color.rgb;
    float lamp = max(dot(n, normalize(vec3(-0.45, 0.65, 0.6))), 0.0);
    float back = max(dot(n, normalize(vec3(0.8, -0.1, 0.4))), 0.0);
    vec3 lit = base * (0.34 + 0.85 * lamp) + base * vec3(1.0, 0.55, 0.45) * back * 0.35;
    vec3 mirrored = reflect(vec3(0.0, 0.0, -1.0), n);
    vec2 place = vec2(atan(mirrored.z, mirrored.x) / 6.2832 + 0.5, acos(clamp(mirrored.y, -1.0, 1.0)) / 3.1416);
    vec3 night = texture2D(Surroundings, place).rgb;
    float rim = pow(1.0 - abs(n.z), 2.0);
    vec3 ice = lit + night * (0.28 + 0.6 * rim) + vec3(0.5, 0.95, 1.0) * rim * 0.35;
    gl_FragColor = vec4(mix(lit, ice, Gloss), color.a);
}
