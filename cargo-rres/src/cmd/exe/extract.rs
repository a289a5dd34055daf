//! `cargo rres exe extract`: writes the packs in an executable as files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rres_format::normalize_path;
use rres_packs::executable::{KnownNames, LegacyFile, Program};

use super::LegacyArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal};

/// Write the packs in an executable as files
///
/// The packs are those that were appended and those that were linked into the program; `cargo rres extract` writes the assets in
/// them. If the CRC-32 of a pack is wrong, it is not written.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The executable
    exe: PathBuf,
    /// Write only these packs
    #[arg(value_name = "PACK")]
    names: Vec<String>,
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    legacy: LegacyArgs,
    /// Names of the files of --legacy, which has only their hashes: a file with one name on each line, or the directory that they
    /// were packed from
    #[arg(long, value_name = "LIST", requires = "legacy")]
    known_names: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut program = Program::open(&args.exe)?;
    if let Some(marker) = &args.legacy.legacy {
        return extract_legacy(args, marker, &mut program, out);
    }
    let all = program.appended.iter().chain(&program.linked).flat_map(|attachment| attachment.packs.clone());
    let mut seen = HashSet::new();
    // Appended packs come first, and hide linked ones of the same name from the program, too.
    let packs: Vec<_> = all.filter(|pack| seen.insert(pack.name.clone())).collect();
    let exe = args.exe.display();
    if packs.is_empty() {
        return Err(Failure::Usage(format!(
            "{exe} contains no packs; `cargo rres exe info --scan {exe}` may tell why"
        )));
    }
    if let Some(missing) = args.names.iter().find(|name| !seen.contains(*name)) {
        let names: Vec<&str> = packs.iter().map(|pack| pack.name.as_str()).collect();
        return Err(Failure::Usage(format!(
            "{exe} contains no pack {}; it contains {}",
            escape_terminal(missing),
            names.join(", ")
        )));
    }
    let chosen: Vec<_> = packs.iter().filter(|pack| args.names.is_empty() || args.names.contains(&pack.name)).collect();
    let file = |name: &str| args.out.join(name);
    refuse_to_replace(chosen.iter().map(|pack| file(&pack.name)), args.force)?;
    for pack in chosen {
        let to = file(&pack.name);
        program.extract_pack(pack, &to, args.force)?;
        out.line(escape_terminal(&to.display().to_string()))?;
    }
    Ok(Outcome::Success)
}

fn extract_legacy(args: &Args, marker: &str, program: &mut Program, out: &mut Output) -> Result<Outcome, Failure> {
    let package = program.legacy(marker)?;
    let names = match &args.known_names {
        Some(list) => KnownNames::read(list)
            .map_err(|e| Failure::Usage(format!("cannot read names from {}: {e}", list.display())))?,
        None => KnownNames::default(),
    };
    for (first, second) in &names.ambiguous {
        let text = format!("{first} and {second} have the same hash; the file is taken for the former");
        out.warn(&escape_terminal(&text))?;
    }
    let mut unnamed = 0;
    let mut taken = HashSet::new();
    let mut files: Vec<(LegacyFile, PathBuf)> = Vec::new();
    for file in package.files {
        // A path must not lead out of the directory.
        let name = names.get(file.name_hash).and_then(|name| normalize_path(name).ok());
        unnamed += usize::from(name.is_none());
        let name = name.map_or_else(|| format!("{:08x}.bin", file.name_hash), |name| name.to_string());
        if !taken.insert(name.clone()) {
            out.warn(&format!("several files have the hash {:08x}; the game finds the first one", file.name_hash))?;
            continue;
        }
        files.push((file, args.out.join(name)));
    }
    refuse_to_replace(files.iter().map(|(_, to)| to.clone()), args.force)?;
    for (file, to) in &files {
        program.extract(file.offset, file.len, to, args.force, |_| Ok(()))?;
        out.line(escape_terminal(&to.display().to_string()))?;
    }
    if unnamed > 0 {
        out.warn(&format!("the names of {} are not known; pass them with --known-names", count(unnamed, "file")))?;
    }
    Ok(Outcome::Success)
}

/// Fails before anything is written if a file would be replaced.
fn refuse_to_replace(files: impl Iterator<Item = PathBuf>, force: bool) -> Result<(), Failure> {
    let mut files = files.filter(|file| !force && Path::symlink_metadata(file).is_ok());
    match files.next() {
        Some(file) => {
            let file = file.display();
            Err(Failure::Usage(format!("{file} would be replaced; choose another directory, or pass --force")))
        }
        None => Ok(()),
    }
}
