//! `docs/settings.md` against the code: every example parses, every key and every value is in it.

use super::{parse, show};
use crate::settings::fields::{FONT_KEYS, IMAGE_KEYS, RULE_KEYS, SOUND_KEYS, TEXT_KEYS};
use crate::settings::pack::PACK_KEYS;
use crate::settings::types::{
    Choice, CodeLang, ColorSpace, Compat, Compression, Filter, PixelFormatChoice, SampleFormat, SoundStore,
    TextEncoding, Wrap,
};
use rres_format::AssetKind;

const MANUAL: &str = include_str!("../../../../docs/settings.md");

#[test]
fn every_example_parses() {
    let blocks: Vec<&str> =
        MANUAL.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert!(blocks.len() >= 8, "found {} examples", blocks.len());
    for block in blocks {
        if let Err(errors) = parse(block) {
            panic!("{block}\n{}", show(&errors));
        }
    }
}

#[test]
fn every_key_has_its_row() {
    let dotted = |table: &str, keys: &[&str]| keys.iter().map(|key| format!("{table}.{key}")).collect::<Vec<_>>();
    let keys =
        RULE_KEYS.iter().filter(|key| !["image", "sound", "font", "text"].contains(key)).map(|key| key.to_string());
    let keys = keys
        .chain(PACK_KEYS.iter().map(|key| key.to_string()))
        .chain(dotted("image", IMAGE_KEYS))
        .chain(dotted("sound", SOUND_KEYS))
        .chain(dotted("font", FONT_KEYS))
        .chain(dotted("text", TEXT_KEYS));
    for key in keys {
        assert!(MANUAL.contains(&format!("\n| `{key}` |")), "no row for `{key}`");
    }
}

#[test]
fn every_value_is_listed() {
    fn listed<C: Choice>(key: &str) {
        let row = MANUAL.lines().find(|line| line.starts_with(&format!("| `{key}` |"))).unwrap_or_default();
        for value in C::VALUES {
            assert!(row.contains(&format!("\"{}\"", value.word())), "`{key}` lacks \"{}\"", value.word());
        }
    }
    listed::<AssetKind>("kind");
    listed::<Compression>("compression");
    listed::<Compat>("compat");
    listed::<PixelFormatChoice>("image.format");
    listed::<Filter>("image.filter");
    listed::<Wrap>("image.wrap");
    listed::<ColorSpace>("image.color_space");
    listed::<SoundStore>("sound.store");
    listed::<SampleFormat>("sound.sample");
    listed::<TextEncoding>("text.encoding");
    listed::<CodeLang>("text.lang");
}
