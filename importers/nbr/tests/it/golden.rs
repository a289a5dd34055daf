//! The bytes of small files, written down by hand from the layouts in `docs/nbr.md`.

use rres_import_nbr::{Font, Model, Resource, Texture, read};

use crate::sample;

/// Returns the bytes of a dump in hexadecimal: pairs of digits, with comments after `|`.
fn dump(text: &str) -> Vec<u8> {
    let words = text.lines().flat_map(|line| line.split('|').next().unwrap_or_default().split_whitespace());
    words.map(|word| u8::from_str_radix(word, 16).unwrap()).collect()
}

#[track_caller]
fn check(resource: &Resource<'_>, expected: &str) {
    let expected = dump(expected);
    assert_eq!(sample::bytes(resource), expected);
    let file = read(&expected).unwrap();
    assert_eq!(&file.resource, resource);
    assert_eq!(file.header.version.to_string(), "0.8");
}

#[test]
fn check_3_5_9_textures_have_exactly_the_values_of_their_bytes() {
    let expected = "6b 00 00 08 00 02 00 | mark, version 0.8, texture
        02 00 00 00 01 00 00 00  | 2 × 1
        04 08                    | channels, RGBA8
        01 02 03 04 fa fb fc fd";
    check(&Resource::Texture(sample::texture()), expected);
    let expected = "6b 00 00 08 00 02 00
        01 00 00 00 01 00 00 00
        04 0a                    | RGBA16F, and floats of 32 bits
        00 00 00 3f 00 00 00 40 00 00 80 bf 00 00 80 3f";
    check(&Resource::Texture(sample::float_texture()), expected);
}

#[test]
fn check_3_5_9_cubemaps_have_exactly_the_values_of_their_bytes() {
    let expected = "6b 00 00 08 00 03 00
        01 00 00 00 01 00 00 00 04 08 06
        0a 00 00 ff 14 00 00 ff 1e 00 00 ff 28 00 00 ff 32 00 00 ff 3c 00 00 ff";
    check(&Resource::Cubemap(sample::cubemap()), expected);
}

#[test]
fn check_3_5_9_shaders_have_exactly_the_values_of_their_bytes() {
    let expected = "6b 00 00 08 00 04 00
        00 00                    | no compute shader
        03 00 23 76 0a 00        | length, #v, a zero
        02 00 23 70 00";
    check(&Resource::Shader(sample::shader()), expected);
}

#[test]
fn check_3_5_9_models_have_exactly_the_values_of_their_bytes() {
    let mut mesh = sample::mesh(false);
    mesh.vertices = vec![0.0; 19];
    mesh.vertices[0] = 1.0;
    mesh.vertices[18] = 2.0;
    mesh.indices = vec![0, 0, 0];
    let texture = Texture { width: 1, height: 1, pixels: rres_import_nbr::Pixels::Rgba8(vec![9; 4].into()) };
    let textures = vec![texture.clone(), texture];
    let model = Model { meshes: vec![mesh], materials: vec![sample::material()], textures };
    let zeros = "00 00 00 00 ".repeat(17);
    let expected = format!(
        "6b 00 00 08 00 08 00
        01 00                    | meshes
        0f 13 00 00 00           | position, normal, tangent, texture coordinates; 19 floats
        00 00 80 3f {zeros} 00 00 00 40
        03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        00                       | material
        01                       | materials
        00 00 80 3e 00 00 00 3f 00 00 40 3f | colour
        00 00 00 3e 00 00 20 3f 00 00 80 3f | metallic, roughness, emissive
        01 ff 00 ff 01           | textures
        02                       | textures
        01 00 00 00 01 00 00 00 04 08 09 09 09 09
        01 00 00 00 01 00 00 00 04 08 09 09 09 09"
    );
    check(&Resource::Model(model), &expected);
}

#[test]
fn check_3_5_9_skeletons_have_exactly_the_values_of_their_bytes() {
    let joint = "00 00 80 3f 00 00 00 40 00 00 40 40 | position
        00 00 00 00 00 00 00 3f 00 00 00 00 00 00 80 3f | rotation
        00 00 80 3f 00 00 80 3f 00 00 00 40 | scale
        00 00 80 3f 00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 bf 00 00 00 c0 00 00 40 c0 |";
    let expected = format!(
        "6b 00 00 08 00 09 00
        03 00                    | joints
        02 00 01 00 02 00        | children
        {joint}
        03 68 69 70              | hip
        00 00
        {joint}
        00
        00 00
        {joint}
        08 4b 6e c3 b6 63 68 65 6c
        00 00                    | root"
    );
    check(&Resource::Skeleton(sample::skeleton()), &expected);
}

#[test]
fn check_3_5_9_animations_have_exactly_the_values_of_their_bytes() {
    let expected = "6b 00 00 08 00 0a 00
        03 72 75 6e              | run
        01 00                    | tracks
        02 00                    | positions
        00 00 80 3f 00 00 00 40 00 00 40 40 00 00 00 00
        00 00 80 40 00 00 a0 40 00 00 c0 40 00 00 00 3f
        01 00                    | rotations
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 80 3f 00 00 80 3e
        01 00                    | scales
        00 00 80 3f 00 00 80 3f 00 00 80 3f 00 00 00 00
        00 00 00 3f              | duration";
    check(&Resource::Animation(sample::animation()), expected);
}

#[test]
fn check_3_5_9_fonts_have_exactly_the_values_of_their_bytes() {
    let expected = "6b 00 00 08 00 0b 00
        01 00 00 00
        41                       | A
        00 00 00 40 00 00 40 40  | 2 × 3
        00 00 00 3f 00 00 c0 3f 00 00 20 c0 00 00 80 3e | left, right, top, bottom
        00 00 80 3f 00 00 40 c0  | offset
        00 00 90 40 00 00 40 3f  | advance, left bearing
        00 40 80 c0 ff 07
        00 00 48 43 00 00 60 c2 00 00 00 41 | ascent, descent, line gap";
    check(&Resource::Font(Font { glyphs: vec![sample::glyph(65)], ..sample::font() }), expected);
}

#[test]
fn check_3_5_9_sounds_have_exactly_the_values_of_their_bytes() {
    let expected = "6b 00 00 08 00 0d 00
        01 44 ac 00 00 02        | 16 bits, 44100 Hz, stereo
        08 00 00 00              | bytes
        00 00 ff ff ff 7f 00 80";
    check(&Resource::Audio(sample::audio()), expected);
}
