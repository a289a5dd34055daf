//! Values that contradict each other: every message, with its place.

use super::{parse, show};

#[track_caller]
fn check(text: &str, expected: &str) {
    let errors = parse(text).err().unwrap_or_default();
    assert_eq!(show(&errors), expected);
}

#[test]
fn tables_of_another_kind() {
    let text = r#"["r/**"]
kind = "raw"
image = { mipmaps = true, filter = "nearest" }
["s/*"]
kind = "sound"
image = { mipmaps = true }
font = { size = 3 }
["*.png"]
sound = { loop = true }
["*.OGG"]
text = { lang = "c" }
["*.glb"]
font = { padding = 1 }
["*.{png,jpg}"]
sound = { loop = true }
["*.{png,ogg}"]
sound = { loop = true }
"#;
    let expected = r#"3:11: contradictory values: `image` has no effect with `kind` = "raw"
6:11: contradictory values: `image` has no effect with `kind` = "sound"
7:10: contradictory values: `font` has no effect with `kind` = "sound"
9:11: contradictory values: `sound` has no effect on "*.png": the kind is "image"
  help: set `image` instead; for `sound`, write a rule for other files
11:10: contradictory values: `text` has no effect on "*.OGG": the kind is "sound"
  help: to make it one, set `kind` = "text" in the same rule
13:10: contradictory values: `font` has no effect on "*.glb": the kind is "model"
  help: set `model` instead; for `font`, write a rule for other files
15:11: contradictory values: `sound` has no effect on "*.{png,jpg}": the kind is "image"
  help: set `image` instead; for `sound`, write a rule for other files
"#;
    check(text, expected);
}

#[test]
fn qoi_is_for_images() {
    let text = r#"[pack]
compression = "qoi"
["q/*"]
compression = "qoi"
kind = "font"
["*.wav"]
compression = "qoi"
["q2/*"]
compression = "qoi"
font = { size = 3 }
["q3/*"]
compression = "qoi"
image = { format = "gray8" }
"#;
    let expected = r#"2:1: contradictory values: `compression` = "qoi" is for images only, and a pack holds more
  help: choose it for images only: ["**/*.png"] compression = "qoi"
4:1: contradictory values: `compression` = "qoi" is for images only, found kind "font"
7:1: contradictory values: `compression` = "qoi" is for images only, found kind "sound"
9:1: contradictory values: `compression` = "qoi" is for images only, found kind "font"
13:11: contradictory values: `compression` = "qoi" holds rgb8 and rgba8 only, found `image.format` = "gray8"
"#;
    check(text, expected);
}

#[test]
fn levels_belong_to_a_compressor() {
    let text = r#"["l/*"]
level = 5
compression = "lz4"
["d/*"]
level = 12
compression = "deflate"
["q/*"]
level = 1
compression = "qoi"
["n/*"]
level = 1
compression = "none"
"#;
    let expected = r#"2:1: contradictory values: `level` has no effect with `compression` = "lz4", which has no levels
5:1: contradictory values: `level` = 12 is out of range for `compression` = "deflate", expected 1 to 9
8:1: contradictory values: `level` has no effect with `compression` = "qoi", which has no levels
11:1: contradictory values: `level` has no effect with `compression` = "none", which has no levels
"#;
    check(text, expected);
}

#[test]
fn level_of_the_default_compressor() {
    let text = r#"[pack]
level = 12
compat = "raylib"
"#;
    let expected = r#"2:1: contradictory values: `level` = 12 is out of range for `compression` = "deflate", expected 1 to 9
"#;
    check(text, expected);
}

#[test]
fn settings_that_raylib_cannot_read() {
    let text = r#"["z/*"]
compression = "zstd"
image = { mipmaps = true }
[pack]
compat = "raylib"
compression = "zstd"
["a/*"]
image = { atlas = "all" }
["j/*"]
image.store = "source"
["f/*"]
font.size = [16, 32]
"#;
    let expected = r#"2:1: contradictory values: `compression` = "zstd" cannot be read with `compat` = "raylib"
  help: use deflate, lz4, qoi or none
3:11: contradictory values: `image.mipmaps` = true cannot be read with `compat` = "raylib", which loads one level
6:1: contradictory values: `compression` = "zstd" cannot be read with `compat` = "raylib"
  help: use deflate, lz4, qoi or none
8:11: contradictory values: `image.atlas` = "all" cannot be read with `compat` = "raylib", which has no sprites
10:7: contradictory values: `image.store` = "source" cannot be read with `compat` = "raylib", which has no decoder for JPEG by default
  help: store pixels, or the file with kind = "raw" if your raylib has it
12:6: contradictory values: `font.size` of 2 sizes cannot be read with `compat` = "raylib", which loads the first one
  help: choose one size
"#;
    check(text, expected);
}

#[test]
fn settings_of_glyphs_have_no_effect_on_a_font_that_stays_a_file() {
    let text = r#"["a/*.ttf"]
font = { store = "subset", chars = "latin", size = [16, 20], padding = 1, field = "sdf", range = 8, color = false }
["b/*.ttf"]
font.store = "subset"
[pack]
compat = "raylib"
["b/*.otf"]
font = { store = "subset", atlas_size = 512, variations = "Bold" }
"#;
    let effect = "has no effect with `font.store` = \"subset\", which draws no glyphs";
    let found =
        |line: u32, column: u32, key: &str| format!("{line}:{column}: contradictory values: `font.{key}` {effect}\n");
    let expected = [
        found(2, 45, "size"),
        found(2, 62, "padding"),
        found(2, 75, "field"),
        found(2, 90, "range"),
        found(2, 101, "color"),
        found(8, 28, "atlas_size"),
        found(8, 46, "variations"),
    ];
    check(text, &expected.concat());
}

#[test]
fn ids_and_names_are_for_one_asset() {
    let text = r#"["m/*"]
id = 1
rename = "X"
["one"]
id = 7
path = "1"
["two"]
id = "0x7"
path = "1"
["n/*"]
path = "2"
["one.txt"]
ignore = true
path = "3"
"#;
    let expected = r#"2:1: contradictory values: `id` is for one asset, and "m/*" can match several
  help: write a rule with the whole path of the file
3:1: contradictory values: `rename` is for one asset, and "m/*" can match several
  help: write a rule with the whole path of the file
8:1: contradictory values: `id` = 0x00000007 is already the id of "one" at 4:2
9:1: contradictory values: `path` = "1" is already the path of "one" at 4:2
11:1: contradictory values: `path` is for one asset, and "n/*" can match several
  help: write a rule with the whole path of the file
14:1: contradictory values: the rule has `ignore` = true, and ignored files have no settings
"#;
    check(text, expected);
}

#[test]
fn values_of_one_table() {
    let text = r#"["*.ogg"]
sound = { store = "source", sample = "i16" }
["p/*"]
image = { premultiply = true, format = "rgb8" }
["f/*"]
font = { size = [3, 3] }
["i/*"]
ignore = true
kind = "raw"
["k/*"]
image = { color_key = '#ff00ff', format = "rgb8" }
["b/*"]
image = { alpha_bleed = true, premultiply = true }
["n/*"]
image = { normal_map = true, color_space = "srgb" }
["t/*"]
image = { pad = "pow2", wrap = "repeat" }
["s.wav"]
sound = { store = "source", rate = 8000, channels = "mono", trim_silence = -60 }
["i.ogg"]
sound = { store = "pcm", seek = true }
["q.wav"]
sound = { store = "pcm", format = "qoa" }
["r.wav"]
sound = { format = "qoa", bitrate = 64 }
["o.wav"]
sound = { store = "source", format = "opus", rate = 24000, sample = "i16" }
"#;
    let expected = r#"2:29: contradictory values: `sound.sample` has no effect with `sound.store` = "source", which keeps the file as it is
4:11: contradictory values: `image.premultiply` needs alpha, which `image.format` = "rgb8" lacks
6:21: contradictory values: `font.size` lists the same value twice
9:1: contradictory values: the rule has `ignore` = true, and ignored files have no settings
11:11: contradictory values: `image.color_key` needs alpha, which `image.format` = "rgb8" lacks
13:11: contradictory values: `image.alpha_bleed` has no effect with `image.premultiply`, which makes invisible pixels black
  help: premultiplied images have no dark fringes
15:30: contradictory values: `image.normal_map` = true means `image.color_space` = "linear", found "srgb"
17:11: contradictory values: `image.pad` = "pow2" puts gaps between the tiles of `image.wrap` = "repeat"
  help: scale the tiles with image = { scale = … }
19:29: contradictory values: `sound.rate` has no effect with `sound.store` = "source", which keeps the file as it is
19:42: contradictory values: `sound.channels` has no effect with `sound.store` = "source", which keeps the file as it is
19:61: contradictory values: `sound.trim_silence` has no effect with `sound.store` = "source", which keeps the file as it is
21:26: contradictory values: `sound.seek` = true has no effect with `sound.store` = "pcm": samples are found without it
23:26: contradictory values: `sound.format` = "qoa" contradicts `sound.store` = "pcm", which stores samples
  help: leave one of them out
25:27: contradictory values: `sound.bitrate` has no effect without `sound.format` = "opus"
  help: add format = "opus", or leave out the bitrate
27:60: contradictory values: `sound.sample` has no effect with `sound.store` = "source", which keeps the file as it is
"#;
    check(text, expected);
}

#[test]
fn frames_come_from_one_place_and_are_not_blended() {
    let text = r#"["a/*"]
image = { grid = [16, 16], sheet = true }
["b/*"]
image = { grid = [16, 16], fit = 64 }
["c/*"]
image = { atlas = "ui", frames = "all" }
["d/*"]
image = { atlas = "ui", wrap = "repeat", pad = "block" }
["e/*"]
image = { atlas = "ui", mipmaps = true, atlas_extrude = 3 }
"#;
    let expected = r#"2:28: contradictory values: `image.sheet` and `image.grid` both say which frames the image has
4:28: contradictory values: `image.fit` would blend the frames that `image.grid` asks for
  help: scale the file itself
6:11: contradictory values: `image.atlas` makes one sprite of an image, and `image.frames` asks for frames
8:25: contradictory values: `image.wrap` = "repeat" would repeat the whole of `image.atlas` = "ui"
8:42: contradictory values: `image.pad` = "block" puts gaps between the tiles of `image.wrap` = "repeat"
  help: scale the tiles with image = { scale = … }
8:42: contradictory values: `image.pad` has no effect in `image.atlas` = "ui"
10:41: contradictory values: `image.atlas_extrude` must be a power of two with `image.mipmaps`, found 3
"#;
    check(text, expected);
}
