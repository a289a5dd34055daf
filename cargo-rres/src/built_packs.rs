//! Finds what the build script of a package has written: packs and dev indexes in Cargo's build directories.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::cargo::Package;
use crate::cargo::build_directory;

/// The extension of packs.
const EXTENSION: &str = ".rres";

/// What the name of a dev index has before [`EXTENSION`].
const DEV: &str = ".dev";

/// What the name of the index of a running game has before [`EXTENSION`].
const LIVE: &str = ".live";

/// The packs of one build of a package.
#[derive(Debug)]
pub(crate) struct BuiltPacks {
    /// The package.
    pub(crate) package: String,
    /// The name of Cargo's directory for the profile: `debug`, `release`.
    pub(crate) profile: String,
    /// The first packs of their sets, or dev indexes where the build wrote no pack; sorted by name.
    pub(crate) files: Vec<BuiltFile>,
    time: SystemTime,
    /// Whether Cargo's record of the build script names a file of the package. Two packages that share a target directory
    /// can share a name.
    is_proven: bool,
}

/// A pack or a dev index.
#[derive(Debug)]
pub(crate) struct BuiltFile {
    pub(crate) path: PathBuf,
    pub(crate) is_dev_index: bool,
}

impl BuiltPacks {
    /// Returns the builds of a package, the newest first.
    pub(crate) fn of(package: &Package) -> Vec<Self> {
        let mut builds = Vec::new();
        for base in &package.build_directories {
            let mut directories: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
            build_directory::visit_files(base, &mut |file| {
                let name = file.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(EXTENSION));
                if let (Some(dir), Some(name)) = (file.parent(), name) {
                    directories.entry(dir.to_owned()).or_default().push(name.to_owned());
                }
            });
            builds.extend(directories.into_iter().filter_map(|(dir, names)| Self::read(package, base, &dir, names)));
        }
        if builds.iter().any(|build| build.is_proven) {
            builds.retain(|build| build.is_proven);
        }
        builds.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.files[0].path.cmp(&b.files[0].path)));
        builds
    }

    /// Returns the build in an output directory, if it is one of the package's build script.
    fn read(package: &Package, base: &Path, dir: &Path, names: Vec<String>) -> Option<Self> {
        let profile = profile(dir.strip_prefix(base).ok()?, &package.name)?;
        let files =
            first_packs(names).into_iter().map(|(name, is_dev_index)| BuiltFile { path: dir.join(name), is_dev_index });
        let files: Vec<BuiltFile> = files.collect();
        // Cargo keeps what the script printed beside its output directory, and writes it whenever the script has run.
        let record = dir.with_file_name("output");
        let root = format!("{}{}", package.root.display(), std::path::MAIN_SEPARATOR);
        let is_proven = fs::read(&record).is_ok_and(|text| String::from_utf8_lossy(&text).contains(&root));
        let modified = |file: &Path| fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
        let times = files.iter().map(|file| modified(&file.path)).chain([modified(&record)]);
        let time = times.flatten().max()?;
        (!files.is_empty()).then(|| Self { package: package.name.clone(), profile, files, time, is_proven })
    }

    /// Whether there is a pack, and not only a dev index.
    pub(crate) fn has_pack(&self) -> bool {
        self.files.iter().any(|file| !file.is_dev_index)
    }
}

/// Returns the first packs of their sets and the dev indexes in an output directory, sorted by name.
pub(crate) fn files_in(dir: &Path) -> Vec<BuiltFile> {
    let names =
        fs::read_dir(dir).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter(|name| name.ends_with(EXTENSION)).collect();
    first_packs(names)
        .into_iter()
        .map(|(name, is_dev_index)| BuiltFile { path: dir.join(name), is_dev_index })
        .collect()
}

impl BuiltFile {
    /// Returns the path for people: relative to the current directory if it is below that.
    pub(crate) fn display(&self) -> String {
        let current = env::current_dir().unwrap_or_default();
        self.path.strip_prefix(current).unwrap_or(&self.path).display().to_string()
    }
}

/// Returns the name of the profile in the path of an output directory, if the directory belongs to `package`. The path is
/// `[TARGET/]PROFILE/build/NAME-HASH/out`, or `…/build/NAME/HASH/out` in Cargo's new layout.
fn profile(path: &Path, package: &str) -> Option<String> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let build = parts.iter().rposition(|part| *part == "build")?;
    let is_hash = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_hexdigit());
    let is_of_package = match *parts.get(build + 1..)? {
        [name, "out"] => name.strip_prefix(package).and_then(|rest| rest.strip_prefix('-')).is_some_and(is_hash),
        [name, hash, "out"] => name == package && is_hash(hash),
        _ => false,
    };
    let profile = parts[..build].last().filter(|_| is_of_package)?;
    Some((*profile).to_owned())
}

/// Returns the names of packs and whether each is a dev index: of a pack set only the first pack, and a dev index only
/// without a pack of its name.
fn first_packs(names: Vec<String>) -> Vec<(String, bool)> {
    let stems: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(EXTENSION)).collect();
    let is_additional = |stem: &str| {
        let first = stem.rsplit_once('.').filter(|(_, number)| number.bytes().all(|c| c.is_ascii_digit()));
        first.is_some_and(|(first, _)| stems.contains(&first))
    };
    let mut packs: BTreeMap<String, (String, bool)> = BTreeMap::new();
    for stem in stems.iter().filter(|stem| !stem.ends_with(LIVE) && !is_additional(stem)) {
        let (name, is_dev_index) = stem.strip_suffix(DEV).map_or((*stem, false), |name| (name, true));
        if !is_dev_index || !packs.contains_key(name) {
            packs.insert(name.to_owned(), (format!("{stem}{EXTENSION}"), is_dev_index));
        }
    }
    packs.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_directories_tell_profile_and_package() {
        let of = |path: &str| profile(Path::new(path), "my-game");
        assert_eq!(of("release/build/my-game-00ff/out").as_deref(), Some("release"));
        assert_eq!(of("x86_64-unknown-linux-gnu/dist/build/my-game-00ff/out").as_deref(), Some("dist"));
        assert_eq!(of("debug/build/my-game/00ff/out").as_deref(), Some("debug"));
        for other in
            ["debug/build/my-game-server-00ff/out", "debug/build/my-game-00ff", "debug/out", "build/my-game-00ff/out"]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn each_pack_set_counts_once_and_a_dev_index_only_without_a_pack() {
        let of = |names: &[&str]| first_packs(names.iter().map(|name| (*name).to_owned()).collect());
        let found = of(&["b.dev.rres", "a.rres", "a.1.rres", "a.dev.rres", "b.live.rres", "v.2.rres"]);
        let expected = [("a.rres", false), ("b.dev.rres", true), ("v.2.rres", false)];
        assert_eq!(found, expected.map(|(name, is_dev)| (name.to_owned(), is_dev)));
    }
}
