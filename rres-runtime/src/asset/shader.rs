//! What a program has to give a shader; [`Text::shader`](crate::Text::shader) returns it.

pub use rres_format::chunk::shader::{
    Binding, BindingKind, EntryPoint, Member, PipelineConstant, ShaderInterface, ShaderScalar, ShaderStage, StageValue,
    TextureDimension, TextureSample,
};
