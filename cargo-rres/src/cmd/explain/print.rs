//! An explanation for people.

use std::env;
use std::path::Path;

use rres_engine::{Explanation, ImportFacts, Standing};
use rres_protocol::sub_asset;
use rres_settings::{ByteSize, MatchedRule, SetBy};

use super::{Answer, Named};
use crate::exit::Failure;
use crate::output::{Column, Output, Style, Table, count, escape_terminal};

/// How many lines that name the constant are listed.
const MAX_NAMED: usize = 5;

pub(super) fn print(answer: &Answer, verbose: bool, out: &mut Output) -> Result<(), Failure> {
    let (explained, explanation) = (&answer.explained, answer.explanation());
    out.styled_line(Style::Bold, &escape_terminal(&explanation.path))?;
    let mut fact = |name: &str, text: String| out.line(format!("  {name:<9} {}", escape_terminal(&text)));
    fact("file", shown(&explanation.file.display().to_string()))?;
    if let Some(reason) = left_out(explanation) {
        fact("left out", reason)?;
        return Ok(());
    }
    let optional = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let because = |what: &str| format!("{what} ({})", shown(&explanation.kind_reason));
    // The importer of a kind has the name of the kind.
    match explanation.importer.as_deref().filter(|name| explanation.kind.is_none_or(|kind| kind.name() != *name)) {
        Some(importer) => {
            let kind = explanation.kind.map(|kind| match &explanation.rust_type {
                Some(of) => format!("{kind} ({of})"),
                None => kind.to_string(),
            });
            fact("kind", optional(kind))?;
            fact("importer", because(importer))?;
        }
        None => fact("kind", optional(explanation.kind.map(|kind| because(kind.name()))))?,
    }
    let constant = explanation.constant.as_ref().map(|constant| format!("{}::{constant}", explanation.module));
    fact("constant", optional(constant))?;
    fact("id", optional(explanation.id.map(|id| format!("{id} ({})", shown(&explanation.id_reason)))))?;
    fact("pack", explained.pack.clone())?;
    if !explanation.groups.is_empty() {
        fact("groups", explanation.groups.join(", "))?;
    }
    if let Some(facts) = &explanation.import {
        if let Some(resource) = facts.resources.first() {
            fact("contents", resource.summary.clone())?;
        }
        fact("size", sizes(facts))?;
        if verbose {
            let how = if facts.cached { "from the cache" } else { "imported" };
            fact("import", format!("{how} in {:.1} ms", facts.elapsed.as_secs_f64() * 1e3))?;
        }
        if !facts.inputs.is_empty() {
            fact("reads", facts.inputs.join(", "))?;
        }
        let needs: Vec<&str> = facts.resources[..facts.resources.len().min(1)]
            .iter()
            .flat_map(|resource| resource.dependencies.iter().map(String::as_str))
            .collect();
        if !needs.is_empty() {
            fact("needs", needs.join(", "))?;
        }
    }
    if !explanation.needed_by.is_empty() {
        fact("needed by", explanation.needed_by.join(", "))?;
    }
    if !explanation.read_by.is_empty() {
        fact("read by", explanation.read_by.join(", "))?;
    }
    if let Some(text) = named(&answer.named) {
        fact("named in", text)?;
    }
    for (note, help) in &explanation.notes {
        let help = if help.is_empty() { String::new() } else { format!("; {help}") };
        fact("note", format!("{note}{help}"))?;
    }
    for lint in &explained.lints {
        let level = lint.level_word();
        fact(level, format!("{} (set at {})", lint.message(), shown(&lint.place)))?;
    }
    print_settings(explanation, verbose, out)?;
    print_chunks(explanation, out)
}

/// Why a file is not in the pack, in words.
fn left_out(explanation: &Explanation) -> Option<String> {
    Some(match &explanation.standing {
        Standing::Ignored { rule, place } => format!("by ignore = true of \"{rule}\" at {}", shown(place)),
        Standing::NeverAsset { name } => {
            format!("because of its name: \"{name}\" is hidden, or left behind by an editor or a system")
        }
        Standing::TargetFile { asset, file } if *file == explanation.path => {
            format!("under this name: it is \"{}\" for this target", shown(asset))
        }
        Standing::TargetFile { asset, file } => {
            format!("because \"{}\" is the file {} for this target", shown(asset), shown(file))
        }
        Standing::PartOfModel { model } => {
            format!("because the model {} contains it; set kind = \"raw\" in a rule to pack it as well", shown(model))
        }
        Standing::Settings => "because it contains the settings".to_owned(),
        Standing::Refused if explanation.kind.is_none() => "because it is refused; see the error".to_owned(),
        Standing::Uncertain => "because a rule with a mistake matches it; see the error".to_owned(),
        _ => return None,
    })
}

fn sizes(facts: &ImportFacts) -> String {
    let ImportFacts { source_size, stored_size, .. } = facts;
    let decoded: u64 = facts.resources.iter().map(|resource| resource.decoded_size).sum();
    let [stored, decoded, source] = [*stored_size, decoded, *source_size].map(ByteSize);
    format!("{stored} stored, {decoded} decoded; source file {source}")
}

fn named(named: &[Named]) -> Option<String> {
    let line = |Named { file, line }: &Named| format!("{}:{line}", shown(&file.display().to_string()));
    let mut text = named.iter().take(MAX_NAMED).map(line).collect::<Vec<_>>().join(", ");
    if named.len() > MAX_NAMED {
        text += &format!(" and {} more", named.len() - MAX_NAMED);
    }
    (!named.is_empty()).then_some(text)
}

fn print_settings(explanation: &Explanation, verbose: bool, out: &mut Output) -> Result<(), Failure> {
    let is_shown =
        |setting: &&rres_settings::SettingOrigin| verbose || setting.set_by.is_some() || !setting.overridden.is_empty();
    let mut table = Table::new(&[Column::left("SETTING"), Column::left("VALUE"), Column::left("SET BY")]);
    let mut rows = 0;
    for setting in explanation.settings.iter().filter(is_shown) {
        let by = setting.set_by.as_ref().map_or_else(|| "default".to_owned(), |by| set_by(by, &setting.key));
        table.row([setting.key.clone(), escape_terminal(&setting.value), by]);
        for overridden in setting.overridden.iter().rev() {
            table.row([
                String::new(),
                escape_terminal(&overridden.value),
                format!("{}, overridden", set_by(overridden, &setting.key)),
            ]);
        }
        rows += 1;
    }
    let others = explanation.settings.len() - rows;
    if rows > 0 {
        out.line("")?;
        table.print(out)?;
    }
    for MatchedRule { rule, place, when, .. } in explanation.rules.iter().filter(|rule| !rule.holds) {
        let when = when.as_deref().unwrap_or_default();
        out.line(escape_terminal(&format!("not for this target: \"{rule}\" for {when} at {}", shown(place))))?;
    }
    if others > 0 {
        let all = if rows == 0 { "all settings have their defaults" } else { "the others have their defaults" };
        out.line(format!("{}{all}; -v lists them", if rows == 0 { "\n" } else { "" }))?;
    }
    Ok(())
}

/// What set the setting `of`.
fn set_by(SetBy { key, rule, place, when, .. }: &SetBy, of: &str) -> String {
    let rule = if rule == "[pack]" { rule.clone() } else { format!("\"{rule}\"") };
    let key = if *key == of { String::new() } else { format!("{key} of ") };
    let when = when.as_ref().map(|when| format!(" for {when}")).unwrap_or_default();
    escape_terminal(&format!("{key}{rule}{when} at {}", shown(place)))
}

fn print_chunks(explanation: &Explanation, out: &mut Output) -> Result<(), Failure> {
    let Some(facts) = explanation.import.as_ref().filter(|facts| !facts.resources.is_empty()) else { return Ok(()) };
    out.line("")?;
    let mut table = Table::new(&[
        Column::left("CHUNK"),
        Column::right("STORED"),
        Column::right("DECODED"),
        Column::left("COMPRESSION"),
        Column::left("BECAUSE"),
    ]);
    for resource in &facts.resources {
        let name = sub_asset::split(&resource.path).map(|(_, name)| format!(" #{name}")).unwrap_or_default();
        for chunk in &resource.chunks {
            let [stored, decoded] = [chunk.stored_size, chunk.decoded_size].map(|size| ByteSize(size).to_string());
            let kind = escape_terminal(&format!("{}{name}", chunk.kind));
            table.row([kind, stored, decoded, chunk.compression.to_string(), chunk.reason.clone()]);
        }
    }
    table.print(out)?;
    if facts.resources.len() > 1 {
        out.line(format!("{} in the file", count(facts.resources.len() - 1, "sub-asset")))?;
    }
    Ok(())
}

/// A text with a path, or that ends in one, relative to the current directory.
fn shown(text: &str) -> String {
    let current = env::current_dir().unwrap_or_default();
    let current = format!("{}{}", current.display(), std::path::MAIN_SEPARATOR);
    if Path::new(&current).parent().is_none() { text.to_owned() } else { text.replace(&current, "") }
}
