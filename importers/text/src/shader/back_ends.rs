//! What a shader is compiled to, beside its text: by the back ends of naga, with the options that give the same bytes in every build.

use naga::Module;
use naga::back::msl::{BindSamplerTarget, BindTarget, EntryPointResources, Slot};
use naga::back::spv::WriterFlags;
use naga::back::{msl, pipeline_constants, spv};
use naga::valid::ModuleInfo;
use rres_format::chunk::shader::{BindingKind, ShaderInterface};
use rres_import::ImportError;
use rres_settings::{ShaderTarget, Word as _};

use super::Compiled;

/// Compiles a valid module to each of the targets.
///
/// # Errors
/// [`ImportError`] about what a target cannot have.
pub(super) fn compile(
    module: &Module,
    info: &ModuleInfo,
    interface: &ShaderInterface,
    targets: &[ShaderTarget],
    is_wgsl: bool,
) -> Result<Vec<Compiled>, ImportError> {
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let undecided: Vec<&str> =
        { interface.constants.iter() }.filter(|it| !it.has_default).map(|it| it.name.as_str()).collect();
    if !undecided.is_empty() {
        let message = format!("cannot be compiled, because no value is given to: {}", undecided.join(", "));
        return Err(
            ImportError::new(message).with_help("give each `override` a value in the shader, or use text.defines")
        );
    }
    let (module, info) = pipeline_constants::process_overrides(module, info, None, &Default::default())
        .map_err(|error| failed("constants", &error.to_string()))?;
    let compiled = targets.iter().map(|target| match target {
        ShaderTarget::Spirv => to_spirv(&module, &info, is_wgsl),
        ShaderTarget::Msl => to_msl(&module, &info, interface),
    });
    compiled.collect()
}

fn failed(to: &str, error: &str) -> ImportError {
    ImportError::new(format!("cannot be compiled to {to}: {}", error.replace('\n', " ")))
        .with_help("leave the target out of text.compile for this shader")
}

/// WGSL has the clip space of WebGPU, in which y points up; GLSL that naga reads is written for Vulkan.
fn to_spirv(module: &Module, info: &ModuleInfo, is_wgsl: bool) -> Result<Compiled, ImportError> {
    let flags = match is_wgsl {
        true => WriterFlags::ADJUST_COORDINATE_SPACE | WriterFlags::CLAMP_FRAG_DEPTH,
        false => WriterFlags::empty(),
    };
    // The default flags depend on the profile of the build script.
    let options = spv::Options { lang_version: (1, 3), flags, ..spv::Options::default() };
    let words = spv::write_vec(module, info, &options, None)
        .map_err(|error| failed(ShaderTarget::Spirv.word(), &error.to_string()))?;
    Ok(Compiled::Spirv(words.into_iter().flat_map(u32::to_le_bytes).collect()))
}

fn to_msl(module: &Module, info: &ModuleInfo, interface: &ShaderInterface) -> Result<Compiled, ImportError> {
    let mut slots = Slots::default();
    let mut interface = interface.clone();
    for binding in &mut interface.bindings {
        slots.assign(binding)?;
    }
    let entry_points = module.entry_points.iter().map(|entry| (entry.name.clone(), slots.resources.clone())).collect();
    let options = msl::Options {
        lang_version: (2, 1),
        per_entry_point_map: entry_points,
        fake_missing_bindings: false,
        ..msl::Options::default()
    };
    let (text, names) = msl::write_string(module, info, &options, &msl::PipelineOptions::default())
        .map_err(|error| failed(ShaderTarget::Msl.word(), &error.to_string()))?;
    for (entry, name) in interface.entry_points.iter_mut().zip(names.entry_point_names) {
        entry.name = name.map_err(|error| failed(ShaderTarget::Msl.word(), &error.to_string()))?;
    }
    Ok(Compiled::Msl(text, interface))
}

/// The slots of Metal, which has no groups: buffers, textures and samplers are counted apart, in the order of group and binding.
#[derive(Default)]
struct Slots {
    buffers: u32,
    textures: u32,
    samplers: u32,
    resources: EntryPointResources,
}

impl Slots {
    /// Gives a resource its slots. In the interface its group becomes 0, and its number the first slot.
    fn assign(&mut self, binding: &mut rres_format::chunk::shader::Binding) -> Result<(), ImportError> {
        let place = naga::ResourceBinding { group: binding.group, binding: binding.binding };
        let next = match &binding.kind {
            BindingKind::Uniform | BindingKind::Storage { .. } | BindingKind::PushConstants => &mut self.buffers,
            BindingKind::Texture { .. } | BindingKind::StorageTexture { .. } => &mut self.textures,
            BindingKind::Sampler | BindingKind::ComparisonSampler => &mut self.samplers,
            _ => return Err(failed(ShaderTarget::Msl.word(), &format!("`{}` has no slot there", binding.name))),
        };
        let slot = Slot::try_from(*next).ok().filter(|_| binding.count > 0);
        let Some(slot) = slot else {
            let reason = format!("`{}` is an array without length, or one resource too many", binding.name);
            return Err(failed(ShaderTarget::Msl.word(), &reason));
        };
        *next = next.saturating_add(binding.count);
        let mut target = BindTarget::default();
        match &binding.kind {
            BindingKind::PushConstants => self.resources.immediates_buffer = Some(slot),
            BindingKind::Uniform => target.buffer = Some(slot),
            BindingKind::Storage { is_writable } => {
                (target.buffer, target.mutable) = (Some(slot), *is_writable);
            }
            BindingKind::StorageTexture { is_writable, .. } => {
                (target.texture, target.mutable) = (Some(slot), *is_writable);
            }
            BindingKind::Texture { .. } => target.texture = Some(slot),
            _ => target.sampler = Some(BindSamplerTarget::Resource(slot)),
        }
        if binding.kind != BindingKind::PushConstants {
            self.resources.resources.insert(place, target);
        }
        // The sizes of arrays without length follow the last buffer.
        self.resources.sizes_buffer = Slot::try_from(self.buffers).ok();
        (binding.group, binding.binding) = (0, u32::from(slot));
        Ok(())
    }
}
