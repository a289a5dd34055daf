//! The parts of assets. The types of assets themselves, such as [`crate::Image`], are at the root of the crate.

mod custom;
mod font;
mod image;
mod link;
pub mod model;
mod models;
mod raw;
pub mod shader;
mod sound;
mod sprite;
mod text;
mod typed;

pub use font::{LineMetrics, Strike};
pub use image::{
    ColorSpace, CubeFace, Direction, Filter, Frame, FrameAnimation, Frames, ImageShape, Level, Playback, Sequence, Wrap,
};
pub use rres_format::chunk::glyphs::{FontStyle, Glyph};
pub use rres_format::chunk::image::PixelFormat;
pub use rres_format::chunk::text::{CodeLanguage, TextEncoding};
pub use rres_format::index::GlyphForm;
pub use sound::{Marker, SampleReader, Samples};

pub(crate) use custom::Unpacked;
pub(crate) use sound::{SeekTable, check_frames};
pub(crate) use typed::{FromResource, from_resource};
pub(crate) use types::*;

/// What the root of the crate exports: each type is public at one path.
pub(crate) mod types {
    pub use super::custom::{CustomAsset, CustomChunk};
    pub use super::font::Font;
    pub use super::image::Image;
    pub use super::link::Link;
    pub use super::models::Model;
    pub use super::raw::Raw;
    pub use super::sound::Sound;
    pub use super::sprite::Sprite;
    pub use super::text::Text;
    pub use super::typed::Asset;
}
