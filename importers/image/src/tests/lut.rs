//! Tables of colours.

use rres_format::index::ImageShape;

use super::*;

const SMALL: &str = "# made by hand\nTITLE \"Warm\"\r\nLUT_3D_SIZE 2\n\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1e0\n1 0 1\n0 1 1\n+1.5 -.25 1\n";

fn import(text: &[u8], settings: &ImageSettings) -> Result<Asset, String> {
    crate::lut::import(text, settings).map_err(|error| error.to_string())
}

fn numbers(image: &Asset) -> Vec<f32> {
    let (_, pixels) = props_and_pixels(image);
    pixels.chunks_exact(4).map(|raw| f32::from_le_bytes(*raw.first_chunk().unwrap())).collect()
}

#[test]
fn a_table_with_three_dimensions_becomes_slices_of_blue() {
    let image = import(SMALL.as_bytes(), &ImageSettings::default()).unwrap();
    assert_eq!(image.summary, "volume 2×2×2 RGB32F linear \"Warm\"");
    let (props, _) = props_and_pixels(&image);
    assert_eq!((props.width, props.height, props.mipmaps), (2, 4, 1));
    assert_eq!(ImageShape::of(|key| image.meta.get(key)), ImageShape::Volume(2));
    assert_eq!(image.meta.get(MetaKey::DOMAIN_END_RED), None);
    // The pixel of red 1, green 1, blue 1 is the last one, and has the numbers of the file.
    assert_eq!(numbers(&image)[21..], [1.5, -0.25, 1.0]);
    assert_eq!(numbers(&image)[3..6], [1.0, 0.0, 0.0]);
    assert_eq!(numbers(&image)[12..15], [0.0, 0.0, 1.0]);
}

#[test]
fn a_rule_stores_eight_bits() {
    let settings = ImageSettings { format: PixelFormat::RGBA8.into(), ..Default::default() };
    let image = import(SMALL.as_bytes(), &settings).unwrap();
    let (props, pixels) = props_and_pixels(&image);
    assert_eq!((props.format, &pixels[28..]), (PixelFormat::RGBA8, &[255, 0, 255, 255][..]));
    for (name, settings) in [
        ("mipmaps", ImageSettings { mipmaps: true, ..Default::default() }),
        ("scale", ImageSettings { scale: 0.5, ..Default::default() }),
        ("fit", ImageSettings { fit: Some(1), ..Default::default() }),
        ("atlas", ImageSettings { atlas: Some("a".to_owned()), ..Default::default() }),
    ] {
        let error = import(SMALL.as_bytes(), &settings).unwrap_err();
        assert_eq!(error, format!("is a 3D texture, which cannot be stored with `image.{name}`"));
    }
    assert!(import(SMALL.as_bytes(), &ImageSettings { fit: Some(64), ..Default::default() }).is_ok());
}

#[test]
fn a_table_with_one_dimension_is_a_row() {
    let text = "LUT_1D_SIZE 3\nDOMAIN_MIN 0 0 -1\nDOMAIN_MAX 1 2 1\n0 0 0\n.5 .5 .5\n1 1 1";
    let image = import(text.as_bytes(), &ImageSettings::default()).unwrap();
    assert_eq!(image.summary, "3×1 RGB32F linear");
    assert_eq!(ImageShape::of(|key| image.meta.get(key)), ImageShape::Flat);
    let number = |key| image.meta.get(key).map(f32::from_bits);
    assert_eq!((number(MetaKey::DOMAIN_START_BLUE), number(MetaKey::DOMAIN_END_GREEN)), (Some(-1.0), Some(2.0)));
    assert_eq!((number(MetaKey::DOMAIN_START_RED), number(MetaKey::DOMAIN_END_RED)), (None, None));
    // As Resolve writes it.
    let text = "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0.0 4.0\n0 0 0\n1 1 1\n";
    let image = import(text.as_bytes(), &ImageSettings::default()).unwrap();
    assert_eq!(image.meta.get(MetaKey::DOMAIN_END_BLUE), Some(4f32.to_bits()));
}

#[test]
fn faults_are_named_with_their_lines_and_all_at_once() {
    let begin = "is not a table of colours (.cube): ";
    for (text, expected) in [
        ("", "it has no LUT_1D_SIZE or LUT_3D_SIZE"),
        ("LUT_3D_SIZE 257", "it has no LUT_1D_SIZE or LUT_3D_SIZE; line 1: LUT_3D_SIZE without a number from 2 to 256"),
        ("LUT_1D_SIZE 2\n0 0 0", "it has 1 lines of numbers, expected 2 by its size"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1", "line 3: expected three numbers"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 nan", "line 3: expected three numbers"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 1 1", "line 3: expected three numbers"),
        (
            "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n1 1 1",
            "line 2: a second size: files with two tables are not supported",
        ),
        ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 1 1\n0 0 0\n1 1 1", "its domain ends before it begins"),
        (
            "LUT_1D_SIZE 2\nDOMAIN_MIN 1 1\nSHAPER 4\n0 0 0\n1 1 1",
            "line 2: DOMAIN_MIN without three numbers; line 3: unknown keyword SHAPER",
        ),
    ] {
        assert_eq!(
            import(text.as_bytes(), &ImageSettings::default()).unwrap_err(),
            format!("{begin}{expected}"),
            "{text}"
        );
    }
    let many = format!("LUT_1D_SIZE 9\n{}", "0 0\n".repeat(9));
    assert!(import(many.as_bytes(), &ImageSettings::default()).unwrap_err().ends_with("; and 4 more"));
}

#[test]
fn damaged_tables_are_errors_and_never_panic() {
    for cut in cuts(SMALL.as_bytes()) {
        let _ = import(cut, &ImageSettings::default());
    }
    for damaged in replaced(SMALL.as_bytes(), 0..SMALL.len(), b"9-\n\0\xff ") {
        let _ = import(&damaged, &ImageSettings::default());
    }
    // A size alone allocates nothing.
    assert!(import(b"LUT_3D_SIZE 256\n", &ImageSettings::default()).is_err());
}
