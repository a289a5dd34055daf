//! The signature of a pack, and what is done with a pack that has none, or another one.

use std::fmt;
use std::sync::OnceLock;

use rres_format::index::StoredRange;
use rres_format::signature::{PublicKey, Signature, SignatureError};
use rres_format::{Header, PackView};

use super::pack::{Pack, PackOptions};
use crate::error::{Error, ErrorKind, Result};

/// Whether a pack must be signed, by `cargo rres sign`.
///
/// The signature itself and the front index are checked when the pack is opened, and each asset before its first use. Packs of other
/// programs are checked as a whole when they are opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignaturePolicy {
    /// The pack need not be signed, and a signature is not looked at.
    #[default]
    Ignore,
    /// The pack should be signed with one of these keys. If it is not, it is used anyway, and [`Pack::signature_warning`] and
    /// [`crate::Mounts::signature_warnings`] say why [`Self::Require`] would refuse it.
    Warn(&'static [PublicKey]),
    /// The pack must be signed with one of these keys and be unchanged since. Otherwise it cannot be opened, or the assets whose
    /// bytes were changed cannot be loaded; the error is [`ErrorKind::Signature`].
    Require(&'static [PublicKey]),
}

impl PackOptions {
    /// Returns the same options with another policy for signatures.
    ///
    /// ```no_run
    /// use rres_runtime::{PackOptions, PublicKey, SignaturePolicy, Store};
    ///
    /// const MODDERS: PublicKey =
    ///     PublicKey::from_hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    ///
    /// # fn mount(store: &Store) -> Result<(), rres_runtime::Error> {
    /// let options = PackOptions::default().signature(SignaturePolicy::Require(&[MODDERS]));
    /// store.mount(options.open("mods/snow.rres")?)?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn signature(mut self, policy: SignaturePolicy) -> Self {
        self.signature = policy;
        self
    }
}

impl Pack {
    /// Returns the key that the pack is signed with, one of those that its [`SignaturePolicy`] names; `None` if it is not, or the
    /// policy is to ignore signatures.
    pub fn signed_by(&self) -> Option<PublicKey> {
        self.signed.list.as_ref().map(Signature::key)
    }

    /// Returns why [`SignaturePolicy::Require`] would refuse the pack, or the first changed asset that was loaded from it. `None` with
    /// another policy than [`SignaturePolicy::Warn`].
    pub fn signature_warning(&self) -> Option<Error> {
        self.signed.warning.get().cloned()
    }
}

/// What is known of the signature of a pack.
#[derive(Default)]
pub(super) struct Signed {
    policy: SignaturePolicy,
    /// A copy of the list of hashes, after its signature was checked.
    list: Option<Signature<'static>>,
    warning: OnceLock<Error>,
}

impl fmt::Debug for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signed").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Signed {
    /// Checks the signature of a pack, and everything that is read when it is opened.
    pub(super) fn open(options: &PackOptions, view: PackView<'_>) -> Result<Self> {
        let signed = Self { policy: options.signature, ..Self::default() };
        let keys = match options.signature {
            SignaturePolicy::Ignore => return Ok(signed),
            SignaturePolicy::Warn(keys) | SignaturePolicy::Require(keys) => keys,
        };
        match check(view, keys) {
            Ok(list) => Ok(Self { list: Some(list), ..signed }),
            Err(error) => signed.refuse(error).map(|()| signed),
        }
    }

    /// Whether resources are checked when they are used.
    pub(super) fn checks(&self) -> bool {
        self.list.is_some()
    }

    /// Whether resources that pass have the bytes that were signed, so that no CRC needs to be checked.
    pub(super) fn replaces_crc(&self) -> bool {
        self.list.is_some() && matches!(self.policy, SignaturePolicy::Require(_))
    }

    /// Checks the chunks of a resource, and the padding between them.
    pub(super) fn check(&self, pack: PackView<'_>, stored: StoredRange) -> Result<()> {
        let Some(list) = &self.list else { return Ok(()) };
        list.check_chunks(pack.bytes(), stored.offset, stored.size).or_else(|error| self.refuse(error))
    }

    /// Checks that a pack was signed together with the first pack of its set.
    pub(super) fn check_set(&self, first: &Self, number: u32, packs: u32) -> Result<()> {
        let (Some(list), Some(first)) = (&self.list, &first.list) else { return Ok(()) };
        list.check_set(first, number, packs).or_else(|error| self.refuse(error))
    }

    /// Returns an error, or keeps it as the warning.
    fn refuse(&self, error: SignatureError) -> Result<()> {
        let error = Error::new(ErrorKind::Signature(error));
        match self.policy {
            SignaturePolicy::Require(_) => Err(error),
            SignaturePolicy::Ignore | SignaturePolicy::Warn(_) => {
                self.warning.get_or_init(|| error);
                Ok(())
            }
        }
    }
}

fn check(view: PackView<'_>, keys: &[PublicKey]) -> Result<Signature<'static>, SignatureError> {
    let pack = view.bytes();
    // Copied, so that nobody who changes the file of a mapped pack can change the list.
    let list = Signature::read(pack)?;
    list.verify(pack, keys)?;
    let Some(index) = view.index() else {
        // The pack is scanned for its chunks, and all of them count.
        list.check_all(pack)?;
        return Ok(list);
    };
    list.check_chunk(pack, Header::SIZE as u32)?;
    if index.is_patch()
        && let Ok(index) = view.chunk_at(Header::SIZE as u32)
    {
        list.check_chunk(pack, u32::try_from(index.end()).unwrap_or(u32::MAX))?;
    }
    Ok(list)
}
