//! What texts that are right mean: values, order, groups, budgets, rules of code, and globs that match nothing.

use rres_format::{AssetKind, ResourceId};

use super::{parse, rules, show};
use crate::settings::{
    CharSet, CodeLang, ColorSpace, Compat, Compression, Filter, PackSettings, PixelFormatChoice, Rules, SampleFormat,
    Settings, SoundStore, TextEncoding, Wrap,
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
    let mut a = Settings { kind: Some(AssetKind::Text), id: Some(ResourceId(0x1234)), ..Settings::default() };
    a.rename = Some("HERO".into());
    (a.compression, a.level) = (Some(Compression::Deflate), Some(9));
    (a.text.culture, a.text.encoding, a.text.lang) = (Some(0x0807), Some(TextEncoding::Utf16Le), Some(CodeLang::Glsl));
    assert_eq!(rules.resolve("a"), a);

    let mut b = Settings { id: Some(ResourceId(u32::MAX)), ..Settings::default() };
    (b.image.format, b.image.mipmaps) = (Some(PixelFormatChoice::Rgb565), true);
    (b.image.filter, b.image.wrap, b.image.color_space) = (Filter::Nearest, Wrap::Mirror, ColorSpace::Linear);
    assert_eq!(rules.resolve("b"), b);

    let mut c = Settings::default();
    c.image.premultiply = true;
    (c.sound.store, c.sound.sample) = (SoundStore::Pcm, Some(SampleFormat::F32));
    (c.sound.gain, c.sound.looped) = (-4.5, true);
    (c.font.size, c.font.chars, c.font.padding) = (vec![20], vec![CharSet::Text("★".into())], 0);
    assert_eq!(rules.resolve("c"), c);

    let mut d = Settings::default();
    d.font.size = vec![20, 48];
    let text = CharSet::Text("latin script".into());
    d.font.chars = vec![CharSet::Latin, CharSet::Greek, CharSet::Cyrillic, CharSet::Ascii, text];
    (d.sound.gain, d.text.culture) = (3.0, Some(0x0407));
    assert_eq!(rules.resolve("d"), d);

    assert_eq!(rules.resolve("e"), Settings { ignore: true, ..Settings::default() });
    assert_eq!(rules.resolve("f"), Settings::default());
}

#[test]
fn later_rules_win_field_by_field_in_the_order_of_the_text() {
    // By name the second rule comes first.
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
    assert_eq!((settings.image.filter, settings.image.format), (Filter::Nearest, None));
    assert_eq!((settings.image.mipmaps, settings.sound.sample, settings.ignore), (false, None, false));
    assert_eq!(rules.explain("z/y/x.png"), ["assets/assets.toml:2:2: [\"z/**\"]", "assets/assets.toml:7:2: [\"**\"]"]);
}

#[test]
fn another_compressor_takes_the_level_away() {
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
    let resolve = |path| (rules.resolve(path).compression, rules.resolve(path).level);
    assert_eq!(resolve("a"), (Some(Compression::Lz4), None));
    assert_eq!(resolve("b"), (Some(Compression::Zstd), Some(19)));
    assert_eq!(resolve("c"), (Some(Compression::Zstd), Some(3)));
}

#[test]
fn the_pack_fills_what_no_rule_says() {
    let fill = |text: &str, path: &str| {
        let rules = rules(text);
        let mut settings = rules.resolve(path);
        settings.fill(rules.pack());
        (settings.compression, settings.level)
    };
    let text = "[pack]\ncompression = \"deflate\"\nlevel = 9\n[\"a\"]\ncompression = \"lz4\"\n[\"b\"]\nlevel = 2";
    assert_eq!(fill(text, "a"), (Some(Compression::Lz4), None));
    assert_eq!(fill(text, "b"), (Some(Compression::Deflate), Some(2)));
    assert_eq!(fill(text, "c"), (Some(Compression::Deflate), Some(9)));
    assert_eq!(fill("", "c"), (Some(Compression::Zstd), None));
    assert_eq!(fill("[pack]\ncompat = \"raylib\"", "c"), (Some(Compression::Deflate), None));
}

#[test]
fn the_pack_has_settings_of_its_own() {
    let text =
        "[pack]\nname = \"game\"\ncompression = \"lz4\"\ncompat = \"raylib\"\ndirectory = false\nsplit = \"4 GiB\"";
    let pack = rules(text).pack().clone();
    assert_eq!(pack.name.as_deref(), Some("game"));
    assert_eq!((pack.compression, pack.level), (Some(Compression::Lz4), None));
    assert_eq!((pack.compat, pack.directory, pack.split), (Some(Compat::Raylib), false, Some(1 << 32)));
    assert_eq!(rules("").pack(), &PackSettings::default());
    assert!(PackSettings::default().directory);
}

#[test]
fn groups_list_their_members() {
    let rules = rules(
        "[group.z]\ninclude = [\"levels/1/**\", \"music/*.ogg\"]\n[group.a]\ninclude = \"**/b.png\"\n[group.none]\ninclude = \"x\"",
    );
    let paths = ["levels/1/b.png", "levels/2/b.png", "levels/1/c/d.png", "music/forest.ogg"];
    let members = rules.group_members(paths);
    assert_eq!(members, [("z", vec![0, 2, 3]), ("a", vec![0, 1]), ("none", vec![])]);
    let last = &rules.groups()[2];
    assert_eq!((last.name(), last.line()), ("none", 5));
}

#[test]
fn budgets_are_checked() {
    let rules = rules("[budget]\n\"music/**\" = \"1 KB\"\ntotal = \"3 KB\"\n\"ui/**\" = 500");
    let errors = rules.over_budget(&[("music/a", 600), ("music/b", 401), ("x", 1999), ("ui/a", 500)]);
    assert_eq!(
        show(&errors),
        "2:1: over budget: \"music/**\" takes 1.0 KB (1001 bytes), expected at most 1.0 KB\n\
         3:1: over budget: \"total\" takes 3.5 KB (3500 bytes), expected at most 3.0 KB\n"
    );
    assert!(rules.over_budget(&[("x", 3000), ("music/a", 0)]).is_empty());
    assert_eq!(rules.over_budget(&[("x", u64::MAX), ("y", 1)]).len(), 1, "sums saturate");
}

#[test]
fn rules_of_code_come_last_and_say_where_they_are() {
    let mut rules = rules("[\"**\"]\nimage = { mipmaps = true, filter = \"nearest\" }");
    rules.push("ui/*", |settings| settings.image.mipmaps = false).unwrap();
    rules.push("gone/*", |settings| settings.ignore = true).unwrap();
    let settings = rules.resolve("ui/a.png");
    assert_eq!((settings.image.mipmaps, settings.image.filter), (false, Filter::Nearest));
    assert!(rules.explain("ui/a.png")[1].contains("meaning.rs:"));

    let unmatched = rules.unmatched(["ui/a.png"]);
    assert_eq!(unmatched.len(), 1);
    assert!(unmatched[0].label().ends_with("meaning.rs"));
    assert_eq!(unmatched[0].message(), "rule \"gone/*\" matches no file");

    let line = line!() + 1;
    let error = rules.push("{a,b}", |_| {}).unwrap_err();
    assert_eq!((error.line(), error.message()), (line, "bad glob \"{a,b}\": there are no braces"));
    assert_eq!(error.help(), Some("write one rule for each of \"a\", \"b\""));
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
  help: a folder is no file: "sound/**" matches 1 file
5:2: rule "*.png" matches no file
  help: the files are in other folders: "**/*.png" matches 2 files
6:2: rule "sound/jmup.wav" matches no file
  help: did you mean "sound/jump.wav"?
7:2: rule "soud/*.wav" matches no file
  help: there is no folder "soud", did you mean "sound"?
8:2: rule "x/y/*.wav" matches no file
  help: there is no folder "x/y" in the assets directory
9:2: rule "ui/*.pgn" matches no file
  help: did you mean "ui/*.png"? It matches 2 files
10:2: rule "ui/hero[1].png" matches no file
  help: `[`, `*` and `?` are wildcards: "ui/hero[[]1[]].png" is the file of this name
11:2: rule "nothing.like.it" matches no file
14:21: group `one`: "sound/*.ogg" matches no file
17:1: budget "music/**" matches no file
  help: there is no folder "music" in the assets directory
"#;
    assert_eq!(show(&rules.unmatched(paths)), expected);
    let escaped = Rules::parse("x", "[\"ui/hero[[]1[]].png\"]").unwrap();
    assert!(escaped.unmatched(paths).is_empty());
    assert!(escaped.unmatched([])[0].help().is_some_and(|help| help.contains("holds no file")));
}

#[test]
fn settings_from_several_rules_may_contradict_each_other() {
    let contradiction = |text: &str, kind| {
        let rules = rules(text);
        let mut settings = rules.resolve("a");
        settings.fill(rules.pack());
        settings.contradiction(kind)
    };
    assert_eq!(contradiction("", AssetKind::Image), None);
    let qoi = "[\"a\"]\ncompression = \"qoi\"";
    assert_eq!(contradiction(qoi, AssetKind::Image), None);
    assert_eq!(
        contradiction(qoi, AssetKind::Sound).as_deref(),
        Some("`compression` = \"qoi\" is for images only, found kind \"sound\"")
    );
    let gray = format!("{qoi}\n[\"**\"]\nimage.format = \"gray8\"\nimage.premultiply = true");
    let gray = parse(&gray).unwrap_err();
    assert!(show(&gray).contains("`image.premultiply` needs alpha"), "{}", show(&gray));
    let apart = "[\"a\"]\nimage.format = \"gray8\"\n[\"*\"]\nimage.premultiply = true";
    assert_eq!(
        contradiction(apart, AssetKind::Image).as_deref(),
        Some("`image.premultiply` needs alpha, which `image.format` = \"gray8\" lacks")
    );
    assert_eq!(contradiction(apart, AssetKind::Sound), None);
    let level = "[pack]\ncompression = \"deflate\"\n[\"a\"]\nlevel = 19";
    assert_eq!(
        contradiction(level, AssetKind::Raw).as_deref(),
        Some("`level` = 19 is out of range for `compression` = \"deflate\", expected 1 to 9")
    );
    let sound = "[\"a\"]\nsound.store = \"source\"\n[\"*\"]\nsound.sample = \"u8\"";
    assert!(contradiction(sound, AssetKind::Sound).is_some_and(|message| message.starts_with("`sound.sample`")));
}

#[test]
fn a_byte_order_mark_and_windows_lines_are_no_errors() {
    let rules = rules("\u{feff}[\"a\"]\r\nignore = true\r\n");
    assert!(rules.resolve("a").ignore);
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
