//! Entry points for the fuzz targets of this repository, which reach what no other crate can call. Not part of the API.

use std::path::Path;
use std::sync::Arc;

use rres_codegen::{Constant, Facts, Module, generate};
use rres_format::{AssetKind, ResourceId, normalize_path};
use rres_import::{Encoders, ImportError, Importer, InputFiles, Source};
use rres_protocol::packed_id::Slot;

use crate::cache;
use crate::import::RresImporters;
use crate::lock_file::LockFile;
use crate::settings::{Rules, Settings, TargetCfg};

/// Sources that an importer may take 64 MiB for, since a fuzzer imports thousands a second.
const MAX_MEMORY: u64 = 64 << 20;

/// The files beside a source: asset path and bytes.
struct Beside<'a>(&'a [(&'a str, &'a [u8])]);

impl InputFiles for Beside<'_> {
    fn find(&mut self, path: &str) -> Option<String> {
        let same = |file: &&(&str, &[u8])| file.0.eq_ignore_ascii_case(path);
        self.0.iter().find(same).map(|file| file.0.to_owned())
    }

    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError> {
        let file = self.0.iter().find(|file| file.0 == path);
        file.map(|file| file.1.into()).ok_or_else(|| ImportError::new(format!("{path} does not exist")))
    }

    fn list(&mut self, _glob: &str) -> Result<Vec<String>, ImportError> {
        Ok(self.0.iter().map(|file| file.0.to_owned()).collect())
    }
}

/// Imports a file of this kind and extension: what it became.
///
/// # Errors
/// Why not; also if it would take much memory.
pub fn import(importers: &RresImporters, kind: AssetKind, extension: &str, bytes: &[u8]) -> Result<String, String> {
    import_with(importers, kind, &format!("fuzz.{extension}"), "", &[], bytes)
}

/// Imports a file with the rules of a settings file, and other files beside it.
///
/// # Errors
/// As [`import`].
pub fn import_with(
    importers: &RresImporters,
    kind: AssetKind,
    path: &str,
    rules: &str,
    beside: &[(&str, &[u8])],
    bytes: &[u8],
) -> Result<String, String> {
    let importer = importers.of_kind(kind).get().map_err(|error| error.to_string())?;
    run((importer, importers.encoders), path, rules, beside, bytes)
}

/// Converts an NBR file as a build does: what it became.
///
/// # Errors
/// As [`import`].
pub fn import_nbr(importers: &RresImporters, bytes: &[u8]) -> Result<String, String> {
    let nbr = importers.iter().find(|importer| importer.name() == "nbr").ok_or("there is no importer")?;
    run((nbr.get().map_err(|error| error.to_string())?, importers.encoders), "fuzz.nbr", "", &[], bytes)
}

fn run(
    (importer, encoders): (&dyn Importer, Encoders),
    path: &str,
    rules: &str,
    beside: &[(&str, &[u8])],
    bytes: &[u8],
) -> Result<String, String> {
    let settings = match rules {
        "" => Settings::default(),
        rules => {
            let (rules, faults) =
                Rules::parse(Path::new("assets.toml"), rules, &TargetCfg::new(["unix"]), &Arc::default());
            assert!(faults.is_empty(), "a rule of the target is wrong");
            rules.resolve(path)
        }
    };
    let mut files = Beside(beside);
    let mut source = Source::new(path, bytes, &settings, &mut files).with_encoders(encoders);
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

/// What a build takes from a damaged blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Nothing: the source is imported again.
    Refused,
    /// The same as from the blob before.
    Same,
    /// Something else.
    Other,
}

/// Reads a blob after some of its bytes have changed.
///
/// # Panics
/// If `stored` is not a blob.
pub fn take_blob(stored: &[u8], changed: &[u8]) -> Taken {
    match cache::fuzz_change(stored, changed) {
        None => Taken::Refused,
        Some(true) => Taken::Same,
        Some(false) => Taken::Other,
    }
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
