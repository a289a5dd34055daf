//! The layout of a block: the places and sizes of pixels, samples and vertices.

use rres_codec::MAX_CHANNELS;

use crate::chunk::PayloadView;
use crate::chunk::image::{ImageProps, ImageView, PixelFormat, level_edge};
use crate::chunk::vertex::{VertexFormat, VertexView};
use crate::chunk::wave::WaveView;
use crate::fourcc::FourCc;

/// Levels of an image smaller than this are one region, without rows.
const SMALL: usize = 4 << 10;

/// What the numbers of a region are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    /// Channels of 8 bits.
    Channels,
    /// Channels of `f32`.
    Floats,
    /// Integers of samples, indices, or packed channels.
    Integers,
    /// 16-bit samples of at most [`MAX_CHANNELS`] channels.
    Samples,
    /// Blocks of pixels, or records.
    Records,
}

/// A piece of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) numbers: Numbers,
    /// Its size in bytes: whole rows, or whole pixels if it has one row.
    pub(super) size: usize,
    /// Pixels of a row.
    pub(super) width: usize,
    /// Bytes of a pixel, frame or vertex.
    pub(super) pixel: usize,
    /// Bytes of a number.
    pub(super) element: usize,
}

/// Returns where the data of `block` starts, and its regions. They may end before the block does.
pub(super) fn layout(kind: FourCc, block: &[u8]) -> Option<(usize, Vec<Region>)> {
    let payload = PayloadView::parse(block).ok()?;
    let line = |numbers, size: usize, pixel: usize, element| {
        let width = size / pixel.max(1);
        (pixel > 0 && width > 0).then(|| vec![Region { numbers, size: width * pixel, width, pixel, element }])
    };
    let regions = match kind {
        FourCc::IMGE => image(ImageView::parse(payload).ok()?.props())?,
        FourCc::WAVE => {
            let view = WaveView::parse(payload).ok()?;
            let (sample, channels) = (view.props().sample_size as usize / 8, view.props().channels as usize);
            let numbers = match sample {
                2 if channels <= MAX_CHANNELS => Numbers::Samples,
                4 => Numbers::Floats,
                _ => Numbers::Integers,
            };
            let element = if matches!(sample, 1 | 2 | 4) { sample } else { 1 };
            line(numbers, view.samples().len(), sample * channels, element)?
        }
        FourCc::VRTX => {
            let view = VertexView::parse(payload).ok()?;
            let component = view.props().format.size()? as usize;
            let numbers = match view.props().format {
                VertexFormat::FLOAT => Numbers::Floats,
                _ => Numbers::Integers,
            };
            // Indices go up and down from one to the next, whatever triangle they are of.
            line(numbers, view.data().len(), component * view.props().components as usize, component)?
        }
        // Four properties, then records of eight numbers.
        FourCc::FNTG => line(Numbers::Records, payload.data().len(), 32, 4)?,
        _ => return None,
    };
    Some((payload.data_offset(), regions))
}

fn image(props: ImageProps) -> Option<Vec<Region>> {
    let ImageProps { width, height, format, mipmaps } = props;
    let (numbers, pixel, element) = match (format, format.bytes_per_pixel(), format.pixel_block()) {
        (PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F, Some(size), _) => (Numbers::Floats, size, 4),
        (PixelFormat::RGB565 | PixelFormat::RGBA5551 | PixelFormat::RGBA4444, ..) => (Numbers::Integers, 2, 2),
        (_, Some(size), _) => (Numbers::Channels, size, 1),
        (_, _, Some(block)) => (Numbers::Records, block.size, 1),
        _ => return None,
    };
    let pixel = pixel as usize;
    let mut regions = Vec::new();
    for level in 0..mipmaps {
        let (width, height) = (level_edge(width, level), level_edge(height, level));
        let row = usize::try_from(format.bytes_per_row(width)?).ok()?;
        let size = row.checked_mul(format.rows(height) as usize)?;
        match regions.last_mut() {
            Some(Region { size: whole, width, .. }) if level > 0 && size < SMALL => {
                // The first small level starts the region of all of them.
                if *whole < SMALL || *width * pixel == *whole {
                    *whole += size;
                    *width = *whole / pixel;
                    continue;
                }
                regions.push(Region { numbers, size, width: size / pixel, pixel, element });
            }
            _ => regions.push(Region { numbers, size, width: row / pixel, pixel, element }),
        }
    }
    Some(regions)
}
