//! Names and values of chunk properties and index metadata, for people and for JSON.

mod shader;

use rres_format::chunk::collision::{CollisionView, ShapeKind, ShapeView};
use rres_format::chunk::glyphs::FontStyle;
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::markers::MarkersView;
use rres_format::chunk::model::ModelView;
use rres_format::chunk::raw::RawView;
use rres_format::chunk::scene::SceneView;
use rres_format::chunk::seek::SeekView;
use rres_format::chunk::text::{CodeLanguage, TextEncoding};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat};
use rres_format::chunk::{PayloadView, link::LinkView};
use rres_format::index::{ColorSpace, Filter, GlyphForm, MetaKey, MetaView, Playback, Wrap};
use rres_format::{ChunkView, Decompressor, FourCc, LanguageTag, ResourceId, Result};
use serde_json::{Value, json};

use crate::keyring::Keyring;

/// The name and the value of a property.
pub type Property = (&'static str, Value);

/// Decodes a chunk and returns its properties, in stored order.
///
/// # Errors
/// If the chunk is encrypted or its bytes are damaged.
pub fn properties(
    chunk: &ChunkView<'_>,
    keyring: Keyring<'_>,
    decompressor: &mut Decompressor,
) -> Result<Vec<Property>> {
    let block = keyring.decode(chunk, decompressor)?;
    let payload = block.view()?;
    let mut properties = match chunk.info.kind {
        FourCc::RAWD => raw(payload)?,
        FourCc::TEXT => text(payload)?,
        FourCc::IMGE => image(payload)?,
        FourCc::WAVE => numbers(payload, ["frames", "sample rate", "sample size", "channels"])?,
        FourCc::VRTX => vertex(payload)?,
        FourCc::FNTG => font(payload)?,
        FourCc::KERN => kerning(payload)?,
        FourCc::LINK => vec![("path", json!(LinkView::parse(payload)?.path()))],
        FourCc::CDIR => numbers(payload, ["entries"])?,
        FourCc::INDX => numbers(payload, ["layout version", "entries", "additional packs"])?,
        FourCc::MARK => markers(payload)?,
        FourCc::SEEK => seek_points(payload)?,
        FourCc::MODL => model(payload)?,
        FourCc::SCNE => scenes(payload)?,
        FourCc::COLL => collision_shapes(payload)?,
        FourCc::SHDR => shader::properties(payload)?,
        _ => vec![("properties", json!(payload.props().collect::<Vec<_>>()))],
    };
    properties.push(("data size", json!(payload.data().len())));
    Ok(properties)
}

/// Returns the names and values of the metadata of an index entry.
pub fn metadata(meta: MetaView<'_>) -> Vec<(String, Value)> {
    // The tag of a language takes several records.
    let locale = LanguageTag::of(&meta);
    let is_locale = |key: MetaKey| locale.is_some() && (MetaKey::LOCALE.0..MetaKey::DENSITY.0).contains(&key.0);
    let records = meta.records().filter(|(key, _)| !is_locale(*key));
    let records = records.map(|(key, value)| (key.to_string(), metadata_value(key, value)));
    locale.iter().map(|tag| ("locale".to_owned(), json!(tag.as_str()))).chain(records).collect()
}

fn metadata_value(key: MetaKey, value: u32) -> Value {
    let name = match key {
        MetaKey::GAIN
        | MetaKey::FALLOFF
        | MetaKey::ASCENT
        | MetaKey::LINE_HEIGHT
        | MetaKey::DESCENT
        | MetaKey::CAP_HEIGHT
        | MetaKey::X_HEIGHT
        | MetaKey::UNDERLINE
        | MetaKey::UNDERLINE_THICKNESS
        | MetaKey::DISTANCE_RANGE
        | MetaKey::PSNR
        | MetaKey::SSIM
        | MetaKey::DENSITY
        | MetaKey::DOMAIN_START_RED
        | MetaKey::DOMAIN_START_GREEN
        | MetaKey::DOMAIN_START_BLUE
        | MetaKey::DOMAIN_END_RED
        | MetaKey::DOMAIN_END_GREEN
        | MetaKey::DOMAIN_END_BLUE => {
            return float(f32::from_bits(value));
        }
        MetaKey::VARIANT_OF => return json!(ResourceId(value).to_string()),
        MetaKey::CUSTOM_KIND => return json!(FourCc(value.to_le_bytes()).to_string()),
        MetaKey::GLYPH_FORM => GlyphForm::from_number(value).map(GlyphForm::name),
        MetaKey::PREMULTIPLIED | MetaKey::LOOP if value < 2 => return json!(value == 1),
        MetaKey::FILTER => Filter::from_number(value).map(Filter::name),
        MetaKey::WRAP => Wrap::from_number(value).map(Wrap::name),
        MetaKey::PIXEL_FORMAT => return json!(PixelFormat(value).to_string()),
        MetaKey::COLOR_SPACE => ColorSpace::from_number(value).map(ColorSpace::name),
        MetaKey::PLAYBACK => Playback::from_number(value).map(Playback::name),
        _ => None,
    };
    name.map_or(json!(value), |name| json!(name))
}

/// Returns the shortest number that is read back as the same `f32`: 25.058 and not 25.058000564575195.
fn float(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or(value.into()))
}

/// Returns the JSON key for a name: `sample_rate` for "sample rate".
pub fn json_key(name: &str) -> String {
    name.replace([' ', '-'], "_").replace(',', "").to_lowercase()
}

/// Returns a value as text.
pub fn to_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns a property as lines of text, each with its name.
pub fn to_lines((name, value): &Property) -> Vec<(&'static str, String)> {
    shader::lines(name, value).unwrap_or_else(|| vec![(name, to_text(value))])
}

fn numbers<const N: usize>(payload: PayloadView<'_>, names: [&'static str; N]) -> Result<Vec<Property>> {
    let values: [u32; N] = payload.first_props()?;
    Ok(names.into_iter().zip(values.map(|value| json!(value))).collect())
}

fn raw(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let view = RawView::parse(payload)?;
    let extension = String::from_utf8_lossy(view.extension()).into_owned();
    Ok(vec![("size", json!(view.bytes().len())), ("extension", json!(extension))])
}

fn text(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let [size, encoding, language, culture] = payload.first_props()?;
    Ok(vec![
        ("size", json!(size)),
        ("encoding", json!(TextEncoding(encoding).to_string())),
        ("code language", json!(CodeLanguage(language).to_string())),
        ("culture", json!(format!("{culture:#06x}"))),
    ])
}

fn image(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let [width, height, format, mipmaps] = payload.first_props()?;
    let format = PixelFormat(format).to_string();
    Ok(vec![("width", json!(width)), ("height", json!(height)), ("format", json!(format)), ("mipmaps", json!(mipmaps))])
}

fn vertex(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let [count, attribute, components, format] = payload.first_props()?;
    Ok(vec![
        ("count", json!(count)),
        ("attribute", json!(VertexAttribute(attribute).to_string())),
        ("components", json!(components)),
        ("format", json!(VertexFormat(format).to_string())),
    ])
}

fn font(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let [size, glyphs, padding, style] = payload.first_props()?;
    let style = FontStyle(style).to_string();
    Ok(vec![("size", json!(size)), ("glyphs", json!(glyphs)), ("padding", json!(padding)), ("style", json!(style))])
}

fn kerning(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let [_, glyphs, rows, pairs, units] = payload.first_props()?;
    Ok(vec![
        ("glyphs", json!(glyphs)),
        ("rows", json!(rows)),
        ("pairs", json!(pairs)),
        ("units", float(f32::from_bits(units))),
    ])
}

fn seek_points(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let points = SeekView::parse(payload)?;
    Ok(vec![
        ("points", points.points().len().into()),
        ("skipped_frames", points.skipped_frames().into()),
        ("head_size", points.head_size().into()),
    ])
}

fn markers(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let markers = MarkersView::parse(payload)?;
    let list = markers.markers().map(|marker| json!({ "frame": marker.frame, "name": marker.name }));
    Ok(vec![("markers", list.collect())])
}

fn model(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let view = ModelView::parse(payload)?;
    let (nodes, primitives, materials) = (view.nodes().len(), view.primitives().len(), view.materials().len());
    Ok(vec![("nodes", json!(nodes)), ("primitives", json!(primitives)), ("materials", json!(materials))])
}

fn scenes(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let view = SceneView::parse(payload)?;
    let mut properties = vec![
        ("scenes", json!(view.scenes().len())),
        ("meshes", json!(view.meshes().len())),
        ("skins", json!(view.skins().len())),
        ("animations", json!(view.animations().len())),
        ("morph_targets", json!(view.targets().len())),
        ("textures", json!(view.textures().len())),
        ("cameras", json!(view.cameras().len())),
        ("lights", json!(view.lights().len())),
    ];
    if view.lods().len() > 0 {
        properties.push(("levels_of_detail", json!(view.lods().len())));
    }
    if view.meshlets().len() > 0 {
        properties.push(("meshlets", json!(view.meshlets().len())));
    }
    if view.tracks().len() > 0 {
        properties.push(("packed_channels", json!(view.tracks().len())));
    }
    Ok(properties)
}

fn collision_shapes(payload: PayloadView<'_>) -> Result<Vec<Property>> {
    let view = CollisionView::parse(payload)?;
    let convex = view.shapes().filter(|shape| shape.record.kind == ShapeKind::CONVEX).count();
    let sum = |count: fn(&ShapeView<'_>) -> u32| view.shapes().map(|shape| u64::from(count(&shape))).sum::<u64>();
    Ok(vec![
        ("shapes", json!(view.shapes().len())),
        ("convex", json!(convex)),
        ("vertices", json!(sum(|shape| shape.record.vertices))),
        ("triangles", json!(sum(|shape| shape.record.triangles))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_shown_as_names_and_short_numbers() {
        for (key, value, expected) in [
            (MetaKey::FILTER, 1, json!("nearest")),
            (MetaKey::WRAP, 2, json!("mirror")),
            (MetaKey::COLOR_SPACE, 1, json!("linear")),
            (MetaKey::PLAYBACK, 2, json!("ping-pong")),
            (MetaKey::WRAP, 9, json!(9)),
            (MetaKey::LOOP, 1, json!(true)),
            (MetaKey::LOOP, 2, json!(2)),
            (MetaKey::ASCENT, 25.058_f32.to_bits(), json!(25.058)),
            (MetaKey::PSNR, 44.12_f32.to_bits(), json!(44.12)),
            (MetaKey::GAIN, f32::NAN.to_bits(), json!(null)),
            (MetaKey::DENSITY, 1.5_f32.to_bits(), json!(1.5)),
            (MetaKey::VARIANT_OF, 0x12, json!("0x00000012")),
            (MetaKey(999), 7, json!(7)),
        ] {
            assert_eq!(metadata_value(key, value), expected, "{key}");
        }
    }

    #[test]
    fn json_keys_need_no_quotes_in_scripts() {
        assert_eq!(json_key("frames, low half"), "frames_low_half");
        assert_eq!(json_key("PSNR"), "psnr");
    }
}
