//! The text of the `assets` module and the lines of it that rustc calls dead code → the assets that a program does not use.
//!
//! This reads what [`super::emit`] writes. An asset is used if its constant is, or a group that contains it, or the `ALL`
//! of a folder around it, or `by_path`, or if another asset needs it.

use std::collections::{BTreeSet, HashSet};

use rres_format::ResourceId;
use rres_protocol::packed_id::PackedId;

use super::emit::{NEEDED, TABLE};

/// The constants and groups of a generated module that a program does not use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The number of assets that have a constant, without those that other assets need.
    pub assets: usize,
    /// The assets that the program does not use, in the order of the module. The compiler does not report constants that
    /// begin with an underscore, such as `_1_PNG` of `1.png`, so they are not among them.
    pub unused: Vec<UnusedAsset>,
    /// The groups that the program does not use.
    pub unused_groups: Vec<String>,
    /// Whether the program reaches every asset, through the `ALL` of the root or through `by_path`.
    pub uses_all: bool,
}

/// An asset that a program does not use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnusedAsset {
    /// The path of the asset in the assets directory.
    pub path: String,
    /// The name of its constant.
    pub constant: String,
    /// Its resource id.
    pub id: ResourceId,
}

impl Usage {
    /// Reads the generated module `text`, in which `is_dead` says of a line and the name of the item declared there
    /// whether no code uses it. Returns `None` if this version of the crate did not generate the text.
    ///
    /// Lines count from 1, as in the compiler's messages.
    ///
    /// ```
    /// use rres_build::Usage;
    ///
    /// assert_eq!(Usage::of_module("fn main() {}", |_line, _item| false), None);
    /// ```
    pub fn of_module(text: &str, is_dead: impl Fn(usize, &str) -> bool) -> Option<Self> {
        let mut module = Module::parse(text)?;
        module.items.retain(|item| matches!(item, Item::Constant { .. }) || !is_dead(item.line(), item.name()));
        let used = module.used();
        let mut usage = Self { uses_all: module.uses_all(), ..Self::default() };
        for item in &module.items {
            let Item::Constant { line, name, path, id, is_needed: false } = item else { continue };
            usage.assets += 1;
            if is_dead(*line, name) && !usage.uses_all && !used.contains(id) {
                usage.unused.push(UnusedAsset { path: path.to_string(), constant: name.to_string(), id: *id });
            }
        }
        let live: HashSet<&str> = module.items.iter().map(Item::name).collect();
        usage.unused_groups =
            module.groups.iter().filter(|(name, _)| !live.contains(name)).map(|g| g.1.clone()).collect();
        Some(usage)
    }
}

/// The items of a generated module.
struct Module<'t> {
    items: Vec<Item<'t>>,
    /// Constant and name of every group.
    groups: Vec<(&'t str, String)>,
    /// The ids of the table, in its order.
    table: Vec<ResourceId>,
}

enum Item<'t> {
    Constant {
        line: usize,
        name: &'t str,
        path: &'t str,
        id: ResourceId,
        is_needed: bool,
    },
    Group {
        line: usize,
        name: &'t str,
        members: Vec<ResourceId>,
    },
    /// An `ALL`, or `by_path`, which reaches all assets: position and number in the table.
    Table {
        line: usize,
        name: &'t str,
        start: usize,
        count: usize,
    },
}

impl<'t> Item<'t> {
    fn line(&self) -> usize {
        match self {
            Self::Constant { line, .. } | Self::Group { line, .. } | Self::Table { line, .. } => *line,
        }
    }

    fn name(&self) -> &'t str {
        match self {
            Self::Constant { name, .. } | Self::Group { name, .. } | Self::Table { name, .. } => name,
        }
    }
}

impl<'t> Module<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let mut module = Module { items: Vec::new(), groups: Vec::new(), table: Vec::new() };
        let table_start = format!("const {TABLE}: ");
        let (mut doc, mut in_table) = ("", false);
        for (line, code) in (1..).zip(text.lines().map(str::trim_start)) {
            if in_table {
                in_table = !code.starts_with(']');
                module.table.extend(code.split(',').filter_map(PackedId::parse).map(PackedId::id));
            } else if let Some(text) = code.strip_prefix("/// ") {
                doc = text;
            } else if code.starts_with(&table_start) {
                in_table = true;
            } else if let Some(item) = code.strip_prefix("pub const ") {
                module.constant(line, item, doc)?;
            } else if code.starts_with("pub fn by_path(") {
                module.items.push(Item::Table { line, name: "by_path", start: 0, count: usize::MAX });
            }
        }
        (!module.table.is_empty()).then_some(module)
    }

    /// Reads `NAME: type = value;` of a line, after the documentation `doc`.
    fn constant(&mut self, line: usize, item: &'t str, doc: &'t str) -> Option<()> {
        let (name, rest) = item.split_once(": ")?;
        let value = rest.split_once(" = ")?.1;
        if let Some((_, range)) = value.split_once(&format!("{TABLE}.part(")) {
            let (start, count) = range.strip_suffix(");")?.split_once(", ")?;
            self.items.push(Item::Table { line, name, start: start.parse().ok()?, count: count.parse().ok()? });
        } else if value.starts_with(TABLE) {
            self.items.push(Item::Table { line, name, start: 0, count: usize::MAX });
        } else if let Some((_, id)) = value.split_once("{ id: ") {
            let id = PackedId::parse(id.split(',').next()?)?.id();
            let is_needed = value.ends_with(NEEDED);
            self.items.push(Item::Constant { line, name, path: code_span(doc), id, is_needed });
        } else if let Some((_, members)) = value.split_once("Group::new(") {
            let members = members.rsplit_once("&[")?.1.strip_suffix("]);")?;
            let members = members.split(", ").filter_map(PackedId::parse).map(PackedId::id).collect();
            self.groups.push((name, code_span(doc).to_owned()));
            self.items.push(Item::Group { line, name, members });
        }
        Some(())
    }

    fn uses_all(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Table { count: usize::MAX, .. }))
    }

    /// The assets of the groups and folders among the items.
    fn used(&self) -> BTreeSet<ResourceId> {
        let mut used = BTreeSet::new();
        for item in &self.items {
            match item {
                Item::Group { members, .. } => used.extend(members),
                Item::Table { start, count, .. } if *count != usize::MAX => {
                    used.extend(self.table.iter().skip(*start).take(*count));
                }
                _ => {}
            }
        }
        used
    }
}

/// The text of the code span that `doc` begins with.
fn code_span(doc: &str) -> &str {
    let fence = doc.len() - doc.trim_start_matches('`').len();
    let rest = &doc[fence..];
    rest.split(&"`".repeat(fence.max(1))).next().unwrap_or(rest).trim()
}
