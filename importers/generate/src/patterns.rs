//! Images of one colour, of squares, and of a fade.

use rres_format::chunk::image::PixelFormat;
use rres_import::{Asset, ImportError, Source};
use rres_settings::Entry;

use super::fields::Fields;

/// A pattern with its size in pixels.
pub(super) struct Pattern {
    kind: PatternKind,
    size: [u32; 2],
    /// The colours; a pattern of one has it twice.
    colors: [[u8; 4]; 2],
    /// Squares in each direction.
    cells: [u32; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PatternKind {
    Color,
    Checker,
    Gradient,
}

const WORDS: [(&str, PatternKind); 3] =
    [("color", PatternKind::Color), ("checker", PatternKind::Checker), ("gradient", PatternKind::Gradient)];

const WHITE: [u8; 4] = [255; 4];
const GRAY: [u8; 4] = [128, 128, 128, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// The largest edge in pixels.
const MAX_EDGE: i64 = 8192;

impl Pattern {
    /// Reads the keys of a pattern.
    pub(super) fn read(entry: &Entry<'_>, mut fields: Fields<'_, '_>) -> Option<Self> {
        let kind = fields.word(entry, &WORDS)?;
        let default = if kind == PatternKind::Color { 1 } else { 64 };
        let size = fields.counts("size", [default; 2], 1..=MAX_EDGE);
        let (colors, cells, known): (_, _, &[&str]) = match kind {
            PatternKind::Color => ([fields.colors("color", [WHITE])[0]; 2], [1; 2], &["color", "size"]),
            PatternKind::Checker => {
                let cells = fields.counts("cells", [8; 2], 1..=MAX_EDGE);
                if size.iter().zip(cells).any(|(size, cells)| !size.is_multiple_of(cells)) {
                    let message = format!("{cells:?} squares do not divide {size:?} pixels");
                    let key = if fields.entries.iter().any(|entry| entry.key == "cells") { "cells" } else { "size" };
                    fields.contradiction(key, message);
                }
                (fields.colors("colors", [WHITE, GRAY]), cells, &["colors", "cells", "size"])
            }
            PatternKind::Gradient => (fields.colors("colors", [WHITE, BLACK]), [1; 2], &["colors", "size"]),
        };
        let word = WORDS.iter().find(|(_, known)| *known == kind).map_or("", |(word, _)| word);
        fields.check_keys("image", word, known);
        Some(Self { kind, size, colors, cells })
    }

    /// The bytes that making it takes.
    pub(super) fn memory(&self) -> u64 {
        // Pixels of 4 bytes, a copy, and what the rules make of them.
        self.size.iter().map(|edge| u64::from(*edge)).product::<u64>() * 16
    }

    /// Makes the image, which the rules for images apply to.
    pub(super) fn image(&self, source: &Source<'_>) -> Result<Asset, ImportError> {
        let [width, height] = self.size;
        let format =
            if self.colors.iter().all(|color| color[3] == 255) { PixelFormat::RGB8 } else { PixelFormat::RGBA8 };
        let channels = if format == PixelFormat::RGB8 { 3 } else { 4 };
        let mut pixels = Vec::with_capacity(width as usize * height as usize * channels);
        for y in 0..height {
            for x in 0..width {
                pixels.extend_from_slice(&self.color(x, y)[..channels]);
            }
        }
        source.image(width, height, format, pixels)
    }

    fn color(&self, x: u32, y: u32) -> [u8; 4] {
        let ([width, height], [first, second]) = (self.size, self.colors);
        match self.kind {
            PatternKind::Color => first,
            PatternKind::Checker => {
                let [across, down] = self.cells;
                let is_first = (x / (width / across) + y / (height / down)).is_multiple_of(2);
                if is_first { first } else { second }
            }
            // The first row is the first colour, and the last row the second one.
            PatternKind::Gradient => {
                let last = u64::from(height - 1).max(1);
                let y = u64::from(y);
                std::array::from_fn(|i| {
                    let (from, to) = (u64::from(first[i]), u64::from(second[i]));
                    ((from * (last - y) + to * y + last / 2) / last) as u8
                })
            }
        }
    }
}
