//! What trials have measured → what is worth doing.

use std::collections::BTreeMap;

use rres_settings::{glob_of, toml_string};
use toml_edit::DocumentMut;

use super::measure::{Files, Measured};
use super::trials::Trial;

/// The least part of the bytes that advice saves.
const LEAST_PART: f64 = 0.05;

/// The fewest bytes that it saves.
const LEAST_BYTES: u64 = 4 << 10;

/// A setting that makes the files of a folder smaller.
pub(super) struct Advice {
    pub(super) files: Files,
    pub(super) trial: &'static Trial,
    pub(super) before: Measured,
    pub(super) after: Measured,
}

impl Advice {
    /// The bytes that it saves in the pack.
    pub(super) fn saved(&self) -> u64 {
        self.before.stored.saturating_sub(self.after.stored)
    }

    /// The rule as it stands in `assets.toml`, with a glob that is no key of the document yet; `None` if all are.
    pub(super) fn rule(&self, document: &DocumentMut) -> Option<String> {
        let glob = globs(&self.files).into_iter().find(|glob| !document.contains_key(glob))?;
        Some(format!("[{}]\n{}\n", toml_string(&glob), self.trial.keys))
    }

    /// The glob of the rule.
    pub(super) fn glob(&self) -> String {
        globs(&self.files)[0].clone()
    }
}

/// Globs that match these files, each written in another way: a file may have a rule with one of them.
fn globs(Files { folder, extension }: &Files) -> Vec<String> {
    let folder = if folder.is_empty() { String::new() } else { format!("{}/", glob_of(folder)) };
    if extension.is_empty() {
        return vec![format!("{folder}*"), format!("{folder}{{*,*}}")];
    }
    let extension = glob_of(extension);
    let first = extension.chars().next().unwrap_or_default();
    vec![
        format!("{folder}*.{extension}"),
        format!("{folder}*.{{{extension},{extension}}}"),
        format!("{folder}*.[{first}]{}", &extension[first.len_utf8()..]),
    ]
}

/// What saves enough, for each trial. The largest saving is first.
pub(super) fn advice(
    before: &BTreeMap<Files, Measured>,
    tried: Vec<(&'static Trial, BTreeMap<Files, Measured>)>,
) -> Vec<Advice> {
    let mut all = Vec::new();
    for (trial, measured) in tried {
        for (files, after) in measured {
            // A file that is refused with the setting is not one that takes no bytes.
            let is_whole = |before: &&Measured| trial.suits(before.kind) && before.assets == after.assets;
            let Some(before) = before.get(&files).filter(is_whole) else { continue };
            let advice = Advice { files, trial, before: before.clone(), after };
            let is_worth_it =
                advice.saved() >= LEAST_BYTES && advice.saved() as f64 >= LEAST_PART * before.stored as f64;
            all.extend(Some(advice).filter(|_| is_worth_it));
        }
    }
    all.sort_by(|a, b| b.saved().cmp(&a.saved()).then_with(|| a.files.cmp(&b.files)));
    all
}

/// The advice to follow: for the files of each folder the one that saves most, without loss or with.
pub(super) fn chosen(all: &[Advice], may_lose: bool) -> Vec<&Advice> {
    let mut chosen: Vec<&Advice> = Vec::new();
    for advice in all.iter().filter(|advice| may_lose || advice.trial.loss.is_none()) {
        if chosen.iter().all(|other| other.files != advice.files) {
            chosen.push(advice);
        }
    }
    chosen
}
