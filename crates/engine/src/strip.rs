//! Packs without the assets that a program does not name.
//!
//! `cargo rres ship --strip-unused` asks the compiler which constants a program uses, and has the build script write the packs once more, without
//! the others. The hash of the set stays that of the whole set, so that the program opens them: its constants are those of the whole set. A
//! constant of an asset that is left out is not in the program, and the slots of the others are only where a look-up begins.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use rres_format::ResourceId;
use rres_format::index::GroupSpec;
use rres_protocol::files::{STRIP_VARIABLE, STRIPPED_GROUP};

use crate::diagnostic::Diagnostic;
use crate::model::{Resolved, Resource};

/// A resource, and what keeps it.
struct Node<'r> {
    id: ResourceId,
    dependencies: &'r [ResourceId],
    variant_of: Option<ResourceId>,
}

/// Returns the set without the assets of the list that [`STRIP_VARIABLE`] names, except for those that kept ones need; `None` if it is not set.
///
/// # Errors
/// If the list cannot be read.
pub(crate) fn leave_out(resolved: &Resolved) -> Result<Option<Resolved>, Diagnostic> {
    let Some(file) = std::env::var_os(STRIP_VARIABLE).filter(|file| !file.is_empty()) else { return Ok(None) };
    Ok(Some(without(resolved, &read_list(&file)?)))
}

/// Reads a list of ids in hexadecimal digits, one a line.
fn read_list(file: &OsStr) -> Result<HashSet<ResourceId>, Diagnostic> {
    let file = Path::new(file);
    let text =
        fs::read_to_string(file).map_err(|e| Diagnostic::io("read the list of assets to leave out", file, &e))?;
    let id = |line: &str| u32::from_str_radix(line.trim(), 16).map(ResourceId).map_err(|_| line.to_owned());
    text.lines().map(id).collect::<Result<_, _>>().map_err(|line| {
        let help = format!("{STRIP_VARIABLE} is for `cargo rres ship` only: unset it");
        Diagnostic::file(file, format!("has the line \"{line}\", expected an id in hexadecimal digits")).with_help(help)
    })
}

fn without(resolved: &Resolved, listed: &HashSet<ResourceId>) -> Resolved {
    let node = |resource: &'_ Resource| (resource.id, resolved.variant_of(resource));
    let nodes: Vec<Node<'_>> = resolved
        .resources
        .iter()
        .map(|resource| {
            let (id, variant_of) = node(resource);
            Node { id, dependencies: &resource.dependencies, variant_of }
        })
        .collect();
    let kept = kept(&nodes, listed);
    let resources = resolved.resources.iter().filter(|resource| kept.contains(&resource.id)).cloned().collect();
    let group = |group: &GroupSpec| {
        let members: Vec<ResourceId> = group.members.iter().filter(|id| kept.contains(id)).copied().collect();
        // A group that had no members before is one that the program may ask for.
        (!members.is_empty() || group.members.is_empty()).then(|| GroupSpec { name: group.name.clone(), members })
    };
    let mut groups: Vec<GroupSpec> = resolved.groups.iter().filter_map(group).collect();
    if kept.len() < nodes.len() {
        groups.push(GroupSpec { name: STRIPPED_GROUP.to_owned(), members: Vec::new() });
    }
    Resolved { assets: resolved.assets.clone(), resources, groups, set_hash: resolved.set_hash }
}

/// What is not listed, what that needs, and the variants of both with what they need.
fn kept(nodes: &[Node<'_>], listed: &HashSet<ResourceId>) -> HashSet<ResourceId> {
    let by_id: HashMap<ResourceId, &Node<'_>> = nodes.iter().map(|node| (node.id, node)).collect();
    let mut variants: HashMap<ResourceId, Vec<ResourceId>> = HashMap::new();
    let mut open = Vec::new();
    for node in nodes {
        match node.variant_of {
            // A variant of an asset in another pack is there for itself.
            Some(base) if by_id.contains_key(&base) => variants.entry(base).or_default().push(node.id),
            _ if listed.contains(&node.id) => {}
            _ => open.push(node.id),
        }
    }
    let mut kept = HashSet::new();
    while let Some(id) = open.pop() {
        if let Some(node) = by_id.get(&id).filter(|_| kept.insert(id)) {
            open.extend(node.dependencies);
            open.extend(variants.get(&id).into_iter().flatten());
            // A model may need one variant of an image, whose index names the asset.
            open.extend(node.variant_of.filter(|base| by_id.contains_key(base)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: u32, dependencies: &[ResourceId], variant_of: Option<u32>) -> Node<'_> {
        Node { id: ResourceId(id), dependencies, variant_of: variant_of.map(ResourceId) }
    }

    fn ids(ids: &[u32]) -> Vec<ResourceId> {
        ids.iter().copied().map(ResourceId).collect()
    }

    #[test]
    fn what_kept_assets_need_is_kept_with_its_variants() {
        // 1 needs 2, which needs 3; 4 is a variant of 3 and needs 5; 6 needs 7; 8 is a variant of 6; 9 is one of an asset elsewhere.
        let dependencies = [ids(&[2]), ids(&[3]), ids(&[5]), ids(&[7])];
        let nodes = [
            node(1, &dependencies[0], None),
            node(2, &dependencies[1], None),
            node(3, &[], None),
            node(4, &dependencies[2], Some(3)),
            node(5, &[], None),
            node(6, &dependencies[3], None),
            node(7, &[], None),
            node(8, &[], Some(6)),
            node(9, &[], Some(99)),
        ];
        let of = |listed: &[u32]| {
            let mut kept: Vec<u32> =
                kept(&nodes, &ids(listed).into_iter().collect()).into_iter().map(|id| id.0).collect();
            kept.sort_unstable();
            kept
        };
        assert_eq!(of(&[]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(of(&[2, 3, 5, 6, 7]), [1, 2, 3, 4, 5, 9]);
        assert_eq!(of(&[2, 3, 5, 7]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(of(&[1, 2, 3, 4, 5, 6, 7]), [9]);
    }

    #[test]
    fn a_cycle_of_dependencies_ends() {
        let dependencies = [ids(&[2]), ids(&[1])];
        let nodes = [node(1, &dependencies[0], None), node(2, &dependencies[1], None)];
        assert_eq!(kept(&nodes, &ids(&[2]).into_iter().collect()).len(), 2);
        assert_eq!(kept(&nodes, &ids(&[1, 2]).into_iter().collect()).len(), 0);
    }

    #[test]
    fn a_list_that_is_none_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("list");
        fs::write(&file, "0000001f\n12\n").unwrap();
        assert_eq!(read_list(file.as_os_str()).unwrap(), ids(&[0x1f, 0x12]).into_iter().collect());
        fs::write(&file, "ui/a.png\n").unwrap();
        assert!(
            read_list(file.as_os_str()).unwrap_err().to_string().contains("has the line \"ui/a.png\", expected an id")
        );
        assert!(read_list(dir.path().join("none").as_os_str()).is_err());
    }
}
