//! Decodes any bytes as a file that packs keep: pictures, sounds and fonts of each format, whatever their heads state.
#![no_main]

#[path = "../panics.rs"]
mod panics;

use libfuzzer_sys::fuzz_target;
use rres_decode::{DistanceField, FontDrawing, FontFile, PictureFile, SampleForm, SoundFile};

/// The largest result that is decoded. Heads can state any size.
const LIMIT: u64 = 64 << 20;

fuzz_target!(|file: &[u8]| {
    panics::ignore_those_of_others();
    let _ = std::panic::catch_unwind(|| run(file));
});

fn run(file: &[u8]) {
    if let Ok(picture) = PictureFile::open(file)
        && let Ok(size) = picture.props().data_size()
        && size <= LIMIT
    {
        let _ = picture.decode_into(&mut vec![0; size as usize]);
    }
    if let Ok(font) = FontFile::open(file) {
        let characters: Vec<char> = font.characters().take(100).collect();
        let drawing = FontDrawing { sizes: vec![16], padding: 1, ..FontDrawing::default() };
        let _ = font.draw(&characters, &drawing);
        let _ = font.draw(&characters, &FontDrawing { field: Some(DistanceField::Multi), ..drawing });
        let _ = (font.kerning(&characters), font.line_metrics(16), font.instances());
    }
    sound(file);
    // The CRC of its pages hides the decoder of Opus from damage.
    sound(&opus_file(file));
}

fn sound(file: &[u8]) {
    let Ok(sound) = SoundFile::open(file) else { return };
    let form = sound.natural_form();
    let counted = sound.count_frames();
    let Ok(samples) = sound.decode(form, false, LIMIT) else { return };
    let frames = samples.len() / sound.frame_size(form);
    if let Ok(counted) = counted {
        assert_eq!(counted, frames as u64, "all frames are decoded");
    }
    if frames > 0 {
        let (skipped, rest) = (frames / 2, (frames - frames / 2) * sound.frame_size(form));
        let mut part = vec![0; rest];
        sound.decode_into(skipped as u64, form, &mut part).unwrap();
        assert!(samples.ends_with(&part), "a part is what it is in the whole");
    }
    let trimmed = sound.decode(SampleForm::F32, true, LIMIT).unwrap_or_default();
    assert!(trimmed.len() / sound.frame_size(SampleForm::F32) <= frames, "nothing is added");
}

/// An Ogg file with these bytes as packets of Opus: the first byte chooses the head, and each packet begins with its length.
fn opus_file(bytes: &[u8]) -> Vec<u8> {
    let Some((choice, mut rest)) = bytes.split_first() else { return Vec::new() };
    let (family, channels) = (choice >> 7, 1 + (choice & 7));
    let channels = if family == 0 { 1 + channels % 2 } else { channels };
    let coupled = (choice >> 3 & 7).min(channels / 2);
    let mut head = [&b"OpusHead\x01"[..], &[channels, 120, 0, 0x80, 0xbb, 0, 0, 0, 0, family]].concat();
    if family == 1 {
        head.extend([channels - coupled, coupled]);
        head.extend(0..channels);
    }
    let mut out = page(0, 2, &[&head]);
    out.extend(page(1, 0, &[b"OpusTags"]));
    let mut number = 2;
    while let Some((len, after)) = rest.split_first() {
        let (packet, after) = after.split_at(after.len().min(usize::from(*len).min(254)));
        out.extend(page(number, if after.is_empty() { 4 } else { 0 }, &[packet]));
        (rest, number) = (after, number + 1);
    }
    out
}

/// A page of packets of up to 254 bytes, at a position far behind all samples.
fn page(number: u32, flags: u8, packets: &[&[u8]]) -> Vec<u8> {
    let mut page = [&b"OggS\0"[..], &[flags], &[0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0], &[1, 0, 0, 0]].concat();
    page.extend(number.to_le_bytes());
    page.extend([0; 4]);
    page.push(packets.len() as u8);
    page.extend(packets.iter().map(|packet| packet.len() as u8));
    packets.iter().for_each(|packet| page.extend_from_slice(packet));
    let crc = page.iter().fold(0u32, |crc, byte| {
        (0..8)
            .fold(crc ^ u32::from(*byte) << 24, |crc, _| if crc >> 31 == 0 { crc << 1 } else { crc << 1 ^ 0x04c1_1db7 })
    });
    page[22..26].copy_from_slice(&crc.to_le_bytes());
    page
}
