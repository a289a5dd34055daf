//! The dependencies in `Cargo.toml`: which of the crates of a game it has, and with which features.

use std::path::Path;

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::manifest::Manifest;
use super::needs::{ALL_DECODERS, Needs};
use crate::exit::Failure;

/// Whether crates.io has the crates. The README and the first page of the book say so, too; a test compares them.
const IS_PUBLISHED: bool = false;

/// The repository of the crates, where a game finds them until they are published.
pub(super) const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The version of the crates that a game needs: the version of this command.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// The crates of a game, each with its section.
pub(super) const RUNTIME: (&str, &str) = ("dependencies", "rres-runtime");
pub(super) const BUILD: (&str, &str) = ("build-dependencies", "rres-build");

/// The features of `rres-build` that import nothing by themselves.
const NOT_IMPORTERS: &[&str] = &[TOOL, "engine"];

/// The feature of `rres-build` that leaves the work to the installed command.
const TOOL: &str = "tool";

/// The features of `rres-build` that a build script uses with code of its own, which the command does not have.
const OF_SCRIPTS: &[&str] = &["data", "seal"];

/// What a build script calls only with importers in it.
const CALLS_OF_IMPORTERS: &[&str] = &[
    "rres_build::importer",
    ".importer(",
    "rres_build::data",
    ".data(",
    "rres_build::cache",
    "Secret::",
    ".build()",
    ".build_or_serve(",
    ".lock_state(",
    ".progress(",
];

/// The features that [`ALL_DECODERS`] enables.
const DECODERS: &[&str] = &["flac", "jpeg", "mp3", "ogg", "opus", "qoa"];

/// What has a build script leave its work to the command.
const LINES_OF_TOOL: &str = "`default-features = false, features = [\"tool\"]`";

/// The dependencies that a game needs.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'w> {
    pub(super) needs: &'w Needs,
    /// Whether the installed command does the work of the build script.
    pub(super) is_tool: bool,
    /// A checkout of this project, to take the crates from; `None` for the registry.
    pub(super) checkout: Option<&'w Path>,
    /// The text of the build script, if there is one.
    pub(super) script: &'w str,
    /// The manifest of the workspace.
    pub(super) workspace: &'w DocumentMut,
}

/// The place of a crate in a manifest.
enum Place {
    /// In the section for every target, under this key.
    Section(String),
    /// In the section for this target alone.
    Target { target: String, key: String },
}

/// What became of a dependency on `rres-build` that is to leave the work to the installed command.
enum Switch {
    /// It does already.
    Needless,
    Made,
    /// It stays as it is, for this reason.
    Refused(String),
}

/// Returns the name that Rust code of the package uses for a crate: the name of an existing dependency, or of the one that would be added.
pub(super) fn crate_name(manifest: &DocumentMut, workspace: &DocumentMut, (section, name): (&str, &str)) -> String {
    let key = match place(manifest, workspace, (section, name)) {
        Some(Place::Section(key) | Place::Target { key, .. }) => key,
        None => shared(workspace, name).map_or_else(|| name.to_owned(), |(key, _)| key),
    };
    key.replace('-', "_")
}

impl Manifest {
    /// Adds the dependencies of a game. One that exists in any form stays as it is, except that it gets the importers and decoders that the files
    /// need by now.
    pub(super) fn add_dependencies(&mut self, wanted: &Wanted<'_>) -> Result<(), Failure> {
        for of in [RUNTIME, BUILD] {
            let section = of.0;
            match place(&self.document, wanted.workspace, of) {
                None => self.add(of, wanted)?,
                Some(Place::Section(key)) if of == BUILD && wanted.is_tool => self.switch(&key, wanted),
                Some(Place::Section(key)) => self.complete(of, &key, wanted),
                Some(Place::Target { target, key }) => self.notes.push(format!(
                    "[target.'{target}'.{section}] {key} stays as it is, with its features: builds for other targets do not have it"
                )),
            }
        }
        Ok(())
    }

    /// Adds a dependency that there is not.
    fn add(&mut self, of @ (section, name): (&str, &str), wanted: &Wanted<'_>) -> Result<(), Failure> {
        let Wanted { needs, is_tool, checkout, workspace, .. } = *wanted;
        let shared = shared(workspace, name);
        let shared_features = shared.as_ref().map_or_else(Vec::new, |(_, item)| features(item));
        let has_default = shared.as_ref().is_none_or(|(_, item)| has_default(item));
        let (default_features, wanted_features) = match (of == BUILD, is_tool) {
            (true, true) => (false, &[TOOL][..]),
            (true, false) if shared.is_some() => (true, needs.importers_beside(has_default)),
            (true, false) => (needs.new_importers().is_none(), needs.new_importers().unwrap_or_default()),
            (false, _) => (true, needs.new_decoders()),
        };
        let first = (of == RUNTIME).then_some("hot-reload");
        let missing = missing(&shared_features, first.iter().chain(wanted_features).copied());
        let (key, value) = match shared {
            None => (name.to_owned(), dependency(name, checkout, default_features, &missing)),
            // A member can add features, and cannot take away the default ones.
            Some((key, _))
                if of == BUILD && is_tool && (has_default || shared_features.iter().any(|name| name != TOOL)) =>
            {
                self.left.push(format!("[{section}] {key}: write {LINES_OF_TOOL} into [workspace.dependencies]"));
                (key, inherited(&[]))
            }
            Some((key, _)) => (key, inherited(&missing)),
        };
        let file = self.file.display();
        let table = self.document.entry(section).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut();
        let table = table.ok_or_else(|| Failure::Usage(format!("{file}: `{section}` is not a table")))?;
        self.added.push(format!("[{section}] {key} = {}", value.to_string().trim()));
        self.has_new_importers |= of == BUILD && !is_tool;
        table.insert(&key, Item::Value(value));
        Ok(())
    }

    /// Adds the features to a dependency that the files need.
    fn complete(&mut self, of @ (section, _): (&str, &str), key: &str, wanted: &Wanted<'_>) {
        let Some(item) = self.document.get_mut(section).and_then(|table| table.get_mut(key)) else { return };
        let inherited = inherited_from(item, key, wanted.workspace);
        let there = [features(item), inherited.map_or_else(Vec::new, features)].concat();
        let has = |name: &str| there.iter().any(|feature| feature == name);
        let needed = match of == BUILD {
            true if has(TOOL) => &[],
            true => wanted.needs.importers_beside(has_default(inherited.unwrap_or(item))),
            false if has(ALL_DECODERS) => &[],
            false => &wanted.needs.decoders[..],
        };
        let is_needed = |name: &&str| there.is_empty() || !NOT_IMPORTERS.contains(name);
        let new = missing(&there, needed.iter().copied().filter(is_needed));
        if new.is_empty() {
            return;
        }
        let names = new.join(", ");
        match add_features(item, &new) {
            true => self.added.push(format!("[{section}] {key}: features {names}")),
            false => self.left.push(format!("[{section}] {key}: add the features {names}")),
        }
    }

    /// Takes the importers from the dependency on `rres-build`.
    fn switch(&mut self, key: &str, wanted: &Wanted<'_>) {
        let section = BUILD.0;
        let Some(item) = self.document.get_mut(section).and_then(|table| table.get_mut(key)) else { return };
        match switch_to_tool(item, key, wanted) {
            Switch::Needless => {}
            Switch::Made => {
                self.added.push(format!("[{section}] {key}: default-features = false, features = [\"tool\"]"));
                self.is_switched = true;
            }
            Switch::Refused(why) => self.left.push(format!("[{section}] {key}: {why}")),
        }
    }
}

/// Takes the importers from a dependency on `rres-build`, if the build script does not need them.
fn switch_to_tool(item: &mut Item, key: &str, wanted: &Wanted<'_>) -> Switch {
    let inherited = inherited_from(item, key, wanted.workspace);
    let is_switched = |item: &Item| !has_default(item) && features(item) == [TOOL];
    if is_switched(inherited.unwrap_or(item)) {
        return Switch::Needless;
    }
    let old = features(item);
    let feature = OF_SCRIPTS.iter().find(|name| old.iter().any(|feature| feature == *name));
    let in_script = |call: &&&str| wanted.script.contains(&call.replace("rres_build", &key.replace('-', "_")));
    let call = CALLS_OF_IMPORTERS.iter().find(in_script);
    if let Some(cause) =
        feature.map(|name| format!("the feature `{name}`")).or_else(|| call.map(|call| format!("`{call}`")))
    {
        return Switch::Refused(format!(
            "stays as it is: the build script uses {cause}, which needs the importers in the script"
        ));
    }
    if inherited.is_some() || item.get("workspace").and_then(Item::as_bool) == Some(true) {
        return Switch::Refused(format!("write {LINES_OF_TOOL} into [workspace.dependencies]"));
    }
    let Some(table) = as_table(item) else {
        return Switch::Refused(format!("write {LINES_OF_TOOL}"));
    };
    for (key, value) in [("default-features", false.into()), ("features", Array::from_iter([TOOL]).into())] {
        match table.get_mut(key) {
            Some(item) => replace(item, value),
            None => insert(table, key, value),
        }
    }
    Switch::Made
}

/// Adds features to a dependency. Returns `false` if its form makes that uncertain.
fn add_features(item: &mut Item, new: &[&str]) -> bool {
    let Some(table) = as_table(item) else { return false };
    if !table.contains_key("features") {
        insert(table, "features", Array::new().into());
    }
    let Some(features) = table.get_mut("features").and_then(Item::as_array_mut) else { return false };
    new.iter().for_each(|name| features.push(*name));
    true
}

/// A dependency as a table: `"0.1"` becomes `{ version = "0.1" }`. `None` if it is neither.
fn as_table(item: &mut Item) -> Option<&mut dyn TableLike> {
    if let Some(version) = item.as_str() {
        let mut table = InlineTable::new();
        table.insert("version", version.into());
        replace(item, table.into());
    }
    item.as_table_like_mut()
}

/// Adds a value to a dependency. The space that its last value had before a brace is removed: the new value has its own.
fn insert(table: &mut dyn TableLike, key: &str, value: Value) {
    let last = table.iter_mut().last().and_then(|(_, item)| item.as_value_mut()).map(Value::decor_mut);
    if let Some(decor) = last.filter(|decor| decor.suffix().and_then(|suffix| suffix.as_str()) == Some(" ")) {
        decor.set_suffix("");
    }
    table.insert(key, Item::Value(value));
}

/// Replaces a value, and keeps a comment behind it.
fn replace(item: &mut Item, mut value: Value) {
    let decor = item.as_value().map(Value::decor);
    let comment = decor.and_then(|decor| decor.suffix()?.as_str()).filter(|suffix| suffix.contains('#'));
    if let Some(comment) = comment {
        value.decor_mut().set_suffix(comment);
    }
    *item = Item::Value(value);
}

/// The features that a dependency lists.
fn features(item: &Item) -> Vec<String> {
    let features = item.get("features").and_then(Item::as_array).into_iter().flatten();
    features.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn has_default(item: &Item) -> bool {
    item.get("default-features").and_then(Item::as_bool).unwrap_or(true)
}

/// The missing features.
fn missing<'f>(there: &[String], needed: impl Iterator<Item = &'f str>) -> Vec<&'f str> {
    let has_all = there.iter().any(|feature| feature == ALL_DECODERS);
    let is_missing = |name: &&str| there.iter().all(|feature| feature != name) && !(has_all && DECODERS.contains(name));
    needed.filter(is_missing).collect()
}

/// Returns the dependency of the workspace that a member inherits.
fn inherited_from<'w>(item: &Item, key: &str, workspace: &'w DocumentMut) -> Option<&'w Item> {
    let is_inherited = item.get("workspace").and_then(Item::as_bool) == Some(true);
    workspace.get("workspace")?.get("dependencies")?.get(key).filter(|_| is_inherited)
}

/// Returns the dependency that a workspace has on a crate for its members, and its key.
fn shared<'w>(workspace: &'w DocumentMut, name: &str) -> Option<(String, &'w Item)> {
    let table = workspace.get("workspace")?.get("dependencies")?.as_table_like()?;
    let key = key_of(table, name, |_, _| false)?;
    Some((key.clone(), table.get(&key)?))
}

/// Returns where a package has a crate.
fn place(manifest: &DocumentMut, workspace: &DocumentMut, (section, name): (&str, &str)) -> Option<Place> {
    let is_inherited = |key: &str, item: &Item| {
        inherited_from(item, key, workspace)
            .is_some_and(|item| item.get("package").and_then(Item::as_str) == Some(name))
    };
    let key_in = |item: &Item| key_of(item.get(section)?.as_table_like()?, name, is_inherited);
    if let Some(key) = key_in(manifest.as_item()) {
        return Some(Place::Section(key));
    }
    let targets = manifest.get("target").and_then(Item::as_table_like);
    let mut targets = targets.into_iter().flat_map(TableLike::iter);
    targets.find_map(|(target, item)| Some(Place::Target { target: target.to_owned(), key: key_in(item)? }))
}

/// Returns the key of a crate in a table of dependencies: its own name, or another if it is renamed. `is_other` finds it by what the table
/// does not say.
fn key_of(table: &dyn TableLike, name: &str, is_other: impl Fn(&str, &Item) -> bool) -> Option<String> {
    if table.contains_key(name) {
        return Some(name.to_owned());
    }
    let is_renamed = |item: &Item| item.get("package").and_then(Item::as_str) == Some(name);
    table.iter().find(|(key, item)| is_renamed(item) || is_other(key, item)).map(|(key, _)| key.to_owned())
}

/// Returns `{ workspace = true }`, with features of the member alone.
fn inherited(features: &[&str]) -> Value {
    let mut table = InlineTable::new();
    table.insert("workspace", true.into());
    if !features.is_empty() {
        table.insert("features", features.iter().copied().collect::<Array>().into());
    }
    table.into()
}

/// Returns `"0.1"`, or `{ version = "0.1", default-features = false, features = ["image"] }`, or the same with `git` or `path`.
fn dependency(name: &str, checkout: Option<&Path>, default_features: bool, features: &[&str]) -> Value {
    let mut table = InlineTable::new();
    match checkout {
        Some(checkout) => table.insert("path", checkout.join(name).display().to_string().into()),
        None if IS_PUBLISHED => table.insert("version", VERSION.into()),
        None => table.insert("git", REPOSITORY.into()),
    };
    if !default_features {
        table.insert("default-features", false.into());
    }
    if !features.is_empty() {
        table.insert("features", features.iter().copied().collect::<Array>().into());
    }
    let is_plain = IS_PUBLISHED && checkout.is_none() && default_features && features.is_empty();
    if is_plain { VERSION.into() } else { table.into() }
}
