//! Entry points for the fuzz targets of this repository, which reach what no other crate can call. Not part of the API.

use std::path::Path;
use std::sync::Arc;

use rres_format::{AssetKind, ResourceId, normalize_path};
use rres_protocol::packed_id::Slot;

use crate::cache;
use crate::codegen::{Constant, Module, generate};
use crate::facts::Facts;
use crate::import::{ImportError, InputFiles, Source, importer_for};
use crate::lock_file::LockFile;
use crate::settings::{Rules, Settings, TargetCfg};

/// Sources that an importer may take 64 MiB for, since a fuzzer imports thousands a second.
const MAX_MEMORY: u64 = 64 << 20;

struct NoFiles;

impl InputFiles for NoFiles {
    fn find(&mut self, _path: &str) -> Option<String> {
        None
    }

    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        Err(ImportError::new(format!("{path} does not exist")))
    }

    fn list(&mut self, _glob: &str) -> Result<Vec<String>, ImportError> {
        Ok(Vec::new())
    }
}

/// Imports a file of this kind and extension: what it became.
///
/// # Errors
/// Why not; also if it would take much memory.
pub fn import(kind: AssetKind, extension: &str, bytes: &[u8]) -> Result<String, String> {
    let importer = importer_for(kind).map_err(|error| error.to_string())?;
    let settings = Settings::default();
    let path = format!("fuzz.{extension}");
    let mut files = NoFiles;
    let mut source = Source::new(&path, bytes, &settings, &mut files);
    if importer.memory(&source) > MAX_MEMORY {
        return Err("takes too much memory".to_owned());
    }
    let resources = importer.import(&mut source).map_err(|error| error.to_string())?;
    Ok(resources.into_iter().map(|resource| resource.summary).collect::<Vec<_>>().join("; "))
}

/// Reads a settings file and applies it to a few paths. Returns the number of its faults.
pub fn settings(text: &str) -> usize {
    let (rules, faults) = Rules::parse(Path::new("assets.toml"), text, &TargetCfg::new(["unix"]), &Arc::default());
    for path in ["a.png", "music/deep/b.ogg", "ü/c.ttf", "d"] {
        let settings = rules.resolve(path);
        let _ = rules.contradiction(path, &[AssetKind::Image], &settings);
    }
    faults.len() + rules.unmatched(["a.png"]).len()
}

/// Reads a lock file, which must be the same after it is written and read.
pub fn lock_file(text: &str) {
    let lock = LockFile::parse_lenient(text);
    let again = LockFile::parse_lenient(&lock.text());
    assert_eq!(lock.text(), again.text());
}

/// Reads any bytes as each record that a cache has.
pub fn records(bytes: &[u8]) {
    cache::fuzz_records(bytes);
}

/// The generated module of assets with these names; `None` if no asset can have one of them, or two become one constant.
pub fn module<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut constants = Vec::new();
    for name in names {
        let path = normalize_path(name).ok()?;
        constants.push(Constant {
            id: ResourceId::from_path(&path),
            slot: Slot(constants.len() as u32),
            kind: AssetKind::Raw,
            custom: None,
            doc: path.clone(),
            rename: None,
            facts: Facts::Unknown,
            stored_size: 1,
            is_needed: false,
            needs: None,
            parts: Vec::new(),
            path,
        });
    }
    constants.sort_by(|a, b| a.path.cmp(&b.path));
    constants.dedup_by(|a, b| a.path == b.path);
    generate(&Module { constants, ..Module::new("fuzz") }).ok()
}
