//! The setting, applied to the chunks of finished models, for importers that do not read glTF.

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::{ModelView, Node, Primitive};
use rres_format::chunk::scene::SceneView;
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, ImportError};
use rres_settings::Length;

/// Stores the animations of every model among `assets` within `bound` of what they were.
pub(crate) fn apply(assets: &mut [Asset], bound: Option<Length>) -> Result<(), ImportError> {
    if bound.is_none() {
        return Ok(());
    }
    for asset in assets.iter_mut().filter(|asset| asset.kind == AssetKind::Model) {
        model(asset, bound).map_err(|error| match asset.name.as_str() {
            "" => error,
            name => error.within(name),
        })?;
    }
    Ok(())
}

fn model(asset: &mut Asset, bound: Option<Length>) -> Result<(), ImportError> {
    let invalid = |error: rres_format::Error| ImportError::new(error.to_string());
    let find = |kind| asset.blocks.iter().position(|block| block.kind == kind);
    // A model without scenes has no animations.
    let (Some(structure), Some(scene_at)) = (find(FourCc::MODL), find(FourCc::SCNE)) else { return Ok(()) };
    let structure = PayloadView::parse(&asset.blocks[structure].bytes).and_then(ModelView::parse).map_err(invalid)?;
    let scene = PayloadView::parse(&asset.blocks[scene_at].bytes).and_then(SceneView::parse).map_err(invalid)?;
    let mut scene = scene.to_block();
    let (nodes, primitives): (Vec<Node<'_>>, Vec<Primitive>) =
        (structure.nodes().collect(), structure.primitives().collect());
    let note = super::pack(&mut scene, &nodes, &asset.blocks, &primitives, bound)?;
    let bytes = scene.block().map_err(invalid)?;
    asset.blocks[scene_at].bytes = bytes;
    asset.notes.extend(note);
    Ok(())
}
