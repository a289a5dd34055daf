//! SHDR: the interface of a shader, which is what a program has to give it: entry points, bindings, inputs and constants. It follows the
//! TEXT chunk with the source.
//!
//! Properties: layout version 1, entry points, bindings, constants, size of the records in bytes. Data: the records, then the names.

mod layout;
#[cfg(test)]
mod tests;

use crate::closed_enum::closed_enum;

/// What a program has to give a shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShaderInterface {
    /// The entry points, in the order of the source.
    pub entry_points: Vec<EntryPoint>,
    /// The resources, by group and binding.
    pub bindings: Vec<Binding>,
    /// The constants that a pipeline may set, in the order of the source: `override` in WGSL.
    pub constants: Vec<PipelineConstant>,
}

/// A function that a pipeline runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryPoint {
    /// Its name.
    pub name: String,
    /// Its stage.
    pub stage: ShaderStage,
    /// The invocations of a workgroup in x, y and z, for a compute shader; 0 where a constant of the pipeline decides. `[0; 3]` in other
    /// stages.
    pub workgroup_size: [u32; 3],
    /// The inputs with a location, by location. The inputs of a vertex shader are the attributes of vertices.
    pub inputs: Vec<StageValue>,
    /// The outputs with a location, by location. The outputs of a fragment shader are the targets.
    pub outputs: Vec<StageValue>,
    /// The resources that it uses: numbers in [`ShaderInterface::bindings`], ascending.
    pub bindings: Vec<u32>,
}

/// An input or an output of an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StageValue {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its location.
    pub location: u32,
    /// The type of its components.
    pub scalar: ShaderScalar,
    /// The number of components, 1 to 4.
    pub components: u32,
}

/// A resource of a shader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The name of the variable; the name of the block for a block of GLSL whose members are global.
    pub name: String,
    /// The number of its bind group, which is `set` in GLSL; 0 for push constants.
    pub group: u32,
    /// Its number in the group; 0 for push constants.
    pub binding: u32,
    /// What it is.
    pub kind: BindingKind,
    /// The elements of a binding array; 1 if it is not an array, 0 if its length is open.
    pub count: u32,
    /// The size of a buffer in bytes, with padding. An array without length counts as one element. 0 for what is not a buffer.
    pub size: u32,
    /// The members of a buffer, with the members of structures inside, by offset.
    pub members: Vec<Member>,
}

/// What a resource of a shader is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BindingKind {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer.
    Storage {
        /// Whether the shader may write to it.
        is_writable: bool,
    },
    /// Push constants, which wgpu calls immediates.
    PushConstants,
    /// A texture to sample or load from.
    Texture {
        /// The dimension of its view.
        dimension: TextureDimension,
        /// The type of its texels.
        sample: TextureSample,
        /// Whether it has several samples per texel.
        is_multisampled: bool,
    },
    /// A storage texture.
    StorageTexture {
        /// The dimension of its view.
        dimension: TextureDimension,
        /// The name of its format in WGSL: `rgba8unorm`.
        format: String,
        /// Whether the shader may read from it.
        is_readable: bool,
        /// Whether the shader may write to it.
        is_writable: bool,
    },
    /// A sampler.
    Sampler,
    /// A sampler that compares depths.
    ComparisonSampler,
    /// What newer versions and extensions of the languages have, such as acceleration structures.
    Other,
}

/// A member of a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// Its name: `light.color` for the member of a structure, `lights[].color` for the one of an array's elements. Empty if the buffer
    /// is not a structure.
    pub name: String,
    /// Its type, as in WGSL: `mat4x4<f32>`, `array<Light, 4>`.
    pub type_name: String,
    /// Its offset in the buffer, in bytes; of the first element for a member of an array's elements.
    pub offset: u32,
    /// Its size in bytes. An array without length counts as one element.
    pub size: u32,
    /// The elements of an array; 1 if it is not an array, 0 if its length is open.
    pub count: u32,
    /// The distance of two elements in bytes; 0 if it is not an array.
    pub stride: u32,
}

/// A constant that a pipeline may set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PipelineConstant {
    /// Its name.
    pub name: String,
    /// Its number, if the source gives it one.
    pub id: Option<u16>,
    /// Its type.
    pub scalar: ShaderScalar,
    /// Whether the source gives it a value, so that a pipeline need not.
    pub has_default: bool,
}

closed_enum! {
    /// A stage of a pipeline.
    pub enum ShaderStage: u32 {
        /// A vertex shader.
        Vertex = 0, "vertex";
        /// A fragment shader, also called pixel shader.
        Fragment = 1, "fragment";
        /// A compute shader.
        Compute = 2, "compute";
        /// A task shader, which chooses meshlets.
        Task = 3, "task";
        /// A mesh shader, which makes primitives.
        Mesh = 4, "mesh";
        /// Any shader of a ray tracing pipeline.
        Ray = 5, "ray";
    }
}

closed_enum! {
    /// The type of a number in a shader.
    pub enum ShaderScalar: u32 {
        /// `f32`.
        F32 = 0, "f32";
        /// `i32`.
        I32 = 1, "i32";
        /// `u32`.
        U32 = 2, "u32";
        /// `f16`.
        F16 = 3, "f16";
        /// `bool`.
        Bool = 4, "bool";
        /// `f64`.
        F64 = 5, "f64";
        /// `i64`.
        I64 = 6, "i64";
        /// `u64`.
        U64 = 7, "u64";
        /// `i16`.
        I16 = 8, "i16";
        /// `u16`.
        U16 = 9, "u16";
    }
}

closed_enum! {
    /// The dimension of the view of a texture.
    pub enum TextureDimension: u32 {
        /// A row.
        D1 = 0, "1d";
        /// A picture.
        D2 = 1, "2d";
        /// An array of pictures.
        D2Array = 2, "2d-array";
        /// A volume.
        D3 = 3, "3d";
        /// A cube.
        Cube = 4, "cube";
        /// An array of cubes.
        CubeArray = 5, "cube-array";
    }
}

closed_enum! {
    /// The type of the texels that a shader reads from a texture.
    pub enum TextureSample: u32 {
        /// Floats, and integers that are read as 0 to 1.
        Float = 0, "float";
        /// Signed integers.
        Sint = 1, "sint";
        /// Unsigned integers.
        Uint = 2, "uint";
        /// Depths.
        Depth = 3, "depth";
    }
}

impl ShaderInterface {
    /// Returns the entry points of a stage.
    pub fn entry_points_of(&self, stage: ShaderStage) -> impl Iterator<Item = &EntryPoint> {
        self.entry_points.iter().filter(move |entry| entry.stage == stage)
    }

    /// Returns the entry point with this name.
    pub fn entry_point(&self, name: &str) -> Option<&EntryPoint> {
        self.entry_points.iter().find(|entry| entry.name == name)
    }

    /// Returns the resource with this name.
    pub fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|binding| binding.name == name)
    }

    /// Returns the resources of a bind group, by binding. Push constants are in no group.
    pub fn group(&self, group: u32) -> impl Iterator<Item = &Binding> {
        let is_in = move |binding: &&Binding| binding.group == group && binding.kind != BindingKind::PushConstants;
        self.bindings.iter().filter(is_in)
    }

    /// Returns the stages whose entry points use a resource of [`Self::bindings`], each once, in numeric order.
    pub fn stages_of(&self, binding: &Binding) -> impl Iterator<Item = ShaderStage> {
        let number = self.bindings.iter().position(|other| other == binding).and_then(|at| u32::try_from(at).ok());
        let uses = move |entry: &EntryPoint| number.is_some_and(|number| entry.bindings.contains(&number));
        ShaderStage::ALL.iter().copied().filter(move |stage| self.entry_points_of(*stage).any(uses))
    }
}

impl Binding {
    /// Returns the member with this name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl StageValue {
    /// Returns the vertex format of wgpu and WebGPU that has this type in a buffer, such as `float32x3`. `None` if there is none.
    pub fn wgpu_vertex_format(&self) -> Option<&'static str> {
        let names = match self.scalar {
            ShaderScalar::F32 => ["float32", "float32x2", "float32x3", "float32x4"],
            ShaderScalar::I32 => ["sint32", "sint32x2", "sint32x3", "sint32x4"],
            ShaderScalar::U32 => ["uint32", "uint32x2", "uint32x3", "uint32x4"],
            ShaderScalar::F64 => ["float64", "float64x2", "float64x3", "float64x4"],
            ShaderScalar::F16 => ["float16", "float16x2", "", "float16x4"],
            _ => return None,
        };
        let name = names.get((self.components as usize).checked_sub(1)?)?;
        Some(*name).filter(|name| !name.is_empty())
    }
}
