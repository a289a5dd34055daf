//! What is wrong with a mod, so that it is left out.

use std::fmt;
use std::path::PathBuf;

use semver::{Version, VersionReq};

use crate::manifest::ManifestError;

/// A mod that is left out, and why. It prints as one line that names the file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The file; the folder if that cannot be read.
    pub file: PathBuf,
    /// The id of the mod, if its manifest could be read.
    pub id: Option<String>,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong with a mod.
#[derive(Debug)]
#[non_exhaustive]
pub enum FaultKind {
    /// The folder cannot be read.
    Folder(rres_runtime::Error),
    /// The pack cannot be opened, is damaged, or is not signed as the options ask.
    Unreadable(rres_runtime::Error),
    /// The pack is a patch of a game.
    IsPatch,
    /// The pack has no `mod.toml`.
    NoManifest,
    /// The manifest is not one.
    BadManifest(ManifestError),
    /// Several files have mods with this id.
    DuplicateId {
        /// The other files.
        others: Vec<PathBuf>,
    },
    /// It is for another game.
    OtherGame {
        /// The id of the game that it is for.
        found: String,
        /// The id of this game.
        expected: String,
    },
    /// It is for other versions of the game.
    OtherGameVersion {
        /// The version of this game.
        found: Version,
        /// The versions that it is for.
        expected: VersionReq,
    },
    /// A mod that it needs does not exist.
    MissingDependency {
        /// The id of that mod.
        id: String,
        /// The versions that it needs.
        expected: VersionReq,
    },
    /// A mod that it needs has another version.
    WrongVersion {
        /// The id of that mod.
        id: String,
        /// Its version.
        found: Version,
        /// The versions that it needs.
        expected: VersionReq,
    },
    /// The player has disabled a mod that it needs.
    DisabledDependency {
        /// The id of that mod.
        id: String,
    },
    /// A mod that it needs is left out.
    DependencyLeftOut {
        /// The id of that mod.
        id: String,
    },
    /// It must be mounted over itself, by way of others.
    Cycle {
        /// The ids of the mods, each mounted over the one before, the first one again at the end.
        ids: Vec<String>,
    },
    /// It changes what the game does not let mods change.
    Forbidden(Forbidden),
    /// It has an asset with the id of one of the game or of another mod, but not its path and kind.
    Clash {
        /// The path in this mod.
        path: String,
        /// What exists: its path, kind, and the id of its mod.
        existing: String,
    },
    /// The store has refused it.
    NotMounted(rres_runtime::Error),
}

/// The assets that a mod may not change or add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// Ascending by path.
    pub assets: Vec<ForbiddenAsset>,
}

/// An asset that a mod may not change or add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForbiddenAsset {
    /// Its path.
    pub path: String,
    /// Why, in words: `mods may not change sounds`.
    pub reason: String,
}

impl FaultKind {
    /// Returns the code of the fault, which scripts can rely on: `missing-dependency`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Folder(_) => "folder",
            Self::Unreadable(_) => "unreadable",
            Self::IsPatch => "patch",
            Self::NoManifest => "no-manifest",
            Self::BadManifest(_) => "bad-manifest",
            Self::DuplicateId { .. } => "duplicate-id",
            Self::OtherGame { .. } => "other-game",
            Self::OtherGameVersion { .. } => "other-game-version",
            Self::MissingDependency { .. } => "missing-dependency",
            Self::WrongVersion { .. } => "wrong-version",
            Self::DisabledDependency { .. } => "disabled-dependency",
            Self::DependencyLeftOut { .. } => "dependency-left-out",
            Self::Cycle { .. } => "cycle",
            Self::Forbidden(_) => "forbidden",
            Self::Clash { .. } => "clash",
            Self::NotMounted(_) => "not-mounted",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(id) = &self.id {
            write!(f, "the mod {id} is left out: ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) => write!(f, "cannot read the folder of mods: {error}"),
            Self::Unreadable(error) => write!(f, "cannot be opened: {error}"),
            Self::IsPatch => f.write_str("expected a mod, found a patch of a game; put it beside the pack of the game"),
            Self::NoManifest => {
                f.write_str("has no mod.toml; put one into the directory of the mod, and pack it again")
            }
            Self::BadManifest(error) => write!(f, "mod.toml: {error}"),
            Self::DuplicateId { others } => {
                let others: Vec<String> = others.iter().map(|file| file.display().to_string()).collect();
                write!(f, "{} has a mod with the same id; keep one of the files", others.join(", "))
            }
            Self::OtherGame { found, expected } => write!(f, "it is for the game {found}, and this is {expected}"),
            Self::OtherGameVersion { found, expected } => {
                write!(f, "it is for the versions {expected} of the game, and this is {found}")
            }
            Self::MissingDependency { id, expected } => {
                write!(f, "it needs the mod {id} {expected}, which is not in the folder")
            }
            Self::WrongVersion { id, found, expected } => {
                write!(f, "it needs the mod {id} {expected}, and the one in the folder is {found}")
            }
            Self::DisabledDependency { id } => write!(f, "it needs the mod {id}, which is disabled"),
            Self::DependencyLeftOut { id } => write!(f, "it needs the mod {id}, which is left out"),
            Self::Cycle { ids } => write!(
                f,
                "no order of mods is right, because each must be mounted over the one before it: {}; all of them are left out",
                ids.join(", ")
            ),
            Self::Forbidden(Forbidden { assets }) => {
                const SHOWN: usize = 3;
                let shown =
                    assets.iter().take(SHOWN).map(|asset| format!("{} ({})", asset.path.escape_debug(), asset.reason));
                write!(f, "it has assets that mods may not have: {}", shown.collect::<Vec<_>>().join(", "))?;
                match assets.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, ", and {more} more"),
                }
            }
            Self::Clash { path, existing } => write!(
                f,
                "its {} would replace {}; an asset replaces only one of the same path and kind",
                path.escape_debug(),
                existing.escape_debug()
            ),
            Self::NotMounted(error) => write!(f, "cannot be mounted: {error}"),
        }
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            FaultKind::Folder(error) | FaultKind::Unreadable(error) | FaultKind::NotMounted(error) => Some(error),
            FaultKind::BadManifest(error) => Some(error),
            _ => None,
        }
    }
}
