//! The compiled build script as a server: the running game starts it again to import changed assets.
//!
//! So hot reload imports by the rules of `build.rs`, and the game contains no importers. A client writes requests to
//! standard input and gets a response to each. The script exits at the end of its input. `docs/hot-reload.md` describes
//! the protocol.

mod manifest;
mod response;
mod server;

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use rres_protocol::serve as protocol;
use rres_protocol::serve::ScriptManifest;

use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic};
use crate::session::Session;
use crate::temp_file::replace;
pub(crate) use manifest::write as write_manifest;
use server::Server;

/// The purpose that a build script was started for.
pub(crate) enum Request {
    /// A normal build.
    Build,
    /// Serving the pack of this name.
    Serve(String),
    /// Nothing, because another build of the same script serves.
    Skip,
}

/// The lock file as it should be for the assets, and the path of the existing one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LockState {
    /// The path of the lock file: `assets.lock` beside the directory `assets`.
    pub file: PathBuf,
    /// The text that it should have.
    pub expected: String,
    /// The faults of assets, which keep their entries.
    pub diagnostics: Vec<Diagnostic>,
}

/// The lock file as it should be; `None` if lock mode is off.
pub(crate) fn lock_state(context: &BuildContext) -> Result<Option<LockState>, BuildError> {
    let Session { diagnostics, files, .. } = Session::open(context);
    BuildError::check(diagnostics)?;
    Server::new(context, files.name).lock_state().map_err(BuildError::new)
}

/// Determines what this build of the script has to do.
pub(crate) fn request(context: &BuildContext) -> Request {
    let Some(name) = context.cargo.serve.clone().filter(|_| context.in_cargo) else { return Request::Build };
    // The name of the pack may be in an assets.toml that is broken at the moment, but the manifest tells which build it
    // belongs to.
    let manifest = fs::read_to_string(context.out_dir.join(ScriptManifest::file_name(&name)));
    match manifest.ok().and_then(|text| ScriptManifest::parse(&text)) {
        Some(manifest) if manifest.module == context.module_name() => Request::Serve(name),
        _ => Request::Skip,
    }
}

/// Answers requests until the input ends or the client closes the output.
pub(crate) fn serve(context: &BuildContext, name: String) -> io::Result<()> {
    let mut server = Server::new(context, name);
    response::ready()?;
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        // The rest of a line that is too long is another request, which is unknown.
        if (&mut input).take(protocol::MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let request = String::from_utf8_lossy(&line);
        match protocol::Request::parse(&request) {
            Some(protocol::Request::Update) => {
                server.update().print(server.index())?;
                // Files for the next start are written while the game already shows the new contents.
                server.commit();
                // The threads of imports that were stopped end with the process. The client starts it again for the next update.
                if server.has_left_threads() {
                    return Ok(());
                }
            }
            Some(protocol::Request::Lock) => match server.lock_state() {
                Ok(Some(LockState { file, expected, diagnostics })) => {
                    let expected_file = server.files().expected_lock();
                    replace(&expected_file, |out| out.write_all(expected.as_bytes()))?;
                    response::lock(&diagnostics, Some((&file, &expected_file)))?;
                }
                Ok(None) => response::lock_is_off(&context.assets)?,
                Err(diagnostics) => response::lock(&diagnostics, None)?,
            },
            None if request.trim().is_empty() => {}
            None => response::unknown(&request.trim().chars().take(200).collect::<String>())?,
        }
    }
}
