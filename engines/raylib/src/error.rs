//! Why raylib cannot draw or play an asset.

use std::fmt;

use raylib::error::{GenMeshError, LoadSoundError};
use rres_runtime::asset::PixelFormat;
use rres_runtime::asset::model::Topology;

/// Why raylib cannot draw or play an asset. The message names the asset.
pub struct Error {
    kind: ErrorKind,
    /// Empty if it is not known.
    path: String,
}

/// The reason of an [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The asset could not be loaded.
    Load(rres_runtime::Error),
    /// The window is closed.
    Window,
    /// raylib or the graphics card does not have this format, and its pixels cannot be turned into RGBA of 8 bits.
    PixelFormat(PixelFormat),
    /// The image has more bytes than raylib can count.
    Size {
        /// All levels together.
        bytes: u64,
    },
    /// The graphics card refuses the texture. raylib has logged why.
    Upload,
    /// The glyphs of a font are on several images, and raylib's fonts have one.
    Pages(usize),
    /// A primitive consists of something else than triangles.
    Topology(Topology),
    /// raylib refuses the vertices.
    Mesh(GenMeshError),
    /// raylib refuses the sound.
    Sound(LoadSoundError),
    /// The sound is a file that neither raylib nor the program has a decoder for.
    Encoded(rres_runtime::Error),
    /// The sound has more bytes than raylib can count.
    Length,
    /// The model has nothing to draw, or the sound nothing to play.
    Empty,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { kind, path: String::new() }
    }

    /// Names the asset, unless it has a name already.
    pub(crate) fn with_path(mut self, path: &str) -> Self {
        if self.path.is_empty() {
            path.clone_into(&mut self.path);
        }
        self
    }

    /// Returns the reason.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The errors of the runtime name their asset.
        let names_itself = matches!(self.kind, ErrorKind::Load(_) | ErrorKind::Encoded(_));
        if !self.path.is_empty() && !names_itself {
            write!(f, "asset \"{}\": ", self.path)?;
        }
        match &self.kind {
            ErrorKind::Load(error) | ErrorKind::Encoded(error) => error.fmt(f),
            ErrorKind::Window => f.write_str("raylib's window is closed; load what it draws while it is open"),
            ErrorKind::PixelFormat(format) => write!(
                f,
                "raylib or the graphics card does not have {format:?}, and it cannot be turned into RGBA; set `format = \"rgba8\"` in its rule"
            ),
            ErrorKind::Size { bytes } => {
                write!(f, "has {bytes} bytes of pixels, and textures of raylib have less than 2 GiB")
            }
            ErrorKind::Upload => {
                f.write_str("the graphics card refuses the texture; raylib has logged why, with the level LOG_WARNING")
            }
            ErrorKind::Pages(count) => write!(
                f,
                "the glyphs are on {count} images, and fonts of raylib have one; set a larger `font.atlas_size` or fewer `font.chars` in its rule"
            ),
            ErrorKind::Topology(found) => write!(f, "a mesh consists of {found:?}, and raylib draws TRIANGLES"),
            ErrorKind::Mesh(error) => write!(f, "raylib cannot draw a mesh: {error}"),
            ErrorKind::Sound(error) => write!(f, "raylib cannot play it: {error}"),
            ErrorKind::Length => {
                f.write_str("raylib plays less than 2 GiB; split it, or set `sound.store = \"source\"`")
            }
            ErrorKind::Empty => f.write_str("is empty: raylib needs at least one mesh or one frame of sound"),
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
        match &self.kind {
            ErrorKind::Load(error) | ErrorKind::Encoded(error) => error.source(),
            ErrorKind::Mesh(error) => Some(error),
            ErrorKind::Sound(error) => Some(error),
            _ => None,
        }
    }
}

impl From<rres_runtime::Error> for Error {
    fn from(error: rres_runtime::Error) -> Self {
        Self::new(ErrorKind::Load(error))
    }
}
