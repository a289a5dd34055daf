//! `Cargo.toml`: which build script and which profiles it has, and its text with more of what a game needs.

use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::needs::ALL_DECODERS;
use crate::exit::Failure;

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

/// A manifest, and what has been added to it.
pub(super) struct Manifest {
    pub(super) file: PathBuf,
    text: String,
    pub(super) document: DocumentMut,
    /// What was added, for people.
    pub(super) added: Vec<String>,
    /// What is left to change by hand.
    pub(super) left: Vec<String>,
    /// What stays as it is, and is worth knowing.
    pub(super) notes: Vec<String>,
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
            notes: Vec::new(),
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
    pub(super) fn changed(mut self) -> Option<(String, Vec<String>)> {
        if self.added.is_empty() {
            return None;
        }
        let end = self.document.trailing().as_str().unwrap_or_default().to_owned();
        self.document.set_trailing("");
        let mut text = with_end(&self.text, &self.document.to_string(), &end);
        // The parser may read line breaks of Windows and writes its own as on Unix.
        if self.text.contains("\r\n") {
            text = text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        Some((text, self.added))
    }
}

/// Returns the new text of a manifest with the comments that the old one ends with: before the tables that were added at the end, because they
/// belong to what is above them.
fn with_end(old: &str, new: &str, end: &str) -> String {
    let is_header = |line: &str| line.trim_start().starts_with('[');
    let old_headers: Vec<&str> = old.lines().filter(|line| is_header(line)).map(str::trim).collect();
    // The last lines that are a new table, with its comment.
    let mut at = new.len();
    let mut start = new.len();
    for line in new.split_inclusive('\n').rev() {
        start -= line.len();
        if is_header(line) && old_headers.contains(&line.trim()) {
            break;
        }
        if is_header(line) || at == start + line.len() && (line.trim().is_empty() || line.starts_with('#')) {
            at = start;
        }
    }
    let (above, below) = new.split_at(at);
    let gap = if end.is_empty() || end.ends_with('\n') { "" } else { "\n" };
    format!("{above}{end}{gap}{below}")
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
