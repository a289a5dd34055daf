//! The packs of a set against each other.

use super::Report;
use crate::finding::{Code, Finding};
use crate::opened_pack::OpenedPack;
use crate::pack_set::PackSet;

/// Checks that the set is complete and that all its packs come from the same build.
pub(super) fn check(set: &PackSet, reports: &mut [Report]) {
    reports[0].findings.extend(set.missing_finding());
    let set_hash = |pack: &OpenedPack| pack.view().index().map(|index| index.set_hash());
    let first = &set.packs[0];
    for (pack, report) in set.packs.iter().zip(reports) {
        if set_hash(pack) != set_hash(first) {
            let message = format!("the pack comes from another build than {}", first.name());
            report.findings.push(Finding::new(Code::SetMismatch, message));
        }
    }
}
