//! A client for programs that are not asynchronous.

use std::collections::HashMap;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use prost::Message as _;
use prost::bytes::Bytes;
use tokio::runtime::{Builder, Runtime};

use crate::blobs::{AT_ONCE, Origin, batches};
use crate::calls::{GET_CAPABILITIES, Remote, UPDATE_ACTION_RESULT};
use crate::config::Config;
use crate::digest::Digest;
use crate::fault::Fault;
use crate::messages::{Action, ActionResult, Command, OutputFile};

/// The path of the only output of the actions that are names.
const CONTENTS: &str = "contents";

/// A part of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The blob.
    pub digest: Digest,
    /// Which of its bytes.
    pub range: Range<u64>,
}

/// A client of one instance of a server.
///
/// Each call has a limit of time, and is made again twice if the server is busy. A whole blob that arrives is compared with its digest.
#[derive(Debug)]
pub struct Client {
    pub(crate) remote: Arc<Remote>,
    pub(crate) runtime: InBackground,
}

/// A runtime that does not wait at its end for what still runs, such as the look-up of a name that nobody answers.
#[derive(Debug)]
pub(crate) struct InBackground(Option<Runtime>);

impl Deref for InBackground {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        self.0.as_ref().expect("it is taken when it is dropped")
    }
}

impl Drop for InBackground {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Client {
    /// Opens an instance of a server. Sends nothing.
    ///
    /// # Errors
    /// If the address, the token or the file of certificates is wrong; the text says which.
    pub fn open(config: &Config) -> Result<Self, String> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| format!("no threads for {}: {error}", GET_CAPABILITIES.name))?;
        let entered = runtime.enter();
        let remote = Arc::new(Remote::open(config)?);
        drop(entered);
        Ok(Self { remote, runtime: InBackground(Some(runtime)) })
    }

    /// Uploads a blob if the server lacks it.
    ///
    /// # Errors
    /// If the server does not answer in time, or refuses.
    pub fn put(&self, bytes: Vec<u8>) -> io::Result<Digest> {
        let digest = Digest::of(&bytes);
        self.runtime.block_on(self.remote.upload(vec![(digest, Origin::Bytes(bytes.into()))]))?;
        Ok(digest)
    }

    /// Reads a blob of at most `most` bytes; `None` if the server lacks it.
    ///
    /// # Errors
    /// If the blob is larger, or the server does not answer in time, refuses, or sends other bytes.
    pub fn get(&self, digest: &Digest, most: u64) -> io::Result<Option<Vec<u8>>> {
        if digest.size() > most {
            let why = format!("the blob {digest} has {} bytes, expected at most {most}", digest.size());
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(self.runtime.block_on(self.remote.download(*digest))?.map(Vec::from))
    }

    /// Returns the blob that has a name; `None` if there is none. A name is an action whose only output is the blob.
    ///
    /// # Errors
    /// If the server does not answer in time, or refuses.
    pub fn named(&self, name: &str) -> io::Result<Option<Digest>> {
        Ok(self.named_all(&[name])?.pop().flatten())
    }

    /// Returns the blobs that have names, in the same order. Several are asked for at once.
    ///
    /// # Errors
    /// If the server does not answer in time, or refuses.
    pub fn named_all(&self, names: &[&str]) -> io::Result<Vec<Option<Digest>>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        self.runtime.block_on(async {
            // A server that is none is better noticed here.
            self.remote.capabilities().await?;
            let results = names.iter().map(|name| {
                let [(action, _), ..] = self.action_of(name);
                self.remote.action_result(action)
            });
            let results: Vec<_> = stream::iter(results).buffered(AT_ONCE).try_collect().await?;
            let blob = |result: Option<ActionResult>| {
                let result = result?;
                let output = result.output_files.iter().find(|file| file.path == CONTENTS)?;
                Digest::from_message(output.digest.as_ref())
            };
            Ok(results.into_iter().map(blob).collect())
        })
    }

    /// Gives a name to a blob, in place of the one that has it.
    ///
    /// # Errors
    /// If the server does not answer in time, or refuses.
    pub fn set_named(&self, name: &str, digest: &Digest) -> io::Result<()> {
        let blobs = self.action_of(name);
        let action = blobs[0].0;
        let output = OutputFile { path: CONTENTS.to_owned(), digest: Some(digest.message()), is_executable: false };
        let result = ActionResult { output_files: vec![output], ..ActionResult::default() };
        self.runtime.block_on(async {
            if !self.remote.capabilities().await?.updates_actions {
                let why = "the server does not let this machine write to its action cache: expected another instance, or a token that may";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{}: {why}", UPDATE_ACTION_RESULT.name)));
            }
            // The protocol demands that the action itself is there.
            self.remote.upload(blobs.into()).await?;
            Ok(self.remote.update_action_result(action, result).await?)
        })
    }

    /// Reads parts of blobs, several at once, and passes each to `take` with its number when it has arrived. A blob that the server lacks is an error
    /// `NotFound`, and one with other bytes, or too few of them, an error `InvalidData`.
    ///
    /// # Errors
    /// If the server does not answer in time, or refuses. What has been passed to `take` before is right.
    pub fn read_parts(&self, parts: &[Part], take: &mut dyn FnMut(usize, io::Result<&[u8]>)) -> io::Result<()> {
        self.runtime.block_on(self.read_parts_async(parts, take))
    }

    async fn read_parts_async(&self, parts: &[Part], take: &mut dyn FnMut(usize, io::Result<&[u8]>)) -> io::Result<()> {
        let most = self.remote.capabilities().await?.most_batch;
        // Small blobs that are wanted as a whole are read many at a time.
        let mut whole: HashMap<Digest, Vec<usize>> = HashMap::new();
        let mut tasks = Vec::new();
        for (number, Part { digest, range }) in parts.iter().enumerate() {
            if *range == (0..digest.size()) && digest.size() <= most / 4 {
                whole.entry(*digest).or_default().push(number);
            } else {
                tasks.push(Task::Part(number, *digest, range.clone()));
            }
        }
        let mut digests: Vec<Digest> = whole.keys().copied().collect();
        digests.sort_unstable();
        tasks.extend(batches(digests, most, |digest| digest).into_iter().map(Task::Batch));
        let requests = tasks.into_iter().map(|task| {
            let remote = Arc::clone(&self.remote);
            // On a thread of the runtime, so that calls go on while what has arrived is stored.
            async move { tokio::spawn(async move { task.run(&remote).await }).await }
        });
        let mut requests = stream::iter(requests).buffer_unordered(AT_ONCE);
        while let Some(result) = requests.next().await {
            for (place, blob) in result.map_err(io::Error::other)?? {
                let numbers = match place {
                    Place::Number(number) => vec![number],
                    Place::Blob(digest) => whole.remove(&digest).unwrap_or_default(),
                };
                for number in numbers {
                    match &blob {
                        Ok(Some(bytes)) => take(number, Ok(bytes)),
                        Ok(None) => take(number, Err(io::ErrorKind::NotFound.into())),
                        Err(fault) => match io::Error::from(fault.clone()) {
                            wrong if wrong.kind() == io::ErrorKind::InvalidData => take(number, Err(wrong)),
                            error => return Err(error),
                        },
                    }
                }
            }
        }
        // Of these, the server has said nothing.
        for number in whole.into_values().flatten() {
            take(number, Err(io::ErrorKind::NotFound.into()));
        }
        Ok(())
    }

    /// The blobs of the action that stands for a name: the action first.
    fn action_of(&self, name: &str) -> [(Digest, Origin); 3] {
        let arguments = vec!["rres-remote-cache".to_owned(), self.remote.prefix.clone(), name.to_owned()];
        let outputs = vec![CONTENTS.to_owned()];
        let command = Command { arguments, output_paths: outputs, ..Command::default() }.encode_to_vec();
        let of = |bytes: Vec<u8>| (Digest::of(&bytes), Origin::Bytes(Bytes::from(bytes)));
        let (command, root) = (of(command), of(Vec::new()));
        let (command_digest, input_root_digest) = (Some(command.0.message()), Some(root.0.message()));
        let action = Action { command_digest, input_root_digest, ..Action::default() };
        [of(action.encode_to_vec()), command, root]
    }
}

enum Task {
    Part(usize, Digest, Range<u64>),
    Batch(Vec<Digest>),
}

enum Place {
    Number(usize),
    Blob(Digest),
}

type Blobs = Vec<(Place, Result<Option<Bytes>, Fault>)>;

impl Task {
    async fn run(self, remote: &Remote) -> Result<Blobs, Fault> {
        match self {
            Self::Part(number, digest, Range { start, end }) => {
                let read = remote.read(digest, start, end.saturating_sub(start)).await;
                Ok(vec![(Place::Number(number), read)])
            }
            Self::Batch(digests) => {
                let read = remote.read_batch(&digests).await?;
                Ok(read.into_iter().map(|(digest, blob)| (Place::Blob(digest), blob)).collect())
            }
        }
    }
}
