#version 100
// vertex shader: flat.vs
// Northern lights: a curtain texture, folded by two slow waves and faded upwards. Added to the sky.
precision mediump float;

varying vec2 uv;
varying vec4 color;

uniform sampler2D Texture;
uniform vec4 _Time;
uniform float Strength;

float curtain(float x, float y, float speed, float scale) {
    float fold = sin(x * 5.0 + _Time.x * 0.21 * speed) * 0.07 + sin(x * 11.0 - _Time.x * 0.17) * 0.03;
    float foot = 0.80 + fold;
    float height = foot - y;
    float broad = texture2D(Texture, vec2(fract(x * scale + fold * 1.7 + _Time.x * 0.012 * speed), 0.35)).g;
    float fine = texture2D(Texture, vec2(fract(x * scale * 3.3 - _Time.x * 0.007), 0.72)).g;
    float rays = broad * 0.6 + fine * 0.5;
    float body = smoothstep(0.0, 0.16, height) * exp(-height * (4.6 - 3.4 * rays));
    return body * (0.22 + rays * rays * 3.2);
}

void main() {
    float first = curtain(uv.x, uv.y, 1.0, 1.3);
    float second = curtain(uv.x + 0.37, uv.y + 0.16, -0.7, 0.8);
    vec3 low = vec3(0.25, 0.95, 0.66);
    vec3 high = vec3(0.46, 0.32, 0.95);
    vec3 light = mix(high, low, smoothstep(0.05, 0.8, uv.y)) * first + mix(high, low, 0.35) * second * 0.6;
    light *= smoothstep(0.0, 0.16, uv.x) * smoothstep(1.0, 0.84, uv.x);
    gl_FragColor = vec4(light * Strength * color.rgb, 1.0);
}
