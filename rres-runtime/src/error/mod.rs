//! Why assets could not be opened, found, loaded or mounted.

mod message;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_decode::DecodeError;
use rres_format::{AssetKind, FourCc, LanguageTagError, PathError, ResourceId};

/// The result of opening a store or loading an asset.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a store could not be opened, or an asset not loaded.
///
/// The message names the asset and the file; [`Self::asset`] and [`Self::file`] have them as values. Cheap to clone:
/// every thread that waited for a failed load gets the same error.
#[derive(Clone)]
pub struct Error(Arc<Inner>);

struct Inner {
    kind: ErrorKind,
    asset: Option<AssetRef>,
    file: Option<PathBuf>,
    /// The environment variable that named the file.
    variable: Option<&'static str>,
}

/// The asset that an [`Error`] is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AssetRef {
    path: Arc<str>,
    id: ResourceId,
}

impl AssetRef {
    /// Returns the asset's path; empty if it is not known, because the pack does not record paths or does not contain
    /// the asset.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the asset's resource id.
    pub fn id(&self) -> ResourceId {
        self.id
    }
}

/// The path in quotation marks, or the id if the path is not known.
impl fmt::Display for AssetRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { write!(f, "{}", self.id) } else { write!(f, "\"{}\"", self.path) }
    }
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// None of the places that a program looks in has the assets.
    NoAssets {
        /// The name of the pack.
        pack: String,
        /// The places, in search order.
        searched: Vec<SearchedPlace>,
    },
    /// The executable of this process does not contain the pack; see [`crate::PackOptions::open_self`]. [`Error::file`] is the
    /// executable.
    NotEmbedded {
        /// The file name of the pack.
        pack: String,
        /// The packs that it contains.
        embedded: Vec<String>,
    },
    /// The program's constants and the assets come from different builds.
    BuildMismatch,
    /// The program opened some of the packs of a set, and not all. [`Error::file`] is the first one.
    IncompleteSet {
        /// How many packs the set has.
        expected: u32,
        /// How many the program opened.
        found: usize,
    },
    /// The store, or pack, that was asked has no asset with this id. [`Error::file`] is its file.
    NotFound {
        /// The id.
        id: ResourceId,
        /// The asset with this id in another store of the program: a constant of its assets was given to this store.
        elsewhere: Option<OtherAsset>,
    },
    /// No asset has this path.
    NoSuchPath {
        /// The path.
        path: String,
        /// The most similar path that exists, if there is one that may have been meant.
        nearest: Option<String>,
    },
    /// No asset has this path, and the pack was shipped without the assets that the program does not name.
    Stripped {
        /// The path, or the folder.
        path: String,
    },
    /// No asset is in this folder; see [`crate::Store::folder`].
    NoSuchFolder {
        /// The folder.
        folder: String,
        /// The most similar folder that exists, if there is one that may have been meant.
        nearest: Option<String>,
    },
    /// No group has this name; see [`crate::Store::group`].
    NoSuchGroup {
        /// The name.
        name: String,
        /// The most similar name that exists, if there is one that may have been meant.
        nearest: Option<String>,
    },
    /// The asset is of another kind.
    WrongKind {
        /// The kind that was asked for.
        expected: AssetKind,
        /// The kind of the asset; `None` if this version does not know it.
        found: Option<AssetKind>,
    },
    /// This version does not know the kind of the asset; a newer one wrote the pack.
    UnknownKind,
    /// The chunk of a custom asset is not of the kind that its type expects: it is an asset of another type.
    WrongChunk {
        /// [`crate::CustomAsset::FOURCC`] of the type that was asked for.
        expected: FourCc,
        /// The kind of the chunk.
        found: FourCc,
    },
    /// A group or another asset needs a custom asset with a chunk of this kind, and the store does not know its type. See
    /// [`crate::Store::register`]; `None` if the pack does not record the kind.
    UnregisteredType(Option<FourCc>),
    /// The resource lacks a chunk that its kind of asset needs.
    MissingChunk(FourCc),
    /// The asset depends on a resource that does not exist, such as an image of a model.
    MissingDependency(ResourceId),
    /// A text is not the tag of a language; see [`crate::Store::set_locale`].
    BadLocale {
        /// The text.
        locale: String,
        /// What is wrong with it.
        reason: LanguageTagError,
    },
    /// The density of a display is not a finite number above 0; see [`crate::Store::set_density`].
    BadDensity(f32),
    /// The asset depends on itself, directly or through others.
    DependencyCycle,
    /// The import cache no longer has the imported form of the asset; debug builds read it from there.
    MissingBlob,
    /// A link leads to a file that does not exist or may not be opened.
    BadLink {
        /// The path in the link.
        target: String,
        /// What is wrong with it.
        reason: LinkError,
    },
    /// The bytes of a pack are damaged, or need a feature that this program was compiled without.
    Format(rres_format::Error),
    /// A file that the pack keeps cannot be decoded, or needs a feature that this program was compiled without.
    Source(DecodeError),
    /// The pack, or the asset, is not what the holder of a trusted key has signed; see `SignaturePolicy`.
    #[cfg(feature = "signed")]
    Signature(rres_format::signature::SignatureError),
    /// A file could not be read.
    Io(io::Error),
    /// The asset was freed, so a handle that does not keep it alive has nothing to return.
    Stale,
    /// The asset is not loaded yet; see [`crate::PendingAsset`].
    NotReady,
    /// The bytes of the asset, or of the pack, have not been fetched, and the program may not wait for them, because it runs in a browser.
    NotHere,
    /// This cannot be read in parts; all of its bytes must be at hand. See [`crate::PackOptions::open_from`].
    NotInParts(&'static str),
    /// The program reserved a path for a value and has not inserted the value yet.
    NotInserted,
    /// The path of a value is taken, or its id is.
    AlreadyExists {
        /// The path of the existing asset. If it is not the path of the value, the two share an id.
        existing: String,
    },
    /// Loading was cancelled before it reached this asset.
    Cancelled,
    /// A [`crate::Loading`] has already returned its group.
    GroupTaken,
    /// An overlay contains an asset with the id of an existing one but another path or kind. [`Error::asset`] is the
    /// one in the overlay.
    OverlayConflict {
        /// Its kind; `None` if this version does not know it.
        kind: Option<AssetKind>,
        /// The path of the existing asset.
        existing: String,
        /// The kind of the existing asset; `None` if this version does not know it.
        existing_kind: Option<AssetKind>,
    },
    /// A patch was made for other packs, or another version of them, than those that it would be mounted over.
    /// [`Error::file`] is its file.
    PatchMismatch {
        /// The pack or the earlier patch that it would be mounted over; `None` if that is in memory.
        below: Option<PathBuf>,
    },
    /// A file that is a patch by its name, beside the pack of the program, is a pack and not a patch. [`Error::file`] is that file.
    NotAPatch,
    /// [`crate::FromAsset::from_asset`] tried to mount or unmount packs, but it runs again whenever those change. Or something else that the
    /// store calls while it makes values again, such as a waker, did so.
    MountWhileLoading,
    /// The program's own [`crate::FromAsset::from_asset`] failed.
    Conversion(Box<dyn std::error::Error + Send + Sync>),
    /// The program's own [`crate::FromAsset::from_asset`] panicked, with this message: on a thread of the pool, or when it ran again.
    Panicked(String),
}

/// The asset that an id belongs to, in another store of the program than the one that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherAsset {
    /// Its path; empty if the pack does not record paths.
    pub path: String,
    /// The pack or dev index that contains it; `None` if it is in memory.
    pub file: Option<PathBuf>,
}

impl fmt::Display for OtherAsset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.path {
            "" => f.write_str("an asset")?,
            path => write!(f, "\"{path}\"")?,
        }
        match &self.file {
            Some(file) => write!(f, " in {}", file.display()),
            None => f.write_str(" in a pack in memory"),
        }
    }
}

/// A place where a program looks for its assets. `Display` adds the reason why nothing was found there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchedPlace {
    /// An environment variable, which is not set.
    Variable(&'static str),
    /// The dev index of a debug build, which does not exist.
    DevIndex(PathBuf),
    /// The executable of the program, which does not contain the pack.
    Executable {
        /// The executable.
        file: PathBuf,
        /// The file names of the packs that it contains.
        packs: Vec<String>,
    },
    /// The executable of the program, which cannot be read.
    UnreadableExecutable {
        /// The executable; `None` if the system does not tell.
        file: Option<PathBuf>,
        /// Why it cannot be read.
        why: String,
    },
    /// A pack, which does not exist.
    Pack(PathBuf),
    /// A pack, which does not exist, beside a file whose name differs in the case of letters only.
    OtherCase {
        /// The pack.
        file: PathBuf,
        /// The name of the other file.
        found: String,
    },
}

impl fmt::Display for SearchedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the variable {name}: not set"),
            Self::DevIndex(file) => {
                write!(f, "{}: not found (the index of loose files of debug builds)", file.display())
            }
            Self::Executable { file, packs } => {
                write!(f, "{}: ", file.display())?;
                message::embedded(f, packs)
            }
            Self::UnreadableExecutable { why, .. } => write!(f, "the executable: {why}"),
            Self::Pack(file) => write!(f, "{}: not found", file.display()),
            Self::OtherCase { file, found } => {
                let name = file.file_name().unwrap_or_default().display();
                write!(f, "{}: not found; there is {found}: rename it to {name}", file.display())
            }
        }
    }
}

/// Why a link cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// The path is not one of a file in the base directory.
    Path(PathError),
    /// The store has no base directory.
    NoBaseDir,
    /// This file does not exist.
    Missing(PathBuf),
    /// The pack must be signed, and a signature does not cover the file.
    Unsigned,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(error) => write!(f, "is not followed: {error}"),
            Self::NoBaseDir => f.write_str("is not followed: the store has no base directory"),
            Self::Missing(file) => write!(f, "leads to {}, which does not exist", file.display()),
            Self::Unsigned => f.write_str(
                "is not followed: the pack must be signed, and its signature does not cover files beside it; store the file in the pack, or \
                 check it yourself and open the path of the link",
            ),
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self(Arc::new(Inner { kind, asset: None, file: None, variable: None }))
    }

    pub(crate) fn io(file: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::new(ErrorKind::Io(error)).with_file(Some(&file.into()))
    }

    /// Adds the asset, unless the error has one.
    pub(crate) fn with_asset(mut self, path: impl Into<Arc<str>>, id: ResourceId) -> Self {
        if let Some(inner) = self.unshared()
            && inner.asset.is_none()
        {
            inner.asset = Some(AssetRef { path: path.into(), id });
        }
        self
    }

    /// Adds the file, unless the error has one.
    pub(crate) fn with_file(mut self, file: Option<&Path>) -> Self {
        if let Some(inner) = self.unshared()
            && inner.file.is_none()
        {
            inner.file = file.map(Path::to_owned);
        }
        self
    }

    /// Adds the environment variable that named the file.
    pub(crate) fn with_variable(mut self, variable: &'static str) -> Self {
        if let Some(inner) = self.unshared() {
            inner.variable = Some(variable);
        }
        self
    }

    /// Returns the contents while nobody shares the error: until it is returned to the threads that wait for it.
    fn unshared(&mut self) -> Option<&mut Inner> {
        Arc::get_mut(&mut self.0)
    }

    /// Returns what went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the asset that the error is about; `None` if it is not about one.
    pub fn asset(&self) -> Option<&AssetRef> {
        self.0.asset.as_ref()
    }

    /// Returns the file that was being read; `None` if there was none.
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }
}

impl From<rres_format::Error> for Error {
    fn from(error: rres_format::Error) -> Self {
        Self::new(ErrorKind::Format(error))
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::new(ErrorKind::Source(error))
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
            // Their text is part of ours, so the causes continue below them.
            ErrorKind::Conversion(error) => error.source(),
            ErrorKind::Io(error) => error.source(),
            _ => None,
        }
    }
}
