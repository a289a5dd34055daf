// Draws sprites that glow.
#include "lib/frame.wgsl"

@group(1) @binding(0) var picture: texture_2d<f32>;
@group(1) @binding(1) var picture_sampler: sampler;

struct Varying {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_main(@location(0) position: vec2<f32>, @location(1) uv: vec2<f32>) -> Varying {
    return Varying(to_clip(position), uv);
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    return textureSample(picture, picture_sampler, in.uv) * (1.0 + 0.2 * sin(frame.time));
}
