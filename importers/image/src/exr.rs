//! OpenEXR → floats. Halves and whole numbers become 32-bit floats; rres has no formats for them.
//!
//! A file may hold many pictures: parts, and layers in the names of their channels (`diffuse.R`). See [`Picture`] for the one that is stored.

use std::io::{Cursor, ErrorKind};

use ::exr::error::Error;
use ::exr::image::{AnyChannels, FlatSamples, Layer, read::read};
use ::exr::meta::MetaData;
use ::exr::meta::header::Header;
use ::exr::prelude::ReadChannels as _;
use ::exr::prelude::ReadLayers as _;
use rres_format::Limits;
use rres_format::chunk::image::{ImageProps, PixelFormat};

use super::{Decoded, ImportError, checked_size};

/// Decodes the picture of a file that is stored.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, ImportError> {
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(|e| explain(&e))?;
    if total_size(&meta.headers).is_none_or(|size| size > Limits::DEFAULT.max_decoded) {
        return Err(ImportError::new("is an OpenEXR file whose layers take more than 1 GiB")
            .with_help("export the layer that the game needs by itself, or scale it down"));
    }
    let picture = Picture::choose(&meta.headers)?;
    let window = meta.headers[picture.part].shared_attributes.display_window;
    let edge = |edge: usize| u32::try_from(edge).unwrap_or(u32::MAX);
    let props = ImageProps {
        width: edge(window.size.width()),
        height: edge(window.size.height()),
        format: picture.format(),
        mipmaps: 1,
    };
    checked_size(&props)?;
    let read = read().no_deep_data().largest_resolution_level().all_channels().all_layers().all_attributes();
    let image = read.non_parallel().from_buffered(Cursor::new(bytes)).map_err(|e| explain(&e))?;
    let layer = image.layer_data.get(picture.part).ok_or_else(|| damaged("a part is missing"))?;
    let mut out = Decoded::zeroed(props)?;
    out.linear = true;
    // The format defines colours as multiplied by alpha.
    out.premultiplied = picture.channels[3].is_some();
    let (at, origin) = (layer.attributes.layer_position, window.position);
    let from_origin = |at: i32, origin: i32| i64::from(at) - i64::from(origin);
    copy(layer, &picture, (from_origin(at.x(), origin.x()), from_origin(at.y(), origin.y())), &mut out)?;
    Ok(out)
}

/// An estimate of the bytes that are decoded.
pub(super) fn decoded_size(bytes: &[u8]) -> Option<u64> {
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).ok()?;
    let window = meta.headers.first()?.shared_attributes.display_window.size;
    total_size(&meta.headers)?
        .checked_add((window.width() as u64).checked_mul(window.height() as u64)?.checked_mul(16)?)
}

/// The bytes of all channels of all parts.
fn total_size(headers: &[Header]) -> Option<u64> {
    headers.iter().try_fold(0u64, |total, header| {
        let pixels = (header.layer_size.width() as u64).checked_mul(header.layer_size.height() as u64)?;
        total.checked_add(pixels.checked_mul(header.channels.list.len() as u64 * 4)?)
    })
}

/// Which channels of a file are stored.
///
/// Of the parts that have colours, it is the one with the most pixels, and of equal ones the first. In a part, the channels `R`, `G`,
/// `B` and `A` come before the channels of the first layer with such names. Parts without colours come last: their brightness `Y`, or their
/// only channel.
struct Picture {
    part: usize,
    /// The numbers of red, green, blue and alpha. Greys have one number in the first three.
    channels: [Option<usize>; 4],
    is_gray: bool,
}

impl Picture {
    fn choose(headers: &[Header]) -> Result<Self, ImportError> {
        let mut best: Option<((bool, usize), Self)> = None;
        for (part, header) in headers.iter().enumerate() {
            let names: Vec<String> = header.channels.list.iter().map(|channel| channel.name.to_string()).collect();
            let Some((channels, is_gray)) = channels(&names) else { continue };
            let value = (!is_gray, header.layer_size.area());
            if best.as_ref().is_none_or(|(other, _)| value > *other) {
                best = Some((value, Self { part, channels, is_gray }));
            }
        }
        best.map(|(_, picture)| picture).ok_or_else(|| {
            let names = headers.iter().flat_map(|header| &header.channels.list).map(|channel| channel.name.to_string());
            let names: Vec<String> = names.take(8).collect();
            ImportError::new(format!("is an OpenEXR file without colours: its channels are {}", names.join(", ")))
                .with_help("export it with the channels R, G and B, or with one channel")
        })
    }

    fn format(&self) -> PixelFormat {
        match (self.is_gray, self.channels[3]) {
            (true, None) => PixelFormat::R32F,
            (false, None) => PixelFormat::RGB32F,
            (_, Some(_)) => PixelFormat::RGBA32F,
        }
    }
}

/// The channels of a part that are stored, and whether they are grey.
fn channels(names: &[String]) -> Option<([Option<usize>; 4], bool)> {
    let find = |layer: &str, channel: &str| {
        names.iter().position(|name| name.strip_prefix(layer).is_some_and(|rest| rest.eq_ignore_ascii_case(channel)))
    };
    let layers = names.iter().filter_map(|name| name.rfind('.').map(|dot| &name[..=dot]));
    let layers: Vec<&str> = std::iter::once("").chain(layers).collect();
    let colors = layers.iter().find_map(|layer| {
        let [r, g, b] = ["R", "G", "B"].map(|channel| find(layer, channel));
        Some([Some(r?), Some(g?), Some(b?), find(layer, "A")])
    });
    if let Some(colors) = colors {
        return Some((colors, false));
    }
    let gray = layers.iter().find_map(|layer| Some((find(layer, "Y")?, find(layer, "A"))));
    let gray = gray.or_else(|| (names.len() == 1).then_some((0, None)));
    gray.map(|(y, alpha)| ([Some(y), Some(y), Some(y), alpha], true))
}

/// Copies the pixels of a part to where they are in the window that is shown. What the part does not cover stays zero.
fn copy(
    layer: &Layer<AnyChannels<FlatSamples>>,
    picture: &Picture,
    (left, top): (i64, i64),
    out: &mut Decoded,
) -> Result<(), ImportError> {
    let ImageProps { width, height, format, .. } = out.props;
    let count = format.bytes_per_pixel().unwrap_or(4) as usize / 4;
    let (from_width, from_height) = (layer.size.width(), layer.size.height());
    for (number, channel) in picture.channels.iter().take(count).enumerate() {
        let Some(samples) = channel.and_then(|channel| layer.channel_data.list.get(channel)) else { continue };
        let samples = &samples.sample_data;
        if samples.len() != from_width.saturating_mul(from_height) {
            return Err(damaged("a channel has another size than its part"));
        }
        for y in 0..from_height {
            let Ok(to_y) = u32::try_from(top + y as i64) else { continue };
            for x in 0..from_width {
                let Ok(to_x) = u32::try_from(left + x as i64) else { continue };
                if to_x >= width || to_y >= height {
                    break;
                }
                let value = samples.value_by_flat_index(y * from_width + x).to_f32();
                let at = ((to_y as usize * width as usize + to_x as usize) * count + number) * 4;
                out.data_mut()[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
        }
    }
    Ok(())
}

fn damaged(what: &str) -> ImportError {
    ImportError::damaged(format!("is a damaged OpenEXR file: {what}"))
}

fn explain(error: &Error) -> ImportError {
    match error {
        Error::NotSupported(what) => ImportError::new(format!("uses a part of OpenEXR that is not supported: {what}"))
            .with_help("save it with ZIP or PIZ compression, without subsampling and deep data"),
        Error::Io(io) if io.kind() == ErrorKind::UnexpectedEof => {
            ImportError::damaged("is an OpenEXR file that ends early")
        }
        other => damaged(&format!("its pixels cannot be decoded ({other})")),
    }
}
