//! Loop points and markers: how files store them, and how they move with the samples.

use rres_format::chunk::markers::MarkersView;
use rres_test_data::bytes::words;
use rres_test_data::damage::replaced;
use rres_test_data::sound::{mono, riff_chunk, with_chunks};

use super::sloppy::{flac, flac_frame};
use super::*;

/// Loop points, markers, and the topics of the notes.
type Found = (Option<(u32, u32)>, Vec<(u64, String)>, Vec<String>);

fn found(part: &Asset) -> Found {
    let points = part.meta.get(MetaKey::LOOP_START).zip(part.meta.get(MetaKey::LOOP_END));
    let markers = part.blocks.iter().find(|block| block.kind == FourCc::MARK).map(|block| {
        let view = MarkersView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
        view.markers().map(|marker| (marker.frame, marker.name.to_owned())).collect()
    });
    assert!(part.blocks.len() == 1 || part.blocks.iter().all(|block| !block.linked));
    (points, markers.unwrap_or_default(), part.notes.iter().map(|note| note.topic.clone()).collect())
}

fn of(path: &str, file: &[u8], settings: SoundSettings) -> Found {
    found(&import_with(path, file, settings).unwrap())
}

/// A chunk of loops: kind, first and last frame.
fn smpl(loops: &[[u32; 3]]) -> Vec<u8> {
    let head = words(&[0, 0, 0, 60, 0, 0, 0, loops.len() as u32, 0]);
    let rows = loops.iter().flat_map(|[kind, start, last]| words(&[0, *kind, *start, *last, 0, 0]));
    riff_chunk(b"smpl", &[head, rows.collect()].concat())
}

/// Chunks of markers: id, frame and name.
fn markers(markers: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let row =
        |(id, frame, _): &(u32, u32, &[u8])| [words(&[*id, 0]), b"data".to_vec(), words(&[0, 0, *frame])].concat();
    let rows: Vec<u8> = markers.iter().flat_map(row).collect();
    let labels = markers.iter().filter(|(_, _, name)| !name.is_empty());
    let labels = labels.flat_map(|(id, _, name)| riff_chunk(b"labl", &[&words(&[*id]), *name, b"\0"].concat()));
    let list = [b"adtl".to_vec(), labels.collect()].concat();
    [riff_chunk(b"cue ", &[words(&[markers.len() as u32]), rows].concat()), riff_chunk(b"LIST", &list)].concat()
}

/// 1,000 frames at 8 kHz, silent up to 100 and from 900 on, with these chunks after the samples.
fn wav(extra: &[u8]) -> Vec<u8> {
    let data = (0..1000).map(|i| if (100..900).contains(&i) { 9000 } else { 0 });
    with_chunks(&mono(8000, &data.collect::<Vec<_>>()), extra)
}

fn named(markers: &[(u64, &str)]) -> Vec<(u64, String)> {
    markers.iter().map(|(frame, name)| (*frame, (*name).to_owned())).collect()
}

#[test]
fn the_chunks_of_a_wav_become_loop_points_and_markers() {
    let cues = markers(&[(7, 800, b"end"), (3, 200, "Größe".as_bytes()), (4, 300, b"Gr\xf6\xdfe"), (5, 1000, b"")]);
    let extra = [smpl(&[[0, 250, 749]]), cues].concat();
    let part = import("a.wav", &wav(&extra)).unwrap();
    let expected = named(&[(200, "Größe"), (300, "Größe"), (800, "end"), (1000, "")]);
    assert_eq!(found(&part), (Some((250, 750)), expected, vec![]));
    assert_eq!(part.summary, "0.12 s 8 kHz mono i16 repeats 250..750 4 markers");
    // The samples are the same as of the file without the chunks, and a kept file has the same places.
    assert_eq!(wave(&part), wave(&import("a.wav", &wav(b"")).unwrap()));
    let kept = import_with("a.wav", &wav(&extra), stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(found(&kept), found(&part));
}

#[test]
fn loops_that_cannot_be_stored_are_said() {
    let one = |loops: &[[u32; 3]]| {
        let (points, _, notes) = of("a.wav", &wav(&smpl(loops)), SoundSettings::default());
        (points, notes.first().map(|note| note[..24].to_owned()))
    };
    assert_eq!(one(&[[0, 0, 999]]), (Some((0, 1000)), None));
    assert_eq!(one(&[[1, 5, 9], [0, 10, 19]]), (Some((10, 20)), Some("only the first loop that".to_owned())));
    assert_eq!(one(&[[2, 5, 9]]), (None, Some("only the first loop that".to_owned())));
    assert_eq!(one(&[[0, 900, 2000]]), (Some((900, 1000)), Some("has loop points outside ".to_owned())));
    assert_eq!(one(&[[0, 1000, u32::MAX]]), (None, Some("has loop points outside ".to_owned())));
    let (_, left, notes) = of("a.wav", &wav(&markers(&[(1, 5, b"a"), (2, 1001, b"b")])), SoundSettings::default());
    assert_eq!((left, notes.len()), (named(&[(5, "a")]), 1));
}

#[test]
fn damaged_chunks_never_panic() {
    let good = wav(&[smpl(&[[0, 250, 749]]), markers(&[(7, 800, b"end")])].concat());
    for file in replaced(&good, 2044..good.len(), &[0, 1, 0x7f, 0xff]) {
        assert_eq!(wave(&import("a.wav", &file).unwrap()).0[0], 1000);
    }
    for at in 2044..good.len() {
        // A WAV that ends in a chunk after its samples has all of them.
        if let Ok(part) = import("a.wav", &good[..at]) {
            assert_eq!(wave(&part).0[0], 1000, "{at}");
        }
    }
}

#[test]
fn places_move_with_the_samples() {
    let file = wav(&[smpl(&[[0, 250, 749]]), markers(&[(1, 0, b"a"), (2, 300, b"b"), (3, 1000, b"c")])].concat());
    let with = |settings| of("a.wav", &file, settings);
    let rate = |rate| SoundSettings { rate: Some(rate), ..Default::default() };
    assert_eq!(with(rate(4000)), (Some((125, 375)), named(&[(0, "a"), (150, "b"), (500, "c")]), vec![]));
    assert_eq!(with(rate(11_025)), (Some((345, 1034)), named(&[(0, "a"), (413, "b"), (1378, "c")]), vec![]));
    let trimmed = SoundSettings { trim_silence: Some(-60.0), ..Default::default() };
    assert_eq!(with(trimmed.clone()), (Some((150, 650)), named(&[(0, "a"), (200, "b"), (800, "c")]), vec![]));
    let both = SoundSettings { rate: Some(4000), ..trimmed.clone() };
    assert_eq!(with(both), (Some((75, 325)), named(&[(0, "a"), (100, "b"), (400, "c")]), vec![]));
    // A loop that begins and ends in silence stays whole.
    let part = import_with("a.wav", &wav(&smpl(&[[0, 40, 959]])), trimmed).unwrap();
    assert_eq!((wave(&part).0[0], found(&part).0), (920, Some((0, 920))));
}

#[test]
fn comments_become_loop_points() {
    let (points, _, notes) = of("a.ogg", fixture!("loop.ogg"), SoundSettings::default());
    assert_eq!((points, notes.len()), (Some((1000, 3000)), 0));
    let half = SoundSettings { rate: Some(11_025), ..Default::default() };
    assert_eq!(of("a.ogg", fixture!("loop.ogg"), half).0, Some((500, 1500)));
    assert_eq!(of("a.ogg", fixture!("loop.ogg"), stored_as(SoundStorage::Source)).0, Some((1000, 3000)));

    let with = |comments: &[&str]| {
        let mut block = words(&[0, comments.len() as u32]);
        comments.iter().for_each(|text| block.extend([&words(&[text.len() as u32]), text.as_bytes()].concat()));
        let mut file = flac(768, &(0..4).map(|i| flac_frame(i, 9, 1)).collect::<Vec<_>>());
        file[4] = 0;
        let size = block.len() as u32;
        let block = [&[0x84][..], &size.to_be_bytes()[1..], &block].concat();
        file.splice(42..42, block);
        let (points, _, notes) = of("a.flac", &file, SoundSettings::default());
        (points, notes.len())
    };
    assert_eq!(with(&["LOOPSTART=100", "LOOPLENGTH=200", "TITLE=x"]), (Some((100, 300)), 0));
    assert_eq!(with(&["loop_start=100", "Loop-End= 300 "]), (Some((100, 300)), 0));
    assert_eq!(with(&["LOOPSTART=100"]), (Some((100, 768)), 0));
    assert_eq!(with(&["LOOPLENGTH=100"]), (Some((0, 100)), 0));
    assert_eq!(with(&["LOOPSTART=700", "LOOPLENGTH=100"]), (Some((700, 768)), 1));
    assert_eq!(with(&["LOOPSTART=1:02.5", "LOOPLENGTH=100"]), (None, 1));
    assert_eq!(with(&["LOOPSTART=768"]), (None, 1));
    assert_eq!(with(&["TITLE=LOOPSTART"]), (None, 0));
}

#[test]
fn priority_and_falloff_are_metadata() {
    let part = import_with("a.wav", &wav(b""), SoundSettings { priority: 10, falloff: 15.5, ..Default::default() });
    let meta = part.unwrap().meta;
    assert_eq!((meta.get(MetaKey::PRIORITY), meta.get(MetaKey::FALLOFF)), (Some(10), Some(15.5f32.to_bits())));
    assert!(import("a.wav", &wav(b"")).unwrap().meta.is_empty());
}
