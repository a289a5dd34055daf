//! Assets and groups → the tree of Rust modules that contains their constants.
//!
//! Folders whose names become the same module share it (`a-b/` and `a_b/`, or `fox_glb/` and the sub-assets of
//! `fox.glb`). So only constants can clash, and all clashes are reported together.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rres_import::NamedPart;
use rres_protocol::sub_asset;

use crate::clash::{NameClash, Origin};
use crate::in_folder;
use crate::{Constant, Group, NamedAsset, constant_name, module_name};

/// One module: its constants and the modules inside, by name. `A` is the type of assets, `G` of groups.
pub(crate) struct Node<A, G> {
    pub(crate) constants: BTreeMap<String, Item<A, G>>,
    pub(crate) modules: BTreeMap<String, Node<A, G>>,
    /// The parts of a model, by the names of their constants.
    pub(crate) parts: BTreeMap<String, NamedPart>,
}

/// What a constant refers to.
#[derive(Clone, Copy)]
pub(crate) enum Item<A, G> {
    Asset(A),
    Group(G),
}

/// An asset or a group, reduced to its names.
pub(crate) trait Named: Copy {
    /// The file of the asset, or the name of the group: what messages say.
    fn label(&self) -> &str;

    /// The path that modules and name follow from.
    fn path(&self) -> &str {
        self.label()
    }

    /// The name to use instead of the file's.
    fn rename(&self) -> Option<&str> {
        None
    }

    /// The parts of a model that have constants.
    fn parts(&self) -> &[NamedPart] {
        &[]
    }
}

impl Named for &Constant {
    fn label(&self) -> &str {
        &self.path
    }

    fn rename(&self) -> Option<&str> {
        self.rename.as_deref()
    }

    fn parts(&self) -> &[NamedPart] {
        &self.parts
    }
}

impl Named for &Group {
    fn label(&self) -> &str {
        &self.name
    }
}

impl Named for NamedAsset<'_> {
    fn label(&self) -> &str {
        self.source
    }

    fn path(&self) -> &str {
        self.path
    }

    fn rename(&self) -> Option<&str> {
        self.rename
    }
}

impl Named for &str {
    fn label(&self) -> &str {
        self
    }
}

impl<A, G> Default for Node<A, G> {
    fn default() -> Self {
        Self { constants: BTreeMap::new(), modules: BTreeMap::new(), parts: BTreeMap::new() }
    }
}

impl<A: Named, G: Named> Item<A, G> {
    fn origin(&self) -> Origin {
        match self {
            Self::Asset(asset) => Origin::Asset(asset.label().to_owned()),
            Self::Group(group) => Origin::Group(group.label().to_owned()),
        }
    }
}

impl<A: Named, G> Node<A, G> {
    /// The assets of this module and of the modules inside, in the order of the generated table: its own assets first,
    /// by name, then the assets of each module, by name. So the assets of every module are adjacent.
    pub(crate) fn assets(&self) -> Vec<A> {
        let mut assets = Vec::new();
        self.collect(&mut assets);
        assets
    }

    fn collect(&self, assets: &mut Vec<A>) {
        assets.extend(self.own_assets());
        self.modules.values().for_each(|module| module.collect(assets));
    }

    /// Whether the module at this path has a constant of this name.
    fn contains(&self, module: &str, name: &str) -> bool {
        match module.split_once("::") {
            _ if module.is_empty() => self.constants.contains_key(name),
            None => self.modules.get(module).is_some_and(|module| module.constants.contains_key(name)),
            Some((first, rest)) => self.modules.get(first).is_some_and(|module| module.contains(rest, name)),
        }
    }

    /// The assets of this module alone.
    pub(crate) fn own_assets(&self) -> impl Iterator<Item = A> {
        self.constants.values().filter_map(|item| match item {
            Item::Asset(asset) => Some(*asset),
            Item::Group(_) => None,
        })
    }

    /// The number of assets of this module and of the modules inside.
    pub(crate) fn asset_count(&self) -> usize {
        self.own_assets().count() + self.modules.values().map(Node::asset_count).sum::<usize>()
    }
}

/// The tree of these assets and groups, and every clash in it: of two constants with one name, the first is in the tree.
pub(crate) fn build<A: Named, G: Named>(
    mut assets: Vec<A>,
    mut groups: Vec<G>,
    folder: &str,
) -> (Node<A, G>, Vec<NameClash>) {
    // The order of the input must affect neither the text nor which of two assets is reported first.
    assets.sort_by(|a, b| a.label().cmp(b.label()));
    groups.sort_by(|a, b| a.label().cmp(b.label()));
    let renamed: BTreeMap<String, String> =
        assets.iter().filter_map(|asset| Some((asset.path().to_owned(), asset.rename()?.to_owned()))).collect();

    let mut tree = Tree { root: Node::default(), clashes: Vec::new(), folder };
    let with_parts: Vec<A> = assets.iter().filter(|asset| !asset.parts().is_empty()).copied().collect();
    let mut previous: Option<A> = None;
    let mut places = Places::new(&renamed, folder);
    for asset in assets {
        let (modules, name) = places.place(&asset);
        if previous.is_some_and(|previous| previous.label() == asset.label()) {
            // With different names the constants would not clash, but the table of paths can contain each path only
            // once.
            let origin = Item::<A, G>::Asset(asset).origin();
            tree.clashes.push(NameClash::new(qualified(modules, &name), origin.clone(), origin));
            continue;
        }
        previous = Some(asset);
        tree.insert(modules, name, Item::Asset(asset));
    }
    for asset in &with_parts {
        tree.insert_parts(asset, &renamed);
    }
    for group in groups {
        let name = in_folder(group.label(), folder).unwrap_or(group.label());
        tree.insert(&["groups".to_owned()], constant_name(name), Item::Group(group));
    }
    let Tree { root, mut clashes, .. } = tree;
    let mut given = BTreeSet::new();
    for clash in &mut clashes {
        let (module, name) = clash.module_and_name();
        let is_free = |name: &String| !root.contains(module, name) && given.insert(format!("{module}::{name}"));
        clash.free_name = (2..).map(|n| constant_name(&format!("{name}_{n}"))).find(is_free).unwrap_or_default();
    }
    (root, clashes)
}

/// Finds the modules and the names of constants of assets, one after the other. Assets beside each other have their modules in common, which are
/// named once.
struct Places<'p> {
    renamed: &'p BTreeMap<String, String>,
    folder: &'p str,
    /// The folder of the last asset, unless that is inside of a file.
    last: Option<String>,
    modules: Vec<String>,
}

impl<'p> Places<'p> {
    fn new(renamed: &'p BTreeMap<String, String>, folder: &'p str) -> Self {
        Self { renamed, folder, last: None, modules: Vec::new() }
    }

    fn place<A: Named>(&mut self, asset: &A) -> (&[String], String) {
        let path = asset.path();
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_inside = sub_asset::split(path).is_some();
        if !is_inside && self.last.as_deref() == Some(above) {
            return (&self.modules, constant_name(asset.rename().unwrap_or(name)));
        }
        let (modules, name) = split(asset, self.renamed, self.folder);
        (self.modules, self.last) = (modules, (!is_inside).then(|| above.to_owned()));
        (&self.modules, constant_name(&name))
    }
}

/// The modules of an asset, and the name that its constant and the module beside it follow from.
fn split<A: Named>(asset: &A, renamed: &BTreeMap<String, String>, folder: &str) -> (Vec<String>, String) {
    let (file, inside) = match sub_asset::split(asset.path()) {
        Some((file, inside)) => (file, Some(inside)),
        None => (asset.path(), None),
    };
    let mut parts: Vec<&str> = in_folder(file, folder).unwrap_or(file).split('/').collect();
    if let Some(inside) = inside {
        // The module beside a constant has the constant's name, so a `rename` of the file moves both.
        if let (Some(last), Some(name)) = (parts.last_mut(), renamed.get(file)) {
            *last = name;
        }
        parts.extend(inside.split('/'));
    }
    let last = parts.pop().unwrap_or_default();
    let last = asset.rename().unwrap_or(last).to_owned();
    (parts.into_iter().map(module_name).collect(), last)
}

/// The path of the constant of an asset. `rename` is the name that a rule gives to its file.
pub(crate) fn constant_path(path: &str, rename: Option<&str>, folder: &str) -> String {
    let renamed = sub_asset::split(path).zip(rename).map(|((file, _), rename)| (file.to_owned(), rename.to_owned()));
    let own = rename.filter(|_| renamed.is_none());
    let renamed = renamed.into_iter().collect();
    let mut places = Places::new(&renamed, folder);
    let (modules, name) = places.place(&NamedAsset { source: path, path, rename: own });
    qualified(modules, &name)
}

fn qualified(modules: &[String], name: &str) -> String {
    modules.iter().map(|module| format!("{module}::")).collect::<String>() + name
}

struct Tree<'f, A, G> {
    root: Node<A, G>,
    clashes: Vec<NameClash>,
    /// See [`super::Module::folder`].
    folder: &'f str,
}

impl<A: Named, G: Named> Tree<'_, A, G> {
    /// Adds the parts of a model, each sort in a module of its own in the one beside the constant of the model. The first part with a name
    /// has it, and those after it get a number.
    fn insert_parts(&mut self, asset: &A, renamed: &BTreeMap<String, String>) {
        let (mut modules, last) = split(asset, renamed, self.folder);
        modules.push(module_name(&last));
        // A model may have thousands of parts of one name, and none of their numbers becomes free again.
        let mut next: BTreeMap<(&str, String), u32> = BTreeMap::new();
        for part in asset.parts() {
            let sort = part.sort.type_name().to_lowercase();
            let mut node = &mut self.root;
            for module in modules.iter().chain([&sort]) {
                node = node.modules.entry(module.clone()).or_default();
            }
            let first = constant_name(part.key_and_placeholders().0);
            let next = next.entry((part.sort.type_name(), first.clone())).or_insert(1);
            loop {
                let name = if *next == 1 { first.clone() } else { constant_name(&format!("{first}_{next}")) };
                *next += 1;
                if !node.parts.contains_key(&name) && !node.constants.contains_key(&name) {
                    node.parts.insert(name, part.clone());
                    break;
                }
            }
        }
    }

    fn insert(&mut self, modules: &[String], name: String, item: Item<A, G>) {
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
                self.clashes.push(NameClash::new(name, entry.get().origin(), item.origin()));
            }
        }
    }
}
