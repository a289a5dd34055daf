//! A store of source files: what is too large for the repository of a game. Objects have the hashes of their files as names, so they never change.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rres_engine::ListedSource;

use crate::config::Config;
use crate::objects::{self, Objects, Part, without_secrets};

/// A larger file is several objects, so that no more than a few of them are in memory.
const PIECE: u64 = 16 << 20;

/// How many bytes of small files are asked for at once.
const BATCH: u64 = 64 << 20;

/// A store of source files.
#[derive(Debug)]
pub struct SourceStore {
    objects: Box<dyn Objects>,
    place: String,
}

impl SourceStore {
    /// Opens the store at an address. Its credentials are in variables, as those of a remote cache; a token is only sent to the host of the user's remote
    /// cache, because the address comes from a repository. Sends nothing.
    ///
    /// # Errors
    /// If no store has such an address, or a variable is wrong; the text says which.
    pub fn open(address: &str) -> Result<Self, String> {
        if address.starts_with("grpc://") || address.starts_with("grpcs://") {
            let why =
                "servers of the Remote Execution API remove what is not used, expected object storage or a web server";
            return Err(format!("{}: {why}", without_secrets(address)));
        }
        let config = Config::of_sources(address)?;
        Ok(Self { objects: objects::open(&config)?, place: without_secrets(address) })
    }

    /// Returns the place, as messages name it: without passwords.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Returns which of these files the store has. It asks for the last byte of each piece, so it finds out whether one is cut off, but not whether one is
    /// damaged otherwise.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses.
    pub fn has(&self, files: &[ListedSource]) -> io::Result<Vec<bool>> {
        let mut missing: Vec<u64> = files.iter().map(|file| pieces(file.size)).collect();
        let (mut parts, mut of) = (Vec::new(), Vec::new());
        for (at, file) in files.iter().enumerate() {
            parts.extend((0..pieces(file.size)).map(|number| {
                let len = piece_len(file, number);
                Part { name: name(file, number), range: len - 1..len }
            }));
            of.resize(parts.len(), at);
        }
        self.objects.get_parts(&parts, &mut |number, _| missing[of[number]] -= 1)?;
        Ok(missing.iter().map(|missing| *missing == 0).collect())
    }

    /// Adds a file, which must have these bytes.
    ///
    /// # Errors
    /// If the file cannot be read or has changed meanwhile, or the store does not answer in time, or refuses.
    pub fn push(&self, source: &ListedSource, file: &Path) -> io::Result<()> {
        let changed = || io::Error::other("the file has changed while it was sent");
        let mut open = File::open(file)?;
        let mut hasher = blake3::Hasher::new();
        // The first pieces would replace good ones before the last one shows that the file is another one.
        if pieces(source.size) > 1 {
            hasher.update_reader(&open)?;
            if *hasher.finalize().as_bytes() != source.hash {
                return Err(changed());
            }
            hasher.reset();
            open.seek(SeekFrom::Start(0))?;
        }
        for number in 0..pieces(source.size) {
            let mut piece = Vec::new();
            Read::by_ref(&mut open).take(PIECE).read_to_end(&mut piece)?;
            hasher.update(&piece);
            // Without its last piece, a file does not count as stored.
            if number + 1 == pieces(source.size) && *hasher.finalize().as_bytes() != source.hash {
                return Err(changed());
            }
            self.objects.put(&name(source, number), piece)?;
        }
        Ok(())
    }

    /// Writes files that the store has, each to its place, and replaces what is there, if `may_replace` still returns true for its number when it has
    /// arrived. Calls `done` with the number of each that has arrived. Returns the numbers of those that the store lacks, or has damaged.
    ///
    /// # Errors
    /// If the store does not answer in time, or refuses, or a file cannot be written. Files that were written before are whole.
    pub fn pull(
        &self,
        files: &[(ListedSource, PathBuf)],
        may_replace: &dyn Fn(usize) -> bool,
        done: &mut dyn FnMut(usize),
    ) -> io::Result<Vec<usize>> {
        let dirs: BTreeSet<&Path> = files.iter().filter_map(|(_, file)| file.parent()).collect();
        dirs.into_iter().for_each(remove_abandoned);
        let mut missing = vec![true; files.len()];
        let mut batch = Vec::new();
        let mut bytes = 0;
        for (number, (source, file)) in files.iter().enumerate() {
            if source.size > PIECE {
                missing[number] = !self.pull_large(source, file, &|| may_replace(number))?;
            } else if source.size == 0 {
                place(file, &|| may_replace(number), |_| Ok(()))?;
                missing[number] = false;
            } else {
                batch.push(number);
                bytes += source.size;
            }
            if source.size > PIECE || source.size == 0 {
                done(number);
            }
            if bytes >= BATCH || number + 1 == files.len() {
                self.pull_small(files, &std::mem::take(&mut batch), &mut missing, may_replace, done)?;
                bytes = 0;
            }
        }
        Ok((0..files.len()).filter(|number| missing[*number]).collect())
    }

    fn pull_small(
        &self,
        files: &[(ListedSource, PathBuf)],
        batch: &[usize],
        missing: &mut [bool],
        may_replace: &dyn Fn(usize) -> bool,
        done: &mut dyn FnMut(usize),
    ) -> io::Result<()> {
        let part = |number: &usize| Part { name: name(&files[*number].0, 0), range: 0..files[*number].0.size };
        let parts: Vec<Part> = batch.iter().map(part).collect();
        let mut failed = None;
        self.objects.get_parts(&parts, &mut |part, bytes| {
            let number = batch[part];
            let (source, file) = &files[number];
            if failed.is_some() || *blake3::hash(bytes).as_bytes() != source.hash {
                return;
            }
            match place(file, &|| may_replace(number), |out| out.write_all(bytes)) {
                Ok(()) => missing[number] = false,
                Err(error) => failed = Some(error),
            }
            done(number);
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Writes a file of several pieces. Returns whether the store has all of them.
    fn pull_large(&self, source: &ListedSource, file: &Path, may_replace: &dyn Fn() -> bool) -> io::Result<bool> {
        let part = |number| Part { name: name(source, number), range: 0..piece_len(source, number) };
        let parts: Vec<Part> = (0..pieces(source.size)).map(part).collect();
        let written = place(file, may_replace, |out| {
            let (mut failed, mut arrived) = (None, 0);
            self.objects.get_parts(&parts, &mut |number, bytes| {
                let at = out.seek(SeekFrom::Start(number as u64 * PIECE)).and_then(|_| out.write_all(bytes));
                failed = failed.take().or(at.err());
                arrived += 1;
            })?;
            failed.map_or(Ok(()), Err)?;
            out.seek(SeekFrom::Start(0))?;
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(&mut *out)?;
            match arrived == parts.len() && *hasher.finalize().as_bytes() == source.hash {
                true => Ok(()),
                false => Err(io::ErrorKind::InvalidData.into()),
            }
        });
        match written {
            Err(error) if error.kind() == io::ErrorKind::InvalidData && error.get_ref().is_none() => Ok(false),
            written => written.map(|()| true),
        }
    }
}

/// How many objects a file is.
fn pieces(size: u64) -> u64 {
    size.div_ceil(PIECE)
}

/// How many bytes one of them has: at least one.
fn piece_len(source: &ListedSource, number: u64) -> u64 {
    PIECE.min(source.size - number * PIECE)
}

fn name(source: &ListedSource, number: u64) -> String {
    let hash = blake3::Hash::from(source.hash).to_hex();
    format!("v1/sources/{}/{hash}-{number}", &hash[..2])
}

/// How the name of a file begins that is being written. It is hidden, so that no build takes it for an asset.
const UNFINISHED: &str = ".rres-pull-";

/// A file that was not finished after this time was left by a command that was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the unfinished files in a directory that killed commands have left.
fn remove_abandoned(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED));
        let age = || entry.metadata().and_then(|metadata| metadata.modified()).ok()?.elapsed().ok();
        if is_unfinished && age().is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a file under another name, and renames it when it is whole, if it still may be.
fn place(
    file: &Path,
    may_replace: &dyn Fn() -> bool,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    // Another name each time, which nobody has put a link at.
    let temporary = dir.join(format!("{UNFINISHED}{:016x}.tmp", RandomState::new().build_hasher().finish()));
    let open = || File::options().read(true).write(true).create_new(true).open(&temporary);
    let written = fs::create_dir_all(dir).and_then(|()| open());
    let written = written.and_then(|mut out| write(&mut out)).and_then(|()| match may_replace() {
        true => fs::rename(&temporary, file).map(|()| true),
        false => Ok(false),
    });
    if !matches!(written, Ok(true)) {
        // It may not exist.
        let _ = fs::remove_file(&temporary);
    }
    written.map(drop).map_err(|error| match error.get_ref() {
        None if error.kind() != io::ErrorKind::InvalidData => {
            io::Error::new(error.kind(), format!("cannot write {}: {error}", file.display()))
        }
        _ => error,
    })
}
