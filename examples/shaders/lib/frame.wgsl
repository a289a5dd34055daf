// What every shader knows of the frame.
struct Frame {
    // To clip space, for positions in pixels.
    scale: vec2<f32>,
    offset: vec2<f32>,
    cursor: vec2<f32>,
    // In seconds.
    time: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;

fn to_clip(pixel: vec2<f32>) -> vec4<f32> {
    return vec4<f32>(pixel * frame.scale + frame.offset, 0.0, 1.0);
}
