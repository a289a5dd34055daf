//! Aseprite files → the pixels of each frame, as Aseprite shows them.
//!
//! [`file`] reads the chunks, [`render`] draws the layers of a frame over each other, [`blend`] has the blend modes. Hidden layers and
//! reference layers are left out. Cels stay compressed until they are drawn, row by row, so a file cannot claim more memory than its
//! frames take.

mod blend;
mod file;
mod render;

use rres_format::chunk::image::{ImageProps, PixelFormat};

pub(super) use self::file::{File, Tag};
use rres_import::Note;

use super::{Decoded, ImportError, checked_size};

/// The numbers of the header: frames, width and height. `None` if it is cut off.
fn header(bytes: &[u8]) -> Option<[u32; 3]> {
    let number = |at: usize| Some(u32::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    Some([number(6)?, number(8)?, number(10)?])
}

/// The number of frames, by the header.
pub(super) fn frames(bytes: &[u8]) -> u32 {
    header(bytes).map_or(0, |[frames, ..]| frames)
}

/// The size of one frame in bytes, by the header, and what is unpacked to draw it.
pub(super) fn decoded_size(bytes: &[u8]) -> Option<u64> {
    let [_, width, height] = header(bytes)?;
    let parts = File::parse(bytes).map_or(0, |file| file.memory());
    Some(u64::from(width) * u64::from(height) * 4 + parts)
}

/// The first frame.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImportError> {
    let file = File::parse(bytes)?;
    let (width, height) = file.size;
    let props = ImageProps { width, height, format: PixelFormat::RGBA8, mipmaps: 1 };
    checked_size(&props)?;
    file.check_work(1)?;
    let mut out = Decoded::zeroed(props)?;
    file.draw(0, out.data_mut())?;
    if file.frames.len() > 1 {
        let detail = format!("{} frames", file.frames.len());
        let note = Note::new("only the first picture of an animation is stored").with_detail(detail);
        out.notes.push(note.with_help("store all with image = { frames = \"all\" }, or accept it with notes = false"));
    }
    Ok(out)
}

/// The colour profile, if the file has one of its own.
pub(super) fn profile(bytes: &[u8]) -> Option<&[u8]> {
    File::parse(bytes).ok()?.profile
}

fn damaged(what: impl std::fmt::Display) -> ImportError {
    ImportError::damaged(format!("is a damaged Aseprite file: {what}"))
}

fn unsupported(what: impl std::fmt::Display) -> ImportError {
    ImportError::new(format!("is an Aseprite file with {what}, which is not supported"))
        .with_help("export it from Aseprite as PNG, or as a sprite sheet with JSON data")
}
