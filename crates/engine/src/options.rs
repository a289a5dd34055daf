//! The builder: every option of a build, with its default.

#[cfg(feature = "engine")]
mod importers;

use std::fmt;
use std::panic::Location;
use std::path::{Path, PathBuf};
#[cfg(feature = "engine")]
use std::sync::{Arc, Mutex};

#[cfg(feature = "engine")]
use crate::cache::RemoteCache;
use crate::cargo::CargoEnv;
use crate::diagnostic::{Diagnostic, Place};
#[cfg(feature = "engine")]
use crate::farm::Farm;
#[cfg(feature = "engine")]
use crate::import::{RegisteredImporter, RresImporters};
#[cfg(feature = "engine")]
use crate::progress::{Progress, ProgressCallback};
use crate::settings::ByteSize;
use crate::settings::{
    BudgetFor, Compat, Filters, GlobalValues, LintLevel, Measure, Profile, RefusedFiles, Rule, TargetCfg,
    declare_methods, pack_settings, pairs, same, some, strings,
};
#[cfg(feature = "engine")]
use crate::timed_out::TimedOut;
use rres_format::{AssetKind, Cipher, Compression};

/// The default of [`Build::memory`].
const DEFAULT_MEMORY: u64 = 512 << 20;

/// When a pack is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PackMode {
    /// In release builds; debug builds read the imported assets one by one.
    #[default]
    Release,
    /// In every build.
    Always,
}

/// Runs a build script and returns the lines that it reports as errors.
#[cfg(feature = "engine")]
pub(crate) type RunScript = Arc<dyn Fn() -> Vec<String> + Send + Sync>;

/// A build, option by option.
///
/// Everything in `assets.toml` can also be set here, which overrides the file: each key of `[pack]` and `[lints]` has a method,
/// [`rule`](Self::rule) adds a rule, [`group`](Self::group) a group and [`budget`](Self::budget) a budget.
#[derive(Clone)]
#[must_use = "nothing happens until `build` or `build_or_exit` is called"]
pub struct Build {
    pub(crate) dir: PathBuf,
    /// The text of `assets.toml`, if not the one of the file.
    pub(crate) settings_text: Option<String>,
    /// The settings of `[pack]` and `[lints]` that are set here.
    pub(crate) values: GlobalValues,
    pub(crate) rules: Vec<(Place, String, Rule)>,
    pub(crate) groups: Vec<(Place, String, Vec<String>)>,
    pub(crate) budgets: Vec<(Place, BudgetFor, Measure, ByteSize)>,
    pub(crate) pack_mode: PackMode,
    pub(crate) module: Option<String>,
    pub(crate) crate_path: String,
    pub(crate) out_dir: Option<PathBuf>,
    pub(crate) cache_dir: Option<PathBuf>,
    #[cfg(feature = "engine")]
    pub(crate) remote_cache: Option<Arc<dyn RemoteCache>>,
    #[cfg(feature = "engine")]
    pub(crate) farm: Option<Arc<dyn Farm>>,
    pub(crate) threads: Option<usize>,
    pub(crate) memory: u64,
    #[cfg(feature = "engine")]
    pub(crate) progress: Option<ProgressCallback>,
    /// Returns the key of encrypted assets.
    #[cfg(feature = "seal")]
    pub(crate) key: Option<Arc<dyn Fn() -> rres_format::seal::Secret + Send + Sync>>,
    /// Whether no module is written.
    #[cfg(feature = "engine")]
    pub(crate) packs_only: bool,
    /// Whether files that no build has written are kept.
    #[cfg(feature = "engine")]
    pub(crate) keeps_foreign_files: bool,
    /// Whether nothing that is beyond a limit or a budget fails the build.
    #[cfg(feature = "engine")]
    pub(crate) limits_only_warn: bool,
    pub(crate) debug: Option<bool>,
    pub(crate) always_run: bool,
    /// The kinds to build; empty for all.
    pub(crate) only: Vec<AssetKind>,
    pub(crate) trust_stamps: Option<bool>,
    /// The name of the package, if the program that runs the build is not its build script.
    pub(crate) package: Option<String>,
    /// What the game is compiled for, if the program that runs the build is not its build script.
    pub(crate) target: Option<TargetCfg>,
    /// The importers that the program is compiled with; `None` if it has none.
    #[cfg(feature = "engine")]
    pub(crate) rres_importers: Option<Arc<RresImporters>>,
    /// The importers of the build script, in the order of their registration.
    #[cfg(feature = "engine")]
    pub(crate) importers: Vec<(Place, Arc<RegisteredImporter>)>,
    /// Runs the build script, so that its importers fill the import cache, and returns what it reports. For programs that only
    /// know what the script has recorded.
    #[cfg(feature = "engine")]
    pub(crate) run_script: Option<RunScript>,
    /// The build script, if another program does the work for it.
    pub(crate) script: Option<PathBuf>,
    /// The options of the builds that this script has run before, if another program does the work for it.
    pub(crate) earlier: Vec<String>,
    /// Whether the package is a library whose assets go into the packs of games.
    pub(crate) is_library: bool,
    /// Whether the build does without the assets if the directory does not exist.
    pub(crate) allows_missing: bool,
    /// The records of the libraries whose assets are added; `None` for those that Cargo names.
    pub(crate) libraries: Option<Vec<PathBuf>>,
    /// The imports that builds of this value and its clones have stopped.
    #[cfg(feature = "engine")]
    pub(crate) timed_out: Arc<Mutex<TimedOut>>,
}

impl Build {
    /// Starts a build of the assets directory `dir`, relative to the package. Without [`Self::with_rres_importers`] the build imports only raw
    /// bytes and links; with the feature `tool`, the installed command does the work.
    pub fn new(dir: impl AsRef<Path>) -> Self {
        Self {
            dir: dir.as_ref().to_owned(),
            settings_text: None,
            values: GlobalValues::default(),
            rules: Vec::new(),
            groups: Vec::new(),
            budgets: Vec::new(),
            pack_mode: PackMode::default(),
            module: None,
            crate_path: "::rres_runtime".to_owned(),
            out_dir: None,
            cache_dir: None,
            #[cfg(feature = "engine")]
            remote_cache: None,
            #[cfg(feature = "engine")]
            farm: None,
            threads: None,
            memory: DEFAULT_MEMORY,
            #[cfg(feature = "engine")]
            progress: None,
            #[cfg(feature = "seal")]
            key: None,
            #[cfg(feature = "engine")]
            packs_only: false,
            #[cfg(feature = "engine")]
            keeps_foreign_files: false,
            #[cfg(feature = "engine")]
            limits_only_warn: false,
            debug: None,
            always_run: false,
            only: Vec::new(),
            trust_stamps: None,
            package: None,
            target: None,
            #[cfg(feature = "engine")]
            rres_importers: None,
            #[cfg(feature = "engine")]
            importers: Vec::new(),
            #[cfg(feature = "engine")]
            run_script: None,
            script: None,
            earlier: Vec::new(),
            is_library: false,
            allows_missing: false,
            libraries: None,
            #[cfg(feature = "engine")]
            timed_out: Arc::default(),
        }
    }

    /// Sets the importers that the program is compiled with.
    #[cfg(feature = "engine")]
    pub fn with_rres_importers(self, importers: Arc<RresImporters>) -> Self {
        Self { rres_importers: Some(importers), ..self }
    }

    pack_settings!(declare_methods(values));

    /// Adds a rule for the files that match `glob`, after the rules of `assets.toml`: later rules win, field by field.
    ///
    /// ```no_run
    /// rres_build::import("assets").rule("fonts/*.ttf", |rule| rule.font_size([20, 48])).build_or_exit();
    /// ```
    #[track_caller]
    pub fn rule(mut self, glob: impl Into<String>, settings: impl FnOnce(Rule) -> Rule) -> Self {
        self.rules.push((Location::caller().into(), glob.into(), settings(Rule::default())));
        self
    }

    /// Adds a group of the assets that match any of `globs`: `[group.name]` in `assets.toml`.
    ///
    /// ```no_run
    /// rres_build::import("assets").group("level_1", ["levels/1/**", "music/forest.ogg"]).build_or_exit();
    /// ```
    #[track_caller]
    pub fn group<G: Into<String>>(mut self, name: impl Into<String>, globs: impl IntoIterator<Item = G>) -> Self {
        let globs = globs.into_iter().map(Into::into).collect();
        self.groups.push((Location::caller().into(), name.into(), globs));
        self
    }

    /// Limits the bytes that all assets may take in the pack: `total` under `[budget]` in `assets.toml`.
    ///
    /// ```no_run
    /// rres_build::import("assets").budget(80_000_000).budget_for("music/**", 30_000_000).build_or_exit();
    /// ```
    #[track_caller]
    pub fn budget(mut self, size: impl Into<ByteSize>) -> Self {
        self.budgets.push((Location::caller().into(), BudgetFor::All, Measure::Stored, size.into()));
        self
    }

    /// Limits the bytes that the assets matching `glob` may take in the pack.
    #[track_caller]
    pub fn budget_for(mut self, glob: impl Into<String>, size: impl Into<ByteSize>) -> Self {
        self.budgets.push((Location::caller().into(), BudgetFor::Glob(glob.into()), Measure::Stored, size.into()));
        self
    }

    /// Limits the bytes that the members of a group may take in the pack: `budget` under `[group.name]` in `assets.toml`.
    #[track_caller]
    pub fn budget_for_group(mut self, group: impl Into<String>, size: impl Into<ByteSize>) -> Self {
        self.budgets.push((Location::caller().into(), BudgetFor::Group(group.into()), Measure::Stored, size.into()));
        self
    }

    /// Limits the video memory that all assets may take together: `vram` under `[budget]` in `assets.toml`.
    ///
    /// ```no_run
    /// rres_build::import("assets").vram_budget(256_000_000).vram_budget_for("ui/**", 32_000_000).build_or_exit();
    /// ```
    #[track_caller]
    pub fn vram_budget(mut self, size: impl Into<ByteSize>) -> Self {
        self.budgets.push((Location::caller().into(), BudgetFor::All, Measure::VideoMemory, size.into()));
        self
    }

    /// Limits the video memory that the assets matching `glob` may take: a glob under `[budget.vram]` in `assets.toml`.
    #[track_caller]
    pub fn vram_budget_for(mut self, glob: impl Into<String>, size: impl Into<ByteSize>) -> Self {
        let of = BudgetFor::Glob(glob.into());
        self.budgets.push((Location::caller().into(), of, Measure::VideoMemory, size.into()));
        self
    }

    /// Limits the video memory that the members of a group and what they need may take: `vram` under `[group.name]` in `assets.toml`.
    #[track_caller]
    pub fn vram_budget_for_group(mut self, group: impl Into<String>, size: impl Into<ByteSize>) -> Self {
        let of = BudgetFor::Group(group.into());
        self.budgets.push((Location::caller().into(), of, Measure::VideoMemory, size.into()));
        self
    }

    /// Writes no module: for tools. [`crate::Report::module`] then does not exist.
    #[cfg(feature = "engine")]
    #[doc(hidden)]
    pub fn packs_only(mut self) -> Self {
        self.packs_only = true;
        self
    }

    /// Fails rather than replace a file in the output directory that no build has written: for tools, whose users choose the directory.
    #[cfg(feature = "engine")]
    #[doc(hidden)]
    pub fn keeps_foreign_files(mut self) -> Self {
        self.keeps_foreign_files = true;
        self
    }

    /// Takes this for the text of `assets.toml`: for tools that try settings.
    #[cfg(feature = "engine")]
    #[doc(hidden)]
    pub fn settings_text(mut self, text: impl Into<String>) -> Self {
        self.settings_text = Some(text.into());
        self
    }

    /// Lets nothing that is beyond a limit or a budget fail the build: for tools that show it. [`crate::Report::lints`] then contains what
    /// denies, too.
    #[cfg(feature = "engine")]
    #[doc(hidden)]
    pub fn limits_only_warn(mut self) -> Self {
        self.limits_only_warn = true;
        self
    }

    /// Chooses when a pack is written. Default: [`PackMode::Release`].
    pub fn pack_mode(mut self, mode: PackMode) -> Self {
        self.pack_mode = mode;
        self
    }

    /// Sets what the game is compiled for, as lines of `rustc --print cfg`, for the rules under `[target]` in `assets.toml`. Default: what
    /// Cargo tells the build script, and outside of one the machine that runs the build.
    ///
    /// ```no_run
    /// let cfg = std::process::Command::new("rustc").args(["--print", "cfg", "--target", "aarch64-linux-android"]).output()?;
    /// let lines = String::from_utf8_lossy(&cfg.stdout);
    /// rres_build::import("assets").out_dir("packs").target_cfg(lines.lines()).build_or_exit();
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn target_cfg<L: AsRef<str>>(mut self, lines: impl IntoIterator<Item = L>) -> Self {
        self.target = Some(TargetCfg::new(lines));
        self
    }

    /// Sets the name of the generated module. Default: the name of the assets directory.
    ///
    /// The game includes it with `include_assets!(mod name)`. It is the file `name.rs` in the output directory.
    ///
    /// ```no_run
    /// rres_build::import("assets").build_or_exit(); // include_assets!();
    /// rres_build::import("../shared/assets").module("shared").name("shared").build_or_exit(); // include_assets!(mod shared);
    /// ```
    pub fn module(mut self, name: impl Into<String>) -> Self {
        self.module = Some(name.into());
        self
    }

    /// Builds the assets of a library: a crate that games depend on, and whose assets go into the pack of the game. Needs `links` in the
    /// `[package]` of its `Cargo.toml`.
    ///
    /// The paths of the assets begin with the name of the package, `ui-kit/button.png`. The constants of the module do not:
    /// `assets::BUTTON_PNG`. A release build writes no pack, unless [`pack_mode`](Self::pack_mode) says so. See `docs/libraries.md`.
    ///
    /// ```no_run
    /// rres_build::import("assets").library().build_or_exit();
    /// ```
    pub fn library(mut self) -> Self {
        self.is_library = true;
        self
    }

    /// Builds the module without the assets if their directory does not exist: on docs.rs, in a check by CI, or if a package is published
    /// without them. The constants come from the file `assets.listing` beside the directory, which `cargo rres listing` writes. The program
    /// then compiles, and finds no assets when it runs.
    ///
    /// If the directory exists, and some files of the listing do not, as in a sparse checkout of Git, a debug build takes their constants from
    /// the listing, and a release build fails. See `docs/libraries.md`.
    ///
    /// ```no_run
    /// rres_build::import("assets").allow_missing().build_or_exit();
    /// ```
    pub fn allow_missing(mut self) -> Self {
        self.allows_missing = true;
        self
    }

    /// Leaves out the assets of the libraries that the package depends on. By default, the first build of a build script adds them to its
    /// pack.
    pub fn without_libraries(mut self) -> Self {
        self.libraries = Some(Vec::new());
        self
    }

    /// Sets the path of the runtime crate in generated code, for games that rename it. Default: `::rres_runtime`.
    pub fn crate_path(mut self, path: impl Into<String>) -> Self {
        self.crate_path = path.into();
        self
    }

    /// Sets the directory for the pack, the index and the module. Default: Cargo's `OUT_DIR`. With this option, a build
    /// can run outside of a build script, and then it prints no directives.
    pub fn out_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.out_dir = Some(dir.as_ref().to_owned());
        self
    }

    /// Sets the directory of the import cache, which any number of builds can share. Default: the variable
    /// `RRES_CACHE_DIR` (`off` for none), or else `rres` in the user's cache directory, or else the output directory.
    pub fn cache_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.cache_dir = Some(dir.as_ref().to_owned());
        self
    }

    /// Sets a cache that machines share, which is asked for what the import cache of this machine lacks. Default: none, or with the
    /// feature `remote-cache` of `rres-build` the one that the variable `RRES_REMOTE_CACHE` or the user's configuration names.
    #[cfg(feature = "engine")]
    pub fn remote_cache(self, cache: Arc<dyn RemoteCache>) -> Self {
        Self { remote_cache: Some(cache), ..self }
    }

    /// Sets machines that import besides this one. Default: none.
    #[cfg(feature = "engine")]
    pub fn farm(self, farm: Arc<dyn Farm>) -> Self {
        Self { farm: Some(farm), ..self }
    }

    /// Sets how many assets are imported at once. Default: Cargo's `NUM_JOBS`, or else the number of processors.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Limits the bytes of memory that imports take at once. Memory use is estimated per source; an import estimated above
    /// this limit runs on its own. Default: 512 MiB.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Registers a callback that is invoked after each asset, and when the import of a large one begins, on any thread. Useful outside of Cargo, which hides the output
    /// of a build script. Needs the feature `engine`.
    ///
    /// ```no_run
    /// rres_build::import("assets")
    ///     .out_dir("target/pack")
    ///     .progress(|progress| eprintln!("{} of {}: {}", progress.done(), progress.assets, progress.path))
    ///     .build_or_exit();
    /// ```
    #[cfg(feature = "engine")]
    pub fn progress(mut self, callback: impl Fn(&Progress<'_>) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(callback));
        self
    }

    /// Sets where the key of encrypted assets comes from, before the variable and the file that settings name. It is called when a
    /// pack with encrypted assets is written. The command `cargo rres` does not call it, so builds that it repeats need the
    /// variable or the file. Needs the feature `seal`.
    ///
    /// ```no_run
    /// use rres_build::Secret;
    ///
    /// let key = || {
    ///     let text = std::fs::read("/run/secrets/game").expect("the key of the game is there");
    ///     Secret::from_text(text).expect("it is a key")
    /// };
    /// rres_build::import("assets").key(key).build_or_exit();
    /// ```
    #[cfg(feature = "seal")]
    pub fn key(mut self, key: impl Fn() -> rres_format::seal::Secret + Send + Sync + 'static) -> Self {
        self.key = Some(Arc::new(key));
        self
    }

    /// Makes Cargo run the build script in every build, and so compile the crate every time. By default, Cargo runs the script
    /// if the modification time of a file or folder in the assets directory is newer than the last run. Some tools keep old
    /// times; see `docs/caching.md`.
    ///
    /// ```no_run
    /// let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    /// rres_build::import("assets").always_run(is_release).build_or_exit();
    /// ```
    pub fn always_run(mut self, always: bool) -> Self {
        self.always_run = always;
        self
    }

    /// Builds assets of these kinds only, and what they need: a model comes with its images. Default: every kind.
    ///
    /// The pack and the module then lack the others, so this is for looking at a part, or for a pack of its own.
    ///
    /// ```no_run
    /// use rres_build::AssetKind;
    ///
    /// rres_build::import("assets").out_dir("sounds").only([AssetKind::Sound]).build_or_exit();
    /// ```
    pub fn only(mut self, kinds: impl IntoIterator<Item = AssetKind>) -> Self {
        self.only = kinds.into_iter().collect();
        self
    }

    /// Whether a file counts as unchanged if its size, times and inode are as in the last build. Otherwise every file is read and
    /// hashed. Default: `true` in debug builds; a pack for shipping must contain the current files, whatever their times.
    pub fn trust_stamps(mut self, trust: bool) -> Self {
        self.trust_stamps = Some(trust);
        self
    }

    /// Forces a debug build (loose files) or a release build (pack). Default: the profile that Cargo is building.
    pub fn debug(mut self, debug: bool) -> Self {
        self.debug = Some(debug);
        self
    }
}

impl Build {
    /// The place of options that have no line of their own.
    pub(crate) fn place(&self) -> Place {
        Place::Name(if self.out_dir.is_none() { "build.rs" } else { "options of the build" }.to_owned())
    }

    /// The directory for the pack, the index and the module, as it was chosen.
    pub(crate) fn find_out_dir(&self, cargo: &CargoEnv) -> Result<PathBuf, Diagnostic> {
        self.out_dir.clone().or_else(|| cargo.out_dir.clone()).ok_or_else(|| {
            let place = Place::Name("OUT_DIR".to_owned());
            let help = "call rres-build from build.rs, or choose a directory with .out_dir(…)".to_owned();
            Diagnostic::new(place, "the variable is not set, so there is no output directory").with_help(help)
        })
    }
}

impl fmt::Debug for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Build").field("dir", &self.dir).field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}
