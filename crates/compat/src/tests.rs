use super::*;
use rres_format::AssetKind;
use rres_format::FourCc;
use rres_format::PackView;
use rres_format::ResourceId;
use rres_format::chunk::block;
use rres_format::chunk::glyphs::{FontStyle, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::link::link_block;
use rres_format::chunk::model::{Primitive, Topology, model_block};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::{TextEncoding, TextProps};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::chunk::wave::WaveProps;

fn reasons(found: &[Unreadable]) -> Vec<Reason> {
    found.iter().map(|found| found.reason).collect()
}

fn of_block(kind: FourCc, block: &[u8]) -> Vec<Reason> {
    reasons(&check_block(kind, false, block))
}

fn image(width: u32, height: u32, format: PixelFormat, mipmaps: u32, len: usize) -> Vec<u8> {
    ImageProps { width, height, format, mipmaps }.block(&vec![0; len])
}

#[test]
fn the_names_of_reasons_are_distinct_and_in_kebab_case() {
    let mut names: Vec<&str> = Reason::ALL.iter().map(|reason| reason.name()).collect();
    assert!(names.iter().all(|name| name.bytes().all(|c| c.is_ascii_lowercase() || c == b'-')), "{names:?}");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Reason::ALL.len());
    for reason in Reason::ALL {
        for text in [reason.effect(), reason.build(), reason.help()] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
        }
    }
}

#[test]
fn images_must_have_the_size_that_raylib_computes() {
    for (width, height, format, len, expected) in [
        (5, 3, PixelFormat::RGB8, 45, None),
        (5, 3, PixelFormat::RGB32F, 180, None),
        (8, 4, PixelFormat::DXT1_RGB, 16, None),
        (8, 4, PixelFormat::DXT5_RGBA, 32, None),
        (2, 2, PixelFormat::DXT1_RGBA, 8, None),
        (2, 2, PixelFormat::DXT5_RGBA, 16, None),
        // raylib takes the blocks of all formats from BC2 to ASTC 4×4 for 16 bytes if the image is that small.
        (2, 2, PixelFormat::ETC1_RGB, 8, Some(Reason::ImageSize)),
        (4, 4, PixelFormat::ETC1_RGB, 8, None),
        (6, 6, PixelFormat::DXT1_RGB, 32, Some(Reason::ImageSize)),
        (8, 8, PixelFormat::ASTC_8X8_RGBA, 16, None),
        (4, 8, PixelFormat::ASTC_8X8_RGBA, 16, Some(Reason::ImageSize)),
        (5, 3, PixelFormat::RGB8, 46, Some(Reason::ImageSize)),
        (4, 4, PixelFormat::BC7, 16, Some(Reason::PixelFormat)),
        (4, 4, PixelFormat(0), 16, Some(Reason::PixelFormat)),
    ] {
        let found = of_block(FourCc::IMGE, &image(width, height, format, 1, len));
        assert_eq!(found, Vec::from_iter(expected), "{width}×{height} {format} {len}");
    }
    assert_eq!(of_block(FourCc::IMGE, &image(2, 2, PixelFormat::GRAY8, 2, 5)), [Reason::MipLevels]);
    // Beyond the largest `int`.
    assert_eq!(image_size(1 << 20, 1 << 12, PixelFormat::GRAY8), None);
    assert_eq!(image_size(u32::MAX, u32::MAX, PixelFormat::RGBA32F), None);
}

#[test]
fn texts_sounds_files_and_links_have_limits() {
    let text = |encoding, bytes: &[u8]| TextProps { encoding, ..TextProps::utf8(bytes.len() as u32) }.block(bytes);
    assert_eq!(of_block(FourCc::TEXT, &text(TextEncoding::UTF8, b"abc")), []);
    assert_eq!(of_block(FourCc::TEXT, &text(TextEncoding::UTF8, b"a\0c")), [Reason::TextZero]);
    assert_eq!(of_block(FourCc::TEXT, &text(TextEncoding::UTF16_LE, b"a\0c\0")), [Reason::TextEncoding]);

    let wave = |sample_size, len: usize| {
        WaveProps { frames: 4, sample_rate: 8000, sample_size, channels: 1 }.block(&vec![0; len])
    };
    for bits in [8, 16, 32] {
        assert_eq!(of_block(FourCc::WAVE, &wave(bits, 32)), []);
    }
    assert_eq!(of_block(FourCc::WAVE, &wave(24, 32)), [Reason::SampleFormat]);
    assert_eq!(of_block(FourCc::WAVE, &wave(64, 32)), [Reason::SampleFormat]);

    assert_eq!(of_block(FourCc::RAWD, &raw_block(".config", b"x")), []);
    let long = block(&[1, u32::from_be_bytes(*b".ext"), u32::from_be_bytes(*b"ensi"), 0], b"x");
    assert_eq!(of_block(FourCc::RAWD, &long), [Reason::Extension]);

    assert_eq!(of_block(FourCc::LINK, &link_block("a/b.png")), []);
    assert_eq!(of_block(FourCc::LINK, &block(&[3], b"a/b")), [Reason::LinkEnd]);
    assert_eq!(of_block(FourCc::LINK, &link_block(&"x".repeat(1024))), [Reason::LinkLength]);
    assert_eq!(reasons(&check_block(FourCc::LINK, true, &link_block("a"))), [Reason::PropertyCount]);
    assert_eq!(reasons(&check_block(FourCc::RAWD, true, &raw_block("", b"x"))), []);
    // Chunks that the C readers do not know do not matter to them.
    assert_eq!(reasons(&check_block(FourCc::SPRT, true, &block(&[0; 8], b""))), []);
}

#[test]
fn a_sound_of_more_than_512_mib_overflows() {
    let wave = |frames| WaveProps { frames, sample_rate: 8000, sample_size: 16, channels: 1 }.block(&[]);
    assert_eq!(of_block(FourCc::WAVE, &wave((1 << 28) - 1)), []);
    assert_eq!(of_block(FourCc::WAVE, &wave(1 << 28)), [Reason::SoundSize]);
}

#[test]
fn headers_name_compressions_ciphers_and_sizes() {
    let mut header = [0; ChunkInfo::SIZE];
    header[..4].copy_from_slice(b"RAWD");
    let plain = ChunkInfo { base_size: 100, ..ChunkInfo::from_bytes(&header) };
    let with = |compression, cipher, base_size| ChunkInfo { compression, cipher, base_size, ..plain };
    let reason = |info: ChunkInfo| check_header(&info).map(|found| found.reason);
    for compression in [Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::QOI] {
        for cipher in [Cipher::NONE, Cipher::AES, Cipher::XCHACHA20_POLY1305] {
            assert_eq!(reason(with(compression, cipher, 100)), None);
        }
    }
    let ours = [Compression::ZSTD, Compression::DELTA, Compression::FILTERED, Compression::SIBLING];
    for compression in ours.into_iter().chain([Compression(1), Compression(30)]) {
        assert_eq!(reason(with(compression, Cipher::NONE, 100)), Some(Reason::Compression));
    }
    assert_eq!(reason(with(Compression::NONE, Cipher(31), 100)), Some(Reason::Cipher));
    assert_eq!(reason(with(Compression::DEFLATE, Cipher::NONE, 64 << 20)), None);
    assert_eq!(reason(with(Compression::DEFLATE, Cipher::NONE, (64 << 20) + 1)), Some(Reason::DeflateSize));
    assert_eq!(reason(with(Compression::LZ4, Cipher::NONE, (1 << 31) - 1)), None);
    assert_eq!(reason(with(Compression::LZ4, Cipher::NONE, 1 << 31)), Some(Reason::ChunkSize));
}

#[test]
fn qoi_files_must_have_all_bytes() {
    let file = |width: u32, height: u32| {
        let mut file = b"qoif".to_vec();
        file.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
        file.extend([4, 0]);
        file
    };
    assert_eq!(check_qoi(&file(4, 6), 84), None);
    assert_eq!(check_qoi(&file(4, 4), 84).unwrap().reason, Reason::QoiTail);
    assert_eq!(check_qoi(&file(1 << 20, 1 << 20), 84).unwrap().reason, Reason::QoiSize);
    assert_eq!(check_qoi(b"qoif", 84), None);
}

/// Bits, the lowest of each byte first; codes of Huffman trees with their highest bit first.
#[derive(Default)]
struct Writer(Vec<u8>, u32);

impl Writer {
    fn bits(mut self, value: u32, count: u32) -> Self {
        for bit in 0..count {
            if self.1.is_multiple_of(8) {
                self.0.push(0);
            }
            *self.0.last_mut().unwrap() |= ((value >> bit & 1) as u8) << (self.1 % 8);
            self.1 += 1;
        }
        self
    }
}

#[test]
fn deflate_streams_that_raylib_misreads_are_found() {
    let reason = |stream: &[u8]| check_deflate(stream).map(|found| found.found);
    // A stored block, alone and behind an empty one.
    let stored = [1, 2, 0, 0xfd, 0xff, 7, 7];
    assert_eq!(reason(&stored), None);
    let flushed = [&[0, 0, 0, 0xff, 0xff][..], &stored].concat();
    assert_eq!(reason(&flushed).as_deref(), Some("has no bytes in DEFLATE block 1"));
    // Damage is for others to report.
    for len in 0..stored.len() {
        assert_eq!(reason(&stored[..len]), None, "{len}");
    }
    assert_eq!(reason(&[7, 0]), None);
    // A fixed block with the end only.
    assert_eq!(reason(&Writer::default().bits(1, 1).bits(1, 2).bits(0, 7).0), None);

    // A dynamic block: the literal 0 and the end have a bit each, and so has one distance.
    let dynamic = |distances: &[u32]| {
        let mut stream = Writer::default().bits(1, 1).bits(2, 2).bits(0, 5).bits(distances.len() as u32 - 1, 5);
        // The lengths 0, 1, 18 (zeros) have codes of 1, 2 and 2 bits: 0, 10, 11.
        stream = stream.bits(14, 4);
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
            stream = stream.bits(
                match symbol {
                    0 => 1,
                    1 | 18 => 2,
                    _ => 0,
                },
                3,
            );
        }
        let one = |stream: Writer| stream.bits(0b01, 2);
        stream = one(stream);
        stream = stream.bits(0b11, 2).bits(138 - 11, 7).bits(0b11, 2).bits(117 - 11, 7);
        stream = one(stream);
        for length in distances {
            stream = if *length == 1 { one(stream) } else { stream.bits(0, 1) };
        }
        // The end.
        stream.bits(1, 1).0
    };
    assert_eq!(reason(&dynamic(&[0])), None);
    assert_eq!(reason(&dynamic(&[1])), None);
    assert_eq!(reason(&dynamic(&[1, 1])), None);
    assert_eq!(reason(&dynamic(&[0, 1])).as_deref(), Some("has a single distance in DEFLATE block 1"));
}

#[test]
fn our_streams_are_none_of_them() {
    let mut compressor = rres_format::Compressor::default();
    for seed in 0..200u32 {
        // From equal bytes to noise, as raylib misreads what compresses well.
        let block: Vec<u8> = (0..2000u32).map(|i| (i.wrapping_mul(seed * seed) >> 11) as u8 & seed as u8).collect();
        let chunk = rres_format::StoredChunk::encode(
            FourCc::RAWD,
            &raw_block("", &block),
            Compression::DEFLATE,
            &mut compressor,
        );
        let chunk = chunk.unwrap();
        if chunk.info().compression == Compression::DEFLATE {
            assert_eq!(check_deflate(chunk.stored().unwrap()), None, "{seed}");
        }
    }
}

fn resource(kind: AssetKind, blocks: &[(FourCc, bool, Vec<u8>)]) -> Vec<Reason> {
    let blocks: Vec<_> = blocks
        .iter()
        .map(|(kind, is_linked, block)| ResourceBlock { kind: *kind, is_linked: *is_linked, block: Some(block) })
        .collect();
    reasons(&check_resource(Some(kind), &blocks))
}

#[test]
fn fonts_are_a_glyph_table_with_its_image() {
    let table = |is_linked| (FourCc::FNTG, is_linked, glyphs_block(8, 0, FontStyle(0), &[]));
    let atlas = || (FourCc::IMGE, false, image(4, 4, PixelFormat::GRAY_ALPHA8, 1, 32));
    let font = |blocks: &[_]| resource(AssetKind::Font, blocks);
    assert_eq!(font(&[table(true), atlas()]), []);
    assert_eq!(font(&[table(false), atlas()]), [Reason::FontChunks]);
    assert_eq!(font(&[table(true), atlas(), table(true), atlas()]), [Reason::FontSizes]);
}

#[test]
fn meshes_are_one_primitive_of_triangles() {
    use VertexAttribute as A;
    use VertexFormat as F;
    let attribute = |is_linked, attribute, count: u32, components: u32, format: F, size: usize| {
        let data = vec![0; count as usize * components as usize * size];
        (FourCc::VRTX, is_linked, VertexProps { count, attribute, components, format }.block(&data))
    };
    let position = |is_linked| attribute(is_linked, A::POSITION, 3, 3, F::FLOAT, 4);
    let indices = |is_linked| attribute(is_linked, A::INDEX, 6, 1, F::USHORT, 2);
    let structure = |count: usize, topology| {
        let primitive =
            Primitive { mesh: 0, material: None, topology, attributes: 1, minimum: [0.0; 3], maximum: [0.0; 3] };
        (FourCc::MODL, false, model_block(&[], &vec![primitive; count], &[]).unwrap())
    };
    let model = |blocks: &[_]| resource(AssetKind::Model, blocks);
    assert_eq!(model(&[position(true), indices(false), structure(1, Topology::TRIANGLES)]), []);
    assert_eq!(model(&[position(false), position(false), structure(2, Topology::TRIANGLES)]), [Reason::Primitives]);
    assert_eq!(model(&[position(false), structure(1, Topology::LINES)]), [Reason::Topology]);
    assert_eq!(model(&[indices(true), position(false)]), [Reason::IndexFirst]);
    let normals = attribute(false, A::NORMAL, 4, 3, F::FLOAT, 4);
    assert_eq!(model(&[position(true), normals]), [Reason::VertexCount]);

    let of = |(kind, _, block): (FourCc, bool, Vec<u8>)| of_block(kind, &block);
    assert_eq!(of(attribute(false, A::INDEX, 3, 1, F::UINT, 4)), [Reason::IndexFormat]);
    assert_eq!(of(attribute(false, A::TEXCOORD3, 3, 2, F::FLOAT, 4)), [Reason::VertexFormat]);
    assert_eq!(of(attribute(false, A::COLOR, 3, 4, F::FLOAT, 4)), [Reason::VertexFormat]);
}

#[test]
fn files_of_images_and_sounds_need_a_decoder_of_raylib() {
    let file = |kind, extension, bytes: &[u8]| resource(kind, &[(FourCc::RAWD, false, raw_block(extension, bytes))]);
    assert_eq!(file(AssetKind::Raw, ".jpg", b"\xff\xd8\xff"), []);
    assert_eq!(file(AssetKind::Image, ".jpg", b"\xff\xd8\xff"), [Reason::ImageFile]);
    assert_eq!(file(AssetKind::Sound, ".mp3", b"ID3"), []);
    assert_eq!(file(AssetKind::Sound, ".Mp3", b"ID3"), [Reason::SoundFile]);
    assert_eq!(file(AssetKind::Sound, ".flac", b"fLaC"), [Reason::SoundFile]);
    assert_eq!(resource(AssetKind::Sprite, &[(FourCc::SPRT, false, block(&[0; 8], b""))]), [Reason::Sprite]);
    assert_eq!(resource(AssetKind::Raw, &[(FourCc::MODL, false, Vec::new())]), [Reason::ChunkKind]);
}

#[test]
fn the_directory_is_found_and_its_names_hide_none() {
    let pack = |names: &[&str]| {
        let mut pack = rres_format::PackBuilder::new().index(false);
        for (number, name) in (1..).zip(names) {
            let chunk = rres_format::StoredChunk::encode(
                FourCc::RAWD,
                &raw_block("", b"x"),
                Compression::NONE,
                &mut Default::default(),
            );
            let chunk = chunk.unwrap();
            pack.push(rres_format::Resource::new(*name, vec![chunk]).with_id(ResourceId(number)));
        }
        pack.to_vec().unwrap()
    };
    let good = pack(&["ab", "ab.txt", "b"]);
    let check = |bytes: &[u8]| reasons(&check_pack(PackView::parse(bytes).unwrap()));
    assert_eq!(check(&good), []);
    // The same names with the first two exchanged.
    let mut swapped = good.clone();
    let at = |needle: &[u8]| good.windows(needle.len()).position(|window| window == needle).unwrap();
    let (short, long) = (at(b"ab\0\0"), at(b"ab.txt\0"));
    swapped[short..short + 2].copy_from_slice(b"b0");
    swapped[long..long + 6].copy_from_slice(b"b\0\0\0\0\0");
    let offset = u32::from_le_bytes(*good[8..].first_chunk().unwrap()) + 16;
    let (crc, stored) = (offset as usize + 28, offset as usize + ChunkInfo::SIZE);
    let fixed = crc32fast::hash(&swapped[stored..]);
    swapped[crc..stored].copy_from_slice(&fixed.to_le_bytes());
    assert_eq!(check(&swapped), [Reason::DirectoryOrder]);
    let mut absolute = good.clone();
    absolute[8..12].copy_from_slice(&offset.to_le_bytes());
    assert_eq!(check(&absolute), [Reason::DirectoryOffset]);
    absolute[8..12].fill(0);
    assert_eq!(check(&absolute), []);
}
