//! The resources as a tree of folders. The rows that are open are shown.

use std::collections::HashMap;

/// The deepest folder. The rest of a deeper path is one name: a hostile pack has paths of a thousand folders.
const MAX_DEPTH: usize = 32;

/// A folder or a resource.
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) depth: usize,
    parent: Option<usize>,
    pub(crate) what: What,
}

pub(crate) enum What {
    Folder {
        is_open: bool,
        /// Resources in it and below it.
        count: usize,
        /// Their bytes in the pack.
        size: u64,
    },
    /// The position in the list of resources.
    Resource(usize),
}

/// A tree, and which of its nodes are shown.
pub(crate) struct Tree {
    /// Parents before their children, in the order of paths.
    nodes: Vec<Node>,
    /// The paths in lower case, for searching.
    paths: Vec<String>,
    /// The rows, as positions in `nodes`.
    rows: Vec<usize>,
    filter: String,
}

impl Tree {
    /// Creates a tree from paths and sizes. Folders are closed, unless there are few resources.
    pub(crate) fn new<'p>(resources: impl Iterator<Item = (&'p str, u64)>) -> Self {
        /// As many rows as one looks at without searching.
        const FEW: usize = 200;
        let mut resources: Vec<(usize, Vec<&str>, u64)> =
            resources.enumerate().map(|(i, (path, size))| (i, split(path), size)).collect();
        // Folders come before the resources beside them, as in file managers.
        resources.sort_by(|(_, a, _), (_, b, _)| order(a).cmp(order(b)));
        let is_open = resources.len() <= FEW;
        let mut tree = Self {
            nodes: Vec::new(),
            paths: vec![String::new(); resources.len()],
            rows: Vec::new(),
            filter: String::new(),
        };
        // The folders of the resource before, with their nodes.
        let mut open: Vec<(&str, usize)> = Vec::new();
        for (position, names, size) in resources {
            tree.paths[position] = names.join("/").to_lowercase();
            let (name, folders) = names.split_last().map_or(("", &[][..]), |(name, folders)| (*name, folders));
            let common = open.iter().zip(folders).take_while(|((open, _), folder)| open == *folder).count();
            open.truncate(common);
            for folder in &folders[common..] {
                let parent = open.last().map(|(_, node)| *node);
                let what = What::Folder { is_open, count: 0, size: 0 };
                tree.nodes.push(Node { name: (*folder).to_owned(), depth: open.len(), parent, what });
                open.push((folder, tree.nodes.len() - 1));
            }
            for (_, node) in &open {
                if let What::Folder { count, size: total, .. } = &mut tree.nodes[*node].what {
                    (*count, *total) = (*count + 1, *total + size);
                }
            }
            let parent = open.last().map(|(_, node)| *node);
            tree.nodes.push(Node { name: name.to_owned(), depth: open.len(), parent, what: What::Resource(position) });
        }
        tree.update();
        tree
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn row(&self, row: usize) -> Option<&Node> {
        self.rows.get(row).map(|node| &self.nodes[*node])
    }

    /// Returns the text that paths have to contain; empty if all are shown.
    pub(crate) fn filter(&self) -> &str {
        &self.filter
    }

    /// Shows only resources whose paths contain a text, in any case, and the folders around them. Returns the row of what
    /// was in `row`, or else of the first resource.
    pub(crate) fn search(&mut self, text: &str, row: usize) -> usize {
        let node = self.rows.get(row).copied();
        self.filter = text.to_owned();
        self.update();
        self.row_of(node).unwrap_or_else(|| {
            let is_resource = |node: &usize| matches!(self.nodes[*node].what, What::Resource(_));
            self.rows.iter().position(is_resource).unwrap_or(0)
        })
    }

    /// Opens or closes the folder in a row; a resource is left as it is. Returns whether there is a folder.
    pub(crate) fn toggle(&mut self, row: usize, open: Option<bool>) -> bool {
        let Some(node) = self.rows.get(row).copied() else { return false };
        let What::Folder { is_open, .. } = &mut self.nodes[node].what else { return false };
        *is_open = open.unwrap_or(!*is_open);
        self.update();
        true
    }

    /// Returns the row of the folder around a row.
    pub(crate) fn parent(&self, row: usize) -> Option<usize> {
        let parent = self.nodes[*self.rows.get(row)?].parent;
        self.row_of(Some(parent?))
    }

    /// Whether the folder in a row shows what is in it.
    pub(crate) fn is_open(&self, node: &Node) -> bool {
        !self.filter.is_empty() || matches!(node.what, What::Folder { is_open: true, .. })
    }

    fn row_of(&self, node: Option<usize>) -> Option<usize> {
        // Rows ascend.
        self.rows.binary_search(&node?).ok()
    }

    fn update(&mut self) {
        self.rows.clear();
        if self.filter.is_empty() {
            let mut is_shown = vec![false; self.nodes.len()];
            for (number, node) in self.nodes.iter().enumerate() {
                let is_open = |parent: usize| matches!(self.nodes[parent].what, What::Folder { is_open: true, .. });
                is_shown[number] = node.parent.is_none_or(|parent| is_shown[parent] && is_open(parent));
                if is_shown[number] {
                    self.rows.push(number);
                }
            }
            return;
        }
        let text = self.filter.to_lowercase();
        let mut rows: HashMap<usize, ()> = HashMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let What::Resource(position) = node.what else { continue };
            if !self.paths[position].contains(&text) {
                continue;
            }
            let mut next = Some(number);
            while let Some(node) = next.filter(|node| rows.insert(*node, ()).is_none()) {
                next = self.nodes[node].parent;
            }
        }
        self.rows = rows.into_keys().collect();
        self.rows.sort_unstable();
    }
}

/// Splits a path into folders and name.
fn split(path: &str) -> Vec<&str> {
    path.splitn(MAX_DEPTH, '/').collect()
}

/// Returns what resources are sorted by: folders before names, on each level.
fn order<'n>(names: &'n [&'n str]) -> impl Iterator<Item = (bool, &'n str)> {
    names.iter().enumerate().map(|(i, name)| (i + 1 == names.len(), *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tree: &Tree) -> Vec<String> {
        (0..tree.len()).filter_map(|row| tree.row(row)).map(|node| " ".repeat(node.depth) + &node.name).collect()
    }

    fn tree() -> Tree {
        Tree::new([("z.txt", 1), ("ui/a.png", 2), ("ui/deep/B.png", 4), ("a.txt", 8), ("ui.txt", 16)].into_iter())
    }

    #[test]
    fn folders_come_first_and_can_be_closed() {
        let mut tree = tree();
        assert_eq!(shown(&tree), ["ui", " deep", "  B.png", " a.png", "a.txt", "ui.txt", "z.txt"]);
        assert!(matches!(tree.row(0).unwrap().what, What::Folder { count: 2, size: 6, .. }));
        assert_eq!((tree.parent(2), tree.parent(0)), (Some(1), None));
        assert!(tree.toggle(0, None));
        assert_eq!(shown(&tree), ["ui", "a.txt", "ui.txt", "z.txt"]);
        assert!(!tree.toggle(1, None), "a resource cannot be opened");
    }

    #[test]
    fn searching_opens_folders_and_keeps_the_row() {
        let mut tree = tree();
        tree.toggle(0, Some(false));
        assert_eq!(tree.search("b.P", 0), 0);
        assert_eq!(shown(&tree), ["ui", " deep", "  B.png"]);
        assert_eq!(tree.search("nothing", 2), 0);
        assert_eq!(tree.len(), 0);
        assert_eq!(tree.search("", 0), 1, "the first resource");
        assert_eq!(shown(&tree), ["ui", "a.txt", "ui.txt", "z.txt"]);
    }

    #[test]
    fn paths_of_a_thousand_folders_have_few_nodes() {
        let path = "a/".repeat(1000) + "b";
        assert_eq!(Tree::new([(path.as_str(), 1)].into_iter()).len(), MAX_DEPTH);
    }
}
