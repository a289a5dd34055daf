//! What a build script leaves for the command `cargo rres`: its options, so that the command answers by the rules of
//! `build.rs` without running the script.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::context::{BuildContext, OPTIONS_END, OutputFiles};
use crate::diagnostic::{BuildError, Diagnostic};
use crate::import::RresImporters;
use crate::options::Build;
use crate::record_file::{read_record_file, record_text};
use crate::script_options::{read_options, write_options};
use crate::temp_file::replace;

/// A build that a build script has run, and that can be explained or repeated without the script.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedBuild {
    /// The assets directory.
    pub dir: PathBuf,
    /// The name of the generated module.
    pub module: String,
    /// The options of the build. Its output directory is the output directory of the script.
    pub build: Build,
}

impl RecordedBuild {
    /// The end of the names of such files, which are in the output directories of build scripts.
    pub const FILE_END: &str = OPTIONS_END;

    /// Reads the record `file` in the output directory of a build script, for a build with these importers; `None` if it is not of the package in the directory `root`,
    /// or does not exist any more: a build that runs at the same time removes its scratch directory.
    ///
    /// # Errors
    /// If it cannot be read, or if another version of this crate wrote it.
    pub fn read(file: &Path, root: &Path, importers: &Arc<RresImporters>) -> Result<Option<Self>, BuildError> {
        let (package, build) = match read_record_file(file, importers) {
            Err(_) if !file.exists() => return Ok(None),
            read => read?,
        };
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if real(&package) != real(root) {
            return Ok(None);
        }
        let build = build?;
        let dir = file.parent().unwrap_or(Path::new("")).to_owned();
        let module = build.module.clone().unwrap_or_default();
        Ok(Some(Self { dir: build.dir.clone(), module, build: build.out_dir(dir) }))
    }
}

/// Records the options of the build of a package; not if they have no form in TOML, as values that are refused anyway.
pub(crate) fn write(context: &BuildContext, files: &OutputFiles) -> Result<(), Diagnostic> {
    let Some(root) = context.cargo.manifest_dir.as_ref().and_then(|root| root.to_str()) else { return Ok(()) };
    // Everything that came from the environment of the script.
    let options = Build {
        dir: context.assets.clone(),
        module: Some(context.module_name()),
        out_dir: None,
        cache_dir: Some(context.cache.dir().to_owned()),
        debug: Some(context.is_debug),
        package: context.cargo.package_name.clone(),
        target: Some(context.target()),
        script: None,
        earlier: Vec::new(),
        libraries: Some(context.libraries.iter().map(|library| library.record.clone()).collect()),
        ..context.options.clone()
    };
    let file = files.options();
    let options = write_options(&options)
        .ok()
        .filter(|options| read_options(&file, options, &context.options.rres_importers()).is_ok());
    let Some(options) = options else { return Ok(()) };
    let text = record_text(root, &options);
    // Written in every build: the newest one is the one to take.
    replace(&file, |out| out.write_all(text.as_bytes())).map_err(|e| Diagnostic::io("write it", &file, &e))
}
