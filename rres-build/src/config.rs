//! The builder: every option of a build, with its default.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::time::Instant;

use crate::advice;
use crate::cache::{Seen, cache_size_limit, sweep_parts, write_if_changed};
use crate::cargo::{self, Environment};
use crate::codegen::{self, Constant, Module};
use crate::discover::SETTINGS_FILE;
use crate::engine::{Asset, Engine, Failure, Stuck, read_rules};
use crate::error::{Errors, Problem};
use crate::lock::{self, Lock, Reading};
use crate::pack::{AssetSet, PackError, write_dev_index, write_packs};
use crate::progress::{Listener, Progress};
use crate::report::{AssetReport, Bytes, Phases, Report};
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
        let lock_file = lock::file(&site.assets);
        let rules = self.rules(&site.assets);
        let locks = rules.as_ref().is_ok_and(|rules| rules.pack().lock);
        if site.in_cargo {
            let settings = site.assets.join(SETTINGS_FILE);
            match locks && site.debug {
                true => cargo::watch([lock_file.as_path(), settings.as_path()]),
                false => cargo::watch([site.assets.as_path()]),
            }
        }
        let rules = rules.map_err(Errors::new)?;
        let cache_size = cache_size_limit()
            .map_err(|message| Problem::new("RRES_CACHE_SIZE", message).help("set the variable, or unset it"))?;
        let name = self.pack_name(rules.pack().name.as_deref());
        let out_dir = &site.out_dir;
        let serves = site.in_cargo && site.debug;
        if serves {
            // Before anything can go wrong with the assets, which serving is to put right.
            serve::write_record(out_dir, &name, &self.module)?;
        }
        let cache = site.cache()?;
        sweep_parts(out_dir);
        // What is shipped is made of what is there, whatever the times of files say.
        let (seen_here, seen_elsewhere) = (site.seen(&name), cache.seen_file(&name));
        let mut seen = Seen::read(&seen_here);
        let is_own = seen.len() > 0;
        if !is_own {
            seen = Seen::read(&seen_elsewhere);
        }
        let engine = Engine {
            dir: &site.assets,
            rules: &rules,
            cache: &cache,
            threads: site.threads,
            memory: self.memory,
            progress: self.progress.as_ref(),
            seen: &seen,
            trust_stamps: site.debug,
            same_rules: false,
            stuck: &Stuck::default(),
        };
        let place = |path: &str| site.place(path);
        let gather = || {
            let imported = engine.run();
            // What was seen counts for the good files of a failed build, too.
            if !(is_own && imported.is_all_seen) {
                Seen::write(&[&seen_here, &seen_elsewhere], imported.sights(), imported.began);
            }
            if !imported.failures.is_empty() {
                return Err(Failure::errors(imported.failures));
            }
            let lock = match locks {
                true => read_lock(&lock_file, &imported.assets, &site)?,
                false => Lock::default(),
            };
            AssetSet::new(imported.assets, &rules, &lock, place).map_err(|rejected| Failure::errors(rejected.failures))
        };
        let mut set = gather()?;
        let import = started.elapsed();

        let pack_started = Instant::now();
        let write = |set: &AssetSet| write_packs(set, &cache, rules.pack(), out_dir, &name);
        let packs = match self.pack == PackMode::Always || !site.debug {
            true => Some(match write(&set) {
                // Found out only by reading them whole. They are made again, once.
                Err(PackError::Blobs(damaged)) => {
                    cache.discard(&damaged).map_err(|e| Problem::io("repair the import cache", cache.dir(), &e))?;
                    set = gather()?;
                    write(&set)?
                }
                written => written?,
            }),
            false => None,
        };
        let dev_index = site.debug.then(|| site.dev_index(&name));
        let dev_slots = dev_index.as_deref().map(|file| write_dev_index(&set, file)).transpose()?;
        if let Some(index) = &dev_index {
            // Blobs that are pruned, or removed with the whole cache, have to be made again.
            let root = cache.register(index).map_err(|e| Problem::io("write it", cache.dir(), &e))?;
            if site.in_cargo {
                cargo::watch_file(&root);
            }
        }
        match set.over_budget(&rules) {
            over if over.is_empty() => {}
            over => return Err(Errors::new(over)),
        }
        let pack = pack_started.elapsed();

        let generate_started = Instant::now();
        let slots = dev_slots.or_else(|| packs.as_ref().map(|packs| packs.slots.clone())).unwrap_or_default();
        let dev = dev_index.as_ref().map(|index| codegen::Dev {
            index: index.display().to_string(),
            blobs: cache.blobs().display().to_string(),
            assets: site.assets.display().to_string(),
            serve: if serves { serve::record_file(out_dir, &name).display().to_string() } else { String::new() },
        });
        let module = Module {
            crate_path: self.crate_path.clone(),
            dev,
            pack_path_tail: packs.as_ref().and_then(|packs| path_tail(&packs.files[0])),
            set_hash: set.hash,
            locks,
            constants: constants(&set, &slots),
            groups: groups(&set),
            ..Module::new(name)
        };
        let text = codegen::generate(&module).map_err(|clashes| {
            let problem = |clash: &codegen::NameClash| Problem::new(place(clash.second()), clash.to_string());
            Errors::new(clashes.iter().map(problem).collect())
        })?;
        let module = out_dir.join(&self.module);
        write_if_changed(&module, text.as_bytes()).map_err(|e| Problem::io("write it", &module, &e))?;
        let generate = generate_started.elapsed();

        let report = Report {
            assets: set.assets.iter().map(asset_report).collect(),
            pack_size: packs.as_ref().map_or(0, |packs| packs.size),
            packs: packs.map(|packs| packs.files).unwrap_or_default(),
            module,
            dev_index,
            phases: Phases { import, pack, generate },
        };
        if report.imported() > 0 {
            cache.prune_if_due(cache_size);
        }
        if site.in_cargo {
            advice::advise(&report, out_dir);
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

/// The lock, which has to fit the assets. The first debug build makes it; Cargo runs the script once more for that.
fn read_lock(file: &Path, assets: &[Asset], site: &Site) -> Result<Lock, Errors> {
    match Lock::read(file, Reading::Strict).map_err(Errors::new)? {
        Some(lock) => match lock.check(assets, file) {
            Some(problem) => Err(problem.into()),
            None => Ok(lock),
        },
        None if site.debug && site.in_cargo => {
            let lock = Lock::default().adopt(assets, &[], |_| Vec::new());
            write_if_changed(file, lock.text().as_bytes()).map_err(|e| Problem::io("write it", file, &e))?;
            Ok(lock)
        }
        None => Err(lock::missing(file).into()),
    }
}

fn asset_report(asset: &Asset) -> AssetReport {
    let first = asset.sight.parts.first();
    AssetReport {
        path: asset.path.clone(),
        kind: first.map_or(crate::AssetKind::Raw, |part| part.kind),
        summary: first.map(|part| part.summary.clone()).unwrap_or_default(),
        cached: asset.cached,
        source_size: asset.source_size,
        stored_size: asset.stored_size(),
        took: asset.took,
    }
}

fn constants(set: &AssetSet, slots: &HashMap<rres_format::ResourceId, u32>) -> Vec<Constant> {
    let needed: HashSet<_> = set.members.iter().flat_map(|member| member.dependencies.iter().copied()).collect();
    let constant = |member: &crate::pack::Member| {
        let asset = &set.assets[member.asset];
        let part = &asset.sight.parts[member.part];
        let size = Bytes(part.stored_size.into());
        Constant {
            path: member.path.clone(),
            id: member.id,
            slot: slots.get(&member.id).copied().unwrap_or(0),
            kind: member.kind,
            doc: format!("{}, {size} stored ({})", part.summary, part.compression),
            rename: asset.settings.rename.clone().filter(|_| part.name.is_empty()),
            // A part comes with its asset: nobody has to name it.
            needed: needed.contains(&member.id) || !part.name.is_empty(),
        }
    };
    set.members.iter().map(constant).collect()
}

fn groups(set: &AssetSet) -> Vec<codegen::Group> {
    let of_group = |group: &rres_format::index::GroupSpec| {
        let members = set.members.iter().filter(|member| group.members.contains(&member.id));
        let bytes =
            members.map(|member| u64::from(set.assets[member.asset].sight.parts[member.part].stored_size)).sum();
        codegen::Group {
            name: group.name.clone(),
            members: group.members.clone(),
            doc: format!("{} assets, {} stored", group.members.len(), Bytes(bytes)),
        }
    };
    set.groups.iter().map(of_group).collect()
}

/// The path of the pack from the directory that holds both Cargo's build output and the executables, so that
/// `cargo build --release` and a start by hand work without an absolute path in the program.
fn path_tail(pack: &Path) -> Option<String> {
    let parts: Vec<&str> = pack.iter().filter_map(|part| part.to_str()).collect();
    let build = parts.iter().rposition(|part| *part == "build")?;
    Some(parts[build..].join("/"))
}
