//! The names of the assets inside a model. They are those of Bevy's own loader: `rres://fox.glb#Scene0`.

pub(crate) fn scene(scene: usize) -> String {
    format!("Scene{scene}")
}

pub(crate) fn animation(animation: usize) -> String {
    format!("Animation{animation}")
}

pub(crate) fn primitive(mesh: u32, primitive: usize) -> String {
    format!("Mesh{mesh}/Primitive{primitive}")
}

/// `None` is the material of primitives without any.
pub(crate) fn material(material: Option<u32>) -> String {
    material.map_or_else(|| "DefaultMaterial".to_owned(), |material| format!("Material{material}"))
}

/// The material for nodes that mirror, which show the other side of triangles.
pub(crate) fn mirrored(material: Option<u32>) -> String {
    format!("{} (inverted)", self::material(material))
}

pub(crate) fn skin(skin: usize) -> String {
    format!("Skin{skin}/InverseBindMatrices")
}

pub(crate) const GRAPH: &str = "AnimationGraph";
