//! The set of assets: ids, slots and dependencies of everything that the engine imported, checked as a whole.

use std::collections::HashMap;

use rres_format::index::GroupSpec;
use rres_format::{AssetKind, ResourceId};

use crate::engine::{Asset, Failure, part_path};
use crate::error::Problem;
use crate::import::{Dependency, beside};
use crate::lock::Lock;
use crate::settings::Rules;

/// One resource of the set: an asset, or a part of one.
#[derive(Debug)]
pub(crate) struct Member {
    /// The asset's path, or `asset#part`.
    pub(crate) path: String,
    pub(crate) id: ResourceId,
    pub(crate) kind: AssetKind,
    /// Which asset it is of.
    pub(crate) asset: usize,
    /// Which part of that asset.
    pub(crate) part: usize,
    pub(crate) dependencies: Vec<ResourceId>,
}

/// Everything that is packed together.
#[derive(Debug)]
pub(crate) struct AssetSet {
    pub(crate) assets: Vec<Asset>,
    /// Sorted by path.
    pub(crate) members: Vec<Member>,
    pub(crate) groups: Vec<GroupSpec>,
    /// Hash of the paths, ids and kinds of all members.
    pub(crate) hash: [u8; 16],
}

/// Assets that make no set, and why.
#[derive(Debug)]
pub(crate) struct Rejected {
    pub(crate) assets: Vec<Asset>,
    /// Those with a path go when that asset goes.
    pub(crate) failures: Vec<Failure>,
    /// The paths of missing assets that others need.
    pub(crate) missing: Vec<String>,
}

impl AssetSet {
    /// Gives every resource its id and resolves what they need of each other. `assets` are sorted by path; `place` says
    /// where the source of one is.
    pub(crate) fn new(
        assets: Vec<Asset>,
        rules: &Rules,
        lock: &Lock,
        place: impl Fn(&str) -> String,
    ) -> Result<Self, Rejected> {
        let (mut failures, mut missing) = (Vec::new(), Vec::new());
        let fail = |path: &str, problem| Failure { path: Some(path.to_owned()), problem };
        let mut members = Vec::new();
        for (asset_number, asset) in assets.iter().enumerate() {
            for (part_number, part) in asset.sight.parts.iter().enumerate() {
                let path = part_path(&asset.path, &part.name);
                let id = match asset.settings.id {
                    Some(id) if part.name.is_empty() => id,
                    _ => lock.id(&path),
                };
                if path.len() > rres_format::limits::MAX_NAME_LEN {
                    let message = format!("the path of its part \"{}\" is longer than 1022 bytes", part.name);
                    let problem = Problem::new(place(&asset.path), message).help("shorten the names in it");
                    failures.push(fail(&asset.path, problem));
                }
                let (asset, part) = (asset_number, part_number);
                members.push(Member {
                    path,
                    id,
                    kind: assets[asset].sight.parts[part].kind,
                    asset,
                    part,
                    dependencies: vec![],
                });
            }
        }
        members.sort_by(|a, b| a.path.cmp(&b.path));
        let ids = check_ids(&members, &place).into_iter();
        failures.extend(ids.map(|problem| Failure { path: None, problem }));
        let ids: HashMap<&str, ResourceId> = members.iter().map(|member| (member.path.as_str(), member.id)).collect();
        let mut resolved = Vec::with_capacity(members.len());
        for member in &members {
            let asset = &assets[member.asset];
            let mut dependencies = Vec::new();
            for dependency in &asset.sight.parts[member.part].dependencies {
                let path = match dependency {
                    Dependency::Part(name) => Some(part_path(&asset.path, name)),
                    Dependency::Asset(relative) => beside(&asset.path, relative).ok(),
                };
                match path.as_deref().and_then(|path| ids.get(path)) {
                    Some(id) => dependencies.push(*id),
                    None => {
                        let path = path.unwrap_or_default();
                        let message = format!("needs \"{path}\", which is no asset");
                        let help = format!("put {path} into the assets directory, and let no rule ignore it");
                        failures.push(fail(&asset.path, Problem::new(place(&asset.path), message).help(help)));
                        missing.push(path);
                    }
                }
            }
            resolved.push(dependencies);
        }
        if !failures.is_empty() {
            return Err(Rejected { assets, failures, missing });
        }
        members.iter_mut().zip(resolved).for_each(|(member, dependencies)| member.dependencies = dependencies);

        let paths = members.iter().map(|member| member.path.as_str());
        let groups = rules.group_members(paths).into_iter().map(|(name, of_group)| GroupSpec {
            name: name.to_owned(),
            members: of_group.into_iter().map(|i| members[i].id).collect(),
        });
        let groups = groups.collect();
        let hash = set_hash(&members);
        Ok(Self { assets, members, groups, hash })
    }

    /// The budgets that the set breaks.
    pub(crate) fn over_budget(&self, rules: &Rules) -> Vec<Problem> {
        let stored: Vec<(&str, u64)> =
            self.assets.iter().map(|asset| (asset.path.as_str(), asset.stored_size())).collect();
        rules.over_budget(&stored).into_iter().map(Problem::from).collect()
    }

    /// Which slot each member has in an index that holds exactly `members`: their rank by id.
    pub(crate) fn slots<'m>(members: impl Iterator<Item = &'m Member>) -> HashMap<ResourceId, u32> {
        let mut ids: Vec<ResourceId> = members.map(|member| member.id).collect();
        ids.sort_unstable();
        ids.into_iter().zip(0..).collect()
    }
}

fn check_ids(members: &[Member], place: &impl Fn(&str) -> String) -> Vec<Problem> {
    let mut seen: HashMap<ResourceId, &str> = HashMap::new();
    let mut problems = Vec::new();
    for Member { path, id, .. } in members {
        if *id == ResourceId::NONE {
            let message = "its id is 0, which means \"not found\"";
            problems.push(Problem::new(place(path), message).help("give it another with `id = …` in assets.toml"));
        }
        if let Some(other) = seen.insert(*id, path) {
            let message = format!("its id {id} is that of {} too", place(other));
            let help = format!("give one of them an id of its own: `id = …` under [\"{path}\"] in assets.toml");
            problems.push(Problem::new(place(path), message).help(help));
        }
    }
    problems
}

fn set_hash(members: &[Member]) -> [u8; 16] {
    let mut hash = crate::cache::KeyBuilder::new("rres asset set");
    for Member { path, id, kind, .. } in members {
        hash.field(path.as_bytes()).field(&id.0.to_le_bytes()).field(&[*kind as u8]);
    }
    let mut out = [0; 16];
    out.copy_from_slice(&hash.finish().0[..16]);
    out
}
