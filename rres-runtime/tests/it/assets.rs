//! Resources for the packs of tests, with contents that are easy to tell apart.

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::chunk::wave::WaveProps;
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};

pub(crate) fn chunk(kind: FourCc, block: &[u8], compression: Compression) -> StoredChunk<'static> {
    StoredChunk::encode(kind, block, compression, &mut Compressor::default()).unwrap()
}

pub(crate) fn plain(kind: FourCc, block: &[u8]) -> StoredChunk<'static> {
    chunk(kind, block, Compression::NONE)
}

pub(crate) fn raw(path: &str, bytes: &[u8]) -> Resource<'static> {
    let extension = path.rfind('.').map_or("", |dot| &path[dot..]);
    Resource::new(path, vec![plain(FourCc::RAWD, &raw_block(extension, bytes))])
}

pub(crate) fn text(path: &str, text: &str) -> Resource<'static> {
    let block = TextProps::utf8(text.len() as u32).block(text.as_bytes());
    Resource::new(path, vec![plain(FourCc::TEXT, &block)])
}

/// 8×4 pixels that repeat enough to be worth compressing.
pub(crate) fn pixels() -> Vec<u8> {
    (0..8 * 4 * 4).map(|i| [10, 20, 30, 255][i % 4]).collect()
}

pub(crate) const IMAGE: ImageProps = ImageProps { width: 8, height: 4, format: PixelFormat::RGBA8, mipmaps: 1 };

pub(crate) fn image(path: &str, compression: Compression) -> Resource<'static> {
    Resource::new(path, vec![chunk(FourCc::IMGE, &IMAGE.block(&pixels()), compression)])
}

pub(crate) const SAMPLES: [i16; 8] = [0, -1, 1, i16::MIN, i16::MAX, 256, -256, 7];

pub(crate) fn sound_block() -> Vec<u8> {
    let samples: Vec<u8> = SAMPLES.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    WaveProps { frames: 4, sample_rate: 8000, sample_size: 16, channels: 2 }.block(&samples)
}

pub(crate) fn sound(path: &str) -> Resource<'static> {
    Resource::new(path, vec![plain(FourCc::WAVE, &sound_block())])
}

pub(crate) fn pack(resources: impl IntoIterator<Item = Resource<'static>>) -> PackBuilder<'static> {
    let mut pack = PackBuilder::new();
    resources.into_iter().for_each(|resource| pack.push(resource));
    pack
}
