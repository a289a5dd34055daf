//! Images beside models that hold quantities such as normals, and were imported as colours → notes.
//!
//! Only here both are known: the model says what it uses an image for, and the rules of the image say what its numbers are.

use std::collections::{BTreeMap, BTreeSet};

use rres_format::AssetKind;
use rres_format::index::{ColorSpace, MetaKey};

use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::model::{Dependency, Note, ResourceInfo, dependency_path};

/// Names the images that no rule says anything of, and that no model uses for a colour.
pub(super) struct Quantities;

impl Pass for Quantities {
    fn apply(&self, set: &mut Set<'_>, _: &mut Vec<Diagnostic>) {
        let rules = set.scope.rules;
        let mut models: BTreeMap<usize, String> = BTreeMap::new();
        let mut colors: BTreeSet<usize> = BTreeSet::new();
        for asset in &set.assets {
            let used = asset.record.resources.iter().filter(|resource| resource.kind == AssetKind::Model);
            for dependency in used.flat_map(|model| &model.dependencies) {
                match dependency {
                    Dependency::Quantities(_) => {
                        if let Some(image) = set.find(&dependency_path(asset, dependency)) {
                            models.entry(image).or_insert_with(|| asset.path.clone());
                        }
                    }
                    Dependency::Asset(_) => colors.extend(set.find(&dependency_path(asset, dependency))),
                    _ => {}
                }
            }
        }
        models.retain(|image, _| {
            let is_doubtful = set.assets[*image].record.resources.first().is_some_and(is_of_colors);
            is_doubtful && !colors.contains(image)
        });
        for (image, model) in models {
            let settings = rules.resolve(&set.assets[image].path).image;
            if settings.color_space.is_some() || settings.normal_map.is_some() {
                continue;
            }
            if let Some(info) = set.own_resource(image) {
                let note =
                    Note::new("images with normals, roughness or other quantities of models are stored as colours");
                let help = "set image = { normal_map = true } for normal maps in assets.toml, and { color_space = \"linear\" } for the \
                            others; \"srgb\" if it is meant";
                info.notes.push(note.with_detail(format!("of {model}")).with_help(help));
            }
        }
    }
}

fn is_of_colors(info: &ResourceInfo) -> bool {
    info.kind == AssetKind::Image && info.meta.get(MetaKey::COLOR_SPACE) != Some(ColorSpace::Linear as u32)
}
