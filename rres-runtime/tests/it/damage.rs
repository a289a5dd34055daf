//! Wrong calls and damaged packs: the error names the asset, its id, the file and the offset.

use rres_format::{ChunkInfo, FourCc, PackView};
use rres_runtime::{CrcPolicy, Error, ErrorKind, Image, Limits, Pack, PackOptions, Raw, ResourceId, Store, Text};
use rres_test_data::damage::{BITS, cuts, flipped};

use super::assets::{image, pack, raw, text};
use super::{File, assert_message, id, store};

/// A pack with a byte of `a.bin` flipped, and the offset of its chunk.
fn damaged() -> (File, u32) {
    let mut bytes = pack([raw("a.bin", &[0; 64]), raw("b.bin", b"fine")]).to_vec().unwrap();
    let view = PackView::parse(&bytes).unwrap();
    let offset = view.find(ResourceId::from_path("a.bin")).unwrap().unwrap().offset;
    let at = offset as usize + ChunkInfo::SIZE + 20 + 10;
    bytes[at] ^= 1;
    (File::with_bytes(&bytes), offset)
}

fn load_a(pack: &Pack) -> Result<Raw, Error> {
    pack.load(ResourceId::from_path("a.bin"))
}

#[test]
fn a_flipped_byte_names_path_id_offset_and_file() {
    let (file, offset) = damaged();
    let pack = file.open();
    let id = ResourceId::from_path("a.bin");
    let file_name = file.path().display().to_string();
    assert_message(
        load_a(&pack),
        &["asset \"a.bin\"", &id.to_string(), &format!("offset {offset}"), "crc32", &file_name, "install it again"],
    );
    let error = load_a(&pack).unwrap_err();
    assert_eq!(error.file(), Some(&*file.path()));
    assert!(matches!(error.kind(), ErrorKind::Format(rres_format::Error::CrcMismatch { .. })));
    assert_eq!(error.asset().map(|asset| (asset.path(), asset.id())), Some(("a.bin", id)));
    assert!(!format!("{error:?}").contains("Inner"), "Debug is for people too");
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("b.bin")).unwrap().bytes(), b"fine");
}

#[test]
fn crc_policies() {
    let (file, _) = damaged();
    let open = |policy| PackOptions::default().crc_policy(policy).open(file.path()).unwrap();
    for policy in [CrcPolicy::Once, CrcPolicy::Always] {
        let pack = open(policy);
        for _ in 0..3 {
            assert!(load_a(&pack).is_err(), "{policy:?}: a failed check does not count as a check");
        }
    }
    let mut expected = [0; 64];
    expected[10] = 1;
    assert_eq!(load_a(&open(CrcPolicy::Off)).unwrap().bytes(), expected);
}

#[test]
fn wrong_kinds_are_refused() {
    let store = store(&pack([text("a.txt", "text")]));
    assert_message(store.load(id::<Image>("a.txt")), &["asset \"a.txt\" (", "expected kind image, found text"]);
    let error = store.load(id::<Image>("a.txt")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WrongKind { .. }));
    assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "text", "the right kind still loads");
}

#[test]
fn missing_assets_are_named() {
    let store = store(&pack([text("ui/button.txt", ""), text("ui/panel.txt", "")]));
    let missing = ResourceId::from_path("gone.txt");
    let error = store.load(id::<Text>("gone.txt")).unwrap_err();
    assert_eq!(
        error.asset().map(|asset| (asset.path(), asset.id(), asset.to_string())),
        Some(("", missing, missing.to_string()))
    );
    assert_message(store.load(id::<Text>("gone.txt")), &[&format!("no asset with the id {missing}")]);
    assert_message(store.find("ui/buton.txt"), &["no asset at \"ui/buton.txt\"; did you mean \"ui/button.txt\"?"]);
    assert_message(store.find("ui/butt"), &["no asset at \"ui/butt\""]);
    let text = store.find("something else").unwrap_err().to_string();
    assert_eq!(text, "no asset at \"something else\"");
    assert_eq!(store.find("ui/button.txt").unwrap().resource(), ResourceId::from_path("ui/button.txt"));
    assert!(store.find("UI/button.txt").is_err(), "case is kept");
    assert_eq!(store.find_typed::<Text>("ui/button.txt").unwrap(), id("ui/button.txt"));
    assert_message(
        store.find_typed::<Image>("ui/button.txt"),
        &["asset \"ui/button.txt\" (", "expected kind image, found text"],
    );
}

/// A hostile pack of 140 KB: the index entries of 2,000 resources share one path of 65,535 bytes.
fn with_one_long_path() -> Vec<u8> {
    let mut builder = pack((0..2_000).map(|i| raw(&format!("{i}"), b"")));
    builder.push(raw(&"x".repeat(65_535), b""));
    let mut bytes = builder.directory(false).to_vec().unwrap();
    let u32_at = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    // The block of the index consists of the number of its properties, three properties, and data. At offset 8 of the
    // data is the offset of the entries. An entry has 44 bytes, with the offset and the length of its path at 16 and
    // 28.
    let index = PackView::parse(&bytes).unwrap().chunks().map(|chunk| chunk.unwrap()).next().unwrap();
    let (header, size) = (index.offset as usize, index.info.packed_size as usize);
    let data = header + ChunkInfo::SIZE + 16;
    let entries = data + u32_at(&bytes, data + 8) as usize;
    let all: Vec<usize> = (0..2_001).map(|slot| entries + slot * 44).collect();
    let long = *all.iter().find(|entry| bytes[**entry + 28..**entry + 30] == [0xff, 0xff]).unwrap();
    let (offset, len) = (u32_at(&bytes, long + 16), [0xff, 0xff]);
    for entry in all {
        bytes[entry + 16..entry + 20].copy_from_slice(&offset.to_le_bytes());
        bytes[entry + 28..entry + 30].copy_from_slice(&len);
    }
    // The author of such a pack makes its CRC fit.
    let crc = crc32fast::hash(&bytes[header + ChunkInfo::SIZE..][..size]);
    bytes[header + 28..][..4].copy_from_slice(&crc.to_le_bytes());
    bytes
}

#[test]
fn the_search_for_a_similar_path_is_bounded_however_many_and_long_paths_are() {
    let store = Store::from_packs([PackOptions::default().from_bytes(with_one_long_path()).unwrap()]);
    assert!(store.mounts().entries().filter(|entry| entry.path.len() == 65_535).count() == 2_001);
    // Without a bound it takes minutes; `nearest` counts what it examines.
    for asked in ["ui/button.txt", &"x".repeat(500), &format!("{}y", "x".repeat(65_534))] {
        assert!(matches!(store.find(asked).unwrap_err().kind(), ErrorKind::NoSuchPath { .. }));
    }
}

#[test]
fn a_file_that_is_not_a_pack_is_refused_with_the_reason() {
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b"PNG", "starts with \"PNG\\x00\""),
        (b"rres", "truncated file header at offset 0: expected 16 bytes, found 4"),
        (b"rres\x65\0\0\0\0\0\0\0\0\0\0\0", "version 101 is not supported"),
    ] {
        let file = File::with_bytes(bytes);
        assert_message(Pack::open(file.path()), &[says, &file.path().display().to_string()]);
        assert_message(PackOptions::default().from_bytes(bytes), &[says]);
    }
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing.rres");
    let error = Pack::open(&missing).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    assert_message(Pack::open(&missing), &["missing.rres"]);
    assert!(Pack::open(dir.path()).is_err(), "a directory");
}

#[test]
fn limits_hold() {
    // Without a compressor there is nothing to limit.
    let compression = rres_format::Compression::ZSTD;
    if !compression.is_enabled() {
        return;
    }
    let file = File::new(&pack([image("a.png", compression), raw("b.bin", &[1; 5000])]));
    let limits = Limits::DEFAULT.with_max_decoded(100);
    let pack = PackOptions::default().limits(limits).open(file.path()).unwrap();
    let image = pack.load::<Image>(ResourceId::from_path("a.png"));
    assert_message(image, &["\"a.png\"", "the decoded size of a chunk in bytes is 148, expected at most 100"]);
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("b.bin")).unwrap().bytes().len(), 5000, "nothing is decoded");
}

/// The CRC of a chunk covers neither its header nor the front index, which have CRCs of their own.
#[test]
fn no_flipped_bit_is_read_as_something_else() {
    let mut picture = image("b.png", Default::default());
    picture.meta.set(rres_format::index::MetaKey::FILTER, 1);
    picture.dependencies = vec![ResourceId::from_path("c.bin")];
    let parts = [text("a.txt", "some text"), picture, raw("c.bin", b"raw")];
    let whole = pack(parts).to_vec().unwrap();
    let load = |bytes: &[u8]| -> Result<String, rres_runtime::Error> {
        let store = Store::from_packs([PackOptions::default().from_bytes(bytes)?]);
        let text = store.load(id::<Text>("a.txt"))?.get();
        let image = store.load(id::<Image>("b.png"))?.get();
        let raw = store.load(id::<Raw>("c.bin"))?.get();
        let found = store.find("b.png")?.resource();
        Ok(format!(
            "{:?} {:?} {:?} {:?} {found}",
            text.as_str(),
            (image.filter(), image.format()),
            &image.data()[..],
            raw.bytes()
        ))
    };
    let right = load(&whole).unwrap();
    for (place, bytes) in flipped(&whole, 0..whole.len(), &BITS) {
        let found = load(&bytes);
        assert!(found.as_ref().map_or(true, |found| *found == right), "{place}: {found:?}");
    }
}

#[test]
fn truncated_packs_and_flipped_bytes_never_panic() {
    let own = pack([text("a.txt", "some text"), image("b.png", Default::default()), raw("c.bin", b"raw")]);
    let foreign = pack([text("a.txt", "some text"), image("b.png", Default::default())]).index(false);
    for whole in [own.to_vec().unwrap(), foreign.to_vec().unwrap()] {
        let try_all = |bytes: &[u8]| {
            let Ok(pack) = PackOptions::default().from_bytes(bytes) else { return };
            for entry in pack.entries() {
                let all = (pack.load::<Text>(entry.id), pack.load::<Image>(entry.id), pack.load::<Raw>(entry.id));
                drop(all);
            }
        };
        cuts(&whole).for_each(try_all);
        flipped(&whole, 0..whole.len(), &[0xff, 0x01, 0x80]).for_each(|(_, bytes)| try_all(&bytes));
    }
}

/// A pack whose front index has a flipped bit, at an offset from the start of its block.
fn with_damaged_index(pack: &rres_format::PackBuilder<'_>, at: usize) -> Vec<u8> {
    let mut bytes = pack.to_vec().unwrap();
    bytes[16 + ChunkInfo::SIZE + at] ^= 1;
    bytes
}

#[test]
fn a_damaged_index_can_be_replaced_by_a_scan() {
    let shared = text("a.txt", "same");
    let sharing = text("b.txt", "same").sharing(shared.id);
    let packed = pack([shared, sharing, image("c.png", Default::default()), super::meshes::triangle()]);
    let block = PackView::parse(&packed.to_vec().unwrap()).unwrap().chunk_at(16).unwrap().info.packed_size as usize;
    for at in 0..block {
        let bytes = with_damaged_index(&packed, at);
        let pack = PackOptions::default().recover_index(true).from_bytes(bytes).unwrap();
        assert!(pack.index_damage().is_some(), "byte {at}");
        let store = Store::from_packs([pack]);
        assert_eq!(store.mounts().warnings().count(), 1);
        assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "same");
        assert_eq!(store.load(id::<Text>("b.txt")).unwrap().get().as_str(), "same", "it shares the chunk of a.txt");
        assert_eq!(*store.load(id::<Image>("c.png")).unwrap().get().data(), super::assets::pixels());
        let model = store.load(id::<rres_runtime::Model>("a.glb")).unwrap();
        assert_eq!(model.get().primitives()[0].indices().unwrap().len(), 3, "in a chunk of its own");
    }
}

#[test]
fn an_intact_index_is_used_and_a_damaged_one_is_refused_by_default() {
    let packed = pack([text("a.txt", "a")]);
    let options = PackOptions::default().recover_index(true);
    let intact = options.from_bytes(packed.to_vec().unwrap()).unwrap();
    assert!(intact.index_damage().is_none());
    assert_eq!(Store::from_packs([intact]).mounts().warnings().count(), 0);
    assert_message(PackOptions::default().from_bytes(with_damaged_index(&packed, 4 + 8)), &["front index"]);
}

#[test]
fn a_set_of_packs_is_recovered_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let first = pack([text("a.txt", "a")]).set_hash([3; 16]).additional_packs(2);
    // A byte of the header.
    std::fs::write(dir.path().join("game.rres"), with_damaged_index(&first, 4 + 8)).unwrap();
    for (name, path) in [("game.1.rres", "b.txt"), ("game.2.rres", "c.txt")] {
        let additional = pack([text(path, path)]).set_hash([3; 16]);
        std::fs::write(dir.path().join(name), additional.to_vec().unwrap()).unwrap();
    }
    let options = PackOptions::default().recover_index(true);
    let store = super::open_file(dir.path(), options.clone()).unwrap();
    assert_eq!(store.mounts().entries().count(), 3);
    assert_eq!(store.load(id::<Text>("c.txt")).unwrap().get().as_str(), "c.txt");
    assert_message(super::open_file(dir.path(), PackOptions::default()), &["front index", "game.rres"]);
    drop(store);
    // The number of packs is known only from the index, but a damaged one among them is not the end of the set.
    std::fs::write(dir.path().join("game.1.rres"), b"rre").unwrap();
    assert_message(super::open_file(dir.path(), options), &["game.1.rres"]);
}

/// Without its index, a pack of ours would look like one of another program: its assets load, but without what only the index
/// knows.
#[test]
fn a_pack_whose_first_header_is_destroyed_is_not_read_as_one_of_another_program() {
    let mut picture = image("b.png", Default::default());
    picture.meta.set(rres_format::index::MetaKey::FILTER, 1);
    let whole = pack([picture]).to_vec().unwrap();
    let header = 16..16 + ChunkInfo::SIZE;
    let mut damaged: Vec<(String, Vec<u8>)> = Vec::new();
    for value in [0, 1, 0xff] {
        for field in [0, 8, 9, 12, 16] {
            let mut bytes = whole.clone();
            bytes[16] ^= 0x10;
            bytes[16 + field] = value;
            damaged.push((format!("kind, and {value} at {field}"), bytes));
        }
    }
    for len in [4, 8, 16, 18] {
        let mut bytes = whole.clone();
        let (before, after) = bytes[9..].split_at_mut(len);
        before.swap_with_slice(&mut after[..len]);
        damaged.push((format!("{len} bytes swapped"), bytes));
    }
    for len in 1..=header.len() {
        let mut bytes = whole.clone();
        bytes.drain(header.start..header.start + len);
        damaged.push((format!("{len} bytes removed"), bytes));
        let mut bytes = whole.clone();
        bytes.splice(header.start..header.start, vec![0; len]);
        damaged.push((format!("{len} bytes inserted"), bytes));
    }
    let mut another = whole.clone();
    another.splice(header.start..header.start, whole[header].iter().map(|byte| byte ^ 0x5a).take(32));
    damaged.push(("a header inserted".to_owned(), another));
    for (what, bytes) in damaged {
        assert!(PackOptions::default().from_bytes(bytes).is_err(), "{what}");
    }
}

#[test]
fn a_pack_within_a_pack_of_another_program_is_not_taken_for_its_index() {
    let ours = pack([text("a.txt", "a")]).to_vec().unwrap();
    let foreign = pack([raw("game.rres", &ours)]).index(false).to_vec().unwrap();
    let pack = PackOptions::default().from_bytes(foreign).unwrap();
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("game.rres")).unwrap().bytes(), ours);
}

/// A path has no checksum of its own, so a list cannot be checked entry by entry.
#[test]
fn a_list_that_is_damaged_has_a_warning() {
    let whole = pack([text("levels/1.txt", "one"), raw("mods/a.bin", b"a")]).to_vec().unwrap();
    let list = |store: &Store| -> Vec<String> {
        store.mounts().entries().map(|entry| format!("{} {:?}", entry.path, entry.id)).collect()
    };
    let right = list(&Store::from_packs([PackOptions::default().from_bytes(whole.clone()).unwrap()]));
    let index = PackView::parse(&whole).unwrap().chunk_at(16).unwrap();
    let mut different = 0;
    for (place, bytes) in flipped(&whole, index.offset as usize..index.end() as usize, &BITS) {
        let Ok(pack) = PackOptions::default().from_bytes(bytes) else { continue };
        assert!(pack.check_index().is_err(), "{place}");
        let store = Store::from_packs([pack]);
        different += u32::from(list(&store) != right);
        assert_eq!(store.mounts().warnings().count(), 1, "{place}");
    }
    assert!(different > 100);
}

/// A damaged path would be another path, and a damaged id hides an asset.
#[test]
fn no_flipped_bit_of_an_index_changes_a_list_or_a_path() {
    let bytes =
        pack([text("levels/one.txt", "1"), text("levels/two.txt", "2"), raw("mods/a.bin", b"3")]).to_vec().unwrap();
    let listed = |pack: &Pack| -> Vec<(String, ResourceId)> {
        pack.entries().map(|entry| (entry.path.to_owned(), entry.id.resource())).collect()
    };
    let open = |bytes: &[u8]| PackOptions::default().from_bytes(bytes.to_vec());
    let intact = listed(&open(&bytes).unwrap());
    let index = PackView::parse(&bytes).unwrap().chunks().next().unwrap().unwrap();
    assert_eq!(index.info.kind, FourCc::INDX);
    let mut damaged = 0;
    for (at, changed) in flipped(&bytes, index.offset as usize..index.end() as usize, &BITS) {
        let Ok(pack) = open(&changed) else { continue };
        let list = listed(&pack);
        if pack.check_index().is_err() {
            damaged += 1;
            assert!(list.is_empty(), "byte {at}: {list:?}");
            assert_eq!(pack.find("levels/one.txt"), None, "byte {at}");
            let store = Store::from_packs([pack]);
            assert!(matches!(store.find("levels/one.txt").unwrap_err().kind(), ErrorKind::Format(_)));
            assert!(matches!(store.folder("levels").unwrap_err().kind(), ErrorKind::Format(_)));
            assert!(matches!(store.group("levels").unwrap_err().kind(), ErrorKind::Format(_)));
            assert_eq!(store.mounts().entries().count(), 0);
            assert_eq!(store.mounts().warnings().count(), 1);
        } else {
            assert_eq!(list, intact, "byte {at}");
        }
    }
    assert!(damaged > 100, "{damaged}");
}
