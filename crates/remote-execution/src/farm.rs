//! A farm: many jobs at once on other machines.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};
use futures_util::{StreamExt as _, stream};
use prost::Message as _;
use prost::bytes::Bytes;
use tonic::Code;

use crate::blobs::{Origin, batches};
use crate::calls::{EXECUTE, Remote};
use crate::client::Client;
use crate::config::Config;
use crate::digest::Digest;
use crate::fault::Fault;
use crate::job::{Contents, Input, Job, JobFailed, Outputs};
use crate::messages::{self, Action, ActionResult, Command, Pair, Platform};
use crate::tree::{Inputs, check_path, files};

/// The inputs of so many jobs are asked for and uploaded in one go.
const GROUP: usize = 64;

/// When so many jobs in a row have failed because of the farm, a further one ends the run.
const MOST_FAULTS: usize = 3;

/// A larger list of outputs is not read, nor outputs of a job of more bytes than this.
const MOST_TREE: u64 = 64 << 20;
const MOST_OUTPUTS: u64 = 2 << 30;

/// How much of the standard error of a failed job is read.
const MOST_STDERR: u64 = 64 << 10;

/// How often a run asks whether it is over.
const ASKED_EACH: Duration = Duration::from_millis(20);

/// A farm that executes jobs.
///
/// A job whose inputs and command have been executed before is answered from the cache of the farm, so its outputs must depend on these alone.
#[derive(Debug)]
pub struct Farm {
    client: Client,
    at_once: usize,
    patience: Duration,
    platform: Platform,
    /// What the farm has of the blobs that this machine has uploaded or asked for.
    uploaded: Arc<Mutex<HashSet<Digest>>>,
    /// The digests of files of this machine, as they were when the run began.
    hashed: Mutex<HashMap<PathBuf, Digest>>,
}

/// A job that has been encoded.
struct Prepared {
    action: Digest,
    blobs: Vec<(Digest, Origin)>,
    timeout: Duration,
    output_directory: String,
}

impl Farm {
    /// Opens a farm. Sends nothing.
    ///
    /// # Errors
    /// If the address, the token or the file of certificates is wrong; the text says which.
    pub fn open(config: &Config) -> Result<Self, String> {
        Ok(Self {
            client: Client::open(config)?,
            at_once: 32,
            patience: Duration::from_secs(300),
            platform: Platform::default(),
            uploaded: Arc::default(),
            hashed: Mutex::default(),
        })
    }

    /// Sets how many jobs are given to the farm at once. Default: 32.
    #[must_use]
    pub fn at_once(self, count: usize) -> Self {
        Self { at_once: count.max(1), ..self }
    }

    /// Sets how long a job may wait for a machine, besides the time that it may run. Default: 5 minutes.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Demands machines with a property, such as `OSFamily` `linux`. Which there are is up to the farm.
    #[must_use]
    pub fn platform(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.platform.properties.push(Pair { name: name.into(), value: value.into() });
        // The protocol demands an order.
        self.platform.properties.sort();
        self
    }

    /// Runs jobs, many at once, and passes what becomes of each to `take` with its number, in any order. A job that fails is a result like others: with
    /// an exit code that is not 0, its error has a [`JobFailed`] in it.
    ///
    /// # Errors
    /// If the farm refuses, executes nothing, or does not answer several times in a row. Then jobs that have not been passed to `take` have no result.
    pub fn run(&self, jobs: &[Job], take: &mut dyn FnMut(usize, io::Result<Outputs>)) -> io::Result<()> {
        self.run_until(jobs, &|| false, take)
    }

    /// The same, until `is_over` returns true, which is asked several times a second. What runs then on the farm has no result.
    ///
    /// # Errors
    /// Those of [`Self::run`].
    pub fn run_until(
        &self,
        jobs: &[Job],
        is_over: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(usize, io::Result<Outputs>),
    ) -> io::Result<()> {
        self.hashed.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.client.runtime.block_on(async {
            let over = async {
                while !is_over() {
                    tokio::time::sleep(ASKED_EACH).await;
                }
            };
            let run = self.run_async(jobs, take);
            match select(pin!(run), pin!(over)).await {
                Either::Left((result, _)) => result,
                Either::Right(_) => Ok(()),
            }
        })
    }

    async fn run_async(&self, jobs: &[Job], take: &mut dyn FnMut(usize, io::Result<Outputs>)) -> io::Result<()> {
        let remote = &self.client.remote;
        let capabilities = remote.capabilities().await?;
        if !capabilities.executes {
            let why = "the server is a cache that executes nothing, expected one with an execution service";
            return Err(io::Error::new(io::ErrorKind::Unsupported, format!("{}: {why}", EXECUTE.name)));
        }
        // Groups are prepared while the jobs of earlier ones run, one group at a time.
        let groups = stream::iter(jobs.chunks(GROUP).enumerate()).then(|(group, jobs)| async move {
            let mut prepared = Vec::with_capacity(jobs.len());
            for job in jobs {
                prepared.push(self.prepare(job, capabilities.has_output_paths));
                // Files are hashed, and meanwhile the run may be over.
                tokio::task::yield_now().await;
            }
            let blobs = prepared.iter().flatten().flat_map(|job| job.blobs.iter());
            let sent = send(remote, &self.uploaded, blobs).await;
            let of = move |(at, job): (usize, _)| (group * GROUP + at, sent.clone().map(|()| job));
            stream::iter(prepared.into_iter().enumerate().map(of).collect::<Vec<_>>())
        });
        let running = groups.flatten().map(|(number, job)| {
            let (remote, uploaded, patience) = (Arc::clone(remote), Arc::clone(&self.uploaded), self.patience);
            async move {
                let job = match job {
                    // A file of this machine has changed. That is no fault of the farm, and others of the group may run.
                    Err(fault) if fault.is_local() => return Ok((number, Err(Failure::of_job(fault.into())))),
                    // Without its inputs, none of them can run.
                    Err(fault) => return Err(io::Error::from(fault)),
                    Ok(Err(error)) => return Ok((number, Err(Failure::of_job(error)))),
                    Ok(Ok(job)) => job,
                };
                let run = tokio::spawn(async move { run(&remote, &uploaded, &job, patience).await });
                let result = run.await.map_err(io::Error::other)?;
                Ok((number, result))
            }
        });
        let mut running = pin!(running.buffer_unordered(self.at_once));
        let mut faults = 0;
        while let Some(ended) = running.next().await {
            let (number, result) = ended?;
            match result {
                // Neither would the others be executed.
                Err(Failure { error, is_of_farm: true })
                    if faults >= MOST_FAULTS || error.kind() == io::ErrorKind::PermissionDenied =>
                {
                    return Err(error);
                }
                Err(Failure { error, is_of_farm }) => {
                    faults = if is_of_farm { faults + 1 } else { 0 };
                    take(number, Err(error));
                }
                Ok(outputs) => {
                    faults = 0;
                    take(number, Ok(outputs));
                }
            }
        }
        Ok(())
    }

    /// Encodes a job.
    fn prepare(&self, job: &Job, has_output_paths: bool) -> io::Result<Prepared> {
        let wrong = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
        let mut tree = Inputs::default();
        let mut blobs = Vec::new();
        for Input { path, contents, is_executable } in &job.inputs {
            let (digest, origin) = match contents {
                Contents::Bytes(bytes) => (Digest::of(bytes), Origin::Bytes(Bytes::copy_from_slice(bytes))),
                Contents::File(file) => (self.digest_of(file)?, Origin::File(file.clone())),
            };
            tree.add_file(path, digest, *is_executable).map_err(wrong)?;
            blobs.push((digest, origin));
        }
        check_path(&job.output_directory).map_err(wrong)?;
        // The protocol has the worker make only the directories above it.
        tree.directory(&job.output_directory).map_err(wrong)?;
        let mut directories = Vec::new();
        let root = tree.encode(&mut directories);
        blobs.extend(directories.into_iter().map(|(digest, bytes)| (digest, Origin::Bytes(bytes))));

        let mut environment: Vec<Pair> =
            job.environment.iter().map(|(name, value)| Pair { name: name.clone(), value: value.clone() }).collect();
        environment.sort();
        let outputs = vec![job.output_directory.clone()];
        let (paths, directories) = if has_output_paths { (outputs, Vec::new()) } else { (Vec::new(), outputs) };
        let platform = Some(self.platform.clone()).filter(|platform| !platform.properties.is_empty());
        let command = Command {
            arguments: job.arguments.clone(),
            environment_variables: environment,
            output_directories: directories,
            platform: platform.clone(),
            output_paths: paths,
        };
        let mut add = |bytes: Vec<u8>| {
            let digest = Digest::of(&bytes);
            blobs.push((digest, Origin::Bytes(bytes.into())));
            digest
        };
        let command = add(command.encode_to_vec());
        let timeout = messages::Duration {
            seconds: i64::try_from(job.timeout.as_secs()).unwrap_or(i64::MAX),
            nanos: job.timeout.subsec_nanos().try_into().unwrap_or(0),
        };
        let action = Action {
            command_digest: Some(command.message()),
            input_root_digest: Some(root.message()),
            timeout: Some(timeout),
            platform,
        };
        let action = add(action.encode_to_vec());
        Ok(Prepared { action, blobs, timeout: job.timeout, output_directory: job.output_directory.clone() })
    }

    /// The digest of a file, which is hashed once in a run.
    fn digest_of(&self, file: &Path) -> io::Result<Digest> {
        let mut hashed = self.hashed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = hashed.get(file) {
            return Ok(*digest);
        }
        let digest = Digest::of_file(file)
            .map_err(|error| io::Error::new(error.kind(), format!("reading the input {}: {error}", file.display())))?;
        hashed.insert(file.to_owned(), digest);
        Ok(digest)
    }
}

/// Uploads what the farm may lack.
async fn send(
    remote: &Remote,
    uploaded: &Mutex<HashSet<Digest>>,
    blobs: impl Iterator<Item = &(Digest, Origin)>,
) -> Result<(), Fault> {
    let blobs: Vec<_> = {
        let uploaded = uploaded.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.filter(|(digest, _)| !uploaded.contains(digest)).cloned().collect()
    };
    if blobs.is_empty() {
        return Ok(());
    }
    let digests: Vec<Digest> = blobs.iter().map(|(digest, _)| *digest).collect();
    remote.upload(blobs).await?;
    uploaded.lock().unwrap_or_else(PoisonError::into_inner).extend(digests);
    Ok(())
}

/// Why a job has no outputs.
struct Failure {
    error: io::Error,
    /// Whether the farm is the cause, so that others may fail as well.
    is_of_farm: bool,
}

impl Failure {
    fn of_job(error: io::Error) -> Self {
        Self { error, is_of_farm: false }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { is_of_farm: fault.is_of_server(), error: fault.into() }
    }
}

/// Runs a job, and reads what it has written.
async fn run(
    remote: &Remote,
    uploaded: &Mutex<HashSet<Digest>>,
    job: &Prepared,
    patience: Duration,
) -> Result<Outputs, Failure> {
    let limit = patience.saturating_add(job.timeout);
    let result = match remote.execute(job.action, limit).await {
        // The farm has evicted an input since it was uploaded.
        Err(fault) if fault.is(Code::FailedPrecondition) => {
            let all: HashSet<Digest> = job.blobs.iter().map(|(digest, _)| *digest).collect();
            uploaded.lock().unwrap_or_else(PoisonError::into_inner).retain(|digest| !all.contains(digest));
            send(remote, uploaded, job.blobs.iter()).await?;
            remote.execute(job.action, limit).await
        }
        result => result,
    }?;
    if result.exit_code != 0 {
        let stderr = stderr_of(remote, &result).await.unwrap_or_default();
        return Err(Failure::of_job(io::Error::other(JobFailed::new(result.exit_code, &stderr))));
    }
    outputs_of(remote, &result, &job.output_directory).await.map_err(Failure::of_job)
}

/// The end of the standard error of a job.
async fn stderr_of(remote: &Remote, result: &ActionResult) -> Option<Bytes> {
    if !result.stderr_raw.is_empty() {
        return Some(result.stderr_raw.clone());
    }
    let digest = Digest::from_message(result.stderr_digest.as_ref())?;
    let len = digest.size().min(MOST_STDERR);
    remote.read(digest, digest.size() - len, len).await.ok()?
}

/// The files in the output directory of a job.
async fn outputs_of(remote: &Remote, result: &ActionResult, directory: &str) -> io::Result<Outputs> {
    let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {why}", EXECUTE.name));
    let mut found: Vec<(String, Digest)> = Vec::new();
    for of in &result.output_directories {
        let below = match of.path.strip_prefix(directory) {
            Some("") => String::new(),
            Some(below) if below.starts_with('/') => format!("{}/", &below[1..]),
            _ => continue,
        };
        let digest = Digest::from_message(of.tree_digest.as_ref()).filter(|digest| digest.size() <= MOST_TREE);
        let digest = digest
            .ok_or_else(|| wrong(format!("the directory {} has no tree of at most {MOST_TREE} bytes", of.path)))?;
        let tree = remote
            .download(digest)
            .await?
            .ok_or_else(|| wrong(format!("the server has lost the tree of {}", of.path)))?;
        found.extend(files(tree).map_err(wrong)?.into_iter().map(|(path, digest)| (below.clone() + &path, digest)));
    }
    // Some servers list files of an output directory on their own.
    for file in &result.output_files {
        let Some(path) = file.path.strip_prefix(directory).and_then(|path| path.strip_prefix('/')) else { continue };
        check_path(path).map_err(wrong)?;
        let digest = Digest::from_message(file.digest.as_ref());
        found.push((path.to_owned(), digest.ok_or_else(|| wrong(format!("{path} has no digest")))?));
    }
    let total = found.iter().fold(0, |sum: u64, (_, digest)| sum.saturating_add(digest.size()));
    if total > MOST_OUTPUTS {
        return Err(wrong(format!("the outputs have {total} bytes, expected at most {MOST_OUTPUTS}")));
    }
    download_all(remote, found).await
}

async fn download_all(remote: &Remote, found: Vec<(String, Digest)>) -> io::Result<Outputs> {
    let lost = |path: &str| io::Error::new(io::ErrorKind::NotFound, format!("the server has lost the output {path}"));
    let most = remote.capabilities().await?.most_batch;
    let (small, large): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, digest)| digest.size() <= most / 4);
    let mut outputs = Vec::new();
    for batch in batches(small, most, |(_, digest)| digest) {
        let mut digests: Vec<Digest> = batch.iter().map(|(_, digest)| *digest).collect();
        digests.sort_unstable();
        digests.dedup();
        let blobs: HashMap<Digest, _> = remote.read_batch(&digests).await?.into_iter().collect();
        for (path, digest) in batch {
            let bytes = blobs.get(&digest).cloned().transpose()?.flatten();
            outputs.push((path.clone(), bytes.ok_or_else(|| lost(&path))?.into()));
        }
    }
    for (path, digest) in large {
        let bytes = remote.download(digest).await?;
        outputs.push((path.clone(), bytes.ok_or_else(|| lost(&path))?.into()));
    }
    outputs.sort_unstable();
    Ok(outputs)
}
