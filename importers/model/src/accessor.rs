//! Accessors → contiguous elements: strides are removed, sparse values are applied, and every index is checked before
//! it is used.

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::validation::Checked;
use gltf::json::{Accessor, Root};
use rres_import::ImportError;

use super::buffers::{Buffers, size};
use super::document::item;

/// The largest size in bytes of an accessor without a view, which lists only values that are not zero: a short file
/// must not be able to request any amount of memory.
const MAX_ZEROS: usize = 64 << 20;

/// The elements of an accessor.
pub(super) struct Elements {
    pub(super) component: ComponentType,
    /// Components of one element: 1 to 4, or 16.
    pub(super) components: usize,
    pub(super) normalized: bool,
    pub(super) count: usize,
    /// Little-endian components without gaps.
    bytes: Vec<u8>,
}

impl Elements {
    /// Reads accessor `index`, which must not hold matrices.
    pub(super) fn read(root: &Root, buffers: &mut Buffers<'_, '_, '_>, index: usize) -> Result<Self, ImportError> {
        let accessor = item(&root.accessors, "accessor", index)?;
        match accessor.type_ {
            Checked::Valid(Type::Mat2 | Type::Mat3 | Type::Mat4) => {
                let error = ImportError::new(format!("accessor {index} holds matrices"));
                Err(error.with_damage_help("export it again"))
            }
            _ => Self::read_any(root, buffers, index),
        }
    }

    /// Reads accessor `index`, which may hold 4 × 4 matrices of floats.
    pub(super) fn read_any(root: &Root, buffers: &mut Buffers<'_, '_, '_>, index: usize) -> Result<Self, ImportError> {
        let accessor = item(&root.accessors, "accessor", index)?;
        let bad =
            |found: String| ImportError::new(format!("accessor {index} {found}")).with_damage_help("export it again");
        let (Checked::Valid(component), Checked::Valid(shape)) = (accessor.component_type, accessor.type_) else {
            return Err(bad("is of no known type".to_owned()));
        };
        let components = match shape {
            Type::Scalar => 1,
            Type::Vec2 => 2,
            Type::Vec3 => 3,
            Type::Vec4 => 4,
            // Columns of smaller components are padded.
            Type::Mat4 if component.0 == ComponentType::F32 => 16,
            Type::Mat2 | Type::Mat3 | Type::Mat4 => return Err(bad("holds matrices".to_owned())),
        };
        let component = component.0;
        let element = component.size() * components;
        let count = size(accessor.count);
        let mut bytes = match accessor.buffer_view {
            Some(view) => gather(buffers, view.value(), accessor, element, count)
                .map_err(|e| e.within(&format!("accessor {index}")))?,
            // All of its elements are zero, except the sparse values.
            None => {
                let len = count.checked_mul(element).filter(|len| *len <= MAX_ZEROS);
                vec![0; len.ok_or_else(|| bad(format!("has no buffer view and {count} elements, which is too many")))?]
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let (indices, values) = (&sparse.indices, &sparse.values);
            let Checked::Valid(kind) = indices.component_type else {
                return Err(bad("has sparse indices of no known type".to_owned()));
            };
            let changed = size(sparse.count);
            let mut part = |view: usize, offset: usize, element: usize| {
                let view = buffers.view(view)?;
                let len = changed.checked_mul(element);
                let end = len.and_then(|len| offset.checked_add(len)).filter(|end| *end <= view.bytes().len());
                let end = end.ok_or_else(|| bad(format!("has {changed} sparse values, but fewer are stored")))?;
                Ok::<_, ImportError>(view.bytes()[offset..end].to_vec())
            };
            let targets = part(indices.buffer_view.value(), size(indices.byte_offset), kind.0.size())?;
            let values = part(values.buffer_view.value(), size(values.byte_offset), element)?;
            for (target, value) in targets.chunks_exact(kind.0.size()).zip(values.chunks_exact(element)) {
                let target = unsigned(target) as usize;
                let slot = bytes.chunks_exact_mut(element).nth(target);
                slot.ok_or_else(|| bad(format!("replaces element {target}, but has only {count}")))?
                    .copy_from_slice(value);
            }
        }
        Ok(Self { component, components, normalized: accessor.normalized, count, bytes })
    }

    /// The bytes, if the components are floats already.
    pub(super) fn raw_floats(&self) -> Option<&[u8]> {
        (self.component == ComponentType::F32).then_some(&self.bytes)
    }

    /// All components as floats: normalized integers from -1 or 0 to 1, other integers as they are.
    pub(super) fn floats(&self) -> impl Iterator<Item = f32> {
        let Self { component, normalized, .. } = *self;
        self.bytes.chunks_exact(component.size()).map(move |raw| float(component, normalized, raw))
    }

    /// All components as unsigned integers; only for accessors of unsigned integers.
    pub(super) fn unsigned(&self) -> impl Iterator<Item = u32> {
        self.bytes.chunks_exact(self.component.size()).map(unsigned)
    }

    /// Whether 8 bits change a component: because it is outside of 0 to 1, and because it lies between two steps.
    pub(super) fn loses_in_bytes(&self) -> (bool, bool) {
        let (mut is_outside, mut is_between) = (false, false);
        for value in self.bytes.chunks_exact(self.component.size()).map(|raw| float(self.component, true, raw)) {
            let step = value * 255.0;
            is_outside |= !(0.0..=1.0).contains(&value);
            // Exporters compute colours of 8 bits as floats, with an error in the last digits.
            is_between |= (step - step.round()).abs() > 0.001;
        }
        (is_outside, is_between)
    }

    /// All components in 8 bits: 0 to 1 becomes 0 to 255, rounded to the nearest.
    pub(super) fn bytes_of_unit(&self) -> impl Iterator<Item = u8> {
        let component = self.component;
        self.bytes.chunks_exact(component.size()).map(move |raw| match component {
            ComponentType::U8 => raw[0],
            ComponentType::U16 => ((unsigned(raw) + 128) / 257) as u8,
            // Clamped first; a cast of NaN is 0.
            _ => (float(component, true, raw).clamp(0.0, 1.0) * 255.0).round() as u8,
        })
    }
}

/// The elements of a view without the gaps between them.
fn gather(
    buffers: &mut Buffers<'_, '_, '_>,
    view: usize,
    accessor: &Accessor,
    element: usize,
    count: usize,
) -> Result<Vec<u8>, ImportError> {
    let view = buffers.view(view)?;
    let stride = view.stride.unwrap_or(element);
    if stride < element {
        let error = ImportError::new(format!("has elements of {element} bytes every {stride} bytes"));
        return Err(error.with_damage_help("export it again"));
    }
    let offset = size(accessor.byte_offset.unwrap_or_default());
    let Some(last) = count.checked_sub(1) else { return Ok(Vec::new()) };
    let bytes = view.bytes();
    let end = last.checked_mul(stride).and_then(|at| at.checked_add(element)).and_then(|at| at.checked_add(offset));
    let elements = end.and_then(|end| bytes.get(offset..end)).ok_or_else(|| {
        let found = format!(
            "has {count} elements of {element} bytes, every {stride} bytes from {offset} on, in a view of {} bytes",
            bytes.len()
        );
        ImportError::new(found).with_damage_help("it is damaged: export it again")
    })?;
    if stride == element {
        return Ok(elements.to_vec());
    }
    Ok(elements.chunks(stride).flat_map(|gap| &gap[..element]).copied().collect())
}

fn unsigned(raw: &[u8]) -> u32 {
    raw.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn float(component: ComponentType, normalized: bool, raw: &[u8]) -> f32 {
    let bits = unsigned(raw);
    let (value, most) = match component {
        ComponentType::F32 => return f32::from_bits(bits),
        ComponentType::U32 => (bits as f32, u32::MAX as f32),
        ComponentType::U16 => (bits as f32, 65535.0),
        ComponentType::U8 => (bits as f32, 255.0),
        ComponentType::I16 => (f32::from((bits as u16).cast_signed()), 32767.0),
        ComponentType::I8 => (f32::from((bits as u8).cast_signed()), 127.0),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}
