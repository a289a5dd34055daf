//! The heights of lines: what fonts say about them, in units and in pixels.

use ttf_parser::{Face, GlyphId};

/// Heights of a font at one size, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LineMetrics {
    /// From the top of a line to its baseline.
    pub ascent: f32,
    /// From the baseline to the bottom of a line, above 0.
    pub descent: f32,
    /// Between the bottom of a line and the top of the next one.
    pub line_gap: f32,
    /// Height of capital letters above the baseline.
    pub cap_height: f32,
    /// Height of small letters such as x above the baseline.
    pub x_height: f32,
    /// From the baseline down to the middle of an underline.
    pub underline: f32,
    /// Thickness of an underline.
    pub underline_thickness: f32,
}

/// The metrics of a font. What it does not say is measured on its letters, or is a usual part of the size.
pub(super) fn metrics(face: &Face<'_>, extent: &Extent, size: u32) -> LineMetrics {
    let pixels = size as f32 / extent.units();
    let height = |stated: Option<i16>, letter: char, otherwise: f32| {
        let measured = || {
            let glyph: GlyphId = face.glyph_index(letter)?;
            face.glyph_bounding_box(glyph).map(|bounds| bounds.y_max)
        };
        let units = stated.filter(|units| *units > 0).or_else(measured).filter(|units| *units > 0);
        units.map_or(f32::from(extent.ascent) * otherwise, f32::from) * pixels
    };
    let underline = face.underline_metrics().filter(|line| line.thickness > 0);
    let em = f32::from(face.units_per_em());
    LineMetrics {
        ascent: f32::from(extent.ascent) * pixels,
        descent: -f32::from(extent.descent) * pixels,
        line_gap: f32::from(extent.line_gap) * pixels,
        cap_height: height(face.capital_height(), 'H', 0.75),
        x_height: height(face.x_height(), 'x', 0.55),
        underline: underline.map_or(em * 0.1, |line| -f32::from(line.position)) * pixels,
        underline_thickness: underline.map_or(em * 0.05, |line| f32::from(line.thickness)) * pixels,
    }
}

/// The line metrics at one size.
pub(super) struct Line {
    /// From the top of the line to the baseline.
    pub(super) ascent: f32,
    /// From baseline to baseline.
    pub(super) height: f32,
}

impl Line {
    pub(super) fn new(extent: &Extent, size: u32) -> Self {
        let units = extent.units();
        let pixels = size as f32 / units;
        let ascent = f32::from(extent.ascent) * pixels;
        let height = (units + f32::from(extent.line_gap)) * pixels;
        Self { ascent, height }
    }
}

/// How far lines reach, in units of the font.
pub(super) struct Extent {
    pub(super) ascent: i16,
    pub(super) descent: i16,
    pub(super) line_gap: i16,
}

impl Extent {
    /// From ascent to descent.
    pub(super) fn units(&self) -> f32 {
        f32::from(self.ascent) - f32::from(self.descent)
    }

    /// As FreeType chooses among the three that a font may give: a descent of 0 alone does not make another one better.
    pub(super) fn of(face: &Face<'_>) -> Self {
        let hhea = face.tables().hhea;
        let os2 = face.tables().os2;
        let typographic = os2.map(|os2| Self {
            ascent: os2.typographic_ascender(),
            descent: os2.typographic_descender(),
            line_gap: os2.typographic_line_gap(),
        });
        let is_set = |extent: &Self| extent.ascent != 0 || extent.descent != 0;
        if os2.is_some_and(|os2| os2.use_typographic_metrics())
            && let Some(extent) = typographic
        {
            return extent;
        }
        let hhea = Self { ascent: hhea.ascender, descent: hhea.descender, line_gap: hhea.line_gap };
        let windows = || {
            let os2 = os2?;
            Some(Self { ascent: os2.windows_ascender(), descent: os2.windows_descender(), line_gap: 0 })
        };
        if is_set(&hhea) {
            return hhea;
        }
        typographic.filter(is_set).or_else(windows).unwrap_or(hhea)
    }
}
