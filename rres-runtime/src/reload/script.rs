//! The build script as a child process that imports on request. The protocol is in `docs/hot-reload.md`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use rres_format::serve::{Line, PROTOCOL, Record};

/// A serving build script. Its end of input is its end.
pub(super) struct Script {
    child: Child,
    /// `None` once it is being ended.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What an update came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// The file of the index that now holds; empty where there never was one.
    pub(super) index: String,
    /// Everything that is wrong: place, and what to do.
    pub(super) failed: BTreeSet<(String, String)>,
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
}

impl Script {
    /// Starts the script that `record` describes, to serve `pack`.
    pub(super) fn start(record: &Path, pack: &str) -> Result<Self, String> {
        let text = fs::read_to_string(record).map_err(|e| {
            format!("cannot be read: {e}; assets do not reload until the next cargo build, which writes it")
        })?;
        let mut command = Record::parse(&text).ok_or("is of another version; run cargo build again")?.command(pack);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| {
            let script = command.get_program().display();
            format!("the build script {script} cannot be started: {e}; run cargo build again")
        })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the build script has no standard input and output".to_owned());
        };
        Ok(Self { child, input: Some(input), output: BufReader::new(output) })
    }

    /// Has it import what has changed, and waits for the answer.
    pub(super) fn update(&mut self) -> Result<Answer, String> {
        let input = self.input.as_mut().ok_or("the build script has ended")?;
        input.write_all(b"update\n").and_then(|()| input.flush()).map_err(|e| self.ended(&e.to_string()))?;
        let mut answer = Answer::default();
        loop {
            // As bytes: what else a build script prints need not be UTF-8.
            let mut line = Vec::new();
            match self.output.read_until(b'\n', &mut line) {
                Ok(0) => return Err(self.ended("it stopped before it answered")),
                Ok(_) => {}
                Err(error) => return Err(self.ended(&error.to_string())),
            }
            if let Some(line) = Line::parse(&String::from_utf8_lossy(&line))
                && answer.take(&line)?
            {
                return Ok(answer);
            }
        }
    }

    fn ended(&mut self, why: &str) -> String {
        self.input = None;
        let status = self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
        format!("the build script no longer imports ({why}, {status}); it is started again with the next change")
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.input = None;
        // It ends by itself, after what it has to write; a store's end does not wait for it, its thread does.
        let _ = self.child.wait();
    }
}

impl Answer {
    /// Takes one line; `true` where it is the last.
    fn take(&mut self, line: &Line) -> Result<bool, String> {
        let field = |number| line.field(number).to_owned();
        match line.word.as_str() {
            "ready" if field(0) != PROTOCOL => {
                return Err(format!(
                    "the build script speaks version {} of the protocol, the game version {PROTOCOL}: use the same \
                     version of rres-build and rres-runtime",
                    field(0)
                ));
            }
            "failed" => {
                let (place, message, help) = (field(1), field(2), field(3));
                let message = if help.is_empty() { message } else { format!("{message}; {help}") };
                self.failed.insert((place, message));
            }
            "added" => self.added.push(field(0)),
            "removed" => self.removed.push(field(0)),
            "done" => {
                self.index = field(0);
                return Ok(true);
            }
            // What changed is seen in the index; words of later versions are passed over.
            _ => {}
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_line_by_line() {
        let mut answer = Answer::default();
        for line in [
            Line::new("ready", &["1"]),
            Line::new("added", &["b.png"]),
            Line::new("failed", &["x.png", "assets/x.png", "is cut", "save it again"]),
            Line::new("failed", &["", "assets/assets.toml:3:1", "no such key", ""]),
            Line::new("later", &["word"]),
        ] {
            assert_eq!(answer.take(&line), Ok(false), "{line}");
        }
        assert_eq!(answer.take(&Line::new("done", &["/out/game.live.rres"])), Ok(true));
        let failed = [("assets/assets.toml:3:1", "no such key"), ("assets/x.png", "is cut; save it again")];
        assert_eq!(
            answer,
            Answer {
                index: "/out/game.live.rres".to_owned(),
                failed: failed.map(|(place, message)| (place.to_owned(), message.to_owned())).into(),
                added: vec!["b.png".to_owned()],
                removed: Vec::new(),
            }
        );
        assert!(Answer::default().take(&Line::new("ready", &["2"])).unwrap_err().contains("version 2"));
    }
}
