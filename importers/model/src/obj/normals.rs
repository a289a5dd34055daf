//! Normals of faces that have none in the file, by their smoothing groups: faces of one group share the normals at their positions, and faces
//! of no group are flat.

use std::collections::{HashMap, HashSet};

use super::parse::{Corner, Element, NONE, Obj, Shape};

/// A sum of normals that is a smaller part of its areas comes from faces that lie back to back, and points nowhere.
const CANCELLED: f64 = 1e-6;

/// Normals that are not in the file.
#[derive(Default)]
pub(super) struct Generated {
    /// Sums of the normals of faces, by their areas.
    sums: Vec<[f64; 3]>,
    /// The number of the normal of a smoothing group at a position.
    smooth: HashMap<(u32, u32), u32>,
    /// The smoothing groups and positions whose normals cancel each other out: each face has its own there.
    cancelled: HashSet<(u32, u32)>,
    /// The number of the normal of a face that does not share it, by its element.
    flat: HashMap<u32, u32>,
}

/// Whether every corner of an element has a normal in the file.
pub(super) fn has_own(obj: &Obj, element: &Element) -> bool {
    corners(obj, element).iter().all(|corner| corner.normal != NONE)
}

fn corners<'o>(obj: &'o Obj, element: &Element) -> &'o [Corner] {
    &obj.corners[element.first as usize..][..element.count as usize]
}

/// The normal of a face, as long as twice its area.
fn area(obj: &Obj, corners: &[Corner]) -> [f64; 3] {
    let mut normal = [0.0; 3];
    for (i, corner) in corners.iter().enumerate() {
        let next = corners[(i + 1) % corners.len()];
        let [a, b] = [corner, &next].map(|c| obj.positions[c.position as usize].map(f64::from));
        for (axis, sum) in normal.iter_mut().enumerate() {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum += (a[u] - b[u]) * (a[v] + b[v]);
        }
    }
    normal
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

impl Generated {
    /// Computes all. There are none if no face is in a smoothing group: the file does not say how to light it.
    pub(super) fn of(obj: &Obj) -> Self {
        let (mut normals, mut areas) = (Self::default(), HashMap::<u32, f64>::new());
        if !obj.is_smooth {
            return normals;
        }
        for (number, element) in obj.elements.iter().enumerate() {
            if element.shape != Shape::Face || has_own(obj, element) {
                continue;
            }
            let corners = corners(obj, element);
            let normal = area(obj, corners);
            if element.smoothing == 0 {
                normals.add_flat(number, normal);
                continue;
            }
            let Self { sums, smooth, .. } = &mut normals;
            for corner in corners {
                let slot = *smooth.entry((element.smoothing, corner.position)).or_insert_with(|| {
                    sums.push([0.0; 3]);
                    sums.len() as u32 - 1
                });
                for axis in 0..3 {
                    sums[slot as usize][axis] += normal[axis];
                }
                *areas.entry(slot).or_default() += length(normal);
            }
        }
        let is_cancelled =
            |slot: &u32| areas[slot] > 0.0 && length(normals.sums[*slot as usize]) <= areas[slot] * CANCELLED;
        normals.cancelled =
            normals.smooth.iter().filter(|(_, slot)| is_cancelled(slot)).map(|(place, _)| *place).collect();
        if !normals.cancelled.is_empty() {
            normals.add_cancelled(obj);
        }
        normals
    }

    fn add_flat(&mut self, number: usize, normal: [f64; 3]) {
        self.flat.insert(number as u32, self.sums.len() as u32);
        self.sums.push(normal);
    }

    /// Adds the own normals of the faces that have a corner where normals cancel each other out.
    fn add_cancelled(&mut self, obj: &Obj) {
        for (number, element) in obj.elements.iter().enumerate() {
            let corners = corners(obj, element);
            let is_cancelled = |corner: &Corner| self.cancelled.contains(&(element.smoothing, corner.position));
            let is_generated = element.shape == Shape::Face && !has_own(obj, element);
            if is_generated && element.smoothing != 0 && corners.iter().any(is_cancelled) {
                self.add_flat(number, area(obj, corners));
            }
        }
    }

    /// The number of the normal of an element at a position.
    pub(super) fn number(&self, number: u32, element: &Element, position: u32) -> Option<u32> {
        let place = (element.smoothing, position);
        let is_own = element.smoothing == 0 || self.cancelled.contains(&place);
        if is_own { self.flat.get(&number).copied() } else { self.smooth.get(&place).copied() }
    }

    /// A normal, of length 1; upwards for faces without area.
    pub(super) fn get(&self, number: u32) -> [f32; 3] {
        let sum = self.sums.get(number as usize).copied().unwrap_or_default();
        let length = length(sum);
        if length > 0.0 { sum.map(|part| (part / length) as f32) } else { [0.0, 1.0, 0.0] }
    }
}
