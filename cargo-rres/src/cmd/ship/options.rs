//! The options of `cargo rres ship`, and which of them go to Cargo.

use std::path::PathBuf;

use crate::cargo::{PackageArgs, Target};
use crate::key::KeyArgs;

/// What `--web` builds for.
const WEB_TARGET: &str = "wasm32-unknown-unknown";

/// Build a game, and make a directory or an archive for players
///
/// Makes a directory with the executable, its packs and the licences. Packs are compared with the sources by content,
/// so an asset is never older than its file. Loads every asset from the result. Paths of this machine are kept out of the
/// executable. Either everything appears in the output directory, or nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres ship                                       dist/NAME with executable, packs and licences
  cargo rres ship --single                              the packs are inside the executable
  cargo rres ship --zip --target x86_64-pc-windows-gnu  … and an archive for friends with Windows
  cargo rres ship --web                                 dist/NAME-web for a web server: program, page and packs
  cargo rres ship --sign=game.key                       with signed packs
  cargo rres ship --strip-unused --keep 'levels/**'     without what the program does not name
  cargo rres ship -p game --bin game --features steam   one program of a workspace")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) package: PackageArgs,
    #[command(flatten)]
    cargo: CargoOptions,
    /// Directory for the results, created if it does not exist [default: dist in the workspace]
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Name of the directory in it, and of the archives [default: the name of the program, with -web after it for browsers]
    #[arg(long, value_parser = parse_name)]
    pub(super) name: Option<String>,
    /// Put the packs into the executable
    #[arg(long)]
    pub(super) single: bool,
    /// Make an application bundle for macOS: NAME.app
    #[arg(long, conflicts_with = "single")]
    pub(super) bundle: bool,
    /// Make a directory for a web server: the program as WebAssembly, a page that starts it, and the packs
    #[arg(long, conflicts_with_all = ["single", "bundle", "target"])]
    pub(super) web: bool,
    /// Also make a .zip archive
    #[arg(long)]
    pub(super) zip: bool,
    /// Also make a .tar.gz archive
    #[arg(long)]
    pub(super) tar: bool,
    /// Also write a bill of materials, NAME.cdx.json (CycloneDX)
    #[arg(long)]
    pub(super) sbom: bool,
    /// Add a file or a directory, such as a README; may be given several times
    #[arg(long, value_name = "PATH")]
    pub(super) include: Vec<PathBuf>,
    /// Leave out of the packs what the program does not name, according to the compiler
    #[arg(long)]
    pub(super) strip_unused: bool,
    /// Keep assets that the program loads by their paths: a glob such as levels/**; may be given several times
    #[arg(long, value_name = "GLOB", requires = "strip_unused", value_parser = parse_keep)]
    pub(super) keep: Vec<glob::Pattern>,
    /// Sign the packs with the private key in FILE, as `keygen` writes it, or with that in the variable RRES_SIGN_KEY
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(super) sign: Option<Option<PathBuf>>,
    /// Compile without flags that rename the directories of this machine, and ship paths of it
    #[arg(long)]
    pub(super) keep_paths: bool,
    #[command(flatten)]
    pub(super) key: KeyArgs,
    /// Print the output as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// What is passed on to Cargo.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct CargoOptions {
    /// Program to ship; may be given several times [default: the only one, or `default-run`]
    #[arg(long, value_name = "NAME")]
    pub(super) bin: Vec<String>,
    /// Profile to build with
    #[arg(long, value_name = "NAME", default_value = "release")]
    pub(super) profile: String,
    /// Target triple to build for
    #[arg(long, value_name = "TRIPLE")]
    pub(super) target: Option<String>,
    /// Directory for what Cargo builds
    #[arg(long, value_name = "DIR")]
    pub(super) target_dir: Option<PathBuf>,
    /// Features to enable, separated by commas
    #[arg(short = 'F', long, value_name = "FEATURES")]
    features: Vec<String>,
    /// Enable all features
    #[arg(long)]
    all_features: bool,
    /// Do not enable the feature `default`
    #[arg(long)]
    no_default_features: bool,
    /// Number of jobs of Cargo
    #[arg(short, long, value_name = "N")]
    jobs: Option<u32>,
    /// Require that Cargo.lock is up to date
    #[arg(long)]
    locked: bool,
    /// Do not use the network
    #[arg(long)]
    offline: bool,
    /// The same as --locked and --offline
    #[arg(long)]
    frozen: bool,
}

impl CargoOptions {
    /// Returns the arguments that choose which dependencies there are.
    fn resolution(&self) -> Vec<String> {
        let mut arguments: Vec<String> =
            self.features.iter().flat_map(|features| ["--features".to_owned(), features.clone()]).collect();
        let flags = [
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
            ("--locked", self.locked),
            ("--offline", self.offline),
            ("--frozen", self.frozen),
        ];
        arguments.extend(flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| (*flag).to_owned()));
        arguments
    }

    /// Returns the arguments of `cargo install` for tools.
    pub(super) fn for_install(&self) -> Vec<String> {
        let mut arguments: Vec<String> =
            self.jobs.iter().flat_map(|jobs| ["--jobs".to_owned(), jobs.to_string()]).collect();
        arguments.extend((self.offline || self.frozen).then(|| "--offline".to_owned()));
        arguments
    }

    /// Returns the arguments of `cargo metadata` for this target.
    pub(super) fn for_metadata(&self, target: &str) -> Vec<String> {
        let mut arguments = self.resolution();
        // A file with the specification of a target is not a platform that Cargo can filter by.
        if !target.ends_with(".json") {
            arguments.extend(["--filter-platform".to_owned(), target.to_owned()]);
        }
        arguments
    }

    /// Returns the arguments of `cargo build` for a package and programs of it.
    pub(super) fn for_build(&self, package: &str, programs: &[String]) -> Vec<String> {
        let mut arguments = vec!["build".to_owned(), "--message-format=json-render-diagnostics".to_owned()];
        arguments.extend(["--package".to_owned(), package.to_owned(), "--profile".to_owned(), self.profile.clone()]);
        arguments.extend(programs.iter().flat_map(|program| ["--bin".to_owned(), program.clone()]));
        arguments.extend(self.target.iter().flat_map(|target| ["--target".to_owned(), target.clone()]));
        arguments.extend(self.jobs.iter().flat_map(|jobs| ["--jobs".to_owned(), jobs.to_string()]));
        arguments.extend(self.resolution());
        arguments
    }
}

impl CargoOptions {
    /// Returns the arguments of `cargo rustc` for one target of a package, as [`Self::for_build`] compiles it.
    pub(super) fn for_rustc(&self, package: &str, target: &Target) -> Vec<String> {
        let mut arguments = vec!["rustc".to_owned(), "--message-format=json".to_owned()];
        arguments.extend(["--package".to_owned(), package.to_owned(), "--profile".to_owned(), self.profile.clone()]);
        match target {
            Target::Library => arguments.push("--lib".to_owned()),
            Target::Program(name) => arguments.extend(["--bin".to_owned(), name.clone()]),
        }
        arguments.extend(self.target.iter().flat_map(|target| ["--target".to_owned(), target.clone()]));
        arguments.extend(self.jobs.iter().flat_map(|jobs| ["--jobs".to_owned(), jobs.to_string()]));
        arguments.extend(self.resolution());
        arguments
    }
}

impl Args {
    /// Returns what is passed on to Cargo: browsers have a target of their own.
    pub(super) fn cargo_options(&self) -> CargoOptions {
        let mut options = self.cargo.clone();
        if self.web {
            options.target = Some(WEB_TARGET.to_owned());
        }
        options
    }
}

/// Accepts the name of a file without a directory.
fn parse_name(name: &str) -> Result<String, String> {
    let is_name = std::path::Path::new(name).file_name().is_some_and(|file| file == name);
    if is_name && !name.starts_with('.') {
        Ok(name.to_owned())
    } else {
        Err("expected a file name without a directory that does not begin with a dot".to_owned())
    }
}

/// Reads a glob of `--keep`.
fn parse_keep(text: &str) -> Result<glob::Pattern, String> {
    glob::Pattern::new(text).map_err(|error| format!("{error}; expected a glob of asset paths, such as levels/**"))
}
