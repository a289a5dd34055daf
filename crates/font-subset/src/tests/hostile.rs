//! Damaged fonts, and fonts that are made to take endless work.

use super::fonts::{FONTS, TEXT, with_tables};
use super::*;
use rres_test_data::damage::{BITS, cuts, flipped};
use rres_test_data::random::Random;

#[test]
fn a_damaged_font_is_an_error_or_a_font() {
    let text = characters(TEXT);
    for (name, file) in &FONTS[..4] {
        let mut refused = 0;
        let cut = cuts(file).step_by(29).map(<[u8]>::to_vec);
        // The directory, and the beginnings of tables are there.
        let changed = flipped(file, (0..file.len()).step_by(11), &BITS[6..7]).map(|(_, copy)| copy);
        for damaged in cut.chain(changed) {
            match subset(&damaged, &text) {
                Ok(cut) => assert!(cut.file.len() < 4 * file.len() + 600_000, "{name}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 20, "{name}: {refused}");
    }
    for (name, file) in &FONTS[4..] {
        let mut random = Random::new(1);
        for _ in 0..60 {
            let mut damaged = file.to_vec();
            for _ in 0..3 {
                let at = random.below(file.len());
                damaged[at] = [0, 0xff, random.byte()][random.below(3)];
            }
            if let Ok(cut) = subset(&damaged, &text) {
                assert!(cut.file.len() < 2 * file.len() + 600_000, "{name}");
            }
        }
    }
}

#[test]
fn endless_substitutions_end() {
    // 65,535 lookups, all of them the same of 2,000 subtables.
    let mut table = vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 10];
    table.extend(u16::MAX.to_be_bytes());
    let places = 2 + 2 * 65_535_usize;
    // Places of lookups have 16 bits: the lookup overlaps the list.
    table.extend([0, 4].repeat(65_535));
    table.resize(10 + places + 70_000, 4);
    let font = with_tables(FONTS[0].1, &[(b"GSUB", table)]);
    assert!(matches!(subset(&font, &characters(TEXT)), Err(SubsetError::Endless | SubsetError::Damaged(..))));

    // One lookup of 65,000 subtables, each of which covers every glyph.
    let mut lookup = vec![0, 1, 0, 0, 0xfd, 0xe8];
    // The subtable is the bytes 6 to 11 of the lookup, which are places too: format 1 with its coverage at 6.
    lookup.extend([0, 6].repeat(65_000));
    let mut table = vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 10, 0, 1, 0, 4];
    table.extend(lookup);
    let font = with_tables(FONTS[0].1, &[(b"GSUB", table)]);
    assert!(matches!(subset(&font, &characters(TEXT)), Err(SubsetError::Endless | SubsetError::Damaged(..))));
}

#[test]
fn ranges_of_pictures_that_share_their_places_are_refused() {
    // One strike, 1,000 ranges of 2,000 glyphs each with the places of the same empty pictures.
    const RANGES: u32 = 1000;
    let number = |number: u32| number.to_be_bytes();
    let strike = [number(56), number(0), number(RANGES), number(0)].concat();
    let range = [[0, 0, 2000_u16.to_be_bytes()[0], 2000_u16.to_be_bytes()[1]], number(8 * RANGES)].concat();
    let mut table = [number(0x0003_0000), number(1)].concat();
    table.extend(strike);
    table.resize(56, 0);
    table.extend(range.repeat(RANGES as usize));
    table.extend([0, 1, 0, 17].into_iter().chain(number(4)));
    table.resize(table.len() + 4 * 2002, 0);
    let font = with_tables(FONTS[0].1, &[(b"CBLC", table), (b"CBDT", vec![0, 3, 0, 0])]);
    let error = subset(&font, &characters(TEXT)).unwrap_err().to_string();
    assert!(error.contains("its table `CBLC` lists the same glyphs several times"), "{error}");
}

#[test]
fn what_is_not_a_font_is_refused() {
    for file in [&b""[..], b"wOF2", b"ttcf\0\x01\0\0\0\0\0\x01\xff\xff\xff\xff", b"%!PS-AdobeFont"] {
        assert_eq!(subset(file, &characters("a")), Err(SubsetError::NotAFont));
    }
    let error = subset(b"\0\x01\0\0\0\0\0\0\0\0\0\0", &characters("a")).unwrap_err();
    assert_eq!(error.to_string(), "is a damaged font: it has no table `maxp`");
}

#[test]
fn permissions_are_kept() {
    let (_, file) = FONTS[4];
    let rights = |bits: u16| {
        let mut table = FontTables::open(file).unwrap().table(b"OS/2").unwrap().0.to_vec();
        table[8..10].copy_from_slice(&bits.to_be_bytes());
        subset(&with_tables(file, &[(b"OS/2", table)]), &characters("a"))
    };
    let refusal = |bits: u16| rights(bits).unwrap_err().to_string();
    assert_eq!(refusal(0x100), "does not allow to be cut: its table OS/2 says \"no subsetting\" (fsType 0x0100)");
    assert!(refusal(0x204).contains("\"bitmap embedding only\""));
    for (bits, is_restricted) in [(0, false), (2, true), (4, false), (8, false), (6, false)] {
        assert_eq!(rights(bits).unwrap().is_restricted, is_restricted, "{bits}");
    }
}

#[test]
fn what_cannot_be_followed_is_refused_and_what_means_something_is_named() {
    let (_, file) = FONTS[0];
    let with = |tag: &[u8; 4]| subset(&with_tables(file, &[(tag, vec![0; 8])]), &characters("A"));
    let error = with(b"morx").unwrap_err().to_string();
    assert_eq!(error, "shapes text by Apple's table `morx`, and which glyphs that needs for a text cannot be told");
    for tag in [b"MATH", b"JSTF", b"Silf", b"Xyz "] {
        let name = String::from_utf8_lossy(tag).trim_end().to_owned();
        assert_eq!(with(tag).unwrap().left_out, [name]);
    }
    assert!(with(b"DSIG").unwrap().left_out.is_empty());
}
