//! The sources of bytes: buffers and images inside the file, in URIs, and in other files.

use rres_format::chunk::image::ImageView;
use rres_format::index::{ColorSpace, Filter, MetaKey, Wrap};
use rres_import::Dependency;
use rres_settings::ImagePadding;
use rres_test_data::bytes::base64;
use rres_test_data::picture::png;

use super::*;

fn pixels(part: &Asset) -> Vec<u8> {
    assert_eq!(part.kind, AssetKind::Image);
    ImageView::parse(PayloadView::parse(&part.blocks[0].bytes).unwrap()).unwrap().data().to_vec()
}

#[test]
fn buffers_may_be_in_a_uri_or_in_another_file() {
    let document = triangle();
    let inside = primitives(&import(&document.glb()).unwrap()[0]);
    let encoded = base64(&document.binary);
    let uri = format!(r#","uri":"data:application/octet-stream;base64,{encoded}""#);
    let parts = import(document.json(&uri).as_bytes()).unwrap();
    assert_eq!(primitives(&parts[0]), inside);

    let json = document.json(r#","uri":"a%20b.bin""#);
    let settings = Settings::default();
    let files: &[(&str, &[u8])] = &[("models/a b.bin", &document.binary)];
    let parts = import_with(json.as_bytes(), &settings, files).unwrap();
    assert_eq!(primitives(&parts[0]), inside);
    let error = import_with(json.as_bytes(), &settings, &[("models/a b.bin", b"short")]).unwrap_err();
    let expected = "mesh 0 \"tri\", primitive 0: accessor 0: buffer 0 is 5 bytes, expected 42";
    assert_eq!(error.to_string(), expected);
    assert!(error.help().unwrap().contains("export both again"));

    let error = refusal(document.json(r#","uri":"../../x.bin""#).as_bytes());
    assert!(error.contains("not inside the assets directory"), "{error}");
    let error = refusal(document.json("").as_bytes());
    assert!(error.ends_with("buffer 0 has no bytes"), "{error}");
}

#[test]
fn embedded_images_become_sub_assets_and_other_images_become_dependencies() {
    let mut document = triangle();
    let view = document.view(&png(2, 1, &[10, 20, 30].repeat(2)), "");
    let encoded = base64(&png(2, 1, &[1, 2, 3].repeat(2)));
    let document = document.rest(&format!(
        r#","images":[
            {{"uri":"data:image/png;base64,{encoded}"}},
            {{"uri":"..\\tex%20tures\\wood.png"}},
            {{"bufferView":{view},"mimeType":"image/png"}},
            {{"uri":"unused.png"}}
        ],"samplers":[{{"magFilter":9728,"wrapS":33071}}],
        "textures":[{{"source":0}},{{"source":1}},{{"source":2,"sampler":0}},{{"source":1}}],
        "materials":[
            {{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":3}}}},"normalTexture":{{"index":0}}}},
            {{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":2}}}}}},
            {{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":1}}}}}},
            {{}}
        ]"#
    ));
    let parts = import(&document.glb()).unwrap();
    let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["", "image/0", "image/2"]);
    let beside = Dependency::Asset("../tex tures/wood.png".to_owned());
    let inside = ["image/0", "image/2"].map(|name| Dependency::SubAsset(name.to_owned()));
    let [normal, second] = inside;
    assert_eq!(parts[0].dependencies, [normal, beside, second]);
    assert_eq!(parts[0].notes[0].detail, "without 1 image without texture");
    let view = structure(&parts[0]);
    let numbers: Vec<_> = view.materials().map(|material| material.base_color_image).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(1), None]);
    assert_eq!(pixels(&parts[1]), [1, 2, 3, 1, 2, 3]);
    assert_eq!(pixels(&parts[2]), [10, 20, 30, 10, 20, 30]);

    // Samplers decide how images are sampled; without one, glTF repeats. Normals are not colours.
    let meta = |part: &Asset, key| part.meta.get(key).unwrap_or_default();
    let all = |part| [MetaKey::FILTER, MetaKey::WRAP, MetaKey::COLOR_SPACE].map(|key| meta(part, key));
    assert_eq!(all(&parts[1]), [0, 1, 1]);
    assert_eq!(all(&parts[2]), [1, 0, 0]);

    // Rules override both, even with values that are the defaults of other images.
    let mut settings = Settings::default();
    settings.image.filter = Some(Filter::Linear);
    settings.image.wrap = Some(Wrap::Clamp);
    settings.image.color_space = Some(ColorSpace::Srgb);
    let parts = import_with(&document.glb(), &settings, &[]).unwrap();
    assert_eq!(all(&parts[1]), [0, 0, 0]);
    assert_eq!(all(&parts[2]), [0, 0, 0]);

    // Levels of the normal map hold directions, and nothing is padded: texture coordinates cover the whole image.
    let mut settings = Settings::default();
    (settings.image.mipmaps, settings.image.pad) = (true, ImagePadding::Block);
    let parts = import_with(&document.glb(), &settings, &[]).unwrap();
    let normal = [-253.0, -251.0, -249.0].map(|v| v / (253.0f32.powi(2) + 251.0f32.powi(2) + 249.0f32.powi(2)).sqrt());
    let [x, y, z] = normal.map(|v| ((v * 0.5 + 0.5) * 255.0 + 0.5) as u8);
    assert_eq!(pixels(&parts[1]), [1, 2, 3, 1, 2, 3, x, y, z]);
    assert_eq!(pixels(&parts[2]), [10, 20, 30].repeat(3));
}

#[test]
fn bad_images_are_errors_that_name_them() {
    let with = |image: &str, texture: &str| {
        let mut document = triangle();
        document.view(b"not a picture at all", "");
        let document = document.rest(&format!(
            r#","images":[{image}],"textures":[{texture}],"materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}]"#
        ));
        refusal(&document.glb())
    };
    let error = with(r#"{"bufferView":2}"#, r#"{"source":0}"#);
    assert!(error.starts_with("image 0: is not an image in a supported format"), "{error}");
    assert_eq!(
        with(r#"{"bufferView":7}"#, r#"{"source":0}"#),
        "image 0: refers to buffer view 7, but the file has only 3"
    );
    assert_eq!(with("{}", r#"{"source":0}"#), "image 0: has neither a URI nor a buffer view");
    assert_eq!(with("{}", r#"{"source":1}"#), "refers to image 1, but the file has only 1");
    let avif = r#"{"extensions":{"EXT_texture_avif":{"source":0}}}"#;
    assert_eq!(with("{}", avif), "needs the glTF extension EXT_texture_avif, which cannot be read");
    let error = with(r#"{"uri":"C:\\x.png"}"#, r#"{"source":0}"#);
    assert!(error.contains("not inside the assets directory"), "{error}");
    let dds = r#"{"extensions":{"MSFT_texture_dds":{"source":0}}}"#;
    assert!(with(r#"{"bufferView":2}"#, dds).starts_with("image 0: is not an image"));
}

#[test]
fn a_texture_that_says_nothing_of_an_image_is_left_out_with_a_note() {
    let material = r#"{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"normalTexture":{"index":1}}"#;
    let members = format!(r#","textures":[{{}},{{"sampler":0}}],"samplers":[{{}}],"materials":[{material}]"#);
    let parts = import(&triangle().rest(&members).glb()).unwrap();
    assert_eq!((parts.len(), scene(&parts[0]).textures().count()), (1, 0));
    assert_eq!(structure(&parts[0]).materials().next().unwrap().base_color_image, None);
    assert_eq!(parts[0].notes[0].detail, "without 2 textures without image");
}

#[test]
fn pictures_in_basis_universal_are_read_where_there_is_no_other() {
    const ETC1S: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/image/basis-etc1s.ktx2");
    let file = |texture: &str, slot: &str| {
        let mut document = triangle();
        let basis = document.view(ETC1S, "");
        let plain = document.view(&png(2, 1, &[7, 8, 9].repeat(2)), "");
        document
            .rest(&format!(
                r#","images":[{{"bufferView":{basis},"mimeType":"image/ktx2"}},{{"bufferView":{plain},"mimeType":"image/png"}}],
                "textures":[{texture}],"materials":[{{{slot}}}],"extensionsUsed":["KHR_texture_basisu"]"#
            ))
            .glb()
    };
    let color = r#""pbrMetallicRoughness":{"baseColorTexture":{"index":0}}"#;
    let basis = r#"{"extensions":{"KHR_texture_basisu":{"source":0}}}"#;
    let parts = import(&file(basis, color)).unwrap();
    assert_eq!((parts.len(), &*parts[1].name), (2, "image/0"));
    // The levels of the file. The reference transcoder makes the same pixels.
    let view = ImageView::parse(PayloadView::parse(&parts[1].blocks[0].bytes).unwrap()).unwrap();
    assert_eq!((view.props().width, view.props().height, view.props().mipmaps), (61, 43, 6));
    assert_eq!(crc32fast::hash(view.data()), 0xd5d9_14a6);
    assert_eq!(parts[0].dependencies, [Dependency::SubAsset("image/0".to_owned())]);
    assert_eq!(parts[0].notes[0].detail, "without 1 image without texture");
    // A normal map has numbers, and no colours.
    let parts = import(&file(basis, r#""normalTexture":{"index":0}"#)).unwrap();
    assert_eq!(parts[1].meta.get(MetaKey::COLOR_SPACE), Some(ColorSpace::Linear as u32));
    // A plain picture beside it comes first.
    let both = r#"{"source":1,"extensions":{"KHR_texture_basisu":{"source":0}}}"#;
    let parts = import(&file(both, color)).unwrap();
    assert_eq!((&*parts[1].name, pixels(&parts[1])), ("image/1", [7, 8, 9].repeat(2)));
    // Damage names the picture.
    let document = file(basis, color);
    let at = document.windows(4).position(|bytes| bytes == &ETC1S[..4]).unwrap();
    let mut damaged = document.clone();
    damaged[at + 44..at + 48].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refusal(&damaged).starts_with("image 0: "), "{}", refusal(&damaged));
    let missing = file(r#"{"extensions":{"KHR_texture_basisu":{"source":9}}}"#, color);
    assert_eq!(refusal(&missing), "refers to image 9, but the file has only 2");
}
