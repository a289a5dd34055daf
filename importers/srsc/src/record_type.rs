//! The numbers of record types, and the key of a record.

use std::fmt;

/// The type of a record, which decides how its body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordType(pub u16);

macro_rules! record_types {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        impl RecordType {
            $($(#[$doc])* pub const $name: Self = Self($number);)*

            /// Every known type.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name of a known type: `texture`, `model vertices`.
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

record_types! {
    /// Colours of textures with 8 bits per pixel; one per archive.
    PALETTE = 0x0030, "palette";
    /// A texture.
    TEXTURE = 0x0040, "texture";
    /// The file of the library of functions that classes refer to.
    LIBRARY = 0x0100, "library";
    /// A group of classes.
    CLASS_GROUP = 0x0101, "class group";
    /// A class: typed fields with values.
    CLASS = 0x0102, "class";
    /// The name of a model, and how it is shaded.
    MODEL = 0x0200, "model";
    /// A group of models.
    MODEL_GROUP = 0x0201, "model group";
    /// Numbers that the editor counts on from.
    MODEL_COUNTERS = 0x0202, "model counters";
    /// The vertices of a model.
    VERTICES = 0x0203, "model vertices";
    /// The polygons of a model.
    POLYGONS = 0x0204, "model polygons";
    /// Probably a BSP tree. Its layout is unknown.
    BSP = 0x0205, "model bsp";
    /// The textures of a model.
    TEXTURE_LIST = 0x0206, "model textures";
    /// The bounding shapes of a model.
    BOUNDS = 0x0207, "model bounds";
    /// Joints, channels and levels of detail of a model.
    CHARACTER = 0x0208, "model character";
    /// Another model, for a distance.
    LOD = 0x0209, "model lod";
    /// A group of sounds.
    SOUND_GROUP = 0x0301, "sound group";
    /// A sound.
    SOUND = 0x0302, "sound";
    /// Eight bytes of unknown meaning in archives of sequences.
    SEQUENCE_COUNTERS = 0x0310, "sequence counters";
    /// A sequence: what actors do at which time.
    SEQUENCE = 0x0311, "sequence";
    /// A group of sequences.
    SEQUENCE_GROUP = 0x0312, "sequence group";
    /// Another number for [`Self::SEQUENCE_GROUP`], which one description of the format mentions.
    SEQUENCE_GROUP_ALIAS = 0x0313, "sequence group";
    /// A text that is hidden with a fixed sequence of bytes.
    HIDDEN_TEXT = 0x0400, "hidden text";
    /// A text, a RIFF file or a volume.
    PLAIN = 0x0401, "plain";
    /// A number for the version of the archive.
    VERSION = 0x0402, "version";
    /// The head of an animation.
    ANIMATION = 0x0501, "animation";
    /// The frames of an animation.
    FRAMES = 0x0502, "animation frames";
    /// The frames of each node of an animation.
    FRAME_RANGES = 0x0503, "animation ranges";
}

impl RecordType {
    /// Whether records of this type are groups: a body of one text, the name.
    pub fn is_group(self) -> bool {
        matches!(
            self,
            Self::CLASS_GROUP
                | Self::MODEL_GROUP
                | Self::SOUND_GROUP
                | Self::SEQUENCE_GROUP
                | Self::SEQUENCE_GROUP_ALIAS
        )
    }
}

/// Formats the number, as in `0x0040`.
impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:04x}", self.0)
    }
}

/// What a record is found by within a database. The records of one model share an id, so the type belongs to the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey {
    /// The type.
    pub kind: RecordType,
    /// The id; 0 if the record has none.
    pub id: u16,
}

/// Formats the type and the id, as in `0x0040:0x0007`.
impl fmt::Display for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:0x{:04x}", self.kind, self.id)
    }
}
