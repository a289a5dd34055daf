//! Models: a list of vertices and indices for each texture, a node for them, and for characters nodes for joints and a skin; an asset for each
//! level of detail.
//!
//! Materials are not metallic, and have what the polygons and textures say: both sides, transparency. The first level has the
//! animations; the joints of the others have the same nodes.

use rres_format::chunk::scene::{Factor, TextureRecord, TextureSlot};
use rres_format::chunk::vertex::VertexAttribute;
use rres_import::model::{ModelBuilder, ModelMaterial, ModelNode, Vertices};
use rres_import::{Dependency, Note};

use super::motion::{self, LeftOut};
use super::names::Names;
use super::references::Look;
use super::skeleton::{Influences, Skeleton};
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
        let mut built = ModelBuilder::default();
        let mesh = built.add_mesh(name);
        let mut appearances: Vec<(Option<u32>, Alpha, bool)> = Vec::new();
        let mut triangles = 0;
        for surface in surfaces {
            let look = looks.get(usize::from(surface.texture_index)).and_then(Option::as_ref);
            let texture = look.map(|look| look.image.as_str());
            let image = texture.map(|texture| built.add_image(Dependency::Asset(texture.to_owned())));
            let appearance = (image, look.map_or(Alpha::Opaque, |look| look.alpha), surface.is_double_sided);
            let known = appearances.iter().position(|known| *known == appearance).map(|known| known as u32);
            let material = known.unwrap_or_else(|| {
                appearances.push(appearance);
                let name = texture.map_or("", |texture| texture.rsplit('/').next().unwrap_or_default());
                built.add_material(material(name, appearance))
            });
            let uvs = Vertices::floats(VertexAttribute::TEXCOORD1, surface.uvs.iter().copied());
            let further = moved.map(|moved| moved.influences.lists(surface)).unwrap_or_default();
            let (positions, indices) = (&surface.positions, &surface.indices);
            built.add_triangles(mesh, Some(material), positions, vec![uvs], indices, further)?;
            triangles += surface.indices.len() / 3;
        }
        let skin = moved.map(|_| 0);
        built.add_node(ModelNode { name: name.to_owned(), mesh: Some(mesh), skin, ..ModelNode::default() });
        let mut animations = 0;
        if let Some(moved) = moved {
            moved.skeleton.put(&mut built);
            for animation in moved.animations {
                let left = self.numbers_left.checked_sub(motion::numbers(animation, moved.skeleton));
                self.numbers_left =
                    left.ok_or_else(|| ImportError::new("has more motion than 256 MiB in all models"))?;
                let (channels, left_out) = motion::channels(animation, moved.skeleton);
                let name = animation.info.name.decode().into_owned();
                self.leave_out(&name, &left_out);
                built.add_animation(name, channels);
                animations += 1;
            }
        }
        let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut summary = counted(triangles, "triangle");
        if let Some(moved) = moved {
            summary += &format!(", {}", counted(moved.skeleton.len(), "joint"));
        }
        if animations > 0 {
            summary += &format!(", {}", counted(animations, "animation"));
        }
        built.into_asset(summary)
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

/// Returns a material of an image, transparency, and whether both sides are drawn.
fn material(name: &str, (image, alpha, is_double_sided): (Option<u32>, Alpha, bool)) -> ModelMaterial {
    let factors = [
        (Factor::ALPHA_MODE, f32::from(alpha as u8), alpha != Alpha::Opaque),
        (Factor::DOUBLE_SIDED, 1.0, is_double_sided),
        (Factor::METALLIC, 0.0, true),
    ];
    let set = factors.into_iter().filter(|(.., is_set)| *is_set);
    let plain = ModelMaterial::new(name, [1.0; 4]);
    let material = set.fold(plain, |material, (factor, value, _)| material.with_factor(factor, [value, 0.0, 0.0, 0.0]));
    match image {
        Some(image) => material.with_texture(TextureRecord::new(TextureSlot::BASE_COLOR, image)),
        None => material,
    }
}
