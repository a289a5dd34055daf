//! Models as `.glb`, by way of the assets that builds make of them, so that the writer of `cargo rres extract` writes them.

use rres_build::srsc_model;
use rres_import_srsc::Surface;

use crate::cmd::extract::relative_uri;
use crate::export::{ExportError, TextureSource, packed_model, refused};

/// Returns a `.glb` file; `None` if the model has no triangles. `textures` are the paths of the textures of the model, and `path` its own.
pub(super) fn glb(
    name: &str,
    surfaces: &[Surface],
    textures: &[Option<String>],
    path: &str,
) -> Result<Option<Vec<u8>>, ExportError> {
    let surfaces: Vec<Surface> = surfaces.iter().filter(|surface| !surface.indices.is_empty()).cloned().collect();
    if surfaces.is_empty() {
        return Ok(None);
    }
    let mut images: Vec<&str> = Vec::new();
    for surface in &surfaces {
        let texture = textures.get(usize::from(surface.texture_index)).and_then(Option::as_deref);
        if let Some(texture) = texture.filter(|texture| !images.contains(texture)) {
            images.push(texture);
        }
    }
    let asset = srsc_model(name, &surfaces, textures).map_err(refused)?;
    let glb = packed_model(asset, |_, _, number| Ok(TextureSource::File(relative_uri(path, images[number]))))?;
    Ok(Some(glb.bytes.into_owned()))
}
