//! Records → the files that they become, with their bytes.

use std::collections::HashMap;

use rres_format::chunk::wave::WaveProps;
use rres_import_srsc::json::{self as typed, id, name};
use rres_import_srsc::{
    ByteOrder, Checks, Databases, Error, Location, Picture, Record, RecordKey, RecordType, RecordView, TextureFlags,
    TextureLinks,
};
use rres_runtime::Image;
use serde_json::{Value, json};

use super::models;
use super::names::Names;
use crate::cmd::srsc::opened::type_name;
use crate::export::{self, ExportError};

/// What a file contains.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cmd::srsc) enum Content {
    /// A texture, with what it refers to.
    Texture { links: TextureLinks, fps: u8, is_mip: bool },
    /// A sound.
    Sound { decibels: f64, drop_off: f32, priority: u32, is_looped: bool },
    /// A model.
    Model,
    /// A text.
    Text,
    /// What has no other format.
    Data,
    /// The bytes of a record.
    Raw,
}

impl Content {
    pub(in crate::cmd::srsc) fn name(&self) -> &'static str {
        match self {
            Self::Texture { .. } => "texture",
            Self::Sound { .. } => "sound",
            Self::Model => "model",
            Self::Text => "text",
            Self::Data => "data",
            Self::Raw => "raw",
        }
    }
}

/// A file to write.
#[derive(Debug)]
pub(in crate::cmd::srsc) struct OutFile {
    /// Its path, relative to the output directory, with `/` between folders.
    pub(in crate::cmd::srsc) path: String,
    pub(in crate::cmd::srsc) bytes: Vec<u8>,
    pub(in crate::cmd::srsc) content: Content,
    /// The record that it is made from; `None` for the list of records.
    pub(in crate::cmd::srsc) at: Option<Location>,
    /// The place of that record; several records may have the same location.
    place: Option<Place>,
    /// The groups of the record.
    pub(in crate::cmd::srsc) groups: Vec<String>,
}

impl OutFile {
    /// Returns a file that is made from no record.
    pub(in crate::cmd::srsc) fn of_all(path: &str, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), bytes, content: Content::Data, at: None, place: None, groups: Vec::new() }
    }
}

/// The place of a record: its archive and the offset of its body.
type Place = (String, u32);

fn place(view: &RecordView<'_>) -> Place {
    (view.file().to_owned(), view.entry().offset)
}

/// The files to write, and what cannot be read.
#[derive(Debug, Default)]
pub(in crate::cmd::srsc) struct Plan {
    pub(in crate::cmd::srsc) files: Vec<OutFile>,
    pub(in crate::cmd::srsc) errors: Vec<Error>,
}

/// The largest size in bytes of all files, which are in memory until all of them are made.
const MAX_SIZE: u64 = 4 << 30;

/// What is known while the files are made.
struct Planning<'o> {
    databases: &'o Databases,
    checks: &'o mut Checks,
    order: Option<ByteOrder>,
    names: Names,
    plan: Plan,
    /// The path of each texture.
    textures: HashMap<Location, String>,
    /// For further pictures of animations, the id of the first one; `None` if there is none.
    first_frames: HashMap<Location, Option<u16>>,
    /// Bytes of all files so far.
    size: u64,
}

impl Plan {
    /// The bytes of records.
    pub(in crate::cmd::srsc) fn raw(chosen: &[(Location, RecordView<'_>)]) -> Self {
        let (mut plan, mut names) = (Self::default(), Names::default());
        for (at, view) in chosen {
            let kind = type_name(view).replace(' ', "-");
            let folder = super::names::sanitized(view.file());
            let path = names.path(&folder, &[], Some(&format!("{kind}-{}", id(at.key.id))), at.key.id, ".bin");
            let bytes = view.body().to_vec();
            let (at, place) = (Some(*at), Some(place(view)));
            plan.files.push(OutFile { path, bytes, content: Content::Raw, at, place, groups: Vec::new() });
        }
        plan
    }

    /// The files of common formats.
    pub(in crate::cmd::srsc) fn new(
        databases: &Databases,
        checks: &mut Checks,
        chosen: &[(Location, RecordView<'_>)],
        order: Option<ByteOrder>,
    ) -> Self {
        let mut planning = Planning {
            databases,
            checks,
            order,
            names: Names::default(),
            plan: Self::default(),
            textures: HashMap::new(),
            first_frames: HashMap::new(),
            size: 0,
        };
        // Textures first: models name their files.
        let is_texture = |(at, _): &&(Location, RecordView<'_>)| at.key.kind == RecordType::TEXTURE;
        for (at, view) in chosen.iter().filter(is_texture) {
            planning.texture(*at, view);
        }
        for (at, view) in chosen.iter().filter(|record| !is_texture(record)) {
            if let Err(error) = planning.record(*at, view) {
                planning.plan.errors.push(error);
            }
        }
        planning.plan
    }

    /// Adds the list of all records.
    pub(in crate::cmd::srsc) fn list_records(&mut self, databases: &Databases, checks: &mut Checks) {
        let mut paths: HashMap<(Location, &Place), Vec<&str>> = HashMap::new();
        for file in &self.files {
            if let Some(record) = file.at.zip(file.place.as_ref()) {
                paths.entry(record).or_default().push(&file.path);
            }
        }
        let root = databases.root();
        let record = |view: RecordView<'_>| {
            let at = Location { database: 0, key: view.key() };
            let mut value = typed::entry(&view);
            value["groups"] = json!(root.group_path(&view, checks).ok());
            // What is long has a file of its own.
            let is_short = typed::is_short(at.key.kind);
            value["contents"] = match view.parse(checks) {
                Ok(contents) if is_short => typed::record(&contents),
                _ => Value::Null,
            };
            let has_links = at.key.kind == RecordType::TEXTURE && is_first(databases, at, &view);
            value["links"] = if has_links { typed::links(databases, at, checks).0 } else { Value::Null };
            value["files"] = json!(paths.get(&(at, &place(&view))));
            value
        };
        // Only the text of all records is in memory: their values would take many times as much.
        let mut list = format!("{{\n  \"database\": {},\n  \"records\": [", json!(root.file()));
        for (number, record) in root.records().map(record).enumerate() {
            list.push_str(if number == 0 { "\n    " } else { ",\n    " });
            list.push_str(&format!("{record:#}").replace('\n', "\n    "));
        }
        list.push_str("\n  ]\n}\n");
        self.files.push(OutFile::of_all("database.json", list.into_bytes()));
    }
}

/// Returns JSON with indentation and a line break at the end.
fn pretty(value: &Value) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Returns a picture as a `.png` file.
fn png(picture: Picture) -> Result<Vec<u8>, ExportError> {
    let image = Image::from_rgba8(picture.width, picture.height, picture.rgba)?;
    Ok(export::png(&image)?.bytes.into_owned())
}

impl Planning<'_> {
    /// Returns the id of the first picture of the animation that a texture is a further picture of. What was found is kept, so that
    /// an archive of only such pictures takes no longer than any other.
    fn first_frame(&mut self, at: Location) -> Option<u16> {
        let (mut passed, mut last) = (Vec::new(), at);
        let first = loop {
            if let Some(first) = self.first_frames.get(&last) {
                break *first;
            }
            if !is_next_frame(self.databases, last) {
                break Some(last.key.id);
            }
            passed.push(last);
            let Some(id) = last.key.id.checked_sub(1) else { break None };
            last = Location { key: RecordKey { id, ..at.key }, ..at };
        };
        self.first_frames.extend(passed.into_iter().map(|passed| (passed, first)));
        first.filter(|first| *first != at.key.id)
    }

    /// Adds an error of writing a format, which names the record.
    fn refuse(&mut self, view: &RecordView<'_>, error: ExportError) {
        let why = match error {
            ExportError::Unsupported(why) | ExportError::Damaged(why) => why,
        };
        self.plan.errors.push(view.refusal(why));
    }

    fn push(
        &mut self,
        path: String,
        bytes: Vec<u8>,
        content: Content,
        (at, view): (Location, &RecordView<'_>),
        groups: Vec<String>,
    ) {
        // Records may share their bytes, so a small archive can become any number of large files.
        self.size += bytes.len() as u64;
        if self.size > MAX_SIZE {
            let why = format!("the files take more than {MAX_SIZE} bytes in all, the most that is written at once");
            return self.refuse(view, ExportError::Unsupported(why));
        }
        self.plan.files.push(OutFile { path, bytes, content, at: Some(at), place: Some(place(view)), groups });
    }

    /// Adds a texture, and returns the path of its file.
    fn texture(&mut self, at: Location, view: &RecordView<'_>) -> Option<String> {
        let is_first = is_first(self.databases, at, view);
        if let Some(path) = self.textures.get(&at).filter(|_| is_first) {
            return Some(path.clone());
        }
        let first = self.first_frame(at);
        let (databases, checks) = (self.databases, &mut *self.checks);
        let picture = databases.picture_of(at.database, view, self.order, checks);
        let made = picture.and_then(|picture| Ok((picture, view.parse(checks)?)));
        let (picture, texture) = match made {
            Ok((picture, Record::Texture(texture))) => (picture, texture),
            Ok(_) => return None,
            Err(error) => {
                self.plan.errors.push(error);
                return None;
            }
        };
        // A texture without what it refers to is of use. Nothing refers to the second of two textures with one id.
        let links = match is_first.then(|| databases.texture_links(at, checks)) {
            None => TextureLinks::default(),
            Some(Ok(links)) => links,
            Some(Err(error)) => {
                self.plan.errors.push(error);
                TextureLinks::default()
            }
        };
        let (fps, flags) = (texture.fps, texture.flags);
        let is_mip = flags.contains(TextureFlags::MIP);
        // The pictures of an animation have a folder of their own.
        let folder = match (at.database, first.or((links.frames.len() > 1).then_some(at.key.id))) {
            (0, None) => "textures".to_owned(),
            (0, Some(first)) => format!("textures/animation_{first}"),
            (number, _) => {
                let file = databases.all()[number].file();
                format!("dependencies/{}/textures", super::names::sanitized(file.trim_end_matches(".db")))
            }
        };
        let alpha_map = texture.alpha_map.as_ref().map(|map| map.to_vec());
        let bytes = match png(picture) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.refuse(view, error);
                return None;
            }
        };
        let path = self.names.path(&folder, &[], None, at.key.id, ".png");
        if is_first {
            self.textures.insert(at, path.clone());
        }
        self.push(path.clone(), bytes, Content::Texture { links, fps, is_mip }, (at, view), Vec::new());
        if let Some(map) = alpha_map {
            let path = self.names.path(&folder, &[], Some(&format!("{}.alpha_map", at.key.id)), at.key.id, ".bin");
            self.push(path, map, Content::Raw, (at, view), Vec::new());
        }
        Some(path)
    }

    /// Adds the files of any other record.
    fn record(&mut self, at: Location, view: &RecordView<'_>) -> Result<(), Error> {
        let (databases, checks) = (self.databases, &mut *self.checks);
        // The other records of a model or an animation belong to the first head with their id.
        if matches!(at.key.kind, RecordType::ANIMATION | RecordType::MODEL) && !is_first(databases, at, view) {
            return Ok(());
        }
        if at.key.kind == RecordType::ANIMATION {
            let value = typed::animation(&databases.animation(at, checks)?);
            return self.data("animations", at, view, ".json", pretty(&value));
        }
        match view.parse(checks)? {
            Record::Sound(sound) => {
                let samples = sound.pcm(checks.limits()).map_err(|fault| view.error(fault))?;
                let props = WaveProps {
                    frames: sound.frames(),
                    sample_rate: sound.rate,
                    sample_size: sound.bits.into(),
                    channels: sound.channels.into(),
                };
                let wav = export::wav_of_samples(props, &samples).map(|contents| contents.bytes.into_owned());
                let content = Content::Sound {
                    decibels: sound.decibels(),
                    drop_off: sound.drop_off,
                    priority: sound.priority,
                    is_looped: sound.is_looped(),
                };
                match wav {
                    Ok(wav) => self.named("sounds", at, view, ".wav", wav, content),
                    Err(error) => {
                        self.refuse(view, error);
                        Ok(())
                    }
                }
            }
            Record::ModelName(_) => self.model(at, view),
            Record::Class(class) => {
                let value = typed::class(&class);
                self.data("classes", at, view, ".json", pretty(&value))
            }
            Record::Sequence(sequence) => {
                let value = typed::sequence(&sequence);
                self.data("sequences", at, view, ".json", pretty(&value))
            }
            Record::HiddenText(text) | Record::Text(text) => {
                let text = text.decode().into_owned().into_bytes();
                self.named("texts", at, view, ".txt", text, Content::Text)
            }
            Record::Riff(bytes) => {
                let extension = match bytes.get(8..12) {
                    Some(b"DMSG") => ".sgt",
                    Some(b"DLS ") => ".dls",
                    _ => ".riff",
                };
                self.named("music", at, view, extension, bytes.to_vec(), Content::Data)
            }
            _ => Ok(()),
        }
    }

    fn data(
        &mut self,
        folder: &str,
        at: Location,
        view: &RecordView<'_>,
        extension: &str,
        bytes: Vec<u8>,
    ) -> Result<(), Error> {
        self.named(folder, at, view, extension, bytes, Content::Data)
    }

    /// Adds a file in the folders of the groups of its record.
    fn named(
        &mut self,
        folder: &str,
        at: Location,
        view: &RecordView<'_>,
        extension: &str,
        bytes: Vec<u8>,
        content: Content,
    ) -> Result<(), Error> {
        let groups = self.databases.root().group_path(view, self.checks)?;
        let path = self.names.path(folder, &groups, name(view).as_deref(), at.key.id, extension);
        self.push(path, bytes, content, (at, view), groups);
        Ok(())
    }

    /// Adds the files of a model: one for each level of detail, and what no model file holds.
    fn model(&mut self, at: Location, view: &RecordView<'_>) -> Result<(), Error> {
        let (databases, checks) = (self.databases, &mut *self.checks);
        let model = databases.model(at, checks)?;
        let groups = databases.group_path(at, checks)?;
        let list = databases.record(Location { key: RecordKey { kind: RecordType::TEXTURE_LIST, ..at.key }, ..at });
        let mut textures = Vec::new();
        for (number, texture) in model.textures.iter().enumerate() {
            let Some(list) = &list else { break };
            let place = ("textures", 4 + 4 * number as u64);
            textures.push(databases.resolve(at.database, list, texture, RecordType::TEXTURE, place)?);
        }
        let levels = databases.levels_of_detail(at, checks)?;
        let facts = typed::facts(&model, &levels);
        let meshes = model.levels();
        let name = model.name.decode().into_owned();
        let mut path = |texture: Location| self.texture(texture, &databases.record(texture)?);
        let paths: Vec<Option<String>> = textures.into_iter().map(|texture| path(texture?)).collect();
        let stem = self.names.path("models", &groups, Some(&name), at.key.id, "");
        for (level, surfaces) in meshes {
            let number = if level == 0 { String::new() } else { format!(".lod{level}") };
            let path = self.names.free(&format!("{stem}{number}"), at.key.id, ".glb");
            match models::glb(&name, &surfaces, &paths, &path) {
                Ok(Some(bytes)) => self.push(path, bytes, Content::Model, (at, view), groups.clone()),
                Ok(None) => {}
                Err(error) => self.refuse(view, error),
            }
        }
        let path = self.names.free(&stem, at.key.id, ".json");
        self.push(path, pretty(&facts), Content::Data, (at, view), groups);
        Ok(())
    }
}

/// Whether a record is the one that references to its type and id mean.
fn is_first(databases: &Databases, at: Location, view: &RecordView<'_>) -> bool {
    databases.record(at).is_some_and(|first| place(&first) == place(view))
}

/// Whether a texture is a further picture of an animation.
fn is_next_frame(databases: &Databases, at: Location) -> bool {
    let record = databases.record(at).map(|view| view.parse(&mut Checks::default()));
    matches!(record, Some(Ok(Record::Texture(texture))) if texture.flags.contains(TextureFlags::NEXT_FRAME))
}
