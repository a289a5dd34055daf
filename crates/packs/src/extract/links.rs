//! The files that links lead to.

use std::path::{Path, PathBuf};

use rres_format::normalize_path;
use rres_protocol::files::local_path;

use super::Options;
use crate::text::escape_terminal;

/// Returns the file that a link leads to.
///
/// # Errors
/// The reason why it is not copied: nobody asked for it, it does not exist, or it is outside the base directory.
pub(super) fn follow(target: &str, options: &Options) -> Result<PathBuf, String> {
    let what = format!("it is a link to {}, a file outside the pack", escape_terminal(target));
    let Some(base) = &options.follow_links else {
        return Err(format!("{what}; --follow-links DIR copies it from a directory"));
    };
    let path = normalize_path(target).map_err(|error| format!("{what}, which is refused: {error}"))?;
    let file = base.join(local_path(&path));
    let real = |path: &Path| path.canonicalize().map_err(|error| format!("{what}: {}: {error}", path.display()));
    let (real_base, real_file) = (real(base)?, real(&file)?);
    // A symbolic link could lead anywhere.
    if !real_file.starts_with(&real_base) {
        return Err(format!("{what}: {} leads out of {}", file.display(), base.display()));
    }
    if !real_file.is_file() {
        return Err(format!("{what}: {} is not a file", file.display()));
    }
    Ok(real_file)
}
