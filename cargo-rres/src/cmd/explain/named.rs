//! The places in the source files of a workspace that name the constant of an asset.

use std::path::PathBuf;

use rres_engine::Explained;

use crate::rust_sources;

/// A line that names a constant.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) file: PathBuf,
    /// Counted from 1.
    pub(super) line: usize,
}

impl Named {
    /// Returns the lines of `packages` that name the constant of the first explained asset.
    ///
    /// The name must stand alone, after `use`, or behind the name of its module.
    pub(super) fn find(packages: &[PathBuf], explained: &Explained) -> Vec<Self> {
        let Some(constant) = &explained.explanations[0].constant else { return Vec::new() };
        let full = format!("{}::{constant}", explained.explanations[0].module).replace("r#", "");
        let (folder, name) = full.rsplit_once("::").unwrap_or(("", &full));
        let folder = folder.rsplit("::").next().unwrap_or(folder).to_owned();
        let mut found = Vec::new();
        // This is for people to look at, and the compiler reports a source file that it cannot read.
        let _ = rust_sources::visit(packages, &[], &mut |file, text| {
            for (number, line) in (1..).zip(text.lines()) {
                let is_comment = line.trim_start().starts_with("//");
                if !is_comment && names(line, &folder, name) {
                    found.push(Self { file: file.to_owned(), line: number });
                }
            }
        });
        found
    }
}

/// Whether a line names `name`, not as an item of another module than `folder`.
fn names(line: &str, folder: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        // A name in quotes is a text.
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return false;
        }
        match before.strip_suffix("::") {
            Some(path) => path.strip_suffix(folder).is_some_and(|rest| !rest.ends_with(is_word)),
            None => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_name_counts_alone_or_behind_its_own_module() {
        for (line, expected) in [
            ("store.load(assets::ui::B_PNG)?;", true),
            ("use assets::ui::{A_PNG, B_PNG};", true),
            ("draw(B_PNG)", true),
            ("assets::menu::B_PNG", false),
            ("assets::gui::B_PNG", false),
            ("B_PNG_2", false),
            ("AB_PNG", false),
            ("rule.rename(\"B_PNG\")", false),
        ] {
            assert_eq!(names(line, "ui", "B_PNG"), expected, "{line}");
        }
    }
}
