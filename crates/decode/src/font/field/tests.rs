use super::*;

fn rectangle(left: f64, bottom: f64, right: f64, top: f64) -> Vec<Edge> {
    let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
    (0..4).map(|i| Edge::Line([corners[i], corners[(i + 1) % 4]])).collect()
}

fn field(contours: Vec<Vec<Edge>>, form: DistanceField) -> (Field, Bounds) {
    let bounds = bounds(&contours, 2.0, 0.0);
    (Field { form, range: 4.0, glyphs: [(1, Glyph { contours, bounds })].into() }, bounds)
}

/// The value of the pixel whose centre is at this distance from the outline.
fn value(distance: f64) -> u8 {
    ((0.5 + distance / 4.0) * 255.0).round().clamp(0.0, 255.0) as u8
}

#[test]
fn pixels_tell_the_distance_to_the_nearest_side() {
    let (field, bounds) = field(vec![rectangle(0.0, 0.0, 10.0, 6.0)], DistanceField::Single);
    assert_eq!((bounds.left, bounds.bottom, bounds.width, bounds.height), (-2, -2, 14, 10));
    let pixels = field.draw(1);
    let at = |column: usize, row: usize| pixels[row * 14 + column];
    // Left of the middle of the left side, inside of it, and outside of a corner.
    assert_eq!((at(0, 5), at(1, 5), at(2, 5), at(3, 5)), (value(-1.5), value(-0.5), value(0.5), value(1.5)));
    assert_eq!(at(1, 1), value(-0.5f64.hypot(0.5)));
    assert_eq!(at(7, 5), 255, "farther than the range");
}

#[test]
fn lines_inside_of_other_contours_do_not_count_whatever_their_direction() {
    let union = vec![rectangle(0.0, 0.0, 12.0, 6.0)];
    for form in [DistanceField::Single, DistanceField::Multi] {
        let (expected, _) = field(union.clone(), form);
        let overlapping = vec![rectangle(0.0, 0.0, 8.0, 6.0), rectangle(4.0, 0.0, 12.0, 6.0)];
        assert_eq!(field(overlapping, form).0.draw(1)[..20], expected.draw(1)[..20]);
    }
    let overlapping = vec![rectangle(0.0, 0.0, 8.0, 6.0), rectangle(4.0, 1.0, 12.0, 5.0)];
    let (field, bounds) = field(overlapping, DistanceField::Single);
    let pixels = field.draw(1);
    // The left side of the second one is at x = 4, inside of the first one.
    let row = (bounds.height / 2) * bounds.width;
    assert_eq!(pixels[row + 2 + 3..row + 2 + 7], [255; 4]);
}

#[test]
fn a_hole_is_outside() {
    let mut hole = rectangle(3.0, 3.0, 9.0, 9.0);
    hole.reverse();
    hole.iter_mut().for_each(|edge| {
        let points = edge.points();
        *edge = Edge::Line([points[1], points[0]]);
    });
    let (field, bounds) = field(vec![rectangle(0.0, 0.0, 12.0, 12.0), hole], DistanceField::Single);
    let pixels = field.draw(1);
    let at = |x: usize, y: usize| pixels[(y + 2) * bounds.width + x + 2];
    assert_eq!((at(6, 6), at(3, 6), at(2, 6), at(1, 6)), (0, value(-0.5), value(0.5), value(1.5)));
}

#[test]
fn three_channels_keep_a_corner_that_one_channel_rounds() {
    let square = vec![rectangle(0.0, 0.0, 8.0, 8.0)];
    let (multi, bounds) = field(square.clone(), DistanceField::Multi);
    let pixels = multi.draw(1);
    let pixel = |column: usize, row: usize| &pixels[(row * bounds.width + column) * 4..][..4];
    // Half a pixel outside of the corner in both directions: the lines that go on are half a pixel away, the corner is farther.
    let corner = pixel(1, 1);
    let median = corner[0].min(corner[1]).max(corner[0].max(corner[1]).min(corner[2]));
    assert_eq!(median, value(-0.5));
    assert_eq!(corner[3], value(-0.5f64.hypot(0.5)));
    let (single, _) = field(square, DistanceField::Single);
    assert_eq!(single.draw(1)[bounds.width + 1], corner[3]);
}
