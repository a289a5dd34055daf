//! The settings as a whole: what a settings file means, which errors it causes, and whether the manual matches the
//! table of settings.

mod contradictory;
mod errors;
mod fingerprint;
mod manual;
mod meaning;

use std::path::Path;

use super::Rules;
use crate::diagnostic::Diagnostic;

fn parse(text: &str) -> Result<Rules, Vec<Diagnostic>> {
    match Rules::parse(Path::new("assets/assets.toml"), text) {
        (rules, diagnostics) if diagnostics.is_empty() => Ok(rules),
        (_, diagnostics) => Err(diagnostics),
    }
}

fn rules(text: &str) -> Rules {
    parse(text).unwrap_or_else(|diagnostics| panic!("{}", show(&diagnostics)))
}

/// Every error as shown in a terminal, without the name of the file.
fn show(diagnostics: &[Diagnostic]) -> String {
    let lines = diagnostics.iter().map(|diagnostic| format!("{diagnostic}\n"));
    lines.map(|line| line.replace("assets/assets.toml:", "")).collect()
}
