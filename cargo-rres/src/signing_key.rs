//! The text form of private keys, in files and in a variable.

use std::path::Path;

use rres_format::signature::{PublicKey, SecretKey};

use crate::exit::Failure;

/// The variable with the private key for `sign`, such as a secret of a CI service.
pub(crate) const VARIABLE: &str = "RRES_SIGN_KEY";

/// Reads the key in a file, or that in the variable if no file is named.
pub(crate) fn read(file: Option<&Path>) -> Result<SecretKey, Failure> {
    let usage = |text: String| Failure::Usage(text);
    let Some(file) = file else {
        let text = std::env::var(VARIABLE).map_err(|_| {
            usage(format!(
                "no private key: name its file, or set the variable {VARIABLE}; `cargo rres keygen` makes a key"
            ))
        })?;
        return SecretKey::from_text(&text)
            .map_err(|e| usage(format!("cannot read the private key in the variable {VARIABLE}: {e}")));
    };
    let cannot_read = |why: String| usage(format!("cannot read the private key {}: {why}", file.display()));
    let text = std::fs::read(file).map_err(|e| cannot_read(e.to_string()))?;
    let text = String::from_utf8(text).map_err(|_| cannot_read("it is not a text".to_owned()))?;
    SecretKey::from_text(&text).map_err(cannot_read)
}

/// Reads a public key from an argument: its 64 hexadecimal digits, or the file of the private key that it belongs to.
pub(crate) fn public(argument: &str) -> Result<PublicKey, String> {
    let file = Path::new(argument);
    match argument.parse() {
        Err(_) if file.is_file() => read(Some(file)).map(|key| key.public_key()).map_err(|failure| failure.to_string()),
        Err(error) => Err(format!("{error}, and no file has this name")),
        Ok(key) => Ok(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_back_and_nothing_else_is_a_key() {
        let key = SecretKey::from_seed([9; 32]).unwrap();
        for text in [key.to_text(), key.to_hex(), format!("\n# note\n  {}  \r\n", key.to_hex())] {
            assert_eq!(SecretKey::from_text(&text).unwrap().public_key(), key.public_key());
        }
        let secret = "5ec7e7".repeat(10);
        for text in
            ["", "# only a comment", &secret, &format!("{0}\n{0}", key.to_hex()), &format!("other: {}", key.to_hex())]
        {
            let error = SecretKey::from_text(text).unwrap_err();
            assert!(!error.contains("5ec7e7") && !error.contains("0909"), "{error}");
        }
    }
}
