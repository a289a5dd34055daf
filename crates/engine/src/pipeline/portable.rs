//! Names that some systems cannot store.

use rres_import::Note;

/// Names that Windows keeps for devices, with any extension.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];

/// A note if Windows cannot have a file at this asset path: a checkout and `cargo rres extract` fail there.
pub(super) fn portability(path: &str) -> Option<Note> {
    let name = path.split('/').find(|name| !is_portable(name))?;
    let note = Note::new("a name that Windows does not allow: the file cannot be checked out or extracted there");
    let help = "rename it, or leave it out with ignore = true in assets.toml";
    Some(if name == path { note } else { note.with_detail(format!("\"{name}\"")) }.with_help(help))
}

fn is_portable(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let is_numbered =
        |port: &str| stem.strip_prefix(port).is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']));
    let is_device = DEVICES.contains(&&*stem) || is_numbered("COM") || is_numbered("LPT");
    !is_device && !name.ends_with(['.', ' ']) && !name.contains(['<', '>', ':', '"', '|', '?', '*'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_does_not_allow() {
        for name in ["CON", "aux", "a/NUL.txt", "com1", "LPT9.tar.gz", "q?.txt", "trail.", "space /x", "a:b", "con .x"]
        {
            assert!(portability(name).is_some(), "{name}");
        }
        for name in ["console.txt", "a/b.c", "COM0", "COM10", "nul_.txt", "a.con", "ü.png"] {
            assert!(portability(name).is_none(), "{name}");
        }
    }
}
