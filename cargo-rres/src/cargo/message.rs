//! The messages of a build: what Cargo prints with `--message-format=json`.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

use serde_json::Value;

use crate::exit::Failure;

/// A message about one package.
#[derive(Debug)]
pub(crate) enum BuildMessage {
    /// A build script has run, now or in an earlier build that is still current.
    ScriptExecuted {
        /// Cargo's name for the package.
        package: String,
        /// The output directory of the script.
        out_dir: PathBuf,
        /// The variables that the script has set for the compilation of its package.
        variables: Vec<(String, String)>,
    },
    /// A program is compiled and linked.
    Executable {
        /// Cargo's name for the package.
        package: String,
        /// The name of the program.
        name: String,
        file: PathBuf,
    },
    /// The compiler has a warning or an error.
    Compiler {
        /// Cargo's name for the package.
        package: String,
        message: Value,
    },
}

impl BuildMessage {
    /// Parses a line; `None` for other messages, and for what a compiler or a program prints.
    fn parse(line: &[u8]) -> Option<Self> {
        let mut message: Value = serde_json::from_slice(line).ok()?;
        let package = message["package_id"].as_str()?.to_owned();
        match message["reason"].as_str()? {
            "build-script-executed" => {
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let pairs = message["env"].as_array().into_iter().flatten();
                Some(Self::ScriptExecuted {
                    package,
                    out_dir: message["out_dir"].as_str()?.into(),
                    variables: pairs.filter_map(|pair| Some((text(&pair[0])?, text(&pair[1])?))).collect(),
                })
            }
            "compiler-artifact" => Some(Self::Executable {
                package,
                name: message["target"]["name"].as_str()?.to_owned(),
                file: message["executable"].as_str()?.into(),
            }),
            "compiler-message" => Some(Self::Compiler { package, message: message["message"].take() }),
            _ => None,
        }
    }
}

/// Whether Cargo waits for another Cargo, which may take minutes: users should know at once.
fn is_waiting(line: &str) -> bool {
    line.trim_start().starts_with("Blocking waiting for file lock")
}

/// Runs a command of Cargo that builds with JSON messages, passes each message to `take`, and returns whether it succeeded, and
/// what it printed to standard error if that is a pipe.
pub(crate) fn run_build(
    command: &mut Command,
    mut take: impl FnMut(BuildMessage),
) -> Result<(ExitStatus, String), Failure> {
    let failed = |e| Failure::Usage(format!("cannot run Cargo: {e}"));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let stderr = child.stderr.take().map(|stderr| {
        thread::spawn(move || {
            // What could be read before an error is worth showing.
            let lines = BufReader::new(stderr).split(b'\n').map_while(Result::ok);
            lines.fold(String::new(), |text, line| {
                let line = String::from_utf8_lossy(&line);
                if is_waiting(&line) {
                    // If this cannot be shown, nothing else can.
                    let _ = writeln!(io::stderr(), "{line}");
                }
                text + &line + "\n"
            })
        })
    });
    let lines = child.stdout.take().map(BufReader::new).into_iter().flat_map(|out| out.split(b'\n'));
    lines.map_while(Result::ok).filter_map(|line| BuildMessage::parse(&line)).for_each(&mut take);
    let status = child.wait().map_err(failed)?;
    Ok((status, stderr.and_then(|stderr| stderr.join().ok()).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_waits_for_is_shown() {
        assert!(is_waiting("    Blocking waiting for file lock on build directory"));
        assert!(!is_waiting("   Compiling blocking v1.0.0"));
    }

    #[test]
    fn messages_are_told_apart_and_other_lines_are_skipped() {
        let of = |line: &str| BuildMessage::parse(line.as_bytes());
        let script = r#"{"reason":"build-script-executed","package_id":"a","env":[["K","V"]],"out_dir":"/o"}"#;
        let Some(BuildMessage::ScriptExecuted { package, out_dir, variables }) = of(script) else { panic!() };
        assert_eq!((package.as_str(), out_dir), ("a", PathBuf::from("/o")));
        assert_eq!(variables, [("K".to_owned(), "V".to_owned())]);
        let artifact = |executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"a","target":{{"name":"g"}},"executable":{executable}}}"#
            )
        };
        assert!(matches!(of(&artifact("\"/t/g\"")), Some(BuildMessage::Executable { name, .. }) if name == "g"));
        assert!(of(&artifact("null")).is_none(), "a library");
        for line in ["", "a line of a build script", "{\"reason\":\"build-finished\",\"success\":true}"] {
            assert!(of(line).is_none(), "{line}");
        }
    }
}
