//! Tables of texts: Fluent files, which are checked and stored as they are, PO files, and CSV files, which become one text for each language.
//!
//! The keys are recorded with the placeholders of their texts, so that `pipeline/set/strings.rs` can compare languages without reading files
//! again.

use rres_format::Limits;
use rres_format::chunk::text::TextProps;
use rres_format::index::Meta;
use rres_format::{AssetKind, FourCc, LanguageTag};
use rres_import::{Asset, Block, ImportError, NamedPart, Note};
use rres_settings::Culture;

use super::csv::{self, Field};
use super::escape::escape;

/// Imports a table by its extension. `text` is the text of the file, and `whole` what it becomes as a text.
pub(super) fn import(
    extension: &str,
    text: &str,
    #[cfg_attr(not(feature = "fluent"), expect(unused_variables, reason = "only Fluent files stay as they are"))]
    whole: Asset,
    #[cfg_attr(not(feature = "po"), expect(unused_variables, reason = "only PO files have no language of their own"))]
    culture: Option<&Culture>,
) -> Result<Vec<Asset>, ImportError> {
    match extension {
        #[cfg(feature = "fluent")]
        "ftl" => Ok(vec![Asset { parts: super::fluent::keys(text)?, ..whole }]),
        #[cfg(not(feature = "fluent"))]
        "ftl" => Err(ImportError::new("has `text.strings`, but the feature `fluent` of rres-build is disabled")
            .with_help("enable it with `cargo add --build rres-build --features fluent`, or remove the setting")
            .without_fix()),
        #[cfg(feature = "po")]
        "po" => super::po::import(text, culture),
        #[cfg(not(feature = "po"))]
        "po" => Err(ImportError::new("has `text.strings`, but the feature `po` of rres-build is disabled")
            .with_help("enable it with `cargo add --build rres-build --features po`, or remove the setting")
            .without_fix()),
        "csv" => columns(text),
        _ => Err(ImportError::new("has `text.strings`, expected a file with the extension .ftl, .csv or .po")
            .with_help("remove the setting for this file")
            .without_fix()),
    }
}

/// Most columns for languages. Each becomes a text with all keys.
const MAX_COLUMNS: usize = 1_000;

/// A column for a language.
struct Column {
    at: usize,
    tag: LanguageTag,
    /// Key, text and line of each row that has a text.
    texts: Vec<(String, String, u32)>,
}

/// The texts of a CSV file: first the text of the first language, then the others as its sub-assets.
fn columns(text: &str) -> Result<Vec<Asset>, ImportError> {
    let mut rows = csv::rows(text)?.into_iter();
    let header = rows.next().unwrap_or_default();
    let mut columns: Vec<Column> = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    for (at, field) in header.iter().enumerate().skip(1) {
        let name = field.text.trim();
        match Culture::of_column(name) {
            Some(tag) if columns.iter().any(|column| column.tag == tag) => {
                let error = ImportError::new(format!("has two columns for the language {tag}"));
                return Err(error.with_help("remove one of them").at(field.line, field.column).without_fix());
            }
            Some(_) if columns.len() == MAX_COLUMNS => {
                let error = ImportError::new(format!("has more than {MAX_COLUMNS} columns for languages"));
                return Err(error.with_help("split the file").at(field.line, field.column).without_fix());
            }
            Some(tag) => columns.push(Column { at, tag, texts: Vec::new() }),
            None => others.push(name),
        }
    }
    if columns.is_empty() {
        let help = "the first line is such as `key,en,fr`: the key, then a tag of BCP 47 for each language";
        return Err(ImportError::new("has no column for a language").with_help(help).at(1, 1).without_fix());
    }
    let mut keys: Vec<&str> = Vec::new();
    let rows: Vec<Vec<Field>> = rows.filter(|row| row.iter().any(|field| !field.text.trim().is_empty())).collect();
    let mut seen = std::collections::HashMap::new();
    for row in &rows {
        let Some(first) = row.first() else { continue };
        let key = first.text.trim();
        let at = |error: ImportError| Err(error.at(first.line, first.column).without_fix());
        if key.is_empty() || key.contains(char::is_control) {
            let help = "write a key without line breaks into the first column";
            return at(ImportError::new("has a row without a valid key").with_help(help));
        }
        if row.len() > header.len() {
            let message = format!("has {} fields in this row, expected at most {}", row.len(), header.len());
            return at(ImportError::new(message).with_help("put texts with commas into quotation marks"));
        }
        if let Some(line) = seen.insert(key, first.line) {
            let message = format!("has the key \"{key}\" twice, first in line {line}");
            return at(ImportError::new(message).with_help("remove or rename one of them"));
        }
        keys.push(key);
        for (number, column) in columns.iter_mut().enumerate() {
            match row.get(column.at).filter(|field| !field.text.is_empty()) {
                Some(field) => column.texts.push((key.to_owned(), field.text.clone(), field.line)),
                None if number == 0 => {
                    let message = format!("has no text for \"{key}\" in {}, the first language", column.tag);
                    return at(
                        ImportError::new(message).with_help("other languages may lack a text, the first one may not")
                    );
                }
                None => {}
            }
        }
    }
    let (mut resources, mut bytes) = (Vec::with_capacity(columns.len()), 0);
    for number in 0..columns.len() {
        let resource = resource(&columns, number, &keys)?;
        bytes += resource.blocks.iter().map(|block| block.bytes.len() as u64).sum::<u64>();
        if bytes > Limits::DEFAULT.max_decoded {
            let error = ImportError::new("has more than 1 GiB of texts in all languages");
            return Err(error.with_help("split the file").without_fix());
        }
        resources.push(resource);
    }
    if !others.is_empty() {
        let note = Note::new("columns that are not for a language are left out").with_detail(others.join(", "));
        resources[0].notes.push(note);
    }
    Ok(resources)
}

/// The text of one language; every key has a text.
fn resource(columns: &[Column], number: usize, keys: &[&str]) -> Result<Asset, ImportError> {
    let column = &columns[number];
    // A region lacks what its language has.
    let mut sources: Vec<&Column> = column
        .tag
        .fallbacks()
        .filter_map(|tag| columns.iter().find(|column| column.tag.as_str() == tag))
        .chain(columns.first())
        .collect();
    sources.dedup_by_key(|column| column.at);
    let mut texts = std::collections::HashMap::new();
    for source in sources.iter().rev() {
        texts.extend(source.texts.iter().map(|(key, text, _)| (key.as_str(), text.as_str())));
    }
    let mut lines = String::new();
    for key in keys {
        escape(key, &mut lines);
        lines.push('\t');
        escape(texts.get(key).copied().unwrap_or_default(), &mut lines);
        lines.push('\n');
    }
    let size = u32::try_from(lines.len()).map_err(|_| ImportError::new("became a text of 4 GiB or more"))?;
    let culture = Culture::from(column.tag.as_str()).lcid().unwrap_or(0);
    let props = TextProps { culture, ..TextProps::utf8(size) };
    let block = Block::new(FourCc::TEXT, props.block(lines.as_bytes()));
    let count = column.texts.len();
    let summary = format!("{count} {} in {}", if count == 1 { "text" } else { "texts" }, column.tag);
    let mut resource = Asset::new(AssetKind::Text, vec![block], summary);
    resource.parts =
        column.texts.iter().map(|(key, text, line)| NamedPart::of_key(key, placeholders(text), *line)).collect();
    let mut meta = Meta::default();
    column.tag.add_to(&mut meta);
    resource.meta = meta;
    if number > 0 {
        resource.name = column.tag.to_string();
    }
    Ok(resource)
}

/// The names in braces: `name` and `count` of `{name} has {count}`.
fn placeholders(text: &str) -> impl Iterator<Item = String> {
    let is_name =
        |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .filter(is_name)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use rres_format::AssetKind;
    use rres_import::{ImportError, MemoryFiles};
    use rres_settings::Settings;

    fn import(path: &str, text: &str) -> Result<Vec<String>, ImportError> {
        let mut settings = Settings::default();
        settings.text.strings = true;
        let resources = MemoryFiles::new([(path, text)]).with_settings(&settings).import(&crate::TextImporter, path)?;
        let show = |resource: rres_import::Asset| {
            assert_eq!(resource.kind, AssetKind::Text);
            let parts: Vec<String> =
                resource.parts.iter().map(|part| format!("{}:{}", part.index, part.name.replace('\n', "+"))).collect();
            let payload = rres_format::chunk::PayloadView::parse(&resource.blocks[0].bytes).unwrap();
            let view = rres_format::chunk::text::TextView::parse(payload).unwrap();
            format!("{} {} | {}", resource.name, parts.join(" "), view.decode().unwrap().replace('\n', ";"))
        };
        Ok(resources.into_iter().map(show).collect())
    }

    #[test]
    fn a_column_becomes_a_text_in_which_every_key_has_one() {
        let table = "key,en,comment,fr,fr-CA\nstart,Start,the button,Commencer,Débuter\n\nbye,\"Bye, {name}!\",,,\n\
                     long,\"a\nb\\\",,\"c\td\",\n";
        assert_eq!(
            import("a.csv", table).unwrap(),
            [
                " 2:start 4:bye+name 5:long | start\tStart;bye\tBye, {name}!;long\ta\\nb\\\\;",
                "fr 2:start 6:long | start\tCommencer;bye\tBye, {name}!;long\tc\\td;",
                "fr-CA 2:start | start\tDébuter;bye\tBye, {name}!;long\tc\\td;",
            ]
        );
        assert_eq!(import("a.csv", "\u{feff}id;de\r\na;b\r\n").unwrap(), [" 2:a | a\tb;"]);
    }

    #[test]
    fn mistakes_have_a_place() {
        for (path, text, message) in [
            ("a.csv", "key,comment\na,b\n", "1:1: has no column for a language"),
            ("a.csv", "", "1:1: has no column for a language"),
            ("a.csv", "key,en\na,1\nb,2\na,3\n", "4:1: has the key \"a\" twice, first in line 2"),
            ("a.csv", "key,en,fr,fr\n", "1:11: has two columns for the language fr"),
            ("a.csv", "key,en\na,1,2\n", "2:1: has 3 fields in this row, expected at most 2"),
            ("a.csv", "key,en\n,1\n", "2:1: has a row without a valid key"),
            ("a.csv", "key,en,fr\na,,b\n", "2:1: has no text for \"a\" in en, the first language"),
            ("a.csv", "key,en\na,\"b\n", "2:3: has a quotation mark that is not closed"),
            ("a.txt", "a = b\n", "expected a file with the extension .ftl, .csv or .po"),
        ] {
            let error = import(path, text).unwrap_err().into_diagnostic("".as_ref(), path).to_string();
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }
}
