//! Builds → what decided what their assets became, and how far they keep the limits that the settings set.

use std::collections::HashMap;
use std::path::Path;

use rres_engine::{Explained, Explanation, Standing};
use rres_format::Compression;
use rres_packs::Resource;
use rres_settings::{LintFinding, LintLevel, Measure, SetBy, SettingOrigin};
use serde_json::{Value, json};

use crate::cmd::explain::setting_json;
use crate::diagnostic::{Diagnostic, lint_json};

/// How many assets of a budget are named.
const LARGEST: usize = 5;

/// The explanations of the builds that the packs of a report come from; none if these are not known.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    explained: Vec<Explained>,
    /// By the path of an asset or sub-asset in the pack: the positions of its build and of its explanation.
    by_path: HashMap<String, (usize, usize)>,
    /// Directories whose names a reader of the page does not need, each with a separator at its end.
    bases: Vec<String>,
}

impl Decisions {
    pub(super) fn new(explained: Vec<Explained>) -> Self {
        let mut by_path = HashMap::new();
        for (build, explained) in explained.iter().enumerate() {
            for (at, explanation) in explained.explanations.iter().enumerate() {
                for resource in explanation.import.iter().flat_map(|facts| &facts.resources) {
                    by_path.insert(resource.path.clone(), (build, at));
                }
            }
        }
        let current = std::env::current_dir().unwrap_or_default();
        let above = explained.iter().filter_map(|explained| explained.dir.parent());
        let with_name = |dir: &&Path| dir.parent().is_some();
        let bases = [&*current].into_iter().chain(above).filter(with_name);
        let bases = bases.map(|dir| dir.join("").display().to_string()).collect();
        Self { explained, by_path, bases }
    }

    /// Returns the path of the file whose asset has `path` in the pack; `path` itself if that is not known, and for sub-assets.
    pub(super) fn file_of<'p>(&'p self, path: &'p str) -> &'p str {
        let found = self.by_path.get(path).map(|&(build, at)| &self.explained[build].explanations[at]);
        let is_whole = |found: &&Explanation| {
            let main = found.import.as_ref().and_then(|facts| facts.resources.first());
            main.is_some_and(|resource| resource.path == path)
        };
        found.filter(is_whole).map_or(path, |found| &found.path)
    }

    /// Returns a text without the names of this machine's directories: pages are passed on.
    fn shown(&self, text: &str) -> String {
        self.bases.iter().fold(text.to_owned(), |text, base| text.replace(base, ""))
    }

    /// Returns a diagnostic without the names of this machine's directories.
    fn diagnostic(&self, diagnostic: &rres_settings::diagnostic::Diagnostic) -> Diagnostic {
        let Diagnostic { place, message, help } = diagnostic.into();
        let help = help.map(|help| self.shown(&help));
        Diagnostic { place: self.shown(&place), message: self.shown(&message), help }
    }

    /// Returns what is wrong with the settings and the sources, each fault once: `refused` and what the explanations say.
    pub(super) fn diagnostics<'a>(
        &'a self,
        refused: impl Iterator<Item = &'a rres_settings::diagnostic::Diagnostic>,
    ) -> Vec<Diagnostic> {
        let of_explaining = self.explained.iter().flat_map(|explained| &explained.diagnostics);
        let mut all: Vec<_> = refused.chain(of_explaining).collect();
        all.sort();
        all.dedup();
        all.into_iter().map(|diagnostic| self.diagnostic(diagnostic)).collect()
    }

    fn lints(&self) -> impl Iterator<Item = (&Explained, &LintFinding)> {
        self.explained.iter().flat_map(|explained| explained.lints.iter().map(move |lint| (explained, lint)))
    }

    /// Returns the number of limits and budgets that are exceeded.
    pub(super) fn lint_count(&self) -> usize {
        self.lints().count()
    }

    /// Returns lines about the limits and budgets that are exceeded and fail a build.
    pub(super) fn denied(&self) -> Vec<String> {
        let denied = self.lints().filter(|(_, lint)| lint.level == LintLevel::Deny);
        denied.map(|(_, lint)| self.shown(&lint.to_string())).collect()
    }

    /// Returns the limits and budgets that are exceeded. Assets have the paths that they have in the pack.
    pub(super) fn lints_json(&self) -> Vec<Value> {
        let lint = |(explained, lint): (&Explained, &LintFinding)| {
            let mut json = lint_json(lint);
            json["place"] = json!(self.shown(&lint.place));
            json["asset"] = json!(lint.asset.as_deref().map(|path| path_in_pack(explained, path)));
            json
        };
        self.lints().map(lint).collect()
    }

    /// Returns what the assets take of each budget.
    pub(super) fn budgets_json(&self) -> Vec<Value> {
        let mut budgets = Vec::new();
        for explained in &self.explained {
            for budget in &explained.budgets {
                let measure = match budget.measure {
                    Measure::Stored => "stored_size",
                    Measure::VideoMemory => "video_memory",
                };
                let largest = budget
                    .assets
                    .iter()
                    .take(LARGEST)
                    .map(|(path, bytes)| json!({ "path": path_in_pack(explained, path), measure: bytes }));
                budgets.push(json!({
                    "rule": budget.rule,
                    "place": self.shown(&budget.place),
                    "level": budget.level_word(),
                    "measure": measure,
                    "used": budget.used,
                    "allowed": budget.allowed,
                    "largest": largest.collect::<Vec<_>>(),
                }));
            }
        }
        budgets
    }

    /// Returns what decided about an asset of the pack; `null` if its source is not known.
    pub(super) fn json(&self, resource: &Resource<'_>) -> Value {
        let found = resource.path.as_deref().and_then(|path| self.by_path.get(path));
        let Some(&(build, at)) = found else { return Value::Null };
        let explanation = &self.explained[build].explanations[at];
        let settings = explanation.settings.iter().filter(|setting| setting.set_by.is_some());
        json!({
            "kind_reason": self.shown(&explanation.kind_reason),
            "id_reason": self.shown(&explanation.id_reason),
            "compression_reason": compression_reason(explanation, resource),
            "settings": settings.map(|setting| setting_json(&self.setting(setting))).collect::<Vec<_>>(),
        })
    }

    fn setting(&self, setting: &SettingOrigin) -> SettingOrigin {
        let mut setting = setting.clone();
        let shorten = |set_by: &mut SetBy| set_by.place = self.shown(&set_by.place);
        setting.set_by.iter_mut().chain(&mut setting.overridden).for_each(shorten);
        setting
    }
}

/// Returns why the largest chunk of an asset has its compression; `None` if the pack stores something else than a build would now.
fn compression_reason(explanation: &Explanation, resource: &Resource<'_>) -> Option<String> {
    let facts = explanation.import.as_ref()?;
    let now = facts.resources.iter().find(|now| Some(&*now.path) == resource.path.as_deref())?;
    let largest = resource.chunks.iter().max_by_key(|chunk| chunk.info.base_size)?;
    let stored = (resource.kind, resource.stored_size, largest.info.compression);
    // What an import gives does not have the size of a file with a sibling.
    let has_sibling = largest.info.compression == Compression::SIBLING;
    if !has_sibling && stored != (Some(now.kind), now.stored_size, now.compression) {
        return None;
    }
    Some(explanation.compression_reason(now.kind, &largest.info))
}

/// Returns the path that the file `path` has in the pack.
fn path_in_pack<'e>(explained: &'e Explained, path: &'e str) -> &'e str {
    let at = explained.explanations.binary_search_by(|explanation| explanation.path.as_str().cmp(path)).ok();
    let explanation = at.map(|at| &explained.explanations[at]).filter(|found| found.standing == Standing::Asset);
    let resource = explanation.and_then(|found| found.import.as_ref()?.resources.first());
    resource.map_or(path, |resource| &resource.path)
}
