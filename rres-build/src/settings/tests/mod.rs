//! The settings as a whole: what texts mean, which errors they get, and that the manual tells the truth.

mod contradictory;
mod errors;
mod manual;
mod meaning;

use super::{Rules, SettingsError};

fn parse(text: &str) -> Result<Rules, Vec<SettingsError>> {
    Rules::parse("assets/assets.toml", text)
}

fn rules(text: &str) -> Rules {
    parse(text).unwrap_or_else(|errors| panic!("{}", show(&errors)))
}

/// Every error as a terminal shows it, without the name of the file.
fn show(errors: &[SettingsError]) -> String {
    let mut shown = String::new();
    for error in errors {
        let line = error.to_string();
        shown += line.strip_prefix("assets/assets.toml:").unwrap_or(&line);
        shown += "\n";
        if let Some(help) = error.help() {
            shown += &format!("  help: {help}\n");
        }
    }
    shown
}
