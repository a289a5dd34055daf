//! Values that the fields of the format have no room for.

use rres_import_nbr::{ErrorKind, Key, Operation, Resource, Shader, write};

use crate::sample;

#[track_caller]
fn refused(resource: &Resource<'_>, kind: ErrorKind, field: &str, found: &str) {
    let error = write::to_vec(resource).unwrap_err();
    assert_eq!((error.kind(), error.field(), error.found()), (kind, field, found), "{error}");
    assert_eq!(error.operation(), Operation::Write(resource.resource_type()));
}

#[test]
fn limits_of_the_format_are_named() {
    let long = vec![b'x'; 65_536];
    let shader = Shader::Graphics { vertex: b""[..].into(), pixel: long.clone().into() };
    refused(&Resource::Shader(shader), ErrorKind::TooLarge, "pixel source", "65536");
    let shader = Shader::Compute(long[1..].into());
    assert!(write::to_vec(&Resource::Shader(shader)).is_ok());

    let mut skeleton = sample::skeleton();
    skeleton.joints[1].name = "n".repeat(256);
    refused(&Resource::Skeleton(skeleton), ErrorKind::TooLarge, "joints[1].name length", "256");

    let mut animation = sample::animation();
    animation.tracks[0].scales = vec![Key { time: 0.0, value: [1.0; 3] }; 65_536];
    refused(&Resource::Animation(animation), ErrorKind::TooLarge, "tracks[0].scales", "65536");

    let mut font = sample::font();
    font.glyphs[1].codepoint = 0x4e2d;
    refused(&Resource::Font(font), ErrorKind::TooLarge, "glyphs[1].codepoint", "20013");

    let mut model = sample::model();
    model.textures = vec![sample::texture(); 256];
    refused(&Resource::Model(model), ErrorKind::TooLarge, "number of textures", "256");
}

#[test]
fn contradictions_are_named() {
    let mut texture = sample::texture();
    texture.width = 3;
    refused(&Resource::Texture(texture), ErrorKind::Invalid, "pixels", "8");
    let mut cubemap = sample::cubemap();
    cubemap.faces[4] = sample::float_texture().pixels;
    refused(&Resource::Cubemap(cubemap), ErrorKind::Invalid, "faces[4].pixels", "another format");
    let mut model = sample::model();
    model.meshes[0].indices[2] = 3;
    refused(&Resource::Model(model), ErrorKind::Invalid, "meshes[0].indices", "3");
    let mut model = sample::model();
    model.meshes[1].material = None;
    refused(&Resource::Model(model), ErrorKind::Invalid, "meshes[1].material", "none");
    let mut model = sample::model();
    model.materials[0].normal_texture = Some(2);
    refused(&Resource::Model(model), ErrorKind::Invalid, "materials[0].textures", "2");
    refused(&Resource::Shader(Shader::Compute(b""[..].into())), ErrorKind::Invalid, "compute source", "no bytes");
    let mut audio = sample::audio();
    audio.channels = 3;
    refused(&Resource::Audio(audio), ErrorKind::Invalid, "samples", "4");
    let mut skeleton = sample::skeleton();
    skeleton.joints[1].children = vec![0];
    refused(&Resource::Skeleton(skeleton), ErrorKind::Invalid, "joints[1].children", "0");
}
