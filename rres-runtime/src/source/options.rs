//! How a pack is opened.

use rres_format::Limits;

use super::unseal::PackKeys;

/// When stored bytes are compared with their CRC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrcPolicy {
    /// Before the first use of each asset.
    #[default]
    Once,
    /// Before every use.
    Always,
    /// Never: for packs whose bytes are checked in another way.
    Off,
}

/// How a pack is opened. [`crate::Pack::open`] maps a file with the default options.
///
/// ```no_run
/// use rres_runtime::{CrcPolicy, PackOptions};
///
/// let pack = PackOptions::default().crc_policy(CrcPolicy::Always).open("game.rres")?;
/// # Ok::<(), rres_runtime::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PackOptions {
    /// When stored bytes are compared with their CRC.
    pub crc_policy: CrcPolicy,
    /// Caps on the memory that the pack can make this crate allocate.
    pub limits: Limits,
    pub(super) keys: PackKeys,
    pub(super) recovers: bool,
    kept_parts: Option<u64>,
    /// Whether the pack must be signed.
    #[cfg(feature = "signed")]
    pub signature: super::signature::SignaturePolicy,
}

impl PackOptions {
    /// Returns the same options with another CRC policy.
    #[must_use]
    pub fn crc_policy(mut self, policy: CrcPolicy) -> Self {
        self.crc_policy = policy;
        self
    }

    /// Returns the same options with other caps.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the same options with the keys of encrypted packs. A wrong key is an error of opening; a pack that is not
    /// encrypted is opened without it. Clones of [`Keys`](crate::seal::Keys) share what was derived from the password, so give clones of one to
    /// all packs of a game.
    #[cfg(feature = "seal")]
    #[must_use]
    pub fn keys(mut self, keys: impl Into<crate::seal::Keys>) -> Self {
        self.keys.keys = Some(keys.into());
        self
    }

    /// Returns the same options with the number of bytes of a pack that stay in memory after they were fetched, as they are stored, for
    /// packs that [`Self::open_from`] reads in parts. Default: 64 MiB. Assets that are loaded do not count, unless they are a view of
    /// the stored bytes. What is needed again is read again.
    #[must_use]
    pub fn keep_parts(mut self, bytes: u64) -> Self {
        self.kept_parts = Some(bytes);
        self
    }

    /// Whether the signature of a pack is looked at.
    pub(crate) fn reads_signature(&self) -> bool {
        #[cfg(feature = "signed")]
        return self.signature != super::signature::SignaturePolicy::Ignore;
        #[cfg(not(feature = "signed"))]
        false
    }

    pub(crate) fn kept_parts(&self) -> u64 {
        self.kept_parts.unwrap_or(64 << 20)
    }

    /// Returns the same options for packs whose front index may be damaged. Default: such a pack is refused.
    ///
    /// The whole index is then compared with its CRC on opening, which takes time that grows with it. If it is damaged, the pack is scanned
    /// like one of another program: its chunk headers and its directory say which assets it has, and [`crate::Pack::index_damage`] and
    /// [`crate::Mounts::warnings`] say what is wrong. What only the index knows is lost: groups, dependencies, and properties such as
    /// the color space of images. An asset that cannot be put together without it is an error of loading. Chunk headers
    /// are then not covered by a CRC, so further damage in them may go unnoticed.
    #[must_use]
    pub fn recover_index(mut self, yes: bool) -> Self {
        self.recovers = yes;
        self
    }
}
