//! Imports on other machines while this one imports: it begins with the large sources, they with the small ones, and who is first with a source has done it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use super::plan::PlannedSource;
use super::remote;
use crate::cache::{blob_key_of, store_arriving};
use crate::context::BuildContext;
use crate::farm::{FarmJob, FarmLayer};
use crate::key::Key;
use crate::options::Build;
use crate::record_file::record_text;
use crate::script_options::write_options;
use crate::settings::{Compat, SETTINGS_FILE};

/// The most sources of a job, and their most bytes: a job takes a second of its machine at most, besides the start of the command.
const MOST_SOURCES: usize = 32;
const MOST_BYTES: u64 = 4 << 20;

/// A larger source is imported here, since sending it takes as long.
const LARGE: u64 = 64 << 20;

/// Runs `local`, which imports here, while the farm of the build imports, too. `sources` are in the order in which they are imported here.
pub(super) fn beside<T>(
    context: &BuildContext,
    sources: &[PlannedSource],
    compat: Option<Compat>,
    local: impl FnOnce() -> T,
) -> T {
    let Some(layer) = &context.farm else { return local() };
    let (jobs, wanted) = jobs(context, sources, compat);
    if jobs.is_empty() {
        return local();
    }
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let work = || import(context, layer, &jobs, &wanted, &is_over);
        // If no thread can be started, this machine imports all.
        let _ = thread::Builder::new().name("farm".to_owned()).spawn_scoped(scope, work);
        let result = local();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// Has the farm import, and stores those blobs that this machine wants: a farm with another version of the importers makes others.
fn import(context: &BuildContext, layer: &FarmLayer, jobs: &[FarmJob], wanted: &HashSet<Key>, is_over: &AtomicBool) {
    let started = Instant::now();
    let is_over = || is_over.load(Ordering::Relaxed);
    let (mut failed_jobs, mut first_failure) = (0, None);
    let arrived = store_arriving(&context.cache, 1, &|_| {}, |take| {
        layer.farm.import(jobs, &is_over, &mut |result| {
            let blobs = result.unwrap_or_else(|error| {
                failed_jobs += 1;
                first_failure.get_or_insert(error.to_string());
                Vec::new()
            });
            for blob in &blobs {
                match blob_key_of(blob).filter(|key| wanted.contains(key)) {
                    Some(key) => take(Some(key), blob),
                    None => take(None, &[]),
                }
            }
        })
    });
    layer.note(|used| {
        used.imported += arrived.new;
        used.unusable += arrived.damaged;
        used.elapsed += started.elapsed();
        used.failed_jobs += failed_jobs;
        used.fault = arrived.fetched.err().map(|error| error.to_string()).or(first_failure);
    });
}

/// The sources that the cache lacks, in jobs, the last source first, and their keys.
fn jobs(context: &BuildContext, sources: &[PlannedSource], compat: Option<Compat>) -> (Vec<FarmJob>, HashSet<Key>) {
    let Some(record) = record(context) else { return Default::default() };
    let settings = context.assets.join(SETTINGS_FILE);
    let new_job = || {
        let mut job = FarmJob::new(record.clone());
        if settings.exists() {
            job.files.push((format!("{}/{SETTINGS_FILE}", FarmJob::ASSETS), settings.clone()));
        }
        job
    };
    let keys = remote::keys(context, sources, compat);
    let missing = keys.iter().rev().filter(|(.., is_missing)| *is_missing).map(|(at, key, _)| (&sources[*at], *key));
    let (mut jobs, mut wanted, mut of_job) = (Vec::<FarmJob>::new(), HashSet::new(), MOST_SOURCES);
    for (planned, key) in missing.filter(|(planned, _)| can_leave(context, planned)) {
        let Some(path) = planned.source.file.strip_prefix(&context.assets).ok().and_then(|path| path.to_str()) else {
            continue;
        };
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        let is_full = |job: &FarmJob| job.size.saturating_add(planned.source.size) > MOST_BYTES;
        if of_job >= MOST_SOURCES || jobs.last().is_none_or(is_full) {
            jobs.push(new_job());
            of_job = 0;
        }
        if let Some(job) = jobs.last_mut() {
            job.files.push((format!("{}/{path}", FarmJob::ASSETS), planned.source.file.clone()));
            job.size += planned.source.size;
            of_job += 1;
            wanted.insert(key);
        }
    }
    if let Some(layer) = &context.farm {
        layer.note(|used| used.wanted += wanted.len());
    }
    (jobs, wanted)
}

/// Whether another machine can import a source: it needs the file and the settings alone.
fn can_leave(context: &BuildContext, planned: &PlannedSource) -> bool {
    let is_own = std::sync::Arc::ptr_eq(&planned.dir, &context.own_dir) && context.own_dir.folder.is_empty();
    is_own && !planned.importer.refers() && planned.source.size <= LARGE
}

/// The record of this build as it is in the directory of a job; `None` if the options have no form in TOML.
fn record(context: &BuildContext) -> Option<String> {
    let options = Build {
        dir: FarmJob::ASSETS.into(),
        module: None,
        out_dir: None,
        cache_dir: None,
        debug: Some(context.is_debug),
        package: context.cargo.package_name.clone(),
        target: Some(context.target()),
        script: None,
        earlier: Vec::new(),
        libraries: Some(Vec::new()),
        threads: None,
        only: Vec::new(),
        ..context.options.clone()
    };
    Some(record_text(".", &write_options(&options).ok()?))
}
