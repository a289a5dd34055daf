//! Files that are damaged, or made to take much time or memory.

use super::*;

fn refusal(text: &str) -> (String, Option<u32>) {
    let error = import_with(text.as_bytes(), &[]).map(|parts| parts[0].summary.clone()).unwrap_err();
    (error.to_string(), error.line())
}

#[test]
fn damage_is_an_error_with_its_line() {
    let cases = [
        ("v 1 2\n", "`v` has 2 numbers, expected 3 to 7", 1),
        ("v 1 2 3 4 5\n", "`v` has 5 numbers, expected 3, 4, 6 or 7", 1),
        ("\n\nv 1 2 nan\n", "`v` has \"nan\", expected a number", 3),
        ("v 1 2 inf\n", "`v` has \"inf\", expected a number", 1),
        ("v 1 2 1e99\n", "`v` has \"1e99\", expected a number", 1),
        ("v 1 2 \u{0}\n", "`v` has \"\u{fffd}\", expected a number", 1),
        ("vn 1 2\n", "`vn` has 2 numbers, expected 3", 1),
        ("v 0 0 0\nf 1 1\n", "`f` has 2 vertices, expected 3 or more", 2),
        ("v 0 0 0\nf 1 1 0\n", "`f` has \"0\", expected indices from 1 on, or from the end as -1", 2),
        ("v 0 0 0\nf 1 1 2\n", "refers to position 2, but the file has only 1", 2),
        ("v 0 0 0\nf 1 1 1/1\n", "refers to texture coordinate 1, but the file has only 0", 2),
        ("v 0 0 0\nf 1 1 1//5\n", "refers to normal 5, but the file has only 0", 2),
        ("v 0 0 0\nf 1 1 -2\n", "`f` has position -2, but 1 precede it", 2),
        ("v 0 0 0\nf 1 1 4294967296\n", "`f` has position 4294967296, which is more than any file has", 2),
        ("v 0 0 0\nf 1 1 99999999999999999999\n", "`f` has \"99999999999999999999\", expected indices as 1/2/3", 2),
        ("v 0 0 0\nf 1 1 -9223372036854775808\n", "`f` has position -9223372036854775808, but 1 precede it", 2),
        ("v 0 0 0\nf 1 1 1/1/1/1\n", "`f` has \"1/1/1/1\", expected indices as 1/2/3", 2),
        ("v 0 0 0\nf 1 1 /1\n", "`f` has \"/1\", expected indices as 1/2/3", 2),
        ("v 0 0 0\nl 1\n", "`l` has 1 vertices, expected 2 or more", 2),
        ("v 0 0 0\ns x\n", "`s` has \"x\", expected a number or off", 2),
    ];
    for (text, message, line) in cases {
        assert_eq!(refusal(text), (message.to_owned(), Some(line)), "{text:?}");
    }
    assert_eq!(refusal("").0, "is not an OBJ: it has neither positions nor faces");
    assert_eq!(refusal("glTF binary \u{0}").0, "is not an OBJ: it has neither positions nor faces");
}

#[test]
fn indices_may_refer_to_positions_behind_the_face() {
    let model = import("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    assert_eq!(model.summary, "1 mesh, 1 primitive, 1 triangle");
}

#[test]
fn a_line_of_a_hundred_megabytes_is_one_statement() {
    const LEN: usize = 100 << 20;
    let mut comment = vec![b'#'; LEN];
    comment.extend_from_slice(b"\nv 0 0 0\nf 1 1 1\n");
    assert_eq!(import_with(&comment, &[]).unwrap()[0].summary, "1 mesh, 1 primitive, 1 triangle");
    let mut number = b"v 0 0 ".to_vec();
    number.resize(1 << 20, b'1');
    let error = import_with(&number, &[]).map(|_| ()).unwrap_err();
    assert!(error.to_string().len() < 200, "{}", error.to_string().len());
}

#[test]
fn a_face_of_a_million_corners_is_a_fan_or_an_error() {
    let mut text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf".to_owned();
    text.push_str(&" 1 2 3".repeat(300_000));
    let (message, line) = refusal(&text);
    assert_eq!(message, "a face has 900000 corners and is not convex; expected up to 1024");
    assert_eq!(line, Some(4));
    let text = format!("v 0 0 0\nf{}", " 1".repeat(1_000_000));
    assert_eq!(import(&text).summary, "1 mesh, 1 primitive, 999,998 triangles");
}

#[test]
fn many_groups_and_materials_take_no_longer_than_their_number() {
    let mut text = "v 0 0 0\no all\n".to_owned();
    for i in 0..30_000 {
        text.push_str(&format!("g g{i}\nusemtl m{i}\nf 1 1 1\n"));
    }
    let model = import(&text);
    assert_eq!(nodes(&model).len(), 30_001);
    assert_eq!(structure(&model).materials().len(), 30_000);
}

#[test]
fn names_in_other_encodings_are_read() {
    let model = import_with(b"o t\xfcr\nv 0 0 0\nf 1 1 1\n", &[]).unwrap();
    assert_eq!(nodes(&model[0])[0].0, "t\u{fffd}r");
}

#[test]
fn every_truncation_is_a_model_or_an_error() {
    let text = "mtllib\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\ns 1\nusemtl m\nf 1/1/1 2/1/1 3/1/1\nf 1 2 3\nl 1 2\np 1\n";
    for cut in rres_test_data::damage::cuts(text.as_bytes()) {
        let _ = import_with(cut, &[]).map_err(|error| assert!(!error.to_string().is_empty()));
    }
}

#[test]
fn a_file_in_utf_16_is_refused_by_its_encoding() {
    for (mark, bytes) in [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)] {
        let text = [&mark[..], &"v 0 0 0\nv 1 0 0\n".encode_utf16().flat_map(bytes).collect::<Vec<_>>()].concat();
        let error = import_with(&text, &[]).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), "is a text in UTF-16, and an OBJ is one in UTF-8");
    }
}
