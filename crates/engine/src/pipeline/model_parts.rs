//! Files that belong to models: buffers of glTF files and materials of OBJ files. The models contain what is in them, so they are not
//! assets as well, unless a rule gives them a kind.
//!
//! The files are found in the texts of the models, and not by importing these: a plan must know them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rres_format::AssetKind;
use rres_import::Note;

use super::found_source::FoundSource;
use crate::asset_kinds::kind_of_extension;
use crate::model::{extension_of, resolve_relative};
use crate::read_file::read_file;
use crate::settings::Rules;

/// Removes the files that belong to models from `sources`. Returns them with the path of a model each, and the notes about them.
pub(super) fn take_parts(
    rules: &Rules,
    sources: &mut Vec<FoundSource>,
) -> (BTreeMap<String, String>, Vec<(String, Note)>) {
    let parts = parts(rules, sources);
    if !parts.is_empty() {
        sources.retain(|found| !parts.contains_key(&found.source.path));
    }
    let is_told = |path: &&String| rules.resolve(path).asset.notes;
    let note = || {
        let help = "to pack one as well, set kind = \"raw\" for it in a rule";
        Note::new("read by models and not packed separately").with_help(help)
    };
    let notes = parts.keys().filter(is_told).map(|path| (path.clone(), note())).collect();
    (parts, notes)
}

/// The files that belong to models, with the path of a model each.
fn parts(rules: &Rules, sources: &[FoundSource]) -> BTreeMap<String, String> {
    let mut parts = BTreeMap::new();
    let is_model = |found: &&FoundSource| has_extension(found, "gltf") || has_extension(found, "obj");
    if !sources.iter().any(|found| is_model(&found)) {
        return parts;
    }
    // Names may differ by case on systems that do not distinguish it.
    let candidates: HashMap<String, &FoundSource> = sources
        .iter()
        .filter(|found| kind_of_extension(extension_of(&found.source.path)) == AssetKind::Raw)
        .filter(|found| becomes(rules, found, AssetKind::Raw, false))
        .map(|found| (found.source.path.to_lowercase(), found))
        .collect();
    // An OBJ reads only these files, and is large.
    let has_materials = candidates.values().any(|found| has_extension(found, "mtl"));
    for model in sources.iter().filter(is_model) {
        let is_read = if has_extension(model, "obj") { has_materials } else { !candidates.is_empty() };
        if !is_read || !becomes(rules, model, AssetKind::Model, true) {
            continue;
        }
        // Its import says what is wrong with it.
        let Ok(bytes) = read_file(&model.source.file) else { continue };
        let path = &model.source.path;
        // A damaged file may be mended before the next build; until then it has what most exporters write.
        let Some(models) = model.dir.importers.rres.encoders.models else { continue };
        let named = models.parts(path, &bytes).unwrap_or_else(|| {
            let name = path.rsplit('/').next().unwrap_or(path);
            vec![format!("{}.bin", name.rsplit_once('.').map_or(name, |(stem, _)| stem))]
        });
        for name in named {
            let Ok(named) = resolve_relative(path, &name) else { continue };
            let part = candidates.get(&named.to_lowercase()).filter(|part| Arc::ptr_eq(&part.dir, &model.dir));
            if let Some(part) = part {
                parts.entry(part.source.path.clone()).or_insert_with(|| path.clone());
            }
        }
    }
    parts
}

fn has_extension(found: &FoundSource, extension: &str) -> bool {
    extension_of(&found.source.path).eq_ignore_ascii_case(extension)
}

/// Whether a source becomes an asset of this kind; with `by_rule`, also because a rule says so.
fn becomes(rules: &Rules, found: &FoundSource, kind: AssetKind, by_rule: bool) -> bool {
    let FoundSource { source, dir, .. } = found;
    let settings = rules.resolve(&source.path);
    let importer = || dir.importers.choose(&source.path, &source.file, &settings);
    !settings.asset.ignore && (by_rule || settings.asset.kind.is_none()) && importer().own_kind() == Some(kind)
}
