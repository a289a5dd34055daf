//! Files that are cut off, changed, or made to cost memory.

use rres_import_nbr::{ErrorKind, HEADER_LEN, Operation, read};
use rres_test_data::damage::{BITS, flipped};

use crate::sample;

#[test]
fn check_3_5_9_a_file_that_ends_at_any_byte_is_an_error_with_its_place() {
    for (name, resource) in sample::all() {
        let bytes = sample::bytes(&resource);
        for len in 0..bytes.len() {
            let error = read(&bytes[..len]).expect_err(name);
            let text = error.to_string();
            assert_eq!(error.kind(), ErrorKind::Truncated, "{name}, {len} bytes: {text}");
            assert!(error.position() <= len, "{name}, {len} bytes: {text}");
            assert!(!error.field().is_empty() && text.contains("until the end of the file"), "{text}");
            let is_header = len < HEADER_LEN;
            assert_eq!(error.operation() == Operation::ReadHeader, is_header, "{text}");
        }
    }
}

#[test]
fn a_byte_more_is_an_error() {
    for (name, resource) in sample::all() {
        let mut bytes = sample::bytes(&resource);
        bytes.push(0);
        let error = read(&bytes).expect_err(name);
        assert_eq!((error.kind(), error.position()), (ErrorKind::TrailingBytes, bytes.len() - 1), "{name}: {error}");
    }
}

/// Reads a file, and checks the memory that its value takes.
fn check_memory(bytes: &[u8], what: &str) {
    if let Ok(file) = read(bytes) {
        let size = file.resource.heap_size();
        assert!(size <= 4 * bytes.len(), "{what}: {size} bytes of memory for {}", bytes.len());
    }
}

#[test]
fn no_flipped_bit_costs_more_memory_than_four_times_the_file() {
    for (name, resource) in sample::all() {
        let bytes = sample::bytes(&resource);
        let mut read_anyway = 0;
        for (place, bytes) in flipped(&bytes, 0..bytes.len(), &BITS) {
            check_memory(&bytes, &format!("{name}, {place}"));
            read_anyway += usize::from(read(&bytes).is_ok());
        }
        // Most bits are pixels, vertices and the like.
        assert!(read_anyway > 8, "{name}");
    }
}

#[test]
fn counts_that_the_file_is_too_short_for_are_refused_before_memory_is_taken() {
    let header = |of: u8| vec![107, 0, 0, 8, 0, of, 0];
    let cases: [(&str, u8, &[u8]); 8] = [
        ("texture", 2, &[255, 255, 255, 255, 255, 255, 255, 255, 4, 10]),
        ("cubemap", 3, &[255, 255, 255, 255, 255, 255, 255, 255, 4, 8, 6]),
        ("shader", 4, &[255, 255]),
        ("model", 8, &[255, 255]),
        ("skeleton", 9, &[255, 255]),
        ("animation", 10, &[0, 255, 255]),
        ("font", 11, &[255, 255, 255, 255]),
        ("audio", 13, &[1, 1, 0, 0, 0, 255, 255, 255, 255, 255]),
    ];
    for (name, of, rest) in cases {
        let bytes = [header(of), rest.to_vec()].concat();
        let error = read(&bytes).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::Truncated, "{error}");
        assert!(error.to_string().starts_with(&format!("cannot read the {name}: ")), "{error}");
    }
}

#[test]
fn lists_of_the_smallest_members_stay_below_four_times_the_file() {
    let header = |of: u8| vec![107, 0, 0, 8, 0, of, 0];
    // A model of textures of one pixel, animations of single keys, joints without names, glyphs without pixels.
    let texture = [1, 0, 0, 0, 1, 0, 0, 0, 4, 8, 0, 0, 0, 0];
    let model = [header(8), vec![0, 0, 0, 255], texture.repeat(255)].concat();
    let key = |floats: usize| [vec![1, 0], vec![0; floats * 4]].concat();
    let track = [key(4), key(5), key(4)].concat();
    let animation = [header(10), vec![0, 255, 255], track.repeat(65_535), vec![0; 4]].concat();
    let skeleton = [header(9), vec![255, 255], vec![0; 91 * 65_535], vec![0, 0]].concat();
    let named = [header(9), vec![1, 0], vec![0; 90], vec![255], vec![0xff; 255], vec![0, 0]].concat();
    let font = [header(11), vec![0xe8, 3, 0, 0], vec![0; 41 * 1000], vec![0; 12]].concat();
    let old_font = [header(11), vec![0xe8, 3, 0, 0], vec![0; 23 * 1000], vec![0; 6]].concat();
    let mesh = [vec![15, 19, 0, 0, 0], vec![0; 76], vec![0; 4], vec![0]].concat();
    let meshes = [header(8), vec![255, 255], mesh.repeat(65_535), vec![0, 0]].concat();
    for (name, bytes) in [
        ("model", model),
        ("animation", animation),
        ("skeleton", skeleton),
        ("name", named),
        ("font", font),
        ("old font", old_font),
        ("meshes", meshes),
    ] {
        assert!(read(&bytes).is_ok(), "{name}: {:?}", read(&bytes).err());
        check_memory(&bytes, name);
    }
}

#[test]
fn warnings_are_counted_and_not_collected() {
    // A joint whose 65,535 children are all the root.
    let joint = [vec![255, 255], vec![0; 65_535 * 2], vec![0; 89]].concat();
    let bytes = [vec![107, 0, 0, 8, 0, 9, 0, 1, 0], joint, vec![0, 0]].concat();
    let file = read(&bytes).unwrap();
    assert_eq!(file.warnings.len(), 1);
    assert_eq!(file.warnings[0].count(), 65_535);
    assert!(file.warnings[0].to_string().ends_with("(and 65534 more)"), "{}", file.warnings[0]);
}
