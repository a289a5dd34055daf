//! What a build has from a remote cache, and what it adds there.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::input_reader::InputReader;
use super::plan::PlannedSource;
use super::source_keys::source_key;
use super::task::{content_hash, look_up_in};
use crate::cache::{RemoteEntry, RemoteLayer, RemoteStep};
use crate::context::BuildContext;
use crate::key::Key;
use crate::progress::Progress;
use crate::settings::Compat;

/// After how many blobs the progress is shown.
const SHOWN_EACH: usize = 16;

/// The sources that machines can share, by their numbers, with their keys.
#[derive(Default)]
pub(super) struct Shared(Vec<(usize, Key)>);

/// Fills the cache of the machine with what it lacks of `sources`, as far as the remote cache has it.
pub(super) fn fetch(context: &BuildContext, sources: &[PlannedSource], compat: Option<Compat>) -> Shared {
    let Some(remote) = &context.remote else { return Shared::default() };
    let started = Instant::now();
    let keys = keys(context, sources, compat);
    let missing: Vec<(usize, Key)> =
        keys.iter().filter(|(.., is_missing)| *is_missing).map(|(at, key, _)| (*at, *key)).collect();
    if !missing.is_empty() && !remote.is_away(RemoteStep::Read, &context.cache) {
        // Equal files have one blob.
        let wanted = missing.iter().map(|(_, key)| key).collect::<HashSet<_>>().len();
        remote.note(|used| used.wanted += wanted);
        let fetched = fetch_missing(context, remote, sources, &missing);
        remote.end(RemoteStep::Read, &context.cache, started, fetched);
    }
    Shared(keys.into_iter().map(|(at, key, _)| (at, key)).collect())
}

/// Adds what the remote cache lacks, if this machine adds to it. `elapsed` is how long a source was imported.
pub(super) fn store(
    context: &BuildContext,
    sources: &[PlannedSource],
    Shared(shared): &Shared,
    elapsed: impl Fn(usize) -> Duration,
) {
    let Some(remote) = context.remote.as_ref().filter(|remote| remote.cache.is_written()) else { return };
    if shared.is_empty() || remote.is_away(RemoteStep::Add, &context.cache) {
        return;
    }
    let started = Instant::now();
    let entries: Vec<RemoteEntry> =
        shared.iter().filter_map(|(at, key)| entry(context, &sources[*at], key, elapsed(*at))).collect();
    let stored = remote.cache.store(&entries).map(|stored| remote.note(|used| used.stored = stored));
    remote.end(RemoteStep::Add, &context.cache, started, stored);
}

/// The keys of the sources that machines can share, and whether the cache of the machine lacks them.
pub(super) fn keys(
    context: &BuildContext,
    sources: &[PlannedSource],
    compat: Option<Compat>,
) -> Vec<(usize, Key, bool)> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(planned) = sources.get(at) else { return };
            // What a build script imports is of its project.
            if planned.importer.is_of_script() {
                continue;
            }
            let Some(hash) = content_hash(planned) else { continue };
            let key = source_key(planned, compat, &hash);
            let is_missing = look_up_in(&context.cache, planned, &key).is_none();
            found.lock().unwrap_or_else(PoisonError::into_inner).push((at, key, is_missing));
        }
    };
    thread::scope(|scope| {
        for _ in 1..context.threads {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    found
}

fn fetch_missing(
    context: &BuildContext,
    remote: &RemoteLayer,
    sources: &[PlannedSource],
    missing: &[(usize, Key)],
) -> io::Result<()> {
    let cache = &context.cache;
    let of_sources: Vec<[u8; 32]> = missing.iter().map(|(_, key)| key.0).collect();
    // Sources with input files have blobs of other keys, which depend on the files that are here.
    let mut blobs: HashMap<[u8; 32], Key> = missing.iter().map(|(_, key)| (key.0, *key)).collect();
    for (number, paths) in remote.cache.input_files(&of_sources)? {
        let Some((at, source)) = missing.get(number) else { continue };
        let mut inputs = InputReader::new(&sources[*at]);
        if paths.iter().all(|path| inputs.repeat(path)) {
            if cache.store_input_files(source, &paths).is_err() {
                // The disk of the cache is full, or it cannot be written. That is no fault of the remote one.
                continue;
            }
            let key = inputs.blob_key(source);
            blobs.remove(&source.0);
            if cache.look_up(&key).is_none() {
                blobs.insert(key.0, key);
            }
        }
    }
    let mut wanted: Vec<[u8; 32]> = blobs.into_keys().collect();
    wanted.sort_unstable();
    let count = wanted.len();
    let shown = |arrived: usize| {
        if let Some(callback) = &context.options.progress
            && arrived.is_multiple_of(SHOWN_EACH)
        {
            let running = format!("the remote cache, {arrived} of {count}");
            callback(&Progress { assets: sources.len(), running: &running, ..Progress::default() });
        }
    };
    remote.fetch(&wanted, cache, context.threads, &shown)
}

/// What the cache of the machine has of a source.
fn entry(context: &BuildContext, planned: &PlannedSource, source: &Key, elapsed: Duration) -> Option<RemoteEntry> {
    let (blob, _) = look_up_in(&context.cache, planned, source)?;
    let input_files = if blob == *source { Vec::new() } else { context.cache.input_files(source)? };
    Some(RemoteEntry { source: source.0, input_files, blob: blob.0, file: context.cache.blob_file(&blob), elapsed })
}
