//! Kinds of chunks: the four ASCII bytes at the start of each chunk header.

use core::fmt;

use crate::wire::wire_newtype;

/// The kind of a chunk.
///
/// The constants are the nine kinds of rres v1.0, the two that `rres.h` reserves, and twelve of our own. Other values are
/// preserved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FourCc(pub [u8; 4]);

impl FourCc {
    /// Padding: nothing to load.
    pub const NULL: Self = Self(*b"NULL");
    /// Raw file data; see [`crate::chunk::raw`].
    pub const RAWD: Self = Self(*b"RAWD");
    /// Text; see [`crate::chunk::text`].
    pub const TEXT: Self = Self(*b"TEXT");
    /// The pixels of an image; see [`crate::chunk::image`].
    pub const IMGE: Self = Self(*b"IMGE");
    /// The samples of a sound; see [`crate::chunk::wave`].
    pub const WAVE: Self = Self(*b"WAVE");
    /// One attribute of the vertices of a mesh; see [`crate::chunk::vertex`].
    pub const VRTX: Self = Self(*b"VRTX");
    /// The glyph table of a font; see [`crate::chunk::glyphs`].
    pub const FNTG: Self = Self(*b"FNTG");
    /// The path of a file outside the pack; see [`crate::chunk::link`].
    pub const LINK: Self = Self(*b"LINK");
    /// The central directory; see [`crate::chunk::directory`].
    pub const CDIR: Self = Self(*b"CDIR");
    /// Reserved by `rres.h` for packed fonts; never written.
    pub const PFNT: Self = Self(*b"PFNT");
    /// Reserved by `rres.h` for packed meshes; never written.
    pub const PMSH: Self = Self(*b"PMSH");
    /// Ours: the front index; see [`crate::index`].
    pub const INDX: Self = Self(*b"INDX");
    /// Ours: nodes, meshes and materials of a model; see [`crate::chunk::model`].
    pub const MODL: Self = Self(*b"MODL");
    /// Ours: what a model has besides its meshes; see [`crate::chunk::scene`].
    pub const SCNE: Self = Self(*b"SCNE");
    /// Ours: the shapes of a model for physics; see [`crate::chunk::collision`].
    pub const COLL: Self = Self(*b"COLL");
    /// Ours: the markers of a sound; see [`crate::chunk::markers`].
    pub const MARK: Self = Self(*b"MARK");
    /// Ours: the places in a sound file at which decoding can start; see [`crate::chunk::seek`].
    pub const SEEK: Self = Self(*b"SEEK");
    /// Ours: frames and animations of an image; see [`crate::chunk::frames`].
    pub const FRMS: Self = Self(*b"FRMS");
    /// Ours: what a program has to give a shader; see [`crate::chunk::shader`].
    pub const SHDR: Self = Self(*b"SHDR");
    /// Ours: advances and kerning of a font; see [`crate::chunk::kerning`].
    pub const KERN: Self = Self(*b"KERN");
    /// Ours: the place of a picture in an atlas; see [`crate::chunk::sprite`].
    pub const SPRT: Self = Self(*b"SPRT");
    /// Ours: what a patch pack was made from and leads to; see [`crate::patch`].
    pub const PTCH: Self = Self(*b"PTCH");
    /// Ours: the signature of a pack; see [`crate::signature`].
    pub const SIGN: Self = Self(*b"SIGN");

    /// Whether the kind can be one of any program: four printable ASCII characters.
    pub fn is_printable(self) -> bool {
        self.0.iter().all(|byte| matches!(byte, b' '..=b'~'))
    }

    /// Returns a short description of the kind, or `None` for kinds of other programs.
    pub const fn description(self) -> Option<&'static str> {
        Some(match self {
            Self::NULL => "padding",
            Self::RAWD => "raw data",
            Self::TEXT => "text",
            Self::IMGE => "image",
            Self::WAVE => "sound",
            Self::VRTX => "vertex attribute",
            Self::FNTG => "font glyphs",
            Self::LINK => "link",
            Self::CDIR => "central directory",
            Self::PFNT | Self::PMSH => "reserved by rres",
            Self::INDX => "front index",
            Self::MODL => "model structure",
            Self::SCNE => "scenes of a model",
            Self::COLL => "collision shapes",
            Self::MARK => "markers",
            Self::SEEK => "seek points",
            Self::FRMS => "frames of an image",
            Self::SHDR => "interface of a shader",
            Self::KERN => "kerning of a font",
            Self::SPRT => "picture in an atlas",
            Self::PTCH => "patch",
            Self::SIGN => "signature",
            _ => return None,
        })
    }
}

wire_newtype!(FourCc);

impl fmt::Display for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            match byte {
                b' '..=b'~' => write!(f, "{}", byte as char)?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for FourCc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
