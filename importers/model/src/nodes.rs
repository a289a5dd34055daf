//! The node graph → a list, parents before children, with local matrices.
//!
//! The nodes of the default scene come first: the scene that the file names, or else the first one. All nodes are in it if
//! the file has no scenes. Nodes of other scenes and of none follow.

use gltf::json::{Node as GltfNode, Root};
use rres_format::chunk::model::Node;
use rres_import::ImportError;

use super::document::item;

/// The nodes of a document in the order of the pack.
#[derive(Default)]
pub(super) struct Nodes<'r> {
    /// All nodes, parents first.
    pub(super) nodes: Vec<Node<'r>>,
    /// How many are in the default scene.
    pub(super) in_scene: usize,
    /// The index in the document of each node.
    pub(super) sources: Vec<usize>,
    /// The new index of each node of the document.
    numbers: Vec<Option<u32>>,
    scale: f32,
}

impl<'r> Nodes<'r> {
    /// Reads the nodes, depth first, in the order of the document. Their translations are multiplied by `scale`.
    pub(super) fn read(root: &'r Root, scale: f32) -> Result<Self, ImportError> {
        let mut read = Self { numbers: vec![None; root.nodes.len()], scale, ..Self::default() };
        let parentless = without_parent(root);
        let default = default_scene(root);
        let roots = match default {
            Some(scene) => scene_roots(root, scene)?,
            None => parentless.clone(),
        };
        read.place(root, roots, false)?;
        read.in_scene = read.nodes.len();
        for scene in (0..root.scenes.len()).filter(|scene| Some(*scene) != default) {
            for node in scene_roots(root, scene)? {
                item(&root.nodes, "node", node)?;
                read.place(root, vec![node], true)?;
            }
        }
        read.place(root, parentless, true)?;
        match read.numbers.iter().position(Option::is_none) {
            Some(index) => Err(two_parents(index)),
            None => Ok(read),
        }
    }

    /// The new index of a node of the document.
    pub(super) fn number(&self, index: usize) -> Result<u32, ImportError> {
        item(&self.numbers, "node", index).map(|number| number.unwrap_or_default())
    }

    /// Adds nodes and the nodes below them. If `may_be_placed`, nodes that were added already stay in their place: a root may be in several
    /// scenes, and some exporters write a node above the root of a scene.
    fn place(&mut self, root: &'r Root, roots: Vec<usize>, may_be_placed: bool) -> Result<(), ImportError> {
        let before = self.nodes.len() as u32;
        // An explicit stack, not recursion: the document determines the depth.
        let mut rest: Vec<(usize, Option<u32>)> = roots.into_iter().rev().map(|node| (node, None)).collect();
        while let Some((index, parent)) = rest.pop() {
            let source = item(&root.nodes, "node", index)?;
            let own = self.nodes.len() as u32;
            match self.numbers[index] {
                Some(known) if may_be_placed && known < before => continue,
                Some(_) => return Err(two_parents(index)),
                None => self.numbers[index] = Some(own),
            }
            if let Some(mesh) = source.mesh {
                item(&root.meshes, "mesh", mesh.value())?;
            }
            let mut transform = transform(source);
            transform[12..15].iter_mut().for_each(|axis| *axis *= self.scale);
            if transform.iter().any(|value| !value.is_finite()) {
                let error = ImportError::new(format!("node {index} has a transform that is not finite"));
                return Err(error.with_damage_help("it is damaged: export it again"));
            }
            self.sources.push(index);
            self.nodes.push(Node {
                name: source.name.as_deref().unwrap_or_default(),
                parent,
                mesh: source.mesh.map(|mesh| mesh.value() as u32),
                transform,
            });
            let children = source.children.iter().flatten().rev();
            rest.extend(children.map(|child| (child.value(), Some(own))));
        }
        Ok(())
    }
}

fn two_parents(index: usize) -> ImportError {
    ImportError::new(format!("node {index} has two parents, or is its own descendant"))
        .with_damage_help("it is damaged: export it again")
}

/// The scene that is shown first.
pub(super) fn default_scene(root: &Root) -> Option<usize> {
    root.scene.map(|scene| scene.value()).or(if root.scenes.is_empty() { None } else { Some(0) })
}

/// The roots of a scene, in the document's numbers.
pub(super) fn scene_roots(root: &Root, scene: usize) -> Result<Vec<usize>, ImportError> {
    Ok(item(&root.scenes, "scene", scene)?.nodes.iter().map(|node| node.value()).collect())
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
