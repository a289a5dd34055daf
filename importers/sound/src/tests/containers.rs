//! Decoded samples are exact for WAV and FLAC, and close for Vorbis, MP3 and ADPCM.

use std::io::Cursor;

use super::*;

/// A WAV written by `hound`.
fn hound_wav<S: hound::Sample>(samples: impl Iterator<Item = S>, bits: u16, format: hound::SampleFormat) -> Vec<u8> {
    let spec = hound::WavSpec { channels: 2, sample_rate: 48000, bits_per_sample: bits, sample_format: format };
    let mut out = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut out, spec).unwrap();
    samples.for_each(|v| writer.write_sample(v).unwrap());
    writer.finalize().unwrap();
    out.into_inner()
}

#[test]
fn wav_is_exact() {
    use hound::SampleFormat as H;
    // Every 8-bit and 16-bit number, every 257th 24-bit number and the extremes.
    let part = import("a.wav", &hound_wav(-128..=127i32, 8, H::Int)).unwrap();
    assert_eq!(wave(&part), ([128, 48000, 8, 2], (0..=255).collect()));
    let part = import("a.wav", &hound_wav(-32768..=32767i32, 16, H::Int)).unwrap();
    let (props, samples) = wave(&part);
    assert_eq!(props, [32768, 48000, 16, 2]);
    assert!(i16s(&samples) == (-32768..=32767).collect::<Vec<i16>>());
    let wide: Vec<i32> = (-8_388_608..=8_388_607).step_by(257).chain([8_388_607]).collect();
    assert_eq!(wide.len() % 2, 0);
    let part = import("a.wav", &hound_wav(wide.iter().copied(), 24, H::Int)).unwrap();
    let (props, samples) = wave(&part);
    assert_eq!(props[2], 32);
    assert!(f32s(&samples).iter().map(|v| (f64::from(*v) * 8_388_608.0) as i32).eq(wide));
    let floats = [0.0f32, -0.0, 1.0, -1.0, 1.5, f32::MIN_POSITIVE, 0.1, -3.25];
    let part = import("a.wav", &hound_wav(floats.into_iter(), 32, H::Float)).unwrap();
    assert_eq!(wave(&part).1, floats.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
    // 32-bit integers keep the 24 bits of a float; 64-bit floats are rounded.
    let numbers = [i32::MIN, -1, 0, 1 << 30, 0x1234_5600, i32::MAX];
    let data: Vec<u8> = numbers.iter().flat_map(|v| v.to_le_bytes()).collect();
    let part = import("a.wav", &wav(&data, 1, 1, 8000, 32)).unwrap();
    assert_eq!(f32s(&wave(&part).1), numbers.map(|v| (f64::from(v) / 2_147_483_648.0) as f32));
    let data: Vec<u8> = [0.1f64, -1.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let part = import("a.wav", &wav(&data, 3, 1, 8000, 64)).unwrap();
    assert_eq!(f32s(&wave(&part).1), [0.1f32, -1.0]);
}

#[test]
fn requested_formats_are_rounded() {
    let words: Vec<i16> = (-32768..=32767).collect();
    let data: Vec<u8> = words.iter().flat_map(|v| v.to_le_bytes()).collect();
    let file = wav(&data, 1, 1, 8000, 16);
    let (props, narrow) = wave(&import_with("a.wav", &file, as_format(SampleFormat::U8)).unwrap());
    assert_eq!(props[2], 8);
    for (word, narrow) in words.iter().zip(narrow) {
        let nearest = (f64::from(*word) / 256.0 + 0.5).floor().min(127.0) + 128.0;
        assert_eq!(f64::from(narrow), nearest, "{word}");
    }
    let (props, wide) = wave(&import_with("a.wav", &file, as_format(SampleFormat::F32)).unwrap());
    assert_eq!(props[2], 32);
    assert!(f32s(&wide).iter().map(|v| (*v * 32768.0) as i32).eq(words.iter().map(|v| i32::from(*v))));
    let (_, same) = wave(&import_with("a.wav", &file, as_format(SampleFormat::I16)).unwrap());
    assert!(same == data);

    let floats = [0.0f32, 1.0, -1.0, 7.0, -7.0, 0.5, f32::NAN, 1.5 / 32768.0, 2.5 / 32768.0, -0.6 / 32768.0];
    let file = wav(&floats.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>(), 3, 1, 8000, 32);
    let (_, words) = wave(&import_with("a.wav", &file, as_format(SampleFormat::I16)).unwrap());
    assert_eq!(i16s(&words), [0, 32767, -32768, 32767, -32768, 16384, 0, 2, 2, -1]);
    let (_, bytes) = wave(&import_with("a.wav", &file, as_format(SampleFormat::U8)).unwrap());
    assert_eq!(bytes[..6], [128, 255, 0, 255, 0, 192]);

    let file = wav(&(0..=255).collect::<Vec<_>>(), 1, 1, 8000, 8);
    let (_, words) = wave(&import_with("a.wav", &file, as_format(SampleFormat::I16)).unwrap());
    assert!(i16s(&words).iter().map(|v| i32::from(*v)).eq((-128..128).map(|v| v * 256)));
}

#[test]
fn wav_without_sizes_extends_to_the_end_of_the_file() {
    let data: Vec<u8> = (0..2000u16).flat_map(|v| v.to_le_bytes()).collect();
    for (whole, size) in [([0xff; 4], [0xff; 4]), ([0; 4], [0; 4])] {
        let mut file = wav(&data, 1, 1, 8000, 16);
        file[4..8].copy_from_slice(&whole);
        file[40..44].copy_from_slice(&size);
        assert_eq!(wave(&import("a.wav", &file).unwrap()), ([2000, 8000, 16, 1], data.clone()));
    }
    // An empty data chunk is a sound without frames.
    let part = import("a.wav", &wav(&[], 1, 1, 8000, 16)).unwrap();
    assert_eq!((wave(&part).0, part.summary.as_str()), ([0, 8000, 16, 1], "0.00 s 8 kHz mono i16"));
}

#[test]
fn flac_is_exact() {
    let (props, samples) = wave(&import("a.flac", fixture!("stereo16.flac")).unwrap());
    assert_eq!(props, [2000, 22050, 16, 2]);
    let expected = (0..2000).flat_map(|i| [triangle(i), (-triangle(i)).div_euclid(2)]);
    assert!(i16s(&samples).into_iter().eq(expected));
    let (props, samples) = wave(&import("a.flac", fixture!("mono24.flac")).unwrap());
    assert_eq!(props, [1000, 22050, 32, 1]);
    let expected = (0..1000).map(|i| i32::from(triangle(i)) * 256 + i % 7);
    assert!(f32s(&samples).iter().map(|v| (*v * 8_388_608.0) as i32).eq(expected));
    // A tag at the start, as some programs write it.
    let tagged = [b"ID3\x04\0\0\0\0\0\x03abc", fixture!("stereo16.flac")].concat();
    assert_eq!(wave(&import("a.flac", &tagged).unwrap()).0, [2000, 22050, 16, 2]);
}

#[test]
fn lossy_sounds_keep_their_length_and_shape() {
    let (props, samples) = wave(&import("a.ogg", fixture!("stereo.ogg")).unwrap());
    assert_eq!(props, [5000, 22050, 16, 2]);
    let expected = (0..5000).flat_map(|i| [triangle(i), (-triangle(i)).div_euclid(2)]);
    let ratio = error_ratio(&i16s(&samples), expected);
    assert!(ratio < 0.01, "{ratio}");

    // A picture in a tag may look like frames.
    let tag = [&b"ID3\x04\0\0\0\0\x01\x00"[..], &[0xff, 0xfb, 0x90, 0x64].repeat(32)].concat();
    let tail = [b"TAG".to_vec(), vec![0; 125]].concat();
    for file in [fixture!("mono.mp3").to_vec(), [&tag[..], fixture!("mono.mp3"), &tail[..]].concat()] {
        let (props, samples) = wave(&import("a.mp3", &file).unwrap());
        assert_eq!(props, [5000, 22050, 16, 1]);
        let ratio = error_ratio(&i16s(&samples), (0..5000).map(triangle));
        assert!(ratio < 0.01, "{ratio}");
    }
    for (path, file) in [("ms.wav", fixture!("ms.wav")), ("ima.wav", fixture!("ima.wav"))] {
        let (props, samples) = wave(&import(path, file).unwrap());
        assert_eq!(props[1..], [22050, 16, 1]);
        // Blocks have a fixed length, so silence may follow.
        assert!((2000..4100).contains(&props[0]), "{props:?}");
        let ratio = error_ratio(&i16s(&samples), (0..2000).map(triangle));
        assert!(ratio < 0.01, "{path}: {ratio}");
    }
}

#[test]
fn wav_with_sizes_of_64_bits_is_read() {
    let data: Vec<u8> = (0..300u16).flat_map(u16::to_le_bytes).collect();
    let mut file = wav(&data, 1, 1, 8000, 16);
    file[..8].copy_from_slice(b"RF64\xff\xff\xff\xff");
    file[40..44].fill(0xff);
    let sizes = [&b"ds64\x1c\0\0\0"[..], &700u64.to_le_bytes(), &600u64.to_le_bytes(), &[0; 12]].concat();
    file.splice(12..12, sizes);
    file.extend(b"LIST\x04\0\0\0INFO");
    for mark in [b"RF64", b"BW64"] {
        file[..4].copy_from_slice(mark);
        assert_eq!(wave(&import("a.wav", &file).unwrap()), ([300, 8000, 16, 1], data.clone()));
    }
    file.truncate(file.len() - 100);
    assert_eq!(import("a.wav", &file).unwrap_err().to_string(), "is a WAV that ends early");
}

#[test]
fn wav_with_fewer_bits_than_its_bytes_have_uses_the_upper_ones() {
    let words: Vec<i16> = vec![-32768, -16, 0, 16, 32752];
    let data: Vec<u8> = words.iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut file = wav(&data, 1, 1, 8000, 16);
    file[34] = 12;
    assert_eq!(wave(&import("a.wav", &file).unwrap()), ([5, 8000, 16, 1], data));
    let data: Vec<u8> = words.iter().flat_map(|v| [&[0xf0][..], &v.to_le_bytes()].concat()).collect();
    let mut file = wav(&data, 1, 1, 8000, 24);
    file[34] = 20;
    let (props, samples) = wave(&import("a.wav", &file).unwrap());
    let expected: Vec<f32> = words.iter().map(|v| ((i32::from(*v) << 8) + 0xf0) as f32 / 8_388_608.0).collect();
    assert_eq!((props[2], f32s(&samples)), (32, expected));
}

#[test]
fn wav_of_mu_law_without_an_extension_of_its_format_is_read() {
    // The logarithm of 0 has all bits set, and the sign is inverted, too.
    let file = wav(&[0xff, 0x7f, 0x80, 0x00], 7, 1, 8000, 8);
    assert_eq!(i16s(&wave(&import("a.wav", &file).unwrap()).1), [0, 0, 32124, -32124]);
}

#[test]
fn a_qoa_has_the_samples_of_the_reference_program() {
    let (props, samples) = wave(&import_with("a.qoa", fixture!("tone.qoa"), stored_as(SoundStorage::Pcm)).unwrap());
    assert_eq!(props, [6000, 22_050, 16, 2]);
    assert_eq!(crc32fast::hash(&samples), 0x43af_13e8);
    let (left, right): (Vec<i16>, Vec<i16>) =
        i16s(&samples).as_chunks().0.iter().map(|[left, right]| (*left, *right)).unzip();
    assert!(error_ratio(&left, (0..).map(triangle)) < 0.001);
    assert!(error_ratio(&right, (0..).map(|i| (-triangle(i)).div_euclid(2))) < 0.001);
    let auto = import("a.qoa", fixture!("tone.qoa")).unwrap().source_form.unwrap();
    assert_eq!((auto.format, auto.meta.get(MetaKey::SKIPPED_FRAMES)), ("QOA", Some(0)));
    let kept = import_with("a.qoa", fixture!("tone.qoa"), stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(
        (kept.meta.get(MetaKey::FRAMES_LOW), kept.summary.as_str()),
        (Some(6000), "0.27 s 22.05 kHz stereo, QOA kept")
    );
    let error = import("a.qoa", &fixture!("tone.qoa")[..4000]).unwrap_err();
    assert_eq!(error.to_string(), "is a QOA that ends early");
}
