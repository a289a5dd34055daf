//! One source → its blob: hash the source, look its key up in the cache, import and encode on a miss.

use std::collections::HashMap;
use std::io::{self, BufWriter};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rres_format::limits::{MAX_NAME_LEN, MAX_PACK_SIZE};
use rres_import::{ImportError, InputFiles, Source};

use super::encode::encode;
use super::input_reader::InputReader;
use super::large_source::{self, LargeSource};
use super::placeholder::encode_placeholders;
use super::plan::PlannedSource;
use super::script_importers::ScriptImporters;
use super::source_keys::source_key;
use crate::cache::{Cache, ImportLock, build_blob, check_blob, write_blob};
use crate::cargo;
use crate::diagnostic::{Diagnostic, Fix};
use crate::file_range::is_of_source;
use crate::import::{Origin, is_lfs_pointer, refuse_pointer};
use crate::key::Key;
use crate::model::{ImportedAsset, ResourceInfo, SourceFile, SourceRecord, resource_path};
use crate::progress::{Completion, ProgressCounter};
use crate::read_file::{open_file, read_file};
use crate::settings::{ByteSize, Compat};
use crate::worker_pool::{Opening, Tasks};

/// How long to wait for another build that is importing the same source. If it takes longer, it may hang, or the source
/// is so large that both builds may as well import it.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The sources to import, as tasks for the worker pool.
pub(super) struct ImportTasks {
    pub(super) sources: Vec<PlannedSource>,
    pub(super) cache: Cache,
    /// The records of the last build, by the keys of their blobs.
    pub(super) blobs: HashMap<Key, Arc<SourceRecord>>,
    pub(super) compat: Option<Compat>,
    pub(super) progress: ProgressCounter,
    /// Whether this is a build script.
    pub(super) in_script: bool,
    pub(super) script: ScriptImporters,
}

/// A source that is not in the cache.
pub(super) struct Opened {
    contents: Contents,
    content_hash: [u8; 32],
    source_key: Key,
    lock: ImportLock,
    /// The time spent on it so far.
    elapsed: Duration,
}

/// What a source consists of.
enum Contents {
    Bytes(Vec<u8>),
    Large(LargeSource),
}

type Output = Result<ImportedAsset, Diagnostic>;

impl Tasks for ImportTasks {
    type Opened = Opened;
    type Output = Output;

    fn count(&self) -> usize {
        self.sources.len()
    }

    fn size(&self, task: usize) -> u64 {
        let planned = &self.sources[task];
        if LargeSource::suits(planned, self.compat) { large_source::MEMORY } else { planned.source.size }
    }

    fn read(&self, task: usize) -> u64 {
        self.sources[task].source.size
    }

    fn open(&self, task: usize, is_retry: bool) -> Opening<Opened, Output> {
        self.open_source(&self.sources[task], is_retry).unwrap_or_else(|diagnostic| Opening::Finished(Err(diagnostic)))
    }

    fn work(&self, task: usize, opened: Opened) -> Output {
        let SourceFile { path, size, .. } = &self.sources[task].source;
        self.progress.begin(path, *size);
        self.import(&self.sources[task], opened)
    }

    fn still_running(&self, task: usize, elapsed: Duration) {
        let SourceFile { path, file, .. } = &self.sources[task].source;
        self.progress.still_running(path);
        if self.in_script {
            cargo::still_importing(file, elapsed);
        }
    }

    fn ended(&self, task: usize, output: Option<&Output>) {
        let SourceFile { path, size, .. } = &self.sources[task].source;
        let completion = match output {
            Some(Ok(asset)) if asset.is_cached => Completion::Cached,
            Some(Ok(_)) => Completion::Imported,
            Some(Err(_)) | None => Completion::Failed,
        };
        self.progress.count(path, *size, completion);
    }
}

impl ImportTasks {
    fn open_source(&self, planned: &PlannedSource, is_retry: bool) -> Result<Opening<Opened, Output>, Diagnostic> {
        let started = Instant::now();
        let source = &planned.source;
        if source.size > MAX_PACK_SIZE {
            return Err(planned.failed(too_large(source.size)));
        }
        let (contents, content_hash) = Contents::read(planned, self.compat)?;
        let source_key = source_key(planned, self.compat, &content_hash);
        let found = |(blob_key, resources)| {
            let record = SourceRecord { stamp: source.stamp, content_hash, source_key, blob_key, resources };
            Ok(Opening::Finished(Ok(planned.imported(Arc::new(record), true, started.elapsed()))))
        };
        if let Some(blob) = self.look_up(planned, &source_key) {
            return found(blob);
        }
        if let Some(library) = &planned.dir.cache
            && planned.importer.is_of_script()
        {
            let adopted = self.adopt(planned, &source_key, library);
            return adopted.map_or_else(|| Err(planned.failed(not_stored(planned))), found);
        }
        if let Origin::RecordOfScript = planned.importer.origin {
            self.script.run();
            return match self.look_up(planned, &source_key) {
                Some(blob) => found(blob),
                None => Err(planned.failed(self.script.error(planned.importer.name(), &source.file))),
            };
        }
        let importer = planned.importer.get().map_err(|error| planned.failed(error))?;
        let lock = match is_retry {
            true => self.cache.lock_or_time_out(&source_key, LOCK_TIMEOUT),
            false => match self.cache.try_lock(&source_key) {
                Some(lock) => lock,
                None => return Ok(Opening::Deferred),
            },
        };
        // The build that held the lock may have stored the blob.
        if let Some(blob) = self.look_up(planned, &source_key) {
            return found(blob);
        }
        let memory = match &contents {
            Contents::Bytes(bytes) => importer.memory(&planned.open(bytes, &mut InputReader::new(planned))),
            // It has been acquired.
            Contents::Large(_) => 0,
        };
        if !can_allocate(memory) {
            return Err(planned.failed(out_of_memory(source.size, memory)).of_machine());
        }
        let elapsed = started.elapsed();
        Ok(Opening::Work(Opened { contents, content_hash, source_key, lock, elapsed }, memory))
    }

    /// The blob of a source and its resources.
    fn look_up(&self, planned: &PlannedSource, source_key: &Key) -> Option<(Key, Vec<ResourceInfo>)> {
        if let Some(SourceRecord { resources, .. }) = self.blobs.get(source_key).map(|record| &**record)
            && self.cache.has(source_key, resources)
        {
            return Some((*source_key, resources.clone()));
        }
        look_up_in(&self.cache, planned, source_key)
    }

    /// Copies the blob of a source from the cache of its library.
    fn adopt(&self, planned: &PlannedSource, source_key: &Key, library: &Cache) -> Option<(Key, Vec<ResourceInfo>)> {
        let (blob_key, resources) = look_up_in(library, planned, source_key)?;
        let blob = read_file(&library.blob_file(&blob_key)).ok()?;
        check_blob(&blob, &blob_key).ok()?;
        self.cache.store(&blob_key, &blob).ok()?;
        if blob_key != *source_key {
            self.cache.store_input_files(source_key, &library.input_files(source_key)?).ok()?;
        }
        Some((blob_key, resources))
    }

    fn import(&self, planned: &PlannedSource, opened: Opened) -> Output {
        let started = Instant::now();
        let Opened { contents, content_hash, source_key, lock, elapsed } = opened;
        let mut inputs = InputReader::new(planned);
        let (blob_key, resources) = match contents {
            Contents::Bytes(bytes) => self.store(planned, bytes, &source_key, &mut inputs)?,
            Contents::Large(large) => (source_key, self.store_large(planned, large, &source_key)?),
        };
        self.cache.store_input_files(&source_key, &inputs.paths()).map_err(|e| self.cache.cannot_write(&e))?;
        drop(lock);
        let record = SourceRecord { stamp: planned.source.stamp, content_hash, source_key, blob_key, resources };
        Ok(planned.imported(Arc::new(record), false, elapsed + started.elapsed()))
    }

    /// Imports a source that is in memory, and stores its blob.
    fn store(
        &self,
        planned: &PlannedSource,
        bytes: Vec<u8>,
        source_key: &Key,
        inputs: &mut InputReader<'_>,
    ) -> Result<(Key, Vec<ResourceInfo>), Diagnostic> {
        let PlannedSource { source, settings, .. } = planned;
        let failed = |error| planned.failed(error);
        let importer = planned.importer.get().map_err(failed)?;
        let imported = importer.import(&mut planned.open(&bytes, inputs)).map_err(failed)?;
        let imported = match planned.importer.is_of_script() {
            true => planned.importer.complete(&source.path, imported).map_err(failed)?,
            false => imported,
        };
        // A file may be as large as the memory allows.
        drop(bytes);
        let encode = if settings.asset.placeholder { encode_placeholders } else { encode };
        let encoded = encode(imported, settings, self.compat).map_err(failed)?;
        let blob_key = inputs.blob_key(source_key);
        let (blob, resources) = write_blob(&blob_key, encoded).map_err(|e| failed(cannot_be_stored(e)))?;
        check_paths(&source.path, &resources).map_err(failed)?;
        self.cache.store(&blob_key, &blob).map_err(|e| self.cache.cannot_write(&e))?;
        Ok((blob_key, resources))
    }

    /// Stores the blob of a large source, which is copied from the file.
    fn store_large(
        &self,
        planned: &PlannedSource,
        large: LargeSource,
        key: &Key,
    ) -> Result<Vec<ResourceInfo>, Diagnostic> {
        let failed = |error: io::Error| match is_of_source(&error) {
            true => planned.unreadable(&error),
            false => self.cache.cannot_write(&error),
        };
        let encoded = large.encode(&planned.settings, || self.cache.temp_file());
        self.cache.note_failure(&encoded);
        let blob = build_blob(key, vec![encoded.map_err(failed)?]);
        let (blob, resources) = blob.map_err(|e| planned.failed(cannot_be_stored(e)))?;
        check_paths(&planned.source.path, &resources).map_err(|e| planned.failed(e))?;
        self.cache.store_with(key, |out| blob.write_to(BufWriter::new(out))).map_err(failed)?;
        Ok(resources)
    }
}

impl Contents {
    /// Reads a source, or only its hash if it is large.
    fn read(planned: &PlannedSource, compat: Option<Compat>) -> Result<(Self, [u8; 32]), Diagnostic> {
        if LargeSource::suits(planned, compat) {
            let read = LargeSource::open(planned);
            return read.map(|(large, hash)| (Self::Large(large), hash)).map_err(|e| planned.unreadable(&e));
        }
        let bytes = read_file(&planned.source.file).map_err(|e| planned.unreadable(&e))?;
        if is_lfs_pointer(&bytes) {
            return Err(planned.failed(refuse_pointer()));
        }
        let hash = *blake3::hash(&bytes).as_bytes();
        Ok((Self::Bytes(bytes), hash))
    }
}

/// The hash of a source, which is read in pieces; `None` if it cannot be read. Whether it can be imported is not looked at.
pub(super) fn content_hash(planned: &PlannedSource) -> Option<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(open_file(&planned.source.file).ok()?).ok()?;
    Some(*hasher.finalize().as_bytes())
}

fn cannot_be_stored(error: rres_format::Error) -> ImportError {
    ImportError::new(format!("cannot be stored: {error}"))
}

/// The blob of a source in `cache`, and its resources.
pub(super) fn look_up_in(cache: &Cache, planned: &PlannedSource, source_key: &Key) -> Option<(Key, Vec<ResourceInfo>)> {
    // Most sources have no input files, so their blob key is the source key. For the others, the cache has a list.
    if let Some(resources) = cache.look_up(source_key) {
        return Some((*source_key, resources));
    }
    let paths = cache.input_files(source_key)?;
    let mut inputs = InputReader::new(planned);
    // If an input file no longer exists, the key differs, or the import fails.
    if !paths.iter().all(|path| inputs.repeat(path)) {
        return None;
    }
    let blob_key = inputs.blob_key(source_key);
    Some((blob_key, cache.look_up(&blob_key)?))
}

/// The error for a source that only the build script of a library can import, and that its last build has not imported as it is now.
fn not_stored(PlannedSource { dir, importer, .. }: &PlannedSource) -> ImportError {
    let message =
        format!("is read by the {importer} of the library `{}`, which has not imported it as it is now", dir.folder);
    ImportError::new(message)
        .with_help("run `cargo build`, which runs the library's build script; `compat` must be the same in both")
        .without_fix()
}

fn too_large(size: u64) -> ImportError {
    let message = format!("is {} long, and a pack holds at most {}", ByteSize(size), ByteSize(MAX_PACK_SIZE));
    ImportError::new(message)
        .with_help("split it, or ignore it with `ignore = true` in assets.toml")
        .with_fix(Fix::IGNORE)
}

fn out_of_memory(size: u64, memory: u64) -> ImportError {
    let message = format!(
        "is {} long, and importing it takes {} of memory, which cannot be had",
        ByteSize(size),
        ByteSize(memory)
    );
    ImportError::new(message)
        .with_help("raise the limit of this process, split the file, or ignore it with `ignore = true` in assets.toml")
        .with_fix(Fix::IGNORE)
}

/// Whether the system would give this process so much memory. An allocation in the midst of an import that failed would
/// end the process without naming the file.
fn can_allocate(bytes: u64) -> bool {
    /// Less is not worth asking for.
    const LARGE: u64 = 256 << 20;
    bytes < LARGE || usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Whether the path of every sub-asset fits the directory of a pack.
fn check_paths(path: &str, resources: &[ResourceInfo]) -> Result<(), ImportError> {
    let is_long = |resource: &&ResourceInfo| resource_path(path, &resource.name).len() > MAX_NAME_LEN;
    match resources.iter().find(is_long) {
        Some(ResourceInfo { name, .. }) => {
            let message = format!("the path of its sub-asset \"{name}\" is longer than {MAX_NAME_LEN} bytes");
            Err(ImportError::new(message).with_help("shorten the names in it"))
        }
        None => Ok(()),
    }
}

impl PlannedSource {
    /// The source for its importer.
    fn open<'s>(&'s self, bytes: &'s [u8], inputs: &'s mut dyn InputFiles) -> Source<'s> {
        let source = Source::new(&self.source.path, bytes, &self.settings, inputs)
            .with_encoders(self.dir.importers.rres.encoders);
        source.for_importer(&self.importer.description)
    }

    /// The fault that the file cannot be read.
    fn unreadable(&self, error: &io::Error) -> Diagnostic {
        let diagnostic = Diagnostic::io("read it", &self.source.file, error);
        diagnostic.with_asset(&self.source.path).with_fix(&self.source.path, Fix::IGNORE)
    }

    fn failed(&self, error: ImportError) -> Diagnostic {
        // As raw bytes, an asset of an importer of the build script would have another type, and the game would not compile.
        let is_for_script = !matches!(self.importer.origin, Origin::Rres(_)) && error.fix == Some(Fix::RAW);
        let error = if is_for_script { error.without_fix() } else { error };
        error.into_diagnostic(&self.source.file, &self.source.path)
    }

    pub(super) fn imported(&self, record: Arc<SourceRecord>, is_cached: bool, elapsed: Duration) -> ImportedAsset {
        ImportedAsset {
            path: self.source.path.clone(),
            naming: self.settings.naming(&self.source.path),
            is_of_library: self.is_of_library,
            prints_notes: self.settings.asset.notes,
            folders_are_groups: self.importer.description.folders_are_groups,
            source: Some(Arc::clone(&record)),
            record,
            is_cached,
            source_size: self.source.size,
            elapsed,
        }
    }
}
