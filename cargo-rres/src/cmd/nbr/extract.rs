//! `cargo rres nbr extract`: writes resources as files of common formats.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rres_build::ByteSize;
use rres_import_nbr::{Resource, ResourceType, Warning};
use serde_json::{Value, json};

use super::companions::Companions;
use super::files::{self, Found};
use crate::atomic_write;
use crate::exit::{Failure, Outcome};
use crate::export::{ExportError, NbrFile, moving_model, nbr, suffixes};
use crate::output::{Output, count, escape_terminal};

/// Write the resources of .nbr files as files of common formats
///
/// Textures become .png, and .hdr or .dds if they have floats; cubemaps a folder with px, nx, py, ny, pz and nz; shaders .vert and .frag, or .comp;
/// models, skeletons and animations .glb; fonts a .png and a .json; sounds .wav. A model that joints move gets the skeleton and the
/// animations of the same name, too. Existing files are not replaced without --force.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files, and directories whose .nbr files are written, with those of the directories inside them
    #[arg(required = true)]
    path: Vec<PathBuf>,
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let extraction = extract(&args.path, &args.out, args.force, &[])?;
    if args.json {
        out.json(extraction.to_json())?;
    } else {
        extraction.print(out)?;
    }
    extraction.report(out)
}

/// The files that were written, and what could not be.
pub(super) struct Extraction {
    pub(super) written: Vec<Written>,
    /// What the files do not have, with their names.
    warnings: Vec<String>,
    /// Damaged files.
    faults: Vec<String>,
    /// What no file of a common format can hold.
    skipped: Vec<String>,
}

/// A file that was written.
pub(super) struct Written {
    /// The `.nbr` file.
    source: PathBuf,
    pub(super) of: ResourceType,
    /// Its path in the directory, with `/`.
    pub(super) name: String,
    size: usize,
    conversion: Option<String>,
}

/// Converts all files at these paths. `more` are names of files that will be written, too.
pub(super) fn extract(paths: &[PathBuf], dir: &Path, force: bool, more: &[&str]) -> Result<Extraction, Failure> {
    let all = files::find(paths)?;
    let mut extraction =
        Extraction { written: Vec::new(), warnings: Vec::new(), faults: Vec::new(), skipped: Vec::new() };
    // Names differ by more than case, because some file systems do not distinguish it.
    let mut owners: BTreeMap<String, (String, &Found)> = BTreeMap::new();
    let mut companions = Companions::default();
    // Which files there will be is known before the first is written.
    for found in &all {
        let bytes = found.bytes()?;
        let Ok(file) = found.parse(&bytes) else { continue };
        companions.note(found, &file.resource);
        for suffix in suffixes(&file.resource) {
            let name = found.name.clone() + &suffix;
            let Some((name, other)) = owners.insert(name.to_lowercase(), (name, found)) else { continue };
            let (other, found) = (other.file.display(), found.file.display());
            return Err(Failure::Usage(format!("{other} and {found} both become {name}; rename one of them")));
        }
    }
    if !force {
        let names = owners.values().map(|(name, _)| name.as_str()).chain(more.iter().copied());
        let mut existing = names.map(|name| dir.join(name)).filter(|file| file.symlink_metadata().is_ok());
        if let Some(first) = existing.next() {
            let more = match existing.count() {
                0 => String::new(),
                more => format!(" and {}", count(more, "other file")),
            };
            let first = first.display();
            let message = format!("{first}{more} would be replaced; choose another directory, or pass --force");
            return Err(Failure::Usage(message));
        }
    }
    for found in &all {
        extraction.add(found, &companions, dir, force)?;
    }
    Ok(extraction)
}

impl Extraction {
    fn add(&mut self, found: &Found, companions: &Companions<'_>, dir: &Path, force: bool) -> Result<(), Failure> {
        let bytes = found.bytes()?;
        let shown = found.file.display();
        let file = match found.parse(&bytes) {
            Ok(file) => file,
            Err(fault) => {
                self.faults.push(fault);
                return Ok(());
            }
        };
        self.warnings.extend(file.warnings.iter().map(|warning: &Warning| format!("{shown}: {warning}")));
        let mut moving = None;
        if let Resource::Model(model) = &file.resource
            && let Some((skeleton, animations)) = companions.of(found, model)?
        {
            match moving_model(model, &skeleton, &animations) {
                Ok(file) => moving = Some(vec![file]),
                Err(ExportError::Unsupported(why) | ExportError::Damaged(why)) => {
                    self.warnings.push(format!("{shown}: written without its skeleton and its animations: {why}"));
                }
            }
        }
        let parts = match moving.map_or_else(|| nbr(&file.resource, found.stem()), Ok) {
            Ok(parts) => parts,
            Err(ExportError::Unsupported(why)) => {
                self.skipped.push(format!("{shown}: not written: {why}"));
                return Ok(());
            }
            Err(ExportError::Damaged(why)) => {
                self.faults.push(format!("{shown}: {why}"));
                return Ok(());
            }
        };
        for NbrFile { suffix, contents } in parts {
            let name = format!("{}{suffix}", found.name);
            write(&dir.join(&name), &contents.bytes, force)?;
            let (size, conversion) = (contents.bytes.len(), contents.conversion);
            self.written.push(Written {
                source: found.file.clone(),
                of: file.header.resource_type,
                name,
                size,
                conversion,
            });
        }
        Ok(())
    }

    fn print(&self, out: &mut Output) -> Result<(), Failure> {
        for Written { name, size, conversion, .. } in &self.written {
            let how = conversion.as_ref().map(|conversion| format!("  {conversion}")).unwrap_or_default();
            out.line(escape_terminal(&format!("{name}  {}{how}", ByteSize(*size as u64))))?;
        }
        Ok(())
    }

    /// Prints what is wrong, and returns whether anything is.
    pub(super) fn report(&self, out: &mut Output) -> Result<Outcome, Failure> {
        for text in &self.warnings {
            out.warn(&escape_terminal(text))?;
        }
        for text in &self.skipped {
            out.warn(&escape_terminal(text))?;
        }
        for text in &self.faults {
            out.error(&escape_terminal(text))?;
        }
        Ok(Outcome::of(self.faults.is_empty()))
    }

    pub(super) fn to_json(&self) -> Value {
        let file = |Written { source, of, name, size, conversion }: &Written| {
            json!({
                "source": source.display().to_string(),
                "type": of.name(),
                "file": name,
                "size": size,
                "conversion": conversion,
            })
        };
        json!({
            "files": self.written.iter().map(file).collect::<Vec<_>>(),
            "warnings": self.warnings,
            "skipped": self.skipped,
            "faults": self.faults,
        })
    }
}

pub(super) fn write(file: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let result = if force { atomic_write::replace(file, bytes) } else { atomic_write::create(file, bytes) };
    result.map_err(|e| {
        Failure::Usage(match e.kind() {
            io::ErrorKind::AlreadyExists => format!("{} exists; replace it with --force", file.display()),
            _ => format!("cannot write {}: {e}", file.display()),
        })
    })
}
