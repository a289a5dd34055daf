//! Adding to a store: bundles of blobs first, then the index file that names them, then its line in the list. So whatever breaks off, a reader finds
//! only what is whole.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
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

/// When the list has more index files with the signature of one key, or with none, they become one.
const MOST_INDEXES: usize = 16;

/// How often the list is written again if another machine has changed it in between.
const TRIES: usize = 8;

/// Adds what the store lacks, and what it has `lost`. `kept` is where this machine keeps index files.
pub(crate) fn store(
    objects: &dyn Objects,
    config: &Config,
    kept: Option<&Path>,
    known: &Known,
    lost: &HashSet<ShortKey>,
    entries: &[RemoteEntry],
) -> io::Result<Stored> {
    let mut added = Index::default();
    let mut stored = Stored::default();
    let mut bundle = (Vec::new(), Vec::new());
    let mut took = Duration::ZERO;
    let mut seen = HashSet::new();
    for entry in entries {
        let RemoteEntry { source, input_files, blob, file, elapsed, .. } = entry;
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
        // Others would refuse a damaged one, and nobody would add it again.
        if !entry.is_whole(&bytes) {
            continue;
        }
        if !bundle.1.is_empty() && bundle.1.len() + bytes.len() > BUNDLE {
            flush(objects, &mut bundle, &mut took, &mut added)?;
        }
        took += *elapsed;
        bundle.0.push(Blob { key: short(blob), hash: short_hash(&bytes), len });
        match bundle.1.is_empty() {
            // A large one alone is not copied.
            true => bundle.1 = bytes,
            false => bundle.1.extend(bytes),
        }
        stored.assets += 1;
        stored.bytes += u64::from(len);
    }
    if !bundle.0.is_empty() {
        flush(objects, &mut bundle, &mut took, &mut added)?;
    }
    if added != Index::default() {
        publish(objects, config, kept, &added)?;
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
fn publish(objects: &dyn Objects, config: &Config, kept: Option<&Path>, added: &Index) -> io::Result<()> {
    let name = put_index(objects, config, added)?;
    let mut list = List::read(objects)?;
    for _ in 0..TRIES {
        if !list.names.contains(&name) {
            list.names.push(name);
        }
        if list.names.len() > MOST_INDEXES {
            merge(objects, config, kept, &mut list)?;
        }
        let replaced = objects.replace(LIST, &list.encode(), list.version.clone())?;
        if replaced == Replaced::Yes {
            return Ok(());
        }
        list = List::read(objects)?;
        // Another machine that has read the list before this one wrote it may have written over it since.
        if replaced == Replaced::InAnyCase && list.names.contains(&name) {
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

/// Makes one index file of those that this machine could have written, unless there are few: with its signature, or with none if it has no key. It would
/// vouch for the others. Their objects stay, since another machine may be reading them; the others' lines stay, too.
fn merge(objects: &dyn Objects, config: &Config, kept: Option<&Path>, list: &mut List) -> io::Result<()> {
    let own = config.public_key();
    let mut indexes = read_indexes(objects, &list.names, kept, |signer| signer == own)?;
    if indexes.len() <= MOST_INDEXES {
        return Ok(());
    }
    // Of two places of a blob the last one counts: the newest file stays after all others, and the older ones do not come after the newer ones of
    // other machines.
    indexes.pop();
    let mut merged = Index::default();
    let mut names = HashSet::new();
    for (name, index) in indexes {
        names.insert(name);
        merged.extend(index);
    }
    let name = put_index(objects, config, &merged)?;
    let at = list.names.iter().position(|name| names.contains(name)).unwrap_or(list.names.len());
    list.names.retain(|name| !names.contains(name));
    list.names.insert(at, name);
    Ok(())
}

#[cfg(test)]
mod tests {
    use rres_format::signature::SecretKey;

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

    fn with_key(seed: u8) -> Config {
        let mut config = Config::new("");
        config.key = SecretKey::from_seed([seed; 32]);
        config
    }

    #[test]
    fn entries_of_strangers_never_get_the_signature_of_this_machine() {
        let objects = Memory::default();
        let (ci, other, nobody) = (with_key(1), with_key(2), Config::new(""));
        (0..10).for_each(|number| publish(&objects, &nobody, None, &index(number)).unwrap());
        (10..20).for_each(|number| publish(&objects, &other, None, &index(number)).unwrap());
        (20..60).for_each(|number| publish(&objects, &ci, None, &index(number)).unwrap());
        let mut laptop = Config::new("");
        laptop.trusted = ci.public_key().into_iter().collect();
        assert_eq!(found(&objects, &laptop), (20..60).collect::<Vec<_>>());
        assert_eq!(found(&objects, &ci), (20..60).collect::<Vec<_>>());
        assert_eq!(found(&objects, &other), (10..20).collect::<Vec<_>>());
        assert_eq!(found(&objects, &nobody), (0..60).collect::<Vec<_>>());
        // The files of one key become one, and the files of other keys do not count.
        let lines = List::read(&objects).unwrap().names.len();
        assert!(lines <= 10 + 10 + MOST_INDEXES, "{lines} lines");
    }

    #[test]
    fn machines_that_write_over_each_others_list_are_both_heard() {
        let nobody = Config::new("");
        let objects = Memory::without_conditions();
        publish(&objects, &nobody, None, &index(0)).unwrap();
        // Another machine writes what it has read before this one wrote, twice.
        let old = objects.get(LIST, u64::MAX).unwrap().unwrap().0;
        objects.write_over(LIST, &old, 2);
        publish(&objects, &nobody, None, &index(1)).unwrap();
        assert_eq!(found(&objects, &nobody), [0, 1]);
        assert_eq!(List::read(&objects).unwrap().names.len(), 2);
        objects.write_over(LIST, &old, usize::MAX);
        let fault = publish(&objects, &nobody, None, &index(2)).unwrap_err().to_string();
        assert!(fault.contains("changed by other machines"), "{fault}");
    }

    #[test]
    fn index_files_that_the_list_no_longer_names_are_not_kept() {
        let (objects, nobody) = (Memory::default(), Config::new(""));
        let dir = tempfile::tempdir().unwrap();
        let kept = || fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        fs::write(dir.path().join("other.txt"), b"").unwrap();
        for number in 0..40 {
            publish(&objects, &nobody, Some(dir.path()), &index(number)).unwrap();
            Known::read(&objects, &nobody, Some(dir.path())).unwrap();
        }
        let lines = List::read(&objects).unwrap().names.len();
        assert_eq!(kept().len(), lines + 1, "{:?}", kept());
        assert!(kept().contains(&"other.txt".into()));
    }
}
