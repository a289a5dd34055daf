//! `cargo rres texts pseudo`: a language for tests, in the tables.

use std::path::Path;

use rres_format::LanguageTag;
use rres_translations::pseudo;

use super::import::{Changes, PSEUDO, Translations};
use super::tables::{self, Tables, shown};
use crate::asset_builds::BuildArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Write a pseudo-language into the tables: accents, brackets, a third longer
///
/// A game in this language shows texts that nobody has marked for translation, letters that a font lacks, and what does not fit. Placeholders and
/// tags stay as they are. Run it again after a change of texts.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    /// Tag of the language
    #[arg(long, value_name = "TAG", default_value = PSEUDO)]
    language: LanguageTag,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let tables = Tables::read(args.builds.find(out)?.builds)?;
    let language = args.language.to_string();
    let (mut changes, mut faults, mut texts) = (Changes::default(), Vec::new(), 0);
    // A file of an earlier run is a table of its own until `locales` lists the language.
    let is_own = |source: &str| {
        let stem = Path::new(source).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        stem.rsplit_once('.').is_some_and(|(_, tag)| tag.replace('_', "-").eq_ignore_ascii_case(&language))
    };
    for table in tables.tables.iter().filter(|table| !is_own(&table.source)) {
        if table.first().language == language {
            let text = format!("{language} is the first language of {}; choose another with --language", table.source);
            return Err(Failure::Usage(text));
        }
        let mut translations = Translations::new(table, language.clone());
        for message in &table.first().messages {
            translations.add(message.key.clone(), pseudo(&message.text, table.syntax()));
            texts += 1;
        }
        if let Err(found) = changes.apply(table, &translations) {
            faults.extend(found.iter().map(|fault| shown(&table.file, fault)));
        }
    }
    if !faults.is_empty() {
        return Err(Failure::Fault(faults.join("\n")));
    }
    let files = changes.write()?;
    let shown = escape_terminal(&language);
    out.line(format!("{} in {shown}, {} written", count(texts, "text"), count(files.len(), "file")))?;
    if !tables.locales.contains(&language) {
        out.line(tables::add_to_locales(&language))?;
    }
    Ok(Outcome::Success)
}
