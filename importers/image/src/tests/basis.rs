//! Basis Universal: pixels are the same as from the reference transcoder, other shapes and damage are refused.

use super::*;

const ETC1S: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/image/basis-etc1s.ktx2");
const OPAQUE: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/image/basis-opaque.ktx2");
const UASTC: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/image/basis-uastc.ktx2");
const MODES: &[u8] = include_bytes!("../../../../crates/test-data/fixtures/image/basis-modes.ktx2");

fn plain(file: &[u8]) -> Result<Asset, ImportError> {
    import(file, "ktx2", &ImageSettings::default())
}

fn word(file: &[u8], at: usize) -> usize {
    u32::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize
}

/// The file with another byte.
fn with(file: &[u8], at: usize, byte: u8) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] = byte;
    file
}

#[test]
fn pixels_of_all_levels_are_those_of_the_reference() {
    // The CRC-32 of what the reference transcoder makes of all levels in RGBA32.
    let cases = [
        ("ETC1S with alpha", ETC1S, 61, 43, 6, 0xd5d9_14a6, false),
        ("ETC1S without alpha", OPAQUE, 40, 25, 1, 0xd68a_f65a, true),
        ("UASTC with Zstandard", UASTC, 31, 23, 5, 0x1131_7481, false),
        ("each mode and pattern of UASTC", MODES, 64, 60, 1, 0x0c5b_3be3, false),
    ];
    for (what, file, width, height, mipmaps, expected, is_linear) in cases {
        let part = plain(file).unwrap();
        let (props, pixels) = props_and_pixels(&part);
        assert_eq!(props, ImageProps { width, height, format: PixelFormat::RGBA8, mipmaps }, "{what}");
        assert_eq!(crc32fast::hash(&pixels), expected, "{what}");
        assert_eq!(part.meta.get(MetaKey::COLOR_SPACE).is_some(), is_linear, "{what}");
    }
}

#[test]
fn blocks_of_a_gpu_format_are_made_of_every_level() {
    for format in [PixelFormat::BC7, PixelFormat::ETC2_EAC_RGBA] {
        let settings = ImageSettings { format: ImageFormat::Exact(format), ..ImageSettings::default() };
        for (file, mipmaps) in [(ETC1S, 6), (UASTC, 5)] {
            let part = import(file, "ktx2", &settings).unwrap();
            let (props, _) = props_and_pixels(&part);
            assert_eq!((props.format, props.mipmaps), (format, mipmaps));
            let psnr = f32::from_bits(part.meta.get(MetaKey::PSNR).unwrap());
            assert!(psnr > 30.0, "{}", part.summary);
        }
    }
}

#[test]
fn red_and_green_of_two_channels_are_red_and_green() {
    // The first sample of a descriptor is 28 bytes behind its start, and has the number of its channel in byte 3.
    let sample = |file| word(file, 48) + 28 + 3;
    for (file, changed) in [(ETC1S, with(ETC1S, sample(ETC1S) + 16, 4)), (UASTC, with(UASTC, sample(UASTC), 5))] {
        let [alpha, green] = [file, &changed].map(|file| props_and_pixels(&plain(file).unwrap()).1);
        for ([red, .., alpha], found) in alpha.as_chunks::<4>().0.iter().zip(green.as_chunks::<4>().0) {
            assert_eq!(*found, [*red, *alpha, 0, 255]);
        }
    }
}

#[test]
fn what_is_not_decoded_is_refused_by_name() {
    let in_model = |file, model| with(file, word(file, 48) + 12, model);
    let cases = [
        (in_model(UASTC, 167), "is a KTX2 in UASTC HDR 4×4, expected ETC1S or UASTC"),
        (in_model(UASTC, 168), "is a KTX2 in UASTC HDR 6×6"),
        (in_model(UASTC, 169), "is a KTX2 in XUASTC"),
        (in_model(UASTC, 170), "is a KTX2 in XUBC7"),
        (in_model(ETC1S, 1), "is a KTX2 in BasisLZ without a codec"),
        (with(ETC1S, 36, 6), "is a KTX2 with a cubemap in Basis Universal"),
        (with(UASTC, 32, 2), "is a KTX2 with an array"),
    ];
    for (file, expected) in cases {
        let error = plain(&file).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{expected}: {error}");
        assert!(error.help().is_some(), "{expected}");
    }
    // The names of these keys have equal lengths.
    let mut video = ETC1S.to_vec();
    let key = video.windows(9).position(|window| window == b"KTXwriter").unwrap();
    video[key..key + 12].copy_from_slice(b"KTXanimData\0");
    assert!(plain(&video).unwrap_err().to_string().starts_with("is a KTX2 with a video"));
}

#[test]
fn damage_is_described() {
    let (global, level) = (word(ETC1S, 64), word(ETC1S, 80));
    let cases = [
        (with(ETC1S, 44, 0), "is a KTX2 in Basis Universal that has ETC1S without the compression"),
        (with(ETC1S, global, 1), "colours that are not in the codebook"),
        (with(ETC1S, global, 0), "that has an empty codebook"),
        (with(ETC1S, global + 7, 1), "that has global data that ends early"),
        (with(ETC1S, global + 20, 2), "whose level 0 is a part of a video"),
        (with(ETC1S, global + 31, 1), "whose level 0 has a slice beyond its end"),
        (with(ETC1S, level, ETC1S[level] ^ 0xff), "whose level 0 "),
        (with(UASTC, 44, 1), "whose level 0 is compressed with BasisLZ"),
        (with(UASTC, 44, 0), "whose level 0 has"),
        (with(MODES, word(MODES, 80), 0x45), "whose level 0 has a block in a mode that UASTC has not"),
        (with(MODES, 20, 65), "whose level 0 has 3840 bytes, expected 4080"),
    ];
    for (file, expected) in cases {
        let error = plain(&file).map(|image| image.summary).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn files_that_end_early_or_have_other_bytes_are_errors_or_pictures() {
    for file in [ETC1S, OPAQUE, UASTC] {
        for len in (0..file.len()).step_by(5) {
            assert!(plain(&file[..len]).is_err(), "{len} bytes");
        }
        for at in (80..file.len()).step_by(2) {
            let _ = plain(&with(file, at, !file[at]));
        }
    }
}
