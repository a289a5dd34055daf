//! COLL (ours): the shapes of a model for physics, in the space of their mesh.
//!
//! It follows the chunks of a model and is linked to none. Properties: layout version (1), then the numbers of shapes, of vertices and of
//! triangles. Data: the sections in this order without gaps, little-endian.
//!
//! | section | bytes each | record |
//! |---|---|---|
//! | shapes | 16 | [`ShapeRecord`], by mesh |
//! | vertices | 12 | three `f32`, all finite |
//! | triangles | 12 | three `u32`, vertices of the shape, counterclockwise as seen from outside |
//!
//! The vertices and triangles of the shapes follow one another in the order of the shapes. Each edge of a convex shape is between two
//! triangles, which have it in opposite directions.

#[cfg(test)]
mod tests;

use super::{PayloadView, block};
use crate::bytes::slice;
use crate::error::{Error, Result};
use crate::open_enum::open_enum;
use crate::wire::{Wire as _, wire_newtype, wire_record};

/// The layout version: the first property of the chunk.
const VERSION: u32 = 1;

open_enum! {
    /// What the triangles of a shape are.
    pub struct ShapeKind(u32);

    /// The surface of a convex solid.
    CONVEX = 0, "convex";
    /// A surface, open or closed.
    TRIANGLES = 1, "triangles";
}

wire_newtype!(ShapeKind);

wire_record! {
    /// A shape.
    pub struct ShapeRecord[16] {
        /// The mesh it belongs to, counted as primitives and nodes count them.
        pub mesh: u32,
        /// What its triangles are.
        pub kind: ShapeKind,
        /// The number of its vertices.
        pub vertices: u32,
        /// The number of its triangles.
        pub triangles: u32,
    }
}

/// A shape, to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The mesh it belongs to.
    pub mesh: u32,
    /// What its triangles are.
    pub kind: ShapeKind,
    /// Its vertices.
    pub vertices: Vec<[f32; 3]>,
    /// Its triangles, as indices of its vertices.
    pub triangles: Vec<[u32; 3]>,
}

/// Returns the block of shapes, which are sorted by mesh.
///
/// # Errors
/// [`Error::Inconsistent`] if a reader would refuse it; [`Error::LimitExceeded`] if it is too large.
pub fn collision_block(shapes: &[Shape]) -> Result<Vec<u8>> {
    let vertices = count(shapes.iter().map(|shape| shape.vertices.len()).sum())?;
    let triangles = count(shapes.iter().map(|shape| shape.triangles.len()).sum())?;
    let mut data = Vec::new();
    for shape in shapes {
        let [vertices, triangles] = [shape.vertices.len(), shape.triangles.len()].map(|len| len as u32);
        ShapeRecord { mesh: shape.mesh, kind: shape.kind, vertices, triangles }.put(&mut data);
    }
    data.extend(shapes.iter().flat_map(|shape| shape.vertices.as_flattened()).flat_map(|axis| axis.to_le_bytes()));
    data.extend(shapes.iter().flat_map(|shape| shape.triangles.as_flattened()).flat_map(|corner| corner.to_le_bytes()));
    let block = block(&[VERSION, count(shapes.len())?, vertices, triangles], &data);
    CollisionView::parse(PayloadView::parse(&block)?)?;
    Ok(block)
}

fn count(len: usize) -> Result<u32> {
    u32::try_from(len).map_err(|_| Error::LimitExceeded {
        what: "a number of items of collision shapes",
        value: len as u64,
        limit: u32::MAX.into(),
        help: "split the model",
    })
}

/// A borrowed COLL payload, all of whose shapes are right.
#[derive(Clone, Copy, Debug)]
pub struct CollisionView<'a> {
    records: &'a [u8],
    vertices: &'a [u8],
    triangles: &'a [u8],
}

/// A borrowed shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeView<'a> {
    /// Its record.
    pub record: ShapeRecord,
    /// Its vertices, three `f32` each, little-endian.
    pub vertices: &'a [u8],
    /// Its triangles, three `u32` each, little-endian.
    pub triangles: &'a [u8],
}

impl<'a> CollisionView<'a> {
    /// Checks that the shapes fit the data, every number and index, and the edges of convex shapes. The caller compares the meshes with
    /// the model.
    ///
    /// # Errors
    /// [`Error::Truncated`] if a section exceeds the data; [`Error::Inconsistent`], which names the shape.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version, shapes, vertices, triangles] = payload.first_props()?;
        if version != VERSION {
            let detail = format!("layout version {version}, expected {VERSION}: it was written by a newer version");
            return Err(Error::inconsistent("collision shapes", detail));
        }
        let mut at = 0;
        let mut section = |count: u32, size: u64| {
            let len = u64::from(count) * size;
            let section = slice(payload.data(), "section of collision shapes", at, len)?;
            at += len;
            Ok(section)
        };
        let view = Self {
            records: section(shapes, ShapeRecord::SIZE as u64)?,
            vertices: section(vertices, 12)?,
            triangles: section(triangles, 12)?,
        };
        view.check([vertices, triangles])?;
        Ok(view)
    }

    fn check(&self, found: [u32; 2]) -> Result<()> {
        let inconsistent = |detail: String| Error::inconsistent("collision shapes", detail);
        let mut total = [0u64; 2];
        let mut last = 0;
        for record in self.records() {
            total = [total[0] + u64::from(record.vertices), total[1] + u64::from(record.triangles)];
            if record.mesh < last {
                return Err(inconsistent(format!("a shape of mesh {} follows one of mesh {last}", record.mesh)));
            }
            last = record.mesh;
        }
        if total != found.map(u64::from) {
            let [vertices, triangles] = found;
            let detail = format!(
                "the shapes have {} vertices and {} triangles, expected {vertices} and {triangles}",
                total[0], total[1]
            );
            return Err(inconsistent(detail));
        }
        for (number, shape) in self.shapes().enumerate() {
            check_shape(&shape).map_err(|fault| inconsistent(format!("shape {number} {fault}")))?;
        }
        Ok(())
    }

    fn records(&self) -> impl ExactSizeIterator<Item = ShapeRecord> + use<'a> {
        self.records.chunks_exact(ShapeRecord::SIZE).map(ShapeRecord::get)
    }

    /// Returns the shapes.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = ShapeView<'a>> + use<'a> {
        let (mut vertices, mut triangles) = (self.vertices, self.triangles);
        // That the shapes have exactly what there is was checked.
        let take = |rest: &mut &'a [u8], count: u32| {
            let (own, next) = rest.split_at_checked(count as usize * 12).unwrap_or_default();
            *rest = next;
            own
        };
        self.records().map(move |record| ShapeView {
            record,
            vertices: take(&mut vertices, record.vertices),
            triangles: take(&mut triangles, record.triangles),
        })
    }
}

/// Says what is wrong with a shape.
fn check_shape(shape: &ShapeView<'_>) -> core::result::Result<(), String> {
    let ShapeRecord { kind, vertices: count, .. } = shape.record;
    if kind.name().is_none() {
        return Err(format!("is of kind {}, expected convex (0) or triangles (1)", kind.0));
    }
    if let Some(at) = shape.vertices.chunks_exact(4).position(|axis| !f32::get(axis).is_finite()) {
        return Err(format!("has a vertex {} that is not finite", at / 3));
    }
    if let Some(corner) = shape.triangles.chunks_exact(4).map(u32::get).find(|corner| *corner >= count) {
        return Err(format!("refers to vertex {corner}, but has {count}"));
    }
    match kind {
        ShapeKind::CONVEX => check_closed(shape.triangles),
        _ => Ok(()),
    }
}

/// Programs that follow the edges of a solid from triangle to triangle rely on this.
fn check_closed(triangles: &[u8]) -> core::result::Result<(), String> {
    let mut edges = Vec::with_capacity(triangles.len() / 4);
    for triangle in triangles.chunks_exact(12) {
        let corners: [u32; 3] = core::array::from_fn(|corner| u32::get(&triangle[corner * 4..]));
        edges.extend((0..3).map(|corner| (corners[corner], corners[(corner + 1) % 3])));
    }
    if edges.is_empty() {
        return Err("is convex without triangles".to_owned());
    }
    edges.sort_unstable();
    let is_paired = |(from, to): &(u32, u32)| from != to && edges.binary_search(&(*to, *from)).is_ok();
    let is_unique = edges.windows(2).all(|pair| pair[0] != pair[1]);
    match edges.iter().find(|edge| !is_paired(edge)) {
        Some((from, to)) => Err(format!("is convex, but no triangle is beyond the edge from {from} to {to}")),
        None if !is_unique => Err("is convex, but more than two triangles have the same edge".to_owned()),
        None => Ok(()),
    }
}
