//! The imports that were stopped because they took too long. A thread cannot be stopped, so it goes on until its process ends: none is tried
//! again before its file or its settings change.
//!
//! A [`Build`](crate::Build) remembers them for its clones, as `cargo rres watch` builds one again and again. A serving script ends to end the
//! threads, and leaves them in a file for the next process: a line for each source, with the numbers of its stamp, the key of its settings,
//! and the message that clients get about it. A file that cannot be read or written only costs the time of trying again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use rres_protocol::serve::Message;

use crate::diagnostic::{Diagnostic, Fix};
use crate::key::Key;
use crate::model::FileStamp;
use crate::read_file::read_record;
use crate::temp_file::replace;

/// The sources whose imports were stopped, by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimedOut(pub(crate) BTreeMap<String, StoppedImport>);

/// An import that was stopped.
#[derive(Clone, Debug)]
pub(crate) struct StoppedImport {
    /// The file at that time.
    pub(crate) stamp: FileStamp,
    /// Its settings, and the version of the importer.
    pub(crate) key: Key,
    pub(crate) diagnostic: Diagnostic,
}

impl TimedOut {
    /// Writes `file`.
    pub(crate) fn write(&self, file: &Path) {
        let mut text = String::new();
        for (path, StoppedImport { stamp, key, diagnostic }) in &self.0 {
            let FileStamp { size, modified, changed, inode } = stamp;
            let message = Message::Failed {
                path: path.clone(),
                place: diagnostic.place(),
                message: diagnostic.message().to_owned(),
                help: diagnostic.help().unwrap_or_default().to_owned(),
            };
            let key = blake3::Hash::from_bytes(key.0).to_hex();
            let _ = writeln!(text, "{size} {modified} {changed} {inode} {key} {message}");
        }
        let _ = replace(file, |out| out.write_all(text.as_bytes()));
    }

    /// Reads what [`write`](Self::write) has written; nothing if it is damaged.
    pub(crate) fn read(file: &Path) -> Self {
        let text = read_record(file).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text.and_then(|text| text.lines().map(line).collect()).map(Self).unwrap_or_default()
    }
}

fn line(line: &str) -> Option<(String, StoppedImport)> {
    let mut words = line.splitn(6, ' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let stamp = FileStamp { size: number()?, modified: number()?, changed: number()?, inode: number()? };
    let key = Key(*blake3::Hash::from_hex(words.next()?).ok()?.as_bytes());
    let Message::Failed { path, place, message, help } = Message::parse(words.next()?)? else { return None };
    let diagnostic = Diagnostic::file(place, message).with_help(help).with_asset(&path).with_fix(&path, Fix::RAW);
    Some((path, StoppedImport { stamp, key, diagnostic }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_reads_back_and_damage_is_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("game.stopped");
        let stamp = FileStamp { size: 1, modified: u64::MAX, changed: 3, inode: 4 };
        let stopped = |path: &str| {
            let about = Diagnostic::file(format!("assets/{path}"), "was stopped").with_help("a\n\tb".to_owned());
            let diagnostic = about.with_asset(path).with_fix(path, Fix::RAW);
            (path.to_owned(), StoppedImport { stamp, key: Key([0xa5; 32]), diagnostic })
        };
        let written = TimedOut(["a.ttf", "b\tc\n.ttf"].map(stopped).into());
        written.write(&file);
        // Messages have control characters of paths escaped already.
        let plain = |stopped: &TimedOut| -> Vec<_> {
            let entries = stopped.0.iter();
            entries.map(|(path, of)| (path.clone(), of.stamp, of.key, of.diagnostic.to_string())).collect()
        };
        assert_eq!(plain(&TimedOut::read(&file)), plain(&written));
        let good = std::fs::read(&file).unwrap();
        for bad in [&b"\n"[..], b"1 2 3 4 no-key rres: failed\tx", &good[..good.len() / 4], b"\xff", &[0; 4096]] {
            std::fs::write(&file, bad).unwrap();
            assert!(TimedOut::read(&file).0.is_empty(), "{bad:?}");
        }
    }
}
