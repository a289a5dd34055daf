//! Files that players play although something in them is wrong: they are read, and if something is left out, a note or an error says so.

use rres_test_data::bytes::{be, words};
use rres_test_data::sound::{self, flac_packet, riff, riff_chunk};

use super::*;

/// A 16-bit mono WAV with this `fmt ` chunk and these chunks before the samples.
fn wav(format: &[u8], extra: &[u8], data: &[u8]) -> Vec<u8> {
    let format = [b"fmt ", &words(&[format.len() as u32])[..], format];
    riff(&[&format.concat(), extra, &riff_chunk(b"data", data)].concat())
}

/// 16-bit mono PCM at 8 kHz.
const FORMAT: &[u8] = b"\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0";

fn triangles(count: i32) -> Vec<u8> {
    (0..count).flat_map(|i| triangle(i).to_le_bytes()).collect()
}

#[test]
fn sizes_that_do_not_fit_do_not_matter_if_the_samples_are_there() {
    let data = triangles(500);
    let good = wav(FORMAT, b"", &data);
    for whole in [good.len() as u32 - 12, 0, 1, 36, good.len() as u32 - 8 + 1000] {
        let mut file = good.clone();
        file[4..8].copy_from_slice(&whole.to_le_bytes());
        let part = import("a.wav", &file).unwrap();
        assert_eq!((wave(&part), part.notes.len()), (([500, 8000, 16, 1], data.clone()), 0), "RIFF size {whole}");
    }
    for size in [17, 18, 20, 26] {
        let mut format = FORMAT.to_vec();
        format.resize(size, 0);
        // A size that counts bytes which only other formats have.
        let odd: &[u8] = if size % 2 == 1 { b"\0" } else { b"" };
        let part = import("a.wav", &wav(&format, odd, &data)).unwrap();
        assert_eq!(wave(&part), ([500, 8000, 16, 1], data.clone()), "fmt of {size} bytes");
    }
    for (list, what) in [
        (&b"LIST\x0f\0\0\0INFOICMT\x03\0\0\0abc"[..], "an odd list without padding"),
        (b"LIST\x0f\0\0\0INFOICMT\x03\0\0\0abc\0", "an odd list with padding"),
        (b"LIST\x10\0\0\0INFOICMT\x03\0\0\0abc\0\0", "a byte too many"),
        (b"LIST\x12\0\0\0INFOICMT\x09\0\0\0abcdef", "a text longer than its list"),
    ] {
        assert_eq!(wave(&import("a.wav", &wav(FORMAT, list, &data)).unwrap()).0[0], 500, "{what}");
    }
}

#[test]
fn a_head_that_promises_too_much_is_said_unless_the_file_is_cut() {
    let data = triangles(500);
    let mut file = wav(FORMAT, b"", &data);
    file[40..44].copy_from_slice(&1024u32.to_le_bytes());
    let part = import("a.wav", &file).unwrap();
    assert_eq!(wave(&part), ([500, 8000, 16, 1], data));
    assert_eq!(part.notes.len(), 1);
    assert_eq!(part.notes[0].detail, "24 bytes more");
    // The head says that the file is longer too.
    file[4..8].copy_from_slice(&(36 + 1024u32).to_le_bytes());
    assert_eq!(import("a.wav", &file).unwrap_err().to_string(), "is a WAV that ends early");
}

/// A frame of 192 samples of a FLAC: the samples of each channel as they are.
pub(super) fn flac_frame(number: u8, rate_code: u8, channels: u8) -> Vec<u8> {
    let head = [0xff, 0xf8, 0x10 | rate_code, (channels - 1) << 4 | 4 << 1, number];
    let samples = (0..192).map(triangle).collect::<Vec<_>>();
    flac_packet(&head, &[vec![0x02], be(&samples)].concat().repeat(channels.into()))
}

/// A FLAC of mono at 44.1 kHz whose head says it holds `frames`; 0 leaves that open.
pub(super) fn flac(frames: u32, packets: &[Vec<u8>]) -> Vec<u8> {
    sound::flac(192, frames.into(), packets)
}

#[test]
fn a_flac_that_changes_its_format_is_an_error_and_not_cut() {
    let same: Vec<_> = (0..4).map(|i| flac_frame(i, 9, 1)).collect();
    let open = flac(0, &same);
    assert_eq!(wave(&import("a.flac", &open).unwrap()).0, [768, 44_100, 16, 1]);
    let tagged = [&open[..], &[0; 64]].concat();
    let other_rate = flac(0, &[flac_frame(0, 9, 1), flac_frame(1, 9, 1), flac_frame(2, 10, 1), flac_frame(3, 10, 1)]);
    let other_channels = flac(0, &[flac_frame(0, 9, 1), flac_frame(1, 9, 1), flac_frame(2, 9, 2), flac_frame(3, 9, 2)]);
    let in_a_row = [flac(768, &same), flac(768, &same)].concat();
    let open_in_a_row = [&open[..], &open].concat();
    for (file, what) in [
        (other_rate, "another rate"),
        (other_channels, "other channels"),
        (in_a_row, "two streams"),
        (open_in_a_row, "two open streams"),
    ] {
        for settings in [SoundSettings::default(), stored_as(SoundStorage::Pcm)] {
            let imported = import_with("a.flac", &file, settings).map(|part| part.summary);
            let error = imported.expect_err(what);
            assert!(error.help().is_some(), "{what}: {error}");
        }
    }
    let _ = import("a.flac", &tagged);
}

#[test]
fn an_mp3_whose_head_counts_too_few_packets_is_decoded_to_its_end() {
    let file = fixture!("mono.mp3");
    let at = file.windows(4).position(|tag| tag == b"Xing" || tag == b"Info").unwrap() + 8;
    let whole = wave(&import("a.mp3", file).unwrap()).0[0];
    for count in [0u32, 1, 3] {
        let mut file = file.to_vec();
        file[at..at + 4].copy_from_slice(&count.to_be_bytes());
        let frames = wave(&import("a.mp3", &file).unwrap()).0[0];
        assert!(frames >= whole, "{count} packets: {frames} of {whole} frames");
        let part = import_with("a.mp3", &file, stored_as(SoundStorage::Source)).unwrap();
        assert!(part.meta.get(MetaKey::FRAMES_LOW).unwrap() >= whole);
    }
}

const STORES: [SoundStorage; 3] = [SoundStorage::Auto, SoundStorage::Pcm, SoundStorage::Source];

/// The number of frames that a game sees.
fn frames(part: &Asset) -> u32 {
    part.meta.get(MetaKey::FRAMES_LOW).unwrap_or_else(|| wave(part).0[0])
}

#[test]
fn an_mp3_whose_head_counts_too_many_packets_has_the_frames_of_its_packets_unless_its_end_is_missing() {
    let good = fixture!("mono.mp3");
    let at = good.windows(4).position(|tag| tag == b"Xing" || tag == b"Info").unwrap() + 8;
    for count in [100u32, 0x8b8b_8b8b, u32::MAX] {
        let mut file = good.to_vec();
        file[at..at + 4].copy_from_slice(&count.to_be_bytes());
        for store in STORES {
            let part = import_with("a.mp3", &file, stored_as(store)).unwrap();
            assert_eq!(frames(&part), 5000, "{count} packets, {store:?}");
            assert_eq!(part.notes.len(), 1);
            assert_eq!(part.notes[0].detail, format!("it states {} frames", u64::from(count) * 576));
            // The head states how many bytes there are, so it is known that some are missing.
            for cut in [&file[..file.len() - 300], &file[..file.len() - 1]] {
                let error = import_with("a.mp3", cut, stored_as(store)).map(|part| frames(&part)).unwrap_err();
                assert!(error.to_string().contains("cut or damaged"), "{error}");
            }
        }
        // It states no number of bytes.
        file[at + 4..at + 8].fill(0);
        for store in STORES {
            let error = import_with("a.mp3", &file, stored_as(store)).map(|part| frames(&part)).unwrap_err();
            assert!(error.to_string().contains("cut or damaged"), "{error}");
        }
    }
}

#[test]
fn a_flac_whose_head_states_another_number_of_frames_is_damaged() {
    let packets: Vec<_> = (0..4).map(|i| flac_frame(i, 9, 1)).collect();
    for (stated, is_good) in [(768, true), (767, false), (769, false), (1, false), (u32::MAX, false)] {
        for store in STORES {
            let imported = import_with("a.flac", &flac(stated, &packets), stored_as(store)).map(|part| frames(&part));
            match imported {
                Ok(found) => assert!(is_good && found == 768, "{found} frames, {stated} stated, {store:?}"),
                Err(error) if stated < 768 => assert_eq!(
                    error.to_string(),
                    format!("is a damaged FLAC: its head states {stated} frames, but 768 can be read")
                ),
                Err(error) => assert!(!is_good && error.to_string().contains("early"), "{stated}: {error}"),
            }
        }
    }
}
