//! Models: a list of vertices and indices for each texture, a node for them, and for characters nodes for joints and a skin; an asset for each
//! level of detail.
//!
//! Materials are not metallic, and have what the polygons and textures say: both sides, transparency. The first level has the
//! animations; the joints of the others have the same nodes.

use rres_format::chunk::model::{Material, Node};
use rres_format::chunk::scene::{
    Factor, FactorRecord, MeshRecord, NONE, SceneBlock, SceneRecord, Span, TextureRecord, TextureSlot,
};
use rres_format::chunk::vertex::VertexAttribute;
use rres_import::{ModelChunks, NamedPart, Note, PartSort, Vertices};

use super::motion::{self, LeftOut};
use super::names::Names;
use super::references::Look;
use super::skeleton::{Influences, Skeleton, still};
use super::textures::Alpha;
use super::{Asset, ImportError, first_of};
use crate::{Animation, Model, Surface};

/// What the models of an archive share.
pub(super) struct Models {
    /// How many numbers their animations may still have.
    numbers_left: usize,
    /// Frames and joints of animations that were left out, by animation.
    left_out: Vec<String>,
}

impl Default for Models {
    fn default() -> Self {
        Self { numbers_left: motion::MAX_NUMBERS, left_out: Vec::new() }
    }
}

/// The joints of a level of a character, and its animations.
struct Moved<'m> {
    skeleton: &'m Skeleton,
    influences: Influences,
    animations: &'m [Animation<'m>],
}

impl Models {
    /// Makes the assets of a model: the first is called `name`, further levels of detail `name.lod1` and so on. A level without triangles is
    /// no asset. `looks` are its textures.
    pub(super) fn import(
        &mut self,
        model: &Model<'_>,
        looks: &[Option<Look>],
        animations: &[Animation<'_>],
        name: &str,
        names: &mut Names,
    ) -> Result<Vec<Asset>, ImportError> {
        let skeleton = model.character.as_deref().and_then(Skeleton::of);
        let mut assets = Vec::new();
        for (level, surfaces) in model.levels() {
            let surfaces: Vec<Surface> = surfaces.into_iter().filter(|surface| !surface.indices.is_empty()).collect();
            if surfaces.is_empty() {
                continue;
            }
            let moved = model.character.as_deref().zip(skeleton.as_ref()).map(|(character, skeleton)| Moved {
                skeleton,
                influences: Influences::of_level(model, character, level),
                animations: if assets.is_empty() { animations } else { &[] },
            });
            let asset = self.of_surfaces(&model.name.decode(), &surfaces, looks, moved.as_ref())?;
            assets.push(asset.named(match level {
                0 => name.to_owned(),
                level => names.unique(&format!("{name}.lod{level}")),
            }));
        }
        Ok(assets)
    }

    fn of_surfaces(
        &mut self,
        name: &str,
        surfaces: &[Surface],
        looks: &[Option<Look>],
        moved: Option<&Moved<'_>>,
    ) -> Result<Asset, ImportError> {
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
            let further = moved.map(|moved| moved.influences.lists(surface)).unwrap_or_default();
            chunks.triangles(part, &surface.positions, vec![uvs], &surface.indices, further)?;
            triangles += surface.indices.len() / 3;
        }
        let transform = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
        let mut nodes = vec![Node { name, parent: None, mesh: Some(0), transform }];
        nodes.extend(moved.iter().flat_map(|moved| moved.skeleton.nodes()));
        let invalid = |error: rres_format::Error| ImportError::new(error.to_string());
        let roots = (0..).zip(&nodes).filter(|(_, node)| node.parent.is_none()).map(|(index, _)| index);
        let mut scene = scene(name, roots, &appearances, moved.is_some()).map_err(invalid)?;
        let mut parts = Vec::new();
        if let Some(moved) = moved {
            moved.skeleton.put(&mut scene).map_err(invalid)?;
            for (index, animation) in (0..).zip(moved.animations) {
                let left = self.numbers_left.checked_sub(motion::numbers(animation, moved.skeleton));
                self.numbers_left =
                    left.ok_or_else(|| ImportError::new("has more motion than 256 MiB in all models"))?;
                let left_out = motion::put(animation, moved.skeleton, &mut scene).map_err(invalid)?;
                let name = animation.info.name.decode().into_owned();
                self.leave_out(&name, &left_out);
                if !name.is_empty() {
                    parts.push(NamedPart { sort: PartSort::Animation, index, name });
                }
            }
        }
        let animations = scene.animations.len();
        let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut summary = counted(triangles, "triangle");
        if let Some(moved) = moved {
            summary += &format!(", {}", counted(moved.skeleton.len(), "joint"));
        }
        if animations > 0 {
            summary += &format!(", {}", counted(animations, "animation"));
        }
        let asset = Asset { parts, ..chunks.into_asset(&nodes, &materials, scene, summary)? };
        Ok(images.into_iter().fold(asset, Asset::with_dependency))
    }

    fn leave_out(&mut self, animation: &str, left_out: &LeftOut) {
        for (count, what) in [(left_out.shear, "frames with shear"), (left_out.joints, "joints whose times go back")] {
            let text = format!("{animation}: {what}");
            if count > 0 && !self.left_out.contains(&text) {
                self.left_out.push(text);
            }
        }
    }

    /// Names what animations lost.
    pub(super) fn note(&self) -> Option<Note> {
        let note =
            || Note::new("animations are imported without what joints cannot do").with_detail(first_of(&self.left_out));
        (!self.left_out.is_empty()).then(note)
    }
}

/// Returns the mesh, its node, the scene, and what materials have besides their base colours: an image, transparency, and whether both
/// sides are drawn.
fn scene(
    name: &str,
    roots: impl Iterator<Item = u32>,
    appearances: &[(Option<u32>, Alpha, bool)],
    has_skin: bool,
) -> Result<SceneBlock, rres_format::Error> {
    let mut scene = SceneBlock { default_scene: Some(0), ..SceneBlock::default() };
    let name = scene.push_name(name)?;
    scene.meshes.push(MeshRecord { name, weights: Span::default(), targets: Span::default() });
    scene.nodes.push(still(if has_skin { 0 } else { NONE }));
    let roots = scene.push_indices(roots)?;
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
