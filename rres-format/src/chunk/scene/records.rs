//! The records of a SCNE chunk, field by field in file order.
//!
//! `u32::MAX` means "none" in every index. Ranges count elements of the section that they are of.

use super::super::vertex::VertexAttribute;
use crate::open_enum::open_enum;
use crate::wire::{Wire as _, wire_newtype, wire_record};

/// The index that means "none".
pub const NONE: u32 = u32::MAX;

wire_record! {
    /// A part of the section of names, of numbers or of indices.
    #[derive(Default)]
    pub struct Span[8] {
        /// The first byte of a name; otherwise the first element.
        pub first: u32,
        /// How many there are.
        pub count: u32,
    }
}

wire_record! {
    /// What a node has besides its record in the MODL chunk or in the section of further nodes.
    pub struct NodeExtra[64] {
        /// 1 if translation, rotation and scale make the transform; 0 if the source has a matrix alone.
        pub has_parts: u32,
        /// Index of its skin.
        pub skin: u32,
        /// Index of its camera.
        pub camera: u32,
        /// Index of its light.
        pub light: u32,
        /// The weights of the morph targets of its mesh, in the numbers; none if the weights of the mesh apply.
        pub weights: Span,
        /// Translation.
        pub translation: [f32; 3],
        /// Rotation, a unit quaternion x, y, z, w.
        pub rotation: [f32; 4],
        /// Scale.
        pub scale: [f32; 3],
    }
}

wire_record! {
    /// A node that is not in the default scene, and so not in the MODL chunk. The nodes of that chunk are counted first.
    pub struct FurtherNode[80] {
        /// Index of the parent, smaller than its own.
        pub parent: u32,
        /// Index of its mesh.
        pub mesh: u32,
        /// Its name.
        pub name: Span,
        /// Transform to the space of its parent, column-major.
        pub transform: [f32; 16],
    }
}

wire_record! {
    /// A mesh. Primitives and nodes refer to it by its index.
    pub struct MeshRecord[24] {
        /// Its name.
        pub name: Span,
        /// The weights of its morph targets when nothing else sets them, in the numbers.
        pub weights: Span,
        /// The names of its morph targets, in the names of morph targets. Every target has one, which may be empty.
        pub targets: Span,
    }
}

wire_record! {
    /// What one morph target adds to one attribute of one primitive. Ascending by primitive, target and attribute.
    pub struct MorphRecord[24] {
        /// Index of the primitive in the MODL chunk.
        pub primitive: u32,
        /// Number of the target in its mesh.
        pub target: u32,
        /// The attribute.
        pub attribute: VertexAttribute,
        /// Numbers for each vertex.
        pub components: u32,
        /// The differences of all vertices, in the numbers.
        pub deltas: Span,
    }
}

wire_record! {
    /// A level of detail of a primitive. Ascending by primitive and level.
    pub struct LodRecord[16] {
        /// Index of the primitive in the MODL chunk.
        pub primitive: u32,
        /// Number of the level, counted from 0. Its indices have the attribute [`VertexAttribute::lod`].
        pub level: u32,
        /// About how far its surface is from the surface of the primitive, in the unit of the positions.
        pub error: f32,
        /// No meaning yet, 0.
        pub reserved: u32,
    }
}

wire_record! {
    /// The meshlets of a primitive or of one of its levels of detail. Ascending by primitive and level. Each list has the next meshlets, vertices
    /// and triangles of the sections of these.
    #[derive(Default)]
    pub struct MeshletListRecord[24] {
        /// Index of the primitive in the MODL chunk. It is a list of triangles.
        pub primitive: u32,
        /// 0 for the triangles of the primitive, 1 for its first level of detail, and so on.
        pub level: u32,
        /// How many meshlets there are.
        pub meshlets: u32,
        /// How many vertices they have in all.
        pub vertices: u32,
        /// How many triangles they have in all.
        pub triangles: u32,
        /// No meaning yet, 0.
        pub reserved: u32,
    }
}

wire_record! {
    /// A meshlet: some neighbouring triangles with their vertices, four times four numbers as a shader takes them. The vertices and triangles of the
    /// meshlets of a list follow one another.
    #[derive(Default)]
    pub struct MeshletRecord[64] {
        /// The middle of a sphere around its vertices.
        pub center: [f32; 3],
        /// The radius of that sphere.
        pub radius: f32,
        /// A viewer sees only backs if the angle between the direction to this point and `cone_axis` has a cosine of at least `cone_cutoff`.
        pub cone_apex: [f32; 3],
        /// That cosine; 1 if the triangles face too many directions for that.
        pub cone_cutoff: f32,
        /// About the direction that the triangles face, of length 1; 0 if `cone_cutoff` is 1.
        pub cone_axis: [f32; 3],
        /// No meaning yet, 0.
        pub reserved: u32,
        /// Its first vertex in the list.
        pub first_vertex: u32,
        /// How many vertices it has, at most 256.
        pub vertex_count: u32,
        /// Its first triangle in the list.
        pub first_triangle: u32,
        /// How many triangles it has, at most 512.
        pub triangle_count: u32,
    }
}

impl MeshletRecord {
    /// Reads a record.
    pub fn from_bytes(bytes: &[u8; 64]) -> Self {
        Self::get(bytes)
    }
}

wire_record! {
    /// A skin.
    pub struct SkinRecord[28] {
        /// Its name.
        pub name: Span,
        /// Its joints in the indices. They are indices of nodes.
        pub joints: Span,
        /// The inverse bind matrices in the numbers, 16 for each joint, column-major; none if all are the identity.
        pub inverse_bind_matrices: Span,
        /// Index of the node that is the root of the skeleton.
        pub skeleton: u32,
    }
}

wire_record! {
    /// An animation: a run of channels. The channels of the animations follow one another.
    pub struct AnimationRecord[16] {
        /// Its name.
        pub name: Span,
        /// Its channels.
        pub channels: Span,
    }
}

wire_record! {
    /// How one property of one node changes over time.
    pub struct ChannelRecord[32] {
        /// Index of the node.
        pub node: u32,
        /// The property.
        pub property: Property,
        /// What is between the keys.
        pub interpolation: Interpolation,
        /// Numbers of a value: 3, 4, 3, or the number of morph targets.
        pub components: u32,
        /// The times of the keys in seconds, ascending, in the numbers; none, and no values, if a [`TrackRecord`] has the keys.
        pub times: Span,
        /// The values of the keys, in the numbers. With cubic interpolation each key has three: tangent in, value, tangent out.
        pub values: Span,
    }
}

wire_record! {
    /// The keys of a channel in few bits. Ascending by channel; the keys of the tracks follow one another.
    #[derive(Default)]
    pub struct TrackRecord[48] {
        /// Number of the channel, which has no times and no values.
        pub channel: u32,
        /// How many keys it has.
        pub keys: u32,
        /// The times that its keys count, in the times of tracks.
        pub times: Span,
        /// What a number of a key is multiplied by.
        pub step: f32,
        /// What is added to it, for each number of a value.
        pub base: [f32; 4],
        /// The code of each number of a value, at most 25: 0 if it is the base in all keys, otherwise one more than its lowest bits that are stored as they are.
        pub codes: [u8; 4],
        /// The code of the times, in the same way.
        pub time_code: u8,
        /// Which number of a rotation is left out, 0 to 3; 4 if each key says it; 5 for other properties, which have three numbers.
        pub left_out: u8,
        /// How each number is predicted, 0 to 3: as 0, as the number of the key before, on a line of two keys, on a parabola of three.
        pub predictors: [u8; 4],
        /// No meaning yet, 0.
        pub reserved: [u8; 2],
    }
}

wire_record! {
    /// A number or colour of a material that differs from its default. Ascending by material and factor.
    pub struct FactorRecord[24] {
        /// Index of the material in the MODL chunk.
        pub material: u32,
        /// Which one.
        pub factor: Factor,
        /// Its value; components that the factor does not have are 0.
        pub value: [f32; 4],
    }
}

wire_record! {
    /// A texture of a material. Ascending by material and slot.
    pub struct TextureRecord[48] {
        /// Index of the material in the MODL chunk.
        pub material: u32,
        /// What it is for.
        pub slot: TextureSlot,
        /// A position in the model's list of dependencies.
        pub image: u32,
        /// Which texture coordinates it uses, counted from 0.
        pub tex_coord: u32,
        /// Filters and wrapping: magnification, minification, horizontal and vertical.
        pub sampler: [u8; 4],
        /// Scale of a normal map, strength of an occlusion map, otherwise 1.
        pub strength: f32,
        /// Added to scaled and rotated texture coordinates.
        pub offset: [f32; 2],
        /// Scale of texture coordinates.
        pub scale: [f32; 2],
        /// Rotation of scaled texture coordinates in radians, counter-clockwise as seen in the image.
        pub rotation: f32,
        /// No meaning yet, 0.
        pub reserved: u32,
    }
}

impl TextureRecord {
    /// An image for a use, with the first texture coordinates, any filters and edges that repeat, as a texture of glTF without a sampler.
    pub fn new(slot: TextureSlot, image: u32) -> Self {
        Self {
            material: 0,
            slot,
            image,
            tex_coord: 0,
            sampler: [0, 0, 1, 1],
            strength: 1.0,
            offset: [0.0; 2],
            scale: [1.0; 2],
            rotation: 0.0,
            reserved: 0,
        }
    }
}

wire_record! {
    /// A camera.
    pub struct CameraRecord[28] {
        /// Its name.
        pub name: Span,
        /// 0 perspective, 1 orthographic.
        pub kind: u32,
        /// Aspect ratio, 0 for the window's; for orthographic cameras half the width.
        pub x: f32,
        /// Vertical angle of view in radians; for orthographic cameras half the height.
        pub y: f32,
        /// Distance of the near plane.
        pub near: f32,
        /// Distance of the far plane; 0 if there is none.
        pub far: f32,
    }
}

wire_record! {
    /// A light.
    pub struct LightRecord[40] {
        /// Its name.
        pub name: Span,
        /// 0 directional, 1 point, 2 spot.
        pub kind: u32,
        /// Linear red, green and blue.
        pub color: [f32; 3],
        /// Candela for point and spot lights, lux for directional ones.
        pub intensity: f32,
        /// Distance at which it ends; 0 if it has none.
        pub range: f32,
        /// Angle in radians from the axis at which a spot light begins to weaken.
        pub inner_angle: f32,
        /// Angle in radians from the axis at which a spot light ends.
        pub outer_angle: f32,
    }
}

wire_record! {
    /// A scene.
    pub struct SceneRecord[16] {
        /// Its name.
        pub name: Span,
        /// Its root nodes, in the indices.
        pub roots: Span,
    }
}

open_enum! {
    /// The property of a node that a channel changes.
    pub struct Property(u32);
    /// Translation: 3 numbers.
    TRANSLATION = 0, "translation";
    /// Rotation: a quaternion x, y, z, w.
    ROTATION = 1, "rotation";
    /// Scale: 3 numbers.
    SCALE = 2, "scale";
    /// The weights of the morph targets of its mesh.
    WEIGHTS = 3, "weights";
}

open_enum! {
    /// What is between two keys of a channel. The names are glTF's.
    pub struct Interpolation(u32);
    /// The value of the first key.
    STEP = 0, "step";
    /// A straight line; for rotations the shortest arc.
    LINEAR = 1, "linear";
    /// A cubic Hermite spline with the tangents of the keys.
    CUBIC = 2, "cubic";
}

open_enum! {
    /// A number or colour of a material. The names come from glTF and its extensions.
    pub struct Factor(u32);
    /// 0 opaque, 1 mask, 2 blend. Default 0.
    ALPHA_MODE = 0, "alpha mode";
    /// The alpha below which a masked material is not drawn. Default 0.5.
    ALPHA_CUTOFF = 1, "alpha cutoff";
    /// 1 if both sides are drawn. Default 0.
    DOUBLE_SIDED = 2, "double sided";
    /// 1 if light has no effect. Default 0.
    UNLIT = 3, "unlit";
    /// Default 1.
    METALLIC = 4, "metallic";
    /// Default 1.
    ROUGHNESS = 5, "roughness";
    /// Colour. Default 0.
    EMISSIVE = 6, "emissive";
    /// What the emissive colour is multiplied by. Default 1.
    EMISSIVE_STRENGTH = 7, "emissive strength";
    /// Index of refraction. Default 1.5.
    IOR = 8, "index of refraction";
    /// Default 1.
    SPECULAR = 9, "specular";
    /// Colour. Default 1.
    SPECULAR_COLOR = 10, "specular color";
    /// Default 0.
    CLEARCOAT = 11, "clearcoat";
    /// Default 0.
    CLEARCOAT_ROUGHNESS = 12, "clearcoat roughness";
    /// Colour. Default 0.
    SHEEN_COLOR = 13, "sheen color";
    /// Default 0.
    SHEEN_ROUGHNESS = 14, "sheen roughness";
    /// Default 0.
    TRANSMISSION = 15, "transmission";
    /// Thickness of the volume. Default 0.
    THICKNESS = 16, "thickness";
    /// Distance after which light has the attenuation colour; 0, the default, for none.
    ATTENUATION_DISTANCE = 17, "attenuation distance";
    /// Colour. Default 1.
    ATTENUATION_COLOR = 18, "attenuation color";
    /// Default 0.
    IRIDESCENCE = 19, "iridescence";
    /// Default 1.3.
    IRIDESCENCE_IOR = 20, "iridescence index of refraction";
    /// Nanometres. Default 100.
    IRIDESCENCE_THICKNESS_MINIMUM = 21, "iridescence thickness minimum";
    /// Nanometres. Default 400.
    IRIDESCENCE_THICKNESS_MAXIMUM = 22, "iridescence thickness maximum";
    /// Default 0.
    ANISOTROPY = 23, "anisotropy";
    /// Radians. Default 0.
    ANISOTROPY_ROTATION = 24, "anisotropy rotation";
    /// Default 0.
    DISPERSION = 25, "dispersion";
    /// Default 0.
    DIFFUSE_TRANSMISSION = 26, "diffuse transmission";
    /// Colour. Default 1.
    DIFFUSE_TRANSMISSION_COLOR = 27, "diffuse transmission color";
    /// Colour with alpha of the specular-glossiness model; its presence says that the material has that model as well.
    DIFFUSE = 28, "diffuse";
    /// Colour of the specular-glossiness model. Default 1.
    SPECULAR_GLOSSINESS = 29, "specular-glossiness";
    /// Default 1.
    GLOSSINESS = 30, "glossiness";
}

open_enum! {
    /// What a texture of a material is for. The names come from glTF and its extensions.
    pub struct TextureSlot(u32);
    /// Colour and alpha.
    BASE_COLOR = 0, "base color";
    /// Roughness in green, metallic in blue.
    METALLIC_ROUGHNESS = 1, "metallic-roughness";
    /// Normal map.
    NORMAL = 2, "normal";
    /// Occlusion in red.
    OCCLUSION = 3, "occlusion";
    /// Colour.
    EMISSIVE = 4, "emissive";
    /// In alpha.
    SPECULAR = 5, "specular";
    /// Colour.
    SPECULAR_COLOR = 6, "specular color";
    /// In red.
    CLEARCOAT = 7, "clearcoat";
    /// In green.
    CLEARCOAT_ROUGHNESS = 8, "clearcoat roughness";
    /// Normal map of the coat.
    CLEARCOAT_NORMAL = 9, "clearcoat normal";
    /// Colour.
    SHEEN_COLOR = 10, "sheen color";
    /// In alpha.
    SHEEN_ROUGHNESS = 11, "sheen roughness";
    /// In red.
    TRANSMISSION = 12, "transmission";
    /// In green.
    THICKNESS = 13, "thickness";
    /// In red.
    IRIDESCENCE = 14, "iridescence";
    /// In green.
    IRIDESCENCE_THICKNESS = 15, "iridescence thickness";
    /// Direction in red and green, strength in blue.
    ANISOTROPY = 16, "anisotropy";
    /// In alpha.
    DIFFUSE_TRANSMISSION = 17, "diffuse transmission";
    /// Colour.
    DIFFUSE_TRANSMISSION_COLOR = 18, "diffuse transmission color";
    /// Colour and alpha of the specular-glossiness model.
    DIFFUSE = 19, "diffuse";
    /// Colour, and glossiness in alpha.
    SPECULAR_GLOSSINESS = 20, "specular-glossiness";
    /// In red, alone.
    ROUGHNESS = 21, "roughness";
    /// In red, alone.
    METALLIC = 22, "metallic";
    /// In red, alone.
    OPACITY = 23, "opacity";
}

wire_newtype!(VertexAttribute);
wire_newtype!(Property);
wire_newtype!(Interpolation);
wire_newtype!(Factor);
wire_newtype!(TextureSlot);
