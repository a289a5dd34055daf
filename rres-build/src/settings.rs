//! The values of settings, for [`Rule`](crate::Rule) and [`Build`](crate::Build). Each has the words that `assets.toml` has.

#[doc(inline)]
pub use rres_format::chunk::image::PixelFormat;
#[doc(inline)]
pub use rres_format::chunk::text::CodeLanguage;
#[doc(inline)]
pub use rres_format::index::{ColorSpace, Filter, Wrap};
#[doc(inline)]
pub use rres_settings::{
    BlockEffort, CharSet, Collision, CollisionKind, ColorProfile, Compat, Culture, DefineValue, Filters, FontStorage,
    GlslStage, GlyphField, ImageFormat, ImageFrames, ImagePadding, ImageSequence, ImageStorage, Length, LintLevel,
    MeshletSize, NormalFormat, NormalMode, OrNone, PositionFormat, Profile, RefusedFiles, SampleFormat, ShaderDefines,
    ShaderImport, ShaderTarget, ShaderVariants, SoundChannels, SoundStorage, SourceEncoding, TangentMode,
    TexCoordFormat, Variations, WeightFormat,
};
