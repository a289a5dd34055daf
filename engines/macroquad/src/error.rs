//! Why macroquad cannot show or play an asset.

use std::fmt;

use rres_runtime::asset::model::Topology;
use rres_runtime::asset::{GlyphForm, PixelFormat};

/// Why macroquad cannot show or play an asset. The message names the asset.
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
    /// macroquad's textures are RGBA of 8 bits, and pixels of this format cannot be turned into that.
    PixelFormat(PixelFormat),
    /// The image has more pixels a side than macroquad can express.
    Size {
        /// The larger side, in pixels.
        pixels: u32,
    },
    /// A primitive has more vertices than the 16-bit indices of macroquad reach.
    Vertices(usize),
    /// A primitive consists of something else than triangles.
    Topology(Topology),
    /// The pixels of a font are distances, for which macroquad has no shader.
    Distances(GlyphForm),
    /// The sound has this number of channels, and macroquad plays one or two.
    Channels(u32),
    /// macroquad refuses the sound.
    Engine(macroquad::Error),
    /// The samples of the sound take 4 GiB or more, which no WAV file can hold.
    Length,
    /// The sound is a file that the program has no decoder for.
    Encoded(rres_runtime::Error),
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
            ErrorKind::PixelFormat(format) => write!(
                f,
                "macroquad draws RGBA of 8 bits, and {format:?} cannot be turned into that; set `format = \"rgba8\"` in its rule"
            ),
            ErrorKind::Size { pixels } => {
                write!(f, "is {pixels} pixels wide or high, and textures of macroquad have at most {}", u16::MAX)
            }
            ErrorKind::Vertices(count) => {
                write!(
                    f,
                    "a mesh has {count} vertices, and meshes of macroquad have at most 65,536; split it in the model"
                )
            }
            ErrorKind::Topology(found) => write!(f, "a mesh consists of {found:?}, and macroquad draws TRIANGLES"),
            ErrorKind::Distances(form) => write!(
                f,
                "its glyphs are distances ({form}), and macroquad has no shader for them; remove `font.field` from its rule"
            ),
            ErrorKind::Channels(channels) => write!(
                f,
                "it has {channels} channels, and macroquad plays one or two; set `sound.channels = \"stereo\"` in its rule"
            ),
            ErrorKind::Length => {
                f.write_str("its samples take 4 GiB or more, and macroquad takes WAV files, which are smaller")
            }
            ErrorKind::Engine(error) => write!(f, "macroquad cannot use it: {error}"),
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
            ErrorKind::Engine(error) => Some(error),
            _ => None,
        }
    }
}

impl From<rres_runtime::Error> for Error {
    fn from(error: rres_runtime::Error) -> Self {
        Self::new(ErrorKind::Load(error))
    }
}
