//! What the serving script says: lines on standard output.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use rres_format::serve::{Line, PROTOCOL};

use crate::cache::Key;
use crate::engine::Failure;
use crate::error::Problem;

/// The answer to an update.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Everything that is wrong now.
    pub(super) failures: Vec<Failure>,
    /// The paths of sources that came, went, or became something else since the last answer.
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl Answer {
    /// Says how `now` differs from `before`.
    pub(super) fn compare(&mut self, before: &BTreeMap<String, Key>, now: &BTreeMap<String, Key>) {
        let without = |of: &BTreeMap<String, Key>, other: &BTreeMap<String, Key>| -> Vec<String> {
            of.keys().filter(|path| !other.contains_key(*path)).cloned().collect()
        };
        self.added = without(now, before);
        self.removed = without(before, now);
        let is_other = |(path, blob): &(&String, &Key)| before.get(*path).is_some_and(|old| old != *blob);
        self.changed = now.iter().filter(is_other).map(|(path, _)| path.clone()).collect();
    }

    /// Prints it; `index` is the file with the new state.
    pub(super) fn print(&self, index: Option<&Path>) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        for Failure { path, problem } in &self.failures {
            failed(&mut out, path.as_deref().unwrap_or_default(), problem)?;
        }
        for (word, paths) in [("added", &self.added), ("removed", &self.removed), ("changed", &self.changed)] {
            paths.iter().try_for_each(|path| line(&mut out, word, &[path]))?;
        }
        let index = index.map(|index| index.display().to_string()).unwrap_or_default();
        line(&mut out, "done", &[&index])?;
        out.flush()
    }
}

/// One line: a word and its fields.
fn line(out: &mut impl Write, word: &str, fields: &[&str]) -> io::Result<()> {
    writeln!(out, "{}", Line::new(word, fields))
}

/// Says that the script listens.
pub(super) fn ready() -> io::Result<()> {
    let mut out = io::stdout().lock();
    // Whatever the script printed before may lack the end of its line.
    writeln!(out)?;
    line(&mut out, "ready", &[PROTOCOL])?;
    out.flush()
}

fn failed(out: &mut impl Write, path: &str, problem: &Problem) -> io::Result<()> {
    let help = problem.help_text().unwrap_or_default();
    line(out, "failed", &[path, problem.place(), problem.message(), help])
}

/// Answers a `lock`: the lock, and the file with the text that it should have.
pub(super) fn lock(problems: &[Problem], files: Option<(&Path, &Path)>) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    problems.iter().try_for_each(|problem| failed(&mut out, "", problem))?;
    let (file, wanted) = files.map(|(a, b)| (a.display().to_string(), b.display().to_string())).unwrap_or_default();
    line(&mut out, "locked", &[&file, &wanted])?;
    out.flush()
}

/// Answers what is no request.
pub(super) fn unknown(request: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    line(&mut out, "unknown", &[request, "update, lock"])?;
    out.flush()
}
