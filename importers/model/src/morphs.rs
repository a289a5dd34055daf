//! Morph targets of a primitive → what each adds to each attribute, for every vertex.

use gltf::json::Value;
use rres_format::chunk::scene::MorphRecord;
use rres_format::chunk::vertex::VertexAttribute;
use rres_import::ImportError;

use super::buffers::Buffers;
use super::json::index;
use super::numbers::{Numbers, Scaling};
use super::{Skipped, attribute_name};

/// The vertices of a primitive that was read.
pub(super) struct Vertices {
    /// Number of the primitive.
    pub(super) primitive: u32,
    /// How many it has in the file.
    pub(super) count: usize,
    /// The vertex of the file that each vertex is made of, if they are not the same.
    pub(super) sources: Option<Vec<u32>>,
}

/// Reads the targets of a primitive.
pub(super) fn read(
    targets: &[Value],
    of: &Vertices,
    numbers: &mut Numbers<'_>,
    buffers: &mut Buffers<'_, '_, '_>,
    skipped: &mut Skipped,
) -> Result<(), ImportError> {
    for (number, target) in targets.iter().enumerate() {
        let mut records = Vec::new();
        for name in target.as_object().into_iter().flat_map(|target| target.keys()) {
            let Some((attribute, widths)) = attribute(name) else {
                skipped.morph_attributes.insert(attribute_name(name));
                continue;
            };
            let mut read = || -> Result<MorphRecord, ImportError> {
                let accessor = index(target, name)?.unwrap_or(usize::MAX);
                let scaling = if attribute == VertexAttribute::POSITION { Scaling::All } else { Scaling::None };
                let stored = match &of.sources {
                    Some(sources) => numbers.read_some(buffers, accessor, scaling, sources)?,
                    None => numbers.read_scaled(buffers, accessor, scaling)?,
                };
                let vertices = of.count;
                if !widths.contains(&stored.components) || stored.count != vertices {
                    let (found, count) = (stored.shape(), stored.count);
                    let error = format!("has {count} elements of {found}, and the primitive {vertices} vertices");
                    return Err(ImportError::new(error).with_damage_help("export it again"));
                }
                let components = stored.components as u32;
                Ok(MorphRecord {
                    primitive: of.primitive,
                    target: number as u32,
                    attribute,
                    components,
                    deltas: stored.span,
                })
            };
            records.push(read().map_err(|error| error.within(&format!("morph target {number}, {name}")))?);
        }
        records.sort_by_key(|record| record.attribute);
        numbers.block.morphs.extend(records);
    }
    Ok(())
}

/// The attribute with a name in the document, and how many components its differences may have.
fn attribute(name: &str) -> Option<(VertexAttribute, &'static [usize])> {
    use VertexAttribute as A;
    Some(match name {
        "POSITION" => (A::POSITION, &[3]),
        "NORMAL" => (A::NORMAL, &[3]),
        // Without the handedness, which does not change.
        "TANGENT" => (A::TANGENT, &[3]),
        "TEXCOORD_0" => (A::TEXCOORD1, &[2]),
        "TEXCOORD_1" => (A::TEXCOORD2, &[2]),
        "TEXCOORD_2" => (A::TEXCOORD3, &[2]),
        "TEXCOORD_3" => (A::TEXCOORD4, &[2]),
        "COLOR_0" => (A::COLOR, &[3, 4]),
        _ => return None,
    })
}
