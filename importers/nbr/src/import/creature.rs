//! A model with the skeleton and the animations that belong to it: Nikola's tool names all three after the folder of their source.

use rres_import::Note;

use super::scenes::NbrScene;
use super::{Asset, ImportError, Source, scene};
use crate::{Animation, Model, Resource, Skeleton, read};

/// Imports a model. If joints move it, and exactly one skeleton has its name, it gets that skeleton and the animations of its name.
pub(super) fn import(source: &mut Source<'_>, model: &Model<'_>) -> Result<Vec<Asset>, ImportError> {
    let alone = NbrScene { model: Some(model), ..NbrScene::default() };
    if !model.meshes.iter().any(|mesh| mesh.has_joints) {
        return scene(source, &alone);
    }
    let (skeletons, animations) = companions(source)?;
    let [skeleton] = &skeletons[..] else { return scene(source, &alone) };
    let moved = NbrScene { model: Some(model), skeleton: Some(skeleton), animations: animations.iter().collect() };
    scene(source, &moved).or_else(|why| {
        // They are of another model, which is the fault of none of these files.
        let mut assets = scene(source, &alone)?;
        if let Some(model) = assets.first_mut() {
            let note = Note::new("models are imported without a skeleton and animations of their name that do not fit");
            model.notes.push(note.with_detail(why.to_string()));
        }
        Ok(assets)
    })
}

/// Returns the skeletons and the animations of the name of a source. Damaged files have errors of their own.
fn companions(source: &mut Source<'_>) -> Result<(Vec<Skeleton>, Vec<Animation>), ImportError> {
    let name = source.path.rsplit('/').next().unwrap_or(source.path);
    let paths = source.inputs.list(&format!("**/{}", rres_settings::glob_of(name)))?;
    let (mut skeletons, mut animations) = (Vec::new(), Vec::new());
    for path in paths.iter().filter(|path| *path != source.path) {
        let Ok(bytes) = source.inputs.read(path) else { continue };
        match read(&bytes).map(|file| file.resource) {
            Ok(Resource::Skeleton(skeleton)) => skeletons.push(skeleton),
            Ok(Resource::Animation(animation)) => animations.push(animation),
            _ => {}
        }
    }
    Ok((skeletons, animations))
}
