//! Sample blocks of every kind, made of arithmetic patterns, and packs of them.

use rres_format::chunk::{
    self,
    glyphs::{FontStyle, Glyph, glyphs_block},
    image::{ImageProps, PixelFormat},
    link::link_block,
    model::{Material, Node, Primitive, Topology, model_block},
    raw::raw_block,
    text::{CodeLanguage, TextEncoding, TextProps},
    vertex::{VertexAttribute, VertexFormat, VertexProps},
    wave::WaveProps,
};
use rres_format::index::{GroupSpec, Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};

/// Returns blocks of every kind that resources have, with a path for each. All but the link are compressible.
pub(crate) fn every_kind() -> Vec<(FourCc, &'static str, Vec<u8>)> {
    let text = "The quick brown fox. Grüße, 世界. ".repeat(12);
    let text_props = TextProps {
        size: text.len() as u32,
        encoding: TextEncoding::UTF8,
        language: CodeLanguage::LUA,
        culture: 0x0409,
    };
    let samples: Vec<u8> = (0..300u16).flat_map(|i| (i / 20).to_le_bytes()).collect();
    let wave = WaveProps { frames: 150, sample_rate: 44_100, sample_size: 16, channels: 2 };
    let positions: Vec<u8> = (0..90).flat_map(|i| ((i / 9) as f32).to_le_bytes()).collect();
    let glyph = Glyph { x: 3, width: 7, height: 9, offset_y: -2, advance_x: 8, ..Glyph::default() };
    let glyphs: Vec<Glyph> = (65..91).map(|codepoint| Glyph { codepoint, ..glyph }).collect();
    vec![
        (FourCc::RAWD, "data/blob.bin", raw_block(".bin", &b"0123456789abcdef".repeat(20))),
        (FourCc::TEXT, "text/Grüße 世界.lua", text_props.block(text.as_bytes())),
        (FourCc::IMGE, "images/rgba.png", image(PixelFormat::RGBA8, 24, 10)),
        (FourCc::IMGE, "images/rgb.png", image(PixelFormat::RGB8, 31, 17)),
        (FourCc::WAVE, "audio/stereo.wav", wave.block(&samples)),
        (FourCc::VRTX, "models/points.obj", positions_block(30, &positions)),
        (FourCc::FNTG, "fonts/sans.ttf", glyphs_block(32, 2, FontStyle::REGULAR, &glyphs)),
        (FourCc::MODL, "models/tree.glb", model()),
        (FourCc(*b"ZZZZ"), "other/unknown", chunk::block(&[1, 2, 3, 4], &[7; 400])),
        (FourCc::LINK, "links/credits.txt", link_block(&"far/away/".repeat(50))),
    ]
}

pub(crate) fn positions_block(count: u32, data: &[u8]) -> Vec<u8> {
    let (attribute, format) = (VertexAttribute::POSITION, VertexFormat::FLOAT);
    VertexProps { count, attribute, components: 3, format }.block(data)
}

/// Returns the block of an image whose rows are equal.
pub(crate) fn image(format: PixelFormat, width: u32, height: u32) -> Vec<u8> {
    let props = ImageProps { width, height, format, mipmaps: 1 };
    let size = props.data_size().unwrap() as usize;
    let row = size / height as usize;
    props.block(&(0..size).map(|i| (i % row / 16 * 5) as u8).collect::<Vec<_>>())
}

fn model() -> Vec<u8> {
    let transform = core::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
    let nodes: Vec<_> =
        (0..6u32).map(|i| Node { name: "node", parent: i.checked_sub(1), mesh: Some(0), transform }).collect();
    let primitive = Primitive {
        mesh: 0,
        material: Some(0),
        topology: Topology::TRIANGLES,
        attributes: 2,
        minimum: [-1.0; 3],
        maximum: [1.0; 3],
    };
    let material = Material { name: "paint", base_color: [1.0, 0.5, 0.25, 1.0], base_color_image: Some(0) };
    model_block(&nodes, &[primitive], &[material]).unwrap()
}

/// Whether `compression` supports chunks of `kind`: QOI compresses only images.
pub(crate) fn supports(compression: Compression, kind: FourCc) -> bool {
    compression != Compression::QOI || kind == FourCc::IMGE
}

/// Encodes `block`, without compression if `compression` does not support its kind.
pub(crate) fn encode(kind: FourCc, block: &[u8], compression: Compression) -> StoredChunk<'static> {
    let compression = if supports(compression, kind) { compression } else { Compression::NONE };
    StoredChunk::encode(kind, block, compression, &mut Compressor::default()).unwrap()
}

/// Returns a raw resource of one chunk.
pub(crate) fn raw(path: &str, bytes: &[u8], compression: Compression) -> Resource<'static> {
    Resource::new(path, vec![encode(FourCc::RAWD, &raw_block("", bytes), compression)])
}

/// Returns a small pack with every kind, every compression, a chain, a group, metadata and dependencies.
pub(crate) fn pack() -> Vec<u8> {
    let compressions = [Compression::NONE, Compression::DEFLATE, Compression::LZ4, Compression::QOI, Compression::ZSTD];
    let mut builder = PackBuilder::new().set_hash(*b"sixteen bytes ok");
    let kinds = every_kind();
    for (i, (kind, path, block)) in kinds.iter().enumerate() {
        builder.push(Resource::new(*path, vec![encode(*kind, block, compressions[i % compressions.len()])]));
    }
    let blocks: Vec<_> = (1..4u8).map(|i| positions_block(1, &[i; 12])).collect();
    let chunks = blocks.iter().map(|block| encode(FourCc::VRTX, block, Compression::NONE)).collect();
    let mut meta = Meta::default();
    meta.set(MetaKey::FILTER, 1);
    meta.set_f32(MetaKey::GAIN, -6.5);
    let mut linked = Resource::new("models/linked.obj", chunks).with_id(ResourceId(0x1234)).with_meta(meta);
    linked.dependencies.push(ResourceId::from_path("images/rgba.png"));
    builder.push(linked);
    let members = vec![ResourceId(0x1234), ResourceId::from_path("audio/stereo.wav")];
    builder.push_group(GroupSpec { name: "level 1".to_owned(), members });
    builder.to_vec().unwrap()
}
