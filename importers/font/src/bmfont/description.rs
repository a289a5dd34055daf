//! What a BMFont description says, whatever its form, and the checks of it.

use std::collections::BTreeSet;

use rres_format::chunk::glyphs::Glyph;
use rres_format::index::GlyphForm;

use super::ImportError;

/// The largest size of a font and edge of a picture.
const MAX_EDGE: u32 = 16_384;

/// The channels of a picture that a glyph is in: one of them, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Channels {
    All,
    /// The number of the byte of a pixel: red, green, blue, alpha.
    One(usize),
}

impl Channels {
    /// The channels of the field `chnl`: 1 is blue, 2 green, 4 red, 8 alpha.
    pub(super) fn of(field: i64) -> Self {
        match field {
            4 => Self::One(0),
            2 => Self::One(1),
            1 => Self::One(2),
            8 => Self::One(3),
            _ => Self::All,
        }
    }
}

/// One character and its place.
#[derive(Clone, Debug)]
pub(super) struct GlyphOf {
    pub(super) character: char,
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) offset_x: i32,
    pub(super) offset_y: i32,
    /// Some programs write parts of pixels.
    pub(super) advance: f32,
    pub(super) page: u32,
    pub(super) channels: Channels,
    /// The line of the description, counted from 1; 0 in binary ones.
    pub(super) line: u32,
}

impl GlyphOf {
    pub(super) fn table_entry(&self) -> Glyph {
        let number = |value: u32| i32::try_from(value).unwrap_or(0);
        Glyph {
            x: number(self.x),
            y: number(self.y),
            width: number(self.width),
            height: number(self.height),
            codepoint: u32::from(self.character).cast_signed(),
            offset_x: self.offset_x,
            offset_y: self.offset_y,
            advance_x: self.advance.round() as i32,
        }
    }
}

/// A description.
#[derive(Clone, Debug, Default)]
pub(super) struct Description {
    pub(super) size: u32,
    pub(super) is_bold: bool,
    pub(super) is_italic: bool,
    pub(super) padding: u32,
    pub(super) line_height: f32,
    pub(super) base: f32,
    /// Width and height of the pictures.
    pub(super) scale: (u32, u32),
    /// Paths relative to the description.
    pub(super) pages: Vec<String>,
    /// Ascending by character.
    pub(super) glyphs: Vec<GlyphOf>,
    pub(super) kernings: Vec<(char, char, i16)>,
    /// The attributes whose numbers have parts of pixels, and no place for them.
    pub(super) rounded: BTreeSet<String>,
    /// What distance fields the pictures contain, and their range.
    pub(super) field: Option<(GlyphForm, f32)>,
}

impl Description {
    /// Takes the height of a line for the size, if the description does not say the size.
    pub(super) fn complete_size(&mut self) {
        if self.size == 0 {
            // A cast cuts off what is out of range, and `check` refuses the rest.
            self.size = self.line_height.round() as u32;
        }
    }

    /// Checks that it describes a font, and that every glyph is inside its picture.
    pub(super) fn check(&self) -> Result<(), ImportError> {
        let again = "export the font again, as text, XML or binary of version 3";
        let fault = |message: String| Err(ImportError::new(message).with_help(again));
        if self.pages.is_empty() {
            return fault("is a BMFont description without pages".to_owned());
        }
        let (width, height) = self.scale;
        if width == 0 || height == 0 || width > MAX_EDGE || height > MAX_EDGE {
            let message = format!("is a BMFont description with pages of {width}×{height} pixels");
            return fault(format!("{message}, expected 1 to {MAX_EDGE} each"));
        }
        if self.size == 0 || self.size > MAX_EDGE {
            return fault(format!("is a BMFont description of size {}, expected 1 to {MAX_EDGE}", self.size));
        }
        if self.line_height < 0.0 {
            return fault(format!("is a BMFont description with lines of the height {}", self.line_height));
        }
        if self.glyphs.len() > usize::from(u16::MAX) {
            return fault(format!("has {} characters, {} are supported", self.glyphs.len(), u16::MAX));
        }
        let mut known = BTreeSet::new();
        for glyph in &self.glyphs {
            let GlyphOf { character, x, y, width: wide, height: high, page, line, .. } = glyph;
            let at = |message: String| {
                let error = ImportError::new(message).with_help(again);
                Err(if *line > 0 { error.at(*line, 1) } else { error })
            };
            let name = format!("U+{:04X}", u32::from(*character));
            if *page as usize >= self.pages.len() {
                return at(format!("places {name} on page {page} of {}, counted from 0", self.pages.len()));
            }
            let fits = |start: u32, size: u32, edge: u32| u64::from(start) + u64::from(size) <= u64::from(edge);
            if !fits(*x, *wide, width) || !fits(*y, *high, height) {
                return at(format!(
                    "places {name} at {x}, {y} with {wide}×{high} pixels, outside a page of {width}×{height}"
                ));
            }
            if !known.insert(*character) {
                return at(format!("lists {name} twice"));
            }
        }
        Ok(())
    }
}

/// The character of an `id`; `None` for the glyph of missing characters, which has the number -1.
pub(super) fn character(id: i64) -> Result<Option<char>, String> {
    if id == -1 || id == i64::from(u32::MAX) {
        return Ok(None);
    }
    match u32::try_from(id).ok().and_then(char::from_u32) {
        Some(character) => Ok(Some(character)),
        None => Err(format!("has a character of the number {id}, which is not one of Unicode")),
    }
}
