//! Normals of faces that have none in the file, by their smoothing groups: faces of one group share the normals at their positions, and faces
//! of no group are flat.

use std::collections::HashMap;

use super::parse::{Element, NONE, Obj, Shape};

/// Normals that are not in the file.
#[derive(Default)]
pub(super) struct Generated {
    /// Sums of the normals of faces, by their areas.
    sums: Vec<[f64; 3]>,
    /// The number of the normal of a smoothing group at a position.
    smooth: HashMap<(u32, u32), u32>,
    /// The number of the normal of a flat face, by its element.
    flat: HashMap<u32, u32>,
}

/// Whether every corner of an element has a normal in the file.
pub(super) fn has_own(obj: &Obj, element: &Element) -> bool {
    corners(obj, element).iter().all(|corner| corner.normal != NONE)
}

fn corners<'o>(obj: &'o Obj, element: &Element) -> &'o [super::parse::Corner] {
    &obj.corners[element.first as usize..][..element.count as usize]
}

impl Generated {
    /// Computes all. There are none if no face is in a smoothing group: the file does not say how to light it.
    pub(super) fn of(obj: &Obj) -> Self {
        let mut normals = Self::default();
        if !obj.is_smooth {
            return normals;
        }
        for (number, element) in obj.elements.iter().enumerate() {
            if element.shape != Shape::Face || has_own(obj, element) {
                continue;
            }
            let corners = corners(obj, element);
            let mut normal = [0.0; 3];
            for (i, corner) in corners.iter().enumerate() {
                let next = corners[(i + 1) % corners.len()];
                let [a, b] = [corner, &next].map(|c| obj.positions[c.position as usize].map(f64::from));
                for (axis, sum) in normal.iter_mut().enumerate() {
                    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                    *sum += (a[u] - b[u]) * (a[v] + b[v]);
                }
            }
            let Self { sums, smooth, flat } = &mut normals;
            if element.smoothing == 0 {
                flat.insert(number as u32, sums.len() as u32);
                sums.push(normal);
                continue;
            }
            for corner in corners {
                let slot = *smooth.entry((element.smoothing, corner.position)).or_insert_with(|| {
                    sums.push([0.0; 3]);
                    sums.len() as u32 - 1
                });
                for axis in 0..3 {
                    sums[slot as usize][axis] += normal[axis];
                }
            }
        }
        normals
    }

    /// The number of the normal of an element at a position.
    pub(super) fn number(&self, number: u32, element: &Element, position: u32) -> Option<u32> {
        let smooth = || self.smooth.get(&(element.smoothing, position));
        self.flat.get(&number).or_else(smooth).copied()
    }

    /// A normal, of length 1; upwards for faces without area.
    pub(super) fn get(&self, number: u32) -> [f32; 3] {
        let sum = self.sums.get(number as usize).copied().unwrap_or_default();
        let length = sum.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.0 { sum.map(|part| (part / length) as f32) } else { [0.0, 1.0, 0.0] }
    }
}
