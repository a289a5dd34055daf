//! What is in a store: its list of index files, and their contents.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rres_engine::cache::Stored;
use rres_format::signature::PublicKey;

use crate::config::Config;
use crate::index::{Index, ShortKey};
use crate::objects::{Objects, UpdateVersion};

/// The object that lists the index files, one a line: the only one that changes.
pub(crate) const LIST: &str = "v1/list";

/// The first line of the list.
const HEAD: &str = "rres remote cache 1";

/// More bytes of a list, and of an index file, are not read.
const MOST_LIST: u64 = 1 << 20;
const MOST_INDEX: u64 = 256 << 20;

/// Where a blob is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) key: ShortKey,
    /// The number of the bundle.
    pub(crate) bundle: u32,
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) hash: [u8; 16],
}

/// A bundle of a store.
#[derive(Debug)]
struct KnownBundle {
    hash: [u8; 32],
    /// How long importing its blobs took.
    took: Duration,
    len: u64,
}

/// The contents of a store, as far as they are trusted.
#[derive(Debug, Default)]
pub(crate) struct Known {
    bundles: Vec<KnownBundle>,
    blobs: HashMap<ShortKey, Place>,
    inputs: HashMap<ShortKey, Vec<String>>,
}

/// The list of index files, by their hashes.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) names: Vec<[u8; 32]>,
    /// The version of the object; `None` if there is none.
    pub(crate) version: Option<UpdateVersion>,
}

impl List {
    pub(crate) fn read(objects: &dyn Objects) -> io::Result<Self> {
        let Some((bytes, version)) = objects.get(LIST, MOST_LIST)? else { return Ok(Self::default()) };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            let why = format!("{LIST} is no list of a remote cache: the address may be that of something else");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        // What a newer version adds is not known here.
        let names = lines.filter_map(|line| Some(*blake3::Hash::from_hex(line).ok()?.as_bytes())).collect();
        Ok(Self { names, version: Some(version) })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let lines = self.names.iter().map(|name| format!("{}\n", blake3::Hash::from_bytes(*name).to_hex()));
        std::iter::once(format!("{HEAD}\n")).chain(lines).collect::<String>().into_bytes()
    }
}

/// The name of an index file.
pub(crate) fn index_name(hash: &[u8; 32]) -> String {
    format!("v1/index/{}", blake3::Hash::from_bytes(*hash).to_hex())
}

/// The index files of a list that are whole and whose signer is wanted, with their names. The others are passed over: what they name is imported.
pub(crate) fn read_indexes(
    objects: &dyn Objects,
    names: &[[u8; 32]],
    dir: Option<&Path>,
    is_wanted: impl Fn(Option<PublicKey>) -> bool,
) -> io::Result<Vec<([u8; 32], Index)>> {
    let mut indexes = Vec::new();
    for name in names {
        let Some(file) = read_index(objects, name, dir)? else { continue };
        let Some((index, signer)) = Index::decode(&file) else { continue };
        if is_wanted(signer) {
            indexes.push((*name, index));
        }
    }
    Ok(indexes)
}

/// Removes those kept index files that the list does not name any more, since nobody will read them again.
fn remove_others(dir: &Path, names: &[[u8; 32]]) {
    let names: HashSet<&[u8; 32]> = names.iter().collect();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let hash = file.to_str().and_then(|file| blake3::Hash::from_hex(file.strip_suffix(".index")?).ok());
        if hash.is_some_and(|hash| !names.contains(hash.as_bytes())) {
            // Another process may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// An index file, from the directory or from the store; `None` if it is damaged or gone.
fn read_index(objects: &dyn Objects, name: &[u8; 32], dir: Option<&Path>) -> io::Result<Option<Vec<u8>>> {
    let is_whole = |bytes: &Vec<u8>| blake3::hash(bytes).as_bytes() == name;
    let kept = dir.map(|dir| dir.join(format!("{}.index", blake3::Hash::from_bytes(*name).to_hex())));
    let found = kept.as_ref().and_then(|file| fs::read(file).ok()).filter(is_whole);
    if found.is_some() {
        return Ok(found);
    }
    let found = match objects.get(&index_name(name), MOST_INDEX) {
        Ok(found) => found.map(|(bytes, _)| bytes).filter(is_whole),
        // It is none that this version writes.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => None,
        Err(error) => return Err(error),
    };
    if let (Some(file), Some(bytes)) = (kept, &found) {
        // One that is half written has another hash.
        let _ = fs::create_dir_all(file.parent().unwrap_or(Path::new(""))).and_then(|()| fs::write(&file, bytes));
    }
    Ok(found)
}

impl Known {
    /// Reads what is in a store.
    pub(crate) fn read(objects: &dyn Objects, config: &Config, dir: Option<&Path>) -> io::Result<Self> {
        let list = List::read(objects)?;
        if let Some(dir) = dir {
            remove_others(dir, &list.names);
        }
        let mut known = Self::default();
        for (_, index) in read_indexes(objects, &list.names, dir, |signer| config.trusts(signer))? {
            known.add(index);
        }
        Ok(known)
    }

    fn add(&mut self, index: Index) {
        for bundle in index.bundles {
            let number = self.bundles.len() as u32;
            let mut offset = 0;
            for blob in bundle.blobs {
                self.blobs
                    .insert(blob.key, Place { key: blob.key, bundle: number, offset, len: blob.len, hash: blob.hash });
                offset += u64::from(blob.len);
            }
            let took = Duration::from_millis(bundle.milliseconds.into());
            self.bundles.push(KnownBundle { hash: bundle.hash, took, len: offset });
        }
        self.inputs.extend(index.inputs);
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.blobs.values().copied()
    }

    pub(crate) fn contents(&self) -> Stored {
        Stored { assets: self.blobs.len(), bytes: self.blobs.values().map(|place| u64::from(place.len)).sum() }
    }

    pub(crate) fn place(&self, blob: &ShortKey) -> Option<Place> {
        self.blobs.get(blob).copied()
    }

    /// About how long importing these blobs took: each has as much of the time of its bundle as of the bytes.
    pub(crate) fn took<'p>(&self, places: impl Iterator<Item = &'p Place>) -> Duration {
        let of = |place: &Place| {
            let KnownBundle { took, len, .. } = &self.bundles[place.bundle as usize];
            took.mul_f64(f64::from(place.len) / (*len).max(1) as f64)
        };
        places.map(of).sum()
    }

    pub(crate) fn input_files(&self, source: &ShortKey) -> Option<&[String]> {
        self.inputs.get(source).map(Vec::as_slice)
    }

    pub(crate) fn bundle_name(&self, number: u32) -> String {
        bundle_name(&self.bundles[number as usize].hash)
    }
}

/// The name of a bundle.
pub(crate) fn bundle_name(hash: &[u8; 32]) -> String {
    format!("v1/bundles/{}", blake3::Hash::from_bytes(*hash).to_hex())
}
