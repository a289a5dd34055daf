//! The edges of a surface: which are open, and what may become of the positions at their ends.

use super::pairs::Pairs;
use super::{Kind, Surface};

/// The directed edges of all triangles.
pub(super) struct Edges {
    pub(super) of_vertices: Pairs,
    pub(super) of_positions: Pairs,
    /// The open edges, by their first and by their last vertex.
    open_from: Pairs,
    open_to: Pairs,
    /// The vertices of each position that have triangles, by the number of the position.
    wedges: Pairs,
}

impl Edges {
    pub(super) fn of(surface: &Surface) -> Self {
        let count = surface.numbers.len();
        let number = |vertex: u32| surface.numbers[vertex as usize];
        let corners = surface.indices.as_chunks::<3>().0;
        let directed = corners.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]);
        let of_vertices = Pairs::new(directed, count);
        let of_positions = Pairs::new(of_vertices.all().iter().map(|(a, b)| (number(*a), number(*b))), count);
        let is_open = |edge: &&(u32, u32)| !of_vertices.has((edge.1, edge.0));
        let open_from = Pairs::new(of_vertices.all().iter().filter(is_open).copied(), count);
        let open_to = Pairs::new(open_from.all().iter().map(|(a, b)| (*b, *a)), count);
        let mut is_used = vec![false; count];
        surface.indices.iter().for_each(|vertex| is_used[*vertex as usize] = true);
        let used = (0..count as u32).filter(|vertex| is_used[*vertex as usize]);
        let wedges = Pairs::new(used.map(|vertex| (number(vertex), vertex)), count);
        Self { of_vertices, of_positions, open_from, open_to, wedges }
    }

    /// The kind of each position.
    pub(super) fn kinds(&self, surface: &Surface) -> Vec<Kind> {
        let mut kinds = vec![Kind::Fixed; surface.points.len()];
        for wedges in self.wedges.all().chunk_by(|a, b| a.0 == b.0) {
            let kind = match wedges {
                [(_, vertex)] if self.open_from.of(*vertex).is_empty() && self.open_to.of(*vertex).is_empty() => {
                    Kind::Inner
                }
                [(number, vertex)] => {
                    let ends = (self.open_from.single(*vertex), self.open_to.single(*vertex));
                    let number_of = |vertex: u32| surface.numbers[vertex as usize];
                    match ends {
                        // The other side of an open edge may be a seam that ends here.
                        (Some(next), Some(before))
                            if !self.of_positions.has((number_of(next), *number))
                                && !self.of_positions.has((*number, number_of(before))) =>
                        {
                            Kind::Edge
                        }
                        _ => Kind::Fixed,
                    }
                }
                [(_, a), (_, b)] => {
                    let ends = |vertex| Some((self.open_from.single(vertex)?, self.open_to.single(vertex)?));
                    let number_of = |vertex: u32| surface.numbers[vertex as usize];
                    match (ends(*a), ends(*b)) {
                        (Some((a_next, a_before)), Some((b_next, b_before)))
                            if number_of(a_next) == number_of(b_before) && number_of(a_before) == number_of(b_next) =>
                        {
                            Kind::Seam
                        }
                        _ => Kind::Fixed,
                    }
                }
                _ => Kind::Fixed,
            };
            kinds[wedges[0].0 as usize] = kind;
        }
        // Three triangles at an edge are not a surface.
        for (from, to) in self.of_positions.all().windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]) {
            (kinds[from as usize], kinds[to as usize]) = (Kind::Fixed, Kind::Fixed);
        }
        kinds
    }

    /// The collapse on the other side of a seam: of an open edge `a → b` between the same positions in the other direction. The vertices are
    /// returned in the direction of the collapse, which is that from `a` to `b` if `is_forward`.
    pub(super) fn partner(&self, surface: &Surface, (a, b): (u32, u32), is_forward: bool) -> Option<(u32, u32)> {
        let (number_a, number_b) = (surface.numbers[a as usize], surface.numbers[b as usize]);
        let of_b = self.wedges.of(number_b).iter();
        let (other_b, other_a) = of_b.filter(|(_, vertex)| *vertex != b).find_map(|(_, vertex)| {
            let next = self.open_from.single(*vertex)?;
            (surface.numbers[next as usize] == number_a && next != a).then_some((*vertex, next))
        })?;
        Some(if is_forward { (other_a, other_b) } else { (other_b, other_a) })
    }
}
