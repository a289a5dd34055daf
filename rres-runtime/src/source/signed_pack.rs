//! What the program asks of the signatures of packs, and what it learns about them.

use rres_format::signature::PublicKey;

use super::options::PackOptions;
use super::pack::Pack;
use super::signature::SignaturePolicy;
use crate::error::Error;

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
        self.signed.key()
    }

    /// Returns why [`SignaturePolicy::Require`] would refuse the pack, or the first changed asset that was loaded from it. `None` with
    /// another policy than [`SignaturePolicy::Warn`].
    pub fn signature_warning(&self) -> Option<Error> {
        self.signed.warning()
    }
}
