//! A variable font at one place of its axes → tables with the outlines of that place, which the rasteriser reads: it knows no variations.
//!
//! Outlines become TrueType outlines, whose curves have one control point. Cubic ones are divided into such; the numbers of a glyph have 16
//! bits, so that units are made smaller as long as there is room.

use ttf_parser::{Face, GlyphId};

use super::outline::{Edge, Point, contours};
use super::subset::table;

/// How many units an em may have: some outlines reach four times as far.
const MAX_EM: u16 = 8192;

/// Curves that one cubic curve becomes.
const PARTS: u32 = 4;

/// The tables that differ from the file's. `None` if a table that must be there is not, or an outline reaches too far.
pub(super) fn tables(face: &Face<'_>, glyphs: &[u16]) -> Option<Vec<([u8; 4], Vec<u8>)>> {
    let raw = face.raw_face();
    let count = face.number_of_glyphs();
    let em = face.units_per_em();
    let scale = (MAX_EM / em.max(1)).max(1);
    let mut sorted = glyphs.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let (mut glyf, mut loca, mut hmtx) = (Vec::new(), Vec::new(), Vec::new());
    for glyph in 0..count {
        loca.extend((glyf.len() as u32).to_be_bytes());
        let mut left = 0;
        if sorted.binary_search(&glyph).is_ok() {
            let outline = contours(face, glyph);
            left = simple_glyph(&outline, f64::from(scale), &mut glyf)?;
            glyf.resize(glyf.len().next_multiple_of(4), 0);
        }
        let advance = face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0).saturating_mul(scale);
        hmtx.extend(advance.to_be_bytes());
        hmtx.extend(left.to_be_bytes());
    }
    loca.extend((glyf.len() as u32).to_be_bytes());
    let mut head = table(raw, b"head")?.to_vec();
    head.get_mut(18..20)?.copy_from_slice(&(em * scale).to_be_bytes());
    // Offsets of 32 bits.
    head.get_mut(50..52)?.copy_from_slice(&[0, 1]);
    let mut hhea = table(raw, b"hhea")?.to_vec();
    hhea.get_mut(34..36)?.copy_from_slice(&count.to_be_bytes());
    let mut maxp = vec![0, 1, 0, 0];
    maxp.extend(count.to_be_bytes());
    maxp.resize(32, 0);
    Some(vec![
        (*b"glyf", glyf),
        (*b"head", head),
        (*b"hhea", hhea),
        (*b"hmtx", hmtx),
        (*b"loca", loca),
        (*b"maxp", maxp),
    ])
}

/// A point of an outline, and whether it is on the curve.
type OutlinePoint = (i16, i16, bool);

/// Writes an outline, and returns its left edge. Of no contours nothing is written.
fn simple_glyph(contours: &[Vec<Edge>], scale: f64, out: &mut Vec<u8>) -> Option<i16> {
    let mut points: Vec<OutlinePoint> = Vec::new();
    let mut ends: Vec<u16> = Vec::new();
    for contour in contours {
        for edge in contour {
            // The end of an edge is the beginning of the next one, and the end of the last one is the first point.
            match edge.scaled(scale) {
                Edge::Line([a, _]) => points.push(at(a, true)?),
                Edge::Quad([a, b, _]) => points.extend([at(a, true)?, at(b, false)?]),
                Edge::Cubic(cubic) => {
                    for [a, b] in quads(cubic) {
                        points.extend([at(a, true)?, at(b, false)?]);
                    }
                }
            }
        }
        ends.push(u16::try_from(points.len().checked_sub(1)?).ok()?);
    }
    let (Some(left), Some(right)) = (points.iter().map(|p| p.0).min(), points.iter().map(|p| p.0).max()) else {
        return Some(0);
    };
    let (bottom, top) = (points.iter().map(|p| p.1).min()?, points.iter().map(|p| p.1).max()?);
    out.extend(i16::try_from(ends.len()).ok()?.to_be_bytes());
    [left, bottom, right, top].iter().for_each(|number| out.extend(number.to_be_bytes()));
    ends.iter().for_each(|end| out.extend(end.to_be_bytes()));
    // No instructions. All differences are of 16 bits.
    out.extend([0, 0]);
    out.extend(points.iter().map(|point| u8::from(point.2)));
    for number in [|point: &OutlinePoint| point.0, |point: &OutlinePoint| point.1] {
        let mut last = 0;
        for point in &points {
            out.extend(number(point).checked_sub(last)?.to_be_bytes());
            last = number(point);
        }
    }
    Some(left)
}

fn at(point: Point, is_on: bool) -> Option<OutlinePoint> {
    let number = |v: f64| {
        let rounded = v.round();
        (rounded.abs() <= f64::from(i16::MAX)).then_some(rounded as i16)
    };
    Some((number(point[0])?, number(point[1])?, is_on))
}

/// The first two points of each curve that a cubic curve is divided into. The control point is where the ends' directions suggest.
fn quads([a, b, c, d]: [Point; 4]) -> impl Iterator<Item = [Point; 2]> {
    let mix = |a: Point, b: Point, t: f64| [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    (0..PARTS).map(move |part| {
        let (start, end) = (f64::from(part) / f64::from(PARTS), f64::from(part + 1) / f64::from(PARTS));
        // The part from `start` to `end` has the control points p1 and p2; a curve with one of them is nearest with (3 (p1 + p2) - p0 - p3) / 4.
        let blossom = |u: f64, v: f64, w: f64| {
            let (ab, bc, cd) = (mix(a, b, u), mix(b, c, u), mix(c, d, u));
            mix(mix(ab, bc, v), mix(bc, cd, v), w)
        };
        let p0 = blossom(start, start, start);
        let p1 = blossom(start, start, end);
        let p2 = blossom(start, end, end);
        let p3 = blossom(end, end, end);
        let control = |i: usize| (3.0 * (p1[i] + p2[i]) - p0[i] - p3[i]) / 4.0;
        [p0, [control(0), control(1)]]
    })
}
