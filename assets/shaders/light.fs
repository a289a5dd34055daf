#version 100
// vertex shader: flat.vs
// Light to be added to the picture: the texture's brightness in the given colour.
precision mediump float;

varying vec2 uv;
varying vec4 color;

uniform sampler2D Texture;

void main() {
    vec4 shape = texture2D(Texture, uv);
    gl_FragColor = vec4(shape.rgb * color.rgb * color.a, 1.0);
}
