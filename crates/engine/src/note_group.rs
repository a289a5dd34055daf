//! The notes of a build: one line for each topic.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use rres_import::Note;

use crate::diagnostic::escape_controls;

/// How many files a line names.
const MAX_NAMED: usize = 3;

/// The notes of a build that have the same topic; displayed as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoteGroup {
    /// What is the case: "only the first frame is stored".
    pub topic: String,
    /// What to do if it is not wanted; empty if there is nothing to do.
    pub help: String,
    /// Path and particulars of each asset, sorted by path.
    pub assets: Vec<(String, String)>,
}

impl NoteGroup {
    /// The note of a build whose cache should be in the directory `wanted`, and is in `used`.
    pub(crate) fn of_cache(wanted: &Path, used: &Path) -> Self {
        let topic = format!(
            "the import cache {} cannot be written, so imported assets are kept in {}",
            wanted.display(),
            used.display()
        );
        let help =
            "free space or allow writing there, or set the variable RRES_CACHE_DIR, to another directory or to `off`";
        Self { topic, help: help.to_owned(), assets: Vec::new() }
    }

    /// The note of a build that has found nothing to import in this directory.
    pub(crate) fn of_no_file(dir: &Path) -> Self {
        let topic = format!("{} contains no assets, so the pack is empty", dir.display());
        Self { topic, help: "check that its files are checked out".to_owned(), assets: Vec::new() }
    }

    /// Groups the notes of assets, which come with their paths. Sorted by topic.
    pub fn collect<'n>(notes: impl IntoIterator<Item = (&'n str, &'n Note)>) -> Vec<Self> {
        let mut groups: BTreeMap<&str, Self> = BTreeMap::new();
        for (path, Note { topic, detail, help }) in notes {
            let new = || Self { topic: topic.clone(), help: help.clone(), assets: Vec::new() };
            groups.entry(topic).or_insert_with(new).assets.push((path.to_owned(), detail.clone()));
        }
        let mut groups: Vec<Self> = groups.into_values().collect();
        for group in &mut groups {
            group.assets.sort();
            group.assets.dedup();
        }
        groups
    }
}

/// One line: `only the first frame is stored (5 files): a.gif (12 frames), b.gif, c.gif and 2 more; split the animation`.
impl fmt::Display for NoteGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.topic)?;
        if self.assets.len() > 1 {
            write!(f, " ({} files)", self.assets.len())?;
        }
        for (i, (path, detail)) in self.assets.iter().take(MAX_NAMED).enumerate() {
            write!(f, "{} {}", if i == 0 { ":" } else { "," }, escape_controls(path))?;
            if !detail.is_empty() {
                write!(f, " ({})", escape_controls(detail))?;
            }
        }
        if self.assets.len() > MAX_NAMED {
            write!(f, " and {} more", self.assets.len() - MAX_NAMED)?;
        }
        if !self.help.is_empty() {
            write!(f, "; {}", self.help)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_for_each_topic_with_a_count_and_up_to_three_files() {
        let frames = |count: u32| {
            let note = Note::new("only the first frame is stored").with_detail(format!("{count} frames"));
            note.with_help("split the animation")
        };
        let deep = Note::new("16 bytes a pixel");
        let notes =
            [("e.gif", frames(5)), ("a\n.png", deep), ("c.gif", frames(3)), ("a.gif", frames(1)), ("d.gif", frames(4))];
        let lines: Vec<String> = NoteGroup::collect(notes.iter().map(|(path, note)| (*path, note)))
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            lines,
            [
                "16 bytes a pixel: a\\n.png",
                "only the first frame is stored (4 files): a.gif (1 frames), c.gif (3 frames), d.gif (4 frames) and 1 more; \
                 split the animation",
            ]
        );
    }
}
