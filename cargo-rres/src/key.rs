//! The key of encrypted packs: from the environment or a file, never from an argument, which other users of the machine can
//! see.

use std::path::PathBuf;

use rres_engine::Build;
use rres_format::seal::{Keys, Secret};
use rres_packs::PackOpener;

use crate::exit::Failure;

/// Largest size of a file with a key, in bytes.
const MAX_FILE: u64 = 64 << 10;

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
    /// Reads the key, if the options name one.
    pub(crate) fn load(&self) -> Result<Option<Keys>, Failure> {
        let (text, place) = match (&self.key_env, &self.key_file) {
            (None, None) => return Ok(None),
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
        Ok(Some(Keys::new(secret)))
    }

    /// Returns what opens packs, and files of other engines, with this key.
    pub(crate) fn opener(&self) -> Result<PackOpener, Failure> {
        Ok(opener().keys(self.load()?))
    }
}

/// Returns what opens packs, and files of other engines, without a key.
pub(crate) fn opener() -> PackOpener {
    PackOpener::default().importers(rres_build::importers())
}

/// Gives a build the key, unless it is to find one by its settings.
pub(crate) fn for_build(build: Build, keys: Option<&Keys>) -> Build {
    match keys.cloned() {
        Some(keys) => build.key(move || keys.secret().clone()),
        None => build,
    }
}
