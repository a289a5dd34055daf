//! `--strip-unused`: the packs without what the shipped programs do not name.
//!
//! The compiler says which constants of the module are dead code in the very build that is shipped: with its profile, features and target. The
//! build script then writes the packs again without them.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use rres_engine::Usage;
use rres_format::ResourceId;
use rres_packs::ResourceList;
use rres_protocol::CREDIT_MARK;
use serde_json::{Value, json};

use super::build::{Built, Recipe};
use super::packs::PackageOutput;
use crate::cargo::Target;
use crate::cmd::unused::{Module, modules_by};
use crate::exit::Failure;
use crate::key;
use crate::output::{Output, Style, count, escape_terminal};

/// Assets that are in no pack of the result.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Path, or id without one, and bytes in the pack that would have been.
    pub(super) assets: Vec<(String, u64)>,
    /// The paths of sources that left nothing in the packs.
    pub(super) sources: HashSet<String>,
    /// How much smaller the packs are.
    pub(super) saved: u64,
}

impl LeftOut {
    pub(super) fn to_json(&self) -> Value {
        self.assets.iter().map(|(path, size)| json!({ "path": path, "size": size })).collect()
    }
}

/// Asks the compiler what the programs use of the package's module. It compiles them once more for that.
pub(super) fn usage(recipe: &Recipe<'_>, out: &mut Output) -> Result<Option<Usage>, Failure> {
    let package = recipe.package;
    let name = escape_terminal(&package.name);
    out.message(Style::Bold, "note:", &format!("compiling {name} to ask the compiler which assets it uses"))?;
    let is_shipped = |target: &&Target| target.program().is_none_or(|name| recipe.programs.iter().any(|of| of == name));
    let targets: Vec<&Target> = package.targets.iter().filter(is_shipped).collect();
    let mut modules = modules_by(package, &targets, |target| recipe.lint(target))?;
    if modules.len() > 1 {
        let text = "the package has several modules of assets, so all of their assets are shipped";
        out.warn(&format!("--strip-unused leaves out nothing: {text}"))?;
        return Ok(None);
    }
    let Some(Module { usage, is_exported, .. }) = modules.pop() else {
        out.warn("--strip-unused leaves out nothing: the package itself has no module of assets")?;
        return Ok(None);
    };
    if usage.uses_all {
        out.warn("--strip-unused leaves out nothing: the program reaches all assets through `ALL` or `by_path`")?;
        return Ok(None);
    }
    if is_exported {
        let text = "the library exports the module, so what a source file of the workspace names is kept";
        out.message(Style::Bold, "note:", text)?;
    }
    Ok(Some(usage))
}

/// Writes the packs of the package again, without what its programs do not use. What they contain the path of, and what `keep` matches, stays.
pub(super) fn strip(
    recipe: &Recipe<'_>,
    usage: &Usage,
    keep: &[glob::Pattern],
    built: &Built,
    outputs: &mut [PackageOutput],
    out: &mut Output,
) -> Result<LeftOut, Failure> {
    let name = &recipe.package.name;
    for other in outputs.iter().filter(|output| output.package != *name) {
        let text =
            format!("the pack of {} is shipped whole: it is of another package", escape_terminal(&other.package));
        out.message(Style::Bold, "note:", &text)?;
    }
    let Some(output) = outputs.iter_mut().find(|output| output.package == *name) else { return Ok(LeftOut::default()) };
    let mut listed: BTreeMap<ResourceId, ()> = usage.unnamed.iter().map(|asset| (asset.id, ())).collect();
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::default() };
    let mut programs = Vec::new();
    for program in &built.programs {
        let bytes = fs::read(&program.file);
        programs.push(bytes.map_err(|e| Failure::Usage(format!("cannot read {}: {e}", program.file.display())))?);
    }
    let mut named = Vec::new();
    for asset in &usage.unnamed {
        let is_kept = keep.iter().any(|pattern| pattern.matches_with(&asset.path, options));
        let finder = memchr::memmem::Finder::new(&asset.path);
        // Credits name assets, and load none.
        let is_use = |bytes: &[u8], at: usize| !bytes[..at].ends_with(CREDIT_MARK.as_bytes());
        let is_in_program = programs.iter().any(|bytes| finder.find_iter(bytes).any(|at| is_use(bytes, at)));
        if is_in_program && !is_kept {
            named.push(escape_terminal(&asset.path));
        }
        if is_kept || is_in_program {
            listed.remove(&asset.id);
        }
    }
    if !named.is_empty() {
        let text = format!("kept, because the program contains the path: {}", named.join(", "));
        out.message(Style::Bold, "note:", &text)?;
    }
    for pattern in keep.iter().filter(|pattern| !usage.unnamed.iter().any(|of| pattern.matches_with(&of.path, options)))
    {
        out.warn(&format!("--keep {pattern} matches no asset that would be left out"))?;
    }
    if listed.is_empty() {
        return Ok(LeftOut::default());
    }
    if output.packs().iter().any(|pack| super::layout::is_linked(&built.programs, pack)) {
        let text =
            "the linker has put the pack into the program (`embed = true`), before anybody knew what the program uses";
        return Err(Failure::Usage(format!("cannot strip assets: {text}; use --single in its place")));
    }
    let whole = resources_of(output)?;
    output.strip(&listed.into_keys().collect::<Vec<_>>())?;
    let stripped = resources_of(output)?;
    let saved = whole.1.saturating_sub(stripped.1);
    if stripped.1 >= whole.1 {
        out.warn(
            "without the assets that the program does not name the packs are not smaller, so they are shipped whole",
        )?;
        output.unstrip();
        return Ok(LeftOut::default());
    }
    let assets = whole.0.into_iter().filter(|(id, _)| !stripped.0.contains_key(id)).map(|(_, asset)| asset);
    let mut assets: Vec<(String, u64)> = assets.collect();
    assets.sort();
    if assets.is_empty() {
        output.unstrip();
    }
    out.message(Style::Bold, "note:", &format!("{} left out", count(assets.len(), "asset")))?;
    let kept = stripped.0.values().flat_map(|(path, _)| path.match_indices('#').map(|(at, _)| &path[..at]));
    let kept: HashSet<&str> = kept.collect();
    let sources = assets.iter().map(|(path, _)| path).filter(|path| !kept.contains(path.as_str())).cloned().collect();
    Ok(LeftOut { assets, sources, saved })
}

/// Assets by id, each with its path and size.
type Resources = BTreeMap<ResourceId, (String, u64)>;

/// The assets of the packs of a package, and the size of the files.
fn resources_of(output: &PackageOutput) -> Result<(Resources, u64), Failure> {
    let opener = key::opener();
    let (mut resources, mut size) = (BTreeMap::new(), 0);
    for first in output.shipped_packs() {
        for pack in &opener.open_set(&first)?.packs {
            let list = ResourceList::new(pack);
            resources.extend(list.resources.iter().map(|resource| {
                let path = resource.path.as_ref().map_or_else(|| resource.id.to_string(), ToString::to_string);
                (resource.id, (path, resource.stored_size))
            }));
        }
        for pack in rres_packs::executable::packs_of_set(&first)? {
            let metadata = fs::metadata(&pack.file);
            size += metadata.map_err(|e| Failure::Usage(format!("cannot read {}: {e}", pack.file.display())))?.len();
        }
    }
    Ok((resources, size))
}
