//! The text of the `assets` module and the lines of it that rustc calls dead code → the assets that a program does not use.
//!
//! This reads what `emit` writes. An asset is used if its constant is, or a group that contains it, or the `ALL`
//! of a folder around it, or `by_path`, or if another asset needs it.

use std::collections::{BTreeSet, HashSet};

use rres_format::ResourceId;
use rres_protocol::packed_id::PackedId;

use crate::emit::{NEEDED, TABLE};

/// The constants and groups of a generated module that a program does not use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The number of assets that have a constant, without those that other assets need.
    pub assets: usize,
    /// The assets that the program does not use, in the order of the module. The compiler does not report constants that
    /// begin with an underscore, such as `_1_PNG` of `1.png`, so they are not among them.
    pub unused: Vec<UnusedAsset>,
    /// All assets whose constants the program does not use, nor a group or folder with them: those in [`Self::unused`], and those that
    /// other assets need. Whether one of them may be left out depends on what is kept.
    pub unnamed: Vec<UnusedAsset>,
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
    /// Its constant in the module: `ui::BUTTON_PNG`.
    pub constant: String,
    /// Its resource id.
    pub id: ResourceId,
}

impl Usage {
    /// Reads the generated module `text`. `is_dead` decides whether no code uses an item: the line of its
    /// declaration, counted from 1 as in the compiler's messages, and its path in the module, such as `ui::BUTTON_PNG`.
    /// Returns `None` if this version of the crate did not generate the text.
    ///
    /// ```
    /// use rres_codegen::unused::Usage;
    ///
    /// assert_eq!(Usage::of_module("fn main() {}", |_line, _item| false), None);
    /// ```
    pub fn of_module(text: &str, is_dead: impl Fn(usize, &str) -> bool) -> Option<Self> {
        let mut module = Module::parse(text)?;
        let is_dead = |item: &Item<'_>| is_dead(item.line, &item.path());
        module.items.retain(|item| matches!(item.kind, Kind::Constant { .. }) || !is_dead(item));
        let used = module.used();
        let mut usage = Self { uses_all: module.uses_all(), ..Self::default() };
        for item in &module.items {
            let Kind::Constant { path, id, is_needed } = item.kind else { continue };
            usage.assets += usize::from(!is_needed);
            if !is_dead(item) || usage.uses_all || used.contains(&id) {
                continue;
            }
            let asset = UnusedAsset { path: path.to_owned(), constant: item.path(), id };
            if !is_needed {
                usage.unused.push(asset.clone());
            }
            usage.unnamed.push(asset);
        }
        let is_group = |item: &&Item<'_>| matches!(item.kind, Kind::Group(_));
        let live: HashSet<&str> = module.items.iter().filter(is_group).map(|item| item.name).collect();
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

struct Item<'t> {
    line: usize,
    /// The modules around it, from the outside in.
    modules: Vec<&'t str>,
    name: &'t str,
    kind: Kind<'t>,
}

enum Kind<'t> {
    Constant {
        path: &'t str,
        id: ResourceId,
        is_needed: bool,
    },
    Group(Vec<ResourceId>),
    /// An `ALL`, or `by_path`, which reaches all assets: position and number in the table.
    Table {
        start: usize,
        count: usize,
    },
}

impl Item<'_> {
    fn path(&self) -> String {
        let names: Vec<&str> = self.modules.iter().copied().chain([self.name]).collect();
        names.join("::")
    }
}

impl<'t> Module<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let mut module = Module { items: Vec::new(), groups: Vec::new(), table: Vec::new() };
        let table_start = format!("const {TABLE}: ");
        let (mut doc, mut in_table, mut modules) = ("", false, Vec::new());
        for (line, code) in (1..).zip(text.lines().map(str::trim_start)) {
            if in_table {
                in_table = !code.starts_with(']');
                module.table.extend(code.split(',').filter_map(PackedId::parse).map(PackedId::id));
            } else if let Some(text) = code.strip_prefix("/// ") {
                doc = text;
            } else if code.starts_with(&table_start) {
                in_table = true;
            } else if let Some(name) = code.strip_prefix("pub mod ") {
                modules.push(name.strip_suffix(" {")?);
            } else if code == "}" {
                modules.pop();
            } else if code.contains("::asset::model::Part<") || is_key(code) {
                // The number of a part of a model, or the key of a text, which is not an asset.
            } else if code.split_once(": ").is_some_and(|(name, rest)| is_constant(name) && rest.starts_with('[')) {
                // The array of a series. What it names is used if it is, as rustc knows.
            } else if code.starts_with("pub const fn ") {
                // `facts`, which is asked with a constant.
            } else if let Some(item) = code.strip_prefix("pub const ") {
                let (name, kind) = module.constant(item, doc)?;
                module.items.push(Item { line, modules: modules.clone(), name, kind });
            } else if code.starts_with("pub fn by_path(") {
                let kind = Kind::Table { start: 0, count: usize::MAX };
                module.items.push(Item { line, modules: modules.clone(), name: "by_path", kind });
            }
        }
        (!module.table.is_empty()).then_some(module)
    }

    /// Reads `NAME: type = value;` of a line, after the documentation `doc`.
    fn constant(&mut self, item: &'t str, doc: &'t str) -> Option<(&'t str, Kind<'t>)> {
        let (name, rest) = item.split_once(": ")?;
        let value = rest.split_once(" = ")?.1;
        let kind = if let Some((_, range)) = value.split_once(&format!("{TABLE}.part(")) {
            let (start, count) = range.strip_suffix(");")?.split_once(", ")?;
            Kind::Table { start: start.parse().ok()?, count: count.parse().ok()? }
        } else if value.starts_with(TABLE) {
            Kind::Table { start: 0, count: usize::MAX }
        } else if let Some((_, members)) = value.split_once("Group::new(") {
            let members = members.rsplit_once("&[")?.1.strip_suffix("]);")?;
            self.groups.push((name, code_span(doc).to_owned()));
            Kind::Group(members.split(", ").filter_map(PackedId::parse).map(PackedId::id).collect())
        } else {
            let id = value.split_once("{ id: ")?.1.split(',').next()?;
            let is_needed = value.ends_with(NEEDED);
            Kind::Constant { path: code_span(doc), id: PackedId::parse(id)?.id(), is_needed }
        };
        Some((name, kind))
    }

    fn uses_all(&self) -> bool {
        self.items.iter().any(|item| matches!(item.kind, Kind::Table { count: usize::MAX, .. }))
    }

    /// The assets of the groups and folders among the items.
    fn used(&self) -> BTreeSet<ResourceId> {
        let mut used = BTreeSet::new();
        for item in &self.items {
            match &item.kind {
                Kind::Group(members) => used.extend(members),
                Kind::Table { start, count } if *count != usize::MAX => {
                    used.extend(self.table.iter().skip(*start).take(*count));
                }
                _ => {}
            }
        }
        used
    }
}

/// Whether a line declares the key of a text.
fn is_key(code: &str) -> bool {
    code.split_once(": ").is_some_and(|(name, rest)| is_constant(name) && rest.starts_with("&str = "))
}

/// Whether a line declares a constant up to its colon.
fn is_constant(start: &str) -> bool {
    start.strip_prefix("pub const ").is_some_and(|name| !name.contains(' '))
}

/// The text of the code span that `doc` begins with.
fn code_span(doc: &str) -> &str {
    let fence = doc.len() - doc.trim_start_matches('`').len();
    let rest = &doc[fence..];
    rest.split(&"`".repeat(fence.max(1))).next().unwrap_or(rest).trim()
}
