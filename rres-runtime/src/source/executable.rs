//! The packs in the executable of this process, which `rres_format::embedded` finds.

use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_format::embedded::{self, Attachment, EmbeddedPack, LocateError};
use rres_protocol::files::pack_file_name;

use super::options::PackOptions;
use super::pack::Pack;
use super::pack::set::set;
use crate::bytes::Backing;
use crate::error::{Error, ErrorKind, Result};
use crate::map::Map;

/// The executable of this process, and the packs in it.
#[derive(Debug)]
pub(crate) struct OwnExecutable {
    file: File,
    path: PathBuf,
    /// Appended packs come before linked ones: they were embedded later.
    attachments: Vec<Attachment>,
}

impl OwnExecutable {
    /// Opens the executable and finds the packs in it, with a few small reads.
    pub(crate) fn open() -> Result<Self> {
        let path = env::current_exe().map_err(|e| Error::new(ErrorKind::Io(e)))?;
        // On Linux this leads to the program that is running, even if its file was moved, replaced or deleted since.
        let own =
            if cfg!(any(target_os = "linux", target_os = "android")) { Path::new("/proc/self/exe") } else { &path };
        let mut file = File::open(own).map_err(|e| Error::io(&path, e))?;
        let attachments = embedded::attachments(&mut file).map_err(|error| match error {
            LocateError::Io(error) => Error::io(&path, error),
            LocateError::Format(error) => Error::from(error).with_file(Some(&path)),
            error => Error::io(&path, std::io::Error::other(error)),
        })?;
        Ok(Self { file, path, attachments })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the names of the packs.
    pub(crate) fn names(&self) -> Vec<String> {
        self.attachments.iter().flat_map(|attachment| &attachment.packs).map(|pack| pack.name.clone()).collect()
    }

    /// Opens the set of packs `name`, without extension; `None` if it is not in the executable.
    pub(crate) fn open_set(&self, name: &str, options: &PackOptions) -> Result<Option<Vec<Arc<Pack>>>> {
        // All packs of a set were embedded together.
        let first = pack_file_name(name, 0);
        let Some(attachment) = self.attachments.iter().find(|attachment| attachment.find(&first).is_some()) else {
            return Ok(None);
        };
        let open = |number| {
            let name = pack_file_name(name, number);
            let pack = attachment.find(&name).ok_or_else(|| self.not_embedded(&name))?;
            self.map(pack, options)
        };
        set(open(0)?, open).map(Some)
    }

    /// Opens the pack with this file name.
    pub(super) fn pack(&self, name: &str, options: &PackOptions) -> Result<Pack> {
        let pack = self.attachments.iter().find_map(|attachment| attachment.find(name));
        self.map(pack.ok_or_else(|| self.not_embedded(name))?, options)
    }

    fn map(&self, pack: &EmbeddedPack, options: &PackOptions) -> Result<Pack> {
        let map = Map::of_part(&self.file, pack.offset, pack.len).map_err(|e| Error::io(&self.path, e))?;
        Pack::new(Backing::Map(map), Some(self.path.clone()), options)
    }

    fn not_embedded(&self, name: &str) -> Error {
        let kind = ErrorKind::NotEmbedded { pack: name.to_owned(), embedded: self.names() };
        Error::new(kind).with_file(Some(&self.path))
    }
}

impl PackOptions {
    /// Maps a pack that is embedded in the executable of this process, appended by `cargo rres exe embed` or linked by the
    /// build. `name` is the file name that it had: `game.rres`.
    ///
    /// # Errors
    /// [`ErrorKind::NotEmbedded`] if the executable does not contain such a pack; if the executable cannot be read, or what is
    /// embedded in it is damaged.
    pub fn open_self(&self, name: &str) -> Result<Pack> {
        OwnExecutable::open()?.pack(name, self)
    }
}

/// Lists the packs that are embedded in the executable of this process, by their file names; see [`PackOptions::open_self`].
///
/// # Errors
/// If the executable cannot be read, or what is embedded in it is damaged.
pub fn packs_in_executable() -> Result<Vec<String>> {
    Ok(OwnExecutable::open()?.names())
}
