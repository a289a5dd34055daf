//! The import cache: what source files became, addressed by everything that decides it.
//!
//! A **blob** is a tiny pack that holds what one source became. Its key hashes the source's bytes, its settings, the
//! importer and its version, and the files that the importer read beside the source; so a blob never changes, and any
//! number of projects, profiles and builds may share a cache directory. Files are written under another name and
//! renamed. A blob that does not read back is imported again, so nothing that a crash leaves behind does harm.
//!
//! ```text
//! <cache>/blobs/ab/cdef….rres     what a source became
//! <cache>/beside/ab/cdef….txt     which files its importer read, one path per line (only where it read any)
//! ```

mod blob;
mod key;
mod record;
mod seen;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use blob::{PartInfo, StoredPart, write_blob};
pub(crate) use key::{Key, KeyBuilder};
pub(crate) use seen::{Seen, Sight, Stamp};

/// A directory of blobs.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    dir: PathBuf,
}

impl Cache {
    /// The cache in `dir`, or in `fallback` where `dir` cannot be written.
    pub(crate) fn open(dir: Option<PathBuf>, fallback: &Path) -> io::Result<Self> {
        if let Some(dir) = dir
            && is_writable(&dir)
        {
            return Ok(Self { dir });
        }
        fs::create_dir_all(fallback.join("blobs"))?;
        Ok(Self { dir: fallback.to_owned() })
    }

    /// Where blobs are.
    pub(crate) fn blobs(&self) -> PathBuf {
        self.dir.join("blobs")
    }

    /// The file of a blob.
    pub(crate) fn blob_file(&self, key: &Key) -> PathBuf {
        let hex = key.hex();
        self.blobs().join(&hex[..2]).join(format!("{}.rres", &hex[2..]))
    }

    /// What the blob of `key` holds, or `None` where it is not there or does not read back.
    pub(crate) fn look_up(&self, key: &Key) -> Option<Vec<PartInfo>> {
        blob::read_description(&self.blob_file(key)).ok().flatten()
    }

    /// Whether the blob of `key` is there; says nothing of what it holds.
    pub(crate) fn has(&self, key: &Key) -> bool {
        self.blob_file(key).is_file()
    }

    /// Keeps a blob.
    pub(crate) fn store(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        write_new(&self.blob_file(key), bytes)
    }

    fn beside_file(&self, key: &Key) -> PathBuf {
        let hex = key.hex();
        self.dir.join("beside").join(&hex[..2]).join(format!("{}.txt", &hex[2..]))
    }

    /// The paths, relative to the source's directory, that the importer of a source read; `None` where it read none or
    /// the source has not been imported yet.
    pub(crate) fn beside(&self, source: &Key) -> Option<Vec<String>> {
        let text = fs::read_to_string(self.beside_file(source)).ok()?;
        let lines = text.strip_suffix("end\n")?;
        Some(lines.lines().map(str::to_owned).collect())
    }

    /// Keeps the paths that the importer of a source read; nothing where it read none.
    pub(crate) fn store_beside(&self, source: &Key, paths: &[String]) -> io::Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let text: String = paths.iter().map(|path| format!("{path}\n")).collect();
        write_new(&self.beside_file(source), format!("{text}end\n").as_bytes())
    }
}

/// The user's cache directory for imports: `RRES_CACHE_DIR`, else the system's place for caches. `None` where there
/// is no such place, or the cache is switched off with `RRES_CACHE_DIR=off`.
pub(crate) fn user_cache_dir() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match variable("RRES_CACHE_DIR") {
        Some(off) if off.as_os_str() == "off" => return None,
        Some(dir) => return std::path::absolute(dir).ok(),
        None => {}
    }
    let base = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Caches"))
    } else {
        variable("XDG_CACHE_HOME")
            .filter(|dir| dir.is_absolute())
            .or_else(|| variable("HOME").map(|h| h.join(".cache")))
    };
    base.map(|base| base.join("rres"))
}

fn is_writable(dir: &Path) -> bool {
    fs::create_dir_all(dir.join("blobs")).is_ok() && tempfile::tempfile_in(dir).is_ok()
}

/// Writes a file whose contents follow from its name: under another name, then renamed. Not synced, since what does
/// not read back is made again.
pub(crate) fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = file.parent().expect("cache files stand in a directory");
    let mut temporary = match tempfile::NamedTempFile::new_in(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(dir)?;
            tempfile::NamedTempFile::new_in(dir)?
        }
        made => made?,
    };
    temporary.write_all(bytes)?;
    temporary.persist(file)?;
    Ok(())
}

/// Writes a file that the user relies on: under another name, synced, then renamed. Left alone where it has these
/// contents already, so that its time tells when it changed.
pub(crate) fn write_if_changed(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    if fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    replace(file, |out| out.write_all(bytes))?;
    Ok(true)
}

/// Replaces a file by what `write` writes: under another name, synced, then renamed.
pub(crate) fn replace(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut out = io::BufWriter::with_capacity(1 << 20, tempfile::NamedTempFile::new_in(dir)?);
    write(&mut out)?;
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.as_file().sync_all()?;
    // Temporary files are private; what replaces an ordinary file should be readable like one.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        temporary.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    temporary.persist(file)?;
    Ok(())
}
