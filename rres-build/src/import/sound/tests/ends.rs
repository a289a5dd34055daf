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
