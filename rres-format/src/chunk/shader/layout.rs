//! The bytes of the interface of a shader.

use super::{
    Binding, BindingKind, EntryPoint, Member, PipelineConstant, ShaderInterface, ShaderScalar, ShaderStage, StageValue,
    TextureDimension, TextureSample,
};
use crate::bytes::{slice, u32_at};
use crate::chunk::{PayloadView, block};
use crate::error::{Error, Result};

/// The layout that this module reads and writes.
const VERSION: u32 = 1;
/// The number of a constant that has none.
const NO_ID: u32 = u32::MAX;

/// The numbers of [`BindingKind`].
mod kind {
    pub(super) const UNIFORM: u32 = 0;
    pub(super) const STORAGE: u32 = 1;
    pub(super) const PUSH_CONSTANTS: u32 = 2;
    pub(super) const TEXTURE: u32 = 3;
    pub(super) const STORAGE_TEXTURE: u32 = 4;
    pub(super) const SAMPLER: u32 = 5;
    pub(super) const COMPARISON_SAMPLER: u32 = 6;
    pub(super) const OTHER: u32 = 7;
}

/// Bits of the flags of a binding.
const READABLE: u32 = 1;
const WRITABLE: u32 = 2;
const MULTISAMPLED: u32 = 4;

impl ShaderInterface {
    /// Returns the block of a SHDR chunk.
    pub fn block(&self) -> Vec<u8> {
        let mut out = Writer::default();
        for EntryPoint { name, stage, workgroup_size: [x, y, z], inputs, outputs, bindings } in &self.entry_points {
            out.numbers(&[*stage as u32, *x, *y, *z]);
            out.numbers(&[inputs.len() as u32, outputs.len() as u32, bindings.len() as u32]);
            out.name(name);
            for StageValue { name, location, scalar, components } in inputs.iter().chain(outputs) {
                out.numbers(&[*location, *scalar as u32, *components]);
                out.name(name);
            }
            out.numbers(bindings);
        }
        for binding @ Binding { name, group, binding: number, kind: _, count, size, members } in &self.bindings {
            let (kind, dimension, sample, flags, format) = binding.kind_numbers();
            out.numbers(&[*group, *number, kind, dimension, sample, flags, *count, *size, members.len() as u32]);
            out.name(name);
            out.name(format);
            for Member { name, type_name, offset, size, count, stride } in members {
                out.numbers(&[*offset, *size, *count, *stride]);
                out.name(name);
                out.name(type_name);
            }
        }
        for PipelineConstant { name, id, scalar, has_default } in &self.constants {
            out.numbers(&[id.map_or(NO_ID, u32::from), *scalar as u32, u32::from(*has_default)]);
            out.name(name);
        }
        let Writer { mut records, names } = out;
        let counts = [self.entry_points.len(), self.bindings.len(), self.constants.len(), records.len()];
        let [entry_points, bindings, constants, size] = counts.map(|count| count as u32);
        records.extend(names.as_bytes());
        block(&[VERSION, entry_points, bindings, constants, size], &records)
    }

    /// Reads and checks a payload.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the data is too short, [`Error::Inconsistent`] if the layout is not known, a number has no meaning, or a
    /// name is not UTF-8.
    pub fn parse(payload: PayloadView<'_>) -> Result<Self> {
        let [version, entry_points, bindings, constants, size] = payload.first_props()?;
        if version != VERSION {
            let detail = format!("layout version {version}, expected {VERSION}: it was written by a newer version");
            return Err(Error::inconsistent("shader interface", detail));
        }
        let data = payload.data();
        let records = slice(data, "records of a shader", 0, size.into())?;
        // Names follow one another, so that together they take no more memory than the chunk.
        let mut from = Reader { records, names: &data[records.len()..], at: 0, name: 0 };
        let interface = Self {
            entry_points: from.many(entry_points, |from| from.entry_point(bindings))?,
            bindings: from.many(bindings, Reader::binding)?,
            constants: from.many(constants, Reader::constant)?,
        };
        if from.at != records.len() {
            let detail = format!("{} bytes of records are left over", records.len() - from.at);
            return Err(Error::inconsistent("shader interface", detail));
        }
        Ok(interface)
    }
}

impl Binding {
    /// Kind, dimension, sample type and flags as numbers, and the name of the format.
    fn kind_numbers(&self) -> (u32, u32, u32, u32, &str) {
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        match &self.kind {
            BindingKind::Uniform => (kind::UNIFORM, 0, 0, READABLE, ""),
            BindingKind::Storage { is_writable } => (kind::STORAGE, 0, 0, READABLE | flag(*is_writable, WRITABLE), ""),
            BindingKind::PushConstants => (kind::PUSH_CONSTANTS, 0, 0, READABLE, ""),
            BindingKind::Texture { dimension, sample, is_multisampled } => {
                let flags = READABLE | flag(*is_multisampled, MULTISAMPLED);
                (kind::TEXTURE, *dimension as u32, *sample as u32, flags, "")
            }
            BindingKind::StorageTexture { dimension, format, is_readable, is_writable } => {
                let flags = flag(*is_readable, READABLE) | flag(*is_writable, WRITABLE);
                (kind::STORAGE_TEXTURE, *dimension as u32, 0, flags, format)
            }
            BindingKind::Sampler => (kind::SAMPLER, 0, 0, READABLE, ""),
            BindingKind::ComparisonSampler => (kind::COMPARISON_SAMPLER, 0, 0, READABLE, ""),
            BindingKind::Other => (kind::OTHER, 0, 0, READABLE, ""),
        }
    }
}

#[derive(Default)]
struct Writer {
    records: Vec<u8>,
    names: String,
}

impl Writer {
    fn numbers(&mut self, numbers: &[u32]) {
        numbers.iter().for_each(|number| self.records.extend(number.to_le_bytes()));
    }

    fn name(&mut self, name: &str) {
        self.numbers(&[name.len() as u32]);
        self.names.push_str(name);
    }
}

/// Reads records from their start, each once.
struct Reader<'a> {
    records: &'a [u8],
    names: &'a [u8],
    /// The offset of the next number.
    at: usize,
    /// The offset of the next name.
    name: usize,
}

impl Reader<'_> {
    /// Every record has at least one number, so a count that is too large ends at the end of the records.
    fn many<T>(&mut self, count: u32, mut read: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    fn number(&mut self) -> Result<u32> {
        let number = slice(self.records, "records of a shader", self.at as u64, 4)?;
        self.at += 4;
        Ok(u32_at(number, 0))
    }

    fn name(&mut self) -> Result<String> {
        let len = self.number()?;
        let name = slice(self.names, "name in a shader", self.name as u64, len.into())?;
        self.name += name.len();
        match core::str::from_utf8(name) {
            Ok(name) => Ok(name.to_owned()),
            Err(_) => Err(Error::inconsistent("shader interface", "a name is not UTF-8")),
        }
    }

    /// A number that encodes a value.
    fn value<T>(&mut self, what: &str, from_number: impl Fn(u32) -> Option<T>) -> Result<T> {
        let number = self.number()?;
        from_number(number).ok_or_else(|| Error::inconsistent("shader interface", format!("unknown {what} {number}")))
    }

    fn entry_point(&mut self, bindings: u32) -> Result<EntryPoint> {
        let stage = self.value("stage", ShaderStage::from_number)?;
        let workgroup_size = [self.number()?, self.number()?, self.number()?];
        let (inputs, outputs, uses) = (self.number()?, self.number()?, self.number()?);
        Ok(EntryPoint {
            stage,
            workgroup_size,
            name: self.name()?,
            inputs: self.many(inputs, Self::stage_value)?,
            outputs: self.many(outputs, Self::stage_value)?,
            bindings: self
                .many(uses, |from| from.value("binding", |number| Some(number).filter(|number| *number < bindings)))?,
        })
    }

    fn stage_value(&mut self) -> Result<StageValue> {
        Ok(StageValue {
            location: self.number()?,
            scalar: self.value("type of a number", ShaderScalar::from_number)?,
            components: self.value("number of components", |number| Some(number).filter(|n| (1..=4).contains(n)))?,
            name: self.name()?,
        })
    }

    fn binding(&mut self) -> Result<Binding> {
        let (group, binding, kind) = (self.number()?, self.number()?, self.number()?);
        let dimension = self.value("dimension", TextureDimension::from_number)?;
        let sample = self.value("type of texels", TextureSample::from_number)?;
        let (flags, count, size, members) = (self.number()?, self.number()?, self.number()?, self.number()?);
        let (name, format) = (self.name()?, self.name()?);
        let (is_readable, is_writable) = (flags & READABLE != 0, flags & WRITABLE != 0);
        let kind = match kind {
            kind::UNIFORM => BindingKind::Uniform,
            kind::STORAGE => BindingKind::Storage { is_writable },
            kind::PUSH_CONSTANTS => BindingKind::PushConstants,
            kind::TEXTURE => BindingKind::Texture { dimension, sample, is_multisampled: flags & MULTISAMPLED != 0 },
            kind::STORAGE_TEXTURE => BindingKind::StorageTexture { dimension, format, is_readable, is_writable },
            kind::SAMPLER => BindingKind::Sampler,
            kind::COMPARISON_SAMPLER => BindingKind::ComparisonSampler,
            _ => BindingKind::Other,
        };
        Ok(Binding { name, group, binding, kind, count, size, members: self.many(members, Self::member)? })
    }

    fn member(&mut self) -> Result<Member> {
        let (offset, size, count, stride) = (self.number()?, self.number()?, self.number()?, self.number()?);
        Ok(Member { offset, size, count, stride, name: self.name()?, type_name: self.name()? })
    }

    fn constant(&mut self) -> Result<PipelineConstant> {
        let id = self.value("number of a constant", |id| match id {
            NO_ID => Some(None),
            id => u16::try_from(id).ok().map(Some),
        })?;
        let scalar = self.value("type of a number", ShaderScalar::from_number)?;
        let has_default = self.number()? != 0;
        Ok(PipelineConstant { name: self.name()?, id, scalar, has_default })
    }
}
