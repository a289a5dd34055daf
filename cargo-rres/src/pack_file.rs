//! A path → the bytes of a pack, and of the further packs of its set; or words about why not.

use std::fs;
use std::path::{Path, PathBuf};

use rres_format::{FourCc, Header, PackView};
use rres_runtime::{ErrorKind, Pack};

use crate::exit::Failure;

/// One opened `.rres` file.
pub(crate) struct PackFile {
    pub(crate) path: PathBuf,
    bytes: Bytes,
}

enum Bytes {
    /// Whole enough for the runtime.
    Mapped(Box<Pack>),
    /// Damaged somewhere; its bytes, and what the runtime says of it.
    Damaged(Vec<u8>, String),
}

impl PackFile {
    /// Opens a pack. What is an rres file by its header is opened however damaged it is otherwise.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let call = |what: String| Failure::Call(format!("cannot open {}: {what}", path.display()));
        let metadata = fs::metadata(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => call("no such file".to_owned()),
            _ => call(e.to_string()),
        })?;
        if metadata.is_dir() {
            return Err(call("it is a directory, expected an .rres file".to_owned()));
        }
        if !metadata.is_file() {
            return Err(call("it is no regular file".to_owned()));
        }
        let error = match Pack::open(path) {
            Ok(pack) => return Ok(Self { path: path.to_owned(), bytes: Bytes::Mapped(Box::new(pack)) }),
            Err(error) => error,
        };
        let what = match error.kind() {
            ErrorKind::Format(error) => error.to_string(),
            ErrorKind::Io(error) => return Err(call(error.to_string())),
            _ => error.to_string(),
        };
        let mut bytes = fs::read(path).map_err(|e| call(e.to_string()))?;
        if let Err(error) = Header::parse(&bytes) {
            return Err(Failure::Pack(format!("{}: {error}", path.display())));
        }
        if PackView::parse(&bytes).is_err() {
            // Only the front index can be at fault: as padding it is in nobody's way. Heads are in no CRC.
            bytes[Header::SIZE..Header::SIZE + 4].copy_from_slice(&FourCc::NULL.0);
        }
        Ok(Self { path: path.to_owned(), bytes: Bytes::Damaged(bytes, what) })
    }

    /// The pack, and those that its index counts as further ones of its set; a missing one is the second result.
    pub(crate) fn open_set(path: &Path) -> Result<(Vec<Self>, Option<Failure>), Failure> {
        let first = Self::open(path)?;
        let further = first.view().index().map_or(0, |index| index.further_packs());
        let mut packs = vec![first];
        for number in 1..=further {
            match Self::open(&path.with_extension(format!("{number}.rres"))) {
                Ok(pack) => packs.push(pack),
                // One is enough to tell; a damaged count could name four thousand million.
                Err(failure) => {
                    let text = format!("pack {number} of the {further} further ones of the set: {failure}");
                    return Ok((packs, Some(Failure::Pack(text))));
                }
            }
        }
        Ok((packs, None))
    }

    pub(crate) fn view(&self) -> PackView<'_> {
        match &self.bytes {
            Bytes::Mapped(pack) => pack.view(),
            Bytes::Damaged(bytes, _) => PackView::parse(bytes).expect("it was parsed when it was opened"),
        }
    }

    /// The runtime's view, where the pack is whole enough for that.
    pub(crate) fn pack(&self) -> Option<&Pack> {
        match &self.bytes {
            Bytes::Mapped(pack) => Some(pack),
            Bytes::Damaged(..) => None,
        }
    }

    /// What is wrong with the pack as a whole.
    pub(crate) fn damage(&self) -> Option<&str> {
        match &self.bytes {
            Bytes::Mapped(_) => None,
            Bytes::Damaged(_, what) => Some(what),
        }
    }

    pub(crate) fn name(&self) -> String {
        self.path.display().to_string()
    }
}
