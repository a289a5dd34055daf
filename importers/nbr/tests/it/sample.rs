//! A resource of each type, with values that differ in every field.

use rres_import_nbr::{
    Animation, Audio, Cubemap, FLOATS_PER_VERTEX, Font, Glyph, Joint, Key, Material, Mesh, Model, Pixels, Resource,
    Samples, Shader, Skeleton, Texture, Track, write,
};

pub(crate) fn bytes(resource: &Resource<'_>) -> Vec<u8> {
    write::to_vec(resource).unwrap()
}

/// Every sample with a name, some types with several.
pub(crate) fn all() -> Vec<(&'static str, Resource<'static>)> {
    vec![
        ("texture", Resource::Texture(texture())),
        ("floats", Resource::Texture(float_texture())),
        ("cubemap", Resource::Cubemap(cubemap())),
        ("shader", Resource::Shader(shader())),
        ("compute", Resource::Shader(Shader::Compute(b"#version 450\n"[..].into()))),
        ("model", Resource::Model(model())),
        ("skeleton", Resource::Skeleton(skeleton())),
        ("animation", Resource::Animation(animation())),
        ("font", Resource::Font(font())),
        ("audio", Resource::Audio(audio())),
    ]
}

pub(crate) fn texture() -> Texture<'static> {
    Texture { width: 2, height: 1, pixels: Pixels::Rgba8(vec![1, 2, 3, 4, 250, 251, 252, 253].into()) }
}

pub(crate) fn float_texture() -> Texture<'static> {
    Texture { width: 1, height: 1, pixels: Pixels::Rgba32F(vec![0.5, 2.0, -1.0, 1.0]) }
}

pub(crate) fn cubemap() -> Cubemap<'static> {
    let face = |first: u8| Pixels::Rgba8(vec![first, 0, 0, 255].into());
    Cubemap { width: 1, height: 1, faces: [face(10), face(20), face(30), face(40), face(50), face(60)] }
}

pub(crate) fn shader() -> Shader<'static> {
    Shader::Graphics { vertex: b"#v\n"[..].into(), pixel: b"#p"[..].into() }
}

pub(crate) fn mesh(has_joints: bool) -> Mesh {
    let vertices = (0..FLOATS_PER_VERTEX * 3).map(|number| number as f32 * 0.5).collect();
    Mesh { has_joints, vertices, indices: vec![0, 1, 2, 2, 1, 0], material: Some(0) }
}

pub(crate) fn material() -> Material {
    Material {
        color: [0.25, 0.5, 0.75],
        metallic: 0.125,
        roughness: 0.625,
        emissive: 1.0,
        albedo_texture: Some(1),
        metallic_texture: None,
        roughness_texture: Some(0),
        normal_texture: None,
        emissive_texture: Some(1),
    }
}

pub(crate) fn model() -> Model<'static> {
    Model {
        meshes: vec![mesh(true), mesh(false)],
        materials: vec![material()],
        textures: vec![texture(), float_texture()],
    }
}

pub(crate) fn joint(name: &str, children: &[u16]) -> Joint {
    Joint {
        name: name.to_owned(),
        children: children.to_vec(),
        position: [1.0, 2.0, 3.0],
        rotation: [0.0, 0.5, 0.0, 1.0],
        scale: [1.0, 1.0, 2.0],
        inverse_bind: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -1.0, -2.0, -3.0],
    }
}

pub(crate) fn skeleton() -> Skeleton {
    Skeleton { joints: vec![joint("hip", &[1, 2]), joint("", &[]), joint("Knöchel", &[])], root: 0 }
}

pub(crate) fn animation() -> Animation {
    let track = Track {
        positions: vec![Key { time: 0.0, value: [1.0, 2.0, 3.0] }, Key { time: 0.5, value: [4.0, 5.0, 6.0] }],
        rotations: vec![Key { time: 0.25, value: [0.0, 0.0, 0.0, 1.0] }],
        scales: vec![Key { time: 0.0, value: [1.0, 1.0, 1.0] }],
    };
    Animation { name: "run".to_owned(), tracks: vec![track], duration: 0.5 }
}

pub(crate) fn glyph(codepoint: u32) -> Glyph<'static> {
    Glyph {
        codepoint,
        width: 2,
        height: 3,
        left: 0.5,
        right: 1.5,
        top: -2.5,
        bottom: 0.25,
        offset_x: 1.0,
        offset_y: -3.0,
        advance_x: 4.5,
        left_bearing: 0.75,
        pixels: vec![0, 64, 128, 192, 255, 7].into(),
    }
}

pub(crate) fn font() -> Font<'static> {
    let space = Glyph { width: 0, height: 0, pixels: Vec::new().into(), ..glyph(32) };
    Font { glyphs: vec![glyph(65), space], ascent: 200.0, descent: -56.0, line_gap: 8.0 }
}

pub(crate) fn audio() -> Audio<'static> {
    Audio { sample_rate: 44_100, channels: 2, samples: Samples::I16(vec![0, -1, 32_767, -32_768]) }
}
