//! `font.store` = "subset": a font file that is cut to the chosen characters, as raw bytes.

use rres_format::AssetKind;
use rres_format::chunk::raw::RawView;
use rres_settings::FontStorage;
use ttf_parser::Face;

use super::hostile::with_tables;
use super::*;

const WHOLE: &[u8] = include_bytes!("../../../../assets/fonts/Quicksand-Medium.ttf");

fn subset_of(chars: &[CharSet]) -> Settings {
    let mut settings = Settings::default();
    settings.font.store = FontStorage::Subset;
    settings.font.chars = chars.to_vec();
    settings
}

/// The bytes of a raw asset, and its extension.
fn file_of(asset: &Asset) -> (Vec<u8>, String) {
    assert_eq!(asset.kind, AssetKind::Raw);
    let [block] = &asset.blocks[..] else { panic!("one chunk") };
    let view = RawView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
    (view.bytes().to_vec(), String::from_utf8(view.extension().to_vec()).unwrap())
}

#[test]
fn a_font_becomes_a_smaller_file_with_the_chosen_characters() {
    let asset = import(WHOLE, &subset_of(&[text("Lantern Drift é")])).unwrap();
    let (file, extension) = file_of(&asset);
    assert_eq!(extension, ".ttf");
    assert!(file.len() < WHOLE.len() / 2);
    let face = Face::parse(&file, 0).unwrap();
    assert!("Lantern Drift é".chars().all(|c| face.glyph_index(c).is_some()));
    assert_eq!(face.glyph_index('Z'), None);
    assert!(asset.summary.starts_with("font file cut to 11 characters: "), "{}", asset.summary);
    assert_eq!(asset.notes, []);
    let (_, extension) = file_of(&import(CFF, &subset_of(&[text("A")])).unwrap());
    assert_eq!(extension, ".otf", "the extension says what the file is");
}

#[test]
fn missing_characters_are_named_unless_they_are_invisible() {
    let asset = import(WHOLE, &subset_of(&[text("A日\u{200d}\u{fe0f}")])).unwrap();
    let [note] = &asset.notes[..] else { panic!("one note: {:?}", asset.notes) };
    assert!(format!("{note:?}").contains("日 (U+65E5)") && !format!("{note:?}").contains("200D"), "{note:?}");
    assert!(asset.summary.contains(", 1 missing"), "{}", asset.summary);
    assert_eq!(import(WHOLE, &subset_of(&[text("A\u{200d}\u{fe0f}")])).unwrap().notes, []);
}

#[test]
fn a_font_that_cutting_makes_larger_stays_as_it_is() {
    let (cut, _) = file_of(&import(WHOLE, &subset_of(&[text("Aé")])).unwrap());
    let again = import(&cut, &subset_of(&[text("Aé")])).unwrap();
    assert_eq!(file_of(&again).0, cut);
    assert_eq!(again.summary, "whole font file, which is smaller than a cut one");
}

#[test]
fn the_texts_of_the_game_choose_the_characters() {
    let settings = subset_of(&[CharSet::Texts("text/**".to_owned())]);
    let files = MemoryFiles::new([
        ("fonts/a.ttf", WHOLE),
        ("text/de.txt", "Käse".as_bytes()),
        ("text/fr/a.txt", "œuf".as_bytes()),
        ("other.txt", b"Z"),
    ]);
    let assets = files.with_settings(&settings).import(&FontImporter, "fonts/a.ttf").unwrap();
    let (file, _) = file_of(&assets[0]);
    let face = Face::parse(&file, 0).unwrap();
    assert!("Käseœuf".chars().all(|c| face.glyph_index(c).is_some()));
    assert!("Zq".chars().all(|c| face.glyph_index(c).is_none()));
}

#[test]
fn what_cannot_be_cut_is_refused_with_what_to_do() {
    let settings = subset_of(&[text("A")]);
    let description =
        refusal(b"info face=\"A\" size=8\ncommon lineHeight=8 base=8 scaleW=8 scaleH=8 pages=1\n", &settings);
    assert!(description.to_string().contains("is a BMFont description"), "{description}");
    assert!(description.help().unwrap().contains("*.ttf"));
    let mut rights = permissions(WHOLE);
    rights[8..10].copy_from_slice(&[1, 0]);
    let refused = refusal(&with_tables(WHOLE, &[(b"OS/2", rights.clone())]), &settings);
    assert!(refused.to_string().contains("fsType 0x0100"), "{refused}");
    assert!(refused.help().unwrap().contains("choose a font that allows it"));
    rights[8..10].copy_from_slice(&[0, 2]);
    let restricted = import(&with_tables(WHOLE, &[(b"OS/2", rights)]), &settings).unwrap();
    assert!(format!("{:?}", restricted.notes).contains("without a permission of its maker"));
    let apple = refusal(&with_tables(WHOLE, &[(b"morx", vec![0; 8])]), &settings);
    assert!(apple.to_string().contains("`morx`") && apple.help().unwrap().contains("kind = \"raw\""));
    let unknown = import(&with_tables(WHOLE, &[(b"MATH", vec![0; 8])]), &settings).unwrap();
    assert!(format!("{:?}", unknown.notes).contains("MATH"));
    assert!(refusal(&WHOLE[..4000], &settings).to_string().contains("damaged"));
}

/// The table with the permissions of a font.
fn permissions(font: &[u8]) -> Vec<u8> {
    let raw = ttf_parser::RawFace::parse(font, 0).unwrap();
    let record = raw.table_records.into_iter().find(|record| record.tag.to_bytes() == *b"OS/2").unwrap();
    font[record.offset as usize..][..record.length as usize].to_vec()
}
