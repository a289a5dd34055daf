//! What encoders and editors add at the ends of a sound is left out, to the frame.

use super::*;

/// The frames of a sound that is kept, and the frames of its samples.
fn frames(path: &str, file: &[u8]) -> (u32, Vec<i16>) {
    let kept = import_with(path, file, stored_as(SoundStorage::Source)).unwrap();
    let (props, samples) = wave(&import_with(path, file, stored_as(SoundStorage::Pcm)).unwrap());
    let samples = i16s(&samples);
    assert_eq!((props[0] * props[3]) as usize, samples.len());
    assert_eq!(kept.meta.get(MetaKey::FRAMES_LOW), Some(props[0]), "kept and decoded");
    (props[0], samples)
}

#[test]
fn a_vorbis_stream_that_was_cut_out_of_another_begins_at_its_position_0() {
    let (frames, samples) = frames("a.ogg", fixture!("cut.ogg"));
    assert_eq!(frames, 3970);
    let ratio = error_ratio(&samples, (1030..5000).map(triangle));
    assert!(ratio < 0.01, "{ratio}");
}

/// By the positions, the sound begins after frames that the file has.
#[test]
fn a_vorbis_stream_whose_first_position_is_far_too_low_keeps_its_beginning() {
    const LESS: i64 = 9_000;
    let file = fixture!("seek.ogg");
    let (whole, samples) = frames("a.ogg", file);
    let late = damage::with_pages(file, |_, page| {
        let position = i64::from_le_bytes(*page[6..].first_chunk().unwrap());
        // The pages of the head have the position 0.
        if position > 0 {
            page[6..14].copy_from_slice(&(position - LESS).to_le_bytes());
        }
    });
    let (found, decoded) = frames("a.ogg", &late);
    assert_eq!(found, whole - LESS as u32);
    assert!(decoded == samples[..decoded.len()], "it begins with the first frame, as in other programs");
}

#[test]
fn a_vorbis_stream_whose_last_position_is_a_little_too_high_ends_with_its_last_packet() {
    let file = fixture!("loop.ogg");
    let (whole, samples) = frames("a.ogg", &ending_at(file, 5120, true));
    assert_eq!(whole, 5120);
    // Blocks have 1,024 frames.
    for surplus in [1, 128, 512, 1023] {
        let file = ending_at(file, 5120 + surplus, true);
        assert_eq!(frames("a.ogg", &file), (5120, samples.clone()), "{surplus}");
        assert_eq!(wave(&import("a.ogg", &file).unwrap()).0[0], 5120);
    }
    for store in [SoundStorage::Pcm, SoundStorage::Source] {
        let error = |file: &[u8]| {
            let found = import_with("a.ogg", file, stored_as(store)).map(|part| part.summary);
            found.unwrap_err().to_string()
        };
        let expected = "is an Ogg stream that is cut or damaged: it should have 6144 frames, but only 5120 can be read";
        assert_eq!(error(&ending_at(file, 6144, true)), expected);
        // A page that is missing or damaged, with a packet of 512 frames, and not a position that is too high.
        let lost = error(&without_page(fixture!("cut.ogg"), 2));
        assert!(lost.contains("cut or damaged"), "{lost}");
        let mut file = fixture!("seek.ogg").to_vec();
        let last = file.len() - 5;
        file[last] ^= 1;
        let damaged = error(&file);
        assert!(damaged.contains("is a damaged OGG Vorbis: its pages cannot be decoded"), "{damaged}");
    }
    // Without the mark of the end, the last position is followed where it is near.
    let file = fixture!("seek.ogg");
    for (position, found) in [(80_000, 80_000), (79_361, 79_361), (79_360, 80_384), (81_000, 80_384)] {
        assert_eq!(frames("a.ogg", &ending_at(file, position, false)).0, found);
    }
}

/// The file with another position of its last page.
fn ending_at(file: &[u8], end: u64, is_marked: bool) -> Vec<u8> {
    damage::with_pages(file, |_, page| {
        if page[5] & 4 != 0 {
            page[6..14].copy_from_slice(&end.to_le_bytes());
            page[5] = if is_marked { 4 } else { 0 };
        }
    })
}

fn without_page(file: &[u8], number: usize) -> Vec<u8> {
    let mut starts = Vec::new();
    damage::with_pages(file, |_, page| starts.push(page.len()));
    let start = starts[..number].iter().sum::<usize>();
    [&file[..start], &file[start + starts[number]..]].concat()
}

/// The tag that LAME writes after the numbers of its first packet.
fn lame(file: &[u8]) -> usize {
    file.windows(4).position(|tag| tag == b"LAME").unwrap()
}

#[test]
fn lame_states_what_it_added_at_both_ends() {
    let file = fixture!("mono.mp3");
    let (count, whole) = frames("a.mp3", file);
    assert_eq!(count, 5000);
    let at = lame(file);
    // A program that writes the loudness into the tag need not update its checksum.
    let mut changed = file.to_vec();
    changed[at + 11] ^= 1;
    assert_eq!(frames("a.mp3", &changed), (5000, whole.clone()));
    // 100 frames more at the start, 7 more at the end.
    let ends = u32::from_be_bytes([0, file[at + 21], file[at + 22], file[at + 23]]) + (100 << 12) + 7;
    changed[at + 21..at + 24].copy_from_slice(&ends.to_be_bytes()[1..]);
    assert_eq!(frames("a.mp3", &changed), (4893, whole[100..4993].to_vec()));
    // An encoder that is not known to count like this.
    changed[at..at + 4].copy_from_slice(b"ABCD");
    assert_eq!(frames("a.mp3", &changed).0, 6336);
    // Without the number of packets, the packets of the file count.
    let mut open = file.to_vec();
    let info = file.windows(4).position(|tag| tag == b"Info" || tag == b"Xing").unwrap();
    open.copy_within(info + 12..at + 24, info + 8);
    open[info + 7] &= !1;
    assert_eq!(frames("a.mp3", &open), (5000, whole));
}

#[test]
fn itunes_states_it_in_a_comment() {
    let (_, whole) = frames("a.mp3", fixture!("mono.mp3"));
    let bare = fixture!("no_count.mp3");
    let all = frames("a.mp3", bare).0;
    let comment = |delay: u32, frames: u32| format!(" 00000000 {delay:08X} 000002F8 {frames:016X} 00000000 00000000");
    let tag = |text: Vec<u8>| {
        let body = [b"COMM\0\0".to_vec(), (text.len() as u16).to_be_bytes().to_vec(), vec![0, 0], text].concat();
        let size = [0, 0, (body.len() >> 7) as u8, (body.len() & 0x7f) as u8];
        [&b"ID3\x03\0\0"[..], &size, &body, bare].concat()
    };
    let narrow = |value: String| tag([b"\0engiTunSMPB\0", value.as_bytes()].concat());
    let wide = |text: String| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let value = comment(576, 5000);
    let in_utf16 = [b"\x01eng\xff\xfe".to_vec(), wide("iTunSMPB\0".into()), b"\xff\xfe".to_vec(), wide(value.clone())];
    for file in [narrow(value), tag(in_utf16.concat())] {
        assert_eq!(frames("a.mp3", &file), (5000, whole.clone()));
    }
    // More frames than there are, and comments without numbers.
    for text in [comment(576, all), comment(u32::MAX, 1), comment(0, 0), " 00000000".into(), "none".into()] {
        assert_eq!(frames("a.mp3", &narrow(text.clone())).0, all, "{text}");
    }
}

#[test]
fn an_m4a_is_as_long_as_before_it_was_encoded() {
    let (count, samples) = frames("a.m4a", fixture!("mono.m4a"));
    assert_eq!(count, 5000);
    // One frame earlier or later is worse.
    let ratio = [-1, 0, 1].map(|late| error_ratio(&samples[1..4999], (1 + late..4999 + late).map(triangle)));
    assert!(ratio[1] < 0.025 && ratio[1] < ratio[0] && ratio[1] < ratio[2], "{ratio:?}");
    // Without the edit list, the frames that the encoder added stay.
    let mut bare = fixture!("mono.m4a").to_vec();
    let at = bare.windows(4).position(|name| name == b"edts").unwrap();
    bare[at..at + 4].copy_from_slice(b"free");
    assert_eq!(frames("a.m4a", &bare).0, 6024);
    // Lossless.
    let (count, samples) = frames("a.m4a", fixture!("alac.m4a"));
    assert_eq!((count, samples), (2000, (0..2000).map(triangle).collect()));
}

#[test]
fn an_m4a_that_may_be_he_aac_is_named_and_one_that_says_so_is_refused() {
    let with = |statement: [u8; 3]| {
        let mut file = fixture!("mono.m4a").to_vec();
        let at = file.windows(3).position(|bytes| bytes == [0x56, 0xe5, 0]).unwrap();
        file[at..at + 3].copy_from_slice(&statement);
        file
    };
    let notes = |file: &[u8]| import("a.m4a", file).unwrap().notes;
    assert_eq!(notes(fixture!("mono.m4a")), [], "it says that it is plain AAC");
    let [note] = &notes(&with([0; 3]))[..] else { panic!() };
    assert!(note.topic.starts_with("AAC of a low rate") && note.detail.starts_with("22050 Hz"), "{note:?}");
    let he_aac = with([0x56, 0xe5, 0x80]);
    let error = import("a.m4a", &he_aac).map(|part| part.summary).unwrap_err();
    assert_eq!(error.to_string(), "is HE-AAC, which cannot be decoded here");
    let kept = import_with("a.m4a", &he_aac, stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(kept.meta.get(MetaKey::FRAMES_LOW), Some(5000));
}
