//! Blocks as `rres-raylib.h` reads them, each by itself.

use super::{Reason, Unreadable};
use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::{TextEncoding, TextView};
use rres_format::chunk::vertex::{VertexAttribute, VertexView};

/// The most bytes of a link's path with its end: half of the buffer, whose other half is for the directory of the program.
const MAX_LINK: usize = 1024;

/// Returns the number of bytes that raylib computes for an image of one level (`GetPixelDataSize`), or `None` for a format that it
/// does not know and for edges and sizes that do not fit an `int`.
pub fn image_size(width: u32, height: u32, format: PixelFormat) -> Option<u64> {
    let bits: u64 = match format.0 {
        1 => 8,
        2 | 3 | 5 | 6 => 16,
        4 => 24,
        7 | 8 => 32,
        9 => 96,
        10 => 128,
        11 | 12 | 15 | 16 | 18 | 19 => 4,
        13 | 14 | 17 | 20 => 8,
        21 => 2,
        _ => return None,
    };
    let (Ok(_), Ok(_)) = (i32::try_from(width), i32::try_from(height)) else { return None };
    if width < 4 && height < 4 {
        match format.0 {
            11 | 12 => return Some(8),
            13..=20 => return Some(16),
            _ => {}
        }
    }
    // raylib computes in floating point, which is exact here.
    let size = (u64::from(width) * u64::from(height)).checked_mul(bits)? / 8;
    (size <= super::MAX_SIZE).then_some(size)
}

/// Checks a decoded block of a chunk of kind `kind`. `is_packed` tells that the chunk is compressed or encrypted. Blocks of other
/// kinds, and those that no reader can read, pass.
pub fn check_block(kind: FourCc, is_packed: bool, block: &[u8]) -> Vec<Unreadable> {
    let Ok(payload) = PayloadView::parse(block) else { return Vec::new() };
    let is_known = matches!(
        kind,
        FourCc::RAWD | FourCc::TEXT | FourCc::IMGE | FourCc::WAVE | FourCc::VRTX | FourCc::FNTG | FourCc::LINK
    );
    if !is_known {
        return Vec::new();
    }
    let mut found = Vec::new();
    if is_packed && payload.prop_count() != 4 {
        let properties = if payload.prop_count() == 1 { "property" } else { "properties" };
        let text = format!("has {} {properties} and is compressed or encrypted", payload.prop_count());
        found.push(Unreadable::new(Reason::PropertyCount, text));
    }
    match kind {
        FourCc::RAWD => found.extend(check_raw(payload)),
        FourCc::TEXT => found.extend(check_text(payload)),
        FourCc::IMGE => found.extend(check_image(payload, block.len() as u64)),
        FourCc::WAVE => found.extend(check_wave(payload)),
        FourCc::VRTX => found.extend(check_vertices(payload)),
        FourCc::LINK => found.extend(check_link(payload)),
        _ => {}
    }
    found
}

fn check_raw(payload: PayloadView<'_>) -> Option<Unreadable> {
    let view = RawView::parse(payload).ok()?;
    let extension = view.extension();
    (extension.len() == 8).then(|| {
        let found = format!("has the extension \"{}\" of 8 characters", extension.escape_ascii());
        Unreadable::new(Reason::Extension, found)
    })
}

fn check_text(payload: PayloadView<'_>) -> Option<Unreadable> {
    let view = TextView::parse(payload).ok()?;
    let encoding = view.props().encoding;
    if matches!(encoding, TextEncoding::UTF16_LE | TextEncoding::UTF16_BE) {
        return Some(Unreadable::new(Reason::TextEncoding, format!("is a text in {encoding}")));
    }
    let zero = view.bytes().iter().position(|byte| *byte == 0)?;
    let found = format!("is a text with a zero byte at offset {zero} of {}", view.bytes().len());
    Some(Unreadable::new(Reason::TextZero, found))
}

fn check_image(payload: PayloadView<'_>, base_size: u64) -> Option<Unreadable> {
    let ImageProps { width, height, format, mipmaps } = ImageProps::from_payload(&payload).ok()?;
    if mipmaps != 1 {
        return Some(Unreadable::new(Reason::MipLevels, format!("has {mipmaps} mip levels")));
    }
    if !format.is_rres() || format.0 == 0 {
        return Some(Unreadable::new(Reason::PixelFormat, format!("has pixels of format {format}")));
    }
    let size = base_size.saturating_sub(20);
    let expected = image_size(width, height, format);
    (expected != Some(size)).then(|| {
        let expects = expected.map_or_else(|| "none".to_owned(), |size| size.to_string());
        let found =
            format!("has {size} bytes for {width}×{height} pixels of format {format}, where raylib has {expects}");
        Unreadable::new(Reason::ImageSize, found)
    })
}

fn check_wave(payload: PayloadView<'_>) -> Option<Unreadable> {
    let [frames, _, sample_size, channels] = payload.first_props().ok()?;
    if !matches!(sample_size, 8 | 16 | 32) {
        return Some(Unreadable::new(Reason::SampleFormat, format!("has samples of {sample_size} bits")));
    }
    let bits = u128::from(frames) * u128::from(sample_size) * u128::from(channels);
    (bits > u32::MAX.into()).then(|| Unreadable::new(Reason::SoundSize, format!("has {} bytes of samples", bits / 8)))
}

fn check_vertices(payload: PayloadView<'_>) -> Option<Unreadable> {
    let props = VertexView::parse(payload).ok()?.props();
    if props.is_read_by_raylib() {
        return None;
    }
    let found = format!("has {} of {} × {} for each vertex", props.attribute, props.components, props.format);
    let reason = match props.attribute {
        VertexAttribute::INDEX => Reason::IndexFormat,
        _ => Reason::VertexFormat,
    };
    Some(Unreadable::new(reason, found))
}

fn check_link(payload: PayloadView<'_>) -> Option<Unreadable> {
    let size = payload.prop(0).ok()? as usize;
    let path = payload.data().get(..size)?;
    let end = path.iter().position(|byte| *byte == 0);
    match end {
        None => Some(Unreadable::new(Reason::LinkEnd, "is a link whose path does not end with a zero byte")),
        Some(len) if len >= MAX_LINK => {
            Some(Unreadable::new(Reason::LinkLength, format!("is a link with a path of {len} bytes")))
        }
        Some(_) => None,
    }
}
