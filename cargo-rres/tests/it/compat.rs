//! `verify --compat raylib`: each fault that C programs stumble over, in packs of ours and of others.

use std::collections::BTreeMap;
use std::path::Path;

use rres_compat::Reason;
use rres_format::chunk::block;
use rres_format::chunk::glyphs::{FontStyle, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::link::link_block;
use rres_format::chunk::text::{TextEncoding, TextProps};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::chunk::wave::WaveProps;
use rres_format::{AssetKind, Compression, FourCc, PackBuilder, Resource, StoredChunk};
use serde_json::Value;

use super::damage::{chunk_offset, put, restore_crc};
use super::packs::{chunk, raw, text};
use super::{Run, Sandbox};

/// Runs `verify` on a pack, and returns the reasons that it names.
#[track_caller]
fn reasons(pack: &[u8]) -> Vec<String> {
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", pack);
    of_run(&sandbox.run(["verify", "--json", "--compat", "raylib", "game.rres"]))
}

#[track_caller]
fn of_run(run: &Run) -> Vec<String> {
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {run:?}"));
    let findings = report["packs"].as_array().unwrap().iter().flat_map(|pack| pack["findings"].as_array().unwrap());
    let found: Vec<String> = findings
        .filter(|finding| finding["code"] == "raylib-unreadable")
        .map(|finding| {
            assert_eq!(finding["severity"], "error");
            finding["reason"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(found.is_empty() || run.code == 1, "{run:?}");
    found
}

/// A pack of one resource with these chunks, and a front index.
fn of_chunks(path: &str, kind: AssetKind, chunks: Vec<StoredChunk<'static>>) -> Vec<u8> {
    let mut pack = PackBuilder::new();
    pack.push(Resource::new(path, chunks).with_kind(kind));
    pack.to_vec().unwrap()
}

fn one(path: &str, kind: AssetKind, chunk_kind: FourCc, block: &[u8]) -> Vec<u8> {
    of_chunks(path, kind, vec![chunk(chunk_kind, block, Compression::NONE)])
}

fn image(width: u32, height: u32, format: PixelFormat, mipmaps: u32, len: usize) -> Vec<u8> {
    let block = ImageProps { width, height, format, mipmaps }.block(&vec![0; len]);
    one("a.png", AssetKind::Image, FourCc::IMGE, &block)
}

fn encoded(compression: Compression) -> Vec<u8> {
    let block = TextProps::utf8(4000).block(&[b'a'; 4000]);
    of_chunks("a.txt", AssetKind::Text, vec![chunk(FourCc::TEXT, &block, compression)])
}

fn vertices(attribute: VertexAttribute, count: u32, components: u32, format: VertexFormat) -> StoredChunk<'static> {
    let props = VertexProps { count, attribute, components, format };
    chunk(FourCc::VRTX, &props.block(&vec![0; props.data_size().unwrap() as usize]), Compression::NONE)
}

/// A pack whose only chunk header has another number, and the right CRCs.
fn with_number(at: usize, number: u32) -> Vec<u8> {
    let mut pack = PackBuilder::new().index(false).directory(false);
    pack.push(text("a.txt", "text"));
    let mut pack = pack.to_vec().unwrap();
    let chunk = pack.windows(4).position(|kind| kind == b"TEXT").unwrap();
    put(&mut pack, chunk + at, number);
    restore_crc(&mut pack, chunk);
    pack
}

#[test]
fn each_fault_has_its_reason() {
    use VertexAttribute as A;
    use VertexFormat as F;
    let position = || vertices(A::POSITION, 3, 3, F::FLOAT);
    let model = |chunks| of_chunks("a.glb", AssetKind::Model, chunks);
    let table = || chunk(FourCc::FNTG, &glyphs_block(8, 0, FontStyle(0), &[]), Compression::NONE);
    let atlas = || {
        let props = ImageProps { width: 4, height: 4, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
        chunk(FourCc::IMGE, &props.block(&[0; 32]), Compression::NONE)
    };
    let font = |chunks| of_chunks("a.ttf", AssetKind::Font, chunks);
    let wave = |sample_size| {
        let props = WaveProps { frames: 4, sample_rate: 8000, sample_size, channels: 1 };
        one("a.wav", AssetKind::Sound, FourCc::WAVE, &props.block(&[0; 32]))
    };
    let utf16 = TextProps { encoding: TextEncoding::UTF16_LE, ..TextProps::utf8(2) }.block(b"a\0");
    let long = block(&[1, 0x2e61_6161, 0x6161_6161, 0], b"x");
    let file = |kind, path, bytes: &[u8]| {
        let mut pack = PackBuilder::new();
        pack.push(raw(path, bytes).with_kind(kind));
        pack.to_vec().unwrap()
    };
    let cases: Vec<(Reason, Vec<u8>)> = vec![
        (Reason::Compression, encoded(Compression::ZSTD)),
        (Reason::Cipher, with_number(8, 31 << 8)),
        (Reason::ChunkSize, with_number(16, 1 << 31)),
        (Reason::DeflateSize, with_number(8, 10)),
        (Reason::MipLevels, image(4, 4, PixelFormat::GRAY8, 3, 21)),
        (Reason::PixelFormat, image(4, 4, PixelFormat::BC7, 1, 16)),
        (Reason::ImageSize, image(6, 6, PixelFormat::DXT1_RGB, 1, 32)),
        (Reason::ImageFile, file(AssetKind::Image, "a.jpg", b"\xff\xd8\xff")),
        (Reason::SoundFile, file(AssetKind::Sound, "a.flac", b"fLaC")),
        (Reason::SampleFormat, wave(24)),
        (Reason::TextEncoding, one("a.txt", AssetKind::Text, FourCc::TEXT, &utf16)),
        (Reason::TextZero, one("a.txt", AssetKind::Text, FourCc::TEXT, &TextProps::utf8(2).block(b"\0a"))),
        (Reason::Extension, one("a.bin", AssetKind::Raw, FourCc::RAWD, &long)),
        (Reason::LinkEnd, one("a.mp4", AssetKind::Link, FourCc::LINK, &block(&[5], b"a.mp4"))),
        (Reason::LinkLength, one("a.mp4", AssetKind::Link, FourCc::LINK, &link_block(&"a/".repeat(600)))),
        (Reason::FontChunks, font(vec![table().unlinked(), atlas()])),
        (Reason::FontSizes, font(vec![table(), atlas().unlinked(), table(), atlas()])),
        (Reason::VertexFormat, model(vec![position(), vertices(A::TEXCOORD3, 3, 2, F::FLOAT)])),
        (Reason::VertexCount, model(vec![position(), vertices(A::NORMAL, 4, 3, F::FLOAT)])),
        (Reason::IndexFormat, model(vec![position(), vertices(A::INDEX, 3, 1, F::UINT)])),
        (Reason::IndexFirst, model(vec![vertices(A::INDEX, 3, 1, F::USHORT), position()])),
        (Reason::Sprite, one("a.png", AssetKind::Sprite, FourCc::SPRT, &block(&[0, 0, 1, 1, 0, 0, 1, 1], b""))),
        (Reason::ChunkKind, one("a.bin", AssetKind::Raw, FourCc(*b"MINE"), &block(&[], b""))),
    ];
    for (reason, mut pack) in cases {
        if reason == Reason::DeflateSize {
            let chunk = pack.windows(4).position(|kind| kind == b"TEXT").unwrap();
            put(&mut pack, chunk + 16, (64 << 20) + 1);
        }
        assert_eq!(reasons(&pack), [reason.name()], "{}", reason.name());
    }
}

#[test]
fn a_finding_names_the_chunk_what_was_found_and_what_happens() {
    let sandbox = Sandbox::new();
    let pack = image(4, 4, PixelFormat::GRAY8, 3, 21);
    sandbox.write("game.rres", &pack);
    sandbox.run(["verify", "game.rres"]).success();
    let offset = chunk_offset(&pack, "a.png");
    let id = rres_format::ResourceId::from_path("a.png");
    let line = format!(
        "error[raylib-unreadable]: game.rres: \"a.png\" ({id}), IMGE chunk at offset {offset}: has 3 mip levels: \
         `rres-raylib.h` returns an image without pixels (mip-levels)"
    );
    let out = sandbox.run(["verify", "game.rres", "--compat", "raylib"]).failed(1, &[]).out;
    assert!(out.starts_with(&line), "{line} does not start {out}");
    sandbox.run(["verify", "game.rres", "--compat", "nobody"]).failed(2, &["nobody"]);
}

#[test]
fn packs_built_for_raylib_have_no_faults_whatever_the_cipher() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", &[b'a'; 4000]);
    sandbox.write("assets/b.bin", &[7; 4000]);
    sandbox.write("assets/c.bin", &[7; 4000]);
    let mut picture = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0, 24, 0, 24, 0];
    picture.extend([1; 24 * 24 * 3]);
    sandbox.write("assets/d.tga", &picture);
    sandbox.write("key", b"sixteen letters!");
    sandbox.write("raw-key", format!("hex:{}", "5f".repeat(32)).as_bytes());
    for cipher in ["none", "aes", "xchacha20-poly1305"] {
        for compression in ["none", "deflate", "lz4"] {
            let settings = format!(
                "[pack]\ncompat = \"raylib\"\ncipher = \"{cipher}\"\ncompression = \"{compression}\"\n[\"*.tga\"]\ncompression = \"qoi\"\n"
            );
            sandbox.write("assets/assets.toml", settings.as_bytes());
            sandbox.run(["pack", "assets", "-o", "game.rres", "--key-file", "key"]).success();
            let verify = ["verify", "game.rres", "--compat", "raylib", "--key-file", "key"];
            sandbox.run(verify).success();
        }
    }
    // The same without `compat`.
    sandbox.write("assets/assets.toml", b"[pack]\ncipher = \"xchacha20-poly1305\"\n");
    sandbox.run(["pack", "assets", "-o", "game.rres", "--key-file", "raw-key"]).success();
    let mut found =
        of_run(&sandbox.run(["verify", "--json", "game.rres", "--compat", "raylib", "--key-file", "raw-key"]));
    found.sort();
    found.dedup();
    assert_eq!(found, ["compression", "raw-key", "shared-chunks"]);
}

#[test]
fn packs_of_the_c_library_have_the_faults_that_are_known_of_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rres-format/tests/c-packs");
    let expected: BTreeMap<&str, &[&str]> = BTreeMap::from([
        // rrespacker loses the end of QOI images.
        ("05_qoi_rrespacker_layout", &["qoi-tail", "qoi-tail"][..]),
        ("quirk/cd_absolute", &["directory-offset"]),
        ("quirk/cipher_xor", &["cipher"]),
        ("quirk/img_mips2_l0", &["mip-levels"]),
        ("quirk/link_no_nul", &["link-end"]),
        ("quirk/linked_self", &["font-chunks"]),
        ("quirk/prefix_bad_order", &["directory-order"]),
        ("quirk/unknown_fourcc", &["chunk-kind"]),
    ]);
    let mut seen = 0;
    let mut files: Vec<_> = ["", "quirk"]
        .iter()
        .flat_map(|below| std::fs::read_dir(folder.join(below)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "rres"))
        .collect();
    files.sort();
    for file in files {
        let name = file.strip_prefix(&folder).unwrap().with_extension("").to_str().unwrap().replace('\\', "/");
        let found = reasons(&std::fs::read(&file).unwrap());
        assert_eq!(found, expected.get(&*name).copied().unwrap_or(&[]), "{name}");
        seen += usize::from(expected.contains_key(&*name));
    }
    assert_eq!(seen, expected.len());
}
