//! Which packs a subcommand reads: the one that the user names, or those that the package of the current directory has built.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rres_packs::{PackOpener, starts_like_a_pack};

use crate::built_packs::BuiltPacks;
use crate::cargo::{self, Package, PackageArgs};
use crate::exit::Failure;
use crate::key::KeyArgs;
use crate::output::{Output, Style};

/// The options that choose among the packs of a package.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct PackArgs {
    #[command(flatten)]
    pub(crate) package: PackageArgs,
    /// Take what the last release build has built [default: the last build]
    #[arg(long, conflicts_with = "debug")]
    release: bool,
    /// Take what the last debug build has built [default: the last build]
    #[arg(long)]
    debug: bool,
    #[command(flatten)]
    key: KeyArgs,
}

/// What a subcommand needs of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The list of assets: a dev index will do.
    List,
    /// The bytes of the assets, which only packs contain.
    Bytes,
}

/// The name of the profile of debug builds in Cargo's directories.
const DEBUG: &str = "debug";

impl PackArgs {
    /// Returns the options that choose the package.
    pub(crate) fn package(&self) -> &PackageArgs {
        &self.package
    }

    /// Returns the options that name the key of encrypted packs.
    pub(crate) fn key(&self) -> &KeyArgs {
        &self.key
    }

    /// Returns what opens packs, and files of other engines, with the key that the options name.
    pub(crate) fn opener(&self) -> Result<PackOpener, Failure> {
        self.key.opener()
    }

    /// Returns the packs to read, and the names of resources: `names`, and `pack` before them if it does not name a pack.
    ///
    /// Reports on standard error which packs were taken if the user names none.
    pub(crate) fn choose(
        &self,
        pack: Option<&OsStr>,
        names: &[String],
        need: Need,
        out: &mut Output,
    ) -> Result<(Vec<PathBuf>, Vec<String>), Failure> {
        if let Some(pack) = pack.filter(|pack| self.is_pack(pack)) {
            return Ok((vec![self.named(pack, need)?], names.to_vec()));
        }
        let build = self.build(need)?;
        for file in &build.files {
            let text = format!("{} ({} build of {})", file.display(), build.profile, build.package);
            out.message(Style::Dim, "pack:", &text)?;
        }
        let mut all: Vec<String> = Vec::new();
        if let Some(name) = pack {
            let text = || format!("expected a pack or the path of a resource, found {}", name.display());
            all.push(name.to_str().ok_or_else(|| Failure::Usage(text()))?.to_owned());
        }
        all.extend_from_slice(names);
        Ok((build.files.into_iter().map(|file| file.path).collect(), all))
    }

    /// Returns the path of a pack: of a file, or of a pack that Cargo has built if it is a name without a directory.
    fn named(&self, pack: &OsStr, need: Need) -> Result<PathBuf, Failure> {
        let path = Path::new(pack);
        if path.components().count() == 1 && !path.exists() {
            let files = self.build(need).map(|build| build.files).unwrap_or_default();
            if let Some(file) = files.into_iter().find(|file| file.path.file_name() == Some(pack)) {
                return Ok(file.path);
            }
        }
        let PackageArgs { package, manifest_path } = &self.package;
        let options = [
            ("--package", package.is_some()),
            ("--manifest-path", manifest_path.is_some()),
            ("--release", self.release),
            ("--debug", self.debug),
        ];
        match options.iter().find(|(_, is_set)| *is_set) {
            Some((option, _)) => {
                Err(Failure::Usage(format!("cannot use {option} together with the path of a pack, {}", path.display())))
            }
            None => Ok(path.to_owned()),
        }
    }

    /// Whether an argument names a pack. Outside of a package no other pack can be meant, so the first argument does.
    fn is_pack(&self, argument: &OsStr) -> bool {
        let path = Path::new(argument);
        let has_extension = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("rres"));
        let is_file = starts_like_a_pack(path) || rres_engine::is_foreign(path, &rres_build::importers());
        has_extension || is_file || cargo::root(self.package.manifest_path.as_deref()).is_err()
    }

    /// Returns the newest build that the options allow.
    fn build(&self, need: Need) -> Result<BuiltPacks, Failure> {
        if self.package.manifest_path.is_none() && cargo::root(None).is_err() {
            let text = "expected the path of a pack, because neither this directory nor one above it has a Cargo.toml";
            return Err(Failure::Usage(text.to_owned()));
        }
        let packages = self.package.find()?;
        let mut found: Vec<BuiltPacks> = Vec::new();
        for package in &packages {
            let mut builds = BuiltPacks::of(package);
            builds.retain(|build| self.allows(build) && (need == Need::List || build.has_pack()));
            builds.truncate(1);
            found.extend(builds);
        }
        if found.len() > 1 {
            let names: Vec<&str> = found.iter().map(|build| build.package.as_str()).collect();
            let text = format!(
                "several packages of this workspace have packs: {}; choose one with --package",
                names.join(", ")
            );
            return Err(Failure::Usage(text));
        }
        let mut build = found.pop().ok_or_else(|| self.no_pack(&packages, need))?;
        if need == Need::Bytes {
            build.files.retain(|file| !file.is_dev_index);
        }
        Ok(build)
    }

    fn allows(&self, build: &BuiltPacks) -> bool {
        let is_debug = build.profile == DEBUG;
        !(self.release && is_debug || self.debug && !is_debug)
    }

    fn no_pack(&self, packages: &[Package], need: Need) -> Failure {
        let text = match packages {
            [Package { name, has_build_script: false, .. }] => {
                format!(
                    "the package `{name}` has no build script, which would build a pack; name a pack, choose the package that has the assets with -p, or run `cargo rres init`"
                )
            }
            [package] => {
                let name = &package.name;
                let builds = BuiltPacks::of(package);
                let has_dev_index = builds.iter().any(|build| self.allows(build));
                match (need, self.debug) {
                    (Need::Bytes, true) if has_dev_index => format!(
                        "the debug build of `{name}` has no pack: debug builds read imported assets from the cache; \
                         take the pack of a release build with --release"
                    ),
                    (Need::Bytes, _) if has_dev_index => format!(
                        "`{name}` has debug builds only, which contain no pack; run `cargo build --release`, or name a pack; \
                         `cargo rres report DIR` needs no build"
                    ),
                    (_, true) => format!("found no debug build of `{name}`; run `cargo build`"),
                    _ => format!("found no pack of `{name}`; run `cargo build --release`, or name a pack"),
                }
            }
            _ => {
                "found no pack of any package in this workspace; run `cargo build --release`, or name a pack".to_owned()
            }
        };
        Failure::Usage(text)
    }
}
