//! A font file and characters → a smaller font file, which shapes and draws these characters as the whole font does.
//!
//! A glyph keeps its number. The tables that shape text (GSUB, GPOS, GDEF, kern) stay as they are, byte for byte; the glyphs that no text of
//! the characters can reach lose their outlines. So a shaper finds the same glyphs at the same places if every reachable glyph is kept, and
//! that is the one thing to get right: `text` adds the characters that shapers put in place of others, `substitutions` the glyphs
//! that the font does.
//!
//! Fonts are untrusted: sizes and offsets are checked before they are used, and work is counted.
#![forbid(unsafe_code)]

mod bytes;
mod cff;
mod cmap;
mod effort;
mod error;
mod file;
mod glyf;
mod glyph_set;
mod gvar;
mod layers;
mod metrics;
mod pictures;
mod substitutions;
mod svg;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeSet;

use bytes::Bytes;
use cmap::CharacterMap;
use effort::Effort;
pub use error::SubsetError;
use file::FontTables;
use glyph_set::GlyphSet;

/// A font that was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subset {
    /// The file: a TTF, or an OTF if its outlines are in `CFF ` or `CFF2`.
    pub file: Vec<u8>,
    /// The number of glyphs that have kept their outlines.
    pub kept: usize,
    /// The number of glyphs of the font.
    pub glyphs: usize,
    /// The tables that were left out although they mean something: such as those of Graphite, mathematics and unknown ones, in order.
    pub left_out: Vec<String>,
    /// Whether the font asks not to be embedded without a permission of its maker (`fsType` 2 of the table `OS/2`).
    pub is_restricted: bool,
}

/// What becomes of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    /// A function writes it anew.
    Cut,
    /// It describes the whole file, or speeds up what nobody draws with any more.
    Dropped,
    /// A text can look otherwise without it, in programs that read it.
    LeftOut,
}

fn fate(tag: &[u8; 4]) -> Fate {
    match tag {
        b"head" | b"hhea" | b"vhea" | b"maxp" | b"OS/2" | b"name" | b"cvt " | b"fpgm" | b"prep" | b"gasp" | b"GSUB"
        | b"GPOS" | b"GDEF" | b"BASE" | b"kern" | b"kerx" | b"ankr" | b"trak" | b"STAT" | b"fvar" | b"avar"
        | b"cvar" | b"HVAR" | b"VVAR" | b"MVAR" | b"CPAL" | b"COLR" | b"VORG" | b"meta" | b"EBSC" | b"bhed" => {
            Fate::Kept
        }
        b"cmap" | b"glyf" | b"loca" | b"CFF " | b"CFF2" | b"hmtx" | b"vmtx" | b"gvar" | b"post" | b"sbix" | b"SVG "
        | b"CBDT" | b"CBLC" | b"EBDT" | b"EBLC" => Fate::Cut,
        b"DSIG" | b"LTSH" | b"hdmx" | b"VDMX" | b"PCLT" | b"FFTM" | b"TTFA" | b"TSI0" | b"TSI1" | b"TSI2" | b"TSI3"
        | b"TSI5" | b"TSIB" | b"TSIC" | b"TSID" | b"TSIJ" | b"TSIP" | b"TSIS" | b"TSIV" | b"VARC" | b"feat"
        | b"ltag" | b"prop" | b"lcar" | b"opbd" => Fate::Dropped,
        _ => Fate::LeftOut,
    }
}

/// Cuts a font to these characters, those that it has. Of a collection the first font is taken.
///
/// Space, the dotted circle and the glyph of missing characters are kept, too, as shapers put them where no character is.
///
/// ```
/// use rres_font_subset::{SubsetError, subset};
///
/// /// The font of a title.
/// fn of_title(font: &[u8], title: &str) -> Result<Vec<u8>, SubsetError> {
///     Ok(subset(font, &title.chars().collect())?.file)
/// }
///
/// let error = of_title(b"wOF2", "Lantern").unwrap_err();
/// assert_eq!(error.to_string(), "is not a TTF or OTF font");
/// ```
///
/// # Errors
/// If the file is not a font or is damaged, its maker does not allow cut fonts, or it shapes text by tables that cannot be followed.
pub fn subset(file: &[u8], characters: &BTreeSet<char>) -> Result<Subset, SubsetError> {
    let font = FontTables::open(file)?;
    let is_restricted = check_permission(&font)?;
    if let Some(tag) = [b"morx", b"mort"].into_iter().find(|tag| font.table(tag).is_some()) {
        return Err(SubsetError::Apple(bytes::name(tag)));
    }
    if font.table(b"VARC").is_some() {
        return Err(SubsetError::Unsupported("has composite glyphs of variable parts (table VARC)"));
    }
    let glyphs = font.required(b"maxp")?.u16(4)?;
    let mut effort = Effort::default();
    let map = CharacterMap::read(font.required(b"cmap")?, &mut effort)?;
    let wanted = text::reachable(characters);
    let map = map.cut(&wanted, glyphs);

    let mut kept = GlyphSet::new(glyphs);
    kept.insert(0);
    map.glyphs().for_each(|glyph| {
        kept.insert(glyph);
    });
    if let Some(table) = font.table(b"GSUB") {
        substitutions::close(table, &mut kept, &mut effort)?;
    }
    if let Some(table) = font.table(b"COLR") {
        layers::close(table, &mut kept, &mut effort)?;
    }

    let mut out = file::Writer::default();
    let mut left_out = Vec::new();
    for (tag, table) in font.all() {
        match fate(tag) {
            Fate::Kept => out.add(*tag, table.0.to_vec()),
            Fate::LeftOut => left_out.push(bytes::name(tag)),
            Fate::Cut | Fate::Dropped => {}
        }
    }
    // Outlines come first: composite glyphs keep others.
    if font.table(b"glyf").is_some() {
        glyf::cut(&font, &mut kept, &mut out, &mut effort)?;
    }
    if let Some(table) = font.table(b"CFF ") {
        out.add(*b"CFF ", cff::cut(table, &mut kept, &mut effort)?);
    }
    if let Some(table) = font.table(b"CFF2") {
        out.add(*b"CFF2", cff::cut2(table, &kept, &mut effort)?);
    }
    if let Some(table) = font.table(b"gvar") {
        out.add(*b"gvar", gvar::cut(table, &kept)?);
    }
    pictures::cut(&font, &kept, &mut out, &mut effort)?;
    if let Some(table) = font.table(b"SVG ") {
        out.add(*b"SVG ", svg::cut(table, &kept)?);
    }
    for (metrics, header) in [(b"hmtx", b"hhea"), (b"vmtx", b"vhea")] {
        metrics::cut(&font, metrics, header, &kept, &mut out)?;
    }
    out.add(*b"cmap", map.write());
    if let Some(table) = font.table(b"post") {
        out.add(*b"post", without_names(table)?);
    }
    left_out.sort();
    Ok(Subset {
        file: out.finish(font.is_cff()),
        kept: kept.len(),
        glyphs: usize::from(glyphs),
        left_out,
        is_restricted,
    })
}

/// Whether the font is not to be embedded without a permission, as its table OS/2 says.
fn check_permission(font: &FontTables<'_>) -> Result<bool, SubsetError> {
    /// Of the four lowest bits, the one that asks for a permission.
    const RESTRICTED: u16 = 2;
    const NO_SUBSETTING: u16 = 0x100;
    const BITMAPS_ONLY: u16 = 0x200;
    let Some(table) = font.table(b"OS/2") else { return Ok(false) };
    let rights = table.u16(8)?;
    if rights & NO_SUBSETTING != 0 {
        return Err(SubsetError::NotAllowed(
            "does not allow to be cut: its table OS/2 says \"no subsetting\" (fsType 0x0100)",
        ));
    }
    if rights & BITMAPS_ONLY != 0 {
        return Err(SubsetError::NotAllowed(
            "does not allow to be shipped with outlines: its table OS/2 says \"bitmap embedding only\" (fsType 0x0200)",
        ));
    }
    // Another of these bits allows more.
    Ok(rights & 0xf == RESTRICTED)
}

/// The table `post` without the names of glyphs, which nobody draws with.
fn without_names(table: Bytes<'_>) -> Result<Vec<u8>, SubsetError> {
    let mut out = table.slice(0, 32)?.0.to_vec();
    out.splice(..4, 0x0003_0000_u32.to_be_bytes());
    Ok(out)
}
