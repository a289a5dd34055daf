//! CAF and AAC streams: exact samples, the ends that a container states, and what happens to damaged files.

use super::*;

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [&name[..], &(body.len() as u64).to_be_bytes(), body].concat()
}

/// The description of a sound at 22,050 Hz.
fn description(codec: &[u8; 4], [flags, bytes, frames, channels, bits]: [u32; 5]) -> Vec<u8> {
    let numbers = [flags, bytes, frames, channels, bits].map(u32::to_be_bytes).concat();
    chunk(b"desc", &[&22_050f64.to_be_bytes()[..], codec, &numbers].concat())
}

fn caf(chunks: &[Vec<u8>]) -> Vec<u8> {
    [b"caff\0\x01\0\0".to_vec(), chunks.concat()].concat()
}

fn data(samples: &[u8]) -> Vec<u8> {
    chunk(b"data", &[&[0; 4], samples].concat())
}

/// A table of packets: packets of the sound, before and after it, then sizes.
fn packets(count: u64, [frames, skip, rest]: [u32; 3], sizes: &[u8]) -> Vec<u8> {
    let numbers = [&count.to_be_bytes()[..], &u64::from(frames).to_be_bytes(), &skip.to_be_bytes()].concat();
    chunk(b"pakt", &[&numbers[..], &rest.to_be_bytes(), sizes].concat())
}

fn pcm(flags: u32, channels: u32, bits: u32, samples: &[u8]) -> Vec<u8> {
    caf(&[description(b"lpcm", [flags, channels * bits.div_ceil(8), 1, channels, bits]), data(samples)])
}

/// The bytes of integers of this size, big-endian.
fn upper<const N: usize>(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|v| <[u8; N]>::try_from(&v.to_be_bytes()[..N]).unwrap()).collect()
}

#[test]
fn pcm_of_every_depth_and_order_is_exact() {
    let numbers = [i32::MIN, -1 << 24, 0, 0x1234_5600, 1 << 30, 0x7fff_ff00];
    let floats = |scale: f64| numbers.map(|v| (f64::from(v) / scale) as f32).to_vec();
    let reversed = |bytes: &[u8], size: usize| -> Vec<u8> {
        bytes.chunks(size).flat_map(|sample| sample.iter().rev().copied()).collect()
    };
    let bytes = wave(&import("a.caf", &pcm(0, 1, 8, &upper::<1>(&numbers))).unwrap());
    assert_eq!(bytes, ([6, 22_050, 8, 1], numbers.map(|v| ((v >> 24) + 128) as u8).to_vec()));
    let words = upper::<2>(&numbers);
    for (flags, data) in [(0, words.clone()), (2, reversed(&words, 2))] {
        let (props, samples) = wave(&import("a.caf", &pcm(flags, 2, 16, &data)).unwrap());
        assert_eq!((props, i16s(&samples)), ([3, 22_050, 16, 2], numbers.map(|v| (v >> 16) as i16).to_vec()));
    }
    let whole = floats(2_147_483_648.0);
    let cut: Vec<f32> = numbers.iter().map(|v| ((v >> 8) as f64 / 8_388_608.0) as f32).collect();
    for (bits, data, expected) in
        [(24, upper::<3>(&numbers), &cut), (20, upper::<3>(&numbers), &cut), (32, upper::<4>(&numbers), &whole)]
    {
        let size = data.len() / numbers.len();
        for (flags, data) in [(0, data.clone()), (2, reversed(&data, size))] {
            let (props, samples) = wave(&import("a.caf", &pcm(flags, 1, bits, &data)).unwrap());
            assert_eq!((props[2], &f32s(&samples)), (32, expected), "{bits} bits, flags {flags}");
        }
    }
    let singles: Vec<u8> = whole.iter().flat_map(|v| v.to_be_bytes()).collect();
    let doubles: Vec<u8> = whole.iter().flat_map(|v| f64::from(*v).to_be_bytes()).collect();
    for (bits, data) in [(32, singles), (64, doubles)] {
        for (flags, data) in [(1, data.clone()), (3, reversed(&data, bits as usize / 8))] {
            let (_, samples) = wave(&import("a.caf", &pcm(flags, 1, bits, &data)).unwrap());
            assert_eq!(f32s(&samples), whole, "{bits} bits, flags {flags}");
        }
    }
}

#[test]
fn the_samples_of_a_caf_without_their_size_are_the_rest_of_the_file() {
    let words: Vec<u8> = (0..500).flat_map(|i| triangle(i).to_be_bytes()).collect();
    let mut file = pcm(0, 1, 16, &words);
    let at = file.windows(4).position(|name| name == b"data").unwrap() + 4;
    file[at..at + 8].fill(0xff);
    assert_eq!(wave(&import("a.caf", &file).unwrap()).0[0], 500);
    // Not encoded, so it always becomes samples.
    assert!(import("a.caf", &file).unwrap().source_form.is_none());
}

#[test]
fn channels_are_mixed_if_the_caf_says_where_they_are_heard() {
    let of = |layout: &[Vec<u8>]| {
        let description = description(b"lpcm", [1, 16, 1, 4, 32]);
        let samples: Vec<u8> = [1.0f32, 0.0, 0.0, 1.0].iter().flat_map(|v| v.to_be_bytes()).collect();
        let file = caf(&[vec![description], layout.to_vec(), vec![data(&samples)]].concat());
        let settings = SoundSettings { channels: Some(rres_settings::SoundChannels::Stereo), ..Default::default() };
        import_with("a.caf", &file, settings).map(|part| f32s(&wave(&part).1)).map_err(|error| error.to_string())
    };
    let quad = chunk(b"chan", &[108u32 << 16 | 4, 0, 0].map(u32::to_be_bytes).concat());
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert_eq!(of(&[quad]), Ok(vec![(1.0 / (1.0 + half)) as f32, (half / (1.0 + half)) as f32]));
    assert_eq!(of(&[]), Err("has 4 channels without the places of their speakers".to_owned()));
}

#[test]
fn a_caf_states_which_frames_are_the_sound() {
    let words: Vec<u8> = (0..500).flat_map(|i| triangle(i).to_be_bytes()).collect();
    let description = description(b"lpcm", [0, 2, 1, 1, 16]);
    let file = caf(&[description, packets(0, [300, 50, 150], b""), data(&words)]);
    let (props, samples) = wave(&import("a.caf", &file).unwrap());
    assert_eq!((props[0], i16s(&samples)), (300, (50..350).map(triangle).collect()));
    let part = import_with("a.caf", &file, stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(
        (part.meta.get(MetaKey::FRAMES_LOW), part.summary.as_str()),
        (Some(300), "0.01 s 22.05 kHz mono, CAF kept")
    );

    let lossless = wave(&import("a.caf", fixture!("alac.caf")).unwrap());
    assert_eq!(lossless.0, [2000, 22_050, 16, 1]);
    assert!(i16s(&lossless.1).into_iter().eq((0..2000).map(triangle)));
    let part = import_with("a.caf", fixture!("alac.caf"), stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(part.meta.get(MetaKey::FRAMES_LOW), Some(2000), "the last packet is not whole");

    for (codec, zero) in [(b"ulaw", 0xff), (b"alaw", 0xd5)] {
        let description = self::description(codec, [0, 1, 1, 1, 8]);
        let (props, samples) = wave(&import("a.caf", &caf(&[description, data(&[zero; 10])])).unwrap());
        assert!(props == [10, 22_050, 16, 1] && i16s(&samples).iter().all(|v| v.abs() <= 8), "{samples:?}");
    }
}

#[test]
fn ima_adpcm_goes_on_from_block_to_block() {
    let (props, samples) = wave(&import("a.caf", fixture!("ima.caf")).unwrap());
    assert_eq!(props, [2048, 22_050, 16, 1]);
    let samples = i16s(&samples);
    let ratio = error_ratio(&samples[..2000], (0..2000).map(triangle));
    assert!(ratio < 0.01, "{ratio}");
    // Two blocks as ffmpeg 5.1 decodes them. The head of the second one has nine bits of a sample.
    assert_eq!(samples[..8], [-11, -41, -104, -240, -533, -1164, -2521, -5431]);
    assert_eq!(samples[64..70], [8822, 7927, 7086, 6320, 5624, 4810]);
    let mut impossible = fixture!("ima.caf").to_vec();
    let at = impossible.windows(4).position(|name| name == b"data").unwrap() + 16;
    impossible[at + 1] |= 0x7f;
    let error = import("a.caf", &impossible).unwrap_err().to_string();
    assert!(error.ends_with("a packet has an impossible step"), "{error}");
}

/// The packets of the AAC stream in a CAF.
fn aac_caf(sound: [u32; 3]) -> Vec<u8> {
    let (mut rest, mut sizes, mut all) = (fixture!("mono.aac"), Vec::new(), Vec::new());
    while let [_, _, _, a, b, c, ..] = *rest {
        let len = usize::from(a & 3) << 11 | usize::from(b) << 3 | usize::from(c >> 5);
        let packet = &rest[7..len];
        sizes.extend([0x80 | (packet.len() >> 7) as u8, packet.len() as u8 & 0x7f]);
        all.extend_from_slice(packet);
        rest = &rest[len..];
    }
    // 22,050 Hz, mono, low complexity.
    let info = b"\x05\x02\x13\x88";
    let config = [&b"\x04\x11\x40\x15\0\0\0\0\0\0\0\0\0\0\0"[..], info].concat();
    let cookie = chunk(b"kuki", &[&b"\x03\x19\0\0\0"[..], &config, b"\x06\x01\x02"].concat());
    let count = sizes.len() as u64 / 2;
    caf(&[description(b"aac ", [2, 0, 1024, 1, 0]), cookie, packets(count, sound, &sizes), data(&all)])
}

#[test]
fn aac_in_a_caf_is_as_long_as_before_it_was_encoded_and_a_stream_is_not() {
    let (props, expected) = wave(&import("a.m4a", fixture!("mono.m4a")).unwrap());
    let (found, samples) = wave(&import("a.caf", &aac_caf([5000, 1024, 120])).unwrap());
    assert_eq!((found, props), ([5000, 22_050, 16, 1], found));
    assert!(samples == expected);
    let stream = import("a.aac", fixture!("mono.aac")).unwrap();
    let (found, samples) = wave(&stream);
    assert_eq!((found, found[0] % 1024), ([6144, 22_050, 16, 1], 0));
    assert!(samples[2048..][..10_000] == expected);
    assert_eq!(stream.notes.len(), 1, "its rate is low");
    let part = import_with("a.aac", fixture!("mono.aac"), stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(
        (part.meta.get(MetaKey::FRAMES_LOW), part.summary.as_str()),
        (Some(6144), "0.28 s 22.05 kHz mono, AAC kept")
    );
    // Tags before and after it.
    let tagged = [b"ID3\x04\0\0\0\0\0\x03abc", fixture!("mono.aac"), b"TAG", &[0; 125]].concat();
    assert!(wave(&import("a.aac", &tagged).unwrap()).1 == samples);
}

#[test]
fn what_no_decoder_reads_is_refused_by_name() {
    let description = description(b".mp3", [0, 0, 1152, 1, 0]);
    let mp3 = caf(&[description, packets(0, [0; 3], b""), data(b"")]);
    let with_byte = |at: usize, or: u8| {
        let mut file = fixture!("mono.aac").to_vec();
        file[at] = or;
        file
    };
    let third = fixture!("mono.aac")[2];
    for (path, file, name) in [
        ("a.caf", mp3, "CAF with MP3"),
        ("a.caf", pcm(1, 1, 16, &[0; 4]), "CAF with PCM of floats with 16 bits"),
        ("a.aac", with_byte(2, third & 0x3f), "AAC Main"),
        ("a.aac", with_byte(2, third | 0xc0), "AAC LTP"),
        ("a.aac", with_byte(3, 0), "AAC with channels that its headers do not state"),
        ("a.aac", with_byte(2, third | 1), "AAC with 5 channels"),
        ("a.aac", with_byte(6, 0xfd), "AAC with several blocks in a frame"),
    ] {
        let error = import(path, &file).unwrap_err();
        assert_eq!(error.to_string(), format!("is {name}, which cannot be decoded here"));
        assert!(error.help().unwrap().contains("store = \"source\""), "{error:?}");
        let part = import_with(path, &file, stored_as(SoundStorage::Source)).unwrap();
        assert_eq!(part.summary, format!("{name} kept"));
    }
}

#[test]
fn numbers_that_no_file_can_have_are_errors() {
    let sizes = |sizes: &[u8]| packets(2, [100, 0, 0], sizes);
    let alac = || description(b"alac", [0, 0, 4096, 1, 0]);
    for (file, message) in [
        (caf(&[]), "is a damaged CAF: it has no description of its sound"),
        (caf(&[alac(), data(&[0; 64])]), "is a damaged CAF with Apple Lossless: it has no table of packets"),
        (caf(&[alac(), sizes(b"\x10\x90\x00"), data(&[0; 64])]), "is a CAF that ends early"),
        (
            caf(&[alac(), sizes(b"\x10\xff\xff\xff\xff\x7f"), data(&[0; 64])]),
            "is a damaged CAF with Apple Lossless: its table of packets is not consistent",
        ),
        (
            caf(&[description(b"alac", [0, u32::MAX, u32::MAX, 1, 0]), data(&[0; 64])]),
            "is a damaged CAF with Apple Lossless: its packets have 4294967295 bytes and 4294967295 frames",
        ),
        (
            caf(&[description(b"ima4", [0, 34, 64, 0, 0]), data(&[0; 64])]),
            "is a damaged CAF with IMA ADPCM: it has 0 channels at 22050 Hz",
        ),
    ] {
        let error = import("a.caf", &file).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.help().is_some(), "{message}");
    }
    // Of two descriptions the first one counts, whatever the second one says.
    let empty_packets = description(b"lpcm", [0, 0, 1, 1, 16]);
    let twice =
        caf(&[description(b"lpcm", [0, 2, 1, 1, 16]), empty_packets, packets(0, [0; 3], &[]), data(&[0, 1, 0, 2])]);
    assert!(import("a.caf", &twice).is_ok());
    let mut gap = fixture!("mono.aac").to_vec();
    let second = fixture!("mono.aac").windows(2).skip(1).position(|mark| mark == b"\xff\xf1").unwrap() + 1;
    gap.insert(second, 0x55);
    assert!(import("a.aac", &gap).unwrap_err().to_string().ends_with("what follows after 0.05 s is not a frame"));
}
