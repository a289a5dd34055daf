//! The settings as a whole: what a settings file means, which errors it causes, and whether the manual matches the
//! table of settings.

mod contradictory;
mod errors;
mod fingerprint;
mod libraries;
mod manual;
mod meaning;
mod targets;

use std::path::Path;

use super::{Rules, TargetCfg};
use crate::diagnostic::Diagnostic;

fn parse(text: &str) -> Result<Rules, Vec<Diagnostic>> {
    match Rules::parse(Path::new("assets/assets.toml"), text, &android(), &Default::default()) {
        (rules, diagnostics) if diagnostics.is_empty() => Ok(rules),
        (_, diagnostics) => Err(diagnostics),
    }
}

/// The target of the tests.
fn android() -> TargetCfg {
    TargetCfg::new([r#"target_arch="aarch64""#, r#"target_os="android""#, "unix", r#"target_family="unix""#])
}

fn rules(text: &str) -> Rules {
    parse(text).unwrap_or_else(|diagnostics| panic!("{}", show(&diagnostics)))
}

/// Every error as shown in a terminal, without the name of the file.
fn show(diagnostics: &[Diagnostic]) -> String {
    let lines = diagnostics.iter().map(|diagnostic| format!("{diagnostic}\n"));
    lines.map(|line| line.replace("assets/assets.toml:", "")).collect()
}
