//! `cargo rres keygen`: a new key to sign packs with.

use std::io::{self, Write};
use std::path::PathBuf;

use rres_format::signature::SecretKey;
use rres_packs::atomic_write;
use serde_json::json;

use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};

/// Make a key to sign packs with
///
/// Writes the private key to a file that only you can read (on Windows, everybody who may read its directory), and prints the public key, which the program that loads the packs
/// contains. An existing file is never replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres keygen ~/.keys/game.key")]
pub(crate) struct Args {
    /// File of the private key, which must not exist
    file: PathBuf,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let name = args.file.display().to_string();
    let cannot_write = |why: String| Failure::Usage(format!("cannot write {name}: {why}"));
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|e| Failure::Usage(format!("the system gives no random numbers: {e}")))?;
    let key = SecretKey::from_seed(seed)
        .ok_or_else(|| Failure::Usage("the system gives only zeros as random numbers".to_owned()))?;
    let temporary = atomic_write::private_beside(&args.file).map_err(|e| cannot_write(e.to_string()))?;
    let mut file = temporary.as_file();
    let written = file.write_all(key.to_text().as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|e| cannot_write(e.to_string()))?;
    temporary.persist_noclobber(&args.file).map_err(|e| match e.error.kind() {
        io::ErrorKind::AlreadyExists => cannot_write(
            "it exists, and a key that packs were signed with must not be lost; choose another file".to_owned(),
        ),
        _ => cannot_write(e.error.to_string()),
    })?;
    let public = key.public_key().to_string();
    if cfg!(windows) {
        out.warn(&format!(
            "{name} has the permissions of its directory: everybody who may read the directory can read the private key"
        ))?;
    }
    if args.json {
        out.json(json!({ "private_key_file": name, "public_key": public }))?;
    } else {
        out.line(format!("private key: {} (keep it secret, and keep a copy)", escape_terminal(&name)))?;
        out.line(format!("public key:  {public}"))?;
    }
    Ok(Outcome::Success)
}
