//! Calls everything that a pack offers, for damaged, random and fuzzed packs.
//!
//! It ignores the results and only asserts that iterators end. It is meant to provoke panics, endless loops and huge
//! allocations.

use rres_format::chunk::kerning::Kerning;
use rres_format::chunk::{
    PayloadView, collision::CollisionView, directory::DirectoryView, frames::FramesView, glyphs::GlyphsView,
    image::ImageView, link::LinkView, markers::MarkersView, model::ModelView, raw::RawView, scene::SceneView,
    shader::ShaderInterface, sprite::SpriteProps, text::TextView, vertex::VertexView, wave::WaveView,
};
use rres_format::index::IndexView;
use rres_format::{ChunkView, Decompressor, FourCc, Limits, PackView, ResourceId};

/// A small limit on decoded sizes, which keeps tests with many damaged packs fast.
const LIMITS: Limits = Limits::DEFAULT.with_max_decoded(1 << 20);

/// Largest number of items taken from an iterator: enough for every sample.
const MAX_ITEMS: usize = 64;

pub(crate) fn pack(bytes: &[u8], decompressor: &mut Decompressor) {
    let Ok(view) = PackView::parse_with(bytes, LIMITS) else { return };
    if let Some(found) = view.index() {
        index(&found);
        for entry in found.entries().take(MAX_ITEMS).flatten() {
            if let Ok(Some(first)) = view.find(entry.id) {
                resource_chunks_and_chain(&view, first, entry.chunk_count);
            }
        }
    }
    if let Ok(Some(directory)) = view.directory() {
        probe_directory(&directory);
    }
    for chunk in view.chunks().take(MAX_ITEMS).flatten() {
        let _ = (chunk.verify(), chunk.end(), chunk.is_resource(), view.find(chunk.info.id));
        resource_chunks_and_chain(&view, chunk, 3);
        if let Ok(block) = chunk.decode(decompressor)
            && let Ok(view) = block.view()
        {
            payload(chunk.info.kind, view);
        }
    }
    let _ = view.find(ResourceId(0x1234_5678));
}

fn resource_chunks_and_chain<'a>(view: &PackView<'a>, first: ChunkView<'a>, count: u16) {
    assert!(view.resource_chunks(first, count).count() <= count.into());
    let bound = usize::from(view.header().chunk_count) + 2;
    assert!(view.chain(first).count() <= bound, "a chain has more chunks than the pack");
}

pub(crate) fn index(index: &IndexView<'_>) {
    for slot in 0..index.len().min(MAX_ITEMS) as u32 + 1 {
        let _ = index.meta(slot).map(|meta| meta.records().count());
        let _ = index.dependencies(slot).map(|ids| ids.take(MAX_ITEMS).count());
        if let Ok(entry) = index.entry(slot) {
            let _ = (index.find(entry.id), index.find_path(entry.path), index.find_with_hint(entry.id, slot + 1));
        }
    }
    for id in [0, 5, u32::MAX] {
        let _ = index.find(ResourceId(id));
    }
    let _ = (index.find_path("images/rgba.png"), index.set_hash(), index.blob(0), index.is_dev());
    for group in index.groups().take(MAX_ITEMS).flatten() {
        group.slots().take(MAX_ITEMS).for_each(|slot| drop(index.entry(slot)));
    }
}

fn probe_directory(directory: &DirectoryView<'_>) {
    let entries = directory.entries().take(MAX_ITEMS).flatten();
    entries.for_each(|entry| drop(String::from_utf8_lossy(entry.name)));
    let _ = (directory.find(""), directory.find("images/rgba.png"));
}

pub(crate) fn payload(kind: FourCc, payload: PayloadView<'_>) {
    let _ = (payload.props().count(), payload.data_offset());
    match kind {
        FourCc::RAWD => drop(RawView::parse(payload).map(|v| (v.bytes().len(), v.extension().len()))),
        FourCc::TEXT => drop(TextView::parse(payload).map(|v| v.decode().map(|text| text.len()))),
        FourCc::IMGE => drop(ImageView::parse(payload).map(|v| (0..40).map_while(|l| v.level(l)).count())),
        FourCc::WAVE => drop(WaveView::parse(payload).map(|v| v.samples().len())),
        FourCc::VRTX => drop(VertexView::parse(payload).map(|v| v.data().len())),
        FourCc::FNTG => drop(GlyphsView::parse(payload).map(|v| v.glyphs().count())),
        FourCc::KERN => drop(Kerning::parse(payload).map(|v| (v.between('A', 'V'), v.pairs().take(1000).count()))),
        FourCc::LINK => drop(LinkView::parse(payload).map(|v| v.path().len())),
        FourCc::FRMS => {
            drop(FramesView::parse(payload, (64, 64)).map(|v| (v.frames().count(), v.animations().count(), v.size())))
        }
        FourCc::SHDR => {
            if let Ok(interface) = ShaderInterface::parse(payload) {
                let again = interface.block();
                assert_eq!(ShaderInterface::parse(PayloadView::parse(&again).unwrap()).unwrap(), interface);
            }
        }
        FourCc::SCNE => {
            if let Ok(view) = SceneView::parse(payload) {
                let again = view.to_block().block().expect("what was read can be written");
                SceneView::parse(PayloadView::parse(&again).unwrap()).unwrap();
            }
        }
        FourCc::COLL => drop(CollisionView::parse(payload).map(|v| v.shapes().count())),
        FourCc::SPRT => drop(SpriteProps::parse(payload).map(|v| v.block())),
        FourCc::MARK => drop(MarkersView::parse(payload).map(|v| v.markers().count())),
        FourCc::CDIR => drop(DirectoryView::parse(payload).map(|v| probe_directory(&v))),
        FourCc::MODL => {
            drop(ModelView::parse(payload).map(|v| (v.nodes().count(), v.primitives().count(), v.materials().count())));
        }
        _ => {}
    }
}
