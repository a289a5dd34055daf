//! Chunks that are stored as what distinguishes them from similar chunks of their pack.
//!
//! The chunks of a folder tend to be loaded together, so a pack keeps the last few blocks that such a chunk needed or
//! became. Then each chunk of a sprite's frames is decoded about once, however long their chain is.

use std::collections::VecDeque;
use std::sync::Mutex;

use rres_format::sibling::SiblingView;
use rres_format::{ChunkView, Cipher, ResourceId};

use super::Pack;
use crate::bytes::{AssetBytes, Backing};
use crate::error::Result;
use crate::resource::Chunk;
use crate::source::Source;
use crate::source::content::Part;
use crate::source::decode::decode_sibling;
use crate::sync::lock;

/// The place of a chunk: its resource, and its number among the chunks of that.
type Place = (ResourceId, u16);

/// The last blocks of a pack that others may need.
#[derive(Default)]
pub(super) struct RecentBlocks(Mutex<VecDeque<(Place, AssetBytes)>>);

impl RecentBlocks {
    /// The largest number of blocks.
    const COUNT: usize = 16;
    /// The largest number of bytes of all of them.
    const SIZE: usize = 4 << 20;

    fn get(&self, place: Place) -> Option<AssetBytes> {
        let blocks = lock(&self.0);
        blocks.iter().find(|(found, _)| *found == place).map(|(_, block)| block.clone())
    }

    fn keep(&self, place: Place, block: &AssetBytes) {
        let mut blocks = lock(&self.0);
        // Two threads may have decoded the same block.
        blocks.retain(|(found, _)| *found != place);
        blocks.push_front((place, block.clone()));
        let mut size = 0;
        let fits = |(_, block): &&(Place, AssetBytes)| {
            size += block.len();
            size <= Self::SIZE
        };
        let fitting = blocks.iter().take(Self::COUNT).take_while(fits).count();
        blocks.truncate(fitting);
    }
}

impl Pack {
    /// Reads the block of a chunk of `part`, like [`crate::source::chunks::read_chunk`]; it may be encrypted or have a sibling.
    pub(super) fn read_chunk(
        &self,
        part: &Part<'_>,
        chunk: ChunkView<'_>,
        number: u16,
        below: &[Source],
    ) -> Result<Chunk> {
        if chunk.info.cipher == Cipher::NONE
            && let Some(sibling) = chunk.sibling()?
        {
            let block = self.block_with_sibling(&sibling, below)?;
            self.recent.keep((chunk.info.id, number), &block);
            return Ok(Chunk { kind: chunk.info.kind, block });
        }
        self.keys.read_chunk(&part.bytes, chunk, below)
    }

    fn block_with_sibling(&self, sibling: &SiblingView<'_>, below: &[Source]) -> Result<AssetBytes> {
        let place = (sibling.resource(), sibling.chunk());
        let base = match self.recent.get(place) {
            Some(block) => block,
            None => {
                let block = self.sibling_block(sibling, below)?;
                self.recent.keep(place, &block);
                block
            }
        };
        Ok(AssetBytes::new(Backing::Owned(decode_sibling(sibling, &base)?.into())))
    }

    /// Reads the block of a sibling from this pack or, if this is a patch without it, from a pack below.
    fn sibling_block(&self, sibling: &SiblingView<'_>, below: &[Source]) -> Result<AssetBytes> {
        let (resource, number) = (sibling.resource(), sibling.chunk());
        let needed = || rres_format::Error::NeedsSibling(resource);
        let Some(slot) = self.index().find(resource) else {
            return Ok(Source::find_chunk(below, resource, number)?.ok_or_else(needed)?.block);
        };
        let part = self.part(slot)?;
        let view = self.view_of(&part);
        self.check_signature(view, slot)?;
        self.check_entry(view, slot)?;
        let entry = self.index().entry(slot)?;
        let chunk = self.chunks_of(view, &entry)?.nth(number.into()).transpose()?.ok_or_else(needed)?;
        chunk.verify()?;
        sibling.check_depth(chunk.depth()?)?;
        Ok(self.read_chunk(&part, chunk, number, below)?.block)
    }
}
