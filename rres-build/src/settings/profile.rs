//! What a profile chooses where no setting does. `docs/storage.md` explains the choices.

use rres_format::Compression;

use super::table::{AssetSettings, PackSettings};
use super::values::{Compat, Profile};

/// The settings that a profile chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Storage {
    pub(super) compression: Compression,
    /// `None` for the level that the compressor has by itself.
    pub(super) level: Option<i32>,
}

impl Profile {
    /// What this profile chooses for a pack that these readers must be able to load.
    pub(super) fn storage(self, compat: Option<Compat>) -> Storage {
        let (compression, level) = match (self, compat) {
            (Self::Speed, _) => (Compression::LZ4, None),
            (Self::Size | Self::Balanced, Some(Compat::Raylib)) => (Compression::DEFLATE, None),
            (Self::Size, None) => (Compression::FILTERED, Some(19)),
            (Self::Balanced, None) => (Compression::FILTERED, None),
        };
        Storage { compression, level }
    }
}

impl Storage {
    /// Returns these settings with those that are set explicitly. A level is for one compressor only.
    fn with(self, compression: Option<Compression>, level: Option<i32>) -> Self {
        let compression = compression.unwrap_or(self.compression);
        Self { compression, level: level.or(self.level.filter(|_| compression == self.compression)) }
    }
}

impl PackSettings {
    /// How assets are stored for which no rule chooses anything.
    pub(super) fn storage(&self) -> Storage {
        self.profile.unwrap_or_default().storage(self.compat).with(self.compression, self.level)
    }

    /// The compression of assets for which no rule chooses one.
    pub(crate) fn compression(&self) -> Compression {
        self.storage().compression
    }

    /// Sets what no rule has set for an asset: a profile that a rule chooses comes before the settings of the pack.
    #[cfg(feature = "engine")]
    pub(super) fn complete(&self, asset: &mut AssetSettings) {
        let storage = match asset.profile {
            Some(profile) => profile.storage(self.compat),
            None => self.storage(),
        };
        let Storage { compression, level } = storage.with(asset.compression, asset.level);
        (asset.compression, asset.level) = (Some(compression), level);
        asset.profile = asset.profile.or(self.profile);
    }
}
