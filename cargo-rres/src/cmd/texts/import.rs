//! `cargo rres texts import`: files of translators → the tables, all or none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rres_format::LanguageTag;
use rres_translations::csv::Csv;
use rres_translations::fluent::{self, Fluent};
use rres_translations::{Catalog, Fault, Message, Syntax, Unit, plural, po};

use super::catalogs::catalog;
use super::tables::{self, Format, Table, Tables, of_column, read_catalogs, read_file, shown, write};
use crate::asset_builds::BuildArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Write the translations of PO and XLIFF files into the tables
///
/// Only texts that differ are written; comments, order and form of all others stay. Fuzzy translations and those of texts that have changed since
/// are left out, and named. If a file has a fault, nothing is written.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// PO or XLIFF files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    builds: BuildArgs,
    /// Language of the files [default: what they say]
    #[arg(long, value_name = "TAG")]
    language: Option<LanguageTag>,
    /// Path of the table in the assets directory [default: what the files say]
    #[arg(long, value_name = "PATH")]
    table: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let tables = Tables::read(args.builds.find(out)?.builds)?;
    let mut changes = Changes::default();
    let (mut faults, mut done) = (Vec::new(), Vec::new());
    for file in &args.files {
        let catalogs = match read_catalogs(file) {
            Ok(catalogs) => catalogs,
            Err(found) => {
                faults.extend(found.iter().map(|fault| shown(file, fault)));
                continue;
            }
        };
        for mut catalog in catalogs {
            let found = find_table(&tables, &catalog, file, args).and_then(|table| {
                let language = language_of(&catalog, table, args)?;
                let mut found = Translations::new(table, language);
                found.take(&mut catalog)?;
                found.count_changes();
                changes.apply(table, &found)?;
                Ok(found)
            });
            match found {
                Ok(found) => done.push(found),
                Err(found) => faults.extend(found.iter().map(|fault| shown(file, fault))),
            }
        }
    }
    if !faults.is_empty() {
        return Err(Failure::Fault(faults.join("\n")));
    }
    changes.write()?;
    for translations in &done {
        translations.print(out)?;
    }
    let unlisted: BTreeSet<&str> = done.iter().filter_map(|of| of.unlisted(&tables)).collect();
    for language in unlisted {
        out.line(tables::add_to_locales(language))?;
    }
    Ok(Outcome::Success)
}

/// Finds the table of a catalog: what the user or the file says, or the only one.
fn find_table<'t>(tables: &'t Tables, catalog: &Catalog, file: &Path, args: &Args) -> Result<&'t Table, Vec<Fault>> {
    let of_units = catalog.units.iter().find_map(|unit| unit.table.clone()).unwrap_or_default();
    let wanted = args.table.clone().into_iter().chain([catalog.table.clone(), of_units]).find(|path| !path.is_empty());
    let of_path = |wanted: &str| tables.tables.iter().find(|table| table.source == wanted);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let by_name: Vec<&Table> = tables
        .tables
        .iter()
        .filter(|table| {
            let stem = Path::new(&table.source).file_stem().unwrap_or_default().to_string_lossy().into_owned();
            name.strip_prefix(&stem).is_some_and(|rest| rest.starts_with('.'))
        })
        .collect();
    if let Some(table) = wanted.as_deref().and_then(of_path) {
        return Ok(table);
    }
    match (&by_name[..], &tables.tables[..]) {
        _ if args.table.is_some() => {}
        ([table], _) => return Ok(table),
        (_, [table]) => return Ok(table),
        _ => {}
    }
    let all: Vec<&str> = tables.tables.iter().map(|table| table.source.as_str()).collect();
    let message = match wanted {
        Some(wanted) => format!("is of the table {wanted}, which the assets do not have"),
        None => "does not say which table it is of".to_owned(),
    };
    Err(vec![Fault::new(1, message, format!("name it with --table, one of: {}", all.join(", ")))])
}

fn language_of(catalog: &Catalog, table: &Table, args: &Args) -> Result<String, Vec<Fault>> {
    let fault = |message: String, help: &str| Err(vec![Fault::new(1, message, help)]);
    let language = match &args.language {
        Some(language) => language.to_string(),
        None if catalog.language.is_empty() => {
            return fault("does not say which language it is in".to_owned(), "name it with --language");
        }
        None => match catalog.language.parse::<LanguageTag>() {
            Ok(language) => language.to_string(),
            Err(_) => {
                let message = format!("is in the language \"{}\", expected a tag of BCP 47", catalog.language);
                return fault(message, "name the language with --language");
            }
        },
    };
    if language.eq_ignore_ascii_case(&table.first().language) {
        return fault(
            format!("is in {language}, the first language of {}, whose texts are not translations", table.source),
            "name the language with --language, or edit the table",
        );
    }
    Ok(language)
}

const PLACEHOLDERS: &str = "write the placeholders of the source, as it has them";

/// The translations of a table into one language.
pub(super) struct Translations<'t> {
    table: &'t Table,
    pub(super) language: String,
    /// Key and text.
    texts: Vec<(String, String)>,
    fuzzy: Vec<String>,
    outdated: Vec<String>,
    extra: Vec<String>,
    missing: usize,
    changed: usize,
}

impl<'t> Translations<'t> {
    pub(super) fn new(table: &'t Table, language: String) -> Self {
        let (texts, fuzzy, outdated, extra) = Default::default();
        Self { table, language, texts, fuzzy, outdated, extra, missing: 0, changed: 0 }
    }

    pub(super) fn add(&mut self, key: String, text: String) {
        self.texts.push((key, text));
    }

    /// Takes what can be used, and remembers what cannot.
    fn take(&mut self, catalog: &mut Catalog) -> Result<(), Vec<Fault>> {
        let (syntax, first) = (self.table.syntax(), &self.table.first().messages);
        let mut faults = catalog.find_keys(first, syntax).err().unwrap_or_default();
        for unit in &catalog.units {
            let Some(message) = first.iter().find(|message| message.key == unit.key) else {
                let shown = if unit.key.is_empty() { &unit.source } else { &unit.key };
                self.extra.push(shown.clone());
                continue;
            };
            if !unit.is_translated() {
                self.missing += 1;
            } else if unit.is_fuzzy {
                self.fuzzy.push(unit.key.clone());
            } else if !is_current(unit, message) {
                self.outdated.push(unit.key.clone());
            } else {
                match self.text(unit, message) {
                    Ok(text) => self.texts.push((unit.key.clone(), text)),
                    Err((message, help)) => faults.push(Fault::new(unit.line, message, help)),
                }
            }
        }
        faults.sort_by_key(|fault| fault.line);
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn count_changes(&mut self) {
        let is_new = |(key, text): &&(String, String)| self.table.text(&self.language, key) != Some(text.as_str());
        self.changed = self.texts.iter().filter(is_new).count();
    }

    /// The translation as the table has it afterwards, or what is wrong with it, and what to do.
    pub(super) fn text(&self, unit: &Unit, message: &Message) -> Result<String, (String, &'static str)> {
        let syntax = self.table.syntax();
        if let Some(found) = unit.other_placeholders(syntax) {
            return Err((format!("{found} in the translation of \"{}\"", unit.key), PLACEHOLDERS));
        }
        if syntax == Syntax::Fluent {
            for target in &unit.targets {
                if let Err(found) = fluent::check_pattern(target) {
                    return Err((
                        format!("{found} in the translation of \"{}\"", unit.key),
                        "write braces as the source does",
                    ));
                }
            }
        }
        if unit.plural.is_none() {
            let target = unit.target().unwrap_or_default();
            let is_same = |old: &str| syntax == Syntax::Fluent && old == fluent::stored(&unit.key, target);
            return Ok(self.old_if(&unit.key, is_same).unwrap_or_else(|| target.to_owned()));
        }
        let Some(plural) = plural::split(&message.text).filter(|_| syntax == Syntax::Fluent) else {
            let source = &self.table.source;
            let message = format!("has plural forms of \"{}\", which {source} does not have", unit.key);
            return Err((message, "export the table again; only Fluent files have plural forms"));
        };
        let Some(forms) = plural::forms(&self.language) else {
            let message =
                format!("has plural forms of \"{}\" in {}, whose forms are not known", unit.key, self.language);
            return Err((message, "write this text into the Fluent file by hand"));
        };
        let (found, expected) = (unit.targets.len(), forms.categories.len());
        if found != expected {
            let names = forms.categories.join(", ");
            let message = format!("has {found} plural forms of \"{}\", expected {expected}: {names}", unit.key);
            return Err((message, "correct Plural-Forms in the header, and export the table again"));
        }
        if let Some(found) = unit.lost_in_a_form(&plural.variable, forms) {
            return Err((format!("{found} in the translation of \"{}\"", unit.key), PLACEHOLDERS));
        }
        let text = plural::join(&plural.variable, forms, &unit.targets);
        let split = |text: &str| plural::split(text).and_then(|of| Some((of.in_order(forms)?, of.variable)));
        let is_same = |old: &str| split(old).is_some_and(|old| Some(old) == split(&text));
        Ok(self.old_if(&unit.key, is_same).unwrap_or(text))
    }

    /// The text of the table, if it says the same as a translation in another form.
    fn old_if(&self, key: &str, is_same: impl Fn(&str) -> bool) -> Option<String> {
        self.table.text(&self.language, key).filter(|old| is_same(old)).map(str::to_owned)
    }

    /// The language, if it has a file of its own that a build takes for another table, since `locales` does not list it.
    fn unlisted(&self, tables: &Tables) -> Option<&str> {
        let is_known = self.table.format == Format::Csv || self.table.first().language == self.language;
        (!is_known && !tables.locales.contains(&self.language)).then_some(&self.language)
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        let (table, language) = (escape_terminal(&self.table.source), escape_terminal(&self.language));
        let of = count(self.texts.len(), "text");
        out.line(format!("{table}: {of} in {language}, {} changed", self.changed))?;
        if self.missing > 0 {
            out.line(format!("  not translated: {}", self.missing))?;
        }
        for (what, keys) in [
            ("fuzzy, so left out", &self.fuzzy),
            ("of a text that has changed since, so left out", &self.outdated),
            ("not in the table, so left out", &self.extra),
        ] {
            if !keys.is_empty() {
                out.line(format!("  {what}: {}", escape_terminal(&keys.join(", "))))?;
            }
        }
        Ok(())
    }
}

/// Whether a unit is about the text that the table has now.
pub(super) fn is_current(unit: &Unit, message: &Message) -> bool {
    match &unit.plural {
        None => unit.source == message.text,
        Some(other) => {
            let now = plural::split(&message.text).and_then(|of| of.one_and_other());
            // A table without plural forms is a fault, which is found next.
            now.is_none_or(|(one, several)| one == unit.source && several == *other)
        }
    }
}

/// The language of the texts that a command makes, whose files it writes again.
pub(super) const PSEUDO: &str = "x-pseudo";

/// The new texts of files. Several catalogs may be about one file.
#[derive(Debug, Default)]
pub(super) struct Changes(BTreeMap<PathBuf, Change>);

#[derive(Debug)]
struct Change {
    before: Option<String>,
    after: String,
}

impl Changes {
    /// Writes the translations into the text of the file of their language.
    pub(super) fn apply(&mut self, table: &Table, translations: &Translations<'_>) -> Result<(), Vec<Fault>> {
        let language = &translations.language;
        let file = table.file_of(language);
        if translations.texts.is_empty() {
            return Ok(());
        }
        if table.format == Format::Po && file.exists() && *language != PSEUDO {
            let help = format!("copy the file of the translator to {}", file.display());
            let message = format!("is of {}, which is a PO file itself", table.source);
            return Err(vec![Fault::new(1, message, help)]);
        }
        if !self.0.contains_key(&file) {
            let before = if file.exists() { Some(read_file(&file)?) } else { None };
            self.0.insert(file.clone(), Change { after: before.clone().unwrap_or_default(), before });
        }
        let Some(Change { after, .. }) = self.0.get_mut(&file) else { return Ok(()) };
        *after = match table.format {
            Format::Csv if of_column(language).is_none() => {
                let message = format!("is in {language}, which builds take for no language as the name of a column");
                let help = "use a tag of a known language, or a private one such as x-elvish";
                return Err(vec![Fault::new(1, message, help)]);
            }
            Format::Csv => {
                let mut csv = Csv::read(after, of_column)?;
                for (key, text) in &translations.texts {
                    csv.set(language, key, text);
                }
                csv.finish()
            }
            Format::Fluent => {
                let mut fluent = Fluent::read(after)?;
                for (key, text) in &translations.texts {
                    fluent.set(key, text);
                }
                fluent.finish()
            }
            Format::Po => {
                // Another file may have been about the same language.
                let earlier = if after.is_empty() { Vec::new() } else { po::read(after)?.units };
                let mut catalog = catalog(table, language, false);
                for unit in &mut catalog.units {
                    let text = translations.texts.iter().find(|(key, _)| *key == unit.key);
                    let before = earlier.iter().find(|before| before.key == unit.key);
                    unit.targets = match (text, before) {
                        (Some((_, text)), _) => vec![text.clone()],
                        (None, Some(before)) => before.targets.clone(),
                        (None, None) => Vec::new(),
                    };
                }
                po::write(&catalog, Syntax::Braces)
            }
        };
        Ok(())
    }

    /// Writes the files that have changed, and returns them.
    pub(super) fn write(self) -> Result<Vec<PathBuf>, Failure> {
        let changed = self.0.into_iter().filter(|(_, change)| change.before.as_ref() != Some(&change.after));
        changed.map(|(file, change)| write(&file, &change.after).map(|()| file)).collect()
    }
}
