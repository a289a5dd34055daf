//! Primitives of models → buffers.

use rres_runtime::asset::model::{Indices, Primitive, Topology, VertexAttribute};
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
    pub fn new(device: &Device, primitive: &Primitive, attributes: &[VertexAttribute]) -> Option<Self> {
        let vertices = primitive.interleave(attributes)?;
        let attribute = |(location, field): (u32, &rres_runtime::asset::model::VertexField)| {
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
