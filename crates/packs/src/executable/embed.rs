//! An executable and packs → an executable with the packs appended.
//!
//! Packs that were embedded before are replaced, so embedding twice is the same as embedding once. The program itself is
//! copied byte for byte.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rres_format::embedded::{self, Attachment, AttachmentWriter, ProgramFormat};
use rres_protocol::files::additional_pack;
use rres_runtime::{ErrorKind, Pack};

use super::copy::{SparseReader, copy_range};
use super::new_file::NewFile;
use super::program::Program;
use crate::error::Error;
use crate::text::grouped;

/// A pack to embed.
#[derive(Clone, Debug)]
pub struct NamedPack {
    /// The file name that the program looks for: `game.rres`.
    pub name: String,
    /// The pack.
    pub file: PathBuf,
}

/// What embedding may do to the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbedOptions {
    /// Remove the signature of a PE file. Otherwise a signed file is refused.
    pub strip_signature: bool,
    /// Embed even if the system or a later tool may refuse the result.
    pub force: bool,
}

/// The result of embedding.
#[derive(Debug)]
pub struct Embedded {
    /// The packs in the new executable.
    pub attachment: Attachment,
    /// Whether the executable had packs before, which were replaced.
    pub replaced: bool,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Writes `out`: the program in `host` with `packs` appended. `out` may be `host`, and may be running.
///
/// # Errors
/// [`Error::Unavailable`] if a file cannot be read or written, or the program should not be changed;
/// [`Error::Fault`] if packs in `host` are damaged. `out` is then as it was.
pub fn embed(host: &Path, packs: &[NamedPack], out: &Path, options: EmbedOptions) -> Result<Embedded, Error> {
    let mut program = Program::open(host)?;
    let mut warnings = check_host(&mut program, options)?;
    let cannot_write = |e: io::Error| cannot_write(out, &e);

    let (new, host_len) = copy_host(&program, out).map_err(cannot_write)?;
    let mut writer = AttachmentWriter::append(new, host_len).map_err(cannot_write)?;
    for pack in packs {
        let cannot_embed =
            |e: io::Error| Error::Unavailable(format!("cannot copy {} to {}: {e}", pack.file.display(), out.display()));
        let mut file = File::open(&pack.file).and_then(SparseReader::new).map_err(cannot_embed)?;
        writer.pack(&pack.name, &mut file).map_err(cannot_embed)?;
    }
    let mut new = writer.finish().map_err(cannot_write)?;
    let attachment = embedded::appended(new.file()).ok().flatten();
    let attachment =
        attachment.ok_or_else(|| Error::Fault(format!("{}: the packs were not written", out.display())))?;
    let replaced = !program.appended.is_empty();
    warnings.extend(new.persist(out, program.file).map_err(cannot_write)?);
    Ok(Embedded { attachment, replaced, warnings })
}

/// Refuses programs that should not be changed, and returns what the user should know of the others.
fn check_host(program: &mut Program, options: EmbedOptions) -> Result<Vec<String>, Error> {
    let name = program.path().display().to_string();
    program.check_parts()?;
    if program.signature().is_some() && !options.strip_signature {
        return Err(Error::Unavailable(format!(
            "{name} is signed, and a signature covers the whole file; embed first and sign after that, or remove the \
             signature with --strip-signature"
        )));
    }
    program.check_end_of_signature()?;
    if program.info.format == ProgramFormat::MachO && !options.force {
        return Err(Error::Unavailable(format!(
            "{name} is a program for macOS: `codesign` refuses one with bytes after its end; put the packs into \
             `Contents/Resources` of the bundle, or set `embed = true` so that they are linked in, or pass --force"
        )));
    }
    if !options.force
        && program.appended.is_empty()
        && let Some(moved) = program.scan()?
    {
        return Err(Error::Unavailable(format!(
            "{name} has packs, but another tool has appended {} bytes after them, so programs do not find them; take the \
             program without packs, embed them as the last step, or pass --force to keep everything",
            grouped(moved.bytes_after)
        )));
    }
    let mut warnings = Vec::new();
    if program.signature().is_some() {
        warnings.push("the signature was removed; sign the new executable".to_owned());
    }
    match program.info.format {
        ProgramFormat::MachO => {
            warnings.push("`codesign` will refuse the new executable, because it has bytes after its end".to_owned());
        }
        ProgramFormat::Other => warnings.push(format!("{name} is neither an ELF nor a PE file; it is copied as it is")),
        _ if program.overlay() > 0 => {
            let overlay = grouped(program.overlay());
            warnings.push(format!("{overlay} bytes that another tool appended to {name} are kept, before the packs"));
        }
        _ => {}
    }
    Ok(warnings)
}

/// Writes `out`: the program in `exe` without packs, as it was before they were appended.
///
/// # Errors
/// As [`embed`]; [`Error::Unavailable`] if no packs were appended.
pub fn remove(exe: &Path, out: &Path, strip_signature: bool) -> Result<Vec<String>, Error> {
    let program = Program::open(exe)?;
    let name = exe.display();
    if program.appended.is_empty() {
        let why = match program.linked.is_empty() {
            true => "it contains no packs; `cargo rres exe info --scan` looks for packs that programs do not find",
            false => "its packs are linked into it; build it without `embed = true`",
        };
        return Err(Error::Unavailable(format!("cannot remove packs from {name}: {why}")));
    }
    program.check_parts()?;
    if program.signature().is_some() && !strip_signature {
        return Err(Error::Unavailable(format!(
            "{name} is signed, and a signature covers the packs; pass --strip-signature, and sign the program after that"
        )));
    }
    program.check_end_of_signature()?;
    let cannot_write = |e: io::Error| cannot_write(out, &e);
    let (new, _) = copy_host(&program, out).map_err(cannot_write)?;
    let was_signed = program.signature().is_some();
    let mut warnings = new.persist(out, program.file).map_err(cannot_write)?;
    if was_signed {
        warnings.push("the signature was removed; sign the new executable".to_owned());
    }
    Ok(warnings)
}

fn cannot_write(out: &Path, error: &io::Error) -> Error {
    // Windows replaces no program that runs.
    let is_running = cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied;
    let advice = if is_running { "; end the program first, if it is running" } else { "" };
    Error::Unavailable(format!("cannot write {}: {error}{advice}", out.display()))
}

/// Copies the program without packs and without a signature to a new file beside `out`, and returns its size.
fn copy_host(program: &Program, out: &Path) -> io::Result<(NewFile, u64)> {
    let signature = program.signature();
    // A signature is the last thing in a file, whether it was made before packs were embedded or after that.
    let host_len = match signature {
        Some(signature) if signature.offset < program.host_len() => program.end_before(signature)?,
        _ => program.host_len(),
    };
    let mut new = NewFile::beside(out)?;
    copy_range(&program.file, 0, host_len, &mut new)?;
    if let Some(signature) = signature {
        new.patch(signature.header_at, &[0; 8])?;
        new.patch(signature.checksum_at, &[0; 4])?;
    }
    Ok((new, host_len))
}

/// Returns the pack in `first` and the additional packs of its set, under their file names.
///
/// # Errors
/// If a pack cannot be opened, or is the dev index of a debug build, which contains no assets.
pub fn packs_of_set(first: &Path) -> Result<Vec<NamedPack>, Error> {
    let additional = open(first)?.view().index().map_or(0, |index| index.additional_packs());
    let mut packs = vec![named(first)?];
    for number in 1..=additional {
        let file = additional_pack(first, number);
        open(&file)?;
        packs.push(named(&file)?);
    }
    Ok(packs)
}

fn open(file: &Path) -> Result<Pack, Error> {
    let pack = Pack::open(file).map_err(|error| {
        let text = format!("cannot embed {}: {error}", file.display());
        if matches!(error.kind(), ErrorKind::Io(_)) { Error::Unavailable(text) } else { Error::Fault(text) }
    })?;
    if pack.view().index().is_some_and(|index| index.is_dev()) {
        return Err(Error::Unavailable(format!(
            "cannot embed {}: it is the index of a debug build, which contains no assets; run `cargo build --release`, and \
             take the pack of that build",
            file.display()
        )));
    }
    Ok(pack)
}

fn named(file: &Path) -> Result<NamedPack, Error> {
    let name = file.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let invalid = || Error::Unavailable(format!("cannot embed {}: its name is not valid UTF-8", file.display()));
    Ok(NamedPack { name: name.ok_or_else(invalid)?, file: file.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_grew_in_front_of_its_packs_is_not_cut() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        std::fs::write(file("game"), vec![7; 5000]).unwrap();
        std::fs::write(file("game.rres"), b"rres and more").unwrap();
        let packs = [NamedPack { name: "game.rres".to_owned(), file: file("game.rres") }];
        embed(&file("game"), &packs, &file("packed"), EmbedOptions::default()).unwrap();
        let packed = std::fs::read(file("packed")).unwrap();
        std::fs::write(file("grown"), [&[1; 4096], &packed[..]].concat()).unwrap();
        let errors = [
            embed(&file("grown"), &packs, &file("out"), EmbedOptions::default()).unwrap_err(),
            remove(&file("grown"), &file("out"), false).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains("another tool has changed it since"), "{error}");
        }
        assert!(!file("out").exists());
        remove(&file("packed"), &file("out"), false).unwrap();
        assert_eq!(std::fs::read(file("out")).unwrap(), vec![7; 5000]);
    }
}
