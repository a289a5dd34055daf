use fontdue::{Font, FontSettings as Outlines};
use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::glyphs::{FontStyle, Glyph, GlyphsProps, GlyphsView};
use rres_format::chunk::image::{ImageProps, ImageView};
use rres_import::{Encoders, MemoryFiles};
use rres_settings::{CharSet, Settings};

use super::*;

mod colored;
mod field;
mod hostile;
mod kerning;
mod sets;
#[cfg(feature = "subset")]
mod subset;
mod variations;

/// What encodes pictures in the tests.
pub(crate) const ENCODERS: Encoders =
    Encoders { images: Some(&rres_import_image::ImageImporter), sounds: None, models: None };

const BOLD: &[u8] = include_bytes!("../../../crates/test-data/fixtures/font/DejaVuSans-Bold-subset.ttf");
/// A font with cubic outlines.
const CFF: &[u8] = include_bytes!("../../../crates/test-data/fixtures/font/Goudy-subset.otf");

fn settings(size: &[u32], chars: &[CharSet], padding: u32) -> Settings {
    let mut settings = Settings::default();
    settings.font.size = size.to_vec();
    settings.font.chars = chars.to_vec();
    settings.font.padding = padding;
    settings
}

fn text(text: &str) -> CharSet {
    CharSet::Text(text.to_owned())
}

fn import(bytes: &[u8], settings: &Settings) -> Result<Asset, ImportError> {
    MemoryFiles::new([("fonts/a.ttf", bytes)])
        .with_settings(settings)
        .with_encoders(ENCODERS)
        .import(&FontImporter, "fonts/a.ttf")
        .map(|mut parts| {
            assert_eq!(parts.len(), 1);
            parts.remove(0)
        })
}

/// The error for a font. `unwrap_err` would print the pixels of a font that is accepted.
fn refusal(bytes: &[u8], settings: &Settings) -> ImportError {
    import(bytes, settings).map(|part| part.summary).unwrap_err()
}

/// Properties and glyphs, width of the atlas, its pixels as gray and alpha.
fn strike_of(part: &Asset, number: usize) -> (GlyphsProps, Vec<Glyph>, ImageProps, Vec<[u8; 2]>) {
    let [table, image] = &part.blocks[number * 2..number * 2 + 2] else { panic!("two chunks per strike") };
    assert_eq!((table.kind, image.kind), (FourCc::FNTG, FourCc::IMGE));
    assert!(table.linked && !image.linked, "each strike is a chain of its own");
    let glyphs = GlyphsView::parse(PayloadView::parse(&table.bytes).unwrap()).unwrap();
    let image = ImageView::parse(PayloadView::parse(&image.bytes).unwrap()).unwrap();
    let pixels = image.data().chunks_exact(2).map(|p| [p[0], p[1]]).collect();
    (glyphs.props(), glyphs.glyphs().collect(), image.props(), pixels)
}

#[test]
fn every_pixel_comes_from_the_rasteriser_and_the_rest_is_empty() {
    let padding = 3;
    let sizes = [20, 48];
    let part = import(BOLD, &settings(&sizes, &[CharSet::Ascii, text("ΩЯ")], padding)).unwrap();
    assert_eq!(part.summary, "97 glyphs at 20, 48 px");
    let reference =
        Font::from_bytes(BOLD, Outlines { scale: 768.0, load_substitutions: false, ..Default::default() }).unwrap();
    for (number, size) in sizes.into_iter().enumerate() {
        let (props, glyphs, image, pixels) = strike_of(&part, number);
        let expected = GlyphsProps { base_size: size, glyph_count: 97, padding, style: FontStyle::BOLD };
        assert_eq!(props, expected);
        assert_eq!((image.format, image.mipmaps), (PixelFormat::GRAY_ALPHA8, 1));
        assert!(image.width.is_power_of_two() && image.height.is_power_of_two());
        assert!(pixels.iter().all(|pixel| pixel[0] == 255));

        // 2384 units from ascent (1901) to descent fill the size.
        let pixels_per_em = size as f32 * 2048.0 / 2384.0;
        let baseline = (size as f32 * 1901.0 / 2384.0).round() as i32;
        let mut owner = vec![0; pixels.len()];
        for glyph in &glyphs {
            let character = char::from_u32(glyph.codepoint.cast_unsigned()).unwrap();
            let (metrics, coverage) = reference.rasterize(character, pixels_per_em);
            assert_eq!((glyph.width, glyph.height), (metrics.width as i32, metrics.height as i32), "{character:?}");
            assert_eq!(glyph.advance_x, metrics.advance_width.round() as i32);
            if character == ' ' {
                assert_eq!((glyph.width, glyph.height, glyph.offset_y), (0, 0, 0));
                assert!(glyph.advance_x > 0);
                continue;
            }
            assert_eq!(glyph.offset_x, metrics.xmin);
            assert_eq!(baseline - (glyph.offset_y + glyph.height), metrics.ymin);
            let around = padding as i32;
            for y in glyph.y - around..glyph.y + glyph.height + around {
                for x in glyph.x - around..glyph.x + glyph.width + around {
                    let at = y as usize * image.width as usize + x as usize;
                    assert!(y >= 0 && x >= 0 && x < image.width as i32, "{character:?} leaves the atlas");
                    assert_eq!(owner[at], 0, "{character:?} overlaps {:?}", char::from_u32(owner[at]));
                    owner[at] = u32::from(character);
                    let (row, column) = (y - glyph.y, x - glyph.x);
                    let inside = (0..glyph.height).contains(&row) && (0..glyph.width).contains(&column);
                    let expected = if inside { coverage[(row * glyph.width + column) as usize] } else { 0 };
                    assert_eq!(pixels[at][1], expected, "{character:?} at {column}, {row}");
                }
            }
        }
        assert!(pixels.iter().zip(&owner).all(|(pixel, owner)| *owner != 0 || pixel[1] == 0));
    }
}

#[test]
fn metrics_belong_to_the_first_size() {
    let part = import(BOLD, &settings(&[48, 20], &[CharSet::Ascii], 2)).unwrap();
    let kinds: Vec<FourCc> = part.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [FourCc::FNTG, FourCc::IMGE, FourCc::FNTG, FourCc::IMGE, FourCc::KERN]);
    let value = |key| f32::from_bits(part.meta.get(key).unwrap());
    assert!((value(MetaKey::ASCENT) - 48.0 * 1901.0 / 2384.0).abs() < 1e-3);
    assert!((value(MetaKey::LINE_HEIGHT) - 48.0).abs() < 1e-3, "this font has no line gap");
}

#[test]
fn glyphs_ascend_and_missing_ones_are_counted() {
    let part = import(BOLD, &settings(&[16], &[text("b★a世b"), text("A\u{410}")], 1)).unwrap();
    assert_eq!(part.summary, "4 glyphs at 16 px, 2 missing");
    let (_, glyphs, ..) = strike_of(&part, 0);
    let codepoints: Vec<_> = glyphs.iter().map(|glyph| glyph.codepoint).collect();
    assert_eq!(codepoints, [0x41, 0x61, 0x62, 0x410]);
    assert_eq!(Glyph { codepoint: 0x41, ..glyphs[3] }, glyphs[0], "one glyph of the font, one place");
}

#[test]
fn cubic_outlines_are_read_and_a_lone_space_is_a_font() {
    let part = import(CFF, &settings(&[32], &[text("QAjé")], 0)).unwrap();
    let (props, glyphs, image, pixels) = strike_of(&part, 0);
    assert_eq!(props.style, FontStyle::REGULAR);
    assert!(glyphs.iter().all(|glyph| glyph.width > 0 && glyph.height > 0));
    let ink = pixels.iter().filter(|pixel| pixel[1] > 127).count();
    assert!(ink > 200 && ink < (image.width * image.height) as usize, "{ink}");

    let part = import(CFF, &settings(&[32], &[text(" ")], 2)).unwrap();
    let (_, glyphs, _, pixels) = strike_of(&part, 0);
    assert!(glyphs[0].advance_x > 0 && pixels.iter().all(|pixel| pixel[1] == 0));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let settings = settings(&[13, 40], &[CharSet::Ascii], 2);
    let bytes = |part: Asset| part.blocks.into_iter().map(|block| block.bytes).collect::<Vec<_>>();
    assert_eq!(bytes(import(BOLD, &settings).unwrap()), bytes(import(BOLD, &settings).unwrap()));
}

#[test]
fn other_formats_and_too_many_sizes_are_errors() {
    let ascii = settings(&[32], &[CharSet::Ascii], 2);
    for (bytes, message) in [
        (&b"wOF2\0\x01\0\0"[..], "is a WOFF2 font"),
        (b"STARTFONT 2.1", "is a BDF bitmap font"),
        (b"PK\x03\x04", "is a zip archive, not a font"),
        (b"", "is empty (0 bytes)"),
        (b"what", "is not a TTF or OTF font"),
    ] {
        let error = refusal(bytes, &ascii);
        assert_eq!(error.to_string(), message);
        assert!(error.help().is_some());
    }
    let sizes: Vec<u32> = (1..=33).collect();
    let error = refusal(BOLD, &settings(&sizes, &[CharSet::Ascii], 2));
    assert_eq!(error.to_string(), "33 sizes are configured, 32 are supported");
    assert!(error.help().is_some());
}

#[test]
fn damage_is_an_error_or_harmless() {
    let settings = settings(&[20], &[CharSet::Ascii, text("éQ")], 1);
    let mut errors = 0;
    for font in [BOLD, CFF] {
        for len in 0..font.len() {
            if len < 600 || len % 97 == 0 {
                errors += usize::from(import(&font[..len], &settings).is_err());
            }
        }
        // Set each byte of the table directory, and of the bytes after it, to a large value.
        for bad in rres_test_data::damage::replaced(font, 4..600, &[0xff]) {
            if let Err(error) = import(&bad, &settings) {
                assert!(!error.to_string().is_empty());
                errors += 1;
            }
        }
    }
    assert!(errors > 400, "{errors}");
}

#[test]
fn characters_of_a_mac_table_are_not_treated_as_unicode() {
    // The Unicode tables contain two characters, A and ™. In the Mac Roman table ™ is 0xaa, which is ª in Unicode.
    let bytes = include_bytes!("../../../crates/test-data/fixtures/font/Goudy-legacy-cmap.otf");
    let part = import(bytes, &settings(&[32], &[text("Aª™")], 2)).unwrap();
    assert_eq!(part.summary, "2 glyphs at 32 px, 1 missing");
}
