//! The text of `assets.toml`, and the same with the rules that are advised.
//!
//! What is measured is a build with the text that `--apply` writes, so that a rule does there what was said of it: rules of `build.rs`
//! come after it, and so do those for other targets.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rres_packs::atomic_write;
use rres_settings::{SETTINGS_FILE, toml_string};
use toml_edit::{Document, Item};

use super::files::Files;
use super::trials::Candidate;
use crate::exit::Failure;

/// The settings file of a directory.
pub(super) struct SettingsText {
    file: PathBuf,
    text: String,
    /// The keys of the document: globs of rules, and sections.
    keys: HashSet<String>,
    /// Where more rules go: before those for some targets only, which then win where they apply, or else at the end.
    place: usize,
}

impl SettingsText {
    /// Reads the file, which need not exist. A build has read it before, and found no fault.
    pub(super) fn read(dir: &Path) -> Result<Self, Failure> {
        let file = dir.join(SETTINGS_FILE);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::Usage(format!("cannot read {}: {error}", file.display()))),
        };
        let document = Document::parse(text.as_str())
            .map_err(|error| Failure::Fault(format!("{} is not TOML: {error}", file.display())))?;
        let keys = document.iter().map(|(key, _)| key.to_owned()).collect();
        let place = document.as_table().get("target").and_then(|rules| place_before(&text, rules));
        let place = place.unwrap_or(text.len());
        Ok(Self { file, text, keys, place })
    }

    /// Whether rules hold for some targets only.
    pub(super) fn has_rules_for_targets(&self) -> bool {
        self.keys.contains("target")
    }

    /// A glob that matches these files, and that no rule has yet: a key stands in a document once.
    pub(super) fn glob(&self, files: &Files) -> String {
        let mut spellings = (0..).map(|spelling| files.glob(spelling));
        spellings.find(|glob| !self.keys.contains(glob)).expect("a document has fewer keys than there are spellings")
    }

    /// The rule for these files as it stands in the file.
    pub(super) fn rule(&self, files: &Files, candidate: &Candidate) -> String {
        format!("[{}]\n{}\n", toml_string(&self.glob(files)), candidate.keys(files))
    }

    /// The text with more rules.
    pub(super) fn with(&self, rules: &[String]) -> String {
        let (before, after) = self.text.split_at(self.place);
        let mut rules = rules.join("\n");
        if after.is_empty() {
            let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
            let gap = if before.is_empty() { "" } else { "\n" };
            rules = format!("{end}{gap}{rules}");
        } else {
            rules.push('\n');
        }
        if self.text.contains("\r\n") {
            rules = rules.replace('\n', "\r\n");
        }
        [before, &rules, after].concat()
    }

    /// Writes the file with more rules, unless somebody has changed it since it was read: what was measured are the rules that it had.
    pub(super) fn write(&self, rules: &[String]) -> Result<(), Failure> {
        let now = fs::read_to_string(&self.file).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(String::new()),
            _ => Err(error),
        });
        if now.is_ok_and(|now| now != self.text) {
            let file = self.file.display();
            return Err(Failure::Usage(format!("{file} has changed meanwhile, so nothing is added; run this again")));
        }
        atomic_write::edit(&self.file, self.with(rules).as_bytes())
            .map_err(|error| Failure::Usage(format!("cannot write {}: {error}", self.file.display())))
    }
}

/// The place before the tables of an item, and before the comment above them; `None` if the item stands in the root table, which has to be
/// before all others.
fn place_before(text: &str, item: &Item) -> Option<usize> {
    let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut place = line_of(first_place(item)?);
    if !text[place..].trim_start().starts_with('[') {
        return None;
    }
    while place > 0 {
        let above = line_of(place - 1);
        if !text[above..place].trim_start().starts_with('#') {
            break;
        }
        place = above;
    }
    Some(place)
}

/// Where the first of the tables in an item begins.
fn first_place(item: &Item) -> Option<usize> {
    let own = item.span().map(|span| span.start);
    let inner = item.as_table().into_iter().flat_map(|table| table.iter()).filter_map(|(_, inner)| first_place(inner));
    inner.chain(own).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "[\"a/*.png\"]\nprofile = \"size\"\n";

    /// A file with this text, and the text with a rule more.
    fn with_rule(text: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(SETTINGS_FILE), text).unwrap();
        let with_rule = SettingsText::read(dir.path()).unwrap().with(&[RULE.to_owned()]);
        Document::parse(with_rule.as_str()).unwrap_or_else(|error| panic!("{with_rule}: {error}"));
        with_rule
    }

    #[test]
    fn rules_come_after_all_others() {
        assert_eq!(with_rule(""), RULE);
        assert_eq!(with_rule("[x]\nkind = \"raw\""), format!("[x]\nkind = \"raw\"\n\n{RULE}"));
        assert_eq!(with_rule("[x]\r\nid = 1\r\n"), format!("[x]\r\nid = 1\r\n\r\n{}", RULE.replace('\n', "\r\n")));
    }

    #[test]
    fn rules_for_some_targets_stay_last() {
        let before = "[x]\nid = 1\n\n";
        for of_targets in [
            "[target.'cfg(unix)'.y]\nid = 2\n",
            "# On phones.\n# Smaller.\n[target.'cfg(unix)'.y]\nid = 2\n[z]\nid = 3\n",
            "[target]\n[target.'cfg(unix)']\n[target.'cfg(unix)'.y]\nid = 2\n",
            "  [target.'cfg(unix)']\n  y = { id = 2 }\n",
        ] {
            assert_eq!(with_rule(&format!("{before}{of_targets}")), format!("{before}{RULE}\n{of_targets}"));
            assert_eq!(with_rule(of_targets), format!("{RULE}\n{of_targets}"));
        }
        // Keys of the root table stay there.
        let dotted = "target.'cfg(unix)'.y.id = 2\n\n[x]\nid = 1\n";
        assert_eq!(with_rule(dotted), format!("{dotted}\n{RULE}"));
    }

    #[test]
    fn a_rule_has_a_glob_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(SETTINGS_FILE);
        let files = Files::of("a/b.png");
        let glob = || SettingsText::read(dir.path()).unwrap().glob(&files);
        assert_eq!(glob(), "a/*.png");
        fs::write(&file, "['a/*.png']\nid = 1\n").unwrap();
        assert_eq!(glob(), "a/*{,}.png");
        fs::write(&file, "['a/*.png']\nid = 1\n[\"a/*{,}.png\"]\n").unwrap();
        assert_eq!(glob(), "a/*{,}{,}.png");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_a_read_only_file_stays_as_it_is() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let [file, shared] = [SETTINGS_FILE, "shared.toml"].map(|name| dir.path().join(name));
        fs::write(&shared, "").unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o664)).unwrap();
        symlink("shared.toml", &file).unwrap();
        let settings = SettingsText::read(dir.path()).unwrap();
        settings.write(&[RULE.to_owned()]).unwrap();
        assert!(file.is_symlink());
        assert_eq!(fs::metadata(&shared).unwrap().permissions().mode() & 0o777, 0o664);
        assert_eq!(fs::read_to_string(&shared).unwrap(), RULE);
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o444)).unwrap();
        let error = settings.write(&[]).unwrap_err();
        assert!(error.to_string().contains("has changed meanwhile"), "{error}");
        let error = SettingsText::read(dir.path()).unwrap().write(&[]).unwrap_err();
        assert!(error.to_string().ends_with("it is read-only"), "{error}");
        assert_eq!(fs::read_to_string(&shared).unwrap(), RULE);
    }
}
