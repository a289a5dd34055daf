//! SRSC archives, the resources of the Riot engine → images, sounds, models, texts and raw files, each a sub-asset.
//!
//! The asset of an archive is a list of its records, and the asset of a `.db` file is its contents; both are JSON. An archive is read by itself.
//! What its records refer to in other archives is looked for in these (`archives`): those of the same name, and those of the databases that the
//! `.db` file names.

mod archives;
mod circles;
mod definition;
mod images;
mod models;
mod motion;
mod names;
mod references;
mod skeleton;
mod songs;
mod sounds;
mod texture_links;
mod textures;

use std::collections::HashSet;
use std::io;

use rres_import::{Asset, ImportError, Importer, Note, Source};
use rres_settings::Description;
use serde_json::{Value, json};

use self::models::Models;
use self::names::Names;
use self::references::References;
use self::songs::Songs;
use self::texture_links::TextureLinks;
use self::textures::Textures;
use crate::{
    Archive, Checks, Databases, Error, Files, Location, OpenOptions, Record, RecordKey, RecordType, RecordView,
    json as typed,
};

/// The importer of SRSC archives and of the `.db` files of their databases.
#[derive(Clone, Copy, Debug)]
pub struct SrscImporter;

impl Importer for SrscImporter {
    fn describe(&self) -> Description {
        rres_settings::asset_kinds::describe("srsc", 7)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        // Pixels, the copies that they are edited in, and what they are compressed to. Samples become floats.
        let of_record = |record: &Record<'_>| match record {
            Record::Texture(texture) => u64::from(texture.width) * u64::from(texture.height) * 24,
            Record::Sound(sound) => u64::from(sound.size) * 8,
            _ => 0,
        };
        let mut checks = Checks::default();
        let Ok(archive) = Archive::parse(source.path, source.bytes, &mut checks) else { return 0 };
        let records = archive.records().filter_map(|view| view.parse(&mut Checks::default()).ok());
        let decoded = records.fold(0_u64, |sum, record| sum.saturating_add(of_record(&record)));
        (source.bytes.len() as u64 * 8).saturating_add(decoded)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let mut checks = Checks::default();
        if source.extension() == "db" {
            let mut assets = vec![definition::import(source, &mut checks)?];
            note_warnings(&mut assets, &mut checks);
            return Ok(assets);
        }
        let databases = open(source.path, source.bytes, &mut checks).map_err(|error| match source.is_in_parts() {
            true => ImportError::damaged(describe(&error)),
            false => damaged(&error),
        })?;
        let mut assets = assets(source, &databases, &mut checks).map_err(Fault::into_error)?;
        source.encoders.apply_model_settings(&mut assets, &source.settings.model)?;
        note_warnings(&mut assets, &mut checks);
        Ok(assets)
    }
}

/// Adds a note about what is unusual to the first asset.
fn note_warnings(assets: &mut [Asset], checks: &mut Checks) {
    // A record is read several times: for its name, for itself, and for what refers to it.
    let mut seen: HashSet<String> = HashSet::new();
    let warnings = checks.take_warnings().into_iter().map(|warning| describe(&warning));
    let warnings: Vec<String> = warnings.filter(|warning| seen.insert(warning.clone())).collect();
    if let (Some(list), false) = (assets.first_mut(), warnings.is_empty()) {
        let note = Note::new("what is unusual in SRSC archives is read by the rules of docs/srsc.md");
        list.notes.push(note.with_detail(first_of(&warnings)));
    }
}

/// Why an archive is not imported.
enum Fault {
    /// It is damaged.
    Archive(Error),
    /// A record cannot be stored.
    Record(RecordKey, ImportError),
    Other(ImportError),
}

impl Fault {
    fn into_error(self) -> ImportError {
        match self {
            Self::Archive(error) => damaged(&error),
            Self::Record(key, error) => error.within(&format!("record {key}")),
            Self::Other(error) => error,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Archive(error)
    }
}

impl From<ImportError> for Fault {
    fn from(error: ImportError) -> Self {
        Self::Other(error)
    }
}

/// What is wrong, without the name of the file, which the build puts in front.
fn describe(error: &Error) -> String {
    let record = error.record.map_or_else(String::new, |record| format!("record {record}, "));
    format!("{record}{} at offset 0x{:x}: {}", error.field, error.offset, error.problem)
}

fn damaged(error: &Error) -> ImportError {
    ImportError::damaged(format!("is not an SRSC archive that can be read: {}", describe(error)))
}

/// The first items of a list, and how many there are more.
fn first_of(list: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut text = list.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    if list.len() > SHOWN {
        text += &format!("; and {} more", list.len() - SHOWN);
    }
    text
}

/// Opens an archive without the others of its database.
fn open(path: &str, bytes: &[u8], checks: &mut Checks) -> Result<Databases, Error> {
    /// The file itself.
    struct One<'a>(&'a str, &'a [u8]);

    impl Files for One<'_> {
        fn list(&mut self, _directory: &str) -> io::Result<Vec<String>> {
            Ok(vec![self.0.to_owned()])
        }

        fn read(&mut self, _path: &str, limit: u64) -> io::Result<Vec<u8>> {
            match self.1.len() as u64 {
                size if size > limit => Err(io::Error::other(format!("it has more than {limit} bytes"))),
                _ => Ok(self.1.to_vec()),
            }
        }
    }

    let name = path.rsplit('/').next().unwrap_or(path);
    OpenOptions::new().alone(true).open(name, &mut One(name, bytes), checks)
}

/// Goes on without what is damaged, if the rest is wanted all the same.
fn leave_out(source: &mut Source<'_>, fault: Fault) -> Result<(), Fault> {
    match fault {
        Fault::Archive(error) if source.is_in_parts() => {
            source.leave_out(ImportError::damaged(describe(&error))).map_err(Fault::Other)
        }
        fault => source.leave_out(fault.into_error()).map_err(Fault::Other),
    }
}

/// Returns the list of records, and what they become.
fn assets(source: &mut Source<'_>, databases: &Databases, checks: &mut Checks) -> Result<Vec<Asset>, Fault> {
    let (textures, faults) = Textures::read(databases, checks);
    let (names, more_faults) = Names::new(databases, &textures, checks);
    for fault in faults.into_iter().chain(more_faults) {
        leave_out(source, fault.into())?;
    }
    let (mut references, models) = (References::default(), Models::default());
    let links = TextureLinks::find(source, databases, &textures, &mut references.archives);
    let songs = Songs::find(databases, &names);
    let (parts, unknown) = (Vec::new(), Vec::new());
    let mut contents = Contents { databases, textures, links, names, references, models, parts, unknown };
    // Only the texts of all records are in memory: their values would take many times as much.
    let mut list = String::from("{\n  \"records\": [");
    let mut count = 0;
    for view in databases.root().records() {
        let first = contents.parts.len();
        let groups = databases.root().group_path(&view, checks);
        let value = groups.map_err(Fault::from).and_then(|groups| {
            let record = view.parse(checks)?;
            contents.add(source, &view, &record, checks)?;
            let is_short = typed::is_short(view.key().kind) || matches!(record, Record::Volume(_));
            Ok((groups, if is_short { typed::record(&record) } else { Value::Null }))
        });
        let (groups, short) = match value {
            Ok(value) => value,
            Err(fault) => {
                contents.parts.truncate(first);
                leave_out(source, fault)?;
                (Vec::new(), Value::Null)
            }
        };
        let mut value = typed::entry(&view);
        if let Some(value) = value.as_object_mut() {
            ["file", "offset", "size"].iter().for_each(|member| drop(value.remove(*member)));
            value.insert("groups".to_owned(), json!(groups));
            value.insert("contents".to_owned(), short);
            if let Some(links) = contents.links_of(source, view.key()) {
                value.insert("links".to_owned(), links);
            }
            let names: Vec<&str> = contents.parts[first..].iter().map(|part| part.name.as_str()).collect();
            value.insert("assets".to_owned(), json!(names));
        }
        list.push_str(if count == 0 { "\n    " } else { ",\n    " });
        list.push_str(&format!("{value:#}").replace('\n', "\n    "));
        count += 1;
    }
    list.push_str(if count == 0 { "]\n}\n" } else { "\n  ]\n}\n" });
    let mut file = Asset::text(&list)?;
    file.summary = format!("{count} records of an SRSC archive");
    file.notes = contents.notes();
    let songs = songs.import(source.path, &mut contents.names)?;
    contents.parts.extend(songs);
    Ok(std::iter::once(file).chain(contents.parts).collect())
}

/// What the records of an archive become.
struct Contents<'d> {
    databases: &'d Databases,
    textures: Textures,
    links: TextureLinks,
    names: Names,
    references: References,
    models: Models,
    parts: Vec<Asset>,
    /// Records of unknown types.
    unknown: Vec<String>,
}

impl Contents<'_> {
    /// Adds the assets of a record.
    fn add(
        &mut self,
        source: &mut Source<'_>,
        view: &RecordView<'_>,
        record: &Record<'_>,
        checks: &mut Checks,
    ) -> Result<(), Fault> {
        let Self { databases, textures, links, names, references, models, parts, unknown } = self;
        let key = view.key();
        if matches!(record, Record::Raw(_)) && key.kind.name().is_none() {
            unknown.push(key.to_string());
        }
        let at = Location { database: 0, key };
        // Of records with one type and id, the first is meant.
        let Some(name) = names.take(key) else { return Ok(()) };
        let text = |value: &Value| Asset::text(&pretty(value)).map(|asset| asset.named(&name));
        match record {
            Record::Texture(texture) => {
                parts.push(images::import(textures, source, databases, links, at, checks)?.named(&name));
                if let Some(map) = &texture.alpha_map {
                    parts.push(Asset::raw(map, "bin").named(names.unique(&format!("{name}.alpha_map"))));
                }
            }
            Record::Sound(sound) => parts.push(sounds::import(source, view, sound, checks)?.named(&name)),
            Record::ModelName(_) => {
                let model = databases.model(at, checks)?;
                let levels = databases.levels_of_detail(at, checks)?;
                let looks = references.of_model(source, &model.textures);
                let made = references.with_animations(source, &model, |animations| {
                    models.import(&model, &looks, animations, &name, names)
                });
                parts.extend(made.map_err(|error| Fault::Record(key, error))?);
                let facts = Asset::text(&pretty(&typed::facts(&model, &levels)))?;
                parts.push(facts.named(names.unique(&format!("{name}.json"))));
            }
            Record::Class(class) => {
                let (dependencies, assets) = references.of_class(source, class);
                let mut value = typed::class(class);
                value["assets"] = assets;
                parts.push(dependencies.into_iter().fold(text(&value)?, Asset::with_dependency));
            }
            Record::Sequence(sequence) => {
                let (dependencies, value) = references.of_sequence(source, view, sequence);
                parts.push(dependencies.into_iter().fold(text(&value)?, Asset::with_dependency));
            }
            Record::Animation(_) => parts.push(text(&typed::animation(&databases.animation(at, checks)?))?),
            Record::HiddenText(text) | Record::Text(text) => parts.push(Asset::text(&text.decode())?.named(&name)),
            Record::Riff(bytes) => {
                let extension = match bytes.get(8..12) {
                    Some(b"DMSG") => "sgt",
                    Some(b"DLS ") => "dls",
                    _ => "riff",
                };
                parts.push(Asset::raw(bytes, extension).named(&name));
            }
            _ => {}
        }
        Ok(())
    }

    /// The paths of what a texture is linked with.
    fn links_of(&self, source: &Source<'_>, key: RecordKey) -> Option<Value> {
        let head = self.textures.head(key.id).filter(|_| key.kind == RecordType::TEXTURE)?;
        self.links.to_json(source, key.id, head)
    }

    fn notes(&self) -> Vec<Note> {
        let unknown = || Note::new("records of unknown types are not imported").with_detail(first_of(&self.unknown));
        let unknown = (!self.unknown.is_empty()).then(unknown);
        let notes = unknown.into_iter().chain(self.links.notes()).chain(self.references.notes());
        notes.chain(self.models.note()).collect()
    }
}

/// Returns JSON with indentation and a line break at the end.
fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Whether records of a type become assets of their own.
fn is_asset(record: &Record<'_>, kind: RecordType) -> bool {
    match record {
        Record::Texture(_)
        | Record::Sound(_)
        | Record::ModelName(_)
        | Record::Class(_)
        | Record::Sequence(_)
        | Record::Animation(_)
        | Record::HiddenText(_)
        | Record::Riff(_) => true,
        Record::Text(_) => kind == RecordType::PLAIN,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
