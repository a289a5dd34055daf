//! The client of a serving build script: starts the script, sends requests and collects the responses.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::serve::{MAX_LINE, Message, PROTOCOL_VERSION, Request, ScriptManifest};

/// A running build script. Dropping the client closes the script's standard input, which makes it exit.
#[derive(Debug)]
pub struct Client {
    child: Child,
    /// `None` once the client has closed it to end the script.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// The response to [`Request::Update`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpdateResponse {
    /// The file of the dev index that is now valid; empty if there has never been one.
    pub index: String,
    /// Everything that is wrong with the assets or the settings.
    pub failures: Vec<RemoteFailure>,
    /// Asset paths of new source files.
    pub added: Vec<String>,
    /// Asset paths of deleted source files.
    pub removed: Vec<String>,
}

/// The response to [`Request::Lock`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockResponse {
    /// The path of the lock file and the path of a file with the text that it should have; `None` if the settings are
    /// wrong or lock mode is off.
    pub files: Option<(String, String)>,
    /// The assets directory, if lock mode is off.
    pub lock_is_off: Option<String>,
    /// Everything that is wrong with the assets or the settings.
    pub failures: Vec<RemoteFailure>,
}

/// A diagnostic that the script reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct RemoteFailure {
    /// The file, with line and column if they are known.
    pub place: String,
    /// What is wrong.
    pub message: String,
    /// How to fix it; may be empty.
    pub help: String,
}

/// The reason why a script did not answer a request.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The script could not be started.
    Start {
        /// The executable.
        script: String,
        /// The cause.
        error: io::Error,
    },
    /// The script ended before its response was complete.
    Ended {
        /// Its exit status, as the operating system reports it.
        status: String,
    },
    /// The script uses another version of the protocol.
    Version {
        /// The version that it uses.
        found: String,
    },
}

impl Client {
    /// Starts the script of `manifest` to serve the pack `name`. Its standard error is connected to `stderr`.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub fn start(manifest: &ScriptManifest, name: &str, stderr: Stdio) -> Result<Self, ClientError> {
        let failed = |error| ClientError::Start { script: manifest.script.clone(), error };
        let mut command = manifest.command(name);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().map_err(failed)?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self { child, input: Some(input), output: BufReader::new(output) }),
            _ => Err(failed(io::Error::other("it has no standard input and output"))),
        }
    }

    /// Asks the script to import what has changed, and waits for the response.
    ///
    /// # Errors
    /// [`ClientError::Ended`], [`ClientError::Version`].
    pub fn update(&mut self) -> Result<UpdateResponse, ClientError> {
        let mut response = UpdateResponse::default();
        self.request(Request::Update, |message| {
            match message {
                Message::Failed { place, message, help, .. } => {
                    response.failures.push(RemoteFailure { place, message, help });
                }
                Message::Added { path } => response.added.push(path),
                Message::Removed { path } => response.removed.push(path),
                Message::Done { index } => {
                    response.index = index;
                    return true;
                }
                // Changed assets are visible in the index.
                _ => {}
            }
            false
        })?;
        Ok(response)
    }

    /// Asks the script for the expected contents of the lock file, and waits for the response.
    ///
    /// # Errors
    /// [`ClientError::Ended`], [`ClientError::Version`].
    pub fn lock(&mut self) -> Result<LockResponse, ClientError> {
        let mut response = LockResponse::default();
        self.request(Request::Lock, |message| {
            match message {
                Message::Failed { place, message, help, .. } => {
                    response.failures.push(RemoteFailure { place, message, help });
                }
                Message::LockIsOff { assets } => response.lock_is_off = Some(assets),
                Message::Lock { file, expected } => {
                    response.files = (!file.is_empty()).then_some((file, expected));
                    return true;
                }
                _ => {}
            }
            false
        })?;
        Ok(response)
    }

    /// Sends a request and passes each message of the response to `take`, which returns whether it was the last one.
    fn request(&mut self, request: Request, mut take: impl FnMut(Message) -> bool) -> Result<(), ClientError> {
        let line = format!("{}\n", request.word());
        let sent = self.input.as_mut().map(|input| input.write_all(line.as_bytes()).and_then(|()| input.flush()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.ended());
        }
        loop {
            // Reads bytes, because other output of a build script need not be UTF-8.
            let mut line = Vec::new();
            let read = (&mut self.output).take(MAX_LINE).read_until(b'\n', &mut line);
            if !read.is_ok_and(|read| read > 0) {
                return Err(self.ended());
            }
            if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
                return Err(self.too_long());
            }
            match Message::parse(&String::from_utf8_lossy(&line)) {
                Some(Message::Ready { version }) if version != PROTOCOL_VERSION => {
                    return Err(ClientError::Version { found: version });
                }
                Some(message) if take(message.clone()) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Stops a script that prints a line without end. It may not read its input, so closing that is not enough.
    fn too_long(&mut self) -> ClientError {
        let _ = self.child.kill();
        let _ = self.child.wait();
        ClientError::Ended { status: format!("a line of more than {MAX_LINE} bytes") }
    }

    /// Ends the script and returns an error with its exit status.
    fn ended(&mut self) -> ClientError {
        self.input = None;
        let status = self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
        ClientError::Ended { status }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // At the end of its input, the script finishes its writes and exits.
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Formats the failure in one line: `assets/x.png: is cut off; save it again`.
impl fmt::Display for RemoteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, message, help } = self;
        write!(f, "{place}: {message}")?;
        if help.is_empty() { Ok(()) } else { write!(f, "; {help}") }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { script, error } => {
                write!(f, "cannot start the build script {script}: {error}")
            }
            Self::Ended { status } => write!(f, "the build script ended before it answered ({status})"),
            Self::Version { found } => write!(
                f,
                "the build script speaks version {found} of the reload protocol, expected {PROTOCOL_VERSION}; use the \
                 same version of rres-build, rres-runtime and cargo-rres"
            ),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start { error, .. } => Some(error),
            _ => None,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    /// A client of a script that waits for one request, answers with `lines` and exits with code 3.
    fn client(lines: &[&str]) -> Client {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "read request; printf '%s\\n' \"$0\"; exit 3", &lines.join("\n")]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Client { child, input, output }
    }

    #[test]
    fn an_answer_is_collected_until_its_last_message() {
        let response = client(&[
            "printed by build.rs",
            "rres: ready\t1",
            "rres: added\tb.png",
            "rres: failed\tx.png\tassets/x.png\tis cut off\tsave it again",
            "rres: newer\tword",
            "rres: done\t/out/game.live.rres",
        ])
        .update()
        .unwrap();
        assert_eq!((response.index.as_str(), response.added), ("/out/game.live.rres", vec!["b.png".to_owned()]));
        assert_eq!(response.failures[0].to_string(), "assets/x.png: is cut off; save it again");

        let response = client(&["rres: ready\t1", "rres: locked\ta.lock\tb.lock"]).lock().unwrap();
        assert_eq!(response.files, Some(("a.lock".to_owned(), "b.lock".to_owned())));
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let mut command = Command::new("/bin/sh");
        command.args([
            "-c",
            "while :; do printf 'rres: added\\txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done",
        ]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let error = Client { child, input, output }.update().unwrap_err();
        assert!(error.to_string().contains("a line of more than 1048576 bytes"), "{error}");
    }

    #[test]
    fn scripts_that_end_early_or_speak_another_version_are_errors() {
        let error = client(&["rres: ready\t1", "rres: added\tb.png"]).update().unwrap_err();
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        let error = client(&["rres: ready\t2", "rres: done\tx"]).update().unwrap_err();
        assert!(error.to_string().contains("version 2"), "{error}");
        let missing = ScriptManifest { script: "/no/such/script".to_owned(), ..ScriptManifest::default() };
        assert!(matches!(Client::start(&missing, "game", Stdio::null()), Err(ClientError::Start { .. })));
    }
}
