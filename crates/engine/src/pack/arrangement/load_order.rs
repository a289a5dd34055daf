//! The order in which a run of the game has loaded its assets: a text with one path a line, as the runtime writes it to the file that the variable
//! `RRES_RECORD` names.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::cannot_read;
use crate::diagnostic::Diagnostic;
use crate::note_group::NoteGroup;

/// A recorded order.
#[derive(Debug)]
pub(super) struct LoadOrder {
    file: PathBuf,
    /// Each path with the number of its first line.
    ranks: HashMap<String, usize>,
}

impl LoadOrder {
    pub(super) fn read(file: &Path) -> Result<Self, Diagnostic> {
        let text = fs::read(file).map_err(|e| {
            let help =
                "run a debug build of the game with the variable RRES_RECORD set to this file, or remove `order`";
            cannot_read(file, &e).with_help(help.to_owned())
        })?;
        let text = String::from_utf8(text)
            .map_err(|_| Diagnostic::file(file, "is no text in UTF-8: expected the path of an asset in each line"))?;
        Ok(Self { file: file.to_owned(), ranks: ranks(&text) })
    }

    /// The rank of an asset: those that were not loaded come last.
    pub(super) fn rank(&self, path: &str) -> usize {
        self.ranks.get(path).copied().unwrap_or(usize::MAX)
    }

    pub(super) fn note<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Option<NoteGroup> {
        let paths: HashSet<&str> = paths.collect();
        let mut unknown: Vec<String> =
            self.ranks.keys().filter(|path| !paths.contains(path.as_str())).cloned().collect();
        unknown.sort();
        let topic = format!("{} names assets that do not exist", self.file.display());
        let help = "record it again".to_owned();
        let assets = unknown.into_iter().map(|path| (path, String::new())).collect::<Vec<_>>();
        (!assets.is_empty()).then_some(NoteGroup { topic, help, assets })
    }
}

/// Empty lines and comments are skipped.
fn ranks(text: &str) -> HashMap<String, usize> {
    let mut ranks = HashMap::new();
    for (number, line) in text.lines().map(str::trim_end).enumerate() {
        if !line.is_empty() && !line.starts_with('#') {
            ranks.entry(line.to_owned()).or_insert(number);
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_a_path_counts() {
        let order = LoadOrder { file: "order.txt".into(), ranks: ranks("# title\r\nb.png\r\n\na.png\nb.png\n") };
        let mut paths = ["c.png", "a.png", "b.png"];
        paths.sort_by_key(|path| order.rank(path));
        assert_eq!(paths, ["b.png", "a.png", "c.png"]);
        assert_eq!(order.note(paths.into_iter()), None);
        let note = order.note(["a.png"].into_iter()).unwrap();
        assert_eq!(note.assets, [("b.png".to_owned(), String::new())]);
    }
}
