//! Checks packs: every chunk by itself, then what chunks, index and directory contain about each other.
//!
//! Each file checks one thing and adds findings with the codes of [`crate::finding::Code`]. An error is what makes some
//! reader fail or read something wrong; a note is what could not be checked or only limits who can read the pack.

mod assets;
mod chains;
mod chunks;
mod directory;
mod foreign;
mod index;
mod raylib;
mod set;
pub(crate) mod signature;
mod sources;
mod unindexed;

use rres_format::signature::PublicKey;

use crate::finding::{Code, Finding, Findings};
use crate::opened_pack::{Damage, OpenedPack};
use crate::pack_set::PackSet;
use crate::progress::ProgressMeter;
use crate::truncation::Truncation;

/// What packs are checked for besides damage.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions<'a> {
    /// One of these keys must have signed each pack. Packs need not be signed if the list is empty.
    pub signed_with: &'a [PublicKey],
    /// Whether to name what the C library, `rres.h` and `rres-raylib.h`, would not load.
    pub raylib: bool,
}

/// The result of checking one pack.
#[derive(Debug)]
pub struct Report {
    /// What is wrong, or worth knowing.
    pub findings: Vec<Finding>,
    /// Number of chunks read, including index, directory and padding.
    pub chunk_count: usize,
    /// Total size of the blocks decoded, in bytes.
    pub decoded_size: u64,
}

impl Report {
    /// Returns the number of errors among the findings.
    pub fn error_count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_error()).count()
    }
}

/// Checks every pack of a set. Decodes all of it, which takes as long as loading it; `meter` shows the progress. Returns a report
/// for each pack of the set.
pub fn check(set: &PackSet, options: CheckOptions<'_>, meter: &ProgressMeter) -> Vec<Report> {
    let mut reports: Vec<Report> = set.packs.iter().map(|pack| check_pack(pack, options, meter)).collect();
    set::check(set, &mut reports);
    signature::check(set, options.signed_with, &mut reports);
    reports
}

fn check_pack(pack: &OpenedPack, options: CheckOptions<'_>, meter: &ProgressMeter) -> Report {
    let view = pack.view();
    let mut findings = Findings::new(view);
    if let Some(Damage::Index(message)) = pack.damage() {
        findings.add(Code::IndexDamaged, message);
    }
    let cut = Truncation::of(view);
    if let Some(cut) = &cut {
        findings.push(cut.finding());
    }
    let chunks = chunks::walk(view, cut.is_some(), &mut findings);
    let decoded_size = chunks::check(&chunks, view.index(), pack.keyring(), meter, &mut findings);
    chains::check(&chunks, cut.is_some(), &mut findings);
    // The directory is the end of a pack.
    let entries = if cut.is_some() { Vec::new() } else { directory::check(view, &chunks, &mut findings) };
    match view.index() {
        Some(index) if index.is_dev() => {
            findings.add(Code::DevIndex, "this is a dev index, and the blobs that it refers to were not checked");
        }
        Some(index) => index::check(view, index, &chunks, &entries, cut.as_ref(), &mut findings),
        None => unindexed::check(&chunks, &mut findings),
    }
    assets::check(pack, cut.as_ref(), &mut findings);
    sources::check(pack, meter, &mut findings);
    foreign::check(pack, &mut findings);
    if options.raylib {
        raylib::check(pack, &mut findings);
    }
    if let Some(Damage::Other(message)) = pack.damage()
        && cut.is_none()
        && !findings.contains_message(message)
    {
        findings.add(Code::PackUnloadable, message);
    }
    Report { findings: findings.into_list(), chunk_count: chunks.len(), decoded_size }
}
