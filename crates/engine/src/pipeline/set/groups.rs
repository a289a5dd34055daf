//! The groups of the rules and their members.

use std::collections::HashSet;

use rres_format::index::GroupSpec;

use super::variants::is_table;
use super::{Pass, Set};
use crate::diagnostic::Diagnostic;
use crate::model::Resource;

pub(super) struct Groups;

impl Pass for Groups {
    fn apply(&self, set: &mut Set<'_>, _: &mut Vec<Diagnostic>) {
        if !set.scope.rules.have_groups() {
            return;
        }
        let variants: HashSet<usize> = set.variants.iter().map(|of| of.variant).collect();
        let is_variant = |resource: &Resource| {
            variants.contains(&resource.asset) || resource.index > 0 && is_table(&set.assets[resource.asset])
        };
        let paths: Vec<_> = set.resources.iter().map(|resource| set.source_path(resource)).collect();
        let groups = set.scope.rules.group_members(paths.iter().map(|path| &**path)).into_iter();
        let groups = groups.map(|(name, members)| {
            let members = members.into_iter().map(|at| &set.resources[at]);
            // Loading the asset loads the variant that is wanted.
            let members = members.filter(|member| !is_variant(member)).map(|member| member.id).collect();
            GroupSpec { name: name.to_owned(), members }
        });
        set.groups = groups.collect();
    }
}
