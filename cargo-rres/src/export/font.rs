//! Fonts as pictures with descriptions: for each size a `.png` with the glyphs, and a `.json` that says where they are.
//!
//! The `.json` is the form of BMFont descriptions that loaders of JavaScript engines and converters read: `info`, `common`,
//! `pages`, `chars` and `kernings`. All lengths are in pixels. Of each character, `x`, `y`, `width` and `height` are the
//! rectangle in the picture; `xoffset` and `yoffset` lead from the pen at the top of the line to the rectangle's top left
//! corner; `xadvance` leads to the next pen.

use rres_format::chunk::glyphs::Glyph;
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
    let page = Page {
        face,
        size: strike.size(),
        bold: strike.style() == FontStyle::BOLD,
        italic: strike.style() == FontStyle::ITALIC,
        padding: strike.padding(),
        line_height: strike.line_height(),
        base: strike.ascent(),
        width: strike.atlas().width(),
        height: strike.atlas().height(),
        file: page,
        glyphs: strike.glyphs(),
    };
    page.to_json()
}

/// A picture with glyphs.
pub(super) struct Page<'a> {
    pub(super) face: &'a str,
    pub(super) size: u32,
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) padding: u32,
    pub(super) line_height: f32,
    pub(super) base: f32,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The file name of the picture.
    pub(super) file: &'a str,
    pub(super) glyphs: &'a [Glyph],
}

impl Page<'_> {
    /// Returns the description.
    pub(super) fn to_json(&self) -> Value {
        let chars: Vec<Value> = self.glyphs.iter().map(glyph).collect();
        let padding = self.padding;
        json!({
            "info": {
                "face": self.face,
                "size": self.size,
                "bold": u8::from(self.bold),
                "italic": u8::from(self.italic),
                "unicode": 1,
                "padding": [padding, padding, padding, padding],
                "spacing": [0, 0],
            },
            "common": {
                "lineHeight": float(self.line_height),
                "base": float(self.base),
                "scaleW": self.width,
                "scaleH": self.height,
                "pages": 1,
                "packed": 0,
            },
            "pages": [self.file],
            "chars": chars,
            "kernings": [],
        })
    }
}

fn glyph(glyph: &Glyph) -> Value {
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
}
