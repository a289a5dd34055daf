//! Every setting, one row each; the settings of images, models and the pack are in `image_table.rs`, `model_table.rs` and `pack_table.rs`. A new setting is one row and
//! one use in an importer.
//!
//! A row consists of: documentation; field, type, builder method with its argument, key, default, default in words,
//! values, and what the setting affects. Structs, readers, builder methods, keys of blobs and the tables of
//! `docs/settings.md` are generated from it.

use rres_format::chunk::text::CodeLanguage;
use rres_format::index::{ColorSpace, Filter, Wrap};
use rres_format::{AssetKind, Cipher, Compression, ResourceId};

use super::collision::{Collision, Collisions};
use super::content_domain::{Axes, Chars, Color, Language, PixelSize};
use super::declare::{Affects, SettingRow, declare_rows, declare_structs};
use super::domain::{AssetPath, Domain, Flag, Given, Id, Integer, Number, OneOf, OneOrMore, OrFalse, OrKeep, Size};
use super::fingerprint::Fingerprint;
use super::font_values::{CharSet, FontStorage, GlyphField, Variations};
use super::image_values::{
    BlockEffort, ColorProfile, ImageFormat, ImageFrames, ImagePadding, ImageSequence, ImageStorage,
};
use super::importer_setting::ImporterValues;
use super::length::{Length, Lengths};
use super::model_values::{
    MeshletSize, Meshlets, NormalFormat, NormalMode, PositionFormat, TangentMode, TexCoordFormat, WeightFormat,
};
use super::name_domain::{
    ConstantName, CreditLine, FileName, FilePath, HeaderName, ImporterName, LinkedImage, LocaleTag, VariableName,
    VariantBase,
};
use super::shader_values::{Defines, GlslStage, ShaderDefines, ShaderImport, ShaderTarget, ShaderVariants, Variants};
use super::target_names::TargetNames;
use super::values::{
    Compat, Culture, Filters, LintLevel, Profile, RefusedFiles, SampleFormat, SoundChannels, SoundEncoding,
    SoundStorage, SourceEncoding,
};
use crate::asset_kinds::settings_apply;
use crate::asset_path::Naming;

/// Settings of every asset.
macro_rules! asset_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of every asset.
            [AssetSettings AssetValues ASSET_ROWS asset]

            /// What the file becomes.
            kind: Option<AssetKind> as kind(AssetKind, some) "kind" = None, "by extension",
                Given(OneOf::<AssetKind>::ANY), Selection;

            /// The importer that reads the file, instead of the one that takes its extension. A rule with `kind` drops the `importer` of
            /// earlier rules, and the other way round: a kind has an importer of its own. See importers.md.
            importer: Option<String> as importer(impl Into<String>, some) "importer" = None, "by extension",
                Given(ImporterName), Selection;

            /// The resource id, instead of the one that follows from the path. The rule must match one file only.
            id: Option<ResourceId> as id(ResourceId, some) "id" = None, "CRC-32 of the path",
                Given(Id), Identity;

            /// The path by which pack and game know the file, instead of its own. The id and the constant follow from it. The
            /// rule must match one file only.
            path: Option<String> as path(impl Into<String>, some) "path" = None, "the file's own",
                Given(AssetPath), Identity;

            /// The name of the constant, instead of the one that follows from the path. The rule must match one file only.
            rename: Option<String> as rename(impl Into<String>, some) "rename" = None, "from the path",
                Given(ConstantName), Identity;

            /// The file is not an asset.
            ignore: bool as ignore(bool, same) "ignore" = false, "false",
                Flag, Selection;

            /// Whether a language or a density in the name of the file makes it a variant of another asset, if `locales` and
            /// `densities` of the pack list them; see languages.md.
            variants: bool as variants(bool, same) "variants" = true, "true",
                Flag, Links;

            /// The asset that the file is a variant of, whatever its name is. `*` and `**` are what they have matched in the glob of the
            /// rule: "voice/en/**" in a rule for "voice/fr/**". The asset may be in another pack; see languages.md.
            variant_of: Option<String> as variant_of(impl Into<OrNone<String>>, or_none) "variant_of" = None, "by its name",
                OrFalse(VariantBase), Links;

            /// The language of a file with `variant_of`. By default it is the tag in the name of the file, or else a folder that has the name
            /// of one of `locales`.
            locale: Option<String> as locale(impl Into<String>, some) "locale" = None, "by its name",
                Given(LocaleTag), Links;

            /// Whether the build prints what there is to know about the file, such as what its stored form leaves out.
            notes: bool as notes(bool, same) "notes" = true, "true",
                Flag, Report;

            /// The licence of the file, as an expression of SPDX such as "CC-BY-4.0". A rule comes before what files of REUSE say; see licences.md.
            license: Option<String> as license(impl Into<String>, some) "license" = None, "what files of REUSE say",
                Given(CreditLine), Report;

            /// Who made the file, for the credits.
            author: Vec<String> as author(impl IntoIterator<Item = impl Into<String>>, strings) "author" = Vec::<String>::new(), "what files of REUSE say",
                OneOrMore(CreditLine), Report;

            /// Where the file comes from, such as the address of the page of its author, for the credits.
            source: Option<String> as source(impl Into<String>, some) "source" = None, "none",
                Given(CreditLine), Report;

            /// The words that the author wants to be shown, for the credits.
            attribution: Option<String> as attribution(impl Into<String>, some) "attribution" = None, "what files of REUSE say",
                Given(CreditLine), Report;

            /// What the stored form is made for: a small pack ("size"), fast loading ("speed"), or both ("balanced"). It chooses
            /// `compression`, `level` and `filters` where no rule sets them, and comes before the settings of the pack; see storage.md.
            profile: Option<Profile> as profile(Profile, some) "profile" = None, "the pack's",
                Given(OneOf::<Profile>::ANY), Import;

            /// Store a placeholder instead of an image, a sound or a font, for programs that show and play nothing: one pixel, one silent
            /// frame, one glyph. Ids and facts stay, and every load succeeds; see servers.md.
            placeholder: bool as placeholder(bool, same) "placeholder" = false, "false",
                Flag, Import;

            /// How the stored form is compressed, if that makes it smaller. "filtered" predicts pixels, samples and vertices before
            /// zstd, and is plain zstd for other kinds. "qoi" is for images in rgb8 and rgba8 only. `rres-raylib.h` does not know
            /// "filtered" and "zstd".
            compression: Option<Compression> as compression(Compression, some) "compression" = None, "the profile's",
                Given(OneOf::<Compression>::ANY), Import;

            /// The level of the compressor: higher is smaller and slower to build. "deflate" has levels 1 to 9, "zstd" and
            /// "filtered" 1 to 22. A rule with another `compression` drops the level of earlier rules.
            level: Option<i32> as level(i32, some) "level" = None, "the profile's",
                Given(Integer(1..=22)), Import;

            /// The filters of "filtered": all of them and zstd ("all"), or those that cost little time to undo and LZ4 ("fast"), which has no
            /// levels. 16-bit samples are compressed with zstd in both cases.
            filters: Option<Filters> as filters(Filters, some) "filters" = None, "the profile's",
                Given(OneOf::<Filters>::ANY), Import;

            /// How the asset is encrypted in packs, with the key of the build. "aes" is for C programs that read nothing else. Links are
            /// never encrypted, and neither are the loose files of debug builds. See encryption.md.
            cipher: Option<Cipher> as cipher(Cipher, some) "cipher" = None, "the pack's",
                Given(OneOf::<Cipher>::ANY), Cipher;

            /// The most bytes that the stored form may have, sub-assets included.
            max_size: Option<u64> as max_size(u64, some) "max_size" = None, "no limit",
                Given(Size(1..=1 << 32, "1 byte to 4 GiB")), Check;

            /// The largest stored form, as a multiple of the source file: with 1 it must not be larger than the source. Not
            /// for sources of several files.
            max_growth: Option<f32> as max_growth(f32, some) "max_growth" = None, "no limit",
                Given(Number(0.0..=1000.0, "times the size of the source")), Check;

            /// What a build does about a file beyond a limit that rules set for it: nothing ("allow"), a warning or an error.
            lint: LintLevel as lint(LintLevel, same) "lint" = LintLevel::Warn, "\"warn\"",
                OneOf::<LintLevel>::ANY, Check;
        }
    };
}

/// Settings of sounds.
macro_rules! sound_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of sounds.
            [SoundSettings SoundValues SOUND_ROWS sound]

            /// Samples ready to play ("pcm"), or the bytes of the file ("source"). "auto" keeps the source of encoded sounds
            /// of more than ten seconds, which load as their bytes, and of shorter ones that are smaller than their samples. Those
            /// load as samples, for which the game needs the feature "ogg", "opus", "mp3", "flac" or "qoa" of rres-runtime.
            store: SoundStorage as sound_store(SoundStorage, same) "sound.store" = SoundStorage::Auto, "\"auto\"",
                OneOf::<SoundStorage>::ANY, Import;

            /// Encode the sound with loss, if it is not encoded with loss already and if that is smaller: as "opus", the smallest, or as "qoa", a
            /// fifth of the samples, whose decoder is small and fast. It loads as it would otherwise, for which the game needs the feature of
            /// that name of rres-runtime, and "opus" that of rres-build. "keep" loses nothing. Not with "pcm"; see sounds.md.
            format: Option<SoundEncoding> as sound_format(impl Into<Option<SoundEncoding>>, same) "sound.format" = None, "\"keep\"",
                OrKeep::<SoundEncoding>::ANY, Import;

            /// The average rate of a sound with `format = "opus"`, all channels together. 64 is good for music in stereo, 24 for a voice.
            bitrate: Option<u32> as sound_bitrate(u32, some) "sound.bitrate" = None, "64 for one channel, 96 for two",
                Given(Integer(6..=510)), Import;

            /// The format of the stored samples; "keep" keeps the depth of the source. Not with "source".
            sample: Option<SampleFormat> as sound_sample(impl Into<Option<SampleFormat>>, same) "sound.sample" = None, "\"keep\"",
                OrKeep::<SampleFormat>::ANY, Import;

            /// The rate of the stored samples, in hertz; a sound at another rate is resampled. Not with "source".
            rate: Option<u32> as sound_rate(u32, some) "sound.rate" = None, "the source's",
                Given(Integer(1_000..=192_000)), Import;

            /// The channels of the stored samples; other channels are mixed with the usual coefficients. Not with "source".
            channels: Option<SoundChannels> as sound_channels(impl Into<Option<SoundChannels>>, same) "sound.channels" = None, "\"keep\"",
                OrKeep::<SoundChannels>::ANY, Import;

            /// Remove what is quieter than this at both ends, but nothing between loop points. Not with "source".
            trim_silence: Option<f32> as sound_trim_silence(f32, some) "sound.trim_silence" = None, "nothing is removed",
                Given(Number(-150.0..=-10.0, "decibels")), Import;

            /// How loud the sound is to be played, according to EBU R 128. The difference is added to the gain, as far as peaks
            /// stay 1 dB below full scale; the samples stay as they are. A sound of less than 0.4 s counts as if it went on.
            loudness: Option<f32> as sound_loudness(f32, some) "sound.loudness" = None, "the source's",
                Given(Number(-70.0..=0.0, "LUFS")), Import;

            /// Record where decoding of a sound that stays a file can start, about every second, so that the game decodes it while it
            /// plays and seeks in it. The build decodes the file several times for that.
            is_seekable: bool as sound_seek(bool, same) "sound.seek" = false, "false",
                Flag, Import;

            /// Playback gain, for the player; the samples stay as they are.
            gain: f32 as sound_gain(f32, same) "sound.gain" = 0.0, "0",
                Number(-120.0..=60.0, "decibels"), Import;

            /// The sound is meant to be played in a loop.
            is_looping: bool as sound_loop(bool, same) "sound.loop" = false, "false",
                Flag, Import;

            /// How important it is that the sound is heard if there are more sounds than can be played. For the player: higher is more
            /// important.
            priority: u32 as sound_priority(u32, same) "sound.priority" = 0, "0",
                Integer(0..=1_000_000), Import;

            /// How fast the sound fades with distance, for the player: 0 is not at all.
            falloff: f32 as sound_falloff(f32, same) "sound.falloff" = 1.0, "1",
                Number(0.0..=1000.0, "times as fast as usual"), Import;

            /// The longest that the sound may be. A limit: nothing is cut.
            max_seconds: Option<f32> as sound_max_seconds(f32, some) "sound.max_seconds" = None, "no limit",
                Given(Number(0.0..=86_400.0, "seconds")), Check;

            /// The sample rates that the sound may have, in hertz. A limit: nothing is resampled.
            allowed_rates: Vec<u32> as sound_allowed_rates(impl Into<Vec<u32>>, same) "sound.allowed_rates" = Vec::<u32>::new(), "any",
                OneOrMore(Integer(1..=MAX_LIMIT)), Check;
        }
    };
}

/// Settings of fonts.
macro_rules! font_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of fonts.
            [FontSettings FontValues FONT_ROWS font]

            /// What a font becomes: glyphs in atlases ("glyphs"), or a font file cut to what `font.chars` needs, as raw bytes, for engines
            /// that shape text and draw glyphs themselves ("subset"), with the feature "font-subset" of rres-build. See fonts.md.
            store: FontStorage as font_store(FontStorage, same) "font.store" = FontStorage::Glyphs, "\"glyphs\"",
                OneOf::<FontStorage>::ANY, Import;

            /// Heights in pixels from ascent to descent, one atlas each.
            size: Vec<u32> as font_size(impl Into<Vec<u32>>, same) "font.size" = vec![32], "32",
                OneOrMore(Integer(1..=MAX_FONT_SIZE)), Import;

            /// The characters to rasterise. "auto" is ASCII for Latin fonts, and for fonts of another script all of their
            /// characters, unless they are more than 1,500. "all" is every character of the font.
            chars: Vec<CharSet> as font_chars(impl Into<Vec<CharSet>>, same) "font.chars" = vec![CharSet::Auto], "\"auto\"",
                OneOrMore(Chars), Import;

            /// Empty pixels around each glyph in the atlas.
            padding: u32 as font_padding(u32, same) "font.padding" = 2, "2",
                Integer(0..=MAX_FONT_PADDING), Import;

            /// The most pixels that an atlas may be wide and high. More glyphs become several pages. Rounded down to a power of two.
            atlas_size: u32 as font_atlas_size(u32, same) "font.atlas_size" = 8192, "8192",
                Integer(64..=8192), Import;

            /// Store how far each pixel is from the outline instead of how much of it is covered, so that a shader draws sharp glyphs of
            /// any size: in one channel ("sdf"), or in several that keep corners sharp ("msdf"). See fonts.md.
            field: GlyphField as font_field(GlyphField, same) "font.field" = GlyphField::None, "\"none\"",
                OneOf::<GlyphField>::ANY, Import;

            /// The difference of distance, in pixels, between the values 0 and 255 of a field.
            range: u32 as font_range(u32, same) "font.range" = 4, "4",
                Integer(1..=64), Import;

            /// Store the colours of coloured glyphs, such as emoji: of pictures (CBDT, sbix) and layers (COLR). The pixels are RGBA then, and
            /// glyphs without colours are white. Without, and with a field, outlines are drawn. See fonts.md.
            color: bool as font_color(bool, same) "font.color" = true, "true",
                Flag, Import;

            /// The place of a variable font that is drawn: the name of an instance, or values of its axes such as `{ wght = 700 }`.
            variations: Option<Variations> as font_variations(impl Into<Variations>, some) "font.variations" = None, "the file's",
                Given(Axes), Import;
        }
    };
}

/// Settings of texts.
macro_rules! text_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of texts.
            [TextSettings TextValues TEXT_ROWS text]

            /// The language and region of the text.
            culture: Option<Culture> as text_culture(impl Into<Culture>, some) "text.culture" = None, "any",
                Given(Language), Import;

            /// The encoding of the file. "latin1" and "windows-1252" are stored as UTF-8, the others as they are.
            encoding: Option<SourceEncoding> as text_encoding(SourceEncoding, some) "text.encoding" = None,
                "by byte order mark, else UTF-8",
                Given(OneOf::<SourceEncoding>::ANY), Import;

            /// The file is a table of texts: Fluent (`.ftl`), PO (`.po`), or CSV (`.csv`) with a column of keys and one for each language. Its syntax
            /// is checked, and its keys are compared between languages, as `lint` says; see languages.md.
            strings: bool as text_strings(bool, same) "text.strings" = false, "false",
                Flag, Import;

            /// The programming language.
            lang: Option<CodeLanguage> as text_lang(CodeLanguage, some) "text.lang" = None, "by extension",
                Given(OneOf::<CodeLanguage>::ANY), Import;

            /// What a build does with a shader: nothing ("keep"); it includes other files and makes a text of each stage
            /// ("preprocess"); or it validates the result as well and stores the interface ("validate"), with the feature "shader"
            /// of rres-build. See shaders.md.
            shader: Option<ShaderImport> as text_shader(ShaderImport, some) "text.shader" = None,
                "\"validate\" for `.wgsl` with the feature \"shader\", otherwise \"keep\"",
                Given(OneOf::<ShaderImport>::ANY), Import;

            /// The stage of a shader in GLSL that is not split into stages.
            stage: Option<GlslStage> as text_stage(GlslStage, some) "text.stage" = None, "by name",
                Given(OneOf::<GlslStage>::ANY), Import;

            /// The names that the directives of a shader ask for, with their values. In WGSL the build follows the directives; GLSL gets
            /// a `#define` for each. See shaders.md.
            defines: Option<ShaderDefines> as text_defines(impl Into<ShaderDefines>, some) "text.defines" = None, "none",
                Given(Defines), Import;

            /// The variants of a shader: each is a text of its own, for which these names are defined beside those of `text.defines`.
            /// The asset of the file is the shader without them.
            variants: Option<ShaderVariants> as text_variants(impl Into<ShaderVariants>, some) "text.variants" = None, "none",
                Given(Variants), Import;

            /// What a shader is compiled to, beside its text: SPIR-V for Vulkan ("spirv"), or the language of Metal ("msl"). This
            /// validates it, and needs the feature "shader-compile" of rres-build.
            compile: Vec<ShaderTarget> as text_compile(impl Into<Vec<ShaderTarget>>, same) "text.compile" = Vec::<ShaderTarget>::new(), "none",
                OneOrMore(OneOf::<ShaderTarget>::ANY), Import;
        }
    };
}

pub(crate) use super::image_table::image_settings;
pub(crate) use super::model_table::model_settings;
use crate::pack_settings;
pub(crate) use {asset_settings, font_settings, sound_settings, text_settings};

/// The largest height of a font in pixels: an atlas of ASCII then has about 10,000² pixels.
pub const MAX_FONT_SIZE: u32 = 1024;

/// The largest limit of a width, a height or a rate.
const MAX_LIMIT: u32 = 1_000_000;

/// The largest padding of glyphs in pixels.
pub const MAX_FONT_PADDING: u32 = 64;

asset_settings!(declare_structs);
image_settings!(declare_structs);
sound_settings!(declare_structs);
font_settings!(declare_structs);
text_settings!(declare_structs);
model_settings!(declare_structs);
pack_settings!(declare_structs);

/// The settings of one asset, after all rules that match it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    pub asset: AssetSettings,
    /// Used by images, and by models for the images inside them.
    pub image: ImageSettings,
    pub sound: SoundSettings,
    pub font: FontSettings,
    pub text: TextSettings,
    pub model: ModelSettings,
    /// The settings of importers of the build script.
    pub importers: ImporterValues,
}

/// The values that one rule sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleValues {
    pub asset: AssetValues,
    pub image: ImageValues,
    pub sound: SoundValues,
    pub font: FontValues,
    pub text: TextValues,
    pub model: ModelValues,
    pub importers: ImporterValues,
}

impl RuleValues {
    /// Overrides `settings`.
    pub fn apply(&self, settings: &mut Settings) {
        // Level and filters belong to the compressor that they were written for.
        if self.asset.compression.is_some_and(|compression| compression != settings.asset.compression) {
            (settings.asset.level, settings.asset.filters) = (None, None);
        }
        if self.asset.filters.is_some_and(|filters| filters != settings.asset.filters) {
            settings.asset.level = None;
        }
        if self.asset.kind.flatten().is_some() {
            settings.asset.importer = None;
        }
        if self.asset.importer.iter().flatten().next().is_some() {
            settings.asset.kind = None;
        }
        self.asset.apply(&mut settings.asset);
        self.image.apply(&mut settings.image);
        self.sound.apply(&mut settings.sound);
        self.font.apply(&mut settings.font);
        self.text.apply(&mut settings.text);
        self.model.apply(&mut settings.model);
        settings.importers.extend(self.importers.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
}

/// The settings of the build as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlobalSettings {
    pub pack: PackSettings,
}

/// The global settings that `assets.toml` or the builder sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlobalValues {
    pub pack: PackValues,
}

pub type RuleRow = SettingRow<RuleValues, Settings>;

/// A row of the settings of the pack as a whole.
pub(crate) type PackRow = SettingRow<GlobalValues, GlobalSettings>;

asset_settings!(declare_rows(RuleValues, Settings));
image_settings!(declare_rows(RuleValues, Settings));
sound_settings!(declare_rows(RuleValues, Settings));
font_settings!(declare_rows(RuleValues, Settings));
text_settings!(declare_rows(RuleValues, Settings));
model_settings!(declare_rows(RuleValues, Settings));
pack_settings!(declare_rows(GlobalValues, GlobalSettings));

/// The settings of rules.
pub fn all_rows() -> impl Iterator<Item = &'static RuleRow> {
    [ASSET_ROWS, IMAGE_ROWS, SOUND_ROWS, FONT_ROWS, TEXT_ROWS, MODEL_ROWS].into_iter().flatten()
}

impl PackSettings {
    /// The environment variable with the key.
    pub fn key_variable(&self) -> &str {
        self.key_env.as_deref().unwrap_or("RRES_KEY")
    }
}

/// The settings that affect the import of assets of these kinds.
fn import_rows(kinds: &[AssetKind]) -> impl Iterator<Item = &'static RuleRow> {
    let applies = move |row: &&RuleRow| row.kind().is_none_or(|of| kinds.iter().any(|kind| settings_apply(of, *kind)));
    all_rows().filter(|row| row.affects == Affects::Import).filter(applies)
}

impl Settings {
    /// By what pack and game know the source at `path`, which has these settings.
    pub fn naming(&self, path: &str) -> Naming {
        let AssetSettings { path: stored, id, rename, .. } = &self.asset;
        Naming {
            path: stored.as_deref().unwrap_or(path).to_owned(),
            id: id.or_else(|| stored.as_deref().map(ResourceId::from_path)),
            rename: rename.clone(),
        }
    }

    /// Appends the bytes of every setting that affects the import of assets of these kinds.
    pub fn fingerprint(&self, kinds: &[AssetKind], out: &mut Vec<u8>) {
        import_rows(kinds).for_each(|row| (row.fingerprint)(self, out));
    }

    /// The keys of the settings that affect the import of assets of these kinds and are not the default.
    pub fn import_keys(&self, kinds: &[AssetKind]) -> impl Iterator<Item = &'static str> {
        let is_set = |row: &&RuleRow| {
            let mut bytes = Vec::new();
            (row.fingerprint)(self, &mut bytes);
            !bytes.is_empty()
        };
        import_rows(kinds).filter(is_set).map(|row| row.key)
    }
}
