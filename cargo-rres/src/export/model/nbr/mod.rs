//! Models, skeletons and animations of the Nikola engine as glTF: one file for each, or together as one model that moves.
//!
//! Joints become the first nodes, so that their numbers in vertices and tracks are the numbers of the nodes.

mod materials;
mod meshes;
mod motion;

use rres_import_nbr::{Animation, Model, Skeleton};
use serde_json::{Value, json};

use super::super::{Contents, ExportError, float};
use super::buffer::{Buffer, glb};
use materials::Materials;

/// What a file contains. Without a skeleton, the joints of animations are nodes without names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene<'a> {
    pub(crate) model: Option<&'a Model<'a>>,
    pub(crate) skeleton: Option<&'a Skeleton>,
    pub(crate) animations: Vec<&'a Animation>,
}

/// Encodes a scene as `.glb`.
pub(crate) fn nbr_scene(scene: &Scene<'_>) -> Result<Contents<'static>, ExportError> {
    let mut buffer = Buffer::default();
    let mut losses = Vec::new();
    let joints = scene.joint_count()?;
    let mut document = json!({ "asset": { "version": "2.0", "generator": "cargo-rres" } });
    let (mut nodes, mut roots) = motion::joints(scene, joints)?;
    let (mut meshes, mut materials) = (Vec::new(), Materials::default());
    if let Some(model) = scene.model {
        materials = Materials::write(model, &mut buffer, &mut losses)?;
        for (number, mesh) in model.meshes.iter().enumerate() {
            let fail = |error| of_mesh(number, error);
            let skeleton = scene.skeleton.map(|_| joints);
            let Some(value) = meshes::mesh(mesh, skeleton, &mut buffer, &mut losses).map_err(fail)? else { continue };
            let mut node = json!({ "mesh": meshes.len() });
            if scene.skeleton.is_some() && mesh.has_joints {
                node["skin"] = json!(0);
            }
            roots.push(nodes.len());
            nodes.push(node);
            meshes.push(value);
        }
    }
    let skins: Vec<Value> = scene.skeleton.map(|skeleton| motion::skin(skeleton, &mut buffer)).into_iter().collect();
    let animations = scene.animations.iter().map(|animation| motion::animation(animation, &mut buffer));
    let animations = animations.collect::<Result<Vec<_>, _>>()?;
    if materials.has_strength {
        document["extensionsUsed"] = json!(["KHR_materials_emissive_strength"]);
    }
    if !nodes.is_empty() {
        document["scene"] = json!(0);
        document["scenes"] = json!([{ "nodes": roots }]);
    }
    let lists = [
        ("nodes", nodes),
        ("meshes", meshes),
        ("skins", skins),
        ("animations", animations),
        ("materials", materials.materials),
        ("textures", materials.textures),
        ("samplers", materials.samplers),
        ("images", materials.images),
        ("accessors", std::mem::take(&mut buffer.accessors)),
        ("bufferViews", std::mem::take(&mut buffer.views)),
    ];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        document[name] = list.into();
    }
    losses.sort();
    losses.dedup();
    let losses: String = losses.iter().map(|loss| format!(", {loss}")).collect();
    Ok(Contents::converted(glb(document, &buffer.bytes)?, format!("{} as .glb{losses}", scene.parts())))
}

impl Scene<'_> {
    /// The number of joints: as many as the skeleton has, or the largest number of tracks.
    fn joint_count(&self) -> Result<usize, ExportError> {
        let Some(skeleton) = self.skeleton else {
            return Ok(self.animations.iter().map(|animation| animation.tracks.len()).max().unwrap_or(0));
        };
        let count = skeleton.joints.len();
        match self.animations.iter().find(|animation| animation.tracks.len() > count) {
            Some(animation) => Err(ExportError::Unsupported(format!(
                "the animation \"{}\" has {} tracks, and the skeleton {count} joints",
                animation.name,
                animation.tracks.len()
            ))),
            None => Ok(count),
        }
    }

    /// What it contains, as words.
    fn parts(&self) -> String {
        let parts = [
            (self.model.is_some(), "vertices and materials"),
            (self.skeleton.is_some(), "joints"),
            (!self.animations.is_empty(), "keys"),
        ];
        let parts: Vec<&str> = parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, part)| part).collect();
        parts.join(", ")
    }
}

/// Says which mesh an error is about.
fn of_mesh(number: usize, error: ExportError) -> ExportError {
    match error {
        ExportError::Unsupported(why) => ExportError::Unsupported(format!("mesh {number}: {why}")),
        ExportError::Damaged(why) => ExportError::Damaged(format!("mesh {number}: {why}")),
    }
}

/// Returns numbers as a JSON array; an error if one is not finite, which glTF does not allow.
fn finite(values: &[f32], what: &str) -> Result<Value, ExportError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(ExportError::Damaged(format!("{what} contains {value}, which glTF does not allow"))),
        None => Ok(values.iter().map(|value| float(*value)).collect()),
    }
}

/// Returns floats as the bytes of a buffer.
fn bytes<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> Vec<u8> {
    values.flatten().flat_map(f32::to_le_bytes).collect()
}
