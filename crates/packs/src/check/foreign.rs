//! Files of other engines: what importing them has shown.

use std::collections::BTreeSet;

use crate::finding::{Code, Findings};
use crate::opened_pack::OpenedPack;

/// Adds what importing the file that a pack was made from has shown.
pub(super) fn check(pack: &OpenedPack, findings: &mut Findings<'_>) {
    let Some(foreign) = pack.foreign() else { return };
    let faults: BTreeSet<&String> = foreign.faults.iter().collect();
    faults.into_iter().for_each(|fault| findings.add(Code::ForeignDamaged, fault));
    foreign.notes.iter().for_each(|note| findings.add(Code::ForeignNote, note));
}
