//! Adding to a store: bundles of blobs first, then the index file that names them, then its line in the list. So whatever breaks off, a reader finds
//! only what is whole.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::time::Duration;

use rres_engine::cache::{RemoteEntry, Stored};

use crate::config::Config;
use crate::index::{Blob, Bundle, Index, ShortKey, short, short_hash};
use crate::known::{Known, LIST, List, bundle_name, index_name, read_indexes};
use crate::objects::{Objects, Replaced};

/// The size at which a bundle ends.
const BUNDLE: usize = 16 << 20;

/// A larger blob is not added: it would have to be in memory.
const MOST_BLOB: u64 = 1 << 30;

/// When the list has so many index files, they become one.
const MOST_INDEXES: usize = 16;

/// How often the list is written again if another machine has changed it in between.
const TRIES: usize = 8;

/// Adds what the store lacks, and what it has `lost`.
pub(crate) fn store(
    objects: &dyn Objects,
    config: &Config,
    known: &Known,
    lost: &HashSet<ShortKey>,
    entries: &[RemoteEntry],
) -> io::Result<Stored> {
    let mut added = Index::default();
    let mut stored = Stored::default();
    let mut bundle = (Vec::new(), Vec::new());
    let mut took = Duration::ZERO;
    let mut seen = HashSet::new();
    for RemoteEntry { source, input_files, blob, file, elapsed, .. } in entries {
        if !input_files.is_empty() && known.input_files(&short(source)) != Some(&**input_files) {
            added.inputs.insert(short(source), input_files.clone());
        }
        let is_there = known.place(&short(blob)).is_some() && !lost.contains(&short(blob));
        if is_there || !seen.insert(short(blob)) {
            continue;
        }
        // Pruning may have removed it.
        let Ok(metadata) = fs::metadata(file) else { continue };
        if metadata.len() > MOST_BLOB {
            continue;
        }
        let Ok(bytes) = fs::read(file) else { continue };
        let Ok(len) = u32::try_from(bytes.len()) else { continue };
        if !bundle.1.is_empty() && bundle.1.len() + bytes.len() > BUNDLE {
            flush(objects, &mut bundle, &mut took, &mut added)?;
        }
        took += *elapsed;
        bundle.0.push(Blob { key: short(blob), hash: short_hash(&bytes), len });
        bundle.1.extend(bytes);
        stored.assets += 1;
        stored.bytes += u64::from(len);
    }
    if !bundle.0.is_empty() {
        flush(objects, &mut bundle, &mut took, &mut added)?;
    }
    if added != Index::default() {
        publish(objects, config, &added)?;
    }
    Ok(stored)
}

/// Writes a bundle, and begins the next one.
fn flush(
    objects: &dyn Objects,
    (blobs, bytes): &mut (Vec<Blob>, Vec<u8>),
    took: &mut Duration,
    added: &mut Index,
) -> io::Result<()> {
    let hash = *blake3::hash(bytes).as_bytes();
    objects.put(&bundle_name(&hash), std::mem::take(bytes))?;
    let milliseconds = u32::try_from(std::mem::take(took).as_millis()).unwrap_or(u32::MAX);
    added.bundles.push(Bundle { hash, milliseconds, blobs: std::mem::take(blobs) });
    Ok(())
}

/// Writes an index file, and adds it to the list.
fn publish(objects: &dyn Objects, config: &Config, added: &Index) -> io::Result<()> {
    let name = put_index(objects, config, added)?;
    let mut list = List::read(objects)?;
    for _ in 0..TRIES {
        if !list.names.contains(&name) {
            list.names.push(name);
        }
        let merged = if list.names.len() > MOST_INDEXES { Some(merge(objects, config, &mut list)?) } else { None };
        let replaced = objects.replace(LIST, &list.encode(), list.version.clone())?;
        if replaced == Replaced::Yes {
            return Ok(());
        }
        list = List::read(objects)?;
        // Another machine that has read the list before this one wrote it may have written over it since.
        if replaced == Replaced::InAnyCase && list.names.contains(&merged.unwrap_or(name)) {
            return Ok(());
        }
    }
    Err(io::Error::other(format!("{LIST} has been changed by other machines {TRIES} times in a row")))
}

fn put_index(objects: &dyn Objects, config: &Config, index: &Index) -> io::Result<[u8; 32]> {
    let file = index.encode(config.key.as_ref());
    let name = *blake3::hash(&file).as_bytes();
    objects.put(&index_name(&name), file)?;
    Ok(name)
}

/// Makes one index file of those that this machine trusts, and returns its name. Their objects stay, since another machine may be reading them; the others' lines
/// stay, too.
fn merge(objects: &dyn Objects, config: &Config, list: &mut List) -> io::Result<[u8; 32]> {
    let mut merged = Index::default();
    let mut names = HashSet::new();
    for (name, index) in read_indexes(objects, config, &list.names, None)? {
        names.insert(name);
        merged.extend(index);
    }
    let name = put_index(objects, config, &merged)?;
    list.names.retain(|name| !names.contains(name));
    list.names.push(name);
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::memory::Memory;

    /// An index file that names one blob.
    fn index(number: u8) -> Index {
        let blobs = vec![Blob { key: [number; 16], hash: [0; 16], len: 1 }];
        Index { bundles: vec![Bundle { hash: [number; 32], milliseconds: 0, blobs }], ..Index::default() }
    }

    /// The numbers of the index files whose blobs a machine with this configuration finds.
    fn found(objects: &Memory, config: &Config) -> Vec<u8> {
        let known = Known::read(objects, config, None).unwrap();
        (0..100).filter(|number| known.place(&[*number; 16]).is_some()).collect()
    }

    #[test]
    fn machines_that_write_over_each_others_list_are_both_heard() {
        let nobody = Config::new("");
        let objects = Memory::without_conditions();
        publish(&objects, &nobody, &index(0)).unwrap();
        // Another machine writes what it has read before this one wrote, twice.
        let old = objects.get(LIST, u64::MAX).unwrap().unwrap().0;
        objects.write_over(LIST, &old, 2);
        publish(&objects, &nobody, &index(1)).unwrap();
        assert_eq!(found(&objects, &nobody), [0, 1]);
        assert_eq!(List::read(&objects).unwrap().names.len(), 2);
        objects.write_over(LIST, &old, usize::MAX);
        let fault = publish(&objects, &nobody, &index(2)).unwrap_err().to_string();
        assert!(fault.contains("changed by other machines"), "{fault}");
    }
}
