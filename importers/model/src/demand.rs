//! What a document asks for, by its numbers alone: a kilobyte can use one buffer for thousands of primitives, or one picture for
//! thousands of images.
//!
//! The numbers are as the document states them. What is wrong about them is found when it is read.

use gltf::json::accessor::Type;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;
use gltf::json::{Accessor, Root};
use rres_format::Limits;
use rres_import::{Encoders, ImportError};

use super::buffers::size;
use super::meshopt;

/// The largest size in bytes of the vertices and indices of all primitives. Larger chunks would not be loaded.
pub(super) const MAX_VERTICES: u64 = Limits::DEFAULT.max_decoded;

pub(super) fn too_many_vertices() -> ImportError {
    ImportError::new("takes the model beyond 1 GiB of vertices").with_help("split the model")
}

/// The largest number of numbers in animations, skins and morph targets.
pub(super) const MAX_NUMBERS: usize = 1 << 28;

/// The largest size in bytes of the pixels of all images in the file.
pub(super) const MAX_PIXELS: u64 = 4 << 30;

/// Bytes of all attributes and indices that are stored, each counted with each primitive that uses it. Indices may take half.
pub(super) fn vertices(root: &Root) -> u64 {
    // One that is beyond the limit by itself gets an error of its own when it is read.
    let accessor = |index: usize| root.accessors.get(index).filter(|accessor| accessor.count.0 <= MAX_VERTICES / 12);
    let mut bytes = 0u64;
    for primitive in root.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        for (semantic, index) in &primitive.attributes {
            let Some(accessor) = accessor(index.value()) else { continue };
            let element = match (semantic, accessor.type_) {
                (Checked::Valid(Semantic::Colors(0..=3)), _) => 4,
                (
                    Checked::Valid(
                        Semantic::Positions | Semantic::Normals | Semantic::Tangents | Semantic::TexCoords(0..=7),
                    ),
                    Checked::Valid(shape),
                ) => components(shape) * 4,
                (Checked::Valid(Semantic::Joints(0..=9)), _) => 8,
                (Checked::Valid(Semantic::Weights(0..=9)), _) => 16,
                _ => continue,
            };
            bytes = bytes.saturating_add(accessor.count.0.saturating_mul(element));
        }
        if let Some(accessor) = primitive.indices.and_then(|index| accessor(index.value())) {
            bytes = bytes.saturating_add(accessor.count.0.saturating_mul(2));
        }
    }
    bytes
}

fn components(shape: Type) -> u64 {
    match shape {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Mat4 => 16,
        _ => 4,
    }
}

/// Bytes of the numbers of animations, skins and morph targets: any accessor may be theirs.
fn numbers(root: &Root, has_animations: bool) -> u64 {
    let mut primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    if !has_animations && root.skins.is_empty() && primitives.all(|primitive| primitive.targets.is_none()) {
        return 0;
    }
    root.accessors.iter().map(accessor_size).fold(0, u64::saturating_add).min(4 * MAX_NUMBERS as u64)
}

fn accessor_size(accessor: &Accessor) -> u64 {
    let width = if let Checked::Valid(shape) = accessor.type_ { components(shape) } else { 16 };
    accessor.count.0.saturating_mul(width * 4)
}

/// An estimate of the memory in bytes that importing takes besides the file.
pub(super) fn memory(root: &Root, binary: Option<&[u8]>, has_animations: bool, encoders: Encoders) -> u64 {
    let outside = |uri: &String| !uri.starts_with("data:");
    let buffers = root.buffers.iter().filter(|buffer| buffer.uri.as_ref().is_some_and(outside));
    let buffers = buffers.map(|buffer| buffer.byte_length.0).fold(0, u64::saturating_add);
    let pixels = root.images.iter().map(|image| match (image.buffer_view, &image.uri) {
        (Some(view), _) => {
            view_of(root, binary, view.value()).and_then(|bytes| encoders.decoded_size(bytes)).unwrap_or_default()
        }
        // The text of a data URI is hardly larger than its picture.
        (None, Some(uri)) if uri.starts_with("data:") => uri.len() as u64 * 16,
        _ => 0,
    });
    let pixels = pixels.fold(0, u64::saturating_add);
    let compressed = root.buffer_views.iter().filter_map(|view| {
        let compressed = view.extensions.as_ref()?.others.get("EXT_meshopt_compression")?;
        let number = |key| compressed.get(key).and_then(gltf::json::Value::as_u64);
        Some(number("count")?.saturating_mul(number("byteStride")?))
    });
    let compressed = compressed.fold(0, u64::saturating_add).min(2 * meshopt::MAX_SIZE as u64);
    // What is beyond the limits is refused before it is read. Blocks are stored beside their compressed form.
    let (vertices, pixels) = (vertices(root).min(2 * MAX_VERTICES), pixels.min(MAX_PIXELS));
    buffers
        .min(MAX_PIXELS)
        .saturating_add((vertices + pixels).saturating_mul(2))
        .saturating_add(numbers(root, has_animations) * 3 + compressed)
}

/// The bytes of a view of the binary chunk.
fn view_of<'b>(root: &Root, binary: Option<&'b [u8]>, index: usize) -> Option<&'b [u8]> {
    let view = root.buffer_views.get(index).filter(|view| view.buffer.value() == 0)?;
    let start = size(view.byte_offset.unwrap_or_default());
    binary?.get(start..start.checked_add(size(view.byte_length))?)
}
