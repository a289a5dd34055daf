//! Fonts: the glyphs in rows on one picture, and a description of where they are.

use rres_build::nbr_font;
use rres_import_nbr::Font;

use super::super::packed::{packed_font, refused};
use super::super::{Contents, ExportError};

/// Encodes a font: the picture, white with the glyphs in alpha, and the description in the form of BMFont.
pub(super) fn font(font: &Font<'_>, name: &str) -> Result<(Contents<'static>, Contents<'static>), ExportError> {
    let font = packed_font(nbr_font(font).map_err(refused)?)?;
    let Some(strike) = font.strikes().first() else {
        return Err(ExportError::Damaged("it has no glyphs".to_owned()));
    };
    let (pictures, description) = super::super::font(strike, name, &[&format!("{name}.png")])?;
    // The glyphs of a file are on one picture.
    let Some(picture) = pictures.into_iter().next() else {
        return Err(ExportError::Damaged("it has no picture".to_owned()));
    };
    Ok((
        Contents { conversion: Some("glyphs as .png".to_owned()), ..picture },
        Contents { conversion: Some("metrics as .json, without the boxes of glyphs".to_owned()), ..description },
    ))
}
