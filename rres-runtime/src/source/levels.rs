//! The chunk of an image → the levels that a limit leaves, without the larger ones.
//!
//! A chunk has the levels from the largest to the smallest, compressed in frames that can be decoded one by one. So the frames of large levels
//! are left out, and what is made is the chunk of a smaller image.

use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Entry, ImageShape, Meta, MetaKey};
use rres_format::{AssetKind, ChunkView, Cipher, Compression, FourCc};

use super::decode::with_decompressor;
use crate::bytes::{AssetBytes, Backing};
use crate::error::Result;
use crate::resource::Chunk;

/// The longest head of an image: its properties.
const HEAD: usize = 64;

/// What of an image is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelLimit {
    /// The longest edge of the first level, in pixels; that of one face, layer or slice.
    pub(crate) edge: u32,
    /// How many pictures one above the other an image is.
    layers: u32,
}

impl LevelLimit {
    /// The limit for one asset; `None` if it does not apply to it. Positions in images that show several pictures are in pixels of the first level, so these
    /// stay whole.
    pub(super) fn of(edge: Option<u32>, entry: &Entry<'_>, meta: &Meta) -> Option<Self> {
        let is_single = entry.kind == Some(AssetKind::Image) && entry.chunk_count == 1;
        let layers = ImageShape::of(|key| meta.get(key)).layers();
        edge.filter(|_| is_single).map(|edge| Self { edge, layers })
    }
}

/// Reads an image within a limit. `whole` reads all of it. Returns the properties that it has in the pack, if levels were left out.
pub(super) fn read(
    chunk: ChunkView<'_>,
    limit: LevelLimit,
    whole: impl FnOnce() -> Result<Chunk>,
) -> Result<(Chunk, Option<ImageProps>)> {
    if chunk.info.kind != FourCc::IMGE {
        return Ok((whole()?, None));
    }
    if !is_decoded_in_parts(&chunk) {
        let all = whole()?;
        let found = Found::of(&all.block, limit)?;
        let Some(Found { part, props, data, end }) = found else { return Ok((all, None)) };
        // A block may be shorter than its properties say, which is an error of the image as a whole.
        let Some(levels) = all.block.get(data..end) else { return Ok((all, None)) };
        let block = AssetBytes::new(Backing::Owned(part.block(levels).into()));
        return Ok((Chunk { kind: all.kind, block }, Some(props)));
    }
    let size = chunk.block_size()?;
    let head = with_decompressor(|decompressor| chunk.decode_range(decompressor, 0..size.min(HEAD)))?;
    let found = Found::of(&head, limit)?.filter(|found| found.end <= size);
    let Some(Found { part, props, data, end }) = found else { return Ok((whole()?, None)) };
    let properties = part.block(&[]);
    let block = Backing::filled(properties.len() + (end - data), |out| {
        let (start, levels) = out.split_at_mut(properties.len());
        start.copy_from_slice(&properties);
        with_decompressor(|decompressor| chunk.decode_range_into(decompressor, data, levels))
    })?;
    Ok((Chunk { kind: chunk.info.kind, block: AssetBytes::new(block) }, Some(props)))
}

/// Returns the properties of an image in the pack, decoding as little as possible; `None` for other assets.
pub(super) fn image_props(
    chunk: Option<ChunkView<'_>>,
    meta: &Meta,
    whole: impl FnOnce(ChunkView<'_>) -> Result<Chunk>,
) -> Result<Option<ImageProps>> {
    let number = |key| meta.get(key);
    if let (Some(width), Some(height), Some(format)) =
        (number(MetaKey::WIDTH), number(MetaKey::HEIGHT), number(MetaKey::PIXEL_FORMAT))
    {
        return Ok(Some(ImageProps { width, height, format: PixelFormat(format), mipmaps: 1 }));
    }
    let Some(chunk) = chunk.filter(|chunk| chunk.info.kind == FourCc::IMGE) else { return Ok(None) };
    if !is_decoded_in_parts(&chunk) {
        return Ok(Some(ImageProps::from_payload(&whole(chunk)?.payload()?)?));
    }
    let size = chunk.block_size()?;
    let head = with_decompressor(|decompressor| chunk.decode_range(decompressor, 0..size.min(HEAD)))?;
    Ok(Some(ImageProps::from_payload(&PayloadView::parse(&head)?)?))
}

/// Whether a part of the chunk can be read without the rest, and without other chunks.
fn is_decoded_in_parts(chunk: &ChunkView<'_>) -> bool {
    chunk.info.cipher == Cipher::NONE && !matches!(chunk.info.compression, Compression::DELTA | Compression::SIBLING)
}

/// The levels that are within a limit.
struct Found {
    /// The properties of the image that they are.
    part: ImageProps,
    /// The properties of the whole image.
    props: ImageProps,
    /// Where they begin and end in the block.
    data: usize,
    end: usize,
}

impl Found {
    /// Finds them by the start of a block; `None` if these are all levels.
    fn of(head: &[u8], limit: LevelLimit) -> Result<Option<Self>> {
        let payload = PayloadView::parse(head)?;
        let props = ImageProps::from_payload(&payload)?;
        let (size, level) = (props.data_size()?, props.first_level_within(limit.edge, limit.layers));
        let Some(part) = props.from_level(level).filter(|_| level > 0) else { return Ok(None) };
        let end = payload.data_offset() as u64 + size;
        let (data, end) = (usize::try_from(end - part.data_size()?), usize::try_from(end));
        // More than this machine can address is found out when the whole image is read.
        Ok(data.ok().zip(end.ok()).map(|(data, end)| Self { part, props, data, end }))
    }
}
