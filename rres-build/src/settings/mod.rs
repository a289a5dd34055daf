//! What assets are imported with: one optional `assets.toml` plus rules from `build.rs`, turned into [`Settings`].

mod types;

pub use types::{
    CharSet, CodeLang, ColorSpace, Compression, Filter, FontSettings, ImageSettings, PixelFormatChoice, SampleFormat,
    Settings, SoundSettings, SoundStore, TextEncoding, TextSettings, Wrap,
};
