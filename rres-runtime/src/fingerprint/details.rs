//! The hash of each asset → the fingerprint of all, and bytes that another program reads.
//!
//! The bytes, all numbers little-endian: `rresFPR1`, the number of assets (`u32`), then for each asset, ascending by path and id, its id (`u32`), its
//! kind (`u8`, 0 if unknown), the size of its path (`u16`), the path in UTF-8, and the hash of its contents (32 bytes).

use rres_format::{AssetKind, ResourceId};

use super::{Fingerprint, FingerprintError};

const SIGNATURE: &[u8; 8] = b"rresFPR1";

/// Bytes of an asset without its path.
const LEAST: usize = 4 + 1 + 2 + 32;

/// One asset in [`FingerprintDetails`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetFingerprint {
    pub(super) id: ResourceId,
    pub(super) path: String,
    /// 0 if this version does not know it.
    pub(super) kind: u8,
    pub(super) contents: [u8; 32],
}

impl AssetFingerprint {
    /// Returns its id.
    pub fn id(&self) -> ResourceId {
        self.id
    }

    /// Returns its path; empty if its pack does not record paths. If the details come from a stranger, the path may be any text.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns its kind; `None` if this version does not know it.
    pub fn kind(&self) -> Option<AssetKind> {
        AssetKind::from_number(self.kind)
    }

    /// Returns the BLAKE3 hash of its decoded blocks, its metadata and the ids of its dependencies.
    pub fn contents(&self) -> [u8; 32] {
        self.contents
    }

    pub(super) fn order(&self) -> (&str, ResourceId) {
        (&self.path, self.id)
    }
}

/// What a [`Fingerprint`] is the hash of: each asset with its id, path, kind and a hash of its contents. It is for naming what differs:
/// send it if fingerprints differ, see [`Self::difference`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FingerprintDetails {
    /// Ascending by path and id.
    assets: Vec<AssetFingerprint>,
}

impl FingerprintDetails {
    /// The most bytes that [`Self::from_bytes`] reads: 64 MiB, which is enough for 700,000 assets with paths of 50 bytes. Receive no more.
    pub const MAX_BYTES: usize = 64 << 20;

    /// `assets` must ascend by path and id.
    pub(super) fn of(assets: Vec<AssetFingerprint>) -> Self {
        Self { assets }
    }

    /// Returns the assets, ascending by path.
    pub fn assets(&self) -> &[AssetFingerprint] {
        &self.assets
    }

    /// Returns the fingerprint. The details of another player belong to the fingerprint that the player has sent only if this is equal.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(blake3::hash(&self.to_bytes()).into())
    }

    /// Returns the details as bytes, the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size: usize = self.assets.iter().map(|asset| LEAST + asset.path.len()).sum();
        let mut bytes = Vec::with_capacity(SIGNATURE.len() + 4 + size);
        bytes.extend_from_slice(SIGNATURE);
        // An index has at most 2^32 entries, and a path at most 65,535 bytes.
        bytes.extend_from_slice(&(self.assets.len() as u32).to_le_bytes());
        for AssetFingerprint { id, path, kind, contents } in &self.assets {
            bytes.extend_from_slice(&id.0.to_le_bytes());
            bytes.push(*kind);
            bytes.extend_from_slice(&(path.len() as u16).to_le_bytes());
            bytes.extend_from_slice(path.as_bytes());
            bytes.extend_from_slice(contents);
        }
        bytes
    }

    /// Reads the bytes that [`Self::to_bytes`] has made in another program. They may be a stranger's: memory is allocated only for the bytes that exist.
    ///
    /// # Errors
    /// If they are too long, damaged, or of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FingerprintError> {
        if bytes.len() > Self::MAX_BYTES {
            return Err(FingerprintError::TooLong { bytes: bytes.len(), max: Self::MAX_BYTES });
        }
        let mut rest = bytes.strip_prefix(SIGNATURE).ok_or(FingerprintError::NotDetails)?;
        let expected = u32::from_le_bytes(take(&mut rest).ok_or(FingerprintError::NotDetails)?);
        let mut assets: Vec<AssetFingerprint> = Vec::with_capacity((rest.len() / LEAST).min(expected as usize));
        for number in 0..expected as usize {
            let truncated = FingerprintError::Truncated { assets: number, expected };
            let id = ResourceId(u32::from_le_bytes(take(&mut rest).ok_or(truncated)?));
            let [kind] = take(&mut rest).ok_or(truncated)?;
            let size = u16::from_le_bytes(take(&mut rest).ok_or(truncated)?);
            let (path, after) = rest.split_at_checked(size.into()).ok_or(truncated)?;
            rest = after;
            let path = str::from_utf8(path).map_err(|_| FingerprintError::NotUtf8 { asset: number })?.to_owned();
            let asset = AssetFingerprint { id, path, kind, contents: take(&mut rest).ok_or(truncated)? };
            if assets.last().is_some_and(|last| last.order() >= asset.order()) {
                return Err(FingerprintError::NotInOrder { asset: number });
            }
            assets.push(asset);
        }
        match rest.len() {
            0 => Ok(Self { assets }),
            bytes => Err(FingerprintError::TrailingBytes { bytes }),
        }
    }
}

/// Takes the first `N` bytes, if there are as many.
fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*first)
}
