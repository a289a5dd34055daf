//! Settings that are worth a rule.

use std::collections::BTreeMap;

use super::files::{Files, Measured};
use super::goal::Goal;
use super::trials::Candidate;

/// Settings with which the files of a folder take less.
#[derive(Clone)]
pub(super) struct Advice {
    pub(super) files: Files,
    /// The glob of its rule.
    pub(super) glob: String,
    pub(super) candidate: Candidate,
    pub(super) before: Measured,
    pub(super) after: Measured,
}

impl Advice {
    /// What it saves of a goal: bytes, or nanoseconds.
    pub(super) fn saved(&self, goal: Goal) -> u64 {
        goal.of(&self.before).saturating_sub(goal.of(&self.after))
    }

    /// The keys as they stand in a rule of `assets.toml`, one a line.
    pub(super) fn keys(&self) -> String {
        self.candidate.keys(&self.files)
    }

    /// What a player could notice, in words; `None` if nothing is lost.
    pub(super) fn loss(&self) -> Option<String> {
        self.candidate.loss()
    }
}

/// The advice to follow: for the files of each folder what saves most, without loss or with.
pub(super) fn chosen(all: &[Advice], goal: Goal, may_lose: bool) -> Vec<&Advice> {
    let mut best: BTreeMap<&Files, &Advice> = BTreeMap::new();
    for advice in all.iter().filter(|advice| may_lose || advice.loss().is_none()) {
        let of_files = best.entry(&advice.files).or_insert(advice);
        if advice.saved(goal) > of_files.saved(goal) {
            *of_files = advice;
        }
    }
    let mut best: Vec<&Advice> = best.into_values().collect();
    best.sort_by(|a, b| b.saved(goal).cmp(&a.saved(goal)).then_with(|| a.files.cmp(&b.files)));
    best
}
