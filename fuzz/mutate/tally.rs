//! What came of the mutations of one kind of file.

use std::time::Duration;

/// What came of one mutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is an error to open the file.
    Refused,
    /// Everything is as it was.
    Equal,
    /// At least one asset is an error, and all others are as they were.
    AssetError,
    /// An asset loads and is another one.
    Silent(String),
    /// All assets are as they were, the list of them is not, and `Mounts::warnings` says so.
    Warned,
    /// The same without a warning.
    Unlisted,
    Panic,
}

/// The table's first lines.
pub(crate) const HEAD: &str = "\
| file | mutations | refused | equal | asset error | silent misread | list differs, with a warning | list differs, without | panic | slowest |
|---|---|---|---|---|---|---|---|---|---|";

/// How many findings are shown.
const SHOWN: usize = 20;

#[derive(Default)]
pub(crate) struct Tally {
    refused: u64,
    equal: u64,
    asset_error: u64,
    pub(crate) silent: u64,
    warned: u64,
    pub(crate) unlisted: u64,
    pub(crate) panics: u64,
    slowest: Duration,
    /// The numbers of some findings, and what was done.
    pub(crate) shown: Vec<(u64, String)>,
}

impl Tally {
    pub(crate) fn count(&mut self, number: u64, what: String, outcome: Outcome, elapsed: Duration) {
        self.slowest = self.slowest.max(elapsed);
        match &outcome {
            Outcome::Refused => self.refused += 1,
            Outcome::Equal => self.equal += 1,
            Outcome::AssetError => self.asset_error += 1,
            Outcome::Warned => self.warned += 1,
            Outcome::Unlisted => self.unlisted += 1,
            Outcome::Silent(_) => self.silent += 1,
            Outcome::Panic => self.panics += 1,
        }
        if matches!(outcome, Outcome::Silent(_) | Outcome::Unlisted | Outcome::Panic) {
            self.shown.push((number, format!("{what}: {outcome:?}")));
            self.limit();
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.refused += other.refused;
        self.equal += other.equal;
        self.asset_error += other.asset_error;
        self.silent += other.silent;
        self.warned += other.warned;
        self.unlisted += other.unlisted;
        self.panics += other.panics;
        self.slowest = self.slowest.max(other.slowest);
        self.shown.extend(other.shown.iter().cloned());
        self.limit();
    }

    /// Keeps the findings with the lowest numbers, whichever thread was first.
    fn limit(&mut self) {
        self.shown.sort();
        self.shown.truncate(SHOWN);
    }

    /// The line of the table.
    pub(crate) fn row(&self, name: &str) -> String {
        let Self { refused, equal, asset_error, silent, warned, unlisted, panics, slowest, .. } = self;
        let count = refused + equal + asset_error + silent + warned + unlisted + panics;
        let slowest = slowest.as_secs_f32();
        format!(
            "| {name} | {count} | {refused} | {equal} | {asset_error} | {silent} | {warned} | {unlisted} | {panics} | {slowest:.2} s |"
        )
    }
}
