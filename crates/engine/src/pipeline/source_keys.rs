//! The keys of sources: hashes of everything that determines their imported forms.

use std::sync::Arc;

use rres_format::AssetKind;

use super::plan::PlannedSource;
use super::raylib;
use crate::cache::begin_key;
use crate::import::RegisteredImporter;
use crate::key::{Key, KeyBuilder};
use crate::model::extension_of;
use crate::settings::{Compat, Settings};
use crate::source_dir::SourceDir;

/// Must be increased whenever the same blocks are stored in another way, so that old blobs are not used.
const ENCODING_VERSION: u32 = 7;

/// The key of everything that determines the imported form of a source, except input files.
pub(super) fn source_key(planned: &PlannedSource, compat: Option<Compat>, content_hash: &[u8; 32]) -> Key {
    SourceKeys::new(compat).key(planned, content_hash)
}

/// Makes the keys of sources, one after the other. What a source has in common with the one before is hashed once.
pub(super) struct SourceKeys {
    compat: Option<Compat>,
    last: Option<Begun>,
}

/// The key of sources that have this in common, as far as it follows from that.
struct Begun {
    dir: Arc<SourceDir>,
    importer: Arc<RegisteredImporter>,
    settings: Arc<Settings>,
    key: KeyBuilder,
}

impl SourceKeys {
    pub(super) fn new(compat: Option<Compat>) -> Self {
        Self { compat, last: None }
    }

    /// See [`source_key`].
    pub(super) fn key(&mut self, planned: &PlannedSource, content_hash: &[u8; 32]) -> Key {
        let begun = match &self.last {
            Some(last) if last.is_of(planned) => last,
            _ => self.last.insert(Begun::new(planned, self.compat)),
        };
        let mut key = begun.key.clone();
        let PlannedSource { source, dir, importer, settings, .. } = planned;
        // Projects that share a cache may have different importers of one name in their build scripts.
        let project = if importer.is_of_script() { dir.dir.as_os_str().as_encoded_bytes() } else { &[] };
        let seen =
            if importer.sees_path(&source.path, settings) { source.path.as_str() } else { extension_of(&source.path) };
        key.field(project).field(seen.as_bytes()).field(content_hash);
        key.finish()
    }
}

impl Begun {
    fn new(PlannedSource { dir, importer, settings, .. }: &PlannedSource, compat: Option<Compat>) -> Self {
        let version_of = |kind| dir.importers.rres.of_kind(kind).description.version;
        let key = begin(importer, settings, compat, version_of);
        Self { dir: Arc::clone(dir), importer: Arc::clone(importer), settings: Arc::clone(settings), key }
    }

    fn is_of(&self, PlannedSource { dir, importer, settings, .. }: &PlannedSource) -> bool {
        let Self { dir: own_dir, importer: own_importer, settings: own_settings, .. } = self;
        Arc::ptr_eq(own_dir, dir) && Arc::ptr_eq(own_importer, importer) && Arc::ptr_eq(own_settings, settings)
    }
}

/// The beginning of a key, if the importers of the kinds have these versions: they encode what others make.
fn begin(
    importer: &RegisteredImporter,
    settings: &Settings,
    compat: Option<Compat>,
    version_of: impl Fn(AssetKind) -> u32,
) -> KeyBuilder {
    let description = &importer.description;
    let mut fingerprint = Vec::new();
    settings.fingerprint(&description.kinds, &mut fingerprint);
    description.fingerprint(settings, &mut fingerprint);
    let mut key = begin_key("rres source");
    key.field(&ENCODING_VERSION.to_le_bytes());
    key.field(description.name.as_bytes());
    key.field(&description.version.to_le_bytes());
    for kind in importer.encoders() {
        key.field(&version_of(kind).to_le_bytes());
    }
    key.field(&fingerprint);
    key.field(&[compat.map_or(0, |Compat::Raylib| raylib::VERSION)]);
    key
}

#[cfg(test)]
mod tests {
    use rres_import::{Asset, Encoders, ImportError, Importer, Source};

    use super::*;
    use crate::import::RresImporters;
    use crate::settings::Description;

    struct Pictures;

    impl Importer for Pictures {
        fn describe(&self) -> Description {
            Description::new("pictures", 1).makes(AssetKind::Image).makes(AssetKind::Sound)
        }

        fn import(&self, _: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
            Ok(Vec::new())
        }
    }

    /// Whether a source with this importer is imported again when the importer of `raised` has another version.
    fn follows(importer: &RegisteredImporter, raised: AssetKind) -> bool {
        let key = |version| {
            let of = |kind| if kind == raised { version } else { 1 };
            begin(importer, &Settings::default(), None, of).finish()
        };
        key(1) != key(2)
    }

    #[test]
    fn a_raised_version_of_an_encoder_is_in_the_keys_of_all_who_use_it() {
        let pictures = RegisteredImporter::new(Arc::new(Pictures));
        assert!(follows(&pictures, AssetKind::Image) && follows(&pictures, AssetKind::Sound));
        assert!(!follows(&pictures, AssetKind::Font));
        let rres_importers = RresImporters::new(|_| None, Encoders::default());
        let models = rres_importers.of_kind(AssetKind::Model);
        assert!(follows(models, AssetKind::Image) && !follows(models, AssetKind::Sound));
        assert!(!follows(rres_importers.of_kind(AssetKind::Text), AssetKind::Image));
        for container in rres_importers.iter().filter(|importer| importer.own_kind().is_none()) {
            for kind in [AssetKind::Image, AssetKind::Sound] {
                assert_eq!(follows(container, kind), container.kinds().contains(&kind), "{container}");
            }
        }
    }
}
