//! Characters by range, from files and from the texts of a game; atlases of several pages.

use rres_import::MemoryFiles as Files;

use super::*;

fn import_with(files: &[(&str, &[u8])], settings: &Settings) -> Result<Asset, ImportError> {
    let mut inputs = Files::new(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())));
    FontImporter.import(&mut Source::new("fonts/a.ttf", BOLD, settings, &mut inputs)).map(|mut parts| parts.remove(0))
}

fn characters(part: &Asset) -> String {
    let mut all = String::new();
    for table in part.blocks.iter().filter(|block| block.kind == FourCc::FNTG) {
        let view = GlyphsView::parse(PayloadView::parse(&table.bytes).unwrap()).unwrap();
        all.extend(view.glyphs().filter_map(|glyph| char::from_u32(glyph.codepoint.cast_unsigned())));
    }
    all
}

#[test]
fn ranges_are_the_characters_between_that_the_font_has() {
    let chars = ["U+0041-0043".into(), "U+042F".into(), "U+4E00-U+9FFF".into()];
    assert_eq!(chars[0], CharSet::Range('A', 'C'));
    let part = import(BOLD, &settings(&[16], &chars, 1)).unwrap();
    assert_eq!(characters(&part), "ABC\u{42f}");
    assert_eq!(part.notes, []);
    assert_eq!(CharSet::from("U+"), text("U+"));
    assert_eq!(CharSet::from("U+D800"), text("U+D800"), "half of a pair is not a character");
}

#[test]
fn characters_come_from_a_file_and_from_all_texts() {
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("\u{410}\u{42f}".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let files: &[(&str, &[u8])] = &[
        ("fonts/extra.txt", b"\xef\xbb\xbfxyz\r\n"),
        ("text/en/a.ftl", b"title = Hi\nhi"),
        ("text/ru/a.txt", &utf16),
        ("other/b.txt", b"Q"),
    ];
    let sets = [CharSet::File("extra.txt".into()), CharSet::Texts("text/**".into())];
    let part = import_with(files, &settings(&[16], &sets, 1)).unwrap();
    assert_eq!(characters(&part), " =Hehiltxyz\u{410}\u{42f}");

    let texts = |glob: &str| settings(&[16], &[CharSet::Texts(glob.into())], 1);
    let refused = |settings: &Settings, files: &[(&str, &[u8])]| {
        import_with(files, settings).map(|part| part.summary).unwrap_err().to_string()
    };
    assert_eq!(refused(&texts("texts/**"), files), "takes its characters from \"texts/**\", which no file matches");
    let latin1: &[(&str, &[u8])] = &[("text/a.txt", b"caf\xe9")];
    assert_eq!(
        refused(&texts("text/**"), latin1),
        "takes its characters from text/a.txt, which is neither UTF-8 nor UTF-16"
    );
    assert_eq!(refused(&settings(&[16], &[CharSet::File("no.txt".into())], 1), files), "fonts/no.txt does not exist");
}

#[test]
fn missing_characters_are_named_once() {
    let part = import(BOLD, &settings(&[16], &[text("A★世★")], 1)).unwrap();
    assert_eq!(part.notes[0].detail, "U+2605, 世 (U+4E16)");
    let many: String = ('\u{4e00}'..='\u{4e20}').chain(['A']).collect();
    let part = import(BOLD, &settings(&[16], &[text(&many)], 1)).unwrap();
    assert!(part.notes[0].detail.ends_with("and 25 more"), "{}", part.notes[0].detail);
}

#[test]
fn glyphs_that_do_not_fit_a_page_are_on_the_next_one() {
    let mut small = settings(&[40], &[CharSet::Ascii], 2);
    small.font.atlas_size = 200;
    let part = import(BOLD, &small).unwrap();
    let tables = part.blocks.iter().filter(|block| block.kind == FourCc::FNTG).count();
    assert!(tables > 4 && part.summary.ends_with(&format!("on {tables} pages")), "{}", part.summary);
    let whole = import(BOLD, &settings(&[40], &[CharSet::Ascii], 2)).unwrap();
    let (_, all, ..) = strike_of(&whole, 0);
    let mut found = Vec::new();
    let mut last = 0;
    for number in 0..tables {
        let (_, glyphs, image, pixels) = strike_of(&part, number);
        assert!(image.width <= 128 && image.height <= 128, "a power of two of at most 200");
        assert!(glyphs[0].codepoint > last, "pages ascend");
        last = glyphs.last().unwrap().codepoint;
        for glyph in glyphs {
            assert!(glyph.x + glyph.width <= image.width as i32 && glyph.y + glyph.height <= image.height as i32);
            let ink: usize = (glyph.y..glyph.y + glyph.height)
                .flat_map(|y| (glyph.x..glyph.x + glyph.width).map(move |x| (x, y)))
                .map(|(x, y)| usize::from(pixels[y as usize * image.width as usize + x as usize][1]))
                .sum();
            assert_eq!(ink > 0, glyph.width > 0);
            found.push(Glyph { x: 0, y: 0, ..glyph });
        }
    }
    assert_eq!(found, all.into_iter().map(|glyph| Glyph { x: 0, y: 0, ..glyph }).collect::<Vec<_>>());

    let mut tiny = settings(&[100], &[CharSet::Ascii], 2);
    tiny.font.atlas_size = 64;
    let error = refusal(BOLD, &tiny);
    assert!(error.to_string().ends_with("alone is more than 60 pixels wide or high"), "{error}");
}

#[test]
fn characters_far_from_ascii_are_found_by_their_codepoint() {
    // A character table with A and U+4E2D, which share the glyph of Q.
    let face = ttf_parser::Face::parse(BOLD, 0).unwrap();
    let glyph = |character: char| u32::from(face.glyph_index(character).unwrap().0);
    let mut cmap = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0];
    let ranges = [('A', glyph('A')), ('\u{4e2d}', glyph('Q'))];
    let numbers = [16 + 12 * 2, 0, 2].into_iter();
    let numbers = numbers.chain(ranges.into_iter().flat_map(|(c, glyph)| [c.into(), c.into(), glyph]));
    cmap.extend(numbers.flat_map(u32::to_be_bytes));
    let font = super::hostile::with_tables(BOLD, &[(b"cmap", cmap)]);
    for set in [text("\u{4e2d}A"), "U+4E2D".into(), "U+4E00-9FFF".into(), CharSet::Chinese, CharSet::Auto] {
        let part = import(&font, &settings(&[32], std::slice::from_ref(&set), 2)).unwrap();
        let (_, glyphs, _, pixels) = strike_of(&part, 0);
        let of = |codepoint| glyphs.iter().find(|glyph| glyph.codepoint == codepoint);
        let found = of(0x4e2d).unwrap_or_else(|| panic!("{set:?}"));
        assert!(found.width > 8 && found.height > 8 && pixels.iter().any(|pixel| pixel[1] == 255), "{set:?}");
    }
}

/// Most fonts have them, and most games are translated some day.
#[test]
fn accented_letters_that_nobody_asked_for_are_a_note() {
    const QUICKSAND: &[u8] = include_bytes!("../../../../assets/fonts/Quicksand-Medium.ttf");
    let notes = |chars: &[CharSet]| {
        let part = import(QUICKSAND, &settings(&[16], chars, 1)).unwrap();
        part.notes.iter().map(|note| note.topic.clone()).collect::<Vec<_>>().join("\n")
    };
    let by_itself = notes(&[CharSet::Auto]);
    assert!(by_itself.starts_with("the font has accented letters, which are not stored"), "{by_itself}");
    assert_eq!(notes(&["ascii".into()]), "");
    assert_eq!(notes(&["latin".into()]), "");
}
