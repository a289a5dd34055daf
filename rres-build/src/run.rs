//! One run of a build: sources → imported set → packs or dev index → module. One method a phase, each with what the
//! one before it made.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use rres_format::{AssetKind, ResourceId};

use crate::cache::{Cache, Seen, write_if_changed};
use crate::cargo;
use crate::codegen::{self, Constant, Group, Module, NameClash};
use crate::engine::{Asset, Engine, Failure, Stuck};
use crate::error::{Errors, Problem};
use crate::lock::{self, Lock, Reading};
use crate::pack::{AssetSet, Member, PackError, WrittenPacks, write_dev_index, write_packs};
use crate::progress::Listener;
use crate::report::{AssetReport, Bytes, Phases, Report};
use crate::serve;
use crate::settings::Rules;
use crate::site::Site;

/// What a run works with.
pub(crate) struct Run<'a> {
    pub(crate) site: &'a Site,
    pub(crate) rules: &'a Rules,
    pub(crate) cache: &'a Cache,
    /// The name of the pack.
    pub(crate) name: &'a str,
    /// The file of the module, in the output directory.
    pub(crate) module: &'a str,
    /// The runtime's path in the module.
    pub(crate) crate_path: &'a str,
    pub(crate) writes_packs: bool,
    /// Bytes that imports may take at once.
    pub(crate) memory: u64,
    pub(crate) progress: Option<&'a Listener>,
}

/// What the game will open.
struct Packed {
    set: AssetSet,
    packs: Option<WrittenPacks>,
    /// In debug builds.
    dev_index: Option<PathBuf>,
    /// The slot of each resource where the game looks first: in the dev index, else in its pack.
    slots: HashMap<ResourceId, u32>,
}

impl Run<'_> {
    /// Runs every phase; the build as a whole `started` a little earlier.
    pub(crate) fn phases(&self, started: Instant) -> Result<Report, Errors> {
        let set = self.import()?;
        let import = started.elapsed();

        let started = Instant::now();
        let packed = self.pack(set)?;
        let pack = started.elapsed();

        let started = Instant::now();
        let module = self.generate(&packed)?;
        let generate = started.elapsed();

        let Packed { set, packs, dev_index, .. } = packed;
        Ok(Report {
            assets: set.assets.iter().map(asset_report).collect(),
            pack_size: packs.as_ref().map_or(0, |packs| packs.size),
            packs: packs.map(|packs| packs.files).unwrap_or_default(),
            module,
            dev_index,
            phases: Phases { import, pack, generate },
        })
    }

    /// Brings every source into the cache.
    fn import(&self) -> Result<AssetSet, Errors> {
        let site = self.site;
        let (here, elsewhere) = (site.seen(self.name), self.cache.seen_file(self.name));
        let mut seen = Seen::read(&here);
        let is_own = seen.len() > 0;
        if !is_own {
            seen = Seen::read(&elsewhere);
        }
        let engine = Engine {
            dir: &site.assets,
            rules: self.rules,
            cache: self.cache,
            threads: site.threads,
            memory: self.memory,
            progress: self.progress,
            seen: &seen,
            // What is shipped is made of what is there, whatever the times of files say.
            trust_stamps: site.debug,
            same_rules: false,
            stuck: &Stuck::default(),
        };
        let imported = engine.run();
        // What was seen counts for the good files of a failed build, too.
        if !(is_own && imported.is_all_seen) {
            Seen::write(&[&here, &elsewhere], imported.sights(), imported.began);
        }
        if !imported.failures.is_empty() {
            return Err(Failure::errors(imported.failures));
        }
        let lock = match self.rules.pack().lock {
            true => read_lock(site, &imported.assets)?,
            false => Lock::default(),
        };
        AssetSet::new(imported.assets, self.rules, &lock, |path| site.place(path))
            .map_err(|rejected| Failure::errors(rejected.failures))
    }

    /// Makes of the imported forms what the game opens.
    fn pack(&self, mut set: AssetSet) -> Result<Packed, Errors> {
        let site = self.site;
        let write = |set: &AssetSet| write_packs(set, self.cache, self.rules.pack(), &site.out_dir, self.name);
        let packs = match self.writes_packs.then(|| write(&set)) {
            // Found out only by reading them whole. They are made again, once.
            Some(Err(PackError::Blobs(damaged))) => {
                let cache = self.cache;
                cache.discard(&damaged).map_err(|e| Problem::io("repair the import cache", cache.dir(), &e))?;
                set = self.import()?;
                Some(write(&set)?)
            }
            written => written.transpose()?,
        };
        let dev_index = site.debug.then(|| site.dev_index(self.name));
        let dev_slots = dev_index.as_deref().map(|index| self.write_dev_index(&set, index)).transpose()?;
        match set.over_budget(self.rules) {
            over if over.is_empty() => {}
            over => return Err(Errors::new(over)),
        }
        let slots = dev_slots.or_else(|| packs.as_ref().map(|packs| packs.slots.clone())).unwrap_or_default();
        Ok(Packed { set, packs, dev_index, slots })
    }

    fn write_dev_index(&self, set: &AssetSet, index: &Path) -> Result<HashMap<ResourceId, u32>, Problem> {
        let slots = write_dev_index(set, index)?;
        // Blobs that are pruned, or removed with the whole cache, have to be made again.
        let root = self.cache.register(index).map_err(|e| Problem::io("write it", self.cache.dir(), &e))?;
        if self.site.in_cargo {
            cargo::watch_file(&root);
        }
        Ok(slots)
    }

    /// Writes the module, and returns its file.
    fn generate(&self, packed: &Packed) -> Result<PathBuf, Errors> {
        let Self { site, cache, name, .. } = self;
        let Packed { set, packs, dev_index, slots } = packed;
        let serve = match site.serves() {
            true => serve::record_file(&site.out_dir, name).display().to_string(),
            false => String::new(),
        };
        let module = Module {
            crate_path: self.crate_path.to_owned(),
            dev: dev_index.as_ref().map(|index| codegen::Dev {
                index: index.display().to_string(),
                blobs: cache.blobs().display().to_string(),
                assets: site.assets.display().to_string(),
                serve,
            }),
            pack_path_tail: packs.as_ref().and_then(|packs| path_tail(&packs.files[0])),
            set_hash: set.hash,
            locks: self.rules.pack().lock,
            constants: constants(set, slots),
            groups: groups(set),
            ..Module::new(*name)
        };
        let text = codegen::generate(&module).map_err(|clashes| {
            let problem = |clash: &NameClash| Problem::new(site.place(clash.second()), clash.to_string());
            Errors::new(clashes.iter().map(problem).collect())
        })?;
        let file = site.out_dir.join(self.module);
        write_if_changed(&file, text.as_bytes()).map_err(|e| Problem::io("write it", &file, &e))?;
        Ok(file)
    }
}

/// The lock, which has to fit the assets. The first debug build makes it; Cargo runs the script once more for that.
fn read_lock(site: &Site, assets: &[Asset]) -> Result<Lock, Errors> {
    let file = lock::file(&site.assets);
    match Lock::read(&file, Reading::Strict).map_err(Errors::new)? {
        Some(lock) => match lock.check(assets, &file) {
            Some(problem) => Err(problem.into()),
            None => Ok(lock),
        },
        None if site.serves() => {
            let lock = Lock::default().adopt(assets, &[], |_| Vec::new());
            write_if_changed(&file, lock.text().as_bytes()).map_err(|e| Problem::io("write it", &file, &e))?;
            Ok(lock)
        }
        None => Err(lock::missing(&file).into()),
    }
}

fn asset_report(asset: &Asset) -> AssetReport {
    let first = asset.sight.parts.first();
    AssetReport {
        path: asset.path.clone(),
        kind: first.map_or(AssetKind::Raw, |part| part.kind),
        summary: first.map(|part| part.summary.clone()).unwrap_or_default(),
        cached: asset.cached,
        source_size: asset.source_size,
        stored_size: asset.stored_size(),
        took: asset.took,
    }
}

fn constants(set: &AssetSet, slots: &HashMap<ResourceId, u32>) -> Vec<Constant> {
    let needed: HashSet<_> = set.members.iter().flat_map(|member| member.dependencies.iter().copied()).collect();
    let constant = |member: &Member| {
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

fn groups(set: &AssetSet) -> Vec<Group> {
    let stored_size = |member: &Member| u64::from(set.assets[member.asset].sight.parts[member.part].stored_size);
    let sizes: HashMap<_, _> = set.members.iter().map(|member| (member.id, stored_size(member))).collect();
    let group = |group: &rres_format::index::GroupSpec| {
        let bytes = group.members.iter().filter_map(|id| sizes.get(id)).sum();
        Group {
            name: group.name.clone(),
            members: group.members.clone(),
            doc: format!("{} assets, {} stored", group.members.len(), Bytes(bytes)),
        }
    };
    set.groups.iter().map(group).collect()
}

/// The path of the pack from the directory that holds both Cargo's build output and the executables, so that
/// `cargo build --release` and a start by hand work without an absolute path in the program.
fn path_tail(pack: &Path) -> Option<String> {
    let parts: Vec<&str> = pack.iter().filter_map(|part| part.to_str()).collect();
    let build = parts.iter().rposition(|part| *part == "build")?;
    Some(parts[build..].join("/"))
}
