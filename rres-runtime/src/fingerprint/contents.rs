//! The assets of a store → the hash of what each contains, whatever the form that a pack stores it in.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rres_protocol::packed_id::Slot;

use super::{AssetFingerprint, Coverage, Fingerprint, FingerprintDetails};
use crate::error::{Error, ErrorKind, Result};
use crate::mounts::Mounts;
use crate::resource::LoadedResource;
use crate::source::{AssetInfo, Source};
use crate::store::Store;

/// How many threads read assets, besides the one that asks.
const MAX_HELPERS: usize = 7;

impl Store {
    /// Returns the fingerprint of the mounted assets that `coverage` covers: programs with equal fingerprints have the same ids, paths, kinds and
    /// contents. Send it to other players, or store it in a replay.
    ///
    /// It does not depend on compression, on encryption, on the order of the assets in their packs, or on how many packs they are in. A debug
    /// build that reads loose files has the fingerprint of the pack of a release build with the same settings.
    ///
    /// Each covered asset is read and decompressed, on several threads. Pixels and samples are not decoded, and nothing stays loaded. For a large
    /// game, call it on a thread of its own, and cover what matters.
    ///
    /// ```
    /// use rres_runtime::fingerprint::{Coverage, FingerprintDetails};
    /// # use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk, chunk::text::TextProps};
    /// # use rres_runtime::{PackOptions, Store};
    /// # let store = |speed: &str| {
    /// #     let block = TextProps::utf8(speed.len() as u32).block(speed.as_bytes());
    /// #     let chunk = StoredChunk::encode(FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    /// #     let mut pack = PackBuilder::new();
    /// #     pack.push(Resource::new("data/speed.txt", vec![chunk]));
    /// #     Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
    /// # };
    /// # let (store, of_other_player) = (store("12"), store("99"));
    ///
    /// let ours = store.fingerprint_details(&Coverage::all())?;
    /// # let theirs = of_other_player.fingerprint_details(&Coverage::all())?;
    /// # let (fingerprint, received) = (theirs.fingerprint(), theirs.to_bytes());
    /// if ours.fingerprint() != fingerprint {
    ///     // They have sent their details, too.
    ///     let theirs = FingerprintDetails::from_bytes(&received)?;
    ///     assert_eq!(ours.difference(&theirs).to_string(), "changed  data/speed.txt\n");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first asset, by path, that cannot be read; damage in an index, since assets might be missing there;
    /// [`crate::ErrorKind::NoSuchGroup`].
    pub fn fingerprint(&self, coverage: &Coverage<'_>) -> Result<Fingerprint> {
        Ok(self.fingerprint_details(coverage)?.fingerprint())
    }

    /// Returns the list that [`Self::fingerprint`] is the hash of.
    ///
    /// # Errors
    /// As [`Self::fingerprint`].
    pub fn fingerprint_details(&self, coverage: &Coverage<'_>) -> Result<FingerprintDetails> {
        let mounts = self.mounts();
        mounts.check_indexes()?;
        // What only a damaged index knew is missing.
        if let Some(damage) = mounts.sources().find_map(Source::index_damage) {
            return Err(damage);
        }
        let mut assets = coverage.of(self, &mounts)?;
        assets.sort_by_key(|asset| (asset.path, asset.id.resource()));
        let hashes = hashes(&mounts, &assets)?;
        let assets = assets.iter().zip(hashes).map(|(asset, contents)| AssetFingerprint {
            id: asset.id.resource(),
            path: asset.path.to_owned(),
            kind: asset.kind.map_or(0, |kind| kind as u8),
            contents,
        });
        Ok(FingerprintDetails::of(assets.collect()))
    }
}

/// Returns the hash of the contents of each asset.
fn hashes(mounts: &Mounts, assets: &[AssetInfo<'_>]) -> Result<Vec<[u8; 32]>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(assets.len()));
    let work = || {
        while let Some((number, asset)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, assets.get(n)?)))
        {
            let hash = hash(mounts, asset);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((number, hash));
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..processors.min(assets.len()).min(MAX_HELPERS + 1) {
            // Without threads, as in a browser, this one does all of it.
            let _ = std::thread::Builder::new().name("rres-fingerprint".to_owned()).spawn_scoped(scope, work);
        }
        work();
    });
    let mut results: Vec<(usize, Result<[u8; 32]>)> = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, hash)| hash).collect()
}

fn hash(mounts: &Mounts, asset: &AssetInfo<'_>) -> Result<[u8; 32]> {
    let id = asset.id.resource();
    // An index can list an entry where its search finds none.
    let missing = || Error::new(ErrorKind::NotFound { id, elsewhere: None }).with_asset(asset.path, id);
    let (source, slot) = mounts.locate(id, Slot(0)).ok_or_else(missing)?;
    let resource = source.load_slot(slot, None).map_err(|error: Error| error.with_file(source.file()))?;
    Ok(contents_hash(&resource))
}

/// Returns the hash of a resource: its metadata, its dependencies and its decoded blocks. All numbers are little-endian.
fn contents_hash(resource: &LoadedResource<'_>) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    let count = |hash: &mut blake3::Hasher, count: usize| {
        hash.update(&(count as u64).to_le_bytes());
    };
    hash.update(b"rres asset 1");
    count(&mut hash, resource.meta.records().len());
    for (key, value) in resource.meta.records() {
        hash.update(&key.0.to_le_bytes()).update(&value.to_le_bytes());
    }
    count(&mut hash, resource.dependencies.len());
    for id in &resource.dependencies {
        hash.update(&id.0.to_le_bytes());
    }
    count(&mut hash, resource.chunks.len());
    for chunk in resource.chunks.iter() {
        hash.update(&chunk.kind.0);
        count(&mut hash, chunk.block.len());
        hash.update(&chunk.block);
    }
    hash.finalize().into()
}
