//! The stages of a source that has several, each after a line that names it.

use std::ops::Range;

use rres_settings::GlslStage;

use super::lines::Lines;

/// One stage of a source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StagePart {
    pub(super) stage: GlslStage,
    /// Its place in the source.
    pub(super) part: Range<usize>,
}

/// The stages of a source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stages {
    /// What precedes the first stage, and belongs to all.
    pub(super) common: Range<usize>,
    /// In the order vertex, fragment, compute.
    pub(super) stages: Vec<StagePart>,
}

/// Why a source has no stages, with its place.
pub(super) type Fault = (usize, String);

/// The stages of a source; `None` if no line names one.
pub(super) fn split(text: &str) -> Result<Option<Stages>, Fault> {
    let mut common = 0..text.len();
    let mut stages: Vec<StagePart> = Vec::new();
    for line in Lines::new(text, 0..text.len(), false) {
        let Some(name) = marker(line.code) else { continue };
        let Some(stage) = stage(name) else {
            let message = format!("has the unknown stage \"{name}\", expected vertex, fragment (or pixel) or compute");
            return Err((line.range.start, message));
        };
        if stages.iter().any(|other| other.stage == stage) {
            return Err((line.range.start, format!("has the stage \"{name}\" twice")));
        }
        match stages.last_mut() {
            Some(last) => last.part.end = line.range.start,
            None => common.end = line.range.start,
        }
        stages.push(StagePart { stage, part: line.range.end..text.len() });
    }
    stages.sort_by_key(|stage| stage.stage);
    Ok((!stages.is_empty()).then_some(Stages { common, stages }))
}

/// The stage that a line names: `@v` as in Nikola, `#type vertex` as in Hazel, `#shader vertex`, `#[vertex]` as in Godot.
fn marker(code: &str) -> Option<&str> {
    let code = code.split_once("//").map_or(code, |(code, _)| code.trim_end());
    if let Some(letter @ ("v" | "p" | "f" | "c")) = code.strip_prefix('@') {
        return Some(letter);
    }
    if let Some(name) = code.strip_prefix("#[").and_then(|rest| rest.strip_suffix(']')) {
        return Some(name.trim());
    }
    let directive = code.strip_prefix('#')?.trim_start();
    let name = directive.strip_prefix("type").or_else(|| directive.strip_prefix("shader"))?;
    name.starts_with(char::is_whitespace).then(|| name.trim())
}

fn stage(name: &str) -> Option<GlslStage> {
    Some(match name.to_ascii_lowercase().as_str() {
        "v" | "vertex" | "vert" => GlslStage::Vertex,
        "p" | "f" | "pixel" | "fragment" | "frag" => GlslStage::Fragment,
        "c" | "compute" | "comp" => GlslStage::Compute,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_name_a_stage_splits() {
        for (fragment, vertex) in [
            ("@p", "@v"),
            ("#type fragment", "#type vertex"),
            ("# shader PIXEL", "#shader Vertex // first"),
            ("#[fragment]", "#[vertex]"),
        ] {
            let text = format!("common\n  {fragment}\nf\n{vertex}\r\nv\n");
            let Stages { common, stages } = split(&text).unwrap().unwrap();
            let found: Vec<_> = stages.into_iter().map(|stage| (stage.stage, text[stage.part].to_owned())).collect();
            let expected = [(GlslStage::Vertex, "v\n".to_owned()), (GlslStage::Fragment, "f\n".to_owned())];
            assert_eq!((&text[common], &found[..]), ("common\n", &expected[..]));
        }
    }

    #[test]
    fn other_lines_do_not_split() {
        for text in ["", "@vertex\n", "#types vertex\n", "/*\n@v\n*/\n", "// @v\n", "int a; @v\n", "#version 450\n"] {
            assert_eq!(split(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn unknown_and_repeated_stages_are_faults() {
        let (at, message) = split("@v\n#type geometry\n").unwrap_err();
        assert_eq!((at, message.contains("unknown stage \"geometry\"")), (3, true));
        assert_eq!(split("@v\n@c\n@v\n").unwrap_err(), (6, "has the stage \"v\" twice".to_owned()));
    }
}
