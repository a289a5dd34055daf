//! KTX of version 1: the formats of old phones with their levels, in both byte orders; other shapes and damage are refused.

use super::*;

/// A file as its specification has it.
struct Ktx {
    is_big_endian: bool,
    /// Type, size of the type, format and internal format in OpenGL.
    format: [u32; 4],
    size: [u32; 3],
    layers: u32,
    faces: u32,
    orientation: Option<&'static str>,
    /// The largest level first; a level has the faces one after another.
    levels: Vec<Vec<u8>>,
}

impl Ktx {
    fn blocks(internal_format: u32, edge: u32, levels: Vec<Vec<u8>>) -> Self {
        Self {
            is_big_endian: false,
            format: [0, 1, 0, internal_format],
            size: [edge, edge, 0],
            layers: 0,
            faces: 1,
            orientation: None,
            levels,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let word = |value: u32| if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
        let pair = self.orientation.map(|value| [b"KTXorientation\0", value.as_bytes(), b"\0"].concat());
        let pairs = pair.map_or(Vec::new(), |pair| {
            let mut pairs = [&word(pair.len() as u32)[..], &pair].concat();
            pairs.resize(pairs.len().next_multiple_of(4), 0);
            pairs
        });
        let [data_type, type_size, data_format, internal_format] = self.format;
        let [width, height, depth] = self.size;
        let mut file = b"\xabKTX 11\xbb\r\n\x1a\n".to_vec();
        let head = [0x0403_0201, data_type, type_size, data_format, internal_format, data_format, width, height, depth];
        head.into_iter().for_each(|value| file.extend(word(value)));
        let counts = [self.layers, self.faces, self.levels.len() as u32, pairs.len() as u32];
        counts.into_iter().for_each(|value| file.extend(word(value)));
        file.extend(pairs);
        for level in &self.levels {
            let face = level.len() / self.faces as usize;
            file.extend(word(face as u32));
            for face in level.chunks(face.max(1)) {
                file.extend(face);
                file.resize(file.len().next_multiple_of(4), 0);
            }
        }
        file
    }
}

fn imported(file: &Ktx) -> Result<Asset, ImportError> {
    import(&file.bytes(), "ktx", &ImageSettings::default())
}

#[test]
fn blocks_of_old_phones_keep_their_levels() {
    let cases = [
        (0x8d64, PixelFormat::ETC1_RGB),
        (0x8c00, PixelFormat::PVRT_RGB),
        (0x8a55, PixelFormat::PVRT_RGB),
        (0x8c02, PixelFormat::PVRT_RGBA),
        (0x8a57, PixelFormat::PVRT_RGBA),
        (0x9278, PixelFormat::ETC2_EAC_RGBA),
        (0x93d7, PixelFormat::ASTC_8X8_RGBA),
        (0x83f3, PixelFormat::DXT5_RGBA),
    ];
    for (number, format) in cases {
        let levels: Vec<_> = [16, 8].map(|edge| noise(format.level_size(edge, edge).unwrap() as usize)).into();
        for is_big_endian in [false, true] {
            let part = imported(&Ktx { is_big_endian, ..Ktx::blocks(number, 16, levels.clone()) }).unwrap();
            let (props, pixels) = props_and_pixels(&part);
            assert_eq!((props.format, props.mipmaps, pixels), (format, 2, levels.concat()), "{number:#x}");
            assert_eq!((part.meta.get(MetaKey::COLOR_SPACE), part.notes.len()), (None, 0), "{number:#x}");
        }
    }
    let one_channel = Ktx::blocks(0x9270, 4, vec![noise(8)]);
    assert_eq!(imported(&one_channel).unwrap().meta.get(MetaKey::COLOR_SPACE), Some(1));
}

/// Drivers expect 32 bytes for each level below 8×8 pixels, and packs have a block of 8 bytes for 4×4 pixels.
#[test]
fn the_smallest_levels_of_pvrtc_are_left_out_with_a_note() {
    let file = Ktx::blocks(0x8c02, 16, vec![noise(128), noise(32), noise(32), noise(32), noise(32)]);
    let part = imported(&file).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.mipmaps, pixels), (2, file.levels[..2].concat()));
    let note = &part.notes[0].topic;
    assert!(note.starts_with("levels of PVRTC smaller than 8×8 pixels are left out"), "{note}");
    // What `extract` writes of a pack with such levels has the size of the pack.
    let file = Ktx::blocks(0x8c02, 8, vec![noise(32), noise(8)]);
    let part = imported(&file).unwrap();
    assert_eq!((props_and_pixels(&part).1, part.notes.len()), (file.levels.concat(), 0));
}

#[test]
fn rows_of_pixels_have_no_padding_and_the_byte_order_of_packs() {
    // Three pixels of RGB are padded to 12 bytes.
    let file = Ktx { format: [0x1401, 1, 0x1907, 0x8051], size: [3, 2, 0], ..Ktx::blocks(0, 0, vec![noise(24)]) };
    let (props, pixels) = props_and_pixels(&imported(&file).unwrap());
    let level = &file.levels[0];
    assert_eq!((props.format, pixels), (PixelFormat::RGB8, [&level[..9], &level[12..21]].concat()));
    let floats: Vec<u8> = [1.0f32, -2.5].iter().flat_map(|value| value.to_be_bytes()).collect();
    let file = Ktx {
        is_big_endian: true,
        format: [0x1406, 4, 0x1903, 0x822e],
        size: [2, 1, 0],
        ..Ktx::blocks(0, 0, vec![floats])
    };
    let part = imported(&file).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.format, pixels), (PixelFormat::R32F, [1.0f32.to_le_bytes(), (-2.5f32).to_le_bytes()].concat()));
    assert_eq!(part.meta.get(MetaKey::COLOR_SPACE), Some(1));
}

#[test]
fn cubemaps_are_one_image_with_six_faces() {
    let file = Ktx { faces: 6, ..Ktx::blocks(0x8d64, 8, vec![noise(6 * 32), noise(6 * 8)]) };
    let part = imported(&file).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.width, props.height, props.mipmaps), (8, 48, 2));
    assert_eq!((pixels, part.meta.get(MetaKey::CUBEMAP)), (file.levels.concat(), Some(1)));
}

#[test]
fn what_is_no_picture_of_a_gpu_is_refused_by_name() {
    let plain = || Ktx::blocks(0x8d64, 8, vec![noise(32)]);
    let cases = [
        (Ktx { size: [8, 8, 2], ..plain() }, "is a KTX with a volume"),
        (Ktx { layers: 2, ..plain() }, "is a KTX with an array"),
        (Ktx { orientation: Some("S=r,T=u"), ..plain() }, "is a KTX with rows from the bottom"),
        // PVRTC of 2 bits, and BGRA.
        (Ktx { format: [0, 1, 0, 0x8c01], ..plain() }, "is a KTX with the format 0x8c01 of OpenGL, which rres has no"),
        (Ktx { format: [0x1401, 1, 0x80e1, 0x8058], ..plain() }, "is a KTX with the format 0x8058 of OpenGL"),
        (Ktx { faces: 2, ..plain() }, "is a damaged KTX: it has 2 faces"),
        (Ktx { levels: vec![noise(31)], ..plain() }, "is a damaged KTX: it has a level 0 of 31 bytes, expected 32"),
        (Ktx { size: [0, 4, 0], ..plain() }, "has 0×4 pixels"),
        (Ktx { size: [1 << 19, 1 << 19, 0], ..plain() }, "is too large"),
    ];
    for (file, expected) in cases {
        let error = imported(&file).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{expected}: {error}");
        assert!(error.help().is_some(), "{expected}");
    }
    assert!(imported(&Ktx { orientation: Some("S=r,T=d"), ..plain() }).is_ok());
}

#[test]
fn files_that_end_early_are_damaged() {
    let file = Ktx { orientation: Some("S=r,T=d"), ..Ktx::blocks(0x8d64, 8, vec![noise(32), noise(8)]) }.bytes();
    for cut in cuts(&file) {
        let error = import(cut, "ktx", &ImageSettings::default()).unwrap_err().to_string();
        assert!(error.contains("damaged") || cut.len() < 12, "{} bytes: {error}", cut.len());
    }
}
