//! What a profile chooses where no setting does. `docs/storage.md` explains the choices.

use rres_format::Compression;

use super::table::{AssetSettings, PackSettings};
use super::values::{Compat, Filters, Profile};

/// The settings that a profile chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Storage {
    pub(super) compression: Compression,
    /// `None` for the level that the compressor has by itself.
    pub(super) level: Option<i32>,
    /// `None` for all, and for compressors without filters.
    pub(super) filters: Option<Filters>,
}

impl Profile {
    /// What this profile chooses for a pack that these readers must be able to load.
    pub(super) fn storage(self, compat: Option<Compat>) -> Storage {
        let (compression, level, filters) = match (self, compat) {
            (Self::Speed, Some(Compat::Raylib)) => (Compression::LZ4, None, None),
            (Self::Speed, None) => (Compression::FILTERED, None, Some(Filters::Fast)),
            (Self::Size | Self::Balanced, Some(Compat::Raylib)) => (Compression::DEFLATE, None, None),
            (Self::Size, None) => (Compression::FILTERED, Some(19), None),
            (Self::Balanced, None) => (Compression::FILTERED, None, None),
        };
        Storage { compression, level, filters }
    }
}

impl Storage {
    /// Returns these settings with those that are set explicitly. Filters are for one compressor only, and a level for one with the
    /// same filters.
    fn with(self, compression: Option<Compression>, level: Option<i32>, filters: Option<Filters>) -> Self {
        let compression = compression.unwrap_or(self.compression);
        let filters = filters.or(self.filters.filter(|_| compression == self.compression));
        let is_same =
            compression == self.compression && filters.unwrap_or(Filters::All) == self.filters.unwrap_or(Filters::All);
        Self { compression, level: level.or(self.level.filter(|_| is_same)), filters }
    }
}

impl PackSettings {
    /// How assets are stored for which no rule chooses anything.
    pub(super) fn storage(&self) -> Storage {
        self.profile.unwrap_or_default().storage(self.compat).with(self.compression, self.level, self.filters)
    }

    /// The compression of assets for which no rule chooses one.
    pub fn compression(&self) -> Compression {
        self.storage().compression
    }

    /// Sets what no rule has set for an asset: a profile that a rule chooses comes before the settings of the pack.
    pub(super) fn complete(&self, asset: &mut AssetSettings) {
        let storage = match asset.profile {
            Some(profile) => profile.storage(self.compat),
            None => self.storage(),
        };
        let Storage { compression, level, filters } = storage.with(asset.compression, asset.level, asset.filters);
        (asset.compression, asset.level, asset.filters) = (Some(compression), level, filters);
        asset.profile = asset.profile.or(self.profile);
    }
}
