//! What rules say about importers of the build script: which one reads a file, and its settings.

use rres_protocol::nearest::nearest;

use super::importer_description::{Description, importer_names, unknown_importer};
use super::matching_rule::MatchingRule;
use crate::asset_kinds::{described, importer_of_extension};
use crate::diagnostic::Diagnostic;

/// Checks the values that a rule of `build.rs` sets, which have not been read by the settings themselves, and gives them the types
/// of those.
pub(super) fn check_values(rule: &mut MatchingRule, importers: &[Description], diagnostics: &mut Vec<Diagnostic>) {
    let MatchingRule { values, place, .. } = rule;
    for ((importer, key), value) in &mut values.importers {
        let mut report = |message, help| diagnostics.push(Diagnostic::new(place.clone(), message).with_help(help));
        let Some(spec) = described(importers, importer) else {
            let near = nearest(importer, importers.iter().map(|spec| spec.name.as_str()));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            report(format!("unknown importer `{importer}`: this build has none of this name"), help);
            continue;
        };
        let Some(setting) = spec.setting(key) else {
            let known: Vec<&str> = spec.settings.iter().map(|setting| setting.key.as_str()).collect();
            let expected =
                if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
            let help = nearest(key, known).map(|near| format!("did you mean `{near}`?"));
            report(format!("unknown setting `{key}` of the importer `{importer}`: {expected}"), help);
            continue;
        };
        match setting.check(&format!("{importer}.{key}"), value) {
            Ok(typed) => *value = typed,
            Err((message, help)) => report(message, help),
        }
    }
}

/// Reports an importer that does not exist, and settings of importers that do not read the files of the rule.
pub(super) fn check_importers(rule: &MatchingRule, importers: &[Description], diagnostics: &mut Vec<Diagnostic>) {
    let asset = &rule.values.asset;
    let chosen = asset.importer.as_ref().and_then(Option::as_deref);
    if let (Some(name), Some(place)) = (chosen, rule.place_of("importer")) {
        let known = importer_names(importers);
        if !known.iter().any(|known| known == name) {
            let (message, help) = unknown_importer(name, &known);
            diagnostics.push(Diagnostic::new(place.clone(), message).with_help(help));
            return;
        }
    }
    let glob = rule.pattern.as_str();
    let mut reported: Vec<&str> = Vec::new();
    for (importer, _, place) in &rule.importer_places {
        let Some(spec) = described(importers, importer) else { continue };
        let reads = match (chosen, asset.kind.flatten()) {
            (Some(chosen), _) => (chosen != importer).then(|| format!("with `importer` = \"{chosen}\"")),
            (None, Some(kind)) => Some(format!("with `kind` = \"{kind}\"")),
            // If the importer reads some of the files, the setting has an effect.
            (None, None) => {
                let others: Option<Vec<String>> =
                    rule.pattern.globs().map(|glob| other_importer(glob, spec, importers)).collect();
                others.and_then(|others| Some(format!("on \"{glob}\": {}", others.first()?)))
            }
        };
        let Some(reads) = reads.filter(|_| !reported.contains(&importer.as_str())) else { continue };
        reported.push(importer);
        let message = format!("contradictory values: `{importer}` has no effect {reads}");
        let help = format!("to have this importer read the files, set `importer` = \"{importer}\" in the same rule");
        diagnostics.push(Diagnostic::new(place.clone(), message).with_help(Some(help)));
    }
}

/// What reads the files of a glob instead of the importer `spec`, if the extension of the glob decides that for certain.
fn other_importer(glob: &str, spec: &Description, importers: &[Description]) -> Option<String> {
    let (_, extension) = glob.rsplit_once('.')?;
    let is_certain = !extension.is_empty() && extension.chars().all(char::is_alphanumeric);
    if !is_certain || spec.takes(extension) {
        return None;
    }
    let of_script = importers.iter().find(|other| other.takes(extension)).map(|other| other.name.as_str());
    let of_rres = importer_of_extension(extension);
    let named = of_script.or_else(|| of_rres.filter(|row| !row.is_of_kind()).map(|row| row.name));
    Some(match named {
        Some(name) => format!("the importer `{name}` reads .{extension} files"),
        None => format!("the kind is \"{}\"", of_rres.map_or("raw", |row| row.name)),
    })
}
