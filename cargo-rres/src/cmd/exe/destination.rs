//! The place for a new executable.

use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// The options that choose the file to write.
#[derive(Debug, clap::Args)]
pub(super) struct Destination {
    /// File to write, or the directory for a file of the same name [default: dist/NAME]
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    out: Option<PathBuf>,
    /// Replace the executable itself
    #[arg(long)]
    in_place: bool,
}

impl Destination {
    /// Returns the file to write for the executable `exe`.
    pub(super) fn of(&self, exe: &Path) -> Result<PathBuf, Failure> {
        let no_name = || Failure::Usage(format!("{} is not the path of a file", exe.display()));
        let name = exe.file_name().ok_or_else(no_name)?;
        if self.in_place {
            // If the path is a symbolic link, the file is replaced and not the link.
            if !exe.is_symlink() {
                return Ok(exe.to_owned());
            }
            return dunce::canonicalize(exe).map_err(|e| Failure::Usage(format!("cannot open {}: {e}", exe.display())));
        }
        let out = match &self.out {
            Some(out) if out.is_dir() => out.join(name),
            Some(out) => out.clone(),
            None => Path::new("dist").join(name),
        };
        if out.is_dir() {
            let why = "it is a directory; choose another file with --out";
            return Err(Failure::Usage(format!("cannot write {}: {why}", out.display())));
        }
        let same = out.canonicalize().is_ok_and(|out| exe.canonicalize().is_ok_and(|exe| exe == out));
        if !same {
            return Ok(out);
        }
        let why = match is_in_target_directory(&out) {
            true => ", and the next `cargo build` would replace it by one without packs; choose another file, or",
            false => "; choose another file, or",
        };
        Err(Failure::Usage(format!("{} would replace itself{why} pass --in-place", out.display())))
    }
}

/// Whether Cargo writes to the directory of a file, which contains Cargo's own files then.
fn is_in_target_directory(file: &Path) -> bool {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let dir = file.parent().unwrap_or(Path::new(""));
    [".cargo-lock", ".fingerprint", "deps"].iter().any(|name| dir.join(name).exists())
}
