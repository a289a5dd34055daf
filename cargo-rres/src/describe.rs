//! A chunk → its properties by name, as numbers or words.

use rres_format::chunk::glyphs::FontStyle;
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::model::ModelView;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::text::{CodeLanguage, TextEncoding};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat};
use rres_format::chunk::{PayloadView, link::LinkView};
use rres_format::index::{MetaKey, MetaView};
use rres_format::{ChunkView, Decompressor, FourCc, Result};
use serde_json::{Value, json};

/// Names and values, in the order in which they are stored.
pub(crate) type Facts = Vec<(&'static str, Value)>;

/// The properties of a chunk, which is decoded for them.
///
/// # Errors
/// Where the chunk is sealed, or its bytes are damaged.
pub(crate) fn properties(chunk: &ChunkView<'_>, decompressor: &mut Decompressor) -> Result<Facts> {
    let block = chunk.decode(decompressor)?;
    let payload = block.view()?;
    let mut facts = match chunk.info.kind {
        FourCc::RAWD => raw(payload)?,
        FourCc::TEXT => text(payload)?,
        FourCc::IMGE => image(payload)?,
        FourCc::WAVE => named(payload, ["frames", "sample rate", "sample size", "channels"])?,
        FourCc::VRTX => vertex(payload)?,
        FourCc::FNTG => font(payload)?,
        FourCc::LINK => vec![("path", json!(LinkView::parse(payload)?.path()))],
        FourCc::CDIR => named(payload, ["entries"])?,
        FourCc::INDX => named(payload, ["layout version", "entries", "further packs"])?,
        FourCc::MODL => model(payload)?,
        _ => vec![("properties", json!(payload.props().collect::<Vec<_>>()))],
    };
    facts.push(("data size", json!(payload.data().len())));
    Ok(facts)
}

/// The records of the index, by name; floats as what they mean.
pub(crate) fn records(meta: MetaView<'_>) -> Vec<(String, Value)> {
    let value = |key, value: u32| match key {
        MetaKey::GAIN | MetaKey::ASCENT | MetaKey::LINE_HEIGHT => json!(f32::from_bits(value)),
        MetaKey::FILTER => word(value, &["linear", "nearest"]),
        MetaKey::WRAP => word(value, &["clamp", "repeat", "mirror"]),
        MetaKey::COLOR_SPACE => word(value, &["srgb", "linear"]),
        MetaKey::PREMULTIPLIED | MetaKey::LOOP if value < 2 => json!(value == 1),
        _ => json!(value),
    };
    meta.records().map(|(key, number)| (key.to_string(), value(key, number))).collect()
}

/// A name as it stands in JSON, where scripts would rather not quote it.
pub(crate) fn key(name: &str) -> String {
    name.replace([' ', '-'], "_").replace(',', "")
}

/// A value as it stands in a line of text.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => crate::output::shown(text),
        other => other.to_string(),
    }
}

fn word(value: u32, words: &[&str]) -> Value {
    words.get(value as usize).map_or(json!(value), |word| json!(word))
}

fn named<const N: usize>(payload: PayloadView<'_>, names: [&'static str; N]) -> Result<Facts> {
    let values: [u32; N] = payload.first_props()?;
    Ok(names.into_iter().zip(values.map(|value| json!(value))).collect())
}

fn raw(payload: PayloadView<'_>) -> Result<Facts> {
    let view = RawView::parse(payload)?;
    let extension = String::from_utf8_lossy(view.extension()).into_owned();
    Ok(vec![("size", json!(view.bytes().len())), ("extension", json!(extension))])
}

fn text(payload: PayloadView<'_>) -> Result<Facts> {
    let [size, encoding, language, culture] = payload.first_props()?;
    Ok(vec![
        ("size", json!(size)),
        ("encoding", json!(TextEncoding(encoding).to_string())),
        ("code language", json!(CodeLanguage(language).to_string())),
        ("culture", json!(format!("{culture:#06x}"))),
    ])
}

fn image(payload: PayloadView<'_>) -> Result<Facts> {
    let [width, height, format, mipmaps] = payload.first_props()?;
    let format = PixelFormat(format).to_string();
    Ok(vec![("width", json!(width)), ("height", json!(height)), ("format", json!(format)), ("mipmaps", json!(mipmaps))])
}

fn vertex(payload: PayloadView<'_>) -> Result<Facts> {
    let [count, attribute, components, format] = payload.first_props()?;
    Ok(vec![
        ("count", json!(count)),
        ("attribute", json!(VertexAttribute(attribute).to_string())),
        ("components", json!(components)),
        ("format", json!(VertexFormat(format).to_string())),
    ])
}

fn font(payload: PayloadView<'_>) -> Result<Facts> {
    let [size, glyphs, padding, style] = payload.first_props()?;
    let style = FontStyle(style).to_string();
    Ok(vec![("size", json!(size)), ("glyphs", json!(glyphs)), ("padding", json!(padding)), ("style", json!(style))])
}

fn model(payload: PayloadView<'_>) -> Result<Facts> {
    let view = ModelView::parse(payload)?;
    let (nodes, primitives, materials) = (view.nodes().len(), view.primitives().len(), view.materials().len());
    Ok(vec![("nodes", json!(nodes)), ("primitives", json!(primitives)), ("materials", json!(materials))])
}
