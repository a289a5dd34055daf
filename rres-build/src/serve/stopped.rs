//! The imports that a serving script has stopped, in a file: the script ends to end their threads, and the next process must not try
//! them again.
//!
//! A line with the hash of the settings, then one line for each source: the numbers of its stamp, and the message that clients get
//! about it. A file that cannot be read or written only costs the time of trying again.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use rres_protocol::serve::Message;

use crate::diagnostic::{Diagnostic, Fix};
use crate::key::KeyBuilder;
use crate::model::FileStamp;
use crate::pipeline::TimedOut;
use crate::read_file::read_record;
use crate::temp_file::replace;

/// The hash of the settings files.
pub(super) type SettingsHash = [u8; 32];

pub(super) fn hash(settings: &[Option<Vec<u8>>]) -> SettingsHash {
    let mut key = KeyBuilder::new("rres settings files");
    for file in settings {
        key.field(&[u8::from(file.is_some())]).field(file.as_deref().unwrap_or_default());
    }
    key.finish().0
}

/// Writes the imports that were stopped under these settings.
pub(super) fn write(file: &Path, settings: SettingsHash, stopped: &TimedOut) {
    let mut text = format!("{}\n", blake3::Hash::from_bytes(settings).to_hex());
    for (path, (stamp, diagnostic)) in stopped {
        let FileStamp { size, modified, changed, inode } = stamp;
        let message = Message::Failed {
            path: path.clone(),
            place: diagnostic.place(),
            message: diagnostic.message().to_owned(),
            help: diagnostic.help().unwrap_or_default().to_owned(),
        };
        let _ = writeln!(text, "{size} {modified} {changed} {inode} {message}");
    }
    let _ = replace(file, |out| out.write_all(text.as_bytes()));
}

/// The settings and the imports of [`write`]; `None` if there are none.
pub(super) fn read(file: &Path) -> Option<(SettingsHash, TimedOut)> {
    let text = String::from_utf8(read_record(file).ok()?).ok()?;
    let (settings, lines) = text.split_once('\n')?;
    let settings = *blake3::Hash::from_hex(settings).ok()?.as_bytes();
    lines.lines().map(line).collect::<Option<TimedOut>>().map(|stopped| (settings, stopped))
}

fn line(line: &str) -> Option<(String, (FileStamp, Diagnostic))> {
    let mut words = line.splitn(5, ' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let stamp = FileStamp { size: number()?, modified: number()?, changed: number()?, inode: number()? };
    let Message::Failed { path, place, message, help } = Message::parse(words.next()?)? else { return None };
    let diagnostic = Diagnostic::file(place, message).with_help(help).with_asset(&path).with_fix(&path, Fix::RAW);
    Some((path, (stamp, diagnostic)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_reads_back_and_damage_is_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("game.stopped");
        let stamp = FileStamp { size: 1, modified: u64::MAX, changed: 3, inode: 4 };
        let diagnostic = |path: &str| {
            let about = Diagnostic::file(format!("assets/{path}"), "was stopped").with_help("a\n\tb".to_owned());
            about.with_asset(path).with_fix(path, Fix::RAW)
        };
        let stopped: TimedOut =
            ["a.ttf", "b\tc\n.ttf"].map(|path| (path.to_owned(), (stamp, diagnostic(path)))).into_iter().collect();
        write(&file, hash(&[None]), &stopped);
        let (settings, read_back) = read(&file).unwrap();
        assert_eq!((settings, read_back.len()), (hash(&[None]), 2));
        for (path, (stamp, diagnostic)) in &stopped {
            let (other, again) = &read_back[path];
            assert_eq!((stamp, diagnostic.to_string()), (other, again.to_string()));
        }
        let good = std::fs::read(&file).unwrap();
        for bad in [&b""[..], b"\n", b"no hash\n1 2 3 4 rres: failed\tx", &good[..good.len() / 4], b"\xff", &[0; 4096]]
        {
            std::fs::write(&file, bad).unwrap();
            assert!(read(&file).is_none_or(|(_, stopped)| stopped.is_empty()), "{bad:?}");
        }
    }
}
