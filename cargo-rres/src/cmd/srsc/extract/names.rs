//! The names of files: no name of a record leads out of the directory, and no two files share a name.

use std::collections::HashSet;

use crate::cmd::extract::portable_path;

/// The most bytes of a name that are kept.
const MAX_NAME: usize = 120;

/// Returns a name that a record gives as one name of a file, on every system.
pub(super) fn sanitized(name: &str) -> String {
    let mut plain: String = name.trim().replace(['/', '\\'], "_");
    let end = (0..=MAX_NAME.min(plain.len())).rev().find(|end| plain.is_char_boundary(*end)).unwrap_or(0);
    plain.truncate(end);
    // Names that begin with a dot are hidden, and `..` leads elsewhere.
    if plain.is_empty() || plain.starts_with('.') {
        plain.insert(0, '_');
    }
    portable_path(&plain)
}

/// The paths that are used so far, without regard to case.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// Returns a path for a record: the folder, the groups, the name or the id, and the extension. If another file has it, the id
    /// is added.
    pub(super) fn path(
        &mut self,
        folder: &str,
        groups: &[String],
        name: Option<&str>,
        id: u16,
        extension: &str,
    ) -> String {
        let mut path = folder.to_owned();
        for group in groups {
            path = path + "/" + &sanitized(group);
        }
        let stem = match name.filter(|name| !name.trim().is_empty()) {
            Some(name) => format!("{path}/{}", sanitized(name)),
            None => format!("{path}/{id}"),
        };
        self.free(&stem, id, extension)
    }

    /// Returns the stem and the extension; with the id between them if another file has that path.
    pub(super) fn free(&mut self, stem: &str, id: u16, extension: &str) -> String {
        let numbers =
            std::iter::once(String::new()).chain([format!(".{id}")]).chain((2..).map(|n| format!(".{id}.{n}")));
        let candidates = numbers.map(|number| format!("{stem}{number}{extension}"));
        candidates.into_iter().find(|path| self.0.insert(path.to_lowercase())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_records_stay_in_the_directory() {
        for (name, expected) in [
            ("step", "step"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("..", "_.."),
            ("", "_"),
            (".hidden", "_.hidden"),
            ("a\\b:c\0d", "a_b_c_d"),
            ("aux", "_aux"),
            ("Grüße ", "Grüße"),
        ] {
            let found = sanitized(name);
            assert!(!found.contains(['/', '\\', '\0']) && found != ".." && !found.is_empty(), "{found}");
            if name != ".." {
                assert_eq!(found, expected);
            }
        }
        assert!(sanitized(&"ü".repeat(500)).len() <= MAX_NAME);
    }

    #[test]
    fn two_records_of_one_name_are_two_files() {
        let mut names = Names::default();
        let mut path = |name: Option<&str>, id| names.path("sounds", &["A/B".to_owned()], name, id, ".wav");
        assert_eq!(path(Some("step"), 3), "sounds/A_B/step.wav");
        assert_eq!(path(Some("STEP"), 4), "sounds/A_B/STEP.4.wav");
        assert_eq!(path(None, 5), "sounds/A_B/5.wav");
    }
}
