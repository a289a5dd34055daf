//! Files of versions 0.5 and 0.6, and fonts from before their layout changed.

use rres_import_nbr::{ErrorKind, Font, Glyph, HEADER_LEN, Resource, ResourceType, WarningKind, read};

use crate::sample;

/// Returns a sample as the file of another version.
fn with_version(resource: &Resource<'_>, minor: u8, number: u8) -> Vec<u8> {
    let mut bytes = sample::bytes(resource);
    bytes[3] = minor;
    bytes[5] = number;
    bytes
}

/// A font of one glyph with whole numbers: the number of glyphs, the glyph, ascent, descent, line gap.
fn old_font(header: [u8; HEADER_LEN]) -> Vec<u8> {
    let numbers = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let glyph = numbers(&[2, 1, -1, 2, -3, 4, 5, -6, 7, 0, 9]);
    [header.to_vec(), vec![1, 0, 0, 0, 66], glyph, vec![128, 255], numbers(&[200, -56, 8])].concat()
}

#[test]
fn what_did_not_change_is_read_from_older_versions() {
    for (name, resource) in sample::all() {
        let of = resource.resource_type();
        if matches!(of, ResourceType::Skeleton | ResourceType::Animation | ResourceType::Font) {
            continue;
        }
        let number = of.number() as u8;
        let bytes = with_version(&resource, 6, number);
        assert_eq!(read(&bytes).unwrap().resource, resource, "{name}");
        // Version 0.5 has no skeletons, so types after it have smaller numbers.
        let bytes = with_version(&resource, 5, number - u8::from(number > 9));
        let file = read(&bytes).unwrap();
        assert_eq!((file.resource, file.header.resource_type), (resource, of), "{name}");
    }
}

#[test]
fn older_skeletons_and_animations_are_refused_by_name() {
    let cases = [(6, 9, "skeleton"), (6, 10, "animation"), (5, 9, "animation")];
    for (minor, number, name) in cases {
        let error = read(&[107, 0, 0, minor, 0, number, 0, 0, 0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnsupportedVersion);
        assert!(error.found().contains(&format!("the {name} had another layout")), "{error}");
    }
}

#[test]
fn fonts_of_whole_numbers_are_found_by_their_length() {
    for (header, warns) in
        [([107, 0, 0, 8, 0, 11, 0], true), ([107, 0, 0, 6, 0, 11, 0], false), ([107, 0, 0, 5, 0, 10, 0], false)]
    {
        let bytes = old_font(header);
        let file = read(&bytes).unwrap();
        assert_eq!(file.warnings.iter().any(|warning| warning.kind() == WarningKind::OldFont), warns);
        let Resource::Font(font) = file.resource else { panic!() };
        let glyph = &font.glyphs[0];
        assert_eq!((glyph.codepoint, glyph.width, glyph.height), (66, 2, 1));
        assert_eq!([glyph.left, glyph.right, glyph.top, glyph.bottom], [-1.0, 2.0, -3.0, 4.0]);
        assert_eq!([glyph.offset_x, glyph.offset_y, glyph.advance_x, glyph.left_bearing], [5.0, -6.0, 7.0, 9.0]);
        assert_eq!(glyph.pixels.as_ref(), [128, 255]);
        assert_eq!([font.ascent, font.descent, font.line_gap], [200.0, -56.0, 8.0]);
    }
}

/// Some have the length of a font with whole numbers.
#[test]
fn no_font_that_ends_early_is_read_as_an_older_one() {
    let glyph = |codepoint, width: u32, height: u32| Glyph {
        codepoint,
        width,
        height,
        left: 0.0,
        right: 2.0,
        top: -3.0,
        bottom: 0.0,
        offset_x: 1.0,
        offset_y: -3.0,
        advance_x: 4.5,
        left_bearing: 1.0,
        pixels: vec![7; (width * height) as usize].into(),
    };
    for count in 0..7_u32 {
        for (width, height) in [(2, 3), (0, 0), (1, 256), (300, 2), (257, 1)] {
            let glyphs = (0..count).map(|number| glyph(65 + number, width, height)).collect();
            let font = Font { glyphs, ascent: 200.0, descent: -56.0, line_gap: 8.0 };
            let bytes = sample::bytes(&Resource::Font(font));
            for len in HEADER_LEN..bytes.len() {
                let read = read(&bytes[..len]);
                assert!(read.is_err(), "{count} glyphs of {width} × {height}, cut at {len} of {}", bytes.len());
            }
        }
    }
}
