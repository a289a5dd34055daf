//! `cargo rres schema`: the schema in the repository is up to date, accepts every settings file that a build accepts, and refuses with it
//! what can be known to be wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boon::{Compiler, SchemaIndex, Schemas};
use rres_settings::{PACK_ROWS, Rules, TargetCfg, all_rows};
use rres_test_support::fresh::workspace;
use serde_json::Value;

use super::{Sandbox, local};

/// The schema of packages without importers of their own, which the documentation names.
const COPY: &str = "docs/assets.schema.json";

/// A schema, ready to check texts.
pub(crate) struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    pub(crate) fn new(text: &str) -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("assets.schema.json", serde_json::from_str(text).unwrap()).unwrap();
        let index = compiler.compile("assets.schema.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    /// Why a settings file is invalid.
    pub(crate) fn check(&self, text: &str) -> Result<(), String> {
        let value: Value = toml::from_str(text).map_err(|error| error.to_string())?;
        self.schemas.validate(&value, self.index).map_err(|error| format!("{error:#}"))
    }
}

/// The errors of a build without importers of its own.
fn read(text: &str) -> Result<(), String> {
    let (_, diagnostics) = Rules::parse(Path::new("assets.toml"), text, &TargetCfg::default(), &Arc::default());
    let errors: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

fn schema() -> Schema {
    Schema::new(&Sandbox::new().run(["schema"]).success().out)
}

/// Files below a directory of the repository with this end, without what is built.
fn files(dir: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap_or_default();
        if entry.file_type().unwrap().is_dir() {
            if !matches!(&*name, "target" | "node_modules") && !name.starts_with('.') {
                files(&path, end, found);
            }
        } else if name.ends_with(end) {
            found.push(path);
        }
    }
}

#[test]
fn the_copy_in_the_repository_is_up_to_date() {
    let text = Sandbox::new().run(["schema"]).success().out;
    let file = workspace().join(COPY);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let is_up_to_date = fs::read_to_string(&file).is_ok_and(|copy| copy == text);
    assert!(is_up_to_date, "{COPY} is out of date: run `UPDATE_EXPECT=1 cargo test -p cargo-rres --test it schema`");
}

#[test]
fn every_settings_file_of_the_repository_is_valid() {
    let schema = schema();
    let mut all = Vec::new();
    files(workspace(), "assets.toml", &mut all);
    assert!(all.len() >= 8, "{all:?}");
    for file in all {
        let text = fs::read_to_string(&file).unwrap();
        match file.ends_with("examples/tiled/assets.toml") {
            // The settings of an importer of the build script, which only that knows.
            true => assert!(read(&text).is_err() && schema.check(&text).is_err(), "{}", file.display()),
            false => assert_eq!((read(&text), schema.check(&text)), (Ok(()), Ok(())), "{}", file.display()),
        }
    }
}

#[test]
fn every_settings_file_in_pages_and_tests_that_is_read_is_valid() {
    let schema = schema();
    let mut blocks: Vec<String> = Vec::new();
    for (dir, end, start, stop) in [
        ("docs", ".md", "```toml\n", "```"),
        ("book/src", ".md", "```toml\n", "```"),
        ("crates/settings/src", ".rs", "r#\"", "\"#"),
    ] {
        let mut pages = Vec::new();
        files(&workspace().join(dir), end, &mut pages);
        let texts = pages.iter().map(|page| fs::read_to_string(page).unwrap());
        blocks.extend(texts.flat_map(|text| {
            text.split(start)
                .skip(1)
                .filter_map(|rest| rest.split_once(stop))
                .map(|(block, _)| block.to_owned())
                .collect::<Vec<_>>()
        }));
    }
    let read: Vec<&String> = blocks.iter().filter(|block| block.contains('=') && read(block).is_ok()).collect();
    assert!(read.len() > 60, "{} of {} blocks are settings files", read.len(), blocks.len());
    for block in read {
        assert_eq!(schema.check(block), Ok(()), "{block}");
    }
}

/// Values of many settings, right ones and wrong ones.
const VALUES: &[&str] = &[
    "true",
    "false",
    "0",
    "1",
    "2",
    "3",
    "16",
    "32",
    "64",
    "100",
    "4096",
    "48000",
    "1_000_000",
    "4_294_967_295",
    "4_294_967_296",
    "-1",
    "-120",
    "0.0",
    "0.001",
    "0.5",
    "0.999",
    "1.5",
    "60.0",
    "100.0",
    "-32768.0",
    "1e9",
    "1979-05-27",
    "\"\"",
    "\"a\"",
    "\"_\"",
    "\"_a\"",
    "\"A1_b\"",
    "\"1a\"",
    "\"ui/a.png\"",
    "\"/a\"",
    "\"a/\"",
    "\"a/../b\"",
    "\"../a.key\"",
    "\"a\\\\b\"",
    "\"*_n.png\"",
    "\"normals/*_n.png\"",
    "\"*/*\"",
    "\"voice/en/**\"",
    "\"**a\"",
    "\".hidden\"",
    "\"a.\"",
    "\" a \"",
    "\"a b\"",
    "\"game\"",
    "\"assets.h\"",
    "\"a.hpp\"",
    "\".h\"",
    "\"a:b\"",
    "\"é ñ.png\"",
    "\"en\"",
    "\"fr-CA\"",
    "\"zh-Hant\"",
    "\"zh-hant\"",
    "\"es-419\"",
    "\"sr-Latn-RS\"",
    "\"de-DE-1996\"",
    "\"x-klingon\"",
    "\"i-klingon\"",
    "\"en-US\"",
    "\"EN-us\"",
    "\"PT\"",
    "\"0x1234\"",
    "\"0x0\"",
    "\"0x00000000ffff\"",
    "\"0x100000000\"",
    "\"0x\"",
    "\"1234\"",
    "\"80 MB\"",
    "\"1.5 GiB\"",
    "\"8 kib\"",
    "\"5 TB\"",
    "\" 12 KB \"",
    "\"4096 B\"",
    "\"#ff00ff\"",
    "\"#FFF\"",
    "\"U+4E00-9FFF\"",
    "\"srsc\"",
    "\"tiled\"",
    "\"cfg(unix)\"",
    "[]",
    "[16, 16]",
    "[1, 2, 3]",
    "[0.5, 0.25]",
    "[1, 1]",
    "[\"a\"]",
    "[\"en\", \"fr\"]",
    "{}",
    "{ vertices = 64 }",
    "{ vertices = 2 }",
    "{ triangle = 4 }",
    "{ text = \"all\" }",
    "{ text = \"a\", file = \"b\" }",
    "{ file = \"a.txt\" }",
    "{ texts = \"text/**\" }",
    "{ wght = 700 }",
    "{ weight = 700 }",
    "{ mobile = \"cfg(unix)\" }",
    "{ Mobile = \"cfg(unix)\" }",
    "{ mobile = \"unix\" }",
];

/// What the schema refuses the reader refuses, for each setting; and for each the reader accepts one of the values.
#[test]
fn the_schema_accepts_all_values_that_are_read() {
    let schema = schema();
    let of_rules = all_rows().map(|row| ("[\"a/**\"]", row.key, (row.shape)()));
    let of_pack = PACK_ROWS.iter().map(|row| match row.table() {
        None => ("[pack]", row.key, (row.shape)()),
        Some(_) => ("", row.key, (row.shape)()),
    });
    for (section, key, shape) in of_rules.chain(of_pack) {
        let mut words = Vec::new();
        collect_words(&shape, &mut words);
        // One file may have them, and so a rule for one file.
        let section = if matches!(key, "id" | "path" | "rename") { "[\"a.png\"]" } else { section };
        let mut accepted = 0;
        for value in VALUES.iter().map(|value| (*value).to_owned()).chain(words) {
            // A bitrate is one of a format.
            let with = if key == "sound.bitrate" { "sound.format = \"opus\"\n" } else { "" };
            let text = format!("{section}\n{with}{key} = {value}\n");
            if read(&text).is_ok() {
                accepted += 1;
                assert_eq!(schema.check(&text), Ok(()), "{text}");
            }
        }
        assert!(accepted > 0, "no value is accepted for {key}");
        for wrong in ["1979-05-27", "{ unknown = [] }", "[[]]"] {
            let text = format!("{section}\n{key} = {wrong}\n");
            assert!(read(&text).is_err() && schema.check(&text).is_err(), "{text}");
        }
    }
}

/// The words of enumerations, in TOML.
fn collect_words(shape: &rres_settings::shape::Shape, words: &mut Vec<String>) {
    use rres_settings::shape::Shape;
    match shape {
        Shape::OneOf(of) => words.extend(of.iter().map(|word| format!("\"{word}\""))),
        Shape::AnyOf(shapes) => shapes.iter().for_each(|shape| collect_words(shape, words)),
        _ => {}
    }
}

#[test]
fn what_is_wrong_by_itself_is_refused_by_both() {
    let schema = schema();
    for text in [
        "[pack]\nnmae = \"x\"",
        "[pack]\nname = 3",
        "[pack]\nlevel = 23",
        "[pack]\ncompression = \"zst\"",
        "[pack]\nunused = \"warn\"",
        "[pack]\nsplit = \"1 TB\"",
        "[pack]\nlocales = []",
        "[pack]\nlocales = [\"en\", \"en\"]",
        "[pack]\ntargets = { mobile = \"android\" }",
        "[pack]\nheader = \"assets.c\"",
        "[lints]\nunused = \"error\"",
        "[lints]\nname = \"a\"",
        "[groups.a]\ninclude = \"a\"",
        "[packs]\nname = \"a\"",
        "pack = 3",
        "name = \"x\"",
        "[group.a]",
        "[group.a]\ninclude = []",
        "[group.a]\ninclude = \"a/\"",
        "[group.a]\ninclude = \"a\"\nbudgets = 3",
        "[group.\"a b\"]\ninclude = \"a\"",
        "[budget]\ntotal = \"much\"",
        "[budget]\n\"a/*\" = -1",
        "[ui.png]\nignore = true",
        "[\"/ui\"]\nignore = true",
        "[\"ui/\"]\nignore = true",
        "[\"!ui\"]\nignore = true",
        "['ui\\*']\nignore = true",
        "[\"a\"]\ntype = \"raw\"",
        "[\"a\"]\nkind = \"sprite\"",
        "[\"a\"]\nimporter = \"tiled\"",
        "[\"a\"]\nid = 0",
        "[\"a\"]\nid = \"12\"",
        "[\"a\"]\nimage = 3",
        "[\"a\"]\nimage = { fitler = \"nearest\" }",
        "[\"a\"]\nimage = { grid = [1] }",
        "[\"a\"]\nimage = { color_key = \"red\" }",
        "[\"a\"]\nsound = { gain = \"loud\" }",
        "[\"a\"]\nfont = { size = [] }",
        "[\"a\"]\nfont = { chars = { txt = \"a\" } }",
        "[\"a\"]\nmodel = { meshlets = { vertices = 2 } }",
        "[\"a\"]\nmodel = { animation_error = \"1 km\" }",
        "[\"a\"]\naudio = {}",
        "[\"a\"]\nsrsc = { order = \"rgba\" }",
        "[target.unix.\"a\"]\nnotes = false",
        "[target.'cfg(unix)'.\"a\"]\nkind = \"raw\"",
        "[target.'cfg(unix)'.\"a\"]\nimage.atlas = \"a\"",
        "[target.'cfg(unix)'.pack]\nname = \"a\"",
    ] {
        assert!(read(text).is_err(), "the reader accepts\n{text}");
        assert!(schema.check(text).is_err(), "the schema accepts\n{text}");
    }
}

#[test]
fn the_file_is_written_beside_the_assets_and_checked() {
    let sandbox = Sandbox::new();
    sandbox.write("game/assets/a.txt", b"a");
    let write = |args: &[&str]| sandbox.run(["schema", "-a", "game/assets", "-o"].iter().chain(args).copied());
    write(&["game/assets.schema.json", "--check"])
        .failed(1, &["is out of date; run `cargo rres schema -o game/assets.schema.json`"]);
    let out = write(&["game/assets.schema.json"]).success().out;
    let settings = local("game/assets/assets.toml");
    assert!(out.ends_with(&format!("write at the top of {settings}: #:schema ../assets.schema.json\n")), "{out}");
    assert_eq!(sandbox.read("game/assets.schema.json"), sandbox.run(["schema"]).success().out.as_bytes());
    sandbox.write("game/assets/assets.toml", b"#:schema ../assets.schema.json\n[pack]\nname = \"game\"\n");
    assert_eq!(write(&["game/assets.schema.json"]).success().out, "game/assets.schema.json is up to date\n");
    write(&["game/assets.schema.json", "--check"]).success();
    write(&["game/assets/../assets.schema.json", "--check"]).success();
    write(&["game/assets/schema.json"]).failed(2, &["would be an asset", "write it beside the directory"]);
    assert!(!sandbox.path("game/assets/schema.json").exists());
}
