//! Lines of contours that may cross → the parts of them that are the border of the shape.
//!
//! Each line is divided where others cross it. Of the parts those are kept that have the inside on one side only.

use super::color::Segment;
use super::{Point, add, cross, dot, length, sub};

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) a: Point,
    pub(super) b: Point,
    pub(super) channels: u8,
    /// The directions that the line takes beyond its ends, if the outline has a corner at that end.
    pub(super) from: Option<Point>,
    pub(super) to: Option<Point>,
    /// Whether the inside is on the left of the direction from `a` to `b`.
    pub(super) is_left_inside: bool,
}

impl Piece {
    /// The nearest point of the piece, and where it is, from 0 to 1; beyond the ends the number says how far.
    pub(super) fn nearest(&self, point: Point) -> (Point, f64) {
        let along = sub(self.b, self.a);
        let t = dot(sub(point, self.a), along) / dot(along, along);
        let bounded = t.clamp(0.0, 1.0);
        (add(self.a, [along[0] * bounded, along[1] * bounded]), t)
    }
}

/// The border of the shape that these lines enclose, by the rule that whatever is enclosed at least once is inside.
pub(super) fn pieces(segments: &[Segment]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let rows = Rows::new(segments);
    for (i, segment) in segments.iter().enumerate() {
        let mut cuts: Vec<f64> =
            rows.near(segment).filter(|j| *j != i).filter_map(|j| cut(segment, &segments[j])).collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| *a - *b < 1e-9);
        let along = sub(segment.b, segment.a);
        let at = |t: f64| add(segment.a, [along[0] * t, along[1] * t]);
        let ends: Vec<f64> = [0.0].into_iter().chain(cuts).chain([1.0]).collect();
        for (number, pair) in ends.windows(2).enumerate() {
            let (a, b) = (at(pair[0]), at(pair[1]));
            let piece_length = length(sub(b, a));
            if piece_length < 1e-9 {
                continue;
            }
            // A little to the left and to the right of its middle.
            let middle = at(f64::midpoint(pair[0], pair[1]));
            let step = 1e-6 / piece_length;
            let side = [(a[1] - b[1]) * step, (b[0] - a[0]) * step];
            let is_left_inside = rows.winding(segments, add(middle, side)) != 0;
            let is_right_inside = rows.winding(segments, sub(middle, side)) != 0;
            if is_left_inside == is_right_inside {
                continue;
            }
            let is_first = number == 0;
            let is_last = number + 2 == ends.len();
            pieces.push(Piece {
                a,
                b,
                channels: segment.channels,
                from: if is_first { segment.from } else { Some(along) },
                to: if is_last { segment.to } else { Some(along) },
                is_left_inside,
            });
        }
    }
    pieces
}

/// Where `segment` is crossed by another line, if not at its ends.
fn cut(segment: &Segment, other: &Segment) -> Option<f64> {
    let (along, across) = (sub(segment.b, segment.a), sub(other.b, other.a));
    let turn = cross(along, across);
    if turn.abs() < 1e-12 {
        return None;
    }
    let between = sub(other.a, segment.a);
    let (t, u) = (cross(between, across) / turn, cross(between, along) / turn);
    ((1e-9..=1.0 - 1e-9).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&u)).then_some(t)
}

/// The lines that each row of pixels touches.
struct Rows {
    first: i32,
    rows: Vec<Vec<u32>>,
}

impl Rows {
    fn new(segments: &[Segment]) -> Self {
        let row = |y: f64| y.floor().clamp(-1e5, 1e5) as i32;
        let span = |segment: &Segment| {
            let (low, high) = (segment.a[1].min(segment.b[1]), segment.a[1].max(segment.b[1]));
            // The test points of pieces are a little away from them.
            (row(low - 1e-3), row(high + 1e-3))
        };
        let first = segments.iter().map(|segment| span(segment).0).min().unwrap_or(0);
        let last = segments.iter().map(|segment| span(segment).1).max().unwrap_or(0);
        let mut rows = vec![Vec::new(); usize::try_from(last - first + 1).unwrap_or(1)];
        for (number, segment) in segments.iter().enumerate() {
            let (low, high) = span(segment);
            for row in low..=high {
                if let Some(row) = usize::try_from(row - first).ok().and_then(|row| rows.get_mut(row)) {
                    row.push(number as u32);
                }
            }
        }
        Self { first, rows }
    }

    fn row(&self, y: f64) -> &[u32] {
        let row = usize::try_from(y.floor().clamp(-1e5, 1e5) as i32 - self.first).ok();
        row.and_then(|row| self.rows.get(row)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The lines that may cross this one.
    fn near<'r>(&'r self, segment: &Segment) -> impl Iterator<Item = usize> + 'r {
        let (low, high) = (segment.a[1].min(segment.b[1]), segment.a[1].max(segment.b[1]));
        let row = |y: f64| usize::try_from(y.floor() as i32 - self.first).unwrap_or(0);
        let rows = self.rows.get(row(low)..=row(high).min(self.rows.len().saturating_sub(1))).unwrap_or_default();
        rows.iter().flatten().map(|number| *number as usize)
    }

    /// How many times the lines go around a point, counted with their direction.
    fn winding(&self, segments: &[Segment], point: Point) -> i32 {
        let mut winding = 0;
        for number in self.row(point[1]) {
            let crossing = segments[*number as usize].crossing(point[1]);
            winding += crossing.filter(|(x, _)| *x > point[0]).map_or(0, |(_, up)| up);
        }
        winding
    }
}
