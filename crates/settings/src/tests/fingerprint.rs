//! Keys of blobs contain the settings that affect an import, and no others.

use rres_format::index::Wrap;
use rres_format::{AssetKind, Compression, ResourceId};

use crate::{
    BlockEffort, CharSet, Collision, ColorProfile, Culture, Filters, FontStorage, GlslStage, GlyphField, ImageFormat,
    ImagePadding, Length, MeshletSize, NormalFormat, NormalMode, PositionFormat, Profile, SampleFormat, Settings,
    ShaderImport, ShaderTarget, SoundChannels, SoundEncoding, SoundStorage, SourceEncoding, TangentMode,
    TexCoordFormat, WeightFormat,
};

fn fingerprint(settings: &Settings, kind: AssetKind) -> Vec<u8> {
    let mut out = Vec::new();
    settings.fingerprint(&[kind], &mut out);
    out
}

/// One change per entry, and the kinds whose import it affects.
type Change = (fn(&mut Settings), &'static [AssetKind]);

const CHANGES: &[Change] = &[
    (|s| s.asset.id = Some(ResourceId(7)), &[]),
    (|s| s.asset.rename = Some("HERO".into()), &[]),
    (|s| s.asset.ignore = true, &[]),
    (|s| s.asset.variants = false, &[]),
    (|s| s.asset.variant_of = Some("voice/*.ogg".into()), &[]),
    (|s| s.asset.locale = Some("fr".into()), &[]),
    (|s| s.asset.kind = Some(AssetKind::Raw), &[]),
    (|s| s.asset.importer = Some("tiled".into()), &[]),
    (|s| s.asset.compression = Some(Compression::NONE), AssetKind::ALL),
    (|s| s.asset.level = Some(1), AssetKind::ALL),
    (|s| s.asset.profile = Some(Profile::Size), AssetKind::ALL),
    (|s| s.asset.filters = Some(Filters::Fast), AssetKind::ALL),
    (|s| s.image.format = ImageFormat::Gpu, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.mipmaps = true, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.premultiply = true, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.wrap = Some(Wrap::Repeat), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.wrap = Some(Wrap::Clamp), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.format = ImageFormat::Block, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.min_psnr = Some(0.0), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.min_ssim = Some(0.0), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.rdo = 1.0, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.effort = BlockEffort::Best, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.normal_map = Some(true), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.color_profile = ColorProfile::Ignore, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.layers = Some((8, 8)), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.slices = Some((8, 8)), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.color_key = Some([0; 3]), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.scale = 0.5, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.fit = Some(64), &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.alpha_bleed = true, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.image.pad = ImagePadding::Block, &[AssetKind::Image, AssetKind::Model]),
    (|s| s.sound.store = SoundStorage::Pcm, &[AssetKind::Sound]),
    (|s| s.sound.sample = Some(SampleFormat::U8), &[AssetKind::Sound]),
    (|s| s.sound.rate = Some(22_050), &[AssetKind::Sound]),
    (|s| s.sound.format = Some(SoundEncoding::Qoa), &[AssetKind::Sound]),
    (|s| s.sound.bitrate = Some(64), &[AssetKind::Sound]),
    (|s| s.sound.channels = Some(SoundChannels::Mono), &[AssetKind::Sound]),
    (|s| s.sound.trim_silence = Some(-60.0), &[AssetKind::Sound]),
    (|s| s.sound.is_seekable = true, &[AssetKind::Sound]),
    (|s| s.sound.loudness = Some(-16.0), &[AssetKind::Sound]),
    (|s| s.sound.priority = 10, &[AssetKind::Sound]),
    (|s| s.sound.falloff = 15.5, &[AssetKind::Sound]),
    (|s| s.sound.gain = -3.0, &[AssetKind::Sound]),
    (|s| s.sound.is_looping = true, &[AssetKind::Sound]),
    (|s| s.font.store = FontStorage::Subset, &[AssetKind::Font]),
    (|s| s.font.size = vec![32, 48], &[AssetKind::Font]),
    (|s| s.font.chars = vec![CharSet::Latin], &[AssetKind::Font]),
    (|s| s.font.chars = vec![CharSet::Text("a".into())], &[AssetKind::Font]),
    (|s| s.font.chars = vec![CharSet::Range('a', 'b')], &[AssetKind::Font]),
    (|s| s.font.chars = vec![CharSet::File("a".into())], &[AssetKind::Font]),
    (|s| s.font.chars = vec![CharSet::Texts("a".into())], &[AssetKind::Font]),
    (|s| s.font.padding = 0, &[AssetKind::Font]),
    (|s| s.model.normals = NormalMode::Flat, &[AssetKind::Model]),
    (|s| s.model.tangents = TangentMode::Generate, &[AssetKind::Model]),
    (|s| s.model.scale = 0.01, &[AssetKind::Model]),
    (|s| s.model.optimize = true, &[AssetKind::Model]),
    (|s| s.model.lods = vec![0.5], &[AssetKind::Model]),
    (|s| s.model.lod_error = 0.5, &[AssetKind::Model]),
    (|s| s.model.meshlets = Some(MeshletSize::default()), &[AssetKind::Model]),
    (|s| s.model.collision = Some(Collision::default()), &[AssetKind::Model]),
    (|s| s.model.animation_error = Some(Length::millimetres(0.1)), &[AssetKind::Model]),
    (|s| s.model.positions = PositionFormat::F16, &[AssetKind::Model]),
    (|s| s.model.normal_format = NormalFormat::Snorm8, &[AssetKind::Model]),
    (|s| s.model.tex_coord_format = TexCoordFormat::F16, &[AssetKind::Model]),
    (|s| s.model.weight_format = WeightFormat::Unorm8, &[AssetKind::Model]),
    (|s| s.text.strings = true, &[AssetKind::Text]),
    (|s| s.font.atlas_size = 1024, &[AssetKind::Font]),
    (|s| s.font.field = GlyphField::Sdf, &[AssetKind::Font]),
    (|s| s.font.range = 8, &[AssetKind::Font]),
    (|s| s.font.color = false, &[AssetKind::Font]),
    (|s| s.font.variations = Some("Bold".into()), &[AssetKind::Font]),
    (|s| s.font.variations = Some([("wght", 700.0)].into()), &[AssetKind::Font]),
    (|s| s.text.culture = Some(Culture::Lcid(0)), &[AssetKind::Text]),
    (|s| s.text.encoding = Some(SourceEncoding::Utf8), &[AssetKind::Text]),
    (|s| s.text.shader = Some(ShaderImport::Keep), &[AssetKind::Text]),
    (|s| s.text.stage = Some(GlslStage::Vertex), &[AssetKind::Text]),
    (|s| s.text.defines = Some([("A", true)].into()), &[AssetKind::Text]),
    (|s| s.text.defines = Some([("A", 1)].into()), &[AssetKind::Text]),
    (|s| s.text.defines = Some([("A", "1")].into()), &[AssetKind::Text]),
    (|s| s.text.variants = Some([("A", [("A", true)])].into()), &[AssetKind::Text]),
    (|s| s.text.compile = vec![ShaderTarget::Msl], &[AssetKind::Text]),
];

#[test]
fn settings_that_affect_an_import_change_its_key_and_others_do_not() {
    for &kind in AssetKind::ALL {
        let default = fingerprint(&Settings::default(), kind);
        let mut seen = vec![default.clone()];
        for (number, (change, kinds)) in CHANGES.iter().enumerate() {
            let mut settings = Settings::default();
            change(&mut settings);
            let changed = fingerprint(&settings, kind);
            if kinds.contains(&kind) {
                assert!(!seen.contains(&changed), "change {number} is lost for {kind}");
                seen.push(changed);
            } else {
                assert_eq!(changed, default, "change {number} must not matter to {kind}");
            }
        }
    }
}

#[test]
fn equal_values_have_equal_bytes() {
    let (mut minus_zero, mut by_tag, mut by_code) = (Settings::default(), Settings::default(), Settings::default());
    minus_zero.sound.gain = -0.0;
    assert!(fingerprint(&minus_zero, AssetKind::Sound).is_empty());
    by_tag.text.culture = Some("en-US".into());
    by_code.text.culture = Some(Culture::Lcid(0x0409));
    assert_eq!(fingerprint(&by_tag, AssetKind::Text), fingerprint(&by_code, AssetKind::Text));
}

/// If these bytes change, every cache is invalidated.
#[test]
fn bytes_are_pinned() {
    let mut settings = Settings::default();
    (settings.asset.compression, settings.image.mipmaps) = (Some(Compression::ZSTD), true);
    let key = |key: &str| [&(key.len() as u64).to_le_bytes()[..], key.as_bytes()].concat();
    let expected = [key("compression"), vec![1], key("zstd"), key("image.mipmaps"), vec![1]].concat();
    assert_eq!(fingerprint(&settings, AssetKind::Image), expected);
}
