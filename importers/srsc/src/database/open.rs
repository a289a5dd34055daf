//! Reads a database and all that it depends on.

use std::collections::{BTreeMap, HashMap};

use super::path::{Finder, dependency};
use super::{ArchiveBytes, Database, Databases, Definition, EXTENSIONS, Files};
use crate::checks::Checks;
use crate::container::Archive;
use crate::error::{Error, Fault, Problem, Result};

/// The most bytes of the text of a `.db` file.
const MAX_TEXT: u64 = 4 << 20;

/// How databases are opened.
///
/// ```
/// use rres_import_srsc::{Checks, MemoryFiles, OpenOptions, RecordType, write};
///
/// let mut files = MemoryFiles(write::example().into_iter().collect());
/// let mut checks = Checks::default();
/// let databases = OpenOptions::new().open("Synth.db", &mut files, &mut checks)?;
/// let textures = databases.root().records().filter(|record| record.key().kind == RecordType::TEXTURE);
/// assert_eq!(textures.count(), 13);
/// assert_eq!(databases.all()[1].file(), "Common/Shared.db");
/// # Ok::<(), rres_import_srsc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    may_leave: bool,
    is_alone: bool,
}

impl OpenOptions {
    /// Returns options that open the dependencies, too, and let no path lead out of the directory of the files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets paths of dependencies lead out of the directory with `..`. Absolute paths and drives are always refused.
    #[must_use]
    pub fn may_leave(mut self, yes: bool) -> Self {
        self.may_leave = yes;
        self
    }

    /// Does not open the dependencies, so that no reference to them can be resolved.
    #[must_use]
    pub fn alone(mut self, yes: bool) -> Self {
        self.is_alone = yes;
        self
    }

    /// Opens a database by the path of its `.db` file, or a single archive by its path. Paths are found without regard to case.
    ///
    /// A dependency that does not exist is a warning, and with [`Checks::strict`] an error.
    ///
    /// # Errors
    /// If a file is damaged, a path leads out of the directory, databases depend on each other in a circle, or a
    /// [limit](crate::Limits) is exceeded.
    pub fn open(self, path: &str, files: &mut dyn Files, checks: &mut Checks) -> Result<Databases> {
        let mut opening = Opening {
            options: self,
            finder: Finder::new(files),
            list: Vec::new(),
            open: Vec::new(),
            known: HashMap::new(),
            size: 0,
        };
        let found = opening.find(path, path, 0)?;
        let Some(found) = found else {
            let problem = Problem::Read { reason: "no such file".to_owned() };
            return Err(Error::in_file(path, "file", 0, problem));
        };
        if has_extension(&found, "db") {
            opening.database(found, checks)?;
        } else {
            let archive = opening.archive(found.clone(), checks)?;
            let database = database(found, Definition::default(), vec![archive], checks)?;
            opening.list.push(Some(database));
        }
        // Every database is complete once its dependencies are.
        Ok(Databases { list: opening.list.into_iter().flatten().collect() })
    }
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
}

/// The work of opening databases.
struct Opening<'f> {
    options: OpenOptions,
    finder: Finder<'f>,
    /// The databases. One is `None` while its dependencies are opened.
    list: Vec<Option<Database>>,
    /// Those whose dependencies are being opened, from the first on.
    open: Vec<String>,
    /// The number of each database by its path.
    known: HashMap<String, usize>,
    size: u64,
}

impl Opening<'_> {
    /// Returns the path of an existing file. `at` is the file that names it.
    fn find(&mut self, path: &str, at: &str, offset: u64) -> Result<Option<String>> {
        let fail = |error: std::io::Error| {
            Error::in_file(at, "path", offset, Problem::Read { reason: format!("{path}: {error}") })
        };
        self.finder.find(path).map_err(fail)
    }

    fn read(&mut self, path: &str, limit: u64) -> Result<Vec<u8>> {
        let fail = |problem| Error::in_file(path, "file", 0, problem);
        self.finder.read(path, limit).map_err(|error| fail(Problem::Read { reason: error.to_string() }))
    }

    /// Reads an archive, and checks its directory.
    fn archive(&mut self, file: String, checks: &mut Checks) -> Result<ArchiveBytes> {
        let bytes = self.read(&file, checks.limits().file_size)?;
        self.size += bytes.len() as u64;
        if self.size > checks.limits().total_size {
            let problem = Problem::TooLarge { found: self.size, limit: checks.limits().total_size };
            return Err(Error::in_file(&file, "size of all archives", 0, problem));
        }
        let archive = Archive::parse(&file, &bytes, checks)?;
        let (directory, version) = (archive.directory_range(), archive.version());
        Ok(ArchiveBytes { file, bytes, directory, version })
    }

    /// Opens a database and those that it depends on, and returns its number. `path` exists.
    fn database(&mut self, path: String, checks: &mut Checks) -> Result<usize> {
        let limits = *checks.limits();
        if self.list.len() >= limits.databases {
            let problem = Problem::TooLarge { found: self.list.len() as u64 + 1, limit: limits.databases as u64 };
            return Err(Error::in_file(&path, "number of databases", 0, problem));
        }
        if self.open.len() >= limits.depth {
            let problem = Problem::TooLarge { found: self.open.len() as u64 + 1, limit: limits.depth as u64 };
            return Err(Error::in_file(&path, "depth of dependencies", 0, problem));
        }
        let text = self.read(&path, MAX_TEXT.min(limits.file_size))?;
        let definition = Definition::parse(&path, &text, checks)?;
        let stem = &path[..path.len() - ".db".len()];
        let mut archives = Vec::new();
        for extension in EXTENSIONS {
            if let Some(file) = self.find(&format!("{stem}.{extension}"), &path, 0)? {
                archives.push(self.archive(file, checks)?);
            }
        }
        let number = self.list.len();
        self.list.push(None);
        self.known.insert(path.clone(), number);
        self.open.push(path.clone());
        let mut database = database(path.clone(), definition, archives, checks)?;
        if !self.options.is_alone {
            database.dependencies = self.dependencies(&path, &database.definition, checks)?;
        }
        self.open.pop();
        self.list[number] = Some(database);
        Ok(number)
    }

    /// Opens what a database depends on.
    fn dependencies(
        &mut self,
        file: &str,
        definition: &Definition,
        checks: &mut Checks,
    ) -> Result<BTreeMap<u16, Option<usize>>> {
        let mut dependencies = BTreeMap::new();
        for named in &definition.dependencies {
            let fail = |problem| Error::in_file(file, "dependency", named.offset, problem);
            let path = dependency(file, &named.path, self.options.may_leave).map_err(fail)? + ".db";
            let found = self.find(&path, file, named.offset)?;
            let number = match found {
                None => {
                    let what = format!("{}, which does not exist as {path}", named.path);
                    checks.warn(fail(Problem::Missing { what }))?;
                    None
                }
                Some(found) => match self.known.get(&found) {
                    Some(number) if self.list[*number].is_some() => Some(*number),
                    Some(_) => {
                        let start = self.open.iter().position(|open| *open == found).unwrap_or(0);
                        let circle = self.open[start..].iter().chain([&found]).cloned().collect();
                        return Err(fail(Problem::Cycle { path: circle }));
                    }
                    None => Some(self.database(found, checks)?),
                },
            };
            dependencies.insert(named.index, number);
        }
        Ok(dependencies)
    }
}

/// Makes the index of a database.
fn database(
    file: String,
    definition: Definition,
    archives: Vec<ArchiveBytes>,
    checks: &mut Checks,
) -> Result<Database> {
    let mut database = Database { file, definition, archives, index: BTreeMap::new(), dependencies: BTreeMap::new() };
    let mut index = BTreeMap::new();
    for (archive, view) in database.archives().enumerate() {
        for (number, record) in view.records().enumerate() {
            let place = (archive, number);
            // Records without an id, such as versions, are never referred to.
            if *index.entry(record.key()).or_insert(place) != place && record.key().id != 0 {
                let problem = Problem::Unknown { what: "another record has the same type and id".to_owned() };
                checks.warn(Error {
                    record: Some(record.key()),
                    ..Error::in_file(view.file(), "id", record.entry().offset.into(), problem)
                })?;
            }
        }
    }
    database.index = index;
    let ids: Vec<u16> = database.palettes().map(|(_, id)| id).collect();
    if let (Some(palette), true) = (database.palette(), ids.len() > 1) {
        let ids = ids.iter().map(|id| format!("0x{id:04x}")).collect::<Vec<_>>().join(", ");
        let what = format!("palettes have the ids {ids}; textures have the colours of this one");
        let fault = Fault { field: "id", offset: 0, problem: Problem::Unknown { what } };
        let warning = palette.error(fault);
        checks.warn(warning)?;
    }
    Ok(database)
}
