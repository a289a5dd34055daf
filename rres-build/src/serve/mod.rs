//! The compiled build script as a server: the running game starts it again, and it imports what has changed.
//!
//! So hot reload imports with the very rules of `build.rs`, closures included, and no importer is part of the game. The
//! client writes `update` lines to standard input and gets an answer to each; at the end of input the script exits.
//! `docs/hot-reload.md` has the protocol.

mod answer;
mod record;
mod state;

use std::env;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

pub(crate) use record::{file as record_file, write as write_record};

use rres_format::serve::VARIABLE;

use crate::cache::replace;
use crate::error::Problem;
use crate::site::Site;
use state::{ReadRules, State};

/// What a build is to do where the script was started to serve.
pub(crate) enum Request {
    /// Build as ever.
    Build,
    /// Serve the pack of this name.
    Serve(String),
    /// Nothing: another build of the same script is to serve.
    Skip,
}

/// The lock as the assets directory asks for it, beside the one that is there.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LockState {
    /// The lock: `assets.lock` beside the directory `assets`.
    pub file: PathBuf,
    /// The text that it should have.
    pub wanted: String,
    /// What is wrong with assets; they keep the lines that they have.
    pub problems: Vec<Problem>,
}

/// The lock of the pack `name` as it should be.
pub(crate) fn lock_state(site: &Site, name: String, read_rules: ReadRules<'_>) -> Result<LockState, Vec<Problem>> {
    State::new(site, name, read_rules).lock_state()
}

/// What the build with this module, in this output directory, is to do.
pub(crate) fn request(out_dir: &Path, module: &str) -> Request {
    let Some(name) = env::var(VARIABLE).ok().filter(|name| !name.is_empty()) else { return Request::Build };
    // The name of a pack may stand in an assets.toml that is broken right now; the record knows whose it is.
    match record::module(out_dir, &name).is_some_and(|served| served == module) {
        true => Request::Serve(name),
        false => Request::Skip,
    }
}

/// Answers requests until the input ends or nobody listens.
pub(crate) fn serve(site: &Site, name: String, read_rules: ReadRules<'_>) -> io::Result<()> {
    let mut state = State::new(site, name, read_rules);
    answer::ready()?;
    for request in io::stdin().lock().lines() {
        match request?.trim() {
            "update" => {
                state.update().print(state.index())?;
                // What only the next start needs is written while the game already shows the new contents.
                state.keep();
            }
            "lock" => match state.lock_state() {
                Ok(LockState { file, wanted, problems }) => {
                    let wanted_file = site.wanted_lock(&state.name);
                    replace(&wanted_file, |out| out.write_all(wanted.as_bytes()))?;
                    answer::lock(&problems, Some((&file, &wanted_file)))?;
                }
                Err(problems) => answer::lock(&problems, None)?,
            },
            "" => {}
            other => answer::unknown(other)?,
        }
    }
    Ok(())
}
