//! Packs on a server of this computer that fails in every way.
#![cfg(not(target_family = "wasm"))]

use std::sync::Mutex;

use rres_format::{Compression, FourCc, PackBuilder, Resource, StoredChunk, chunk::raw::raw_block};
use rres_http::HttpSource;
use rres_runtime::{AnyId, AssetList, Error, Handle, Id, Pack, PackOptions, Raw, Store};
use rres_test_data::random::{Random, noise};
use rres_test_server::{Fault, Request, Server};

const FILES: usize = 40;

fn path(number: usize) -> String {
    format!("{number}.bin")
}

fn content(number: usize) -> Vec<u8> {
    let mut bytes = noise(3000);
    bytes.resize(40_000 + number, number as u8);
    bytes
}

fn pack_with(first: &[u8]) -> Vec<u8> {
    let mut pack = PackBuilder::new();
    for number in 0..FILES {
        let content = if number == 0 { first.to_vec() } else { content(number) };
        let block = raw_block(".bin", &content);
        let chunk = StoredChunk::encode(FourCc::RAWD, &block, Compression::NONE, &mut Default::default()).unwrap();
        pack.push(Resource::new(path(number), vec![chunk]));
    }
    pack.to_vec().unwrap()
}

fn pack() -> Vec<u8> {
    pack_with(&content(0))
}

fn server() -> Server {
    Server::start([("/game.rres", pack())])
}

fn open(source: &HttpSource) -> Result<Pack, Error> {
    PackOptions::default().open_from(source.clone()).wait()
}

fn source(server: &Server) -> HttpSource {
    HttpSource::new(server.url("/game.rres"))
}

fn id(number: usize) -> Id<Raw> {
    Id::from_path(&path(number))
}

fn all() -> AssetList {
    (0..FILES).map(|number| AnyId::from(id(number))).collect()
}

#[track_caller]
fn assert_loads_all(store: &Store) {
    let group = store.load_group(all()).wait().unwrap();
    for number in 0..FILES {
        assert!(group.find(id(number)).unwrap().get().bytes() == content(number), "file {number}");
    }
}

#[track_caller]
fn assert_fails<T>(result: Result<T, Error>, texts: &[&str]) {
    let text = result.err().expect("this should fail").to_string();
    texts.iter().for_each(|part| assert!(text.contains(part), "{part:?} is not in {text:?}"));
}

#[test]
fn a_pack_is_read_in_parts() {
    let server = server();
    let source = source(&server);
    let store = Store::from_packs([open(&source).unwrap()]);
    assert!(source.received() <= 32 << 10);
    let file: Handle<Raw> = store.load(id(7)).unwrap();
    assert!(file.get().bytes() == content(7));
    assert!(source.received() < (32 << 10) + 45_000, "{} bytes", source.received());
    assert_loads_all(&store);
    assert_eq!(source.received(), server.sent());
    let ranges = server.take_requests();
    assert!(ranges.iter().all(|request| request.range.is_some()) && ranges.len() < 10, "{ranges:?}");
}

#[test]
fn a_connection_that_breaks_goes_on_where_it_stopped() {
    let server = server();
    // Each connection ends after 10,000 bytes.
    server.set_faults(|_| Fault::CutAfter(10_000));
    let source = source(&server);
    assert_loads_all(&Store::from_packs([open(&source).unwrap()]));
    let total: u64 = (FILES * 45_000) as u64;
    assert!(server.sent() < total + (64 << 10), "{} bytes for {total}", server.sent());
}

#[test]
fn what_has_arrived_of_a_range_that_fails_is_kept() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let store = Store::from_packs([open(&source(&server).keep(dir.path().to_str().unwrap())).unwrap()]);
    server.take_requests();
    let begun = Mutex::new(false);
    server.set_faults(move |_| match std::mem::replace(&mut *begun.lock().unwrap(), true) {
        false => Fault::CutAfter(10_000),
        true => Fault::Status(403),
    });
    assert_fails(store.load(id(20)), &["20.bin", "403"]);
    let asked = server.take_requests()[0].range.clone().unwrap();
    server.set_faults(|_| Fault::None);
    let file = store.load(id(20)).unwrap();
    assert!(file.get().bytes() == content(20));
    let rest = server.take_requests()[0].range.clone().unwrap();
    assert_eq!(rest, asked.start + 10_000..asked.end);
}

#[test]
fn a_server_that_sends_less_than_it_was_asked_for_is_asked_for_the_rest() {
    let server = server();
    server.set_faults(|_| Fault::Shorter(10_000));
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep(dir.path().to_str().unwrap());
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
    // Kept as if it had come at once.
    server.set_faults(|_| Fault::None);
    let again = keep();
    assert_loads_all(&Store::from_packs([open(&again).unwrap()]));
    assert!(again.received() <= 32 << 10, "{} bytes", again.received());
}

#[test]
fn a_whole_pack_in_place_of_a_range_is_not_kept_as_that_range() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let store = Store::from_packs([open(&source(&server).keep(dir.path().to_str().unwrap())).unwrap()]);
    server.set_faults(|_| Fault::NoRange);
    assert_loads_all(&store);
    let kept = walk(dir.path());
    assert!(kept.iter().all(|file| file.file_name().unwrap().to_str().unwrap().starts_with("0-")), "{kept:?}");
}

#[test]
fn a_busy_server_is_asked_again_and_others_are_not() {
    let server = server();
    server.set_faults(|request| if request.number == 0 { Fault::Status(503) } else { Fault::None });
    assert_loads_all(&Store::from_packs([open(&source(&server)).unwrap()]));
    server.take_requests();
    server.set_faults(|_| Fault::Status(403));
    assert_fails(open(&source(&server)), &[&server.url("/game.rres"), "the server answered 403"]);
    server.set_faults(|_| Fault::None);
    assert_fails(open(&HttpSource::new(server.url("/none.rres"))), &["/none.rres", "404"]);
    assert_eq!(server.take_requests().len(), 2);
    assert_fails(open(&HttpSource::new("not an address")), &["not an address"]);
}

#[test]
fn a_server_without_ranges_sends_the_pack_once() {
    let server = server();
    server.set_faults(|_| Fault::NoRange);
    let source = source(&server);
    assert_loads_all(&Store::from_packs([open(&source).unwrap()]));
    assert_eq!(server.take_requests().len(), 1);
}

#[test]
fn a_pack_that_is_replaced_while_the_program_runs_is_no_mixture() {
    let server = server();
    let store = Store::from_packs([open(&source(&server)).unwrap()]);
    server.set_file("/game.rres", pack_with(b"another"));
    assert_fails(store.load(id(5)), &["5.bin", "replaced on the server", "start the program"]);
}

#[test]
fn a_pack_that_is_published_again_is_the_same_pack() {
    let server = server();
    let store = Store::from_packs([open(&source(&server)).unwrap()]);
    server.set_etags(|_| 1);
    let is_front = |request: &Request| request.range.as_ref().is_some_and(|range| range.start == 0);
    let fronts = || server.take_requests().iter().filter(|request| is_front(request)).count();
    fronts();
    assert!(store.load(id(7)).unwrap().get().bytes() == content(7));
    assert_eq!(fronts(), 1, "the front is looked at again");
    assert_loads_all(&store);
    assert_eq!(fronts(), 0);
}

#[test]
fn two_servers_may_name_a_pack_differently() {
    let server = server();
    for turns in [1, 3] {
        server.set_etags(move |request| request.number as u64 / turns % 2);
        assert_loads_all(&Store::from_packs([open(&source(&server)).unwrap()]));
        let store = Store::from_packs([open(&source(&server)).unwrap()]);
        (0..FILES).for_each(|number| assert!(store.load(id(number)).unwrap().get().bytes() == content(number)));
    }
    // Names that are never the same.
    server.set_etags(|request| request.number as u64);
    assert_loads_all(&Store::from_packs([open(&source(&server)).unwrap()]));
    // Answers that are shorter than what was asked for.
    server.set_etags(|_| 0);
    server.set_faults(|_| Fault::Shorter(10_000));
    let pack = open(&source(&server)).unwrap();
    server.set_etags(|_| 1);
    assert_loads_all(&Store::from_packs([pack]));
}

#[test]
fn a_front_from_two_servers_is_no_mixture() {
    let server = server();
    server.set_etags(|request| u64::from(request.number == 0));
    server.set_faults(|request| if request.number == 0 { Fault::CutAfter(10_000) } else { Fault::None });
    assert_loads_all(&Store::from_packs([open(&source(&server)).unwrap()]));
}

#[test]
fn a_pack_that_is_replaced_by_a_shorter_one_or_without_a_name_is_no_damage() {
    let server = server();
    server.set_etags(|_| 0);
    for hides_names in [false, true] {
        server.set_file("/game.rres", pack());
        server.hide_etags(hides_names);
        let store = Store::from_packs([open(&source(&server)).unwrap()]);
        server.set_file("/game.rres", pack_with(b"another"));
        assert_fails(store.load(id(FILES - 1)), &["39.bin", "replaced on the server"]);
    }
}

#[test]
fn a_whole_pack_that_breaks_off_is_asked_for_again() {
    let server = server();
    server.set_faults(|request| if request.number < 2 { Fault::WholeUntil(100_000) } else { Fault::NoRange });
    assert_loads_all(&Store::from_packs([open(&source(&server)).unwrap()]));
    assert_eq!(server.take_requests().len(), 3);
}

#[test]
fn a_front_that_arrives_damaged_costs_nothing_of_what_is_kept() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep(dir.path().to_str().unwrap());
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
    // In the front index, and in the first file behind it.
    for at in [1000, 20_000] {
        let begun = Mutex::new(false);
        server.set_faults(move |_| match std::mem::replace(&mut *begun.lock().unwrap(), true) {
            false => Fault::WrongByte(at),
            true => Fault::None,
        });
        for _ in 0..2 {
            let again = keep();
            assert_loads_all(&Store::from_packs([open(&again).unwrap()]));
            assert!(again.received() <= 64 << 10, "{} bytes", again.received());
        }
    }
}

#[test]
fn a_pack_that_is_gone_is_missed_in_other_words_than_one_that_never_was() {
    let server = server();
    let store = Store::from_packs([open(&source(&server)).unwrap()]);
    server.set_faults(|_| Fault::Status(404));
    assert_fails(store.load(id(5)), &["5.bin", "404", "is not there any more", "start the program"]);
}

#[test]
fn a_second_start_reads_the_front_and_nothing_else() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep(dir.path().to_str().unwrap());
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
    server.take_requests();
    let again = keep();
    let store = Store::from_packs([open(&again).unwrap()]);
    // Other ranges than the first time.
    for number in (0..FILES).rev() {
        assert!(store.load(id(number)).unwrap().get().bytes() == content(number));
    }
    let requests = server.take_requests();
    assert!(requests.len() == 1 && again.received() <= 32 << 10, "{requests:?}");
}

#[test]
fn no_more_is_kept_than_may_be() {
    const LIMIT: u64 = 200_000;
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep_up_to(dir.path().to_str().unwrap(), LIMIT);
    let whole = keep();
    let store = Store::from_packs([open(&whole).unwrap()]);
    store.load(id(3)).unwrap();
    // One of its ranges is longer than what may be kept, and costs the others nothing.
    assert_loads_all(&store);
    let again = keep();
    assert_loads_all(&Store::from_packs([open(&again).unwrap()]));
    assert!(again.received() > whole.received() - LIMIT, "{} of {} bytes", again.received(), whole.received());
    let kept: u64 = walk(dir.path()).iter().map(|file| std::fs::metadata(file).unwrap().len()).sum();
    assert!(kept > LIMIT / 10 && kept <= LIMIT, "{kept} bytes are kept");
}

/// The files below a directory.
fn walk(dir: &std::path::Path) -> Vec<std::path::PathBuf> {
    let paths = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn without_a_connection_what_was_kept_is_played() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep(dir.path().to_str().unwrap());
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
    // Not a connection that is refused at once: that waits for seconds. A server that is busy is the same.
    server.set_faults(|_| Fault::Reset);
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
}

#[test]
fn what_was_kept_is_compared_when_there_is_a_connection_again() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep(dir.path().to_str().unwrap());
    let begun = Store::from_packs([open(&keep()).unwrap()]);
    assert!(begun.load(id(0)).unwrap().get().bytes() == content(0));
    for (first, is_same) in [(content(0), true), (b"another".to_vec(), false)] {
        server.set_faults(|_| Fault::Reset);
        let store = Store::from_packs([open(&keep()).unwrap()]);
        assert!(store.load(id(0)).unwrap().get().bytes() == content(0));
        server.set_faults(|_| Fault::None);
        server.set_file("/game.rres", pack_with(&first));
        match is_same {
            true => assert!(store.load(id(20)).unwrap().get().bytes() == content(20)),
            false => assert_fails(store.load(id(30)), &["30.bin", "replaced on the server"]),
        }
    }
}

#[test]
fn a_new_version_replaces_what_was_kept_and_damage_there_is_mended() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let keep = || source(&server).keep(dir.path().to_str().unwrap());
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
    let files = || -> Vec<std::path::PathBuf> {
        let under = |dir: &std::path::Path| {
            std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
        };
        let versions: Vec<_> = under(dir.path()).iter().flat_map(|pack| under(pack)).collect();
        assert_eq!(versions.len(), 1, "one version of one pack is kept");
        under(&versions[0])
    };
    for file in files() {
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).unwrap();
    }
    assert_loads_all(&Store::from_packs([open(&keep()).unwrap()]));
    // They are right again.
    let again = keep();
    assert_loads_all(&Store::from_packs([open(&again).unwrap()]));
    assert!(again.received() <= 32 << 10, "{} bytes", again.received());

    let before = files();
    server.set_file("/game.rres", pack_with(b"another"));
    let store = Store::from_packs([open(&keep()).unwrap()]);
    assert_eq!(store.load(id(0)).unwrap().get().bytes(), b"another");
    assert!(files().iter().all(|file| !before.contains(file)));
}

#[test]
fn a_thousand_faults_lead_to_no_wrong_asset_and_everything_arrives() {
    let server = server();
    let random = Mutex::new(Random::new(7));
    server.set_faults(move |_| {
        let mut random = random.lock().unwrap();
        match random.below(12) {
            // Seldom enough that six in a row, which would wait for seconds, do not occur.
            0 => Fault::WrongByte(random.below(100_000)),
            _ => Fault::CutAfter(8000 + random.below(30_000)),
        }
    });
    let mut faults = 0;
    while faults < 1000 {
        let Ok(pack) = open(&source(&server)) else { continue };
        let store = Store::from_packs([pack]);
        let loaded = store.load_group(all()).wait().unwrap_or_else(|error| error.into_rest());
        for number in 0..FILES {
            if let Some(file) = loaded.find(id(number)) {
                assert!(file.get().bytes() == content(number), "file {number}");
            }
        }
        faults += server.take_requests().len();
    }
    server.set_faults(|_| Fault::None);
    assert_loads_all(&Store::from_packs([open(&source(&server)).unwrap()]));
}
