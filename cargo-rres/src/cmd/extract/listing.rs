//! What was written, skipped and damaged, for people and as JSON.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Args;
use super::plan::{Embedded, Extraction, Plan, Skipped};
use super::write::{self, Written};
use crate::exit::Failure;
use crate::output::{Output, Style, count, escape_terminal};

/// What became of every resource of a plan.
pub(super) struct Listing<'a> {
    pub(super) extractions: Vec<Extraction<'a>>,
    /// What was written of each extraction.
    written: Vec<Vec<Written>>,
    embedded: Vec<Embedded>,
    skipped: Vec<Skipped>,
    /// What is damaged and was not written.
    faults: Vec<String>,
    /// What is damaged in resources that were written without it.
    partial: Vec<String>,
    pub(super) unwritten: Vec<String>,
    /// What to know about files of other engines.
    notes: Vec<String>,
    /// The file with settings, if it was written.
    settings: Option<PathBuf>,
    out: PathBuf,
}

impl<'a> Listing<'a> {
    pub(super) fn new(plan: Plan<'a>, results: Vec<write::Result>, args: &Args) -> Self {
        let Plan { files, embedded, mut skipped, mut faults, notes } = plan;
        let (mut extractions, mut all_written) = (Vec::new(), Vec::new());
        let (mut partial, mut unwritten) = (Vec::new(), Vec::new());
        for (extraction, result) in files.into_iter().zip(results) {
            let (written, errors) = match result {
                write::Result::Written(written, parts) => {
                    partial.extend(parts);
                    (written, Vec::new())
                }
                write::Result::Unwritten(written, errors) => (written, errors),
                write::Result::Skipped(why) => {
                    skipped.push(Skipped::new(&extraction.resource, why));
                    continue;
                }
                write::Result::Damaged(why) => {
                    faults.push(format!("{}: {why}", extraction.resource.name()));
                    continue;
                }
            };
            unwritten.extend(errors);
            all_written.push(written);
            extractions.push(extraction);
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
            out: args.out.clone(),
        }
    }

    /// Adds the file with settings.
    pub(super) fn settings(&mut self, file: &Path, result: io::Result<()>) {
        match result {
            Ok(()) => self.settings = Some(file.to_owned()),
            Err(error) => self.unwritten.push(format!("cannot write {}: {error}", file.display())),
        }
    }

    /// Returns everything that is damaged.
    pub(super) fn faults(&self) -> impl Iterator<Item = &String> {
        self.faults.iter().chain(&self.partial)
    }

    /// Returns every file that was written, with the resource that it is made from.
    fn files(&self) -> impl Iterator<Item = (&Extraction<'a>, &Written)> {
        let pairs = self.extractions.iter().zip(&self.written);
        pairs.flat_map(|(extraction, written)| written.iter().map(move |written| (extraction, written)))
    }

    fn path(&self, extraction: &Extraction<'_>, written: &Written) -> String {
        self.out.join(&extraction.files[written.position]).display().to_string()
    }

    pub(super) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        for (extraction, written) in self.files() {
            let renamed = extraction.renamed.as_ref().filter(|_| written.position == 0);
            let renamed = renamed.map(|renamed| format!("renamed: {} {}", renamed.why, escape_terminal(&renamed.from)));
            let notes: Vec<String> = written.conversion.clone().into_iter().chain(renamed).collect();
            print_file(&self.path(extraction, written), &notes, out)?;
        }
        for Embedded { name, owner, .. } in &self.embedded {
            print_file(name, &[format!("image in {owner}")], out)?;
        }
        if let Some(file) = &self.settings {
            print_file(&file.display().to_string(), &["settings that the files cannot hold".to_owned()], out)?;
        }
        self.warn(out)?;
        let files = self.files().count() + usize::from(self.settings.is_some());
        let skipped = count(self.skipped.len() + self.faults.len(), "resource");
        out.line(format!("{} written, {skipped} skipped", count(files, "file")))?;
        Ok(())
    }

    /// Reports on standard error what was not written.
    fn warn(&self, out: &mut Output) -> Result<(), Failure> {
        for Skipped { name, why, .. } in &self.skipped {
            out.warn(&format!("skipped {name}: {why}"))?;
        }
        for note in &self.notes {
            out.warn(&escape_terminal(note))?;
        }
        for fault in self.faults().chain(&self.unwritten) {
            out.error(fault)?;
        }
        Ok(())
    }

    pub(super) fn print_json(&self, out: &mut Output) -> Result<(), Failure> {
        let file = |(extraction, written): (&Extraction<'_>, &Written)| {
            let Extraction { resource, renamed, .. } = extraction;
            let renamed = renamed.as_ref().filter(|_| written.position == 0);
            json!({
                "path": resource.shown_path(),
                "id": resource.id.to_string(),
                "kind": resource.kind_name(),
                "file": self.path(extraction, written),
                "size": written.size,
                "conversion": written.conversion,
                "renamed_from": renamed.map(|renamed| &renamed.from),
            })
        };
        let embedded =
            |Embedded { path, id, owner, .. }: &Embedded| json!({ "path": path, "id": id.to_string(), "model": owner });
        let skipped =
            |Skipped { path, id, why, .. }: &Skipped| json!({ "path": path, "id": id.to_string(), "reason": why });
        out.json(json!({
            "files": self.files().map(file).collect::<Vec<Value>>(),
            "embedded": self.embedded.iter().map(embedded).collect::<Vec<Value>>(),
            "settings": self.settings.as_ref().map(|file| file.display().to_string()),
            "skipped": self.skipped.iter().map(skipped).collect::<Vec<Value>>(),
            "notes": self.notes,
            "faults": self.faults().collect::<Vec<_>>(),
        }))?;
        for error in self.faults().chain(&self.unwritten) {
            out.error(error)?;
        }
        Ok(())
    }
}

fn print_file(file: &str, notes: &[String], out: &mut Output) -> Result<(), Failure> {
    let file = escape_terminal(file);
    let notes =
        if notes.is_empty() { String::new() } else { out.style(Style::Dim, &format!("  ({})", notes.join("; "))) };
    out.line(file + &notes)?;
    Ok(())
}
