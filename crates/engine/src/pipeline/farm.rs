//! Imports on other machines while this one imports: it begins with the large sources, they with the small ones, and who is first with a source has done it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use super::plan::PlannedSource;
use super::remote;
use crate::cache::store_arriving;
use crate::context::BuildContext;
use crate::farm::{FarmJob, FarmLayer};
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
    let jobs = jobs(context, sources, compat);
    if jobs.is_empty() {
        return local();
    }
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let work = || import(context, layer, &jobs, &is_over);
        // If no thread can be started, this machine imports all.
        let _ = thread::Builder::new().name("farm".to_owned()).spawn_scoped(scope, work);
        let result = local();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

fn import(context: &BuildContext, layer: &FarmLayer, jobs: &[FarmJob], is_over: &AtomicBool) {
    let started = Instant::now();
    let is_over = || is_over.load(Ordering::Relaxed);
    let arrived = store_arriving(&context.cache, 1, &|_| {}, |take| {
        layer.farm.import(jobs, &is_over, &mut |blobs| blobs.iter().for_each(|blob| take(None, blob)))
    });
    layer.note(|used| {
        used.imported += arrived.new;
        used.damaged += arrived.damaged;
        used.elapsed += started.elapsed();
        used.fault = arrived.fetched.err().map(|error| error.to_string());
    });
}

/// The sources that the cache lacks, in jobs, the last source first.
fn jobs(context: &BuildContext, sources: &[PlannedSource], compat: Option<Compat>) -> Vec<FarmJob> {
    let Some(record) = record(context) else { return Vec::new() };
    let settings = context.assets.join(SETTINGS_FILE);
    let new_job = || {
        let mut job = FarmJob::new(record.clone());
        if settings.exists() {
            job.files.push((format!("{}/{SETTINGS_FILE}", FarmJob::ASSETS), settings.clone()));
        }
        job
    };
    let mut missing: Vec<usize> = remote::keys(context, sources, compat)
        .into_iter()
        .filter(|(.., is_missing)| *is_missing)
        .map(|(at, ..)| at)
        .collect();
    missing.reverse();
    let (mut jobs, mut wanted, mut of_job) = (Vec::<FarmJob>::new(), 0, MOST_SOURCES);
    for planned in missing.iter().map(|at| &sources[*at]).filter(|planned| can_leave(context, planned)) {
        let Some(path) = planned.source.file.strip_prefix(&context.assets).ok().and_then(|path| path.to_str()) else {
            continue;
        };
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        if of_job >= MOST_SOURCES
            || jobs.last().is_none_or(|job| job.size.saturating_add(planned.source.size) > MOST_BYTES)
        {
            jobs.push(new_job());
            of_job = 0;
        }
        if let Some(job) = jobs.last_mut() {
            job.files.push((format!("{}/{path}", FarmJob::ASSETS), planned.source.file.clone()));
            job.size += planned.source.size;
            of_job += 1;
            wanted += 1;
        }
    }
    if let Some(layer) = &context.farm {
        layer.note(|used| used.wanted += wanted);
    }
    jobs
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
