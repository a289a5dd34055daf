//! What sources become, in builds with and without the feature `shader`.

#[cfg(feature = "shader-compile")]
mod compiled;
#[cfg(feature = "shader")]
mod validated;
mod variants;

use rres_format::chunk::PayloadView;
use rres_format::chunk::text::TextView;
use rres_import::{ImportError, Importer as _, MemoryFiles as Files};
use rres_settings::Settings;

use super::*;
use crate::TextImporter;

/// Imports the first of these files, with a rule for it.
fn import_with(files: &[(&str, &str)], settings: &Settings) -> Result<Vec<Asset>, ImportError> {
    let all = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let (path, text) = files[0];
    TextImporter.import(&mut Source::new(path, text.as_bytes(), settings, &mut Files::new(all)))
}

fn rule(shader: ShaderImport) -> Settings {
    let mut settings = Settings::default();
    settings.text.shader = Some(shader);
    settings
}

fn preprocess(files: &[(&str, &str)]) -> Result<Vec<Asset>, ImportError> {
    import_with(files, &rule(ShaderImport::Preprocess))
}

/// The text that an asset has.
fn text(asset: &Asset) -> &str {
    let view = TextView::parse(PayloadView::parse(&asset.blocks[0].bytes).unwrap()).unwrap();
    std::str::from_utf8(view.bytes()).unwrap()
}

/// File, line, column and message of a fault.
fn shown(error: &ImportError) -> String {
    let (file, at) = error.place();
    let (line, column) = at.unwrap_or_default();
    format!("{}:{line}:{column}: {error}", file.unwrap_or("source"))
}

#[test]
fn glsl_is_stored_as_it_is_unless_a_rule_says_otherwise() {
    let source = "#version 100\r\n#include \"x.glsl\"\n@v\n";
    for path in ["a.glsl", "a.vs", "a.frag", "a.hlsl", "a.metal"] {
        for settings in [Settings::default(), rule(ShaderImport::Keep)] {
            let assets = import_with(&[(path, source)], &settings).unwrap();
            assert_eq!((assets.len(), assets[0].blocks.len(), text(&assets[0])), (1, 1, source), "{path}");
        }
    }
}

#[test]
fn includes_are_put_in_their_place() {
    let assets = preprocess(&[
        ("fx/a.frag", "#version 330\n#include \"lib/b.glsl\" // b\n  # include <c.glsl>\n//#include \"d\"\nend"),
        ("fx/lib/b.glsl", "b1\n#include \"e.glsl\"\nb2"),
        ("fx/lib/e.glsl", "e\r\n"),
        ("c.glsl", "\u{feff}c\n#include \"/fx/lib/e.glsl\"\n"),
    ]);
    assert_eq!(text(&assets.unwrap()[0]), "#version 330\nb1\ne\r\nb2\nc\ne\r\n//#include \"d\"\nend");
    // Found below the assets directory, too.
    let assets = preprocess(&[("fx/a.frag", "#include \"lib/b.glsl\"\n"), ("lib/b.glsl", "b\n")]).unwrap();
    assert_eq!(text(&assets[0]), "b\n");
}

#[test]
fn files_are_included_again_in_glsl_unless_they_say_once() {
    let twice = "#include \"b.glsl\"\n#include \"b.glsl\"\n";
    let of = |b: &str| text(&preprocess(&[("a.frag", twice), ("b.glsl", b)]).unwrap()[0]).to_owned();
    assert_eq!((of("b\n"), of("# pragma  once\nb\n")), ("b\nb\n".to_owned(), "b\n".to_owned()));
    let wgsl = [("a.wgsl", "#include \"b.wgsl\"\n#include \"./b.wgsl\"\n"), ("b.wgsl", "b\n")];
    assert_eq!(text(&preprocess(&wgsl).unwrap()[0]), "b\n");
}

#[test]
fn includes_that_cannot_be_followed_are_errors_at_their_place() {
    let fault = |files: &[(&str, &str)]| shown(&preprocess(files).unwrap_err());
    assert_eq!(
        fault(&[("fx/a.frag", "\n#include \"b.glsl\"\n")]),
        "source:2:1: includes \"b.glsl\", but \"fx/b.glsl\" or \"b.glsl\" does not exist in the assets directory"
    );
    assert_eq!(
        fault(&[("a.frag", "#include \"../b.glsl\"")]),
        "source:1:1: includes \"../b.glsl\", which is not inside the assets directory"
    );
    for wrong in ["#include", "#include b.glsl", "#include \"b.glsl", "#include \"\"", "#include \"a\" b"] {
        assert!(fault(&[("a.frag", wrong)]).contains("include without a file"), "{wrong}");
    }
    assert_eq!(
        fault(&[
            ("x/a.frag", "#include \"b.glsl\"\n"),
            ("x/b.glsl", "//\n/* */\n#include \"c.glsl\"\n"),
            ("x/c.glsl", "\n#include \"b.glsl\"\n"),
        ]),
        "x/c.glsl:2:1: is included by itself: x/b.glsl → x/c.glsl → x/b.glsl; x/a.frag includes this file"
    );
    let error = preprocess(&[("a.wgsl", "#include \"a.wgsl\"\n")]).unwrap_err();
    assert_eq!(shown(&error), "source:1:1: is included by itself: a.wgsl → a.wgsl");
}

#[test]
fn depth_and_size_of_includes_are_bounded() {
    let names: Vec<String> = (0..70).map(|number| format!("{number}.glsl")).collect();
    let texts: Vec<String> = (1..71).map(|number| format!("#include \"{number}.glsl\"\n")).collect();
    let files: Vec<(&str, &str)> = names.iter().zip(&texts).map(|(name, text)| (&**name, &**text)).collect();
    assert!(preprocess(&files).unwrap_err().to_string().contains("at most 64 files inside each other"));
    // Two to the power of forty lines.
    let doubling: Vec<String> =
        (1..41).map(|number| format!("#include \"{number}.glsl\"\n#include \"{number}.glsl\"\n")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().zip(&doubling).map(|(name, text)| (&**name, &**text)).collect();
    files.push(("40.glsl", "x\n"));
    assert!(preprocess(&files).unwrap_err().to_string().contains("10000 directives"));
    let large = format!("{}\n", "x".repeat(2 << 20));
    let many = "#include \"b.glsl\"\n".repeat(9);
    let error = preprocess(&[("a.frag", &many), ("b.glsl", &large)]).unwrap_err();
    assert_eq!(error.to_string(), "has more than 16 MiB with what it includes");
}

#[test]
fn stages_become_assets_of_their_own() {
    let body = "float x; // padding\n".repeat(4_000);
    let source = format!("#version 330\n@p\n#include \"c.glsl\"\nf\n@v\n#include \"c.glsl\"\n{body}");
    assert!(body.len() > 65_536);
    let assets = preprocess(&[("a.glsl", &source), ("c.glsl", "#pragma once\nc\n")]).unwrap();
    let found: Vec<(&str, &str)> = assets.iter().map(|asset| (&*asset.name, text(asset))).collect();
    let vertex = format!("#version 330\nc\n{body}");
    assert_eq!(found, [("", &*vertex), ("frag", "#version 330\nc\nf\n")]);
    let error = preprocess(&[("a.glsl", "x\n@v\n@v\n")]).unwrap_err();
    assert_eq!(shown(&error), "source:3:1: has the stage \"v\" twice");
}

#[test]
fn encodings_stay_unless_the_text_changes() {
    let utf16: Vec<u8> = "\u{feff}ä\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let import = |bytes: &[u8]| {
        let settings = rule(ShaderImport::Preprocess);
        let mut files = Files::new([("b.glsl".to_owned(), b"b\n".to_vec())]);
        TextImporter.import(&mut Source::new("a.frag", bytes, &settings, &mut files)).unwrap().remove(0)
    };
    let bytes = |asset: &Asset| {
        let view = TextView::parse(PayloadView::parse(&asset.blocks[0].bytes).unwrap()).unwrap();
        (view.bytes().to_vec(), view.decode().unwrap().into_owned())
    };
    assert_eq!(bytes(&import(&utf16)), (utf16.clone(), "ä\n".to_owned()));
    let including: Vec<u8> = "\u{feff}ä\n#include \"b.glsl\"".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(bytes(&import(&including)), ("ä\nb\n".as_bytes().to_vec(), "ä\nb\n".to_owned()));
}

#[cfg(not(feature = "shader"))]
#[test]
fn validation_without_the_feature_is_refused_by_name() {
    let error = import_with(&[("a.wgsl", "fn f() {}")], &rule(ShaderImport::Validate)).unwrap_err();
    assert!(error.to_string().contains("the feature `shader` of rres-build is disabled"), "{error}");
    let kept = import_with(&[("a.wgsl", "not WGSL\n#include \"x\"")], &Settings::default()).unwrap();
    assert_eq!((kept.len(), kept[0].blocks.len(), text(&kept[0])), (1, 1, "not WGSL\n#include \"x\""));
}
