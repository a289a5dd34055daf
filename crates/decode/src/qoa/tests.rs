//! The numbers of the specification, and files with wrong ones.

use super::*;
use crate::{SoundFile, SoundStream};

/// A file of one channel: its frames have so many samples each, all slices are `slice`.
fn file(stated: u32, frames: &[usize], slice: u64) -> Vec<u8> {
    let mut file = [&b"qoaf"[..], &stated.to_be_bytes()].concat();
    for samples in frames {
        file.extend([1, 0, 0xac, 0x44]);
        file.extend((*samples as u16).to_be_bytes());
        file.extend((frame_size(1, *samples) as u16).to_be_bytes());
        file.extend({ Predictor::START }.write());
        (0..samples.div_ceil(SLICE_SAMPLES)).for_each(|_| file.extend(slice.to_be_bytes()));
    }
    file
}

#[test]
fn distances_are_those_of_the_specification() {
    assert_eq!(DEQUANTIZED[0], [1, -1, 3, -3, 5, -5, 7, -7]);
    assert_eq!(DEQUANTIZED[1], [5, -5, 18, -18, 32, -32, 49, -49]);
    assert_eq!(DEQUANTIZED[9], [422, -422, 1405, -1405, 2529, -2529, 3934, -3934]);
    assert_eq!(DEQUANTIZED[15], [1536, -1536, 5120, -5120, 9216, -9216, 14336, -14336]);
}

#[test]
fn a_slice_is_decoded_by_hand() {
    // Scale 1, then the distances 18, 5, -49 and 5.
    let slice = 1 << 60 | 2 << 57 | 7 << 51;
    let file = file(4, &[4], slice);
    let samples = SoundFile::open(&file).unwrap().decode(SampleForm::I16, true, 100).unwrap();
    let samples: Vec<i16> = samples.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
    // Predicted are 0; 18 · 16385 / 8192 = 36; (41 · 16385 - 18 · 8191) / 8192 = 64; (15 · 16381 - 41 · 8195 - 18 · 3) / 8192 = -12.
    assert_eq!(samples, [18, 41, 15, -7]);
}

#[test]
fn frames_are_found_and_streamed() {
    let file = file(5120 + 30, &[5120, 30], 0x0123_4567_89ab_cdef);
    let opened = SoundFile::open(&file).unwrap();
    assert_eq!((opened.sample_rate(), opened.channels(), opened.natural_form()), (44_100, 1, SampleForm::I16));
    assert_eq!((opened.count_frames().unwrap(), opened.stated_frames().unwrap()), (5150, Some(5150)));
    let whole = opened.decode(SampleForm::I16, true, 1 << 20).unwrap();
    assert_eq!(whole.len(), 10_300);
    assert_eq!(opened.decode_sound(0, 5150, SampleForm::I16, 1 << 20).unwrap(), whole);
    assert!(opened.decode_sound(0, 5149, SampleForm::I16, 1 << 20).is_err());
    let mut stream = SoundStream::open(std::sync::Arc::<[u8]>::from(file.as_slice())).unwrap();
    assert_eq!(stream.next_packet().unwrap().unwrap(), &whole[..10_240]);
    assert_eq!(stream.last_packet(), &file[8..8 + frame_size(1, 5120)]);
    assert_eq!(stream.next_packet().unwrap().unwrap(), &whole[10_240..]);
    assert!(stream.next_packet().unwrap().is_none());
    stream.start_at(8 + frame_size(1, 5120) as u32, 0).unwrap();
    assert_eq!(stream.next_packet().unwrap().unwrap(), &whole[10_240..]);
    assert!(stream.start_at(9, 0).is_err());
}

#[test]
fn what_contradicts_itself_is_refused() {
    let good = file(5150, &[5120, 30], 0x7fff_ffff_ffff_ffff);
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = good.clone();
        change(&mut file);
        let opened = SoundFile::open(&file).and_then(|file| file.decode(SampleForm::I16, true, 1 << 20));
        opened.unwrap_err().to_string()
    };
    let second = 8 + frame_size(1, 5120);
    assert!(refused(&|file| file.truncate(7)).contains("ends early"));
    assert!(refused(&|file| file.truncate(8)).contains("ends early"));
    assert!(refused(&|file| file.truncate(second)).contains("ends early"));
    assert!(refused(&|file| file.truncate(second + 9)).contains("ends early"));
    assert!(refused(&|file| file[4..8].fill(0)).contains("without a length"));
    assert!(refused(&|file| file[7] += 1).contains("ends early"));
    assert!(refused(&|file| file[7] -= 1).contains("there are 5150"));
    assert!(refused(&|file| file[8] = 0).contains("0 channels"));
    assert!(refused(&|file| file[8] = 9).contains("9 channels"));
    assert!(refused(&|file| file[9..12].fill(0)).contains("at 0 Hz"));
    assert!(refused(&|file| file[12..14].fill(0xff)).contains("65535 samples"));
    assert!(refused(&|file| file[15] ^= 1).contains("samples take"));
    assert!(refused(&|file| file[second + 3] ^= 1).contains("it changes from 1 channels at 44100 Hz"));
    assert!(refused(&|file| file.push(0)).contains("ends early"));
}

#[test]
fn damaged_files_never_panic() {
    let good = file(5150, &[5120, 30], 0xffff_0123_ffff_4567);
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for _ in 0..300 {
        let mut damaged = good.clone();
        for _ in 0..1 + random() % 8 {
            let at = random() % if random() % 2 == 0 { 40 } else { damaged.len() };
            damaged[at] = random() as u8;
        }
        if let Ok(file) = SoundFile::open(&damaged) {
            let _ = file.decode(SampleForm::F32, true, 1 << 20).map(|samples| assert_eq!(samples.len(), 5150 * 4));
        }
    }
}
