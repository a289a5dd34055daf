//! Single values that are wrong: every message, with its place.

use super::{parse, show};

#[track_caller]
fn check(text: &str, expected: &str) {
    let errors = parse(text).err().unwrap_or_default();
    assert_eq!(show(&errors), expected);
}

#[test]
fn unknown_keys_and_sections() {
    let text = r#"[pack]
nmae = "x"
foo = 1
[budgt]
["a/*.png"]
image = { fitler = "x", audio = 1 }
audio = {}
type = "raw"
[ui.png]
ignore = true
[group.a]
includ = ["x"]
[packs]
[groups.a]
"#;
    let expected = r#"2:1: unknown key `nmae` in [pack], expected one of name, profile, compression, level, filters, compat, directory, cipher, key_env, key_file, paths, siblings, split, order, layout_from, embed, header, lock, locales, densities, targets, credits
  help: did you mean `name`?
3:1: unknown key `foo` in [pack], expected one of name, profile, compression, level, filters, compat, directory, cipher, key_env, key_file, paths, siblings, split, order, layout_from, embed, header, lock, locales, densities, targets, credits
4:2: unknown section [budgt], expected [pack], [lints], [group.name], [budget], [target.'cfg(…)'] or a glob
  help: did you mean [budget]? A rule for a file of this name is ["./budgt"]
6:11: unknown key `fitler` in `image` of ["a/*.png"], expected one of format, min_psnr, min_ssim, effort, rdo, store, mipmaps, premultiply, filter, wrap, color_space, color_profile, normal_map, color_key, scale, fit, alpha_bleed, pad, frames, grid, layers, slices, frame_time, frame_rate, sheet, bump, alternate, material, sequence, atlas, atlas_size, atlas_extrude, atlas_gap, atlas_trim, max_width, max_height, power_of_two
  help: did you mean `filter`?
6:25: unknown key `audio` in `image` of ["a/*.png"], expected one of format, min_psnr, min_ssim, effort, rdo, store, mipmaps, premultiply, filter, wrap, color_space, color_profile, normal_map, color_key, scale, fit, alpha_bleed, pad, frames, grid, layers, slices, frame_time, frame_rate, sheet, bump, alternate, material, sequence, atlas, atlas_size, atlas_extrude, atlas_gap, atlas_trim, max_width, max_height, power_of_two
7:1: unknown key `audio` in ["a/*.png"], expected one of kind, importer, id, path, rename, ignore, variants, variant_of, locale, notes, license, author, source, attribution, profile, placeholder, compression, level, filters, cipher, max_size, max_growth, lint, image, sound, font, text, model
  help: did you mean `sound`?
8:1: unknown key `type` in ["a/*.png"], expected one of kind, importer, id, path, rename, ignore, variants, variant_of, locale, notes, license, author, source, attribution, profile, placeholder, compression, level, filters, cipher, max_size, max_growth, lint, image, sound, font, text, model
  help: did you mean `kind`?
9:5: unknown key `png` in ["ui"], expected one of kind, importer, id, path, rename, ignore, variants, variant_of, locale, notes, license, author, source, attribution, profile, placeholder, compression, level, filters, cipher, max_size, max_growth, lint, image, sound, font, text, model
  help: quote globs that contain a dot: ["ui.png"]
11:8: missing key `include` in [group.a]
  help: add `include = ["levels/1/**"]`
12:1: unknown key `includ` in [group.a], expected one of include, budget, vram
  help: did you mean `include`?
13:2: unknown section [packs], expected [pack], [lints], [group.name], [budget], [target.'cfg(…)'] or a glob
  help: did you mean [pack]? A rule for a file of this name is ["./packs"]
14:2: unknown section [groups], expected [pack], [lints], [group.name], [budget], [target.'cfg(…)'] or a glob
  help: did you mean [group]? A rule for a file of this name is ["./groups"]
"#;
    check(text, expected);
}

#[test]
fn wrong_types_of_the_pack() {
    let text = r#"name = "x"
[pack]
name = 3
directory = "yes"
compression = 1
split = true
level = "x"
[group]
d = 1
[group.x]
include = [1, "a", 2.5]
[budget]
total = 1.5
"#;
    let expected = r#"1:8: wrong type for `name`: found a string, expected a table of settings
3:8: wrong type for `name`: found an integer, expected a string
4:13: wrong type for `directory`: found a string, expected true or false
5:15: wrong type for `compression`: found an integer, expected one of "none", "deflate", "lz4", "qoi", "zstd", "filtered"
6:9: wrong type for `split`: found a boolean, expected a size such as "80 MB"
7:9: wrong type for `level`: found a string, expected an integer
9:5: wrong type for `group.d`: found an integer, expected a table of settings
11:12: wrong type for `include`: found an integer, expected a string
11:20: wrong type for `include`: found a float, expected a string
13:9: wrong type for `total`: found a float, expected a size such as "80 MB"
"#;
    check(text, expected);
}

#[test]
fn wrong_types_of_a_rule() {
    let text = r#"["a"]
kind = 1
id = 1.5
ignore = 1
rename = 1979-05-27
image = 3
sound = { gain = "x", loop = 1 }
font = { size = "x", chars = [1], padding = "x" }
text = { culture = 1.5 }
"#;
    let expected = r#"2:8: wrong type for `kind`: found an integer, expected one of "raw", "text", "image", "sound", "font", "model", "link"
3:6: wrong type for `id`: found a float, expected an integer or a string such as "0x1234"
4:10: wrong type for `ignore`: found an integer, expected true or false
5:10: wrong type for `rename`: found a date, expected a string
6:9: wrong type for `image`: found an integer, expected a table of settings
7:18: wrong type for `sound.gain`: found a string, expected a number
7:30: wrong type for `sound.loop`: found an integer, expected true or false
8:17: wrong type for `font.size`: found a string, expected an integer
8:31: wrong type for `font.chars`: found an integer, expected a string
8:45: wrong type for `font.padding`: found a string, expected an integer
9:20: wrong type for `text.culture`: found a float, expected a language tag or an integer
"#;
    check(text, expected);
}

#[test]
fn a_key_of_the_other_section_says_where_it_belongs() {
    let text = "[pack]\nunused = \"warn\"\n[lints]\nlevel = 3\nrefusd = \"warn\"\n";
    let expected = r#"2:1: unknown key `unused` in [pack]
  help: move it to [lints]
4:1: unknown key `level` in [lints]
  help: move it to [pack]
5:1: unknown key `refusd` in [lints], expected one of unused, refused, unlicensed, allowed_licenses, over_budget
  help: did you mean `refused`?
"#;
    assert_eq!(show(&parse(text).unwrap_err()), expected);
}

#[test]
fn unknown_values_of_the_pack() {
    let text = r#"[pack]
name = "a/b"
compression = "zst"
compat = "ray"
level = 23
split = "1 TB"
[budget]
total = "much"
"a/*" = -1
"#;
    let expected = r#"2:8: unknown value "a/b" for `name`, expected a file name without a folder
  help: such as "game"; `.rres` is added
3:15: unknown value "zst" for `compression`, expected one of "none", "deflate", "lz4", "qoi", "zstd", "filtered"
  help: did you mean "zstd"?
4:10: unknown value "ray" for `compat`, expected "raylib"
5:9: out of range: 23 for `level`, expected 1 to 22
6:9: bad size "1 TB" for `split`, expected a number and a unit
  help: units are B, kB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024): "80 MB"
8:9: bad size "much" for `total`, expected a number and a unit
  help: units are B, kB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024): "80 MB"
9:9: bad size -1 for `a/*`, expected a number and a unit
  help: units are B, kB, MB, GB (powers of 1000) and KiB, MiB, GiB (powers of 1024): "80 MB"
"#;
    check(text, expected);
}

#[test]
fn sizes_of_packs_are_bounded() {
    let text = r#"[pack]
split = "5 GiB"
"#;
    let expected = r#"2:9: out of range: 5.3 GB for `split`, expected 4 KiB to 4 GiB
"#;
    check(text, expected);
}

#[test]
fn unknown_values_of_a_rule() {
    let text = r#"["a.b"]
kind = "picture"
id = 0
rename = "1a"
level = 99999999999999999999
image = { format = "rgba16", wrap = "tile" }
sound = { gain = 100, sample = "i24", store = "pmc" }
font = { size = [0, 2000], chars = ["cyrilic", ""], padding = -1 }
text = { culture = "en-UK", encoding = "utf-8", lang = "rs" }
["b"]
path = "images\\hero.png"
["b2"]
path = "../hero.png"
["b3"]
path = 7
["b4"]
mapping = "hero.png"
["c"]
id = "0x1_000"
font = { size = [] }
text = { culture = -1 }
["d"]
id = 0x1_0000_0000
["e"]
id = "0x0"
text = { culture = "klingon" }
"#;
    let expected = r#"2:8: unknown value "picture" for `kind`, expected one of "raw", "text", "image", "sound", "font", "model", "link"
3:6: out of range: 0 for `id`, expected 0x1 to 0xffffffff
  help: 0 means "no resource"
4:10: unknown value "1a" for `rename`, expected the name of a constant
  help: letters, digits and `_`, such as "HERO_PNG"
5:9: out of range: 99999999999999999999 for `level`, expected 1 to 22
6:20: unknown value "rgba16" for `image.format`, expected one of "keep", "gpu", "block", "block_etc2", "block_astc", "bc1", "bc3", "bc4", "bc5", "bc6h", "bc7", "etc2", "etc2_rgba", "eac_r11", "eac_rg11", "astc_4x4", "astc_6x6", "astc_8x8", "gray8", "gray_alpha8", "rgb565", "rgb8", "rgba5551", "rgba4444", "rgba8", "r32f", "rgb32f", "rgba32f"
  help: did you mean "rgba8"?
6:37: unknown value "tile" for `image.wrap`, expected one of "clamp", "repeat", "mirror"
7:18: out of range: 100 for `sound.gain`, expected -120 to 60
7:32: unknown value "i24" for `sound.sample`, expected one of "keep", "u8", "i16", "f32"
7:47: unknown value "pmc" for `sound.store`, expected one of "auto", "pcm", "source"
  help: did you mean "pcm"?
8:18: out of range: 0 for `font.size`, expected 1 to 1024
8:21: out of range: 2000 for `font.size`, expected 1 to 1024
8:37: unknown value "cyrilic" for `font.chars`, expected one of "auto", "all", "ascii", "latin", "latin-ext", "greek", "cyrillic", "vietnamese", "armenian", "georgian", "hebrew", "arabic", "devanagari", "thai", "hiragana", "katakana", "hangul", "punctuation", "currency", "arrows", "math", "box-drawing", "shapes", "japanese", "chinese", "korean", "cjk" or characters
  help: did you mean "cyrillic"?
8:48: unknown value "" for `font.chars`, expected a set of characters or characters
8:63: out of range: -1 for `font.padding`, expected 0 to 64
9:20: unknown value "en-UK" for `text.culture`, expected a language tag or a Windows LCID
  help: did you mean "en-US"?
9:40: unknown value "utf-8" for `text.encoding`, expected one of "utf8", "utf8_bom", "utf16_le", "utf16_be", "latin1", "windows-1252"
  help: did you mean "utf8"?
9:56: unknown value "rs" for `text.lang`, expected one of "none", "c", "cpp", "cs", "lua", "js", "python", "rust", "zig", "odin", "jai", "gdscript", "glsl"
  help: did you mean "cs"?
11:8: unknown value "images\\hero.png" for `path`, expected a path with `/` between folders: it is not written as packs write paths
  help: did you mean "images/hero.png"?
13:8: unknown value "../hero.png" for `path`, expected a path with `/` between folders: the path leaves its directory
  help: such as "images/hero.png"
15:8: wrong type for `path`: found an integer, expected a string
17:1: unknown key `mapping` in ["b4"], expected one of kind, importer, id, path, rename, ignore, variants, variant_of, locale, notes, license, author, source, attribution, profile, placeholder, compression, level, filters, cipher, max_size, max_growth, lint, image, sound, font, text, model
  help: did you mean `path`?
19:6: out of range: "0x1_000" for `id`, expected 0x1 to 0xffffffff
20:17: empty array for `font.size`, expected at least one value
21:20: out of range: -1 for `text.culture`, expected 0 to 4294967295
23:6: out of range: 0x100000000 for `id`, expected 0x1 to 0xffffffff
25:6: out of range: "0x0" for `id`, expected 0x1 to 0xffffffff
  help: 0 means "no resource"
26:20: unknown value "klingon" for `text.culture`, expected a language tag or a Windows LCID
  help: such as "en-US", "pt" or 0x0409
"#;
    check(text, expected);
}

#[test]
fn bad_globs() {
    let text = r#"[""]
['a\b']
["/a"]
["!a"]
["a/"]
["a.{png,jpg"]
["{a,}/b"]
["a//b"]
["../a"]
["a["]
["**.png"]
["***"]
["x[]"]
[group.g]
include = ["ok", "a}"]
[budget]
"a**" = 1
"#;
    let expected = r#"1:2: bad glob "": it is empty
  help: `**` is every file
2:2: bad glob "a\b": it contains a backslash
  help: folders are separated by `/` on every system: "a/b"
3:2: bad glob "/a": it starts with `/`
  help: globs are relative to the assets directory: "a"
4:2: bad glob "!a": negated globs are not supported
  help: later rules win: a later rule can override an earlier one, field by field
5:2: bad glob "a/": it ends with `/`
  help: for everything in a folder: "a/**"
6:2: bad glob "a.{png,jpg": a `{` is never closed
  help: `[{]` is a literal brace
7:2: bad glob "{a,}/b": it starts with `/`
  help: globs are relative to the assets directory: "b"
8:2: bad glob "a//b": "" is not a name
  help: a glob is the path below the assets directory, such as "ui/*.png"
9:2: bad glob "../a": ".." is not a name
  help: a glob is the path below the assets directory, such as "ui/*.png"
10:2: bad glob "a[": a `[` is never closed or empty
  help: `[abc]` is one of these characters, `[[]` is a literal bracket
11:2: bad glob "**.png": `**` must be alone between slashes
  help: `*` is any part of a name, `**` between slashes is any number of folders
12:2: bad glob "***": `**` must be alone between slashes
  help: `*` is any part of a name, `**` between slashes is any number of folders
13:2: bad glob "x[]": a `[` is never closed or empty
  help: `[abc]` is one of these characters, `[[]` is a literal bracket
15:18: bad glob "a}": a `}` is never opened
  help: `[}]` is a literal brace
17:1: bad glob "a**": `**` must be alone between slashes
  help: `*` is any part of a name, `**` between slashes is any number of folders
"#;
    check(text, expected);
}

#[test]
fn bad_groups() {
    let text = r#"[group.level-1]
include = "a"
[group.LEVEL_1]
include = ["a"]
[group."a b"]
include = []
[group.c]
"#;
    let expected = r#"3:8: duplicate group: `LEVEL_1` and `level-1` at 1:8 both become the constant LEVEL_1
  help: rename one of them
5:8: bad group name "a b", expected letters, digits, `_` and `-`
6:11: empty array for `include`, expected at least one value
7:8: missing key `include` in [group.c]
  help: add `include = ["levels/1/**"]`
"#;
    check(text, expected);
}

#[test]
fn duplicate_groups_and_keys() {
    let text = r#"[group.a]
include = ["x"]
["b"]
kind = "raw"
kind = "text"
[group.a]
"#;
    let expected = r#"5:1: duplicate key `kind`
  help: two tables or keys have the same name: merge them
6:8: duplicate group `a`
  help: two tables or keys have the same name: merge them
"#;
    check(text, expected);
}

#[test]
fn invalid_toml() {
    let text = r#"a = = 1
b = 'x
["c"]
image = {
"#;
    let expected = r#"1:5: invalid TOML: extra `=`, expected nothing
1:7: invalid TOML: unexpected key or value, expected newline, `#`
2:7: invalid TOML: invalid literal string, expected `'`
4:10: invalid TOML: unclosed inline table, expected `}`
"#;
    check(text, expected);
}

#[test]
fn sizes_of_meshlets() {
    let text = r#"["a.glb"]
model = { meshlets = { vertices = 2, triangles = 124 } }
["b.glb"]
model = { meshlets = { vertex = 64 } }
["c.glb"]
model = { meshlets = 64 }
["d.glb"]
model = { meshlets = { triangles = 512 } }
["e.glb"]
model = { meshlets = true }
"#;
    let expected = r#"2:35: out of range: 2 for `model.meshlets.vertices`, expected 3 to 256
4:24: unknown key `vertex` in `model.meshlets`, expected `vertices` or `triangles`
6:22: wrong type for `model.meshlets`: found an integer, expected true, false, or a size such as { vertices = 64, triangles = 124 }
"#;
    check(text, expected);
}

#[test]
fn defines_and_variants_of_shaders() {
    let text = r#"["a.wgsl"]
text = { defines = { "a-b" = true } }
["b.wgsl"]
text = { defines = { A = 0.5 } }
["c.wgsl"]
text = { defines = { A = 2147483648 } }
["d.wgsl"]
text = { defines = { A = "" } }
["e.wgsl"]
text = { variants = { _night = { A = true } } }
["f.wgsl"]
text = { variants = { night = ["A"] } }
["g.wgsl"]
text = { compile = ["spirv", "dxil"] }
["h.wgsl"]
text = { variants = { night = { A = -1, B = "1\\n2" } }, defines = { A = 2147483647 }, compile = "msl" }
"#;
    let expected = r#"2:22: invalid name `a-b` in `text.defines`, expected letters, digits and `_`
4:26: wrong type for `text.defines.A`: found a float, expected true, false, an integer of 32 bits, or a string without line break or `\`
6:26: wrong type for `text.defines.A`: found an integer, expected true, false, an integer of 32 bits, or a string without line break or `\`
8:26: wrong type for `text.defines.A`: found a string, expected true, false, an integer of 32 bits, or a string without line break or `\`
10:23: invalid name of a variant `_night` in `text.variants`, expected letters, digits and `_`, and a letter first
12:31: wrong type for `text.variants.night`: found an array, expected a table of names such as { SHADOWS = true, LIGHTS = 4 }
14:30: unknown value "dxil" for `text.compile`, expected one of "spirv", "msl"
16:45: wrong type for `text.variants.night.B`: found a string, expected true, false, an integer of 32 bits, or a string without line break or `\`
"#;
    check(text, expected);
}

#[test]
fn collision_shapes_have_limits_that_they_can_keep() {
    let text = r#"["a.glb"]
model = { collision = true }
["b.glb"]
model = { collision = "box" }
["c.glb"]
model = { collision = { shape = "parts", hulls = 3 } }
["d.glb"]
model = { collision = { shape = "hull", parts = 3 } }
["e.glb"]
model = { collision = { shape = "triangles", vertices = 8 } }
["f.glb"]
model = { collision = { vertices = 3 } }
["g.glb"]
model = { collision = { shape = "parts", parts = 64, vertices = 255 } }
["h.glb"]
model = { collision = false }
"#;
    let expected = r#"2:23: wrong type for `model.collision`: found a boolean, expected false, "hull", "parts", "triangles", or a table such as { shape = "parts", parts = 8 }
4:23: unknown value "box" for `model.collision`, expected one of "hull", "parts", "triangles"
6:42: unknown key `hulls` in `model.collision`, expected `shape`, `vertices` or `parts`
8:41: `model.collision.parts` has no effect on the shape "hull"
  help: remove it, or choose shape = "parts"
10:46: `model.collision.vertices` has no effect on the shape "triangles"
  help: remove it, or choose shape = "hull" or "parts"
12:36: out of range: 3 for `model.collision.vertices`, expected 4 to 255
"#;
    check(text, expected);
}

#[test]
fn lengths_have_a_unit() {
    let text = r#"["a.glb"]
model = { animation_error = 0.1 }
["b.glb"]
model = { animation_error = "0.1" }
["c.glb"]
model = { animation_error = "0 mm" }
["d.glb"]
model = { animation_error = "0.1 mm" }
["e.glb"]
model = { animation_error = false }
"#;
    let expected = r#"2:29: wrong type for `model.animation_error`: found a float, expected a number with mm, cm or m, such as "0.1 mm"
4:29: unknown value "0.1" for `model.animation_error`, expected a number with mm, cm or m, such as "0.1 mm"
6:29: out of range: 0 m for `model.animation_error`, expected 0.001 mm to 1000 m
"#;
    check(text, expected);
}

#[test]
fn limits_are_meant_as_they_are_written() {
    check("[\"a\"]\nmodel = { lods = [0.001, 0.999] }\n", "");
    let expected = "2:19: out of range: 0.0009 for `model.lods`, expected 0.001 to 0.999\n";
    check("[\"a\"]\nmodel = { lods = [0.0009] }\n", expected);
}

#[test]
fn characters_as_a_table_have_one_key() {
    let expected = "2:18: unknown table for `font.chars`, expected ";
    let errors = show(&parse("[\"a\"]\nfont = { chars = { text = \"all\", size = 3 } }\n").unwrap_err());
    assert!(errors.starts_with(expected), "{errors}");
}
