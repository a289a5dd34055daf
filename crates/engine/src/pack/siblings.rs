//! Pictures and texts that a pack stores as what distinguishes them from a similar one of their folder.
//!
//! The frames of an animation are files of their own with much in common, and so are small texts. Each file is compressed after
//! a few earlier ones of its folder and sort, and the smallest result is used if it saves enough. Files of different groups are
//! never siblings, because a game may load one group without the other, and neither are encrypted ones. The results are blobs
//! of the import cache, so each file is compared with the same others only once.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

use rres_format::index::MetaKey;
use rres_format::sibling::{MAX_DEPTH, SiblingPlace};
use rres_format::{
    AssetKind, ChunkView, Cipher, Compression, Compressor, Decompressor, FourCc, PackView, ResourceId, StoredChunk,
};

use super::encryption::Encryption;
use crate::cache::{Cache, EncodedResource, RemoteLayer, RemoteStep, begin_key, write_blob};
use crate::context::BuildContext;
use crate::key::{Key, KeyBuilder};
use crate::model::{ChunkRun, Resolved, Resource, ResourceInfo};
use crate::settings::{Filters, Rules};

/// Raised whenever the same files become other bytes.
const VERSION: u32 = 2;

/// The number of files that each one is compared with. Twice as many save half a hundredth more, in a third more time.
const CANDIDATES: usize = 3;

/// The number of earlier files of a folder among which those are looked for, so that a folder of 65,000 files takes no longer for each.
const LOOK_BACK: usize = 64;

/// The largest block of a file with a sibling, in bytes. A large one takes long to decode a second time if a game loads only one of
/// the two, and is decoded on one thread.
const MAX_BLOCK: u32 = 4 << 20;

/// The smallest block that is worth it.
const MIN_BLOCK: u32 = 64;

/// The fewest bytes that a sibling saves. A player downloads as many in the time in which a second small file is decoded.
const LEAST_SAVED: usize = 128;

/// Finds the siblings of the files of a build.
#[derive(Debug)]
pub(crate) struct Siblings<'a> {
    cache: &'a Cache,
    remote: Option<&'a RemoteLayer>,
    rules: &'a Rules,
    resolved: &'a Resolved,
    threads: usize,
}

/// A resource in the form that needs its sibling: a place in the import cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct SiblingForm {
    pub(super) blob: Key,
    pub(super) chunks: ChunkRun,
    pub(super) stored_size: u32,
}

impl<'a> Siblings<'a> {
    pub(crate) fn new(context: &'a BuildContext, rules: &'a Rules, resolved: &'a Resolved) -> Self {
        Self { cache: &context.cache, remote: context.remote.as_ref(), rules, resolved, threads: context.threads }
    }

    fn are_wanted(&self) -> bool {
        let pack = self.rules.pack();
        pack.siblings && pack.compat.is_none()
    }

    /// Appends what the choice depends on, besides the resources of a pack.
    pub(super) fn fingerprint(&self, key: &mut KeyBuilder) {
        key.number(if self.are_wanted() { VERSION } else { 0 });
    }

    /// Returns the resources of a pack that have a sibling there.
    ///
    /// # Errors
    /// The keys of damaged blobs.
    pub(super) fn choose(
        &self,
        resources: &[&'a Resource],
        encryption: &Encryption,
    ) -> Result<HashMap<ResourceId, SiblingForm>, Vec<Key>> {
        if !self.are_wanted() {
            return Ok(HashMap::new());
        }
        let folders = self.folders(resources, encryption);
        self.fetch(&folders);
        let folders = Mutex::new(folders.into_iter());
        let (forms, compared) = (Mutex::new(HashMap::new()), Mutex::new(Vec::new()));
        let damaged = Mutex::new(Vec::new());
        let work = || {
            let mut codec = Codec::default();
            loop {
                // A guard in the condition of the loop would be held while the folder is compared.
                let folder = folders.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(folder) = folder else { return };
                let found = self.compare(&folder, &mut codec);
                forms.lock().unwrap_or_else(PoisonError::into_inner).extend(found);
                damaged.lock().unwrap_or_else(PoisonError::into_inner).append(&mut codec.damaged);
                compared.lock().unwrap_or_else(PoisonError::into_inner).append(&mut codec.compared);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                // If a thread cannot be started, the others do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut damaged = damaged.into_inner().unwrap_or_else(PoisonError::into_inner);
        damaged.sort_unstable();
        damaged.dedup();
        if let Some(remote) = self.remote {
            let mut compared = compared.into_inner().unwrap_or_else(PoisonError::into_inner);
            compared.sort_unstable();
            remote.store_blobs(&compared, self.cache);
        }
        if damaged.is_empty() { Ok(forms.into_inner().unwrap_or_else(PoisonError::into_inner)) } else { Err(damaged) }
    }

    /// Returns the files that may be siblings of each other, in the order of their paths: those of one folder with one extension
    /// and the same groups. What is the most work comes first.
    fn folders(&self, resources: &[&'a Resource], encryption: &Encryption) -> Vec<Vec<Candidate<'a>>> {
        let mut groups: HashMap<ResourceId, Vec<usize>> = HashMap::new();
        for (number, group) in self.resolved.groups.iter().enumerate() {
            group.members.iter().for_each(|id| groups.entry(*id).or_default().push(number));
        }
        // Equal files share their chunks, which saves more.
        let mut counts: HashMap<(u32, u32), usize> = HashMap::new();
        let content = |info: &ResourceInfo| (info.chunks.headers_crc, info.stored_size);
        resources.iter().for_each(|r| *counts.entry(content(self.resolved.info(r))).or_default() += 1);

        let mut folders: BTreeMap<(&str, &str, &[usize]), Vec<Candidate<'a>>> = BTreeMap::new();
        for resource in resources {
            let info = self.resolved.info(resource);
            let suits = match resource.kind {
                // Not if it is kept as its source.
                AssetKind::Image => info.meta.get(MetaKey::PIXEL_FORMAT).is_none(),
                AssetKind::Text => true,
                // Other bytes that do not become smaller are used where they are.
                AssetKind::Raw => info.compression != Compression::NONE,
                _ => false,
            };
            let suits = suits
                && info.chunks.count == 1
                && (MIN_BLOCK..=MAX_BLOCK).contains(&info.base_size)
                && encryption.cipher_of(resource.id) == Cipher::NONE;
            let asset = self.resolved.asset(resource);
            let Some(level) = suits.then(|| self.level(&asset.path)).flatten() else { continue };
            let (folder, name) = resource.path.rsplit_once('/').unwrap_or(("", &resource.path));
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            let groups = groups.get(&resource.id).map_or(&[][..], Vec::as_slice);
            let is_unique = counts[&content(info)] == 1;
            let candidate = Candidate { resource, info, blob: asset.record.blob_key, level, is_unique };
            folders.entry((folder, extension, groups)).or_default().push(candidate);
        }
        let mut folders: Vec<_> = folders.into_values().filter(|folder| folder.len() > 1).collect();
        folders.iter_mut().for_each(|folder| folder.sort_by(|a, b| a.resource.path.cmp(&b.resource.path)));
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        folders
    }

    /// Returns the zstd level of a file, unless the settings want another compression than zstd after filters.
    fn level(&self, path: &str) -> Option<i32> {
        let asset = self.rules.resolve(path).asset;
        let suits = asset.compression == Some(Compression::FILTERED) && asset.filters != Some(Filters::Fast);
        suits.then(|| asset.level.unwrap_or(Compressor::DEFAULT_ZSTD_LEVEL))
    }

    /// Fills the cache of the machine with the results of other machines. Which keys a folder has depends on the results before, so each round asks
    /// for the first one that is missing, and gets what was added with it.
    fn fetch(&self, folders: &[Vec<Candidate<'a>>]) {
        const ROUNDS: usize = 4;
        let Some(remote) = self.remote.filter(|remote| !remote.is_away(RemoteStep::Read, self.cache)) else { return };
        for _ in 0..ROUNDS {
            let missing: Vec<Key> = folders.iter().filter_map(|folder| self.first_missing(folder)).collect();
            if missing.is_empty() || remote.fetch_with_others(&missing, self.cache, self.threads) == 0 {
                return;
            }
        }
    }

    /// Returns the key of the first file of a folder that has not been compared.
    fn first_missing(&self, folder: &[Candidate<'a>]) -> Option<Key> {
        let mut depths = vec![0; folder.len()];
        for (i, file) in folder.iter().enumerate() {
            let candidates = candidates(folder, &depths, i);
            if candidates.is_empty() || !file.is_unique {
                continue;
            }
            let key = self.key(file, candidates.iter().map(|j| (&folder[*j], depths[*j])));
            let Some(info) = self.cache.look_up(&key).and_then(|infos| infos.into_iter().next()) else {
                return Some(key);
            };
            if let Some(sibling) = chosen(&info, &candidates) {
                depths[i] = depths[sibling] + 1;
            }
        }
        None
    }

    /// Compares the files of a folder.
    fn compare(&self, folder: &[Candidate<'a>], codec: &mut Codec) -> Vec<(ResourceId, SiblingForm)> {
        codec.recent.clear();
        let mut depths = vec![0; folder.len()];
        let mut forms = Vec::new();
        for (i, file) in folder.iter().enumerate() {
            let candidates = candidates(folder, &depths, i);
            if candidates.is_empty() || !file.is_unique {
                continue;
            }
            let key = self.key(file, candidates.iter().map(|j| (&folder[*j], depths[*j])));
            let found = self.cache.look_up(&key).and_then(|infos| infos.into_iter().next());
            let Some(info) = found.or_else(|| self.make(&key, folder, &depths, i, &candidates, codec)) else {
                continue;
            };
            codec.compared.push(key);
            let Some(sibling) = chosen(&info, &candidates) else { continue };
            depths[i] = depths[sibling] + 1;
            forms.push((
                file.resource.id,
                SiblingForm { blob: key, chunks: info.chunks, stored_size: info.stored_size },
            ));
        }
        forms
    }

    /// Returns the key of a file after one of these candidates, which have these depths.
    fn key<'c>(&self, file: &Candidate<'_>, candidates: impl Iterator<Item = (&'c Candidate<'c>, u8)>) -> Key {
        let mut key = begin_key("rres sibling");
        key.number(VERSION);
        key.number(file.level.cast_unsigned());
        key.field(&file.blob.0).number(file.info.chunks.offset);
        for (candidate, depth) in candidates {
            key.field(&candidate.blob.0).number(candidate.info.chunks.offset);
            key.number(candidate.resource.id.0);
            key.number(depth.into());
        }
        key.finish()
    }

    /// Compresses a file after each of its candidates, and stores the smallest form, or that none saves enough. Returns `None`
    /// if a blob is damaged, or the result cannot be stored: then the file is stored by itself.
    fn make(
        &self,
        key: &Key,
        folder: &[Candidate<'a>],
        depths: &[u8],
        i: usize,
        candidates: &[usize],
        codec: &mut Codec,
    ) -> Option<ResourceInfo> {
        let file = &folder[i];
        let block = codec.block(self.cache, folder, i);
        // All damage is found at once.
        let siblings: Vec<_> = candidates.iter().map(|j| codec.block(self.cache, folder, *j)).collect();
        let (block, siblings) = (block?, siblings.into_iter().collect::<Option<Vec<_>>>()?);
        let bytes = fs::read(self.cache.blob_file(&file.blob)).ok()?;
        let chunk = file.chunk(&bytes)?;
        let mut best: Option<(usize, StoredChunk<'static>)> = None;
        for (number, (j, sibling)) in candidates.iter().zip(&siblings).enumerate() {
            let place = SiblingPlace { resource: folder[*j].resource.id, chunk: 0, depth: depths[*j] };
            let stored = StoredChunk::with_sibling(chunk, &block, place, sibling, file.level).ok()?;
            if best.as_ref().is_none_or(|(_, best)| stored.info().packed_size < best.info().packed_size) {
                best = Some((number, stored));
            }
        }
        // What saves little is not worth the time that a second file takes to decode.
        let limit = chunk.stored.len().saturating_sub(LEAST_SAVED.max(chunk.stored.len() / 8));
        let (name, stored) = match best {
            Some((number, stored)) if stored.info().packed_size as usize <= limit => (number.to_string(), stored),
            _ => {
                let empty = rres_format::chunk::raw::raw_block("", &[]);
                let stored = StoredChunk::encode(FourCc::RAWD, &empty, Compression::NONE, &mut Compressor::default());
                ("none".to_owned(), stored.ok()?)
            }
        };
        let encoded = EncodedResource {
            name,
            kind: file.resource.kind,
            chunks: vec![stored],
            facts: Default::default(),
            video_memory: 0,
            meta: Default::default(),
            dependencies: Vec::new(),
            summary: String::new(),
            notes: Vec::new(),
            parts: Vec::new(),
        };
        let (bytes, mut infos) = write_blob(key, vec![encoded]).ok()?;
        self.cache.store(key, &bytes).ok()?;
        infos.pop()
    }
}

/// A file that may have a sibling or be one.
struct Candidate<'a> {
    resource: &'a Resource,
    info: &'a ResourceInfo,
    blob: Key,
    level: i32,
    /// Whether no other resource of the pack is equal to it.
    is_unique: bool,
}

impl Candidate<'_> {
    /// Returns its chunk in the bytes of its blob; `None` if it is damaged.
    fn chunk<'b>(&self, blob: &'b [u8]) -> Option<ChunkView<'b>> {
        self.info.chunks.sound(&PackView::parse(blob).ok()?).ok()?.into_iter().next()
    }
}

/// Returns the file that a result names: its name is the number of the sibling among the candidates, or says that none is one.
fn chosen(result: &ResourceInfo, candidates: &[usize]) -> Option<usize> {
    result.name.parse().ok().and_then(|number: usize| candidates.get(number).copied())
}

/// Returns the files that file `i` is compared with: earlier ones, those of the same size first and then the nearest.
fn candidates(folder: &[Candidate<'_>], depths: &[u8], i: usize) -> Vec<usize> {
    let size = folder[i].info.base_size;
    let earlier = || (0..i).rev().take(LOOK_BACK).filter(|j| depths[*j] < MAX_DEPTH);
    let alike = earlier().filter(|j| folder[*j].info.base_size == size);
    let others = earlier().filter(|j| folder[*j].info.base_size != size);
    alike.chain(others).take(CANDIDATES).collect()
}

/// Decodes the blocks of files and keeps the last ones.
#[derive(Default)]
struct Codec {
    decompressor: Decompressor,
    recent: VecDeque<(usize, Rc<[u8]>)>,
    /// The keys of damaged blobs.
    damaged: Vec<Key>,
    /// The keys of the results.
    compared: Vec<Key>,
}

impl Codec {
    /// Returns the block of file `i` of a folder; `None` if its blob is damaged.
    fn block(&mut self, cache: &Cache, folder: &[Candidate<'_>], i: usize) -> Option<Rc<[u8]>> {
        if let Some((_, block)) = self.recent.iter().find(|(number, _)| *number == i) {
            return Some(block.clone());
        }
        let read = |decompressor: &mut Decompressor| -> Option<Rc<[u8]>> {
            let bytes = fs::read(cache.blob_file(&folder[i].blob)).ok()?;
            Some(folder[i].chunk(&bytes)?.decode(decompressor).ok()?.into_bytes().into())
        };
        let Some(block) = read(&mut self.decompressor) else {
            self.damaged.push(folder[i].blob);
            return None;
        };
        self.recent.push_front((i, block.clone()));
        self.recent.truncate(4 * CANDIDATES);
        Some(block)
    }
}
