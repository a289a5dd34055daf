//! Validation by naga, as wgpu does it when a program creates the shader.

use std::error::Error;
use std::thread;

use naga::front::{glsl, wgsl};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage, Span};
use rres_format::chunk::shader::ShaderInterface;
use rres_import::ImportError;
use rres_settings::{GlslStage, ShaderTarget};

use super::include::Expanded;
use super::reflect::reflect;
use super::{Compiled, KEEP};

/// The stack of the thread that parses. The parsers call themselves for what is inside brackets, and without optimisation, as build
/// scripts are compiled, that takes much.
const STACK: usize = 64 << 20;
/// The brackets inside each other that a source may have, since the parser of GLSL has no limit.
const MAX_BRACKETS: usize = 256;
/// The signs in a row that a source may have, which are parsed inside each other, too.
const MAX_SIGNS: usize = 256;
/// The operators of a statement, and the `else` of a chain, which are parsed inside each other as well.
const MAX_CHAIN: usize = 2_000;
/// The characters of a message of naga that are shown.
const MAX_MESSAGE: usize = 400;
/// The faults of one source that are reported.
const MAX_FAULTS: usize = 20;

/// The language of a source.
#[derive(Clone, Copy)]
pub(super) enum Language {
    Wgsl,
    Glsl(GlslStage),
}

/// Validates a source, and compiles it; its interface, and what it became.
///
/// # Errors
/// [`ImportError`] about each fault that naga finds, at its place.
pub(super) fn check(
    expanded: &Expanded,
    language: Language,
    targets: &[ShaderTarget],
) -> Result<(ShaderInterface, Vec<Compiled>), ImportError> {
    if let Some(at) = too_deep(&expanded.text) {
        let message = format!(
            "has more than {MAX_BRACKETS} brackets inside each other, {MAX_SIGNS} signs in a row, or {MAX_CHAIN} operators or `else` in one statement"
        );
        return Err(expanded.fault(at, &message).with_fix(KEEP));
    }
    let on_large_stack = || {
        let module = match language {
            Language::Wgsl => parse_wgsl(expanded)?,
            Language::Glsl(stage) => parse_glsl(expanded, stage)?,
        };
        let info = validate(expanded, &module)?;
        let interface = reflect(&module, &info)?;
        let is_wgsl = matches!(language, Language::Wgsl);
        let compiled = super::compile(&module, &info, &interface, targets, is_wgsl)?;
        Ok((interface, compiled))
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("rres shader".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, on_large_stack) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(ImportError::new(format!("cannot be validated: no thread could be started: {error}"))),
        }
    })
}

fn parse_wgsl(expanded: &Expanded) -> Result<Module, ImportError> {
    wgsl::parse_str(&expanded.text).map_err(|error| {
        // A label may be about no place.
        let mut labels = error.labels().filter(|(span, _)| span.is_defined());
        let (span, label) = labels.next().unwrap_or((Span::UNDEFINED, ""));
        let mut message = error.message().to_owned();
        if !label.is_empty() && !message.contains(label) {
            message += &format!(" ({})", label.trim_end_matches('.'));
        }
        let others = labels.filter(|(_, label)| !label.is_empty()).map(|(_, label)| label.to_owned());
        let help: Vec<String> = error.notes().map(str::to_owned).chain(others).collect();
        fault(expanded, span, &message, &help)
    })
}

fn parse_glsl(expanded: &Expanded, stage: GlslStage) -> Result<Module, ImportError> {
    let stage = match stage {
        GlslStage::Vertex => ShaderStage::Vertex,
        GlslStage::Fragment => ShaderStage::Fragment,
        GlslStage::Compute => ShaderStage::Compute,
    };
    glsl::Frontend::default().parse(&glsl::Options::from(stage), &expanded.text).map_err(|errors| {
        let is_other = |error: &&glsl::Error| {
            matches!(error.kind, glsl::ErrorKind::InvalidVersion(_) | glsl::ErrorKind::InvalidProfile(_))
        };
        // Other faults follow from this one.
        if let Some(error) = errors.errors.iter().find(is_other) {
            let help = "only GLSL 440, 450 and 460 core can be validated: set text.shader = \"preprocess\" or \"keep\" for others";
            return fault(expanded, error.meta, &error.to_string(), &[help.to_owned()]);
        }
        let mut faults = errors.errors.iter().take(MAX_FAULTS).map(|error| {
            let help = match error.kind {
                glsl::ErrorKind::NotImplemented(_) => {
                    "naga cannot read it: declare a texture2D and a sampler instead of a sampler2D, or set text.shader = \"preprocess\""
                }
                _ => return fault(expanded, error.meta, &error.to_string(), &[]),
            };
            fault(expanded, error.meta, &error.to_string(), &[help.to_owned()])
        });
        let first = faults.next().unwrap_or_else(|| ImportError::new("is not valid").with_fix(KEEP));
        faults.fold(first, ImportError::and)
    })
}

/// Checks the module with everything allowed that some GPU can do.
fn validate(expanded: &Expanded, module: &Module) -> Result<ModuleInfo, ImportError> {
    Validator::new(ValidationFlags::all(), Capabilities::all()).validate(module).map_err(|error| {
        let mut spans = error.spans();
        let (span, label) = spans.next().cloned().unwrap_or((Span::UNDEFINED, String::new()));
        let mut message = error.as_inner().to_string();
        let mut cause = error.as_inner().source();
        while let Some(inner) = cause {
            message += &format!(": {inner}");
            cause = inner.source();
        }
        // Labels such as "naga::ir::Expression [5]" name what only naga knows.
        if !label.is_empty() && !label.starts_with("naga::") {
            message += &format!(" ({label})");
        }
        fault(expanded, span, &message, &[])
    })
}

fn fault(expanded: &Expanded, span: Span, message: &str, help: &[String]) -> ImportError {
    // Messages of naga are sentences, and some contain whole types.
    let mut message = message.trim().trim_end_matches('.').replace('\n', " ");
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.replace_range(end.., "…");
    }
    if message.get(1..2).is_some_and(|second| second.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ')) {
        message[..1].make_ascii_lowercase();
    }
    let error = match span.to_range() {
        Some(range) => expanded.fault(range.start, &message),
        None => ImportError::new(message),
    };
    let error = error.with_fix(KEEP);
    match help.is_empty() {
        true => error,
        false => error.with_help(help.iter().map(|line| line.replace('\n', " ")).collect::<Vec<_>>().join("; ")),
    }
}

/// The first byte that is nested too deep for parsers that call themselves.
fn too_deep(text: &str) -> Option<usize> {
    let code = without_comments(text.as_bytes());
    let (mut depth, mut signs) = (0_usize, 0_usize);
    // Runs of operators since the last end of a statement or argument, and `else` since the last end of a function.
    let (mut operators, mut chained, mut last) = (0_usize, 0_usize, b' ');
    code.iter().copied().enumerate().position(|(at, byte)| {
        match byte {
            b';' | b'{' | b'}' | b',' => operators = 0,
            b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'=' | b'<' | b'>' | b'?' if !is_operator(last) => {
                operators += 1;
            }
            b'e' if code[at..].starts_with(b"else") => chained += 1,
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && byte == b'}' {
            chained = 0;
        }
        match byte {
            b'+' | b'-' | b'!' | b'~' | b'*' | b'&' => signs += 1,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => signs = 0,
        }
        depth > MAX_BRACKETS || signs > MAX_SIGNS || operators > MAX_CHAIN || chained > MAX_CHAIN
    })
}

/// The same bytes with spaces in the place of comments. What may be code in one of the languages stays: comments do not nest, end with any
/// line break, and have an end.
fn without_comments(text: &[u8]) -> Vec<u8> {
    const LINE_BREAKS: [&[u8]; 7] =
        [b"\n", b"\r", b"\x0b", b"\x0c", "\u{85}".as_bytes(), "\u{2028}".as_bytes(), "\u{2029}".as_bytes()];
    let (mut code, mut at) = (text.to_vec(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let len = if rest.starts_with(b"//") {
            (2..rest.len()).find(|i| LINE_BREAKS.iter().any(|end| rest[*i..].starts_with(end)))
        } else if rest.starts_with(b"/*") {
            rest[2..].windows(2).position(|end| end == b"*/").map(|end| end + 4)
        } else {
            None
        };
        code[at..at + len.unwrap_or(0)].fill(b' ');
        at += len.unwrap_or(1);
    }
    code
}

fn is_operator(byte: u8) -> bool {
    b"+-*/%&|^=<>?".contains(&byte)
}
