//! The builder: every option of a build, with its default.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::time::Instant;

use crate::advice;
use crate::cache::{cache_size_limit, sweep_parts};
use crate::cargo::{self, Environment};
use crate::discover::SETTINGS_FILE;
use crate::engine::read_rules;
use crate::error::{Errors, Problem};
use crate::lock;
use crate::progress::{Listener, Progress};
use crate::report::Report;
use crate::run::Run;
use crate::serve::{self, LockState, Request};
use crate::settings::{Rules, Settings};
use crate::site::{Site, Wishes};

/// Bytes that imports may take at once, by default.
pub(crate) const MEMORY: u64 = 512 << 20;

/// Starts a build of the assets directory `dir`, relative to the package.
///
/// ```no_run
/// rres_build::import("assets").build_or_exit();
/// ```
#[must_use = "nothing happens until `build` or `build_or_exit` is called"]
pub fn import(dir: impl AsRef<Path>) -> Build {
    Build {
        dir: dir.as_ref().to_owned(),
        rules: Vec::new(),
        pack: PackMode::default(),
        name: None,
        module: "assets.rs".to_owned(),
        crate_path: "::rres_runtime".to_owned(),
        out_dir: None,
        cache_dir: None,
        threads: None,
        memory: MEMORY,
        progress: None,
        debug: None,
        lock: None,
    }
}

/// When a pack is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PackMode {
    /// In builds without debug assertions; others read the imported forms one by one.
    #[default]
    Release,
    /// In every build.
    Always,
}

/// A rule of `build.rs`: where it stands, what it matches, what it does.
type Rule = (&'static std::panic::Location<'static>, String, Arc<dyn Fn(&mut Settings) + Send + Sync>);

/// A build, option by option.
#[must_use = "nothing happens until `build` or `build_or_exit` is called"]
pub struct Build {
    dir: PathBuf,
    rules: Vec<Rule>,
    pack: PackMode,
    name: Option<String>,
    module: String,
    crate_path: String,
    out_dir: Option<PathBuf>,
    cache_dir: Option<PathBuf>,
    threads: Option<usize>,
    memory: u64,
    progress: Option<Listener>,
    debug: Option<bool>,
    lock: Option<bool>,
}

impl Build {
    /// Adds a rule for the files that `glob` matches, after those of `assets.toml`.
    ///
    /// ```no_run
    /// rres_build::import("assets").rule("fonts/*.ttf", |settings| settings.font.size = vec![20, 48]).build_or_exit();
    /// ```
    #[track_caller]
    pub fn rule(mut self, glob: impl Into<String>, apply: impl Fn(&mut Settings) + Send + Sync + 'static) -> Self {
        self.rules.push((std::panic::Location::caller(), glob.into(), Arc::new(apply)));
        self
    }

    /// When a pack is written. Default: [`PackMode::Release`].
    pub fn pack(mut self, mode: PackMode) -> Self {
        self.pack = mode;
        self
    }

    /// The name of the pack, without extension. Default: that of `assets.toml`, else the package's.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The file of the generated module, in the output directory. Default: `assets.rs`.
    pub fn module(mut self, file: impl Into<String>) -> Self {
        self.module = file.into();
        self
    }

    /// The path of the runtime crate in generated code, where the game knows it by another name. Default:
    /// `::rres_runtime`.
    pub fn crate_path(mut self, path: impl Into<String>) -> Self {
        self.crate_path = path.into();
        self
    }

    /// Where pack, index and module go. Default: Cargo's `OUT_DIR`. With a directory of its own the build can run
    /// outside a build script, and prints no directives.
    pub fn out_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.out_dir = Some(dir.as_ref().to_owned());
        self
    }

    /// The directory of the import cache, shared by whatever builds use it. Default: the variable `RRES_CACHE_DIR`
    /// (`off` for none), else `rres` in the user's cache directory, else the output directory.
    pub fn cache_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.cache_dir = Some(dir.as_ref().to_owned());
        self
    }

    /// How many assets are imported at once. Default: Cargo's `NUM_JOBS`, else the number of processors.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How many bytes imports may take at once. What an import takes is a guess from its source, and one that is
    /// thought to take more than this runs alone. Default: 512 MiB.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Whom to tell how far the build is, after each asset and from any thread: for programs that build outside of
    /// Cargo, which shows nothing that a build script says.
    ///
    /// ```no_run
    /// rres_build::import("assets")
    ///     .out_dir("target/pack")
    ///     .progress(|progress| eprintln!("{} of {}: {}", progress.done(), progress.assets, progress.path))
    ///     .build_or_exit();
    /// ```
    pub fn progress(mut self, listener: impl Fn(&Progress<'_>) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(listener));
        self
    }

    /// Whether this is a debug build, which reads loose files. Default: as Cargo builds the game.
    pub fn debug(mut self, debug: bool) -> Self {
        self.debug = Some(debug);
        self
    }

    /// Whether the set of assets is kept in a lock file beside the assets directory (`assets.lock`), which debug builds
    /// watch instead of the contents. Default: `lock` under `[pack]` in `assets.toml`, else no.
    pub fn lock(mut self, yes: bool) -> Self {
        self.lock = Some(yes);
        self
    }

    /// Runs the build; on failure reports every problem to Cargo and exits with code 1.
    pub fn build_or_exit(self) {
        let manifest_dir = Environment::read().manifest_dir;
        if let Err(errors) = self.build() {
            cargo::report(&errors, manifest_dir.as_deref());
            process::exit(1);
        }
    }

    /// Runs the build.
    ///
    /// # Errors
    /// Everything that is wrong, in one value: [`Errors::problems`].
    pub fn build(self) -> Result<Report, Errors> {
        let site = self.site()?;
        if site.in_cargo {
            match serve::request(&site.out_dir, &self.module) {
                Request::Build => {}
                Request::Serve(name) => {
                    // Whoever closes one of the pipes has had enough.
                    let _ = serve::serve(&site, name, &|| self.rules(&site.assets));
                    process::exit(0);
                }
                Request::Skip => return Ok(Report::empty(site.out_dir.join(&self.module))),
            }
        }
        let started = Instant::now();
        let rules = self.rules(&site.assets);
        if site.in_cargo {
            // Of broken settings, too, Cargo has to know what would mend them.
            watch_sources(&site, rules.as_ref().is_ok_and(|rules| rules.pack().lock));
        }
        let rules = rules.map_err(Errors::new)?;
        let cache_size = cache_size_limit()
            .map_err(|message| Problem::new("RRES_CACHE_SIZE", message).help("set the variable, or unset it"))?;
        let name = self.pack_name(rules.pack().name.as_deref());
        if site.serves() {
            // Before anything can go wrong with the assets, which serving is to put right.
            serve::write_record(&site.out_dir, &name, &self.module)?;
        }
        let cache = site.cache()?;
        sweep_parts(&site.out_dir);
        let run = Run {
            site: &site,
            rules: &rules,
            cache: &cache,
            name: &name,
            module: &self.module,
            crate_path: &self.crate_path,
            writes_packs: self.pack == PackMode::Always || !site.debug,
            memory: self.memory,
            progress: self.progress.as_ref(),
        };
        let report = run.phases(started)?;
        if report.imported() > 0 {
            cache.prune_if_due(cache_size);
        }
        if site.in_cargo {
            advice::advise(&report, &site.out_dir);
        }
        Ok(report)
    }

    /// The lock as the assets directory asks for it; see [`LockState`].
    ///
    /// Sources that cannot be imported keep their lines and are among the [`LockState::problems`]. Without what the last
    /// debug build left in the output directory, an asset that was moved counts as another one.
    ///
    /// # Errors
    /// Broken settings; ids that clash; lock mode is off.
    pub fn lock_state(self) -> Result<LockState, Errors> {
        let site = self.site()?;
        let name = self.pack_name(self.rules(&site.assets).map_err(Errors::new)?.pack().name.as_deref());
        serve::lock_state(&site, name, &|| self.rules(&site.assets)).map_err(Errors::new)
    }

    fn site(&self) -> Result<Site, Errors> {
        let wishes = Wishes {
            assets: self.dir.clone(),
            out_dir: self.out_dir.clone(),
            cache_dir: self.cache_dir.clone(),
            threads: self.threads,
            debug: self.debug,
        };
        Site::new(wishes, Environment::read())
    }

    fn pack_name(&self, from_settings: Option<&str>) -> String {
        let package = || env::var("CARGO_PKG_NAME").ok();
        self.name.clone().or_else(|| from_settings.map(str::to_owned)).or_else(package).unwrap_or("assets".to_owned())
    }

    /// The rules of `assets.toml` in `dir`, then those of `build.rs`.
    fn rules(&self, dir: &Path) -> Result<Rules, Vec<Problem>> {
        let mut rules = read_rules(dir)?;
        let mut problems = Vec::new();
        for (place, glob, apply) in &self.rules {
            let apply = Arc::clone(apply);
            if let Err(error) = rules.push_at(place, glob, move |settings| apply(settings)) {
                problems.push(Problem::from(error));
            }
        }
        if let Some(lock) = self.lock {
            rules.set_lock(lock);
        }
        if problems.is_empty() { Ok(rules) } else { Err(problems) }
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Build").field("dir", &self.dir).field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}

/// Has Cargo watch what the build is made of: in lock mode, in debug builds, the set of assets and the settings only.
fn watch_sources(site: &Site, locks: bool) {
    match locks && site.debug {
        true => {
            cargo::watch([site.assets.join(SETTINGS_FILE).as_path()]);
            // Not there yet: this build makes it, and Cargo runs the script once more for that.
            cargo::watch_file(&lock::file(&site.assets));
        }
        false => cargo::watch([site.assets.as_path()]),
    }
}
