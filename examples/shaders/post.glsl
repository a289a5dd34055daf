#version 450

@v
layout(location = 0) out vec2 uv;
void main() {
    uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}

@p
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform texture2D screen;
layout(set = 0, binding = 1) uniform sampler screen_sampler;
void main() {
    color = texture(sampler2D(screen, screen_sampler), uv);
}
