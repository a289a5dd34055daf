#version 100
// vertex shader: flat.vs
// One direction of a soft blur; StepX and StepY say which, in parts of the picture.
precision mediump float;

varying vec2 uv;
varying vec4 color;

uniform sampler2D Texture;
uniform float StepX;
uniform float StepY;

void main() {
    vec2 way = vec2(StepX, StepY);
    vec3 sum = texture2D(Texture, uv).rgb * 0.1330;
    for (int i = 1; i < 9; i++) {
        float weight = 0.1330 * exp(-float(i * i) / 18.0);
        sum += (texture2D(Texture, uv + way * float(i)).rgb + texture2D(Texture, uv - way * float(i)).rgb) * weight;
    }
    gl_FragColor = vec4(sum, 1.0);
}
