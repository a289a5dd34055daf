//! QOI as rres uses it: an image file whose pixels are the first bytes of the block (property count, properties,
//! pixels), not the pixels alone.
//!
//! The C packer describes `width × height` pixels and so loses the last 20 bytes of the block. We describe as many
//! more rows as the 20 bytes need, zero-padded, which every C reader accepts and nothing is lost.

use super::compress::Compression;
use crate::chunk::{PayloadView, image::ImageProps};
use crate::error::{Error, Result};

/// Bytes before the pixels: property count and four properties.
const HEAD: usize = 20;

/// Bytes before the first QOI operation; the end marker takes 8 more.
const FILE_HEADER: usize = 14;

pub(super) fn compress(block: &[u8]) -> Result<Vec<u8>> {
    let refuse = |detail: String| Error::inconsistent("QOI compression", detail);
    let payload = PayloadView::parse(block)?;
    let props = ImageProps::from_payload(&payload)?;
    let channels = match props.format.bytes_per_pixel() {
        Some(channels @ 3..=4) if payload.prop_count() == 4 && props.mipmaps == 1 => channels,
        _ => {
            let detail = format!("needs RGB8 or RGBA8 pixels, one mip level; got {}, {}", props.format, props.mipmaps);
            return Err(refuse(detail));
        }
    };
    let size = props.data_size()?;
    if props.format.has_alpha() != (channels == 4) || size != payload.data().len() as u64 {
        return Err(refuse(format!("{} is not a format of {channels} 8-bit channels", props.format)));
    }
    let row = props.width as usize * channels as usize;
    let height = props.height as usize + HEAD.div_ceil(row);
    let mut pixels = block.to_vec();
    pixels.resize(row * height, 0);
    qoi::encode_to_vec(&pixels, props.width, height as u32).map_err(|e| refuse(e.to_string()))
}

pub(super) fn decompress(packed: &[u8], out: &mut [u8]) -> Result<()> {
    let damaged = |detail: String| Error::Decompress { compression: Compression::QOI, detail };
    let mut decoder = qoi::Decoder::new(packed).map_err(|e| damaged(e.to_string()))?;
    let header = *decoder.header();
    let row = u64::from(header.width) * u64::from(header.channels.as_u8());
    let decoded = row * u64::from(header.height);
    // Both layouts: ours covers the block and at most its head's worth of rows more, the C packer's lacks the head.
    let least = (out.len() as u64).saturating_sub(HEAD as u64);
    let most = out.len() as u64 + row;
    // An image has at least one row, so that a row wider than the pixels of the block describes another image.
    if row > least || !(least..=most).contains(&decoded) {
        let detail = format!("describes {} rows of {row} bytes, expected {least} to {most} bytes", header.height);
        return Err(damaged(detail));
    }
    // A run codes at most 62 pixels in a byte: more cannot come out of this many bytes.
    let operations = packed.len().saturating_sub(FILE_HEADER) as u64;
    if decoded > operations * 62 * 4 {
        return Err(damaged(format!("{} bytes cannot become {decoded}", packed.len())));
    }
    let pixels = decoder.decode_to_vec().map_err(|e| damaged(e.to_string()))?;
    let kept = pixels.len().min(out.len());
    out[..kept].copy_from_slice(&pixels[..kept]);
    out[kept..].fill(0);
    Ok(())
}
