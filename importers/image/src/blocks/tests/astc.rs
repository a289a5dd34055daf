//! Pixels → ASTC.

use super::super::astc;
use super::*;

const FORMATS: [PixelFormat; 3] = [PixelFormat::ASTC_4X4_RGBA, PixelFormat::ASTC_6X6_RGBA, PixelFormat::ASTC_8X8_RGBA];

/// A level as another decoder sees it, whose code is independent of this project.
fn foreign(blocks: &Decoded, edge: usize) -> Vec<[u8; 4]> {
    let ImageProps { width, height, .. } = blocks.props;
    let mut pixels = vec![0u32; width as usize * height as usize];
    texture2ddecoder::decode_astc(blocks.data(), width as usize, height as usize, edge, edge, &mut pixels).unwrap();
    let to_rgba = |pixel: u32| {
        let [b, g, r, a] = pixel.to_le_bytes();
        [r, g, b, a]
    };
    pixels.into_iter().map(to_rgba).collect()
}

#[test]
fn blocks_are_near_the_pixels_and_the_same_bytes_everywhere() {
    let mut found = Vec::new();
    for (format, effort, least) in [
        (FORMATS[0], BlockEffort::Fast, 39.0),
        (FORMATS[0], BlockEffort::Best, 39.5),
        (FORMATS[1], BlockEffort::Fast, 33.0),
        (FORMATS[1], BlockEffort::Best, 33.5),
        (FORMATS[2], BlockEffort::Fast, 29.8),
        (FORMATS[2], BlockEffort::Best, 30.3),
    ] {
        let settings = ImageSettings { effort, ..settings(format) };
        let (blocks, Quality { psnr, .. }) = encoded(&picture(36, 36, photo), format, &settings).unwrap();
        assert!(psnr >= least, "{format} {effort:?}: {psnr}");
        found.push(crc32fast::hash(blocks.data()));
    }
    // The hashes fail if another machine or compiler makes other bytes.
    assert_eq!(found, [426_641_629, 3_236_941_751, 3_305_737_251, 487_760_261, 3_401_759_600, 28_545_970]);
}

#[test]
fn another_decoder_sees_what_this_one_sees() {
    let noise = |x: u32, y: u32| {
        let v = (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35);
        [v as u8, (v >> 8) as u8, (v >> 16) as u8, (v >> 24) as u8]
    };
    let gray = |x: u32, y: u32| [(x * 3 + y) as u8, (x * 3 + y) as u8, (x * 3 + y) as u8, 255];
    let glass = |x: u32, y: u32| [(x + y) as u8, (x + y) as u8, (x + y) as u8, (x * y) as u8];
    let pictures = [
        picture(24, 24, photo),
        picture(24, 24, opaque_photo),
        picture(16, 16, noise),
        picture(25, 22, gray),
        picture(25, 22, glass),
        picture(9, 9, |_, _| [7, 90, 200, 33]),
    ];
    // Blocks with one subset and plane, with two planes, with two subsets.
    let mut layouts = [0; 3];
    for pixels in pictures {
        for format in FORMATS {
            for effort in [BlockEffort::Fast, BlockEffort::Best] {
                let (blocks, _) = encoded(&pixels, format, &ImageSettings { effort, ..settings(format) }).unwrap();
                let edge = astc::edge(format).unwrap();
                let size = (pixels.props.width as usize, pixels.props.height as usize);
                let own = astc::decode(blocks.data(), size, edge);
                for block in blocks.data().as_chunks::<16>().0.iter().filter(|block| block[..2] != [0xfc, 0xfd]) {
                    let head = u16::from_le_bytes([block[0], block[1]]);
                    let has_planes = head >> 10 & 1 == 1 && head & 3 != 0;
                    layouts[if head >> 11 & 3 == 1 { 2 } else { usize::from(has_planes) }] += 1;
                }
                for (at, (own, other)) in own.iter().zip(foreign(&blocks, edge)).enumerate() {
                    // The other one rounds 16 bits to the nearest 8 bits.
                    let is_near = (0..4).all(|c| own[c].abs_diff(other[c]) <= 1);
                    assert!(is_near, "{format} {effort:?} pixel {at}: {own:?} {other:?}");
                }
            }
        }
    }
    assert!(layouts.iter().all(|count| *count > 50), "{layouts:?}");
}

#[test]
fn block_astc_chooses_by_quality_meaning_and_edges() {
    let block = settings(ImageFormat::BlockAstc);
    let smooth: fn(u32, u32) -> [u8; 4] = |x, y| [x as u8 + 40, x as u8 + 50, y as u8 / 2 + 60, 255];
    let noise: fn(u32, u32) -> [u8; 4] =
        |x, y| (x.wrapping_mul(0x9e37_79b9) ^ y.wrapping_mul(0x85eb_ca6b)).wrapping_mul(0xc2b2_ae35).to_le_bytes();
    let chosen = |edge, pixel: fn(u32, u32) -> [u8; 4], meaning| stored(picture(edge, edge, pixel), &block, meaning);
    let (format, quality, notes) = chosen(96, smooth, Meaning::Srgb);
    assert_eq!((format, notes.len()), (PixelFormat::ASTC_6X6_RGBA, 0));
    assert!(quality >= Some(40.0), "{quality:?}");
    assert_eq!(chosen(96, smooth, Meaning::Normals).0, PixelFormat::ASTC_4X4_RGBA);
    assert_eq!(chosen(128, smooth, Meaning::Srgb).0, PixelFormat::ASTC_4X4_RGBA, "128 is not a multiple of 6");
    let (format, _, notes) = chosen(96, noise, Meaning::Srgb);
    assert_eq!(format, PixelFormat::RGBA8);
    assert!(notes[0].topic.contains("not as good as asked"), "{notes:?}");
    let (format, _, notes) = chosen(90, smooth, Meaning::Srgb);
    assert_eq!(format, PixelFormat::RGBA8);
    assert!(notes[0].topic.contains("not multiples of 4"), "{notes:?}");
}

#[test]
fn edges_and_settings_without_effect_are_named() {
    let rdo = ImageSettings { rdo: 1.0, ..settings(PixelFormat::ASTC_6X6_RGBA) };
    let (format, _, notes) = stored(picture(64, 60, photo), &rdo, Meaning::Srgb);
    assert_eq!(format, PixelFormat::ASTC_6X6_RGBA);
    let topics: Vec<_> = notes.iter().map(|note| note.topic.as_str()).collect();
    assert!(
        matches!(&topics[..], [edges, rdo] if edges.contains("not multiples of 6") && rdo.contains("image.rdo")),
        "{topics:?}"
    );
}

#[test]
fn smaller_levels_have_whole_blocks() {
    let mut pixels = picture(10, 7, photo);
    let small: Vec<[u8; 4]> = (0..5 * 3 + 2 + 1).map(|i| [i * 10, 200, 3, 255]).collect();
    pixels.block.extend_from_slice(small.as_flattened());
    pixels.props.mipmaps = 4;
    let (blocks, _) = encoded(&pixels, PixelFormat::ASTC_6X6_RGBA, &settings(PixelFormat::ASTC_6X6_RGBA)).unwrap();
    // 2 × 2, 1, 1 and 1 blocks.
    assert_eq!(blocks.data().len(), (4 + 1 + 1 + 1) * 16);
    let last = astc::decode(&blocks.data()[6 * 16..], (1, 1), 6)[0];
    assert_eq!(last, *small.last().unwrap());
}
