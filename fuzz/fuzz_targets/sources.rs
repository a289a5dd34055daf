//! Decodes any bytes as a file that packs keep: pictures, sounds and fonts of each format, whatever their heads state.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rres_format::source::{FontFile, PictureFile, SampleForm, SoundFile};

/// The largest result that is decoded. Heads can state any size.
const LIMIT: u64 = 64 << 20;

fuzz_target!(|file: &[u8]| {
    if let Ok(picture) = PictureFile::open(file)
        && let Ok(size) = picture.props().data_size()
        && size <= LIMIT
    {
        let _ = picture.decode_into(&mut vec![0; size as usize]);
    }
    if let Ok(font) = FontFile::open(file) {
        let characters: Vec<char> = font.characters().take(100).collect();
        let _ = font.draw(&characters, &[16], 1);
    }
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
});
