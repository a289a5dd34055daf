//! Triangles with positions, normals, tangents and texture coordinates → the chunks of a model.

use rres_format::chunk::model::{Node, Primitive, Topology, model_block};
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps};
use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, Block, ImportError};

/// A point of a surface: its position, the direction outwards, and the direction that the first texture coordinate grows in.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) position: [f64; 3],
    pub(super) normal: [f64; 3],
    pub(super) tangent: [f64; 3],
}

/// A mesh of triangles, counterclockwise from their front.
#[derive(Default)]
pub(super) struct Mesh {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) tangents: Vec<[f32; 4]>,
    pub(super) uvs: Vec<[f32; 2]>,
    pub(super) indices: Vec<u32>,
}

impl Mesh {
    /// Adds a surface: `columns`×`rows` cells of two triangles. `point` gets the place on the surface, from 0 to 1 to the right and down,
    /// as an observer in front of it sees it. Triangles without an area, as at the poles of a sphere, are left out.
    pub(super) fn add_surface(&mut self, columns: u32, rows: u32, point: impl Fn(f64, f64) -> Point) {
        let first = self.positions.len() as u32;
        for row in 0..=rows {
            for column in 0..=columns {
                let (u, v) = (f64::from(column) / f64::from(columns), f64::from(row) / f64::from(rows));
                let Point { position, normal, tangent } = point(u, v);
                // Zero without a sign, so that equal points are equal bytes.
                let [position, normal, tangent] =
                    [position, normal, tangent].map(|vector| vector.map(|value| value as f32 + 0.0));
                self.positions.push(position);
                self.normals.push(normal);
                // The sign of glTF: texture coordinates grow downwards.
                self.tangents.push([tangent[0], tangent[1], tangent[2], 1.0]);
                self.uvs.push([u as f32, v as f32]);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let top = first + row * (columns + 1) + column;
                let below = top + columns + 1;
                for triangle in [[top, below, top + 1], [top + 1, below, below + 1]] {
                    let [a, b, c] = triangle.map(|index| self.positions[index as usize]);
                    if a != b && b != c && c != a {
                        self.indices.extend(triangle);
                    }
                }
            }
        }
    }

    /// Sets the texture coordinates of the rows of a surface, which is the only one: from 0 at the top to 1.
    pub(super) fn set_rows(&mut self, columns: u32, place: impl Fn(u32) -> f32) {
        for (row, uvs) in (0..).zip(self.uvs.chunks_exact_mut(columns as usize + 1)) {
            uvs.iter_mut().for_each(|uv| uv[1] = place(row));
        }
    }

    /// Sets the texture coordinates of the last `count` vertices: a picture on the ground, `radius` to each side, as an observer above
    /// (`side` is 1) or below (-1) sees it.
    pub(super) fn lay_picture(&mut self, count: u32, radius: f64, side: f64) {
        let first = self.positions.len() - count as usize;
        for (uv, position) in self.uvs[first..].iter_mut().zip(&self.positions[first..]) {
            let place = |at: f32, side: f64| (0.5 + f64::from(at) / radius / 2.0 * side) as f32;
            *uv = [place(position[0], 1.0), place(position[2], side)];
        }
    }

    /// Turns fronts into backs: the surface is seen from the other side, and so is the texture.
    #[must_use]
    pub(super) fn inside_out(mut self) -> Self {
        self.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        self.normals.iter_mut().for_each(|normal| *normal = normal.map(|value| 0.0 - value));
        self.tangents.iter_mut().for_each(|[x, y, z, _]| (*x, *y, *z) = (0.0 - *x, 0.0 - *y, 0.0 - *z));
        self.uvs.iter_mut().for_each(|uv| uv[0] = 1.0 - uv[0]);
        self
    }

    /// Makes the model: one node, one mesh, one primitive without a material.
    pub(super) fn into_model(self, name: &str) -> Result<Asset, ImportError> {
        let count = |len: usize| u32::try_from(len).map_err(|_| ImportError::new("has too many vertices"));
        let (vertices, corners) = (count(self.positions.len())?, count(self.indices.len())?);
        fn bytes<const N: usize>(values: &[[f32; N]]) -> Vec<u8> {
            values.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect()
        }
        // C programs read indices of 16 bits only. As 16 bits, 65,535 begins a new strip in WebGL.
        let (format, indices) = if vertices <= u16::MAX.into() {
            let indices = self.indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect();
            (VertexFormat::USHORT, indices)
        } else {
            (VertexFormat::UINT, self.indices.iter().flat_map(|index| index.to_le_bytes()).collect())
        };
        let lists: [(_, _, _, _, Vec<u8>); 5] = [
            (VertexAttribute::POSITION, 3, VertexFormat::FLOAT, vertices, bytes(&self.positions)),
            (VertexAttribute::TEXCOORD1, 2, VertexFormat::FLOAT, vertices, bytes(&self.uvs)),
            (VertexAttribute::NORMAL, 3, VertexFormat::FLOAT, vertices, bytes(&self.normals)),
            (VertexAttribute::TANGENT, 4, VertexFormat::FLOAT, vertices, bytes(&self.tangents)),
            (VertexAttribute::INDEX, 1, format, corners, indices),
        ];
        let attributes = lists.len() as u32;
        let mut blocks = Vec::with_capacity(lists.len() + 1);
        for (attribute, components, format, count, data) in lists {
            let block = VertexProps { count, attribute, components, format }.block(&data);
            // C programs load the chain of a primitive.
            blocks.push(Block { linked: attribute != VertexAttribute::INDEX, ..Block::new(FourCc::VRTX, block) });
        }
        let bound = |fold: fn(f32, f32) -> f32| {
            std::array::from_fn(|axis| self.positions.iter().map(|at| at[axis]).reduce(fold).unwrap_or_default())
        };
        let primitive = Primitive {
            mesh: 0,
            material: None,
            topology: Topology::TRIANGLES,
            attributes,
            minimum: bound(f32::min),
            maximum: bound(f32::max),
        };
        let transform = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
        let node = Node { name, parent: None, mesh: Some(0), transform };
        let structure = model_block(&[node], &[primitive], &[]).map_err(|error| ImportError::new(error.to_string()))?;
        blocks.push(Block { linked: false, ..Block::new(FourCc::MODL, structure) });
        let triangles = corners / 3;
        let plural = if triangles == 1 { "triangle" } else { "triangles" };
        Ok(Asset::new(AssetKind::Model, blocks, format!("{name}, {triangles} {plural}")))
    }
}
