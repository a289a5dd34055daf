//! AIFF and AIFC: exact samples, markers and loops, and what happens to damaged files.

use rres_format::chunk::markers::MarkersView;
use rres_test_data::damage::{cuts, replaced};

use super::*;

fn chunk(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let padding = vec![0; body.len() % 2];
    [&name[..], &(body.len() as u32).to_be_bytes(), body, &padding].concat()
}

/// An AIFF at 8 kHz, or an AIFC of this compression, with these chunks after the samples.
fn aiff(compression: Option<&[u8; 4]>, channels: u16, bits: u16, data: &[u8], more: &[u8]) -> Vec<u8> {
    let frames = data.len() as u32 / u32::from(channels * bits / 8);
    // The rate is a float of 80 bits.
    let rate = [&0x400bu16.to_be_bytes()[..], &(8000u64 << 51).to_be_bytes()].concat();
    let mut comm = [&channels.to_be_bytes()[..], &frames.to_be_bytes(), &bits.to_be_bytes(), &rate].concat();
    if let Some(compression) = compression {
        comm.extend([&compression[..], b"\0\0"].concat());
    }
    let form = if compression.is_some() { b"AIFC" } else { b"AIFF" };
    let ssnd = [&[0; 8][..], data].concat();
    let body = [form.to_vec(), chunk(b"COMM", &comm), chunk(b"SSND", &ssnd), more.to_vec()].concat();
    [&b"FORM"[..], &(body.len() as u32).to_be_bytes(), &body].concat()
}

/// Bytes of the triangle, the upper `N` of 32 bits.
fn triangles<const N: usize>(count: i32) -> Vec<u8> {
    (0..count).flat_map(|i| <[u8; N]>::try_from(&(i32::from(triangle(i)) << 16).to_be_bytes()[..N]).unwrap()).collect()
}

#[test]
fn aiff_is_exact() {
    let expected: Vec<i16> = (0..500).map(triangle).collect();
    for (path, file) in [
        ("a.aiff", aiff(None, 1, 16, &triangles::<2>(500), b"")),
        ("a.AIF", aiff(Some(b"NONE"), 1, 16, &triangles::<2>(500), b"")),
        ("a.aifc", aiff(Some(b"sowt"), 1, 16, &expected.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>(), b"")),
    ] {
        let (props, samples) = wave(&import(path, &file).unwrap());
        assert_eq!((props, i16s(&samples)), ([500, 8000, 16, 1], expected.clone()), "{path}");
    }
    let (props, samples) = wave(&import("a.aiff", &aiff(None, 2, 8, &triangles::<1>(500), b"")).unwrap());
    assert_eq!(props, [250, 8000, 8, 2]);
    assert!(samples.iter().zip(&expected).all(|(found, v)| i16::from(*found) - 128 == v >> 8));
    let wide = import("a.aiff", &aiff(None, 1, 24, &triangles::<3>(500), b"")).unwrap();
    assert!(f32s(&wave(&wide).1).iter().zip(&expected).all(|(found, v)| *found == f32::from(*v) / 32768.0));
    let floats: Vec<u8> = [0.5f32, -1.5, 0.1].iter().flat_map(|v| v.to_be_bytes()).collect();
    let part = import("a.aifc", &aiff(Some(b"fl32"), 1, 32, &floats, b"")).unwrap();
    assert_eq!(f32s(&wave(&part).1), [0.5, -1.5, 0.1]);
    // It is not encoded, so it becomes samples, however long it is.
    let part = import("a.aiff", &aiff(None, 1, 8, &[0; 88_000], b"")).unwrap();
    assert_eq!(part.summary, "11.0 s 8 kHz mono u8");
    let kept = import_with("a.aiff", &aiff(None, 1, 8, &[0; 88_000], b""), stored_as(SoundStorage::Source)).unwrap();
    assert_eq!(
        (kept.summary.as_str(), kept.meta.get(MetaKey::FRAMES_LOW)),
        ("11.0 s 8 kHz mono, AIFF kept", Some(88_000))
    );
}

#[test]
fn markers_and_loops_of_an_aiff() {
    let marker = |id: u16, frame: u32, name: &[u8]| {
        let mut row = [&id.to_be_bytes()[..], &frame.to_be_bytes(), &[name.len() as u8], name].concat();
        row.resize(row.len().next_multiple_of(2), 0);
        row
    };
    let marks = [vec![0, 3], marker(1, 400, b"end"), marker(2, 100, b"beg"), marker(9, 20, b"in")].concat();
    let inst = |loops: [[u16; 3]; 2]| {
        let rows = loops.into_iter().flatten().flat_map(u16::to_be_bytes);
        chunk(b"INST", &[vec![60, 0, 0, 127, 1, 127, 0, 0], rows.collect()].concat())
    };
    let of = |loops| {
        let more = [chunk(b"MARK", &marks), inst(loops)].concat();
        import("a.aiff", &aiff(None, 1, 16, &triangles::<2>(500), &more)).unwrap()
    };
    let part = of([[1, 2, 1], [0, 0, 0]]);
    assert_eq!(part.summary, "0.06 s 8 kHz mono i16 repeats 100..400 3 markers");
    let view = MarkersView::parse(PayloadView::parse(&part.blocks[1].bytes).unwrap()).unwrap();
    let found: Vec<_> = view.markers().map(|marker| (marker.frame, marker.name.to_owned())).collect();
    assert_eq!(found, [(20, "in".to_owned()), (100, "beg".to_owned()), (400, "end".to_owned())]);
    // Backwards and forwards, and a marker that does not exist.
    for loops in [[[2, 2, 1], [0, 0, 0]], [[1, 2, 7], [0, 0, 0]]] {
        let part = of(loops);
        assert_eq!((part.meta.get(MetaKey::LOOP_START), part.notes.len()), (None, 1), "{loops:?}");
    }
    let good = aiff(None, 1, 16, &triangles::<2>(50), &[chunk(b"MARK", &marks), inst([[1, 2, 1], [0, 0, 0]])].concat());
    replaced(&good, 0..good.len(), &[0, 0x7f, 0xff]).for_each(|file| drop(import("a.aiff", &file)));
}

#[test]
fn damaged_and_unknown_aiffs_are_errors() {
    let file = aiff(None, 1, 16, &triangles::<2>(500), b"");
    for cut in cuts(&file) {
        let error = import("a.aiff", cut).unwrap_err();
        assert!(error.help().is_some(), "{}: {error}", cut.len());
    }
    let error = import("a.aifc", &aiff(Some(b"ima4"), 1, 16, &[0; 34], b"")).unwrap_err();
    assert!(error.to_string().contains("cannot be decoded here"), "{error}");
    for (channels, bits) in [(0u16, 16u16), (1, 0), (60_000, 16), (1, 65_535)] {
        let mut bad = file.clone();
        bad[20..22].copy_from_slice(&channels.to_be_bytes());
        bad[26..28].copy_from_slice(&bits.to_be_bytes());
        let result = import("a.aiff", &bad);
        assert!(result.is_err(), "{channels} {bits}: {:?}", result.map(|part| part.summary));
    }
    let error = import("a.aiff", fixture!("mono.mp3")).unwrap_err();
    assert_eq!(error.to_string(), "is an MP3, not an AIFF");
}
