//! Every filter there and back, on blocks of every kind, and on damage.

use rres_codec::{Coder, Scratch, decompress, sections};
use rres_test_data::damage::{BITS, cuts, flipped};
use rres_test_data::random::Random;

use crate::chunk::image::{ImageProps, PixelFormat};
use crate::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use crate::chunk::wave::WaveProps;
use crate::codec::filtered::Frames;
use crate::codec::{Compressor, Decompressor};
use crate::encoding::Compression;
use crate::fourcc::FourCc;
use crate::write::StoredChunk;

/// Compresses with filters and checks what comes back. Returns what zstd made.
fn round_trip(kind: FourCc, block: &[u8]) -> Vec<u8> {
    // The search for matches takes seconds of a large block without optimisation.
    if block.len() < 100_000 {
        check(kind, block, true);
    }
    check(kind, block, false)
}

/// [`round_trip`] of blocks that are decoded fast, or not.
fn check(kind: FourCc, block: &[u8], is_fast: bool) -> Vec<u8> {
    let packed = super::compress(kind, block, &mut Compressor::with_level(3), is_fast, usize::MAX);
    let packed = packed.unwrap().unwrap().bytes.unwrap();
    let mut decompressor = Decompressor::default();
    let decoded = decompressor.decompress_to_vec(Compression::FILTERED, &packed, block.len()).unwrap();
    assert!(decoded == block, "{kind} of {} bytes", block.len());
    // Every section alone, as threads decode them.
    let mut by_section = Vec::new();
    for (section, size) in sections(&packed, block.len()).unwrap() {
        by_section.extend(decompressor.decompress_to_vec(Compression::FILTERED, section, size).unwrap());
    }
    assert!(by_section == block);
    // The decoder that games have.
    let mut rust = crate::codec::zstd::RustDecoder::default();
    let mut out = vec![1; block.len()];
    let mut frame = |coder, coded: &[u8], out: &mut [u8]| match coder {
        Coder::Zstd => rust.decode_into(coded, out),
        Coder::Lz4 => lz4_flex::block::decompress_into(coded, out).map_err(|e| e.to_string()),
    };
    assert_eq!(decompress(&packed, &mut out, &mut Scratch::default(), &mut frame), Ok(block.len()));
    assert!(out == block);
    packed
}

#[test]
fn pictures_of_every_format_come_back() {
    let mut random = Random::new(2);
    for number in 1..=21 {
        let format = PixelFormat(number);
        for (width, height, mipmaps) in [(1, 1, 1), (5, 3, 2), (64, 64, 7), (300, 411, 1), (1000, 3, 1)] {
            let props = ImageProps { width, height, format, mipmaps };
            let data = random.smooth(props.data_size().unwrap() as usize);
            round_trip(FourCc::IMGE, &props.block(&data));
        }
    }
}

#[test]
fn floats_of_16_bit_and_of_radiance_pictures_are_recognised() {
    let mut random = Random::new(4);
    let props = ImageProps { width: 70, height: 50, format: PixelFormat::RGB32F, mipmaps: 1 };
    let count = 70 * 50 * 3;
    let unit: Vec<u8> =
        (0..count).flat_map(|i| (((i * 3 + random.below(50)) % 65536) as f32 / 65535.0).to_le_bytes()).collect();
    let packed = round_trip(FourCc::IMGE, &props.block(&unit));
    assert!(packed.len() < unit.len() / 2, "{} bytes", packed.len());
    let radiance: Vec<u8> = (0..count / 3)
        .flat_map(|i| {
            let mantissas = [random.byte() | 128, random.byte(), random.byte()];
            let exponent = [0, 1, 9, 10, 128, 140, 255][i % 7];
            let unit = if exponent == 0 { 0.0 } else { 2_f64.powi(exponent - 136) };
            mantissas.map(|mantissa| (f64::from(mantissa) * unit) as f32)
        })
        .flat_map(f32::to_le_bytes)
        .collect();
    let packed = round_trip(FourCc::IMGE, &props.block(&radiance));
    assert!(packed.len() < radiance.len() * 2 / 5, "{} bytes", packed.len());
    // One value that is neither.
    let mut other = unit;
    other[40..44].copy_from_slice(&f32::NAN.to_le_bytes());
    other[80..84].copy_from_slice(&(-0.0_f32).to_le_bytes());
    round_trip(FourCc::IMGE, &props.block(&other));
}

#[test]
fn sounds_come_back() {
    let mut random = Random::new(5);
    for (sample_size, channels) in
        [(8, 1), (8, 2), (16, 1), (16, 2), (16, 3), (16, 8), (16, 9), (24, 2), (32, 2), (64, 1)]
    {
        for frames in [1, 5, 16, 4095, 4096, 4097, 40_000, 150_000_u32] {
            let props = WaveProps { frames, sample_rate: 44_100, sample_size, channels };
            let mut data = random.smooth(props.data_size().unwrap() as usize);
            round_trip(FourCc::WAVE, &props.block(&data));
            if sample_size == 16 && frames < 50_000 {
                // Noise, silence and full range have other orders, low bits and stereo modes.
                data.fill_with(|| random.byte());
                round_trip(FourCc::WAVE, &props.block(&data));
                data.fill(0);
                round_trip(FourCc::WAVE, &props.block(&data));
                for (i, sample) in data.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                    *sample = if i / 100 % 2 == 0 { i16::MAX } else { i16::MIN }.to_le_bytes();
                }
                round_trip(FourCc::WAVE, &props.block(&data));
            }
        }
    }
}

#[test]
fn a_tone_is_as_small_as_lossless_codecs_make_it() {
    let mut random = Random::new(6);
    let samples = (0..88_200_u32).flat_map(|i| {
        let tone = (f64::from(i) * 0.031).sin() * 9000.0 + (f64::from(i) * 0.13).sin() * 2000.0;
        let left = tone as i16 + random.below(32) as i16;
        let right = (tone * 0.9) as i16 + random.below(32) as i16;
        [left.to_le_bytes(), right.to_le_bytes()]
    });
    let data: Vec<u8> = samples.flatten().collect();
    let props = WaveProps { frames: 88_200, sample_rate: 44_100, sample_size: 16, channels: 2 };
    let filtered = round_trip(FourCc::WAVE, &props.block(&data)).len();
    let plain = Compressor::with_level(9).compress(Compression::ZSTD, &data).unwrap().len();
    // The noise alone is 5 bits a sample: 110 KB.
    assert!(filtered < 180_000 && filtered * 3 < plain * 2, "{filtered} of {plain}");
}

#[test]
fn vertices_and_glyphs_come_back() {
    let mut random = Random::new(7);
    for number in 0..=7 {
        for components in [1, 2, 3, 4] {
            let props = VertexProps {
                count: 1000,
                attribute: VertexAttribute::COLOR,
                components,
                format: VertexFormat(number),
            };
            let data = random.smooth(1000 * (components * props.format.size().unwrap()) as usize);
            round_trip(FourCc::VRTX, &props.block(&data));
        }
    }
    let glyphs = crate::chunk::block(&[32, 95, 0, 0], &random.smooth(95 * 32));
    round_trip(FourCc::FNTG, &glyphs);
}

#[test]
fn what_has_no_layout_is_compressed_without_filters() {
    let text = crate::chunk::block(&[5, 0, 0, 0], &b"hello ".repeat(100));
    for kind in [FourCc::TEXT, FourCc::RAWD, FourCc(*b"????")] {
        let mut compressor = Compressor::default();
        assert!(super::compress(kind, &text, &mut compressor, false, usize::MAX).unwrap().is_none());
        let chunk = StoredChunk::encode(kind, &text, Compression::FILTERED, &mut Compressor::default()).unwrap();
        assert_eq!(chunk.info().compression, Compression::ZSTD);
        let chunk = StoredChunk::encode(kind, &text, Compression::FILTERED, &mut Compressor::fast()).unwrap();
        assert_eq!(chunk.info().compression, Compression::LZ4);
    }
    // Bytes beyond what the properties say are stored.
    let props = ImageProps { width: 8, height: 8, format: PixelFormat::RGBA8, mipmaps: 1 };
    let mut long = props.block(&[7; 8 * 8 * 4]);
    long.extend(b"and more");
    round_trip(FourCc::IMGE, &long);
}

#[test]
fn what_is_decoded_fast_is_small_nevertheless() {
    let props = ImageProps { width: 200, height: 200, format: PixelFormat::RGBA8, mipmaps: 1 };
    // A gradient from top to bottom, and four colours in no order.
    let gradient: Vec<u8> =
        (0..40_000_u32).flat_map(|i| [i / 200, i / 200 + 1, i % 200, 255].map(|v| v as u8)).collect();
    let mut random = Random::new(3);
    let few: Vec<u8> = (0..40_000).flat_map(|_| [0, 0, random.byte() & 3, 255]).collect();
    for (pixels, most) in [(gradient, 3000), (few, 10_400)] {
        let block = props.block(&pixels);
        let (compression, packed) = Compressor::fast().filtered(FourCc::IMGE, &block, usize::MAX).unwrap().unwrap();
        assert_eq!(compression, Compression::FILTERED);
        assert!(packed.len() < most, "{} bytes", packed.len());
        check(FourCc::IMGE, &block, true);
    }
    // What LZ4 does not make smaller is copied.
    let noise = random.bytes(160_000);
    let (_, packed) = Compressor::fast().filtered(FourCc::IMGE, &props.block(&noise), usize::MAX).unwrap().unwrap();
    assert_eq!(packed.len(), 160_000 + 20 + 2 + 4);
}

#[test]
fn what_zstd_alone_makes_smaller_has_no_filter() {
    // A second of a tone that repeats itself exactly, and a noise that does after a section.
    let tone: Vec<u8> = (0..44_100_u32).flat_map(|i| ((i * i % 100 * 300) as i16).to_le_bytes()).collect();
    let sound = WaveProps { frames: 44_100, sample_rate: 44_100, sample_size: 16, channels: 1 }.block(&tone);
    let mut random = Random::new(9);
    let noise = random.bytes(300 << 10);
    let props = ImageProps { width: 300, height: 1024, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    let picture = props.block(&noise.repeat(2));
    for (kind, block) in [(FourCc::WAVE, sound), (FourCc::IMGE, picture)] {
        let (compression, packed) = Compressor::default().filtered(kind, &block, usize::MAX).unwrap().unwrap();
        let plain = Compressor::default().compress(Compression::ZSTD, &block).unwrap();
        assert_eq!((compression, packed.len()), (Compression::ZSTD, plain.len()));
    }
}

/// Counts what is compressed at once.
struct Counted {
    compressor: Compressor,
    sizes: Vec<usize>,
}

impl Frames for Counted {
    fn estimate(&mut self, bytes: &[u8]) -> Result<usize, String> {
        self.sizes.push(bytes.len());
        self.compressor.estimate(bytes)
    }

    fn frame(&mut self, bytes: &[u8], residuals: bool) -> Result<Vec<u8>, String> {
        self.sizes.push(bytes.len());
        self.compressor.frame(bytes, residuals)
    }
}

/// Trying a large section for each small one would compress the same pixels sixteen times.
#[test]
fn indices_that_are_no_gain_are_tried_once_for_a_large_section() {
    let mut random = Random::new(7);
    let mut grey = 0_u8;
    let mut step = || {
        grey = grey.wrapping_add(random.byte() % 3).wrapping_sub(1);
        [grey, grey, grey, 255]
    };
    let pixels: Vec<u8> = (0..1000 * 1000).flat_map(|_| step()).collect();
    let props = ImageProps { width: 1000, height: 1000, format: PixelFormat::RGBA8, mipmaps: 1 };
    let mut counted = Counted { compressor: Compressor::with_level(1), sizes: Vec::new() };
    let block = props.block(&pixels);
    let sections = super::compress(FourCc::IMGE, &block, &mut counted, false, usize::MAX).unwrap().unwrap();
    // A predictor is better: two bits or less for each pixel.
    assert!(!sections.is_doubtful && sections.bytes.unwrap().len() < 300_000);
    assert_eq!(counted.sizes.iter().filter(|size| **size >= 900_000).count(), 1);
}

/// Most sounds are: then the higher level is not tried.
#[test]
fn the_fastest_level_tells_when_zstd_alone_is_far_from_what_filters_make() {
    let mut random = Random::new(5);
    let mut sample = 0_i16;
    let mut step = || {
        sample = sample.wrapping_add(i16::from(random.byte() & 15) - 7);
        sample.to_le_bytes()
    };
    let walk: Vec<u8> = (0..100_000).flat_map(|_| step()).collect();
    let tone: Vec<u8> = (0..100_000_u64).flat_map(|i| ((i * i % 100 * 300) as i16).to_le_bytes()).collect();
    for (samples, is_far) in [(walk, true), (tone, false)] {
        let props = WaveProps { frames: 100_000, sample_rate: 44_100, sample_size: 16, channels: 1 };
        let block = props.block(&samples);
        let mut compressor = Compressor::default();
        let filtered = super::compress(FourCc::WAVE, &block, &mut compressor, false, usize::MAX).unwrap().unwrap();
        let len = filtered.bytes.unwrap().len();
        assert!(filtered.is_doubtful);
        assert_eq!(compressor.zstd_surely_exceeds(len, &block).unwrap(), is_far);
        let plain = compressor.compress(Compression::ZSTD, &block).unwrap().len();
        assert_eq!(plain > len, is_far, "{plain} and {len} bytes");
    }
}

/// Streams of every form: a picture with several sections, indices, planes and a sound.
fn streams() -> Vec<(Vec<u8>, usize)> {
    let mut random = Random::new(8);
    let mut streams = Vec::new();
    let mut add = |kind, block: Vec<u8>| {
        for is_fast in [false, true] {
            let mut compressor = Compressor::with_level(3);
            let sections = super::compress(kind, &block, &mut compressor, is_fast, usize::MAX).unwrap().unwrap();
            streams.push((sections.bytes.unwrap(), block.len()));
        }
    };
    let props = ImageProps { width: 40, height: 30, format: PixelFormat::RGBA8, mipmaps: 2 };
    add(FourCc::IMGE, props.block(&random.smooth(props.data_size().unwrap() as usize)));
    let few: Vec<u8> = (0..props.data_size().unwrap() / 4).flat_map(|_| [0, 0, random.byte() & 3, 255]).collect();
    add(FourCc::IMGE, props.block(&few));
    let props = WaveProps { frames: 5000, sample_rate: 22_050, sample_size: 16, channels: 2 };
    add(FourCc::WAVE, props.block(&random.smooth(20_000)));
    streams
}

#[test]
fn damage_is_an_error_or_other_bytes_but_never_a_panic() {
    for (packed, len) in streams() {
        let mut decompressor = Decompressor::default();
        let mut probe = |damaged: &[u8]| {
            let _ = sections(damaged, len);
            if let Ok(block) = decompressor.decompress_to_vec(Compression::FILTERED, damaged, len) {
                assert_eq!(block.len(), len);
            }
        };
        for at in 0..packed.len() {
            // Each bit near the heads; in the frames, a bit now and then.
            let is_head = at < 100 || packed.len() - at < 100;
            let bits = if is_head { 8 } else { usize::from(at % 7 == 0) };
            flipped(&packed, [at], &BITS[..bits]).for_each(|(_, damaged)| probe(&damaged));
        }
        for cut in cuts(&packed) {
            let found = decompressor.decompress_to_vec(Compression::FILTERED, cut, len);
            assert!(found.is_err(), "cut at {}", cut.len());
        }
        // More and less space than the content.
        for len in [len - 1, len + 1] {
            assert!(decompressor.decompress_to_vec(Compression::FILTERED, &packed, len).is_err());
        }
    }
}

#[test]
fn large_numbers_in_heads_are_refused_before_memory_is_allocated() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
    let mut heads =
        vec![vec![1], vec![2, 2], vec![0x80, 0, 4], vec![0xa0, 3, 16], vec![0xe0, 3, 16], vec![0xa0, 2, 255, 255]];
    for head in &mut heads {
        for _ in 0..3 {
            head.extend(huge);
        }
        let mut out = [0; 64];
        let decode = &mut |_, _: &[u8], _: &mut [u8]| -> Result<usize, String> { panic!("it was decoded") };
        assert!(decompress(head, &mut out, &mut Scratch::default(), decode).is_err());
        assert_eq!(sections(head, 64), None);
    }
}

/// A limit saves time and changes nothing: a block of just as many bytes is the same, and one of more is none.
#[test]
fn within_a_limit_a_block_is_what_it_is_without_one() {
    let mut random = Random::new(9);
    let image = ImageProps { width: 300, height: 700, format: PixelFormat::RGB8, mipmaps: 3 };
    let size = image.data_size().unwrap() as usize;
    let picture = image.block(&random.smooth(size));
    let flat = image.block(&vec![7; size]);
    let sound = WaveProps { frames: 200_000, sample_rate: 44_100, sample_size: 16, channels: 2 };
    let samples = sound.block(&random.smooth(800_000));
    let text = crate::chunk::block(&[5, 0, 0, 0], &b"hello ".repeat(1000));
    let noise: Vec<u8> = (0..size).map(|_| random.byte()).collect();
    // What one part of a picture takes says nothing of the others.
    let row = 300 * 3;
    let of_noise = |rows: std::ops::Range<usize>| {
        let mut pixels = vec![7; size];
        pixels[rows.start * row..rows.end * row].copy_from_slice(&noise[..rows.len() * row]);
        image.block(&pixels)
    };
    let (noise_first, noise_last, noise_between) = (of_noise(0..233), of_noise(467..700), of_noise(250..450));
    let noise = image.block(&noise);
    for (kind, block) in [
        (FourCc::IMGE, picture),
        (FourCc::IMGE, flat),
        (FourCc::IMGE, noise),
        (FourCc::IMGE, noise_first),
        (FourCc::IMGE, noise_last),
        (FourCc::IMGE, noise_between),
        (FourCc::WAVE, samples),
        (FourCc::TEXT, text),
    ] {
        for make in [|| Compressor::with_level(3), Compressor::fast] {
            let whole = StoredChunk::encode(kind, &block, Compression::FILTERED, &mut make()).unwrap();
            let within =
                |limit| StoredChunk::encode_within(kind, &block, Compression::FILTERED, &mut make(), limit).unwrap();
            let size = whole.info().packed_size;
            let same = within(size).unwrap();
            assert_eq!((same.info(), same.stored()), (whole.info(), whole.stored()), "{kind}");
            for limit in [0, size / 20, size / 3, size / 2, size - 1] {
                assert!(within(limit).is_none(), "{kind}: {limit} of {size}");
            }
        }
    }
}
