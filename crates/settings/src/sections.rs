//! Groups and budgets, from `assets.toml` or from `build.rs`.

use std::borrow::Cow;

use super::lint::{BudgetUse, LintFinding};
use super::pattern::{Pattern, split_path};
use super::values::LintLevel;
use crate::byte_size::ByteSize;
use crate::diagnostic::Place;

/// Assets that are loaded and dropped together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) include: Vec<(Pattern, Place)>,
}

/// The largest size in bytes that some assets may take in the pack.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    pub(super) of: BudgetOf,
    pub(super) bytes: u64,
    pub(super) place: Place,
}

/// The assets that share a budget.
#[derive(Clone, Debug)]
pub(super) enum BudgetOf {
    /// All of them.
    Total,
    Glob(Pattern),
    /// The members of the group of this name.
    Group(String),
}

impl Budget {
    /// The glob, for a budget that has one.
    pub(super) fn pattern(&self) -> Option<&Pattern> {
        match &self.of {
            BudgetOf::Glob(pattern) => Some(pattern),
            BudgetOf::Total | BudgetOf::Group(_) => None,
        }
    }

    /// A finding if the assets `stored` (path, bytes in the pack) exceed the budget.
    pub(super) fn check<'p>(
        &self,
        groups: &[Group],
        level: LintLevel,
        stored: impl Iterator<Item = (&'p str, u64)>,
    ) -> Option<LintFinding> {
        let sum = sum(self.members(groups, stored));
        if sum <= self.bytes {
            return None;
        }
        let name = self.name();
        let (size, limit) = (ByteSize(sum), ByteSize(self.bytes));
        let exact = if sum < 1000 { String::new() } else { format!(" ({sum} bytes)") };
        Some(LintFinding::of_budget(&name, &self.place, level, format!("{size}{exact}"), limit.to_string()))
    }

    /// What the assets `stored` (path, bytes in the pack) take of the budget.
    pub(super) fn measure<'p>(
        &self,
        groups: &[Group],
        level: LintLevel,
        stored: impl Iterator<Item = (&'p str, u64)>,
    ) -> BudgetUse {
        let mut assets: Vec<(String, u64)> =
            self.members(groups, stored).map(|(path, bytes)| (path.to_owned(), bytes)).collect();
        assets.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        BudgetUse {
            rule: self.name().into_owned(),
            place: self.place.to_string(),
            level,
            used: sum(assets.iter().map(|(path, bytes)| (&**path, *bytes))),
            allowed: self.bytes,
            assets,
        }
    }

    /// The glob, or else `total` or `group.NAME`.
    fn name(&self) -> Cow<'_, str> {
        match &self.of {
            BudgetOf::Total => "total".into(),
            BudgetOf::Glob(pattern) => pattern.as_str().into(),
            BudgetOf::Group(name) => format!("group.{name}").into(),
        }
    }

    /// The assets in `stored` that share the budget.
    fn members<'p>(
        &self,
        groups: &[Group],
        stored: impl Iterator<Item = (&'p str, u64)>,
    ) -> impl Iterator<Item = (&'p str, u64)> {
        stored.filter(|(path, _)| match &self.of {
            BudgetOf::Total => true,
            BudgetOf::Glob(pattern) => pattern.matches(&split_path(path)),
            BudgetOf::Group(name) => {
                groups.iter().find(|group| group.name == *name).is_some_and(|group| group.contains(path))
            }
        })
    }
}

fn sum<'p>(stored: impl Iterator<Item = (&'p str, u64)>) -> u64 {
    stored.fold(0, |sum, (_, bytes)| sum.saturating_add(bytes))
}

impl Group {
    fn contains(&self, path: &str) -> bool {
        let names = split_path(path);
        self.include.iter().any(|(pattern, _)| pattern.matches(&names))
    }
}

/// What is wrong with the name of a new group, given the existing groups: message and help.
pub(super) fn check_group(name: &str, groups: &[Group]) -> Result<(), (String, Option<String>)> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
        return Err((format!("bad group name \"{name}\", expected letters, digits, `_` and `-`"), None));
    }
    // Each group becomes a constant.
    let constant = |name: &str| name.replace('-', "_").to_ascii_uppercase();
    match groups.iter().find(|other| constant(&other.name) == constant(name)) {
        Some(Group { name: other, place, .. }) => {
            let constant = constant(name);
            let message =
                format!("duplicate group: `{name}` and `{other}` at {place} both become the constant {constant}");
            Err((message, Some("rename one of them".to_owned())))
        }
        None => Ok(()),
    }
}
