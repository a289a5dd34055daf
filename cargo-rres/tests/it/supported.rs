//! A small file of each extension that README lists under "Supported files" and that default features read.

use std::fs;
use std::path::Path;

/// Files of this repository.
const FILES: &[(&str, &str)] = &[
    ("png", "examples/assets/ui/button.png"),
    ("jpg", "crates/test-data/fixtures/image/turned.jpg"),
    ("jpeg", "crates/test-data/fixtures/image/turned.jpg"),
    ("bmp", "assets/ui/scroll.bmp"),
    ("tga", "assets/ui/pointer.tga"),
    ("gif", "assets/world/lightning.gif"),
    ("hdr", "assets/world/sky_light.hdr"),
    ("qoi", "assets/world/stars.qoi"),
    ("dds", "assets/world/aurora.dds"),
    ("ktx", "crates/test-data/fixtures/image/etc1.ktx"),
    ("ktx2", "crates/test-data/fixtures/image/basis-opaque.ktx2"),
    ("webp", "crates/test-data/fixtures/image/lossy.webp"),
    ("wav", "examples/assets/ui/beep.wav"),
    ("wave", "examples/assets/ui/beep.wav"),
    ("caf", "crates/test-data/fixtures/sound/ima.caf"),
    ("ogg", "crates/test-data/fixtures/sound/stereo.ogg"),
    ("oga", "crates/test-data/fixtures/sound/stereo.ogg"),
    ("opus", "crates/test-data/fixtures/sound/tone.opus"),
    ("flac", "crates/test-data/fixtures/sound/seek.flac"),
    ("mp3", "crates/test-data/fixtures/sound/mono.mp3"),
    ("m4a", "crates/test-data/fixtures/sound/alac.m4a"),
    ("aac", "crates/test-data/fixtures/sound/mono.aac"),
    ("qoa", "crates/test-data/fixtures/sound/tone.qoa"),
    ("ttf", "crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf"),
    ("otf", "crates/test-data/fixtures/font/Goudy-subset.otf"),
    ("gltf", "examples/assets/models/gem.gltf"),
    ("glb", "assets/models/whale.glb"),
];

/// Files that are texts.
const TEXTS: &[(&str, &str)] = &[
    ("channels", "rgb = \"file.png\"\n"),
    ("cube", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"),
    (
        "cubemap",
        "px = \"file.ase\"\nnx = \"file.ase\"\npy = \"file.ase\"\nny = \"file.ase\"\npz = \"file.ase\"\nnz = \"file.ase\"\n",
    ),
    (
        "fnt",
        "info size=8\ncommon lineHeight=8 base=8 scaleW=32 scaleH=12 pages=1\npage id=0 file=\"file.png\"\n\
             char id=65 x=0 y=0 width=8 height=8 xoffset=0 yoffset=0 xadvance=8 page=0\n",
    ),
    ("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    ("generate", "shape = \"cube\"\n"),
    ("txt", "a text\n"),
    ("level", "anything else\n"),
];

/// The name and the bytes of each file.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read = |file: &str| fs::read(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let font = read("crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
    let made = [
        ("aif", aiff(b"AIFF")),
        ("aiff", aiff(b"AIFF")),
        ("aifc", aiff(b"AIFC")),
        ("ase", aseprite()),
        ("aseprite", aseprite()),
        ("ttc", collection(&font)),
        ("otc", collection(&font)),
    ];
    let files = FILES.iter().map(|(extension, file)| (*extension, read(file)));
    let texts = TEXTS.iter().map(|(extension, text)| (*extension, text.as_bytes().to_vec()));
    let all = files.chain(texts).chain(made);
    all.map(|(extension, bytes)| (format!("file.{extension}"), bytes)).collect()
}

/// Two samples.
fn aiff(form: &[u8; 4]) -> Vec<u8> {
    // 8,000 Hz as a number of 80 bits.
    let mut common = vec![0, 1, 0, 0, 0, 2, 0, 16, 0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0];
    if form == b"AIFC" {
        common.extend(b"NONE\0\0");
    }
    let chunk = |kind: &[u8], data: &[u8]| [kind, &(data.len() as u32).to_be_bytes(), data].concat();
    let body = [&form[..], &chunk(b"COMM", &common), &chunk(b"SSND", &[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])].concat();
    chunk(b"FORM", &body)
}

/// A sprite of one transparent pixel: a frame without layers.
fn aseprite() -> Vec<u8> {
    let mut bytes = vec![0; 144];
    bytes[..4].copy_from_slice(&144_u32.to_le_bytes());
    bytes[4..14].copy_from_slice(&[0xe0, 0xa5, 1, 0, 1, 0, 1, 0, 32, 0]);
    bytes[128] = 16;
    bytes[132..134].copy_from_slice(&[0xfa, 0xf1]);
    bytes
}

/// A collection of one font: offsets of tables count from the start of the file.
fn collection(font: &[u8]) -> Vec<u8> {
    let mut font = font.to_vec();
    for table in 0..usize::from(font[5]) {
        let offset = &mut font[12 + 16 * table + 8..][..4];
        let moved = u32::from_be_bytes((&*offset).try_into().unwrap()) + 16;
        offset.copy_from_slice(&moved.to_be_bytes());
    }
    [&b"ttcf\0\x01\0\0\0\0\0\x01\0\0\0\x10"[..], &font].concat()
}

/// Those that need a feature of `rres-build` are named with it in README.
#[test]
fn there_is_a_file_of_every_extension_of_the_readme() {
    let readme = include_str!("../../../README.md");
    let files = files();
    let rows = readme.split("## Supported files").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = rows.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows: Vec<&str> = rows.filter(|row| !row.contains("; feature `")).collect();
    assert_eq!(rows.len(), 5, "{rows:?}");
    for extension in rows.iter().flat_map(|row| row.split('`').next().unwrap().split(' ')) {
        let has_file = files.iter().any(|(name, _)| *name == format!("file.{extension}"));
        assert!(has_file != readme.contains(&format!("`{extension}` with the feature `{extension}`")), "{extension}");
    }
}
