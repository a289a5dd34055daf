//! The lock files of a package: as they are and as they should be.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rres_engine::{LockChange, LockFile};
use rres_packs::atomic_write;
use rres_protocol::client::LockResponse;
use serde_json::{Value, json};

use crate::cargo;
use crate::diagnostic::Diagnostic;
use crate::exit::Failure;
use crate::output::Output;
use crate::serving_script::ServingScript;

/// The lock files of a package.
pub(super) struct Locks {
    pub(super) locks: Vec<Lock>,
    /// What is wrong with the assets or the settings.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A lock file.
pub(super) struct Lock {
    pub(super) file: PathBuf,
    /// The text in the file, empty if it does not exist.
    text: String,
    /// The text that fits the assets.
    expected: String,
    /// The differences between the two.
    pub(super) changes: Vec<LockChange>,
    /// The number of assets and sub-assets in the expected text.
    pub(super) asset_count: usize,
}

impl Locks {
    /// Asks the build scripts of the package in `root`. Without any, the settings in `dir` determine the lock file.
    pub(super) fn read(root: &Path, dir: &Path, out: &mut Output) -> Result<Self, Failure> {
        let scripts = ServingScript::of_debug_builds(root, &cargo::build_directories(root)?);
        if scripts.is_empty() {
            out.warn(
                "found no debug build of this package, so rules in build.rs are ignored and moved assets get new ids; \
                 run `cargo build` before you move assets",
            )?;
            return Self::from_settings(&root.join(dir));
        }
        let mut all = Self { locks: Vec::new(), diagnostics: Vec::new() };
        let mut not_in_lock_mode = Vec::new();
        for script in &scripts {
            if let Some(warning) = script.outdated_warning(root) {
                out.warn(warning)?;
            }
            let LockResponse { files, lock_is_off, failures, .. } = script.lock()?;
            all.diagnostics.extend(failures.into_iter().map(Diagnostic::from));
            not_in_lock_mode.extend(lock_is_off);
            if let Some((file, expected)) = files {
                all.locks.push(Lock::new(file.into(), read(Path::new(&expected))?)?);
            }
        }
        // Of several packs, some may need no lock file.
        if all.locks.is_empty() {
            all.diagnostics.extend(not_in_lock_mode.into_iter().map(lock_mode_is_off));
        }
        Ok(all)
    }

    /// Determines the lock file from `assets.toml` alone.
    fn from_settings(assets: &Path) -> Result<Self, Failure> {
        if !assets.is_dir() {
            return Err(Failure::Usage(format!("{}: no such directory", assets.display())));
        }
        let out_dir =
            tempfile::tempdir().map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let build = rres_build::import(assets).out_dir(out_dir.path()).debug(true);
        let Some(state) = build.lock_state().map_err(|errors| Failure::Fault(errors.to_string()))? else {
            let diagnostics = vec![lock_mode_is_off(assets.display().to_string())];
            return Ok(Self { locks: Vec::new(), diagnostics });
        };
        let diagnostics = state.diagnostics.iter().map(Diagnostic::from).collect();
        Ok(Self { locks: vec![Lock::new(state.file, state.expected)?], diagnostics })
    }
}

fn lock_mode_is_off(assets: String) -> Diagnostic {
    let help = "set `lock = true` under [pack] in assets.toml, or .lock(true) in build.rs";
    Diagnostic { place: assets, message: "is not in lock mode".to_owned(), help: Some(help.to_owned()) }
}

impl Lock {
    fn new(file: PathBuf, expected: String) -> Result<Self, Failure> {
        let text = read(&file)?;
        let entries = LockFile::parse_lenient(&expected);
        let changes = LockFile::parse_lenient(&text).changes(&entries);
        Ok(Self { file, text, asset_count: entries.len(), changes, expected })
    }

    /// Whether the file fitted the assets before this command wrote it.
    pub(super) fn is_up_to_date(&self) -> bool {
        self.text == self.expected
    }

    /// Whether the file contains the markers of a merge conflict.
    pub(super) fn has_conflict(&self) -> bool {
        LockFile::has_conflict(&self.text)
    }

    /// Replaces the file.
    pub(super) fn write(&self) -> Result<(), Failure> {
        atomic_write::replace_durably(&self.file, self.expected.as_bytes())
            .map_err(|e| Failure::Usage(format!("cannot write {}: {e}", self.file.display())))
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "file": self.file.display().to_string(),
            "up_to_date": self.is_up_to_date(),
            "conflict": self.has_conflict(),
            "asset_count": self.asset_count,
            "changes": self.changes.iter().map(change_json).collect::<Vec<_>>(),
        })
    }
}

fn change_json(change: &LockChange) -> Value {
    match change {
        LockChange::Added { path } => json!({ "change": "added", "path": path }),
        LockChange::Removed { path } => json!({ "change": "removed", "path": path }),
        LockChange::Moved { from, to } => json!({ "change": "moved", "path": to, "from": from }),
        LockChange::Changed { path, before, after } => {
            json!({ "change": "changed", "path": path, "before": before, "after": after })
        }
        other => json!({ "change": "other", "text": other.to_string() }),
    }
}

/// Returns the text of a file; empty if the file does not exist.
fn read(file: &Path) -> Result<String, Failure> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|e| Failure::Usage(format!("cannot read {}: {e}", file.display()))),
    }
}
