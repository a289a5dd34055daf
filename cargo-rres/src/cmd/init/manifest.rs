//! `Cargo.toml`: which dependencies and which build script it has, and its text with more of what a game needs.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::exit::Failure;

/// Whether crates.io has the crates. The README and the first page of the book say so, too; a test compares them.
const IS_PUBLISHED: bool = false;

/// The repository of the crates, from which a game takes them until they are published.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// The version of the crates that a game needs: the version of this command.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// The crates that debug builds should optimise, as in the README.
const OPTIMISED: &[&str] = &["zrip-decode", "zrip-core", "crc32fast", "rres-codec"];

/// The crate that decodes JPEG files, for games with that decoder: ten times as fast for two CPU seconds of compilation.
const DECODES_JPEG: &str = "zune-jpeg";

/// The name in a profile of all dependencies.
const ALL: &str = "*";

/// The profile of build scripts and of what they depend on, in the profile of a build.
const BUILD_OVERRIDE: &str = "build-override";

/// The level of optimisation of those crates.
const LEVEL: i64 = 3;

/// The features of `rres-build` that import nothing by themselves.
const NOT_IMPORTERS: &[&str] = &[TOOL, "engine"];

/// The feature of `rres-build` that leaves the work to the installed command.
pub(super) const TOOL: &str = "tool";

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

/// The feature of `rres-runtime` that enables every decoder of files that packs keep.
pub(super) const ALL_DECODERS: &str = "decoders";

/// The dependencies that a game needs.
pub(super) struct Wanted<'w> {
    /// The features of `rres-build`; `None` for the default ones.
    pub(super) features: &'w Option<Vec<&'static str>>,
    /// The features of `rres-runtime` that decode files.
    pub(super) decoders: &'w [&'static str],
    /// A checkout of this project, to take the crates from; `None` for the registry.
    pub(super) checkout: Option<&'w Path>,
    /// The text of the build script, if there is one.
    pub(super) script: &'w str,
}

impl Wanted<'_> {
    /// Whether the installed command does the work of the build script.
    fn is_tool(&self) -> bool {
        self.features.as_ref().is_some_and(|features| features.contains(&TOOL))
    }
}

/// What became of a dependency on `rres-build` that is to leave the work to the installed command.
enum Switch {
    /// It does already.
    Needless,
    Made,
    /// It stays as it is, for this reason.
    Refused(String),
}

/// A manifest, and what has been added to it.
pub(super) struct Manifest {
    file: PathBuf,
    text: String,
    document: DocumentMut,
    /// What was added, for people.
    added: Vec<String>,
    /// What is left to change by hand.
    pub(super) left: Vec<String>,
    /// Whether `rres-build` was added with importers, which the first build compiles.
    pub(super) has_new_importers: bool,
    /// Whether `rres-build` had importers and has none any more.
    pub(super) is_switched: bool,
    /// Whether debug builds optimise every dependency.
    pub(super) optimises_all: bool,
}

impl Manifest {
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let text =
            fs::read_to_string(file).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display())))?;
        let document = text.parse().map_err(|e| Failure::Usage(format!("{}: {e}", file.display())))?;
        Ok(Self {
            file: file.to_owned(),
            text,
            document,
            added: Vec::new(),
            left: Vec::new(),
            has_new_importers: false,
            is_switched: false,
            optimises_all: false,
        })
    }

    /// Returns the build script, relative to the package. It need not exist.
    pub(super) fn build_script(&self) -> Result<PathBuf, Failure> {
        match self.document.get("package").and_then(|package| package.get("build")).and_then(Item::as_value) {
            Some(Value::String(file)) => Ok(file.value().into()),
            Some(Value::Boolean(enabled)) if !enabled.value() => {
                let text = format!("{}: `build = false` disables build scripts; remove it", self.file.display());
                Err(Failure::Usage(text))
            }
            _ => Ok("build.rs".into()),
        }
    }

    /// Adds the dependencies of a game. One that exists in any form stays as it is, except that the importers and decoders that the files
    /// need by now are added to those that are chosen one by one.
    pub(super) fn add_dependencies(&mut self, wanted: &Wanted<'_>) -> Result<(), Failure> {
        let Wanted { features, decoders, checkout, .. } = wanted;
        let runtime = dependency("rres-runtime", *checkout, true, &[&["hot-reload"], *decoders].concat());
        let build = match features {
            None => dependency("rres-build", *checkout, true, &[]),
            Some(features) => dependency("rres-build", *checkout, false, features),
        };
        for (section, name, value) in
            [("dependencies", "rres-runtime", runtime), ("build-dependencies", "rres-build", build)]
        {
            let file = self.file.display();
            let table = self.document.entry(section).or_insert_with(|| Item::Table(Table::new()));
            let table = table.as_table_like_mut();
            let table = table.ok_or_else(|| Failure::Usage(format!("{file}: `{section}` is not a table")))?;
            match key_of_dependency(table, name) {
                None => {
                    self.added.push(format!("[{section}] {name} = {}", value.to_string().trim()));
                    self.has_new_importers |= name == "rres-build" && !wanted.is_tool();
                    table.insert(name, Item::Value(value));
                }
                Some(key) if name == "rres-build" && wanted.is_tool() => {
                    match table.get_mut(&key).map_or(Switch::Made, |item| switch_to_tool(item, wanted.script)) {
                        Switch::Needless => {}
                        Switch::Made => {
                            self.added
                                .push(format!("[{section}] {key}: default-features = false, features = [\"tool\"]"));
                            self.is_switched = true;
                        }
                        Switch::Refused(why) => self.left.push(format!("[{section}] {key}: {why}")),
                    }
                }
                Some(key) => {
                    let new = table.get_mut(&key).map(|item| match name {
                        "rres-build" => add_importers(item, features.as_deref().unwrap_or_default()),
                        _ => add_decoders(item, decoders),
                    });
                    let new = new.unwrap_or_default();
                    if !new.is_empty() {
                        self.added.push(format!("[{section}] {key}: features {}", new.join(", ")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the profile that the README recommends: debug builds then load assets nearly as fast as release builds. What is set for one
    /// of the crates stays as it is.
    pub(super) fn add_profile(&mut self, decoders: &[&str]) -> Result<(), Failure> {
        let wrong = || Failure::Usage(format!("{}: `profile.dev.package` is not a table", self.file.display()));
        let parent = debug_profile(&mut self.document).ok_or_else(wrong)?;
        let is_new = !parent.contains_key("package");
        let mut table = Table::new();
        table.decor_mut().set_prefix("\n# Debug builds then load assets nearly as fast as release builds.\n");
        let packages = parent.entry("package").or_insert(Item::Table(table)).as_table_like_mut().ok_or_else(wrong)?;
        if packages.get(ALL).is_some_and(is_optimised) {
            self.optimises_all = true;
            return Ok(());
        }
        let has_jpeg = decoders.iter().any(|name| [ALL_DECODERS, "jpeg"].contains(name));
        let wanted = OPTIMISED.iter().copied().chain(has_jpeg.then_some(DECODES_JPEG));
        let missing: Vec<&str> = wanted.filter(|name| !packages.contains_key(name)).collect();
        for name in &missing {
            let mut level = InlineTable::new();
            level.insert("opt-level", LEVEL.into());
            packages.insert(name, Item::Value(level.into()));
        }
        if !missing.is_empty() {
            let what = if is_new { "[profile.dev.package]" } else { "[profile.dev.package], added" };
            self.added.push(format!("{what} {} = {{ opt-level = {LEVEL} }}", missing.join(", ")));
        }
        Ok(())
    }

    /// Has `cargo check` and rust-analyzer use the importers that `cargo build` has compiled. Without this, Cargo compiles a crate that the game and the
    /// build script share twice, with debug information for a build and without for a check, and so everything that depends on it. What is set for build
    /// scripts stays as it is.
    pub(super) fn add_build_override(&mut self) -> Result<(), Failure> {
        let wrong = || Failure::Usage(format!("{}: `profile.dev` is not a table", self.file.display()));
        let profile = debug_profile(&mut self.document).ok_or_else(wrong)?;
        if profile.contains_key(BUILD_OVERRIDE) {
            return Ok(());
        }
        let mut table = Table::new();
        table.decor_mut().set_prefix("\n# `cargo check` then uses the importers that `cargo build` has compiled.\n");
        table.insert("debug", false.into());
        profile.insert(BUILD_OVERRIDE, Item::Table(table));
        self.added.push(format!("[profile.dev.{BUILD_OVERRIDE}] debug = false"));
        Ok(())
    }

    /// Returns the lines of profiles that optimise importers, as `dev.package.rres-engine`. Without importers in the build script they match
    /// no crate.
    pub(super) fn profiles_of_importers(&self) -> Vec<String> {
        let mut found = Vec::new();
        let profiles = self.document.get("profile").and_then(Item::as_table_like);
        for (profile, item) in profiles.into_iter().flat_map(TableLike::iter) {
            let packages = item.get("package").and_then(Item::as_table_like);
            let names = packages.into_iter().flat_map(TableLike::iter).map(|(name, _)| name);
            let names = names.filter(|name| *name == "rres-engine" || name.starts_with("rres-import"));
            found.extend(names.map(|name| format!("profile.{profile}.package.{name}")));
        }
        found
    }

    /// Returns the text with what was added, and what that is; `None` if nothing was.
    pub(super) fn changed(self) -> Option<(String, Vec<String>)> {
        if self.added.is_empty() {
            return None;
        }
        let mut text = self.document.to_string();
        // The parser may read line breaks of Windows and writes its own as on Unix.
        if self.text.contains("\r\n") {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        Some((text, self.added))
    }
}

/// The profile of debug builds, which is added if there is none; `None` if it is not a table.
fn debug_profile(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    let mut parent: &mut dyn TableLike = document.as_table_mut();
    for key in ["profile", "dev"] {
        let item = parent.entry(key).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        parent = item.as_table_like_mut()?;
    }
    Some(parent)
}

/// Whether the profile of a package optimises it.
fn is_optimised(package: &Item) -> bool {
    package.get("opt-level").is_some_and(|level| level.as_integer() != Some(0))
}

/// Adds importers to a dependency on `rres-build` whose importers are chosen one by one. Returns what was added.
fn add_importers(item: &mut Item, needed: &[&'static str]) -> Vec<&'static str> {
    let Some(table) = item.as_table_like_mut() else { return Vec::new() };
    let has_default = table.get("default-features").and_then(Item::as_bool).unwrap_or(true);
    let Some(features) = table.get_mut("features").and_then(Item::as_array_mut).filter(|_| !has_default) else {
        return Vec::new();
    };
    if has(features, TOOL) {
        return Vec::new();
    }
    let needed: Vec<&'static str> = needed.iter().filter(|name| !NOT_IMPORTERS.contains(*name)).copied().collect();
    add_missing(features, &needed)
}

/// Takes the importers from a dependency on `rres-build`, if the build script, whose text is `script`, does not need them.
fn switch_to_tool(item: &mut Item, script: &str) -> Switch {
    const LINES: &str = "`default-features = false, features = [\"tool\"]`";
    let has_default = |table: &dyn TableLike| table.get("default-features").and_then(Item::as_bool).unwrap_or(true);
    let features_of = |table: &dyn TableLike| -> Vec<String> {
        let features = table.get("features").and_then(Item::as_array).into_iter().flatten();
        features.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let old = item.as_table_like().map(features_of).unwrap_or_default();
    if item.as_table_like().is_some_and(|table| !has_default(table)) && old == [TOOL] {
        return Switch::Needless;
    }
    let feature = OF_SCRIPTS.iter().find(|name| old.iter().any(|feature| feature == *name));
    let call = CALLS_OF_IMPORTERS.iter().find(|call| script.contains(**call));
    if let Some(cause) =
        feature.map(|name| format!("the feature `{name}`")).or_else(|| call.map(|call| format!("`{call}`")))
    {
        return Switch::Refused(format!(
            "stays as it is: the build script uses {cause}, which needs the importers in the script"
        ));
    }
    if let Some(version) = item.as_str() {
        let mut table = InlineTable::new();
        table.insert("version", version.into());
        *item = Item::Value(table.into());
    }
    let Some(table) = item.as_table_like_mut() else {
        return Switch::Refused(format!("write {LINES}"));
    };
    if table.get("workspace").and_then(Item::as_bool) == Some(true) {
        return Switch::Refused(format!("write {LINES} into [workspace.dependencies]"));
    }
    table.insert("default-features", Item::Value(false.into()));
    table.insert("features", Item::Value(Array::from_iter([TOOL]).into()));
    Switch::Made
}

/// Adds decoders to a dependency on `rres-runtime` that lists its features. Returns what was added.
fn add_decoders(item: &mut Item, needed: &[&'static str]) -> Vec<&'static str> {
    let features = item.as_table_like_mut().and_then(|table| table.get_mut("features")).and_then(Item::as_array_mut);
    match features {
        Some(features) if !has(features, ALL_DECODERS) => add_missing(features, needed),
        _ => Vec::new(),
    }
}

fn has(features: &Array, name: &str) -> bool {
    features.iter().any(|feature| feature.as_str() == Some(name))
}

/// Adds the features that are not in the list, and returns them.
fn add_missing(features: &mut Array, needed: &[&'static str]) -> Vec<&'static str> {
    let new: Vec<&'static str> = needed.iter().filter(|name| !has(features, name)).copied().collect();
    new.iter().for_each(|name| features.push(*name));
    new
}

/// Returns the key of a crate in a table of dependencies: its own name, or another if it is renamed.
fn key_of_dependency(table: &dyn TableLike, name: &str) -> Option<String> {
    let is_renamed = |item: &Item| item.get("package").and_then(Item::as_str) == Some(name);
    if table.contains_key(name) {
        return Some(name.to_owned());
    }
    table.iter().find(|(_, item)| is_renamed(item)).map(|(key, _)| key.to_owned())
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
