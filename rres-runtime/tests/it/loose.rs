//! The loose assets of a debug build: a dev index, and the blobs that it refers to.

use std::path::Path;

use rres_format::index::{EntrySpec, IndexBuilder};
use rres_format::{AssetKind, ChunkInfo, FourCc, PackBuilder, ResourceId};
use rres_protocol::files::blob_path;
use rres_runtime::__private::{ALL_TYPES, Dev, DevReader, Location, open};
use rres_runtime::{Error, Store, Text};
use rres_test_data::damage::{BITS, flipped};

use super::assets::text;
use super::{assert_message, id};

const KEY: [u8; 32] = [7; 32];

/// A blob that contains one text, and the offset of its chunk header.
fn blob(contents: &str) -> (Vec<u8>, IndexBuilder, usize) {
    let mut pack = PackBuilder::new().directory(false).leading_chunk(FourCc(*b"DESC"), vec![0; 100]);
    pack.push(text("", contents).with_id(ResourceId(1)));
    let place = pack.places().unwrap()[0];
    let entry = EntrySpec {
        id: ResourceId::from_path("a.txt"),
        path: "a.txt".to_owned(),
        kind: Some(AssetKind::Text),
        offset: place.range.offset,
        stored_size: place.range.size,
        base_size: 100,
        chunk_count: 1,
        is_shared: false,
        meta: Default::default(),
        dependencies: Vec::new(),
        headers_crc: place.headers_crc,
        blob: 0,
    };
    let index = IndexBuilder { entries: vec![entry], blobs: vec![KEY], ..IndexBuilder::default() };
    (pack.to_vec().unwrap(), index, place.range.offset as usize)
}

fn open_in(dir: &Path) -> Result<Store, Error> {
    let path = |name: &str| -> &'static str { dir.join(name).to_str().unwrap().to_owned().leak() };
    let dev = Dev {
        index: path("game.dev.rres"),
        blobs: path("blobs"),
        assets: path("assets"),
        libraries: &[],
        serve: "",
        reader: DevReader::LOOSE,
    };
    let types = &ALL_TYPES;
    open(&Location { pack: "game", dev: Some(dev), pack_path_tail: None, set_hash: [0; 16], types })
}

#[test]
fn no_flipped_bit_in_a_chunk_header_of_a_blob_is_read_as_something_else() {
    let dir = tempfile::tempdir().unwrap();
    let (blob, index, header) = blob("some text");
    let file = dir.path().join("blobs").join(blob_path(&KEY));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let index = PackBuilder::new().directory(false).leading_chunk(FourCc::INDX, index.block().unwrap());
    std::fs::write(dir.path().join("game.dev.rres"), index.to_vec().unwrap()).unwrap();
    let store = open_in(dir.path()).unwrap();
    let load = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        store.load(id::<Text>("a.txt")).map(|text| text.get().as_str().to_owned())
    };
    assert_eq!(load(&blob).unwrap(), "some text");
    for (_, bytes) in flipped(&blob, header..header + ChunkInfo::SIZE, &BITS) {
        assert_message(load(&bytes), &["a.txt", "damaged"]);
    }
}
