//! The engine: an assets directory becomes blobs in the cache. Builds and the serving build script both come here.
//!
//! Sources that have not changed since the last build are answered here, from their stamps; the rest is work (`work.rs`).

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rres_format::AssetKind;

use crate::cache::{Cache, Seen, Sight, Stamp};
use crate::discover::{Found, SETTINGS_FILE, SourceFile, discover};
use crate::error::{Errors, Problem};
use crate::guard::{self, Outcome};
use crate::import::{ImportError, extension_of, importer_for};
use crate::progress::{Listener, Progress, Tally};
use crate::settings::{Compat, Rules, Settings};
use crate::work::{Job, Work, own_key};

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
    /// Bytes that imports may take at once.
    pub(crate) memory: u64,
    /// Whom to tell how far it is.
    pub(crate) progress: Option<&'a Listener>,
    /// What an earlier build saw.
    pub(crate) seen: &'a Seen,
    /// Whether files that look unchanged are taken to be; otherwise every file is read and hashed.
    pub(crate) trust_stamps: bool,
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

impl Engine<'_> {
    /// Brings every source into the cache; every bad one is reported.
    pub(crate) fn run(&self) -> Imported {
        let began = SystemTime::now();
        let (mut jobs, mut failures) = self.plan(discover(self.dir));
        let compat = self.rules.pack().compat;
        // Whatever has not changed is answered here: handing it to a worker would cost more than the answer.
        let mut assets = Vec::with_capacity(jobs.len());
        if self.trust_stamps {
            jobs.retain_mut(|job| match self.unchanged(compat, job) {
                Some(asset) => {
                    assets.push(asset);
                    false
                }
                None => true,
            });
        }
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
        let tally = Tally::start(self.progress, || {
            let bytes_done = assets.iter().map(|asset| asset.source_size).sum();
            let bytes = bytes_done + jobs.iter().map(|job| job.source.size).sum::<u64>();
            Progress {
                assets: assets.len() + jobs.len(),
                cached: assets.len(),
                bytes,
                bytes_done,
                ..Progress::default()
            }
        });
        // Worth its making where many blobs would be opened otherwise.
        let known = if jobs.len() * 16 > self.seen.len() { self.seen.blobs() } else { HashMap::new() };
        let work = Arc::new(Work { jobs, cache: self.cache.clone(), known, dir: self.dir.to_owned(), compat, tally });
        let outcomes = guard::run(&work, self.threads, self.memory, DEADLINE);
        for (outcome, job) in outcomes.into_iter().zip(&work.jobs) {
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
            (sight.own_key == own_key && self.cache.has(&sight.blob, &sight.parts)).then_some(())
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
