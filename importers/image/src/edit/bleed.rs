//! The colours of invisible pixels, taken from the visible ones around them.
//!
//! A sampler that blends neighbours blends their colours, too, whatever their alpha. Invisible pixels are often black, so
//! the edge of a sprite gets a dark fringe. Here colours spread outwards, ring by ring, until no pixel is left: mip
//! levels blend pixels that are far apart.

use super::Picture;

/// Gives each pixel with an alpha of 0 the average colour of its neighbours in the ring before it. `repeats` says that the
/// opposite edges are neighbours.
pub(super) fn bleed(picture: &mut Picture, repeats: bool) {
    let (width, height) = (picture.width, picture.height);
    let mut has_color: Vec<bool> = picture.pixels.iter().map(|pixel| pixel[3] > 0.0).collect();
    let neighbors = |i: usize| around(i % width, i / width, (width, height), repeats);
    let mut ring: Vec<usize> =
        (0..has_color.len()).filter(|i| !has_color[*i] && neighbors(*i).any(|near| has_color[near])).collect();
    let mut is_queued = has_color.clone();
    ring.iter().for_each(|i| is_queued[*i] = true);
    while !ring.is_empty() {
        for i in &ring {
            let (mut sum, mut count) = ([0.0; 3], 0.0);
            for near in neighbors(*i).filter(|near| has_color[*near]) {
                sum.iter_mut().zip(picture.pixels[near]).for_each(|(sum, v)| *sum += v);
                count += 1.0;
            }
            let [r, g, b] = sum.map(|v: f32| v / count);
            picture.pixels[*i] = [r, g, b, 0.0];
        }
        // Only now, so that the result does not depend on the order within the ring.
        ring.iter().for_each(|i| has_color[*i] = true);
        let mut next = Vec::new();
        for near in ring.iter().flat_map(|i| neighbors(*i)) {
            if !is_queued[near] {
                is_queued[near] = true;
                next.push(near);
            }
        }
        ring = next;
    }
}

/// The up to eight neighbours of a pixel.
fn around(x: usize, y: usize, (width, height): (usize, usize), repeats: bool) -> impl Iterator<Item = usize> {
    let step = move |at: usize, step: usize, edge: usize| match (at + step).checked_sub(1) {
        Some(at) if at < edge => Some(at),
        _ if repeats => Some((at + step + edge - 1) % edge),
        _ => None,
    };
    (0..9).filter(|i| *i != 4).filter_map(move |i| Some(step(y, i / 3, height)? * width + step(x, i % 3, width)?))
}
