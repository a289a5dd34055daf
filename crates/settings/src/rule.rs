//! The rules of `build.rs`: the values that one sets.

use super::collision::Collision;
use super::declare::{OrNone, or_none, same, some, strings};
use super::font_values::{CharSet, FontStorage, GlyphField, Variations};
use super::image_values::{
    BlockEffort, ColorProfile, ImageFormat, ImageFrames, ImagePadding, ImageSequence, ImageStorage,
};
use super::length::Length;
use super::model_values::{
    MeshletSize, NormalFormat, NormalMode, PositionFormat, TangentMode, TexCoordFormat, WeightFormat,
};
use super::shader_values::{GlslStage, ShaderDefines, ShaderImport, ShaderTarget, ShaderVariants};
use super::table::{
    RuleValues, asset_settings, font_settings, image_settings, model_settings, sound_settings, text_settings,
};
use super::values::{
    Culture, Filters, LintLevel, Profile, SampleFormat, SoundChannels, SoundEncoding, SoundStorage, SourceEncoding,
};
use crate::declare_methods;
use rres_format::chunk::text::CodeLanguage;
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_format::{AssetKind, Cipher, Compression, ResourceId};

/// The settings that a rule of `build.rs` gives to the files that it matches; see `Build::rule`.
///
/// There is a method for every key of a rule in `assets.toml`: `image = { mipmaps = true }` is `.image_mipmaps(true)`.
///
/// ```
/// # use rres_format::index::Filter;
/// # use rres_settings::Rule;
/// # struct Build;
/// # impl Build { fn rule(self, _: &str, set: impl FnOnce(Rule) -> Rule) -> Self { let _ = set(Rule::default()); self } }
/// # let build = Build;
/// # let _ =
/// build
///     .rule("ui/**/*.png", |rule| rule.image_premultiply(true).image_filter(Filter::Nearest))
///     .rule("fonts/*.ttf", |rule| rule.font_size([20, 48]).font_chars(["latin".into(), "★".into()]))
///     .rule("**/*.psd", |rule| rule.ignore(true));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Rule {
    pub values: RuleValues,
}

impl Rule {
    asset_settings!(declare_methods(values));
    image_settings!(declare_methods(values));
    sound_settings!(declare_methods(values));
    font_settings!(declare_methods(values));
    text_settings!(declare_methods(values));
    model_settings!(declare_methods(values));

    /// Sets a setting of an importer that is registered with `Build::importer`: `tiled = { scale = 2 }` in
    /// `assets.toml` is `.set("tiled", "scale", 2)`.
    pub fn set(
        mut self,
        importer: impl Into<String>,
        key: impl Into<String>,
        value: impl Into<super::SettingValue>,
    ) -> Self {
        self.values.importers.insert((importer.into(), key.into()), value.into());
        self
    }
}
