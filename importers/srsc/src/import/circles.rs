//! Finds what leads back to itself in a graph.

/// Numbers the nodes by their circles: two have one number if each leads to the other. `edges` has the targets of each node.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = edges.len();
    // The algorithm of Tarjan, without recursion: archives may have chains of any length.
    let (mut order, mut lowest, mut component) = (vec![NONE; count], vec![NONE; count], vec![NONE; count]);
    let (mut next, mut components) = (0, 0);
    let mut open: Vec<usize> = Vec::new();
    for start in 0..count {
        if order[start] != NONE {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 {
                (order[node], lowest[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            let target = edges[node].get(*edge).copied();
            *edge += 1;
            if let Some(target) = target {
                if order[target] == NONE {
                    path.push((target, 0));
                } else if component[target] == NONE {
                    lowest[node] = lowest[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                lowest[*before] = lowest[*before].min(lowest[node]);
            }
            if lowest[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_lead_to_each_other_have_one_number() {
        let same = |edges: &[&[usize]], pairs: &[(usize, usize)]| {
            let of = components(&edges.iter().map(|targets| targets.to_vec()).collect::<Vec<_>>());
            for (a, b) in (0..edges.len()).flat_map(|a| (a + 1..edges.len()).map(move |b| (a, b))) {
                assert_eq!(of[a] == of[b], pairs.contains(&(a, b)), "{edges:?} {a} {b}");
            }
        };
        same(&[], &[]);
        same(&[&[1], &[2], &[]], &[]);
        same(&[&[1], &[0]], &[(0, 1)]);
        same(&[&[1, 2], &[3], &[3], &[]], &[]);
        // What leads to a circle, or comes from one, is not in it.
        same(&[&[1], &[2], &[3], &[1, 4], &[]], &[(1, 2), (1, 3), (2, 3)]);
        same(&[&[0, 1, 1], &[]], &[]);
        let long: Vec<Vec<usize>> = (0..200_000).map(|at| vec![(at + 1) % 200_000]).collect();
        assert!(components(&long).iter().all(|component| *component == 0));
    }
}
