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

/// Most kerned pairs that are written. A build stores no more; a small table of another program can stand for billions.
const MAX_PAIRS: usize = 1 << 21;

/// Encodes one size of a font: a picture for each page, and their description. `face` is the name of the font, `pages` the file names of
/// the pictures.
pub fn font(
    strike: &Strike,
    face: &str,
    pages: &[&str],
) -> Result<(Vec<Contents<'static>>, Contents<'static>), ExportError> {
    let size = strike.size();
    let picture = |page| -> Result<Contents<'static>, ExportError> {
        Ok(Contents { conversion: Some(format!("glyphs of {size} pixels as .png")), ..image::png(page)? })
    };
    let pictures = strike.pages().iter().map(picture).collect::<Result<_, _>>()?;
    let mut description = format!("{:#}", description(strike, face, pages)?).into_bytes();
    description.push(b'\n');
    Ok((pictures, Contents::converted(description, format!("metrics of {size} pixels as .json"))))
}

fn description(strike: &Strike, face: &str, pages: &[&str]) -> Result<Value, ExportError> {
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
        files: pages,
        glyphs: strike.glyphs(),
        page_of: &|glyph| {
            let character = u32::try_from(glyph.codepoint).ok().and_then(char::from_u32);
            character.and_then(|character| strike.page(character)).unwrap_or(0)
        },
    };
    let mut value = page.to_json();
    // Hundredths of a pixel are exact enough, and most pairs of small sizes are nearer.
    let rounded = |pixels: f32| (pixels * 100.0).round() / 100.0;
    let pairs = strike.kerned_pairs().map(|(first, second, pixels)| (first, second, rounded(pixels)));
    let pairs = pairs.filter(|(.., pixels)| *pixels != 0.0).map(|(first, second, pixels)| {
        json!({ "first": u32::from(first), "second": u32::from(second), "amount": float(pixels) })
    });
    let pairs: Vec<Value> = pairs.take(MAX_PAIRS + 1).collect();
    if pairs.len() > MAX_PAIRS {
        return Err(ExportError::Damaged(format!("it has more than {MAX_PAIRS} kerned pairs")));
    }
    value["kernings"] = pairs.into();
    if let Some(range) = strike.distance_range() {
        value["distanceField"] = json!({ "fieldType": strike.form().name(), "distanceRange": float(range) });
    }
    Ok(value)
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
    /// The file names of the pictures.
    pub(super) files: &'a [&'a str],
    pub(super) glyphs: &'a [Glyph],
    /// The number of the picture that a glyph is in.
    pub(super) page_of: &'a dyn Fn(&Glyph) -> usize,
}

impl Page<'_> {
    /// Returns the description.
    pub(super) fn to_json(&self) -> Value {
        let chars: Vec<Value> = self.glyphs.iter().map(|of| glyph(of, (self.page_of)(of))).collect();
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
                "pages": self.files.len(),
                "packed": 0,
            },
            "pages": self.files,
            "chars": chars,
            "kernings": [],
        })
    }
}

fn glyph(glyph: &Glyph, page: usize) -> Value {
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
        "page": page,
        "chnl": 15,
    })
}
