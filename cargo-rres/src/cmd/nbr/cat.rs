//! `cargo rres nbr cat`: prints one of the files that a resource becomes.

use std::path::{Path, PathBuf};

use super::files;
use crate::exit::{Failure, Outcome};
use crate::export::{ExportError, nbr};
use crate::output::{Output, escape_terminal};

/// Print the file that a .nbr file becomes: a shader, a .png, a .wav, a .glb
///
/// A shader with two stages, a cubemap and a font become several files; PART chooses one.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file
    file: PathBuf,
    /// Which of several files: vert or frag of a shader, px to nz of a cubemap, png or json of a font
    part: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    if args.file.is_dir() {
        let message = format!("{} is a directory; use `cargo rres nbr extract`", args.file.display());
        return Err(Failure::Usage(message));
    }
    let found = files::find(std::slice::from_ref(&args.file))?;
    let Some(found) = found.first() else { return Err(Failure::Usage("expected a file".to_owned())) };
    let bytes = found.bytes()?;
    let file = found.parse(&bytes).map_err(Failure::Fault)?;
    let parts = nbr(&file.resource, &found.name).map_err(|error| match error {
        ExportError::Unsupported(why) => Failure::Usage(format!("cannot print {}: {why}", args.file.display())),
        ExportError::Damaged(why) => Failure::Fault(format!("{}: {why}", args.file.display())),
    })?;
    // `.vert` and `/px.png` are called vert and px.
    let name = |suffix: &str| {
        let name = suffix.trim_start_matches(['.', '/']);
        Path::new(name).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    };
    let names: Vec<String> = parts.iter().map(|part| name(&part.suffix)).collect();
    let of = file.header.resource_type;
    let position = match &args.part {
        None if parts.len() == 1 => Some(0),
        None => {
            return Err(Failure::Usage(format!("the {of} becomes several files; say which: {}", names.join(", "))));
        }
        Some(part) => names.iter().position(|name| name == part),
    };
    let Some(part) = position.and_then(|position| parts.get(position)) else {
        let part = escape_terminal(args.part.as_deref().unwrap_or_default());
        return Err(Failure::Usage(format!("the {of} has no part {part}; it has {}", names.join(", "))));
    };
    out.bytes(&part.contents.bytes)?;
    Ok(Outcome::Success)
}
