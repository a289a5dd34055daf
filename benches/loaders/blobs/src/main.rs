//! Loads the pixels of images from one file that was made by a general compressor, as games with a small format of their own do. The
//! file is mapped, a table gives the place of each image, and each is decoded into new memory by a context that is reused.
//!
//! The extension of the file says how its images are compressed: `zst` (zstd, in C), `lz4`, `qoi`, or `raw` for pixels that are
//! copied. The file ends with 20 bytes per image, in the order of the list (offset, stored size and decoded size as `u64`, `u64` and
//! `u32`, little-endian).

use std::fs::File;
use std::process::ExitCode;

use loader::{Item, Result};

/// Bytes of an entry of the table.
const ENTRY: usize = 20;

/// Decodes one image.
type Decode = Box<dyn FnMut(&[u8], usize) -> Result<Vec<u8>>>;

fn decoder(extension: &str) -> Result<Decode> {
    Ok(match extension {
        "zst" => {
            let mut context = zstd::bulk::Decompressor::new()?;
            Box::new(move |stored, size| Ok(context.decompress(stored, size)?))
        }
        "lz4" => Box::new(|stored, size| Ok(lz4_flex::block::decompress(stored, size)?)),
        "qoi" => {
            Box::new(|stored, _| Ok(qoi::Decoder::new(stored)?.with_channels(qoi::Channels::Rgba).decode_to_vec()?))
        }
        "raw" => Box::new(|stored, _| Ok(stored.to_vec())),
        other => return Err(format!("unknown extension {other}").into()),
    })
}

fn main() -> ExitCode {
    loader::run(|job, sink| {
        // SAFETY: the benchmark does not change the file while this process lives.
        let map = unsafe { memmap2::Mmap::map(&File::open(&job.store)?)? };
        let table = &map[map.len() - ENTRY * job.items.len()..];
        let extension = job.store.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let load = |decode: &mut Decode, item: &Item| {
            let entry = &table[ENTRY * item.index..ENTRY * (item.index + 1)];
            let (offset, rest) = entry.split_at(8);
            let (stored, size) = rest.split_at(8);
            let offset = usize::try_from(u64::from_le_bytes(offset.try_into()?))?;
            let stored = usize::try_from(u64::from_le_bytes(stored.try_into()?))?;
            let size = u32::from_le_bytes(size.try_into()?) as usize;
            sink.keep_bytes(item, decode(&map[offset..offset + stored], size)?);
            Ok(())
        };
        loader::each(job, || decoder(extension), load)
    })
}
