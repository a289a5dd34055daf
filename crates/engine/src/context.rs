//! The context of a build: its options, completed by Cargo's variables. Every step of the pipeline gets it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_protocol::files;
use rres_protocol::serve::ScriptManifest;

use crate::cache::{Cache, RemoteLayer, default_cache_dir};
use crate::cargo::CargoEnv;
use crate::diagnostic::{BuildError, Diagnostic, Place};
use crate::farm::FarmLayer;
use crate::import::RegisteredImporter;
use crate::libraries::{Library, own_folder, read_libraries};
use crate::note_group::NoteGroup;
use crate::options::{Build, PackMode};
use crate::script;
use crate::settings::{Rules, SettingsFile, TargetCfg};
use crate::source_dir::SourceDir;

/// The module that `include_assets!()` includes.
const DEFAULT_MODULE: &str = "assets";

/// The end of the name of the file with the options of a build.
pub(crate) const OPTIONS_END: &str = ".options.toml";

/// The import cache in an output directory outside of Cargo's, if it has no other place.
pub(crate) const HIDDEN_CACHE: &str = ".rres";

/// The cache in `dir`, or beside the outputs if that is none or cannot be written.
fn open_cache(dir: Option<PathBuf>, in_cargo: bool, out_dir: &Path) -> Result<Cache, Diagnostic> {
    // In a directory that the user has chosen, the files of a cache would hide the pack.
    let fallback = if in_cargo { out_dir.to_owned() } else { out_dir.join(HIDDEN_CACHE) };
    Cache::open(dir, &fallback).map_err(|e| Diagnostic::io("create the import cache", out_dir, &e))
}

/// Everything that a build depends on besides the assets directory itself.
#[derive(Clone, Debug)]
pub(crate) struct BuildContext {
    pub(crate) options: Build,
    pub(crate) cargo: CargoEnv,
    /// The assets directory; absolute.
    pub(crate) assets: PathBuf,
    /// The directory for the pack, the index and the module; absolute.
    pub(crate) out_dir: PathBuf,
    /// Whether the program is a build script, whose output Cargo reads.
    pub(crate) in_cargo: bool,
    /// Whether the game reads loose files.
    pub(crate) is_debug: bool,
    /// The number of assets that are imported at once.
    pub(crate) threads: usize,
    pub(crate) cache: Cache,
    /// The cache beyond this machine, if the build has one.
    pub(crate) remote: Option<RemoteLayer>,
    /// Machines that import, too, if the build has some.
    pub(crate) farm: Option<FarmLayer>,
    /// The directory of the cache that the user or the system has chosen; `None` for none.
    wanted_cache: Option<PathBuf>,
    /// The assets directory as a directory of sources.
    pub(crate) own_dir: Arc<SourceDir>,
    /// The libraries whose assets are added, sorted by name.
    pub(crate) libraries: Vec<Library>,
}

impl BuildContext {
    /// Completes the options of a build.
    ///
    /// # Errors
    /// If the build has no output directory, or no directory for the import cache.
    pub(crate) fn new(options: Build) -> Result<Self, BuildError> {
        let mut cargo = CargoEnv::read();
        cargo.package_name = options.package.clone().or(cargo.package_name);
        let in_cargo = options.out_dir.is_none();
        let out_dir = options.find_out_dir(&cargo)?;
        let absolute = |path: &Path| std::path::absolute(path).map_err(|e| Diagnostic::io("find it", path, &e));
        let out_dir = absolute(&out_dir)?;
        let assets = absolute(&cargo.manifest_dir.clone().unwrap_or_default().join(&options.dir))?;
        let threads = options.threads.or(cargo.jobs);
        let threads = threads.or_else(|| Some(std::thread::available_parallelism().ok()?.get())).unwrap_or(1);
        let is_debug = options.debug.unwrap_or(cargo.is_debug);
        let wanted_cache = options.cache_dir.clone().or_else(default_cache_dir);
        let cache = open_cache(wanted_cache.clone(), in_cargo, &out_dir)?;
        let folder = match options.is_library {
            true => own_folder(cargo.package_name.as_deref(), cargo.links.as_deref(), in_cargo)?,
            false => String::new(),
        };
        let importers = options.importer_set();
        let own_dir = SourceDir { dir: assets.clone(), folder, importers, may_be_missing: false, cache: None };
        let remote = match options.remote_cache.clone() {
            None => options.rres_importers().remote_cache()?,
            chosen => chosen,
        };
        let remote = remote.map(RemoteLayer::new);
        let farm = options.farm.clone().map(FarmLayer::new);
        let mut context = Self {
            options,
            cargo,
            assets,
            out_dir,
            in_cargo,
            is_debug,
            threads,
            cache,
            remote,
            farm,
            wanted_cache,
            own_dir: Arc::new(own_dir),
            libraries: Vec::new(),
        };
        context.libraries = context.read_libraries()?;
        Ok(context)
    }

    /// The same build with the cache that it has beside its outputs; `None` if it has that one already.
    ///
    /// # Errors
    /// If that cache cannot be created.
    pub(crate) fn with_own_cache(&self) -> Result<Option<Self>, BuildError> {
        let cache = open_cache(None, self.in_cargo, &self.out_dir)?;
        Ok((cache.dir() != self.cache.dir()).then(|| Self { cache, ..self.clone() }))
    }

    /// The same build with another cache, without the cache beyond this machine, and silent.
    pub(crate) fn alone_with(&self, cache: Cache) -> Self {
        let mut context = Self { cache, remote: None, farm: None, ..self.clone() };
        context.options.progress = None;
        context
    }

    /// Why the cache is not where it should be; `None` if it is.
    pub(crate) fn cache_note(&self) -> Option<NoteGroup> {
        let wanted = self.wanted_cache.as_deref().filter(|wanted| *wanted != self.cache.dir())?;
        Some(NoteGroup::of_cache(wanted, self.cache.dir()))
    }

    /// Removes the cache beside packs that a user hands out, unless the dev index of a debug build refers to its blobs.
    pub(crate) fn remove_hidden_cache(&self) {
        let is_hidden = !self.in_cargo && self.cache.dir() == self.out_dir.join(HIDDEN_CACHE);
        if is_hidden && !self.is_debug && !self.cache.has_roots() {
            // What is left is found by the next build.
            let _ = fs::remove_dir_all(self.cache.dir());
        }
    }

    /// The libraries of the options, or else those that Cargo names.
    fn read_libraries(&self) -> Result<Vec<Library>, BuildError> {
        match &self.options.libraries {
            Some(records) => read_libraries(records, &self.options.rres_importers()),
            None if self.in_cargo && script::has_libraries(self.module_name(), &self.assets) => {
                read_libraries(&self.cargo.libraries, &self.options.rres_importers())
            }
            None => Ok(Vec::new()),
        }
    }

    /// The directories of sources: the own one, then the libraries'.
    pub(crate) fn dirs(&self) -> impl Iterator<Item = &Arc<SourceDir>> {
        std::iter::once(&self.own_dir).chain(self.libraries.iter().map(|library| &library.dir))
    }

    /// The directory of the source at `path`. A file of the own directory comes before one of a library.
    pub(crate) fn dir_of(&self, path: &str) -> &Arc<SourceDir> {
        if self.libraries.is_empty() {
            return &self.own_dir;
        }
        let has = |dir: &&Arc<SourceDir>| dir.file(path).is_some_and(|file| file.exists());
        // A file that is gone was probably in the directory with the longest folder.
        let may_have = |dir: &&Arc<SourceDir>| dir.local(path).is_some();
        self.dirs().find(has).or_else(|| self.dirs().filter(may_have).last()).unwrap_or(&self.own_dir)
    }

    /// Whether the build script can be started again to serve the running game.
    pub(crate) fn can_serve(&self) -> bool {
        self.in_cargo && self.is_debug
    }

    pub(crate) fn writes_packs(&self) -> bool {
        // The assets of a library are in the pack of the game.
        self.options.pack_mode == PackMode::Always || !self.is_debug && !self.options.is_library
    }

    /// What the game is compiled for: what the options say, or else Cargo; outside of a build script it is this machine.
    pub(crate) fn target(&self) -> TargetCfg {
        let of_cargo = || Some(TargetCfg::new(&self.cargo.target_cfg)).filter(|_| !self.cargo.target_cfg.is_empty());
        self.options.target.clone().or_else(of_cargo).unwrap_or_else(TargetCfg::of_host)
    }

    /// Reads `assets.toml` and adds the settings of the builder, and the rules of libraries.
    pub(crate) fn read_settings(&self) -> SettingsFile {
        let mut settings = self.settings_of(&self.own_dir, &self.options);
        for library in &self.libraries {
            let SettingsFile { rules, diagnostics, bytes, .. } = self.settings_of(&library.dir, &library.build);
            settings.diagnostics.extend(diagnostics);
            settings.diagnostics.extend(settings.rules.changes_of_constants(library.name()));
            settings.rules.add_library(library.name(), rules);
            settings.of_libraries.push(bytes);
        }
        settings
    }

    /// The settings of one directory of sources: of its `assets.toml` and of the options of its build.
    pub(crate) fn settings_of(&self, dir: &SourceDir, build: &Build) -> SettingsFile {
        let specs = dir.importers.script.iter().map(|own| own.description.clone()).collect();
        let mut settings = match &build.settings_text {
            Some(text) => SettingsFile::of_text(&dir.dir, text.clone(), &self.target(), &specs),
            None => SettingsFile::read(&dir.dir, &self.target(), &specs),
        };
        let SettingsFile { rules, diagnostics, .. } = &mut settings;
        let Build { values, rules: own_rules, groups, budgets, .. } = build;
        rules.set_target(self.target());
        diagnostics.extend(RegisteredImporter::faults(&build.importers));
        rules.override_pack(values, &build.place(), diagnostics);
        for (place, glob, rule) in own_rules {
            rules.add_rule(place.clone(), glob, rule.clone(), diagnostics);
        }
        for (place, name, globs) in groups {
            rules.add_group(place.clone(), name, globs, diagnostics);
        }
        for (place, of, measure, size) in budgets {
            rules.add_budget(place.clone(), of, *measure, size.0, diagnostics);
        }
        if !dir.folder.is_empty() && rules.pack().lock {
            let message = "a library has no lock mode: games find its assets by the ids of their paths";
            let help = "remove `lock = true`".to_owned();
            diagnostics.push(Diagnostic::new(build.place(), message).with_help(help));
        }
        settings.rules = std::mem::take(&mut settings.rules).moved_into(&dir.folder);
        settings
    }

    /// The file with the key of encrypted assets, if settings name one.
    pub(crate) fn key_file(&self, rules: &Rules) -> Option<PathBuf> {
        rules.pack().key_file.as_ref().map(|file| self.in_package(file))
    }

    /// The file at a path that is relative to the package.
    pub(crate) fn in_package(&self, path: &str) -> PathBuf {
        self.cargo.manifest_dir.clone().unwrap_or_default().join(path)
    }

    /// Whether the build gets a key from the environment or from a callback, whose changes Cargo must not record: it would write the
    /// value of the variable into the target directory.
    pub(crate) fn has_unwatched_key(&self, rules: &Rules) -> bool {
        #[cfg(feature = "seal")]
        let has_callback = self.options.key.is_some();
        #[cfg(not(feature = "seal"))]
        let has_callback = false;
        let is_set = std::env::var_os(rules.pack().key_variable()).is_some_and(|text| !text.is_empty());
        self.writes_packs() && rules.have_ciphers() && (has_callback || is_set)
    }

    /// The name of the generated module: from the options, or else the name of the assets directory as a Rust name; `static` becomes
    /// `static_assets`, as a keyword names neither a module nor a file.
    pub(crate) fn module_name(&self) -> String {
        let named = |name: &OsStr| rres_codegen::root_module_name(&name.to_string_lossy());
        let directory = || self.assets.file_name().map(named);
        self.options.module.clone().or_else(directory).unwrap_or_else(|| DEFAULT_MODULE.to_owned())
    }

    /// The path of the module with the constant of an asset: the own one, or the module of a library.
    pub(crate) fn module_of(&self, path: &str) -> String {
        let dir = self.dir_of(path);
        match self.libraries.iter().find(|library| Arc::ptr_eq(&library.dir, dir)) {
            Some(library) => {
                let module = library.build.module.as_deref().unwrap_or(DEFAULT_MODULE);
                format!("{}::{module}", library.name().replace('-', "_"))
            }
            None => self.module_name(),
        }
    }

    /// The name of the pack: from the settings, or else the name of the package. A module with another name than `assets`
    /// adds its own, so that each directory has a pack of its own.
    pub(crate) fn pack_name(&self, rules: &Rules) -> String {
        rules.pack().name.clone().unwrap_or_else(|| match (&self.cargo.package_name, self.module_name()) {
            (Some(package), module) if module == DEFAULT_MODULE => package.clone(),
            (Some(package), module) => format!("{package}-{module}"),
            (None, _) => DEFAULT_MODULE.to_owned(),
        })
    }

    /// The files of a build of the pack `name`.
    pub(crate) fn output_files(&self, name: String) -> OutputFiles {
        let records = (!self.in_cargo).then(|| self.cache.clone());
        OutputFiles { dir: self.out_dir.clone(), name, module: format!("{}.rs", self.module_name()), records }
    }

    /// Finds out whether another build of this process writes one of `files` from another directory: a build script with
    /// two assets directories, whose second pack would silently replace the first.
    pub(crate) fn claim(&self, files: &OutputFiles) -> Result<(), Diagnostic> {
        let name = self.module_name();
        if !rres_codegen::is_module_file(&name) {
            let message = format!("{name:?} is not the name of a Rust module");
            let help = format!("for example .module({:?})", rres_codegen::module_name(&name));
            return Err(Diagnostic::new(Place::Name(".module(…)".to_owned()), message).with_help(help));
        }
        for (file, what, method) in [(files.module(), "module", "module"), (files.pack(0), "pack", "name")] {
            let other = script::owner_of(file.clone(), &self.assets);
            if other != self.assets {
                let message = format!(
                    "its {what} {:?} would overwrite the one of {:?}",
                    file.file_name().unwrap_or_default(),
                    other
                );
                let help = format!("give one of the two directories a {what} of its own with .{method}(\"{name}_2\")");
                return Err(Diagnostic::file(&self.assets, message).with_help(help));
            }
        }
        Ok(())
    }
}

/// The files that a build leaves in its output directory.
///
/// ```text
/// OUT_DIR/assets.rs           the generated module
/// OUT_DIR/NAME.rres           the pack, and NAME.1.rres … if there are several      (release builds)
/// OUT_DIR/assets.h            the C header, if the settings name one
/// OUT_DIR/NAME.rres.key       the key of the pack's contents, so that it is not written again
/// OUT_DIR/NAME.embed.o        the packs as an object file for the linker            (release builds with `embed`,
/// OUT_DIR/librres_packs_NAME.a                                                      or if the package has no program)
/// OUT_DIR/NAME.dev.rres       the dev index that the constants were generated with  (debug builds)
/// OUT_DIR/NAME.live.rres      the dev index for the running game
/// OUT_DIR/NAME.serve          how to start the build script again
/// OUT_DIR/NAME.options.toml   the options of the build, for `cargo rres explain`
/// OUT_DIR/NAME.current        an empty file; Cargo runs the script again when it is removed
/// OUT_DIR/NAME.manifest       the build manifest
/// OUT_DIR/NAME.fresh          what the last debug build depended on, so that the next one need not make a plan
/// OUT_DIR/NAME.lock           the lock file as it should be, for `cargo rres sync`
/// ```
///
/// Only Cargo's directory has all of them. A directory that the user has chosen gets pack, index and module; what merely
/// makes the next build faster, the key and the build manifest, is in the import cache then.
#[derive(Clone, Debug)]
pub(crate) struct OutputFiles {
    pub(crate) dir: PathBuf,
    /// The name of the pack.
    pub(crate) name: String,
    module: String,
    /// The cache that keeps the records of this build; `None` if the output directory does.
    records: Option<Cache>,
}

impl OutputFiles {
    /// The generated module.
    pub(crate) fn module(&self) -> PathBuf {
        self.dir.join(&self.module)
    }

    /// Pack number `number` of the set.
    pub(crate) fn pack(&self, number: u32) -> PathBuf {
        self.dir.join(files::pack_file_name(&self.name, number))
    }

    /// The packs as an object file.
    pub(crate) fn object(&self) -> PathBuf {
        self.dir.join(format!("{}.embed.o", self.name))
    }

    /// The dev index that the constants were generated with.
    pub(crate) fn dev_index(&self) -> PathBuf {
        self.dir.join(format!("{}.dev.rres", self.name))
    }

    /// The dev index for a running game.
    pub(crate) fn live_index(&self) -> PathBuf {
        self.dir.join(format!("{}.live.rres", self.name))
    }

    /// The script manifest, which describes how to start the build script again.
    pub(crate) fn script_manifest(&self) -> PathBuf {
        self.dir.join(ScriptManifest::file_name(&self.name))
    }

    /// The options of the build.
    pub(crate) fn options(&self) -> PathBuf {
        self.dir.join(format!("{}{}", self.name, OPTIONS_END))
    }

    /// The file whose removal makes Cargo run the script again.
    pub(crate) fn rerun_marker(&self) -> PathBuf {
        self.dir.join(format!("{}.{}", self.name, files::RERUN_MARKER_EXTENSION))
    }

    /// The file that records what pack number `number` was made of.
    pub(crate) fn pack_key(&self, number: u32) -> PathBuf {
        self.record(format!("{}.key", files::pack_file_name(&self.name, number)))
    }

    /// The build manifest.
    pub(crate) fn build_manifest(&self) -> PathBuf {
        self.record(format!("{}.manifest", self.name))
    }

    /// What the last build depended on, if a build like it has nothing to do.
    pub(crate) fn fresh(&self) -> PathBuf {
        self.record(format!("{}.fresh", self.name))
    }

    /// The imports that a serving script has stopped.
    pub(crate) fn stopped_imports(&self) -> PathBuf {
        self.record(format!("{}.stopped", self.name))
    }

    /// The file `name`, which only makes the next build faster.
    fn record(&self, name: String) -> PathBuf {
        let file = self.dir.join(name);
        self.records.as_ref().map_or_else(|| file.clone(), |cache| cache.record_file(&file))
    }

    /// The lock file as it should be.
    pub(crate) fn expected_lock(&self) -> PathBuf {
        self.dir.join(format!("{}.lock", self.name))
    }
}
