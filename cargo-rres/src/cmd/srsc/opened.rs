//! The archive or database that a subcommand was given, with what was noticed while it was read.

use std::path::{Path, PathBuf};

use rres_import_srsc::json::id;
use rres_import_srsc::{Checks, Databases, Error, Folder, Location, OpenOptions, Problem, RecordView};
use serde_json::{Value, json};

use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// The file, and how it is read.
#[derive(Debug, clap::Args)]
pub(super) struct SourceArgs {
    /// Path to a .db file, or to an archive
    pub(super) file: PathBuf,
    /// Read databases outside of the directory of FILE, too, if a .db file names them with ".."
    #[arg(long)]
    allow_outside: bool,
    /// Treat everything unusual as an error
    #[arg(long)]
    strict: bool,
}

/// A database that was opened.
pub(super) struct Opened {
    pub(super) databases: Databases,
    pub(super) checks: Checks,
}

impl SourceArgs {
    /// Opens the file, and what it depends on.
    pub(super) fn open(&self) -> Result<Opened, Failure> {
        let fail = |why: &str| Failure::Usage(format!("cannot read {}: {why}", self.file.display()));
        if !self.file.exists() {
            return Err(fail("no such file"));
        }
        let name = self.file.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| fail("its name is not valid UTF-8"))?;
        let folder = self.file.parent().unwrap_or(Path::new(""));
        let mut files = Folder::new(folder).may_leave(self.allow_outside);
        let mut checks = if self.strict { Checks::strict() } else { Checks::default() };
        let opened = OpenOptions::new().may_leave(self.allow_outside).open(name, &mut files, &mut checks);
        let databases = opened.map_err(|error| match &error.problem {
            Problem::Read { .. } => Failure::Usage(error.to_string()),
            Problem::Outside { .. } => Failure::Fault(format!("{error}; --allow-outside reads it")),
            _ => Failure::Fault(error.to_string()),
        })?;
        Ok(Opened { databases, checks })
    }
}

impl Opened {
    /// Returns what a warning or an error looks like in JSON.
    pub(super) fn error_json(error: &Error) -> Value {
        json!({
            "file": error.file,
            "type": error.record.map(|key| key.kind.to_string()),
            "id": error.record.map(|key| id(key.id)),
            "field": error.field,
            "offset": error.offset,
            "message": error.problem.to_string(),
        })
    }

    /// Returns the warnings as JSON.
    pub(super) fn warnings_json(&self) -> Vec<Value> {
        self.checks.warnings().iter().map(Self::error_json).collect()
    }

    /// Prints the warnings to standard error.
    pub(super) fn warn(&self, out: &mut Output) -> Result<(), Failure> {
        for warning in self.checks.warnings() {
            out.warn(&warning.to_string())?;
        }
        match self.checks.more_warnings() {
            0 => Ok(()),
            more => Ok(out.warn(&format!("{more} more warnings"))?),
        }
    }

    /// Prints what could not be read, and returns whether all could.
    pub(super) fn report(&self, errors: &[Error], out: &mut Output) -> Result<Outcome, Failure> {
        self.warn(out)?;
        for error in errors {
            out.error(&error.to_string())?;
        }
        Ok(Outcome::of(errors.is_empty()))
    }
}

/// Returns the records of the database that was opened, with their locations. Several records may share a location.
pub(super) fn records(databases: &Databases) -> Vec<(Location, RecordView<'_>)> {
    databases.root().records().map(|record| (Location { database: 0, key: record.key() }, record)).collect()
}

/// Returns the name of a record's type, or its number.
pub(super) fn type_name(view: &RecordView<'_>) -> String {
    view.key().kind.name().map_or_else(|| view.key().kind.to_string(), str::to_owned)
}
