#version 100
// A turned model in picture coordinates; the normal travels to crystal.fs in place of a light calculation here.
attribute vec3 position;
attribute vec2 texcoord;
attribute vec4 color0;
attribute vec4 normal;

varying vec2 uv;
varying vec4 color;
varying vec3 facing;

uniform mat4 Model;
uniform mat4 Projection;

void main() {
    gl_Position = Projection * Model * vec4(position, 1.0);
    color = color0 / 255.0;
    uv = texcoord;
    facing = normal.xyz;
}
