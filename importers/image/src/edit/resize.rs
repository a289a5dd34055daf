//! A picture → the same picture in another size.
//!
//! The filter is Catmull-Rom's, which most programs call bicubic, stretched over all pixels that a smaller picture
//! merges into one. It is applied to linear light and to colours weighted with alpha. Polynomials give the same bytes on
//! every machine; the sine of Lanczos' filter would not.

use rres_format::index::Wrap;

use super::super::convert::Pixel;
use super::super::mips::Curve;
use super::Picture;

/// The nearest pixels, for pixel art.
pub(super) fn nearest(from: &Picture, (width, height): (usize, usize)) -> Picture {
    // The middle of the new pixel: (2i + 1) / 2 · old / new.
    let at = |i: usize, old: usize, new: usize| (2 * i + 1) * old / (2 * new);
    let columns: Vec<usize> = (0..width).map(|x| at(x, from.width, width)).collect();
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        let row = &from.pixels[at(y, from.height, height) * from.width..][..from.width];
        pixels.extend(columns.iter().map(|x| row[*x]));
    }
    Picture { width, height, pixels }
}

/// Colour and alpha, then the colour times alpha.
type Weighed = [f32; 7];

/// The smooth picture of another size. Beyond the edges the picture continues as it is sampled, so that a tile stays one.
pub(super) fn smooth(
    from: &Picture,
    (width, height): (usize, usize),
    wrap: Wrap,
    weigh: bool,
    curve: &Curve,
) -> Picture {
    let columns = taps(from.width, width, wrap);
    let bounds = Bounds::of(from);
    let mut narrowed: Vec<Weighed> = Vec::with_capacity(width * from.height);
    let mut row = vec![[0.0; 4]; from.width];
    for source in from.pixels.chunks_exact(from.width) {
        row.copy_from_slice(source);
        curve.to_light(&mut row);
        narrowed.extend(columns.iter().map(|taps| {
            let mut sum = [0.0; 7];
            for (x, weight) in taps {
                let [r, g, b, a] = row[*x];
                add(&mut sum, [r, g, b, a, r * a, g * a, b * a], *weight);
            }
            sum
        }));
    }
    let mut pixels = Vec::with_capacity(width * height);
    for taps in taps(from.height, height, wrap) {
        let mut sums = vec![[0.0; 7]; width];
        for (y, weight) in taps {
            let row = &narrowed[y * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, pixel)| add(sum, *pixel, weight));
        }
        let start = pixels.len();
        pixels.extend(sums.into_iter().map(|sum| bounds.pixel(sum, weigh)));
        curve.to_stored(&mut pixels[start..]);
    }
    Picture { width, height, pixels }
}

fn add(sum: &mut Weighed, pixel: Weighed, weight: f32) {
    sum.iter_mut().zip(pixel).for_each(|(sum, v)| *sum += v * weight);
}

/// The filter dips below zero and rises above one beside sharp edges. Light and alpha do not, but the numbers of some floats do.
struct Bounds {
    least: f32,
    most_alpha: f32,
}

impl Bounds {
    fn of(picture: &Picture) -> Self {
        let least = picture.pixels.iter().flat_map(|pixel| &pixel[..3]).fold(0.0, |least: f32, v| least.min(*v));
        let most_alpha = picture.pixels.iter().fold(1.0, |most: f32, pixel| most.max(pixel[3]));
        Self { least, most_alpha }
    }

    fn pixel(&self, [r, g, b, a, ra, ga, ba]: Weighed, weigh: bool) -> Pixel {
        // Alpha of an 8-bit picture below half a step is stored as 0.
        let is_visible = a > 0.5 / 255.0;
        let [r, g, b] = if weigh && is_visible { [ra / a, ga / a, ba / a] } else { [r, g, b] };
        [r.max(self.least), g.max(self.least), b.max(self.least), a.clamp(0.0, self.most_alpha)]
    }
}

/// For each pixel of the new edge, the old pixels that it is made of, and their weights, which sum to 1.
fn taps(old: usize, new: usize, wrap: Wrap) -> Vec<Vec<(usize, f32)>> {
    let ratio = old as f64 / new as f64;
    // A larger picture is interpolated, a smaller one merges pixels.
    let stretch = ratio.max(1.0);
    let edge = old as i64;
    let place = |i: i64| match wrap {
        Wrap::Repeat => i.rem_euclid(edge),
        Wrap::Mirror => {
            let i = i.rem_euclid(2 * edge);
            i.min(2 * edge - 1 - i)
        }
        _ => i.clamp(0, edge - 1),
    };
    let taps = |i: usize| {
        let middle = (i as f64 + 0.5) * ratio - 0.5;
        let (first, last) = ((middle - 2.0 * stretch).ceil() as i64, (middle + 2.0 * stretch).floor() as i64);
        let weights = (first..=last).map(|i| (place(i), catmull_rom((i as f64 - middle) / stretch)));
        let weights: Vec<(i64, f64)> = weights.filter(|(_, weight)| *weight != 0.0).collect();
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.into_iter().map(|(i, weight)| (i as usize, (weight / sum) as f32)).collect()
    };
    (0..new).map(taps).collect()
}

fn catmull_rom(x: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        (1.5 * x - 2.5) * x * x + 1.0
    } else if x < 2.0 {
        ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_stay_in_the_picture() {
        for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
            for (old, new) in [(1, 1), (1, 7), (7, 1), (3, 2), (2, 3), (100, 33), (33, 100)] {
                for taps in taps(old, new, wrap) {
                    let sum: f32 = taps.iter().map(|(_, weight)| weight).sum();
                    assert!((sum - 1.0).abs() < 1e-5, "{old} to {new}: {sum}");
                    assert!(taps.iter().all(|(i, _)| *i < old), "{old} to {new}");
                }
            }
        }
    }

    #[test]
    fn a_picture_of_the_same_size_is_the_same() {
        let weights = taps(5, 5, Wrap::Clamp);
        assert_eq!(weights, (0..5).map(|i| vec![(i, 1.0)]).collect::<Vec<_>>());
    }
}
