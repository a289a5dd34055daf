//! What models consist of: primitives with their vertices, nodes, materials, animations.

pub use rres_format::chunk::model::Topology;
pub use rres_format::chunk::scene::{Interpolation, Property, TextureSlot};
pub use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};

pub use super::models::{
    AlphaMode, Animation, Camera, Channel, CollisionShape, Indices, InterleavedVertices, Light, LightKind, Lod,
    Material, Mesh, Meshlet, Meshlets, ModelPart, Node, NodeParts, Part, Primitive, Projection, Sample, Sampler, Scene,
    Skin, SpecularGlossiness, Texture, VertexField,
};
