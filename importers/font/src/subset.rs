//! A font file and the chosen characters → a font file that has what they need, as raw bytes. Engines shape text with it and draw its glyphs.

use rres_import::ImportError;

/// The error of a description whose glyphs are pictures.
pub(super) fn refuse_description() -> ImportError {
    let error = ImportError::new(
        "is a BMFont description, whose glyphs are pictures: `font.store` = \"subset\" is for font files",
    );
    error.with_help("remove `store` for this file, or write the rule for *.ttf and *.otf")
}

#[cfg(not(feature = "subset"))]
pub(super) fn import(_source: &mut rres_import::Source<'_>) -> Result<rres_import::Asset, ImportError> {
    let error = ImportError::new("would be cut, but the feature `font-subset` of rres-build is disabled");
    Err(error.with_help(
        "enable it with `cargo add --build rres-build --features font-subset`, or store the whole file with kind = \"raw\"",
    ))
}

#[cfg(feature = "subset")]
pub(super) use enabled::import;

#[cfg(feature = "subset")]
mod enabled {
    use std::collections::BTreeSet;

    use rres_decode::FontFile;
    use rres_font_subset::{Subset, SubsetError, subset};
    use rres_import::content::store_raw;
    use rres_import::{Asset, ImportError, Note, Source};
    use rres_settings::{Chosen, FontSettings};

    use super::super::{explain, left_out_accents, note, texts};

    /// Cuts the font.
    pub(in super::super) fn import(source: &mut Source<'_>) -> Result<Asset, ImportError> {
        let settings = FontSettings { chars: texts::resolve(source)?, ..source.settings.font.clone() };
        let has: BTreeSet<char> = FontFile::open(source.bytes).map_err(explain)?.characters().collect();
        let mut chosen = settings.choose(&has);
        // Shapers find a letter by its parts, and selectors of variations by the character before them.
        let wanted: BTreeSet<char> = chosen.characters.union(&chosen.missing).copied().collect();
        let cut = subset(source.bytes, &wanted).map_err(|error| refuse(&error, source.path))?;
        chosen.missing.retain(|character| !is_invisible(*character));
        chosen.misses_much &= !chosen.missing.is_empty();
        let mut notes: Vec<Note> = note(&chosen, has.len()).into_iter().collect();
        notes.extend(left_out_accents(&settings, &has, &chosen));
        notes.extend(of_font(&cut));
        let asset = match cut.file.len() < source.bytes.len() {
            true => {
                let extension = if cut.file.starts_with(b"OTTO") { "otf" } else { "ttf" };
                Asset::raw(&cut.file, extension).with_summary(summary(&cut, &chosen))
            }
            // A font that was cut already, perhaps.
            false => Asset::raw(source.bytes, &source.extension())
                .with_summary("whole font file, which is smaller than a cut one"),
        };
        Ok(Asset { notes, ..asset })
    }

    fn summary(cut: &Subset, chosen: &Chosen) -> String {
        let Subset { kept, glyphs, .. } = cut;
        let count = chosen.characters.len();
        let noun = if count == 1 { "character" } else { "characters" };
        let missing = match chosen.missing.len() {
            0 => String::new(),
            missing => format!(", {missing} missing"),
        };
        format!("font file cut to {count} {noun}{missing}: {kept} of {glyphs} glyphs")
    }

    /// What a user should know of the font.
    fn of_font(cut: &Subset) -> impl Iterator<Item = Note> {
        let restricted = cut.is_restricted.then(|| {
            Note::new("the font asks not to be shipped inside of other files without a permission of its maker")
                .with_detail("fsType 2 of its table OS/2")
                .with_help("read its licence; if it allows that, notes = false")
        });
        let left_out = (!cut.left_out.is_empty()).then(|| {
            Note::new("the font has tables that cannot be cut and were left out")
                .with_detail(cut.left_out.join(", "))
                .with_help(
                    "if your engine reads them, store the whole file with kind = \"raw\"; otherwise notes = false",
                )
        });
        restricted.into_iter().chain(left_out)
    }

    /// The error of a font that cannot be cut, with what to do.
    fn refuse(error: &SubsetError, path: &str) -> ImportError {
        let message = error.to_string();
        match error {
            SubsetError::NotAllowed(_) => {
                let help = format!(
                    "choose a font that allows it, or {} if its licence lets you ship the whole file",
                    store_raw(path)
                );
                ImportError::new(message).with_help(help)
            }
            SubsetError::Apple(_) | SubsetError::Unsupported(_) => ImportError::new(message).with_help(store_raw(path)),
            _ => ImportError::damaged(message),
        }
    }

    /// Whether a character stands for no glyph of its own: fonts need not have it.
    fn is_invisible(character: char) -> bool {
        matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}'
        )
    }
}
