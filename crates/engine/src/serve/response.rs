//! The messages of the serving script, as lines on standard output.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use rres_protocol::serve::{Message, PROTOCOL_VERSION, Request};

use crate::diagnostic::Diagnostic;
use crate::key::Key;

/// The response to an update.
#[derive(Debug, Default)]
pub(super) struct UpdateResponse {
    /// All current faults.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The paths of sources that were added, removed or changed since the last response.
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl UpdateResponse {
    /// Lists how `now` differs from `before`.
    pub(super) fn compare(&mut self, before: &BTreeMap<String, Key>, now: &BTreeMap<String, Key>) {
        let without = |of: &BTreeMap<String, Key>, other: &BTreeMap<String, Key>| -> Vec<String> {
            of.keys().filter(|path| !other.contains_key(*path)).cloned().collect()
        };
        self.added = without(now, before);
        self.removed = without(before, now);
        let is_changed = |(path, blob): &(&String, &Key)| before.get(*path).is_some_and(|old| old != *blob);
        self.changed = now.iter().filter(is_changed).map(|(path, _)| path.clone()).collect();
    }

    /// Prints the response; `index` is the file with the new state.
    pub(super) fn print(self, index: Option<&Path>) -> io::Result<()> {
        let mut messages: Vec<Message> = self.diagnostics.iter().map(failed).collect();
        messages.extend(self.added.into_iter().map(|path| Message::Added { path }));
        messages.extend(self.removed.into_iter().map(|path| Message::Removed { path }));
        messages.extend(self.changed.into_iter().map(|path| Message::Changed { path }));
        messages.push(Message::Done { index: text(index) });
        print(&messages)
    }
}

/// Announces that the script is ready for requests.
pub(super) fn ready() -> io::Result<()> {
    // The previous output of the script may lack a line break at its end.
    writeln!(io::stdout().lock())?;
    print(&[Message::Ready { version: PROTOCOL_VERSION.to_owned() }])
}

fn failed(diagnostic: &Diagnostic) -> Message {
    Message::Failed {
        path: diagnostic.asset().unwrap_or_default().to_owned(),
        place: diagnostic.place(),
        message: diagnostic.message().to_owned(),
        help: diagnostic.help().unwrap_or_default().to_owned(),
    }
}

/// Responds to a request for the lock file: with its path, and the file with the text that it should have.
pub(super) fn lock(diagnostics: &[Diagnostic], files: Option<(&Path, &Path)>) -> io::Result<()> {
    let mut messages: Vec<Message> = diagnostics.iter().map(failed).collect();
    let (file, expected) = files.unzip();
    messages.push(Message::Lock { file: text(file), expected: text(expected) });
    print(&messages)
}

/// Responds to a request for the lock file of assets that are not in lock mode.
pub(super) fn lock_is_off(assets: &Path) -> io::Result<()> {
    print(&[
        Message::LockIsOff { assets: text(Some(assets)) },
        Message::Lock { file: String::new(), expected: String::new() },
    ])
}

/// Responds to a line that is not a request.
pub(super) fn unknown(request: &str) -> io::Result<()> {
    let known = Request::ALL.iter().map(|request| request.word()).collect::<Vec<_>>().join(", ");
    print(&[Message::Unknown { request: request.to_owned(), known }])
}

fn text(path: Option<&Path>) -> String {
    path.map(|path| path.display().to_string()).unwrap_or_default()
}

fn print(messages: &[Message]) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    messages.iter().try_for_each(|message| writeln!(out, "{message}"))?;
    out.flush()
}
