//! The images of materials, once they are loaded: those that change, and those that are sampled otherwise than their material needs.

use std::collections::HashSet;

use bevy_asset::{AssetEvent, AssetId, AssetServer, Assets, UntypedAssetId, VisitAssetDependencies};
use bevy_ecs::message::MessageReader;
use bevy_ecs::prelude::{Res, ResMut};
use bevy_image::Image;
use bevy_pbr::StandardMaterial;

/// Lets Bevy prepare materials again if their images have changed. Bevy makes a new texture of an image whose size or format differs, or that
/// has mip levels, and materials keep the old texture until they change as well.
pub(crate) fn renew_materials(
    mut events: MessageReader<AssetEvent<Image>>,
    server: Res<AssetServer>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let changed = events.read().filter_map(|event| match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    });
    // Images without a path are the program's own, and some change in each frame.
    let changed: HashSet<UntypedAssetId> =
        changed.filter(|id| server.get_path(*id).is_some()).map(|id| id.untyped()).collect();
    if changed.is_empty() {
        return;
    }
    let has_changed = |material: &StandardMaterial| {
        let mut has_changed = false;
        material.visit_dependencies(&mut |id| has_changed |= changed.contains(&id));
        has_changed
    };
    let users = materials.iter().filter(|(_, material)| has_changed(material)).map(|(id, _)| id);
    let users: Vec<AssetId<StandardMaterial>> = users.collect();
    for id in users {
        if let Some(material) = materials.get_mut(id) {
            material.into_inner(); // marks it as changed
        }
    }
}

/// Warns of images that are sampled as colours although a material takes numbers from them. The first load of an image decides, and it was
/// another one.
pub(crate) fn warn_of_colors(
    mut events: MessageReader<AssetEvent<StandardMaterial>>,
    server: Res<AssetServer>,
    materials: Res<Assets<StandardMaterial>>,
    images: Res<Assets<Image>>,
) {
    for event in events.read() {
        let AssetEvent::LoadedWithDependencies { id } = event else { continue };
        let Some((path, material)) = server.get_path(*id).zip(materials.get(*id)) else { continue };
        let numbers = [
            ("metallic-roughness", &material.metallic_roughness_texture),
            ("normal", &material.normal_map_texture),
            ("occlusion", &material.occlusion_texture),
        ];
        for (slot, texture) in numbers {
            let Some(texture) = texture else { continue };
            let is_color = images.get(texture).is_some_and(|image| image.texture_descriptor.format.is_srgb());
            if let (true, Some(image)) = (is_color, server.get_path(texture.id())) {
                tracing::warn!(
                    "{path}: its {slot} texture {image} is sampled as colours, as it was loaded before the model; set \
                     image.color_space = \"linear\" in the rule of the image"
                );
            }
        }
    }
}
