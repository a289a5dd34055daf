//! A resource of a pack → the bytes that a graphics card allocates for it.

use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{ColorSpace, MetaKey};
use rres_format::video_memory::{HEAD, of_chunk, of_image};
use rres_format::{AssetKind, ChunkView, Decompressor, FourCc};

use crate::resource_list::Resource;

impl Resource<'_> {
    /// Returns the bytes that a graphics card allocates for it, as [`rres_format::video_memory`] counts them; 0 for kinds that are not
    /// uploaded. Of each chunk, only the properties are decoded.
    ///
    /// `None` if the chunks are damaged, encrypted without a key, or not in this file, as in a dev index.
    pub fn video_memory(&self) -> Option<u64> {
        if !matches!(self.kind, Some(AssetKind::Image | AssetKind::Font | AssetKind::Model)) {
            return Some(0);
        }
        if self.chunks.is_empty() {
            return None;
        }
        if let Some(props) = self.source_form() {
            return of_image(props, self.color_space()).ok();
        }
        let mut decompressor = Decompressor::default();
        let mut of = |chunk: &ChunkView<'_>| {
            let size = chunk.block_size().ok()?;
            let head = self.keyring.decode_range(chunk, &mut decompressor, 0..size.min(HEAD)).ok()?;
            of_chunk(chunk.info.kind, &PayloadView::parse(&head).ok()?, self.color_space()).ok()
        };
        let uploaded = self.chunks.iter().filter(|chunk| matches!(chunk.info.kind, FourCc::IMGE | FourCc::VRTX));
        uploaded.map(&mut of).try_fold(0u64, |sum, size| sum.checked_add(size?))
    }

    /// The pixels that the file of an image is decoded to, if the pack keeps the file.
    fn source_form(&self) -> Option<ImageProps> {
        let number = |key| self.meta?.get(key).filter(|_| self.kind == Some(AssetKind::Image));
        let (width, height) = (number(MetaKey::WIDTH)?, number(MetaKey::HEIGHT)?);
        Some(ImageProps { width, height, format: PixelFormat(number(MetaKey::PIXEL_FORMAT)?), mipmaps: 1 })
    }

    fn color_space(&self) -> ColorSpace {
        let number = self.meta.and_then(|meta| meta.get(MetaKey::COLOR_SPACE));
        number.and_then(ColorSpace::from_number).unwrap_or_default()
    }
}
