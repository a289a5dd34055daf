//! Glyphs of one size → one or more pages: glyphs are drawn and packed into images with power-of-two edges, with padding around each.
//!
//! Characters that share a glyph share its place. Sizes are checked before anything is drawn. Glyphs are placed in
//! rows, the highest first. The glyphs of a font have few different heights, so rows are as dense as more complex
//! packing, and placing the 20,000 glyphs of a Chinese font takes no longer than sorting them.
//!
//! Characters that do not fit a page go to the next one, in ascending order, so that the first page has those that most texts need.

use std::collections::BTreeMap;
use std::fmt;

use rres_format::chunk::glyphs::Glyph;

/// The longest edge of a page. Every GPU of the last ten years supports it.
pub(super) const MAX_EDGE: u32 = 8192;

/// Most pixels of all pages of a size: four pages of the largest size.
const MAX_AREA: usize = 4 << 26;

/// Draws glyphs at one size.
pub(super) trait Draw {
    /// Bytes of a pixel.
    fn channels(&self) -> usize;

    /// The rectangle of a glyph's pixels, and its advance.
    fn bounds(&self, glyph: u16) -> Bounds;

    /// The pixels of a glyph, rows from the top, as many as its bounds have.
    fn draw(&self, glyph: u16) -> Vec<u8>;
}

/// The pixels of a glyph, from the pen on the baseline: right and up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) left: i32,
    pub(super) bottom: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) advance: f32,
}

/// The pixels of some glyphs, and the position of each.
pub(super) struct Page {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Rows from the top.
    pub(super) pixels: Vec<u8>,
    /// The characters of this page.
    pub(super) characters: Vec<(char, u16)>,
    /// By glyph index.
    placed: BTreeMap<u16, Glyph>,
}

/// The reason why glyphs do not fit.
#[derive(Debug)]
pub(super) enum Overflow {
    /// A single glyph is too large.
    Glyph { character: char, edge: u32 },
    /// All glyphs together are too large.
    Pages,
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glyph { character, edge } => {
                write!(f, "U+{:04X} alone is more than {edge} pixels wide or high", u32::from(*character))
            }
            Self::Pages => write!(f, "the atlas would be larger than four times {MAX_EDGE}×{MAX_EDGE} pixels"),
        }
    }
}

/// Draws and places the glyphs of `characters`, which are paired with their glyph indices, on pages with edges of at most `edge` pixels.
pub(super) fn pages(
    drawing: &dyn Draw,
    characters: &[(char, u16)],
    padding: u32,
    edge: u32,
) -> Result<Vec<Page>, Overflow> {
    let edge = 1 << edge.clamp(1, MAX_EDGE).ilog2();
    let bounds = all_bounds(drawing, characters, padding, edge)?;
    let mut pages = Vec::new();
    let mut rest = characters;
    loop {
        let (mut items, size) = match fitting(rest, &bounds, padding, edge, rest.len()) {
            Some(placed) => placed,
            None => {
                // The largest number of characters that fit. One does: its size was checked.
                let (mut fits, mut fails) = (1, rest.len());
                while fits + 1 < fails {
                    let middle = fits.midpoint(fails);
                    match fitting(rest, &bounds, padding, edge, middle) {
                        Some(_) => fits = middle,
                        None => fails = middle,
                    }
                }
                let Some(placed) = fitting(rest, &bounds, padding, edge, fits) else { return Err(Overflow::Pages) };
                placed
            }
        };
        let (own, others) = rest.split_at(items.characters);
        pages.push(page(drawing, &bounds, own, &mut items.glyphs, padding, size));
        rest = others;
        if rest.is_empty() {
            return Ok(pages);
        }
    }
}

/// The bounds of every glyph. All have a sane size.
fn all_bounds(
    drawing: &dyn Draw,
    characters: &[(char, u16)],
    padding: u32,
    edge: u32,
) -> Result<BTreeMap<u16, Bounds>, Overflow> {
    let mut all = BTreeMap::new();
    let mut area = 0usize;
    let most = (edge as usize).saturating_sub(2 * padding as usize);
    for &(character, glyph) in characters {
        if all.contains_key(&glyph) {
            continue;
        }
        let bounds = drawing.bounds(glyph);
        let far = |offset: i32| offset.unsigned_abs() > 4 * MAX_EDGE;
        let is_sane = bounds.width <= most
            && bounds.height <= most
            && !far(bounds.left)
            && !far(bounds.bottom)
            && bounds.advance.abs() <= 4.0 * MAX_EDGE as f32;
        if !is_sane {
            return Err(Overflow::Glyph { character, edge: most as u32 });
        }
        let is_empty = bounds.width == 0 || bounds.height == 0;
        if !is_empty {
            let room = 2 * padding as usize;
            area += (bounds.width + room) * (bounds.height + room);
        }
        if area > MAX_AREA {
            return Err(Overflow::Pages);
        }
        let advance = bounds.advance;
        all.insert(glyph, if is_empty { Bounds { advance, ..Bounds::default() } } else { bounds });
    }
    Ok(all)
}

/// Glyphs with places on one page.
struct Placed {
    glyphs: Vec<Item>,
    characters: usize,
}

/// Places the glyphs of the first `count` characters on a page, if they fit; also returns its size.
fn fitting(
    characters: &[(char, u16)],
    bounds: &BTreeMap<u16, Bounds>,
    padding: u32,
    edge: u32,
    count: usize,
) -> Option<(Placed, (usize, usize))> {
    let mut numbers: Vec<u16> = characters[..count].iter().map(|character| character.1).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let room = 2 * padding as usize;
    let sized = numbers.into_iter().filter_map(|number| Some((number, bounds.get(&number)?)));
    let mut glyphs: Vec<Item> = sized
        .filter(|(_, bounds)| bounds.width > 0)
        .map(|(number, bounds)| Item { number, width: bounds.width + room, height: bounds.height + room, x: 0, y: 0 })
        .collect();
    let size = pack(&mut glyphs, edge)?;
    Some((Placed { glyphs, characters: count }, size))
}

fn page(
    drawing: &dyn Draw,
    bounds: &BTreeMap<u16, Bounds>,
    characters: &[(char, u16)],
    items: &mut [Item],
    padding: u32,
    (page_width, page_height): (usize, usize),
) -> Page {
    let channels = drawing.channels();
    let mut pixels = vec![0; page_width * page_height * channels];
    let mut placed = BTreeMap::new();
    for (_, number) in characters {
        let Bounds { left, bottom, width, height, advance } = bounds.get(number).copied().unwrap_or_default();
        let glyph = Glyph {
            width: width as i32,
            height: height as i32,
            offset_x: left,
            // Relative to the baseline, until the line is known.
            offset_y: -(bottom + height as i32),
            advance_x: advance.round() as i32,
            ..Glyph::default()
        };
        placed.insert(*number, glyph);
    }
    for item in items {
        let (left, top) = (item.x + padding as usize, item.y + padding as usize);
        let Some(glyph) = placed.get_mut(&item.number) else { continue };
        let drawn = drawing.draw(item.number);
        let row_size = glyph.width as usize * channels;
        for (row, drawn) in drawn.chunks_exact(row_size).take(glyph.height as usize).enumerate() {
            let start = ((top + row) * page_width + left) * channels;
            pixels[start..start + row_size].copy_from_slice(drawn);
        }
        (glyph.x, glyph.y) = (left as i32, top as i32);
    }
    Page { width: page_width as u32, height: page_height as u32, pixels, characters: characters.to_vec(), placed }
}

impl Page {
    /// The table entries of the characters, on a line whose baseline is `baseline` pixels below its top.
    pub(super) fn glyphs(&self, baseline: i32) -> Vec<Glyph> {
        let glyph = |(character, number): &(char, u16)| {
            let glyph = self.placed.get(number).copied().unwrap_or_default();
            let offset_y = if glyph.height == 0 { 0 } else { baseline + glyph.offset_y };
            Glyph { codepoint: u32::from(*character).cast_signed(), offset_y, ..glyph }
        };
        self.characters.iter().map(glyph).collect()
    }
}

/// A glyph with its padding.
struct Item {
    number: u16,
    width: usize,
    height: usize,
    x: usize,
    y: usize,
}

/// Places the items in rows on the smallest page that fits them, and returns its size; `None` if no page does.
fn pack(items: &mut [Item], edge: u32) -> Option<(usize, usize)> {
    items.sort_by_key(|item| (usize::MAX - item.height, usize::MAX - item.width, item.number));
    let edges = || (0..=edge.max(1).ilog2()).map(|power| 1usize << power);
    let pages = edges().filter_map(|width| {
        let height = rows(items, width, |_, _, _| {})?.next_power_of_two();
        (height <= edge as usize).then_some((width, height))
    });
    // Of equally large pages, choose the squarest, and of these the wider one.
    let (width, height) = pages.min_by_key(|(width, height)| (width * height, *width.max(height), *height))?;
    rows(items, width, |item, x, y| (item.x, item.y) = (x, y));
    Some((width, height))
}

/// Places the items in rows of this width, and returns the total height; `None` if an item is wider.
fn rows(items: &mut [Item], width: usize, place: impl Fn(&mut Item, usize, usize)) -> Option<usize> {
    let (mut x, mut y, mut row) = (0, 0, 0);
    for item in items {
        if item.width > width {
            return None;
        }
        if x + item.width > width {
            (x, y, row) = (0, y + row, 0);
        }
        place(item, x, y);
        x += item.width;
        row = row.max(item.height);
    }
    Some(y + row)
}
