//! Second step: every planned source → its blob in the cache.
//!
//! Sources that have not changed since the last build, according to their stamps, are handled here; the others are
//! tasks for the worker pool (`task.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rres_import::Note;

use super::farm;
use super::plan::{Plan, PlannedSource, UnavailableSource};
use super::remote::{self, Shared};
use super::script_importers::ScriptImporters;
use super::source_keys::{SourceKeys, source_key};
use super::task::ImportTasks;
use super::time_limit::{VARIABLE, time_limit};
use crate::cache::BuildManifest;
use crate::context::BuildContext;
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::{ImportedAsset, SourceRecord};
use crate::progress::{Progress, ProgressCounter};
use crate::report::TargetFile;
use crate::settings::{Compat, Rules};
use crate::timed_out::{StoppedImport, TimedOut};
use crate::worker_pool::{self, Outcome};

/// How many sources a thread looks at before it asks for more.
const SOURCES_OF_PART: usize = 1024;

/// Knowledge from earlier builds.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) manifest: &'a BuildManifest,
    /// Whether files whose stamps match the manifest count as unchanged. Otherwise every file is read and hashed.
    pub(crate) trust_stamps: bool,
    /// Whether the manifest was created with the same rules a moment ago, so that unchanged sources still have their
    /// blobs.
    pub(crate) same_rules: bool,
    /// Sources that are not tried again until they or their settings change.
    pub(crate) timed_out: &'a TimedOut,
}

/// The result of importing.
#[derive(Debug)]
pub(crate) struct Imported {
    /// Sorted by path.
    pub(crate) assets: Vec<ImportedAsset>,
    /// Sources that exist but are not among the assets.
    pub(crate) unavailable: Vec<UnavailableSource>,
    /// All faults so far, including the faults of the plan.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The rules, the notes and the files for the target of the plan.
    pub(crate) rules: Rules,
    pub(crate) notes: Vec<(String, Note)>,
    pub(crate) target_files: Vec<TargetFile>,
    /// The entries of [`Known::timed_out`] that have not changed, and new ones.
    pub(crate) timed_out: TimedOut,
    /// Whether imports were abandoned, whose threads go on until the process ends.
    pub(crate) has_left_threads: bool,
    /// Whether [`Known::manifest`] contains exactly these sources, all of them unchanged.
    pub(crate) is_unchanged: bool,
    /// When the step began.
    pub(crate) began: SystemTime,
}

impl Imported {
    /// The record of each asset, for a [`BuildManifest`].
    pub(crate) fn records(&self) -> impl Iterator<Item = (&str, &SourceRecord)> {
        self.assets.iter().map(|asset| (asset.path.as_str(), &*asset.record))
    }
}

/// Imports every source that is not in the cache, and reports every one that cannot be imported.
pub(crate) fn import(context: &BuildContext, plan: Plan, known: Known<'_>) -> Imported {
    let began = SystemTime::now();
    let Plan { mut sources, mut unavailable, mut diagnostics, rules, notes, target_files, .. } = plan;
    let compat = rules.pack().compat;
    // Unchanged sources are handled here: passing one to a worker would take longer.
    let mut assets = Vec::new();
    if known.trust_stamps {
        let found = all_unchanged(context, compat, &sources, known);
        let mut are_unchanged = found.iter().map(Option::is_some);
        sources.retain(|_| !are_unchanged.next().unwrap_or(false));
        assets = found.into_iter().flatten().collect();
    }
    let mut timed_out = TimedOut::default();
    let settings_key = |planned: &PlannedSource| source_key(planned, compat, &[0; 32]);
    sources.retain(|planned| {
        let PlannedSource { source, settings, .. } = planned;
        let stopped = known.timed_out.0.get(&source.path).filter(|stopped| stopped.stamp == source.stamp);
        let Some(stopped) = stopped.filter(|stopped| stopped.key == settings_key(planned)) else { return true };
        timed_out.0.insert(source.path.clone(), stopped.clone());
        diagnostics.push(stopped.diagnostic.clone());
        unavailable.push(UnavailableSource::new(&source.path, settings));
        false
    });
    // Large ones first, so that none is left to run alone at the end.
    sources.sort_by(|a, b| b.source.size.cmp(&a.source.size).then_with(|| a.source.path.cmp(&b.source.path)));
    // A saved file is nowhere else.
    let shared = if known.same_rules { Shared::default() } else { remote::fetch(context, &sources, compat) };
    let is_unchanged = sources.is_empty() && assets.len() == known.manifest.len();

    let progress = ProgressCounter::start(context.options.progress.as_ref(), || start(&assets, &sources));
    // The map pays off only if many blobs would have to be opened otherwise.
    let blobs = if sources.len() * 16 > known.manifest.len() { known.manifest.blobs() } else { HashMap::new() };
    let cache = context.cache.clone();
    let in_script = context.in_cargo;
    let run_script = context.options.run_script.clone();
    let script = ScriptImporters { run: run_script, reported: OnceLock::new() };
    let tasks = Arc::new(ImportTasks { sources, cache, blobs, compat, progress, in_script, script });
    let limit = time_limit(&mut diagnostics);
    let pool = || worker_pool::run(&tasks, context.threads, context.options.memory, limit);
    let outcomes = if known.same_rules { pool() } else { farm::beside(context, &tasks.sources, compat, pool) };
    let elapsed = |at: usize| match outcomes.get(at) {
        Some(Outcome::Finished(Ok(asset))) if !asset.is_cached => asset.elapsed,
        _ => Duration::ZERO,
    };
    remote::store(context, &tasks.sources, &shared, elapsed);
    let mut has_left_threads = false;
    for (outcome, planned) in outcomes.into_iter().zip(&tasks.sources) {
        let PlannedSource { source, settings, .. } = planned;
        let diagnostic = match outcome {
            Outcome::Finished(Ok(asset)) => {
                assets.push(asset);
                continue;
            }
            Outcome::Finished(Err(diagnostic)) => diagnostic,
            Outcome::Panicked(message) => {
                decoder_failed(planned, &format!("failed: {message}"), "the file is probably damaged: save it again")
            }
            Outcome::TimedOut(limit) => {
                let how = format!("was stopped after {} s, the limit for a file like this", limit.as_secs());
                let advice = format!("give it more time with {VARIABLE}, save it with less detail");
                let diagnostic = decoder_failed(planned, &how, &advice).of_machine();
                has_left_threads = true;
                let key = settings_key(planned);
                let stopped = StoppedImport { stamp: source.stamp, key, diagnostic: diagnostic.clone() };
                timed_out.0.insert(source.path.clone(), stopped);
                diagnostic
            }
        };
        unavailable.push(UnavailableSource::new(&source.path, settings));
        diagnostics.extend(diagnostic.split());
    }
    assets.sort_by(|a, b| a.path.cmp(&b.path));
    Imported {
        assets,
        unavailable,
        diagnostics,
        rules,
        notes,
        target_files,
        timed_out,
        has_left_threads,
        is_unchanged,
        began,
    }
}

fn start(assets: &[ImportedAsset], sources: &[PlannedSource]) -> Progress<'static> {
    let bytes_done = assets.iter().map(|asset| asset.source_size).sum();
    Progress {
        assets: assets.len() + sources.len(),
        cached: assets.len(),
        bytes: bytes_done + sources.iter().map(|planned| planned.source.size).sum::<u64>(),
        bytes_done,
        ..Progress::default()
    }
}

fn decoder_failed(PlannedSource { source, importer, .. }: &PlannedSource, how: &str, advice: &str) -> Diagnostic {
    let advice = if importer.is_of_script() { "correct the importer in the build script, or the file" } else { advice };
    let help =
        format!("{advice}, or store it as raw bytes with kind = \"raw\" under [\"{}\"] in assets.toml", source.path);
    Diagnostic::file(&source.file, format!("the {importer} {how}"))
        .with_help(help)
        .with_asset(&source.path)
        .with_fix(&source.path, Fix::RAW)
}

/// For each source its asset, if it has not changed since the last build.
fn all_unchanged(
    context: &BuildContext,
    compat: Option<Compat>,
    sources: &[PlannedSource],
    known: Known<'_>,
) -> Vec<Option<ImportedAsset>> {
    let mut found = Vec::new();
    found.resize_with(sources.len(), || None);
    let parts = Mutex::new(sources.chunks(SOURCES_OF_PART).zip(found.chunks_mut(SOURCES_OF_PART)));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut keys = SourceKeys::new(compat);
        while let Some((sources, places)) = next() {
            for (planned, place) in sources.iter().zip(places) {
                *place = unchanged(context, &mut keys, planned, known);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..context.threads.min(sources.len().div_ceil(SOURCES_OF_PART)) {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    found
}

/// The asset of a source that has not changed since the last build.
fn unchanged(
    context: &BuildContext,
    keys: &mut SourceKeys,
    planned: &PlannedSource,
    known: Known<'_>,
) -> Option<ImportedAsset> {
    let started = Instant::now();
    let source = &planned.source;
    let record = known.manifest.unchanged(&source.path, source.stamp)?;
    // The input files may have changed, so a worker checks them.
    if record.has_inputs() {
        return None;
    }
    if !known.same_rules {
        let key = keys.key(planned, &record.content_hash);
        if record.source_key != key || !context.cache.has(&record.blob_key, &record.resources) {
            return None;
        }
    }
    Some(planned.imported(Arc::clone(record), true, started.elapsed()))
}
