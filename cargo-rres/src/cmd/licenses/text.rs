//! The credits as a text, for a file beside the game.

use std::fmt::Write;

use rres_licenses::{Credit, License, Terms};

use super::Ledger;

/// One line about a work: words that its author wants to be shown, or authors, licence and source. Empty if nothing is known.
pub(super) fn line(terms: &Terms) -> String {
    let people = if terms.authors.is_empty() { &terms.copyright } else { &terms.authors };
    let people = terms.attribution.clone().unwrap_or_else(|| people.join(", "));
    let license = terms.license.clone().unwrap_or_else(|| "no licence".to_owned());
    let what = match (people.is_empty(), *terms == Terms::default()) {
        (_, true) => return String::new(),
        (true, _) => license,
        (false, _) => format!("{people} ({license})"),
    };
    terms.source.iter().fold(what, |what, source| format!("{what}, {source}")).replace('\n', " ")
}

/// The works, then the texts of their licences.
pub(crate) fn credits(ledger: &Ledger, works: &[Credit]) -> String {
    let mut text = String::new();
    for credit in works {
        let line = line(&credit.terms);
        let _ = writeln!(text, "{}", if line.is_empty() { "No licence is known of:" } else { &line });
        // A notice is to be repeated, and words may be shown in place of authors.
        for notice in credit.terms.copyright.iter().filter(|notice| !line.contains(notice.as_str())) {
            let _ = writeln!(text, "  {notice}");
        }
        for file in &credit.files {
            let _ = writeln!(text, "  {file}");
        }
        text.push('\n');
    }
    for (name, licence) in ledger.texts() {
        match licence {
            Some(licence) => {
                let _ = writeln!(text, "{}\n{name}\n\n{}\n", "-".repeat(80), licence.trim_end());
            }
            None if License::is_listed(&name) => {
                let _ = writeln!(text, "{name}: https://spdx.org/licenses/{}.html", name.trim_end_matches('+'));
            }
            None => {
                let _ = writeln!(text, "{name}: its text is not in LICENSES/{name}.txt");
            }
        }
    }
    text
}
