//! Packs whose checksums are right and whose numbers are not.

use rres_format::chunk::glyphs::{FontStyle, Glyph, glyphs_block};
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::link::link_block;
use rres_format::chunk::model::{Material, Node, Primitive, Topology, model_block};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::chunk::wave::WaveProps;
use rres_format::{Compression, FourCc, PackBuilder, Resource};

use super::with_pack;
use crate::packs::chunk;

/// The numbers that replace those in a block.
const VALUES: [u32; 4] = [0, 3, 0x7fff_ffff, u32::MAX];

/// The number of numbers at the start of a block that are replaced, one at a time.
const WORDS: usize = 20;

/// Returns a pack with every kind of resource. In each, one number is wrong.
pub(crate) fn pack() -> PackBuilder<'static> {
    let mut pack = PackBuilder::new();
    for (name, blocks) in kinds() {
        for (number, (_, block)) in blocks.iter().enumerate() {
            for word in 0..WORDS.min(block.len() / 4) {
                for value in VALUES {
                    let mut blocks = blocks.clone();
                    blocks[number].1[word * 4..word * 4 + 4].copy_from_slice(&value.to_le_bytes());
                    let chunks = blocks.iter().map(|(kind, block)| chunk(*kind, block, Compression::NONE)).collect();
                    pack.push(Resource::new(format!("{name}/{number}-{word}-{value:x}"), chunks));
                }
            }
        }
    }
    pack
}

/// The kind and the bytes of each chunk of a resource.
type Blocks = Vec<(FourCc, Vec<u8>)>;

fn kinds() -> Vec<(&'static str, Blocks)> {
    let image = |format| ImageProps { width: 8, height: 4, format, mipmaps: 1 };
    let glyph = Glyph { width: 4, height: 4, codepoint: 65, advance_x: 5, ..Glyph::default() };
    let vertices = |attribute, components, format, data: &[u8]| {
        let count = 3;
        (FourCc::VRTX, VertexProps { count, attribute, components, format }.block(data))
    };
    let node = Node { name: "n", parent: None, mesh: Some(0), transform: [1.0; 16] };
    let primitive = Primitive {
        mesh: 0,
        material: Some(0),
        topology: Topology::TRIANGLES,
        attributes: 2,
        minimum: [0.0; 3],
        maximum: [1.0; 3],
    };
    let material = Material { name: "m", base_color: [1.0; 4], base_color_image: Some(0) };
    let model = model_block(&[node], &[primitive], &[material]).unwrap();
    let wave = WaveProps { frames: 8, sample_rate: 8000, sample_size: 16, channels: 2 };
    vec![
        ("image", vec![(FourCc::IMGE, image(PixelFormat::RGBA8).block(&[9; 128]))]),
        ("blocks", vec![(FourCc::IMGE, image(PixelFormat::DXT5_RGBA).block(&[9; 32]))]),
        ("sound", vec![(FourCc::WAVE, wave.block(&[1; 32]))]),
        (
            "font",
            vec![
                (FourCc::FNTG, glyphs_block(8, 1, FontStyle::REGULAR, &[glyph])),
                (FourCc::IMGE, image(PixelFormat::GRAY_ALPHA8).block(&[9; 64])),
            ],
        ),
        (
            "model",
            vec![
                vertices(VertexAttribute::POSITION, 3, VertexFormat::FLOAT, &[0; 36]),
                vertices(VertexAttribute::INDEX, 1, VertexFormat::USHORT, &[0; 6]),
                (FourCc::MODL, model),
            ],
        ),
        ("text", vec![(FourCc::TEXT, TextProps::utf8(4).block(b"text"))]),
        ("raw", vec![(FourCc::RAWD, raw_block(".bin", &[7; 64]))]),
        ("link", vec![(FourCc::LINK, link_block("a/b"))]),
    ]
}

#[test]
fn wrong_numbers_are_faults_and_what_is_right_is_written() {
    let sandbox = with_pack(&pack());
    let args = ["extract", "game.rres", "-o", "tree", "--mips", "--metadata", "--follow-links", "."];
    let run = sandbox.run(args);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.matches("error: ").count() > 100, "{}", run.err);
    // Many numbers, such as a sampling rate, may be anything.
    assert!(run.out.lines().count() > 200, "{}", run.out);
    sandbox.run(["extract", "game.rres", "-o", "decoded", "--decode-blocks", "--json"]).failed(1, &["error: "]);
}
