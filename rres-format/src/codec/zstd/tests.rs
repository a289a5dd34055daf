//! Both decoders and the search for frames, on what the C library compresses and on damage.

use rres_test_data::damage::{BITS, cuts, flipped};
use rres_test_data::random::Random;

use super::{c, decode_after, frames, rust};
use crate::codec::{Compressor, compress_after};
use crate::encoding::Compression;

/// Blocks of every sort: empty, tiny, repetitive, random, several frames.
fn blocks() -> Vec<Vec<u8>> {
    let mut random = Random::new(1);
    let mut blocks = vec![vec![], vec![7], b"hello ".repeat(1000), vec![0; 3 << 20]];
    blocks.push(random.bytes(100_000));
    blocks
        .push((0..(2 << 20) + 12_345).map(|i| if i % 7 < 4 { (i / 500) as u8 } else { random.byte() & 15 }).collect());
    blocks.push((0..300_u32).flat_map(|i| format!("line {i}, {}\n", i * i).into_bytes()).collect());
    blocks
}

#[test]
fn both_decoders_decode_every_level() {
    let (mut c, mut rust) = (c::Decoder::default(), rust::Decoder::default());
    for level in [1, 3, 9, 15, 19, 22] {
        for block in blocks() {
            let packed = Compressor::with_level(level).compress(Compression::ZSTD, &block).unwrap();
            let mut slice = vec![1; block.len()];
            assert_eq!(rust.decode_into(&packed, &mut slice), Ok(block.len()), "level {level}");
            assert!(slice == block && rust.decode(&packed, block.len()).unwrap() == block, "level {level}");
            assert_eq!(c.decode(&packed, block.len()).unwrap().len(), block.len());
            let found = frames(&packed, block.len()).unwrap();
            assert_eq!(found.len(), block.len().div_ceil(1 << 20));
            assert_eq!(
                found.iter().map(|(frame, _)| frame.len()).sum::<usize>(),
                if block.is_empty() { 0 } else { packed.len() }
            );
            // Less space than the content is an error of both.
            if let Some(less) = block.len().checked_sub(1) {
                assert!(rust.decode(&packed, less).is_err() && c.decode(&packed, less).is_err());
                assert!(rust.decode_into(&packed, &mut slice[..less]).is_err());
            }
        }
    }
}

#[test]
fn frames_agree_with_the_c_library() {
    use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};
    for block in blocks() {
        let packed = Compressor::with_level(3).compress(Compression::ZSTD, &block).unwrap();
        for (frame, content) in frames(&packed, block.len()).unwrap() {
            assert_eq!(find_frame_compressed_size(frame), Ok(frame.len()));
            assert_eq!(get_frame_content_size(frame).unwrap(), Some(content as u64));
        }
        // A skippable frame has no content.
        let mut padded = packed.clone();
        padded.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
        assert_eq!(frames(&padded, block.len()).map(|found| found.len()), Some(block.len().div_ceil(1 << 20)));
        assert_eq!(rust::Decoder::default().decode(&padded, block.len()).unwrap(), block);
        for cut in [1, packed.len() / 2, packed.len() - 1] {
            assert_eq!(frames(&packed[..cut], block.len()), None);
        }
    }
}

#[test]
fn damage_is_an_error_or_other_bytes_but_never_a_panic() {
    let block = &blocks()[6];
    let packed = Compressor::with_level(9).compress(Compression::ZSTD, block).unwrap();
    let mut rust = rust::Decoder::default();
    for at in 0..packed.len() {
        for (_, damaged) in flipped(&packed, [at], &BITS) {
            let _ = frames(&damaged, block.len());
            if let Ok(decoded) = rust.decode(&damaged, block.len()) {
                assert!(decoded.len() <= block.len());
            }
            let mut slice = vec![0; block.len()];
            let _ = rust.decode_into(&damaged, &mut slice);
        }
        // Nothing decodes to nothing, which is too short.
        let cut = rust.decode(&packed[..at], block.len());
        assert!(cut.is_err() || (at == 0 && cut.unwrap().is_empty()), "cut at {at}");
    }
    // Nothing of a damaged frame is left in the decoder.
    assert_eq!(rust.decode(&packed, block.len()).unwrap(), *block);
}

/// Pairs of an old and a new block, which have more or less in common.
fn pairs() -> Vec<(Vec<u8>, Vec<u8>)> {
    let blocks = blocks();
    let long = blocks[5][..700_000].to_vec();
    let mut edited = long.clone();
    edited.splice(400_000..400_010, *b"something else");
    edited.truncate(edited.len() - 5000);
    let reversed: Vec<u8> = long.chunks(300_000).rev().flatten().copied().collect();
    vec![
        (long.clone(), edited.clone()),
        (long.clone(), reversed),
        (edited, long.clone()),
        (vec![1], vec![2]),
        (blocks[4].clone(), blocks[3].clone()),
        (blocks[6].clone(), [&blocks[6][..], b"one more line\n"].concat()),
        (long.clone(), long),
    ]
}

#[test]
fn both_decoders_and_the_c_library_with_its_prefix_decode_differences() {
    let (mut c, mut rust) = (c::Decoder::default(), rust::Decoder::default());
    for (number, (old, new)) in pairs().iter().enumerate() {
        for level in [3, 12] {
            let frame = compress_after(old, new, level).unwrap();
            let with_c = decode_after(|frames, len| c.decode(frames, len), old, &frame, new.len()).unwrap();
            assert!(with_c == *new, "pair {number}, level {level}");
            let with_rust = decode_after(|frames, len| rust.decode(frames, len), old, &frame, new.len()).unwrap();
            assert!(with_rust == *new, "pair {number}, level {level}");
            let mut reference = zstd::zstd_safe::DCtx::create();
            reference.ref_prefix(old).unwrap();
            let mut out = Vec::with_capacity(new.len());
            reference.decompress(&mut out, &frame).unwrap();
            assert!(out == *new, "pair {number}, level {level}");
            // With another prefix, the decoders may fail but do not panic.
            let other = vec![0; old.len() / 2];
            assert!(
                decode_after(|frames, len| rust.decode(frames, len), &other, &frame, new.len()).is_err() || number > 2
            );
            // The declared size is checked before anything is allocated.
            assert!(decode_after(|_, _| panic!("it was decoded"), old, &frame, new.len() + 1).is_err());
        }
    }
    let (old, new) = &pairs()[0];
    let size = compress_after(old, new, 3).unwrap().len();
    assert!(size < 2000, "two places differ, and the delta has {size} bytes");
}

#[test]
fn damaged_differences_do_not_panic() {
    let (old, new) = &pairs()[5];
    let frame = compress_after(old, new, 19).unwrap();
    let (mut c, mut rust) = (c::Decoder::default(), rust::Decoder::default());
    let mut probe = |frame: &[u8]| {
        let _ = decode_after(|frames, len| c.decode(frames, len), old, frame, new.len());
        let _ = decode_after(|frames, len| rust.decode(frames, len), old, frame, new.len());
    };
    cuts(&frame).for_each(&mut probe);
    flipped(&frame, 0..frame.len(), &[1, 0x80, 0xff]).for_each(|(_, bad)| probe(&bad));
}
