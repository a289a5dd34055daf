//! Machines that share a cache: each is a directory of a cache, with builds of the same sources.

mod faults;
#[cfg(all(feature = "grpc", unix))]
mod grpc;
mod s3;
mod server;
mod sharing;
mod sources;
mod surroundings;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_engine::cache::{Cache, RemoteUse};
use rres_engine::{Build, PackMode, RresImporters};
use rres_import::{Asset, Encoders, ImportError, Importer, Source};
use rres_remote_cache::{Config, ObjectCache};
use rres_settings::Description;

/// Reads texts, and puts what `#include other.txt` names in its place.
struct Texts;

impl Importer for Texts {
    fn describe(&self) -> Description {
        rres_import_text::TextImporter.describe()
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let text = source.text()?.to_owned();
        match text.strip_prefix("#include ") {
            Some(name) => {
                let other = source.read_input(name.trim())?;
                Ok(vec![Asset::raw(&other, ".txt")])
            }
            None => Ok(vec![Asset::raw(text.as_bytes(), ".txt")]),
        }
    }
}

/// A machine: its import cache, and a directory of sources.
struct Machine {
    dir: PathBuf,
    /// Its directory, unless another machine is its owner.
    _own: Option<tempfile::TempDir>,
    config: Config,
}

impl Machine {
    fn new(config: Config) -> Self {
        let own = tempfile::tempdir().unwrap();
        let machine = Self { dir: own.path().to_owned(), _own: Some(own), config };
        fs::create_dir(machine.assets()).unwrap();
        machine
    }

    /// The machine in a directory that exists.
    fn at(dir: PathBuf, config: Config) -> Self {
        Self { dir, _own: None, config }
    }

    fn path(&self) -> &Path {
        &self.dir
    }

    fn assets(&self) -> PathBuf {
        self.dir.join("assets")
    }

    fn cache(&self) -> Cache {
        Cache::at(self.dir.join("cache"))
    }

    fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.assets().join(path), contents).unwrap();
    }

    /// Writes `count` files, each of its own bytes.
    fn write_files(&self, count: usize) {
        for number in 0..count {
            // Bytes that do not become smaller.
            let mut bytes = vec![0; 500 + number * 37 % 3000];
            blake3::Hasher::new().update(&number.to_le_bytes()).finalize_xof().fill(&mut bytes);
            self.write(&format!("{number:04}.bin"), bytes);
        }
    }

    /// Builds a pack, and returns its bytes and what the build has had from the remote cache.
    fn build(&self) -> (Vec<u8>, Option<RemoteUse>) {
        self.try_build().unwrap()
    }

    fn try_build(&self) -> Result<(Vec<u8>, Option<RemoteUse>), String> {
        // The manifest of the last build says what has not changed.
        let out = self.dir.join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
        let importers = RresImporters::new(
            |name| (name == "text").then(|| Arc::new(Texts) as Arc<dyn Importer>),
            Encoders::default(),
        );
        let remote = ObjectCache::open(self.config.clone())?.keep_in(Some(self.dir.join("remote")));
        let build = Build::new(self.assets()).out_dir(&out).cache_dir(self.cache().dir()).debug(false);
        let build = build.with_rres_importers(Arc::new(importers)).pack_mode(PackMode::Release).packs_only();
        let report = build.name("game").remote_cache(Arc::new(remote)).build().map_err(|e| e.to_string())?;
        Ok((read(&out.join("game.rres")), report.remote_cache))
    }

    /// Forgets what the machine has imported.
    fn forget(&self) {
        let _ = fs::remove_dir_all(self.cache().dir());
        let _ = fs::remove_dir_all(self.dir.join("remote"));
    }
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// A machine that adds to the cache at an address.
fn writer(address: &str) -> Machine {
    let mut config = Config::new(address);
    config.writes = true;
    Machine::new(config)
}

/// A machine that only reads.
fn reader(address: &str) -> Machine {
    Machine::new(Config::new(address))
}
