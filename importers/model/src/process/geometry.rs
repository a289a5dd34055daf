//! VRTX blocks of a primitive ↔ attributes that can be changed together.

use std::collections::HashMap;

use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::model::Topology;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_import::{Block, ImportError};

/// A primitive.
pub(in super::super) struct Geometry {
    pub(super) topology: Topology,
    /// All attributes except the indices. The first are the positions.
    streams: Vec<Stream>,
    /// The corners in their order, whether the file has indices or not.
    pub(in super::super) indices: Vec<u32>,
    has_indices: bool,
    /// The vertex of the file that each vertex is made of.
    pub(super) sources: Vec<u32>,
}

/// An attribute of all vertices.
struct Stream {
    props: VertexProps,
    /// Bytes of one vertex.
    size: usize,
    data: Vec<u8>,
}

impl Geometry {
    pub(in super::super) fn read(blocks: Vec<Block>, topology: Topology) -> Result<Self, ImportError> {
        let mut geometry =
            Self { topology, streams: Vec::new(), indices: Vec::new(), has_indices: false, sources: Vec::new() };
        for block in blocks {
            let view = PayloadView::parse(&block.bytes).and_then(VertexView::parse);
            let view = view.map_err(|error| ImportError::new(error.to_string()))?;
            let (props, data) = (view.props(), view.data());
            let size = props.components as usize * props.format.size().unwrap_or_default() as usize;
            if props.attribute == VertexAttribute::INDEX {
                geometry.has_indices = true;
                geometry.indices = data.chunks_exact(size.max(1)).map(unsigned).collect();
                continue;
            }
            geometry.streams.push(Stream { props, size, data: data.to_vec() });
        }
        let count = geometry.streams.first().map_or(0, |stream| stream.props.count);
        geometry.sources = (0..count).collect();
        if !geometry.has_indices {
            geometry.indices = (0..count).collect();
        }
        Ok(geometry)
    }

    /// The number of vertices.
    pub(super) fn count(&self) -> usize {
        self.sources.len()
    }

    /// The blocks, with a block of indices for each level of detail.
    pub(super) fn blocks<'l>(&self, levels: impl Iterator<Item = &'l [u32]>) -> Vec<Block> {
        let mut attributes: Vec<(VertexProps, Vec<u8>)> =
            self.streams.iter().map(|stream| (stream.props, stream.data.clone())).collect();
        if self.has_indices {
            attributes.push(index_list(VertexAttribute::INDEX, &self.indices));
        }
        let levels = levels.enumerate();
        attributes.extend(levels.map(|(level, indices)| index_list(VertexAttribute::lod(level as u32), indices)));
        // Joints and weights stay in pairs: only what C readers know is sorted.
        let is_ours = |attribute: VertexAttribute| attribute.0 >= 1000;
        attributes.sort_by_key(|(props, _)| if is_ours(props.attribute) { u32::MAX } else { props.attribute.0 });
        let last = attributes.iter().rposition(|(props, _)| !is_ours(props.attribute));
        let blocks = attributes.into_iter().enumerate().map(|(i, (props, data))| Block {
            linked: last.is_some_and(|last| i < last),
            ..Block::new(FourCc::VRTX, props.block(&data))
        });
        blocks.collect()
    }

    fn stream(&self, attribute: VertexAttribute) -> Option<&Stream> {
        self.streams.iter().find(|stream| stream.props.attribute == attribute)
    }

    pub(super) fn has(&self, attribute: VertexAttribute) -> bool {
        self.stream(attribute).is_some()
    }

    /// The floats of an attribute; empty if there is none.
    pub(super) fn floats<const N: usize>(&self, attribute: VertexAttribute) -> Vec<[f32; N]> {
        let of_it = self.stream(attribute).filter(|stream| stream.props.format == VertexFormat::FLOAT);
        let Some(stream) = of_it.filter(|stream| stream.size == N * 4) else { return Vec::new() };
        let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        stream.data.chunks_exact(stream.size).map(|item| std::array::from_fn(|i| float(&item[i * 4..]))).collect()
    }

    pub(super) fn positions(&self) -> Vec<[f32; 3]> {
        self.floats(VertexAttribute::POSITION)
    }

    /// The smallest and the largest position, axis by axis.
    pub(super) fn bounds(&self) -> [[f32; 3]; 2] {
        let all = self.positions();
        let axes = |start: f32, pick: fn(f32, f32) -> f32| {
            all.iter().fold([start; 3], |bound, position| std::array::from_fn(|axis| pick(bound[axis], position[axis])))
        };
        [axes(f32::INFINITY, f32::min), axes(f32::NEG_INFINITY, f32::max)]
    }

    /// Adds an attribute of floats, one for each vertex.
    pub(super) fn add<const N: usize>(&mut self, attribute: VertexAttribute, values: &[[f32; N]]) {
        let data = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let (count, components) = (values.len() as u32, N as u32);
        let props = VertexProps { count, attribute, components, format: VertexFormat::FLOAT };
        self.streams.push(Stream { props, size: N * 4, data });
    }

    /// Multiplies the positions.
    pub(super) fn scale(&mut self, factor: f32) -> Result<(), ImportError> {
        let scaled: Vec<[f32; 3]> =
            self.positions().into_iter().map(|position| position.map(|axis| axis * factor)).collect();
        if let Some(vertex) = scaled.iter().position(|position| position.iter().any(|axis| !axis.is_finite())) {
            let error = format!("vertex {vertex} is beyond what a float holds when it is scaled by {factor}");
            return Err(ImportError::new(error).with_help("choose another model.scale"));
        }
        if let Some(stream) = self.streams.first_mut() {
            stream.data = scaled.iter().flatten().flat_map(|axis| axis.to_le_bytes()).collect();
        }
        Ok(())
    }

    /// Makes a list of triangles of a strip or fan. `false` if it is neither, nor a list.
    pub(in super::super) fn make_triangles(&mut self) -> bool {
        let corners = &self.indices;
        self.indices = match self.topology {
            Topology::TRIANGLES => corners[..corners.len() / 3 * 3].to_vec(),
            Topology::TRIANGLE_STRIP => corners
                .windows(3)
                .enumerate()
                .flat_map(|(i, c)| if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] })
                .collect(),
            Topology::TRIANGLE_FAN => {
                let rest = corners.get(1..).unwrap_or_default();
                rest.windows(2).flat_map(|pair| [pair[0], pair[1], corners[0]]).collect()
            }
            _ => return false,
        };
        (self.topology, self.has_indices) = (Topology::TRIANGLES, true);
        true
    }

    /// Makes vertex `i` of vertex `vertices[i]`. The indices are not changed.
    pub(super) fn select(&mut self, vertices: &[u32]) {
        for stream in &mut self.streams {
            let size = stream.size;
            let item = |vertex: &u32| &stream.data[*vertex as usize * size..][..size];
            stream.data = vertices.iter().flat_map(item).copied().collect();
            stream.props.count = vertices.len() as u32;
        }
        self.sources = vertices.iter().map(|vertex| self.sources[*vertex as usize]).collect();
    }

    /// Leaves out the vertices that no corner uses. The others keep their order.
    pub(super) fn drop_unused(&mut self) {
        let mut numbers = vec![None; self.count()];
        self.indices.iter().for_each(|index| numbers[*index as usize] = Some(0));
        let mut used = Vec::new();
        for (vertex, number) in numbers.iter_mut().enumerate().filter(|(_, number)| number.is_some()) {
            *number = Some(used.len() as u32);
            used.push(vertex as u32);
        }
        if used.len() == self.count() || used.is_empty() {
            return;
        }
        self.indices.iter_mut().for_each(|index| *index = numbers[*index as usize].unwrap_or_default());
        self.select(&used);
    }

    /// Returns the bytes of vertices that [`Self::split`] makes.
    pub(super) fn split_size(&self) -> u64 {
        let size: usize = self.streams.iter().map(|stream| stream.size).sum();
        self.indices.len() as u64 * (size as u64 + 4)
    }

    /// Gives each corner of each triangle a vertex of its own.
    pub(super) fn split(&mut self) {
        let corners = std::mem::take(&mut self.indices);
        self.select(&corners);
        self.indices = (0..corners.len() as u32).collect();
    }

    /// Makes one vertex of those that are equal in everything.
    pub(super) fn weld(&mut self) {
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut kept = Vec::new();
        let mut numbers = Vec::with_capacity(self.count());
        for vertex in 0..self.count() {
            let mut key = self.sources[vertex].to_le_bytes().to_vec();
            for stream in &self.streams {
                key.extend_from_slice(&stream.data[vertex * stream.size..][..stream.size]);
            }
            numbers.push(*known.entry(key).or_insert_with(|| {
                kept.push(vertex as u32);
                kept.len() as u32 - 1
            }));
        }
        self.indices.iter_mut().for_each(|index| *index = numbers[*index as usize]);
        self.select(&kept);
    }
}

pub(super) fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn index_list(attribute: VertexAttribute, indices: &[u32]) -> (VertexProps, Vec<u8>) {
    // As 16 bits, 65,535 begins a new strip in WebGL.
    let is_narrow = indices.iter().all(|index| *index < u16::MAX.into());
    let format = if is_narrow { VertexFormat::USHORT } else { VertexFormat::UINT };
    let data = match is_narrow {
        true => indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
        false => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
    };
    (VertexProps { count: indices.len() as u32, attribute, components: 1, format }, data)
}

/// The cross product of two edges of a triangle: its normal, as long as twice its area.
pub(super) fn normal(corners: [[f32; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let (u, v): ([f64; 3], [f64; 3]) = (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Numbers positions so that equal ones have one number, counted in the order of their first vertex.
pub(super) fn positions_of(positions: &[[f32; 3]]) -> Vec<u32> {
    let mut known: HashMap<[u32; 3], u32> = HashMap::with_capacity(positions.len());
    let number = |position: &[f32; 3]| {
        // Both zeros are one position.
        let key = position.map(|axis| (axis + 0.0).to_bits());
        let next = known.len() as u32;
        *known.entry(key).or_insert(next)
    };
    positions.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_16_bits_are_below_65_535() {
        for (largest, format, size) in [(65_534, VertexFormat::USHORT, 2), (65_535, VertexFormat::UINT, 4)] {
            let (props, data) = index_list(VertexAttribute::lod(0), &[0, 1, largest]);
            assert_eq!((props.format, data.len()), (format, 3 * size), "{largest}");
        }
    }
}
