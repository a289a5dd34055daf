//! What the serving script has in mind between two updates, and what an update makes of it.
//!
//! An update never shows less than it must: a bad source keeps the entry that it had, and so does what a kept entry
//! needs. The index that clients are shown stands beside the one that the constants were made with; as long as both
//! hold the same set, a restart without Cargo shows the newest contents too.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rres_format::PackView;

use super::LockState;
use super::answer::Answer;
use crate::cache::{Cache, Key, Seen, Sight, Stamp, replace, write_if_changed};
use crate::config::MEMORY;
use crate::discover::{SETTINGS_FILE, no_directory};
use crate::engine::{Asset, Engine, Failure, Imported, Stuck};
use crate::error::Problem;
use crate::lock::{self, Lock, Reading};
use crate::pack::{AssetSet, Rejected, dev_index};
use crate::settings::Rules;
use crate::site::Site;

/// Reads `assets.toml` again and adds the rules of `build.rs`.
pub(crate) type ReadRules<'b> = &'b dyn Fn() -> Result<Rules, Vec<Problem>>;

pub(super) struct State<'b> {
    site: &'b Site,
    pub(super) name: String,
    read_rules: ReadRules<'b>,
    /// What is known of files that have not changed.
    seen: Seen,
    /// Sources that kept an importer busy beyond its deadline; not tried again before they or the settings change.
    stuck: Stuck,
    /// The settings file and the lock of the last update; no settings before the first.
    settings: Option<Option<Vec<u8>>>,
    lock: Option<Vec<u8>>,
    /// Every id that was seen in the lock: a path that is away for a moment keeps it.
    remembered: Lock,
    /// Whether all that `seen` knows is shown, and nothing is wrong.
    is_settled: bool,
    /// The index that clients are shown: its file, once there is one, and its bytes.
    index: Option<PathBuf>,
    bytes: Vec<u8>,
    /// The sources in that index and their blobs.
    shown: BTreeMap<String, Key>,
    /// What the last update leaves to be kept.
    news: Option<News>,
}

/// What is there now.
struct Look {
    set: AssetSet,
    failures: Vec<Failure>,
    /// The lock that fits, in lock mode.
    lock: Option<Lock>,
    began: SystemTime,
    is_all_seen: bool,
    /// The files that this was made with: the settings, and the lock.
    settings: Option<Vec<u8>>,
    lock_text: Option<Vec<u8>>,
}

struct News {
    look: Look,
    is_shown_new: bool,
    is_settled: bool,
}

impl<'b> State<'b> {
    /// Starts from what the last build left.
    pub(super) fn new(site: &'b Site, name: String, read_rules: ReadRules<'b>) -> Self {
        let file = site.dev_index(&name);
        let bytes = fs::read(&file).unwrap_or_default();
        let shown = sources(&bytes);
        Self {
            site,
            read_rules,
            seen: Seen::read(&site.seen(&name)),
            stuck: Stuck::default(),
            settings: None,
            lock: None,
            remembered: Lock::default(),
            is_settled: false,
            index: shown.is_some().then_some(file),
            bytes,
            shown: shown.unwrap_or_default(),
            news: None,
            name,
        }
    }

    /// The file of the index that clients are shown.
    pub(super) fn index(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// Imports what has changed and shows it.
    pub(super) fn update(&mut self) -> Answer {
        self.try_update().unwrap_or_else(|problems| {
            let failures = problems.into_iter().map(|problem| Failure { path: None, problem });
            Answer { failures: failures.collect(), ..Answer::default() }
        })
    }

    /// An error changes nothing.
    fn try_update(&mut self) -> Result<Answer, Vec<Problem>> {
        let Some(mut look) = self.look(Reading::Strict)? else { return Ok(Answer::default()) };
        let file = self.site.live_index(&self.name);
        let bytes = dev_index(&look.set).map_err(|e| vec![Problem::new(file.display().to_string(), e.to_string())])?;
        let is_shown_new = bytes != self.bytes || !self.is_index_there();
        let mut answer = Answer { failures: std::mem::take(&mut look.failures), ..Answer::default() };
        if is_shown_new {
            replace(&file, |out| out.write_all(&bytes)).map_err(|e| vec![Problem::io("write the index", &file, &e)])?;
            let now = look.set.assets.iter().map(|asset| (asset.path.clone(), asset.sight.blob)).collect();
            answer.compare(&self.shown, &now);
            (self.index, self.bytes, self.shown) = (Some(file), bytes, now);
        }
        self.news = Some(News { look, is_shown_new, is_settled: answer.failures.is_empty() });
        Ok(answer)
    }

    /// The lock as it should be.
    pub(super) fn lock_state(&mut self) -> Result<LockState, Vec<Problem>> {
        self.is_settled = false;
        let look = self.look(Reading::Merging)?;
        match look.and_then(|look| Some((look.lock?, look.failures))) {
            Some((lock, failures)) => Ok(LockState {
                file: lock::file(&self.site.assets),
                wanted: lock.text(),
                problems: failures.into_iter().map(|failure| failure.problem).collect(),
            }),
            None => {
                let problem = Problem::new(self.site.assets.display().to_string(), "is not in lock mode")
                    .help("set `lock = true` under [pack] in assets.toml, or .lock(true) in build.rs");
                Err(vec![problem])
            }
        }
    }

    /// What is there now; `None` where nothing has changed since the last update, and nothing is wrong.
    fn look(&mut self, reading: Reading) -> Result<Option<Look>, Vec<Problem>> {
        // Moved away, perhaps for a moment only.
        if let Some(problem) = no_directory(&self.site.assets) {
            return Err(vec![problem]);
        }
        let rules = (self.read_rules)()?;
        let settings = fs::read(self.site.assets.join(SETTINGS_FILE)).ok();
        let same_rules = self.settings.as_ref() == Some(&settings);
        if !same_rules {
            self.stuck.clear();
        }
        let lock_file = lock::file(&self.site.assets);
        let lock_text = rules.pack().lock.then(|| fs::read(&lock_file).ok()).flatten();
        let cache = self.site.cache().map_err(|problem| vec![problem])?;
        let engine = Engine {
            dir: &self.site.assets,
            rules: &rules,
            cache: &cache,
            threads: self.site.threads,
            memory: MEMORY,
            progress: None,
            seen: &self.seen,
            trust_stamps: true,
            same_rules,
            stuck: &self.stuck,
        };
        let Imported { assets, mut failures, stuck, is_all_seen, began } = engine.run();
        self.stuck = stuck;
        let is_same = self.is_settled && same_rules && lock_text == self.lock && is_all_seen && failures.is_empty();
        if is_same && self.is_index_there() {
            return Ok(None);
        }
        let mut kept = Lock::default();
        if rules.pack().lock {
            kept = Lock::read(&lock_file, reading)?.unwrap_or_default();
            kept.remember(&self.remembered);
            self.remembered = kept.clone();
        }
        let last = Last { shown: &self.shown, seen: &self.seen, kept: &kept, cache: &cache, rules: &rules };
        let (set, lock) = last.complete(assets, &mut failures, |path| self.site.place(path))?;
        failures.extend(set.over_budget(&rules).into_iter().map(|problem| Failure { path: None, problem }));
        Ok(Some(Look { set, failures, lock, began, is_all_seen, settings, lock_text }))
    }

    fn is_index_there(&self) -> bool {
        self.index.as_ref().is_some_and(|index| index.exists())
    }

    /// Keeps what the last update found for the next one, and on disk for the next start.
    pub(super) fn keep(&mut self) {
        let Some(News { look, is_shown_new, is_settled }) = self.news.take() else { return };
        let Look { set, lock, began, is_all_seen, settings, lock_text, .. } = look;
        // The engine may only be told of rules that everything in `seen` has gone through.
        (self.settings, self.lock, self.is_settled) = (Some(settings), lock_text, is_settled);
        let sights = || set.assets.iter().map(|asset| (asset.path.as_str(), &asset.sight));
        if !is_all_seen {
            self.seen = Seen::new(sights(), began);
        }
        // What cannot be written is as good as it was: the next update or build tries again.
        if is_shown_new {
            Seen::write(&self.site.seen(&self.name), &Seen::encode(sights(), began));
            let file = self.site.dev_index(&self.name);
            // Read only now: a build may have written it since.
            if fs::read(&file).is_ok_and(|bytes| set_hash(&bytes) == Some(set.hash)) {
                let _ = write_if_changed(&file, &self.bytes);
            }
        }
        if let Some(lock) = lock {
            let _ = write_if_changed(&lock::file(&self.site.assets), lock.text().as_bytes());
        }
    }
}

/// The assets as they were shown last.
struct Last<'s> {
    shown: &'s BTreeMap<String, Key>,
    seen: &'s Seen,
    kept: &'s Lock,
    cache: &'s Cache,
    rules: &'s Rules,
}

impl Last<'_> {
    /// The lock that fits `assets`, in lock mode.
    fn lock(&self, assets: &[Asset], failures: &[Failure]) -> Option<Lock> {
        let bad: Vec<&str> = failures.iter().filter_map(|failure| failure.path.as_deref()).collect();
        let contents =
            |path: &str| self.shown.get(path).map(|blob| blob.0).into_iter().chain(self.seen.hash(path)).collect();
        self.rules.pack().lock.then(|| self.kept.adopt(assets, &bad, contents))
    }

    /// The set of `assets` and of those that stand in for bad ones. What makes no set at all is an error.
    fn complete(
        &self,
        mut assets: Vec<Asset>,
        failures: &mut Vec<Failure>,
        place: impl Fn(&str) -> String,
    ) -> Result<(AssetSet, Option<Lock>), Vec<Problem>> {
        for path in failures.iter().filter_map(|failure| failure.path.as_deref()) {
            // A folder that cannot be read stands for all in it.
            let is_in_it = |other: &str| other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
            for kept in self.shown.keys().filter(|shown| *shown == path || is_in_it(shown)) {
                self.bring_back(kept, &mut assets);
            }
        }
        // Each round brings an asset back or drops one for good, so there is a last one.
        let mut dropped: HashSet<String> = HashSet::new();
        loop {
            let lock = self.lock(&assets, failures);
            let ids = lock.as_ref().unwrap_or(self.kept);
            let Rejected { assets: rejected, failures: bad, missing } =
                match AssetSet::new(assets, self.rules, ids, &place) {
                    Ok(set) => return Ok((set, lock)),
                    Err(rejected) => rejected,
                };
            assets = rejected;
            if bad.iter().any(|failure| failure.path.is_none()) {
                return Err(failures.drain(..).chain(bad).map(|failure| failure.problem).collect());
            }
            let needed = missing.iter().filter(|path| !dropped.contains(*path));
            let brought_back = needed.filter(|path| self.bring_back(path, &mut assets)).count();
            for failure in bad {
                if let Some(path) = failure.path.as_ref().filter(|_| brought_back == 0) {
                    assets.retain(|asset| asset.path != *path);
                    // The second time it is the old one that is bad, of which there is nothing to say.
                    if !dropped.insert(path.clone()) {
                        continue;
                    }
                    self.bring_back(path, &mut assets);
                }
                if failures.iter().all(|known| known.problem != failure.problem) {
                    failures.push(failure);
                }
            }
        }
    }

    /// Adds the asset as it was shown last, unless it is there; tells whether it did.
    fn bring_back(&self, path: &str, assets: &mut Vec<Asset>) -> bool {
        let (Some(blob), Err(at)) =
            (self.shown.get(path), assets.binary_search_by(|asset| asset.path.as_str().cmp(path)))
        else {
            return false;
        };
        let Some(parts) = self.cache.look_up(blob) else { return false };
        let mut settings = self.rules.resolve(path);
        settings.fill(self.rules.pack());
        let sight = Sight { stamp: Stamp::default(), hash: [0; 32], own_key: *blob, blob: *blob, parts };
        assets.insert(
            at,
            Asset { path: path.to_owned(), settings, sight, cached: true, source_size: 0, took: Duration::ZERO },
        );
        true
    }
}

/// The sources in a dev index and their blobs; `None` where it is not there or damaged.
fn sources(index: &[u8]) -> Option<BTreeMap<String, Key>> {
    let index = PackView::parse(index).ok()?.index()?;
    // The parts of a source share its blob, and their paths begin with its own.
    let mut paths: BTreeMap<u32, &str> = BTreeMap::new();
    for entry in index.entries() {
        let entry = entry.ok()?;
        let path = paths.entry(entry.blob).or_insert(entry.path);
        if entry.path.len() < path.len() {
            *path = entry.path;
        }
    }
    paths.into_iter().map(|(blob, path)| Some((path.to_owned(), Key(index.blob(blob)?)))).collect()
}

/// The hash of the set that an index holds.
fn set_hash(index: &[u8]) -> Option<[u8; 16]> {
    Some(PackView::parse(index).ok()?.index()?.set_hash())
}
