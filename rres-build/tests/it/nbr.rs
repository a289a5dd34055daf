//! The example of `docs/nbr.md`: files as Nikola's tool writes them, in a fresh crate, and the program that the page shows.

use rres_import_nbr::{
    Animation, Audio, Cubemap, FLOATS_PER_VERTEX, Font, Glyph, Joint, Key, Material, Mesh, Model, Pixels, Resource,
    Samples, Shader, Skeleton, Texture, Track, write,
};
use rres_test_support::fresh::Fresh;

const PAGE: &str = include_str!("../../../docs/nbr.md");

/// Returns the blocks of code of the section about a program.
fn blocks() -> Vec<String> {
    let page = PAGE.replace("\r\n", "\n");
    let (_, section) = page.split_once("## From a file to a program\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let blocks = section.split("```").skip(1).step_by(2);
    blocks.map(|block| block.split_once('\n').unwrap().1.to_owned()).collect()
}

fn model() -> Model<'static> {
    let mut vertices = vec![0.0; FLOATS_PER_VERTEX * 3];
    for (number, vertex) in vertices.chunks_exact_mut(FLOATS_PER_VERTEX).enumerate() {
        let number = number as f32;
        vertex[..3].copy_from_slice(&[number, 2.0 - number, 0.5]);
        vertex[9..13].copy_from_slice(&[number, 0.0, 0.0, 0.0]);
        vertex[13] = 1.0;
    }
    let texture = |value| Texture { width: 1, height: 1, pixels: Pixels::Rgba8(vec![value, value, value, 255].into()) };
    let material = Material {
        color: [0.5, 0.25, 1.0],
        metallic: 0.75,
        roughness: 0.5,
        emissive: 3.0,
        albedo_texture: Some(0),
        metallic_texture: Some(1),
        roughness_texture: Some(1),
        normal_texture: Some(2),
        emissive_texture: Some(2),
    };
    Model {
        meshes: vec![Mesh { has_joints: true, vertices, indices: vec![0, 1, 2], material: Some(0) }],
        materials: vec![material],
        textures: vec![texture(1), texture(2), texture(3)],
    }
}

fn skeleton() -> Skeleton {
    let joint = |name: &str, children: &[u16]| Joint {
        name: name.to_owned(),
        children: children.to_vec(),
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
        inverse_bind: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    };
    Skeleton { joints: vec![joint("body", &[1, 2]), joint("left", &[]), joint("right", &[])], root: 0 }
}

fn animation() -> Animation {
    let track = || Track {
        positions: vec![Key { time: 0.0, value: [0.0; 3] }, Key { time: 0.5, value: [0.0, 1.0, 0.0] }],
        rotations: vec![Key { time: 0.0, value: [0.0, 0.0, 0.0, 1.0] }],
        scales: vec![Key { time: 0.0, value: [1.0; 3] }],
    };
    Animation { name: "walk".to_owned(), tracks: vec![track(), track(), track()], duration: 0.5 }
}

fn font() -> Font<'static> {
    let glyph = Glyph {
        codepoint: 65,
        width: 2,
        height: 3,
        left: 0.0,
        right: 2.0,
        top: -3.0,
        bottom: 0.0,
        offset_x: 1.0,
        offset_y: -3.0,
        advance_x: 4.25,
        left_bearing: 1.0,
        pixels: vec![255; 6].into(),
    };
    Font { glyphs: vec![glyph], ascent: 200.0, descent: -50.0, line_gap: 6.0 }
}

#[test]
fn the_program_of_the_page_prints_what_the_page_says() {
    let [_, script, program, output] = &blocks()[..] else { panic!("the section has other blocks of code") };
    let fresh = Fresh::new("nikola", program);
    fresh.write("build.rs", script);
    let face = |number: u8| Pixels::Rgba8([number, 0, 0, 255].repeat(4).into());
    let cubemap = Cubemap { width: 2, height: 2, faces: [face(10), face(20), face(30), face(40), face(50), face(60)] };
    let shader = Shader::Graphics { vertex: b"#version 460\n"[..].into(), pixel: b"#version 460\n"[..].into() };
    let hero = Texture { width: 4, height: 2, pixels: Pixels::Rgba8(vec![255; 32].into()) };
    let step = Audio { sample_rate: 22_050, channels: 1, samples: Samples::I16(vec![0, 1, -1, 9]) };
    for (name, resource) in [
        ("textures/hero", Resource::Texture(hero)),
        ("cubemaps/dawn", Resource::Cubemap(cubemap)),
        ("shaders/blur", Resource::Shader(shader)),
        ("models/crab", Resource::Model(model())),
        ("skeletons/crab", Resource::Skeleton(skeleton())),
        ("animations/crab", Resource::Animation(animation())),
        ("fonts/plain", Resource::Font(font())),
        ("step", Resource::Audio(step)),
    ] {
        fresh.write(&format!("assets/{name}.nbr"), write::to_vec(&resource).unwrap());
    }
    let (out, err) = fresh.cargo(&["run", "-q"]);
    assert_eq!(out, *output, "{err}");
}
