//! Shaders: a source with the files that it includes, as a text for each stage, validated, with its interface.

#[cfg(feature = "shader")]
mod check;
mod include;
mod lines;
#[cfg(feature = "shader")]
mod reflect;
mod stages;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rres_format::FourCc;
use rres_format::chunk::shader::ShaderInterface;
use rres_format::chunk::text::CodeLanguage;
use rres_import::{Asset, Block, ImportError, Note, Source};
use rres_settings::{GlslStage, Settings, ShaderImport, extension_of};

use self::include::Expanded;
use self::lines::Lines;
use self::stages::StagePart;
use super::TextFile;

/// The keys of a rule that stores a shader as it is.
const KEEP: &str = "text.shader = \"keep\"";

/// The characters of an error in a note.
const MAX_BRIEF: usize = 80;

/// What is known of a shader before it is read.
struct Shader {
    is_wgsl: bool,
    /// Whether its source is validated.
    validates: bool,
    /// Whether a rule asks for that.
    is_asked: bool,
}

/// What a build does with the source at `path`.
pub(super) fn treatment(path: &str, settings: &Settings) -> ShaderImport {
    let default = if is_wgsl(path) && cfg!(feature = "shader") { ShaderImport::Validate } else { ShaderImport::Keep };
    settings.text.shader.unwrap_or(default)
}

fn is_wgsl(path: &str) -> bool {
    extension_of(path).eq_ignore_ascii_case("wgsl")
}

/// What a text becomes as a shader; `None` if it is stored like any other text.
pub(super) fn import(source: &mut Source<'_>, file: &TextFile<'_>) -> Result<Option<Vec<Asset>>, ImportError> {
    let TextFile { text, language, .. } = *file;
    let is_wgsl = is_wgsl(source.path);
    let validates = match treatment(source.path, source.settings) {
        ShaderImport::Keep => return Ok(None),
        ShaderImport::Preprocess => false,
        ShaderImport::Validate => true,
    };
    let shader = Shader { is_wgsl, validates, is_asked: source.settings.text.shader.is_some() };
    if shader.validates && !cfg!(feature = "shader") {
        let help =
            "enable it with `cargo add --build rres-build --features shader`, or set text.shader = \"preprocess\"";
        let message = "would be validated, but the feature `shader` of rres-build is disabled";
        return Err(ImportError::new(message).with_help(help).with_fix(KEEP));
    }
    if shader.validates && !is_wgsl && language != CodeLanguage::GLSL {
        let message = "would be validated, but it is neither in WGSL nor in GLSL";
        let help = "set text.shader = \"preprocess\" or \"keep\"; if it is GLSL, set text.lang = \"glsl\"";
        return Err(ImportError::new(message).with_help(help).with_fix(KEEP));
    }
    if !shader.is_asked
        && let Some(directive) = other_directive(text)
    {
        let note = Note::new("not validated, because another preprocessor has to run first")
            .with_detail(format!("`{directive}`"))
            .with_help("to say that this is meant: text = { shader = \"keep\" }");
        let mut asset = file.asset(source)?;
        asset.notes.push(note);
        return Ok(Some(vec![asset]));
    }
    let stages = if is_wgsl { None } else { split(source, text)? };
    let Some(stages) = stages else {
        let stage = source.settings.text.stage.or_else(|| stage_of_name(source.path));
        let whole = 0..text.len();
        let expanded = Expanded::new(source, text, std::slice::from_ref(&whole), is_wgsl)?;
        return Ok(Some(vec![one(source, &shader, file, &expanded, stage)?]));
    };
    let mut assets = Vec::new();
    let mut faults: Option<ImportError> = None;
    for StagePart { stage, part } in stages.stages {
        let parts: [Range<usize>; 2] = [stages.common.clone(), part];
        let expanded = Expanded::new(source, text, &parts, is_wgsl)?;
        match one(source, &shader, file, &expanded, Some(stage)) {
            Ok(asset) if assets.is_empty() => assets.push(asset),
            Ok(asset) => assets.push(asset.named(short_name(stage))),
            Err(error) => {
                faults = Some(match faults {
                    Some(first) => first.and(error),
                    None => error,
                })
            }
        }
    }
    match faults {
        Some(faults) => Err(faults),
        None => Ok(Some(assets)),
    }
}

/// One text, with its interface if it is validated.
fn one(
    source: &Source<'_>,
    shader: &Shader,
    file: &TextFile<'_>,
    expanded: &Expanded,
    stage: Option<GlslStage>,
) -> Result<Asset, ImportError> {
    let checked = match shader.validates {
        true => Some(check(expanded, shader.is_wgsl, stage)),
        false => None,
    };
    let is_part = !shader.is_asked && !has_entry_point(&expanded.text);
    if let Some(Err(error)) = &checked
        && is_part
    {
        let note = Note::new("without entry point, so taken for parts of other shaders and not validated")
            .with_detail(brief(error))
            .with_help("to say that this is meant: text = { shader = \"keep\" }");
        let mut asset = file.asset(source)?;
        asset.notes.push(note);
        return Ok(asset);
    }
    let mut asset = match expanded.is_changed {
        true => file.with_text(&expanded.text).asset(source)?,
        false => file.asset(source)?,
    };
    if let Some(interface) = checked.transpose()? {
        attach(&mut asset, &interface);
    }
    Ok(asset)
}

/// The start of the message of an error, for a note about several files.
fn brief(error: &ImportError) -> String {
    let message = error.to_string();
    let message = message.split(", in `").next().unwrap_or_default();
    match message.char_indices().nth(MAX_BRIEF) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

/// Adds the chunk with the interface.
fn attach(asset: &mut Asset, interface: &ShaderInterface) {
    // C readers would take a linked chunk for a part of the text.
    asset.blocks.iter_mut().for_each(|block| block.linked = false);
    asset.blocks.push(Block { linked: false, ..Block::new(FourCc::SHDR, interface.block()) });
    for entry in &interface.entry_points {
        asset.summary += &format!(", {} {}", entry.stage.name(), entry.name);
    }
    let bindings = interface.bindings.len();
    if bindings > 0 {
        asset.summary += &format!(", {bindings} {}", if bindings == 1 { "binding" } else { "bindings" });
    }
}

#[cfg(feature = "shader")]
fn check(expanded: &Expanded, is_wgsl: bool, stage: Option<GlslStage>) -> Result<ShaderInterface, ImportError> {
    let language = match (is_wgsl, stage) {
        (true, _) => check::Language::Wgsl,
        (false, Some(stage)) => check::Language::Glsl(stage),
        (false, None) => {
            let help = "set text.stage to \"vertex\", \"fragment\" or \"compute\" in assets.toml, or name the file .vert, .frag, .comp or .vert.glsl; \
                        set text.shader = \"keep\" if it is a part of other shaders";
            return Err(ImportError::new("is a shader of an unknown stage").with_help(help).with_fix(KEEP));
        }
    };
    check::check(expanded, language)
}

#[cfg(not(feature = "shader"))]
fn check(_: &Expanded, _: bool, _: Option<GlslStage>) -> Result<ShaderInterface, ImportError> {
    Err(ImportError::new("cannot be validated without the feature `shader` of rres-build"))
}

fn split(source: &mut Source<'_>, text: &str) -> Result<Option<stages::Stages>, ImportError> {
    match stages::split(text) {
        Ok(stages) => Ok(stages),
        Err((at, message)) => {
            let place = Expanded::new(source, text, &[], false)?.fault_in_source(at, &message);
            Err(place.with_help("name each stage once").with_fix(KEEP))
        }
    }
}

/// The first directive of another preprocessor than this one.
fn other_directive(text: &str) -> Option<&str> {
    let is_own = |directive: &str| directive.trim_start().starts_with("include");
    let mut lines = Lines::new(text, 0..text.len(), true).map(|line| line.code);
    lines.find(|code| code.strip_prefix('#').is_some_and(|directive| !is_own(directive)))
}

/// Whether a source in WGSL has an attribute that makes a function an entry point.
fn has_entry_point(text: &str) -> bool {
    ["@vertex", "@fragment", "@compute", "@task", "@mesh"].iter().any(|attribute| text.contains(attribute))
}

/// The stage that an extension names, or the part of the name before it: `sky.frag`, `sky.frag.glsl`, `frag.glsl`.
fn stage_of_name(path: &str) -> Option<GlslStage> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit('.').take(2).find_map(|part| match part.to_ascii_lowercase().as_str() {
        "vert" | "vs" => Some(GlslStage::Vertex),
        "frag" | "fs" => Some(GlslStage::Fragment),
        "comp" => Some(GlslStage::Compute),
        _ => None,
    })
}

/// The name of a stage as an extension, and as a sub-asset.
fn short_name(stage: GlslStage) -> &'static str {
    match stage {
        GlslStage::Vertex => "vert",
        GlslStage::Fragment => "frag",
        GlslStage::Compute => "comp",
    }
}
