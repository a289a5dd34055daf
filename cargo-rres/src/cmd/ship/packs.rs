//! The packs of the crates that are linked into a program, compared with their sources by content.
//!
//! Cargo runs a build script again if a watched file is newer than the last run. A file that was overwritten by one with an
//! older time (`cp -p`, a checkout, an unpacked archive) is missed. So the script itself makes each pack again, mostly from the
//! import cache. If that differs, the marker that Cargo watches is removed, and Cargo builds once more.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rres_format::ResourceId;
use rres_format::signature::{SIGNATURE_TRAILER, SecretKey, signature_len};
use rres_packs::staleness::{self, Difference};
use rres_protocol::files::{RERUN_MARKER_EXTENSION, additional_pack};

use super::build::Built;
use super::signing::SignedPacks;
use crate::built_packs;
use crate::cargo::Crate;
use crate::exit::Failure;
use crate::fresh_packs::FreshPacks;
use crate::key;
use crate::serving_script::ServingScript;

/// The packs that a package has built.
#[derive(Debug)]
pub(super) struct PackageOutput {
    pub(super) package: String,
    out_dir: PathBuf,
    /// The packs as they should be; `None` if the build script cannot be started again.
    fresh: Option<FreshPacks>,
    /// The packs that are shipped in their place, with fewer assets.
    stripped: Option<FreshPacks>,
    /// Signed copies, which are shipped in the place of both.
    signed: Option<SignedPacks>,
}

impl PackageOutput {
    /// Finds the output directories of the crates of a program that contain packs, and makes the packs again.
    pub(super) fn find(built: &Built, crates: &[&Crate]) -> Result<Vec<Self>, Failure> {
        let mut outputs = Vec::new();
        for package in crates {
            let Some(out_dir) = built.out_dir_of(&package.id) else { continue };
            let script = ServingScript::in_directory(out_dir);
            if script.is_none() && built_packs::files_in(out_dir).is_empty() {
                continue;
            }
            let fresh = script.as_ref().map(FreshPacks::by_script).transpose()?;
            let (package, out_dir) = (package.name.clone(), out_dir.to_owned());
            outputs.push(Self { package, out_dir, fresh, stripped: None, signed: None });
        }
        Ok(outputs)
    }

    /// Whether the packs could be compared with their sources.
    pub(super) fn is_checked(&self) -> bool {
        self.fresh.is_some()
    }

    /// Returns the first packs of the sets in the output directory. Packs of earlier builds with other names are left out.
    pub(super) fn packs(&self) -> Vec<PathBuf> {
        match &self.fresh {
            Some(fresh) => fresh.packs.iter().map(|pack| self.in_out_dir(pack)).collect(),
            None => {
                let files = built_packs::files_in(&self.out_dir).into_iter().filter(|file| !file.is_dev_index);
                files.map(|file| file.path).collect()
            }
        }
    }

    /// Returns the first packs of the sets that are shipped.
    pub(super) fn shipped_packs(&self) -> Vec<PathBuf> {
        match (&self.signed, &self.stripped) {
            (Some(signed), _) => signed.packs.clone(),
            (None, Some(stripped)) => stripped.packs.clone(),
            (None, None) => self.packs(),
        }
    }

    /// Ships signed copies of the packs.
    pub(super) fn sign(&mut self, key: &SecretKey) -> Result<(), Failure> {
        self.signed = Some(SignedPacks::of(&self.shipped_packs(), &self.out_dir, key)?);
        Ok(())
    }

    /// Has the build script write the packs again, without these assets and what only they need.
    pub(super) fn strip(&mut self, ids: &[ResourceId]) -> Result<(), Failure> {
        let Some(script) = ServingScript::in_directory(&self.out_dir) else {
            let text = "its build script cannot be started again, since it does not use this version of rres-build";
            return Err(Failure::Usage(format!("cannot strip the packs of {}: {text}", self.package)));
        };
        let lines: String = ids.iter().map(|id| format!("{:08x}\n", id.0)).collect();
        let written = tempfile::NamedTempFile::new().and_then(|mut list| {
            io::Write::write_all(&mut list, lines.as_bytes())?;
            Ok(list)
        });
        let list = written.map_err(|e| Failure::Usage(format!("cannot write a temporary file: {e}")))?;
        self.stripped = Some(FreshPacks::by_script_without(&script, list.path())?);
        Ok(())
    }

    /// Ships the packs as they were built.
    pub(super) fn unstrip(&mut self) {
        self.stripped = None;
    }

    fn in_out_dir(&self, pack: &Path) -> PathBuf {
        self.out_dir.join(pack.file_name().unwrap_or_default())
    }

    /// Returns the packs that differ from their sources, and how.
    pub(super) fn stale(&self) -> Result<Vec<(PathBuf, Vec<Difference>)>, Failure> {
        // The stored bytes are compared, for which no key is needed.
        let opener = key::opener();
        let mut stale = Vec::new();
        for fresh in self.fresh.iter().flat_map(|fresh| &fresh.packs) {
            let pack = self.in_out_dir(fresh);
            if !pack.exists() && pack.with_extension("dev.rres").exists() {
                return Err(Failure::Usage(format!(
                    "the build of {} has debug assertions, so it reads imported files on this machine and has no pack; \
                     choose a profile without `debug-assertions`",
                    self.package
                )));
            }
            if !pack.exists() {
                stale.push((pack, Vec::new()));
                continue;
            }
            if !is_same_set(&pack, fresh).map_err(|e| Failure::Usage(format!("cannot read {}: {e}", pack.display())))? {
                let differences = staleness::compare(&opener.open_set(&pack)?, &opener.open_set(fresh)?);
                stale.push((pack, differences));
            }
        }
        Ok(stale)
    }

    /// Makes Cargo run the build script in the next build.
    pub(super) fn make_cargo_rerun(&self) -> Result<(), Failure> {
        for entry in fs::read_dir(&self.out_dir).into_iter().flatten().flatten() {
            let file = entry.path();
            if file.extension().is_some_and(|extension| extension == RERUN_MARKER_EXTENSION) {
                let removed = fs::remove_file(&file);
                removed.map_err(|e| Failure::Usage(format!("cannot remove {}: {e}", file.display())))?;
            }
        }
        Ok(())
    }

    /// Returns the file of the package's sources at an asset path, if it exists.
    pub(super) fn source(&self, path: &str) -> Option<PathBuf> {
        self.fresh.as_ref()?.source(path)
    }
}

/// Whether two pack sets have the same bytes, whether they are signed or not.
fn is_same_set(a: &Path, b: &Path) -> io::Result<bool> {
    if !is_same_pack(a, b)? {
        return Ok(false);
    }
    for number in 1.. {
        let (a, b) = (additional_pack(a, number), additional_pack(b, number));
        match (a.exists(), b.exists()) {
            (false, false) => break,
            (true, true) if is_same_pack(&a, &b)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn is_same_pack(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (File::open(a)?, File::open(b)?);
    let (len, len_of_b) = (len_without_signature(&mut a)?, len_without_signature(&mut b)?);
    if len != len_of_b {
        return Ok(false);
    }
    let (mut a, mut b) = (BufReader::new(a).take(len), BufReader::new(b).take(len));
    let (mut of_a, mut of_b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let len = a.read(&mut of_a)?;
        if len == 0 {
            return Ok(true);
        }
        b.read_exact(&mut of_b[..len])?;
        if of_a[..len] != of_b[..len] {
            return Ok(false);
        }
    }
}

/// Returns the bytes of a pack without its signature, which is the last thing in it, and goes to its start.
fn len_without_signature(pack: &mut File) -> io::Result<u64> {
    let len = pack.metadata()?.len();
    pack.seek(SeekFrom::Start(len.saturating_sub(SIGNATURE_TRAILER as u64)))?;
    let mut end = Vec::new();
    pack.read_to_end(&mut end)?;
    pack.seek(SeekFrom::Start(0))?;
    Ok(len.saturating_sub(signature_len(&end).unwrap_or_default().into()))
}
