//! The build script as a child process that imports on request. The protocol is in `docs/hot-reload.md`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The first line of the record of how to start the script.
const SIGNATURE: &str = "rres-serve 1";

/// The version of the protocol that is spoken here.
const PROTOCOL: &str = "1";

/// What stands before each line that is meant for us.
const PREFIX: &str = "rres: ";

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
        let mut command = command(&text).ok_or("is of another version; run cargo build again")?;
        command.env("RRES_SERVE", pack).stdin(Stdio::piped()).stdout(Stdio::piped());
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
            let line = String::from_utf8_lossy(&line);
            if let Some(line) = line.strip_prefix(PREFIX)
                && answer.take(line.trim_end_matches(['\n', '\r']))?
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
    fn take(&mut self, line: &str) -> Result<bool, String> {
        let mut fields = line.split('\t');
        let word = fields.next().unwrap_or_default();
        let fields: Vec<String> = fields.map(unescape).collect();
        let field = |at: usize| fields.get(at).cloned().unwrap_or_default();
        match word {
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

/// The command of a record; `None` where it is of another version.
fn command(record: &str) -> Option<Command> {
    let mut lines = record.lines();
    if lines.next() != Some(SIGNATURE) {
        return None;
    }
    let words: Vec<(&str, String)> =
        lines.filter_map(|line| line.split_once(' ')).map(|(word, value)| (word, unescape(value))).collect();
    let find = |word: &str| words.iter().find(|(known, _)| *known == word).map(|(_, value)| value);
    let mut command = Command::new(find("script")?);
    command.current_dir(find("dir")?);
    let variables = words.iter().filter(|(word, _)| *word == "env").filter_map(|(_, value)| value.split_once('='));
    command.envs(variables);
    Some(command)
}

/// A field as it was before it was written: `\\`, `\n`, `\r`, `\t`.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_line_by_line() {
        let mut answer = Answer::default();
        for line in
            ["ready\t1", "added\ta\\tb.png", "failed\tx.png\tassets/x.png\tis cut\tsave it again", "later\tword"]
        {
            assert_eq!(answer.take(line), Ok(false), "{line}");
        }
        assert_eq!(answer.take("failed\t\tassets/assets.toml:3:1\tno such key\t"), Ok(false));
        assert_eq!(answer.take("done\t/out/game.live.rres"), Ok(true));
        let failed = [("assets/assets.toml:3:1", "no such key"), ("assets/x.png", "is cut; save it again")];
        assert_eq!(
            answer,
            Answer {
                index: "/out/game.live.rres".to_owned(),
                failed: failed.map(|(place, message)| (place.to_owned(), message.to_owned())).into(),
                added: vec!["a\tb.png".to_owned()],
                removed: Vec::new(),
            }
        );
        assert!(Answer::default().take("ready\t2").unwrap_err().contains("version 2"));
    }

    #[test]
    fn a_record_becomes_a_command() {
        let record = "rres-serve 1\nscript /t/build\\\\script\ndir /home/me\nmodule assets.rs\nenv A=1=2\nenv EMPTY=\n";
        let command = command(record).unwrap();
        assert_eq!(command.get_program(), r"/t/build\script");
        assert_eq!(command.get_current_dir(), Some(Path::new("/home/me")));
        let variables: Vec<_> =
            command.get_envs().map(|(k, v)| (k.to_str().unwrap(), v.unwrap().to_str().unwrap())).collect();
        assert_eq!(variables, [("A", "1=2"), ("EMPTY", "")]);
        assert!(super::command("rres-serve 2\nscript x\ndir y\n").is_none());
        assert!(super::command("").is_none());
    }
}
