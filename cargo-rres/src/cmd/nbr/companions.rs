//! Which skeleton and animations belong to a model: Nikola's tool names all three after the folder of their source.

use std::collections::BTreeMap;

use rres_import_nbr::{Animation, Model, Resource, Skeleton};

use super::files::Found;
use crate::exit::Failure;

/// The skeletons and animations among some files, by name without folder.
#[derive(Default)]
pub(super) struct Companions<'f> {
    skeletons: BTreeMap<&'f str, Vec<&'f Found>>,
    animations: BTreeMap<&'f str, Vec<&'f Found>>,
}

impl<'f> Companions<'f> {
    /// Notes a file that has this resource.
    pub(super) fn note(&mut self, found: &'f Found, resource: &Resource<'_>) {
        let list = match resource {
            Resource::Skeleton(_) => &mut self.skeletons,
            Resource::Animation(_) => &mut self.animations,
            _ => return,
        };
        list.entry(found.stem()).or_default().push(found);
    }

    /// Returns the skeleton and the animations of a model; `None` if no joints move it, or if not exactly one skeleton has its name.
    pub(super) fn of(&self, found: &Found, model: &Model<'_>) -> Result<Option<(Skeleton, Vec<Animation>)>, Failure> {
        let skeletons = self.skeletons.get(found.stem()).map(Vec::as_slice);
        let (true, Some([skeleton])) = (model.meshes.iter().any(|mesh| mesh.has_joints), skeletons) else {
            return Ok(None);
        };
        let bytes = skeleton.bytes()?;
        let Ok(Resource::Skeleton(skeleton)) = skeleton.parse(&bytes).map(|file| file.resource) else {
            return Ok(None);
        };
        let mut animations = Vec::new();
        for animation in self.animations.get(found.stem()).into_iter().flatten() {
            let bytes = animation.bytes()?;
            if let Ok(Resource::Animation(animation)) = animation.parse(&bytes).map(|file| file.resource) {
                animations.push(animation);
            }
        }
        Ok(Some((skeleton, animations)))
    }
}
