//! Streams: raw files and encoded sounds, read piece by piece.

use std::io::{BufRead, Read, Seek, SeekFrom};

use rres_format::chunk::raw::raw_block;
use rres_format::{AssetKind, Compression, FourCc, Resource};
use rres_runtime::{Raw, Sound, Store, Stream};

use super::assets::{chunk, pack, plain, raw, text};
use super::{File, assert_message, id, store};

fn music(compression: Compression) -> (Vec<u8>, Resource<'static>) {
    let bytes: Vec<u8> = (0..100_000u32).map(|i| (i / 300) as u8).collect();
    let block = raw_block(".ogg", &bytes);
    let resource = Resource::new("music.ogg", vec![chunk(FourCc::RAWD, &block, compression)]);
    (bytes, resource.with_kind(AssetKind::Sound))
}

fn read_all(stream: &mut Stream) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_stream_reads_and_seeks_like_a_file() {
    let compressed = [Compression::ZSTD, Compression::LZ4].into_iter().filter(|c| c.is_enabled());
    for compression in [Compression::NONE].into_iter().chain(compressed) {
        let (bytes, resource) = music(compression);
        let file = File::new(&pack([resource, raw("small.bin", b"small")]));
        let store = Store::from_packs([file.open()]);
        let mut stream = store.stream(id::<Sound>("music.ogg")).unwrap();
        assert_eq!((stream.len(), stream.is_empty(), stream.extension()), (100_000, false, ".ogg"));
        assert!(read_all(&mut stream) == bytes);
        assert_eq!(stream.seek(SeekFrom::Start(70_000)).unwrap(), 70_000);
        let mut piece = [0; 1000];
        stream.read_exact(&mut piece).unwrap();
        assert_eq!(piece, bytes[70_000..71_000]);
        assert_eq!(stream.seek(SeekFrom::End(-5)).unwrap(), 99_995);
        assert_eq!(stream.fill_buf().unwrap(), &bytes[99_995..]);
        stream.verify().unwrap();
        // A stream loads no asset and outlives the store.
        assert_eq!(store.stats().loads, 0);
        drop(store);
        stream.rewind().unwrap();
        assert!(read_all(&mut stream) == bytes);
    }
}

#[test]
fn a_damaged_stream_is_found_by_verify() {
    let (bytes, resource) = music(Compression::NONE);
    let mut pack = pack([resource]).to_vec().unwrap();
    let at = pack.len() - 5000;
    pack[at] ^= 1;
    let store = Store::from_packs([rres_runtime::PackOptions::default().from_bytes(pack).unwrap()]);
    let mut stream = store.stream(id::<Sound>("music.ogg")).unwrap();
    assert!(read_all(&mut stream) != bytes);
    assert_message(stream.verify(), &["\"music.ogg\"", "crc32 is"]);
    assert_message(store.load(id::<Sound>("music.ogg")), &["crc32 is"]);
}

#[test]
fn only_raw_files_and_encoded_sounds_can_be_streamed() {
    let decoded = Resource::new("short.wav", vec![plain(FourCc::WAVE, &super::assets::sound_block())]);
    let store = store(&pack([text("a.txt", "text"), decoded]));
    assert_message(store.stream(id::<rres_runtime::Text>("a.txt")), &["\"a.txt\"", "expected kind raw, found text"]);
    assert_message(store.stream(id::<Sound>("short.wav")), &["\"short.wav\"", "RAWD"]);
    assert_message(store.stream(id::<Raw>("gone")), &["no asset with the id"]);
}
