//! `--against`: packs compared with the assets directory that they should have been built from.

use std::fs;
use std::path::{Path, PathBuf};

use rres_format::seal::Keys;
use rres_packs::PackSet;
use rres_packs::staleness::{self, Difference};
use serde_json::{Value, json};

use crate::asset_builds;
use crate::cargo::PackageArgs;
use crate::exit::Failure;
use crate::fresh_packs::FreshPacks;
use crate::key;
use crate::output::{Output, Style, count, escape_terminal};
use crate::serving_script::ServingScript;

/// A pack set and how it differs from the sources.
pub(super) struct Comparison {
    pack: String,
    assets: String,
    differences: Vec<Difference>,
}

impl Comparison {
    pub(super) fn matches(&self) -> bool {
        self.differences.is_empty()
    }

    pub(super) fn to_json(&self) -> impl Iterator<Item = Value> {
        self.differences.iter().map(|difference| {
            let mut value = difference.to_json();
            value["pack"] = json!(self.pack);
            value
        })
    }

    pub(super) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        for difference in &self.differences {
            out.line(difference.to_string())?;
        }
        let (pack, assets) = (escape_terminal(&self.pack), escape_terminal(&self.assets));
        if self.matches() {
            let verdict = out.style(Style::Good, "matches");
            out.line(format!("{pack}: {verdict} {assets}"))?;
        } else {
            let verdict = out.style(Style::Bad, "does not match");
            let number = count(self.differences.len(), "difference");
            out.line(format!("{pack}: {verdict} {assets}: {number}; build it again"))?;
        }
        Ok(())
    }
}

/// Builds the packs of `assets` again, and compares `sets` with them. `paths` are the first packs of the sets.
pub(super) fn compare(
    sets: &[PackSet],
    paths: &[PathBuf],
    assets: &Path,
    keys: Option<&Keys>,
    out: &mut Output,
) -> Result<Vec<Comparison>, Failure> {
    if !assets.is_dir() {
        let why = if assets.exists() { "it is not a directory" } else { "no such directory" };
        return Err(Failure::Usage(format!("cannot compare with {}: {why}", assets.display())));
    }
    let fresh = build(assets, keys, out)?;
    // The stored bytes are compared, for which no key is needed.
    let opener = key::opener();
    let mut comparisons = Vec::new();
    for (set, path) in sets.iter().zip(paths) {
        let Some(current) = fresh.like(path) else {
            let names = fresh.packs.iter().filter_map(|pack| Some(pack.file_name()?.display().to_string()));
            let names = names.collect::<Vec<_>>().join(", ");
            let pack = path.display();
            let text = format!("cannot compare {pack}: {} gives {names}; name one of these packs", assets.display());
            return Err(Failure::Usage(text));
        };
        let differences = staleness::compare(set, &opener.open_set(current)?);
        comparisons.push(Comparison {
            pack: path.display().to_string(),
            assets: assets.display().to_string(),
            differences,
        });
    }
    Ok(comparisons)
}

/// Builds the packs of `assets`: by the build script of the package that contains the directory, or of a member of the workspace
/// that has imported it, or else by `assets.toml`.
fn build(assets: &Path, keys: Option<&Keys>, out: &mut Output) -> Result<FreshPacks, Failure> {
    let absolute = fs::canonicalize(assets);
    let absolute = absolute.map_err(|e| Failure::Usage(format!("cannot find {}: {e}", assets.display())))?;
    let manifest_path = absolute.ancestors().map(|dir| dir.join("Cargo.toml")).find(|manifest| manifest.is_file());
    if manifest_path.is_none() {
        return FreshPacks::by_settings(assets, keys);
    }
    let mut packages = PackageArgs { package: None, manifest_path }.find()?;
    packages.retain(|package| package.has_build_script);
    if packages.is_empty() {
        return FreshPacks::by_settings(assets, keys);
    }
    let scripts = packages.iter().filter_map(|package| {
        let script = ServingScript::newest(&package.root, &package.build_directories)?;
        let contains = fs::canonicalize(&package.root).is_ok_and(|root| absolute.starts_with(root));
        (contains || asset_builds::imports(&script.out_dir(), &package.root, &absolute)).then_some((package, script))
    });
    let Some((package, script)) = scripts.max_by_key(|(_, script)| script.time) else {
        let of = if packages.len() == 1 { "this package" } else { "a package with these assets" };
        out.warn(&format!("found no build of {of}, so rules in build.rs are ignored; run `cargo build` first"))?;
        return FreshPacks::by_settings(assets, keys);
    };
    if let Some(warning) = script.outdated_warning(&package.root) {
        out.warn(warning)?;
    }
    let fresh = FreshPacks::by_script(&script)?;
    // The script may know nothing of the directory, such as a mod's.
    if fresh.are_of(assets) && !fresh.packs.is_empty() { Ok(fresh) } else { FreshPacks::by_settings(assets, keys) }
}
