//! What the builds of one build script must know of each other. A script may call [`import`](crate::import) several times, and only the process
//! connects these builds, so it is the owner.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The builds that this process has run.
static SCRIPT: Mutex<Script> = Mutex::new(Script { outputs: BTreeMap::new(), with_libraries: None });

struct Script {
    /// The output files, each with the assets directory that it is made of.
    outputs: BTreeMap<PathBuf, PathBuf>,
    /// The build that has the libraries: the module and the directory.
    with_libraries: Option<(String, PathBuf)>,
}

fn script() -> MutexGuard<'static, Script> {
    SCRIPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the assets directory that the output `file` is made of: `assets`, unless an earlier build writes it.
pub(crate) fn owner_of(file: PathBuf, assets: &Path) -> PathBuf {
    script().outputs.entry(file).or_insert_with(|| assets.to_owned()).clone()
}

/// Whether a build gets the libraries that Cargo names: it is the first of its script.
pub(crate) fn has_libraries(module: String, assets: &Path) -> bool {
    let build = (module, assets.to_owned());
    *script().with_libraries.get_or_insert_with(|| build.clone()) == build
}
