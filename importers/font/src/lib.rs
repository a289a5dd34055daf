//! TTF and OTF → for each size a strike: FNTG, the glyph table, linked to IMGE, the atlas (gray 255, alpha = coverage). BMFont descriptions
//! and their pictures → the same. Coloured glyphs → the same with atlases of RGBA. KERN follows: exact advances and kerning. With
//! `font.store` = "subset" a font becomes a smaller font file instead, as raw bytes.
//!
//! `rres-format` draws the glyphs, as the runtime draws glyphs of fonts that other programs pack as files. Each page of a strike is a
//! separate chain of linked chunks, so that readers that expect one atlas per font load the first.
#![forbid(unsafe_code)]

mod bmfont;
mod colored;
mod subset;
#[cfg(test)]
mod tests;
mod texts;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use rres_decode::{DecodeError, DistanceField, FontDrawing, FontError, FontFile, FontStrike, LineMetrics};
use rres_format::chunk::image::PixelFormat;
use rres_format::index::{GlyphForm, MetaKey};
use rres_import::content::{Content, sniff, store_raw};
use rres_import::{Asset, FontBuilder, ImportError, Importer, Note, Source};
use rres_settings::{CharSet, Chosen, Description, FontSettings, FontStorage, GlyphField, Variations};

/// The largest number of strikes of one font.
const MAX_STRIKES: usize = 32;

/// How many characters a note names.
const MAX_NAMED: usize = 8;

/// The importer of fonts.
#[derive(Clone, Copy, Debug)]
pub struct FontImporter;

impl Importer for FontImporter {
    fn describe(&self) -> Description {
        rres_settings::asset_kinds::describe("font", 7)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        let (bytes, settings) = (source.bytes, source.settings);
        if settings.font.store == FontStorage::Subset {
            // The cut file, and the tables that it is put together from.
            return (bytes.len() as u64).saturating_mul(3).saturating_add(16 << 20);
        }
        // Two copies of the tables with outlines, the atlases, and the outlines of the drawn glyphs: a megabyte per
        // thousand glyphs is usual.
        let pixels: u64 = settings.font.size.iter().map(|size| u64::from(*size) * u64::from(*size)).sum();
        let glyphs = (bytes.len() as u64 / 200).min(settings.font.most_characters());
        let per_pixel = match settings.font.field {
            GlyphField::None if colored::may_be_colored(bytes) => 24,
            GlyphField::None => 8,
            _ => 64,
        };
        (bytes.len() as u64).saturating_mul(2).saturating_add(glyphs.saturating_mul(pixels * per_pixel + 8192))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let is_subset = source.settings.font.store == FontStorage::Subset;
        if bmfont::is_description(source.bytes) {
            return match is_subset {
                true => Err(subset::refuse_description()),
                false => Ok(vec![bmfont::import(source)?]),
            };
        }
        check_content(source.bytes, source.path)?;
        if is_subset {
            return Ok(vec![subset::import(source)?]);
        }
        let settings = FontSettings { chars: texts::resolve(source)?, ..source.settings.font.clone() };
        let sizes = settings.size.as_slice();
        if sizes.len() > MAX_STRIKES {
            let error = ImportError::new(format!("{} sizes are configured, {MAX_STRIKES} are supported", sizes.len()));
            return Err(error.with_help("list fewer under font = { size = … } in assets.toml"));
        }
        let mut font = FontFile::open(source.bytes).map_err(explain)?;
        if let Some(place) = &settings.variations {
            vary(&mut font, place)?;
        }
        let has: BTreeSet<char> = font.characters().collect();
        let chosen = settings.choose(&has);
        let characters: Vec<char> = chosen.characters.iter().copied().collect();
        let in_color = colored::is_wanted(&font, &characters, &settings, source.encoders.images.is_some())?;
        let field = match settings.field {
            GlyphField::None => None,
            GlyphField::Sdf => Some(DistanceField::Single),
            GlyphField::Msdf => Some(DistanceField::Multi),
        };
        let drawing = FontDrawing {
            sizes: sizes.to_vec(),
            padding: settings.padding,
            page_edge: settings.atlas_size,
            field,
            range: settings.range,
        };
        let strikes = match in_color {
            true => colored::draw(&font, &characters, &drawing, source.encoders.images()?)?,
            false => font.draw(&characters, &drawing).map_err(explain)?,
        };
        let (kerning, is_cut) = font.kerning(&characters);
        let mut built = FontBuilder::new(font.style()).with_kerning(kerning);
        for (strike, page) in strikes.iter().flat_map(|strike| strike.pages.iter().map(move |page| (strike, page))) {
            let format = if page.channels == 4 { PixelFormat::RGBA8 } else { PixelFormat::GRAY_ALPHA8 };
            let edges = (page.width, page.height);
            built.add_page(strike.size, settings.padding, &page.glyphs, edges, format, &page.stored())?;
        }
        if let Some(first) = strikes.first() {
            built = with_metrics(built, first, &font.line_metrics(first.size));
        }
        if let Some(field) = field {
            built = built.with_distances(field.form(), settings.range as f32);
        }
        if in_color {
            built = built.with_form(GlyphForm::Picture);
        }
        let pages = strikes.iter().map(|strike| strike.pages.len()).max().unwrap_or(1);
        let form = match settings.field {
            GlyphField::None if in_color => " in colours",
            GlyphField::None => "",
            GlyphField::Sdf => " as distance fields",
            GlyphField::Msdf => " as multi-channel distance fields",
        };
        let summary = summary(characters.len(), chosen.missing.len(), sizes, pages, form);
        let mut notes: Vec<Note> = note(&chosen, has.len()).into_iter().collect();
        notes.extend(left_out_accents(&settings, &has, &chosen));
        if is_cut {
            notes.push(Note::new("the font has millions of kerned pairs, which are not stored"));
        }
        Ok(vec![Asset { notes, ..built.into_asset(summary)? }])
    }
}

fn with_metrics(built: FontBuilder, first: &FontStrike, line: &LineMetrics) -> FontBuilder {
    built
        .with_line(first.ascent, first.line_height)
        .with_metric(MetaKey::DESCENT, line.descent)
        .with_metric(MetaKey::CAP_HEIGHT, line.cap_height)
        .with_metric(MetaKey::X_HEIGHT, line.x_height)
        .with_metric(MetaKey::UNDERLINE, line.underline)
        .with_metric(MetaKey::UNDERLINE_THICKNESS, line.underline_thickness)
}

/// Moves the axes of a variable font.
fn vary(font: &mut FontFile<'_>, place: &Variations) -> Result<(), ImportError> {
    let axes = font.axes();
    let tag = |tag: &[u8; 4]| String::from_utf8_lossy(tag).into_owned();
    if axes.is_empty() {
        let error = ImportError::new("is not a variable font, and `font.variations` is set for it");
        return Err(error.with_help("remove `variations`, or use the variable font of the family"));
    }
    let wanted: Vec<([u8; 4], f32)> = match place {
        Variations::Axes(wanted) => {
            wanted.iter().filter_map(|(tag, value)| Some((<[u8; 4]>::try_from(tag.as_bytes()).ok()?, *value))).collect()
        }
        Variations::Instance(name) => {
            let instances = font.instances();
            let Some((_, values)) = instances.iter().find(|(known, _)| known == name) else {
                let known: Vec<String> = instances.iter().map(|(known, _)| format!("\"{known}\"")).collect();
                let known = if known.is_empty() { "it has none".to_owned() } else { known.join(", ") };
                let error = ImportError::new(format!("has no instance \"{name}\": {known}"));
                return Err(error.with_help("name one of these, or set axes such as variations = { wght = 700 }"));
            };
            axes.iter().map(|axis| axis.tag).zip(values.iter().copied()).collect()
        }
    };
    for (axis, value) in wanted {
        let Some(known) = axes.iter().find(|known| known.tag == axis) else {
            let all: Vec<String> =
                axes.iter().map(|axis| format!("{} from {} to {}", tag(&axis.tag), axis.min, axis.max)).collect();
            let error = ImportError::new(format!("has no axis `{}`: it has {}", tag(&axis), all.join(", ")));
            return Err(error.with_help("set one of these under font = { variations = … } in assets.toml"));
        };
        if !(known.min..=known.max).contains(&value) {
            let message = format!("has an axis `{}` from {} to {}, found {value}", tag(&axis), known.min, known.max);
            return Err(ImportError::new(message).with_help("choose a value in this range in assets.toml"));
        }
        if !font.set_axis(axis, value) {
            return Err(ImportError::new(format!("has an axis `{}` that cannot be set", tag(&axis))));
        }
    }
    Ok(())
}

/// Lists characters: names the first ones, and counts the others.
fn named(characters: impl ExactSizeIterator<Item = char>) -> String {
    let count = characters.len();
    let name = |c: char| match c.is_alphanumeric() || c.is_ascii_graphic() {
        true => format!("{c} (U+{:04X})", u32::from(c)),
        false => format!("U+{:04X}", u32::from(c)),
    };
    let mut names: Vec<String> = characters.take(MAX_NAMED).map(name).collect();
    if count > MAX_NAMED {
        names.push(format!("and {} more", count - MAX_NAMED));
    }
    names.join(", ")
}

/// What a user should know about the choice of characters.
fn note(chosen: &Chosen, all: usize) -> Option<Note> {
    let count = chosen.characters.len();
    let help =
        "choose others with font = { chars = … }: \"all\", a script such as \"japanese\", or the characters themselves";
    let note = if chosen.is_fallback {
        Note::new("the font has none of the characters that are asked for; others of it are stored")
            .with_detail(format!("{count} of {all}"))
    } else if chosen.is_partial {
        Note::new("the font has more characters than \"auto\" takes, and most are not stored")
            .with_detail(format!("{count} of {all}"))
    } else if chosen.misses_much {
        let missing = named(chosen.missing.iter().copied().collect::<Vec<_>>().into_iter());
        Note::new("the font lacks characters that are asked for").with_detail(missing)
    } else {
        return None;
    };
    Some(note.with_help(help))
}

/// A note if nobody has chosen characters, and the font has letters of other languages with Latin letters than English.
fn left_out_accents(settings: &FontSettings, has: &BTreeSet<char>, chosen: &Chosen) -> Option<Note> {
    /// Latin-1 and Latin Extended-A: À to ſ.
    const ACCENTED: RangeInclusive<char> = '\u{c0}'..='\u{17f}';
    if settings.chars != [CharSet::Auto] || chosen.is_fallback {
        return None;
    }
    let left_out = has.range(ACCENTED).filter(|c| c.is_alphabetic() && !chosen.characters.contains(c)).count();
    let note = Note::new("the font has accented letters, which are not stored unless they are asked for");
    let help = "for texts in other languages than English: font = { chars = \"latin\" }, or { texts = \"GLOB\" } for the characters of your texts";
    (left_out > 0).then(|| note.with_detail(format!("{left_out} of them")).with_help(help))
}

/// Detects fonts of other formats, so that the error is not about a missing table.
fn check_content(bytes: &[u8], path: &str) -> Result<(), ImportError> {
    const OTHERS: &[(&[u8], &str)] = &[
        (b"wOF2", "a WOFF2 font"),
        (b"wOFF", "a WOFF font"),
        (b"%!PS-AdobeFont", "a PostScript Type 1 font"),
        (b"\x80\x01", "a PostScript Type 1 font"),
        (b"\x01fcp", "a PCF bitmap font"),
        (b"STARTFONT", "a BDF bitmap font"),
    ];
    if rres_decode::is_font(bytes) {
        return Ok(());
    }
    let raw = store_raw(path);
    if let Some((_, name)) = OTHERS.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Err(ImportError::new(format!("is {name}")).with_help(format!("convert it to TTF or OTF, or {raw}")));
    }
    match sniff(bytes) {
        Some(content) if content != Content::Ttf => Err(content.refuse("a font", path)),
        _ if bytes.is_empty() => Err(ImportError::new("is empty (0 bytes)").with_help("save it again")),
        _ => Err(ImportError::new("is not a TTF or OTF font").with_help(raw)),
    }
}

/// The error of a font that cannot be drawn, with what to do.
fn explain(error: DecodeError) -> ImportError {
    let message = error.to_string();
    match error {
        DecodeError::Font(FontError::TooLarge(_)) => ImportError::new(message)
            .with_help("ask for a smaller size or fewer characters with font = { … } in assets.toml"),
        DecodeError::Font(FontError::NoOutlines(_)) => ImportError::new(message)
            .with_help("use a TTF or OTF with outlines, or a picture with a BMFont description"),
        _ => ImportError::damaged(message),
    }
}

fn summary(glyphs: usize, missing: usize, sizes: &[u32], pages: usize, form: &str) -> String {
    let sizes = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let noun = if glyphs == 1 { "glyph" } else { "glyphs" };
    let mut summary = format!("{glyphs} {noun} at {sizes} px{form}");
    if pages > 1 {
        summary += &format!(" on {pages} pages");
    }
    if missing > 0 {
        summary += &format!(", {missing} missing");
    }
    summary
}
