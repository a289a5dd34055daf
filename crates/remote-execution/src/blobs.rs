//! Blobs of the content-addressable storage.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use prost::bytes::Bytes;

use crate::calls::{BATCH_READ_BLOBS, BATCH_UPDATE_BLOBS, FIND_MISSING_BLOBS, READ, Remote, WRITE, next_in};
use crate::digest::Digest;
use crate::fault::Fault;
use crate::messages::{
    BatchReadBlobsRequest, BatchReadBlobsResponse, BatchUpdateBlobsRequest, BatchUpdateBlobsResponse, BlobUpdate,
    FindMissingBlobsRequest, FindMissingBlobsResponse, ReadRequest, ReadResponse, WriteRequest, WriteResponse,
};

/// How many calls run at once.
pub(crate) const AT_ONCE: usize = 8;

/// How long the end of a stream is waited for when all of its bytes have arrived.
const END: Duration = Duration::from_secs(1);

/// The bytes of one message of an upload.
const PIECE: usize = 1 << 20;

/// How many digests one call asks for.
const MOST_DIGESTS: usize = 5000;

/// What a blob takes in a message besides its bytes.
const OVERHEAD: u64 = 128;

/// A buffer is not made larger than this before bytes have arrived.
const FIRST_BUFFER: u64 = 1 << 20;

/// Where the bytes of a blob are.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Bytes(Bytes),
    File(PathBuf),
}

impl Remote {
    /// Which blobs the server lacks.
    pub(crate) async fn find_missing(&self, digests: &[Digest]) -> Result<HashSet<Digest>, Fault> {
        let mut missing = HashSet::new();
        for digests in digests.chunks(MOST_DIGESTS) {
            let blob_digests = digests.iter().map(Digest::message).collect();
            let asked = FindMissingBlobsRequest { instance_name: self.instance.clone(), blob_digests };
            let found: FindMissingBlobsResponse = self.unary(&FIND_MISSING_BLOBS, 0, asked).await?;
            missing.extend(found.missing_blob_digests.iter().filter_map(|digest| Digest::from_message(Some(digest))));
        }
        Ok(missing)
    }

    /// Uploads those blobs that the server lacks.
    pub(crate) async fn upload(&self, mut blobs: Vec<(Digest, Origin)>) -> Result<(), Fault> {
        blobs.sort_unstable_by_key(|(digest, _)| *digest);
        blobs.dedup_by_key(|(digest, _)| *digest);
        let digests: Vec<Digest> = blobs.iter().map(|(digest, _)| *digest).collect();
        let missing = self.find_missing(&digests).await?;
        blobs.retain(|(digest, _)| missing.contains(digest));
        if blobs.is_empty() {
            return Ok(());
        }
        let most = self.capabilities().await?.most_batch;
        let (small, large): (Vec<_>, Vec<_>) =
            blobs.into_iter().partition(|(digest, _)| digest.size() + OVERHEAD <= most);
        let batches = batches(small, most, |(digest, _)| digest);
        stream::iter(batches)
            .map(|batch| Ok(self.update(batch)))
            .try_buffer_unordered(AT_ONCE)
            .try_collect::<()>()
            .await?;
        let large = stream::iter(large).map(|(digest, origin)| Ok(self.write(digest, origin)));
        large.try_buffer_unordered(AT_ONCE).try_collect().await
    }

    async fn update(&self, blobs: Vec<(Digest, Origin)>) -> Result<(), Fault> {
        let mut requests = Vec::new();
        for (digest, origin) in blobs {
            let data = match origin {
                Origin::Bytes(bytes) => bytes,
                Origin::File(file) => {
                    let bytes = std::fs::read(&file).map_err(|error| Fault::of_file(&file, &error))?;
                    if Digest::of(&bytes) != digest {
                        return Err(changed(&file));
                    }
                    bytes.into()
                }
            };
            requests.push(BlobUpdate { digest: Some(digest.message()), data });
        }
        let len = requests.iter().map(|request| request.data.len() as u64).sum();
        let asked = BatchUpdateBlobsRequest { instance_name: self.instance.clone(), requests };
        self.repeated(&BATCH_UPDATE_BLOBS, len, || async {
            let answer: BatchUpdateBlobsResponse = self.unary_once(&BATCH_UPDATE_BLOBS, asked.clone()).await?;
            let mut faults =
                answer.responses.iter().filter_map(|of| Fault::of_message(BATCH_UPDATE_BLOBS.name, of.status.as_ref()));
            faults.next().map_or(Ok(()), Err)
        })
        .await
    }

    async fn write(&self, digest: Digest, origin: Origin) -> Result<(), Fault> {
        let len = digest.size();
        self.repeated(&WRITE, len, || async {
            let resource = self.resource(&format!("uploads/{}/blobs/{digest}", uuid()));
            let fault = Arc::default();
            let pieces = Pieces::open(&origin, resource, len, Arc::clone(&fault))?;
            let answer = self.client_streaming::<_, WriteResponse>(&WRITE, stream::iter(pieces)).await;
            // What the server says of an upload that this machine has broken off is not the cause.
            if let Some(fault) = fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Err(fault);
            }
            let committed = answer?.committed_size;
            if u64::try_from(committed) == Ok(len) {
                return Ok(());
            }
            Err(Fault::cut_off(WRITE.name, format!("the server has taken {committed} bytes, expected {len}")))
        })
        .await
    }

    /// Reads `len` bytes of a blob from `offset` on; `None` if it does not exist. A whole blob is compared with its digest, a part cannot be.
    pub(crate) async fn read(&self, digest: Digest, offset: u64, len: u64) -> Result<Option<Bytes>, Fault> {
        if len == 0 {
            return Ok(Some(Bytes::new()));
        }
        let number = |value: u64| i64::try_from(value).map_err(|_| Fault::wrong(READ.name, "the blob is too large"));
        let asked = ReadRequest {
            resource_name: self.resource(&format!("blobs/{digest}")),
            read_offset: number(offset)?,
            read_limit: number(len)?,
        };
        let read = self.repeated(&READ, len, || async {
            let mut stream = self.server_streaming::<_, ReadResponse>(&READ, asked.clone()).await?;
            let mut bytes = Vec::with_capacity(usize::try_from(len.min(FIRST_BUFFER)).unwrap_or(0));
            let missing = |bytes: &Vec<u8>| usize::try_from(len - bytes.len() as u64).unwrap_or(usize::MAX);
            while missing(&bytes) > 0
                && let Some(ReadResponse { data }) = next_in(&READ, &mut stream, self.timeout).await?
            {
                // BuildGrid 0.4 sends a part to the end of a block of 1 MiB.
                bytes.extend_from_slice(&data[..data.len().min(missing(&bytes))]);
            }
            // A stream that is dropped before its end is an error for the server. What it says there does not matter: all bytes have arrived.
            let _ = next_in::<ReadResponse>(&READ, &mut stream, END).await;
            if bytes.len() as u64 != len {
                let why = format!("the server has sent {} bytes of blob {digest}, expected {len}", bytes.len());
                return Err(Fault::cut_off(READ.name, why));
            }
            Ok(bytes)
        });
        let bytes = match read.await {
            Err(fault) if fault.is(tonic::Code::NotFound) => return Ok(None),
            result => result?,
        };
        if len == digest.size() && Digest::of(&bytes) != digest {
            return Err(other_bytes(READ.name, digest));
        }
        Ok(Some(bytes.into()))
    }

    /// Reads blobs that fit into one call. Those that do not exist are `None`, and those with other bytes are errors of their own.
    pub(crate) async fn read_batch(
        &self,
        digests: &[Digest],
    ) -> Result<Vec<(Digest, Result<Option<Bytes>, Fault>)>, Fault> {
        let messages = digests.iter().map(Digest::message).collect();
        let asked = BatchReadBlobsRequest { instance_name: self.instance.clone(), digests: messages };
        let len = digests.iter().map(Digest::size).sum();
        let answer: BatchReadBlobsResponse = self.unary(&BATCH_READ_BLOBS, len, asked).await?;
        let mut found = Vec::new();
        for of in answer.responses {
            let Some(digest) = Digest::from_message(of.digest.as_ref()).filter(|digest| digests.contains(digest))
            else {
                continue;
            };
            let blob = match Fault::of_message(BATCH_READ_BLOBS.name, of.status.as_ref()) {
                Some(fault) if fault.is(tonic::Code::NotFound) => Ok(None),
                Some(fault) => Err(fault),
                None if Digest::of(&of.data) == digest => Ok(Some(of.data)),
                None => Err(other_bytes(BATCH_READ_BLOBS.name, digest)),
            };
            found.push((digest, blob));
        }
        Ok(found)
    }

    /// Reads a whole blob, in any way.
    pub(crate) async fn download(&self, digest: Digest) -> Result<Option<Bytes>, Fault> {
        self.read(digest, 0, digest.size()).await
    }

    fn resource(&self, name: &str) -> String {
        if self.instance.is_empty() { name.to_owned() } else { format!("{}/{name}", self.instance) }
    }
}

/// Parts a list so that the blobs of each part fit into one call.
pub(crate) fn batches<T>(blobs: Vec<T>, most: u64, digest: impl Fn(&T) -> &Digest) -> Vec<Vec<T>> {
    let mut batches: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for blob in blobs {
        let size = digest(&blob).size() + OVERHEAD;
        match batches.last_mut() {
            Some(batch) if size <= room => {
                batch.push(blob);
                room -= size;
            }
            _ => {
                batches.push(vec![blob]);
                room = most.saturating_sub(size);
            }
        }
    }
    batches
}

fn other_bytes(call: &str, digest: Digest) -> Fault {
    Fault::wrong(call, format!("the server has sent other bytes than those of blob {digest}"))
}

fn changed(file: &std::path::Path) -> Fault {
    Fault::of_file(file, &std::io::Error::new(std::io::ErrorKind::InvalidData, "changed while it was uploaded"))
}

/// The messages of an upload.
struct Pieces {
    reader: Reader,
    /// Only the first message names the resource.
    resource: String,
    offset: u64,
    len: u64,
    /// Why the upload has been broken off.
    fault: Arc<Mutex<Option<Fault>>>,
}

enum Reader {
    Bytes(Bytes),
    File(File, PathBuf),
}

impl Pieces {
    fn open(origin: &Origin, resource: String, len: u64, fault: Arc<Mutex<Option<Fault>>>) -> Result<Self, Fault> {
        let reader = match origin {
            Origin::Bytes(bytes) => Reader::Bytes(bytes.clone()),
            Origin::File(path) => {
                let file = File::open(path).map_err(|error| Fault::of_file(path, &error))?;
                Reader::File(file, path.clone())
            }
        };
        Ok(Self { reader, resource, offset: 0, len, fault })
    }

    fn read(&mut self, count: usize) -> Result<Bytes, Fault> {
        match &mut self.reader {
            Reader::Bytes(bytes) => Ok(bytes.split_to(count.min(bytes.len()))),
            Reader::File(file, path) => {
                let mut piece = vec![0; count];
                file.read_exact(&mut piece).map_err(|error| Fault::of_file(path, &error))?;
                Ok(piece.into())
            }
        }
    }
}

impl Iterator for Pieces {
    type Item = WriteRequest;

    fn next(&mut self) -> Option<WriteRequest> {
        let rest = self.len - self.offset;
        if rest == 0 {
            return None;
        }
        let data = match self.read(usize::try_from(rest).unwrap_or(PIECE).min(PIECE)) {
            Ok(data) if !data.is_empty() => data,
            Ok(_) => return None,
            Err(fault) => {
                *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
                return None;
            }
        };
        let write_offset = i64::try_from(self.offset).ok()?;
        self.offset += data.len() as u64;
        let resource_name = std::mem::take(&mut self.resource);
        Some(WriteRequest { resource_name, write_offset, finish_write: self.offset == self.len, data })
    }
}

/// A name for an upload that no other one has.
fn uuid() -> String {
    // Each state has random keys of its own.
    let random = || RandomState::new().hash_one(std::time::Instant::now());
    let (a, b) = (random(), random());
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 48 & 0xfff,
        b & 0xffff_ffff_ffff
    )
}
