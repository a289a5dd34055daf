//! `verify` decodes the files that packs keep: damage that was in them before they were packed is found.

use rres_decode::SoundFile;
use rres_format::chunk::image::PixelFormat;
use rres_format::index::MetaKey;
use rres_format::{AssetKind, PackBuilder};

use super::packs::raw;
use super::{Run, Sandbox};

/// Files of each format that packs keep.
const FILES: [(&str, &[u8]); 8] = [
    ("photo.jpg", include_bytes!("../../../crates/test-data/fixtures/image/baseline.jpg")),
    ("panel.png", include_bytes!("../../../assets/ui/panel.png")),
    ("stars.qoi", include_bytes!("../../../assets/world/stars.qoi")),
    ("click.wav", include_bytes!("../../../assets/sound/click.wav")),
    ("thunder.ogg", include_bytes!("../../../assets/sound/thunder.ogg")),
    ("lose.mp3", include_bytes!("../../../assets/sound/lose.mp3")),
    ("tone.opus", include_bytes!("../../../crates/test-data/fixtures/sound/opus.ogg")),
    ("win.flac", include_bytes!("../../../assets/sound/win.flac")),
];

/// Runs `verify` on a pack, as other programs write it, with one file.
fn verify(path: &str, file: &[u8]) -> Run {
    let mut pack = PackBuilder::new().index(false);
    pack.push(raw(path, file));
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack.to_vec().unwrap());
    sandbox.run(["verify", "game.rres"])
}

#[test]
fn a_file_that_was_cut_before_it_was_packed_is_found() {
    for (path, file) in FILES {
        assert!(verify(path, file).success().out.starts_with("game.rres: ok; "), "{path}");
        // An MP3 is a row of packets that does not say how long it is, unless an index does.
        if path.ends_with(".mp3") {
            continue;
        }
        for cut in [file.len() / 3, file.len() * 2 / 3, file.len() - 13] {
            let run = verify(path, &file[..cut]);
            assert_eq!(run.code, 1, "{path} cut at {cut} of {}: {run:?}", file.len());
            assert!(run.out.starts_with("error[source-damaged]: game.rres: \""), "{path}: {run:?}");
        }
    }
    // The head of a WAV that a program wrote to a pipe states no size.
    let mut piped = FILES[3].1.to_vec();
    let data = piped.windows(4).position(|name| name == b"data").unwrap();
    piped[4..8].fill(0xff);
    piped[data + 4..data + 8].fill(0xff);
    verify("click.wav", &piped).success();
}

#[test]
fn damage_inside_a_file_is_found() {
    for (path, file) in
        FILES.into_iter().filter(|(path, _)| ["photo.jpg", "panel.png", "tone.opus", "win.flac"].contains(path))
    {
        let mut damaged = file.to_vec();
        let middle = file.len() / 2;
        damaged[middle..middle + 20].fill(0xff);
        let run = verify(path, &damaged);
        assert_eq!(run.code, 1, "{path}: {run:?}");
        assert!(run.out.contains("error[source-damaged]"), "{path}: {run:?}");
    }
}

#[test]
fn a_flac_whose_head_states_another_number_of_frames_is_found() {
    let (path, file) = FILES[7];
    for change in [-1, 1] {
        let mut changed = file.to_vec();
        // The last byte of the number of frames, in the stream information.
        changed[25] = changed[25].checked_add_signed(change).unwrap();
        let run = verify(path, &changed);
        assert!(run.code == 1 && run.out.contains("error[source-damaged]"), "{change}: {run:?}");
    }
}

/// Runs `verify` on a pack with a front index that records these numbers about its only file.
fn verify_recorded(path: &str, file: &[u8], kind: AssetKind, numbers: &[(MetaKey, u32)]) -> Run {
    let mut resource = raw(path, file).with_kind(kind);
    numbers.iter().for_each(|(key, number)| resource.meta.set(*key, *number));
    let mut pack = PackBuilder::new();
    pack.push(resource);
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack.to_vec().unwrap());
    sandbox.run(["verify", "game.rres"])
}

#[test]
fn what_the_index_records_is_compared_with_the_file() {
    let (jpeg, ogg, mp3) = (FILES[0].1, FILES[4].1, FILES[5].1);
    let image = |width| {
        let numbers = [(MetaKey::WIDTH, width), (MetaKey::HEIGHT, 43), (MetaKey::PIXEL_FORMAT, PixelFormat::RGB8.0)];
        verify_recorded("photo.jpg", jpeg, AssetKind::Image, &numbers)
    };
    image(61).success();
    image(62).failed(1, &[]);
    assert!(image(62).out.contains("its source has 61×43 RGB8, expected 62×43 RGB8"), "{}", image(62).out);

    let (ogg_head, mp3_head) = (SoundFile::open(ogg).unwrap(), SoundFile::open(mp3).unwrap());
    let sound = |path, file, head: &SoundFile<'_>, more_frames, more_channels| {
        let frames = head.count_frames().unwrap() as u32 + more_frames;
        let numbers = [
            (MetaKey::SAMPLE_RATE, head.sample_rate()),
            (MetaKey::CHANNELS, head.channels() + more_channels),
            (MetaKey::FRAMES_LOW, frames),
        ];
        verify_recorded(path, file, AssetKind::Sound, &numbers)
    };
    sound("thunder.ogg", ogg, &ogg_head, 0, 0).success();
    let longer = sound("thunder.ogg", ogg, &ogg_head, 1, 0);
    assert!(longer.code == 1 && longer.out.contains("frames, expected "), "{longer:?}");
    let wider = sound("thunder.ogg", ogg, &ogg_head, 0, 1);
    assert!(wider.code == 1 && wider.out.contains("channels at "), "{wider:?}");
    // The index knows how long an MP3 is.
    sound("lose.mp3", mp3, &mp3_head, 0, 0).success();
    let longer = sound("lose.mp3", mp3, &mp3_head, 1, 0);
    assert!(longer.code == 1 && longer.out.contains("frames, expected "), "{longer:?}");
    let cut = sound("lose.mp3", &mp3[..mp3.len() / 2], &mp3_head, 0, 0);
    assert!(cut.code == 1 && cut.out.contains("error[source-damaged]"), "{cut:?}");
    // Its decoder passes over bytes that are not packets.
    let mut damaged = mp3.to_vec();
    damaged[mp3.len() / 2..][..4000].fill(0xff);
    let damaged = sound("lose.mp3", &damaged, &mp3_head, 0, 0);
    assert!(damaged.code == 1 && damaged.out.contains("error[source-damaged]"), "{damaged:?}");
}
