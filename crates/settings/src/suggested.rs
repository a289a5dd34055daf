//! Refused files → rules that settle them, ready to append to `assets.toml`.
//!
//! Files that need the same keys share a glob if it matches these files and no other file of the assets directory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use super::pattern::{Pattern, glob_of, is_section_word, split_path};
use crate::asset_path::extension_of;
use crate::diagnostic::Fix;

/// The rules as TOML; `None` if there is nothing to settle. `paths` are all files of the assets directory, and `settings`
/// is the text that the rules will be appended to.
pub fn suggested_rules<'f>(
    fixes: impl IntoIterator<Item = &'f Fix>,
    paths: &[String],
    settings: &str,
) -> Option<String> {
    let mut text = String::new();
    for (keys, refused) in by_keys(fixes) {
        let globs = Globs { refused: &refused, paths, settings }.find();
        if globs.is_empty() {
            continue;
        }
        // Writing to a string never fails.
        let _ = writeln!(text, "# {}", explanation(&keys, refused.len()));
        for glob in globs {
            let _ = writeln!(text, "[\"{}\"]\n{keys}\n", glob.replace('"', "\\\""));
        }
    }
    (!text.is_empty()).then(|| text.trim_end().to_owned() + "\n")
}

/// The files that need the same keys. A file that is ignored needs no other key.
fn by_keys<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> BTreeMap<String, BTreeSet<&'f str>> {
    let mut by_path: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Fix { path, keys } in fixes {
        by_path.entry(path).or_default().insert(keys);
    }
    let mut by_keys: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (path, keys) in by_path {
        let keys = match keys.contains(Fix::IGNORE) {
            true => Fix::IGNORE.to_owned(),
            false => keys.into_iter().collect::<Vec<_>>().join("\n"),
        };
        by_keys.entry(keys).or_default().insert(path);
    }
    by_keys
}

/// What the keys do, as the comment above the rules.
fn explanation(keys: &str, count: usize) -> String {
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let what = match keys {
        Fix::IGNORE => "left out",
        Fix::RAW => "stored unchanged, as raw bytes",
        Fix::NO_VARIANT => "assets of their own",
        keys if keys.contains("encoding") => "converted to UTF-8",
        keys if keys.contains("rename") => "another name for the constant",
        keys if keys.contains("id = ") => "another id",
        keys if keys.contains("text.shader") => "stored unchanged, as text",
        _ => "settled",
    };
    format!("{files}: {what}")
}

/// The search for globs that match exactly the files `refused` among `paths`.
struct Globs<'a> {
    refused: &'a BTreeSet<&'a str>,
    paths: &'a [String],
    settings: &'a str,
}

/// A glob with one star: files of a folder, with or without those in its folders, whose names start alike, of one extension
/// or of any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Shape<'p> {
    folder: &'p str,
    is_deep: bool,
    /// The start of the names up to a separator; empty for any.
    start: &'p str,
    extension: Option<&'p str>,
}

impl<'a> Globs<'a> {
    fn find(&self) -> Vec<String> {
        let mut counts: HashMap<Shape<'a>, usize> = HashMap::new();
        for path in self.refused {
            Shape::of(path).into_iter().for_each(|shape| *counts.entry(shape).or_default() += 1);
        }
        let mut all: HashMap<Shape<'a>, usize> = HashMap::new();
        for path in self.paths {
            for shape in Shape::of(path).into_iter().filter(|shape| counts.contains_key(shape)) {
                *all.entry(shape).or_default() += 1;
            }
        }
        // A `?` for a character that no glob can contain may match more than was counted.
        let is_usable = |glob: &str| !glob.contains('?') && self.is_new(glob);
        counts.retain(|shape, count| all.get(shape) == Some(&*count) && is_usable(&shape.glob()));

        let mut left = self.refused.clone();
        let mut globs = Vec::new();
        // Of globs that match the same files, the one that is least likely to match a future file.
        let rank = |(shape, count): (&Shape<'a>, &usize)| {
            let is_specific = (shape.extension.is_some(), shape.folder.len(), Reverse(shape.is_deep));
            (*count, is_specific, Reverse(shape.start.len()), Reverse(*shape))
        };
        while let Some((_, _, _, Reverse(shape))) = counts.iter().map(rank).max().filter(|best| best.0 > 1) {
            let matched: Vec<&str> = left.iter().copied().filter(|path| Shape::of(path).contains(&shape)).collect();
            for path in matched {
                left.remove(path);
                for shape in Shape::of(path) {
                    counts.entry(shape).and_modify(|count| *count -= 1);
                }
            }
            globs.push(shape.glob());
        }
        globs.extend(left.into_iter().filter_map(|path| self.literal(path)));
        globs.sort();
        globs.into_iter().map(|glob| self.key(glob)).collect()
    }

    /// The glob of one file; `None` if it would match other files, too: some names can only be written with wildcards.
    fn literal(&self, path: &str) -> Option<String> {
        let glob = glob_of(path);
        if glob.contains('?') {
            let pattern = Pattern::new(&glob).ok()?;
            let mut matched = self.paths.iter().filter(|path| pattern.matches(&split_path(path)));
            if !matched.all(|path| self.refused.contains(path.as_str())) {
                return None;
            }
        }
        self.is_new(&glob).then_some(glob)
    }

    /// Whether a table of this name can be added: TOML has each name once.
    fn is_new(&self, glob: &str) -> bool {
        !self.is_used(glob) || !self.is_used(&format!("./{glob}"))
    }

    /// The name of the table for a glob.
    fn key(&self, glob: String) -> String {
        if is_section_word(&glob) || self.is_used(&glob) { format!("./{glob}") } else { glob }
    }

    fn is_used(&self, glob: &str) -> bool {
        let quoted = ['"', '\''].map(|quote| format!("[{quote}{glob}{quote}]"));
        quoted.iter().any(|key| self.settings.contains(key.as_str()))
    }
}

impl<'p> Shape<'p> {
    /// The shapes that match a path.
    fn of(path: &'p str) -> Vec<Self> {
        let extension = Some(extension_of(path)).filter(|extension| !extension.is_empty());
        let parent = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut shapes = Vec::new();
        let mut push = |folder, is_deep| {
            let start = "";
            shapes.extend(extension.map(|extension| Self { folder, is_deep, start, extension: Some(extension) }));
            // All files of the assets directory is more than anybody would want.
            if !folder.is_empty() {
                shapes.push(Self { folder, is_deep, start, extension: None });
            }
        };
        push(parent, false);
        let mut folder = parent;
        loop {
            push(folder, true);
            if folder.is_empty() {
                break;
            }
            folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
        if let Some(extension) = extension {
            let name = path.rsplit('/').next().unwrap_or(path);
            let stem = &name[..name.len() - extension.len() - 1];
            let starts = stem.match_indices(['-', '_', ' ']).map(|(at, separator)| &stem[..at + separator.len()]);
            shapes.extend(starts.map(|start| Self {
                folder: parent,
                is_deep: false,
                start,
                extension: Some(extension),
            }));
        }
        shapes
    }

    fn glob(&self) -> String {
        let mut glob = glob_of(self.folder);
        if !glob.is_empty() {
            glob.push('/');
        }
        glob += &glob_of(self.start);
        glob += match (self.is_deep, self.extension) {
            (true, Some(_)) => "**/*.",
            (true, None) => "**",
            (false, Some(_)) => "*.",
            (false, None) => "*",
        };
        glob + &self.extension.map(glob_of).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The globs for the paths that are marked by a `!` in front.
    fn globs(marked: &[&str], settings: &str) -> Vec<String> {
        let paths: Vec<String> = marked.iter().map(|path| path.trim_start_matches('!').to_owned()).collect();
        let fix = |path: &&str| path.strip_prefix('!').map(|path| Fix { path: path.to_owned(), keys: Fix::RAW.into() });
        let fixes: Vec<Fix> = marked.iter().filter_map(fix).collect();
        let text = suggested_rules(&fixes, &paths, settings).unwrap_or_default();
        text.lines().filter_map(|line| Some(line.strip_prefix("[\"")?.strip_suffix("\"]")?.to_owned())).collect()
    }

    #[test]
    fn a_glob_matches_refused_files_and_no_other() {
        for (paths, expected) in [
            (&["!a/x.ttf", "!a/y.ttf", "a/z.txt"][..], &["a/*.ttf"][..]),
            (&["!a/x.ttf", "!b/c/y.ttf", "z.txt"], &["**/*.ttf"]),
            (&["!a/x.ttf", "!a/b/y.ttf", "z.ttf"], &["a/**/*.ttf"]),
            (&["!a/x.ttf", "!a/b/y.png", "!a/b/z", "z.ttf"], &["a/**"]),
            (&["!a/x.ttf", "!a/y.ttf", "a/z.ttf"], &["a/x.ttf", "a/y.ttf"]),
            (&["!a/X-b.ttf", "!a/X-i.ttf", "a/Y-b.ttf"], &["a/X-*.ttf"]),
            (&["!only.ttf"], &["only.ttf"]),
            (&["!a[1].txt", "!b{2}.md", "!pack"], &["a[[]1[]].txt", "b[{]2[}].md", "./pack"]),
            (&["!la\u{fffd}n.txt", "!back\\slash", "x"], &["back?slash", "la?n.txt"]),
            (&["!la\u{fffd}n.txt", "latn.txt", "lain.txt"], &[]),
        ] {
            assert_eq!(globs(paths, ""), expected, "{paths:?}");
        }
    }

    #[test]
    fn a_name_that_the_settings_have_is_written_in_another_way() {
        let paths = ["!a/x.ttf", "!a/y.ttf", "a/z.txt"];
        assert_eq!(globs(&paths, "[\"a/*.ttf\"]\nlevel = 3\n"), ["./a/*.ttf"]);
        assert_eq!(globs(&paths, "['a/*.ttf']\n[\"./a/*.ttf\"]\n"), ["a/**/*.ttf"]);
    }

    #[test]
    fn keys_for_one_file_are_one_rule() {
        let fix = |keys: &str| Fix { path: "a.txt".into(), keys: keys.into() };
        let paths = ["a.txt".to_owned()];
        let text = suggested_rules(&[fix(Fix::RAW), fix("rename = \"A_2\"")], &paths, "").unwrap();
        assert!(text.ends_with("[\"a.txt\"]\nkind = \"raw\"\nrename = \"A_2\"\n"), "{text}");
        let text = suggested_rules(&[fix(Fix::RAW), fix(Fix::IGNORE)], &paths, "").unwrap();
        assert!(text.ends_with("[\"a.txt\"]\nignore = true\n"), "{text}");
    }
}
