//! What is beyond a limit that the settings set: an asset that is too large, a budget that is exceeded.
//!
//! The rows of `settings/table.rs` that affect `Check` are limits; `pipeline/set/lint.rs` compares assets with them.

use std::fmt;
use std::path::PathBuf;

use super::values::{LintLevel, Measure, Word};
use crate::diagnostic::{Diagnostic, Place};

/// Something beyond a limit that the settings set. Displayed as one line:
/// `assets/ui/sky.png: is 4096 pixels wide, "ui/**" allows 2048`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintFinding {
    /// The path of the asset; `None` for a budget.
    pub asset: Option<String>,
    /// The key of the limit, such as `max_size` or `image.max_width`; `budget` for a budget.
    pub lint: &'static str,
    /// What the build does about it: it warns, or it fails.
    pub level: LintLevel,
    /// What was found, in words: `4096 pixels wide`.
    pub found: String,
    /// What is allowed, in words: `2048`.
    pub allowed: String,
    /// The glob of the rule or of the budget; `total` or `group.NAME` for other budgets.
    pub rule: String,
    /// File, line and column where the limit is set.
    pub place: String,
    diagnostic: Diagnostic,
}

impl LintFinding {
    /// An asset, whose file is `file`, beyond the limit that the rule `rule` sets at `place`.
    pub fn of_asset(
        file: impl Into<PathBuf>,
        asset: &str,
        level: LintLevel,
        limit: Limit<'_>,
        found: String,
        allowed: String,
    ) -> Self {
        let Limit { lint, rule, place } = limit;
        let message = format!("is {found}, `{lint}` of \"{rule}\" allows {allowed}");
        let help = format!("the limit is at {place}; set lint = \"allow\" for the file to accept it");
        let diagnostic = Diagnostic::file(file, message).with_help(help);
        let (rule, place) = (rule.to_owned(), place.to_string());
        Self { asset: Some(asset.to_owned()), lint, level, found, allowed, rule, place, diagnostic }
    }

    /// A table of texts that differs from the table of another language: what it has or lacks, and what is expected.
    pub fn of_texts(
        file: impl Into<PathBuf>,
        asset: &str,
        level: LintLevel,
        limit: Limit<'_>,
        found: String,
        allowed: String,
    ) -> Self {
        let Limit { lint, rule, place } = limit;
        let help = "set lint = \"allow\" for the file to accept it, or \"deny\" to make it an error".to_owned();
        let diagnostic = Diagnostic::file(file, format!("{found}, but {allowed}")).with_help(help);
        let (rule, place) = (rule.to_owned(), place.to_string());
        Self { asset: Some(asset.to_owned()), lint, level, found, allowed, rule, place, diagnostic }
    }

    /// An asset that is not as the settings of the pack want all assets to be: what was found, and what is expected.
    pub fn of_pack(
        file: impl Into<PathBuf>,
        asset: &str,
        level: LintLevel,
        (lint, place): (&'static str, &Place),
        (found, allowed): (String, String),
        help: &str,
    ) -> Self {
        let help = format!("{help}; lint = \"allow\" accepts the file as it is");
        let diagnostic = Diagnostic::file(file, format!("{found}, {allowed}")).with_help(help);
        let (asset, rule, place) = (Some(asset.to_owned()), "[lints]".to_owned(), place.to_string());
        Self { asset, lint, level, found, allowed, rule, place, diagnostic }
    }

    /// A budget that is exceeded.
    pub fn of_budget(rule: &str, place: &Place, level: LintLevel, found: String, allowed: String) -> Self {
        let message = format!("over budget: \"{rule}\" takes {found}, expected at most {allowed}");
        let diagnostic = Diagnostic::new(place.clone(), message);
        let (rule, place) = (rule.to_owned(), place.to_string());
        Self { asset: None, lint: "budget", level, found, allowed, rule, place, diagnostic }
    }

    /// Divides findings into warnings and the diagnostics of errors.
    pub fn split(findings: Vec<Self>) -> (Vec<Self>, Vec<Diagnostic>) {
        let (denied, warnings): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.level == LintLevel::Deny);
        (warnings, denied.into_iter().map(|finding| finding.diagnostic).collect())
    }

    /// Returns the finding without the place of the asset or budget: `is 4096 pixels wide, …`.
    pub fn message(&self) -> &str {
        self.diagnostic.message()
    }

    /// Returns the level as it is written in settings: `warn`.
    pub fn level_word(&self) -> &'static str {
        self.level.word()
    }
}

/// One line.
impl fmt::Display for LintFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.diagnostic.place(), self.diagnostic.message())
    }
}

/// A budget, and what its assets take of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetUse {
    /// The glob of the budget; `total` or `group.NAME` for other budgets. `vram`, `vram.GLOB` and `group.NAME.vram` for video memory.
    pub rule: String,
    /// File, line and column where the budget is set.
    pub place: String,
    /// What the build does if the budget is exceeded.
    pub level: LintLevel,
    /// What is limited.
    pub measure: Measure,
    /// Bytes that the assets take together.
    pub used: u64,
    /// Bytes that they may take.
    pub allowed: u64,
    /// The assets that share the budget and the bytes of each, the largest first.
    pub assets: Vec<(String, u64)>,
}

impl BudgetUse {
    /// Returns the level as it is written in settings: `deny`.
    pub fn level_word(&self) -> &'static str {
        self.level.word()
    }
}

/// The origin of a limit.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'r> {
    /// Its key.
    pub lint: &'static str,
    /// The glob of the rule that sets it.
    pub rule: &'r str,
    pub place: &'r Place,
}
