//! Primitives of models → buffers.

use rres_runtime::asset::model::{
    Indices, InterleavedVertices, Primitive, Topology, VertexAttribute, VertexField, VertexFormat,
};
use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{
    Buffer, BufferUsages, Device, IndexFormat, PrimitiveTopology, RenderPass, VertexBufferLayout, VertexStepMode,
};

use crate::format::vertex_format;

/// A primitive of a model, ready to draw.
///
/// ```
/// use rres_runtime::asset::model::{Primitive, VertexAttribute};
/// use rres_wgpu::Mesh;
///
/// /// `@location(0)` of the shader is the position, `@location(1)` the normal.
/// const TAKEN: [VertexAttribute; 2] = [VertexAttribute::POSITION, VertexAttribute::NORMAL];
///
/// fn draw(device: &wgpu::Device, primitive: &Primitive, pass: &mut wgpu::RenderPass<'_>) {
///     if let Some(mesh) = Mesh::new(device, primitive, &TAKEN) {
///         mesh.draw(pass); // with a pipeline for `mesh.layout()` and `rres_wgpu::topology(primitive)`
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The vertices, for slot 0.
    pub vertices: Buffer,
    /// How many vertices there are.
    pub vertex_count: u32,
    /// Bytes from one vertex to the next.
    pub stride: u64,
    /// The attributes, in the order in which they were asked for: the first one has shader location 0.
    pub attributes: Vec<wgpu::VertexAttribute>,
    /// The indices with their format and number; `None` if the vertices are drawn in order.
    pub indices: Option<(Buffer, IndexFormat, u32)>,
}

impl Mesh {
    /// Makes the buffers of a primitive, with these attributes of its vertices. `None` if it lacks one of them, or WebGPU has no format for
    /// it.
    ///
    /// Positions in whole numbers (`model.positions = "unorm16"`) become floats, since a shader would need the box that they are parts of. To
    /// keep them short, use [`Primitive::interleave`], and hand [`Primitive::quantized_bounds`] to the shader.
    pub fn new(device: &Device, primitive: &Primitive, attributes: &[VertexAttribute]) -> Option<Self> {
        let vertices = vertices(primitive, attributes)?;
        let attribute = |(location, field): (u32, &VertexField)| {
            let format = vertex_format(&field.wgpu_format()?)?;
            Some(wgpu::VertexAttribute { format, offset: field.offset.into(), shader_location: location })
        };
        let buffer =
            |contents: &[u8], usage| device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage });
        let indices = primitive.indices().map(|indices| {
            let (bytes, format, count): (&[u8], _, _) = match indices {
                Indices::U16(numbers) => (bytemuck::cast_slice(numbers), IndexFormat::Uint16, numbers.len()),
                Indices::U32(numbers) => (bytemuck::cast_slice(numbers), IndexFormat::Uint32, numbers.len()),
            };
            (buffer(bytes, BufferUsages::INDEX), format, count as u32)
        });
        Some(Self {
            attributes: (0..).zip(&vertices.fields).map(attribute).collect::<Option<_>>()?,
            stride: vertices.stride.into(),
            vertex_count: vertices.count,
            vertices: buffer(&vertices.bytes, BufferUsages::VERTEX),
            indices,
        })
    }

    /// Returns the layout of the vertices, for a pipeline.
    pub fn layout(&self) -> VertexBufferLayout<'_> {
        VertexBufferLayout {
            array_stride: self.stride,
            step_mode: VertexStepMode::Vertex,
            attributes: &self.attributes,
        }
    }

    /// Draws it once, with the pipeline and the groups that the pass has.
    pub fn draw(&self, pass: &mut RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        match &self.indices {
            Some((indices, format, count)) => {
                pass.set_index_buffer(indices.slice(..), *format);
                pass.draw_indexed(0..*count, 0, 0..1);
            }
            None => pass.draw(0..self.vertex_count, 0..1),
        }
    }
}

/// The vertices in one buffer, with positions in floats.
fn vertices(primitive: &Primitive, attributes: &[VertexAttribute]) -> Option<InterleavedVertices> {
    let stored = primitive.interleave(attributes)?;
    let positions = primitive.quantized_bounds().and_then(|_| primitive.decode(VertexAttribute::POSITION));
    let Some(positions) = positions.filter(|_| attributes.contains(&VertexAttribute::POSITION)) else {
        return Some(stored);
    };
    let mut made = stored.clone();
    let starts = stored.fields.iter().map(|field| field.offset as usize);
    let ends = starts.clone().skip(1).chain([stored.stride as usize]);
    let places: Vec<_> = starts.zip(ends).map(|(start, end)| start..end).collect();
    made.stride = 0;
    for (field, place) in made.fields.iter_mut().zip(&places) {
        field.offset = made.stride;
        made.stride += place.len() as u32;
        if field.attribute == VertexAttribute::POSITION {
            (field.components, field.format) = (3, VertexFormat::FLOAT);
            made.stride = field.offset + 12;
        }
    }
    made.bytes = Vec::with_capacity(positions.len() * made.stride as usize);
    for (vertex, [x, y, z, _]) in stored.bytes.chunks_exact(stored.stride as usize).zip(positions) {
        for (field, place) in made.fields.iter().zip(&places) {
            match field.attribute {
                VertexAttribute::POSITION => made.bytes.extend([x, y, z].map(f32::to_le_bytes).as_flattened()),
                _ => made.bytes.extend(&vertex[place.clone()]),
            }
        }
    }
    Some(made)
}

/// Returns what the vertices of a primitive form; `None` for loops of lines and fans of triangles, which WebGPU does not have.
pub fn topology(primitive: &Primitive) -> Option<PrimitiveTopology> {
    Some(match primitive.topology() {
        Topology::POINTS => PrimitiveTopology::PointList,
        Topology::LINES => PrimitiveTopology::LineList,
        Topology::LINE_STRIP => PrimitiveTopology::LineStrip,
        Topology::TRIANGLES => PrimitiveTopology::TriangleList,
        Topology::TRIANGLE_STRIP => PrimitiveTopology::TriangleStrip,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rres_format::chunk::model::{self, model_block};
    use rres_format::chunk::vertex::VertexProps;
    use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
    use rres_runtime::{Id, Model, PackOptions, Store};

    use super::*;

    #[test]
    fn positions_in_whole_numbers_become_floats() {
        let chunk = |kind, block: &[u8]| {
            StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()
        };
        let vertices_of = |attribute, format, data: &[u8]| {
            chunk(FourCc::VRTX, &VertexProps { count: 1, attribute, components: 4, format }.block(data))
        };
        let primitive = model::Primitive {
            mesh: 0,
            material: None,
            topology: Topology::POINTS,
            attributes: 2,
            minimum: [-1.0, 0.0, 2.0],
            maximum: [1.0, 8.0, 2.0],
        };
        let chunks = vec![
            vertices_of(VertexAttribute::POSITION, VertexFormat::USHORT, &[0, 0, 255, 255, 0, 0, 255, 255]),
            vertices_of(VertexAttribute::COLOR, VertexFormat::UBYTE, &[1, 2, 3, 4]),
            chunk(FourCc::MODL, &model_block(&[], &[primitive], &[]).unwrap()),
        ];
        let mut pack = PackBuilder::new();
        pack.push(Resource::new("a.glb", chunks));
        let store = Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()]);
        let model = store.load(Id::<Model>::from_path("a.glb")).unwrap().get();
        let [primitive] = model.primitives() else { panic!("{model:?}") };
        let position = [-1.0f32, 8.0, 2.0].map(f32::to_le_bytes).concat();
        let (first, then) = (VertexAttribute::COLOR, VertexAttribute::POSITION);
        for (order, expected, offsets) in [
            ([first, then], [vec![1, 2, 3, 4], position.clone()].concat(), [0, 4]),
            ([then, first], [position.clone(), vec![1, 2, 3, 4]].concat(), [0, 12]),
        ] {
            let made = vertices(primitive, &order).unwrap();
            assert_eq!((made.stride, made.count, made.bytes), (16, 1, expected));
            let offsets_and_formats = made.fields.iter().map(|field| (field.offset, field.wgpu_format().unwrap()));
            let formats = order.map(|of| if of == then { "float32x3" } else { "unorm8x4" }.to_owned());
            assert_eq!(offsets_and_formats.collect::<Vec<_>>(), offsets.into_iter().zip(formats).collect::<Vec<_>>());
        }
        assert_eq!(vertices(primitive, &[first]).unwrap().stride, 4);
    }
}
