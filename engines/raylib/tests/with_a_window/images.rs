//! Images → textures.

use raylib::prelude::*;
use rres_format::chunk::image::{ImageProps, PixelFormat as Format};
use rres_format::index::MetaKey;
use rres_raylib::{ErrorKind, texture};
use rres_test_data::bytes::floats;

use crate::packs::{image, plain};
use crate::{SIZE, Stage};

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

pub(crate) fn pixels(stage: &mut Stage) {
    let pixels: Vec<u8> = (0..8 * 5).flat_map(|i| [i * 6, 255 - i * 6, i, 255]).collect();
    let texture = texture(&stage.thread, &plain(Format::RGBA8, 8, 5, &pixels)).unwrap();
    let picture = stage.picture(|draw| draw.draw_texture(&texture, 10, 20, Color::WHITE));
    for (number, pixel) in (0..).zip(pixels.chunks(4)) {
        assert_eq!(picture.at(10 + number % 8, 20 + number / 8), pixel);
    }
    assert_eq!((picture.at(9, 20), picture.at(18, 20)), ([0, 0, 0, 255], [0, 0, 0, 255]));
    let read = texture.load_image().unwrap().get_image_data_u8(false);
    assert_eq!(read, pixels, "the graphics card has the bytes of the asset");
}

/// A block of BC1 or of the colours of BC2 and BC3: two colours in 5, 6 and 5 bits, and two bits a pixel that choose, here the first.
const BC1_RED: [u8; 8] = [0x00, 0xf8, 0x1f, 0x00, 0, 0, 0, 0];

/// Red in each format, as a block or as four pixels of one row.
fn red() -> Vec<(Format, Vec<u8>, [u8; 4])> {
    let gray = [76, 76, 76, 255];
    // Alpha of 15 out of 15 for 16 pixels; alpha of 255 and of 255, of which each pixel has the first.
    let (opaque2, opaque3) = ([0xff; 8], [255, 255, 0, 0, 0, 0, 0, 0]);
    // ETC1, one colour of 4 bits for each half, with the smallest steps. Those change it by 2.
    let etc1 = [0xff, 0x00, 0x00, 0x00, 0, 0, 0, 0];
    // EAC: a base of 255 that nothing is multiplied with.
    let eac = [255, 0x00, 0, 0, 0, 0, 0, 0];
    // BC7, mode 5: the colours of 7 bits and the alphas of 8 bits follow each other, the indices are 0.
    let bc7 = (1u128 << 5 | 0x7f << 8 | 0x7f << 15 | 0xff << 50 | 0xff << 58).to_le_bytes();
    // ASTC: a block of one colour, whose channels are 16 bits.
    let astc = [0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff];
    vec![
        (Format::GRAY8, vec![76; 16], gray),
        (Format::GRAY_ALPHA8, [76, 255].repeat(16), gray),
        (Format::RGB565, [0x00, 0xf8].repeat(16), RED),
        (Format::RGB8, [255, 0, 0].repeat(16), RED),
        (Format::RGBA5551, [0x01, 0xf8].repeat(16), RED),
        (Format::RGBA4444, [0x0f, 0xf0].repeat(16), RED),
        (Format::RGBA8, RED.repeat(16), RED),
        (Format::R32F, floats(&[1.0; 16]), RED),
        (Format::RGB32F, floats(&[1.0, 0.0, 0.0].repeat(16)), RED),
        (Format::RGBA32F, floats(&[1.0, 0.0, 0.0, 1.0].repeat(16)), RED),
        (Format::DXT1_RGB, BC1_RED.to_vec(), RED),
        (Format::DXT1_RGBA, BC1_RED.to_vec(), RED),
        (Format::DXT3_RGBA, [opaque2, BC1_RED].concat(), RED),
        (Format::DXT5_RGBA, [opaque3, BC1_RED].concat(), RED),
        (Format::ETC1_RGB, etc1.to_vec(), RED),
        (Format::ETC2_RGB, etc1.to_vec(), RED),
        (Format::ETC2_EAC_RGBA, [eac, etc1].concat(), RED),
        (Format::BC7, bc7.to_vec(), RED),
        (Format::ASTC_4X4_RGBA, astc.to_vec(), RED),
    ]
}

pub(crate) fn formats(stage: &mut Stage) {
    for (format, data, expected) in red() {
        let what = format!("{format:?}");
        match texture(&stage.thread, &plain(format, 4, 4, &data)) {
            Ok(texture) => {
                let picture = stage.picture(|draw| draw.draw_texture(&texture, 0, 0, Color::WHITE));
                [(0, 0), (3, 3)].into_iter().for_each(|(x, y)| picture.is_about(x, y, expected, 8, &what));
                picture.is_about(4, 4, [0, 0, 0, 255], 0, &what);
            }
            // The formats that not every graphics card has, and that are not unpacked.
            Err(error) => {
                let is_rare = [Format::ETC1_RGB, Format::ETC2_RGB, Format::ETC2_EAC_RGBA, Format::ASTC_4X4_RGBA];
                assert!(is_rare.contains(&format), "{error}");
                assert!(matches!(error.kind(), ErrorKind::PixelFormat(found) if *found == format), "{error}");
                assert!(error.to_string().contains("format = \"rgba8\""), "{error}");
            }
        }
    }
    let error = texture(&stage.thread, &plain(Format::BC5, 4, 4, &[0; 16])).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::PixelFormat(Format::BC5)), "{error}");
}

pub(crate) fn sampling(stage: &mut Stage) {
    // Red, and blue in the half size.
    let levels = [RED.repeat(16), BLUE.repeat(4), BLUE.to_vec()].concat();
    let props = ImageProps { width: 4, height: 4, format: Format::RGBA8, mipmaps: 3 };
    let mipped = texture(&stage.thread, &image(props, &levels, &[])).unwrap();
    assert_eq!(mipped.mipmaps(), 3);
    // Left red, right blue, of two pixels each.
    let row: Vec<u8> = [RED, RED, BLUE, BLUE].concat();
    let props = ImageProps { width: 4, height: 1, format: Format::RGBA8, mipmaps: 1 };
    let of = |stage: &Stage, filter: u32, wrap: u32| {
        texture(&stage.thread, &image(props, &row, &[(MetaKey::FILTER, filter), (MetaKey::WRAP, wrap)])).unwrap()
    };
    let [nearest, linear] = [1, 0].map(|filter| of(stage, filter, 0));
    let wrapped = [0, 1, 2].map(|wrap| of(stage, 1, wrap));
    let whole = Rectangle::new(0.0, 0.0, 4.0, 1.0);
    let twice = Rectangle::new(0.0, 0.0, 8.0, 1.0);
    let picture = stage.picture(|draw| {
        let mut place = |texture: &Texture2D, source: Rectangle, y: f32, width: f32, height: f32| {
            let target = Rectangle::new(0.0, y, width, height);
            draw.draw_texture_pro(texture, source, target, Vector2::new(0.0, 0.0), 0.0, Color::WHITE);
        };
        place(&mipped, Rectangle::new(0.0, 0.0, 4.0, 4.0), 0.0, 4.0, 4.0);
        place(&mipped, Rectangle::new(0.0, 0.0, 4.0, 4.0), 10.0, 2.0, 2.0);
        place(&nearest, whole, 20.0, 64.0, 4.0);
        place(&linear, whole, 30.0, 64.0, 4.0);
        for (number, wrapped) in wrapped.iter().enumerate() {
            place(wrapped, twice, 40.0 + 10.0 * number as f32, 64.0, 4.0);
        }
    });
    assert_eq!((picture.at(1, 1), picture.at(1, 11)), (RED, BLUE), "mip levels");
    assert_eq!((picture.at(31, 21), picture.at(32, 21)), (RED, BLUE), "the nearest pixel");
    picture.is_about(32, 31, [120, 0, 135, 255], 20, "blended pixels");
    // The second time: clamped, repeated and mirrored.
    assert_eq!([40, 50, 60].map(|y| picture.at(34, y + 1)), [BLUE, RED, BLUE]);
    assert_eq!([40, 50, 60].map(|y| picture.at(60, y + 1)), [BLUE, BLUE, RED]);
}

pub(crate) fn edges(stage: &mut Stage) {
    // Blocks of a format that raylib has, and of one that is unpacked, with a row and a column of blocks that end early.
    let blue = [0x1f, 0x00, 0x00, 0xf8, 0, 0, 0, 0];
    let blocks = [BC1_RED, blue, BC1_RED, blue].concat();
    let props = ImageProps { width: 6, height: 5, format: Format::DXT1_RGB, mipmaps: 1 };
    let bc7 = |red: u128, blue: u128| {
        (1u128 << 5 | red << 8 | red << 15 | blue << 36 | blue << 43 | 0xff << 50 | 0xff << 58).to_le_bytes()
    };
    let unpacked = [bc7(127, 0), bc7(0, 127), bc7(127, 0), bc7(0, 127)].concat();
    for (format, blocks) in [(Format::DXT1_RGB, blocks), (Format::BC7, unpacked)] {
        let texture = texture(&stage.thread, &image(ImageProps { format, ..props }, &blocks, &[])).unwrap();
        assert_eq!((texture.width(), texture.height()), (6, 5));
        let picture = stage.picture(|draw| draw.draw_texture(&texture, 0, 0, Color::WHITE));
        let what = format!("{format:?}");
        picture.is_about(3, 4, RED, 2, &what);
        picture.is_about(5, 4, BLUE, 2, &what);
        [(6, 4), (5, 5)].into_iter().for_each(|(x, y)| picture.is_about(x, y, [0, 0, 0, 255], 0, &what));
    }
}

pub(crate) fn sizes(stage: &mut Stage) {
    let texture = texture(&stage.thread, &plain(Format::GRAY8, 3, 1, &[10, 20, 30])).unwrap();
    assert_eq!((texture.width(), texture.height(), texture.mipmaps()), (3, 1, 1));
    assert!(texture.is_texture_valid());
    // Rows of three bytes are not aligned.
    let picture = stage.picture(|draw| draw.draw_texture(&texture, 0, 0, Color::WHITE));
    assert_eq!([0, 1, 2].map(|x| picture.at(x, 0)[0]), [10, 20, 30]);
    assert_eq!(picture.at(SIZE - 1, SIZE - 1), [0, 0, 0, 255]);
}
