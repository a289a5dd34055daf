//! A secret and a salt → the key of a cipher, each computed once.

use core::fmt;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use argon2::{Algorithm, Argon2, Params, Version};
use zeroize::Zeroizing;

use super::SALT;
use super::secret::{Form, KEY, Secret};
use crate::error::{Error, Result};

/// A key of a cipher.
pub(super) type Key = Zeroizing<[u8; KEY]>;

/// A secret and the keys that were derived from it. Each key is derived once, whatever the number of chunks and threads that
/// use it. Cloning shares the keys, so give clones to all packs that have the same secret.
#[derive(Clone)]
pub struct Keys {
    shared: Arc<Shared>,
    /// How many keys were derived for those who share the limit.
    spent: Arc<AtomicU32>,
}

/// A key that the first thread which needs it derives.
type DerivedOnce = Arc<OnceLock<Key>>;

type Ask = Box<dyn FnOnce() -> Secret + Send + Sync>;

struct Shared {
    secret: LazyLock<Secret, Ask>,
    derived: Mutex<HashMap<(Form, [u8; SALT]), DerivedOnce>>,
    /// Whether the last key that fitted was of the window of 16 bytes, which is then tried first.
    prefers_window: AtomicBool,
}

impl Keys {
    /// Returns the keys of a secret. Nothing is derived yet.
    pub fn new(secret: Secret) -> Self {
        Self::ask(move || secret)
    }

    /// Returns the keys of a secret that `ask` returns. It is called at most once, when the first chunk is decrypted.
    pub fn ask(ask: impl FnOnce() -> Secret + Send + Sync + 'static) -> Self {
        let secret = LazyLock::new(Box::new(ask) as Ask);
        let shared = Shared { secret, derived: Mutex::default(), prefers_window: AtomicBool::new(false) };
        Self { shared: Arc::new(shared), spent: Arc::default() }
    }

    /// Returns the same keys for one more pack: it shares what was derived, and [`crate::Limits::max_key_derivations`] counts what it
    /// demands apart from what other packs do. A clone shares the count as well.
    #[must_use]
    pub fn for_pack(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), spent: Arc::default() }
    }

    /// Returns the secret.
    pub fn secret(&self) -> &Secret {
        &self.shared.secret
    }

    /// Returns how many keys were derived from the password, for all packs.
    pub fn derivations(&self) -> usize {
        self.shared.derived.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Calls `open` with the possible keys for a salt, in the order of their likelihood, until it returns a value. Derives at
    /// most `max` keys for a pack.
    pub(super) fn try_each<T>(
        &self,
        salt: &[u8; SALT],
        max: u32,
        mut open: impl FnMut(&Key) -> Option<T>,
    ) -> Result<Option<T>> {
        if let Some(key) = self.secret().as_raw_key() {
            return Ok(open(key));
        }
        let mut forms = self.secret().forms().to_vec();
        if self.shared.prefers_window.load(Ordering::Relaxed) {
            forms.reverse();
        }
        for form in forms {
            if let Some(opened) = open(&self.derive(form, salt, max)?) {
                self.shared.prefers_window.store(form == Form::Window, Ordering::Relaxed);
                return Ok(Some(opened));
            }
        }
        Ok(None)
    }

    /// Returns the key that chunks are encrypted with.
    pub(super) fn for_writing(&self, salt: &[u8; SALT]) -> Result<Key> {
        match self.secret().as_raw_key() {
            Some(key) => Ok(key.clone()),
            None => self.derive(Form::Whole, salt, u32::MAX),
        }
    }

    fn derive(&self, form: Form, salt: &[u8; SALT], max: u32) -> Result<Key> {
        let cell = {
            let mut derived = self.shared.derived.lock().unwrap_or_else(PoisonError::into_inner);
            match derived.get(&(form, *salt)) {
                Some(cell) => Arc::clone(cell),
                None if self.spent.load(Ordering::Relaxed) >= max => {
                    return Err(Error::LimitExceeded {
                        what: "the number of keys to derive from the password",
                        value: u64::from(max) + 1,
                        limit: max.into(),
                        help: "raise `Limits::max_key_derivations` if you trust the pack; packs of other programs need a key for each chunk",
                    });
                }
                None => {
                    // The lock is held.
                    self.spent.fetch_add(1, Ordering::Relaxed);
                    Arc::clone(derived.entry((form, *salt)).or_default())
                }
            }
        };
        // The lock is released, so that other threads can derive keys of other salts.
        let password = self.secret().bytes(form).ok_or(Error::BadSecret("expected a password, found a raw key"))?;
        Ok(cell.get_or_init(|| argon2i(&password, salt)).clone())
    }
}

impl From<Secret> for Keys {
    fn from(secret: Secret) -> Self {
        Self::new(secret)
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys").field("derivations", &self.derivations()).finish_non_exhaustive()
    }
}

/// Hashes a password as `rres-raylib.h` does.
fn argon2i(password: &[u8], salt: &[u8; SALT]) -> Key {
    const KIBIBYTES: u32 = 16_384;
    const PASSES: u32 = 3;
    const LANES: u32 = 1;
    let params = Params::new(KIBIBYTES, PASSES, LANES, Some(KEY)).expect("the parameters are within their bounds");
    let mut key = Key::default();
    Argon2::new(Algorithm::Argon2i, Version::V0x13, params)
        .hash_password_into(password, salt, key.as_mut_slice())
        .expect("the lengths of the password, the salt and the key are within their bounds");
    key
}
