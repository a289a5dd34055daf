//! Typed blocks → stored chunks: which compression each gets, kept only where it pays.

use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageView, PixelFormat};
use rres_format::{Compression, Compressor, FourCc, StoredChunk};

use crate::cache::StoredPart;
use crate::import::{Block, ImportError, Part};
use crate::settings::{self, Compat, Settings};

/// Most bytes that raylib's inflate can unpack: it writes beyond its buffer after that.
const RAYLIB_MOST_DEFLATE: usize = 64 << 20;

/// Encodes the parts of one source.
pub(crate) fn encode(
    parts: Vec<Part>,
    settings: &Settings,
    compat: Option<Compat>,
) -> Result<Vec<StoredPart>, ImportError> {
    let mut compressor = settings.level.map_or_else(Compressor::default, Compressor::with_level);
    let mut encode = |block: &Block| {
        let compression = choose(block, settings.compression, compat);
        let chunk = StoredChunk::encode(block.kind, &block.bytes, compression, &mut compressor)
            .map_err(|e| ImportError::new(format!("cannot be stored: {e}")))?;
        Ok(if block.linked { chunk } else { chunk.unlinked() })
    };
    let mut stored = Vec::with_capacity(parts.len());
    for part in parts {
        if part.blocks.len() > usize::from(u16::MAX) {
            let message = format!("becomes {} chunks, a pack holds at most 65535", part.blocks.len());
            return Err(ImportError::new(message).help("split the source"));
        }
        stored.push(StoredPart {
            name: part.name,
            kind: part.kind,
            chunks: part.blocks.iter().map(&mut encode).collect::<Result<_, ImportError>>()?,
            meta: part.meta,
            dependencies: part.dependencies,
            summary: part.summary,
        });
    }
    Ok(stored)
}

fn choose(block: &Block, wanted: Option<settings::Compression>, compat: Option<Compat>) -> Compression {
    let for_raylib = compat == Some(Compat::Raylib);
    let payload = PayloadView::parse(&block.bytes);
    // rres-raylib.h skips five numbers in front of unpacked data, however many properties there are.
    let has_four_props = payload.is_ok_and(|payload| payload.prop_count() == 4);
    if !block.compressible || block.kind == FourCc::LINK || (for_raylib && !has_four_props) {
        return Compression::NONE;
    }
    let general = if for_raylib { Compression::DEFLATE } else { Compression::ZSTD };
    let chosen = match wanted {
        None => general,
        Some(settings::Compression::None) => Compression::NONE,
        Some(settings::Compression::Deflate) => Compression::DEFLATE,
        Some(settings::Compression::Lz4) => Compression::LZ4,
        Some(settings::Compression::Zstd) => Compression::ZSTD,
        // QOI knows two formats; the other images of a rule get what the pack would give them.
        Some(settings::Compression::Qoi) if suits_qoi(block) => Compression::QOI,
        Some(settings::Compression::Qoi) => general,
    };
    match chosen {
        Compression::DEFLATE if for_raylib && block.bytes.len() > RAYLIB_MOST_DEFLATE => Compression::LZ4,
        chosen => chosen,
    }
}

fn suits_qoi(block: &Block) -> bool {
    let view = PayloadView::parse(&block.bytes).and_then(ImageView::parse);
    block.kind == FourCc::IMGE
        && view.is_ok_and(|view| {
            let props = view.props();
            matches!(props.format, PixelFormat::R8G8B8 | PixelFormat::R8G8B8A8) && props.mipmaps == 1
        })
}
