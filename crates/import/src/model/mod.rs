//! Models that importers make: VRTX for each attribute of each primitive, then MODL and SCNE.
//!
//! The order is the same as for models from glTF, so that a model that is extracted and imported again has the same chunks.

mod scene;
#[cfg(test)]
mod tests;
mod vertices;

use rres_format::chunk::model::{Material, Node, Primitive, Topology, model_block};
use rres_format::chunk::scene::{AnimationRecord, MeshRecord, SceneBlock, SceneRecord, Span, TextureSlot};
use rres_format::chunk::vertex::VertexAttribute;
use rres_format::{AssetKind, FourCc};

pub use self::scene::{ModelChannel, ModelMaterial, ModelNode, ModelSkin};
pub use self::vertices::Vertices;
use crate::{Asset, Block, Dependency, ImportError, NamedPart, PartSort};

/// Makes a model of what an importer has read: meshes, nodes, materials, skins and animations. Each `add` method returns the number that
/// others refer to, counted from 0.
///
/// ```
/// use rres_import::model::{ModelBuilder, ModelMaterial, ModelNode};
///
/// let mut model = ModelBuilder::default();
/// let red = model.add_material(ModelMaterial::new("red", [1.0, 0.0, 0.0, 1.0]));
/// let mesh = model.add_mesh("triangle");
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// model.add_triangles(mesh, Some(red), &positions, Vec::new(), &[0, 1, 2], Vec::new())?;
/// model.add_node(ModelNode { mesh: Some(mesh), ..ModelNode::default() });
/// let asset = model.into_asset("1 triangle")?;
/// # assert_eq!(asset.kind, rres_format::AssetKind::Model);
/// # Ok::<(), rres_import::ImportError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ModelBuilder {
    blocks: Vec<Block>,
    primitives: Vec<Primitive>,
    nodes: Vec<ModelNode>,
    meshes: Vec<String>,
    materials: Vec<ModelMaterial>,
    skins: Vec<ModelSkin>,
    animations: Vec<(String, Vec<ModelChannel>)>,
    images: Vec<Dependency>,
}

impl ModelBuilder {
    /// Adds triangles to a mesh: three indices each. `vertices` are the attributes besides the positions that C programs know, and
    /// `further` the others, such as joints and weights.
    ///
    /// # Errors
    /// [`ImportError`] if an attribute is not of as many vertices as there are positions, a position is not finite, or an index is not of a
    /// vertex.
    pub fn add_triangles(
        &mut self,
        mesh: u32,
        material: Option<u32>,
        positions: &[[f32; 3]],
        vertices: Vec<Vertices>,
        indices: &[u32],
        further: Vec<Vertices>,
    ) -> Result<(), ImportError> {
        check_triangles(positions, indices)?;
        let known: Vec<Vertices> =
            std::iter::once(Vertices::floats(VertexAttribute::POSITION, positions.iter().copied()))
                .chain(vertices)
                .chain([Vertices::indices(indices)])
                .collect();
        let lists = known.iter().filter(|list| list.attribute() != VertexAttribute::INDEX).chain(&further);
        if let Some(list) = lists.clone().find(|list| list.count() != positions.len()) {
            let (attribute, found, expected) = (list.attribute(), list.count(), positions.len());
            return Err(ImportError::new(format!("has {attribute} of {found} vertices, and positions of {expected}")));
        }
        let linked = known.len() - 1;
        let attributes = known.len() + further.len();
        for (number, list) in known.iter().chain(&further).enumerate() {
            // C programs load the first chain.
            self.blocks.push(Block { linked: number < linked, ..Block::new(FourCc::VRTX, list.block()?) });
        }
        let bound = |fold: fn(f32, f32) -> f32| {
            std::array::from_fn(|axis| positions.iter().map(|at| at[axis]).reduce(fold).unwrap_or_default())
        };
        self.primitives.push(Primitive {
            mesh,
            material,
            topology: Topology::TRIANGLES,
            attributes: attributes as u32,
            minimum: bound(f32::min),
            maximum: bound(f32::max),
        });
        Ok(())
    }

    /// Adds a mesh, which may have no name, and returns its number. Its triangles and the node that draws it refer to it.
    pub fn add_mesh(&mut self, name: impl Into<String>) -> u32 {
        self.meshes.push(name.into());
        self.meshes.len() as u32 - 1
    }

    /// Adds a material and returns its number.
    pub fn add_material(&mut self, material: ModelMaterial) -> u32 {
        self.materials.push(material);
        self.materials.len() as u32 - 1
    }

    /// Adds a node and returns its number. Parents come before their children.
    pub fn add_node(&mut self, node: ModelNode) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Adds a skin and returns its number.
    pub fn add_skin(&mut self, skin: ModelSkin) -> u32 {
        self.skins.push(skin);
        self.skins.len() as u32 - 1
    }

    /// Adds an animation and returns its number. If it has a name, the game has a constant for it.
    pub fn add_animation(&mut self, name: impl Into<String>, channels: Vec<ModelChannel>) -> u32 {
        self.animations.push((name.into(), channels));
        self.animations.len() as u32 - 1
    }

    /// Adds an image that textures refer to by the number that this returns. Equal ones have the same number. The game loads it together
    /// with the model.
    pub fn add_image(&mut self, image: Dependency) -> u32 {
        let known = self.images.iter().position(|known| *known == image);
        known.unwrap_or_else(|| {
            self.images.push(image);
            self.images.len() - 1
        }) as u32
    }

    /// Makes the asset. Nodes without a parent are the roots of its only scene. `summary` is for the documentation of the constant:
    /// `12 triangles, 3 joints`.
    ///
    /// # Errors
    /// [`ImportError`] that names the part if one refers to another that does not exist, an animation has times that do not ascend, or a
    /// number is not finite.
    pub fn into_asset(self, summary: impl Into<String>) -> Result<Asset, ImportError> {
        self.check_references()?;
        let Self { mut blocks, primitives, nodes, meshes, materials, skins, animations, images } = self;
        let parts: Vec<NamedPart> = (0..)
            .zip(&animations)
            .filter(|(_, (name, _))| !name.is_empty())
            .map(|(index, (name, _))| NamedPart { sort: PartSort::Animation, index, name: name.clone() })
            .collect();
        let structure = structure(&nodes, &primitives, &materials).map_err(not_stored)?;
        let model = [nodes.len(), primitives.len(), materials.len()].map(|count| count as u32);
        let scene = scene(model, &nodes, meshes, materials, skins, animations).map_err(not_stored)?;
        for (kind, block) in [(FourCc::MODL, structure), (FourCc::SCNE, scene)] {
            blocks.push(Block { linked: false, ..Block::new(kind, block) });
        }
        Ok(Asset { parts, dependencies: images, ..Asset::new(AssetKind::Model, blocks, summary) })
    }
}

/// What the chunks do not check by themselves.
impl ModelBuilder {
    fn check_references(&self) -> Result<(), ImportError> {
        let exists = |what: &str, number: Option<u32>, count: usize| match number {
            Some(number) if number as usize >= count => {
                Err(ImportError::new(format!("{what} {number}, but there are only {count}")))
            }
            _ => Ok(()),
        };
        for (number, node) in self.nodes.iter().enumerate() {
            exists(&format!("node {number} has the mesh"), node.mesh, self.meshes.len())?;
            exists(&format!("the parent of node {number} must come before it; it is"), node.parent, number)?;
            if !node.transform().iter().all(|value| value.is_finite()) {
                return Err(ImportError::damaged(format!("node {number} has a transform that is not finite")));
            }
        }
        for (number, primitive) in self.primitives.iter().enumerate() {
            exists(&format!("list {number} of triangles has the mesh"), Some(primitive.mesh), self.meshes.len())?;
            exists(&format!("list {number} of triangles has the material"), primitive.material, self.materials.len())?;
        }
        for (number, material) in self.materials.iter().enumerate() {
            for texture in &material.textures {
                exists(&format!("material {number} has the image"), Some(texture.image), self.images.len())?;
            }
            if !material.base_color.iter().all(|value| value.is_finite()) {
                return Err(ImportError::damaged(format!("material {number} has a colour that is not finite")));
            }
        }
        Ok(())
    }
}

fn not_stored(error: rres_format::Error) -> ImportError {
    ImportError::new(error.to_string())
}

fn check_triangles(positions: &[[f32; 3]], indices: &[u32]) -> Result<(), ImportError> {
    if !indices.len().is_multiple_of(3) {
        return Err(ImportError::new(format!("{} indices are not triangles: each has 3", indices.len())));
    }
    if let Some(index) = indices.iter().find(|index| **index as usize >= positions.len()) {
        return Err(ImportError::damaged(format!("has index {index}, but only {} vertices", positions.len())));
    }
    let infinite = (0..).zip(positions).find(|(_, position)| !position.iter().all(|value| value.is_finite()));
    let Some((vertex, position)) = infinite else { return Ok(()) };
    Err(ImportError::damaged(format!("vertex {vertex} is at {position:?}, which no model can have")))
}

/// Returns the MODL chunk.
fn structure(
    nodes: &[ModelNode],
    primitives: &[Primitive],
    materials: &[ModelMaterial],
) -> rres_format::Result<Vec<u8>> {
    let nodes: Vec<Node<'_>> = nodes
        .iter()
        .map(|node| Node { name: &node.name, parent: node.parent, mesh: node.mesh, transform: node.transform() })
        .collect();
    let materials: Vec<Material<'_>> = materials
        .iter()
        .map(|material| {
            let base = material.textures.iter().find(|texture| texture.slot == TextureSlot::BASE_COLOR);
            let base_color_image = base.map(|texture| texture.image);
            Material { name: &material.name, base_color: material.base_color, base_color_image }
        })
        .collect();
    model_block(&nodes, primitives, &materials)
}

/// Returns the SCNE chunk.
fn scene(
    model: [u32; 3],
    nodes: &[ModelNode],
    meshes: Vec<String>,
    materials: Vec<ModelMaterial>,
    skins: Vec<ModelSkin>,
    animations: Vec<(String, Vec<ModelChannel>)>,
) -> rres_format::Result<Vec<u8>> {
    let mut scene = SceneBlock { default_scene: Some(0), model, ..SceneBlock::default() };
    scene.nodes = nodes.iter().map(ModelNode::extra).collect();
    for skin in skins {
        skin.put(&mut scene)?;
    }
    for mesh in meshes {
        let name = scene.push_name(&mesh)?;
        scene.meshes.push(MeshRecord { name, weights: Span::default(), targets: Span::default() });
    }
    let roots = (0..).zip(nodes).filter(|(_, node)| node.parent.is_none()).map(|(number, _)| number);
    let roots = scene.push_indices(roots)?;
    let name = scene.push_name("")?;
    scene.scenes.push(SceneRecord { name, roots });
    for (name, channels) in animations {
        let first = scene.channels.len() as u32;
        channels.into_iter().try_for_each(|channel| channel.put(&mut scene))?;
        let count = scene.channels.len() as u32 - first;
        let name = scene.push_name(&name)?;
        scene.animations.push(AnimationRecord { name, channels: Span { first, count } });
    }
    (0..).zip(materials).for_each(|(number, material)| material.put(number, &mut scene));
    scene.block()
}
