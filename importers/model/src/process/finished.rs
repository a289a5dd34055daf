//! The settings of models, applied to the chunks of a finished model, for importers that do not read glTF.
//!
//! These make no morph targets, cameras and lights: only vertices, nodes, skins and animations are changed.

use std::collections::HashSet;

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::{Material, ModelView, Node, Primitive, model_block};
use rres_format::chunk::scene::{
    LodRecord, MeshRecord, NONE, NodeExtra, Property, SceneBlock, SceneView, Span, TextureRecord, TextureSlot,
};
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block, ImportError};
use rres_settings::ModelSettings;

use super::super::appearance;
use super::{Processed, formats, is_needed, meshlets, primitive, tangents};

/// Applies the settings to every model among `assets`.
pub(crate) fn apply(assets: &mut [Asset], settings: &ModelSettings) -> Result<(), ImportError> {
    if *settings == ModelSettings::default() {
        return Ok(());
    }
    for asset in assets.iter_mut().filter(|asset| asset.kind == AssetKind::Model) {
        model(asset, settings).map_err(|error| match asset.name.as_str() {
            "" => error,
            name => error.within(name),
        })?;
    }
    Ok(())
}

fn model(asset: &mut Asset, settings: &ModelSettings) -> Result<(), ImportError> {
    let invalid = |error: rres_format::Error| ImportError::new(error.to_string());
    let blocks = std::mem::take(&mut asset.blocks);
    let (vertices, rest): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(|block| block.kind == FourCc::VRTX);
    let find = |kind| rest.iter().find(|block| block.kind == kind).map(|block| PayloadView::parse(&block.bytes));
    let Some(structure) = find(FourCc::MODL) else { return Err(ImportError::new("has no structure of a model")) };
    let structure = structure.and_then(ModelView::parse).map_err(invalid)?;
    let (mut nodes, materials): (Vec<Node<'_>>, Vec<Material<'_>>) =
        (structure.nodes().collect(), structure.materials().collect());
    let stored = find(FourCc::SCNE).map(|scene| scene.and_then(SceneView::parse)).transpose().map_err(invalid)?;
    let mut scene = stored.map_or_else(|| scene_of(structure), |scene| scene.to_block());
    scale(&mut nodes, &mut scene, settings.scale)?;

    let mut vertices = vertices.into_iter();
    let mut primitives: Vec<Primitive> = structure.primitives().collect();
    let mut without_tangents = 0;
    for (number, of) in primitives.iter_mut().enumerate() {
        let own: Vec<Block> = vertices.by_ref().take(of.attributes as usize).collect();
        let (own, lacks_tangents) =
            if is_needed(settings, false) { processed(own, number, of, settings, &mut scene)? } else { (own, false) };
        asset.blocks.extend(own);
        without_tangents += usize::from(lacks_tangents);
    }
    asset.notes.extend(tangents::note(without_tangents));
    let mut rest = &mut asset.blocks[..];
    let mut first = 0;
    for of_mesh in primitives.chunk_by(|a, b| a.mesh == b.mesh) {
        let count: usize = of_mesh.iter().map(|primitive| primitive.attributes as usize).sum();
        let (own, next) = rest.split_at_mut(count.min(rest.len()));
        rest = next;
        formats::apply(own, of_mesh, settings)?;
        if let Some(size) = settings.meshlets {
            meshlets::add(own, of_mesh, first, size, &mut scene)?;
        }
        first += of_mesh.len() as u32;
    }

    let structure = model_block(&nodes, &primitives, &materials).map_err(invalid)?;
    asset.blocks.push(Block { linked: false, ..Block::new(FourCc::MODL, structure) });
    if stored.is_some() || !scene.lods.is_empty() || !scene.meshlet_lists.is_empty() {
        let scene = scene.block().map_err(invalid)?;
        asset.blocks.push(Block { linked: false, ..Block::new(FourCc::SCNE, scene) });
    }
    Ok(())
}

/// The blocks of a primitive after its settings were applied, and whether its normal map lacks tangents.
fn processed(
    blocks: Vec<Block>,
    number: usize,
    of: &mut Primitive,
    settings: &ModelSettings,
    scene: &mut SceneBlock,
) -> Result<(Vec<Block>, bool), ImportError> {
    let within = |error: ImportError| error.within(&format!("primitive {number}"));
    let is_normal_map = |texture: &&TextureRecord| {
        Some(texture.material) == of.material
            && matches!(texture.slot, TextureSlot::NORMAL | TextureSlot::CLEARCOAT_NORMAL)
    };
    let normal_map = scene.textures.iter().find(is_normal_map).map(|texture| texture.tex_coord);
    let Processed { blocks, topology, errors, lacks_tangents, .. } =
        primitive(blocks, of.topology, settings, false, normal_map.unwrap_or_default()).map_err(within)?;
    scene.lods.extend((0..).zip(errors).map(|(level, error)| LodRecord {
        primitive: number as u32,
        level,
        error,
        reserved: 0,
    }));
    (of.topology, of.attributes) = (topology, blocks.len() as u32);
    for corner in [&mut of.minimum, &mut of.maximum] {
        *corner = corner.map(|axis| axis * settings.scale);
    }
    Ok((blocks, lacks_tangents && normal_map.is_some()))
}

/// What a model has that has no such chunk: nodes with a matrix alone, and meshes without names.
fn scene_of(structure: ModelView<'_>) -> SceneBlock {
    let meshes = structure.primitives().map(|primitive| primitive.mesh + 1).max().unwrap_or_default();
    let node = NodeExtra {
        has_parts: 0,
        skin: NONE,
        camera: NONE,
        light: NONE,
        weights: Span::default(),
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    };
    let mesh = MeshRecord { name: Span::default(), weights: Span::default(), targets: Span::default() };
    SceneBlock {
        model: [structure.nodes().len(), structure.primitives().len(), structure.materials().len()]
            .map(|count| count as u32),
        nodes: vec![node; structure.nodes().len()],
        meshes: vec![mesh; meshes as usize],
        ..SceneBlock::default()
    }
}

/// Multiplies every length except in vertices.
fn scale(nodes: &mut [Node<'_>], scene: &mut SceneBlock, factor: f32) -> Result<(), ImportError> {
    if factor == 1.0 {
        return Ok(());
    }
    appearance::scale(&mut scene.factors, factor)?;
    let multiply = |lengths: &mut [f32]| lengths.iter_mut().for_each(|length| *length *= factor);
    nodes.iter_mut().for_each(|node| multiply(&mut node.transform[12..15]));
    scene.nodes.iter_mut().for_each(|node| multiply(&mut node.translation));
    // Records may share numbers.
    let mut known = HashSet::new();
    let mut is_new = |span: &Span| known.insert((span.first, span.count));
    let range = |span: Span| span.first as usize..span.first as usize + span.count as usize;
    let translations = scene.channels.iter().filter(|channel| channel.property == Property::TRANSLATION);
    for values in translations.map(|channel| channel.values).filter(&mut is_new) {
        multiply(&mut scene.numbers[range(values)]);
    }
    for matrices in scene.skins.iter().map(|skin| skin.inverse_bind_matrices).filter(&mut is_new) {
        let (matrices, _) = scene.numbers[range(matrices)].as_chunks_mut::<16>();
        matrices.iter_mut().for_each(|matrix| multiply(&mut matrix[12..15]));
    }
    let numbers =
        nodes.iter().flat_map(|node| &node.transform).chain(scene.nodes.iter().flat_map(|node| &node.translation));
    match numbers.chain(&scene.numbers).all(|number| number.is_finite()) {
        true => Ok(()),
        false => {
            let error = format!("has a length beyond what a float holds when it is scaled by {factor}");
            Err(ImportError::new(error).with_help("choose another model.scale"))
        }
    }
}
