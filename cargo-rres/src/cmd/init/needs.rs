//! What the files of an assets directory need of the crates: features of `rres-build` and of `rres-runtime`.

use std::path::Path;

/// The feature of `rres-runtime` that enables every decoder of files that packs keep.
pub(super) const ALL_DECODERS: &str = "decoders";

/// The features of `rres-build` that one format needs beside the importer of its kind. A build without them says which one it lacks.
const OPUS: &str = "opus";
const EXR: &str = "exr";

/// What the files of a directory need.
pub(super) struct Needs {
    /// The features of `rres-build` that import them.
    pub(super) importers: Vec<&'static str>,
    /// The features of importers that the default features lack.
    pub(super) extra: Vec<&'static str>,
    /// Whether the default features have exactly these importers.
    is_default: bool,
    /// The features of `rres-runtime` that decode what packs keep of them.
    pub(super) decoders: Vec<&'static str>,
    /// Whether the directory has no asset yet.
    is_empty: bool,
}

impl Needs {
    pub(super) fn of(assets: &Path) -> Self {
        let files = rres_engine::asset_files(assets);
        let features = rres_engine::importer_features(assets);
        let decoders = rres_engine::runtime_features(assets);
        let has_exr = files.iter().any(|file| file.path.to_ascii_lowercase().ends_with(".exr"));
        let formats: Vec<&str> = [(OPUS, decoders.contains(&OPUS)), (EXR, has_exr)]
            .into_iter()
            .filter(|(_, has)| *has)
            .map(|(name, _)| name)
            .collect();
        let needed = |is_wanted: fn(bool) -> bool| {
            let of_kinds = features.iter().filter(|feature| feature.is_needed && is_wanted(feature.is_default));
            of_kinds.map(|feature| feature.name).chain(formats.iter().copied()).collect::<Vec<_>>()
        };
        let importers = needed(|_| true);
        Self {
            // Texts and raw bytes need no importer's feature.
            importers: if importers.is_empty() { vec!["engine"] } else { importers },
            extra: needed(|is_default| !is_default),
            is_default: formats.is_empty() && features.iter().all(|feature| feature.is_needed == feature.is_default),
            decoders,
            is_empty: files.is_empty(),
        }
    }

    /// The features of `rres-build` for a new dependency; `None` for the default ones: if the files need just these, or if the directory has no files yet.
    pub(super) fn new_importers(&self) -> Option<&[&'static str]> {
        (!self.is_empty && !self.is_default).then_some(&self.importers)
    }

    /// The features of `rres-runtime` for a new dependency: the one for all decoders if the directory has no files yet.
    pub(super) fn new_decoders(&self) -> &[&'static str] {
        if self.is_empty { &[ALL_DECODERS] } else { &self.decoders }
    }

    /// The features of `rres-build` that a dependency lacks which has the default features, or has not.
    pub(super) fn importers_beside(&self, has_default: bool) -> &[&'static str] {
        match (self.is_empty, has_default) {
            (true, _) => &[],
            (false, true) => &self.extra,
            (false, false) => &self.importers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_engines_beyond_the_default_features_are_needed_by_name() {
        for (files, new, extra) in [
            (&["sky.EXR"][..], Some(&["image", "exr"][..]), &["exr"][..]),
            (&["a.png", "a.nbr"], Some(&["image", "nbr"]), &["nbr"]),
            (&["a.png", "a.wav", "a.ttf", "a.glb"], None, &[]),
            (
                &["a.png", "a.wav", "a.ttf", "a.glb", "a.opus"],
                Some(&["image", "sound", "font", "model", "opus"]),
                &["opus"],
            ),
            (&[".gitkeep", ".DS_Store", "assets.toml"], None, &[]),
        ] {
            let dir = tempfile::tempdir().unwrap();
            files.iter().for_each(|file| std::fs::write(dir.path().join(file), "").unwrap());
            let needs = Needs::of(dir.path());
            assert_eq!((needs.new_importers(), needs.importers_beside(true)), (new, extra), "{files:?}");
        }
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".gitkeep"), "").unwrap();
        assert_eq!(Needs::of(dir.path()).new_decoders(), [ALL_DECODERS]);
    }
}
