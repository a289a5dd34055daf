//! Whether resources of two packs are the same, without decoding them.

use rres_format::index::Meta;
use rres_format::{AssetKind, ChunkInfo, Cipher, Compression, FourCc, ResourceId};

use super::Pack;

/// What a resource consists of. Equal outlines are equal resources, as far as CRCs tell.
#[derive(PartialEq, Eq)]
pub(crate) struct Outline {
    path: String,
    kind: Option<AssetKind>,
    meta: Meta,
    dependencies: Vec<ResourceId>,
    /// Of each chunk: its kind and compression, the sizes of its block and its stored bytes, and their CRC.
    chunks: Vec<(FourCc, Compression, u32, u32, u32)>,
}

impl Pack {
    /// Returns the outline of the resource at `slot`; `None` if its chunk headers do not tell what it is: they are damaged or may not be here, or
    /// its bytes are encrypted or depend on another resource.
    pub(crate) fn outline(&self, slot: u32) -> Option<Outline> {
        // Nothing is fetched for a comparison.
        let here = Some(slot).filter(|_| self.parts().is_none())?;
        let (index, part) = (self.index(), self.part(here).ok()?);
        let entry = index.entry(slot).ok()?;
        let chunk = |ChunkInfo { kind, compression, cipher, base_size, packed_size, crc32, .. }: ChunkInfo| {
            let tells = cipher == Cipher::NONE && ![Compression::SIBLING, Compression::DELTA].contains(&compression);
            tells.then_some((kind, compression, base_size, packed_size, crc32))
        };
        Some(Outline {
            path: entry.path.to_owned(),
            kind: entry.kind,
            meta: index.meta(slot).ok()?.to_meta(),
            dependencies: index.dependencies(slot).ok()?.collect(),
            chunks: (self.chunks_of(self.view_of(&part), &entry).ok()?)
                .map(|found| chunk(found.ok()?.info))
                .collect::<Option<_>>()?,
        })
    }
}
