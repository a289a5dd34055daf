//! The bodies of records, one file for each sort of asset. The readers borrow from the archive and know nothing of files.

mod animation;
mod blob;
mod bounds;
mod character;
mod class;
mod model;
mod sequence;
mod sound;
mod texture;

pub use animation::{AnimationInfo, Frame};
pub use bounds::{Bounds, BoxShape, Shapes, Volume};
pub use character::{Cap, Channel, Character, CharacterSphere, Joint, LodMesh, Node};
pub use class::{Class, Field, FieldKind, Value};
pub use model::{Corner, Lod, ModelCounters, ModelName, Polygon, Shading};
pub use sequence::{Action, ActionKind, Actor, Sequence, SequenceRef};
pub use sound::{Sound, SoundFlags};
pub use texture::{Texture, TextureFlags};

pub(crate) use character::animations_offset;
pub(crate) use sequence::references;

use std::borrow::Cow;

use crate::body::{Body, Items, Ref};
use crate::checks::Notes;
use crate::error::Fault;
use crate::record_type::{RecordKey, RecordType};
use crate::text::{Text, hide};

/// The contents of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Record<'a> {
    /// The colours of textures with 8 bits per pixel: red, green, blue, flags of unknown meaning.
    Palette(Items<'a, [u8; 4]>),
    /// A texture.
    Texture(Texture<'a>),
    /// The file of the library of functions that classes refer to, after 8 bytes of unknown meaning.
    Library {
        /// The 8 bytes.
        unknown: [u8; 8],
        /// The path of the file.
        path: Text<'a>,
    },
    /// The name of a group of classes, models, sounds or sequences.
    Group(Text<'a>),
    /// A class.
    Class(Class<'a>),
    /// The name of a model.
    ModelName(ModelName<'a>),
    /// Numbers that the editor counts on from.
    ModelCounters(ModelCounters),
    /// The vertices of a model.
    Vertices(Items<'a, [f32; 3]>),
    /// The polygons of a model.
    Polygons(Vec<Polygon>),
    /// The textures of a model. Null references count.
    TextureList(Items<'a, Ref>),
    /// The bounding shapes of a model.
    Bounds(Bounds<'a>),
    /// Joints, channels and levels of detail of a model.
    Character(Box<Character<'a>>),
    /// Another model, for a distance.
    Lod(Lod),
    /// A sound.
    Sound(Sound<'a>),
    /// A sequence.
    Sequence(Sequence<'a>),
    /// A text that was hidden, as it reads.
    HiddenText(Text<'static>),
    /// A text.
    Text(Text<'a>),
    /// A file in a RIFF container: a piece of music, or the instruments for it.
    Riff(Cow<'a, [u8]>),
    /// The volume of a piece of music, in hundredths of a decibel.
    Volume(i32),
    /// A number for the version of the archive.
    Version(u32),
    /// The head of an animation.
    Animation(AnimationInfo<'a>),
    /// The frames of an animation.
    Frames(Items<'a, Frame>),
    /// The first frame and the number of frames of each node of an animation.
    FrameRanges(Items<'a, [u32; 2]>),
    /// The body of a record of unknown type or layout.
    Raw(Cow<'a, [u8]>),
}

/// From this id on, plain records of four bytes are volumes.
const FIRST_VOLUME: u16 = 0x1000;

impl<'a> Record<'a> {
    /// Reads a body.
    pub(crate) fn parse(key: RecordKey, bytes: &'a [u8], notes: &mut Notes<'_>) -> Result<Self, Fault> {
        let mut body = Body::new(bytes);
        let body = &mut body;
        let record = match key.kind {
            RecordType::PALETTE => Self::Palette(body.items16("colors")?),
            RecordType::TEXTURE => Self::Texture(Texture::parse(body, notes)?),
            RecordType::LIBRARY => {
                let mut unknown = [0; 8];
                unknown.copy_from_slice(body.take(8, "unknown")?);
                Self::Library { unknown, path: body.text("path", notes)? }
            }
            kind if kind.is_group() => {
                if kind == RecordType::SEQUENCE_GROUP_ALIAS {
                    notes.warn(Fault::unknown("type", 0, "is 0x0313, which is read as a sequence group (0x0312)"))?;
                }
                Self::Group(body.text("name", notes)?)
            }
            RecordType::CLASS => Self::Class(Class::parse(body, notes)?),
            RecordType::MODEL => Self::ModelName(ModelName::parse(body, notes)?),
            RecordType::MODEL_COUNTERS => Self::ModelCounters(ModelCounters::parse(body)?),
            RecordType::VERTICES => Self::Vertices(body.items16("vertices")?),
            RecordType::POLYGONS => Self::Polygons(model::polygons(body, notes)?),
            RecordType::TEXTURE_LIST => {
                let count = body.u32("texture count")?;
                Self::TextureList(body.items(count.into(), "textures")?)
            }
            RecordType::BOUNDS => Self::Bounds(Bounds::parse(body, notes)?),
            RecordType::CHARACTER => Self::Character(Box::new(Character::parse(body, notes)?)),
            RecordType::LOD => Self::Lod(Lod::parse(body)?),
            RecordType::SOUND => Self::Sound(Sound::parse(body, notes)?),
            RecordType::SEQUENCE => Self::Sequence(Sequence::parse(body, notes)?),
            RecordType::HIDDEN_TEXT => Self::HiddenText(Text::new(hide(body.rest()))),
            RecordType::PLAIN => blob::parse(key.id, body)?,
            RecordType::VERSION => Self::Version(body.u32("version")?),
            RecordType::ANIMATION => Self::Animation(AnimationInfo::parse(body, notes)?),
            RecordType::FRAMES => Self::Frames(body.items16("frames")?),
            RecordType::FRAME_RANGES => Self::FrameRanges(body.items16("ranges")?),
            _ => Self::Raw(body.rest().into()),
        };
        body.end(notes)?;
        Ok(record)
    }
}
