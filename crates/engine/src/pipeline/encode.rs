//! Typed blocks → stored chunks. The compressed form is used only if it makes the chunk smaller.

use rres_compat as raylib;
use rres_format::Limits;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageView, PixelFormat};
use rres_format::limits::MAX_CHUNKS;
use rres_format::{AssetKind, ChunkInfo, Compression, Compressor, FourCc, StoredChunk};
use rres_import::{Alternative, Asset, Block, ImportError};

use super::facts::{facts, video_memory};
use super::raylib::{for_raylib, refuse};
use crate::cache::EncodedResource;
use crate::settings::{Compat, Filters, Settings};

/// Encodes the resources of one source.
pub(super) fn encode(
    resources: Vec<Asset>,
    settings: &Settings,
    compat: Option<Compat>,
) -> Result<Vec<EncodedResource>, ImportError> {
    let mut encoder = Encoder { compressor: compressor(settings), wanted: settings.asset.compression, compat };
    resources.into_iter().map(|resource| encoder.encode_smaller(resource)).collect()
}

/// What compresses the blocks of a source.
pub(super) fn compressor(settings: &Settings) -> Compressor {
    match (settings.asset.filters, settings.asset.level) {
        (Some(Filters::Fast), _) => Compressor::fast(),
        (_, Some(level)) => Compressor::with_level(level),
        (_, None) => Compressor::default(),
    }
}

/// A resource that consists of these chunks.
pub(super) fn with_chunks(resource: Asset, chunks: Vec<StoredChunk<'static>>) -> EncodedResource {
    EncodedResource {
        facts: facts(&resource),
        video_memory: video_memory(&resource),
        name: resource.name,
        kind: resource.kind,
        chunks,
        meta: resource.meta,
        dependencies: resource.dependencies,
        summary: resource.summary,
        notes: resource.notes,
        parts: resource.parts,
    }
}

/// Bytes of all chunks of a resource.
fn stored_size(resource: &EncodedResource) -> u64 {
    resource.chunks.iter().map(|chunk| u64::from(chunk.info().packed_size)).sum()
}

/// What encodes the blocks of a source.
struct Encoder {
    compressor: Compressor,
    wanted: Option<Compression>,
    compat: Option<Compat>,
}

impl Encoder {
    /// Encodes a resource, or its alternative if that is smaller.
    fn encode_smaller(&mut self, mut resource: Asset) -> Result<EncodedResource, ImportError> {
        let Some(Alternative { asset, otherwise }) = resource.alternative.take().map(|alternative| *alternative) else {
            return self.encode_resource(resource);
        };
        let mut encoded = self.encode_resource(resource)?;
        let alternative = self.encode_resource(asset)?;
        if stored_size(&alternative) < stored_size(&encoded) {
            return Ok(alternative);
        }
        encoded.notes.push(otherwise);
        Ok(encoded)
    }

    fn encode_resource(&mut self, mut resource: Asset) -> Result<EncodedResource, ImportError> {
        if self.compat == Some(Compat::Raylib) {
            for_raylib(&mut resource)?;
        }
        let count = resource.blocks.len();
        if count > MAX_CHUNKS {
            let error =
                ImportError::new(format!("becomes {count} chunks, but a pack can contain at most {MAX_CHUNKS}"));
            return Err(error.with_help("split the source"));
        }
        // The file comes first: of pixels that are larger than it, nobody needs the rest.
        let form = resource.source_form.as_ref().filter(|_| self.compat.is_none());
        let mut file = form.map(|form| self.encode(&form.block)).transpose()?;
        let mut chunks = Vec::with_capacity(count);
        let mut is_file_smaller = false;
        for block in &resource.blocks {
            chunks.push(match file.take() {
                None => self.encode(block)?,
                Some(file) => match self.encode_within(block, file.info().packed_size)? {
                    Some(chunk) => chunk,
                    None => {
                        is_file_smaller = true;
                        file.with_link(block.linked)
                    }
                },
            });
        }
        if self.compat == Some(Compat::Raylib)
            && let Some(found) = chunks.iter().find_map(|chunk| raylib::check_header(chunk.info()))
        {
            return Err(refuse(&found));
        }
        if is_file_smaller {
            resource = resource.in_source_form();
        }
        Ok(with_chunks(resource, chunks))
    }

    fn encode(&mut self, block: &Block) -> Result<StoredChunk<'static>, ImportError> {
        let compression = choose(block, self.wanted, self.compat);
        let chunk = StoredChunk::encode(block.kind, &block.bytes, compression, &mut self.compressor);
        Ok(chunk.map_err(cannot_be_stored)?.with_link(block.linked))
    }

    /// Encodes a block to at most `limit` bytes, if it is not larger.
    fn encode_within(&mut self, block: &Block, limit: u32) -> Result<Option<StoredChunk<'static>>, ImportError> {
        let compression = choose(block, self.wanted, self.compat);
        let chunk = StoredChunk::encode_within(block.kind, &block.bytes, compression, &mut self.compressor, limit);
        Ok(chunk.map_err(cannot_be_stored)?.map(|chunk| chunk.with_link(block.linked)))
    }
}

fn cannot_be_stored(error: rres_format::Error) -> ImportError {
    ImportError::new(format!("cannot be stored: {error}"))
}

/// The compression of a block: the configured one, if the block and the readers support it.
fn choose(block: &Block, wanted: Option<Compression>, compat: Option<Compat>) -> Compression {
    // A reader decodes a larger block only if its options say so.
    if block.bytes.len() as u64 > Limits::DEFAULT.max_decoded {
        return Compression::NONE;
    }
    let for_raylib = compat == Some(Compat::Raylib);
    let payload = PayloadView::parse(&block.bytes);
    // rres-raylib.h skips five numbers in front of unpacked data, however many properties there are.
    let has_four_props = payload.is_ok_and(|payload| payload.prop_count() == 4);
    if !block.compressible || block.kind == FourCc::LINK || (for_raylib && !has_four_props) {
        return Compression::NONE;
    }
    let general = if for_raylib { Compression::DEFLATE } else { Compression::FILTERED };
    let chosen = match wanted {
        None => general,
        // QOI supports two formats; other images of the rule get the compression of the pack.
        Some(Compression::QOI) if !suits_qoi(block) => general,
        Some(compression) => compression,
    };
    match chosen {
        Compression::DEFLATE if for_raylib && block.bytes.len() as u64 > raylib::MAX_INFLATED => Compression::LZ4,
        chosen => chosen,
    }
}

/// [`choose`] for a block of `len` bytes that is a raw file.
pub(super) fn choose_for_raw(len: u64, wanted: Option<Compression>) -> Compression {
    match wanted {
        _ if len > Limits::DEFAULT.max_decoded => Compression::NONE,
        None | Some(Compression::QOI) => Compression::FILTERED,
        Some(compression) => compression,
    }
}

/// Why a chunk of an asset of kind `kind` has its compression, in words. `wanted` is the compression that the settings choose; the
/// opposite of [`choose`], for a chunk that was stored before.
pub(crate) fn why(kind: AssetKind, chunk: &ChunkInfo, wanted: Compression, compat: Option<Compat>) -> String {
    let stored = chunk.compression;
    if stored == Compression::SIBLING {
        return "a similar file of its folder is in the pack".to_owned();
    }
    if stored == wanted {
        return match stored {
            Compression::NONE => "the settings choose it".to_owned(),
            _ => "makes it smaller".to_owned(),
        };
    }
    if u64::from(chunk.base_size) > Limits::DEFAULT.max_decoded {
        return "readers refuse to decompress blocks of more than 1 GiB".to_owned();
    }
    match stored {
        Compression::NONE if chunk.kind == FourCc::LINK => "a link is stored as it is".to_owned(),
        Compression::NONE if matches!(kind, AssetKind::Sound | AssetKind::Image) && chunk.kind == FourCc::RAWD => {
            "the source is kept, which is compressed already".to_owned()
        }
        Compression::NONE if compat.is_some() => {
            format!("{wanted} would not make it smaller, or rres-raylib.h could not read it")
        }
        Compression::NONE => format!("{wanted} would not make it smaller"),
        Compression::ZSTD | Compression::LZ4 if wanted == Compression::FILTERED => {
            "makes it smaller; no filter does better".to_owned()
        }
        _ if wanted == Compression::QOI => "QOI holds single images in rgb8 and rgba8 only".to_owned(),
        _ => "rres-raylib.h could not read it otherwise".to_owned(),
    }
}

fn suits_qoi(block: &Block) -> bool {
    let view = PayloadView::parse(&block.bytes).and_then(ImageView::parse);
    block.kind == FourCc::IMGE
        && view.is_ok_and(|view| {
            let props = view.props();
            matches!(props.format, PixelFormat::RGB8 | PixelFormat::RGBA8) && props.mipmaps == 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_readers_would_not_decode_is_stored_as_it_is() {
        let block = |size: u64| Block::new(FourCc::RAWD, vec![0; size as usize]);
        let limit = Limits::DEFAULT.max_decoded;
        assert_eq!(choose(&block(limit), None, None), Compression::FILTERED);
        assert_eq!(choose(&block(limit + 1), None, None), Compression::NONE);
        assert_eq!(choose(&block(limit + 1), Some(Compression::LZ4), None), Compression::NONE);
        assert_eq!(choose_for_raw(limit, None), Compression::FILTERED);
        assert_eq!(choose_for_raw(limit + 1, Some(Compression::LZ4)), Compression::NONE);
    }

    #[test]
    fn the_compression_of_a_raw_file_follows_from_its_size() {
        let block = Block::raw_file("a.bin", &[1; 1000]);
        for wanted in [None, Some(Compression::NONE), Some(Compression::QOI), Some(Compression::LZ4)] {
            let expected = choose(&block, wanted, None);
            assert_eq!(choose_for_raw(block.bytes.len() as u64, wanted), expected, "{wanted:?}");
        }
    }

    #[test]
    fn raylib_inflates_64_mib() {
        // The four properties, without which nothing is compressed.
        let block = |size: u64| Block::new(FourCc::RAWD, [&[4, 0, 0, 0][..], &vec![0; size as usize - 4]].concat());
        let chosen = |size, wanted| choose(&block(size), wanted, Some(Compat::Raylib));
        assert_eq!(chosen(raylib::MAX_INFLATED, None), Compression::DEFLATE);
        assert_eq!(chosen(raylib::MAX_INFLATED + 1, None), Compression::LZ4);
        assert_eq!(chosen(raylib::MAX_INFLATED + 1, Some(Compression::DEFLATE)), Compression::LZ4);
        let of_three = Block::new(FourCc::RAWD, [&[3, 0, 0, 0][..], &[0; 996]].concat());
        assert_eq!(choose(&of_three, None, Some(Compat::Raylib)), Compression::NONE);
    }
}
