//! The engine: an assets directory becomes blobs in the cache. Builds and the serving build script both come here.
//!
//! Per source, on a worker: hash it unless its stamp says that it has not changed, look its key up in the cache, import
//! and encode only where no blob answers.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rres_format::AssetKind;

use crate::cache::{Cache, Key, KeyBuilder, Seen, Sight, Stamp, write_blob};
use crate::discover::{Found, SETTINGS_FILE, SourceFile, discover};
use crate::encode::encode;
use crate::error::{Errors, Problem};
use crate::guard::{self, Outcome};
use crate::import::{ImportError, Importer, Neighbours, Source, beside, extension_of, importer_for};
use crate::settings::{Compat, Rules, Settings};

/// Raised whenever the same blocks are stored in another way, so that old blobs are not taken for new ones.
const ENGINE_VERSION: u32 = 1;

/// How long one import may take before it counts as endless. The slowest file seen, a 16 MB font at four sizes on an
/// unoptimised build, takes a fifth of this.
const DEADLINE: Duration = Duration::from_secs(120);

/// One imported source.
#[derive(Debug)]
pub(crate) struct Asset {
    /// Its asset path.
    pub(crate) path: String,
    pub(crate) settings: Settings,
    /// Its bytes, its blob and the parts in it.
    pub(crate) sight: Sight,
    /// Whether the blob was there already.
    pub(crate) cached: bool,
    /// Bytes of the source.
    pub(crate) source_size: u64,
    /// Time from reading the source to having the blob.
    pub(crate) took: Duration,
}

/// What the engine works on.
pub(crate) struct Engine<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) rules: &'a Rules,
    pub(crate) cache: &'a Cache,
    pub(crate) threads: usize,
    /// What an earlier build saw: files that look unchanged are taken to be. Empty: every file is read and hashed.
    pub(crate) seen: &'a Seen,
    /// Whether `seen` was made with these rules a moment ago: then what looks unchanged has its blob.
    pub(crate) same_rules: bool,
    /// Sources not to try again as they are.
    pub(crate) stuck: &'a Stuck,
}

/// Sources that kept an importer busy beyond its deadline, as they were then, and what was said of them.
pub(crate) type Stuck = HashMap<String, (Stamp, Problem)>;

/// What became of the sources: the good ones, and what is wrong with the others.
#[derive(Debug)]
pub(crate) struct Imported {
    /// Sorted by path.
    pub(crate) assets: Vec<Asset>,
    pub(crate) failures: Vec<Failure>,
    /// Those of [`Engine::stuck`] that still are, and new ones.
    pub(crate) stuck: Stuck,
    /// Whether [`Engine::seen`] answered for each source, and knows no other.
    pub(crate) is_all_seen: bool,
    /// When the engine began to look.
    pub(crate) began: SystemTime,
}

impl Imported {
    /// What the engine saw of each good source, for [`Seen`].
    pub(crate) fn sights(&self) -> impl Iterator<Item = (&str, &Sight)> {
        self.assets.iter().map(|asset| (asset.path.as_str(), &asset.sight))
    }
}

/// What is wrong with one source, or with the directory as a whole.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The asset path, where it is one source.
    pub(crate) path: Option<String>,
    pub(crate) problem: Problem,
}

impl Failure {
    fn of(source: &SourceFile, problem: Problem) -> Self {
        Self { path: Some(source.path.clone()), problem }
    }

    /// What a build that cannot do with any failure reports.
    pub(crate) fn errors(failures: Vec<Self>) -> Errors {
        Errors::new(failures.into_iter().map(|failure| failure.problem).collect())
    }
}

/// One source and all that decides how it is imported.
struct Job {
    source: SourceFile,
    kind: AssetKind,
    settings: Settings,
}

/// What the workers share.
struct Shared {
    jobs: Vec<Job>,
    cache: Cache,
    dir: PathBuf,
    compat: Option<Compat>,
}

impl Engine<'_> {
    /// Brings every source into the cache; every bad one is reported.
    pub(crate) fn run(&self) -> Imported {
        let began = SystemTime::now();
        let (mut jobs, mut failures) = self.plan(discover(self.dir));
        let compat = self.rules.pack().compat;
        // Whatever has not changed is answered here: handing it to a worker would cost more than the answer.
        let mut assets = Vec::with_capacity(jobs.len());
        jobs.retain_mut(|job| match self.unchanged(compat, job) {
            Some(asset) => {
                assets.push(asset);
                false
            }
            None => true,
        });
        let mut stuck = Stuck::new();
        jobs.retain(|Job { source, .. }| match self.stuck.get(&source.path) {
            Some((stamp, problem)) if *stamp == source.stamp => {
                stuck.insert(source.path.clone(), (*stamp, problem.clone()));
                failures.push(Failure::of(source, problem.clone()));
                false
            }
            _ => true,
        });
        // Big ones first, so that none is left to run alone at the end.
        jobs.sort_by(|a, b| b.source.size.cmp(&a.source.size).then_with(|| a.source.path.cmp(&b.source.path)));
        let is_all_seen = jobs.is_empty() && assets.len() == self.seen.len();
        let shared = Arc::new(Shared { jobs, cache: self.cache.clone(), dir: self.dir.to_owned(), compat });
        let worker = Arc::clone(&shared);
        let outcomes = guard::run(shared.jobs.len(), self.threads, DEADLINE, move |i| import(&worker, i));
        for (outcome, job) in outcomes.into_iter().zip(&shared.jobs) {
            let place = || job.source.file.display().to_string();
            let raw = || format!("or store it as it is: kind = \"raw\" under [\"{}\"] in assets.toml", job.source.path);
            let problem = match outcome {
                Outcome::Done(Ok(asset)) => {
                    assets.push(asset);
                    continue;
                }
                Outcome::Done(Err(problem)) => problem,
                Outcome::Panicked(message) => {
                    Problem::new(place(), format!("the {} decoder failed on it: {message}", job.kind))
                        .help(format!("the file is probably damaged: save it again, {}", raw()))
                }
                Outcome::Overdue(time) => {
                    let message = format!("the {} decoder is not done after {} s", job.kind, time.as_secs());
                    let problem = Problem::new(place(), message)
                        .help(format!("the file is probably damaged: save it again, {}", raw()));
                    stuck.insert(job.source.path.clone(), (job.source.stamp, problem.clone()));
                    problem
                }
            };
            failures.push(Failure::of(&job.source, problem));
        }
        assets.sort_by(|a, b| a.path.cmp(&b.path));
        Imported { assets, failures, stuck, is_all_seen, began }
    }

    /// The asset of a source that has not changed since the last build.
    fn unchanged(&self, compat: Option<Compat>, job: &mut Job) -> Option<Asset> {
        let started = Instant::now();
        let Job { source, kind, settings } = job;
        let sight = self.seen.unchanged(&source.path, source.stamp)?;
        // A source that read files beside it may have changed with them: a worker looks at those.
        if sight.own_key != sight.blob {
            return None;
        }
        let is_made = || {
            let own_key = own_key(importer_for(*kind).ok()?, source, *kind, settings, compat, &sight.hash);
            (sight.own_key == own_key && self.cache.has(&sight.blob)).then_some(())
        };
        if !self.same_rules {
            is_made()?;
        }
        Some(Asset {
            path: source.path.clone(),
            settings: std::mem::take(settings),
            sight: sight.clone(),
            cached: true,
            source_size: source.size,
            took: started.elapsed(),
        })
    }

    /// Gives every source its settings and kind.
    fn plan(&self, Found { sources, problems }: Found) -> (Vec<Job>, Vec<Failure>) {
        let paths = sources.iter().map(|source| source.path.as_str());
        let bad_paths = problems.iter().filter_map(|(path, _)| path.as_deref());
        let unmatched = self.rules.unmatched(paths.chain(bad_paths));
        let is_ignored = |path: &Option<String>| path.as_ref().is_some_and(|path| self.rules.resolve(path).ignore);
        let bad = problems.into_iter().filter(|(path, _)| !is_ignored(path));
        let mut failures: Vec<Failure> = bad.map(|(path, problem)| Failure { path, problem }).collect();
        failures.extend(unmatched.into_iter().map(|error| Failure { path: None, problem: error.into() }));
        let mut jobs = Vec::with_capacity(sources.len());
        for source in sources {
            let mut settings = self.rules.resolve(&source.path);
            if settings.ignore {
                continue;
            }
            settings.fill(self.rules.pack());
            let place = || source.file.display().to_string();
            let kind = match settings.kind.map_or_else(|| kind_of(&source.path), Ok) {
                Ok(kind) => kind,
                Err(error) => {
                    failures.push(Failure::of(&source, Problem::import(place(), &error)));
                    continue;
                }
            };
            match settings.contradiction(kind) {
                Some(message) => {
                    let problem = Problem::new(place(), message).help("see its rules in assets.toml");
                    failures.push(Failure::of(&source, problem));
                }
                None => jobs.push(Job { source, kind, settings }),
            }
        }
        (jobs, failures)
    }
}

/// The path of a part of an asset; the first part is the asset itself, and has no name.
pub(crate) fn part_path(asset: &str, part: &str) -> String {
    if part.is_empty() { asset.to_owned() } else { format!("{asset}#{part}") }
}

impl Asset {
    /// Bytes in the pack, parts included.
    pub(crate) fn stored_size(&self) -> u64 {
        self.sight.parts.iter().map(|part| u64::from(part.stored_size)).sum()
    }
}

/// The settings of an assets directory, from its file where there is one.
pub(crate) fn read_rules(dir: &Path) -> Result<Rules, Vec<Problem>> {
    let file = dir.join(SETTINGS_FILE);
    match fs::read_to_string(&file) {
        Ok(text) => Rules::parse(&file.display().to_string(), &text)
            .map_err(|errors| errors.into_iter().map(Problem::from).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Rules::default()),
        Err(error) => Err(vec![Problem::io("read it", &file, &error)]),
    }
}

/// What a file becomes where no rule says so: by its extension, raw where no importer takes it.
fn kind_of(path: &str) -> Result<AssetKind, ImportError> {
    crate::import::kind_of_extension(&extension_of(path).to_ascii_lowercase())
}

fn import(shared: &Shared, i: usize) -> Result<Asset, Problem> {
    let started = Instant::now();
    let Job { source, kind, settings } = &shared.jobs[i];
    let place = || source.file.display().to_string();
    let importer = importer_for(*kind).map_err(|e| Problem::import(place(), &e))?;
    let done = |sight, cached| Asset {
        path: source.path.clone(),
        settings: settings.clone(),
        sight,
        cached,
        source_size: source.size,
        took: started.elapsed(),
    };

    let bytes = fs::read(&source.file).map_err(|e| Problem::io("read it", &source.file, &e))?;
    let hash = *blake3::hash(&bytes).as_bytes();
    let own_key = own_key(importer, source, *kind, settings, shared.compat, &hash);
    let mut files = Beside { dir: &shared.dir, source: &source.path, read: Vec::new() };
    // Most sources read no other file: their blob's key is their own. For the rest there is a record of what they read.
    if let Some(parts) = shared.cache.look_up(&own_key) {
        return Ok(done(Sight { stamp: source.stamp, hash, own_key, blob: own_key, parts }, true));
    }
    if let Some(paths) = shared.cache.beside(&own_key) {
        // A neighbour that is gone, or was never asked for, gives another key or fails in the import below.
        let known = paths.iter().all(|path| files.read_relative(path).is_ok());
        let blob = full_key(&own_key, &files);
        if known && let Some(parts) = shared.cache.look_up(&blob) {
            return Ok(done(Sight { stamp: source.stamp, hash, own_key, blob, parts }, true));
        }
        files.read.clear();
    }
    let mut work = Source { path: &source.path, bytes: &bytes, settings, neighbours: &mut files };
    let parts = importer.import(&mut work).map_err(|e| Problem::import(place(), &e))?;
    let stored = encode(parts, settings, shared.compat).map_err(|e| Problem::import(place(), &e))?;
    let (blob_bytes, parts) =
        write_blob(stored).map_err(|e| Problem::new(place(), format!("cannot be stored: {e}")))?;
    let blob = full_key(&own_key, &files);
    let paths: Vec<String> = files.read.iter().map(|(path, _)| path.clone()).collect();
    let kept = shared.cache.store(&blob, &blob_bytes).and_then(|()| shared.cache.store_beside(&own_key, &paths));
    kept.map_err(|e| {
        Problem::io("write the import cache", &shared.cache.blob_file(&blob), &e)
            .help("free space there, or choose another directory with the variable RRES_CACHE_DIR")
    })?;
    Ok(done(Sight { stamp: source.stamp, hash, own_key, blob, parts }, false))
}

/// Everything that decides what a source becomes, except the files beside it.
fn own_key(
    importer: &dyn Importer,
    source: &SourceFile,
    kind: AssetKind,
    settings: &Settings,
    compat: Option<Compat>,
    hash: &[u8; 32],
) -> Key {
    let mut fingerprint = Vec::new();
    settings.fingerprint(kind, &mut fingerprint);
    let mut key = KeyBuilder::new("rres source");
    key.field(&ENGINE_VERSION.to_le_bytes());
    key.field(&[kind as u8]);
    key.field(&importer.version().to_le_bytes());
    key.field(&fingerprint);
    key.field(&[compat.map_or(0, |Compat::Raylib| 1)]);
    // A link stores its path; everything else at most its extension.
    let name = if kind == AssetKind::Link { source.path.as_str() } else { extension_of(&source.path) };
    key.field(name.as_bytes());
    key.field(if kind == AssetKind::Link { &[] } else { hash });
    key.finish()
}

/// The key of a source's blob: its own, and what was read beside it.
fn full_key(own: &Key, files: &Beside<'_>) -> Key {
    if files.read.is_empty() {
        return *own;
    }
    let mut key = KeyBuilder::new("rres source and neighbours");
    key.field(&own.0);
    for (path, hash) in &files.read {
        key.field(path.as_bytes());
        key.field(hash);
    }
    key.finish()
}

/// The files beside a source; keeps a record of what was read, relative to the source's directory.
struct Beside<'a> {
    dir: &'a Path,
    source: &'a str,
    read: Vec<(String, [u8; 32])>,
}

impl Beside<'_> {
    fn read_relative(&mut self, relative: &str) -> Result<Arc<[u8]>, ImportError> {
        let path = beside(self.source, relative).map_err(|e| ImportError::new(e.to_string()))?;
        self.read(&path)
    }
}

impl Neighbours for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        let file = self.dir.join(path);
        let bytes: Arc<[u8]> = fs::read(&file)
            .map_err(|e| {
                ImportError::new(format!("needs {}, which cannot be read: {e}", file.display()))
                    .help("put the file there, or export the source again with everything embedded")
            })?
            .into();
        let relative = relative_to(self.source, path);
        if !self.read.iter().any(|(known, _)| *known == relative) {
            self.read.push((relative, blake3::hash(&bytes).into()));
            self.read.sort();
        }
        Ok(bytes)
    }
}

/// `path` as seen from the directory of `source`: both are asset paths.
fn relative_to(source: &str, path: &str) -> String {
    let mut from: Vec<&str> = source.split('/').collect();
    from.pop();
    let to: Vec<&str> = path.split('/').collect();
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - common;
    std::iter::repeat_n("..", up).chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_sources_directory() {
        for (source, path, expected) in [
            ("a/b/x.gltf", "a/b/x.bin", "x.bin"),
            ("a/b/x.gltf", "a/c/x.bin", "../c/x.bin"),
            ("x.gltf", "a/x.bin", "a/x.bin"),
            ("a/b/x.gltf", "x.bin", "../../x.bin"),
        ] {
            assert_eq!(relative_to(source, path), expected, "{source} → {path}");
        }
    }
}
