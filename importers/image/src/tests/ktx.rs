//! KTX2: levels are kept, with Zstandard, zlib or without; other shapes and damage are refused.

use rres_format::{Compression, Compressor};

use super::*;

/// A KTX2 file as its specification has it, with one descriptor of a colour model and a transfer function.
struct Ktx {
    format: u32,
    size: [u32; 3],
    layers: u32,
    faces: u32,
    scheme: u32,
    model: u8,
    transfer: u8,
    premultiplied: bool,
    orientation: Option<&'static str>,
    /// The largest level first.
    levels: Vec<Vec<u8>>,
}

impl Ktx {
    fn new(format: u32, width: u32, height: u32, levels: Vec<Vec<u8>>) -> Self {
        let transfer = 1; // linear
        Self {
            format,
            size: [width, height, 0],
            layers: 0,
            faces: 1,
            scheme: 0,
            model: 1,
            transfer,
            premultiplied: false,
            orientation: None,
            levels,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut head = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
        let word = |out: &mut Vec<u8>, value: u32| out.extend(value.to_le_bytes());
        let [width, height, depth] = self.size;
        let count = self.levels.len();
        for value in [self.format, 1, width, height, depth, self.layers, self.faces, count as u32, self.scheme] {
            word(&mut head, value);
        }
        let mut descriptor = Vec::new();
        word(&mut descriptor, 4 + 24);
        word(&mut descriptor, 0); // of Khronos, basic
        word(&mut descriptor, 2 | 24 << 16); // version, size
        descriptor.extend([self.model, 1, self.transfer, u8::from(self.premultiplied)]);
        descriptor.extend([3, 3, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0]);
        let mut pairs = Vec::new();
        if let Some(orientation) = self.orientation {
            let pair = [b"KTXorientation\0", orientation.as_bytes(), b"\0"].concat();
            word(&mut pairs, pair.len() as u32);
            pairs.extend(pair);
            pairs.resize(pairs.len().next_multiple_of(4), 0);
        }
        let start = 80 + 24 * count;
        for value in [start, descriptor.len(), start + descriptor.len(), pairs.len(), 0, 0, 0, 0] {
            word(&mut head, value as u32);
        }
        let mut at = start + descriptor.len() + pairs.len();
        let mut data = Vec::new();
        for level in &self.levels {
            for value in [at as u64, level.len() as u64, level.len() as u64] {
                head.extend(value.to_le_bytes());
            }
            at += level.len();
            data.extend(level);
        }
        [head, descriptor, pairs, data].concat()
    }
}

fn imported(file: &Ktx) -> Result<Asset, ImportError> {
    import(&file.bytes(), "ktx2", &ImageSettings::default())
}

#[test]
fn every_format_keeps_its_levels_and_its_colour_space() {
    // The numbers of Vulkan, and whether the result is linear.
    let cases = [
        (37, PixelFormat::RGBA8, true),
        (43, PixelFormat::RGBA8, false),
        (29, PixelFormat::RGB8, false),
        (9, PixelFormat::GRAY8, true),
        (131, PixelFormat::DXT1_RGB, true),
        (134, PixelFormat::DXT1_RGBA, false),
        (138, PixelFormat::DXT5_RGBA, false),
        (139, PixelFormat::BC4, true),
        (141, PixelFormat::BC5, true),
        (144, PixelFormat::BC6H_SIGNED, true),
        (145, PixelFormat::BC7, true),
        (146, PixelFormat::BC7, false),
        (148, PixelFormat::ETC2_RGB, false),
        (150, PixelFormat::ETC2_RGBA1, false),
        (155, PixelFormat::EAC_RG11, true),
        (157, PixelFormat::ASTC_4X4_RGBA, true),
        (172, PixelFormat::ASTC_8X8_RGBA, false),
        (183, PixelFormat::ASTC_12X12_RGBA, true),
        (184, PixelFormat::ASTC_12X12_RGBA, false),
        (1_000_054_001, PixelFormat::PVRT_RGBA, true),
        (1_000_054_005, PixelFormat::PVRT_RGBA, false),
    ];
    for (number, format, linear) in cases {
        let levels: Vec<_> = [(24, 12), (12, 6)].map(|(w, h)| noise(format.level_size(w, h).unwrap() as usize)).into();
        let mut file = Ktx::new(number, 24, 12, levels.clone());
        let part = imported(&file).unwrap();
        let (props, pixels) = props_and_pixels(&part);
        assert_eq!((props.format, props.mipmaps, pixels), (format, 2, levels.concat()), "{number}");
        assert_eq!(part.meta.get(MetaKey::COLOR_SPACE), linear.then_some(1), "{number}");
        // A rule knows better than an exporter, except of formats that have no sRGB form.
        let srgb = ImageSettings { color_space: Some(ColorSpace::Srgb), ..ImageSettings::default() };
        let part_of_rule = import(&file.bytes(), "ktx2", &srgb).unwrap();
        let is_fixed =
            matches!(format, PixelFormat::BC4 | PixelFormat::BC5 | PixelFormat::BC6H_SIGNED | PixelFormat::EAC_RG11);
        assert_eq!(part_of_rule.meta.get(MetaKey::COLOR_SPACE), is_fixed.then_some(1), "{number}");
        // The same levels in Zstandard.
        let compress = |level: &Vec<u8>| Compressor::default().compress(Compression::ZSTD, level).unwrap();
        (file.scheme, file.levels) = (2, levels.iter().map(compress).collect());
        assert_eq!(imported(&file).unwrap().blocks[0].bytes, part.blocks[0].bytes, "{number}");
    }
}

#[test]
fn cubemaps_keep_levels_of_whole_blocks() {
    let levels: Vec<_> =
        [8, 4, 2].map(|edge| noise(6 * PixelFormat::BC7.level_size(edge, edge).unwrap() as usize)).into();
    let file = Ktx { faces: 6, ..Ktx::new(146, 8, 8, levels.clone()) };
    let part = imported(&file).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.width, props.height, props.mipmaps), (8, 48, 2));
    assert_eq!((pixels, part.meta.get(MetaKey::CUBEMAP)), (levels[..2].concat(), Some(1)));
    assert_eq!((part.summary.as_str(), part.notes.len()), ("cubemap 8×8 BC7 2 mips", 1));
    let levels: Vec<_> = [2, 1].map(|edge| noise(6 * edge * edge * 4)).into();
    let part = imported(&Ktx { faces: 6, ..Ktx::new(43, 2, 2, levels.clone()) }).unwrap();
    let (props, pixels) = props_and_pixels(&part);
    assert_eq!((props.height, props.mipmaps, pixels), (12, 2, levels.concat()));
    // Edits need pixels, and make the levels again.
    let file = Ktx { faces: 6, ..Ktx::new(43, 2, 2, levels.clone()) };
    let half = ImageSettings { scale: 0.5, ..Default::default() };
    let (props, pixels) = props_and_pixels(&import(&file.bytes(), "ktx2", &half).unwrap());
    assert_eq!((props.height, props.mipmaps, pixels.len()), (6, 1, 24));
}

#[test]
fn premultiplied_colours_are_recorded() {
    let file = Ktx { premultiplied: true, ..Ktx::new(146, 4, 4, vec![noise(16)]) };
    assert_eq!(imported(&file).unwrap().meta.get(MetaKey::PREMULTIPLIED), Some(1));
}

#[test]
fn what_is_no_picture_of_a_gpu_is_refused_by_name() {
    let plain = || Ktx::new(145, 8, 4, vec![noise(32)]);
    let cases = [
        (Ktx { format: 0, model: 167, ..plain() }, "is a KTX2 in UASTC HDR"),
        (Ktx { scheme: 1, ..plain() }, "is a KTX2 in BasisLZ"),
        (Ktx { faces: 6, ..plain() }, "is a KTX2 whose level 0 has 32 bytes, expected 192"),
        (Ktx { faces: 6, ..Ktx::new(145, 8, 4, vec![noise(192)]) }, "has faces of 8×4 pixels, expected squares"),
        (Ktx { size: [8, 4, 2], ..plain() }, "is a KTX2 whose level 0 has 32 bytes, expected 64"),
        (Ktx { layers: 2, ..plain() }, "is a KTX2 whose level 0 has 32 bytes, expected 64"),
        (Ktx { layers: 2, faces: 6, ..plain() }, "is a KTX2 with several cubemaps"),
        (Ktx { layers: u32::MAX, ..plain() }, "has 4294967295 layers or slices, and a texture can have at most 2048"),
        (Ktx { orientation: Some("ru"), ..plain() }, "is a KTX2 with rows from the bottom"),
        (Ktx { format: 64, ..plain() }, "is a KTX2 with A2B10G10R10_UNORM_PACK32, which rres has no pixel format for"),
        (Ktx { format: 0, ..plain() }, "is a KTX2 with a format without a number"),
        (Ktx { scheme: 3, ..plain() }, "is a KTX2 whose level 0 cannot be decompressed to"),
        (Ktx { levels: vec![noise(31)], ..plain() }, "is a KTX2 whose level 0 has 31 bytes, expected 32"),
        (Ktx { scheme: 2, ..plain() }, "is a KTX2 whose level 0 cannot be decompressed"),
        (Ktx { size: [0, 4, 0], ..plain() }, "is a damaged KTX2: zero pixel width"),
        (Ktx { size: [8, 0, 0], ..plain() }, "has 8×0 pixels"),
        (Ktx { size: [1 << 19, 1 << 19, 0], ..plain() }, "is too large"),
    ];
    for (file, expected) in cases {
        let error = imported(&file).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{expected}: {error}");
        assert!(error.help().is_some(), "{expected}");
    }
    assert!(imported(&Ktx { orientation: Some("rd"), ..plain() }).is_ok());
}

#[test]
fn files_that_end_early_are_damaged() {
    let file = Ktx::new(145, 8, 4, vec![noise(32)]).bytes();
    for cut in cuts(&file) {
        assert!(import(cut, "ktx2", &ImageSettings::default()).is_err(), "{} bytes", cut.len());
    }
}

#[test]
fn levels_may_be_compressed_with_zlib() {
    use std::io::Write;
    let deflate = |bytes: &[u8]| {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    };
    let pixels: Vec<u8> = (0..8 * 4 * 4).collect();
    let file = |level: Vec<u8>| Ktx { scheme: 3, ..Ktx::new(37, 8, 4, vec![level]) };
    assert_eq!(props_and_pixels(&imported(&file(deflate(&pixels))).unwrap()).1, pixels);
    let long = deflate(&[pixels.clone(), vec![0]].concat());
    let mut damaged = deflate(&pixels);
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    for (level, expected) in [
        (deflate(&pixels[1..]), "cannot be decompressed to 128 bytes"),
        (long, "has more than the expected 128 bytes"),
        (damaged, "cannot be decompressed"),
        (pixels.clone(), "cannot be decompressed"),
    ] {
        let error = imported(&file(level)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_descriptor_with_blocks_of_256_pixels_is_damaged() {
    let mut file = Ktx::new(37, 8, 4, vec![vec![0; 128]]).bytes();
    let descriptor = u32::from_le_bytes([file[48], file[49], file[50], file[51]]) as usize;
    file[descriptor + 16 + 3] = 255;
    let error = import(&file, "ktx2", &ImageSettings::default()).unwrap_err().to_string();
    assert!(error.starts_with("is a damaged KTX2: its descriptor"), "{error}");
}

#[test]
fn formats_of_any_number_are_refused() {
    for number in [1_000_066_000, u32::MAX - 999, u32::MAX] {
        let error = imported(&Ktx::new(number, 8, 4, vec![vec![0; 128]])).unwrap_err().to_string();
        assert!(error.contains("which rres has no pixel format for"), "{error}");
    }
}

#[test]
fn floats_that_packs_do_not_have_become_floats_of_32_bits() {
    // The numbers of Vulkan, bytes of a pixel, and the format.
    for (number, size, format) in [
        (76, 2, PixelFormat::R32F),
        (83, 4, PixelFormat::RGB32F),
        (90, 6, PixelFormat::RGB32F),
        (97, 8, PixelFormat::RGBA32F),
        (103, 8, PixelFormat::RGB32F),
        (122, 4, PixelFormat::RGB32F),
        (123, 4, PixelFormat::RGB32F),
    ] {
        let levels = vec![vec![0; 8 * 4 * size], vec![0; 4 * 2 * size]];
        let mut file = Ktx::new(number, 8, 4, levels);
        let part = imported(&file).unwrap();
        let (props, pixels) = props_and_pixels(&part);
        assert_eq!((props.format, props.mipmaps), (format, 2), "{number}");
        assert_eq!(pixels.len(), (8 * 4 + 4 * 2) * format.bytes_per_pixel().unwrap() as usize);
        // A map of light has six faces.
        let face = vec![0; 4 * 4 * size];
        file = Ktx { size: [4, 4, 0], faces: 6, levels: vec![face.repeat(6)], ..file };
        assert_eq!(props_and_pixels(&imported(&file).unwrap()).0.format, format);
        file.levels[0].pop();
        assert!(imported(&file).unwrap_err().to_string().contains("whose level 0 has"), "{number}");
    }
}

#[test]
fn a_level_has_its_layers_or_slices_one_after_another() {
    use rres_format::index::ImageShape;

    let shape = |image: &Asset| ImageShape::of(|key| image.meta.get(key));
    // BC7 with levels of 8×8 and 4×4 pixels: three layers of four blocks, then three of one.
    let levels = vec![noise(3 * 64), noise(3 * 16), noise(3 * 16)];
    let array = Ktx { layers: 3, ..Ktx::new(145, 8, 8, levels.clone()) };
    let image = imported(&array).unwrap();
    assert_eq!(shape(&image), ImageShape::Array(3));
    assert_eq!(image.summary, "array of 3 8×8 BC7 2 mips linear");
    assert_eq!(props_and_pixels(&image).1, [&levels[0][..], &levels[1]].concat());
    assert_eq!(image.notes[0].detail, "1 of 3");

    let levels = vec![noise(4 * 2 * 3 * 4), noise(2 * 4)];
    let volume = Ktx { size: [4, 2, 3], ..Ktx::new(37, 4, 2, levels.clone()) };
    let image = imported(&volume).unwrap();
    assert_eq!((shape(&image), image.notes[0].detail.as_str()), (ImageShape::Volume(3), "1 of 2"));
    assert_eq!(props_and_pixels(&image).1, levels[0]);
    for cut in cuts(&volume.bytes()).chain(cuts(&array.bytes())) {
        let _ = import(cut, "ktx2", &ImageSettings::default());
    }
}
