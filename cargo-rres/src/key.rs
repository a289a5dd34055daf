//! The key of encrypted packs: from the environment or a file, never from an argument, which other users of the machine can
//! see.
//!
//! One run of the command has one key, so it is kept here and need not be passed through everything that decodes chunks.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;

use rres_engine::Build;
use rres_format::seal::{Keys, Secret};
use rres_format::{ChunkView, Cipher, Decoded, Decompressor, Error, Result};
use rres_runtime::PackOptions;

use crate::exit::Failure;

/// Largest size of a file with a key, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// The key of this run of the command.
static KEYS: OnceLock<Keys> = OnceLock::new();

/// The options that say where the key is.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct KeyArgs {
    /// Environment variable with the key of encrypted assets: a password, or `hex:` and 64 hexadecimal digits
    #[arg(long, value_name = "VAR", conflicts_with = "key_file")]
    key_env: Option<String>,
    /// File with the key of encrypted assets: a password, or `hex:` and 64 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl KeyArgs {
    /// Reads the key, if the options name one, for the rest of the run.
    pub(crate) fn load(&self) -> Result<(), Failure> {
        let (text, place) = match (&self.key_env, &self.key_file) {
            (None, None) => return Ok(()),
            (Some(name), _) => {
                let text = std::env::var_os(name).filter(|text| !text.is_empty());
                let missing = || Failure::Usage(format!("cannot read the key: the variable {name} is not set"));
                (text.ok_or_else(missing)?.into_encoded_bytes(), format!("the variable {name}"))
            }
            (None, Some(file)) => {
                let fail = |why: String| Failure::Usage(format!("cannot read the key from {}: {why}", file.display()));
                let metadata = std::fs::metadata(file).map_err(|e| fail(e.to_string()))?;
                // Reading anything but a file, such as a FIFO, might never end.
                if !metadata.is_file() || metadata.len() > MAX_FILE {
                    return Err(fail("expected a file of at most 64 KiB".to_owned()));
                }
                (std::fs::read(file).map_err(|e| fail(e.to_string()))?, file.display().to_string())
            }
        };
        let secret = Secret::from_text(&text).map_err(|error| Failure::Usage(format!("{place}: {error}")))?;
        // A run has one set of options.
        let _ = KEYS.set(Keys::new(secret));
        Ok(())
    }
}

/// Returns the options to open packs with.
pub(crate) fn pack_options() -> PackOptions {
    match KEYS.get() {
        Some(keys) => PackOptions::default().keys(keys.clone()),
        None => PackOptions::default(),
    }
}

/// Gives a build the key, unless it is to find one by its settings.
pub(crate) fn for_build(build: Build) -> Build {
    match KEYS.get() {
        Some(keys) => build.key(|| keys.secret().clone()),
        None => build,
    }
}

/// Whether chunks with this cipher can be read: they are not encrypted, or there is a key.
pub(crate) fn can_read(cipher: Cipher) -> bool {
    cipher == Cipher::NONE || KEYS.get().is_some() && cipher.is_enabled()
}

/// Whether there is a key, and it is not a password.
pub(crate) fn is_raw_key() -> bool {
    KEYS.get().is_some_and(|keys| !keys.secret().is_password())
}

/// Returns the stored bytes of a chunk, decrypted if it is encrypted; `None` if it cannot be.
pub(crate) fn compressed<'a>(chunk: &ChunkView<'a>) -> Option<Cow<'a, [u8]>> {
    match chunk.info.cipher {
        Cipher::NONE => Some(chunk.stored.into()),
        _ => Some(chunk.unseal(KEYS.get()?).ok()?.view().stored.to_vec().into()),
    }
}

/// Decodes the block of a chunk, decrypted first if it is encrypted and there is a key.
///
/// # Errors
/// As [`ChunkView::unseal`] and [`ChunkView::decode`].
pub(crate) fn decode<'a>(chunk: &ChunkView<'a>, decompressor: &mut Decompressor) -> Result<Decoded<'a>, Error> {
    match KEYS.get() {
        Some(keys) if chunk.info.cipher != Cipher::NONE => chunk.unseal(keys)?.into_decoded(decompressor),
        _ => chunk.decode(decompressor),
    }
}
