//! What becomes of a project: the rules and groups of an `assets.toml`, and its text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rres_settings::rule_header;

use super::cubemaps::Cubemap;
use super::toml_string::toml_string;
use crate::project_file::Remark;

/// The settings that a project becomes.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Whether the pack is for `rres-raylib.h`.
    pub(super) is_for_raylib: bool,
    /// The files of the project, by path in the assets directory.
    pub(super) files: BTreeMap<String, FileRule>,
    /// The globs of the members of each group.
    pub(super) groups: BTreeMap<String, BTreeSet<String>>,
    /// The files that say which pictures are the faces of a cube, which are written beside the settings.
    pub(super) cubemaps: Vec<Cubemap>,
    /// What keeps the project from being imported.
    pub(super) faults: Vec<Remark>,
    /// What is not the same as in the project.
    pub(super) warnings: Vec<Remark>,
}

/// The rule for one file.
#[derive(Debug, Default)]
pub(super) struct FileRule {
    /// The line of the project.
    pub(super) line: u32,
    /// The path that the pack knows it by.
    pub(super) stored_path: String,
    /// The settings, as lines of TOML; empty if the defaults will do.
    pub(super) settings: Vec<String>,
    /// Whether the settings encrypt it.
    pub(super) is_encrypted: bool,
    /// What no setting can express.
    pub(super) comment: Option<String>,
}

impl Draft {
    /// Returns the text of `assets.toml`. `all` are the paths of all files of the assets directory; those that are not in the project
    /// are left out of the pack.
    pub(super) fn text(&self, project: &str, all: &[&str]) -> String {
        let mut text = format!("# Written by `cargo rres import {project}`.\n");
        if self.is_for_raylib {
            text += "\n# Packs for rres-raylib.h, which C programs read them with.\n[pack]\ncompat = \"raylib\"\n";
            if self.has_encrypted_files() {
                text += "# The variable with the password. rrespacker uses exactly 16 bytes of it.\nkey_env = \"RRES_KEY\"\n";
            }
        }
        for (path, FileRule { settings, comment, .. }) in &self.files {
            // A rule without settings would be noise.
            let Some(header) = rule_header(path).filter(|_| !settings.is_empty() || comment.is_some()) else {
                continue;
            };
            text.push('\n');
            if let Some(comment) = comment {
                push_line(&mut text, &format!("# {comment}"));
            }
            push_line(&mut text, &header);
            settings.iter().for_each(|line| push_line(&mut text, line));
        }
        for Cubemap { path, faces, .. } in &self.cubemaps {
            // A picture that the project lists by itself is an asset as well.
            let faces = faces.iter().filter(|face| !self.files.contains_key(*face));
            let headers: Vec<String> = faces.filter_map(|face| rule_header(face)).collect();
            if !headers.is_empty() {
                let _ = write!(text, "\n# The faces of {path}.\n");
                headers.iter().for_each(|header| push_line(&mut text, &format!("{header}\nignore = true")));
            }
        }
        for (name, globs) in &self.groups {
            let globs: Vec<String> = globs.iter().map(|glob| toml_string(glob)).collect();
            let _ = match &globs[..] {
                [glob] => write!(text, "\n[group.{name}]\ninclude = {glob}\n"),
                globs => write!(text, "\n[group.{name}]\ninclude = [\n  {},\n]\n", globs.join(",\n  ")),
            };
        }
        let left_out = self.left_out(all);
        if !left_out.is_empty() {
            let _ = write!(text, "\n# Not in {project}.\n");
            left_out.iter().for_each(|header| push_line(&mut text, &format!("{header}\nignore = true")));
        }
        text
    }

    /// Whether the settings encrypt any file, so that builds need a password.
    pub(super) fn has_encrypted_files(&self) -> bool {
        self.files.values().any(|file| file.is_encrypted)
    }

    /// The folder that every file has in the pack and not in the assets directory; `None` if there is none.
    pub(super) fn mapped_folder(&self) -> Option<&str> {
        let folder = |(path, rule): (&String, &'_ FileRule)| -> Option<usize> {
            Some(rule.stored_path.strip_suffix(path.as_str())?.strip_suffix('/')?.len())
        };
        let mut folders = self.files.iter().map(|entry| Some(&entry.1.stored_path[..folder(entry)?]));
        let first = folders.next()??;
        folders.all(|folder| folder == Some(first)).then_some(first)
    }

    /// The headers of rules for the files that are not in the project: for whole folders as far as possible.
    fn left_out(&self, all: &[&str]) -> BTreeSet<String> {
        let folders =
            |path: &str| -> Vec<String> { path.match_indices('/').map(|(at, _)| path[..at].to_owned()).collect() };
        let faces = self.cubemaps.iter().flat_map(|map| &map.faces);
        let used: BTreeSet<String> = self.files.keys().chain(faces).flat_map(|path| folders(path)).collect();
        let header = |path: &&str| match folders(path).into_iter().find(|folder| !used.contains(folder)) {
            Some(folder) => Some(rule_header(&folder)?.replacen("\"]", "/**\"]", 1)),
            None => rule_header(path),
        };
        let faces: BTreeSet<&str> = self.cubemaps.iter().flat_map(|map| &map.faces).map(String::as_str).collect();
        let is_used = |path: &&&str| self.files.contains_key(**path) || faces.contains(**path);
        all.iter().filter(|path| !is_used(path)).filter_map(header).collect()
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_in_the_project_are_left_out_by_whole_folders() {
        let mut draft = Draft::default();
        for path in ["a/x.png", "pack"] {
            draft.files.insert(path.to_owned(), FileRule::default());
        }
        let all =
            ["a/b/1.png", "a/b/c/2.png", "a/x.png", "a/y[1].png", "docs/1.md", "docs/2.md", "pack", "q\"z/1", "z"];
        let text = draft.text("p.rrp", &all);
        let headers: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(
            headers,
            ["[\"./docs/**\"]", "[\"./q\\\"z/**\"]", "[\"./z\"]", "[\"a/b/**\"]", "[\"a/y[[]1[]].png\"]"]
        );
        assert!(draft.text("p.rrp", &["a/x.png", "pack"]).lines().count() == 1, "nothing to say");
    }
}
