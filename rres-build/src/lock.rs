//! `assets.lock`: the set of assets, one a line, committed beside the assets directory.
//!
//! With it debug builds watch the set and not the contents, and an asset that is moved keeps its id. It is text that
//! merges: sorted by path, an id and a kind before each. Builds only compare it; `cargo rres sync` and the serving build
//! script bring it into step.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rres_format::{AssetKind, ResourceId};

use crate::engine::{Asset, part_path};
use crate::error::Problem;

const HEAD: &str = "# The assets of this package, for `lock = true`. `cargo rres sync` writes it; commit it.\n";

/// What to do about a lock that does not fit.
const SYNC: &str = "run `cargo rres sync`, look at what it changes, and commit the file";

/// As many paths as an error names.
const NAMED: usize = 5;

/// What the lock holds of one asset or part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    id: ResourceId,
    kind: AssetKind,
}

/// The ids that assets keep. Without a lock there are none, and each asset has that of its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lock(BTreeMap<String, Line>);

/// How strictly a lock is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every line must be right.
    Strict,
    /// The marks of a merge conflict are passed over, so that both sides count.
    Merging,
}

/// The lock of an assets directory: beside it and named after it.
pub(crate) fn file(assets: &Path) -> PathBuf {
    let mut name = assets.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

impl Lock {
    /// The lock in `file`, or `None` where there is no file.
    pub(crate) fn read(file: &Path, reading: Reading) -> Result<Option<Self>, Vec<Problem>> {
        match fs::read_to_string(file) {
            Ok(text) => Self::parse(&text, &file.display().to_string(), reading).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(vec![Problem::io("read it", file, &error)]),
        }
    }

    fn parse(text: &str, place: &str, reading: Reading) -> Result<Self, Vec<Problem>> {
        let (mut lines, mut problems) = (BTreeMap::new(), Vec::new());
        let mut has_conflict = false;
        for (number, line) in (1..).zip(text.lines()) {
            let is_mark = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark));
            // Of the marks of a conflict one is enough to say.
            let is_passed_over = is_mark && (reading == Reading::Merging || has_conflict);
            has_conflict |= is_mark;
            if line.is_empty() || line.starts_with('#') || is_passed_over {
                continue;
            }
            match parse_line(line) {
                // Of two lines of one path, as a merge leaves them, the first counts.
                Some((path, line)) => {
                    lines.entry(path.to_owned()).or_insert(line);
                }
                None => {
                    let what = if is_mark { "is left of a merge conflict" } else { "is no line of a lock" };
                    let message = format!("\"{line}\" {what}, expected id, kind and path");
                    problems.push(Problem::new(format!("{place}:{number}:1"), message).help(SYNC));
                }
            }
        }
        if problems.is_empty() { Ok(Self(lines)) } else { Err(problems) }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let line = |(path, Line { id, kind }): (&String, &Line)| format!("{id} {kind} {path}\n");
        std::iter::once(HEAD.to_owned()).chain(self.0.iter().map(line)).collect()
    }

    /// The id of an asset or part: the kept one, else that of its path.
    pub(crate) fn id(&self, path: &str) -> ResourceId {
        self.0.get(path).map_or_else(|| ResourceId::from_path(path), |line| line.id)
    }

    /// Adds what `earlier` holds of paths that are not in this lock.
    pub(crate) fn remember(&mut self, earlier: &Self) {
        for (path, line) in &earlier.0 {
            self.0.entry(path.clone()).or_insert(*line);
        }
    }

    /// How the lock differs from what is there, as an error for the lock in `file`.
    pub(crate) fn check(&self, assets: &[Asset], file: &Path) -> Option<Problem> {
        let mut unknown = self.0.clone();
        let mut differences = Vec::new();
        for asset in assets {
            for part in &asset.sight.parts {
                let path = part_path(&asset.path, &part.name);
                let explicit = asset.settings.id.filter(|_| part.name.is_empty());
                match unknown.remove(&path) {
                    None => differences.push(format!("{path} is not in it")),
                    Some(line) if line.kind != part.kind => {
                        differences.push(format!("{path} is {} there, {} here", line.kind, part.kind));
                    }
                    Some(line) if explicit.is_some_and(|id| id != line.id) => {
                        differences.push(format!("{path} has the id {} there", line.id));
                    }
                    Some(_) => {}
                }
            }
        }
        differences.extend(unknown.into_keys().map(|path| format!("{path} is gone")));
        if differences.is_empty() {
            return None;
        }
        let more = differences.len().saturating_sub(NAMED);
        differences.truncate(NAMED);
        let mut message = format!("does not fit the assets: {}", differences.join("; "));
        if more > 0 {
            message += &format!("; and {more} more");
        }
        Some(Problem::new(file.display().to_string(), message).help(SYNC))
    }

    /// The lock that fits these assets: who is known keeps its id, and so does who was moved from a path that is gone.
    /// `contents` gives hashes of what a path that is gone held. Sources that are `bad` are there, but not among `assets`.
    pub(crate) fn adopt(&self, assets: &[Asset], bad: &[&str], contents: impl Fn(&str) -> Vec<[u8; 32]>) -> Self {
        let now: HashSet<&str> = assets.iter().map(|asset| asset.path.as_str()).collect();
        let is_bad = |source: &str| {
            let is_in = |folder: &str| source.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            bad.iter().any(|bad| source == *bad || is_in(bad))
        };
        let (mut lines, mut taken) = (BTreeMap::new(), HashSet::new());
        let mut gone: HashMap<[u8; 32], Vec<&str>> = HashMap::new();
        for (path, line) in &self.0 {
            let source = self.source_of(path);
            if now.contains(source) {
                continue;
            }
            if is_bad(source) {
                taken.insert(line.id);
                lines.insert(path.clone(), *line);
            } else if source == path {
                contents(source).into_iter().for_each(|hash| gone.entry(hash).or_default().push(source));
            }
        }
        let (mut moved, mut new) = (HashSet::new(), Vec::new());
        for asset in assets {
            let before = match self.0.contains_key(&asset.path) {
                true => Some(asset.path.as_str()),
                // Empty files are no likeness.
                false if asset.source_size > 0 => {
                    let hashes = [asset.sight.blob.0, asset.sight.hash];
                    let alike = hashes.iter().filter_map(|hash| gone.get(hash)).flatten().copied();
                    let alike: Vec<&str> = alike.filter(|path| !moved.contains(path)).collect();
                    let is_same_name = |path: &&str| path.rsplit('/').next() == asset.path.rsplit('/').next();
                    alike.iter().copied().find(is_same_name).or(alike.first().copied())
                }
                false => None,
            };
            moved.extend(before);
            for part in &asset.sight.parts {
                let path = part_path(&asset.path, &part.name);
                let kept = before.and_then(|before| self.0.get(&part_path(before, &part.name))).map(|line| line.id);
                let explicit = asset.settings.id.filter(|_| part.name.is_empty());
                match explicit.or(kept.filter(|id| !taken.contains(id))) {
                    Some(id) => {
                        taken.insert(id);
                        lines.insert(path, Line { id, kind: part.kind });
                    }
                    None => new.push((path, part.kind)),
                }
            }
        }
        // What once had a new asset's path may have kept the id of that path: the next one that is free.
        for (path, kind) in new {
            let tries = (0..).map(|n| if n == 0 { path.clone() } else { format!("{path}~{n}") });
            let mut ids = tries.map(|text| ResourceId::from_path(&text));
            let id = ids.find(|id| *id != ResourceId::NONE && !taken.contains(id)).unwrap_or_default();
            taken.insert(id);
            lines.insert(path, Line { id, kind });
        }
        Self(lines)
    }

    /// The source that a path is of: itself, or what comes before the `#` of a part.
    fn source_of<'p>(&self, path: &'p str) -> &'p str {
        let mut starts = path.match_indices('#').map(|(at, _)| &path[..at]);
        starts.find(|start| self.0.contains_key(*start)).unwrap_or(path)
    }
}

/// The path and the rest of `0x1a2b3c4d image ui/button.png`.
fn parse_line(line: &str) -> Option<(&str, Line)> {
    let (id, rest) = line.split_once(' ')?;
    let (kind, path) = rest.split_once(' ')?;
    let id = ResourceId(u32::from_str_radix(id.strip_prefix("0x")?, 16).ok()?);
    let kind = AssetKind::from_name(kind)?;
    (rres_format::normalize_path(path).ok()? == path && id != ResourceId::NONE).then_some((path, Line { id, kind }))
}

/// The error of a build that needs a lock and has none.
pub(crate) fn missing(file: &Path) -> Problem {
    Problem::new(file.display().to_string(), "is not there, and `lock = true` asks for it").help(SYNC)
}
