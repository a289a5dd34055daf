//! What a user knows: a password or a raw key.

use core::fmt;

use zeroize::Zeroizing;

use crate::error::{Error, Result};

/// Number of bytes of the key of both ciphers.
pub(super) const KEY: usize = 32;

/// Number of bytes of the password that older C programs hash.
const WINDOW: usize = 16;

/// A password or a raw key. It is erased from memory when it is dropped, and `Debug` does not show it.
#[derive(Clone)]
pub struct Secret(Kind);

#[derive(Clone)]
enum Kind {
    Password(Zeroizing<Vec<u8>>),
    RawKey(Zeroizing<[u8; KEY]>),
}

/// A form of a password as C programs hash it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// All bytes.
    Whole,
    /// Exactly 16 bytes, cut or padded with zeros.
    Window,
}

impl Secret {
    /// Returns a password.
    ///
    /// # Errors
    /// [`Error::BadSecret`] if it is empty or contains a NUL, at which C programs cut it.
    pub fn password(password: impl AsRef<[u8]>) -> Result<Self> {
        let password = password.as_ref();
        if password.is_empty() {
            return Err(Error::BadSecret("the password is empty, expected at least one byte"));
        }
        if password.contains(&0) {
            return Err(Error::BadSecret(
                "the password contains a NUL byte, at which C programs cut it; choose another one",
            ));
        }
        Ok(Self(Kind::Password(Zeroizing::new(password.to_vec()))))
    }

    /// Returns a raw key, which is used as it is. It must be random bytes: nothing slows guessing down.
    pub fn raw_key(key: [u8; KEY]) -> Self {
        Self(Kind::RawKey(Zeroizing::new(key)))
    }

    /// Reads a secret as environment variables and files contain it: `hex:` and 64 hexadecimal digits are a raw key,
    /// everything else is a password. One line break at the end is not part of it.
    ///
    /// ```
    /// use rres_format::seal::Secret;
    ///
    /// assert!(Secret::from_text("correct horse battery staple\n")?.is_password());
    /// assert!(!Secret::from_text(format!("hex:{}", "5f".repeat(32)))?.is_password());
    /// # Ok::<(), rres_format::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadSecret`] if it is empty, contains a NUL, or is a raw key with other than 64 digits.
    pub fn from_text(text: impl AsRef<[u8]>) -> Result<Self> {
        let text = text.as_ref();
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let Some(digits) = text.strip_prefix(b"hex:") else { return Self::password(text) };
        let mut key = Zeroizing::new([0; KEY]);
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let mut is_valid = digits.len() == 2 * KEY;
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            match (digit(pair[0]), digit(pair[1])) {
                (Some(high), Some(low)) => *byte = high << 4 | low,
                _ => is_valid = false,
            }
        }
        match is_valid {
            true => Ok(Self(Kind::RawKey(key))),
            false => Err(Error::BadSecret("expected 64 hexadecimal digits after `hex:`, which starts a raw key")),
        }
    }

    /// Whether it is a password and not a raw key.
    pub fn is_password(&self) -> bool {
        matches!(self.0, Kind::Password(_))
    }

    /// Whether every version of the C library and rrespacker derive the same key from it: a password of 16 bytes.
    pub fn opens_everywhere(&self) -> bool {
        matches!(&self.0, Kind::Password(password) if password.len() == WINDOW)
    }

    /// Returns the forms of the password that differ; none for a raw key.
    pub(super) fn forms(&self) -> &'static [Form] {
        match &self.0 {
            Kind::RawKey(_) => &[],
            Kind::Password(password) if password.len() == WINDOW => &[Form::Whole],
            Kind::Password(_) => &[Form::Whole, Form::Window],
        }
    }

    /// Returns the bytes of a form of the password; `None` for a raw key.
    pub(super) fn bytes(&self, form: Form) -> Option<Zeroizing<Vec<u8>>> {
        let Kind::Password(password) = &self.0 else { return None };
        let mut bytes = password.clone();
        if form == Form::Window {
            // With its final capacity at once, so that growing leaves no copy behind.
            let mut window = Zeroizing::new(vec![0; WINDOW]);
            let len = bytes.len().min(WINDOW);
            window[..len].copy_from_slice(&bytes[..len]);
            bytes = window;
        }
        Some(bytes)
    }

    /// Returns the raw key, if it is one.
    pub(super) fn as_raw_key(&self) -> Option<&Zeroizing<[u8; KEY]>> {
        match &self.0 {
            Kind::RawKey(key) => Some(key),
            Kind::Password(_) => None,
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_password() { "password" } else { "raw key" };
        write!(f, "Secret({kind})")
    }
}
