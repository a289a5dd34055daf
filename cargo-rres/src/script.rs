//! The compiled build script of a package, found through the record that it left, and asked as `docs/hot-reload.md` says.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

use rres_format::serve::{Line, Record};

use crate::exit::Failure;

/// A build script that can serve a pack.
#[derive(Debug)]
pub(crate) struct Script {
    /// The pack.
    pub(crate) name: String,
    /// The executable.
    pub(crate) file: PathBuf,
    record: Record,
}

/// What a script said of its lock.
#[derive(Debug)]
pub(crate) struct Locked {
    /// What is wrong, as users read it.
    pub(crate) problems: Vec<String>,
    /// The lock and a file with the text that it should have; `None` where there is no such text.
    pub(crate) files: Option<(PathBuf, PathBuf)>,
}

impl Script {
    /// The scripts of the package in `root`, one a pack, each of the last build; looked for in Cargo's directories.
    pub(crate) fn of_package(root: &Path, directories: &[PathBuf]) -> Vec<Self> {
        let mut newest: BTreeMap<String, (SystemTime, Self)> = BTreeMap::new();
        let mut records = Vec::new();
        directories.iter().for_each(|dir| find_records(dir, 0, &mut records));
        for record in records {
            let Some(script) = Self::read(&record, root) else { continue };
            let Ok(time) = fs::metadata(&record).and_then(|metadata| metadata.modified()) else { continue };
            if newest.get(&script.name).is_none_or(|(other, _)| *other < time) {
                newest.insert(script.name.clone(), (time, script));
            }
        }
        newest.into_values().map(|(_, script)| script).collect()
    }

    /// The script of a record, where it is that of the package in `root` and still there.
    fn read(record: &Path, root: &Path) -> Option<Self> {
        let name = record.file_stem()?.to_str()?.to_owned();
        let record = Record::parse(&fs::read_to_string(record).ok()?)?;
        let package = record.variable("CARGO_MANIFEST_DIR")?;
        let is_ours = fs::canonicalize(package).ok()? == fs::canonicalize(root).ok()?;
        let file = PathBuf::from(&record.script);
        (is_ours && file.is_file()).then_some(Self { name, file, record })
    }

    /// Asks for the lock as it should be.
    pub(crate) fn lock(&self) -> Result<Locked, Failure> {
        let failed = |what: &str| {
            Failure::Pack(format!("the build script {} {what}; run `cargo build` and try again", self.file.display()))
        };
        let mut command = self.record.command(&self.name);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| failed(&format!("cannot be run: {e}")))?;
        let answer = BufReader::new(child.stdout.take().ok_or_else(|| failed("has no output"))?);
        // The input ends with the request, and the script with its answer.
        let sent = child.stdin.take().is_some_and(|mut input| input.write_all(b"lock\n").is_ok());
        let mut problems = Vec::new();
        let mut locked = None;
        for line in answer.lines().map_while(Result::ok) {
            let Some(line) = Line::parse(&line) else { continue };
            match line.word.as_str() {
                "failed" => {
                    let (place, message, help) = (line.field(1), line.field(2), line.field(3));
                    let help = if help.is_empty() { String::new() } else { format!("\n  help: {help}") };
                    problems.push(format!("{place}: {message}{help}"));
                }
                "locked" => {
                    let [file, wanted] = [0, 1].map(|number| PathBuf::from(line.field(number)));
                    locked = Some((!file.as_os_str().is_empty()).then_some((file, wanted)));
                }
                _ => {}
            }
        }
        let ended = child.wait();
        match locked {
            Some(files) if sent && ended.is_ok() => Ok(Locked { problems, files }),
            _ => Err(failed("gave no answer")),
        }
    }
}

/// The records below `dir`. Cargo's layouts differ, but none has the output of a build script deeper than this.
fn find_records(dir: &Path, depth: usize, records: &mut Vec<PathBuf>) {
    const DEEPEST: usize = 6;
    // Where there are thousands of files and never a record.
    const PASSED_OVER: &[&str] = &["deps", "incremental", ".fingerprint", "examples", "doc", "package", "tmp"];
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let is_passed_over = PASSED_OVER.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && depth < DEEPEST && !is_passed_over {
            find_records(&path, depth + 1, records);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "serve") {
            records.push(path);
        }
    }
}
