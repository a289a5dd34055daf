//! Not enough memory: an error, and the program goes on.

use std::process::Command;

use rres_format::{ChunkInfo, Compression, FourCc, PackView, Resource};
use rres_runtime::{Error, PackOptions, Raw, ResourceId, Text};

use super::assets::{chunk, pack, text};

/// What the chunk declares.
const DECLARED: u32 = 480 << 20;

/// Runs in a process whose memory is limited.
#[test]
#[ignore = "run by the next test, in a process of its own"]
fn child() {
    for compression in [Compression::DEFLATE, Compression::ZSTD, Compression::LZ4] {
        // Every other 8 bytes are hard to compress: so many remain that they may have been as many as the chunk declares.
        let noise = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(27).wrapping_mul(i | 1);
        let bytes: Vec<u8> = (0..1_u64 << 18).flat_map(|i| [noise(i), 0]).flat_map(u64::to_le_bytes).collect();
        let stored = chunk(FourCc::RAWD, &bytes, compression);
        let packed = pack([Resource::new("huge.bin", vec![stored]), text("a.txt", "small")]).index(false);
        let mut packed = packed.to_vec().unwrap();
        let offset = PackView::parse(&packed).unwrap().find(ResourceId::from_path("huge.bin")).unwrap().unwrap().offset;
        // The field `baseSize`.
        let at = offset as usize + ChunkInfo::SIZE - 16;
        assert_eq!(packed[at..at + 4], (bytes.len() as u32).to_le_bytes());
        packed[at..at + 4].copy_from_slice(&DECLARED.to_le_bytes());
        let pack = PackOptions::default().from_bytes(packed).unwrap();
        let refused: Result<Raw, Error> = pack.load(ResourceId::from_path("huge.bin"));
        super::assert_message(refused, &["\"huge.bin\"", "not enough memory for its 503316480 bytes"]);
        assert_eq!(pack.load::<Text>(ResourceId::from_path("a.txt")).unwrap().as_str(), "small");
    }
}

#[test]
fn a_size_that_cannot_be_allocated_is_an_error() {
    let limited = "ulimit -v 450000 && exec \"$0\" --ignored --exact memory::child --test-threads 1";
    let child = Command::new("sh").args(["-c", limited]).arg(std::env::current_exe().unwrap()).output().unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && text.contains("1 passed"), "{text}{}", String::from_utf8_lossy(&child.stderr));
}
