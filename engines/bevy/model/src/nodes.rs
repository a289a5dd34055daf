//! Transforms, cameras and lights of nodes → components.

use std::f32::consts::PI;

use bevy_camera::{OrthographicProjection, PerspectiveProjection, Projection, ScalingMode};
use bevy_color::Color;
use bevy_ecs::name::Name;
use bevy_ecs::world::EntityWorldMut;
use bevy_light::{DirectionalLight, PointLight, SpotLight};
use bevy_math::{Mat4, Quat, Vec3};
use bevy_transform::components::Transform;
use rres_runtime::Model;
use rres_runtime::asset::model::{Camera, Light, LightKind, Node, Projection as Stored};

/// The name of a node, which targets of animations have as well.
pub(crate) fn name(node: &Node, index: usize) -> Name {
    if node.name.is_empty() { Name::new(format!("Node{index}")) } else { Name::new(String::from(node.name.clone())) }
}

pub(crate) fn transform(node: &Node) -> Transform {
    match node.parts {
        Some(parts) => Transform {
            translation: Vec3::from(parts.translation),
            rotation: Quat::from_array(parts.rotation),
            scale: Vec3::from(parts.scale),
        },
        None => Transform::from_matrix(Mat4::from_cols_array(&node.transform)),
    }
}

/// Which nodes mirror their mesh: the number of axes that they and their ancestors turn around is odd.
pub(crate) fn mirroring(model: &Model) -> Vec<bool> {
    let transforms: Vec<[f32; 16]> = model.all_nodes().iter().map(|node| node.transform).collect();
    model.to_world(&transforms).iter().map(|matrix| Mat4::from_cols_array(matrix).determinant() < 0.0).collect()
}

pub(crate) fn projection(camera: &Camera) -> Projection {
    match camera.projection {
        Stored::Perspective { vertical_angle, aspect_ratio } => {
            let default = PerspectiveProjection::default();
            Projection::Perspective(PerspectiveProjection {
                fov: vertical_angle,
                aspect_ratio: aspect_ratio.unwrap_or(default.aspect_ratio),
                near: camera.near,
                far: camera.far.unwrap_or(default.far),
                ..default
            })
        }
        Stored::Orthographic { half_width, half_height } => {
            let default = OrthographicProjection::default_3d();
            Projection::Orthographic(OrthographicProjection {
                near: camera.near,
                far: camera.far.unwrap_or(default.far),
                // The whole of what the camera shows, in a window of any shape.
                scaling_mode: ScalingMode::AutoMin { min_width: 2.0 * half_width, min_height: 2.0 * half_height },
                ..default
            })
        }
    }
}

/// Makes an entity a light. The intensities of glTF are in candela, those of Bevy's point and spot lights in lumens.
pub(crate) fn insert_light(light: &Light, entity: &mut EntityWorldMut<'_>) {
    const RANGE: f32 = 20.0;
    let [red, green, blue] = light.color;
    let color = Color::linear_rgb(red, green, blue);
    let lumens = light.intensity * 4.0 * PI;
    let range = light.range.unwrap_or(RANGE);
    match light.kind {
        LightKind::Directional => {
            entity.insert(DirectionalLight { color, illuminance: light.intensity, ..Default::default() })
        }
        LightKind::Point => entity.insert(PointLight { color, intensity: lumens, range, ..Default::default() }),
        LightKind::Spot { inner_angle, outer_angle } => {
            entity.insert(SpotLight { color, intensity: lumens, range, inner_angle, outer_angle, ..Default::default() })
        }
    };
    if !light.name.is_empty() {
        entity.insert(Name::new(String::from(light.name.clone())));
    }
}
