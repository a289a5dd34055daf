//! The source files of a crate → its modules and the modules that each of them uses.
//!
//! Reads `use` declarations and paths that begin with `crate`, `super` or `self`, outside of tests and comments. Names
//! that a module only re-exports are traced to the module that they come from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The names from the crate's root to a module; empty for the root.
pub(super) type ModulePath = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
pub(super) struct Modules {
    /// The paths that each module mentions, from the root.
    mentions: BTreeMap<ModulePath, BTreeSet<Vec<String>>>,
    /// The names that each module imports or re-exports, and their origins.
    names: BTreeMap<ModulePath, BTreeMap<String, Vec<String>>>,
}

impl Modules {
    /// Reads the directory `src` of a crate.
    pub(super) fn read(src: &Path) -> Self {
        let mut modules = Self::default();
        modules.read_dir(src, &[]);
        assert!(modules.mentions.len() > 3, "{}: too few modules to be a crate", src.display());
        modules
    }

    fn read_dir(&mut self, dir: &Path, module: &[String]) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let inner = [module, std::slice::from_ref(&name)].concat();
            if ["tests", "testing"].contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                self.read_dir(&path, &inner);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let own = if ["lib", "main", "mod"].contains(&name.as_str()) { module.to_vec() } else { inner };
                self.read_file(&fs::read_to_string(&path).unwrap(), own);
            }
        }
    }

    fn read_file(&mut self, text: &str, module: ModulePath) {
        let tokens = tokens(text);
        let mentions = self.mentions.entry(module.clone()).or_default();
        let names = self.names.entry(module.clone()).or_default();
        for (at, token) in tokens.iter().enumerate() {
            let is_use = at > 0 && tokens[at - 1] == "use";
            let is_start = ["crate", "super", "self"].contains(&token.as_str());
            let is_path = is_start && tokens.get(at + 1).is_some_and(|next| next == "::");
            if !is_use && !is_path || at > 0 && tokens[at - 1] == "::" {
                continue;
            }
            let mut leaves = Vec::new();
            tree(&tokens, at, &mut Vec::new(), &mut leaves);
            for (path, name) in leaves {
                let Some(path) = absolute(&path, &module) else { continue };
                if is_use {
                    names.insert(name, path.clone());
                }
                mentions.insert(path);
            }
        }
    }

    /// Every module but the root.
    pub(super) fn all(&self) -> impl Iterator<Item = &ModulePath> {
        self.mentions.keys().filter(|module| !module.is_empty())
    }

    /// The modules that `module` uses.
    pub(super) fn uses(&self, module: &ModulePath) -> BTreeSet<ModulePath> {
        self.mentions[module].iter().filter_map(|path| self.resolve(path, 0)).collect()
    }

    /// The module that a path refers to; `None` if it is in another crate.
    fn resolve(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        assert!(depth < 20, "{path:?} is re-exported in a circle");
        let is_module = |len: &usize| self.mentions.contains_key(&path[..*len]);
        let len = (0..=path.len()).rev().find(is_module)?;
        let (module, rest) = path.split_at(len);
        match rest.first().and_then(|name| self.names[module].get(name)) {
            Some(origin) if origin != path => {
                self.resolve(&[origin, &rest[1..]].concat(), depth + 1).or(Some(module.to_vec()))
            }
            // In the root, a name that is not a module is another crate.
            None if module.is_empty() && !rest.is_empty() && !self.names[module].contains_key(&rest[0]) => None,
            _ => Some(module.to_vec()),
        }
    }
}

/// Identifiers, `::` and single punctuation characters, up to the tests of a file.
fn tokens(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let mut tokens: Vec<String> = Vec::new();
    for line in code.lines().map(|line| line.split("//").next().unwrap()) {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let len = match rest.find(|c| !is_word(c)) {
                Some(0) if rest.starts_with("::") => 2,
                Some(0) => first.len_utf8(),
                Some(end) => end,
                None => rest.len(),
            };
            tokens.push(rest[..len].to_owned());
            rest = rest[len..].trim_start();
        }
    }
    tokens
}

/// The paths of the use tree that begins at token `at`, each with the name that it is imported as. Returns the position
/// of the token after it.
fn tree(tokens: &[String], mut at: usize, prefix: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, String)>) -> usize {
    let len = prefix.len();
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    at = tree(tokens, at, prefix, leaves);
                    at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
                }
                prefix.truncate(len);
                return at + 1;
            }
            word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') || word == "*" => {
                prefix.push(word.to_owned());
                at += 1;
                if tokens.get(at).is_some_and(|token| token == "::") {
                    at += 1;
                    continue;
                }
                let mut name = word.to_owned();
                if tokens.get(at).is_some_and(|token| token == "as") {
                    name = tokens[at + 1].clone();
                    at += 2;
                }
                leaves.push((prefix.clone(), name));
                prefix.truncate(len);
                return at;
            }
            _ => break,
        }
    }
    prefix.truncate(len);
    at + 1
}

/// A path from the root; paths that begin with neither keyword nor module are relative to `module`.
fn absolute(path: &[String], module: &[String]) -> Option<Vec<String>> {
    let mut base = module.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (base, rest) = (Vec::new(), &path[1..]),
        _ => {
            while let Some(first) = rest.first().filter(|first| ["super", "self"].contains(&first.as_str())) {
                if first == "super" {
                    base.pop()?;
                }
                rest = &rest[1..];
            }
        }
    }
    base.extend(rest.iter().filter(|name| *name != "*").cloned());
    Some(base)
}
