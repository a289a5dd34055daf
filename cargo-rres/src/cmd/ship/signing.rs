//! `--sign`: signed copies of the packs, which are shipped in their place.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use rres_format::signature::SecretKey;
use rres_protocol::files::additional_pack;
use tempfile::TempDir;

use crate::cmd::sign::signatures;
use crate::exit::Failure;
use crate::key;

/// Signed packs in a temporary directory, which is removed with this value.
#[derive(Debug)]
pub(super) struct SignedPacks {
    /// The first packs of their sets.
    pub(super) packs: Vec<PathBuf>,
    _dir: TempDir,
}

impl SignedPacks {
    /// Signs copies of the sets that begin with `firsts`, in a directory beside `out_dir`, because they may be large.
    pub(super) fn of(firsts: &[PathBuf], out_dir: &Path, signing_key: &SecretKey) -> Result<Self, Failure> {
        let parent = out_dir.parent().unwrap_or(out_dir);
        let dir = tempfile::Builder::new().prefix("rres-sign").tempdir_in(parent);
        let dir = dir.map_err(|e| Failure::Usage(format!("cannot create a temporary directory: {e}")))?;
        let mut packs = Vec::new();
        for first in firsts {
            // What is signed is the stored bytes, for which no key of encrypted packs is needed.
            let set = key::opener().open_set(first)?;
            let signed = dir.path().join(first.file_name().unwrap_or_default());
            for (number, (pack, new)) in (0..).zip(set.packs.iter().zip(signatures(&set, signing_key)?)) {
                let bytes = pack.view().bytes();
                let file = if number == 0 { signed.clone() } else { additional_pack(&signed, number) };
                let written = File::create(&file).and_then(|mut out| {
                    out.write_all(&bytes[..new.content_len]).and_then(|()| out.write_all(&new.chunk))
                });
                written.map_err(|e| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
            }
            packs.push(signed);
        }
        Ok(Self { packs, _dir: dir })
    }
}
