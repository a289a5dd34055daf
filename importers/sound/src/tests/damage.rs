//! Truncated and changed files: the result is an error or the whole sound, never a panic or a shorter sound.

use rres_test_data::damage::{replaced, scattered};
use rres_test_data::sound::sum_ogg_page;

use super::*;

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let data: Vec<u8> = (0..600).flat_map(|i| triangle(i).to_le_bytes()).collect();
    vec![
        ("a.wav", wav(&data, 1, 2, 8000, 16)),
        ("ms.wav", fixture!("ms.wav").to_vec()),
        ("ima.wav", fixture!("ima.wav").to_vec()),
        ("a.ogg", fixture!("stereo.ogg").to_vec()),
        ("a.flac", fixture!("stereo16.flac").to_vec()),
        ("b.flac", fixture!("mono24.flac").to_vec()),
        ("a.mp3", fixture!("mono.mp3").to_vec()),
        ("a.m4a", fixture!("mono.m4a").to_vec()),
        ("b.m4a", fixture!("alac.m4a").to_vec()),
        ("alac.caf", fixture!("alac.caf").to_vec()),
        ("ima.caf", fixture!("ima.caf").to_vec()),
        ("a.aac", fixture!("mono.aac").to_vec()),
        ("b.mp3", fixture!("no_count.mp3").to_vec()),
    ]
}

#[test]
fn truncated_sounds_are_errors() {
    for (path, file) in files() {
        let whole = import(path, &file).unwrap();
        let frames = wave(&whole).0[0];
        for len in (0..file.len()).filter(|len| len % 3 == 0 || *len > file.len() - 40) {
            match import(path, &file[..len]) {
                Err(error) => assert!(error.help().is_some(), "{path} {len}: {error}"),
                // A stream of MP3 or AAC frames has no end marker, so a cut between them cannot be detected.
                Ok(part) if ["b.mp3", "a.aac"].contains(&path) => assert!(wave(&part).0[0] <= frames),
                Ok(part) => {
                    let lost = frames - wave(&part).0[0];
                    let slack = if path == "a.mp3" { 2 * 1152 } else { 0 };
                    assert!(lost <= slack, "{path} cut at {len} of {} lost {lost} frames", file.len());
                }
            }
        }
    }
    let error = import("a.wav", &files()[0].1[..700]).unwrap_err();
    assert_eq!(error.to_string(), "is a WAV that ends early");
    let error = import("a.ogg", &files()[3].1[..4500]).unwrap_err();
    assert_eq!(error.to_string(), "is an Ogg stream that ends early");
}

#[test]
fn corrupt_sounds_never_panic() {
    for (path, file) in files() {
        scattered(&file, 150).for_each(|file| drop(import(path, &file)));
        for file in replaced(&file, 0..file.len().min(80), &[0, 0x7f, 0xff]) {
            let _ = import(path, &file);
            let _ = import_with(path, &file, stored_as(SoundStorage::Source));
        }
    }
}

#[test]
fn damage_in_the_middle_is_an_error() {
    for (path, file) in files().into_iter().filter(|(path, _)| path.ends_with("flac") || path.ends_with("ogg")) {
        let mut damaged = file.clone();
        let at = file.len() * 3 / 4;
        damaged[at] ^= 0x55;
        let error = import(path, &damaged).unwrap_err();
        assert!(error.help().is_some(), "{path}: {error}");
    }
}

/// Changes every page with `change`, which gets the number of the page, and updates the checksums.
pub(super) fn with_pages(file: &[u8], mut change: impl FnMut(usize, &mut [u8])) -> Vec<u8> {
    let mut out = file.to_vec();
    let (mut at, mut number) = (0, 0);
    while at < out.len() {
        let segments = usize::from(out[at + 26]);
        let size = 27 + segments + out[at + 27..at + 27 + segments].iter().map(|n| usize::from(*n)).sum::<usize>();
        let page = &mut out[at..at + size];
        change(number, page);
        sum_ogg_page(page);
        (at, number) = (at + size, number + 1);
    }
    out
}

#[test]
fn pages_without_positions_are_not_trimmed_to_silence() {
    let file = fixture!("long.ogg");
    assert_eq!(with_pages(file, |_, _| {}), file, "the checksum is right");
    // Two pages of headers, then pages of sound: all of these but the first and the last lose their position.
    let unset = with_pages(file, |number, page| {
        if number > 2 && page[5] & 4 == 0 {
            page[6..14].fill(0xff);
        }
    });
    let (props, samples) = wave(&import_with("a.ogg", &unset, stored_as(SoundStorage::Pcm)).unwrap());
    assert_eq!((props, samples), ([84_001, 8000, 16, 1], vec![0; 168_002]));
}

#[test]
fn a_missing_end_marker_alone_is_not_an_error() {
    let file = with_pages(fixture!("stereo.ogg"), |_, page| page[5] &= !4);
    let (props, _) = wave(&import("a.ogg", &file).unwrap());
    assert_eq!(props[1..], [22050, 16, 2]);
    assert!((5000..5000 + 1024).contains(&props[0]), "{props:?}");
}

#[test]
fn chained_streams_are_refused() {
    let second = with_pages(fixture!("stereo.ogg"), |_, page| page[14] ^= 1);
    let error = import("a.ogg", &[fixture!("stereo.ogg"), &second].concat()).unwrap_err();
    assert!(error.help().is_some());
    assert_eq!(error.to_string(), "is an Ogg file of several streams in a row");
}

#[test]
fn impossible_headers_are_errors() {
    for (channels, rate, bits) in [(0, 8000, 16), (1, 0, 16), (1, 8000, 0), (1, 8000, 4), (60000, 8000, 16)] {
        let mut file = wav(&[0; 64], 1, 1, 8000, 16);
        file[22..24].copy_from_slice(&u16::to_le_bytes(channels));
        file[24..28].copy_from_slice(&u32::to_le_bytes(rate));
        file[34..36].copy_from_slice(&u16::to_le_bytes(bits));
        let error = import("a.wav", &file).unwrap_err();
        assert!(error.help().is_some(), "{error}");
    }
}

#[test]
fn a_stream_that_starts_late_has_the_length_of_its_contents() {
    let file = with_pages(fixture!("long.ogg"), |number, page| {
        if number > 1 {
            let position = u64::from_le_bytes(page[6..14].try_into().unwrap()) + 63;
            page[6..14].copy_from_slice(&position.to_le_bytes());
        }
    });
    let (props, _) = wave(&import_with("a.ogg", &file, stored_as(SoundStorage::Pcm)).unwrap());
    assert_eq!(props[0], 84_001);
    let part = import("a.ogg", &file).unwrap();
    assert_eq!(part.meta.get(MetaKey::FRAMES_LOW), Some(84_001));
}
