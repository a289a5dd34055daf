//! Decodes source files with the crates that games without packs use, in their default features.

use loader::{Item, Kind, Result, Sink};
use rres_decode::SoundFile;

/// The height of glyphs, in pixels: the default of the settings.
const FONT_SIZE: f32 = 32.0;
/// The largest sound in memory after decoding.
const LIMIT: u64 = 1 << 30;

/// Decodes a file and keeps what is in it.
///
/// # Errors
/// If the file is damaged.
pub fn decode(item: &Item, file: Vec<u8>, sink: &Sink) -> Result<()> {
    match item.kind {
        Kind::Image => sink.keep_bytes(item, image::load_from_memory(&file)?.into_rgba8().into_raw()),
        Kind::Sound => {
            let sound = SoundFile::open(&file)?;
            sink.keep_bytes(item, sound.decode(sound.natural_form(), true, LIMIT)?);
        }
        Kind::Font => {
            let font = fontdue::Font::from_bytes(file, fontdue::FontSettings::default())?;
            (' '..='~').for_each(|glyph| sink.keep_bytes(item, font.rasterize(glyph, FONT_SIZE).1));
        }
        Kind::Model => decode_model(item, &file, sink)?,
        Kind::Text => sink.keep(item, String::from_utf8(file)?, |text| text.as_bytes()),
        Kind::Music | Kind::Raw => sink.keep_bytes(item, file),
    }
    Ok(())
}

/// Reads the vertices and indices of a model as a renderer wants them. Pictures in models are not compared.
fn decode_model(item: &Item, file: &[u8], sink: &Sink) -> Result<()> {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(file)?;
    let blob = blob.ok_or("a model without a binary chunk")?;
    if document.buffers().count() != 1 {
        return Err("a model with several buffers".into());
    }
    for primitive in document.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(|_| Some(&blob));
        let positions = reader.read_positions().ok_or("a primitive without positions")?;
        keep_floats(item, positions, sink);
        reader.read_normals().into_iter().for_each(|all| keep_floats(item, all, sink));
        reader.read_tangents().into_iter().for_each(|all| keep_floats(item, all, sink));
        reader.read_tex_coords(0).into_iter().for_each(|all| keep_floats(item, all.into_f32(), sink));
        let colors = reader.read_colors(0).map(|all| all.into_rgba_u8().flatten().collect());
        colors.into_iter().for_each(|all| sink.keep_bytes(item, all));
        let indices = reader.read_indices().map(|all| all.into_u32().flat_map(u32::to_le_bytes).collect());
        indices.into_iter().for_each(|all| sink.keep_bytes(item, all));
    }
    Ok(())
}

fn keep_floats<const N: usize>(item: &Item, vertices: impl Iterator<Item = [f32; N]>, sink: &Sink) {
    sink.keep_bytes(item, vertices.flatten().flat_map(f32::to_le_bytes).collect());
}
