//! What a rule asks of a shader besides its text: names, variants, compiled forms.

use std::collections::BTreeSet;

use rres_format::chunk::text::CodeLanguage;
use rres_import::{ImportError, Source};
use rres_settings::{ShaderDefines, ShaderImport, TextSettings, Word as _};

use super::{KEEP, NO_BACK_ENDS, is_wgsl};
use crate::TextFile;

/// Refuses settings that the shader cannot have.
pub(super) fn check_settings(
    source: &Source<'_>,
    treatment: ShaderImport,
    file: &TextFile<'_>,
) -> Result<(), ImportError> {
    let settings = &source.settings.text;
    let set = [
        ("text.defines", settings.defines.is_some()),
        ("text.variants", settings.variants.is_some()),
        ("text.compile", !settings.compile.is_empty()),
    ];
    let with_effect = match treatment {
        ShaderImport::Keep => 0,
        ShaderImport::Preprocess => 2,
        ShaderImport::Validate => 3,
    };
    if let Some((key, _)) = set[with_effect..].iter().find(|(_, is_set)| *is_set) {
        let message = format!("has {key}, which has no effect with text.shader = \"{}\"", treatment.word());
        return Err(ImportError::new(message).with_help("set text.shader = \"validate\", or remove the key"));
    }
    if treatment == ShaderImport::Validate && !cfg!(feature = "shader") {
        let help =
            "enable it with `cargo add --build rres-build --features shader`, or set text.shader = \"preprocess\"";
        let message = "would be validated, but the feature `shader` of rres-build is disabled";
        return Err(ImportError::new(message).with_help(help).with_fix(KEEP));
    }
    if !settings.compile.is_empty() && !cfg!(feature = "shader-compile") {
        let help = "enable it with `cargo add --build rres-build --features shader-compile`, or remove text.compile";
        return Err(ImportError::new(NO_BACK_ENDS).with_help(help));
    }
    if treatment == ShaderImport::Validate && !is_wgsl(source.path) && file.language != CodeLanguage::GLSL {
        let message = "would be validated, but it is neither in WGSL nor in GLSL";
        let help = "set text.shader = \"preprocess\" or \"keep\"; if it is GLSL, set text.lang = \"glsl\"";
        return Err(ImportError::new(message).with_help(help).with_fix(KEEP));
    }
    Ok(())
}

/// A variant of a shader.
pub(super) struct Variant<'a> {
    /// Its name; `None` for the asset of the file.
    pub(super) name: Option<&'a str>,
    pub(super) defines: Option<&'a ShaderDefines>,
}

/// The variants that a rule asks for, after the shader without them.
pub(super) fn variants(settings: &TextSettings) -> Vec<Variant<'_>> {
    let named = settings.variants.iter().flat_map(|variants| &variants.0);
    let named = named.map(|(name, defines)| Variant { name: Some(name), defines: Some(defines) });
    std::iter::once(Variant { name: None, defines: None }).chain(named).collect()
}

/// The names that a rule defines.
pub(super) fn defined_names(settings: &TextSettings) -> BTreeSet<&str> {
    let variants = settings.variants.iter().flat_map(|variants| variants.0.values());
    settings.defines.iter().chain(variants).flat_map(|defines| defines.0.keys().map(String::as_str)).collect()
}
