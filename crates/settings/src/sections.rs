//! Groups and budgets, from `assets.toml` or from `build.rs`.

use std::borrow::Cow;

use super::lint::{BudgetUse, LintFinding};
use super::pattern::{Pattern, split_path};
use super::values::{AssetSize, LintLevel, Measure};
use crate::byte_size::ByteSize;
use crate::diagnostic::Place;

/// The key of budgets of video memory.
pub(super) const VRAM: &str = "vram";

/// Assets that are loaded and dropped together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) include: Vec<(Pattern, Place)>,
}

/// The largest size in bytes that some assets may take, in the pack or in video memory.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    pub(super) of: BudgetOf,
    pub(super) measure: Measure,
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

/// How many assets a finding about video memory names.
const LARGEST: usize = 3;

impl Budget {
    /// The glob, for a budget that has one.
    pub(super) fn pattern(&self) -> Option<&Pattern> {
        match &self.of {
            BudgetOf::Glob(pattern) => Some(pattern),
            BudgetOf::Total | BudgetOf::Group(_) => None,
        }
    }

    /// A finding if the assets exceed the budget.
    pub(super) fn check(&self, groups: &[Group], level: LintLevel, assets: &[AssetSize<'_>]) -> Option<LintFinding> {
        let sum = sum(self.members(groups, assets));
        if sum <= self.bytes {
            return None;
        }
        let name = self.name();
        let (size, limit) = (ByteSize(sum), ByteSize(self.bytes));
        let exact = if sum < 1000 { String::new() } else { format!(" ({sum} bytes)") };
        let (mut found, mut allowed) = (format!("{size}{exact}"), limit.to_string());
        if self.measure == Measure::VideoMemory {
            let largest = self.measure(groups, level, assets).assets.into_iter();
            let largest = largest.take(LARGEST).map(|(path, bytes)| format!("{path} ({})", ByteSize(bytes)));
            found += " of video memory";
            allowed += &format!("; the largest: {}", largest.collect::<Vec<_>>().join(", "));
        }
        Some(LintFinding::of_budget(&name, &self.place, level, found, allowed))
    }

    /// What the assets take of the budget.
    pub(super) fn measure(&self, groups: &[Group], level: LintLevel, assets: &[AssetSize<'_>]) -> BudgetUse {
        let mut assets: Vec<(String, u64)> =
            self.members(groups, assets).map(|(path, bytes)| (path.to_owned(), bytes)).collect();
        // Most assets take no video memory, and none of those is worth a word.
        assets.retain(|(_, bytes)| self.measure == Measure::Stored || *bytes > 0);
        assets.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        BudgetUse {
            rule: self.name().into_owned(),
            place: self.place.to_string(),
            level,
            measure: self.measure,
            used: sum(assets.iter().map(|(path, bytes)| (&**path, *bytes))),
            allowed: self.bytes,
            assets,
        }
    }

    /// The glob, or else `total` or `group.NAME`; for video memory with `vram`, as in the settings.
    fn name(&self) -> Cow<'_, str> {
        match (&self.of, self.measure) {
            (BudgetOf::Total, Measure::Stored) => "total".into(),
            (BudgetOf::Total, Measure::VideoMemory) => VRAM.into(),
            (BudgetOf::Glob(pattern), Measure::Stored) => pattern.as_str().into(),
            (BudgetOf::Glob(pattern), Measure::VideoMemory) => format!("{VRAM}.{}", pattern.as_str()).into(),
            (BudgetOf::Group(name), Measure::Stored) => format!("group.{name}").into(),
            (BudgetOf::Group(name), Measure::VideoMemory) => format!("group.{name}.{VRAM}").into(),
        }
    }

    /// The assets that share the budget, and the bytes of each.
    fn members<'p>(&self, groups: &[Group], assets: &'p [AssetSize<'p>]) -> impl Iterator<Item = (&'p str, u64)> {
        let is_member = |asset: &&AssetSize<'_>| match &self.of {
            BudgetOf::Total => true,
            BudgetOf::Glob(pattern) => pattern.matches(&split_path(asset.path)),
            BudgetOf::Group(name) => {
                let is_needed = self.measure == Measure::VideoMemory && asset.needed_by.contains(&name.as_str());
                let group = groups.iter().find(|group| group.name == *name);
                is_needed || group.is_some_and(|group| group.contains(asset.path))
            }
        };
        assets.iter().filter(is_member).map(|asset| (asset.path, asset.by(self.measure)))
    }
}

fn sum<'p>(sizes: impl Iterator<Item = (&'p str, u64)>) -> u64 {
    sizes.fold(0, |sum, (_, bytes)| sum.saturating_add(bytes))
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
