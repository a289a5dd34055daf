//! The engine: an assets directory becomes blobs in the cache. `build.rs`, the command and hot reload all come here.
//!
//! Sources that have not changed since the last build are answered here, from their stamps; the rest is work (`work.rs`).

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rres_format::AssetKind;

use crate::cache::{Cache, Seen, Sight};
use crate::discover::{Found, SETTINGS_FILE, discover};
use crate::error::Problem;
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
    /// Where the record of the last build is kept, and that of the last one in any output directory.
    pub(crate) seen: &'a Path,
    pub(crate) seen_elsewhere: &'a Path,
    /// Whether files that look unchanged are taken to be; otherwise every file is read and hashed.
    pub(crate) trust_stamps: bool,
}

impl Engine<'_> {
    /// Brings every source into the cache. Assets come sorted by path; every bad source is reported.
    pub(crate) fn run(&self) -> Result<Vec<Asset>, Vec<Problem>> {
        let (mut jobs, mut problems) = self.plan(discover(self.dir));
        let compat = self.rules.pack().compat;
        // Whatever has not changed is answered here: handing it to a worker would cost more than the answer.
        let mut seen = Seen::read(self.seen);
        let is_own = seen.len() > 0;
        if !is_own {
            seen = Seen::read(self.seen_elsewhere);
        }
        let mut assets = Vec::with_capacity(jobs.len());
        if self.trust_stamps {
            jobs.retain_mut(|job| match unchanged(&seen, self.cache, compat, job) {
                Some(asset) => {
                    assets.push(asset);
                    false
                }
                None => true,
            });
        }
        // Big ones first, so that none is left to run alone at the end.
        jobs.sort_by(|a, b| b.source.size.cmp(&a.source.size).then_with(|| a.source.path.cmp(&b.source.path)));
        let is_all_seen = is_own && jobs.is_empty() && assets.len() == seen.len();
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
        let known = if jobs.is_empty() { HashMap::new() } else { seen.into_blobs() };
        let work = Arc::new(Work { jobs, cache: self.cache.clone(), known, dir: self.dir.to_owned(), compat, tally });
        let outcomes = guard::run(&work, self.threads, self.memory, DEADLINE);
        for (outcome, job) in outcomes.into_iter().zip(&work.jobs) {
            let place = || job.source.file.display().to_string();
            let raw = || format!("or store it as it is: kind = \"raw\" under [\"{}\"] in assets.toml", job.source.path);
            match outcome {
                Outcome::Done(Ok(asset)) => assets.push(asset),
                Outcome::Done(Err(problem)) => problems.push(problem),
                Outcome::Panicked(message) => problems.push(
                    Problem::new(place(), format!("the {} decoder failed on it: {message}", job.kind))
                        .help(format!("the file is probably damaged: save it again, {}", raw())),
                ),
                Outcome::Overdue(time) => problems.push(
                    Problem::new(place(), format!("the {} decoder is not done after {} s", job.kind, time.as_secs()))
                        .help(format!("the file is probably damaged: save it again, {}", raw())),
                ),
            }
        }
        // What was seen counts for the good files of a failed build, too.
        if !is_all_seen {
            Seen::write(
                &[self.seen, self.seen_elsewhere],
                assets.iter().map(|asset| (asset.path.as_str(), &asset.sight)),
            );
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        assets.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(assets)
    }

    /// Gives every source its settings and kind.
    fn plan(&self, Found { sources, problems }: Found) -> (Vec<Job>, Vec<Problem>) {
        let paths = sources.iter().map(|source| source.path.as_str());
        let bad_paths = problems.iter().filter_map(|(path, _)| path.as_deref());
        let unmatched = self.rules.unmatched(paths.chain(bad_paths));
        let is_ignored = |path: &Option<String>| path.as_ref().is_some_and(|path| self.rules.resolve(path).ignore);
        let mut problems: Vec<Problem> =
            problems.into_iter().filter(|(path, _)| !is_ignored(path)).map(|(_, problem)| problem).collect();
        problems.extend(unmatched.into_iter().map(Problem::from));
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
                    problems.push(Problem::import(place(), &error));
                    continue;
                }
            };
            match settings.contradiction(kind) {
                Some(message) => problems.push(Problem::new(place(), message).help("see its rules in assets.toml")),
                None => jobs.push(Job { source, kind, settings }),
            }
        }
        (jobs, problems)
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

/// The asset of a source that has not changed since the last build.
fn unchanged(seen: &Seen, cache: &Cache, compat: Option<Compat>, job: &mut Job) -> Option<Asset> {
    let started = Instant::now();
    let Job { source, kind, settings } = job;
    let sight = seen.unchanged(&source.path, source.stamp)?;
    let own_key = own_key(importer_for(*kind).ok()?, source, *kind, settings, compat, &sight.hash);
    // A source that read files beside it may have changed with them: a worker looks at those.
    if sight.own_key != own_key || sight.own_key != sight.blob || !cache.has(&sight.blob, &sight.parts) {
        return None;
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
