//! Wrong calls and damaged packs: an error that names asset, id, file and place.

use rres_format::{ChunkInfo, PackView};
use rres_runtime::{Error, ErrorKind, Image, Limits, Pack, PackOptions, Raw, ResourceId, Text, Verify};

use super::assets::{image, pack, raw, text};
use super::{File, assert_says, id, store};

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
    assert_says(load_a(&pack), &["asset \"a.bin\"", &id.to_string(), &format!("offset {offset}"), "crc32", &file_name]);
    let error = load_a(&pack).unwrap_err();
    assert_eq!(error.file(), Some(&*file.path()));
    assert!(matches!(error.kind(), ErrorKind::Format(rres_format::Error::CrcMismatch { .. })));
    assert!(!format!("{error:?}").contains("Inner"), "Debug is for people too");
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("b.bin")).unwrap().bytes(), b"fine");
}

#[test]
fn crc_policies() {
    let (file, _) = damaged();
    let open = |verify| PackOptions::default().verify(verify).open(file.path()).unwrap();
    for verify in [Verify::Once, Verify::Always] {
        let pack = open(verify);
        for _ in 0..3 {
            assert!(load_a(&pack).is_err(), "{verify:?}: a failed check counts as none");
        }
    }
    let mut expected = [0; 64];
    expected[10] = 1;
    assert_eq!(load_a(&open(Verify::Off)).unwrap().bytes(), expected);
}

#[test]
fn wrong_kinds_are_refused() {
    let store = store(&pack([text("a.txt", "text")]));
    assert_says(store.load(id::<Image>("a.txt")), &["asset \"a.txt\" (", "expected kind image, found text"]);
    let error = store.load(id::<Image>("a.txt")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WrongKind { .. }));
    assert_eq!(store.load(id::<Text>("a.txt")).unwrap().get().as_str(), "text", "the right kind still loads");
}

#[test]
fn missing_assets_are_named() {
    let store = store(&pack([text("ui/button.txt", ""), text("ui/panel.txt", "")]));
    let missing = ResourceId::from_path("gone.txt");
    assert_says(store.load(id::<Text>("gone.txt")), &[&format!("no asset has the id {missing}")]);
    assert_says(store.find("ui/buton.txt"), &["no asset has the path \"ui/buton.txt\"; \"ui/button.txt\" is there"]);
    assert_says(store.find("ui/butt"), &["no asset has the path \"ui/butt\""]);
    let text = store.find("something else").unwrap_err().to_string();
    assert!(!text.contains("is there"), "{text}");
    assert_eq!(store.find("ui/button.txt").unwrap().resource(), ResourceId::from_path("ui/button.txt"));
    assert!(store.find("UI/button.txt").is_err(), "case is kept");
    assert_eq!(store.find_as::<Text>("ui/button.txt").unwrap(), id("ui/button.txt"));
    assert_says(store.find_as::<Image>("ui/button.txt"), &["asset \"ui/button.txt\": expected kind image, found text"]);
}

#[test]
fn what_is_no_pack_says_so() {
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b"PNG", "starts with \"PNG\\x00\""),
        (b"rres", "file header at offset 0 needs 16 bytes, 4 are there"),
        (b"rres\x65\0\0\0\0\0\0\0\0\0\0\0", "version 101 is not supported"),
    ] {
        let file = File::with_bytes(bytes);
        assert_says(Pack::open(file.path()), &[says, &file.path().display().to_string()]);
        assert_says(Pack::from_bytes(bytes), &[says]);
    }
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing.rres");
    let error = Pack::open(&missing).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::NotFound));
    assert_says(Pack::open(&missing), &["missing.rres"]);
    assert!(Pack::open(dir.path()).is_err(), "a directory");
}

#[test]
fn limits_hold() {
    // A compressor that is always there would do as well; without one there is nothing to limit.
    let compression = rres_format::Compression::ZSTD;
    if !compression.is_enabled() {
        return;
    }
    let file = File::new(&pack([image("a.png", compression), raw("b.bin", &[1; 5000])]));
    let limits = Limits::DEFAULT.with_max_decoded(100);
    let pack = PackOptions::default().limits(limits).open(file.path()).unwrap();
    let image = pack.load::<Image>(ResourceId::from_path("a.png"));
    assert_says(image, &["\"a.png\"", "the decoded size of a chunk is 148, at most 100"]);
    assert_eq!(pack.load::<Raw>(ResourceId::from_path("b.bin")).unwrap().bytes().len(), 5000, "nothing is decoded");
}

#[test]
fn no_cut_and_no_flipped_byte_panics() {
    let own = pack([text("a.txt", "some text"), image("b.png", Default::default()), raw("c.bin", b"raw")]);
    let foreign = pack([text("a.txt", "some text"), image("b.png", Default::default())]).index(false);
    for whole in [own.to_vec().unwrap(), foreign.to_vec().unwrap()] {
        let try_all = |bytes: Vec<u8>| {
            let Ok(pack) = Pack::from_bytes(bytes) else { return };
            for entry in pack.entries() {
                let all = (pack.load::<Text>(entry.id), pack.load::<Image>(entry.id), pack.load::<Raw>(entry.id));
                drop(all);
            }
        };
        for at in 0..whole.len() {
            try_all(whole[..at].to_vec());
            for flip in [0xff, 0x01, 0x80] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                try_all(bytes);
            }
        }
    }
}
