//! The signature of a pack, and what is done with a pack that has none, or another one.

use std::fmt;
use std::sync::OnceLock;

use rres_format::index::StoredRange;
use rres_format::signature::{PublicKey, Signature, SignatureError};
use rres_format::{Header, PackView};

use super::content::PackEnd;
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
    /// The pack should be signed with one of these keys. If it is not, it is used anyway, and [`crate::Pack::signature_warning`] and
    /// [`crate::Mounts::warnings`] say why [`Self::Require`] would refuse it.
    Warn(&'static [PublicKey]),
    /// The pack must be signed with one of these keys and be unchanged since. Otherwise it cannot be opened, or the assets whose
    /// bytes were changed cannot be loaded; the error is [`ErrorKind::Signature`].
    Require(&'static [PublicKey]),
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
    pub(super) fn open(policy: SignaturePolicy, view: PackView<'_>, end: Option<&PackEnd>) -> Result<Self> {
        let signed = Self { policy, ..Self::default() };
        let keys = match policy {
            SignaturePolicy::Ignore => return Ok(signed),
            SignaturePolicy::Warn(keys) | SignaturePolicy::Require(keys) => keys,
        };
        match check(view, end, keys) {
            Ok(list) => Ok(Self { list: Some(list), ..signed }),
            Err(error) => signed.refuse(error).map(|()| signed),
        }
    }

    /// Returns the key, if the pack is signed with one of those that the policy names.
    pub(super) fn key(&self) -> Option<PublicKey> {
        self.list.as_ref().map(Signature::key)
    }

    /// Returns what would have been refused under [`SignaturePolicy::Require`].
    pub(super) fn warning(&self) -> Option<Error> {
        self.warning.get().cloned()
    }

    /// Whether the pack is used only if it is signed.
    pub(super) fn is_required(&self) -> bool {
        matches!(self.policy, SignaturePolicy::Require(_))
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
        list.check_part(pack.bytes(), pack.start(), stored.offset, stored.size).or_else(|error| self.refuse(error))
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

/// Checks the signature of a pack, or of one of which the front and the end are here.
fn check(view: PackView<'_>, end: Option<&PackEnd>, keys: &[PublicKey]) -> Result<Signature<'static>, SignatureError> {
    let pack = view.bytes();
    let list = match end {
        Some(end) => Signature::read_end(&end.bytes, end.pack_len)?,
        // Copied, so that nobody who changes the file of a mapped pack can change the list.
        None => Signature::read(pack)?,
    };
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
