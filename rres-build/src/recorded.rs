//! What a build script leaves for the command `cargo rres`: its options, so that the command answers by the rules of
//! `build.rs` without running the script.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::context::{BuildContext, OPTIONS_END, OutputFiles};
use crate::diagnostic::{BuildError, Diagnostic};
use crate::options::Build;
use crate::script_options::{read_options, write_options};
use crate::settings::toml_string;
use crate::temp_file::replace;

/// The version of this crate, which wrote the file.
const VERSION: &str = env!("CARGO_PKG_VERSION");

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

    /// Reads the record `file` in the output directory of a build script; `None` if it is not of the package in the directory `root`.
    ///
    /// # Errors
    /// If it cannot be read, or if another version of this crate wrote it.
    pub fn read(file: &Path, root: &Path) -> Result<Option<Self>, BuildError> {
        let (package, build) = Self::of_any_package(file)?;
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if real(&package) != real(root) {
            return Ok(None);
        }
        let build = build?;
        let dir = file.parent().unwrap_or(Path::new("")).to_owned();
        let module = build.module.clone().unwrap_or_default();
        Ok(Some(Self { dir: build.dir.clone(), module, build: build.out_dir(dir) }))
    }

    /// Reads the record `file` of any package: its directory, and the options of the build.
    ///
    /// # Errors
    /// If it cannot be read. The options are an error if another version of this crate wrote them.
    pub(crate) fn of_any_package(file: &Path) -> Result<(PathBuf, Result<Build, BuildError>), BuildError> {
        let text = fs::read_to_string(file).map_err(|e| Diagnostic::io("read it", file, &e))?;
        let (head, options) = text.split_once('\n').unwrap_or((&text, ""));
        let head = DeTable::parse(head.strip_prefix("# ").unwrap_or_default()).map(|head| {
            let value =
                |key: &str| Some(head.get_ref().get("build")?.get_ref().get(key)?.get_ref().as_str()?.to_owned());
            Some((value("version")?, value("root")?))
        });
        let Ok(Some((version, package))) = head else {
            let help = "run `cargo build` again".to_owned();
            return Err(Diagnostic::file(file, "is not the record of a build").with_help(help).into());
        };
        let build = if version == VERSION {
            read_options(file, options)
        } else {
            let message = format!("was written by rres-build {version}, and this is version {VERSION}");
            let help = "use the same version of rres-build and cargo-rres".to_owned();
            Err(Diagnostic::file(file, message).with_help(help).into())
        };
        Ok((PathBuf::from(package), build))
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
    let options = write_options(&options).ok().filter(|options| read_options(&file, options).is_ok());
    let Some(options) = options else { return Ok(()) };
    let (version, root) = (toml_string(VERSION), toml_string(root));
    let text = format!("# build = {{ version = {version}, root = {root} }}\n{options}");
    // Written in every build: the newest one is the one to take.
    replace(&file, |out| out.write_all(text.as_bytes())).map_err(|e| Diagnostic::io("write it", &file, &e))
}
