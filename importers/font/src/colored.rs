//! Coloured glyphs: whether a font is drawn in colours, and the pictures of its glyphs → their pixels.

use rres_decode::{DecodeError, FontDrawing, FontFile, FontStrike};
use rres_import::{ImageEncoder, ImportError};
use rres_settings::{FontSettings, GlyphField};

use super::{explain, named};

/// Whether a font file has a table of coloured glyphs, by its first bytes.
pub(super) fn may_be_colored(bytes: &[u8]) -> bool {
    let directory = &bytes[..bytes.len().min(1024)];
    directory.windows(4).any(|tag| matches!(tag, b"CBDT" | b"sbix" | b"COLR"))
}

/// Whether these characters are drawn in colours, in an engine that has an encoder of images or not.
///
/// # Errors
/// If a character would be blank: it has a coloured glyph without outline, and colours are not drawn or have a form that is not read.
pub(super) fn is_wanted(
    font: &FontFile<'_>,
    characters: &[char],
    settings: &FontSettings,
    has_images: bool,
) -> Result<bool, ImportError> {
    let is_colored = font.is_colored(characters).map_err(explain)?;
    let in_color = is_colored && has_images && settings.color && settings.field == GlyphField::None;
    let blank = font.color_only(characters, in_color).map_err(explain)?;
    let Some((_, table)) = blank.first() else { return Ok(in_color) };
    let names = named(blank.iter().map(|(character, _)| *character));
    let (why, help) = if !is_colored || in_color {
        let help = "use a version of the font with pictures (CBDT, sbix) or layers (COLR version 0), leave the characters out of \
                    font = { chars = … }, or draw them into a picture and describe it as a BMFont";
        (format!("its table {table} is not read"), help)
    } else if settings.field != GlyphField::None {
        let help =
            "remove `field`, or leave the characters out of font = { chars = … }, and make a second font of them";
        (format!("pictures of its table {table} have no outline that a distance field could be made of"), help)
    } else if !settings.color {
        let help = "remove `color = false`, or leave the characters out of font = { chars = … }";
        (format!("colours are turned off, and its table {table} has no others"), help)
    } else {
        let help = "enable it, or leave the characters out of font = { chars = … }";
        (format!("its table {table} is read with the feature `image` of rres-build, which is disabled"), help)
    };
    let message = format!("has coloured glyphs without outlines for {names}: {why}");
    Err(ImportError::new(message).with_help(help))
}

/// Draws these characters in colours.
pub(super) fn draw(
    font: &FontFile<'_>,
    characters: &[char],
    drawing: &FontDrawing,
    images: &dyn ImageEncoder,
) -> Result<Vec<FontStrike>, ImportError> {
    struct Failed(ImportError);

    impl From<DecodeError> for Failed {
        fn from(error: DecodeError) -> Self {
            Self(explain(error))
        }
    }

    let drawn = font.draw_in_color(characters, drawing, |picture| {
        images.rgba_of_png(picture.png, picture.stored, picture.drawn).map_err(|error| {
            let error = error.within(&format!("the picture of glyph {}", picture.glyph));
            Failed(error)
        })
    });
    drawn.map_err(|Failed(error)| error)
}
