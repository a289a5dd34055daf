//! Names that a rule defines, and variants.

use rres_settings::{DefineValue, ShaderDefines, ShaderVariants};

use super::*;

fn names_of(assets: &[Asset]) -> Vec<&str> {
    assets.iter().map(|asset| asset.name.as_str()).collect()
}

#[test]
fn each_variant_of_wgsl_is_a_text() {
    let source = "#include \"lib.wgsl\"\n#ifdef SHADOWS\nconst shadows = #{SHADOWS};\n#else\nconst none = 0;\n#endif\n";
    let mut settings = rule(ShaderImport::Preprocess);
    settings.text.defines = Some([("LIGHTS", 4)].into());
    let night = [("SHADOWS", DefineValue::from(true)), ("LIGHTS", 8.into())];
    let low = [("LIGHTS", DefineValue::from(false))];
    let variants: [(&str, &[(&str, DefineValue)]); 2] = [("night", &night), ("low", &low)];
    let table = |pairs: &[(&str, DefineValue)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect();
    let variants = variants.map(|(name, pairs)| (name, ShaderDefines(table(pairs))));
    settings.text.variants = Some(ShaderVariants::from(variants));
    let lib = "#ifdef LIGHTS\nconst lights = #{LIGHTS}u; // #{ANY}\n#endif\n";
    let assets = import_with(&[("a.wgsl", source), ("lib.wgsl", lib)], &settings).unwrap();
    assert_eq!(names_of(&assets), ["", "low", "night"]);
    assert_eq!(text(&assets[0]), "const lights = 4u; // #{ANY}\nconst none = 0;\n");
    assert_eq!(text(&assets[1]), "const none = 0;\n");
    assert_eq!(text(&assets[2]), "const lights = 8u; // #{ANY}\nconst shadows = 1;\n");
    assert!(assets.iter().all(|asset| asset.notes.is_empty()), "{assets:?}");
}

/// A line with a value begins a line, also after a file that has no line break at its end.
#[test]
fn a_value_does_not_continue_the_comment_that_ends_an_included_file() {
    let mut settings = rule(ShaderImport::Preprocess);
    settings.text.defines = Some([("LIGHTS", 4)].into());
    let source = "#include \"lib.wgsl\"\nconst lights = #{LIGHTS}u;\n";
    let assets = import_with(&[("a.wgsl", source), ("lib.wgsl", "// the end")], &settings).unwrap();
    assert_eq!(text(&assets[0]), "// the end\nconst lights = 4u;\n");
}

#[test]
fn glsl_gets_a_definition_for_each_name_in_every_stage() {
    let mut settings = rule(ShaderImport::Preprocess);
    settings.text.variants = Some([("night", [("SHADOWS", DefineValue::from(true))])].into());
    let source = "#version 450\n@v\n#ifdef SHADOWS\nv\n#endif\n@p\nf SHADOWS\n";
    let assets = import_with(&[("a.glsl", source)], &settings).unwrap();
    assert_eq!(names_of(&assets), ["", "frag", "night", "frag.night"]);
    assert_eq!(text(&assets[1]), "#version 450\nf SHADOWS\n");
    assert_eq!(text(&assets[2]), "#version 450\n#define SHADOWS 1\n#ifdef SHADOWS\nv\n#endif\n");
    assert_eq!(text(&assets[3]), "#version 450\n#define SHADOWS 1\nf SHADOWS\n");
    // Each stage may state the version, and GLSL of WebGL states none.
    let assets = import_with(&[("a.glsl", "@v\n#version 330\nv SHADOWS\n@p\nf\n")], &settings).unwrap();
    assert_eq!(text(&assets[2]), "#version 330\n#define SHADOWS 1\nv SHADOWS\n");
    assert_eq!(text(&assets[3]), "#define SHADOWS 1\nf\n");
}

#[test]
fn directives_that_cannot_be_followed_are_errors_at_their_place() {
    let mut settings = rule(ShaderImport::Preprocess);
    settings.text.variants = Some([("night", [("N", DefineValue::from(2))])].into());
    let fault = |files: &[(&str, &str)]| shown(&import_with(files, &settings).unwrap_err());
    let asks = "asks for `N`, which is not defined: give it a value with text.defines in assets.toml, or with #define";
    assert_eq!(fault(&[("a.wgsl", "\n#if N > 1\n#endif\n")]), format!("source:2:1: {asks}"));
    assert_eq!(
        fault(&[("a.wgsl", "#include \"b.wgsl\"\n"), ("b.wgsl", "\nlet a = #{N};\n")]),
        format!("b.wgsl:2:9: {asks}, in `let a = #{{N}};`; a.wgsl includes this file")
    );
    let error = fault(&[("a.wgsl", "// N\n#ifdef N\n#else\n#if N\n#endif\n")]);
    assert!(error.starts_with("source:2:1: has a condition without `#endif`"), "{error}");
    // The variants have the same fault, which is said once, and no rule settles it.
    let error = import_with(&[("a.wgsl", "#{M} // N\n")], &settings).unwrap_err();
    assert_eq!((error.others().len(), error.fix), (0, None));
    // A condition ends in the file in which it begins.
    let error = fault(&[("a.wgsl", "#ifndef N\n#include \"b.wgsl\"\n#endif\n"), ("b.wgsl", "#endif\n")]);
    assert_eq!(error, "b.wgsl:1:1: has `#endif` without `#if`; a.wgsl includes this file");
}

#[test]
fn names_that_no_line_has_are_noted() {
    let mut settings = rule(ShaderImport::Preprocess);
    settings.text.defines = Some([("SHADOW", true), ("LIT", true)].into());
    let assets = import_with(&[("a.wgsl", "#ifdef SHADOWS\n#endif\n#if LIT\n#endif\nx\n")], &settings).unwrap();
    let notes: Vec<String> = assets[0].notes.iter().map(|note| format!("{note:?}")).collect();
    assert!(
        matches!(&notes[..], [note] if note.contains("names that the shader does not have") && note.contains("SHADOW")),
        "{notes:?}"
    );
}

#[test]
fn settings_without_effect_and_names_that_clash_are_errors() {
    let mut settings = rule(ShaderImport::Keep);
    settings.text.defines = Some([("N", true)].into());
    let error = import_with(&[("a.wgsl", "N")], &settings).unwrap_err();
    assert_eq!(error.to_string(), "has text.defines, which has no effect with text.shader = \"keep\"");
    settings.text.shader = Some(ShaderImport::Preprocess);
    settings.text.variants = Some([("frag", [("N", true)])].into());
    let error = import_with(&[("a.glsl", "@v\nN\n@p\nN\n")], &settings).unwrap_err();
    assert_eq!(error.to_string(), "becomes two assets with the name `frag`");
    settings.text.compile = vec![ShaderTarget::Spirv];
    let error = import_with(&[("a.wgsl", "N")], &settings).unwrap_err();
    assert_eq!(error.to_string(), "has text.compile, which has no effect with text.shader = \"preprocess\"");
}

#[cfg(not(feature = "shader-compile"))]
#[test]
fn without_the_feature_nothing_is_compiled() {
    let mut settings = Settings::default();
    settings.text.compile = vec![ShaderTarget::Spirv];
    let error = import_with(&[("a.wgsl", "")], &settings).unwrap_err();
    assert!(error.help().unwrap().contains("cargo add --build rres-build --features shader"), "{error}");
}
