//! Bytes that must not change by accident: packs are patched block by block, cached by content, and read by other
//! programs. `tests/golden/v1.rres` is also the oldest pack that must still open.
//!
//! To update it after an intended change, run `RRES_UPDATE_GOLDEN=1 cargo test -p rres-format --test it golden` and
//! review the diff.

use std::path::PathBuf;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::raw::raw_block;
use rres_format::{Compression, Compressor, Decompressor, FourCc, PackView, ResourceId};

use crate::sample;

fn checked_in() -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1.rres");
    if std::env::var_os("RRES_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, sample::pack()).unwrap();
    }
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Panics with 16 bytes of each side at the first difference.
fn assert_same_bytes(found: &[u8], golden: &[u8]) {
    if let Some(at) = (0..found.len().max(golden.len())).find(|at| found.get(*at) != golden.get(*at)) {
        let line = |bytes: &[u8]| format!("{:02x?}", &bytes[bytes.len().min(at)..bytes.len().min(at + 16)]);
        let (found_len, golden_len) = (found.len(), golden.len());
        let (found, golden) = (line(found), line(golden));
        panic!("{found_len} and {golden_len} bytes differ from offset {at:#x} on:\n found {found}\ngolden {golden}");
    }
}

#[test]
fn the_sample_pack_has_the_checked_in_bytes() {
    assert_same_bytes(&sample::pack(), &checked_in());
}

#[test]
fn the_checked_in_pack_still_opens() {
    let bytes = checked_in();
    let view = PackView::parse(&bytes).unwrap();
    let mut decompressor = Decompressor::default();
    for (kind, path, block) in sample::every_kind() {
        let chunk = view.find(ResourceId::from_path(path)).unwrap().unwrap();
        chunk.verify().unwrap();
        assert_eq!(chunk.info.kind, kind);
        assert_eq!(chunk.decode(&mut decompressor).unwrap().into_bytes(), block, "{path}");
    }
    let stored: Vec<_> = view.chunks().map(|chunk| chunk.unwrap().info.compression).collect();
    for compression in [Compression::DEFLATE, Compression::LZ4, Compression::QOI, Compression::ZSTD] {
        assert!(stored.contains(&compression), "the pack has no {compression} chunk");
    }
}

#[test]
fn file_header_and_chunk_headers_have_the_documented_layout() {
    let bytes = checked_in();
    assert_eq!(bytes[..4], *b"rres");
    assert_eq!(bytes[4..6], [100, 0], "version");
    let view = PackView::parse(&bytes).unwrap();
    let count = view.chunks().count() as u16;
    assert_eq!(bytes[6..8], count.to_le_bytes(), "chunk count, without the directory");
    let directory = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize + 16;
    assert_eq!(bytes[directory..directory + 4], *b"CDIR");
    assert_eq!(bytes[12..16], [0; 4], "reserved");
    assert_eq!(bytes[16..20], *b"INDX");

    // The header of a compressed chunk, bytes 0 to 31.
    let text = view.find(ResourceId::from_path("text/Grüße 世界.lua")).unwrap().unwrap();
    let header = &bytes[text.offset as usize..][..32];
    let packed = u32::from_le_bytes(header[12..16].try_into().unwrap());
    assert_eq!(header[..4], *b"TEXT");
    assert_eq!(header[4..8], crc32fast::hash("text/Grüße 世界.lua".as_bytes()).to_le_bytes(), "id");
    assert_eq!(header[8..10], [10, 0], "DEFLATE, no cipher");
    assert_eq!(header[10..12], [0, 0], "flags");
    assert_eq!(u64::from(packed), text.end() - u64::from(text.offset) - 32, "packed size");
    let text_len = "The quick brown fox. Grüße, 世界. ".len() as u32 * 12;
    assert_eq!(header[16..20], (20 + text_len).to_le_bytes(), "base size");
    assert_eq!(header[20..24], [0; 4], "next offset");
    assert_eq!(header[24..28], [0; 4], "reserved");
    assert_eq!(header[28..], crc32fast::hash(text.stored).to_le_bytes(), "crc of the stored bytes");

    // The header of a linked chunk contains the file offset of the next header.
    let first = view.find(ResourceId(0x1234)).unwrap().unwrap();
    let next = u32::from_le_bytes(bytes[first.offset as usize + 20..][..4].try_into().unwrap());
    assert_eq!(u64::from(next), first.end(), "plain chunks are adjacent");
    assert_eq!(bytes[next as usize..][..8], *b"VRTX\x34\x12\0\0");
}

#[test]
fn raw_chunks_and_directory_names_have_the_bytes_of_the_c_tools() {
    let block = raw_block(".png", b"abc");
    let expected = [&[4, 0, 0, 0, 3, 0, 0, 0][..], b"gnp.", &[0; 8], b"abc"].concat();
    assert_eq!(block, expected, "the extension is big-endian text in a little-endian number");
    let bytes = checked_in();
    let view = PackView::parse(&bytes).unwrap();
    for entry in view.directory().unwrap().unwrap().entries() {
        let entry = entry.unwrap();
        let name = entry.name;
        let at = bytes.windows(name.len()).rposition(|window| window == name).unwrap();
        let size = u32::from_le_bytes(bytes[at - 4..at].try_into().unwrap()) as usize;
        assert!(size.is_multiple_of(4) && size > name.len(), "{size} for {} bytes", name.len());
        assert!(bytes[at + name.len()..at + size].iter().all(|byte| *byte == 0));
        assert_eq!(bytes[at - 16..at - 12], entry.id.0.to_le_bytes());
        assert_eq!(bytes[at - 8..at - 4], [0; 4]);
        assert_eq!(view.chunk_at(entry.offset).unwrap().info.id, entry.id);
    }
}

/// The output of zlib-rs at level 9. raylib's inflate misreads the output of miniz_oxide, another backend of flate2, so
/// test any change of these bytes with raylib.
#[test]
fn deflate_output_is_that_of_zlib_rs() {
    let deflate = |block: &[u8]| {
        let packed = Compressor::default().compress(Compression::DEFLATE, block).unwrap();
        packed.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    assert_eq!(deflate(b""), "0300");
    assert_eq!(deflate(&[0x55; 1000]), DEFLATE_OF_ONE_BYTE);
    let text = "she sells sea shells by the sea shore ".repeat(8);
    assert_eq!(deflate(text.as_bytes()), DEFLATE_OF_TEXT);
    // An image of one colour, for which miniz_oxide uses a single distance code.
    let pixels: Vec<u8> = [200, 100, 50, 255].repeat(64 * 64);
    assert_eq!(deflate(&pixels), DEFLATE_OF_ONE_COLOUR);
}

const DEFLATE_OF_ONE_BYTE: &str = "0b0d1d05a360140c770000";
const DEFLATE_OF_TEXT: &str = "2bce4855284ecdc9290692890ac519606652a54209581c24925f940a121f5505560500";
const DEFLATE_OF_ONE_COLOUR: &str = "edc3310d00000803304f6842ec5c0d193c6dd2ec34aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaeaeb03";

/// The reader in `interop` decodes the same file in its tests.
#[test]
fn filtered_sections_are_decoded_as_the_format_says() {
    let bytes = |hex: &str| -> Vec<u8> {
        hex.as_bytes().chunks(2).map(|two| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap()).collect()
    };
    let cases: Vec<_> = include_str!("../filtered.tsv").lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(cases.len(), 7);
    for case in cases {
        let [name, stored, block] = case.split('\t').collect::<Vec<_>>()[..] else { panic!("{case}") };
        let (stored, block) = (bytes(stored), bytes(block));
        let decoded = Decompressor::default().decompress_to_vec(Compression::FILTERED, &stored, block.len());
        assert_eq!(decoded.as_ref(), Ok(&block), "{name}");
    }
}

#[test]
fn qoi_stores_the_whole_block_in_additional_rows() {
    for (format, channels) in [(PixelFormat::RGBA8, 4u32), (PixelFormat::RGB8, 3)] {
        for (width, height) in [(384, 2), (1, 1), (2, 9), (3, 5), (5, 1), (20, 1), (7, 300)] {
            let block = sample::image(format, width, height);
            let packed = Compressor::default().compress(Compression::QOI, &block).unwrap();
            let row = width * channels;
            assert_eq!(packed[..4], *b"qoif");
            assert_eq!(packed[4..8], width.to_be_bytes());
            assert_eq!(packed[8..12], (height + 20u32.div_ceil(row)).to_be_bytes(), "{width}×{height}×{channels}");
            assert_eq!(packed[12..14], [channels as u8, 0]);
            // The crate of that name has other pixels on big-endian machines.
            if cfg!(target_endian = "little") {
                let (_, pixels) = qoi::decode_to_vec(&packed).unwrap();
                assert_eq!(pixels[..block.len()], block, "{width}×{height}×{channels}");
                assert!(pixels[block.len()..].iter().all(|byte| *byte == 0));
            }
            let mut out = vec![1; block.len()];
            Decompressor::default().decompress(Compression::QOI, &packed, &mut out).unwrap();
            assert_eq!(out, block);
        }
    }
    // rrespacker's file of an image with the same width starts with these bytes.
    let packed = Compressor::default().compress(Compression::QOI, &sample::image(PixelFormat::RGBA8, 384, 2));
    assert_eq!(packed.unwrap()[14..23], [0xff, 4, 0, 0, 0, 0xfe, 0x80, 1, 0]);
}

#[test]
#[cfg(target_endian = "little")]
fn qoi_files_without_the_last_20_bytes_decode_to_zeros_there() {
    let (width, height) = (24, 10);
    let block = sample::image(PixelFormat::RGBA8, width, height);
    let covered = block.len() - 20;
    let packed = qoi::encode_to_vec(&block[..covered], width, height).unwrap();
    let mut out = vec![1; block.len()];
    Decompressor::default().decompress(Compression::QOI, &packed, &mut out).unwrap();
    assert_eq!(out[..covered], block[..covered]);
    assert_eq!(out[covered..], [0; 20]);
}

#[test]
fn qoi_accepts_only_images_of_8_bit_channels_with_one_level() {
    let refused = |block: &[u8]| Compressor::default().compress(Compression::QOI, block).is_err();
    for format in PixelFormat::NAMED.iter().copied().filter(|f| f.level_size(8, 8).is_some()) {
        let accepted = [PixelFormat::RGB8, PixelFormat::RGBA8].contains(&format);
        let size = format.level_size(8, 8).unwrap() as usize;
        let props = ImageProps { width: 8, height: 8, format, mipmaps: 1 };
        assert_eq!(refused(&props.block(&vec![3; size])), !accepted, "{format}");
        assert!(refused(&props.block(&vec![3; size + 1])), "{format}: one byte too many");
        let levels = ImageProps { mipmaps: 2, ..props };
        assert!(refused(&levels.block(&vec![3; levels.data_size().unwrap() as usize])), "{format}: two levels");
    }
    assert!(refused(b"") && refused(&[0; 64]));
    assert_eq!(
        sample::encode(FourCc::IMGE, &sample::image(PixelFormat::RGB8, 40, 40), Compression::QOI).info().compression,
        Compression::QOI
    );
}
