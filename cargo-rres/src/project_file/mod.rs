//! Project files of other tools: their text → what it says, line by line, before any file is looked at.
//!
//! Parsers find every fault of a file, are linear in its size, and take nothing from it on trust. The fuzz targets compile this
//! folder by itself, so it uses nothing else of this crate.

pub(crate) mod nbrlist;
pub(crate) mod rrp;

/// The largest project file that is read. One of the most assets that a pack holds has a tenth of this.
pub(crate) const MAX_SIZE: usize = 64 << 20;

/// The largest number of files in a project: the largest number of chunks in a pack.
pub(crate) const MAX_FILES: usize = 65_535;

/// The number of faults after which reading a project ends.
const MAX_FAULTS: usize = 1000;

/// The remark that ends the faults of a project that has too many.
fn too_many_faults(line: u32) -> Remark {
    Remark::new(line, format!("there are {MAX_FAULTS} faults; the rest of the file was not read"))
}

/// What is wrong with a line of a project, or what should be known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    /// Counted from 1.
    pub(crate) line: u32,
    pub(crate) message: String,
    /// What to do; may be empty.
    pub(crate) help: String,
}

impl Remark {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into(), help: String::new() }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }
}

/// Returns the text of a project file, without a byte order mark.
///
/// # Errors
/// If it is not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Remark> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u32;
        Remark::new(line, "the file is not UTF-8").with_help("save it as UTF-8")
    })
}

/// Returns the lines of a text with their numbers, without line breaks of any system.
fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines().map(|line| line.trim_end_matches('\r')))
}

/// Returns a text for messages, cut off if it is long.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
