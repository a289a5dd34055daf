//! Models: a list of vertices and indices for each texture, and one node; an asset for each level of detail.
//!
//! Materials are not metallic, and have what the polygons and textures say: both sides, transparency.

use rres_format::chunk::model::{Material, Node};
use rres_format::chunk::scene::{
    Factor, FactorRecord, MeshRecord, NONE, NodeExtra, SceneBlock, SceneRecord, Span, TextureRecord, TextureSlot,
};
use rres_format::chunk::vertex::VertexAttribute;
use rres_import_srsc::{Model, Surface};

use super::super::asset_pack::{AssetPack, AssetPackError, pack};
use super::super::model_chunks::{ModelChunks, Vertices};
use super::names::Names;
use super::references::Look;
use super::textures::Alpha;
use super::{Asset, ImportError};

/// Makes the assets of a model: the first is called `name`, further levels of detail `name.lod1` and so on. A level without triangles is
/// no asset. `looks` are its textures.
pub(super) fn import(
    model: &Model<'_>,
    looks: &[Option<Look>],
    name: &str,
    names: &mut Names,
) -> Result<Vec<Asset>, ImportError> {
    let mut assets = Vec::new();
    for (level, surfaces) in model.levels() {
        let surfaces: Vec<Surface> = surfaces.into_iter().filter(|surface| !surface.indices.is_empty()).collect();
        if surfaces.is_empty() {
            continue;
        }
        let asset = of_surfaces(&model.name.decode(), &surfaces, looks)?;
        assets.push(asset.named(match level {
            0 => name.to_owned(),
            level => names.unique(&format!("{name}.lod{level}")),
        }));
    }
    Ok(assets)
}

/// Makes a pack of a model for `cargo rres srsc extract`, which writes a file of it. `textures` are the paths of its textures.
///
/// # Errors
/// If a build would refuse it.
pub fn srsc_model(name: &str, surfaces: &[Surface], textures: &[Option<String>]) -> Result<AssetPack, AssetPackError> {
    let look = |image: &String| Look { image: image.clone(), alpha: Alpha::Opaque };
    let looks: Vec<Option<Look>> = textures.iter().map(|texture| texture.as_ref().map(look)).collect();
    pack(vec![of_surfaces(name, surfaces, &looks)?], Vec::new())
}

fn of_surfaces(name: &str, surfaces: &[Surface], looks: &[Option<Look>]) -> Result<Asset, ImportError> {
    let mut chunks = ModelChunks::default();
    let (mut images, mut materials): (Vec<&str>, Vec<Material<'_>>) = Default::default();
    let mut appearances: Vec<(Option<u32>, Alpha, bool)> = Vec::new();
    let mut triangles = 0;
    for surface in surfaces {
        let look = looks.get(usize::from(surface.texture_index)).and_then(Option::as_ref);
        let texture = look.map(|look| look.image.as_str());
        let image = texture.map(|texture| {
            images.iter().position(|known| *known == texture).unwrap_or_else(|| {
                images.push(texture);
                images.len() - 1
            }) as u32
        });
        let appearance = (image, look.map_or(Alpha::Opaque, |look| look.alpha), surface.is_double_sided);
        let material = appearances.iter().position(|known| *known == appearance).unwrap_or_else(|| {
            appearances.push(appearance);
            let name = texture.map_or("", |texture| texture.rsplit('/').next().unwrap_or_default());
            materials.push(Material { name, base_color: [1.0; 4], base_color_image: image });
            materials.len() - 1
        });
        let uvs = Vertices::floats(VertexAttribute::TEXCOORD1, surface.uvs.iter().copied());
        let part = (0, Some(material as u32));
        chunks.triangles(part, &surface.positions, vec![uvs], &surface.indices, Vec::new())?;
        triangles += surface.indices.len() / 3;
    }
    let transform = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
    let node = Node { name, parent: None, mesh: Some(0), transform };
    let scene = scene(name, &appearances).map_err(|error| ImportError::new(error.to_string()))?;
    let plural = if triangles == 1 { "triangle" } else { "triangles" };
    let asset = chunks.into_asset(&[node], &materials, scene, format!("{triangles} {plural}"))?;
    Ok(images.into_iter().fold(asset, Asset::with_dependency))
}

/// What materials have besides their base colours: an image, transparency, and whether both sides are drawn.
fn scene(name: &str, appearances: &[(Option<u32>, Alpha, bool)]) -> Result<SceneBlock, rres_format::Error> {
    let mut scene = SceneBlock { default_scene: Some(0), ..SceneBlock::default() };
    let name = scene.push_name(name)?;
    scene.meshes.push(MeshRecord { name, weights: Span::default(), targets: Span::default() });
    scene.nodes.push(NodeExtra {
        has_parts: 1,
        skin: NONE,
        camera: NONE,
        light: NONE,
        weights: Span::default(),
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    });
    let roots = scene.push_indices([0])?;
    let name = scene.push_name("")?;
    scene.scenes.push(SceneRecord { name, roots });
    for (material, (image, alpha, is_double_sided)) in (0..).zip(appearances) {
        let mut set = |factor, value: f32| {
            scene.factors.push(FactorRecord { material, factor, value: [value, 0.0, 0.0, 0.0] });
        };
        if *alpha != Alpha::Opaque {
            set(Factor::ALPHA_MODE, f32::from(*alpha as u8));
        }
        if *is_double_sided {
            set(Factor::DOUBLE_SIDED, 1.0);
        }
        set(Factor::METALLIC, 0.0);
        if let Some(image) = *image {
            scene.textures.push(TextureRecord {
                material,
                slot: TextureSlot::BASE_COLOR,
                image,
                tex_coord: 0,
                sampler: [0, 0, 1, 1],
                strength: 1.0,
                offset: [0.0; 2],
                scale: [1.0; 2],
                rotation: 0.0,
                reserved: 0,
            });
        }
    }
    Ok(scene)
}
