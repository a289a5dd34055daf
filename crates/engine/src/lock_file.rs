//! The lock file: the set of assets, one per line, committed beside the assets directory as `assets.lock`.
//!
//! In lock mode, debug builds watch the lock file and not the contents of the assets directory, and an asset that is moved
//! keeps its id. The file is text that merges well: sorted by path, each path after its id and kind. Builds only compare it
//! with the assets; `cargo rres sync` and the serving build script update it.

use std::collections::{BTreeMap, HashMap, HashSet, btree_map};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rres_format::{AssetKind, ResourceId};

use crate::diagnostic::{Diagnostic, Place, Position};
use crate::model::{ImportedAsset, resource_path};
use crate::read_file::read_file;
use crate::source_dir::file_beside;

const HEADER: &str = "# The assets of this package, for `lock = true`. `cargo rres sync` writes it; commit it.\n";

/// What to do about a lock file that does not match the assets.
const SYNC: &str = "run `cargo rres sync`, look at what it changes, and commit the file";

/// The largest number of differences that an error lists.
const MAX_NAMED: usize = 5;

/// The ids that assets keep, by path. With an empty lock file, every asset gets the id of its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockFile(BTreeMap<String, Entry>);

/// One asset or sub-asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    id: ResourceId,
    kind: AssetKind,
}

/// A difference between two lock files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockChange {
    /// An asset was added.
    Added {
        /// Its path.
        path: String,
    },
    /// An asset was removed.
    Removed {
        /// Its path.
        path: String,
    },
    /// An asset has another path and the same id.
    Moved {
        /// Its path before.
        from: String,
        /// Its path now.
        to: String,
    },
    /// An asset has another id or kind.
    Changed {
        /// Its path.
        path: String,
        /// Id and kind before.
        before: String,
        /// Id and kind now.
        after: String,
    },
}

/// The path of the lock file of the assets directory `assets`: next to it and named after it.
pub(crate) fn path_for(assets: &Path) -> PathBuf {
    file_beside(assets, "lock")
}

/// The error of a build that requires a lock file that does not exist.
pub(crate) fn missing(file: &Path) -> Diagnostic {
    Diagnostic::file(file, "lock file not found (required by `lock = true`)").with_help(SYNC.to_owned())
}

/// The most faults that are reported.
const MAX_FAULTS: usize = 100;

/// As much of a line as a message needs.
fn shown(line: &str) -> String {
    const MOST: usize = 200;
    let more = if line.chars().count() > MOST { "…" } else { "" };
    line.chars().take(MOST).collect::<String>() + more
}

impl LockFile {
    /// Reads the lock file `file`; `None` if it does not exist.
    pub(crate) fn read(file: &Path) -> Result<Option<Self>, Vec<Diagnostic>> {
        let Some(text) = read_text(file)? else { return Ok(None) };
        let (lock, diagnostics) = Self::parse(&text, file);
        if diagnostics.is_empty() { Ok(Some(lock)) } else { Err(diagnostics) }
    }

    /// Reads the lock file `file` as far as possible, with both sides of merge conflicts.
    pub(crate) fn read_lenient(file: &Path) -> Result<Self, Vec<Diagnostic>> {
        let text = read_text(file)?.unwrap_or_default();
        let (lock, diagnostics) = Self::parse(&text, file);
        let is_conflict =
            |diagnostic: &Diagnostic| [CONFLICT, TWICE].iter().any(|start| diagnostic.message().starts_with(start));
        match diagnostics.into_iter().filter(|diagnostic| !is_conflict(diagnostic)).collect::<Vec<_>>() {
            others if others.is_empty() => Ok(lock),
            others => Err(others),
        }
    }

    /// Reads the text of a lock file as far as possible.
    pub fn parse_lenient(text: &str) -> Self {
        Self::parse(text, Path::new("")).0
    }

    fn parse(text: &str, file: &Path) -> (Self, Vec<Diagnostic>) {
        let (mut entries, mut diagnostics) = (BTreeMap::new(), Vec::new());
        let mut is_conflict_reported = false;
        for (number, line) in (1..).zip(text.lines()) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut report = |message| {
                // A file with so many faults is not a lock file.
                if diagnostics.len() >= MAX_FAULTS {
                    return;
                }
                let place = Place::File(file.to_owned(), Some(Position { line: number, column: 1 }));
                diagnostics.push(Diagnostic::new(place, message).with_help(SYNC.to_owned()));
            };
            match parse_entry(line) {
                // If a merge left two lines for one path, the first one is used.
                Some((path, entry)) => match entries.entry(path.to_owned()) {
                    btree_map::Entry::Vacant(vacant) => {
                        vacant.insert(entry);
                    }
                    btree_map::Entry::Occupied(_) => report(format!("{TWICE}: \"{}\"", shown(path))),
                },
                None if is_conflict_marker(line) => {
                    // One report is enough for all markers.
                    if !std::mem::replace(&mut is_conflict_reported, true) {
                        report(format!("{CONFLICT}: \"{}\"", shown(line)));
                    }
                }
                None => report(format!("invalid lock entry \"{}\", expected `id kind path`", shown(line))),
            }
        }
        (Self(entries), diagnostics)
    }

    /// Returns whether the text of a lock file contains the markers of a merge conflict.
    pub fn has_conflict(text: &str) -> bool {
        text.lines().any(is_conflict_marker)
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        let line = |(path, Entry { id, kind }): (&String, &Entry)| format!("{id} {kind} {path}\n");
        std::iter::once(HEADER.to_owned()).chain(self.0.iter().map(line)).collect()
    }

    /// Returns the number of assets and sub-assets.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the lock file has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the differences from this lock file to `after`, sorted by path in `after`; removed entries come last.
    pub fn changes(&self, after: &Self) -> Vec<LockChange> {
        let describe = |Entry { id, kind }: &Entry| format!("{id} {kind}");
        let mut gone: HashMap<ResourceId, &String> = self
            .0
            .iter()
            .filter(|(path, _)| !after.0.contains_key(*path))
            .map(|(path, entry)| (entry.id, path))
            .collect();
        let mut changes = Vec::new();
        for (path, now) in &after.0 {
            let path = path.clone();
            match self.0.get(&path) {
                Some(before) if before == now => {}
                Some(before) => {
                    changes.push(LockChange::Changed { path, before: describe(before), after: describe(now) });
                }
                None => changes.push(match gone.remove(&now.id) {
                    Some(from) => LockChange::Moved { from: from.clone(), to: path },
                    None => LockChange::Added { path },
                }),
            }
        }
        let mut removed: Vec<&String> = gone.into_values().collect();
        removed.sort();
        changes.extend(removed.into_iter().map(|path| LockChange::Removed { path: path.clone() }));
        changes
    }

    /// The id of an asset or sub-asset: the locked one, or else the id of `stored`, its path in the pack.
    pub(crate) fn id(&self, path: &str, stored: &str) -> ResourceId {
        self.0.get(path).map_or_else(|| ResourceId::from_path(stored), |entry| entry.id)
    }

    /// Adds the entries of `earlier` whose paths are not in this lock file.
    pub(crate) fn add_missing(&mut self, earlier: &Self) {
        for (path, entry) in &earlier.0 {
            self.0.entry(path.clone()).or_insert(*entry);
        }
    }

    /// Compares the lock file `file` with the assets. Sources in `unavailable` exist, but are not among the assets.
    pub(crate) fn check(&self, assets: &[ImportedAsset], unavailable: &[&str], file: &Path) -> Option<Diagnostic> {
        let mut unmatched = self.0.clone();
        let mut differences = Vec::new();
        for asset in assets.iter().filter(|asset| !asset.is_of_library) {
            for resource in &asset.record.resources {
                let path = resource_path(&asset.path, &resource.name);
                let explicit = asset.naming.id.filter(|_| resource.name.is_empty());
                match unmatched.remove(&path) {
                    None => differences.push(format!("{path} is missing")),
                    Some(entry) if entry.kind != resource.kind => {
                        differences.push(format!("{path} is listed as {}, but is {}", entry.kind, resource.kind));
                    }
                    Some(entry) if explicit.is_some_and(|id| id != entry.id) => {
                        differences.push(format!("{path} is listed with the id {}", entry.id));
                    }
                    Some(_) => {}
                }
            }
        }
        let unavailable = SourceSet::new(unavailable.iter().copied());
        let gone = unmatched.into_keys().filter(|path| !unavailable.contains(self.source_of(path)));
        differences.extend(gone.map(|path| format!("{path} no longer exists")));
        if differences.is_empty() {
            return None;
        }
        let more = differences.len().saturating_sub(MAX_NAMED);
        differences.truncate(MAX_NAMED);
        let mut message = format!("does not match the assets: {}", differences.join("; "));
        if more > 0 {
            message += &format!("; and {more} more");
        }
        Some(Diagnostic::file(file, message).with_help(SYNC.to_owned()))
    }

    /// The lock file that matches the assets. Known paths keep their ids, and so do assets that were moved from a path that
    /// no longer exists: `old_hashes` returns hashes of the contents that such a path had. Sources in `unavailable` exist,
    /// but are not among the assets; they keep their entries.
    pub(crate) fn reconcile(
        &self,
        assets: &[ImportedAsset],
        unavailable: &[&str],
        old_hashes: impl Fn(&str) -> Vec<[u8; 32]>,
    ) -> Self {
        let present: HashSet<&str> = assets.iter().map(|asset| asset.path.as_str()).collect();
        let unavailable = SourceSet::new(unavailable.iter().copied());
        let (mut entries, mut taken) = (BTreeMap::new(), HashSet::new());
        let mut gone: HashMap<[u8; 32], Vec<&str>> = HashMap::new();
        for (path, entry) in &self.0 {
            let source = self.source_of(path);
            if present.contains(source) {
                continue;
            }
            if unavailable.contains(source) {
                taken.insert(entry.id);
                entries.insert(path.clone(), *entry);
            } else if source == path {
                old_hashes(source).into_iter().for_each(|hash| gone.entry(hash).or_default().push(source));
            }
        }
        let (mut moved, mut new) = (HashSet::new(), Vec::new());
        // The ids of the assets of libraries are in the constants of their modules.
        for asset in assets.iter().filter(|asset| !asset.is_of_library) {
            let before = if self.0.contains_key(&asset.path) {
                Some(asset.path.as_str())
            } else {
                moved_from(asset, &gone, &moved)
            };
            moved.extend(before);
            for resource in &asset.record.resources {
                let path = resource_path(&asset.path, &resource.name);
                let locked = before.and_then(|before| self.0.get(&resource_path(before, &resource.name)));
                let explicit = asset.naming.id.filter(|_| resource.name.is_empty());
                match explicit.or(locked.map(|entry| entry.id).filter(|id| !taken.contains(id))) {
                    Some(id) => {
                        taken.insert(id);
                        entries.insert(path, Entry { id, kind: resource.kind });
                    }
                    None => new.push((path, resource_path(&asset.naming.path, &resource.name), resource.kind)),
                }
            }
        }
        for (path, stored, kind) in new {
            let id = free_id(&stored, &taken);
            taken.insert(id);
            entries.insert(path, Entry { id, kind });
        }
        Self(entries)
    }

    /// The source of a path: the path itself, or the part before the `#` of a sub-asset.
    fn source_of<'p>(&self, path: &'p str) -> &'p str {
        let mut starts = path.match_indices('#').map(|(at, _)| &path[..at]);
        starts.find(|start| self.0.contains_key(*start)).unwrap_or(path)
    }
}

/// Paths of sources, or of unreadable folders, which represent everything in them.
pub(crate) struct SourceSet<'s>(HashSet<&'s str>);

impl<'s> SourceSet<'s> {
    pub(crate) fn new(paths: impl IntoIterator<Item = &'s str>) -> Self {
        Self(paths.into_iter().collect())
    }

    /// Whether the source at a path, or a folder that it is in, is in the set.
    pub(crate) fn contains(&self, source: &str) -> bool {
        let mut folders = source.match_indices('/').map(|(at, _)| &source[..at]);
        self.0.contains(source) || folders.any(|folder| self.0.contains(folder))
    }
}

/// The path in `gone` that a new asset was moved from: one with the same contents, preferably with the same name.
fn moved_from<'g>(
    asset: &ImportedAsset,
    gone: &HashMap<[u8; 32], Vec<&'g str>>,
    moved: &HashSet<&str>,
) -> Option<&'g str> {
    // Two empty files are not necessarily the same asset.
    if asset.source_size == 0 {
        return None;
    }
    let hashes = [asset.record.blob_key.0, asset.record.content_hash];
    let alike: Vec<&str> = hashes
        .iter()
        .filter_map(|hash| gone.get(hash))
        .flatten()
        .copied()
        .filter(|path| !moved.contains(path))
        .collect();
    let has_same_name = |path: &&str| path.rsplit('/').next() == asset.path.rsplit('/').next();
    alike.iter().copied().find(has_same_name).or(alike.first().copied())
}

/// The id of a new path, or the next free one if an asset that was moved away has kept it.
fn free_id(path: &str, taken: &HashSet<ResourceId>) -> ResourceId {
    let candidates = (0..).map(|n| if n == 0 { path.to_owned() } else { format!("{path}~{n}") });
    let mut ids = candidates.map(|text| ResourceId::from_path(&text));
    ids.find(|id| *id != ResourceId::NONE && !taken.contains(id)).unwrap_or_default()
}

/// The start of the message about two lines for one path.
const TWICE: &str = "two lines for one path";

/// The start of the message about a merge conflict.
const CONFLICT: &str = "unresolved merge conflict";

fn is_conflict_marker(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker))
}

/// The path and the entry of `0x1a2b3c4d image ui/button.png`.
fn parse_entry(line: &str) -> Option<(&str, Entry)> {
    let (id, rest) = line.split_once(' ')?;
    let (kind, path) = rest.split_once(' ')?;
    let id = ResourceId(u32::from_str_radix(id.strip_prefix("0x")?, 16).ok()?);
    let kind = AssetKind::from_name(kind)?;
    (rres_format::normalize_path(path).ok()? == path && id != ResourceId::NONE).then_some((path, Entry { id, kind }))
}

fn read_text(file: &Path) -> Result<Option<String>, Vec<Diagnostic>> {
    let utf8 = |bytes| String::from_utf8(bytes).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e.utf8_error()));
    match read_file(file).and_then(utf8) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(vec![Diagnostic::io("read it", file, &error)]),
    }
}

/// The format that `cargo rres sync` prints: `moved a.txt → b.txt`.
impl fmt::Display for LockChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { path } => write!(f, "added    {path}"),
            Self::Removed { path } => write!(f, "removed  {path}"),
            Self::Moved { from, to } => write!(f, "moved    {from} → {to}"),
            Self::Changed { path, before, after } => write!(f, "changed  {path}: {before} → {after}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_a_set_of_sources_represents_everything_in_it() {
        let set = SourceSet::new(["a.txt", "b/c"]);
        for (path, is_in) in
            [("a.txt", true), ("b/c", true), ("b/c/d/e.txt", true), ("b", false), ("b/cd", false), ("a.txt2", false)]
        {
            assert_eq!(set.contains(path), is_in, "{path}");
        }
    }
}
