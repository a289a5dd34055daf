//! What an asset is to the game that loads it: one word per kind, the same in settings, constants and types.

use core::fmt;

/// The kind of an asset, as the index, the generated constants and the runtime's types know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum AssetKind {
    /// Bytes as they are in the source file.
    Raw = 1,
    /// Text with its encoding and language.
    Text = 2,
    /// Pixels.
    Image = 3,
    /// Samples, or an encoded sound kept as it is.
    Sound = 4,
    /// Glyph atlases.
    Font = 5,
    /// Meshes, nodes and materials.
    Model = 6,
    /// A file that stays outside the pack.
    Link = 7,
}

impl AssetKind {
    /// Every kind, in numeric order.
    pub const ALL: &'static [Self] =
        &[Self::Raw, Self::Text, Self::Image, Self::Sound, Self::Font, Self::Model, Self::Link];

    /// The word used in settings, messages and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Text => "text",
            Self::Image => "image",
            Self::Sound => "sound",
            Self::Font => "font",
            Self::Model => "model",
            Self::Link => "link",
        }
    }

    /// The Rust type in `rres_runtime` that a constant of this kind carries.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Raw => "Raw",
            Self::Text => "Text",
            Self::Image => "Image",
            Self::Sound => "Sound",
            Self::Font => "Font",
            Self::Model => "Model",
            Self::Link => "Link",
        }
    }

    /// The kind with the number `value`, as stored in an index.
    pub fn from_number(value: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| *kind as u8 == value)
    }

    /// The kind with the name `name`, as written in settings.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for AssetKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
