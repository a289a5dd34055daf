//! Glyphs as distance fields: each pixel tells how far its centre is from the outline, so that a shader draws sharp glyphs of any size.
//!
//! Curves are divided into lines that differ from them by 1/128 of a pixel. Lines inside of other contours, which variable fonts have, do
//! not count. Only square roots and products are computed, so that every machine finds the same bytes.

mod color;
mod multi;
mod pieces;

use std::collections::BTreeMap;

use ttf_parser::{Face, GlyphId};

use self::color::Segment;
use self::pieces::Piece;
use super::atlas::{Bounds, Draw};
use super::outline::{Edge, Point, add, contours, cross, dot, length, sub};

/// How much lines may differ from curves, in pixels.
const TOLERANCE: f64 = 1.0 / 128.0;

/// What a distance field of a font is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceField {
    /// One channel: the distance to the outline. Corners become round when it is drawn larger.
    Single,
    /// Four channels: the median of the first three keeps corners sharp; the fourth one is the distance.
    Multi,
}

/// A font at one size, drawn as distance fields.
pub(super) struct Field {
    form: DistanceField,
    /// Pixels from the value 0 to the value 255.
    range: f64,
    glyphs: BTreeMap<u16, Glyph>,
}

struct Glyph {
    contours: Vec<Vec<Edge>>,
    bounds: Bounds,
}

impl Field {
    /// Takes the outlines of these glyphs.
    pub(super) fn new(face: &Face<'_>, glyphs: &[u16], pixels_per_unit: f64, form: DistanceField, range: u32) -> Self {
        let range = f64::from(range.max(1));
        let glyph = |number: &u16| {
            let outline: Vec<Vec<Edge>> = contours(face, *number)
                .into_iter()
                .map(|contour| contour.into_iter().map(|edge| edge.scaled(pixels_per_unit)).collect())
                .collect();
            let advance = f64::from(face.glyph_hor_advance(GlyphId(*number)).unwrap_or(0)) * pixels_per_unit;
            let bounds = bounds(&outline, range / 2.0, advance as f32);
            (*number, Glyph { contours: outline, bounds })
        };
        Self { form, range, glyphs: glyphs.iter().map(glyph).collect() }
    }

    /// The value of a distance in pixels, which is above 0 inside.
    fn value(&self, distance: f64) -> u8 {
        ((0.5 + distance / self.range) * 255.0).round().clamp(0.0, 255.0) as u8
    }
}

impl Draw for Field {
    fn channels(&self) -> usize {
        match self.form {
            DistanceField::Single => 1,
            DistanceField::Multi => 4,
        }
    }

    fn bounds(&self, glyph: u16) -> Bounds {
        self.glyphs.get(&glyph).map(|glyph| glyph.bounds).unwrap_or_default()
    }

    fn draw(&self, glyph: u16) -> Vec<u8> {
        let Some(Glyph { contours, bounds }) = self.glyphs.get(&glyph) else { return Vec::new() };
        let grid = Grid { left: bounds.left, bottom: bounds.bottom, width: bounds.width, height: bounds.height };
        let segments = color::colored(contours);
        let pieces = pieces::pieces(&segments);
        let inside = grid.inside(&segments, 1);
        let single = grid.distances(&pieces, &inside, self.range);
        match self.form {
            DistanceField::Single => single.iter().map(|distance| self.value(*distance)).collect(),
            DistanceField::Multi => {
                let multi = multi::channels(&grid, &segments, &pieces, &single, self.range);
                multi.iter().zip(&single).flat_map(|([r, g, b], a)| [*r, *g, *b, *a].map(|d| self.value(d))).collect()
            }
        }
    }
}

/// The pixels that the outline touches, and so many around it that the field ends within them.
fn bounds(contours: &[Vec<Edge>], around: f64, advance: f32) -> Bounds {
    let mut points: Vec<Point> = Vec::new();
    for edge in contours.iter().flatten() {
        points.push(edge.points()[0]);
        edge.flatten(TOLERANCE, |point| points.push(point));
    }
    let most = |axis: usize, sign: f64| points.iter().map(|point| point[axis] * sign).fold(f64::NEG_INFINITY, f64::max);
    if points.is_empty() {
        return Bounds { advance, ..Bounds::default() };
    }
    let edge = |axis, sign: f64| (most(axis, sign) + around).ceil().clamp(-1e6, 1e6) as i32;
    let (left, bottom) = (-edge(0, -1.0), -edge(1, -1.0));
    let size = |end: i32, start: i32| usize::try_from(end - start).unwrap_or(0);
    Bounds { left, bottom, width: size(edge(0, 1.0), left), height: size(edge(1, 1.0), bottom), advance }
}

/// The pixels of a glyph.
struct Grid {
    left: i32,
    bottom: i32,
    width: usize,
    height: usize,
}

impl Grid {
    /// The centre of a pixel; rows from the top.
    fn center(&self, column: usize, row: usize) -> Point {
        self.sample(column, row, 1)
    }

    /// The centre of a sample. A pixel has `per_edge` samples in each direction.
    fn sample(&self, column: usize, row: usize, per_edge: usize) -> Point {
        let per_edge = per_edge as f64;
        let top = f64::from(self.bottom) + self.height as f64;
        [f64::from(self.left) + (column as f64 + 0.5) / per_edge, top - (row as f64 + 0.5) / per_edge]
    }

    /// Whether each sample is inside of the outline.
    fn inside(&self, segments: &[Segment], per_edge: usize) -> Vec<bool> {
        let (columns, rows) = (self.width * per_edge, self.height * per_edge);
        let mut inside = vec![false; columns * rows];
        for row in 0..rows {
            let y = self.sample(0, row, per_edge)[1];
            let mut crossings: Vec<(f64, i32)> = segments.iter().filter_map(|segment| segment.crossing(y)).collect();
            crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (mut passed, mut winding) = (0, 0);
            for column in 0..columns {
                let x = self.sample(column, row, per_edge)[0];
                while let Some((_, turn)) = crossings.get(passed).filter(|crossing| crossing.0 <= x) {
                    winding += turn;
                    passed += 1;
                }
                inside[row * columns + column] = winding != 0;
            }
        }
        inside
    }

    /// The distance of each pixel, in pixels, above 0 inside. Beyond the range any number of the right sign.
    fn distances(&self, pieces: &[Piece], inside: &[bool], range: f64) -> Vec<f64> {
        let mut nearest = vec![range * range; self.width * self.height];
        for piece in pieces {
            self.for_each_near(piece, range, |at, center| {
                let away = sub(center, piece.nearest(center).0);
                nearest[at] = nearest[at].min(dot(away, away));
            });
        }
        let signed = |(square, inside): (&f64, &bool)| if *inside { square.sqrt() } else { -square.sqrt() };
        nearest.iter().zip(inside).map(signed).collect()
    }

    /// Calls back with each pixel whose centre may be within `range` of a piece.
    fn for_each_near(&self, piece: &Piece, range: f64, mut visit: impl FnMut(usize, Point)) {
        let span = |axis: usize, start: f64, count: usize| {
            let (low, high) = (piece.a[axis].min(piece.b[axis]), piece.a[axis].max(piece.b[axis]));
            let first = (low - range - start).floor().max(0.0) as usize;
            first..((high + range - start).ceil().max(0.0) as usize).min(count)
        };
        let columns = span(0, f64::from(self.left), self.width);
        // Counted from the bottom.
        for up in span(1, f64::from(self.bottom), self.height) {
            let row = self.height - 1 - up;
            for column in columns.clone() {
                visit(row * self.width + column, self.center(column, row));
            }
        }
    }
}

#[cfg(test)]
mod tests;
