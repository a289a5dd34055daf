//! The chunks of a resource, as `rres-raylib.h` takes them together.

use super::{Reason, Unreadable};
use rres_format::AssetKind;
use rres_format::FourCc;
use rres_format::SoundFormat;
use rres_format::chunk::PayloadView;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::model::{ModelView, Topology};
use rres_format::chunk::raw::RawView;
use rres_format::chunk::vertex::{VertexAttribute, VertexView};

/// One chunk of a resource.
#[derive(Clone, Copy, Debug)]
pub struct ResourceBlock<'a> {
    /// The kind of the chunk.
    pub kind: FourCc,
    /// Whether the next chunk is linked to it.
    pub is_linked: bool,
    /// Its decoded block; `None` if it cannot be decoded, so that no finding is about it.
    pub block: Option<&'a [u8]>,
}

impl<'a> ResourceBlock<'a> {
    fn payload(&self) -> Option<PayloadView<'a>> {
        PayloadView::parse(self.block?).ok()
    }
}

/// Checks the chunks of a resource, in the order of the pack. `kind` is its asset kind, if that is known.
pub fn check_resource(kind: Option<AssetKind>, blocks: &[ResourceBlock<'_>]) -> Vec<Unreadable> {
    let Some(first) = blocks.first() else { return Vec::new() };
    let mut found = Vec::new();
    match first.kind {
        FourCc::SPRT => found.push(Unreadable::new(Reason::Sprite, "is a picture in an atlas")),
        FourCc::FNTG => check_font(blocks, &mut found),
        FourCc::VRTX => check_model(blocks, &mut found),
        FourCc::RAWD => found.extend(check_file(kind, first)),
        FourCc::TEXT | FourCc::IMGE | FourCc::WAVE | FourCc::LINK => {}
        other => found.push(Unreadable::new(Reason::ChunkKind, format!("starts with a chunk of kind {other}"))),
    }
    found
}

/// The first chunk and those that are linked to it: what `rresLoadResourceMulti` loads.
fn chain<'b, 'a>(blocks: &'b [ResourceBlock<'a>]) -> &'b [ResourceBlock<'a>] {
    let end = blocks.iter().position(|block| !block.is_linked).map_or(blocks.len(), |last| last + 1);
    &blocks[..end]
}

fn check_font(blocks: &[ResourceBlock<'_>], found: &mut Vec<Unreadable>) {
    let chain = chain(blocks);
    if chain.get(1).is_none_or(|block| block.kind != FourCc::IMGE) {
        found.push(Unreadable::new(Reason::FontChunks, "is a glyph table without an image linked to it"));
    }
    let tables: Vec<_> = blocks.iter().filter(|block| block.kind == FourCc::FNTG).collect();
    if tables.len() > 1 {
        let size = |block: &&ResourceBlock<'_>| Some(GlyphsView::parse(block.payload()?).ok()?.props().base_size);
        let first = tables.first().and_then(size);
        // Pages of one size follow each other.
        let are_pages = first.is_some() && tables.iter().all(|table| size(table) == first);
        let what = if are_pages { "pages" } else { "sizes" };
        found.push(Unreadable::new(Reason::FontSizes, format!("is a font of {} {what}", tables.len())));
    }
}

fn check_model(blocks: &[ResourceBlock<'_>], found: &mut Vec<Unreadable>) {
    let props = |block: &ResourceBlock<'_>| VertexView::parse(block.payload()?).ok().map(|view| view.props());
    let attributes: Vec<_> = chain(blocks).iter().filter_map(props).collect();
    if let Some((first, others)) = attributes.split_first() {
        if first.attribute == VertexAttribute::INDEX {
            found.push(Unreadable::new(Reason::IndexFirst, "is a mesh that begins with its indices"));
        }
        let other = others.iter().find(|p| p.attribute != VertexAttribute::INDEX && p.count != first.count);
        if let Some(other) = other.filter(|_| first.attribute != VertexAttribute::INDEX) {
            let text = format!(
                "has {} of {} vertices, and {} of {}",
                first.attribute, first.count, other.attribute, other.count
            );
            found.push(Unreadable::new(Reason::VertexCount, text));
        }
    }
    let model = blocks.iter().find(|block| block.kind == FourCc::MODL).and_then(ResourceBlock::payload);
    let Some(model) = model.and_then(|payload| ModelView::parse(payload).ok()) else { return };
    let primitives: Vec<_> = model.primitives().collect();
    if primitives.len() > 1 {
        found.push(Unreadable::new(Reason::Primitives, format!("is a model of {} primitives", primitives.len())));
    }
    if let Some(other) = primitives.iter().find(|primitive| primitive.topology != Topology::TRIANGLES) {
        found.push(Unreadable::new(Reason::Topology, format!("is a model of {}", other.topology)));
    }
}

/// A file of an asset that has another form: raylib must have its decoder.
fn check_file(kind: Option<AssetKind>, first: &ResourceBlock<'_>) -> Option<Unreadable> {
    let file = RawView::parse(first.payload()?).ok()?;
    let extension = String::from_utf8_lossy(file.extension()).into_owned();
    match kind? {
        AssetKind::Image => {
            Some(Unreadable::new(Reason::ImageFile, format!("is an image that is kept as a file \"{extension}\"")))
        }
        AssetKind::Sound => {
            let format = SoundFormat::of(file.bytes());
            let is_decoded = match format {
                Some(SoundFormat::Wav) => matches!(&*extension, ".wav" | ".WAV"),
                Some(SoundFormat::Ogg) => matches!(&*extension, ".ogg" | ".OGG"),
                Some(SoundFormat::Mp3) => matches!(&*extension, ".mp3" | ".MP3"),
                _ => false,
            };
            let name = format.map_or("of another format", SoundFormat::name);
            let text = format!("is a sound that is kept as a file \"{extension}\" ({name})");
            (!is_decoded).then(|| Unreadable::new(Reason::SoundFile, text))
        }
        _ => None,
    }
}
