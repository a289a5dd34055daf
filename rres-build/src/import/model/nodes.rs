//! The node graph → a list, parents before children, with local matrices.
//!
//! The nodes of the default scene are kept: the scene that the file names, or else the first one. All nodes are kept if
//! the file has no scenes.

use gltf::json::{Node as GltfNode, Root};
use rres_format::chunk::model::Node;

use super::super::ImportError;
use super::document::item;

/// The nodes, depth first, in the order of the document.
pub(super) fn read(root: &Root) -> Result<Vec<Node<'_>>, ImportError> {
    let roots = match root.scene.map(|scene| scene.value()).or(if root.scenes.is_empty() { None } else { Some(0) }) {
        Some(scene) => item(&root.scenes, "scene", scene)?.nodes.iter().map(|node| node.value()).collect(),
        None => without_parent(root),
    };
    let mut is_placed = vec![false; root.nodes.len()];
    let mut nodes = Vec::with_capacity(root.nodes.len());
    // An explicit stack, not recursion: the document determines the depth.
    let mut rest: Vec<(usize, Option<u32>)> = roots.into_iter().rev().map(|node| (node, None)).collect();
    while let Some((index, parent)) = rest.pop() {
        let source = item(&root.nodes, "node", index)?;
        if std::mem::replace(&mut is_placed[index], true) {
            let error = ImportError::new(format!("node {index} has two parents, or is its own descendant"));
            return Err(error.with_damage_help("it is damaged: export it again"));
        }
        if let Some(mesh) = source.mesh {
            item(&root.meshes, "mesh", mesh.value())?;
        }
        let transform = transform(source);
        if transform.iter().any(|value| !value.is_finite()) {
            let error = ImportError::new(format!("node {index} has a transform that is not finite"));
            return Err(error.with_damage_help("it is damaged: export it again"));
        }
        let own = nodes.len() as u32;
        nodes.push(Node {
            name: source.name.as_deref().unwrap_or_default(),
            parent,
            mesh: source.mesh.map(|mesh| mesh.value() as u32),
            transform,
        });
        let children = source.children.iter().flatten().rev();
        rest.extend(children.map(|child| (child.value(), Some(own))));
    }
    Ok(nodes)
}

fn without_parent(root: &Root) -> Vec<usize> {
    let mut has_parent = vec![false; root.nodes.len()];
    for child in root.nodes.iter().filter_map(|node| node.children.as_ref()).flatten() {
        if let Some(has_parent) = has_parent.get_mut(child.value()) {
            *has_parent = true;
        }
    }
    (0..root.nodes.len()).filter(|node| !has_parent[*node]).collect()
}

/// The matrix of a node: its own, or one composed of its scale, rotation and translation, in this order.
fn transform(node: &GltfNode) -> [f32; 16] {
    if let Some(matrix) = node.matrix {
        return matrix;
    }
    let [tx, ty, tz] = node.translation.unwrap_or_default();
    let [sx, sy, sz] = node.scale.unwrap_or([1.0; 3]);
    let [x, y, z, w] = node.rotation.unwrap_or_default().0;
    #[rustfmt::skip]
    let columns = [
        (1.0 - 2.0 * (y * y + z * z)) * sx, 2.0 * (x * y + z * w) * sx, 2.0 * (x * z - y * w) * sx, 0.0,
        2.0 * (x * y - z * w) * sy, (1.0 - 2.0 * (x * x + z * z)) * sy, 2.0 * (y * z + x * w) * sy, 0.0,
        2.0 * (x * z + y * w) * sz, 2.0 * (y * z - x * w) * sz, (1.0 - 2.0 * (x * x + y * y)) * sz, 0.0,
        tx, ty, tz, 1.0,
    ];
    columns
}
