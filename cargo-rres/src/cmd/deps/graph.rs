//! The graph: resources and groups, and which needs which.

use std::collections::{BTreeSet, HashMap, HashSet};

use rres_format::chunk::PayloadView;
use rres_format::chunk::link::LinkView;
use rres_format::{AssetKind, ResourceId, normalize_path};
use rres_packs::{PackSet, Resource, ResourceList, Selection, pack_set};
use rres_protocol::sub_asset;

/// A resource or a group.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The path, or the id of a resource without one, or the name of the group.
    pub(super) name: String,
    pub(super) path: Option<String>,
    pub(super) id: Option<ResourceId>,
    pub(super) kind: Option<String>,
    pub(super) is_group: bool,
    /// Whether something needs it, but no pack contains it.
    pub(super) is_missing: bool,
    /// Whether a program uses it; `None` if that is not known.
    pub(super) is_used: Option<bool>,
    /// The nodes that it needs, in order; each once.
    pub(super) needs: Vec<usize>,
    /// The nodes that need it.
    pub(super) needed_by: Vec<usize>,
}

pub(super) struct Graph {
    /// The resources by path, then those that are missing, then the groups by name.
    pub(super) nodes: Vec<Node>,
    by_id: HashMap<ResourceId, usize>,
}

impl Graph {
    pub(super) fn new(sets: &[PackSet], lists: &[ResourceList<'_>], unused: Option<&HashSet<ResourceId>>) -> Self {
        let mut resources: Vec<&Resource<'_>> = lists.iter().flat_map(|list| &list.resources).collect();
        resources.sort_by(|a, b| a.path_order().cmp(&b.path_order()));
        let mut graph = Self { nodes: Vec::with_capacity(resources.len()), by_id: HashMap::new() };
        for resource in &resources {
            let node = Node {
                name: resource.name(),
                path: resource.shown_path().map(std::borrow::Cow::into_owned),
                id: Some(resource.id),
                kind: Some(resource.kind_name()),
                is_used: unused.map(|unused| !unused.contains(&resource.id)),
                ..Node::default()
            };
            graph.by_id.entry(resource.id).or_insert(graph.nodes.len());
            graph.nodes.push(node);
        }
        graph.add_parts();
        graph.add_links(&resources);
        for (pack, list) in pack_set::packs(sets).zip(lists) {
            let Some(index) = pack.view().index() else { continue };
            for resource in &list.resources {
                let (Some(slot), Some(from)) = (resource.slot, graph.by_id.get(&resource.id).copied()) else {
                    continue;
                };
                for id in index.dependencies(slot).into_iter().flatten() {
                    let to = graph.resource(id);
                    graph.connect(from, to);
                }
            }
        }
        let mut groups: Vec<(String, Vec<ResourceId>)> = Vec::new();
        for pack in pack_set::packs(sets) {
            let Some(index) = pack.view().index() else { continue };
            for group in index.groups().filter_map(Result::ok) {
                let members = group.slots().filter_map(|slot| index.id(slot)).collect();
                groups.push((group.name.to_owned(), members));
            }
        }
        groups.sort();
        groups.dedup();
        for (name, members) in groups {
            let from = graph.nodes.len();
            graph.nodes.push(Node { name, is_group: true, ..Node::default() });
            for id in members {
                let to = graph.resource(id);
                graph.connect(from, to);
            }
        }
        graph
    }

    /// An asset needs its sub-assets.
    fn add_parts(&mut self) {
        let by_path: HashMap<String, usize> =
            self.nodes.iter().enumerate().filter_map(|(at, node)| Some((node.path.clone()?, at))).collect();
        for at in 0..self.nodes.len() {
            let whole = self.nodes[at].path.as_ref().and_then(|path| by_path.get(sub_asset::split(path)?.0).copied());
            if let Some(whole) = whole {
                self.connect(whole, at);
            }
        }
    }

    /// A link needs the resource that it names, if that is in the pack.
    fn add_links(&mut self, resources: &[&Resource<'_>]) {
        for (from, resource) in
            resources.iter().enumerate().filter(|(_, resource)| resource.kind == Some(AssetKind::Link))
        {
            let target = resource.chunks.first().and_then(|chunk| {
                let block = chunk.plain_block().ok()?;
                let view = LinkView::parse(PayloadView::parse(block).ok()?).ok()?;
                Some(ResourceId::from_path(&normalize_path(view.path()).ok()?))
            });
            if let Some(to) = target.and_then(|id| self.by_id.get(&id).copied()).filter(|to| *to != from) {
                self.connect(from, to);
            }
        }
    }

    /// The node of a resource; a new one if no pack contains it.
    fn resource(&mut self, id: ResourceId) -> usize {
        *self.by_id.entry(id).or_insert_with(|| {
            self.nodes.push(Node { name: id.to_string(), id: Some(id), is_missing: true, ..Node::default() });
            self.nodes.len() - 1
        })
    }

    fn connect(&mut self, from: usize, to: usize) {
        if !self.nodes[from].needs.contains(&to) {
            self.nodes[from].needs.push(to);
            self.nodes[to].needed_by.push(from);
        }
    }

    /// The nodes on the other side of a node's edges.
    pub(super) fn next(&self, node: usize, is_inverted: bool) -> &[usize] {
        let node = &self.nodes[node];
        if is_inverted { &node.needed_by } else { &node.needs }
    }

    /// The starts of the whole graph: the nodes that have edges in this direction only. Single nodes count only if it is known whether
    /// they are used.
    pub(super) fn roots(&self, is_inverted: bool) -> Vec<usize> {
        let is_root = |node: &usize| {
            let is_unused = self.nodes[*node].is_used == Some(false);
            self.next(*node, !is_inverted).is_empty() && (is_unused || !self.next(*node, is_inverted).is_empty())
        };
        (0..self.nodes.len()).filter(is_root).collect()
    }

    /// The nodes of the resources that are meant.
    pub(super) fn selected(&self, selection: &Selection, lists: &[ResourceList<'_>]) -> Vec<usize> {
        let resources = lists.iter().flat_map(|list| &list.resources).filter(|resource| selection.contains(resource));
        let nodes: BTreeSet<usize> = resources.filter_map(|resource| self.by_id.get(&resource.id).copied()).collect();
        nodes.into_iter().collect()
    }

    /// The roots and everything that can be reached from them, in the order of the nodes.
    pub(super) fn reachable(&self, roots: &[usize], is_inverted: bool) -> Vec<usize> {
        let mut seen: BTreeSet<usize> = roots.iter().copied().collect();
        let mut open = roots.to_vec();
        while let Some(node) = open.pop() {
            open.extend(self.next(node, is_inverted).iter().filter(|next| seen.insert(**next)));
        }
        seen.into_iter().collect()
    }
}
