//! Source files in a store: what one machine has added, another one fetches.

use std::fs;
use std::path::{Path, PathBuf};

use rres_engine::ListedSource;
use rres_remote_cache::SourceStore;

use crate::server::{Fault, Server};

fn listed(bytes: &[u8]) -> ListedSource {
    ListedSource { hash: *blake3::hash(bytes).as_bytes(), size: bytes.len() as u64 }
}

/// Files of several sizes: empty, small, of several pieces.
fn files(dir: &Path) -> Vec<(ListedSource, PathBuf)> {
    let bytes = |number: usize, len: usize| {
        let mut bytes = vec![0; len];
        blake3::Hasher::new().update(&number.to_le_bytes()).finalize_xof().fill(&mut bytes);
        bytes
    };
    let sizes = [0, 1, 1000, 16 << 20, (16 << 20) + 1, 40 << 20].into_iter().chain((0..40).map(|number| 100 + number));
    let write = |(number, size)| {
        let bytes = bytes(number, size);
        let file = dir.join(format!("folder {number}")).join("file.bin");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &bytes).unwrap();
        (listed(&bytes), file)
    };
    sizes.enumerate().map(write).collect()
}

/// The same files in another directory.
fn moved(files: &[(ListedSource, PathBuf)], from: &Path, to: &Path) -> Vec<(ListedSource, PathBuf)> {
    files.iter().map(|(source, file)| (*source, to.join(file.strip_prefix(from).unwrap()))).collect()
}

#[test]
fn files_come_back_as_they_were() {
    let server = Server::start();
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = files(first.path());
    let store = SourceStore::open(&server.address()).unwrap();
    let sources: Vec<ListedSource> = files.iter().map(|(source, _)| *source).collect();
    assert_eq!(store.has(&sources).unwrap().iter().filter(|has| **has).count(), 1, "only the empty one");
    files.iter().for_each(|(source, file)| store.push(source, file).unwrap());
    assert!(store.has(&sources).unwrap().iter().all(|has| *has));

    let wanted = moved(&files, first.path(), second.path());
    let mut done = Vec::new();
    assert_eq!(store.pull(&wanted, &|_| true, &mut |number| done.push(number)).unwrap(), [] as [usize; 0]);
    done.sort_unstable();
    assert_eq!(done, (0..files.len()).collect::<Vec<_>>());
    for ((_, file), (_, copy)) in files.iter().zip(&wanted) {
        assert!(fs::read(file).unwrap() == fs::read(copy).unwrap(), "{}", copy.display());
        assert_eq!(fs::read_dir(copy.parent().unwrap()).unwrap().count(), 1, "nothing else is left");
    }
}

#[test]
fn what_the_store_lacks_or_has_damaged_is_named_and_replaces_nothing() {
    let server = Server::start();
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = files(first.path());
    let store = SourceStore::open(&server.address()).unwrap();
    // All but one small file.
    files
        .iter()
        .enumerate()
        .filter(|(number, _)| *number != 2)
        .for_each(|(_, (source, file))| store.push(source, file).unwrap());
    let wanted = moved(&files, first.path(), second.path());
    for (_, file) in &wanted {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, b"of this machine").unwrap();
    }
    // One that was saved meanwhile stays.
    let saved = |number: usize| !matches!(number, 0 | 1 | 4);
    assert_eq!(store.pull(&wanted, &saved, &mut |_| {}).unwrap(), [2]);
    for number in [0, 1, 4] {
        assert_eq!(fs::read(&wanted[number].1).unwrap(), b"of this machine");
        assert_eq!(fs::read_dir(wanted[number].1.parent().unwrap()).unwrap().count(), 1);
    }
    fs::write(&wanted[5].1, b"of this machine").unwrap();
    let large = format!("{}-1", blake3::Hash::from(files[5].0.hash).to_hex());
    server.fail(move |_, path| path.ends_with(&large).then_some(Fault::Wrong));
    assert_eq!(store.pull(&wanted, &|_| true, &mut |_| {}).unwrap(), [2, 5]);
    for number in [2, 5] {
        assert_eq!(fs::read(&wanted[number].1).unwrap(), b"of this machine");
        assert_eq!(fs::read_dir(wanted[number].1.parent().unwrap()).unwrap().count(), 1);
    }
    // Without one of its pieces, it is not there.
    server.mend();
    let first = format!("{}-0", blake3::Hash::from(files[5].0.hash).to_hex());
    server.change(|objects| objects.retain(|path, _| !path.ends_with(&first)));
    assert_eq!(store.has(&[files[4].0, files[5].0]).unwrap(), [true, false]);
    server.fail(|_, _| Some(Fault::Status(403)));
    assert!(store.pull(&wanted, &|_| true, &mut |_| {}).is_err());
    assert!(store.push(&files[2].0, &files[2].1).is_err());
}

/// `cargo rres sources pull` replaces a changed file only if the store has that version of it.
#[test]
fn an_upload_that_was_cut_off_does_not_count_as_stored() {
    let server = Server::start();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a");
    let store = SourceStore::open(&server.address()).unwrap();
    let sources: Vec<ListedSource> = ["one", "three"].map(|text| listed(text.as_bytes())).into();
    for (source, text) in sources.iter().zip(["one", "three"]) {
        fs::write(&file, text).unwrap();
        store.push(source, &file).unwrap();
    }
    server.change(|objects| objects.values_mut().for_each(|object| object.truncate(3)));
    assert_eq!(store.has(&sources).unwrap(), [true, false]);
    // A store without the announced length, that sends on and on.
    server.fail(|_, _| Some(Fault::Endless));
    assert_eq!(store.has(&sources).unwrap(), [false, false]);
}

#[test]
fn a_cache_that_forgets_is_no_store() {
    let fault = SourceStore::open("grpc://localhost:1/main").unwrap_err();
    assert!(fault.contains("remove what is not used"), "{fault}");
}

#[test]
fn a_file_that_changes_while_it_is_sent_is_not_stored() {
    let server = Server::start();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a");
    fs::write(&file, b"new").unwrap();
    let store = SourceStore::open(&server.address()).unwrap();
    let old = listed(b"old");
    assert!(store.push(&old, &file).unwrap_err().to_string().contains("has changed"));
    assert_eq!(store.has(&[old]).unwrap(), [false]);
}
