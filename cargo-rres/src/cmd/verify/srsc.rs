//! SRSC archives and databases: what is wrong with records and references that importing passes over, since nothing becomes of them.

use std::collections::BTreeSet;
use std::path::Path;

use rres_import_srsc::json::links;
use rres_import_srsc::{Checks, Databases, Error, Folder, Location, OpenOptions, Record, RecordView};
use rres_packs::OpenedPack;
use rres_packs::finding::{Code, Finding};

/// The most records and references that are named because they are wrong.
const MAX_FAULTS: usize = 256;

/// Adds what is wrong with the file that a pack was imported from, if it is one of SRSC and importing has not shown it.
pub(super) fn check(pack: &OpenedPack, findings: &mut Vec<Finding>) {
    if pack.foreign().is_none_or(|foreign| foreign.importer != "srsc") {
        return;
    }
    let mut errors = records(pack.path()).into_iter();
    let mut faults: BTreeSet<String> = errors.by_ref().take(MAX_FAULTS).map(|error| error.to_string()).collect();
    if errors.next().is_some() {
        faults.insert(format!("more than {MAX_FAULTS} records or references are wrong; the others are not named"));
    }
    for fault in faults {
        if !findings.iter().any(|finding| finding.message == fault) {
            findings.push(Finding::new(Code::ForeignDamaged, fault));
        }
    }
}

/// Reads every record of an SRSC archive or database, and follows every reference: builds go on without what is missing.
fn records(path: &Path) -> Vec<Error> {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let mut checks = Checks::default();
    let mut files = Folder::new(path.parent().unwrap_or(Path::new("")));
    let databases = match OpenOptions::new().open(name, &mut files, &mut checks) {
        Ok(databases) => databases,
        Err(error) => return vec![error],
    };
    databases.root().records().flat_map(|view| of_record(&databases, &view, &mut checks)).collect()
}

/// What is wrong with a record, also if it is not the first with its type and id, which builds import.
fn of_record(databases: &Databases, view: &RecordView<'_>, checks: &mut Checks) -> Vec<Error> {
    let contents = match view.parse(checks) {
        Ok(Record::Sound(sound)) => sound.pcm(checks.limits()).err().map(|fault| view.error(fault)),
        Ok(Record::Texture(_)) => databases.picture_of(0, view, None, checks).err(),
        Ok(_) => None,
        Err(error) => return vec![error],
    };
    let groups = databases.root().group_path(view, checks).err();
    let (_, errors) = links(databases, Location { database: 0, key: view.key() }, checks);
    contents.into_iter().chain(groups).chain(errors).collect()
}
