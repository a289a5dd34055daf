//! Databases: archives of the same name beside a `.db` file, and the databases that they refer to.
//!
//! `Synth.db` names other databases by number and path. Beside it are `Synth.txd`, `Synth.mod` and so on, one archive for each sort of
//! asset, and each may be missing. A reference from a record names a database by its number, or 0 for its own.

mod definition;
mod files;
mod groups;
mod links;
mod music;
mod open;
mod path;

pub use definition::{Definition, Dependency};
pub use files::{Files, Folder, MemoryFiles};
pub(crate) use links::KnownLevels;
pub use links::{LevelOfDetail, TextureLinks, frame_at, select_level};
pub use music::Song;
pub use open::OpenOptions;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use crate::animation::Animation;
use crate::body::Ref;
use crate::checks::Checks;
use crate::container::{Archive, RecordView};
use crate::error::{Error, Fault, Problem, Result};
use crate::model::Model;
use crate::pixels::{ByteOrder, Picture};
use crate::record_type::{RecordKey, RecordType};
use crate::records::Record;

/// The extensions of the archives of a database.
pub const EXTENSIONS: [&str; 6] = ["mod", "adb", "ssd", "odb", "sdb", "txd"];

/// The bytes of an archive, whose directory was checked.
struct ArchiveBytes {
    file: String,
    bytes: Vec<u8>,
    directory: Range<usize>,
    version: u16,
}

/// A database: its archives, and the numbers of those that it depends on.
pub struct Database {
    file: String,
    definition: Definition,
    archives: Vec<ArchiveBytes>,
    /// The archive and the number in its directory of each record. Of records of the same key, the first one.
    index: BTreeMap<RecordKey, (usize, usize)>,
    /// The database of each dependency; `None` if it was not found.
    dependencies: BTreeMap<u16, Option<usize>>,
}

impl Database {
    /// Returns the path of the `.db` file, or of the archive that was opened by itself.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns what the `.db` file contains.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Returns the archives that exist.
    pub fn archives(&self) -> impl ExactSizeIterator<Item = Archive<'_>> {
        self.archives
            .iter()
            .map(|archive| Archive::of_parts(&archive.file, &archive.bytes, archive.directory.clone(), archive.version))
    }

    /// Returns the records of all archives.
    pub fn records(&self) -> impl Iterator<Item = RecordView<'_>> {
        self.archives().flat_map(|archive| archive.records())
    }

    /// Returns the record with a type and an id; the first one, if there are several.
    pub fn record(&self, kind: RecordType, id: u16) -> Option<RecordView<'_>> {
        let (archive, number) = self.index.get(&RecordKey { kind, id })?;
        self.archives().nth(*archive)?.record(*number)
    }

    /// Returns the palette: of several, the one with the lowest id, which usually is 0.
    pub fn palette(&self) -> Option<RecordView<'_>> {
        let (kind, id) = self.palettes().next()?;
        self.record(kind, id)
    }

    fn palettes(&self) -> impl Iterator<Item = (RecordType, u16)> {
        let key = |id| RecordKey { kind: RecordType::PALETTE, id };
        self.index.range(key(0)..=key(u16::MAX)).map(|(key, _)| (key.kind, key.id))
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("file", &self.file).finish_non_exhaustive()
    }
}

/// A record of one of several databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The number of the database in [`Databases`]; 0 is the one that was opened.
    pub database: usize,
    /// The type and the id.
    pub key: RecordKey,
}

/// A database and all that it depends on.
#[derive(Debug)]
pub struct Databases {
    list: Vec<Database>,
}

impl Databases {
    /// Returns the database that was opened.
    pub fn root(&self) -> &Database {
        &self.list[0]
    }

    /// Returns all databases. The first is the one that was opened.
    pub fn all(&self) -> &[Database] {
        &self.list
    }

    /// Returns the record at a location.
    pub fn record(&self, at: Location) -> Option<RecordView<'_>> {
        self.list.get(at.database)?.record(at.key.kind, at.key.id)
    }

    fn expect(&self, at: Location) -> Result<RecordView<'_>> {
        let file = self.list.get(at.database).map_or("", Database::file);
        let missing = || Error {
            record: Some(at.key),
            ..Error::in_file(file, "record", 0, Problem::Missing { what: "a record that does not exist".to_owned() })
        };
        self.record(at).ok_or_else(missing)
    }

    /// Finds the record that a field refers to; `None` if it refers to nothing. `from` is the record with the field, in the database with
    /// the number `database`; `offset` is where the field is in its body.
    ///
    /// # Errors
    /// If the number of the database is not in the `.db` file, the database was not found, or it has no such record.
    pub fn resolve(
        &self,
        database: usize,
        from: &RecordView<'_>,
        reference: Ref,
        kind: RecordType,
        (field, offset): (&'static str, u64),
    ) -> Result<Option<Location>> {
        if reference.is_null() {
            return Ok(None);
        }
        let missing = |what: String| from.error(Fault { field, offset, problem: Problem::Missing { what } });
        let key = RecordKey { kind, id: reference.id };
        let database = match reference.database {
            0 => database,
            number => {
                let known = self.list.get(database).and_then(|database| database.dependencies.get(&number));
                match known {
                    Some(Some(found)) => *found,
                    Some(None) => {
                        return Err(missing(format!("{key} of the database {number}, which was not found")));
                    }
                    None => {
                        let what = format!("{key} of the database {number}, which the .db file does not name");
                        return Err(missing(what));
                    }
                }
            }
        };
        let at = Location { database, key };
        match self.record(at) {
            Some(_) => Ok(Some(at)),
            None => {
                let file = self.list.get(database).map_or("", Database::file);
                Err(missing(format!("{key}, which {file} does not have")))
            }
        }
    }

    /// Decodes a texture with the palette of its database. Warns if the order of the bytes is a guess.
    ///
    /// # Errors
    /// If the record is not a texture, or its pixels cannot be decoded.
    pub fn picture(&self, at: Location, order: Option<ByteOrder>, checks: &mut Checks) -> Result<Picture> {
        self.picture_of(at.database, &self.expect(at)?, order, checks)
    }

    /// As [`Self::picture`], for a texture that is not the first one with its id. `database` is the number of the database that has it.
    ///
    /// # Errors
    /// As [`Self::picture`].
    pub fn picture_of(
        &self,
        database: usize,
        view: &RecordView<'_>,
        order: Option<ByteOrder>,
        checks: &mut Checks,
    ) -> Result<Picture> {
        let Record::Texture(texture) = view.parse(checks)? else {
            return Err(view.error(Fault::invalid("type", 0, view.key().kind, "a texture")));
        };
        if order.is_none() && texture.has_uncertain_order() {
            let what = "pixels of 32 bits with alpha are taken as blue, green, red, alpha, which is uncertain";
            checks.warn(view.error(Fault::unknown("bits per pixel", 12, what)))?;
        }
        let palette = self.list.get(database).and_then(Database::palette);
        let palette = match palette.filter(|_| texture.bits == 8) {
            Some(palette) => match palette.parse(checks)? {
                Record::Palette(colors) => Some(colors),
                _ => None,
            },
            None => None,
        };
        texture.to_rgba8(palette.as_ref(), order, checks.limits()).map_err(|fault| view.error(fault))
    }

    /// Puts a model together from the records of its id, and checks that all indices lead to something.
    ///
    /// # Errors
    /// If a record is damaged, or a polygon refers to a vertex or a texture that does not exist.
    pub fn model(&self, at: Location, checks: &mut Checks) -> Result<Model<'_>> {
        let view = self.expect(Location { key: RecordKey { kind: RecordType::MODEL, id: at.key.id }, ..at })?;
        let Record::ModelName(name) = view.parse(checks)? else {
            return Err(view.error(Fault::invalid("type", 0, view.key().kind, "a model")));
        };
        let mut model = Model {
            name: name.name,
            shading: name.shading,
            vertices: Default::default(),
            polygons: Vec::new(),
            textures: Default::default(),
            bounds: None,
            character: None,
            bsp: None,
            lod: None,
        };
        let database = &self.list[at.database];
        let kinds = [
            RecordType::VERTICES,
            RecordType::POLYGONS,
            RecordType::BSP,
            RecordType::TEXTURE_LIST,
            RecordType::BOUNDS,
            RecordType::CHARACTER,
            RecordType::LOD,
        ];
        for part in kinds.into_iter().filter_map(|kind| database.record(kind, at.key.id)) {
            match part.parse(checks)? {
                Record::Vertices(vertices) => model.vertices = vertices,
                Record::Polygons(polygons) => model.polygons = polygons,
                Record::TextureList(textures) => model.textures = textures,
                Record::Bounds(bounds) => model.bounds = Some(bounds),
                Record::Character(character) => model.character = Some(character),
                Record::Lod(lod) => model.lod = Some(lod),
                _ => model.bsp = Some(part.body()),
            }
        }
        for missing in self.missing_parts(at) {
            checks.warn(missing)?;
        }
        let polygons = database.record(RecordType::POLYGONS, at.key.id).unwrap_or(view);
        model.check().map_err(|fault| polygons.error(fault))?;
        Ok(model)
    }

    /// Returns which of the records that every model has do not exist: vertices, polygons and textures. [`Self::model`] warns of them, and
    /// reads what there is.
    pub fn missing_parts(&self, at: Location) -> Vec<Error> {
        let model = self.record(Location { key: RecordKey { kind: RecordType::MODEL, id: at.key.id }, ..at });
        let Some((view, database)) = model.zip(self.list.get(at.database)) else { return Vec::new() };
        let parts = [
            ("vertices", RecordType::VERTICES),
            ("polygons", RecordType::POLYGONS),
            ("textures", RecordType::TEXTURE_LIST),
        ];
        let missing = parts.into_iter().filter(|(_, kind)| database.record(*kind, at.key.id).is_none());
        let error = |(field, kind)| {
            let key = RecordKey { kind, id: at.key.id };
            let what = format!("{key}, which {} does not have", view.file());
            view.error(Fault::new(field, 0, Problem::Missing { what }))
        };
        missing.map(error).collect()
    }

    /// Puts an animation together from the records of its id, and checks its ranges.
    ///
    /// # Errors
    /// If a record is damaged, or a range is beyond the frames.
    pub fn animation(&self, at: Location, checks: &mut Checks) -> Result<Animation<'_>> {
        let view = self.expect(Location { key: RecordKey { kind: RecordType::ANIMATION, id: at.key.id }, ..at })?;
        let Record::Animation(info) = view.parse(checks)? else {
            return Err(view.error(Fault::invalid("type", 0, view.key().kind, "an animation")));
        };
        let mut animation = Animation { info, frames: Default::default(), ranges: Default::default() };
        let database = &self.list[at.database];
        for part in [RecordType::FRAMES, RecordType::FRAME_RANGES].map(|kind| database.record(kind, at.key.id)) {
            match part.map(|part| part.parse(checks)).transpose()? {
                Some(Record::Frames(frames)) => animation.frames = frames,
                Some(Record::FrameRanges(ranges)) => animation.ranges = ranges,
                _ => {}
            }
        }
        let ranges = database.record(RecordType::FRAME_RANGES, at.key.id).unwrap_or(view);
        animation.check().map_err(|fault| ranges.error(fault))?;
        Ok(animation)
    }
}
