//! The outline of a glyph as contours of lines and curves.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A point, right and up.
pub(super) type Point = [f64; 2];

/// A line or a curve: its ends, and the control points between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Edge {
    Line([Point; 2]),
    Quad([Point; 3]),
    Cubic([Point; 4]),
}

/// The closed contours of a glyph, in units of the font.
pub(super) fn contours(face: &Face<'_>, glyph: u16) -> Vec<Vec<Edge>> {
    let mut pen = Pen::default();
    // `None` for glyphs without outline, such as the space.
    let _ = face.outline_glyph(GlyphId(glyph), &mut pen);
    pen.close_contour();
    pen.contours
}

#[derive(Default)]
struct Pen {
    contours: Vec<Vec<Edge>>,
    open: Vec<Edge>,
    start: Point,
    last: Point,
}

impl Pen {
    fn add(&mut self, edge: Edge, end: Point) {
        if edge.points().iter().any(|point| *point != self.last) {
            self.open.push(edge);
        }
        self.last = end;
    }

    fn close_contour(&mut self) {
        if self.last != self.start {
            let line = Edge::Line([self.last, self.start]);
            self.add(line, self.start);
        }
        let contour = std::mem::take(&mut self.open);
        if !contour.is_empty() {
            self.contours.push(contour);
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.close_contour();
        self.start = point(x, y);
        self.last = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let end = point(x, y);
        self.add(Edge::Line([self.last, end]), end);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let end = point(x, y);
        self.add(Edge::Quad([self.last, point(x1, y1), end]), end);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let end = point(x, y);
        self.add(Edge::Cubic([self.last, point(x1, y1), point(x2, y2), end]), end);
    }

    fn close(&mut self) {
        self.close_contour();
    }
}

fn point(x: f32, y: f32) -> Point {
    [f64::from(x), f64::from(y)]
}

impl Edge {
    pub(super) fn points(&self) -> &[Point] {
        match self {
            Self::Line(points) => points,
            Self::Quad(points) => points,
            Self::Cubic(points) => points,
        }
    }

    /// The same edge, larger or smaller.
    pub(super) fn scaled(mut self, scale: f64) -> Self {
        let points: &mut [Point] = match &mut self {
            Self::Line(points) => points,
            Self::Quad(points) => points,
            Self::Cubic(points) => points,
        };
        points.iter_mut().flatten().for_each(|number| *number *= scale);
        self
    }

    /// The directions of the edge at its beginning and its end.
    pub(super) fn directions(&self) -> (Point, Point) {
        let points = self.points();
        let (first, last) = (points[0], points[points.len() - 1]);
        let begins = points.iter().find(|point| **point != first).map_or([0.0, 0.0], |next| sub(*next, first));
        let ends = points.iter().rev().find(|point| **point != last).map_or([0.0, 0.0], |before| sub(last, *before));
        (unit(begins), unit(ends))
    }

    /// The points of lines that differ from the edge by at most `tolerance`, without the first point.
    pub(super) fn flatten(&self, tolerance: f64, mut line_to: impl FnMut(Point)) {
        /// Enough for curves that are thousands of pixels long.
        const MAX_LINES: f64 = 128.0;
        let points = self.points();
        // How far the curve is from its chord follows from the second differences of its points.
        let bend = points.windows(3).map(|p| length(sub(add(p[0], p[2]), add(p[1], p[1])))).fold(0.0, f64::max);
        let factor = if points.len() == 4 { 0.75 } else { 0.25 };
        let lines = (bend * factor / tolerance).sqrt().ceil().clamp(1.0, MAX_LINES) as u32;
        for i in 1..lines {
            line_to(self.at(f64::from(i) / f64::from(lines)));
        }
        line_to(points[points.len() - 1]);
    }

    /// The point at `t`, from 0 to 1.
    fn at(&self, t: f64) -> Point {
        let mix = |a: Point, b: Point| [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
        match *self {
            Self::Line([a, b]) => mix(a, b),
            Self::Quad([a, b, c]) => mix(mix(a, b), mix(b, c)),
            Self::Cubic([a, b, c, d]) => {
                let (ab, bc, cd) = (mix(a, b), mix(b, c), mix(c, d));
                mix(mix(ab, bc), mix(bc, cd))
            }
        }
    }
}

pub(super) fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Above 0 if `b` is left of `a`.
pub(super) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of a vector; 0 of 0.
pub(super) fn unit(a: Point) -> Point {
    let length = length(a);
    if length > 0.0 { [a[0] / length, a[1] / length] } else { a }
}
