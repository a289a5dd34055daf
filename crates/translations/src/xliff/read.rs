//! XLIFF → catalogs.

use quick_xml::Reader as XmlReader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::fault::Faults;
use crate::{Catalog, Fault, Unit};

/// How deep elements may be nested.
const MAX_DEPTH: usize = 64;

/// The states of XLIFF 1.2 in which somebody has to look at a translation.
const FUZZY: [&str; 7] = [
    "new",
    "needs-translation",
    "needs-adaptation",
    "needs-l10n",
    "needs-review-translation",
    "needs-review-adaptation",
    "needs-review-l10n",
];

/// Elements within a text whose contents are text. Other ones stand for something that is not in the file.
const INLINE: [&str; 10] = ["g", "mrk", "ph", "pc", "bpt", "ept", "it", "sub", "sm", "em"];

/// Reads an XLIFF file of version 1.0 to 1.2 or 2.0 to 2.1: a catalog for each `<file>`.
///
/// ```
/// let text = r#"<xliff version="2.0" srcLang="en" trgLang="de"><file id="f1" original="ui.csv">
///     <unit id="quit"><segment><source>Quit</source><target>Beenden</target></segment></unit></file></xliff>"#;
/// let catalogs = rres_translations::xliff::read(text).unwrap();
/// assert_eq!((catalogs[0].table.as_str(), catalogs[0].units[0].target()), ("ui.csv", Some("Beenden")));
/// ```
///
/// # Errors
/// With everything that is wrong, in the order of the lines; only the first fault of XML itself.
pub fn read(text: &str) -> Result<Vec<Catalog>, Vec<Fault>> {
    Faults::check_size(text)?;
    let mut reader = Reader { text, line: 1, ..Reader::default() };
    let mut xml = XmlReader::from_str(text);
    loop {
        let event = xml.read_event();
        let position = match &event {
            Ok(_) => xml.buffer_position(),
            Err(_) => xml.error_position(),
        };
        match event {
            Err(error) => {
                reader.move_to(position);
                let line = reader.line;
                reader.faults.add(line, format!("is not valid XML: {error}"), "check the file with xmllint");
                break;
            }
            Ok(Event::Eof) => {
                if !reader.path.is_empty() {
                    let message = format!("ends within <{}>", reader.path.join("><"));
                    reader.move_to(position);
                    let line = reader.line;
                    reader.faults.add(line, message, "get the file again; it is cut off");
                } else if !reader.is_xliff {
                    reader.faults.add(1, "has no element <xliff>", "pass a file of XLIFF or PO");
                }
                break;
            }
            Ok(event) => {
                if !reader.event(event) {
                    break;
                }
                reader.move_to(position);
            }
        }
    }
    let Reader { catalogs, faults, .. } = reader;
    faults.or(catalogs)
}

/// What text is being read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Source,
    Target,
    Note,
    Line,
    Table,
}

#[derive(Debug, Default)]
struct Reader<'t> {
    text: &'t str,
    /// Up to where lines are counted.
    counted: usize,
    line: u32,
    /// The elements around the place.
    path: Vec<String>,
    is_xliff: bool,
    languages: (String, String),
    catalogs: Vec<Catalog>,
    unit: Option<Unit>,
    /// The text that is being read, and the depth of its element.
    part: Option<(Part, usize)>,
    buffer: String,
    /// The depth of the mark around a segment of a translation, and how long the text is before it.
    segment: Option<(usize, usize)>,
    /// The units of a group of plural forms.
    forms: Option<Vec<Unit>>,
    is_approved: bool,
    /// The sources and targets of the unit; a unit of XLIFF 2.0 has them for each segment.
    segments: (usize, usize),
    /// What stands between two segments, which needs no translation of its own.
    between: Option<String>,
    faults: Faults,
}

impl Reader<'_> {
    fn move_to(&mut self, position: u64) {
        let position = usize::try_from(position).unwrap_or(usize::MAX).min(self.text.len());
        let passed = self.text.as_bytes().get(self.counted..position).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.counted = self.counted.max(position);
    }

    /// Returns whether to go on.
    fn event(&mut self, event: Event<'_>) -> bool {
        match event {
            Event::Start(start) => {
                if self.path.len() >= MAX_DEPTH {
                    let message = format!("has elements that are nested more than {MAX_DEPTH} times");
                    self.faults.add(self.line, message, "no XLIFF file needs that");
                    return false;
                }
                self.start(&start);
                self.path.push(name_of(&start));
            }
            Event::Empty(start) => {
                self.start(&start);
                self.path.push(name_of(&start));
                self.end();
            }
            Event::End(_) => self.end(),
            Event::Text(text) => {
                let text = text.xml10_content().map(|text| text.into_owned()).unwrap_or_default();
                self.add(&text);
            }
            Event::CData(text) => {
                let text = text.xml10_content().map(|text| text.into_owned()).unwrap_or_default();
                self.add(&text);
            }
            Event::GeneralRef(reference) => {
                let name = reference.decode().unwrap_or_default().into_owned();
                let found = match reference.resolve_char_ref() {
                    Ok(Some(c)) => Some(c),
                    Ok(None) => match name.as_str() {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => None,
                    },
                    Err(_) => None,
                };
                match found {
                    Some(c) => self.add(c.encode_utf8(&mut [0; 4])),
                    None => self.faults.add(
                        self.line,
                        format!("has the reference &{name};, which XML does not have"),
                        "write the character itself",
                    ),
                }
            }
            Event::DocType(_) => {
                let help = "remove the line with <!DOCTYPE: XLIFF has none";
                self.faults.add(self.line, "has a document type declaration", help);
                return false;
            }
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Eof => {}
        }
        true
    }

    fn add(&mut self, text: &str) {
        if self.part.is_some() {
            self.buffer.push_str(text);
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        let name = name_of(start);
        let attributes = self.attributes(start);
        let get = |wanted: &str| Some(attributes.iter().find(|(name, _)| name == wanted)?.1.clone());
        match name.as_str() {
            "xliff" => {
                let version = get("version").unwrap_or_default();
                self.languages = (get("srcLang").unwrap_or_default(), get("trgLang").unwrap_or_default());
                self.is_xliff = true;
                if !matches!(version.as_str(), "1.0" | "1.1" | "1.2" | "2.0" | "2.1") {
                    let message = format!("is XLIFF of version \"{version}\", expected 1.2 or 2.0");
                    self.faults.add(self.line, message, "export the file as XLIFF 1.2");
                }
            }
            "file" => {
                let language =
                    |of: Option<String>, else_: &str| of.unwrap_or_else(|| else_.to_owned()).replace('_', "-");
                let (table, source, target) = (get("original"), get("source-language"), get("target-language"));
                self.catalogs.push(Catalog {
                    table: table.unwrap_or_default(),
                    source_language: language(source, &self.languages.0),
                    language: language(target, &self.languages.1),
                    units: Vec::new(),
                });
            }
            "group" if get("restype").as_deref() == Some("x-gettext-plurals") => self.forms = Some(Vec::new()),
            "trans-unit" | "unit" => {
                let key = get("resname").or_else(|| get("name")).or_else(|| get("id")).unwrap_or_default();
                let is_header = get("restype").as_deref() == Some("x-gettext-domain-header");
                self.is_approved = get("approved").as_deref() == Some("yes");
                let unit = Unit { key, line: self.line, ..Unit::default() };
                self.unit = Some(unit).filter(|_| !is_header);
                self.segments = (0, 0);
            }
            // Suggestions of a translation memory have texts, too.
            _ if self.is_in("alt-trans") || self.is_in("matches") || self.unit.is_none() => {}
            "segment" if get("state").as_deref() == Some("initial") => self.set_fuzzy(),
            "source" => self.begin(Part::Source),
            "target" => {
                let state = get("state").unwrap_or_default();
                if FUZZY.contains(&state.as_str()) && !self.is_approved {
                    self.set_fuzzy();
                }
                self.begin(Part::Target);
            }
            "note" => self.begin(Part::Note),
            "context" => match get("context-type").as_deref() {
                Some("linenumber") => self.begin(Part::Line),
                Some("sourcefile") => self.begin(Part::Table),
                _ => {}
            },
            _ if matches!(self.part, Some((Part::Source | Part::Target, _))) => {
                let is_segment = name == "mrk" && get("mtype").as_deref() == Some("seg");
                if is_segment && matches!(self.part, Some((Part::Target, _))) {
                    self.segment = Some((self.path.len(), self.buffer.len()));
                }
                let has_text = matches!(name.as_str(), "mrk" | "sm" | "em" | "g" | "pc");
                let is_empty = self.text.as_bytes().get(self.counted..).is_some_and(|rest| {
                    rest.iter().position(|byte| *byte == b'>').is_some_and(|end| end > 0 && rest[end - 1] == b'/')
                });
                if !INLINE.contains(&name.as_str()) || (is_empty && !has_text) {
                    let message = format!("has <{name}> within a text, whose meaning is not in the file");
                    let help = "have the program leave placeholders as they are: plain text";
                    self.faults.add(self.line, message, help);
                }
            }
            _ => {}
        }
    }

    fn is_in(&self, name: &str) -> bool {
        self.path.iter().any(|element| element == name)
    }

    fn set_fuzzy(&mut self) {
        if let Some(unit) = &mut self.unit {
            unit.is_fuzzy = true;
        }
    }

    fn begin(&mut self, part: Part) {
        if self.part.is_none() {
            self.part = Some((part, self.path.len()));
            self.buffer.clear();
        }
    }

    fn end(&mut self) {
        let Some(name) = self.path.pop() else { return };
        if let Some((_, before)) = self.segment.take_if(|(depth, _)| *depth == self.path.len())
            && self.buffer.len() == before
        {
            // A segment without a text is not translated.
            self.set_fuzzy();
        }
        if let Some((part, depth)) = self.part
            && depth == self.path.len()
        {
            self.part = None;
            let text = std::mem::take(&mut self.buffer);
            self.put(part, text);
        }
        match name.as_str() {
            "ignorable" => {
                if let (Some(text), Some(unit)) = (self.between.take(), &mut self.unit) {
                    unit.add_to_target(&text);
                }
            }
            "trans-unit" | "unit" => {
                let Some(mut unit) = self.unit.take() else { return };
                let (sources, targets) = self.segments;
                if targets == 0 {
                    unit.targets.clear();
                }
                // A part of a translation is none.
                unit.is_fuzzy |= targets < sources;
                unit.is_fuzzy &= unit.targets.iter().any(|target| !target.is_empty());
                match &mut self.forms {
                    Some(forms) => forms.push(unit),
                    None => self.push(unit),
                }
            }
            "group" => {
                let mut forms = self.forms.take().unwrap_or_default().into_iter();
                let Some(mut first) = forms.next() else { return };
                // The number of the form is no part of a key.
                first.key = first.key.trim_end_matches("[0]").to_owned();
                for form in forms {
                    first.plural.get_or_insert(form.source);
                    first.is_fuzzy |= form.is_fuzzy;
                    first.targets.extend(form.targets);
                }
                self.push(first);
            }
            _ => {}
        }
    }

    fn put(&mut self, part: Part, text: String) {
        let is_between = self.is_in("ignorable");
        let Some(unit) = &mut self.unit else { return };
        match part {
            Part::Source => {
                unit.source += &text;
                self.segments.0 += usize::from(!is_between);
                self.between = is_between.then_some(text);
            }
            Part::Target => {
                self.segments.1 += usize::from(!is_between && !text.is_empty());
                self.between = None;
                unit.add_to_target(&text);
            }
            Part::Note if unit.comment.is_empty() => unit.comment = text,
            Part::Note => unit.comment = format!("{}\n{text}", unit.comment),
            Part::Line => unit.table_line = text.trim().parse().unwrap_or(0),
            Part::Table => unit.table = Some(text),
        }
    }

    fn push(&mut self, unit: Unit) {
        match self.catalogs.last_mut() {
            Some(catalog) => catalog.units.push(unit),
            None => self.faults.add(unit.line, "has a unit outside of <file>", "export the file again"),
        }
    }

    /// The names and values of attributes.
    fn attributes(&mut self, start: &BytesStart<'_>) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for attribute in start.attributes() {
            let read = attribute.map_err(quick_xml::Error::from).and_then(|of| {
                let value = of.normalized_value(XmlVersion::Implicit1_0)?.into_owned();
                Ok((String::from_utf8_lossy(of.key.as_ref()).into_owned(), value))
            });
            match read {
                Ok(pair) => found.push(pair),
                Err(error) => {
                    let message = format!("is not valid XML: {error}");
                    self.faults.add(self.line, message, "check the file with xmllint");
                    break;
                }
            }
        }
        found
    }
}

fn name_of(start: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(start.local_name().as_ref()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::read;

    /// Key, source, target and whether it is fuzzy, of a unit of these segments.
    fn unit(segments: &str) -> (String, Option<String>, bool) {
        let text = format!(
            "<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\">\n\
             <file id=\"f\"><unit id=\"u\" name=\"key\">{segments}</unit></file></xliff>"
        );
        let unit = read(&text).unwrap().remove(0).units.remove(0);
        (unit.source, unit.targets.first().cloned(), unit.is_fuzzy)
    }

    #[test]
    fn a_unit_is_translated_if_all_of_its_segments_are() {
        let first = "<segment><source>One.</source><target>Eins.</target></segment>";
        let space = "<ignorable><source> </source></ignorable>";
        let second = "<segment><source>Two.</source><target>Zwei.</target></segment>";
        let missing = "<segment><source>Two.</source></segment>";
        let source = || "One. Two.".to_owned();
        assert_eq!(unit(&[first, space, second].concat()), (source(), Some("Eins. Zwei.".to_owned()), false));
        let (_, _, is_fuzzy) = unit(&[first, space, missing].concat());
        assert!(is_fuzzy);
        let none = first.replace("<target>Eins.</target>", "");
        assert_eq!(unit(&[&none, space, missing].concat()), (source(), None, false));
    }

    /// The same in XLIFF 1.2, whose segments are marks.
    #[test]
    fn a_unit_with_an_empty_mark_is_not_translated() {
        let of = |first: &str, second: &str| {
            let text = format!(
                "<xliff version=\"1.2\"><file original=\"a.csv\"><body><trans-unit id=\"1\"><source>One. Two.</source>\
                 <seg-source><mrk mtype=\"seg\" mid=\"0\">One. </mrk><mrk mtype=\"seg\" mid=\"1\">Two.</mrk></seg-source>\
                 <target><mrk mtype=\"seg\" mid=\"0\">{first}</mrk><mrk mtype=\"seg\" mid=\"1\">{second}</mrk></target>\
                 </trans-unit></body></file></xliff>"
            )
            .replace("\"></mrk>", "\"/>");
            let unit = read(&text).unwrap().remove(0).units.remove(0);
            (unit.target().map(str::to_owned), unit.is_fuzzy)
        };
        assert_eq!(of("Eins. ", "<g id=\"1\">Zwei.</g>"), (Some("Eins. Zwei.".to_owned()), false));
        assert_eq!(of("Eins. ", ""), (Some("Eins. ".to_owned()), true));
        assert_eq!(of("", "Zwei."), (Some("Zwei.".to_owned()), true));
        assert_eq!(of("", ""), (None, false));
    }
}
