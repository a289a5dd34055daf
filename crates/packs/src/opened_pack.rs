//! Opens `.rres` files, damaged ones included, and files of other engines as the packs that a build makes of them.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_engine::{ForeignFile, RresImporters, import_foreign, is_foreign};
use rres_format::seal::Keys;
use rres_format::{Header, PackView};
use rres_runtime::{ErrorKind, Pack, PackOptions};

use crate::error::{Error, Result};
use crate::executable::Program;
use crate::keyring::Keyring;
use crate::text::escape_terminal;

/// An `.rres` file whose file header is intact, or a file of another engine.
pub struct OpenedPack {
    path: PathBuf,
    keys: Option<Keys>,
    contents: Contents,
    foreign: Option<Foreign>,
}

/// What is known of a file of another engine besides the pack that it became.
#[derive(Debug)]
pub struct Foreign {
    /// The name of its importer.
    pub importer: String,
    /// What is damaged and not in the pack, with the name of the file.
    pub faults: Vec<String>,
    /// What to know about what is in the pack, with the name of the file.
    pub notes: Vec<String>,
}

enum Contents {
    /// A pack that the runtime can open.
    Intact(Box<Pack>),
    /// A pack that the runtime refuses.
    Damaged { bytes: Vec<u8>, damage: Damage },
}

/// The reason why the runtime refuses a pack.
#[derive(Clone, Debug)]
pub enum Damage {
    /// The front index cannot be read. The view of the pack shows it as padding.
    Index(String),
    /// Anything else.
    Other(String),
}

/// How packs are opened: with which key, and with which importers of files of other engines.
#[derive(Clone, Debug, Default)]
pub struct PackOpener {
    keys: Option<Keys>,
    importers: Option<Arc<RresImporters>>,
}

impl PackOpener {
    /// Opens packs with a key, if there is one.
    #[must_use]
    pub fn keys(mut self, keys: Option<Keys>) -> Self {
        self.keys = keys;
        self
    }

    /// Opens files of other engines with these importers.
    #[must_use]
    pub fn importers(mut self, importers: Arc<RresImporters>) -> Self {
        self.importers = Some(importers);
        self
    }

    /// Opens a pack, or a file of another engine.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::Unavailable`] if a file of another engine cannot be imported.
    pub fn read(&self, path: &Path) -> Result<OpenedPack> {
        let importers = self.importers.as_ref().filter(|importers| is_foreign(path, importers));
        let Some(importers) = importers.filter(|_| !starts_like_a_pack(path)) else { return self.open(path) };
        let cannot_open = |why: String| Error::Unavailable(format!("cannot open {}: {why}", path.display()));
        let ForeignFile { importer, pack, faults, notes } =
            import_foreign(path, importers).map_err(|error| cannot_open(error.to_string()))?;
        let pack = self.pack_options().from_bytes(pack).map_err(|error| cannot_open(error.to_string()))?;
        let foreign = Some(Foreign { importer, faults, notes });
        Ok(self.opened(path, Contents::Intact(Box::new(pack)), foreign))
    }

    /// Opens a pack. Succeeds for damaged packs, too, if their file header is intact.
    ///
    /// # Errors
    /// [`Error::Fault`] if the file header is damaged; [`Error::Unavailable`] if the file cannot be read, or the key is wrong.
    pub fn open(&self, path: &Path) -> Result<OpenedPack> {
        let cannot_open = |why: String| Error::Unavailable(format!("cannot open {}: {why}", path.display()));
        let metadata = fs::metadata(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => cannot_open("no such file".to_owned()),
            _ => cannot_open(e.to_string()),
        })?;
        if metadata.is_dir() {
            let help = format!("pack its files with `cargo rres pack {} -o OUT.rres`", path.display());
            return Err(cannot_open(format!("it is a directory, expected an .rres file; {help}")));
        }
        if !metadata.is_file() {
            return Err(cannot_open("it is not a regular file".to_owned()));
        }
        let error = match self.pack_options().open(path) {
            Ok(pack) => return Ok(self.opened(path, Contents::Intact(Box::new(pack)), None)),
            Err(error) => error,
        };
        if let ErrorKind::Format(rres_format::Error::WrongKey { .. }) = error.kind() {
            return Err(Error::Unavailable(error.to_string()));
        }
        let message = match error.kind() {
            ErrorKind::Format(error) => error.to_string(),
            ErrorKind::Io(error) => return Err(cannot_open(error.to_string())),
            _ => error.to_string(),
        };
        if let Some(packs) = packs_in_executable(path) {
            let text = format!(
                "it is an executable with packs in it: {packs}; write them to files with `cargo rres exe extract {} -o DIR`",
                path.display()
            );
            return Err(cannot_open(text));
        }
        let bytes = fs::read(path).map_err(|e| cannot_open(e.to_string()))?;
        if let Err(error) = Header::parse(&bytes) {
            return Err(Error::Fault(format!("{}: {error}", path.display())));
        }
        let damage = if PackView::parse(&bytes).is_ok() {
            Damage::Other(message)
        } else {
            // Only the front index can be at fault.
            Damage::Index(message)
        };
        Ok(self.opened(path, Contents::Damaged { bytes, damage }, None))
    }

    /// Returns the options to open packs for loading with.
    pub fn pack_options(&self) -> PackOptions {
        match &self.keys {
            Some(keys) => PackOptions::default().keys(keys.clone()),
            None => PackOptions::default(),
        }
    }

    fn opened(&self, path: &Path, contents: Contents, foreign: Option<Foreign>) -> OpenedPack {
        OpenedPack { path: path.to_owned(), keys: self.keys.clone(), contents, foreign }
    }
}

impl fmt::Debug for OpenedPack {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedPack").field("path", &self.path).field("damage", &self.damage()).finish_non_exhaustive()
    }
}

impl OpenedPack {
    /// Returns the key of its encrypted chunks.
    pub fn keyring(&self) -> Keyring<'_> {
        Keyring::new(self.keys.as_ref())
    }

    /// Returns a view of the chunks.
    pub fn view(&self) -> PackView<'_> {
        match &self.contents {
            Contents::Intact(pack) => pack.view(),
            Contents::Damaged { bytes, damage: Damage::Other(_) } => {
                PackView::parse(bytes).expect("`open` has parsed it")
            }
            Contents::Damaged { bytes, damage: Damage::Index(_) } => {
                PackView::parse_without_index(bytes).expect("`open` has parsed the file header")
            }
        }
    }

    /// Returns the pack for loading assets, or `None` if the runtime cannot open it.
    pub fn runtime_pack(&self) -> Option<&Pack> {
        match &self.contents {
            Contents::Intact(pack) => Some(pack),
            Contents::Damaged { .. } => None,
        }
    }

    /// Returns the reason why the runtime cannot open the pack, or `None` if it can.
    pub fn damage(&self) -> Option<&Damage> {
        match &self.contents {
            Contents::Intact(_) => None,
            Contents::Damaged { damage, .. } => Some(damage),
        }
    }

    /// Returns what is known of it if it is a file of another engine.
    pub fn foreign(&self) -> Option<&Foreign> {
        self.foreign.as_ref()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is the dev index of a debug build, which contains no bytes of assets.
    pub fn is_dev_index(&self) -> bool {
        self.view().index().is_some_and(|index| index.is_dev())
    }

    /// Returns the path of the file as the user gave it.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// Returns the names of the packs in an executable, or `None` if the file is none, or has none.
fn packs_in_executable(path: &Path) -> Option<String> {
    let program = Program::open(path).ok()?;
    let packs = program.appended.iter().chain(&program.linked).flat_map(|attachment| &attachment.packs);
    let names: Vec<String> = packs.map(|pack| escape_terminal(&pack.name)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Whether a file begins like a pack.
pub fn starts_like_a_pack(path: &Path) -> bool {
    let mut signature = [0; 4];
    // Opening a FIFO would wait for its writer.
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
    is_file && File::open(path).and_then(|mut file| file.read_exact(&mut signature)).is_ok() && signature == *b"rres"
}
