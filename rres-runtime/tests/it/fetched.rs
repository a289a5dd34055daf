//! Packs that are read in parts, from a source that answers later, badly, or not at all.

mod owned;
mod room;

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use rres_format::{Compression, PackView, Resource, ResourceId};
use rres_runtime::__private::{ALL_TYPES, Location, from_packs};
use rres_runtime::{
    AnyId, AssetList, ByteSource, Error, ErrorKind, FilePart, Handle, LoadState, Loading, Pack, PackOptions, Priority,
    Raw, Reply, Store, Text,
};
use rres_test_data::random::{Random, noise};
use rres_test_support::wait;

use super::assets::{image, pack, raw, text};
use super::{assert_message, id};

/// A pack on a server. Clones are the same server.
#[derive(Clone)]
pub(crate) struct Server(Arc<State>);

pub(crate) struct State {
    pack: Vec<u8>,
    /// What was asked for, in order, and whether again.
    asked: Mutex<Vec<(Range<u64>, bool)>>,
    /// Requests that are not answered yet; `None` if they are answered at once.
    waiting: Mutex<Option<Vec<Asked>>>,
    answer: Answer,
}

/// A request that is not answered yet.
type Asked = (Range<u64>, Reply);

/// How a server answers.
type Answer = Box<dyn Fn(&[u8], Range<u64>, Reply) + Send + Sync>;

impl Server {
    /// A server that answers at once.
    pub(crate) fn new(pack: Vec<u8>) -> Self {
        Self::answering(pack, answer)
    }

    fn answering(pack: Vec<u8>, answer: impl Fn(&[u8], Range<u64>, Reply) + Send + Sync + 'static) -> Self {
        let (asked, waiting, answer) = (Mutex::default(), Mutex::default(), Box::new(answer));
        Self(Arc::new(State { pack, asked, waiting, answer }))
    }

    /// Makes the server answer when [`Self::answer_next`] is called.
    fn wait(&self) {
        *self.0.waiting.lock().unwrap() = Some(Vec::new());
    }

    fn waiting(&self) -> usize {
        self.0.waiting.lock().unwrap().as_ref().map_or(0, Vec::len)
    }

    /// Takes the request that waits for the longest time.
    fn next(&self) -> (Range<u64>, Reply) {
        self.0.waiting.lock().unwrap().as_mut().unwrap().remove(0)
    }

    fn answer_next(&self) {
        let (range, reply) = self.next();
        answer(&self.0.pack, range, reply);
    }

    pub(crate) fn asked(&self) -> Vec<Range<u64>> {
        self.0.asked.lock().unwrap().iter().map(|(range, _)| range.clone()).collect()
    }

    fn open(&self) -> Pack {
        PackOptions::default().open_from(self.clone()).wait().unwrap()
    }

    fn store(&self) -> Store {
        Store::from_packs([self.open()])
    }
}

impl ByteSource for Server {
    fn name(&self) -> String {
        "https://example.org/game.rres".to_owned()
    }

    fn read(&self, range: Range<u64>, reply: Reply) {
        self.0.asked.lock().unwrap().push((range.clone(), reply.is_again()));
        let mut waiting = self.0.waiting.lock().unwrap();
        match &mut *waiting {
            Some(waiting) => waiting.push((range, reply)),
            None => {
                drop(waiting);
                (self.0.answer)(&self.0.pack, range, reply);
            }
        }
    }
}

fn part(pack: &[u8], range: Range<u64>) -> &[u8] {
    &pack[(range.start as usize).min(pack.len())..(range.end as usize).min(pack.len())]
}

fn answer(pack: &[u8], range: Range<u64>, mut reply: Reply) {
    reply.set_pack_len(pack.len() as u64);
    for piece in part(pack, range).chunks(1000) {
        if !reply.push(piece) {
            return;
        }
    }
    reply.finish();
}

fn path(number: usize) -> String {
    format!("{number}.bin")
}

fn content(number: usize) -> Vec<u8> {
    let mut bytes = noise(5000);
    bytes.resize(5000 + number * 97, number as u8);
    bytes
}

/// A pack of files without compression.
fn files(count: usize) -> Vec<u8> {
    pack((0..count).map(|number| raw(&path(number), &content(number)))).to_vec().unwrap()
}

/// Where a resource is in a pack.
fn place(pack: &[u8], path: &str) -> Range<u64> {
    let index = PackView::parse(pack).unwrap().index().unwrap();
    let stored = index.stored_range(index.find_path(path).unwrap()).unwrap();
    u64::from(stored.offset)..u64::from(stored.offset) + u64::from(stored.size)
}

/// The number of the resources with these paths as a list to load.
fn list(paths: impl IntoIterator<Item = String>) -> AssetList {
    paths.into_iter().map(|path| AnyId::from(id::<Raw>(&path))).collect()
}

fn assert_loads(store: &Store, number: usize) {
    let file: Handle<Raw> = store.load(id(&path(number))).unwrap();
    assert!(file.get().bytes() == content(number), "file {number}");
}

#[test]
fn opening_reads_the_front_and_loading_what_it_needs() {
    let bytes = files(100);
    let server = Server::new(bytes.clone());
    let store = server.store();
    assert_eq!((server.asked().len(), server.asked()[0].clone()), (1, 0..32 << 10));
    assert_loads(&store, 7);
    let wanted = place(&bytes, "7.bin");
    let read = server.asked()[1].clone();
    assert!(read.start <= wanted.start && wanted.start - read.start < 16 && read.end == wanted.end, "{read:?}");
    // It is kept as it is stored.
    assert_loads(&store, 7);
    assert_eq!(server.asked().len(), 2);
    assert_message(store.load(id::<Raw>("none.bin")), &["no asset with the id"]);
}

#[test]
fn a_front_that_is_larger_than_expected_is_read_whole() {
    let server = Server::new(files(700));
    let store = server.store();
    let asked = server.asked();
    assert_eq!((asked.len(), asked[0].clone(), asked[1].start), (2, 0..32 << 10, 0));
    assert_loads(&store, 699);
}

#[test]
fn a_group_is_read_in_few_requests_and_equals_the_local_one() {
    let server = Server::new(files(300));
    let store = server.store();
    let group = store.load_group(list((0..300).map(path))).wait().unwrap();
    for (number, file) in group.iter().enumerate() {
        assert!(file.downcast::<Raw>().unwrap().get().bytes() == content(number), "file {number}");
    }
    // 6 MB, and 2 MiB in each.
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn another_language_is_read_in_few_requests() {
    let (path, in_french) = (|number| format!("{number}.txt"), |number: usize| format!("{number} mots "));
    let texts = (0..40).map(|number| text(&path(number), "words"));
    let variants = (0..40).map(|number| {
        super::locales::variant(&format!("{number}.fr.txt"), &path(number), "fr", &in_french(number).repeat(500))
    });
    let server = Server::new(pack(texts.chain(variants)).to_vec().unwrap());
    let store = server.store();
    let group = store.load_group(list((0..40).map(path))).wait().unwrap();
    let before = server.asked().len();
    store.set_locale("fr").unwrap();
    for (number, handle) in group.iter().enumerate() {
        assert!(handle.downcast::<Text>().unwrap().get().as_str().starts_with(&in_french(number)));
    }
    assert_eq!(server.asked().len(), before + 1);
}

/// A folder of texts that are stored as what distinguishes them from others.
#[test]
fn siblings_are_fetched_too() {
    let bytes = super::siblings::folder();
    for number in 0..40 {
        let server = Server::new(bytes.clone());
        let store = server.store();
        server.wait();
        let loading = store.load_async(id::<Text>(&super::siblings::path(number)));
        // The chain of siblings is known piece by piece.
        while !matches!(loading.state(), LoadState::Ready) {
            wait::until("it is asked for or loaded", || {
                server.waiting() > 0 || matches!(loading.state(), LoadState::Ready | LoadState::Failed(_))
            });
            assert!(!matches!(loading.state(), LoadState::Failed(_)), "{loading:?}: {:?}", loading.handle());
            if server.waiting() > 0 {
                server.answer_next();
            }
        }
        assert!(loading.handle().unwrap().get().as_str() == super::siblings::content(number), "text {number}");
    }
}

#[test]
fn an_asset_waits_for_its_dependencies_without_a_thread() {
    let needs = |resource: Resource<'static>, paths: &[&str]| {
        let dependencies = paths.iter().map(|path| ResourceId::from_path(path)).collect();
        Resource { dependencies, ..resource }
    };
    let far = |name: &str| raw(name, &noise(100_000));
    let resources = vec![
        needs(raw("a.bin", b"a"), &["b.bin"]),
        far("x.bin"),
        needs(raw("b.bin", b"b"), &["c.bin"]),
        far("y.bin"),
        raw("c.bin", b"c"),
    ];
    let server = Server::new(pack(resources).to_vec().unwrap());
    let store = server.store();
    server.wait();
    let asset = store.load_async(id::<Raw>("a.bin"));
    wait::until("all three are asked for", || server.waiting() == 3);
    server.answer_next();
    server.answer_next();
    assert!(matches!(asset.state(), LoadState::Queued), "{:?}", asset.state());
    server.answer_next();
    assert_eq!(asset.wait().unwrap().get().bytes(), b"a");
    assert_eq!(store.stats().assets, 3);
}

#[test]
fn sizes_are_known_before_and_progress_counts_bytes_that_arrive() {
    let bytes = files(10);
    let server = Server::new(bytes.clone());
    let store = server.store();
    let group = || list((0..10).map(path));
    let size: u64 = (0..10).map(|number| place(&bytes, &path(number))).map(|range| range.end - range.start).sum();
    let stored = store.stored_bytes(group());
    assert_eq!((stored.total, stored.here), (size, 0));
    server.wait();
    let mut loading = store.load_group(group());
    let (range, mut reply) = server.next();
    assert_eq!((server.waiting(), loading.progress().bytes_total, loading.progress().bytes_here), (0, size, 0));
    let arriving = part(&bytes, range.clone());
    let mut last = 0;
    for piece in arriving.chunks(4000) {
        let is_last = piece.as_ptr_range().end == arriving.as_ptr_range().end;
        assert_eq!(reply.push(piece), !is_last);
        let here = loading.progress().bytes_here;
        assert!(here > last && here <= size, "{here} of {size} after {last}");
        assert_eq!(store.stored_bytes(group()).here, here);
        last = here;
    }
    assert_eq!(last, size);
    assert!(loading.poll().is_none());
    reply.finish();
    loading.wait().unwrap();
    assert_eq!(store.stored_bytes(group()).here, size);
}

#[test]
fn what_nobody_waits_for_is_not_read() {
    let bytes = pack((0..20).map(|number| raw(&path(number), &vec![number as u8; 3 << 20]))).to_vec().unwrap();
    let server = Server::new(bytes.clone());
    let store = server.store();
    server.wait();
    let loading = store.load_group(list((0..20).map(path)));
    assert_eq!(server.waiting(), 6, "no more at once");
    drop(loading);
    let (range, mut reply) = server.next();
    assert!(!reply.push(&part(&bytes, range)[..1000]), "the rest is not needed");
    drop(reply);
    assert_eq!(server.asked().len(), 7, "one for the front");
    // Others that need one of them get it.
    let one = store.load_async(id::<Raw>("19.bin"));
    let (range, reply) = server.0.waiting.lock().unwrap().as_mut().unwrap().pop().unwrap();
    answer(&bytes, range, reply);
    assert_eq!(one.wait().unwrap().get().bytes().len(), 3 << 20);
}

#[test]
fn an_urgent_asset_is_read_before_a_group() {
    let bytes = pack((0..20).map(|number| raw(&path(number), &vec![number as u8; 3 << 20]))).to_vec().unwrap();
    let server = Server::new(bytes.clone());
    let store = server.store();
    server.wait();
    let _level: Loading = store.load_group_with(list((0..19).map(path)), rres_runtime::Priority::Low);
    let now = store.load_async(id::<Raw>("19.bin"));
    assert_eq!(server.waiting(), 6);
    server.answer_next();
    let (range, reply) = server.0.waiting.lock().unwrap().as_mut().unwrap().pop().unwrap();
    assert!(range.end == place(&bytes, "19.bin").end, "{range:?}");
    answer(&bytes, range, reply);
    now.wait().unwrap();
}

#[test]
fn downloads_in_the_background_pause_while_what_is_waited_for_is_read() {
    let bytes = pack((0..9).map(|number| raw(&path(number), &vec![number as u8; 3 << 20]))).to_vec().unwrap();
    let server = Server::new(bytes);
    let store = server.store();
    store.fetch_from(Priority::High);
    let mut loading = store.load_group(store.folder("").unwrap());
    assert!(loading.poll().is_none());
    assert_eq!(server.asked().len(), 1, "only the front was read");
    let content = store.load(id::<Raw>(&path(4))).unwrap();
    assert_eq!(content.get().bytes().len(), 3 << 20);
    assert_eq!(server.asked().len(), 2);
    store.fetch_from(Priority::Low);
    assert_eq!(loading.wait().unwrap().iter().len(), 9);
}

#[test]
fn damaged_bytes_are_read_again_and_then_are_an_error_until_they_are_right() {
    let bytes = files(3);
    let damage = Arc::new(Mutex::new(2));
    let left = Arc::clone(&damage);
    let server = Server::answering(bytes.clone(), move |pack, range, reply| {
        let mut left = left.lock().unwrap();
        let mut sent = part(pack, range.clone()).to_vec();
        if range.start > 0 && *left > 0 {
            *left -= 1;
            sent[200] ^= 1;
        }
        answer(&sent, 0..sent.len() as u64, reply);
    });
    let store = server.store();
    assert_loads(&store, 0);
    let again: Vec<bool> = server.0.asked.lock().unwrap().iter().map(|(_, again)| *again).collect();
    assert_eq!(again, [false, false, true, true]);
    *damage.lock().unwrap() = 4;
    assert_message(
        store.load(id::<Raw>("1.bin")),
        &["asset \"1.bin\"", "https://example.org/game.rres", "crc32", "damaged"],
    );
    assert_loads(&store, 1);
}

#[test]
fn a_source_that_fails_is_named_with_its_reason_and_asked_again_by_the_next_load() {
    let fails = Arc::new(Mutex::new(false));
    let now = Arc::clone(&fails);
    let server = Server::answering(files(10), move |pack, range, reply| match *now.lock().unwrap() {
        true => reply.fail(io::Error::new(io::ErrorKind::ConnectionReset, "connection reset")),
        false => answer(pack, range, reply),
    });
    let store = server.store();
    *fails.lock().unwrap() = true;
    let failed = store.load_group(list((0..10).map(path))).wait().unwrap_err();
    assert_eq!(failed.errors().len(), 10);
    assert_message::<()>(
        Err(failed.errors()[3].clone()),
        &["asset \"3.bin\"", "cannot read https://example.org/game.rres: connection reset"],
    );
    *fails.lock().unwrap() = false;
    store.load_group(list((0..10).map(path))).wait().unwrap();
    *fails.lock().unwrap() = true;
    assert_message(
        PackOptions::default().open_from(server).wait(),
        &["cannot read https://example.org/game.rres: connection reset"],
    );
}

#[test]
fn a_source_that_gives_no_answer_has_failed() {
    let server = Server::answering(files(1), |_, _, reply| drop(reply));
    assert_message(PackOptions::default().open_from(server).wait(), &["stopped before it had read all bytes"]);
}

#[test]
fn a_source_that_panics_has_failed_and_is_asked_again() {
    let server = Server::answering(files(2), |pack, range, reply| {
        assert!(range.start == 0 || reply.is_again() || range.start > 4000, "the source gives up");
        answer(pack, range, reply);
    });
    let store = server.store();
    assert_message(store.load(id::<Raw>("0.bin")), &["0.bin", "stopped before it had read all bytes"]);
    assert_loads(&store, 1);
}

#[test]
fn a_server_without_ranges_sends_the_pack_once() {
    let server = Server::answering(files(50), |pack, _, mut reply| {
        reply.sends_whole_pack();
        answer(pack, 0..pack.len() as u64, reply);
    });
    let store = server.store();
    (0..50).for_each(|number| assert_loads(&store, number));
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_server_may_stop_sending_ranges() {
    let bytes = files(50);
    let server = Server::answering(bytes, |pack, range, mut reply| match range.start {
        0 => answer(pack, range, reply),
        _ => {
            reply.sends_whole_pack();
            answer(pack, 0..pack.len() as u64, reply);
        }
    });
    let store = server.store();
    (0..50).for_each(|number| assert_loads(&store, number));
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn only_packs_with_a_front_index_are_read_in_parts() {
    let open = |bytes: Vec<u8>| PackOptions::default().open_from(Server::new(bytes)).wait();
    assert_message(open(b"<html>404".to_vec()), &["https://example.org/game.rres"]);
    assert_message(open(Vec::new()), &["https://example.org/game.rres"]);
    let bytes = files(20);
    assert_message(open(bytes[..1000].to_vec()), &["ends after 1000 of the"]);
    let mut foreign = bytes.clone();
    foreign[16..20].copy_from_slice(b"RAWD");
    assert_message(open(foreign), &["a pack of another program", "cannot be read in parts", "from_bytes"]);
    let mut damaged = bytes;
    damaged[100] ^= 1;
    let server = Server::new(damaged);
    assert!(matches!(
        PackOptions::default().open_from(server.clone()).wait().unwrap_err().kind(),
        ErrorKind::Format(error) if error.is_damage()
    ));
    assert_eq!(server.asked().len(), 4, "it is read again three times");
}

#[test]
fn a_part_of_a_file_is_mapped() {
    let bytes = files(5);
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("base.apk");
    std::fs::write(&file, [&noise(12345)[..], &bytes, b"more"].concat()).unwrap();
    let open = |offset, len| PackOptions::default().open_from(FilePart::open(&file, offset, len).unwrap()).wait();
    let store = Store::from_packs([open(12345, bytes.len() as u64).unwrap()]);
    let loaded: Handle<Raw> = store.load(id("3.bin")).unwrap();
    assert!(loaded.get().bytes() == content(3));
    assert_message(open(12345, 1 << 40), &["base.apk", "the part ends beyond the end of the file"]);
    assert_message(open(12345, u64::MAX), &["the part ends beyond the end of the file"]);
}

#[test]
fn a_program_opens_its_own_pack_and_no_other() {
    let set_hash = [3; 16];
    let location = Location { pack: "game", dev: None, pack_path_tail: None, set_hash, types: &ALL_TYPES };
    let with_hash = |hash: [u8; 16]| {
        let builder = pack([raw("0.bin", &content(0))]).set_hash(hash);
        Server::new(builder.to_vec().unwrap())
    };
    assert_loads(&from_packs(&location, vec![with_hash(set_hash).open()]).unwrap(), 0);
    let other = from_packs(&location, vec![with_hash([4; 16]).open()]);
    assert_message(other, &["come from different builds", "https://example.org/game.rres"]);
    assert_message(from_packs(&location, Vec::new()), &["expected 1", "found 0"]);
}

/// A source that answers badly in every way that a connection can: it breaks off, sends other bytes, nothing, or everything.
#[test]
fn a_thousand_faults_lead_to_no_wrong_asset_and_everything_arrives() {
    const FILES: usize = 60;
    let mut faults = 0;
    for seed in 0.. {
        let random = Arc::new(Mutex::new((Random::new(seed + 1), 0)));
        let source = Arc::clone(&random);
        let server = Server::answering(files(FILES), move |pack, range, mut reply| {
            let mut state = source.lock().unwrap();
            let fault = state.0.below(7);
            let mut sent = part(pack, range).to_vec();
            let at = state.0.below(sent.len());
            state.1 += u32::from(fault < 6);
            drop(state);
            match fault {
                0 => return reply.fail(io::ErrorKind::ConnectionReset.into()),
                1 => return,
                2 => sent.truncate(at),
                3 => sent[at] ^= 0x10,
                4 => sent.iter_mut().for_each(|byte| *byte = 0),
                5 => {
                    let _ = reply.push(&sent[..at]);
                    return reply.fail(io::ErrorKind::TimedOut.into());
                }
                _ => {}
            }
            answer(&sent, 0..sent.len() as u64, reply);
        });
        let options = PackOptions::default().keep_parts(100_000);
        let pack = std::iter::repeat_with(|| options.open_from(server.clone()).wait()).find_map(Result::ok).unwrap();
        let store = Store::from_packs([pack]);
        let mut left: Vec<usize> = (0..FILES).collect();
        while !left.is_empty() {
            let loading = store.load_group(list(left.iter().map(|number| path(*number))));
            let loaded = loading.wait().unwrap_or_else(|error| {
                assert!(error.errors().iter().all(is_honest), "{error}");
                error.into_rest()
            });
            left.retain(|number| match loaded.find(id::<Raw>(&path(*number))) {
                Some(file) => {
                    assert!(file.get().bytes() == content(*number), "file {number} with seed {seed}");
                    false
                }
                None => true,
            });
        }
        faults += random.lock().unwrap().1;
        if faults > 1000 {
            break;
        }
    }
}

/// Whether an error says that the source is at fault.
fn is_honest(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(_) | ErrorKind::Format(_))
        && error.to_string().contains("https://example.org/game.rres")
}

#[test]
fn compressed_and_encrypted_chunks_are_read_in_parts_too() {
    let server =
        Server::new(pack([image("a.png", Compression::ZSTD), image("b.png", Compression::LZ4)]).to_vec().unwrap());
    let store = server.store();
    let names =
        ["a.png", "b.png"].map(|name| store.load(id::<rres_runtime::Image>(name)).unwrap().get().data().to_vec());
    assert_eq!(names[0], names[1]);
    assert_eq!(names[0], super::assets::pixels());
}

#[test]
fn a_pack_on_a_server_is_mounted_over_one_that_is_here() {
    let here = files(5);
    let far = pack([raw(&path(3), b"newer"), raw("addition.bin", &content(9))]).to_vec().unwrap();
    let server = Server::new(far.clone());
    let store = Store::from_packs([PackOptions::default().from_bytes(here.clone()).unwrap()]);
    let third: Handle<Raw> = store.load(id(&path(3))).unwrap();
    let mounted = store.mount(server.open()).unwrap();
    assert_eq!(third.get().bytes(), b"newer", "what was loaded is read from the server");

    // A group of both: what is here needs no request.
    let asked = server.asked().len();
    let group = || list([path(1), path(2), "addition.bin".to_owned()]);
    let size = |pack: &[u8], path: &str| place(pack, path).end - place(pack, path).start;
    let of_base = size(&here, "1.bin") + size(&here, "2.bin");
    let stored = store.stored_bytes(group());
    assert_eq!((stored.here, stored.total), (of_base, of_base + size(&far, "addition.bin")));
    let loaded = store.load_group(group()).wait().unwrap();
    let sizes: Vec<usize> = loaded.iter().map(|file| file.downcast::<Raw>().unwrap().get().bytes().len()).collect();
    assert_eq!(sizes, [1, 2, 9].map(|number| content(number).len()));
    assert_eq!(server.asked().len(), asked + 1);

    assert!(store.unmount(mounted));
    assert!(third.get().bytes() == content(3));
    // Without a connection, what is loaded keeps its value, and the rest is as it was.
    let broken = Server::answering(far, |pack, range, reply| match range.start {
        0 => answer(pack, range, reply),
        _ => reply.fail(io::Error::other("the cable is out")),
    });
    let events = store.events();
    store.mount(broken.open()).unwrap();
    assert!(third.get().bytes() == content(3));
    let failed = events.try_iter().map(|event| event.to_string()).find(|event| event.contains("the cable is out"));
    assert!(failed.is_some(), "an event says why");
    assert_loads(&store, 4);
}
