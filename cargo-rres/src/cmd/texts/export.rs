//! `cargo rres texts export`: a file for each table and language, for translators.

use std::path::{Path, PathBuf};

use rres_format::LanguageTag;
use rres_translations::xliff::{self, Version};
use rres_translations::{Catalog, Fault, Unit, plural, po};

use super::catalogs::catalog;
use super::import::{Translations, is_current};
use super::tables::{Table, Tables, read_catalogs, shown, write};
use crate::asset_builds::BuildArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};

/// Write files for translators: PO, or XLIFF
///
/// Each table becomes a file for each language, with the translations that there are, and for PO a template (.pot).
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    /// Format of the files
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    to: Format,
    /// Language to write; may be repeated [default: the languages of tables and packs]
    #[arg(long, value_name = "TAG")]
    language: Vec<LanguageTag>,
    /// Directory for the files, created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// gettext: Poedit, Weblate, most other programs
    #[default]
    Po,
    /// XLIFF 1.2: Crowdin, memoQ, Weblate
    Xliff,
    /// XLIFF 2.0
    Xliff2,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let tables = Tables::read(args.builds.find(out)?.builds)?;
    let wanted: Vec<String> = args.language.iter().map(ToString::to_string).collect();
    let languages = if wanted.is_empty() { tables.languages() } else { wanted };
    if languages.is_empty() {
        let text = "the tables have one language; name others with --language, or list them in `locales` under [pack]";
        return Err(Failure::Usage(text.to_owned()));
    }
    let (mut files, mut faults): (Vec<(PathBuf, String)>, Vec<String>) = (Vec::new(), Vec::new());
    for table in &tables.tables {
        let name = name_of(table, &tables);
        for language in &languages {
            let mut catalog = catalog(table, language, args.to == Format::Po);
            let extension = if args.to == Format::Po { "po" } else { "xlf" };
            let file = args.out.join(format!("{name}.{language}.{extension}"));
            match files.iter().any(|(other, _)| *other == file) {
                true => faults.push(same_name(&file)),
                false => faults.extend(keep_earlier(&file, table, &mut catalog)),
            }
            let text = match args.to {
                Format::Po => Ok(po::write(&catalog, table.syntax())),
                Format::Xliff => xliff::write(&catalog, Version::V1_2),
                Format::Xliff2 => xliff::write(&catalog, Version::V2_0),
            };
            match text {
                Ok(text) => files.push((file, text)),
                Err(found) => faults.extend(found.iter().map(|fault| shown(&table.file, fault))),
            }
        }
        if args.to == Format::Po {
            let text = po::write(&catalog(table, "", true), table.syntax());
            files.push((args.out.join(format!("{name}.pot")), text));
        }
    }
    if !faults.is_empty() {
        return Err(Failure::Fault(faults.join("\n")));
    }
    for (file, text) in &files {
        write(file, text)?;
    }
    out.line(format!("{} in {}", count(files.len(), "file"), args.out.display()))?;
    Ok(Outcome::Success)
}

fn same_name(file: &Path) -> String {
    let help = "export the tables of one assets directory at a time, with --assets or --package";
    shown(file, &Fault::new(1, "would be written for two tables of the same path", help))
}

/// Takes over the translations of an earlier file that an import leaves out or refuses, as fuzzy: translators have to look at them. Refuses to
/// write the file again if it has others which the table does not have, or if it cannot be read.
fn keep_earlier(file: &Path, table: &Table, catalog: &mut Catalog) -> Vec<String> {
    if !file.exists() {
        return Vec::new();
    }
    let mut earlier = match read_catalogs(file) {
        Ok(catalogs) => catalogs,
        Err(_) => {
            let help = "remove it, or choose another directory with -o";
            return vec![shown(file, &Fault::new(1, "exists already, and is no file of translators", help))];
        }
    };
    let import = Translations::new(table, catalog.language.clone());
    for earlier in &mut earlier {
        // What it cannot find counts as lost below.
        let _ = earlier.find_keys(&table.first().messages, table.syntax());
    }
    let (mut lost, mut gone) = (0, Vec::new());
    for unit in earlier.iter().flat_map(|catalog| &catalog.units).filter(|unit| unit.is_translated()) {
        let message = table.first().messages.iter().find(|message| message.key == unit.key);
        let own = catalog.units.iter_mut().find(|own| own.key == unit.key);
        let (Some(message), Some(own)) = (message, own) else {
            gone.push(if unit.key.is_empty() { unit.source.as_str() } else { unit.key.as_str() });
            continue;
        };
        let text = import.text(unit, message).ok();
        let is_in_table = text.is_some() && text.as_deref() == table.text(&import.language, &unit.key);
        if is_in_table || own.targets == unit.targets {
            own.is_fuzzy |= unit.is_fuzzy;
        } else if text.is_none() || unit.is_fuzzy || !is_current(unit, message) {
            take(own, unit, text, &import.language);
        } else {
            lost += 1;
        }
    }
    if !gone.is_empty() {
        let message = format!("has translations of what the table does not have: {}", gone.join(", "));
        let help = "give them their new keys if they were renamed, or else remove them from the file";
        return vec![shown(file, &Fault::new(1, message, help))];
    }
    if lost == 0 {
        return Vec::new();
    }
    let message = format!("has {} that the tables do not have", count(lost, "translation"));
    let help = "import it first with `cargo rres texts import`, or remove it";
    vec![shown(file, &Fault::new(1, message, help))]
}

/// Gives a unit the translation of an earlier one, as fuzzy. `text` is what the table would have of it.
fn take(unit: &mut Unit, earlier: &Unit, text: Option<String>, language: &str) {
    unit.is_fuzzy = true;
    unit.targets = match plural::forms(language).filter(|_| unit.plural.is_some()) {
        // As many as the language has, whatever the file has.
        Some(forms) => {
            let form = |at: usize| earlier.targets.get(at).or(earlier.targets.last()).cloned();
            (0..forms.categories.len()).filter_map(form).collect()
        }
        None => text.or_else(|| earlier.targets.first().cloned()).into_iter().collect(),
    };
}

/// The name of the files of a table: its path without extension, unless another table has the same.
fn name_of(table: &Table, tables: &Tables) -> String {
    let stem = |source: &str| Path::new(source).with_extension("").to_string_lossy().replace('\\', "/");
    let own = stem(&table.source);
    let is_only = tables.tables.iter().filter(|other| stem(&other.source) == own).count() == 1;
    if is_only { own } else { table.source.clone() }
}
