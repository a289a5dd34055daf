//! Sizes of pictures → pages and places, by the skyline method: a new cell goes where its top comes to lie lowest, with the cells
//! so far as a skyline below. The tallest cells come first. Equal sizes give equal places.

use super::{AtlasOptions, Page, Place};

/// Width and height of a picture or a cell.
type Size = (u32, u32);

/// Places pictures of these sizes.
///
/// # Errors
/// The number of a picture that does not fit an empty page.
pub(crate) fn lay_out(sizes: &[Size], options: &AtlasOptions) -> Result<(Vec<Page>, Vec<Place>), usize> {
    let cells: Vec<Size> = sizes.iter().map(|(width, height)| (options.cell(*width), options.cell(*height))).collect();
    if let Some(large) = cells.iter().position(|(width, height)| *width.max(height) > options.max_size) {
        return Err(large);
    }
    let mut left: Vec<usize> = (0..cells.len()).collect();
    left.sort_by_key(|i| (std::cmp::Reverse((cells[*i].1, cells[*i].0)), *i));
    let (mut pages, mut places) = (Vec::new(), vec![Place { page: 0, x: 0, y: 0 }; cells.len()]);
    while !left.is_empty() {
        let mut page = Page::default();
        for (i, (x, y)) in fill(&cells, &left, options) {
            page.width = page.width.max(x + cells[i].0);
            page.height = page.height.max(y + cells[i].1);
            places[i] = Place { page: pages.len(), x: x + options.extrude, y: y + options.extrude };
            left.retain(|other| *other != i);
        }
        pages.push(page);
    }
    Ok((pages, places))
}

/// The cells of one page and their places: of the smallest page that takes all cells, or of one of the largest size.
fn fill(cells: &[Size], order: &[usize], options: &AtlasOptions) -> Vec<(usize, (u32, u32))> {
    let area: u64 = order.iter().map(|i| u64::from(cells[*i].0) * u64::from(cells[*i].1)).sum();
    let max = options.max_size / options.square() * options.square();
    // Nearly square pages, wider ones first: 64×64, 128×64, 128×128, …
    let mut size = (options.square().max(16), options.square().max(16));
    loop {
        let page = (size.0.min(max), size.1.min(max));
        let is_largest = page == (max, max);
        if is_largest || u64::from(page.0) * u64::from(page.1) >= area {
            let mut skyline = Skyline::new(page);
            let placed = order.iter().filter_map(|i| Some((*i, skyline.place(cells[*i])?)));
            let placed: Vec<_> = placed.collect();
            if is_largest || placed.len() == order.len() {
                return placed;
            }
        }
        size = if size.0 > size.1 { (size.0, size.1 * 2) } else { (size.0 * 2, size.1) };
    }
}

/// The outline of the cells of a page: runs of columns, from the left, which are taken down to some row.
struct Skyline {
    page: Size,
    /// The first column of a run and the first free row below it. A run extends to the next one.
    runs: Vec<(u32, u32)>,
}

impl Skyline {
    fn new(page: Size) -> Self {
        Self { page, runs: vec![(0, 0)] }
    }

    /// The place of a new cell, or `None` if there is none.
    fn place(&mut self, (width, height): Size) -> Option<(u32, u32)> {
        let starts = self.runs.iter().enumerate().filter_map(|(run, (x, _))| {
            let end = x + width;
            let below = self.runs[run..].iter().take_while(|(start, _)| *start < end);
            let y = below.map(|(_, free)| *free).max()?;
            (end <= self.page.0 && y + height <= self.page.1).then_some((y, *x))
        });
        let (y, x) = starts.min()?;
        self.cover(x, x + width, y + height);
        Some((x, y))
    }

    /// Takes the columns from `x` to `end` down to the row `free`.
    fn cover(&mut self, x: u32, end: u32, free: u32) {
        let of_end = self.runs.iter().rev().find(|(start, _)| *start <= end).map_or(0, |(_, free)| *free);
        let has_end = self.runs.iter().any(|(start, _)| *start == end);
        self.runs.retain(|(start, _)| *start < x || *start >= end);
        let at = self.runs.partition_point(|(start, _)| *start < x);
        self.runs.insert(at, (x, free));
        if !has_end && end < self.page.0 {
            self.runs.insert(at + 1, (end, of_end));
        }
    }
}
