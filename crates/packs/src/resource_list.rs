//! Lists the resources of a pack: from our front index, or by walking the chunks of other programs' packs.
//!
//! Whatever cannot be read is reported and skipped, so that a damaged pack still lists the rest.

use std::borrow::Cow;
use std::collections::HashSet;

use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::TextView;
use rres_format::index::{IndexView, MetaView};
use rres_format::limits::MAX_NAME_LEN;
use rres_format::{
    AssetKind, ChunkInfo, ChunkView, Cipher, Compression, Decompressor, Error, FourCc, PackView, ResourceId,
    normalize_path,
};
use rres_protocol::sub_asset;

use crate::finding::{Code, Finding, Findings};
use crate::keyring::Keyring;
use crate::opened_pack::{Damage, OpenedPack};
use crate::text::{escape_terminal, shorten};
use crate::truncation::Truncation;

/// The resources of a pack.
#[derive(Debug)]
pub struct ResourceList<'a> {
    /// Sorted by path; resources without a path come last, sorted by id.
    pub resources: Vec<Resource<'a>>,
    /// What is wrong with the pack, as far as listing it has shown. `verify` finds more.
    pub findings: Vec<Finding>,
    /// Whether the end of the pack is missing. Resources without chunks are lost then.
    pub is_cut_off: bool,
}

/// A resource and its chunks.
#[derive(Debug)]
pub struct Resource<'a> {
    /// Its id.
    pub id: ResourceId,
    /// `None` if the pack contains only the id. Borrowed from the pack if possible: hostile packs share one long name among
    /// all their resources.
    pub path: Option<Cow<'a, str>>,
    /// `None` if only newer versions or other programs know the kind.
    pub kind: Option<AssetKind>,
    /// Its place among the resources of its pack, counted from 1, in the order of their chunks.
    pub number: usize,
    /// Empty in a dev index, whose entries refer to blobs, and after the end of a pack that is cut off.
    pub chunks: Vec<ChunkView<'a>>,
    /// The resource whose chunks these are, if it shares them: its path, or its id.
    pub same_as: Option<String>,
    /// Its position in the front index, if the pack has one.
    pub slot: Option<u32>,
    /// Its metadata there.
    pub meta: Option<MetaView<'a>>,
    /// Bytes in the pack, chunk headers included; 0 if it shares the chunks of another resource.
    pub stored_size: u64,
    /// Bytes of its blocks before compression.
    pub decoded_size: u64,
    /// The key of its encrypted chunks.
    pub keyring: Keyring<'a>,
}

impl Resource<'_> {
    /// Returns the name of its kind, or else of the kind of its first chunk.
    pub fn kind_name(&self) -> String {
        match (self.kind, self.chunks.first()) {
            (Some(kind), _) => kind.name().to_owned(),
            (None, Some(chunk)) => chunk.info.kind.to_string(),
            (None, None) => "unknown".to_owned(),
        }
    }

    /// Whether the pack contains the bytes of a file as they are.
    pub fn is_raw(&self) -> bool {
        self.starts_with(FourCc::RAWD) || self.chunks.is_empty() && self.kind == Some(AssetKind::Raw)
    }

    /// Whether the pack contains the path of a file instead of its bytes.
    pub fn is_link(&self) -> bool {
        self.starts_with(FourCc::LINK) || self.chunks.is_empty() && self.kind == Some(AssetKind::Link)
    }

    fn starts_with(&self, kind: FourCc) -> bool {
        self.chunks.first().is_some_and(|chunk| chunk.info.kind == kind)
    }

    /// Whether it comes from inside an asset: `fox.glb#image/0`. A build counts it as a part of that asset.
    pub fn is_sub_asset(&self) -> bool {
        self.path.as_deref().and_then(sub_asset::split).is_some()
    }

    /// Returns the path for messages, or else the id.
    pub fn name(&self) -> String {
        self.shown_path().map_or_else(|| self.id.to_string(), |path| escape_terminal(&path))
    }

    /// Returns the path for output, shortened if it is longer than any valid one.
    pub fn shown_path(&self) -> Option<Cow<'_, str>> {
        self.path.as_deref().map(shorten)
    }

    /// Returns the compressions of its chunks, each once.
    pub fn compressions(&self) -> Vec<Compression> {
        distinct(self.chunks.iter().map(|chunk| chunk.info.compression))
    }

    /// Returns the ciphers of its encrypted chunks, each once.
    pub fn ciphers(&self) -> Vec<Cipher> {
        distinct(self.chunks.iter().map(|chunk| chunk.info.cipher).filter(|cipher| *cipher != Cipher::NONE))
    }

    /// Returns the first cipher of its chunks that cannot be decrypted, because the key is missing or no program implements it.
    pub fn sealed_with(&self) -> Option<Cipher> {
        self.ciphers().into_iter().find(|cipher| !self.keyring.can_read(*cipher))
    }

    /// Returns the compressions in words.
    pub fn compression_names(&self) -> String {
        names(&self.compressions())
    }

    /// Returns the ciphers in words: `none`, `AES`.
    pub fn cipher_names(&self) -> String {
        match &self.ciphers()[..] {
            [] => Cipher::NONE.to_string(),
            ciphers => names(ciphers),
        }
    }

    /// Returns the compressions and ciphers in words: `zstd, encrypted with AES`.
    pub fn encoding(&self) -> String {
        if let Some(owner) = &self.same_as {
            return format!("same as {}", escape_terminal(&shorten(owner)));
        }
        let ciphers = self.ciphers().into_iter().map(|cipher| format!("encrypted with {cipher}"));
        [self.compression_names()]
            .into_iter()
            .filter(|names| !names.is_empty())
            .chain(ciphers)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns a key that sorts resources by path; those without a path come last, sorted by id.
    pub fn path_order(&self) -> (bool, Option<&[u8]>, ResourceId) {
        // Valid paths are not longer, and comparing the paths of a hostile pack would take minutes.
        let path = self.path.as_deref().map(|path| &path.as_bytes()[..path.len().min(MAX_NAME_LEN)]);
        (self.path.is_none(), path, self.id)
    }
}

impl<'a> Resource<'a> {
    /// Returns the bytes of the source file, or `None` if the pack contains the asset in a processed form.
    ///
    /// # Errors
    /// If the bytes are damaged or encrypted.
    pub fn source_bytes(&self) -> rres_format::Result<Option<Cow<'a, [u8]>>> {
        let is_source = |kind| matches!(kind, FourCc::RAWD | FourCc::TEXT);
        let Some(chunk) = self.chunks.iter().find(|chunk| is_source(chunk.info.kind)) else {
            return Ok(None);
        };
        chunk.verify()?;
        let block = self.keyring.decode(chunk, &mut Decompressor::default())?;
        let payload = block.view()?;
        let len = match chunk.info.kind {
            FourCc::RAWD => RawView::parse(payload)?.bytes().len(),
            _ => TextView::parse(payload)?.bytes().len(),
        };
        // Both views start at the data of the payload, and exclude padding at its end.
        let range = payload.data_offset()..payload.data_offset() + len;
        Ok(Some(match block.into_bytes() {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[range]),
            Cow::Owned(bytes) => Cow::Owned(bytes[range].to_vec()),
        }))
    }
}

/// Returns the names of values.
fn names<T: ToString>(values: &[T]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns each value once, in the order of first occurrence.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}

impl<'a> ResourceList<'a> {
    /// Lists the resources of a pack. What cannot be read is a finding, and is left out.
    pub fn new(pack: &'a OpenedPack) -> Self {
        let view = pack.view();
        let mut findings = Findings::new(view);
        let cut = Truncation::of(view);
        if let Some(cut) = &cut {
            findings.push(cut.finding());
        }
        let mut resources = match view.index() {
            Some(index) => from_index(view, index, cut.as_ref(), &mut findings),
            None => from_chunks(view, cut.is_some(), &mut findings),
        };
        resources.sort_by(|a, b| a.path_order().cmp(&b.path_order()));
        // Resources without chunks come last.
        let mut in_pack: Vec<usize> = (0..resources.len()).collect();
        in_pack.sort_by_key(|at| resources[*at].chunks.first().map_or(u64::MAX, |chunk| u64::from(chunk.offset)));
        (1..).zip(in_pack).for_each(|(number, at)| resources[at].number = number);
        resources.iter_mut().for_each(|resource| resource.keyring = pack.keyring());
        match pack.damage() {
            Some(Damage::Index(message)) => findings.add(Code::IndexDamaged, message),
            Some(Damage::Other(message)) if cut.is_none() && !findings.contains_message(message) => {
                findings.add(Code::PackUnloadable, message);
            }
            _ => {}
        }
        for fault in pack.foreign().iter().flat_map(|foreign| &foreign.faults) {
            findings.add(Code::ForeignDamaged, fault);
        }
        Self { resources, findings: findings.into_list(), is_cut_off: cut.is_some() }
    }

    /// Returns the resource with a path, in any spelling of its separators, or with an id such as `0x1f0188ce`.
    pub fn find(&self, name: &str) -> Option<&Resource<'a>> {
        let by_path = |path: &str| self.resources.iter().find(|resource| resource.path.as_deref() == Some(path));
        let normal = || normalize_path(name).ok().and_then(|path| by_path(&path));
        by_path(name).or_else(normal).or_else(|| {
            let id = u32::from_str_radix(name.strip_prefix("0x")?, 16).ok()?;
            self.resources.iter().find(|resource| resource.id.0 == id)
        })
    }
}

fn from_index<'a>(
    view: PackView<'a>,
    index: IndexView<'a>,
    cut: Option<&Truncation>,
    findings: &mut Findings<'a>,
) -> Vec<Resource<'a>> {
    let mut resources = Vec::new();
    for (slot, entry) in (0..).zip(index.entries()) {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                findings.add(Code::IndexEntryInvalid, format!("entry {slot} of the front index: {error}"));
                continue;
            }
        };
        let mut resource = Resource {
            id: entry.id,
            path: Some(entry.path).filter(|path| !path.is_empty()).map(Cow::Borrowed),
            kind: entry.kind,
            number: 0,
            chunks: Vec::new(),
            same_as: None,
            slot: Some(slot),
            meta: index.meta(slot).ok(),
            stored_size: entry.stored_size.into(),
            decoded_size: entry.base_size.into(),
            keyring: Keyring::default(),
        };
        let is_lost = cut.is_some_and(|cut| cut.cuts(u64::from(entry.offset) + u64::from(entry.stored_size)));
        if !index.is_dev() && !is_lost {
            let first = view.first_chunk_of(&entry);
            match first.and_then(|first| view.resource_chunks(first, entry.chunk_count).collect()) {
                Ok(chunks) => {
                    resource.chunks = chunks;
                    (resource.stored_size, resource.decoded_size) = sizes(&resource.chunks);
                    if entry.is_shared {
                        resource.same_as = resource.chunks.first().map(|chunk| path_of(index, chunk.info.id));
                        resource.stored_size = 0;
                    }
                }
                Err(error) => findings.add_resource(Code::IndexChunksMissing, resource.id, error.to_string()),
            }
        }
        resources.push(resource);
    }
    resources
}

/// Returns the path of a resource, or its id if it has none.
fn path_of(index: IndexView<'_>, id: ResourceId) -> String {
    let path = index.find(id).and_then(|slot| index.entry(slot).ok()).map(|entry| entry.path);
    path.filter(|path| !path.is_empty()).map_or_else(|| id.to_string(), str::to_owned)
}

/// Lists the resources of a pack without a front index. Each chunk that no other one links to starts a resource.
fn from_chunks<'a>(view: PackView<'a>, is_cut_off: bool, findings: &mut Findings<'a>) -> Vec<Resource<'a>> {
    if !is_cut_off {
        check_directory(view, findings);
    }
    let mut resources = Vec::new();
    let mut linked = HashSet::new();
    for chunk in view.chunks() {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(_) if is_cut_off => break,
            Err(error) => {
                findings.add(Code::ChunkTruncated, error.to_string());
                break;
            }
        };
        if !chunk.is_resource() || linked.contains(&chunk.offset) {
            continue;
        }
        let chunks = chain(view, chunk, findings);
        linked.extend(chunks.iter().map(|member| member.offset));
        let (stored_size, decoded_size) = sizes(&chunks);
        resources.push(Resource {
            id: chunk.info.id,
            path: findings.path(chunk.info.id).cloned(),
            kind: AssetKind::of_chunk(chunk.info.kind),
            number: 0,
            chunks,
            same_as: None,
            slot: None,
            meta: None,
            stored_size,
            decoded_size,
            keyring: Keyring::default(),
        });
    }
    resources
}

/// Reports a central directory that cannot be read.
fn check_directory(view: PackView<'_>, findings: &mut Findings<'_>) {
    let entries = view.directory().map(|directory| directory.map(|directory| directory.entries()));
    let error = match entries {
        Ok(entries) => entries.into_iter().flatten().find_map(Result::err),
        Err(error) => Some(error),
    };
    if let Some(error) = error {
        findings.add(Code::DirectoryDamaged, error.to_string());
    }
}

/// Returns a chunk and the chunks that it links to, as far as the links are correct.
fn chain<'a>(view: PackView<'a>, first: ChunkView<'a>, findings: &mut Findings<'a>) -> Vec<ChunkView<'a>> {
    let mut chunks: Vec<ChunkView<'a>> = Vec::new();
    for chunk in view.chain(first) {
        match chunk {
            Ok(chunk) => chunks.push(chunk),
            Err(error) => {
                let is_loop = matches!(error, Error::BadChain { next, .. } if chunks.iter().any(|c| c.offset == next));
                let code = if is_loop { Code::ChainLoop } else { Code::ChainBroken };
                findings.add_resource(code, first.info.id, error.to_string());
            }
        }
    }
    chunks
}

/// Returns the stored and the decoded size of chunks, in bytes.
fn sizes(chunks: &[ChunkView<'_>]) -> (u64, u64) {
    let stored = chunks.iter().map(|chunk| (ChunkInfo::SIZE + chunk.stored.len()) as u64).sum();
    (stored, chunks.iter().map(|chunk| u64::from(chunk.info.base_size)).sum())
}
