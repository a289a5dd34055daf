//! Git LFS pointers: the few lines that a clone without Git LFS has in place of a file. They are refused for every kind of asset, since
//! players would get the pointer instead of the file.

use rres_import::ImportError;

/// No pointer is longer.
const MAX_LEN: usize = 1023;

/// Whether `bytes` are a pointer, by the specification of Git LFS: the version, lines of extensions, the hash, the size.
pub(crate) fn is_lfs_pointer(bytes: &[u8]) -> bool {
    const VERSION: &str = "version https://git-lfs.github.com/spec/v1";
    if bytes.len() > MAX_LEN || !bytes.starts_with(VERSION.as_bytes()) {
        return false;
    }
    let mut lines = std::str::from_utf8(bytes).unwrap_or_default().lines();
    let is_pointer = lines.next() == Some(VERSION)
        && lines.find(|line| !line.starts_with("ext-")).is_some_and(|line| {
            let hash = line.strip_prefix("oid sha256:").unwrap_or_default();
            hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
        })
        && lines
            .next()
            .and_then(|line| line.strip_prefix("size "))
            .is_some_and(|size| !size.is_empty() && size.bytes().all(|digit| digit.is_ascii_digit()));
    is_pointer && lines.next().is_none()
}

/// The error for a pointer in place of a source.
pub(crate) fn refuse_pointer() -> ImportError {
    with_help(ImportError::new("is a Git LFS pointer, not the file itself"))
}

/// The error for a pointer in place of `file`, which a source reads.
pub(crate) fn refuse_pointer_input(file: &std::path::Path) -> ImportError {
    with_help(ImportError::new(format!("needs {}, which is a Git LFS pointer, not the file itself", file.display())))
}

/// No rule settles it: stored as raw bytes, a pointer is of no use.
fn with_help(error: ImportError) -> ImportError {
    error.with_help("fetch the file with `git lfs pull`").without_fix()
}
