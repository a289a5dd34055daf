//! Draws ways to load as points: size against speed.

use std::fmt::Write as _;

/// A way to load.
#[derive(Clone, Debug)]
pub struct Point {
    /// What it is called.
    pub label: String,
    /// Bytes, as a multiple of the sources.
    pub size: f64,
    /// How many times as fast as loose files.
    pub speed: f64,
    /// Whether it is a pack.
    pub ours: bool,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// Returns a picture in SVG. Both axes are logarithmic. Up and to the left is better.
pub fn draw(points: &[Point]) -> String {
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (least, most) =
            values.fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(value), most.max(value)));
        (least.ln() - 0.12, most.ln() + 0.12)
    };
    let (left, right) = range(&mut points.iter().map(|point| point.size));
    let (low, high) = range(&mut points.iter().map(|point| point.speed));
    let x = |size: f64| LEFT + (size.ln() - left) / (right - left) * (WIDTH - LEFT - 170.0);
    let y = |speed: f64| HEIGHT - BOTTOM - (speed.ln() - low) / (high - low) * (HEIGHT - BOTTOM - 20.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    // Writing to a string cannot fail.
    for size in
        [0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, 16.0].into_iter().filter(|size: &f64| (left..right).contains(&size.ln()))
    {
        let (at, base) = (x(size), HEIGHT - BOTTOM);
        let _ = writeln!(
            svg,
            "<path d=\"M{at:.1} 20V{base}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{size}×</text>",
            base + 16.0
        );
    }
    for speed in
        [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0].into_iter().filter(|speed: &f64| (low..high).contains(&speed.ln()))
    {
        let at = y(speed);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{speed}×</text>",
            WIDTH - 170.0,
            LEFT - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"12\" fill=\"#555\">speed of loading, loose files = 1</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">bytes, the source files = 1</text>",
        (LEFT + WIDTH - 170.0) / 2.0,
        HEIGHT - 8.0
    );
    // Labels move down until they do not overlap.
    let mut order: Vec<&Point> = points.iter().collect();
    order.sort_by(|a, b| b.speed.total_cmp(&a.speed));
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for point in order {
        let (px, py) = (x(point.size), y(point.speed));
        let width = point.label.len() as f64 * 6.0;
        let mut label = py + 4.0;
        while taken.iter().any(|(tx, ty)| (ty - label).abs() < 12.0 && (tx - px).abs() < width) {
            label += 3.0;
        }
        taken.push((px, label));
        let (color, weight) = if point.ours { ("#c2410c", "bold") } else { ("#475569", "normal") };
        let _ = writeln!(
            svg,
            "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4\" fill=\"{color}\"/><text x=\"{:.1}\" y=\"{label:.1}\" fill=\"{color}\" font-weight=\"{weight}\">{}</text>",
            px + 8.0,
            point.label
        );
    }
    svg.push_str("</svg>\n");
    svg
}
