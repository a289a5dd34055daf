//! The kinds of assets.

use crate::closed_enum::closed_enum;
use crate::fourcc::FourCc;

closed_enum! {
    /// The kind of an asset. The front index stores its number; settings, messages and reports use its name.
    pub enum AssetKind: u8 {
        /// The bytes of the source file: a RAWD chunk.
        Raw = 1, "raw";
        /// Text with its encoding and language: a TEXT chunk.
        Text = 2, "text";
        /// Pixels: an IMGE chunk.
        Image = 3, "image";
        /// Samples in a WAVE chunk, or the encoded source file in a RAWD chunk.
        Sound = 4, "sound";
        /// A glyph table and its atlas for each size: pairs of FNTG and IMGE chunks.
        Font = 5, "font";
        /// Meshes, nodes and materials: VRTX chunks and a MODL chunk.
        Model = 6, "model";
        /// The path of a file outside the pack: a LINK chunk.
        Link = 7, "link";
        /// A rectangle in an image that it depends on: a SPRT chunk.
        Sprite = 8, "sprite";
        /// Data of a type of the game: a chunk of a kind that an importer of the game chooses. The metadata has that kind, see
        /// [`crate::index::MetaKey::CUSTOM_KIND`].
        Custom = 128, "data" or "custom";
    }
}

impl AssetKind {
    /// Returns the kind of a resource whose first chunk is of kind `kind`, for packs without a front index; `None` if
    /// no kind of asset starts with such a chunk.
    pub const fn of_chunk(kind: FourCc) -> Option<Self> {
        Some(match kind {
            FourCc::RAWD => Self::Raw,
            FourCc::TEXT => Self::Text,
            FourCc::IMGE => Self::Image,
            FourCc::WAVE => Self::Sound,
            FourCc::FNTG => Self::Font,
            FourCc::VRTX | FourCc::MODL => Self::Model,
            FourCc::LINK => Self::Link,
            FourCc::SPRT => Self::Sprite,
            _ => return None,
        })
    }
}
