//! QOI as rres uses it: a QOI file whose pixels are the block (property count, properties, pixels) instead of only the
//! pixels of the image.
//!
//! The C packer writes `width × height` pixels and so loses the last 20 bytes of the block. This crate writes
//! additional rows, padded with zeros, for the 20 bytes: nothing is lost, and every C reader accepts the file.

use crate::chunk::{PayloadView, image::ImageProps};
use crate::encoding::Compression;
use crate::error::{Error, Result};
use crate::memory;
use crate::qoi_file::{self, QoiHeader};

/// Size of the property count and the four properties, which precede the pixels in the block.
const BLOCK_HEADER: usize = 20;

pub(super) fn compress(block: &[u8]) -> Result<Vec<u8>> {
    let refuse = |detail: String| Error::inconsistent("QOI compression", detail);
    let payload = PayloadView::parse(block)?;
    let props = ImageProps::from_payload(&payload)?;
    let channels = match props.format.bytes_per_pixel() {
        Some(channels @ 3..=4) if payload.prop_count() == 4 && props.mipmaps == 1 => channels,
        _ => {
            let ImageProps { format, mipmaps, .. } = props;
            let found = format!("{} properties, {format} pixels and {mipmaps} mip levels", payload.prop_count());
            return Err(refuse(format!("expected 4 properties, RGB8 or RGBA8 pixels and 1 mip level, found {found}")));
        }
    };
    let size = props.data_size()?;
    if props.format.has_alpha() != (channels == 4) || size != payload.data().len() as u64 {
        let found = payload.data().len();
        return Err(refuse(format!("expected {size} bytes of 8-bit channels, found {found} of {}", props.format)));
    }
    let row = props.width as usize * channels as usize;
    let height = props.height as usize + BLOCK_HEADER.div_ceil(row);
    let mut pixels = block.to_vec();
    pixels.resize(row * height, 0);
    let header = QoiHeader { width: props.width, height: height as u32, channels: channels as u8 };
    qoi_file::encode(header, &pixels).map_err(|e| refuse(e.to_string()))
}

pub(super) fn decompress(packed: &[u8], out: &mut [u8]) -> Result<()> {
    let damaged = |detail: String| Error::Decompress { compression: Compression::QOI, detail };
    let header = QoiHeader::parse(packed).map_err(|e| damaged(e.to_string()))?;
    let row = u64::from(header.width) * u64::from(header.channels);
    let decoded = header.data_size();
    // Accept both layouts: the C packer's lacks the last 20 bytes of the block, ours ends at most one row after it.
    let min = (out.len() as u64).saturating_sub(BLOCK_HEADER as u64);
    let max = out.len() as u64 + row;
    // The image has at least one row, so a row that is longer than the pixels of the block belongs to another image.
    if row > min || !(min..=max).contains(&decoded) {
        return Err(damaged(format!("its header declares {decoded} bytes of pixels, expected {min} to {max}")));
    }
    // A byte encodes at most a run of 62 pixels, which limits the size of the output.
    let operations = packed.len().saturating_sub(QoiHeader::SIZE) as u64;
    if decoded > operations * 62 * 4 {
        return Err(damaged(format!("{} bytes cannot decompress to {decoded}", packed.len())));
    }
    let mut pixels = memory::zeroed(decoded as usize)?;
    qoi_file::decode(packed, &mut pixels).map_err(|e| damaged(e.to_string()))?;
    let kept = pixels.len().min(out.len());
    out[..kept].copy_from_slice(&pixels[..kept]);
    out[kept..].fill(0);
    Ok(())
}
