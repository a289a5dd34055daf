//! What the chunks of a model must agree on, so that a graphics card reads no vertex that does not exist.

use rres_format::chunk::vertex::{VertexFormat, VertexProps};

use crate::bytes::AssetBytes;
use crate::error::{Error, Result};

pub(super) fn inconsistent(detail: String) -> Error {
    rres_format::Error::Inconsistent { what: "model", detail }.into()
}

/// Returns the attributes of a primitive. Refuses them if they are for different numbers of vertices, if there are two of one
/// kind, or if an index is beyond the vertices.
pub(super) fn checked(attributes: Vec<(VertexProps, AssetBytes)>) -> Result<Vec<(VertexProps, AssetBytes)>> {
    for (i, (props, _)) in attributes.iter().enumerate() {
        if attributes[..i].iter().any(|(other, _)| other.attribute == props.attribute) {
            let attribute = props.attribute;
            return Err(inconsistent(format!("{attribute} occurs twice; expected one mesh with one of each")));
        }
    }
    let mut of_vertices = attributes.iter().map(|(props, _)| props).filter(|p| !p.attribute.is_indices());
    let Some(first) = of_vertices.next() else { return Ok(attributes) };
    if let Some(other) = of_vertices.find(|props| props.count != first.count) {
        let each = |props: &VertexProps| format!("{} has {} vertices", props.attribute, props.count);
        return Err(inconsistent(format!("{}, {}; expected equal numbers", each(first), each(other))));
    }
    let largest = attributes.iter().filter_map(|(props, data)| largest_index(*props, data)).max();
    if let Some(largest) = largest
        && largest >= first.count
    {
        return Err(inconsistent(format!("an index is {largest}, but there are {} vertices", first.count)));
    }
    Ok(attributes)
}

/// Returns the largest number in an attribute of indices.
fn largest_index(props: VertexProps, data: &[u8]) -> Option<u32> {
    if !props.attribute.is_indices() {
        return None;
    }
    match props.format {
        VertexFormat::USHORT => data.as_chunks().0.iter().map(|index| u16::from_le_bytes(*index).into()).max(),
        VertexFormat::UINT => data.as_chunks().0.iter().map(|index| u32::from_le_bytes(*index)).max(),
        _ => None,
    }
}
