//! The meaning of correct settings: values, order, groups, budgets, rules of `build.rs`, and globs that match nothing.

use std::path::Path;

use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::text::CodeLanguage;
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_format::{AssetKind, Compression, FourCc, ResourceId};

use super::{android, parse, rules, show};
use crate::diagnostic::Place;
use crate::importer_description::{AssetType, Description};
use crate::table::{AssetSettings, GlobalValues, PackValues};
use crate::{
    AssetSize, BudgetFor, CharSet, Compat, Culture, ImageFormat, LintFinding, Measure, PackSettings, Rule, Rules,
    SampleFormat, Settings, SoundStorage, SourceEncoding,
};

#[test]
fn every_key_sets_its_field() {
    let rules = rules(
        r#"
["a"]
kind = "text"
id = 0x1234
rename = "HERO"
compression = "deflate"
level = 9
text = { culture = "de-CH", encoding = "utf16_le", lang = "glsl" }
["b"]
id = "0xFFFFFFFF"
image.format = "rgb565"
image.mipmaps = true
image.filter = "nearest"
image.wrap = "mirror"
image.color_space = "linear"
["c"]
image = { premultiply = true }
sound = { store = "pcm", sample = "f32", gain = -4.5, loop = true }
font = { size = 20, chars = "★", padding = 0 }
["d"]
font = { size = [20, 48], chars = ["latin", "greek", "cyrillic", "ascii", "latin script"] }
sound = { gain = 3 }
text = { culture = 0x0407 }
["e"]
ignore = true
"#,
    );
    let default = || Settings {
        asset: AssetSettings { compression: Some(Compression::FILTERED), ..AssetSettings::default() },
        ..Settings::default()
    };
    let mut a = default();
    a.asset.kind = Some(AssetKind::Text);
    (a.asset.id, a.asset.rename) = (Some(ResourceId(0x1234)), Some("HERO".into()));
    (a.asset.compression, a.asset.level) = (Some(Compression::DEFLATE), Some(9));
    a.text.culture = Some("de-CH".into());
    (a.text.encoding, a.text.lang) = (Some(SourceEncoding::Utf16Le), Some(CodeLanguage::GLSL));
    assert_eq!(rules.resolve("a"), a);
    assert_eq!(a.text.culture.unwrap().lcid(), Some(0x0807));

    let mut b = default();
    b.asset.id = Some(ResourceId(u32::MAX));
    (b.image.format, b.image.mipmaps) = (PixelFormat::RGB565.into(), true);
    (b.image.filter, b.image.wrap) = (Some(Filter::Nearest), Some(Wrap::Mirror));
    b.image.color_space = Some(ColorSpace::Linear);
    assert_eq!(rules.resolve("b"), b);

    let mut c = default();
    c.image.premultiply = true;
    (c.sound.store, c.sound.sample) = (SoundStorage::Pcm, Some(SampleFormat::F32));
    (c.sound.gain, c.sound.is_looping) = (-4.5, true);
    (c.font.size, c.font.chars, c.font.padding) = (vec![20], vec![CharSet::Text("★".into())], 0);
    assert_eq!(rules.resolve("c"), c);

    let mut d = default();
    d.font.size = vec![20, 48];
    let text = CharSet::Text("latin script".into());
    d.font.chars = vec![CharSet::Latin, CharSet::Greek, CharSet::Cyrillic, CharSet::Ascii, text];
    (d.sound.gain, d.text.culture) = (3.0, Some(Culture::Lcid(0x0407)));
    assert_eq!(rules.resolve("d"), d);

    let mut e = default();
    e.asset.ignore = true;
    assert_eq!(rules.resolve("e"), e);
    assert_eq!(rules.resolve("f"), default());
}

/// The builder can set everything that the file can.
#[test]
fn rules_of_the_builder_set_the_same_fields_as_rules_of_the_file() {
    let of_file = rules(
        r#"
["a"]
kind = "model"
id = 0x1234
rename = "HERO"
compression = "deflate"
level = 9
image.format = "rgba8"
image.mipmaps = true
image.premultiply = true
image.filter = "nearest"
image.wrap = "mirror"
image.color_space = "linear"
"#,
    );
    let mut of_code = rules("");
    let mut diagnostics = Vec::new();
    let image = Rule::default()
        .kind(AssetKind::Model)
        .id(ResourceId(0x1234))
        .rename("HERO")
        .compression(Compression::DEFLATE)
        .level(9)
        .image_format(PixelFormat::RGBA8)
        .image_mipmaps(true)
        .image_premultiply(true)
        .image_filter(Filter::Nearest)
        .image_wrap(Wrap::Mirror)
        .image_color_space(ColorSpace::Linear);
    of_code.add_rule(place(), "a", image, &mut diagnostics);
    assert_eq!(diagnostics, []);
    assert_eq!(of_code.resolve("a"), of_file.resolve("a"));

    let of_file = rules(
        r#"
["s"]
sound = { store = "pcm", sample = "f32", gain = -4.5, loop = true }
["f"]
font = { size = [20, 48], chars = ["latin", "★"], padding = 0 }
["t"]
text = { culture = "de-CH", encoding = "utf16_le", lang = "glsl" }
["i"]
ignore = true
"#,
    );
    let mut of_code = rules("");
    let sound = Rule::default()
        .sound_store(SoundStorage::Pcm)
        .sound_sample(SampleFormat::F32)
        .sound_gain(-4.5)
        .sound_loop(true);
    let font = Rule::default().font_size([20, 48]).font_chars(["latin".into(), "★".into()]).font_padding(0);
    let text =
        Rule::default().text_culture("de-CH").text_encoding(SourceEncoding::Utf16Le).text_lang(CodeLanguage::GLSL);
    for (glob, rule) in [("s", sound), ("f", font), ("t", text), ("i", Rule::default().ignore(true))] {
        of_code.add_rule(place(), glob, rule, &mut diagnostics);
        assert_eq!(of_code.resolve(glob), of_file.resolve(glob));
    }
    assert_eq!(diagnostics, []);
}

#[test]
fn values_of_the_builder_are_checked_like_values_of_the_file() {
    let mut rules = rules("");
    let mut diagnostics = Vec::new();
    let rule = Rule::default()
        .id(ResourceId::NONE)
        .rename("1a")
        .level(23)
        .image_format(PixelFormat::DXT3_RGBA)
        .sound_gain(100.0)
        .font_size([0])
        .text_culture("klingon");
    rules.add_rule(place(), "a", rule, &mut diagnostics);
    rules.add_rule(place(), "{a,b", Rule::default(), &mut diagnostics);
    rules.add_rule(place(), "b*", Rule::default().id(ResourceId(1)), &mut diagnostics);
    let text = show(&diagnostics);
    for part in [
        "unknown value for `id`, expected 0x1 to 0xffffffff",
        "unknown value for `rename`, expected the name of a Rust constant",
        "unknown value for `level`, expected 1 to 22",
        "unknown value for `image.format`, expected one of",
        "unknown value for `sound.gain`, expected -120 to 60 decibels",
        "unknown value for `font.size`, expected 1 to 1024",
        "unknown value for `text.culture`, expected a tag",
        "a `{` is never closed",
        "`id` is for one asset",
    ] {
        assert!(text.contains(part), "{part} in:\n{text}");
    }
    assert_eq!(diagnostics.len(), 9, "{text}");
    assert!(!rules.is_certain("a") && rules.is_certain("c"));
}

fn place() -> Place {
    Place::from(std::panic::Location::caller())
}

#[test]
fn later_rules_win_field_by_field_in_the_order_of_the_text() {
    // In alphabetical order the second rule would come first.
    let rules = rules(
        r#"
["z/**"]
image = { filter = "nearest", format = "rgba8", mipmaps = true }
sound = { sample = "u8" }
["a*/**"]
ignore = true
["**"]
image = { mipmaps = false, format = "keep" }
sound = { sample = "keep" }
"#,
    );
    let settings = rules.resolve("z/y/x.png");
    assert_eq!((settings.image.filter, settings.image.format), (Some(Filter::Nearest), ImageFormat::Keep));
    assert_eq!((settings.image.mipmaps, settings.sound.sample, settings.asset.ignore), (false, None, false));
}

#[test]
fn another_compressor_drops_the_level() {
    let rules = rules(
        r#"
["**"]
level = 19
compression = "zstd"
["a"]
compression = "lz4"
["b"]
compression = "zstd"
["c"]
level = 3
"#,
    );
    let resolve = |path| (rules.resolve(path).asset.compression, rules.resolve(path).asset.level);
    assert_eq!(resolve("a"), (Some(Compression::LZ4), None));
    assert_eq!(resolve("b"), (Some(Compression::ZSTD), Some(19)));
    assert_eq!(resolve("c"), (Some(Compression::ZSTD), Some(3)));
}

#[test]
fn the_pack_provides_defaults_for_rules() {
    let resolve = |text: &str, path: &str| {
        let settings = rules(text).resolve(path);
        (settings.asset.compression, settings.asset.level)
    };
    let text = "[pack]\ncompression = \"deflate\"\nlevel = 9\n[\"a\"]\ncompression = \"lz4\"\n[\"b\"]\nlevel = 2";
    assert_eq!(resolve(text, "a"), (Some(Compression::LZ4), None));
    assert_eq!(resolve(text, "b"), (Some(Compression::DEFLATE), Some(2)));
    assert_eq!(resolve(text, "c"), (Some(Compression::DEFLATE), Some(9)));
    assert_eq!(resolve("", "c"), (Some(Compression::FILTERED), None));
    assert_eq!(resolve("[pack]\ncompat = \"raylib\"", "c"), (Some(Compression::DEFLATE), None));
}

#[test]
fn a_profile_chooses_what_nothing_else_sets() {
    let resolve = |text: &str, path: &str| {
        let settings = rules(text).resolve(path);
        (settings.asset.compression, settings.asset.level)
    };
    let filtered = Some(Compression::FILTERED);
    assert_eq!(resolve("[pack]\nprofile = \"balanced\"", "a"), resolve("", "a"));
    assert_eq!(resolve("[pack]\nprofile = \"size\"", "a"), (filtered, Some(19)));
    assert_eq!(resolve("[pack]\nprofile = \"size\"\nlevel = 12", "a"), (filtered, Some(12)));
    assert_eq!(resolve("[pack]\nprofile = \"size\"\ncompression = \"zstd\"", "a"), (Some(Compression::ZSTD), None));
    assert_eq!(rules("[pack]\nprofile = \"speed\"").resolve("a").asset.filters, Some(crate::Filters::Fast));
    assert_eq!(
        rules("[pack]\nprofile = \"speed\"\nfilters = \"all\"").resolve("a").asset.filters,
        Some(crate::Filters::All)
    );
    assert_eq!(rules("[pack]\nprofile = \"speed\"\n[\"a\"]\ncompression = \"zstd\"").resolve("a").asset.filters, None);
    assert_eq!(resolve("[pack]\nprofile = \"speed\"\ncompat = \"raylib\"", "a"), (Some(Compression::LZ4), None));
    assert_eq!(resolve("[pack]\nprofile = \"size\"\ncompat = \"raylib\"", "a"), (Some(Compression::DEFLATE), None));

    // The profile of a rule comes before the pack, and explicit settings of rules before any profile.
    let text = "[pack]\ncompression = \"zstd\"\nlevel = 3\n[\"a*\"]\nprofile = \"size\"\n[\"ab*\"]\nlevel = 12\n[\"abc\"]\nprofile = \"balanced\"";
    assert_eq!(resolve(text, "a"), (filtered, Some(19)));
    assert_eq!(resolve(text, "ab"), (filtered, Some(12)));
    assert_eq!(resolve(text, "abc"), (filtered, Some(12)));
    assert_eq!(resolve(text, "b"), (Some(Compression::ZSTD), Some(3)));
}

#[test]
fn a_setting_says_which_profile_chose_it() {
    let text = "[pack]\nprofile = \"size\"\n[\"a*\"]\nprofile = \"speed\"\n[\"ab\"]\ncompression = \"zstd\"";
    let rules = rules(text);
    let origin = |path: &str, key: &str| {
        let found = rules.trace(path, &[AssetKind::Raw]).into_iter().find(|setting| setting.key == key).unwrap();
        let show = |by: crate::SetBy| format!("{} of {} = {} at {}", by.key, by.rule, by.value, by.place);
        let overridden: Vec<_> = found.overridden.into_iter().map(show).collect();
        (found.value, found.set_by.map(show).unwrap_or_default(), overridden)
    };
    let text = |text: &str| text.to_owned();
    let size = "profile of [pack] = \"filtered\" at assets/assets.toml:2:1";
    let speed = "profile of a* = \"filtered\" at assets/assets.toml:4:1";
    assert_eq!(origin("b", "compression"), (text("\"filtered\""), text(size), vec![]));
    assert_eq!(origin("b", "level"), (text("19"), text("profile of [pack] = 19 at assets/assets.toml:2:1"), vec![]));
    assert_eq!(origin("a", "compression"), (text("\"filtered\""), text(speed), vec![text(size)]));
    let zstd = "compression of ab = \"zstd\" at assets/assets.toml:6:1";
    assert_eq!(origin("ab", "compression"), (text("\"zstd\""), text(zstd), vec![text(size), text(speed)]));
}

#[test]
fn the_pack_has_its_own_settings_and_the_builder_overrides_them() {
    let text =
        "[pack]\nname = \"game\"\ncompression = \"lz4\"\ncompat = \"raylib\"\ndirectory = false\nsplit = \"4 GiB\"";
    let mut rules = rules(text);
    let pack = rules.pack().clone();
    assert_eq!(pack.name.as_deref(), Some("game"));
    assert_eq!((pack.compression, pack.level), (Some(Compression::LZ4), None));
    assert_eq!((pack.compat, pack.directory, pack.split), (Some(Compat::Raylib), false, Some(1 << 32)));
    assert_eq!(super::rules("").pack(), &PackSettings::default());
    assert!(PackSettings::default().directory);

    let values = PackValues { name: Some(Some("other".to_owned())), level: Some(Some(5)), ..PackValues::default() };
    let mut diagnostics = Vec::new();
    let place = Place::Name("build.rs".to_owned());
    rules.override_pack(&GlobalValues { pack: values }, &place, &mut diagnostics);
    assert_eq!(rules.pack(), &PackSettings { name: Some("other".to_owned()), level: Some(5), ..pack });
    let text = show(&diagnostics);
    assert!(text.starts_with("build.rs: contradictory values: `level` has no effect"), "{text}");
}

#[test]
fn groups_list_their_members() {
    let rules = rules(
        "[group.z]\ninclude = [\"levels/1/**\", \"music/*.ogg\"]\n[group.a]\ninclude = \"**/b.png\"\n[group.none]\ninclude = \"x\"",
    );
    let paths = ["levels/1/b.png", "levels/2/b.png", "levels/1/c/d.png", "music/forest.ogg"];
    let members = rules.group_members(paths);
    assert_eq!(members, [("z", vec![0, 2, 3]), ("a", vec![0, 1]), ("none", vec![])]);
    // A glob may name the file that a target has for an asset, as in rules.
    let mut rules = rules.clone();
    rules.set_target_files([("hud.png".to_owned(), "levels/1/hud.mobile.png".to_owned())].into());
    assert_eq!(rules.group_members(["hud.png"])[0], ("z", vec![0]));
    assert_eq!(rules.group_place("none").unwrap().to_string(), "assets/assets.toml:5:8");
}

/// Assets that take these bytes in the pack.
fn stored<'p, const N: usize>(assets: [(&'p str, u64); N]) -> Vec<AssetSize<'p>> {
    assets.into_iter().map(|(path, stored)| AssetSize { path, stored, ..AssetSize::default() }).collect()
}

#[test]
fn budgets_of_video_memory_name_the_largest_assets_and_count_what_groups_need() {
    let rules = rules(
        "[budget]\nvram = { total = \"3 KB\", \"ui/**\" = 500 }\ntotal = 1\n[group.a]\ninclude = \"ui/b\"\nvram = 700\nbudget = 9",
    );
    let asset = |path, video_memory| AssetSize { path, video_memory, ..AssetSize::default() };
    let page = AssetSize { needed_by: vec!["a"], ..asset("page", 400) };
    let assets = [page, asset("sky", 3000), asset("ui/a", 200), asset("ui/b", 301), asset("ui/c", 0)];
    assert_eq!(
        show(&LintFinding::split(rules.over_budget(&assets)).1),
        "2:10: over budget: \"vram\" takes 3.9 kB (3901 bytes) of video memory, expected at most 3.0 kB; the largest: sky (3.0 kB), \
         page (400 B), ui/b (301 B)\n\
         2:26: over budget: \"vram.ui/**\" takes 501 B of video memory, expected at most 500 B; the largest: ui/b (301 B), \
         ui/a (200 B)\n\
         6:1: over budget: \"group.a.vram\" takes 701 B of video memory, expected at most 700 B; the largest: page (400 B), \
         ui/b (301 B)\n"
    );
    let of_video_memory = rules.budget_uses(&assets).into_iter().filter(|of| of.measure == Measure::VideoMemory);
    let uses: Vec<_> = of_video_memory.map(|of| (of.rule, of.used, of.allowed)).collect();
    let expected = [("vram", 3901, 3000), ("vram.ui/**", 501, 500), ("group.a.vram", 701, 700)];
    assert_eq!(uses, expected.map(|(rule, used, allowed)| (rule.to_owned(), used, allowed)));
    assert!(self::rules("[budget]\nvram = \"4 KB\"").over_budget(&assets).is_empty());
}

#[test]
fn budgets_are_checked() {
    let rules = rules("[budget]\n\"music/**\" = \"1 KB\"\ntotal = \"3 KB\"\n\"ui/**\" = 500");
    let errors = rules.over_budget(&stored([("music/a", 600), ("music/b", 401), ("x", 1999), ("ui/a", 500)]));
    assert_eq!(
        show(&LintFinding::split(errors).1),
        "2:1: over budget: \"music/**\" takes 1.0 kB (1001 bytes), expected at most 1.0 kB\n\
         3:1: over budget: \"total\" takes 3.5 kB (3500 bytes), expected at most 3.0 kB\n"
    );
    assert!(rules.over_budget(&stored([("x", 3000), ("music/a", 0)])).is_empty());
    assert_eq!(rules.over_budget(&stored([("x", u64::MAX), ("y", 1)])).len(), 1, "sums saturate");
}

#[test]
fn budgets_say_what_their_assets_take() {
    let rules = rules(
        "[budget]\n\"music/**\" = \"1 KB\"\ntotal = 3000\n[group.a]\ninclude = \"x\"\nbudget = 1\n[lints]\nover_budget = \"allow\"",
    );
    let assets = stored([("music/a", 401), ("music/b", 600), ("x", 5)]);
    let uses = rules.budget_uses(&assets);
    let facts: Vec<_> = uses.iter().map(|of| (of.rule.as_str(), of.used, of.allowed, of.level_word())).collect();
    assert_eq!(facts, [("music/**", 1001, 1000, "allow"), ("total", 1006, 3000, "allow"), ("group.a", 5, 1, "allow")]);
    assert_eq!(uses[0].assets, [("music/b".to_owned(), 600), ("music/a".to_owned(), 401)]);
    assert!(uses[0].place.ends_with("assets.toml:2:1"), "{}", uses[0].place);
    assert!(rules.over_budget(&assets).is_empty());
}

#[test]
fn rules_of_the_builder_come_last_and_have_a_place() {
    let mut rules = rules("[\"**\"]\nimage = { mipmaps = true, filter = \"nearest\" }");
    let mut diagnostics = Vec::new();
    rules.add_rule(place(), "ui/*", Rule::default().image_mipmaps(false), &mut diagnostics);
    rules.add_rule(place(), "gone/*", Rule::default().level(3), &mut diagnostics);
    // Working files may be on another machine only.
    rules.add_rule(place(), "**/*.psd", Rule::default().ignore(true), &mut diagnostics);
    rules.add_rule(place(), "**/*.bak", Rule::default().notes(false), &mut diagnostics);
    assert_eq!(diagnostics, []);
    let settings = rules.resolve("ui/a.png");
    assert_eq!((settings.image.mipmaps, settings.image.filter), (false, Some(Filter::Nearest)));

    let unmatched = rules.unmatched(["ui/a.png"]);
    assert_eq!(unmatched.len(), 1);
    assert!(unmatched[0].file_path().unwrap().ends_with("meaning.rs"));
    assert_eq!(unmatched[0].message(), "rule \"gone/*\" matches no file");
}

#[test]
fn patterns_of_data_are_called_as_the_build_script_writes_them() {
    let level = Description::new("data-crate-level", 1).makes(AssetType::data(FourCc(*b"q1z8"), "crate::Level"));
    let mut rules = Rules::parse(Path::new("assets.toml"), "", &android(), &[level].into()).0;
    let mut diagnostics = Vec::new();
    for glob in ["levels/*.toml", "level/*.json"] {
        rules.add_rule(place(), glob, Rule::default().importer("data-crate-level"), &mut diagnostics);
    }
    rules.add_rule(place(), "ui/*", Rule::default().level(3), &mut diagnostics);
    assert_eq!(diagnostics, []);
    let unmatched = rules.unmatched(["levels/1.toml", "ui/a.png"]);
    let messages: Vec<&str> = unmatched.iter().map(|diagnostic| diagnostic.message()).collect();
    assert_eq!(messages, ["data(\"level/*.json\") of the build script matches no file"]);
    let decider = rules.decider("levels/1.toml", "importer").unwrap();
    assert!(decider.starts_with("data(\"levels/*.toml\") at ") && decider.contains("meaning.rs:"), "{decider}");
    assert!(rules.decider("ui/a.png", "level").unwrap().starts_with("rule \"ui/*\" at "));
}

#[test]
fn groups_and_budgets_of_the_builder_are_like_those_of_the_file() {
    let mut rules = rules("[group.one]\ninclude = \"a\"");
    let mut diagnostics = Vec::new();
    rules.add_group(place(), "two", &["b".to_owned(), "c".to_owned()], &mut diagnostics);
    rules.add_budget(place(), &BudgetFor::All, Measure::Stored, 10, &mut diagnostics);
    rules.add_budget(place(), &BudgetFor::Glob("b".to_owned()), Measure::Stored, 1, &mut diagnostics);
    assert_eq!(diagnostics, []);
    assert_eq!(rules.group_members(["a", "b", "c"]), [("one", vec![0]), ("two", vec![1, 2])]);
    assert_eq!(rules.over_budget(&stored([("a", 9), ("b", 2)])).len(), 2);
    rules.add_budget(place(), &BudgetFor::Group("two".to_owned()), Measure::Stored, 3, &mut diagnostics);
    let found = rules.over_budget(&stored([("a", 1), ("b", 2), ("c", 2)]));
    let names: Vec<_> = found.iter().map(|finding| (finding.rule.as_str(), finding.found.as_str())).collect();
    assert_eq!(names, [("b", "2 B"), ("group.two", "4 B")]);
    rules.add_budget(place(), &BudgetFor::Group("tow".to_owned()), Measure::Stored, 3, &mut diagnostics);
    assert!(show(&diagnostics).contains("no group `tow`"), "{diagnostics:?}");
    diagnostics.clear();
    rules.add_group(place(), "One", &[], &mut diagnostics);
    assert!(show(&diagnostics).contains("`One` and `one` at 1:8 both become the constant ONE"), "{diagnostics:?}");
}

#[test]
fn globs_that_match_nothing_are_errors_with_hints() {
    let rules = rules(
        r#"
["UI/*.png"]
["assets/ui/a.png"]
["sound"]
["*.png"]
["sound/jmup.wav"]
["soud/*.wav"]
["x/y/*.wav"]
["ui/*.pgn"]
["ui/hero[1].png"]
["nothing.like.it"]
["ui/*.png"]
[group.one]
include = ["ui/**", "sound/*.ogg"]
[budget]
total = "1 MB"
"music/**" = "1 MB"
"#,
    );
    let paths = ["sound/jump.wav", "ui/a.png", "ui/hero[1].png"];
    let expected = r#"2:2: rule "UI/*.png" matches no file
  help: case matters: there is "ui/a.png"
3:2: rule "assets/ui/a.png" matches no file
  help: globs are relative to the assets directory: "ui/a.png" matches 1 file
4:2: rule "sound" matches no file
  help: "sound" is a folder: "sound/**" matches 1 file
5:2: rule "*.png" matches no file
  help: the files are in other folders: "**/*.png" matches 2 files
6:2: rule "sound/jmup.wav" matches no file
  help: did you mean "sound/jump.wav"?
7:2: rule "soud/*.wav" matches no file
  help: no file is in a folder "soud", did you mean "sound"?
8:2: rule "x/y/*.wav" matches no file
  help: no file is in a folder "x/y" of the assets directory
9:2: rule "ui/*.pgn" matches no file
  help: did you mean "ui/*.png"? It matches 2 files
10:2: rule "ui/hero[1].png" matches no file
  help: `[`, `*`, `?` and `{` are wildcards: "ui/hero[[]1[]].png" is the file of this name
11:2: rule "nothing.like.it" matches no file
14:21: group `one`: "sound/*.ogg" matches no file
17:1: budget "music/**" matches no file
  help: no file is in a folder "music" of the assets directory
"#;
    assert_eq!(show(&rules.unmatched(paths)), expected);
    let escaped = Rules::parse(Path::new("x"), "[\"ui/hero[[]1[]].png\"]", &android(), &Default::default()).0;
    assert!(escaped.unmatched(paths).is_empty());
    assert!(escaped.unmatched([])[0].help().is_some_and(|help| help.contains("contains no file")));
}

#[test]
fn settings_from_several_rules_may_contradict_each_other() {
    let contradiction = |text: &str, kind| {
        let rules = rules(text);
        rules.contradiction("a", &[kind], &rules.resolve("a")).map(|(message, help)| format!("{message}; {help}"))
    };
    assert_eq!(contradiction("", AssetKind::Image), None);
    let qoi = "[\"a\"]\ncompression = \"qoi\"";
    assert_eq!(contradiction(qoi, AssetKind::Image), None);
    assert_eq!(
        contradiction(qoi, AssetKind::Sound).as_deref(),
        Some("`compression` = \"qoi\" is for images only, found kind \"sound\"; it is set at assets/assets.toml:2:1")
    );
    let apart = "[\"a\"]\nimage.format = \"gray8\"\n[\"*\"]\nimage.premultiply = true";
    assert_eq!(
        contradiction(apart, AssetKind::Image).as_deref(),
        Some(
            "`image.premultiply` needs alpha, which `image.format` = \"gray8\" lacks; it is set at \
             assets/assets.toml:4:7"
        )
    );
    assert_eq!(contradiction(apart, AssetKind::Sound), None);
    let level = "[pack]\ncompression = \"deflate\"\n[\"a\"]\nlevel = 19";
    assert_eq!(
        contradiction(level, AssetKind::Raw).as_deref(),
        Some(
            "`level` = 19 is out of range for `compression` = \"deflate\", expected 1 to 9; it is set at \
             assets/assets.toml:4:1"
        )
    );
    let sound = "[\"a\"]\nsound.store = \"source\"\n[\"*\"]\nsound.sample = \"u8\"";
    assert!(contradiction(sound, AssetKind::Sound).is_some_and(|message| message.starts_with("`sound.sample`")));
    let compat = "[pack]\ncompat = \"raylib\"\n[\"*\"]\nimage.mipmaps = true";
    assert!(show(&parse(compat).unwrap_err()).contains("`image.mipmaps` = true cannot be read"));
}

#[test]
fn broken_settings_are_used_as_far_as_they_are_certain() {
    let parse = |text| Rules::parse(Path::new("assets.toml"), text, &android(), &Default::default());
    let (rules, diagnostics) = parse("[\"a*\"]\nbad = 1\n[\"b\"]\nignore = true");
    assert_eq!(diagnostics.len(), 1);
    assert!(rules.is_usable() && !rules.is_certain("ab") && rules.is_certain("b"));
    assert!(rules.resolve("b").asset.ignore);
    assert!(!parse("[pack]\nbad = 1").0.is_usable());
    assert!(!parse("[pack]\ncompression = \"qoi\"").0.is_usable());
    assert!(!parse("a = = 1").0.is_usable());
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_not_errors() {
    let rules = rules("\u{feff}[\"a\"]\r\nignore = true\r\n");
    assert!(rules.resolve("a").asset.ignore);
}

#[test]
fn deep_and_long_files_are_refused_or_read_but_never_overflow() {
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(parse(&deep).is_err());
    let many: String = (0..5_000).map(|n| format!("[\"f{n}\"]\nbad = 1\n")).collect();
    assert_eq!(parse(&many).unwrap_err().len(), 5_000);
}

#[test]
fn rules_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Rules>();
    shared::<Settings>();
}
