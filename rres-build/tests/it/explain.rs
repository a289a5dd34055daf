//! `Build::explain`: the answer agrees with what the build does, and names what decided it.

use rres_engine::{Explained, Explanation, Standing};
use rres_settings::SettingOrigin;

use super::{Project, sources};

const SETTINGS: &str = r#"[pack]
compression = "lz4"
["**"]
compression = "deflate"
level = 9
["data/*.bin"]
compression = "zstd"
["shaders/*"]
kind = "text"
text = { lang = "glsl" }
["levels/1.txt"]
id = 0x77
rename = "FIRST"
["**/old/**"]
ignore = true
[group.levels]
include = "levels/*"
"#;

fn project() -> Project {
    let project = Project::new(&sources());
    project.write("assets.toml", SETTINGS.as_bytes());
    project.write("levels/old/0.txt", b"left out");
    project.write(".hidden/a.txt", b"hidden");
    project
}

fn explain(project: &Project, paths: &[&str]) -> Explained {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    project.build().explain(&paths).unwrap()
}

fn setting<'e>(explanation: &'e Explanation, key: &str) -> &'e SettingOrigin {
    explanation.settings.iter().find(|setting| setting.key == key).unwrap_or_else(|| panic!("no {key}"))
}

/// `value by rule at line:column`, then what was overridden.
fn origin(explanation: &Explanation, key: &str) -> String {
    let SettingOrigin { value, set_by, overridden, .. } = setting(explanation, key);
    let by = |by: &rres_settings::SetBy| {
        let place: Vec<&str> = by.place.rsplit(':').take(2).collect();
        format!("{} by {} at {}:{}", by.value, by.rule, place[1], place[0])
    };
    let decided = set_by.as_ref().map_or_else(|| format!("{value} by default"), by);
    [vec![decided], overridden.iter().map(by).collect()].concat().join("; over ")
}

#[test]
fn every_setting_names_what_decided_it_and_what_it_overrode() {
    let explained = explain(&project(), &["data/noise.bin", "levels/1.txt", "shaders/glow.fs"]);
    let [noise, level, shader] = &explained.explanations[..] else { panic!("{explained:?}") };
    assert_eq!(
        origin(noise, "compression"),
        "\"zstd\" by data/*.bin at 7:1; over \"lz4\" by [pack] at 2:1; over \"deflate\" by ** at 4:1"
    );
    // The level was for the other compressor.
    assert_eq!(origin(noise, "level"), "the profile's by default; over 9 by ** at 5:1");
    assert_eq!(origin(noise, "ignore"), "false by default");
    assert_eq!(noise.rules.iter().map(|rule| rule.rule.as_str()).collect::<Vec<_>>(), ["**", "data/*.bin"]);
    assert!(noise.settings.iter().all(|setting| !setting.key.starts_with("image.")), "settings of other kinds");
    assert_eq!(
        (noise.kind_reason.as_str(), noise.id_reason.as_str()),
        ("no importer takes .bin files", "CRC-32 of the path")
    );

    assert_eq!((level.id.unwrap().0, level.constant.as_deref()), (0x77, Some("levels::FIRST")));
    assert!(level.id_reason.ends_with("assets.toml:12:1"), "{}", level.id_reason);
    assert_eq!((origin(level, "level"), &level.groups[..]), ("9 by ** at 5:1".to_owned(), &["levels".to_owned()][..]));
    assert!(shader.kind_reason.ends_with("assets.toml:9:1"), "{}", shader.kind_reason);
    assert_eq!(origin(shader, "text.lang"), "\"glsl\" by shaders/* at 10:10");
}

/// The settings, ids, constants and sizes are the same as in a build.
#[test]
fn the_answer_agrees_with_the_build() {
    let project = project();
    let before = project.build().explain_all().unwrap();
    let report = project.run();
    let module = project.module();
    let after = project.build().explain_all().unwrap();
    for asset in &report.assets {
        for (explained, cached) in [(&before, false), (&after, true)] {
            let found = explained.explanations.iter().find(|found| found.path == asset.path).unwrap();
            let facts = found.import.as_ref().unwrap();
            assert_eq!((found.kind, facts.stored_size), (Some(asset.kind), asset.stored_size), "{}", asset.path);
            assert_eq!((facts.source_size, facts.cached), (asset.source_size, cached), "{}", asset.path);
            let name = found.constant.as_deref().unwrap().rsplit("::").next().unwrap();
            assert!(module.contains(&format!("pub const {name}: ")), "{name}");
        }
    }
    let left_out: Vec<_> = after.explanations.iter().filter(|found| found.standing != Standing::Asset).collect();
    assert_eq!(left_out.iter().map(|found| found.path.as_str()).collect::<Vec<_>>(), ["levels/old/0.txt"]);
}

#[test]
fn all_budgets_are_measured_and_chunks_of_the_pack_explained() {
    let project = project();
    project.write("assets.toml", format!("{SETTINGS}[budget]\ntotal = 1\n\"data/*\" = \"1 MB\"\n").as_bytes());
    let explained = project.build().explain_all().unwrap();
    let [total, data] = &explained.budgets[..] else { panic!("{:?}", explained.budgets) };
    assert_eq!((total.rule.as_str(), total.level_word(), total.allowed), ("total", "deny", 1));
    let sizes = explained.explanations.iter().filter_map(|file| Some(file.import.as_ref()?.stored_size));
    assert_eq!(total.used, sizes.sum::<u64>());
    assert!(data.assets.iter().all(|(path, _)| path.starts_with("data/")) && data.used < data.allowed, "{data:?}");
    assert_eq!(explained.lints.iter().map(|lint| lint.rule.as_str()).collect::<Vec<_>>(), ["total"]);
    // A build fails, unless it is for a tool that shows the limits.
    assert!(project.build().build().is_err());
    let report = project.build().limits_only_warn().build().unwrap();
    assert_eq!(report.lints.len(), 1);

    let pack = std::fs::read(&report.packs[0]).unwrap();
    let view = rres_format::PackView::parse(&pack).unwrap();
    let path = "data/noise.bin";
    let chunk =
        view.chunks().map(Result::unwrap).find(|chunk| chunk.info.id == rres_format::ResourceId::from_path(path));
    let noise = explained.explanations.iter().find(|found| found.path == path).unwrap();
    let reason = noise.compression_reason(rres_format::AssetKind::Raw, &chunk.unwrap().info);
    let alone = project.build().explain(&[path.to_owned()]).unwrap();
    assert_eq!(reason, alone.explanations[0].import.as_ref().unwrap().resources[0].chunks[0].reason);
}

#[test]
fn what_is_not_an_asset_is_explained_too() {
    let project = project();
    project.write("bad.txt", b"\xff\xff\xff\x81");
    let paths =
        ["levels/old/0.txt", ".hidden/a.txt", "assets.toml", "levels", "level/1.txt", "bad.txt", "data/Noise.bin"];
    let explained = explain(&project, &paths);
    let standings: Vec<&Standing> = explained.explanations.iter().map(|found| &found.standing).collect();
    let Standing::Ignored { rule, place } = standings[0] else { panic!("{standings:?}") };
    assert!(rule == "**/old/**" && place.ends_with("assets.toml:15:1"), "{rule} at {place}");
    assert_eq!(*standings[1], Standing::NeverAsset { name: ".hidden".to_owned() });
    assert_eq!((standings[2], standings[3]), (&Standing::Settings, &Standing::Folder { asset_count: 2 }));
    assert_eq!(*standings[4], Standing::Missing { nearest: Some("levels/1.txt".to_owned()) });
    assert!(explained.explanations[5].import.is_none(), "it cannot be imported");
    assert!(explained.diagnostics.iter().any(|diagnostic| diagnostic.asset() == Some("bad.txt")), "{explained:?}");
    assert!(!project.out().exists() || super::files_below(&project.out()).is_empty(), "nothing is written");
}

#[test]
fn rules_of_the_build_script_and_limits_are_in_the_answer() {
    let project = project();
    let build =
        project.build().rule("data/*", |rule| rule.max_size(100_u64).compression(rres_format::Compression::LZ4));
    let explained = build.explain(&["data/noise.bin".to_owned()]).unwrap();
    let noise = &explained.explanations[0];
    let place = &setting(noise, "compression").set_by.as_ref().unwrap().place;
    assert!(place.contains("explain.rs:"), "{place}");
    assert_eq!(setting(noise, "compression").overridden.len(), 3);
    assert!(explained.lints.is_empty(), "5,000 equal bytes take less than that: {:?}", explained.lints);
    let chunk = &noise.import.as_ref().unwrap().resources[0].chunks[0];
    assert_eq!(chunk.reason, "makes it smaller");
}

/// A triangle whose vertices are in `box.bin` and whose image is `../skin.list`.
#[cfg(feature = "model")]
const MODEL: &str = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"box.bin"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
    "images":[{"uri":"../skin.list"}],"textures":[{"source":0}],
    "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
    "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}"#;

#[cfg(feature = "model")]
#[test]
fn an_image_names_the_model_that_needs_it_and_a_buffer_the_model_that_read_it() {
    let project =
        Project::new(&[("m/box.gltf", MODEL.as_bytes()), ("m/box.bin", &[0; 36]), ("skin.list", b"a texture")]);
    let explained = explain(&project, &["skin.list", "m/box.bin", "m/box.gltf"]);
    assert_eq!(explained.diagnostics, []);
    let [skin, buffer, model] = &explained.explanations[..] else { panic!("{explained:?}") };
    assert_eq!((&skin.needed_by[..], &skin.read_by[..]), (&["m/box.gltf".to_owned()][..], &[][..]));
    assert_eq!((&buffer.needed_by[..], &buffer.read_by[..]), (&[][..], &["m/box.gltf".to_owned()][..]));
    let facts = model.import.as_ref().unwrap();
    assert_eq!(
        (&facts.resources[0].dependencies[..], &facts.inputs[..]),
        (&["skin.list".to_owned()][..], &["m/box.bin".to_owned()][..])
    );
}

/// Explanations are about files, so they name files, whichever paths the files have in the pack.
#[cfg(feature = "model")]
#[test]
fn a_mapped_model_and_its_mapped_image_name_the_files_of_each_other() {
    let files: [(&str, &[u8]); 3] =
        [("m/box.gltf", MODEL.as_bytes()), ("m/box.bin", &[0; 36]), ("skin.list", b"a texture")];
    let project = Project::new(&files);
    let settings = "[\"m/box.gltf\"]\npath = \"crate\"\n[\"skin.list\"]\npath = \"textures/crate\"\n";
    project.write("assets.toml", settings.as_bytes());
    let explained = explain(&project, &["skin.list", "m/box.bin", "m/box.gltf"]);
    assert_eq!(explained.diagnostics, []);
    let [skin, buffer, model] = &explained.explanations[..] else { panic!("{explained:?}") };
    assert_eq!(skin.needed_by, ["m/box.gltf"]);
    assert_eq!(buffer.read_by, ["m/box.gltf"]);
    let facts = model.import.as_ref().unwrap();
    assert_eq!(
        (&facts.resources[0].path, &facts.resources[0].dependencies[..]),
        (&"crate".to_owned(), &["skin.list".to_owned()][..])
    );
}

#[test]
fn a_record_that_a_build_has_removed_since_it_was_listed_is_no_fault() {
    let gone = std::path::Path::new("gone.options.toml");
    let record = rres_engine::RecordedBuild::read(gone, std::path::Path::new("."), &rres_build::importers());
    assert!(record.unwrap().is_none());
}
