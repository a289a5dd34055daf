//! The importers of a build: of its script, and of data.

use std::panic::Location;
use std::sync::Arc;

use rres_import::{Description, Encoders, Importer};

use super::Build;
use crate::import::{ImporterSet, Origin, RegisteredImporter, RresImporters};

impl Build {
    /// Registers an importer of the build script's own, for files that this crate does not know or to replace one of its importers.
    /// See the module `importer` of rres-build.
    ///
    /// ```no_run
    /// # use rres_build::importer::{Asset, AssetType, Description, ImportError, Importer, Source};
    /// # struct CurveImporter;
    /// # impl Importer for CurveImporter {
    /// #     fn describe(&self) -> Description {
    /// #         Description::new("curve", 1).makes(AssetType::custom(*b"CURV", "crate::Curve"))
    /// #     }
    /// #     fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
    /// #         Ok(vec![Asset::custom(*b"CURV", source.bytes())])
    /// #     }
    /// # }
    /// rres_build::import("assets").importer(CurveImporter).build_or_exit();
    /// ```
    #[track_caller]
    pub fn importer(mut self, importer: impl Importer) -> Self {
        let own = RegisteredImporter::new(Arc::new(importer));
        self.importers.push((Location::caller().into(), Arc::new(own)));
        self
    }

    /// Checks the files that match `glob` against a type of the game, and stores them as its values: JSON, TOML, RON and CSV. `rust_type` is
    /// the path of the type in the game. Needs the feature `data`; see the module `data` of rres-build.
    ///
    /// ```no_run
    /// # #[derive(serde::Serialize, serde::Deserialize)]
    /// # struct Level { name: String }
    /// // In a build script, `Level` is a type of a file that the game has, too: `#[path = "src/level.rs"] mod level;`
    /// rres_build::import("assets").data::<Level>("crate::level::Level", "levels/*.toml").build_or_exit();
    /// ```
    #[cfg(feature = "data")]
    #[track_caller]
    pub fn data<T>(self, rust_type: impl Into<String>, glob: impl Into<String>) -> Self
    where
        T: serde_core::Serialize + serde_core::de::DeserializeOwned + 'static,
    {
        let importer = rres_import_data::DataImporter::<T>::new(rust_type.into());
        let name = importer.describe().name;
        let build = match self.importers.iter().any(|(_, own)| own.name() == name) {
            // Another pattern for the same type.
            true => self,
            false => self.importer(importer),
        };
        build.rule(glob, |rule| rule.importer(name))
    }

    /// The importers that the program is compiled with.
    pub(crate) fn rres_importers(&self) -> Arc<RresImporters> {
        let none = || Arc::new(RresImporters::new(|_| None, Encoders::default()));
        self.rres_importers.clone().unwrap_or_else(none)
    }

    /// The importers of the sources in the directory.
    pub(crate) fn importer_set(&self) -> ImporterSet {
        let script = self.importers.iter().map(|(_, own)| Arc::clone(own)).collect();
        ImporterSet { rres: self.rres_importers(), script }
    }

    /// What is known of the importers that the build script registers.
    #[doc(hidden)]
    pub fn importer_descriptions(&self) -> Vec<Description> {
        self.importers.iter().map(|(_, own)| own.description.clone()).collect()
    }

    /// Whether the build has importers of a build script that this program does not have the code of.
    #[doc(hidden)]
    pub fn needs_script(&self) -> bool {
        self.importers.iter().any(|(_, own)| matches!(own.origin, Origin::RecordOfScript))
    }

    /// Sets how the build script is run when its importers are needed. `run` returns what the script reports as errors.
    #[doc(hidden)]
    pub fn run_script(mut self, run: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Self {
        self.run_script = Some(Arc::new(run));
        self
    }
}
