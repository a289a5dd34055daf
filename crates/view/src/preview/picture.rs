//! Pixels as characters: each shows two pixels, one above the other, as its colour and its background.

use crate::screen::{Area, Color, Palette, Screen, Style};

/// Two grays that transparent pixels show, as image editors do.
const CHECKERS: [u8; 2] = [72, 104];
/// The edge of a square of one gray, in pixels of the preview.
const CHECKER_EDGE: usize = 4;

/// The largest factor for enlarging small pictures.
const MAX_ZOOM: u32 = 8;

/// Pixels of 8-bit RGBA.
pub(in super::super) struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
    /// The pixels that were shown last, and the space that they were scaled to.
    scaled: Option<(Space, Scaled)>,
}

/// The largest number of pixels, horizontally and vertically.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Space(u32, u32);

/// Opaque pixels.
pub(in super::super) struct Scaled {
    pub(in super::super) width: usize,
    pub(in super::super) height: usize,
    pub(in super::super) pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub(super) fn new(width: u32, height: u32, pixels: Vec<u8>) -> Self {
        Self { width, height, pixels, scaled: None }
    }

    pub(super) fn draw(&mut self, screen: &mut Screen, area: Area, palette: Palette) {
        if area.is_empty() {
            return;
        }
        let space = Space(area.width.into(), u32::from(area.height) * 2);
        if self.scaled.as_ref().is_none_or(|(known, _)| *known != space) {
            self.scaled = Some((space, self.scale(space.0, space.1)));
        }
        let Some((_, scaled)) = &self.scaled else { return };
        for row in 0..scaled.height.div_ceil(2) {
            for column in 0..scaled.width {
                let pixel =
                    |y: usize| scaled.pixels.get(y * scaled.width + column).copied().filter(|_| y < scaled.height);
                let (upper, lower) = (pixel(row * 2), pixel(row * 2 + 1));
                let (x, y) = (area.x + column as u16, area.y + row as u16);
                let color = |pixel: Option<[u8; 3]>| pixel.map_or(Color::Default, |[r, g, b]| Color::Rgb(r, g, b));
                if palette == Palette::None {
                    screen.set(x, y, shade(upper, lower), Style::PLAIN);
                } else {
                    let style = Style { background: color(lower), ..Style::colored(color(upper)) };
                    screen.set(x, y, '▀', style);
                }
            }
        }
    }

    /// Scales the picture to a space: down by averages, or up by a whole factor, so that pixel art stays what it is.
    pub(in super::super) fn scale(&self, max_width: u32, max_height: u32) -> Scaled {
        let zoom = (max_width / self.width.max(1)).min(max_height / self.height.max(1)).min(MAX_ZOOM);
        let (width, height) = if zoom >= 1 {
            (self.width * zoom, self.height * zoom)
        } else {
            let factor =
                (f64::from(max_width) / f64::from(self.width)).min(f64::from(max_height) / f64::from(self.height));
            let scale = |edge: u32| ((f64::from(edge) * factor).round() as u32).max(1);
            (scale(self.width).min(max_width), scale(self.height).min(max_height))
        };
        let mut pixels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let checker = CHECKERS[(x as usize / CHECKER_EDGE + y as usize / CHECKER_EDGE) % 2];
                pixels.push(self.average(span(x, width, self.width), span(y, height, self.height), checker));
            }
        }
        Scaled { width: width as usize, height: height as usize, pixels }
    }

    /// Returns the average colour of a rectangle over a gray. At most 16 × 16 pixels of it are read: large pictures have to
    /// be quick, too.
    fn average(&self, xs: std::ops::Range<u32>, ys: std::ops::Range<u32>, behind: u8) -> [u8; 3] {
        const MOST: usize = 16;
        let (mut sum, mut count) = ([0u32; 3], 0);
        let step = |range: &std::ops::Range<u32>| range.len().div_ceil(MOST).max(1);
        for y in ys.clone().step_by(step(&ys)) {
            for x in xs.clone().step_by(step(&xs)) {
                let at = (y as usize * self.width as usize + x as usize) * 4;
                let Some([r, g, b, a]) = self.pixels.get(at..).and_then(|rest| rest.first_chunk().copied()) else {
                    continue;
                };
                let alpha = u32::from(a);
                for (sum, value) in sum.iter_mut().zip([r, g, b]) {
                    *sum += (u32::from(value) * alpha + u32::from(behind) * (255 - alpha)) / 255;
                }
                count += 1;
            }
        }
        sum.map(|sum| (sum / count.max(1)) as u8)
    }
}

/// Returns the source pixels that one of `count` pixels shows.
fn span(position: u32, count: u32, source: u32) -> std::ops::Range<u32> {
    let at = |position: u32| (u64::from(position) * u64::from(source) / u64::from(count.max(1))) as u32;
    let start = at(position).min(source.saturating_sub(1));
    start..at(position + 1).max(start + 1).min(source)
}

/// Returns the character that is as bright as two pixels.
fn shade(upper: Option<[u8; 3]>, lower: Option<[u8; 3]>) -> char {
    const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
    let pixels = || upper.into_iter().chain(lower);
    let sum: u32 =
        pixels().map(|[r, g, b]| (u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114) / 1000).sum();
    let mean = sum / pixels().count().max(1) as u32;
    SHADES[(mean * 5 / 256) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_keep_their_proportions() {
        let picture =
            |width: u32, height: u32| Picture::new(width, height, vec![255; width as usize * height as usize * 4]);
        for ((width, height), expected) in [
            ((400, 100), (40, 10)),
            ((100, 400), (10, 40)),
            ((3, 2), (24, 16)),
            ((40, 40), (40, 40)),
            ((4000, 1), (40, 1)),
        ] {
            let scaled = picture(width, height).scale(40, 40);
            assert_eq!((scaled.width, scaled.height), expected, "{width} × {height}");
            assert_eq!(scaled.pixels.len(), scaled.width * scaled.height);
        }
    }

    #[test]
    fn transparent_pixels_show_checkers() {
        let picture = Picture::new(2, 1, vec![9, 9, 9, 0, 255, 0, 0, 255]);
        let scaled = picture.scale(2, 1);
        assert_eq!(scaled.pixels, [[72; 3], [255, 0, 0]]);
    }
}
