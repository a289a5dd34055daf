//! The chunks of a resource → its facts, and its video memory.

use rres_codegen::{Facts, FontFacts, ImageFacts, ModelFacts, SoundFacts};
use rres_format::chunk::PayloadView;
use rres_format::chunk::frames::FramesView;
use rres_format::chunk::glyphs::GlyphsView;
use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::chunk::model::ModelView;
use rres_format::chunk::scene::SceneView;
use rres_format::chunk::vertex::{VertexAttribute, VertexView};
use rres_format::chunk::wave::{WaveProps, WaveView};
use rres_format::index::{ColorSpace, MetaKey};
use rres_format::video_memory::{of_chunk, of_image};
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block};

/// The facts of a resource, from its chunks, or from the metadata if its file is kept as it is.
pub(super) fn facts(resource: &Asset) -> Facts {
    let facts = match resource.kind {
        AssetKind::Image => image(resource).map(Facts::Image),
        AssetKind::Sound => sound(resource).map(Facts::Sound),
        AssetKind::Font => font(resource).map(Facts::Font),
        AssetKind::Model => model(resource).map(Facts::Model),
        _ => None,
    };
    facts.unwrap_or_default()
}

/// Bytes that a graphics card allocates for a resource. What cannot be counted is 0, as it is for kinds that are not uploaded.
pub(super) fn video_memory(resource: &Asset) -> u64 {
    let color_space = resource.meta.get(MetaKey::COLOR_SPACE).and_then(ColorSpace::from_number).unwrap_or_default();
    let number = |key| resource.meta.get(key);
    // A file is decoded to these pixels when it is loaded.
    if let (AssetKind::Image, Some(width), Some(height), Some(format)) =
        (resource.kind, number(MetaKey::WIDTH), number(MetaKey::HEIGHT), number(MetaKey::PIXEL_FORMAT))
    {
        let props = ImageProps { width, height, format: PixelFormat(format), mipmaps: 1 };
        return of_image(props, color_space).unwrap_or_default();
    }
    let of_block = |block: &Block| of_chunk(block.kind, &PayloadView::parse(&block.bytes).ok()?, color_space).ok();
    resource.blocks.iter().filter_map(of_block).sum()
}

/// The payloads of the chunks of this kind.
fn payloads(resource: &Asset, kind: FourCc) -> impl Iterator<Item = PayloadView<'_>> {
    let blocks = resource.blocks.iter().filter(move |block| block.kind == kind);
    blocks.filter_map(|block| PayloadView::parse(&block.bytes).ok())
}

fn image(resource: &Asset) -> Option<ImageFacts> {
    let view = payloads(resource, FourCc::IMGE).find_map(|payload| ImageView::parse(payload).ok());
    let number = |key| resource.meta.get(key);
    let (width, height, format, levels) = match view.map(|view| view.props()) {
        Some(ImageProps { width, height, format, mipmaps }) => (width, height, format.0, mipmaps),
        None => (number(MetaKey::WIDTH)?, number(MetaKey::HEIGHT)?, number(MetaKey::PIXEL_FORMAT)?, 1),
    };
    let frames = payloads(resource, FourCc::FRMS).find_map(|payload| FramesView::parse(payload, (width, height)).ok());
    let (frames, milliseconds) = frames.map_or((1, 0), |view| {
        let shown = view.frames().fold(0u32, |total, frame| total.saturating_add(frame.milliseconds));
        (view.frames().len() as u32, shown)
    });
    let (format, levels) = (u16::try_from(format).ok()?, u16::try_from(levels).ok()?);
    Some(ImageFacts { width, height, format, levels, frames, milliseconds })
}

fn sound(resource: &Asset) -> Option<SoundFacts> {
    if let Some(view) = payloads(resource, FourCc::WAVE).find_map(|payload| WaveView::parse(payload).ok()) {
        let WaveProps { frames, sample_rate, channels, .. } = view.props();
        return Some(SoundFacts { frames: frames.into(), rate: sample_rate, channels });
    }
    let number = |key| resource.meta.get(key);
    let half = |key| u64::from(number(key).unwrap_or_default());
    Some(SoundFacts {
        frames: half(MetaKey::FRAMES_LOW) | half(MetaKey::FRAMES_HIGH) << 32,
        rate: number(MetaKey::SAMPLE_RATE)?,
        channels: number(MetaKey::CHANNELS)?,
    })
}

fn font(resource: &Asset) -> Option<FontFacts> {
    let props = payloads(resource, FourCc::FNTG).find_map(|payload| GlyphsView::parse(payload).ok())?.props();
    let number = |key| resource.meta.get(key).unwrap_or_default();
    Some(FontFacts {
        size: props.base_size,
        glyphs: props.glyph_count,
        line_height: number(MetaKey::LINE_HEIGHT),
        ascent: number(MetaKey::ASCENT),
    })
}

fn model(resource: &Asset) -> Option<ModelFacts> {
    let view = payloads(resource, FourCc::MODL).find_map(|payload| ModelView::parse(payload).ok())?;
    let scene = payloads(resource, FourCc::SCNE).find_map(|payload| SceneView::parse(payload).ok());
    let attributes = payloads(resource, FourCc::VRTX).filter_map(|payload| VertexView::parse(payload).ok());
    let positions = attributes.map(|view| view.props()).filter(|props| props.attribute == VertexAttribute::POSITION);
    Some(ModelFacts {
        primitives: view.primitives().len() as u32,
        vertices: positions.fold(0u32, |total, props| total.saturating_add(props.count)),
        nodes: view.nodes().len() as u32,
        materials: view.materials().len() as u32,
        animations: scene.map_or(0, |scene| scene.animations().len() as u32),
    })
}
