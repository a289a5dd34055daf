//! `cargo rres sign`: appends a signature to packs.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use rres_format::signature::{NewSignature, SecretKey, Signature, sign_set};
use rres_packs::{PackSet, atomic_write};
use rres_protocol::files::first_pack;
use rres_settings::ByteSize;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::exit::{Failure, Outcome};
use crate::output::{Output, escape_terminal};
use crate::signing_key;

/// Sign packs
///
/// Appends a signature to each pack, and replaces the one that it has. The additional packs of a set are signed together with the
/// first one. A program then can refuse packs that were not signed with your key, or were changed since.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres sign game.rres --key ~/.keys/game.key
  RRES_SIGN_KEY=... cargo rres sign dist/*.rres           in CI, with the key in a variable")]
pub(crate) struct Args {
    /// Paths to the packs
    #[arg(required = true, value_name = "PACK")]
    packs: Vec<PathBuf>,
    /// File of the private key, as `keygen` writes it [default: the key in the variable RRES_SIGN_KEY]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// A signed pack that is not in place yet.
struct Signed {
    name: String,
    target: PathBuf,
    temporary: NamedTempFile,
    size: u64,
    replaces: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let key = signing_key::read(args.key.as_deref())?;
    let mut sets = crate::key::opener().open_sets(&args.packs)?;
    // An additional pack is signed with the first one of its set, also if the shell names both.
    let additional: Vec<String> =
        sets.iter().flat_map(|set| set.packs.iter().skip(1)).map(|pack| pack.name()).collect();
    sets.retain(|set| !additional.contains(&set.packs[0].name()));
    let mut signed: Vec<Signed> = Vec::new();
    for set in &sets {
        if let Some(first) = first_of_set(Path::new(&set.packs[0].name())) {
            let (name, first) = (set.packs[0].name(), first.display());
            let text = format!("cannot sign {name} by itself: it is an additional pack of {first}; name that one");
            return Err(Failure::Usage(text));
        }
        if set.packs[0].is_dev_index() {
            let name = set.packs[0].name();
            let text = "is the dev index of a debug build, whose assets are in other files; sign a release build";
            return Err(Failure::Usage(format!("{name} {text}")));
        }
        for (pack, new) in set.packs.iter().zip(signatures(set, &key)?) {
            let bytes = pack.view().bytes();
            signed.push(write(&pack.name(), &bytes[..new.content_len], &new.chunk, Signature::find(bytes).is_ok())?);
        }
    }
    // The packs are mapped, which keeps some systems from replacing them.
    drop(sets);
    let public = key.public_key().to_string();
    let mut json: Vec<Value> = Vec::new();
    let mut lines = Vec::new();
    let mut files = Vec::new();
    for Signed { name, target, temporary, size, replaces } in signed {
        let what = if replaces { "signed again" } else { "signed" };
        lines.push(format!("{}: {what}, {}", escape_terminal(&name), ByteSize(size)));
        json.push(json!({ "pack": name, "size": size, "replaced": replaces }));
        files.push((temporary, target));
    }
    // Packs of a set that were signed at different times do not go together.
    let persisted = atomic_write::persist_all(files);
    persisted.map_err(|(file, e)| Failure::Usage(format!("cannot write {}: {e}", file.display())))?;
    if args.json {
        out.json(json!({ "public_key": public, "packs": json }))?;
    } else {
        lines.iter().try_for_each(|line| out.line(line))?;
        out.line(format!("public key: {public}"))?;
    }
    Ok(Outcome::Success)
}

/// Returns the signature of each pack of a set.
pub(crate) fn signatures(set: &PackSet, key: &SecretKey) -> Result<Vec<NewSignature>, Failure> {
    if let Some(missing) = &set.missing {
        return Err(Failure::Fault(format!("cannot sign an incomplete set of packs: {missing}")));
    }
    let packs: Vec<&[u8]> = set.packs.iter().map(|pack| pack.view().bytes()).collect();
    sign_set(&packs, key)
        .map_err(|(number, error)| Failure::Fault(format!("cannot sign {}: {error}", set.packs[number].name())))
}

/// Returns the first pack of the set that a file is an additional pack of, by its name; `None` if it is none.
fn first_of_set(file: &Path) -> Option<PathBuf> {
    let (first, number) = first_pack(file)?;
    let pack = crate::key::opener().open(&first).ok()?;
    let additional = pack.view().index()?.additional_packs();
    (number <= additional).then_some(first)
}

/// Writes a signed pack beside the pack, with its permissions.
fn write(name: &str, content: &[u8], chunk: &[u8], replaces: bool) -> Result<Signed, Failure> {
    let cannot_write = |e: std::io::Error| Failure::Usage(format!("cannot write {name}: {e}"));
    // A link stays a link.
    let target = fs::canonicalize(Path::new(name)).map_err(cannot_write)?;
    let temporary = atomic_write::temporary_beside(&target).map_err(cannot_write)?;
    let mut file = temporary.as_file();
    file.write_all(content).and_then(|()| file.write_all(chunk)).map_err(cannot_write)?;
    let permissions = fs::metadata(&target).map_err(cannot_write)?.permissions();
    file.set_permissions(permissions).and_then(|()| file.sync_all()).map_err(cannot_write)?;
    let size = (content.len() + chunk.len()) as u64;
    Ok(Signed { name: name.to_owned(), target, temporary, size, replaces })
}
