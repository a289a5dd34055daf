//! What a build would import, in a pack in memory, as files: models of `.nbr` files and of SRSC archives, and fonts.

use rres_build::{AssetPack, AssetPackError};
use rres_format::chunk::scene::{SceneBlock, SceneView};
use rres_format::{Decompressor, FourCc, ResourceId};
use rres_runtime::{Font, Model, Pack, PackOptions};

use super::model::{Container, ModelExport, Texture, TextureSource, model};
use super::{Contents, ExportError};

/// The reason why no file is made.
pub(crate) fn refused(AssetPackError { message, is_damage }: AssetPackError) -> ExportError {
    if is_damage { ExportError::Damaged(message) } else { ExportError::Unsupported(message) }
}

/// Encodes a model as `.glb`. `source` says where its images are, given their ids and numbers.
pub(crate) fn packed_model(
    asset: AssetPack,
    source: impl Fn(&Pack, ResourceId, usize) -> Result<TextureSource, ExportError>,
) -> Result<Contents<'static>, ExportError> {
    let pack = PackOptions::default().from_bytes(asset.pack)?;
    let model: Model = pack.load(asset.id)?;
    let mut textures = Vec::with_capacity(asset.dependencies.len());
    for (number, id) in asset.dependencies.into_iter().enumerate() {
        textures.push(Texture { id, number, source: source(&pack, id, number)? });
    }
    let scene = scene(&pack, asset.id)?;
    let export = ModelExport { model: &model, scene, is_bare_mesh: false, decode_blocks: false, textures };
    self::model(&export, Container::Glb)
}

fn scene(pack: &Pack, id: ResourceId) -> Result<Option<SceneBlock>, ExportError> {
    for chunk in pack.view().chunks() {
        let chunk = chunk?;
        if chunk.info.id == id && chunk.info.kind == FourCc::SCNE {
            let block = chunk.decode(&mut Decompressor::default())?;
            return Ok(Some(SceneView::parse(block.view()?)?.to_block()));
        }
    }
    Ok(None)
}

/// Returns a font.
pub(super) fn packed_font(asset: AssetPack) -> Result<Font, ExportError> {
    Ok(PackOptions::default().from_bytes(asset.pack)?.load(asset.id)?)
}
