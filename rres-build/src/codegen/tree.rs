//! Assets and groups → the tree of Rust modules that holds them.
//!
//! Folders whose names become one module share it (`a-b/` and `a_b/`, or `fox_glb/` and what `fox.glb` brings along):
//! only constants can clash, and then all clashes are reported together.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::clash::{NameClash, Source};
use super::{Constant, Group, Module, constant_name, module_name};

/// One module: its constants and the modules inside, by name.
#[derive(Default)]
pub(super) struct Node<'a> {
    pub(super) constants: BTreeMap<String, Item<'a>>,
    pub(super) modules: BTreeMap<String, Node<'a>>,
}

/// What a constant is made of.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Asset(&'a Constant),
    Group(&'a Group),
}

impl Item<'_> {
    fn source(&self) -> Source {
        match self {
            Self::Asset(constant) => Source::Asset(constant.path.clone()),
            Self::Group(group) => Source::Group(group.name.clone()),
        }
    }
}

impl<'a> Node<'a> {
    /// The assets of this module and of those inside, in the order of the generated table: first its own, by name, then
    /// the modules', by name. So every module's assets lie together.
    pub(super) fn assets(&self) -> Vec<&'a Constant> {
        let mut assets = Vec::new();
        self.collect(&mut assets);
        assets
    }

    fn collect(&self, assets: &mut Vec<&'a Constant>) {
        assets.extend(self.own_assets());
        self.modules.values().for_each(|module| module.collect(assets));
    }

    /// The assets of this module alone.
    pub(super) fn own_assets(&self) -> impl Iterator<Item = &'a Constant> {
        self.constants.values().filter_map(|item| match item {
            Item::Asset(constant) => Some(*constant),
            Item::Group(_) => None,
        })
    }

    /// How many assets this module and those inside hold.
    pub(super) fn asset_count(&self) -> usize {
        self.own_assets().count() + self.modules.values().map(Node::asset_count).sum::<usize>()
    }
}

/// The tree of `module`, or every clash in it.
pub(super) fn build(module: &Module) -> Result<Node<'_>, Vec<NameClash>> {
    // The order of the input decides nothing: neither the text nor which of two sources is called the first.
    let mut constants: Vec<&Constant> = module.constants.iter().collect();
    constants.sort_by(|a, b| a.path.cmp(&b.path));
    let mut groups: Vec<&Group> = module.groups.iter().collect();
    groups.sort_by(|a, b| a.name.cmp(&b.name));
    let renamed: BTreeMap<&str, &str> =
        constants.iter().filter_map(|c| Some((c.path.as_str(), c.rename.as_deref()?))).collect();

    let mut tree = Tree { root: Node::default(), clashes: Vec::new() };
    let mut previous = None;
    for constant in constants {
        let (modules, name) = place(constant, &renamed);
        if previous == Some(constant.path.as_str()) {
            // Under two names it would be no clash of names, but the map of paths holds each path once.
            let source = Item::Asset(constant).source();
            tree.clashes.push(NameClash::new(qualified(&modules, &name), source.clone(), source));
            continue;
        }
        previous = Some(&constant.path);
        tree.insert(&modules, name, Item::Asset(constant));
    }
    for group in groups {
        tree.insert(&["groups".to_owned()], constant_name(&group.name), Item::Group(group));
    }
    if tree.clashes.is_empty() { Ok(tree.root) } else { Err(tree.clashes) }
}

/// The modules and the name of the constant of an asset.
fn place(constant: &Constant, renamed: &BTreeMap<&str, &str>) -> (Vec<String>, String) {
    let (file, inside) = match constant.path.split_once('#') {
        Some((file, inside)) => (file, Some(inside)),
        None => (constant.path.as_str(), None),
    };
    let mut parts: Vec<&str> = file.split('/').collect();
    if let Some(inside) = inside {
        // The module beside a constant has the constant's name, so a `rename` of the file moves both.
        if let (Some(last), Some(name)) = (parts.last_mut(), renamed.get(file)) {
            *last = name;
        }
        parts.extend(inside.split('/'));
    }
    let last = parts.pop().unwrap_or_default();
    let name = constant_name(constant.rename.as_deref().unwrap_or(last));
    (parts.into_iter().map(module_name).collect(), name)
}

fn qualified(modules: &[String], name: &str) -> String {
    modules.iter().map(|module| format!("{module}::")).collect::<String>() + name
}

struct Tree<'a> {
    root: Node<'a>,
    clashes: Vec<NameClash>,
}

impl<'a> Tree<'a> {
    fn insert(&mut self, modules: &[String], name: String, item: Item<'a>) {
        let mut node = &mut self.root;
        for module in modules {
            node = node.modules.entry(module.clone()).or_default();
        }
        match node.constants.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(item);
            }
            Entry::Occupied(entry) => {
                let name = qualified(modules, entry.key());
                self.clashes.push(NameClash::new(name, entry.get().source(), item.source()));
            }
        }
    }
}
