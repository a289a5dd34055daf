//! Errors for globs that match no file, each with the nearest glob that does.

use std::collections::BTreeSet;

use rres_protocol::nearest::nearest;

use super::pattern::{Pattern, glob_of, split_path};
use crate::diagnostic::{Diagnostic, Place};

/// An error for each of `patterns` (what it is called, glob, place) that matches none of `paths`.
pub(super) fn find(patterns: &[(String, &Pattern, &Place)], paths: &[&str]) -> Vec<Diagnostic> {
    let names: Vec<Vec<&str>> = paths.iter().map(|path| split_path(path)).collect();
    let mut diagnostics = Vec::new();
    for (what, pattern, place) in patterns {
        if names.iter().any(|names| pattern.matches(names)) {
            continue;
        }
        let message = format!("{what} matches no file");
        diagnostics.push(Diagnostic::new((*place).clone(), message).with_help(hint(pattern, paths, &names)));
    }
    diagnostics
}

/// Guesses what was meant, from the most to the least certain.
fn hint(pattern: &Pattern, paths: &[&str], names: &[Vec<&str>]) -> Option<String> {
    let glob = pattern.as_str();
    if paths.is_empty() {
        return Some("the assets directory contains no file".into());
    }
    if paths.contains(&glob) {
        return Some(format!("`[`, `*`, `?` and `{{` are wildcards: \"{}\" is the file of this name", glob_of(glob)));
    }
    if let Some(at) = names.iter().position(|names| pattern.matches_with(names, false)) {
        return Some(format!("case matters: there is \"{}\"", paths[at]));
    }
    let count = |glob: &str| -> usize {
        let matching = |pattern: Pattern| names.iter().filter(|names| pattern.matches(names)).count();
        Pattern::new(glob).map(matching).unwrap_or(0)
    };
    if let Some(rest) =
        glob.split_once('/').map(|(_, rest)| rest).filter(|rest| glob.starts_with("assets/") && count(rest) > 0)
    {
        return Some(format!("globs are relative to the assets directory: \"{rest}\" matches {}", files(count(rest))));
    }
    let below = format!("{glob}/**");
    if count(&below) > 0 {
        return Some(format!("\"{glob}\" is a folder: \"{below}\" matches {}", files(count(&below))));
    }
    let deeper = match glob.rsplit_once('/') {
        Some((folders, name)) => format!("{folders}/**/{name}"),
        None => format!("**/{glob}"),
    };
    for deeper in [deeper, format!("**/{glob}")] {
        if count(&deeper) > 0 {
            return Some(format!("the files are in other folders: \"{deeper}\" matches {}", files(count(&deeper))));
        }
    }
    if pattern.is_literal() {
        return nearest(glob, paths.iter().copied()).map(|path| format!("did you mean \"{path}\"?"));
    }
    near_folder(pattern, names).or_else(|| near_extension(glob, paths, count))
}

/// The existing folder that a misspelt one is closest to.
fn near_folder(pattern: &Pattern, names: &[Vec<&str>]) -> Option<String> {
    let wanted: Vec<&str> = pattern.literal_folders().collect();
    let depth = wanted.len();
    let wanted = wanted.join("/");
    let folders: BTreeSet<String> =
        names.iter().filter(|names| names.len() > depth).map(|names| names[..depth].join("/")).collect();
    if depth == 0 || folders.contains(&wanted) {
        return None;
    }
    let near = nearest(&wanted, folders.iter().map(String::as_str));
    Some(match near {
        Some(near) => format!("no file is in a folder \"{wanted}\", did you mean \"{near}\"?"),
        None => format!("no file is in a folder \"{wanted}\" of the assets directory"),
    })
}

/// The existing extension that a misspelt one is closest to.
fn near_extension(glob: &str, paths: &[&str], count: impl Fn(&str) -> usize) -> Option<String> {
    let (stem, wanted) = glob.rsplit_once('.').filter(|(_, wanted)| !wanted.contains('{'))?;
    let extensions: BTreeSet<&str> =
        paths.iter().filter_map(|path| path.rsplit_once('.')).map(|(_, extension)| extension).collect();
    let meant = format!("{stem}.{}", nearest(wanted, extensions)?);
    (count(&meant) > 0).then(|| format!("did you mean \"{meant}\"? It matches {}", files(count(&meant))))
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".into() } else { format!("{count} files") }
}
