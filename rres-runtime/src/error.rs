//! What can go wrong between an id and an asset.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use rres_format::{AssetKind, ResourceId};

/// The result of opening a store or loading an asset.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a store could not be opened or an asset not be loaded. Cheap to clone: every thread that waited for a failed
/// load gets the same error.
#[derive(Clone)]
pub struct Error(Arc<Inner>);

struct Inner {
    kind: ErrorKind,
    /// The asset, as `path (id)`, where one was being loaded.
    asset: Option<String>,
    /// The file that was being read.
    file: Option<PathBuf>,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No pack and no loose files where they were looked for.
    NoAssets {
        /// The name of the pack.
        pack: String,
        /// Each place and why it was passed over, in order.
        tried: Vec<String>,
    },
    /// The program's constants and the assets come from different builds.
    OtherSet,
    /// No asset with this id is there.
    NotFound(ResourceId),
    /// No asset with this path is there.
    NoSuchPath {
        /// The path.
        path: String,
        /// The path that looks most like it.
        nearest: Option<String>,
    },
    /// The asset is of another kind.
    WrongKind {
        /// What was asked for.
        expected: AssetKind,
        /// What it is; `None` for a kind of a later version.
        found: Option<AssetKind>,
    },
    /// A chunk that the asset needs is not there.
    MissingChunk(rres_format::FourCc),
    /// A file that a link leads to is not there, or may not be followed.
    BadLink(String),
    /// The bytes are damaged, or use what this build cannot decode.
    Format(rres_format::Error),
    /// A file could not be read.
    Io(std::io::Error),
    /// It is of a kind that this version does not know.
    LaterKind,
    /// The asset was freed; a handle that does not keep it leads nowhere.
    Stale,
    /// The asset is not there yet; see [`crate::Pending`].
    Pending,
    /// The asset has a value already.
    AlreadyThere,
    /// The program reserved the asset and has not given it a value.
    NotInserted,
    /// To load it would take having loaded it.
    Circle,
    /// Loading was cancelled before it came to this.
    Cancelled,
    /// An overlay cannot be mounted.
    Overlay(String),
    /// The program's own conversion failed; see [`crate::FromAsset`].
    Convert(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self(Arc::new(Inner { kind, asset: None, file: None }))
    }

    pub(crate) fn io(file: impl Into<PathBuf>, error: std::io::Error) -> Self {
        Self(Arc::new(Inner { kind: ErrorKind::Io(error), asset: None, file: Some(file.into()) }))
    }

    /// Adds the asset, unless one is named already.
    pub(crate) fn of_asset(self, asset: impl FnOnce() -> String) -> Self {
        self.with(|inner| {
            inner.asset.get_or_insert_with(asset);
        })
    }

    /// Adds the asset's path, where there is one.
    pub(crate) fn of_asset_if_known(self, path: &str) -> Self {
        if path.is_empty() { self } else { self.of_asset(|| format!("\"{path}\"")) }
    }

    /// Adds the file, unless one is named already.
    pub(crate) fn in_file(self, file: impl FnOnce() -> Option<PathBuf>) -> Self {
        self.with(|inner| {
            if inner.file.is_none() {
                inner.file = file();
            }
        })
    }

    /// Changes the error while nobody shares it, which holds while it is on its way up.
    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            change(inner);
        }
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file that was being read.
    pub fn file(&self) -> Option<&std::path::Path> {
        self.0.file.as_deref()
    }
}

impl From<rres_format::Error> for Error {
    fn from(error: rres_format::Error) -> Self {
        Self::new(ErrorKind::Format(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, asset, file } = &*self.0;
        if let Some(asset) = asset {
            write!(f, "asset {asset}: ")?;
        }
        match kind {
            ErrorKind::NoAssets { pack, tried } => {
                write!(f, "no assets found for pack \"{pack}\"; tried, in this order:")?;
                for place in tried {
                    write!(f, "\n  {place}")?;
                }
                write!(f, "\nput {pack}.rres beside the executable, or name it in the variable RRES_PATH")?;
            }
            ErrorKind::OtherSet => f.write_str(
                "these assets are from another build than the program; run `cargo build` again (in lock mode \
                 `cargo rres sync` first), or take the pack that came with it",
            )?,
            ErrorKind::NotFound(id) => write!(f, "no asset has the id {id}")?,
            ErrorKind::NoSuchPath { path, nearest } => {
                write!(f, "no asset has the path \"{path}\"")?;
                if let Some(nearest) = nearest {
                    write!(f, "; \"{nearest}\" is there")?;
                }
            }
            ErrorKind::WrongKind { expected, found: Some(found) } => {
                write!(f, "expected kind {expected}, found {found}")?
            }
            ErrorKind::WrongKind { expected, found: None } => {
                write!(f, "expected kind {expected}, found one that this version does not know")?;
            }
            ErrorKind::MissingChunk(kind) => write!(f, "has no chunk of kind {kind}")?,
            ErrorKind::BadLink(why) => f.write_str(why)?,
            ErrorKind::Format(error) => write!(f, "{error}")?,
            ErrorKind::Io(error) => write!(f, "{error}")?,
            ErrorKind::LaterKind => f.write_str("is of a kind that this version does not know")?,
            ErrorKind::Stale => f.write_str("was freed: nothing holds it any more")?,
            ErrorKind::Pending => f.write_str("is not loaded yet")?,
            ErrorKind::AlreadyThere => f.write_str("is there already")?,
            ErrorKind::NotInserted => f.write_str("was reserved, and has no value yet")?,
            ErrorKind::Circle => f.write_str("needs itself, directly or through others")?,
            ErrorKind::Cancelled => f.write_str("loading was cancelled")?,
            ErrorKind::Overlay(why) => f.write_str(why)?,
            ErrorKind::Convert(error) => write!(f, "{error}")?,
        }
        match file {
            Some(file) => write!(f, " (in {})", file.display()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `main() -> Result` prints errors with Debug: let that be readable too.
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            // Their text is part of ours already; what lies beneath them is not.
            ErrorKind::Convert(error) => error.source(),
            ErrorKind::Io(error) => error.source(),
            _ => None,
        }
    }
}
