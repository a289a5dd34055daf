//! Bounding shapes: a sphere and a box round everything, and a tree of spheres or of boxes.
//!
//! | field | |
//! |---|---|
//! | sphere | `f32[3]` centre, `f32` radius |
//! | box | `f32[3]` centre, `f32[9]` rows of a matrix |
//! | `u16` number of shapes, `u16` whether they are boxes | |
//! | for each shape: `u16` first child, `u16` next sibling | 0 for none |
//! | spheres; or boxes, each with `u16` count and `u16` polygons | |

use crate::body::{Body, Items};
use crate::checks::Notes;
use crate::error::{Fault, Problem};

/// A sphere and a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// Centre and radius.
    pub sphere: [f32; 4],
    /// Centre, and the rows of a matrix whose meaning is probably the directions and extents of the edges.
    pub oriented_box: [f32; 12],
}

impl Volume {
    pub(super) fn parse(body: &mut Body<'_>) -> Result<Self, Fault> {
        Ok(Self { sphere: body.f32s("sphere")?, oriented_box: body.f32s("box")? })
    }
}

/// A box of a tree, with the polygons that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxShape<'a> {
    /// Centre and matrix.
    pub oriented_box: [f32; 12],
    /// Probably the numbers of polygons.
    pub polygons: Items<'a, u16>,
}

/// The shapes of a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Shapes<'a> {
    /// Centres and radii.
    Spheres(Items<'a, [f32; 4]>),
    /// Boxes.
    Boxes(Vec<BoxShape<'a>>),
}

/// The bounding shapes of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds<'a> {
    /// The sphere and the box round everything.
    pub volume: Volume,
    /// For each shape its first child and its next sibling; 0 for none.
    pub tree: Items<'a, [u16; 2]>,
    /// As many shapes.
    pub shapes: Shapes<'a>,
}

impl<'a> Bounds<'a> {
    pub(super) fn parse(body: &mut Body<'a>, _notes: &mut Notes<'_>) -> Result<Self, Fault> {
        let volume = Volume::parse(body)?;
        let count = body.u16("number of shapes")?;
        let at = body.at();
        let is_boxes = match body.u16("whether they are boxes")? {
            0 => false,
            1 => true,
            other => return Err(Fault::invalid("whether they are boxes", at, other, "0 or 1")),
        };
        let at = body.at();
        let tree: Items<'_, [u16; 2]> = body.items(count.into(), "tree of shapes")?;
        check_tree("tree of shapes", at, 4, tree.iter())?;
        let shapes = if is_boxes {
            let mut boxes = Vec::with_capacity(body.expect(count.into(), 50, "boxes")?);
            for _ in 0..count {
                boxes.push(BoxShape { oriented_box: body.f32s("box")?, polygons: body.items16("polygons of a box")? });
            }
            Shapes::Boxes(boxes)
        } else {
            Shapes::Spheres(body.items(count.into(), "spheres")?)
        };
        Ok(Self { volume, tree, shapes })
    }
}

/// Checks that first children and next siblings exist and form a forest: 0 is none, and nothing has two parents or is its own
/// ancestor. `at` is the place of the first element's links, and `size` the distance to the links of the next.
pub(super) fn check_tree(
    field: &'static str,
    at: usize,
    size: usize,
    links: impl ExactSizeIterator<Item = [u16; 2]>,
) -> Result<(), Fault> {
    let count = links.len();
    // What leads to each element. With at most one link to each, only a circle is not reached from its start.
    let mut from: Vec<Option<usize>> = vec![None; count];
    for (number, links) in links.enumerate() {
        for link in links.into_iter().filter(|link| *link != 0).map(usize::from) {
            let place = at + number * size;
            if link >= count {
                return Err(Fault::invalid(field, place, link, format!("less than {count}, the number of elements")));
            }
            if link == number || from[link].is_some() {
                let path = vec![number.to_string(), link.to_string()];
                return Err(Fault::new(field, place, Problem::Cycle { path }));
            }
            from[link] = Some(number);
        }
    }
    // 0: not visited; otherwise the walk that visited it.
    let mut visited = vec![0; count];
    for start in 0..count {
        let mut at_element = Some(start);
        while let Some(element) = at_element.filter(|element| visited[*element] == 0) {
            visited[element] = start + 1;
            at_element = from[element];
        }
        if let Some(element) = at_element.filter(|element| visited[*element] == start + 1) {
            let path = vec![element.to_string(), element.to_string()];
            return Err(Fault::new(field, at + element * size, Problem::Cycle { path }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_may_have_any_form_and_circles_are_found() {
        let check = |links: &[[u16; 2]]| check_tree("tree", 0, 4, links.iter().copied());
        for good in [&[][..], &[[0, 0]], &[[1, 0], [0, 2], [3, 0], [0, 0]], &[[0, 0], [0, 0], [1, 0]]] {
            assert_eq!(check(good), Ok(()), "{good:?}");
        }
        for bad in [&[[1, 0]][..], &[[0, 0], [1, 0]], &[[0, 0], [2, 0], [0, 1]], &[[2, 0], [2, 0], [0, 0]]] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }
}
