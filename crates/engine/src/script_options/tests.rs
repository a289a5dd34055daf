//! The options of a build survive the document that hands them to another program.

use std::path::Path;
use std::sync::Arc;

use rres_import::Encoders;

use super::reader::read_options;
use super::writer::write_options;
use crate::import::{RegisteredImporter, RresImporters};
use crate::options::{Build, PackMode};
use crate::settings::{AssetType, Description, Setting};
use crate::settings::{CharSet, GlobalValues, PACK_ROWS, Rule, RuleValues, SettingRow, TomlReader, all_rows};

fn importers() -> Arc<RresImporters> {
    Arc::new(RresImporters::new(|_| None, Encoders::default()))
}

fn import(dir: &str) -> Build {
    Build::new(dir).with_rres_importers(importers())
}

/// Values of each setting, as in `assets.toml`. Settings with a list of words are tested with each.
const VALUES: &[(&str, &[&str])] = &[
    ("importer", &["\"tiled\""]),
    ("id", &["1", "0xffffffff", "\"0x1234\""]),
    ("variant_of", &["\"voice/en/**\"", "\"a *.txt\"", "false"]),
    ("locale", &["\"fr-CA\""]),
    ("path", &["\"images/hero.png\"", "\"Größe @2x, 1.png\""]),
    ("rename", &["\"HERO_PNG\"", "\"_1\""]),
    ("level", &["1", "22"]),
    ("max_size", &["1", "\"1.5 MB\""]),
    ("max_growth", &["1", "0.25"]),
    ("image.color_key", &["false", "\"#ff00ff\"", "\"#000000\""]),
    ("image.scale", &["2", "0.25"]),
    ("image.fit", &["1", "1024"]),
    ("image.grid", &["[1, 2]", "[16, 16]"]),
    ("image.layers", &["[1, 2]", "[16, 16]"]),
    ("image.slices", &["[32, 32]"]),
    ("image.frame_time", &["40"]),
    ("image.frame_rate", &["1", "12"]),
    ("image.bump", &["false", "\"wall_n.png\"", "\"../normals/*_n.png\""]),
    ("image.alternate", &["\"*_broken.png\""]),
    ("image.material", &["false", "\"stone.toml\""]),
    ("image.atlas", &["false", "\"ui\"", "\"sprites/ui\""]),
    ("image.atlas_size", &["16", "4096"]),
    ("image.atlas_extrude", &["0", "8"]),
    ("image.atlas_gap", &["2"]),
    ("image.min_psnr", &["0", "40.5"]),
    ("image.min_ssim", &["0", "0.95"]),
    ("image.rdo", &["0.5", "5"]),
    ("image.max_width", &["1", "1000000"]),
    ("image.max_height", &["4096"]),
    ("sound.max_seconds", &["10", "0.5"]),
    ("sound.allowed_rates", &["44100", "[22050, 44100]"]),
    ("sound.rate", &["22050"]),
    ("sound.bitrate", &["24", "96"]),
    ("sound.trim_silence", &["-60", "-54.5"]),
    ("sound.seek", &["true"]),
    ("sound.loudness", &["-16", "-23.5"]),
    ("sound.priority", &["0", "10"]),
    ("sound.falloff", &["0", "15.5"]),
    ("sound.format", &["\"keep\"", "\"opus\"", "\"qoa\""]),
    ("sound.gain", &["-3", "0.1", "-0.0", "1e-7", "59.999"]),
    ("font.store", &["\"subset\""]),
    ("font.size", &["1", "[20, 48, 1024]"]),
    (
        "font.chars",
        &[
            "\"auto\"",
            "[\"latin\", \"★\", \"\\\"\\\\ \\t\\u007f\"]",
            "[\"U+4E00-9FFF\", \"hiragana\", { file = \"a b.txt\" }, { texts = \"text/**\" }]",
        ],
    ),
    ("font.padding", &["0", "64"]),
    ("model.scale", &["0.01", "100"]),
    ("model.lods", &["0.5", "[0.5, 0.125]"]),
    ("model.lod_error", &["0", "0.01"]),
    ("model.meshlets", &["true", "false", "{ vertices = 3, triangles = 512 }"]),
    ("model.collision", &["\"hull\"", "false", "\"triangles\"", "{ shape = \"parts\", vertices = 255, parts = 2 }"]),
    ("model.animation_error", &["\"0.1 mm\"", "false", "\"1000 m\""]),
    ("font.atlas_size", &["64", "2048"]),
    ("font.range", &["1", "64"]),
    ("font.color", &["false"]),
    ("font.variations", &["\"Bold\"", "{ wght = 700, wdth = 87.5 }", "{ }"]),
    ("text.defines", &["{ A = true, B = false, _c1 = -4, D = \"vec3f(0.5, \\\"\\\", 1)\" }", "{ }"]),
    ("text.variants", &["{ night = { SHADOWS = true }, low = { } }", "{ }"]),
    ("text.compile", &["\"spirv\"", "[\"msl\", \"spirv\"]"]),
    ("text.culture", &["\"en-US\"", "\"pt\"", "0x0409", "0"]),
    ("name", &["\"my game\""]),
    ("header", &["\"assets.h\"", "\"a b.hpp\""]),
    ("key_env", &["\"GAME_KEY\""]),
    ("key_file", &["\"../game.key\""]),
    ("order", &["\"order.txt\""]),
    ("layout_from", &["\"release/game.rres\""]),
    ("locales", &["\"en\"", "[\"en\", \"zh-Hant\"]"]),
    ("densities", &["2", "[1.5, 3]"]),
    ("targets", &["{ mobile = 'cfg(target_os = \"android\")', web-2 = \"cfg(all())\" }"]),
    ("split", &["4096", "\"1.5 GiB\""]),
    ("license", &["\"CC-BY-4.0\""]),
    ("author", &["\"A\"", "[\"A\", \"B\"]"]),
    ("source", &["\"https://example.com\""]),
    ("attribution", &["\"music by A\""]),
    ("lints.allowed_licenses", &["[\"MIT\", \"CC0-1.0\"]"]),
];

/// The values to test `row` with.
fn values<V: 'static, S: 'static>(row: &SettingRow<V, S>) -> Vec<String> {
    if let Some((_, values)) = VALUES.iter().find(|(key, _)| *key == row.key) {
        return values.iter().map(|value| (*value).to_owned()).collect();
    }
    // Words and flags: the manual lists them.
    (row.values)().split(", ").map(str::to_owned).collect()
}

/// Reads the value of one setting.
fn set<V: 'static + Default, S: 'static>(row: &SettingRow<V, S>, value: &str) -> V {
    let text = format!("x = {value}");
    let mut values = V::default();
    let document = toml::de::DeTable::parse(&text).unwrap_or_else(|e| panic!("{}: {text}: {e}", row.key));
    let mut reader = TomlReader::new(Path::new("test"), &text);
    (row.read)(&mut reader, &document.get_ref()["x"], &mut values);
    let faults = reader.into_diagnostics();
    assert!(faults.is_empty() && (row.is_set)(&values), "{} = {value}: {faults:?}", row.key);
    values
}

fn survives(build: &Build) -> Build {
    let text = write_options(build).unwrap();
    let read = read_options(Path::new("options"), &text, &importers()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(write_options(&read).unwrap(), text);
    read
}

fn with_rule(values: RuleValues) -> Build {
    import("assets").rule("**", |_| Rule { values })
}

#[test]
fn every_setting_survives() {
    for row in all_rows() {
        for value in values(row) {
            let values: RuleValues = set(row, &value);
            assert_eq!(survives(&with_rule(values.clone())).rules[0].2.values, values, "{} = {value}", row.key);
        }
    }
    for row in PACK_ROWS {
        for value in values(row) {
            let values: GlobalValues = set(row, &value);
            let build = Build { values: values.clone(), ..import("assets") };
            assert_eq!(survives(&build).values, values, "{} = {value}", row.key);
        }
    }
}

#[test]
fn characters_that_are_the_name_of_a_set_stay_characters() {
    for text in ["all", "latim", "", "\"}\n"] {
        let build = import("assets").rule("**", |rule| rule.font_chars([CharSet::Text(text.to_owned()), CharSet::All]));
        let chars = [CharSet::Text(text.to_owned()), CharSet::All];
        assert_eq!(survives(&build).rules[0].2.values.font.chars.as_deref(), Some(&chars[..]));
    }
}

#[test]
fn every_other_option_survives_with_its_place_and_in_order() {
    let build = import("../as\\sets \"1\"")
        .rule("b/[[]*.png", |rule| rule.image_mipmaps(true).image_premultiply(true))
        .rule("a/*.png", |rule| rule.image_mipmaps(false))
        .group("levels", ["1/**", "2/**"])
        .group("none", [""; 0])
        .budget(u64::MAX)
        .budget_for("music/**", 3)
        .budget_for_group("levels", 4)
        .vram_budget(5)
        .vram_budget_for("ui/**", 6)
        .vram_budget_for_group("levels", 7)
        .module("m")
        .crate_path("crate::rres")
        .out_dir("out")
        .cache_dir("/cache")
        .threads(3)
        .memory(u64::MAX)
        .pack_mode(PackMode::Always)
        .debug(false)
        .only([rres_format::AssetKind::Sound, rres_format::AssetKind::Text])
        .always_run(true)
        .library()
        .allow_missing()
        .trust_stamps(true);
    let build = Build {
        script: Some("/script".into()),
        package: Some("game".into()),
        earlier: vec!["dir = \"a\"\n".to_owned()],
        libraries: Some(vec!["/kit.options.toml".into()]),
        ..build
    };
    let read = survives(&build);
    let rules = |build: &Build| -> Vec<_> {
        build.rules.iter().map(|(place, glob, rule)| (place.clone(), glob.clone(), rule.values.clone())).collect()
    };
    assert_eq!(rules(&read), rules(&build));
    assert_eq!((&read.groups, &read.budgets, &read.dir), (&build.groups, &build.budgets, &build.dir));
    assert_eq!((&read.module, &read.crate_path, read.threads), (&build.module, &build.crate_path, build.threads));
    assert_eq!((&read.out_dir, &read.cache_dir, read.memory), (&build.out_dir, &build.cache_dir, build.memory));
    assert_eq!(
        (read.pack_mode, read.debug, read.always_run, read.trust_stamps),
        (build.pack_mode, build.debug, build.always_run, build.trust_stamps)
    );
    assert_eq!(read.only, build.only);
    assert_eq!((&read.script, &read.earlier, &read.package), (&build.script, &build.earlier, &build.package));
    assert_eq!(
        (read.is_library, read.allows_missing, &read.libraries),
        (build.is_library, build.allows_missing, &build.libraries)
    );

    let plain = survives(&import("assets"));
    assert_eq!((plain.out_dir, plain.threads, plain.debug, plain.script), (None, None, None, None));
    assert_eq!((plain.is_library, plain.allows_missing, plain.libraries), (false, false, None));
    assert_eq!(survives(&import("assets").without_libraries()).libraries, Some(Vec::new()));
}

#[test]
fn the_description_of_an_importer_survives() {
    let descriptions = [
        Description::new("plain", 0),
        Description::new("tiled \"1\"", u32::MAX)
            .reads(["tmx", "Größe"])
            .reads_if("mod", [0, b'"', 0xff])
            .makes(AssetType::custom(*b"TM\"\0", "crate::Map"))
            .makes(rres_format::AssetKind::Image)
            .with_setting(Setting::integer("layers", 1..=i64::MAX).with_default(2))
            .with_setting(Setting::number("scale", -0.5..=1e300))
            .with_setting(Setting::one_of("order", ["up", "down"]).with_default("down"))
            .with_setting(Setting::flag("strict"))
            .with_setting(Setting::text("prefix").with_default("a\n"))
            .without_path()
            .with_folders_as_groups(),
    ];
    for description in descriptions {
        let place = crate::diagnostic::Place::Name("build.rs".to_owned());
        let importer = RegisteredImporter::of_record(description.clone());
        let build = Build { importers: vec![(place, importer.into())], ..import("assets") };
        assert_eq!(survives(&build).importers[0].1.description, description);
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xff"));
    let fault = write_options(&import("assets").cache_dir(path)).unwrap_err().to_string();
    assert!(fault.contains("`cache_dir`, is not UTF-8") && fault.contains("help: "), "{fault}");
}
