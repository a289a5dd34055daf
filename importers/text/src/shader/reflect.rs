//! The interface of a module of naga.

use naga::common::wgsl::{ToWgsl as _, TypeContext as _};
use naga::valid::ModuleInfo;
use naga::{
    AddressSpace, ArraySize, Binding as Place, Handle, ImageClass, ImageDimension, Module, Scalar, ScalarKind,
    ShaderStage as NagaStage, StorageAccess, Type, TypeInner,
};
use rres_format::chunk::shader::{
    Binding, BindingKind, EntryPoint, Member, PipelineConstant, ShaderInterface, ShaderScalar, ShaderStage, StageValue,
    TextureDimension, TextureSample,
};
use rres_import::ImportError;

use super::KEEP;

/// The members of all buffers of a shader. Structures in structures can have any number in few lines.
const MAX_MEMBERS: usize = 1 << 16;

/// The interface of a valid module.
///
/// # Errors
/// [`ImportError`] if its buffers have more members than anybody declares.
pub(super) fn reflect(module: &Module, info: &ModuleInfo) -> Result<ShaderInterface, ImportError> {
    let mut members = MAX_MEMBERS;
    let mut bindings = Vec::new();
    for (handle, variable) in module.global_variables.iter() {
        if let Some(binding) = resource(module, variable, &mut members)? {
            bindings.push((handle, binding));
        }
    }
    // Push constants come last: they are in no group.
    bindings.sort_by_key(|(handle, binding)| {
        (binding.kind == BindingKind::PushConstants, binding.group, binding.binding, handle.index())
    });
    let entry_points = module.entry_points.iter().enumerate().map(|(number, entry)| {
        let uses = info.get_entry_point(number);
        let used = bindings.iter().enumerate().filter(|(_, (handle, _))| !uses[*handle].is_empty());
        let arguments = entry.function.arguments.iter();
        let mut inputs = Vec::new();
        arguments.for_each(|argument| {
            add_values(module, argument.name.as_deref(), argument.ty, argument.binding.as_ref(), &mut inputs);
        });
        let mut outputs = Vec::new();
        if let Some(result) = &entry.function.result {
            add_values(module, None, result.ty, result.binding.as_ref(), &mut outputs);
        }
        inputs.sort_by_key(|value| value.location);
        outputs.sort_by_key(|value| value.location);
        let mut workgroup_size = entry.workgroup_size;
        for (size, expression) in workgroup_size.iter_mut().zip(entry.workgroup_size_overrides.unwrap_or_default()) {
            // Until the pipeline decides, naga has a placeholder.
            if expression.is_some() {
                *size = 0;
            }
        }
        let stage = stage(entry.stage);
        let has_workgroups = matches!(stage, ShaderStage::Compute | ShaderStage::Task | ShaderStage::Mesh);
        EntryPoint {
            name: entry.name.clone(),
            stage,
            workgroup_size: if has_workgroups { workgroup_size } else { [0; 3] },
            inputs,
            outputs,
            bindings: used.map(|(number, _)| number as u32).collect(),
        }
    });
    let entry_points = entry_points.collect();
    let constants = module.overrides.iter().filter_map(|(_, constant)| {
        let TypeInner::Scalar(of) = module.types[constant.ty].inner else { return None };
        Some(PipelineConstant {
            name: constant.name.clone().unwrap_or_default(),
            id: constant.id,
            scalar: scalar(of)?,
            has_default: constant.init.is_some(),
        })
    });
    Ok(ShaderInterface {
        entry_points,
        constants: constants.collect(),
        bindings: bindings.into_iter().map(|(_, binding)| binding).collect(),
    })
}

/// The resource that a global variable is; `None` for variables of the shader itself.
fn resource(
    module: &Module,
    variable: &naga::GlobalVariable,
    budget: &mut usize,
) -> Result<Option<Binding>, ImportError> {
    let (ty, count) = match module.types[variable.ty].inner {
        TypeInner::BindingArray { base, size } => (base, length(size)),
        _ => (variable.ty, 1),
    };
    let kind = match variable.space {
        AddressSpace::Uniform => BindingKind::Uniform,
        AddressSpace::Storage { access } => BindingKind::Storage { is_writable: access.contains(StorageAccess::STORE) },
        AddressSpace::Immediate => BindingKind::PushConstants,
        AddressSpace::Handle => opaque(&module.types[ty].inner),
        _ => return Ok(None),
    };
    let is_buffer = matches!(kind, BindingKind::Uniform | BindingKind::Storage { .. } | BindingKind::PushConstants);
    let (group, binding) = variable.binding.map_or((0, 0), |at| (at.group, at.binding));
    let mut members = Vec::new();
    if is_buffer {
        match &module.types[ty].inner {
            TypeInner::Struct { members: fields, .. } => add_members(module, fields, "", 0, &mut members, budget)?,
            _ => add_member(module, ty, String::new(), 0, &mut members, budget)?,
        }
    }
    let type_name = || module.types[ty].name.clone().unwrap_or_default();
    Ok(Some(Binding {
        name: variable.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(type_name),
        group,
        binding,
        kind,
        count,
        size: if is_buffer { size(module, ty) } else { 0 },
        members,
    }))
}

fn opaque(inner: &TypeInner) -> BindingKind {
    match *inner {
        TypeInner::Sampler { comparison: false } => BindingKind::Sampler,
        TypeInner::Sampler { comparison: true } => BindingKind::ComparisonSampler,
        TypeInner::Image { dim, arrayed, class } => {
            let dimension = match (dim, arrayed) {
                (ImageDimension::D1, _) => TextureDimension::D1,
                (ImageDimension::D2, false) => TextureDimension::D2,
                (ImageDimension::D2, true) => TextureDimension::D2Array,
                (ImageDimension::D3, _) => TextureDimension::D3,
                (ImageDimension::Cube, false) => TextureDimension::Cube,
                (ImageDimension::Cube, true) => TextureDimension::CubeArray,
            };
            match class {
                ImageClass::Sampled { kind, multi } => {
                    let sample = match kind {
                        ScalarKind::Sint => TextureSample::Sint,
                        ScalarKind::Uint => TextureSample::Uint,
                        _ => TextureSample::Float,
                    };
                    BindingKind::Texture { dimension, sample, is_multisampled: multi }
                }
                ImageClass::Depth { multi } => {
                    BindingKind::Texture { dimension, sample: TextureSample::Depth, is_multisampled: multi }
                }
                ImageClass::Storage { format, access } => BindingKind::StorageTexture {
                    dimension,
                    format: format.to_wgsl().to_owned(),
                    is_readable: access.contains(StorageAccess::LOAD),
                    is_writable: access.contains(StorageAccess::STORE),
                },
                ImageClass::External => BindingKind::Other,
            }
        }
        _ => BindingKind::Other,
    }
}

/// Adds the fields of a structure at `offset`, each with the fields inside it.
fn add_members(
    module: &Module,
    fields: &[naga::StructMember],
    prefix: &str,
    offset: u32,
    out: &mut Vec<Member>,
    budget: &mut usize,
) -> Result<(), ImportError> {
    for field in fields {
        let name = format!("{prefix}{}", field.name.as_deref().unwrap_or_default());
        add_member(module, field.ty, name, offset.saturating_add(field.offset), out, budget)?;
    }
    Ok(())
}

fn add_member(
    module: &Module,
    ty: Handle<Type>,
    name: String,
    offset: u32,
    out: &mut Vec<Member>,
    budget: &mut usize,
) -> Result<(), ImportError> {
    *budget = budget.checked_sub(1).ok_or_else(|| {
        let message = format!("has buffers with more than {MAX_MEMBERS} members, members of structures included");
        ImportError::new(message).with_help("use arrays instead of structures inside structures").with_fix(KEEP)
    })?;
    let (count, stride) = match module.types[ty].inner {
        TypeInner::Array { size, stride, .. } => (length(size), stride),
        _ => (1, 0),
    };
    let mut type_name = String::new();
    // Writing to a string does not fail.
    let _ = module.to_ctx().write_type(ty, &mut type_name);
    let element = match module.types[ty].inner {
        TypeInner::Array { base, .. } => Some(base),
        _ => None,
    };
    let prefix = if element.is_some() { format!("{name}[].") } else { format!("{name}.") };
    out.push(Member { name, type_name, offset, size: size(module, ty), count, stride });
    match &module.types[element.unwrap_or(ty)].inner {
        TypeInner::Struct { members, .. } => add_members(module, members, &prefix, offset, out, budget),
        _ => Ok(()),
    }
}

/// The inputs or outputs that an argument or a result is.
fn add_values(module: &Module, name: Option<&str>, ty: Handle<Type>, place: Option<&Place>, out: &mut Vec<StageValue>) {
    match (&module.types[ty].inner, place) {
        (inner, Some(Place::Location { location, .. })) => {
            let (of, components) = match *inner {
                TypeInner::Scalar(of) => (of, 1),
                TypeInner::Vector { size, scalar } => (scalar, size as u32),
                _ => return,
            };
            let Some(scalar) = scalar(of) else { return };
            out.push(StageValue { name: name.unwrap_or_default().to_owned(), location: *location, scalar, components });
        }
        (TypeInner::Struct { members, .. }, None) => {
            for member in members {
                add_values(module, member.name.as_deref(), member.ty, member.binding.as_ref(), out);
            }
        }
        _ => {}
    }
}

/// The size of a type in a buffer; an array without length counts as one element.
fn size(module: &Module, ty: Handle<Type>) -> u32 {
    module.types[ty].inner.try_size(module.to_ctx()).unwrap_or(0)
}

/// The elements of an array; 0 if the length is open.
fn length(size: ArraySize) -> u32 {
    match size {
        ArraySize::Constant(count) => count.get(),
        ArraySize::Pending(_) | ArraySize::Dynamic => 0,
    }
}

fn stage(stage: NagaStage) -> ShaderStage {
    match stage {
        NagaStage::Vertex => ShaderStage::Vertex,
        NagaStage::Fragment => ShaderStage::Fragment,
        NagaStage::Compute => ShaderStage::Compute,
        NagaStage::Task => ShaderStage::Task,
        NagaStage::Mesh => ShaderStage::Mesh,
        _ => ShaderStage::Ray,
    }
}

fn scalar(of: Scalar) -> Option<ShaderScalar> {
    Some(match of {
        Scalar::F32 => ShaderScalar::F32,
        Scalar::I32 => ShaderScalar::I32,
        Scalar::U32 => ShaderScalar::U32,
        Scalar::F16 => ShaderScalar::F16,
        Scalar::BOOL => ShaderScalar::Bool,
        Scalar::F64 => ShaderScalar::F64,
        Scalar::I64 => ShaderScalar::I64,
        Scalar::U64 => ShaderScalar::U64,
        Scalar::I16 => ShaderScalar::I16,
        Scalar::U16 => ShaderScalar::U16,
        _ => return None,
    })
}
