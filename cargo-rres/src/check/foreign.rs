//! Files of other engines: what importing them has shown, and the references of databases that nothing becomes of.

use std::collections::BTreeSet;
use std::path::Path;

use rres_import_srsc::json::links;
use rres_import_srsc::{Checks, Databases, Error, Folder, Location, OpenOptions, RecordView};

use crate::finding::{Code, Findings};
use crate::opened_pack::OpenedPack;

/// Adds what is wrong with the file that a pack was imported from.
pub(super) fn check(pack: &OpenedPack, findings: &mut Findings<'_>) {
    let Some(foreign) = pack.foreign() else { return };
    let mut faults: BTreeSet<String> = foreign.faults.iter().cloned().collect();
    if foreign.importer == "srsc" {
        faults.extend(references(pack.path()).iter().map(ToString::to_string));
    }
    faults.into_iter().for_each(|fault| findings.add(Code::ForeignDamaged, fault));
    foreign.notes.iter().for_each(|note| findings.add(Code::ForeignNote, note));
}

/// Follows every reference of an SRSC archive or database: builds go on without what is missing.
fn references(path: &Path) -> Vec<Error> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let mut checks = Checks::default();
    let mut files = Folder::new(path.parent().unwrap_or(Path::new("")));
    let databases = match OpenOptions::new().open(name, &mut files, &mut checks) {
        Ok(databases) => databases,
        Err(error) => return vec![error],
    };
    let records = databases.root().records();
    records.flat_map(|view| of_record(&databases, &view, &mut checks)).collect()
}

fn of_record(databases: &Databases, view: &RecordView<'_>, checks: &mut Checks) -> Vec<Error> {
    if let Err(error) = view.parse(checks) {
        return vec![error];
    }
    let groups = databases.root().group_path(view, checks).err();
    let (_, errors) = links(databases, Location { database: 0, key: view.key() }, checks);
    groups.into_iter().chain(errors).collect()
}
