//! What became of every resource.

use std::io;
use std::path::{Path, PathBuf};

use rres_protocol::files::local_path;

use super::Options;
use super::plan::{Embedded, Extraction, Plan, Skipped};
use super::write::{self, Written};
use crate::text::count;

/// What became of every resource of a plan.
#[derive(Debug)]
pub struct Extracted<'a> {
    pub(super) extractions: Vec<Extraction<'a>>,
    /// What was written of each extraction.
    written: Vec<Vec<Written>>,
    /// The images that are in the files of models.
    pub embedded: Vec<Embedded>,
    /// What no file can represent.
    pub skipped: Vec<Skipped>,
    /// What is damaged and was not written.
    pub faults: Vec<String>,
    /// What is damaged in resources that were written without it.
    pub partial: Vec<String>,
    /// What could not be written, and why.
    pub unwritten: Vec<String>,
    /// What to know about files of other engines.
    pub notes: Vec<String>,
    /// The file with settings, if it was written.
    pub settings: Option<PathBuf>,
    out: PathBuf,
}

impl<'a> Extracted<'a> {
    pub(super) fn new(plan: Plan<'a>, results: Vec<write::Outcome>, options: &Options) -> Self {
        let Plan { files, embedded, mut skipped, mut faults, notes } = plan;
        let (mut extractions, mut all_written) = (Vec::new(), Vec::new());
        let (mut partial, mut unwritten, mut not_tried) = (Vec::new(), Vec::new(), 0);
        for (extraction, result) in files.into_iter().zip(results) {
            let (written, errors) = match result {
                write::Outcome::Written(written, parts) => {
                    partial.extend(parts);
                    (written, Vec::new())
                }
                write::Outcome::Unwritten(written, errors) => (written, errors),
                write::Outcome::NotTried => {
                    not_tried += 1;
                    continue;
                }
                write::Outcome::Skipped(why) => {
                    skipped.push(Skipped::new(&extraction.resource, why));
                    continue;
                }
                write::Outcome::Damaged(why) => {
                    faults.push(format!("{}: {why}", extraction.resource.name()));
                    continue;
                }
            };
            unwritten.extend(errors);
            all_written.push(written);
            extractions.push(extraction);
        }
        if not_tried > 0 {
            unwritten.push(format!("{} not tried, since the disk is full", count(not_tried, "further asset")));
        }
        Self {
            extractions,
            written: all_written,
            embedded,
            skipped,
            faults,
            partial,
            unwritten,
            notes,
            settings: None,
            out: options.out.clone(),
        }
    }

    /// Adds the file with settings.
    pub(super) fn set_settings(&mut self, file: &Path, result: io::Result<()>) {
        match result {
            Ok(()) => self.settings = Some(file.to_owned()),
            Err(error) => self.unwritten.push(format!("cannot write {}: {error}", file.display())),
        }
    }

    /// Returns everything that is damaged.
    pub fn all_faults(&self) -> impl Iterator<Item = &String> {
        self.faults.iter().chain(&self.partial)
    }

    /// Returns every file that was written, with the resource that it is made from.
    pub fn files(&self) -> impl Iterator<Item = (&Extraction<'a>, &Written)> {
        let pairs = self.extractions.iter().zip(&self.written);
        pairs.flat_map(|(extraction, written)| written.iter().map(move |written| (extraction, written)))
    }

    /// Returns the path of a file that was written.
    pub fn path(&self, extraction: &Extraction<'_>, written: &Written) -> String {
        self.out.join(local_path(&extraction.files[written.position])).display().to_string()
    }
}
