//! Fonts as pictures with descriptions: for each size a `.png` with the glyphs, and a `.json` that says where they are.
//!
//! The `.json` is the form of BMFont descriptions that loaders of JavaScript engines and converters read: `info`, `common`,
//! `pages`, `chars` and `kernings`. All lengths are in pixels. Of each character, `x`, `y`, `width` and `height` are the
//! rectangle in the picture; `xoffset` and `yoffset` lead from the pen at the top of the line to the rectangle's top left
//! corner; `xadvance` leads to the next pen.

use rres_runtime::asset::{FontStyle, Strike};
use serde_json::{Value, json};

use super::{Contents, ExportError, float, image};

/// Encodes one size of a font: the picture and its description. `face` is the name of the font, `page` the file name of the
/// picture.
pub(crate) fn font(
    strike: &Strike,
    face: &str,
    page: &str,
) -> Result<(Contents<'static>, Contents<'static>), ExportError> {
    let picture = image::png(strike.atlas())?;
    let mut description = serde_json::to_vec_pretty(&description(strike, face, page))?;
    description.push(b'\n');
    let size = strike.size();
    Ok((
        Contents { conversion: Some(format!("glyphs of {size} pixels as .png")), ..picture },
        Contents::converted(description, format!("metrics of {size} pixels as .json")),
    ))
}

fn description(strike: &Strike, face: &str, page: &str) -> Value {
    let padding = strike.padding();
    let chars: Vec<Value> = (strike.glyphs().iter())
        .map(|glyph| {
            let character = u32::try_from(glyph.codepoint).ok().and_then(char::from_u32);
            json!({
                "id": glyph.codepoint,
                "char": character.map(String::from),
                "x": glyph.x,
                "y": glyph.y,
                "width": glyph.width,
                "height": glyph.height,
                "xoffset": glyph.offset_x,
                "yoffset": glyph.offset_y,
                "xadvance": glyph.advance_x,
                "page": 0,
                "chnl": 15,
            })
        })
        .collect();
    json!({
        "info": {
            "face": face,
            "size": strike.size(),
            "bold": u8::from(strike.style() == FontStyle::BOLD),
            "italic": u8::from(strike.style() == FontStyle::ITALIC),
            "unicode": 1,
            "padding": [padding, padding, padding, padding],
            "spacing": [0, 0],
        },
        "common": {
            "lineHeight": float(strike.line_height()),
            "base": float(strike.ascent()),
            "scaleW": strike.atlas().width(),
            "scaleH": strike.atlas().height(),
            "pages": 1,
            "packed": 0,
        },
        "pages": [page],
        "chars": chars,
        "kernings": [],
    })
}
