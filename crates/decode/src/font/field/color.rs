//! Contours → lines with the channels of a multi-channel field. Two lines that meet at a corner share one channel only, so that the median
//! of the channels keeps the corner.

use super::{Edge, Point, TOLERANCE, cross, dot, length, sub};

pub(super) const RED: u8 = 1;
pub(super) const GREEN: u8 = 2;
pub(super) const BLUE: u8 = 4;
pub(super) const WHITE: u8 = RED | GREEN | BLUE;

/// The colours of parts between corners. Neighbours have one channel in common.
const COLORS: [u8; 3] = [GREEN | BLUE, RED | BLUE, RED | GREEN];

/// Two directions whose cross product is above this form a corner: 8 degrees.
const CORNER: f64 = 0.14;

/// A line of an outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) a: Point,
    pub(super) b: Point,
    /// The channels that it is in.
    pub(super) channels: u8,
    /// The direction that the outline takes beyond `a` and `b`, if that end is a corner.
    pub(super) from: Option<Point>,
    pub(super) to: Option<Point>,
}

impl Segment {
    /// The place where the line crosses a horizontal one, and the direction: 1 is up.
    pub(super) fn crossing(&self, y: f64) -> Option<(f64, i32)> {
        let Self { a, b, .. } = self;
        let up = match (a[1] <= y, b[1] <= y) {
            (true, false) => 1,
            (false, true) => -1,
            _ => return None,
        };
        Some((a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]), up))
    }
}

/// The lines of contours.
pub(super) fn colored(contours: &[Vec<Edge>]) -> Vec<Segment> {
    contours.iter().flat_map(|contour| contour_segments(contour)).collect()
}

fn contour_segments(contour: &[Edge]) -> Vec<Segment> {
    let directions: Vec<(Point, Point)> = contour.iter().map(Edge::directions).collect();
    let mut segments: Vec<Segment> = Vec::new();
    // The numbers of the segments that begin at a corner.
    let mut corners = Vec::new();
    for (i, edge) in contour.iter().enumerate() {
        let before = directions[(i + contour.len() - 1) % contour.len()].1;
        let is_corner = is_corner(before, directions[i].0);
        let first = segments.len();
        let mut last = edge.points()[0];
        edge.flatten(TOLERANCE, |point| {
            if length(sub(point, last)) > 1e-9 {
                segments.push(Segment { a: last, b: point, channels: WHITE, from: None, to: None });
                last = point;
            }
        });
        if is_corner && segments.len() > first {
            corners.push(first);
            segments[first].from = Some(directions[i].0);
        }
    }
    // A part ends where the next one begins.
    let count = segments.len();
    for corner in &corners {
        let end = (corner + count - 1) % count;
        let direction = sub(segments[end].b, segments[end].a);
        segments[end].to = Some(direction);
    }
    match corners.len() {
        0 => {}
        1 => {
            // A drop: three parts. The one in the middle is smooth on both sides.
            for (i, segment) in segments.iter_mut().enumerate() {
                let at = (i + count - corners[0]) % count;
                segment.channels = [COLORS[0], WHITE, COLORS[1]][(at * 3 / count).min(2)];
            }
        }
        parts => {
            let mut part = 0;
            for i in 0..count {
                let at = (i + corners[0]) % count;
                if part < parts && corners[part] == at {
                    part += 1;
                }
                let number = part - 1;
                // The last part also touches the first one.
                let color = if number + 1 == parts && number % 3 == 0 { 1 } else { number % 3 };
                segments[at].channels = COLORS[color];
            }
        }
    }
    segments
}

fn is_corner(before: Point, after: Point) -> bool {
    dot(before, after) <= 0.0 || cross(before, after).abs() > CORNER
}
