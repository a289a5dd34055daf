//! Images, sounds and fonts → assets that load and contain nothing, for programs that show and play nothing, such as servers.
//!
//! An image becomes one pixel, a sound one silent frame, and a font one glyph. Kind, id, links and what the metadata says of their use stay, and
//! so do the facts, so that the same code compiles and every load succeeds. Other kinds stay as they are.

use rres_codegen::{Facts, SoundFacts};
use rres_format::chunk::PayloadView;
use rres_format::chunk::glyphs::{FontStyle, Glyph, GlyphsView, glyphs_block};
use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::chunk::wave::WaveProps;
use rres_format::index::{ImageShape, Meta, MetaKey};
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block, ImportError, Note};

use super::encode::encode;
use super::facts::facts;
use crate::cache::EncodedResource;
use crate::settings::{Compat, Settings};

/// What metadata says of contents that a placeholder does not have.
const OF_CONTENTS: [MetaKey; 20] = [
    MetaKey::WIDTH,
    MetaKey::HEIGHT,
    MetaKey::PIXEL_FORMAT,
    MetaKey::CONTENT_WIDTH,
    MetaKey::CONTENT_HEIGHT,
    MetaKey::TRIM_LEFT,
    MetaKey::TRIM_TOP,
    MetaKey::FULL_WIDTH,
    MetaKey::FULL_HEIGHT,
    MetaKey::PSNR,
    MetaKey::SSIM,
    MetaKey::SAMPLE_RATE,
    MetaKey::CHANNELS,
    MetaKey::FRAMES_LOW,
    MetaKey::FRAMES_HIGH,
    MetaKey::LOOP_START,
    MetaKey::LOOP_END,
    MetaKey::SOUND_FORMAT,
    MetaKey::SAMPLE_SIZE,
    MetaKey::SKIPPED_FRAMES,
];

/// Encodes placeholders of the resources of one source. Their facts are those of what they stand for.
pub(super) fn encode_placeholders(
    resources: Vec<Asset>,
    settings: &Settings,
    compat: Option<Compat>,
) -> Result<Vec<EncodedResource>, ImportError> {
    let known: Vec<Facts> = resources.iter().map(facts).collect();
    let is_in_atlas = settings.image.atlas.is_some();
    let stand_in = |(resource, known): (Asset, &Facts)| placeholder(resource, *known, is_in_atlas);
    let placeholders = resources.into_iter().zip(&known).map(stand_in).collect();
    let mut encoded = encode(placeholders, settings, compat)?;
    encoded.iter_mut().zip(known).for_each(|(resource, known)| resource.facts = known);
    Ok(encoded)
}

fn placeholder(resource: Asset, known: Facts, is_in_atlas: bool) -> Asset {
    let blocks = match resource.kind {
        // The atlas is laid out by the sizes of its pictures.
        AssetKind::Image if is_in_atlas && resource.name.is_empty() => match blank_image(&resource) {
            Some(block) => {
                return with_note(Asset { blocks: vec![block], source_form: None, alternative: None, ..resource });
            }
            None => vec![image(&resource.meta)],
        },
        AssetKind::Image => vec![image(&resource.meta)],
        AssetKind::Sound => vec![sound(known)],
        AssetKind::Font => font(&resource),
        _ => return resource,
    };
    let mut meta = Meta::default();
    let kept = resource.meta.records().iter().filter(|(key, _)| !OF_CONTENTS.contains(key));
    // The glyph is drawn with coverage.
    let kept = kept.filter(|(key, _)| !matches!(*key, MetaKey::GLYPH_FORM | MetaKey::DISTANCE_RANGE));
    kept.for_each(|(key, value)| meta.set(*key, *value));
    with_note(Asset { blocks, meta, source_form: None, alternative: None, ..resource })
}

fn with_note(resource: Asset) -> Asset {
    let summary = format!("placeholder of {}", resource.summary);
    let notes = vec![Note::new("stored as a placeholder, without its contents")];
    Asset { summary, notes, ..resource }
}

/// One transparent pixel, or one for each face, layer or slice.
fn image(meta: &Meta) -> Block {
    let height = ImageShape::of(|key| meta.get(key)).layers();
    let props = ImageProps { width: 1, height, format: PixelFormat::RGBA8, mipmaps: 1 };
    Block::new(FourCc::IMGE, props.block(&vec![0; 4 * height as usize]))
}

/// As many transparent pixels as the image has.
fn blank_image(resource: &Asset) -> Option<Block> {
    let block = resource.blocks.iter().find(|block| block.kind == FourCc::IMGE)?;
    let view = ImageView::parse(PayloadView::parse(&block.bytes).ok()?).ok()?;
    Some(Block::new(FourCc::IMGE, view.props().block(&vec![0; view.data().len()])))
}

/// A silent frame.
fn sound(known: Facts) -> Block {
    let (rate, channels) = match known {
        Facts::Sound(SoundFacts { rate, channels, .. }) => (rate, channels),
        _ => (44_100, 1),
    };
    let props = WaveProps { frames: 1, sample_rate: rate, sample_size: 16, channels };
    Block::new(FourCc::WAVE, props.block(&vec![0; 2 * channels as usize]))
}

/// A glyph of one empty pixel.
fn font(resource: &Asset) -> Vec<Block> {
    let tables = resource.blocks.iter().filter(|block| block.kind == FourCc::FNTG);
    let props = tables
        .filter_map(|block| GlyphsView::parse(PayloadView::parse(&block.bytes).ok()?).ok())
        .map(|view| view.props())
        .next();
    let (size, style) = props.map_or((1, FontStyle::UNDEFINED), |props| (props.base_size, props.style));
    let advance_x = i32::try_from(size / 2).unwrap_or_default();
    let glyph = Glyph { codepoint: '?' as i32, width: 1, height: 1, advance_x, ..Glyph::default() };
    let pixels = ImageProps { width: 1, height: 1, format: PixelFormat::GRAY_ALPHA8, mipmaps: 1 };
    let atlas = Block { linked: false, ..Block::new(FourCc::IMGE, pixels.block(&[0, 0])) };
    vec![Block::new(FourCc::FNTG, glyphs_block(size, 0, style, &[glyph])), atlas]
}
