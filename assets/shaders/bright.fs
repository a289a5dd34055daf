#version 100
// vertex shader: flat.vs
// Keeps what is bright enough to shine; the rest is black. Drawn into a canvas of a quarter of the size.
precision mediump float;

varying vec2 uv;
varying vec4 color;

uniform sampler2D Texture;
uniform float Pixel;

vec3 shining(vec2 at) {
    vec3 c = texture2D(Texture, at).rgb;
    float peak = max(c.r, max(c.g, c.b));
    return c * smoothstep(0.80, 1.0, peak);
}

void main() {
    // Four samples between the pixels cover all sixteen that become one.
    vec3 sum = shining(uv + vec2(-Pixel, -Pixel)) + shining(uv + vec2(Pixel, -Pixel));
    sum += shining(uv + vec2(-Pixel, Pixel)) + shining(uv + vec2(Pixel, Pixel));
    gl_FragColor = vec4(sum * 0.25, 1.0);
}
