//! Manifests → the order in which mods are mounted, and the mods that cannot be in it.
//!
//! A mod is mounted over those that it needs, those in its `after`, and those that name it in `before`. If that leaves a choice, the smallest
//! id comes first. So the order depends on the manifests alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::fault::FaultKind;
use crate::manifest::Manifest;

/// The mods in the order in which they are mounted, and what is wrong with others, as positions in the manifests.
#[derive(Debug, Default)]
pub(crate) struct Order {
    pub(crate) mods: Vec<usize>,
    pub(crate) faults: Vec<(usize, FaultKind)>,
}

/// Orders the mods that are not `left_out`, and adds those to it that cannot be in the order. Their ids differ. `disabled` are the ids of other
/// mods.
pub(crate) fn order(manifests: &[&Manifest], left_out: &mut [bool], disabled: &BTreeSet<&str>) -> Order {
    let by_id: BTreeMap<&str, usize> = manifests.iter().enumerate().map(|(at, mod_)| (mod_.id.as_str(), at)).collect();
    let mut faults = Vec::new();
    loop {
        leave_out_dependents(manifests, &by_id, left_out, disabled, &mut faults);
        let below = below(manifests, &by_id, left_out);
        let mods = sorted(manifests, &below, left_out);
        if mods.len() == left_out.iter().filter(|is_out| !**is_out).count() {
            return Order { mods, faults };
        }
        let sorted: BTreeSet<usize> = mods.into_iter().collect();
        let rest = (0..manifests.len()).filter(|at| !left_out[*at] && !sorted.contains(at)).collect();
        for cycle in cycles(manifests, &below, rest) {
            cycle.members.iter().for_each(|member| left_out[*member] = true);
            let ids = cycle.path.iter().map(|at| manifests[*at].id.clone()).collect();
            faults.push((cycle.path[0], FaultKind::Cycle { ids }));
        }
    }
}

/// Leaves out mods that need others that are missing, until nothing changes.
fn leave_out_dependents(
    manifests: &[&Manifest],
    by_id: &BTreeMap<&str, usize>,
    left_out: &mut [bool],
    disabled: &BTreeSet<&str>,
    faults: &mut Vec<(usize, FaultKind)>,
) {
    loop {
        let before = faults.len();
        for (at, manifest) in manifests.iter().enumerate().filter(|(at, _)| !left_out[*at]).collect::<Vec<_>>() {
            for (id, expected) in &manifest.dependencies {
                let (id, expected) = (id.clone(), expected.clone());
                let fault = match by_id.get(id.as_str()).map(|at| (*at, &manifests[*at].version)) {
                    _ if disabled.contains(id.as_str()) => FaultKind::DisabledDependency { id },
                    None => FaultKind::MissingDependency { id, expected },
                    Some((_, found)) if !expected.matches(found) => {
                        FaultKind::WrongVersion { id, found: found.clone(), expected }
                    }
                    Some((other, _)) if left_out[other] => FaultKind::DependencyLeftOut { id },
                    Some(_) => continue,
                };
                faults.push((at, fault));
            }
        }
        if faults.len() == before {
            return;
        }
        faults[before..].iter().for_each(|(at, _)| left_out[*at] = true);
    }
}

/// Returns the mods that each mod must be mounted over.
fn below(manifests: &[&Manifest], by_id: &BTreeMap<&str, usize>, left_out: &[bool]) -> Vec<BTreeSet<usize>> {
    let find = |id: &String| by_id.get(id.as_str()).copied().filter(|at| !left_out[*at]);
    let mut below = vec![BTreeSet::new(); manifests.len()];
    for (at, manifest) in manifests.iter().enumerate().filter(|(at, _)| !left_out[*at]) {
        below[at].extend(manifest.dependencies.keys().chain(&manifest.after).filter_map(find));
        manifest.before.iter().filter_map(find).for_each(|other| {
            below[other].insert(at);
        });
    }
    below
}

/// Sorts as many mods as possible.
fn sorted(manifests: &[&Manifest], below: &[BTreeSet<usize>], left_out: &[bool]) -> Vec<usize> {
    let mut above = vec![Vec::new(); below.len()];
    below.iter().enumerate().for_each(|(at, others)| others.iter().for_each(|other| above[*other].push(at)));
    let mut missing: Vec<usize> = below.iter().map(BTreeSet::len).collect();
    let key = |at: usize| (manifests[at].id.as_str(), at);
    let mut ready: BTreeSet<(&str, usize)> =
        (0..below.len()).filter(|at| missing[*at] == 0 && !left_out[*at]).map(key).collect();
    let mut sorted = Vec::new();
    while let Some((_, at)) = ready.pop_first() {
        sorted.push(at);
        for other in &above[at] {
            missing[*other] -= 1;
            if missing[*other] == 0 {
                ready.insert(key(*other));
            }
        }
    }
    sorted
}

/// Mods that must be mounted over one another.
struct Cycle {
    members: BTreeSet<usize>,
    /// From the member with the smallest id back to it, each mounted over the one before.
    path: Vec<usize>,
}

fn cycles(manifests: &[&Manifest], below: &[BTreeSet<usize>], mut rest: BTreeSet<usize>) -> Vec<Cycle> {
    let mut above = vec![BTreeSet::new(); below.len()];
    for at in &rest {
        below[*at].iter().for_each(|other| {
            above[*other].insert(*at);
        });
    }
    let mut cycles = Vec::new();
    while let Some(start) = rest.iter().copied().min_by_key(|at| &manifests[*at].id) {
        let upwards = reached(&above, start, &rest);
        let downwards = reached(below, start, &rest);
        let members: BTreeSet<usize> = upwards.keys().copied().filter(|at| downwards.contains_key(at)).collect();
        if members.is_empty() {
            rest.remove(&start);
            continue;
        }
        rest.retain(|at| !members.contains(at));
        // Back along the way on which the search has come to the start again.
        let mut path = vec![start];
        let mut at = upwards[&start];
        while at != start {
            path.push(at);
            at = upwards[&at];
        }
        path.push(start);
        path.reverse();
        cycles.push(Cycle { members, path });
    }
    cycles
}

/// Returns what can be reached from `start`, itself only by a way around, each with the one before it on a shortest way.
fn reached(next: &[BTreeSet<usize>], start: usize, within: &BTreeSet<usize>) -> BTreeMap<usize, usize> {
    let mut reached = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for other in next[at].iter().filter(|other| within.contains(other)) {
            if !reached.contains_key(other) {
                reached.insert(*other, at);
                queue.push_back(*other);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use rres_test_data::random::Random;

    use super::*;

    fn manifest(id: &str, rest: &str) -> Manifest {
        let rest = rest.replace("; ", "\n");
        Manifest::parse(&format!("id = {id:?}\nname = {id:?}\nversion = \"1.0.0\"\ngame = \"lantern\"\n{rest}"))
            .unwrap()
    }

    /// The order of mods, and what is wrong.
    fn ordered(mods: &[(&str, &str)], disabled: &[&str]) -> (Vec<String>, Vec<String>) {
        let manifests: Vec<Manifest> = mods.iter().map(|(id, rest)| manifest(id, rest)).collect();
        let manifests: Vec<&Manifest> = manifests.iter().collect();
        let mut left_out: Vec<bool> = mods.iter().map(|(id, _)| disabled.contains(id)).collect();
        let Order { mods, faults } = order(&manifests, &mut left_out, &disabled.iter().copied().collect());
        let faults = faults.into_iter().map(|(at, kind)| format!("{}: {kind}", manifests[at].id));
        (mods.into_iter().map(|at| manifests[at].id.clone()).collect(), faults.collect())
    }

    #[test]
    fn what_a_mod_needs_is_below_it_and_ids_decide_the_rest() {
        let mods = [
            ("d", ""),
            ("a", "[dependencies]; c = \"^1\""),
            ("c", "after = [\"d\", \"not-there\"]"),
            ("e", "before = [\"d\"]"),
            ("b", ""),
        ];
        assert_eq!(ordered(&mods, &[]).0, ["b", "e", "d", "c", "a"]);
        let reversed: Vec<_> = mods.into_iter().rev().collect();
        assert_eq!(ordered(&reversed, &[]), ordered(&mods, &[]));
    }

    #[test]
    fn every_fault_is_named_in_one_run_and_the_rest_is_ordered() {
        let mods = [
            ("missing", "[dependencies]; gone = \"^1\"; fine = \"^2\""),
            ("above", "[dependencies]; missing = \"1\""),
            ("wants", "[dependencies]; off = \"1\""),
            ("off", ""),
            ("fine", "after = [\"x\"]"),
            ("x", "after = [\"y\"]"),
            ("y", "[dependencies]; z = \"1\""),
            ("z", "before = [\"y\"]; after = [\"x\"]"),
            ("p", "after = [\"q\"]"),
            ("q", "after = [\"p\"]"),
        ];
        let (order, faults) = ordered(&mods, &["off"]);
        assert_eq!(order, ["fine"]);
        let expected = [
            "missing: it needs the mod fine ^2, and the one in the folder is 1.0.0",
            "missing: it needs the mod gone ^1, which is not in the folder",
            "wants: it needs the mod off, which is disabled",
            "above: it needs the mod missing, which is left out",
            "p: no order of mods is right, because each must be mounted over the one before it: p, q, p; all of them are left out",
            "x: no order of mods is right, because each must be mounted over the one before it: x, z, y, x; all of them are left out",
        ];
        assert_eq!(faults, expected);
    }

    #[test]
    fn an_order_keeps_every_promise_and_does_not_depend_on_the_order_of_files() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let ids: Vec<String> = (0..8).map(|number| format!("m{number}")).collect();
            // Edges from smaller to larger numbers only, so that there is an order.
            let mut rest = vec![[const { Vec::new() }; 3]; 8];
            for _ in 0..random.below(12) {
                let low = random.below(7);
                let high = low + 1 + random.below(7 - low);
                match random.below(3) {
                    0 => rest[high][0].push(ids[low].clone()),
                    1 => rest[high][1].push(ids[low].clone()),
                    _ => rest[low][2].push(ids[high].clone()),
                }
            }
            // Ids that do not ascend with the edges.
            let renamed =
                |id: &String| format!("{}{id}", (b'a' + (seed as u8).wrapping_mul(id.as_bytes()[1]) % 26) as char);
            let manifests: Vec<Manifest> = (0..8)
                .map(|at| {
                    let list = |ids: &[String]| ids.iter().map(&renamed).collect::<Vec<_>>();
                    let [needs, after, before] = &rest[at];
                    let needs: String = list(needs)
                        .iter()
                        .collect::<BTreeSet<_>>()
                        .iter()
                        .map(|id| format!("; {id} = \"1\""))
                        .collect();
                    manifest(
                        &renamed(&ids[at]),
                        &format!("after = {:?}; before = {:?}; [dependencies]{needs}", list(after), list(before)),
                    )
                })
                .collect();
            let run = |shuffled: &[&Manifest]| {
                let result = order(shuffled, &mut [false; 8], &BTreeSet::new());
                assert!(result.faults.is_empty(), "seed {seed}");
                result.mods.iter().map(|at| shuffled[*at].id.clone()).collect::<Vec<_>>()
            };
            let mut shuffled: Vec<&Manifest> = manifests.iter().collect();
            let order = run(&shuffled);
            for at in 0..8 {
                let other = random.below(8);
                shuffled.swap(at, other);
            }
            assert_eq!(run(&shuffled), order, "seed {seed}");
            let place = |id: &String| order.iter().position(|other| other == id);
            for manifest in &manifests {
                let own = place(&manifest.id);
                assert!(manifest.dependencies.keys().chain(&manifest.after).all(|id| place(id) < own), "seed {seed}");
                assert!(manifest.before.iter().all(|id| place(id) > own), "seed {seed}");
            }
        }
    }
}
