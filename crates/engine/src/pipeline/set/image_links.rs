//! Images with `image.bump`, `image.alternate`, `image.material` or `image.sequence` → dependencies on other assets, and metadata that says
//! which one is what.
//!
//! An image is imported without them, so a rule that changes a link imports nothing, and a file that is added can become the link of
//! files that did not change.

use std::collections::BTreeMap;

use rres_format::AssetKind;
use rres_format::index::{MetaKey, Playback};
use rres_protocol::sub_asset;

use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::model::{Dependency, ImportedAsset, ResourceInfo, dependency_path, relative_to, resolve_relative};
use crate::settings::{ImageSequence, ImageSettings};

/// The most images of a sequence.
const MAX_SEQUENCE: usize = 4096;

/// Links images with others, as rules say.
pub(super) struct ImageLinks;

impl Pass for ImageLinks {
    fn apply(&self, set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let rules = set.scope.rules;
        if !rules.have_image_links() {
            return;
        }
        let images: BTreeMap<usize, ImageSettings> = (0..set.assets.len())
            .filter(|position| set.assets[*position].record.resources.first().is_some_and(is_image))
            .map(|position| (position, rules.resolve(&set.assets[position].path).image))
            .collect();
        let sequences = sequences(&set.assets, &images);
        for (position, settings) in &images {
            let path = &set.assets[*position].path;
            let links = links(set, &images, *position, sequences.get(position), diagnostics);
            let Some(links) = links.filter(|links| !links.meta.is_empty()) else { continue };
            if let Some(atlas) = &settings.atlas {
                let message = format!("is linked with other images, and `image.atlas` puts it into \"{atlas}.atlas\"");
                let help = "a sprite has no links: remove `image.atlas`, or set `image.bump`, `image.alternate`, `image.material` and \
                            `image.sequence` to false, false, false and \"none\" for it";
                diagnostics.push(set.scope.fault(path, message, help));
                continue;
            }
            if let Some(image) = set.own_resource(*position) {
                image.dependencies = links.dependencies;
                links.meta.iter().for_each(|(key, value)| image.meta.set(*key, *value));
            }
        }
        cut_circles(set, diagnostics);
    }
}

/// The links of the image at `position`, with `others` as the rest of its sequence; `None` if that is too long.
fn links(
    set: &Set<'_>,
    images: &BTreeMap<usize, ImageSettings>,
    position: usize,
    others: Option<&Vec<usize>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Links> {
    let (asset, settings) = (&set.assets[position], &images[&position]);
    // After what the importer of the image says that it needs.
    let dependencies = asset.record.resources.first().map(|image| image.dependencies.clone()).unwrap_or_default();
    let mut links = Links { dependencies, meta: Vec::new() };
    for (key, word, name) in [
        (MetaKey::BUMP, "bump", &settings.bump),
        (MetaKey::ALTERNATE, "alternate", &settings.alternate),
        (MetaKey::MATERIAL, "material", &settings.material),
    ] {
        let Some(name) = name else { continue };
        let is_any_kind = key == MetaKey::MATERIAL;
        match find(set, |found| is_any_kind || images.contains_key(&found), asset, name) {
            Ok(Some(path)) => links.add(key, relative_to(&asset.path, &path)),
            Ok(None) => {}
            Err(what) => {
                let message = format!("has `image.{word}` = \"{name}\", and {what}");
                let what = if is_any_kind { "asset" } else { "image" };
                let help = format!("name an {what} by its path relative to this file; with `*` it may be missing");
                diagnostics.push(set.scope.fault(&asset.path, message, help));
            }
        }
    }
    let Some(others) = others else { return Some(links) };
    if others.len() >= MAX_SEQUENCE {
        let message = format!("begins a sequence of {} images, the most are {MAX_SEQUENCE}", others.len() + 1);
        let help = "remove `image.sequence`, or move images to other folders";
        diagnostics.push(set.scope.fault(&asset.path, message, help));
        return None;
    }
    let playback = match settings.sequence {
        ImageSequence::Once => Playback::Once,
        ImageSequence::PingPong => Playback::PingPong,
        _ => Playback::Loop,
    };
    links.meta.extend([
        (MetaKey::SEQUENCE, links.dependencies.len() as u32),
        (MetaKey::SEQUENCE_LENGTH, others.len() as u32 + 1),
        (MetaKey::FRAME_TIME, settings.frame_rate.map_or(settings.frame_time, |rate| (1000 + rate / 2) / rate.max(1))),
        (MetaKey::PLAYBACK, playback as u32),
    ]);
    links.meta.extend(settings.frame_rate.map(|rate| (MetaKey::FRAME_RATE, rate)));
    let others = others.iter().map(|other| relative_to(&asset.path, &set.assets[*other].path));
    links.dependencies.extend(others.map(Dependency::Asset));
    Some(links)
}

/// The links of one image.
struct Links {
    dependencies: Vec<Dependency>,
    meta: Vec<(MetaKey, u32)>,
}

impl Links {
    fn add(&mut self, key: MetaKey, relative: String) {
        self.meta.push((key, self.dependencies.len() as u32));
        self.dependencies.push(Dependency::Asset(relative));
    }
}

fn is_image(info: &ResourceInfo) -> bool {
    info.kind == AssetKind::Image && info.name.is_empty()
}

/// The path of the asset that a rule names for an image; `None` if there need not be one.
fn find(
    set: &Set<'_>,
    is_accepted: impl Fn(usize) -> bool,
    asset: &ImportedAsset,
    name: &str,
) -> Result<Option<String>, String> {
    let is_pattern = name.contains('*');
    let file = asset.path.rsplit('/').next().unwrap_or(&asset.path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let Ok(path) = resolve_relative(&asset.path, &name.replacen('*', stem, 1)) else {
        return Err("that is outside of the assets directory".to_owned());
    };
    if path == asset.path {
        // A pattern such as "*.png" of another extension.
        return if is_pattern { Ok(None) } else { Err("that is the file itself".to_owned()) };
    }
    match set.find(&path) {
        Some(found) if is_accepted(found) => Ok(Some(path)),
        Some(found) => {
            let kind = set.assets[found].record.resources.first().map(|info| info.kind.to_string());
            Err(format!("\"{path}\" is not an image: it has the kind \"{}\"", kind.unwrap_or_default()))
        }
        // Its own error says why it is missing.
        None if is_pattern || set.unavailable.iter().any(|source| source.path == path) => Ok(None),
        None => Err(format!("\"{path}\" is not an asset")),
    }
}

/// The images that begin a sequence, and those that follow, in order.
fn sequences(assets: &[ImportedAsset], images: &BTreeMap<usize, ImageSettings>) -> BTreeMap<usize, Vec<usize>> {
    let mut found: BTreeMap<(&str, &str), Vec<(u64, usize)>> = BTreeMap::new();
    for (position, _) in images.iter().filter(|(_, image)| image.sequence != ImageSequence::None) {
        let path = &assets[*position].path;
        let name_at = path.rfind('/').map_or(0, |slash| slash + 1);
        let (stem, extension) = match path[name_at..].rfind('.') {
            Some(dot) => path.split_at(name_at + dot),
            None => (path.as_str(), ""),
        };
        let start = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        if let Ok(number) = stem[start.len()..].parse() {
            found.entry((start, extension)).or_default().push((number, *position));
        }
    }
    let ordered = found.into_values().filter(|members| members.len() > 1).map(|mut members| {
        members.sort_unstable();
        let mut positions = members.into_iter().map(|(_, position)| position);
        (positions.next().unwrap_or_default(), positions.collect())
    });
    ordered.collect()
}

/// Removes the links of images that lead back to themselves, and reports them: loading one would never end.
fn cut_circles(set: &mut Set<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let targets: Vec<Vec<usize>> = set
        .assets
        .iter()
        .enumerate()
        .map(|(at, asset)| {
            // A material may be an asset of any kind, which needs others.
            let dependencies = asset.record.resources.iter().flat_map(|resource| &resource.dependencies);
            let file = |path: String| set.find(sub_asset::file(&path));
            let find = |dependency| {
                let path = dependency_path(asset, dependency);
                set.find(&path).or_else(|| file(path)).filter(|target| *target != at)
            };
            dependencies.filter_map(find).collect()
        })
        .collect();
    // Images without links and those that lead only to such are dropped again and again; what is left is in a circle, or leads to one.
    let mut left: Vec<usize> = targets.iter().map(Vec::len).collect();
    let mut sources = vec![Vec::new(); targets.len()];
    for (from, to) in targets.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
        sources[to].push(from);
    }
    let mut done: Vec<usize> = (0..left.len()).filter(|at| left[*at] == 0).collect();
    while let Some(at) = done.pop() {
        for from in &sources[at] {
            left[*from] -= 1;
            if left[*from] == 0 {
                done.push(*from);
            }
        }
    }
    // Circles without such an image are no matter of rules for images.
    let is_linked = |at: &usize| {
        let image = set.assets[*at].record.resources.first().filter(|info| is_image(info));
        image.is_some() && set.assets[*at].source.is_some()
    };
    let linked: Vec<usize> = (0..left.len()).filter(|at| left[*at] > 0).filter(is_linked).collect();
    for at in linked {
        let others: Vec<&str> =
            targets[at].iter().filter(|to| left[**to] > 0).map(|to| set.assets[*to].path.as_str()).collect();
        let message = format!("is linked with \"{}\", which leads back to it or to a circle", others.join("\", \""));
        let help = "remove `image.bump`, `image.alternate`, `image.material` or `image.sequence` of one of them";
        diagnostics.push(set.scope.fault(&set.assets[at].path, message, help));
        // As it was imported.
        if let Some(record) = set.assets[at].source.clone() {
            set.assets[at].record = record;
        }
    }
}
