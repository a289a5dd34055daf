//! Where a build works and with what: its options, filled in from what Cargo says.

use std::path::{Path, PathBuf};

use crate::cache::{Cache, user_cache_dir};
use crate::cargo::Environment;
use crate::error::{Errors, Problem};

/// What the author of a build may choose of its place.
#[derive(Clone, Debug)]
pub(crate) struct Wishes {
    /// The assets directory, relative to the package.
    pub(crate) assets: PathBuf,
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) cache_dir: Option<PathBuf>,
    pub(crate) threads: Option<usize>,
    pub(crate) debug: Option<bool>,
}

/// Where a build works and with what.
#[derive(Debug)]
pub(crate) struct Site {
    /// The assets directory; absolute.
    pub(crate) assets: PathBuf,
    /// Where pack, index and module go; absolute.
    pub(crate) out_dir: PathBuf,
    /// Whether this is a build script, to which Cargo listens.
    pub(crate) in_cargo: bool,
    pub(crate) debug: bool,
    pub(crate) threads: usize,
    cache_dir: Option<PathBuf>,
}

impl Site {
    pub(crate) fn new(wishes: Wishes, environment: Environment) -> Result<Self, Errors> {
        let in_cargo = wishes.out_dir.is_none();
        let Some(out_dir) = wishes.out_dir.or(environment.out_dir) else {
            return Err(Problem::new("rres-build", "has no output directory: the variable OUT_DIR is not set")
                .help("call it from build.rs, or choose a directory with .out_dir(…)")
                .into());
        };
        let absolute = |path: &Path| std::path::absolute(path).map_err(|e| Problem::io("find it", path, &e));
        let out_dir = absolute(&out_dir)?;
        let assets = absolute(&environment.manifest_dir.unwrap_or_default().join(&wishes.assets))?;
        let threads = wishes.threads.or(environment.jobs);
        let threads = threads.or_else(|| Some(std::thread::available_parallelism().ok()?.get())).unwrap_or(1);
        let debug = wishes.debug.unwrap_or(environment.debug);
        Ok(Self { assets, out_dir, in_cargo, debug, threads, cache_dir: wishes.cache_dir })
    }

    /// Whether the build script can be started again to serve the running game.
    pub(crate) fn serves(&self) -> bool {
        self.in_cargo && self.debug
    }

    /// The import cache.
    pub(crate) fn cache(&self) -> Result<Cache, Problem> {
        Cache::open(self.cache_dir.clone().or_else(user_cache_dir), &self.out_dir)
            .map_err(|e| Problem::io("create the import cache", &self.out_dir, &e))
    }

    /// The dev index of the pack `name`: the one that the constants were made with.
    pub(crate) fn dev_index(&self, name: &str) -> PathBuf {
        self.out_dir.join(format!("{name}.dev.rres"))
    }

    /// The index of the pack `name` that a running game is shown.
    pub(crate) fn live_index(&self, name: &str) -> PathBuf {
        self.out_dir.join(format!("{name}.live.rres"))
    }

    /// The lock of the pack `name` as it should be, for whoever asked.
    pub(crate) fn wanted_lock(&self, name: &str) -> PathBuf {
        self.out_dir.join(format!("{name}.lock"))
    }

    /// The record of what a debug build of the pack `name` saw.
    pub(crate) fn seen(&self, name: &str) -> PathBuf {
        self.out_dir.join(format!("{name}.seen"))
    }

    /// The source of an asset, or of a part of one, as users name it.
    pub(crate) fn place(&self, asset: &str) -> String {
        self.assets.join(asset.split('#').next().unwrap_or(asset)).display().to_string()
    }
}
