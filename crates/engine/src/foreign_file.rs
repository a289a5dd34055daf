//! A file of another engine, imported by itself into a pack in memory: what `cargo rres ls`, `extract` and their like show of it.
//!
//! The importers are the same as in builds, with the settings of builds without rules, so that paths, ids and contents are what a build of the
//! directory of the file gives. In contrast to a build, what is not damaged is imported although other parts of the file are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use rres_format::index::GroupSpec;
use rres_format::limits::MAX_NAME_LEN;
use rres_format::{Compression, Compressor, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_import::{Asset, ImportError, InputFiles, Source};
use rres_protocol::files::local_path;
use rres_protocol::sub_asset;

use crate::import::{Origin, RegisteredImporter, RresImporters, is_lfs_pointer, refuse_pointer};
use crate::model::{Dependency, extension_of, resolve_relative, resource_path};
use crate::pipeline::{find_in, folder_groups};
use crate::read_file::read_file;
use crate::settings::{Settings, glob_matches};

/// The assets in a file of another engine.
#[derive(Debug)]
pub struct ForeignFile {
    /// The name of the importer.
    pub importer: String,
    /// A pack of the assets, without compression.
    pub pack: Vec<u8>,
    /// What is damaged and not in the pack, with the name of the file.
    pub faults: Vec<String>,
    /// What to know about the assets, with the name of the file.
    pub notes: Vec<String>,
}

/// Whether a file is one of another engine, which an importer makes several assets of.
pub fn is_foreign(file: &Path, importers: &RresImporters) -> bool {
    file.to_str().is_some_and(|path| importer_of(path, file, importers).is_some()) && file.is_file()
}

/// Imports a file of another engine; of a database, all archives. What the assets need of other files in the same directory and in those below is
/// imported as well.
///
/// # Errors
/// If the file cannot be read, or does not fit a pack.
pub fn import_foreign(file: &Path, importers: &RresImporters) -> io::Result<ForeignFile> {
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| io::Error::other("its name is not valid UTF-8"))?;
    let dir = file.parent().unwrap_or(Path::new(""));
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    let mut files = Files { dir, importers, imported: HashMap::new() };
    let mut chosen = Chosen::default();
    read_file(file)?;
    let importer = importer_of(name, file, importers).map_or_else(String::new, |importer| importer.name().to_owned());
    for path in files.members(name) {
        let File { assets, faults } = files.import(&path);
        chosen.add_faults(&path, faults);
        assets.into_iter().for_each(|asset| chosen.add(&path, asset));
    }
    chosen.add_needed(&mut files);
    chosen.into_pack(importer, importers)
}

/// The importer of files of another engine that takes the file at `path`.
fn importer_of<'i>(path: &str, file: &Path, importers: &'i RresImporters) -> Option<&'i Arc<RegisteredImporter>> {
    let extension = extension_of(path.rsplit(['/', '\\']).next().unwrap_or(path));
    let containers = importers.iter().filter(|importer| importer.own_kind().is_none());
    containers.into_iter().find(|importer| importer.description.takes_file(extension, file))
}

/// The files of the directory.
struct Files<'d> {
    dir: &'d Path,
    importers: &'d RresImporters,
    /// What was imported because something needs a part of it, by path: the assets that nothing has needed so far.
    imported: HashMap<String, File>,
}

/// What a file became.
#[derive(Default)]
struct File {
    assets: Vec<Asset>,
    faults: Vec<String>,
}

impl Files<'_> {
    /// The file and those that belong to it.
    fn members(&self, name: &str) -> Vec<String> {
        let Some(importer) = importer_of(name, &self.dir.join(name), self.importers) else {
            return vec![name.to_owned()];
        };
        let Origin::Rres(row) = importer.origin else { return vec![name.to_owned()] };
        let extension = extension_of(name);
        let stem = &name[..name.len() - extension.len()];
        let members = (row.members)(extension).iter().filter_map(|other| find_in(self.dir, &format!("{stem}{other}")));
        std::iter::once(name.to_owned()).chain(members).collect()
    }

    /// Imports a file, as far as it is not damaged.
    fn import(&self, path: &str) -> File {
        match self.try_import(path) {
            Ok(file) => file,
            Err(error) => File { assets: Vec::new(), faults: vec![error.to_string()] },
        }
    }

    fn try_import(&self, path: &str) -> Result<File, ImportError> {
        let file = self.dir.join(local_path(path));
        let unread = |error: io::Error| ImportError::new(format!("cannot be read: {error}"));
        let bytes = read_file(&file).map_err(unread)?;
        if is_lfs_pointer(&bytes) {
            return Err(refuse_pointer());
        }
        // A file that another one needs by this name may be of another program.
        let importer =
            importer_of(path, &file, self.importers).ok_or_else(|| ImportError::new("is not a file of the engine"))?;
        let (settings, mut inputs) = (Settings::default(), Beside(self.dir));
        let source = Source::new(path, &bytes, &settings, &mut inputs).with_encoders(self.importers.encoders);
        let mut source = source.for_importer(&importer.description).in_parts();
        let assets = importer.get()?.import(&mut source)?;
        Ok(File { assets, faults: source.into_faults().iter().map(ToString::to_string).collect() })
    }

    /// Takes an asset of a file that was not chosen.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn take(&mut self, path: &str, name: &str) -> Result<Asset, Vec<String>> {
        if !self.imported.contains_key(path) {
            let file = self.import(path);
            self.imported.insert(path.to_owned(), file);
        }
        let file = self.imported.get_mut(path).ok_or_else(Vec::new)?;
        let found = file.assets.iter().position(|asset| asset.name == name);
        found.map(|at| file.assets.swap_remove(at)).ok_or_else(|| file.faults.clone())
    }
}

/// The assets of the pack.
#[derive(Default)]
struct Chosen {
    /// With the path of the source.
    assets: Vec<(String, Asset)>,
    faults: BTreeSet<String>,
    notes: Vec<String>,
    /// The path of each id.
    ids: HashMap<ResourceId, String>,
}

impl Chosen {
    fn add_faults(&mut self, path: &str, faults: Vec<String>) {
        self.faults.extend(faults.into_iter().map(|fault| format!("{path}: {fault}")));
    }

    /// Adds an asset, if a pack can hold it beside the others.
    fn add(&mut self, source: &str, asset: Asset) {
        let path = resource_path(source, &asset.name);
        if path.len() > MAX_NAME_LEN {
            let fault = format!("the path of its sub-asset \"{}\" is longer than {MAX_NAME_LEN} bytes", asset.name);
            return self.add_faults(source, vec![fault]);
        }
        let id = ResourceId::from_path(&path);
        if let Some(other) = self.ids.get(&id) {
            return self.add_faults(source, vec![format!("\"{path}\" has the same id as \"{other}\", {id}")]);
        }
        self.notes.extend(asset.notes.iter().map(|note| match note.detail.as_str() {
            "" => format!("{source}: {}", note.topic),
            detail => format!("{source}: {} ({detail})", note.topic),
        }));
        self.ids.insert(id, path);
        self.assets.push((source.to_owned(), asset));
    }

    /// Adds what the assets need of other files, and what that needs.
    fn add_needed(&mut self, files: &mut Files<'_>) {
        let mut tried: HashSet<String> = HashSet::new();
        let mut next = 0;
        while let Some((source, asset)) = self.assets.get(next) {
            next += 1;
            let needed: Vec<String> =
                asset.dependencies.iter().map(|dependency| dependency_path(source, dependency)).collect();
            for path in needed {
                if self.ids.contains_key(&ResourceId::from_path(&path)) || !tried.insert(path.clone()) {
                    continue;
                }
                let (file, name) = sub_asset::split(&path).unwrap_or((&path, ""));
                match files.take(file, name) {
                    Ok(asset) => self.add(file, asset),
                    Err(faults) => self.add_faults(file, faults),
                }
            }
        }
    }

    fn into_pack(self, importer: String, importers: &RresImporters) -> io::Result<ForeignFile> {
        let mut builder = PackBuilder::new();
        let mut compressor = Compressor::default();
        let mut groups: BTreeMap<String, Vec<ResourceId>> = BTreeMap::new();
        let not_stored = |error: rres_format::Error| io::Error::other(format!("what is in it fits no pack: {error}"));
        for (source, asset) in self.assets {
            let mut chunks = Vec::with_capacity(asset.blocks.len());
            for block in &asset.blocks {
                let chunk = StoredChunk::encode(block.kind, &block.bytes, Compression::NONE, &mut compressor);
                let chunk = chunk.map_err(not_stored)?;
                chunks.push(if block.linked { chunk } else { chunk.unlinked() });
            }
            let mut resource = Resource::new(resource_path(&source, &asset.name), chunks).with_kind(asset.kind);
            let dependencies = asset.dependencies.iter().map(|dependency| dependency_path(&source, dependency));
            resource.dependencies = dependencies.map(|path| ResourceId::from_path(&path)).collect();
            resource.meta = asset.meta;
            let is_grouped = |of: &Arc<RegisteredImporter>| {
                of.description.folders_are_groups && of.description.takes(extension_of(&source))
            };
            let folders = asset.name.rsplit_once('/').filter(|_| importers.iter().any(is_grouped));
            if let Some((folders, _)) = folders {
                let names = folder_groups(&source, folders).into_iter();
                names.for_each(|name| groups.entry(name).or_default().push(resource.id));
            }
            builder.push(resource);
        }
        for (name, mut members) in groups {
            members.dedup();
            builder.push_group(GroupSpec { name, members });
        }
        let pack = builder.to_vec().map_err(not_stored)?;
        Ok(ForeignFile { importer, pack, faults: self.faults.into_iter().collect(), notes: self.notes })
    }
}

/// The path of a dependency of an asset of the file `source`.
fn dependency_path(source: &str, dependency: &Dependency) -> String {
    match dependency {
        Dependency::SubAsset(name) => resource_path(source, name),
        Dependency::Asset(path) | Dependency::Typed(path, _) | Dependency::Quantities(path) => {
            resolve_relative(source, path).unwrap_or_default()
        }
    }
}

/// The files in a directory and below it.
struct Beside<'d>(&'d Path);

impl InputFiles for Beside<'_> {
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        let file = self.0.join(local_path(path));
        let unread = |error| ImportError::new(format!("needs {}, which cannot be read: {error}", file.display()));
        Ok(read_file(&file).map_err(unread)?.into())
    }

    fn find(&mut self, path: &str) -> Option<String> {
        find_in(self.0, path)
    }

    /// Of the directory itself only: those below it may be anything.
    fn list(&mut self, glob: &str) -> Result<Vec<String>, ImportError> {
        let entries = self.0.read_dir().into_iter().flatten().filter_map(Result::ok);
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        let found = glob_matches(glob, names.iter().map(String::as_str)).map_err(ImportError::new)?;
        Ok(found.into_iter().map(str::to_owned).collect())
    }
}
