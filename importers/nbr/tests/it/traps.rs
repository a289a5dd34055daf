//! What Nikola's tool writes wrong, and headers that are not read.

use rres_import_nbr::{ErrorKind, HEADER_LEN, Pixels, Resource, Samples, Skeleton, Warning, WarningKind, read};

use crate::sample;

fn kinds(warnings: &[Warning]) -> Vec<WarningKind> {
    warnings.iter().map(Warning::kind).collect()
}

#[test]
fn check_3_5_9_version_1_0_is_not_supported() {
    let mut bytes = sample::bytes(&Resource::Audio(sample::audio()));
    bytes[1] = 1;
    bytes[3] = 0;
    let error = read(&bytes).unwrap_err();
    assert_eq!((error.kind(), error.position(), error.found()), (ErrorKind::UnsupportedVersion, 1, "1.0"));
    assert_eq!(
        error.to_string(),
        "cannot read the header: version at byte 1: found 1.0, expected one of 0.5, 0.6, 0.8"
    );
    // Nikola reads files with either number right.
    bytes[3] = 8;
    assert_eq!(read(&bytes).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
    for minor in [0, 1, 2, 3, 4, 7, 9] {
        (bytes[1], bytes[3]) = (0, minor);
        assert_eq!(read(&bytes).unwrap_err().kind(), ErrorKind::UnsupportedVersion, "{minor}");
    }
}

#[test]
fn other_files_and_types_are_refused() {
    let error = read(b"\x89PNG\r\n\x1a\n").unwrap_err();
    assert_eq!((error.kind(), error.found()), (ErrorKind::NotNbr, "137"));
    for (number, name) in [(0, "invalid"), (5, "mesh"), (12, "shader context"), (14, "unknown"), (255, "unknown")] {
        let error = read(&[107, 0, 0, 8, 0, number, 0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnsupportedType);
        assert_eq!((error.position(), error.found()), (5, format!("{number} ({name})").as_str()));
    }
}

#[test]
fn floats_that_are_called_halves_are_read_as_floats() {
    let bytes = sample::bytes(&Resource::Texture(sample::float_texture()));
    let file = read(&bytes).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::PixelFormat]);
    assert_eq!(file.warnings[0].position(), HEADER_LEN + 9);
    let Resource::Texture(texture) = file.resource else { panic!() };
    assert_eq!(texture.pixels, Pixels::Rgba32F(vec![0.5, 2.0, -1.0, 1.0]));
}

#[test]
fn four_channels_that_are_called_one_are_rgba8() {
    // The white texture of models without textures.
    let mut bytes = sample::bytes(&Resource::Texture(sample::texture()));
    bytes[HEADER_LEN + 9] = 0;
    let file = read(&bytes).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::PixelFormat]);
    assert_eq!(file.resource, Resource::Texture(sample::texture()));
    bytes[HEADER_LEN + 9] = 11;
    assert_eq!(read(&bytes).unwrap_err().field(), "format");
    bytes[HEADER_LEN + 8] = 3;
    assert_eq!(read(&bytes).unwrap_err().field(), "channels");
}

#[test]
fn a_size_that_counts_frames_is_read_by_what_follows() {
    let all = sample::bytes(&Resource::Audio(sample::audio()));
    let size_at = HEADER_LEN + 6;
    // No sample is missing: the size is the size of two frames.
    let mut bytes = all.clone();
    bytes[size_at] = 2;
    let file = read(&bytes).unwrap();
    assert_eq!(
        (kinds(&file.warnings), file.resource),
        (vec![WarningKind::AudioSize], Resource::Audio(sample::audio()))
    );
    // The file has as many bytes as the sound had frames: half a frame, which is left out.
    let file = read(&bytes[..size_at + 4 + 2]).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::AudioSize]);
    let Resource::Audio(audio) = file.resource else { panic!() };
    assert_eq!((audio.frames(), audio.samples), (0, Samples::I16(Vec::new())));
    // Neither fits.
    bytes[size_at] = 3;
    assert_eq!(read(&bytes).unwrap_err().kind(), ErrorKind::TrailingBytes);
    // Nothing is wrong.
    assert_eq!(read(&all).unwrap().warnings, []);
}

#[test]
fn references_to_what_is_missing_are_none() {
    let mut model = sample::model();
    model.meshes[1].material = Some(0);
    let mut bytes = sample::bytes(&Resource::Model(model));
    // The material of the second mesh is in front of the number of materials.
    let materials = bytes.len() - (29 + 1 + 18 + 26);
    assert_eq!(bytes[materials - 2..materials], [0, 1]);
    bytes[materials - 2] = 7;
    bytes[materials + 24] = 0x80;
    let file = read(&bytes).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::PixelFormat, WarningKind::Reference]);
    assert_eq!((file.warnings[1].position(), file.warnings[1].count()), (materials - 2, 2));
    assert_eq!(file.warnings[1].field(), "meshes[1].material");
    let Resource::Model(model) = file.resource else { panic!() };
    assert_eq!((model.meshes[1].material, model.materials[0].albedo_texture), (None, None));
    assert_eq!(model.materials[0].roughness_texture, Some(0));
}

#[test]
fn texture_numbers_above_127_are_not_negative() {
    let mut model = sample::model();
    model.textures = vec![sample::texture(); 255];
    model.materials[0].albedo_texture = Some(254);
    model.materials[0].normal_texture = Some(128);
    let bytes = sample::bytes(&Resource::Model(model.clone()));
    assert_eq!(read(&bytes).unwrap().resource, Resource::Model(model));
}

#[test]
fn indices_and_components_are_checked() {
    let mut bytes = sample::bytes(&Resource::Model(sample::model()));
    let indices = HEADER_LEN + 2 + 1 + 4 + 57 * 4 + 4;
    bytes[indices + 4] = 3;
    let error = read(&bytes).unwrap_err();
    assert_eq!((error.position(), error.field()), (indices + 4, "meshes[0].indices[1]"));
    assert_eq!((error.found(), error.expected()), ("3", "less than 3, the number of vertices"));
    for wrong in [0, 0x0e, 0x1f, 0x2f, 0x7f] {
        bytes[HEADER_LEN + 2] = wrong;
        assert_eq!(read(&bytes).unwrap_err().field(), "meshes[0].components", "{wrong}");
    }
}

#[test]
fn a_child_that_is_not_a_joint_is_left_out() {
    let mut bytes = sample::bytes(&Resource::Skeleton(sample::skeleton()));
    // The second child of the first joint.
    bytes[HEADER_LEN + 2 + 4] = 0;
    let file = read(&bytes).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::RootAsChild]);
    let Resource::Skeleton(Skeleton { joints, .. }) = file.resource else { panic!() };
    assert_eq!(joints[0].children, [1]);
}

#[test]
fn joints_form_trees() {
    let of = |children: [&[u16]; 4]| {
        let joints = children.iter().map(|children| sample::joint("", children)).collect();
        let bytes = sample::bytes(&Resource::Skeleton(Skeleton { joints, root: 0 }));
        read(&bytes).map(|_| ()).map_err(|error| (error.field().to_owned(), error.found().to_owned()))
    };
    assert_eq!(of([&[1], &[2], &[3], &[]]), Ok(()));
    assert_eq!(of([&[], &[], &[], &[]]), Ok(()));
    let error = of([&[1, 2], &[2], &[], &[]]).unwrap_err();
    assert_eq!(error, ("joints[1].children".to_owned(), "2, which is a child of another joint, too".to_owned()));
    let error = of([&[1], &[], &[3], &[2]]).unwrap_err();
    assert_eq!(error, ("joints[2].children".to_owned(), "the joint is below itself".to_owned()));
}

#[test]
fn names_that_were_cut_off_are_read() {
    let mut animation = sample::animation();
    animation.name = "Läufe".to_owned();
    let mut bytes = sample::bytes(&Resource::Animation(animation));
    bytes[HEADER_LEN + 3] = b'x';
    let file = read(&bytes).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::Name]);
    let Resource::Animation(animation) = file.resource else { panic!() };
    assert_eq!(animation.name, "L\u{fffd}xufe");
}

#[test]
fn glyphs_of_negative_characters_are_left_out() {
    let mut bytes = sample::bytes(&Resource::Font(sample::font()));
    bytes[HEADER_LEN + 4] = 0xfb;
    let file = read(&bytes).unwrap();
    assert_eq!(kinds(&file.warnings), [WarningKind::Codepoint]);
    assert!(file.warnings[0].to_string().contains("-5 is not a character"), "{}", file.warnings[0]);
    let Resource::Font(font) = file.resource else { panic!() };
    assert_eq!(font.glyphs.iter().map(|glyph| glyph.codepoint).collect::<Vec<_>>(), [32]);
}

#[test]
fn sides_of_glyphs_are_whole_numbers() {
    for wrong in [f32::NAN, f32::INFINITY, -1.0, 2.5, 65_536.0] {
        let mut bytes = sample::bytes(&Resource::Font(sample::font()));
        bytes[HEADER_LEN + 5..HEADER_LEN + 9].copy_from_slice(&wrong.to_le_bytes());
        let error = read(&bytes).unwrap_err();
        assert_eq!((error.field(), error.position()), ("glyphs[0].width", HEADER_LEN + 5), "{wrong}");
    }
}

#[test]
fn sources_end_with_a_zero() {
    let mut bytes = sample::bytes(&Resource::Shader(sample::shader()));
    let last = bytes.len() - 1;
    bytes[last] = 1;
    let error = read(&bytes).unwrap_err();
    assert_eq!((error.field(), error.position()), ("pixel source", last));
}

#[test]
fn five_or_seven_faces_are_no_cubemap() {
    for faces in [0, 1, 5, 7, 255] {
        let mut bytes = sample::bytes(&Resource::Cubemap(sample::cubemap()));
        bytes[HEADER_LEN + 10] = faces;
        assert_eq!(read(&bytes).unwrap_err().field(), "faces");
    }
}
