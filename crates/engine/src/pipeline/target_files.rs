//! Files whose names have the name of a target, such as `hud.mobile.png` → the file of each asset for the target that is built.
//!
//! The asset has the path of the file without such a name, so every step after this one sees the same set for every target.

use std::collections::{BTreeMap, HashSet};

use super::found_source::FoundSource;
use crate::diagnostic::{Diagnostic, Fix};
use crate::model::SourceFile;
use crate::report::TargetFile;
use crate::settings::{Rules, TargetName};

/// The files for the target.
#[derive(Default)]
pub(super) struct Chosen {
    /// Sorted by path. The files of other targets are not among them.
    pub(super) sources: Vec<FoundSource>,
    /// The paths of the files that take the paths of other assets, by these paths.
    pub(super) files: BTreeMap<String, String>,
    /// The assets that have files for some targets.
    pub(super) target_files: Vec<TargetFile>,
    /// The paths of assets without a file, or with several.
    pub(super) unavailable: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Replaces the files of an asset by the one for the target, which gets the path of the asset. `sources` are sorted by path.
pub(super) fn choose_files(rules: &Rules, sources: Vec<FoundSource>) -> Chosen {
    let mut families: BTreeMap<String, Vec<(usize, TargetName)>> = BTreeMap::new();
    if rules.have_targets() {
        for (at, FoundSource { source, .. }) in sources.iter().enumerate() {
            if let Some(name) = rules.target_name(&source.path).filter(|_| !rules.resolve(&source.path).asset.ignore) {
                families.entry(name.base.clone()).or_default().push((at, name));
            }
        }
    }
    if families.is_empty() {
        return Chosen { sources, ..Chosen::default() };
    }
    let mut result = Chosen::default();
    let mut left_out = HashSet::new();
    let mut chosen = BTreeMap::new();
    for (base, members) in families {
        let own = sources.binary_search_by(|found| found.source.path.as_str().cmp(&base)).ok();
        left_out.extend(members.iter().map(|(at, _)| *at));
        let fault = match file_for_target(rules, &sources, own, &members) {
            Ok(at) => {
                let path = |at: usize| sources[at].source.path.clone();
                let others = own.into_iter().chain(members.iter().map(|(at, _)| *at)).filter(|other| *other != at);
                result.target_files.push(TargetFile {
                    path: base.clone(),
                    file: path(at),
                    left_out: others.map(path).collect(),
                });
                if Some(at) != own {
                    left_out.extend(own);
                    chosen.insert(base, at);
                }
                continue;
            }
            Err(fault) => fault,
        };
        left_out.extend(own);
        let Fault { at, message, help } = fault;
        let diagnostic =
            Diagnostic::file(&sources[at].source.file, message).with_help(help).with_asset(&sources[at].source.path);
        result.diagnostics.push(diagnostic.with_fix(&sources[at].source.path, Fix::NO_VARIANT));
        result.unavailable.push(base);
    }
    result.files = chosen.iter().map(|(path, at)| (path.clone(), sources[*at].source.path.clone())).collect();
    let of_target = chosen.into_iter().map(|(path, at)| {
        let found = sources[at].clone();
        FoundSource { source: SourceFile { path, ..found.source }, ..found }
    });
    let others = sources.iter().enumerate().filter(|(at, _)| !left_out.contains(at)).map(|(_, found)| found.clone());
    result.sources = others.chain(of_target).collect();
    result.sources.sort_by(|a, b| a.source.path.cmp(&b.source.path));
    result
}

/// Why an asset has no file.
struct Fault {
    /// The file that the message is about.
    at: usize,
    message: String,
    help: String,
}

/// The file of an asset for the target: the one whose name is for it, or else the one without a name.
fn file_for_target(
    rules: &Rules,
    sources: &[FoundSource],
    own: Option<usize>,
    members: &[(usize, TargetName)],
) -> Result<usize, Fault> {
    if let Some((at, name)) = members.iter().find(|(_, name)| name.targets.len() > 1) {
        return Err(Fault {
            at: *at,
            message: format!("has the names of several targets: {}", quoted(&name.targets)),
            help: "name one of them; a name under `targets` can mean several targets with `any(…)`".to_owned(),
        });
    }
    let mut matching =
        members.iter().filter(|(_, name)| name.targets.iter().any(|target| rules.is_target(&name.base, target)));
    match (matching.next(), matching.next(), own) {
        (Some((first, of_first)), Some((second, of_second)), _) => {
            let (a, b) = (quoted(&of_first.targets), quoted(&of_second.targets));
            let message = match of_first.targets == of_second.targets {
                true => format!("is for the same target as {}: {a}", sources[*first].source.file.display()),
                false => format!(
                    "is for the target {b}, and {} for {a}; both conditions hold for this target",
                    sources[*first].source.file.display()
                ),
            };
            let help =
                "remove one of the files, or change `targets` under [pack] so that one condition holds".to_owned();
            Err(Fault { at: *second, message, help })
        }
        (Some((at, _)), None, _) => Ok(*at),
        (None, _, Some(own)) => Ok(own),
        (None, _, None) => {
            let (at, TargetName { base, targets }) = &members[0];
            let message =
                format!("is for the target {} by its name, and no file is \"{base}\" for this target", quoted(targets));
            let help = "every target has the same assets: add that file, or one for this target, or set `variants = false` \
                        for this one";
            Err(Fault { at: *at, message, help: help.to_owned() })
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
