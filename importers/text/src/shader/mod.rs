//! Shaders: a source with the files that it includes, as a text for each stage, validated, with its interface.

mod asked;
#[cfg(feature = "shader-compile")]
mod back_ends;
#[cfg(feature = "shader")]
mod check;
mod directives;
mod include;
mod lines;
#[cfg(feature = "shader")]
mod reflect;
mod stages;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use rres_format::FourCc;
use rres_format::chunk::shader::ShaderInterface;
use rres_format::chunk::text::{CodeLanguage, TextEncoding};
use rres_import::{Asset, Block, ImportError, Note, Source};
use rres_settings::{ByteSize, GlslStage, Settings, ShaderImport, ShaderTarget, Word as _, extension_of};

use self::asked::{check_settings, defined_names, variants};
use self::directives::Defined;
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
    /// Whether the build follows directives that ask for names.
    has_defines: bool,
}

/// What a program has that needs no compiler of shaders.
#[cfg_attr(not(feature = "shader-compile"), expect(dead_code, reason = "nothing is compiled"))]
enum Compiled {
    /// The words of SPIR-V, in little-endian order.
    Spirv(Vec<u8>),
    /// A text of Metal, with its interface: names and slots of Metal.
    Msl(String, ShaderInterface),
}

#[cfg(feature = "shader-compile")]
use self::back_ends::compile;

/// Refuses to compile, without the back ends.
#[cfg(all(feature = "shader", not(feature = "shader-compile")))]
fn compile(
    _: &naga::Module,
    _: &naga::valid::ModuleInfo,
    _: &ShaderInterface,
    targets: &[ShaderTarget],
    _: bool,
) -> Result<Vec<Compiled>, ImportError> {
    if targets.is_empty() { Ok(Vec::new()) } else { Err(ImportError::new(NO_BACK_ENDS)) }
}

/// What is said if a shader would be compiled and cannot.
const NO_BACK_ENDS: &str = "would be compiled, but the feature `shader-compile` of rres-build is disabled";

/// What a build does with the source at `path`.
pub(super) fn treatment(path: &str, settings: &Settings) -> ShaderImport {
    let text = &settings.text;
    let default = if (is_wgsl(path) && cfg!(feature = "shader")) || !text.compile.is_empty() {
        ShaderImport::Validate
    } else if text.defines.is_some() || text.variants.is_some() {
        ShaderImport::Preprocess
    } else {
        ShaderImport::Keep
    };
    text.shader.unwrap_or(default)
}

fn is_wgsl(path: &str) -> bool {
    extension_of(path).eq_ignore_ascii_case("wgsl")
}

/// What a text becomes as a shader; `None` if it is stored like any other text.
pub(super) fn import(source: &mut Source<'_>, file: &TextFile<'_>) -> Result<Option<Vec<Asset>>, ImportError> {
    let TextFile { text, .. } = *file;
    let settings = &source.settings.text;
    let treatment = treatment(source.path, source.settings);
    check_settings(source, treatment, file)?;
    if treatment == ShaderImport::Keep {
        return Ok(None);
    }
    let shader = Shader {
        is_wgsl: is_wgsl(source.path),
        validates: treatment == ShaderImport::Validate,
        is_asked: settings.shader.is_some() || !settings.compile.is_empty(),
        has_defines: settings.defines.is_some() || settings.variants.is_some(),
    };
    if !shader.is_asked
        && let Some(directive) = other_directive(text, shader.has_defines)
    {
        let note = Note::new("not validated, because another preprocessor has to run first")
            .with_detail(format!("`{directive}`"))
            .with_help("to say that this is meant: text = { shader = \"keep\" }; for the directives that a build follows: text.defines");
        let mut asset = file.asset(source)?;
        asset.notes.push(note);
        return Ok(Some(vec![asset]));
    }
    let parts = parts(source, file, &shader)?;
    let (mut assets, mut faults) = (Vec::new(), Vec::<ImportError>::new());
    let mut unnamed = defined_names(settings);
    for variant in variants(settings) {
        let defined = shader.has_defines.then(|| Defined::new(settings.defines.iter().chain(variant.defines)));
        for part in &parts {
            let imported =
                Expanded::new(source, text, &part.ranges, shader.is_wgsl, defined.as_ref()).and_then(|expanded| {
                    unnamed.retain(|name| !expanded.names(name));
                    let names: Vec<&str> = part.name.into_iter().chain(variant.name).collect();
                    one(source, &shader, file, &expanded, part.stage, &names)
                });
            match (imported, variant.name) {
                (Ok(imported), _) => assets.extend(imported),
                // What the shader has without the variant is said once.
                (Err(error), Some(_)) if faults.contains(&error) => {}
                (Err(error), Some(name)) => faults.push(error.within(&format!("variant {name}"))),
                (Err(error), None) => faults.push(error),
            }
        }
    }
    if let Some(faults) = faults.into_iter().reduce(ImportError::and) {
        // Stored as it is, the shader would have neither.
        let asks_for_more = shader.has_defines || !settings.compile.is_empty();
        return Err(if asks_for_more { faults.without_fix() } else { faults });
    }
    check_names(&assets)?;
    if !unnamed.is_empty()
        && let Some(asset) = assets.first_mut()
    {
        let names: Vec<&str> = unnamed.into_iter().collect();
        let note = Note::new("a rule defines names that the shader does not have")
            .with_detail(names.join(", "))
            .with_help("correct text.defines or text.variants");
        asset.notes.push(note);
    }
    Ok(Some(assets))
}

/// A part of a source that is a text of its own: all of it, or a stage.
struct Part {
    stage: Option<GlslStage>,
    /// Its name as a sub-asset; `None` for the first.
    name: Option<&'static str>,
    ranges: Vec<Range<usize>>,
}

/// The texts that are in a source.
fn parts(source: &mut Source<'_>, file: &TextFile<'_>, shader: &Shader) -> Result<Vec<Part>, ImportError> {
    let stages = if shader.is_wgsl { None } else { split(source, file.text)? };
    let Some(stages) = stages else {
        let stage = source.settings.text.stage.or_else(|| stage_of_name(source.path));
        let whole = 0..file.text.len();
        return Ok(vec![Part { stage, name: None, ranges: vec![whole] }]);
    };
    let parts = stages.stages.into_iter().enumerate().map(|(number, StagePart { stage, part })| Part {
        stage: Some(stage),
        name: (number > 0).then(|| short_name(stage)),
        ranges: vec![stages.common.clone(), part],
    });
    Ok(parts.collect())
}

/// Refuses two assets of one name, such as a variant with the name of a stage.
fn check_names(assets: &[Asset]) -> Result<(), ImportError> {
    let mut names = BTreeSet::new();
    match assets.iter().find(|asset| !names.insert(asset.name.as_str())) {
        None => Ok(()),
        Some(asset) => {
            let message = format!("becomes two assets with the name `{}`", asset.name);
            let help = "give the variant another name than a stage (vert, frag, comp) or a target of text.compile";
            Err(ImportError::new(message).with_help(help))
        }
    }
}

/// One text, with its interface if it is validated, and what it is compiled to.
fn one(
    source: &Source<'_>,
    shader: &Shader,
    file: &TextFile<'_>,
    expanded: &Expanded,
    stage: Option<GlslStage>,
    names: &[&str],
) -> Result<Vec<Asset>, ImportError> {
    let targets = &source.settings.text.compile[..];
    let checked = match shader.validates {
        true => Some(check(expanded, shader.is_wgsl, stage, targets)),
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
        return Ok(vec![asset.named(names.join("."))]);
    }
    let text = match expanded.is_changed {
        true => file.with_text(&expanded.text).asset(source)?,
        false => file.asset(source)?,
    };
    let mut assets = vec![text.named(names.join("."))];
    if let Some((interface, compiled)) = checked.transpose()? {
        attach(&mut assets[0], &interface);
        if interface.entry_points.is_empty() && !targets.is_empty() {
            let note = Note::new("without entry point, so not compiled")
                .with_help("leave parts of other shaders out of the rule with text.compile");
            assets[0].notes.push(note);
            return Ok(assets);
        }
        for (compiled, target) in compiled.into_iter().zip(targets) {
            let name = [names, &[target.word()]].concat().join(".");
            assets.push(compiled.asset(source, &interface)?.named(name));
        }
    }
    Ok(assets)
}

impl Compiled {
    fn asset(self, source: &Source<'_>, interface: &ShaderInterface) -> Result<Asset, ImportError> {
        match self {
            Self::Spirv(bytes) => {
                let mut summary = format!("{} of SPIR-V", ByteSize(bytes.len() as u64));
                summary += &entry_points(interface);
                Ok(Asset::raw(bytes, "spv").with_summary(summary))
            }
            Self::Msl(text, interface) => {
                let language = CodeLanguage::UNDEFINED;
                let (encoding, bytes) = (TextEncoding::UTF8, text.as_bytes());
                let mut asset = TextFile { encoding, bytes, text: &text, language }.asset(source)?;
                asset.summary += " of Metal";
                attach(&mut asset, &interface);
                Ok(asset)
            }
        }
    }
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

/// The entry points of a shader as a part of a summary.
fn entry_points(interface: &ShaderInterface) -> String {
    interface.entry_points.iter().map(|entry| format!(", {} {}", entry.stage.name(), entry.name)).collect()
}

/// Adds the chunk with the interface.
fn attach(asset: &mut Asset, interface: &ShaderInterface) {
    // C readers would take a linked chunk for a part of the text.
    asset.blocks.iter_mut().for_each(|block| block.linked = false);
    asset.blocks.push(Block { linked: false, ..Block::new(FourCc::SHDR, interface.block()) });
    asset.summary += &entry_points(interface);
    let bindings = interface.bindings.len();
    if bindings > 0 {
        asset.summary += &format!(", {bindings} {}", if bindings == 1 { "binding" } else { "bindings" });
    }
}

/// The interface of a shader, and what it is compiled to.
type Checked = Result<(ShaderInterface, Vec<Compiled>), ImportError>;

#[cfg(feature = "shader")]
fn check(expanded: &Expanded, is_wgsl: bool, stage: Option<GlslStage>, targets: &[ShaderTarget]) -> Checked {
    let language = match (is_wgsl, stage) {
        (true, _) => check::Language::Wgsl,
        (false, Some(stage)) => check::Language::Glsl(stage),
        (false, None) => {
            let help = "set text.stage to \"vertex\", \"fragment\" or \"compute\" in assets.toml, or name the file .vert, .frag, .comp or .vert.glsl; \
                        set text.shader = \"keep\" if it is a part of other shaders";
            return Err(ImportError::new("is a shader of an unknown stage").with_help(help).with_fix(KEEP));
        }
    };
    check::check(expanded, language, targets)
}

#[cfg(not(feature = "shader"))]
fn check(_: &Expanded, _: bool, _: Option<GlslStage>, _: &[ShaderTarget]) -> Checked {
    Err(ImportError::new("cannot be validated without the feature `shader` of rres-build"))
}

fn split(source: &mut Source<'_>, text: &str) -> Result<Option<stages::Stages>, ImportError> {
    match stages::split(text) {
        Ok(stages) => Ok(stages),
        Err((at, message)) => {
            let place = Expanded::new(source, text, &[], false, None)?.fault_in_source(at, &message);
            Err(place.with_help("name each stage once").with_fix(KEEP))
        }
    }
}

/// The first directive of another preprocessor than this one, which follows conditions if names are defined.
fn other_directive(text: &str, has_defines: bool) -> Option<&str> {
    let is_own = |directive: &str| {
        let word = directive.trim_start().split(|character: char| !character.is_ascii_alphabetic()).next();
        let is_condition = matches!(word, Some("if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" | "define" | ""));
        directive.trim_start().starts_with("include") || (has_defines && is_condition)
    };
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
