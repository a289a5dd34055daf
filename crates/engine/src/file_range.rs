//! Files that are too large for memory: their bytes are copied from range to range, in pieces.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rres_format::StoredSource;

use crate::read_file::open_file;
use crate::temp_file::TempFile;

/// The size from which on a file is copied by ranges, in bytes. Reading a smaller one at once is faster.
pub(crate) const LARGE: u64 = 16 << 20;

/// The number of bytes that are copied at once.
const PIECE: usize = 1 << 20;

/// A file whose ranges are read one at a time.
#[derive(Debug)]
pub(crate) struct RangedFile {
    file: Mutex<Held>,
    path: PathBuf,
    len: u64,
}

/// An open file. A temporary one is removed with the last of its ranges.
#[derive(Debug)]
enum Held {
    File(File),
    Temp(TempFile),
}

impl RangedFile {
    /// Opens a file to read it. Its length is what it is now.
    ///
    /// # Errors
    /// As [`open_file`].
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = open_file(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file: Mutex::new(Held::File(file)), path: path.to_owned(), len })
    }

    /// A temporary file that has been written.
    pub(crate) fn of_temp(temp: TempFile) -> io::Result<Self> {
        let len = temp.file.metadata()?.len();
        Ok(Self { path: temp.path().to_owned(), file: Mutex::new(Held::Temp(temp)), len })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The length that the file had when it was opened, in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes from `offset` on. Nothing else is read from the file while the value exists.
    pub(crate) fn reader(&self, offset: u64, len: u64) -> io::Result<RangeReader<'_>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.get().seek(SeekFrom::Start(offset)).map_err(|e| self.unreadable(e))?;
        Ok(RangeReader { of: self, file, at: offset, end: offset + len })
    }

    /// The error that the file cannot be read.
    pub(crate) fn unreadable(&self, error: io::Error) -> io::Error {
        self.failed(Cause::Io(error))
    }

    fn failed(&self, cause: Cause) -> io::Error {
        let kind = if let Cause::Io(error) = &cause { error.kind() } else { io::ErrorKind::InvalidData };
        io::Error::new(kind, RangeError { file: self.path.clone(), cause })
    }
}

impl Held {
    fn get(&mut self) -> &mut File {
        match self {
            Self::File(file) => file,
            Self::Temp(temp) => &mut temp.file,
        }
    }
}

/// Reads a range of a file. A file that ends before the range does is an error.
pub(crate) struct RangeReader<'f> {
    of: &'f RangedFile,
    file: MutexGuard<'f, Held>,
    at: u64,
    end: u64,
}

impl Read for RangeReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        match self.file.get().read(&mut buffer[..wanted]) {
            Ok(0) => Err(self.of.failed(Cause::Cut { at: self.at, expected: self.end })),
            Ok(read) => {
                self.at += read as u64;
                Ok(read)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => Err(self.of.unreadable(error)),
        }
    }
}

/// Stored bytes of a chunk: a range of a file, and what precedes and follows it.
#[derive(Debug)]
pub(crate) struct FileRange {
    pub(crate) before: Vec<u8>,
    pub(crate) file: Arc<RangedFile>,
    pub(crate) offset: u64,
    pub(crate) len: u64,
    pub(crate) after: &'static [u8],
}

impl FileRange {
    /// A range by itself.
    pub(crate) fn new(file: &Arc<RangedFile>, offset: u64, len: u64) -> Self {
        Self { before: Vec::new(), file: Arc::clone(file), offset, len, after: &[] }
    }
}

impl StoredSource for FileRange {
    fn copy_to(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.before)?;
        let mut reader = self.file.reader(self.offset, self.len)?;
        let mut piece = vec![0; PIECE.min(usize::try_from(self.len).unwrap_or(PIECE))];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => out.write_all(&piece[..read])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        out.write_all(self.after)
    }
}

/// A range that cannot be read, in an [`io::Error`], so that it is not taken for an error of what was written meanwhile.
#[derive(Debug)]
pub(crate) struct RangeError {
    file: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    /// The file ended.
    Cut {
        at: u64,
        expected: u64,
    },
    Io(io::Error),
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.cause {
            Cause::Cut { at, expected } => {
                write!(f, "cannot read {file}: it ends after {at} bytes, expected {expected}; it was cut off meanwhile")
            }
            Cause::Io(error) => write!(f, "cannot read {file}: {error}"),
        }
    }
}

impl std::error::Error for RangeError {}

/// Whether an error of copying ranges is about what was read: it cannot be read, or it is not what it was.
pub(crate) fn is_of_source(error: &io::Error) -> bool {
    // Packs that cannot be built are invalid input.
    let is_data = error.kind() == io::ErrorKind::InvalidData;
    error.get_ref().is_some_and(|inner| inner.is::<RangeError>() || is_data && inner.is::<rres_format::Error>())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_range_is_copied_between_its_ends_and_a_cut_file_is_an_error_of_the_source() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let bytes: Vec<u8> = (0..3 * PIECE + 5).map(|at| (at / 7) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        let file = Arc::new(RangedFile::open(&path).unwrap());
        let (offset, len) = (9, 2 * PIECE + 100);
        let range =
            FileRange { before: b"<".to_vec(), after: b">", ..FileRange::new(&file, offset as u64, len as u64) };
        let mut out = Vec::new();
        range.copy_to(&mut out).unwrap();
        assert!(out == [b"<", &bytes[offset..offset + len], b">"].concat());

        let half = PIECE as u64 + 3;
        File::options().write(true).open(&path).unwrap().set_len(half).unwrap();
        let error = range.copy_to(&mut io::sink()).unwrap_err();
        assert!(is_of_source(&error), "{error}");
        let text = error.to_string();
        assert!(text.contains(&half.to_string()) && text.contains(&path.display().to_string()), "{text}");
    }

    #[test]
    fn an_error_of_what_is_written_is_not_one_of_the_source() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "some bytes").unwrap();
        let range = FileRange::new(&Arc::new(RangedFile::open(file.path()).unwrap()), 0, 10);
        assert!(!is_of_source(&range.copy_to(&mut Full).unwrap_err()));
    }
}
