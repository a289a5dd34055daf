//! The groups of records, which editors show as folders.

use super::{Database, Databases, Location};
use crate::checks::Checks;
use crate::container::{Archive, RecordView};
use crate::error::{Fault, Problem, Result};
use crate::record_type::RecordKey;
use crate::records::Record;

/// The deepest that groups are in groups.
const MAX_DEPTH: usize = 64;

impl Databases {
    /// Returns the names of the groups that a record is in, from the outermost on; empty if it is in none. A record that is a group is not
    /// in itself.
    ///
    /// # Errors
    /// If a group does not exist or is damaged, or groups are in each other.
    pub fn group_path(&self, at: Location, checks: &mut Checks) -> Result<Vec<String>> {
        let view = self.expect(at)?;
        self.list[at.database].group_path(&view, checks)
    }
}

impl Database {
    /// Returns the names of the groups that a record of this database is in, from the outermost on.
    ///
    /// # Errors
    /// If a group does not exist or is damaged, or groups are in each other.
    pub fn group_path(&self, record: &RecordView<'_>, checks: &mut Checks) -> Result<Vec<String>> {
        let archive = self.archives().find(|archive| archive.file() == record.file());
        let mut names = Vec::new();
        let mut seen: Vec<RecordKey> = Vec::new();
        let mut view = *record;
        while let Some(archive) = archive.filter(|_| view.entry().group != 0) {
            let group = view.entry().group;
            let Some(found) = self.group_record(&archive, group) else {
                let what = format!("the group 0x{group:04x}, which does not exist");
                return Err(view.error(Fault::new("group", 0, Problem::Missing { what })));
            };
            seen.push(found.key());
            if seen.iter().filter(|key| **key == found.key()).count() > 1 || seen.len() > MAX_DEPTH {
                let path = seen.iter().map(|key| format!("0x{:04x}", key.id)).collect();
                return Err(view.error(Fault::new("group", 0, Problem::Cycle { path })));
            }
            if let Record::Group(name) = found.parse(checks)? {
                names.push(name.decode().into_owned());
            }
            view = found;
        }
        names.reverse();
        Ok(names)
    }

    /// Returns the record of a group of an archive. The types of groups differ by archive, so the type is not part of the reference.
    fn group_record<'a>(&'a self, archive: &Archive<'a>, id: u16) -> Option<RecordView<'a>> {
        let kinds = crate::RecordType::ALL.iter().filter(|kind| kind.is_group());
        kinds.filter_map(|kind| self.record(*kind, id)).find(|record| record.file() == archive.file())
    }
}
