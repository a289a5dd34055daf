//! The pictures whose blocks are compared.

use std::path::{Path, PathBuf};

use crate::Error;

/// The blocks of all formats are whole in edges that are a multiple of this.
const GRID: u32 = 24;

/// Pictures are cut to their middle of at most this edge, so that large ones do not outweigh the others.
const LARGEST: u32 = 264;

/// How many pictures of a folder are compared.
const COUNT: usize = 24;

/// A picture in RGBA8.
#[derive(Debug)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Whether every pixel is opaque.
    pub fn is_opaque(&self) -> bool {
        self.pixels.iter().all(|pixel| pixel[3] == u8::MAX)
    }

    /// The pixels of the blocks with this edge, block by block.
    pub fn by_blocks(&self, edge: u32) -> impl Iterator<Item = [u8; 4]> + '_ {
        let across = self.width / edge;
        (0..across * (self.height / edge)).flat_map(move |block| {
            let (left, top) = (block % across * edge, block / across * edge);
            (0..edge * edge).map(move |at| self.pixels[((top + at / edge) * self.width + left + at % edge) as usize])
        })
    }
}

/// Reads the pictures of `DIR[=COUNT]`, for each folder those whose contents have the smallest hashes.
pub fn choose(folders: &[String]) -> Result<Vec<Picture>, Error> {
    let mut pictures = Vec::new();
    for folder in folders {
        let (folder, count) = match folder.rsplit_once('=') {
            Some((folder, count)) => (folder, count.parse()?),
            None => (folder.as_str(), COUNT),
        };
        let mut paths = Vec::new();
        list(Path::new(folder), &mut paths)?;
        let mut files: Vec<(u32, Vec<u8>)> = Vec::new();
        for path in paths {
            let bytes = std::fs::read(path)?;
            files.push((crc32fast::hash(&bytes), bytes));
        }
        files.sort();
        files.dedup();
        let found = files.iter().filter_map(|(_, bytes)| picture(bytes)).take(count);
        let before = pictures.len();
        pictures.extend(found);
        println!("{} pictures of {folder}", pictures.len() - before);
    }
    Ok(pictures)
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), paths)?;
        } else if entry.path().extension().is_some_and(|extension| extension == "png") {
            paths.push(entry.path());
        }
    }
    Ok(())
}

/// The middle of a picture; `None` for files that are no pictures of 8 bits, and for those smaller than three grids.
fn picture(bytes: &[u8]) -> Option<Picture> {
    let image = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).ok()?.into_rgba8();
    let cut = |edge: u32| edge.min(LARGEST) / GRID * GRID;
    let (width, height) = (cut(image.width()), cut(image.height()));
    if width.min(height) < 3 * GRID {
        return None;
    }
    let (left, top) = ((image.width() - width) / 2, (image.height() - height) / 2);
    let at = |i: u32| image.get_pixel(left + i % width, top + i / width).0;
    let mut picture = Picture { width, height, pixels: (0..width * height).map(at).collect() };
    fill_invisible(&mut picture);
    Some(picture)
}

/// Gives invisible pixels the mean colour of the visible ones in their cell of the grid, as tools do before they encode. Without it
/// encoders that look at these colours would be compared at what nobody sees.
fn fill_invisible(picture: &mut Picture) {
    let across = picture.width / GRID;
    for cell in 0..across * (picture.height / GRID) {
        let at = |i: u32| {
            let (x, y) = (cell % across * GRID + i % GRID, cell / across * GRID + i / GRID);
            (y * picture.width + x) as usize
        };
        let places: Vec<usize> = (0..GRID * GRID).map(at).collect();
        let seen: Vec<[u8; 4]> =
            places.iter().map(|place| picture.pixels[*place]).filter(|pixel| pixel[3] > 0).collect();
        let mean = |channel: usize| {
            let sum: u32 = seen.iter().map(|pixel| u32::from(pixel[channel])).sum();
            (sum / (seen.len() as u32).max(1)) as u8
        };
        let fill = [mean(0), mean(1), mean(2), 0];
        for place in places {
            let pixel = &mut picture.pixels[place];
            if pixel[3] == 0 {
                *pixel = fill;
            }
        }
    }
}
