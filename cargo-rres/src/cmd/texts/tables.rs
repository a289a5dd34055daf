//! The tables of texts of a package, in all of their languages: CSV, Fluent and PO files as one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rres_engine::{TextTable, TextTables};
use rres_format::LanguageTag;
use rres_packs::atomic_write;
use rres_settings::Culture;
use rres_translations::csv::Csv;
use rres_translations::fluent::Fluent;
use rres_translations::{Catalog, Fault, MAX_SIZE, Message, Syntax, po, xliff};

use crate::asset_builds::AssetBuild;
use crate::diagnostic::Diagnostic;
use crate::exit::Failure;
use crate::output::escape_terminal;

/// The language of files whose pack lists none.
const UNKNOWN: &str = "und";

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// One file with a column for each language.
    Csv,
    /// A file for each language.
    Fluent,
    /// A file for each language, as translators write it.
    Po,
}

/// A table of texts.
#[derive(Debug)]
pub(super) struct Table {
    /// The path of its first file in the assets directory.
    pub(super) source: String,
    pub(super) file: PathBuf,
    pub(super) format: Format,
    /// The first language first.
    pub(super) languages: Vec<Texts>,
}

/// The texts of a table in one language.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    pub(super) language: String,
    /// The file of the language.
    pub(super) file: PathBuf,
    pub(super) messages: Vec<Message>,
    /// The keys whose translation is not used.
    pub(super) fuzzy: Vec<String>,
}

/// All tables, and the languages that packs list.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) tables: Vec<Table>,
    /// Languages of packs, without the first ones.
    pub(super) locales: Vec<String>,
}

impl Tables {
    /// Reads the tables of builds. Reports everything that is wrong with them.
    pub(super) fn read(builds: Vec<AssetBuild>) -> Result<Self, Failure> {
        let (mut all, mut faults) = (Self::default(), Vec::new());
        for AssetBuild { build, .. } in builds {
            let TextTables { locales, files, .. } =
                build.text_tables().map_err(|error| Failure::Fault(error.to_string()))?;
            let first = locales.first().map_or_else(|| UNKNOWN.to_owned(), ToString::to_string);
            for (base, variants) in families(&files, &first) {
                match Table::read(base, &variants, &first) {
                    Ok(table) => all.tables.push(table),
                    Err(found) => faults.extend(found),
                }
            }
            let others = locales.iter().skip(1).map(ToString::to_string);
            all.locales.extend(others.filter(|locale| !all.locales.contains(locale)).collect::<Vec<_>>());
        }
        match (faults.is_empty(), all.tables.is_empty()) {
            (false, _) => Err(Failure::Fault(faults.join("\n"))),
            (true, true) => {
                let text = "no file has `text.strings`, so there are no tables of texts; see docs/languages.md";
                Err(Failure::Usage(text.to_owned()))
            }
            (true, false) => Ok(all),
        }
    }

    /// The languages of all tables and packs without the first ones.
    pub(super) fn languages(&self) -> Vec<String> {
        let of_tables =
            self.tables.iter().flat_map(|table| table.languages.iter().skip(1)).map(|of| of.language.clone());
        let mut languages: Vec<String> = self.locales.clone();
        for language in of_tables {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        languages
    }
}

/// The files of one language that others are variants of, each with those.
fn families<'t>(files: &'t [TextTable], first: &str) -> Vec<(&'t TextTable, Vec<&'t TextTable>)> {
    let mut families: BTreeMap<&str, Vec<&TextTable>> = BTreeMap::new();
    for file in files {
        families.entry(file.base.as_deref().unwrap_or(&file.source)).or_default().push(file);
    }
    let is_first = |file: &&TextTable| file.locale.as_ref().is_some_and(|locale| locale.as_str() == first);
    let of = |(path, mut files): (&str, Vec<&'t TextTable>)| {
        let own = files.iter().position(|file| file.source == path);
        // Without a file of that path, the one in the first language takes its place.
        let base = files.remove(own.or_else(|| files.iter().position(&is_first))?);
        Some((base, files))
    };
    families.into_iter().filter_map(of).collect()
}

impl Table {
    fn read(base: &TextTable, variants: &[&TextTable], first: &str) -> Result<Self, Vec<String>> {
        let format = match Path::new(&base.source).extension().and_then(|extension| extension.to_str()) {
            Some(of) if of.eq_ignore_ascii_case("csv") => Format::Csv,
            Some(of) if of.eq_ignore_ascii_case("ftl") => Format::Fluent,
            Some(of) if of.eq_ignore_ascii_case("po") => Format::Po,
            _ => {
                let help = "remove `text.strings`, or rename the file";
                let message = "has `text.strings`, expected a file with the extension .csv, .ftl or .po";
                return Err(vec![shown(&base.file, &Fault::new(1, message, help))]);
            }
        };
        let mut faults = Vec::new();
        let mut languages = Vec::new();
        let named = std::iter::once((base, first.to_owned()))
            .chain(variants.iter().filter_map(|of| Some((*of, of.locale.as_ref()?.to_string()))));
        for (at, (of, language)) in named.enumerate() {
            match read_file(&of.file).and_then(|text| texts(format, &of.file, &text, &language, at == 0)) {
                Ok(texts) => languages.extend(texts),
                Err(found) => faults.extend(found.iter().map(|fault| shown(&of.file, fault))),
            }
        }
        let (source, file) = (base.source.clone(), base.file.clone());
        if faults.is_empty() { Ok(Self { source, file, format, languages }) } else { Err(faults) }
    }

    pub(super) fn syntax(&self) -> Syntax {
        match self.format {
            Format::Fluent => Syntax::Fluent,
            Format::Csv | Format::Po => Syntax::Braces,
        }
    }

    /// The texts in the first language.
    pub(super) fn first(&self) -> &Texts {
        &self.languages[0]
    }

    pub(super) fn texts(&self, language: &str) -> Option<&Texts> {
        self.languages.iter().find(|texts| texts.language.eq_ignore_ascii_case(language))
    }

    /// The text of a key in a language.
    pub(super) fn text(&self, language: &str, key: &str) -> Option<&str> {
        let message = self.texts(language)?.messages.iter().find(|message| message.key == key)?;
        Some(&message.text)
    }

    /// The texts that a player of this language gets in it: in a table of several columns, a region has what its language has.
    pub(super) fn with_inherited(&self, language: &str) -> (Vec<Message>, Vec<String>) {
        let own = self.texts(language);
        let mut messages = own.map(|texts| texts.messages.clone()).unwrap_or_default();
        let tag: Option<LanguageTag> = language.parse().ok().filter(|_| self.format == Format::Csv);
        for parent in tag.iter().flat_map(|tag| tag.fallbacks().skip(1)) {
            let inherited = self.languages.iter().find(|texts| texts.language == parent);
            for message in inherited.iter().flat_map(|texts| &texts.messages) {
                if messages.iter().all(|own| own.key != message.key) {
                    messages.push(message.clone());
                }
            }
        }
        (messages, own.map(|texts| texts.fuzzy.clone()).unwrap_or_default())
    }

    /// The file of a language: that of the table if it has all languages, or a new one beside it.
    pub(super) fn file_of(&self, language: &str) -> PathBuf {
        if let Some(texts) = self.texts(language) {
            return texts.file.clone();
        }
        if self.format == Format::Csv {
            return self.file.clone();
        }
        let first = &self.first().language;
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = self.file.extension().unwrap_or_default().to_string_lossy().into_owned();
        let is_first = |tag: &str| tag.replace('_', "-").eq_ignore_ascii_case(first);
        if let Some((name, _)) = stem.rsplit_once('.').filter(|(_, tag)| is_first(tag)) {
            return self.file.with_file_name(format!("{name}.{language}.{extension}"));
        }
        // A folder for each language.
        let folders: Vec<&str> = self.source.split('/').collect();
        let depth = folders.iter().rev().skip(1).position(|folder| is_first(folder));
        if let Some(depth) = depth {
            let above = self.file.ancestors().nth(depth + 2);
            let below: PathBuf = folders[folders.len() - depth - 1..].iter().collect();
            if let Some(above) = above {
                return above.join(language).join(below);
            }
        }
        self.file.with_file_name(format!("{stem}.{language}.{extension}"))
    }
}

/// Reads the texts of a file. `is_base` says whether it has the texts that others translate.
fn texts(format: Format, file: &Path, text: &str, language: &str, is_base: bool) -> Result<Vec<Texts>, Vec<Fault>> {
    let one = |messages, fuzzy| vec![Texts { language: language.to_owned(), file: file.to_owned(), messages, fuzzy }];
    Ok(match format {
        Format::Csv => {
            let csv = Csv::read(text, of_column)?;
            let of = |language: &str| Texts {
                language: language.to_owned(),
                file: file.to_owned(),
                messages: csv.messages(language),
                fuzzy: Vec::new(),
            };
            csv.languages().map(of).collect()
        }
        Format::Fluent => one(Fluent::read(text)?.messages(), Vec::new()),
        Format::Po => {
            let catalog = po::read(text)?;
            let mut fuzzy = Vec::new();
            let messages = catalog.units.into_iter().filter_map(|unit| {
                // As builds do it: a base has its texts as sources, and no translation that somebody has to look at.
                let target = unit.target().filter(|_| !(is_base && unit.is_fuzzy)).map(str::to_owned);
                let key = if unit.key.is_empty() { unit.source.clone() } else { unit.key };
                if unit.is_fuzzy {
                    fuzzy.push(key.clone());
                }
                let text = target.or_else(|| is_base.then(|| unit.source.clone()))?;
                Some(Message { key, text, line: unit.line, comment: unit.comment })
            });
            let messages = messages.collect();
            one(messages, fuzzy)
        }
    })
}

/// The tag of the language of a column.
pub(super) fn of_column(name: &str) -> Option<String> {
    Culture::of_column(name).map(|tag| tag.to_string())
}

/// Reads a file in UTF-8.
pub(super) fn read_file(file: &Path) -> Result<String, Vec<Fault>> {
    let fault = |message: String, help: &str| vec![Fault::new(1, message, help)];
    let cannot = |error: std::io::Error| fault(format!("cannot be read: {error}"), "check its name and permissions");
    if fs::metadata(file).map_err(cannot)?.len() > MAX_SIZE as u64 {
        return Err(fault(format!("is larger than {} MiB", MAX_SIZE >> 20), "split the file"));
    }
    let bytes = fs::read(file).map_err(cannot)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        fault(format!("is not UTF-8: see byte {at}"), "save it as UTF-8, as all files of translators are")
    })
}

/// A fault as builds show it.
pub(super) fn shown(file: &Path, fault: &Fault) -> String {
    let place = format!("{}:{}", file.display(), fault.line);
    Diagnostic { place, message: fault.message.clone(), help: Some(fault.help.clone()) }.to_string()
}

/// Reads a file of translators, by its extension.
pub(super) fn read_catalogs(file: &Path) -> Result<Vec<Catalog>, Vec<Fault>> {
    let text = read_file(file)?;
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase().as_str() {
        "po" | "pot" => Ok(vec![po::read(&text)?]),
        "xlf" | "xliff" => xliff::read(&text),
        _ => Err(vec![Fault::new(1, "is of another format, expected .po, .xlf or .xliff", "export it as PO or XLIFF")]),
    }
}

/// What makes a build take the files of a language for a language of their tables.
pub(super) fn add_to_locales(language: &str) -> String {
    let language = escape_terminal(language);
    format!("add \"{language}\" to `locales` under [pack] in assets.toml, and call `set_locale(\"{language}\")`")
}

/// Writes a file, and the directories that it is in.
pub(super) fn write(file: &Path, text: &str) -> Result<(), Failure> {
    atomic_write::edit(file, text.as_bytes())
        .map_err(|error| Failure::Usage(format!("cannot write {}: {error}", file.display())))
}
