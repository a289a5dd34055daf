use std::collections::BTreeMap;

use rres_format::AssetKind;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::ImageView;
use rres_format::chunk::scene::{Factor, SceneView};
use rres_format::chunk::text::TextView;
use rres_format::chunk::vertex::{VertexAttribute, VertexView};
use rres_format::index::MetaKey;
use rres_import::{Dependency, Encoders, MemoryFiles as Files};
use rres_settings::{SettingValue, Settings};

use super::*;
use crate::write;

mod links;

/// What encodes decoded content in the tests.
const ENCODERS: Encoders = Encoders {
    images: Some(&rres_import_image::ImageImporter),
    sounds: Some(&rres_import_sound::SoundImporter),
    models: Some(&rres_import_model::ModelImporter),
};

fn example() -> BTreeMap<String, Vec<u8>> {
    write::example().into_iter().collect()
}

fn import(files: &BTreeMap<String, Vec<u8>>, path: &str) -> Result<Vec<Asset>, ImportError> {
    import_with(files, path, &Settings::default())
}

fn import_with(files: &BTreeMap<String, Vec<u8>>, path: &str, settings: &Settings) -> Result<Vec<Asset>, ImportError> {
    let mut inputs = Files::from(files.clone());
    let importer = SrscImporter.describe();
    let source = Source::new(path, &files[path], settings, &mut inputs);
    SrscImporter.import(&mut source.with_encoders(ENCODERS).for_importer(&importer))
}

fn names(assets: &[Asset]) -> Vec<&str> {
    assets.iter().map(|asset| asset.name.as_str()).collect()
}

fn find<'a>(assets: &'a [Asset], name: &str) -> &'a Asset {
    assets.iter().find(|asset| asset.name == name).unwrap()
}

#[test]
fn textures_are_images_with_levels_and_links() {
    let assets = import(&example(), "Synth.txd").unwrap();
    // 9 is only a smaller level of 8.
    assert_eq!(names(&assets), ["", "1", "2", "3", "4", "5", "6", "7", "8", "10", "11", "12", "13"]);
    assert!(assets[1..].iter().all(|asset| asset.kind == AssetKind::Image));
    let linked = find(&assets, "8");
    let view = ImageView::parse(PayloadView::parse(&linked.blocks[0].bytes).unwrap()).unwrap();
    assert_eq!((view.props().mipmaps, view.data()), (2, &[6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 9, 9, 9][..]));
    let links = |asset: &Asset, key| {
        asset.meta.get(key).map(|position| match &asset.dependencies[position as usize] {
            Dependency::SubAsset(name) | Dependency::Asset(name) => name.clone(),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(links(linked, MetaKey::BUMP).as_deref(), Some("3"));
    assert_eq!(links(linked, MetaKey::ALTERNATE).as_deref(), Some("4"));
    let animated = find(&assets, "10");
    assert_eq!(links(animated, MetaKey::SEQUENCE).as_deref(), Some("11"));
    assert_eq!(
        (animated.meta.get(MetaKey::SEQUENCE_LENGTH), animated.meta.get(MetaKey::FRAME_TIME)),
        (Some(3), Some(83))
    );
    // The pixel of the colour key is transparent.
    let keyed = find(&assets, "6");
    let view = ImageView::parse(PayloadView::parse(&keyed.blocks[0].bytes).unwrap()).unwrap();
    assert_eq!(view.data(), [0, 0, 255, 255, 255, 0, 255, 0, 255, 0, 0, 255, 0, 255, 0, 255]);
}

#[test]
fn reference_counts_say_nothing_and_links_are_the_dependencies() {
    let mut files = example();
    let expected = import(&files, "Synth.txd").unwrap();
    let archive = Archive::parse("Synth.txd", &files["Synth.txd"], &mut Checks::default()).unwrap();
    let textures: Vec<usize> = archive
        .entries()
        .filter(|entry| entry.key.kind == RecordType::TEXTURE)
        .map(|entry| entry.offset as usize)
        .collect();
    assert_eq!(textures.len(), 13);
    let bytes = files.get_mut("Synth.txd").unwrap();
    for (number, offset) in textures.into_iter().enumerate() {
        let count = &mut bytes[offset + 42..][..4];
        assert_eq!(count, [1, 0, 0, 0]);
        count.copy_from_slice(&[0u32, 7, u32::MAX][number % 3].to_le_bytes());
    }
    let found = import(&files, "Synth.txd").unwrap();
    let parts = |assets: &[Asset]| -> Vec<_> {
        let bytes = |asset: &Asset| asset.blocks.iter().map(|block| block.bytes.clone()).collect::<Vec<_>>();
        assets.iter().map(|asset| (asset.name.clone(), bytes(asset), asset.dependencies.clone())).collect()
    };
    assert!(parts(&found) == parts(&expected));
    let linked = find(&found, "8");
    assert_eq!(linked.dependencies.len(), 3, "bump, alternate and material: {:?}", linked.dependencies);
}

#[test]
fn a_setting_chooses_the_order_of_32_bits() {
    let files = example();
    let pixels = |order: Option<&str>| {
        let mut settings = Settings::default();
        if let Some(order) = order {
            let value = SettingValue::Text(str::to_owned(order));
            settings.importers.insert(("srsc".to_owned(), "order_32".to_owned()), value);
        }
        let mut inputs = Files::default();
        let importer = SrscImporter.describe();
        let mut source = Source::new("Synth.txd", &files["Synth.txd"], &settings, &mut inputs)
            .with_encoders(ENCODERS)
            .for_importer(&importer);
        let assets = SrscImporter.import(&mut source).unwrap();
        let image = find(&assets, "7");
        let view = ImageView::parse(PayloadView::parse(&image.blocks[0].bytes).unwrap()).unwrap();
        (view.data().to_vec(), assets[0].notes.iter().filter(|note| note.topic.contains("docs/srsc.md")).count())
    };
    // The default is a guess, which a note says.
    assert_eq!(pixels(None), (vec![3, 2, 1, 4, 7, 6, 5, 8], 1));
    assert_eq!(pixels(Some("bgra")), (vec![3, 2, 1, 4, 7, 6, 5, 8], 0));
    assert_eq!(pixels(Some("rgba")), (vec![1, 2, 3, 4, 5, 6, 7, 8], 0));
}

#[test]
fn sounds_have_volume_loop_priority_and_drop_off() {
    let assets = import(&example(), "Synth.sdb").unwrap();
    assert_eq!(names(&assets), ["", "Footsteps/Stone/step", "loop!"]);
    let looped = &assets[2];
    let number = |key| looped.meta.get(key).unwrap();
    assert_eq!((number(MetaKey::LOOP), number(MetaKey::PRIORITY)), (1, 10));
    assert_eq!([MetaKey::GAIN, MetaKey::FALLOFF].map(|key| f32::from_bits(number(key))), [-6.0, 15.5]);
}

#[test]
fn a_rule_comes_before_what_the_archive_says() {
    let files = example();
    let mut settings = Settings::default();
    (settings.sound.gain, settings.sound.priority) = (3.0, 7);
    let mut inputs = Files::default();
    let importer = SrscImporter.describe();
    let mut source = Source::new("Synth.sdb", &files["Synth.sdb"], &settings, &mut inputs)
        .with_encoders(ENCODERS)
        .for_importer(&importer);
    let assets = SrscImporter.import(&mut source).unwrap();
    assert_eq!(assets[2].meta.get(MetaKey::GAIN).map(f32::from_bits), Some(3.0));
    assert_eq!(assets[2].meta.get(MetaKey::PRIORITY), Some(7));
}

#[test]
fn models_depend_on_the_textures_of_their_databases() {
    let assets = import(&example(), "Synth.mod").unwrap();
    assert_eq!(names(&assets), ["", "Props/quad", "Props/quad.json", "Props/quad_lo", "Props/quad_lo.json"]);
    let dependencies = &assets[1].dependencies;
    let expected = ["Synth.txd#6", "Common/Shared.txd#1"].map(|path| Dependency::Asset(path.to_owned()));
    assert_eq!((assets[1].kind, dependencies.as_slice()), (AssetKind::Model, &expected[..]));
    assert_eq!(assets[1].summary, "3 triangles");
    let scene = assets[1].blocks.iter().find(|block| block.kind == rres_format::FourCc::SCNE).unwrap();
    let scene = SceneView::parse(PayloadView::parse(&scene.bytes).unwrap()).unwrap();
    let factors: Vec<_> = scene.factors().map(|record| (record.material, record.factor, record.value[0])).collect();
    // The first texture has a colour key, and the fin has two sides.
    let expected = [
        (0, Factor::ALPHA_MODE, 1.0),
        (0, Factor::METALLIC, 0.0),
        (1, Factor::DOUBLE_SIDED, 1.0),
        (1, Factor::METALLIC, 0.0),
    ];
    assert_eq!(factors, expected);

    // Without the database there is a note.
    let mut files = example();
    files.remove("Common/Shared.db");
    files.remove("Common/Shared.txd");
    let assets = import(&files, "Synth.mod").unwrap();
    assert_eq!(assets[1].dependencies, [Dependency::Asset("Synth.txd#6".to_owned())]);
    assert_eq!(assets[0].notes.last().unwrap().detail, "texture 2:0x0001");
}

#[test]
fn characters_have_joints_weights_and_animations() {
    let files: BTreeMap<_, _> = write::hero().into_iter().collect();
    let assets = import(&files, "Hero.mod").unwrap();
    assert_eq!(names(&assets), ["", "People/hero", "People/hero.lod1", "People/hero.json"]);
    assert_eq!(assets[1].summary, "2 triangles, 3 joints, 1 animation");
    assert_eq!(assets[2].summary, "1 triangle, 3 joints");
    assert_eq!(assets[1].parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["bend"]);
    let list = |asset: &Asset, attribute| {
        let mut blocks = asset.blocks.iter().filter(|block| block.kind == rres_format::FourCc::VRTX);
        let view = |block: &'_ rres_import::Block| {
            let view = VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
            (view.props().attribute == attribute).then(|| view.data().to_vec())
        };
        blocks.find_map(view).unwrap()
    };
    let weights = |asset: &Asset| {
        let joints = list(asset, VertexAttribute::JOINTS1);
        let joints: Vec<u16> = joints.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
        let weights = list(asset, VertexAttribute::WEIGHTS1);
        let weights: Vec<f32> = weights.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let pairs = joints.into_iter().zip(weights).collect::<Vec<_>>();
        pairs
            .chunks(4)
            .map(|four| four.iter().copied().filter(|(_, weight)| *weight > 0.0).collect())
            .collect::<Vec<Vec<_>>>()
    };
    // Weights are made to have the sum 1; a vertex without any follows the first joint.
    assert_eq!(weights(&assets[1]), [vec![(0, 1.0)], vec![(0, 0.5), (1, 0.5)], vec![(2, 1.0)], vec![(0, 1.0)]]);
    assert_eq!(weights(&assets[2]), [[(0, 1.0)], [(1, 1.0)], [(0, 1.0)]]);

    // Without the animations there is a note.
    let mut files = files;
    files.remove("Hero.adb");
    let assets = import(&files, "Hero.mod").unwrap();
    assert_eq!(assets[1].summary, "2 triangles, 3 joints");
    assert_eq!(assets[0].notes.last().unwrap().detail, "animation 0:0x0001");
}

#[test]
fn classes_depend_on_models_sounds_and_textures() {
    let class = |files: &BTreeMap<String, Vec<u8>>| {
        let assets = import(files, "Synth.odb").unwrap();
        let text = TextView::parse(PayloadView::parse(&assets[1].blocks[0].bytes).unwrap()).unwrap().bytes().to_vec();
        let value: Value = serde_json::from_slice(&text).unwrap();
        (
            assets[1].dependencies.clone(),
            value["assets"].clone(),
            assets[0].notes.last().map(|note| note.detail.clone()),
        )
    };
    let (dependencies, assets, note) = class(&example());
    let paths = ["Synth.mod#Props/quad", "Synth.sdb#Footsteps/Stone/step", "Synth.sdb#loop!", "Common/Shared.txd#1"];
    assert_eq!(dependencies, paths.map(|path| Dependency::Asset(path.to_owned())));
    let expected = json!({ "model": paths[0], "values": { "Sounds": [paths[1], paths[2]], "Skin": paths[3] } });
    assert_eq!((assets, note), (expected, None));

    let mut files = example();
    files.remove("Synth.sdb");
    let (dependencies, assets, note) = class(&files);
    assert_eq!(dependencies.len(), 2);
    assert_eq!(assets["values"]["Sounds"], json!([null, null]));
    let expected = "sound 0:0x0003 of class Synthetic Thing; sound 0:0x0004 of class Synthetic Thing";
    assert_eq!(note.as_deref(), Some(expected));
}

#[test]
fn texts_music_and_data() {
    let kinds = |path: &str| -> Vec<(String, AssetKind)> {
        let assets = import(&example(), path).unwrap();
        assets[1..].iter().map(|asset| (asset.name.clone(), asset.kind)).collect()
    };
    let named = |list: &[(&str, AssetKind)]| -> Vec<(String, AssetKind)> {
        list.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
    };
    use AssetKind::{Raw, Text};
    assert_eq!(
        kinds("Synth.rrc"),
        named(&[("1", Text), ("2", Text), ("257", Raw), ("3", Text), ("4", Raw), ("song/4", Text)])
    );
    assert_eq!(kinds("Synth.odb"), named(&[("Things/Synthetic Thing", Text)]));
    assert_eq!(kinds("Synth.adb"), named(&[("wave", Text)]));
    assert_eq!(kinds("Synth.ssd"), named(&[("Cutscenes/Intro", Text)]));
    assert_eq!(kinds("Synth.db"), []);
}

/// No damage makes a panic; what is refused is named with its offset.
#[test]
fn a_damaged_archive_is_one_error() {
    let files: BTreeMap<_, _> = example().into_iter().chain(write::hero()).collect();
    for path in [
        "Synth.txd",
        "Synth.sdb",
        "Synth.mod",
        "Synth.odb",
        "Synth.rrc",
        "Synth.ssd",
        "Synth.db",
        "Hero.mod",
        "Hero.adb",
    ] {
        let mut files = files.clone();
        let bytes = files[path].clone();
        for at in (0..bytes.len()).step_by(7) {
            for damaged in
                [bytes[..at].to_vec(), bytes.iter().enumerate().map(|(i, b)| if i == at { !b } else { *b }).collect()]
            {
                files.insert(path.to_owned(), damaged);
                if let Err(error) = import(&files, path) {
                    let error = error.to_string();
                    assert!(error.contains("at offset 0x") || error.starts_with("record 0x"), "{path} {at}: {error}");
                }
            }
        }
    }
}

#[test]
fn settings_of_models_change_characters_and_their_levels() {
    use rres_format::FourCc;
    use rres_format::chunk::scene::{Property, SceneBlock, Span};
    use rres_settings::{MeshletSize, NormalMode};

    let files: BTreeMap<_, _> = write::hero().into_iter().collect();
    let mut settings = Settings::default();
    settings.model.scale = 4.0;
    let (plain, scaled) = (import(&files, "Hero.mod").unwrap(), import_with(&files, "Hero.mod", &settings).unwrap());
    let scene = |asset: &Asset| -> SceneBlock {
        let block = asset.blocks.iter().find(|block| block.kind == FourCc::SCNE).unwrap();
        SceneView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap().to_block()
    };
    let four = |numbers: &[f32]| numbers.iter().map(|number| number * 4.0).collect::<Vec<_>>();
    let part = |scene: &SceneBlock, span: Span| scene.numbers[span.first as usize..][..span.count as usize].to_vec();
    let (before, after) = (scene(&plain[1]), scene(&scaled[1]));
    assert!(before.channels.iter().any(|channel| channel.property == Property::TRANSLATION));
    for (old, new) in before.channels.iter().zip(&after.channels) {
        let (old_values, new_values) = (part(&before, old.values), part(&after, new.values));
        let is_moved = old.property == Property::TRANSLATION;
        assert_eq!(new_values, if is_moved { four(&old_values) } else { old_values });
        assert_eq!(part(&before, old.times), part(&after, new.times));
    }
    for (old, new) in before.nodes.iter().zip(&after.nodes) {
        assert_eq!((new.translation.to_vec(), new.rotation), (four(&old.translation), old.rotation));
    }
    let matrices = |scene: &SceneBlock| part(scene, scene.skins[0].inverse_bind_matrices);
    for (old, new) in matrices(&before).chunks(16).zip(matrices(&after).chunks(16)) {
        assert_eq!((&new[..12], new[12..15].to_vec(), new[15]), (&old[..12], four(&old[12..15]), old[15]));
    }

    // The levels of the archive are models of their own, and have settings as well.
    settings.model.normals = NormalMode::Smooth;
    settings.model.meshlets = Some(MeshletSize::default());
    let made = import_with(&files, "Hero.mod", &settings).unwrap();
    for asset in made.iter().filter(|asset| asset.kind == AssetKind::Model) {
        let is_normals = |block: &rres_import::Block| {
            let view = VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
            view.props().attribute == VertexAttribute::NORMAL
        };
        let mut vertices = asset.blocks.iter().filter(|block| block.kind == FourCc::VRTX);
        assert!(vertices.any(is_normals), "{}", asset.name);
        assert!(!scene(asset).meshlets.is_empty(), "{}", asset.name);
    }
}
