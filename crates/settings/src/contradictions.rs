//! Values that are valid one by one and contradict each other.
//!
//! [`contradictions`] lists them. It is applied to each rule by itself, so that an error can name line and column, and
//! to the settings of each asset, which combine the values of several rules.

use rres_format::chunk::image::PixelFormat;
use rres_format::index::{ColorSpace, Wrap};
use rres_format::{AssetKind, Compression};

use super::captures::wildcards;
use super::declare::Affects;
use super::image_values::{ImageFormat, ImageFrames, ImagePadding, ImageStorage};
use super::importer_description::Description;
use super::matching_rule::MatchingRule;
use super::table::{PackSettings, Settings};
use super::values::{Compat, Filters, SoundEncoding, SoundStorage, Word};
use crate::asset_kinds::{kind_of_extension, settings_apply};
use crate::diagnostic::Diagnostic;

/// Two values that contradict each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    /// The key that would have to change.
    pub(super) key: &'static str,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

/// The levels of a compressor; `None` if it has none.
fn levels(compression: Compression) -> Option<std::ops::RangeInclusive<i32>> {
    match compression {
        Compression::DEFLATE => Some(1..=9),
        Compression::ZSTD | Compression::FILTERED => Some(1..=22),
        _ => None,
    }
}

/// The contradictions in the settings of an asset of one of these kinds; without a kind, those that hold for any asset.
pub(super) fn contradictions(settings: &Settings, kinds: &[AssetKind], compat: Option<Compat>) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let mut push = |key, message: String, help| found.push(Contradiction { key, message, help });
    let is = |of: AssetKind| kinds.is_empty() || kinds.iter().any(|kind| settings_apply(of, *kind));
    let Settings { asset, image, sound, font, .. } = settings;

    // Another rule may say what it is a variant of.
    if asset.locale.is_some() && asset.variant_of.is_none() && !kinds.is_empty() {
        push("locale", "`locale` has no effect without `variant_of`".to_owned(), None);
    }
    if asset.variant_of.is_some() && !asset.variants {
        push("variant_of", "`variant_of` has no effect with `variants` = false".to_owned(), None);
    }
    if let Some(compression) = asset.compression {
        let name = compression.word();
        if compression == Compression::QOI {
            if let Some(kind) = kinds.first().filter(|_| !kinds.contains(&AssetKind::Image)) {
                push("compression", format!("`compression` = \"qoi\" is for images only, found kind \"{kind}\""), None);
            } else if let Some(format) = image.format.exact().filter(|format| !is_qoi_format(*format)) {
                let found = ImageFormat::Exact(format).word();
                let message =
                    format!("`compression` = \"qoi\" holds rgb8 and rgba8 only, found `image.format` = \"{found}\"");
                push("image.format", message, None);
            }
        }
        let is_fast = asset.filters == Some(Filters::Fast);
        if asset.filters.is_some() && compression != Compression::FILTERED {
            let message = format!("`filters` has no effect with `compression` = \"{name}\", which has none");
            push("filters", message, None);
        }
        match (asset.level, levels(compression)) {
            (Some(_), Some(_)) if is_fast && compression == Compression::FILTERED => {
                let message = "`level` has no effect with `filters` = \"fast\", which has no levels";
                push("level", message.to_owned(), None);
            }
            (Some(_), None) => {
                let message = format!("`level` has no effect with `compression` = \"{name}\", which has no levels");
                push("level", message, None);
            }
            (Some(level), Some(levels)) if !levels.contains(&level) => {
                let (low, high) = levels.into_inner();
                let message = format!(
                    "`level` = {level} is out of range for `compression` = \"{name}\", expected {low} to {high}"
                );
                push("level", message, None);
            }
            _ => {}
        }
        if is_ours(compression) && compat == Some(Compat::Raylib) {
            let message = format!("`compression` = \"{name}\" cannot be read with `compat` = \"raylib\"");
            push("compression", message, Some("use deflate, lz4, qoi or none"));
        }
    }
    if is(AssetKind::Image) {
        if let Some(format) = image.format.exact().filter(|format| image.premultiply && !format.has_alpha()) {
            let format = ImageFormat::Exact(format).word();
            let message = format!("`image.premultiply` needs alpha, which `image.format` = \"{format}\" lacks");
            push("image.premultiply", message, None);
        }
        if image.store == ImageStorage::Source {
            let changes = [
                ("image.format", image.format != ImageFormat::Keep),
                ("image.mipmaps", image.mipmaps),
                ("image.color_key", image.color_key.is_some()),
                ("image.scale", image.scale != 1.0),
                ("image.fit", image.fit.is_some()),
                ("image.pad", image.pad != ImagePadding::None),
            ];
            for (key, _) in changes.into_iter().filter(|(_, changes_pixels)| *changes_pixels) {
                let message =
                    format!("`{key}` has no effect with `image.store` = \"source\", which keeps the file as it is");
                push(key, message, None);
            }
        }
        if let Some(format) = image.format.exact().filter(|format| image.color_key.is_some() && !format.has_alpha()) {
            let format = ImageFormat::Exact(format).word();
            let message = format!("`image.color_key` needs alpha, which `image.format` = \"{format}\" lacks");
            push("image.color_key", message, None);
        }
        if let Some(format) =
            image.format.exact().filter(|format| format.pixel_block().is_some() && format.is_always_linear())
            && image.color_space == Some(ColorSpace::Srgb)
        {
            let format = ImageFormat::Exact(format).word();
            let message =
                format!("`image.format` = \"{format}\" has no variant in sRGB, found `image.color_space` = \"srgb\"");
            push("image.color_space", message, Some("store colours as bc1 or bc7"));
        }
        let is_unknown_in_c =
            matches!(image.format, ImageFormat::Block | ImageFormat::BlockEtc2 | ImageFormat::BlockAstc)
                || image.format.exact().is_some_and(|format| !format.is_rres());
        if is_unknown_in_c && compat == Some(Compat::Raylib) {
            let format = image.format.word();
            let message = format!("`image.format` = \"{format}\" cannot be read with `compat` = \"raylib\"");
            push("image.format", message, Some("use bc1, bc3 or an uncompressed format"));
        }
        if image.alpha_bleed && image.premultiply {
            let message =
                "`image.alpha_bleed` has no effect with `image.premultiply`, which makes invisible pixels black";
            push("image.alpha_bleed", message.to_owned(), Some("premultiplied images have no dark fringes"));
        }
        if image.normal_map == Some(true) && image.color_space == Some(ColorSpace::Srgb) {
            let message = "`image.normal_map` = true means `image.color_space` = \"linear\", found \"srgb\"";
            push("image.color_space", message.to_owned(), None);
        }
        if image.normal_map == Some(true) && image.premultiply {
            let message =
                "`image.premultiply` multiplies colours, and `image.normal_map` = true says that there are none";
            push("image.premultiply", message.to_owned(), None);
        }
        if let Some(wrap) = image.wrap.filter(|wrap| *wrap != Wrap::Clamp && image.pad != ImagePadding::None) {
            let (pad, wrap) = (image.pad.word(), wrap.word());
            let message = format!("`image.pad` = \"{pad}\" puts gaps between the tiles of `image.wrap` = \"{wrap}\"");
            push("image.pad", message, Some("scale the tiles with image = { scale = … }"));
        }
        let has_frames = [
            (image.frames == ImageFrames::All, "image.frames"),
            (image.grid.is_some(), "image.grid"),
            (image.sheet, "image.sheet"),
        ];
        let mut has_frames = has_frames.into_iter().filter(|(is_set, _)| *is_set).map(|(_, key)| key);
        if let Some(key) = has_frames.next() {
            if let Some(other) = has_frames.next() {
                push(other, format!("`{other}` and `{key}` both say which frames the image has"), None);
            }
            if image.scale != 1.0 || image.fit.is_some() {
                let other = if image.fit.is_some() { "image.fit" } else { "image.scale" };
                let message = format!("`{other}` would blend the frames that `{key}` asks for");
                push(other, message, Some("scale the file itself"));
            }
            if image.atlas.is_some() {
                let message = format!("`image.atlas` makes one sprite of an image, and `{key}` asks for frames");
                push("image.atlas", message, None);
            }
        }
        if let Some(atlas) = &image.atlas {
            if image.pad != ImagePadding::None {
                let message = format!("`image.pad` has no effect in `image.atlas` = \"{atlas}\"");
                push("image.pad", message, None);
            }
            if image.format.is_blocks() {
                let format = image.format.word();
                let message = format!("`image.format` = \"{format}\" makes no blocks in `image.atlas` = \"{atlas}\"");
                push(
                    "image.format",
                    message,
                    Some("image = { format = \"keep\" } or \"gpu\" for the files of the atlas"),
                );
            }
            if let Some(wrap) = image.wrap.filter(|wrap| *wrap != Wrap::Clamp) {
                let wrap = wrap.word();
                let message =
                    format!("`image.wrap` = \"{wrap}\" would repeat the whole of `image.atlas` = \"{atlas}\"");
                push("image.wrap", message, None);
            }
            if let Some(extrude) = image.atlas_extrude.filter(|extrude| image.mipmaps && !extrude.is_power_of_two()) {
                let message =
                    format!("`image.atlas_extrude` must be a power of two with `image.mipmaps`, found {extrude}");
                push("image.atlas_extrude", message, None);
            }
        }
        if let Some(atlas) = image.atlas.as_ref().filter(|_| compat == Some(Compat::Raylib)) {
            let message =
                format!("`image.atlas` = \"{atlas}\" cannot be read with `compat` = \"raylib\", which has no sprites");
            push("image.atlas", message, None);
        }
        if image.store == ImageStorage::Source && compat == Some(Compat::Raylib) {
            let message = "`image.store` = \"source\" cannot be read with `compat` = \"raylib\", which has no decoder for JPEG by default";
            push(
                "image.store",
                message.to_owned(),
                Some("store pixels, or the file with kind = \"raw\" if your raylib has it"),
            );
        }
        if image.mipmaps && compat == Some(Compat::Raylib) {
            let message = "`image.mipmaps` = true cannot be read with `compat` = \"raylib\", which loads one level";
            push("image.mipmaps", message.to_owned(), None);
        }
    }
    if let (true, Some(format)) = (is(AssetKind::Sound), sound.format) {
        let format = format.word();
        if sound.store == SoundStorage::Pcm {
            let message =
                format!("`sound.format` = \"{format}\" contradicts `sound.store` = \"pcm\", which stores samples");
            push("sound.format", message, Some("leave one of them out"));
        }
        if compat == Some(Compat::Raylib) {
            let message =
                format!("`sound.format` = \"{format}\" cannot be read with `compat` = \"raylib\", which loads samples");
            push("sound.format", message, None);
        }
    }
    if is(AssetKind::Sound) && sound.bitrate.is_some() && sound.format != Some(SoundEncoding::Opus) {
        let message = "`sound.bitrate` has no effect without `sound.format` = \"opus\"".to_owned();
        push("sound.bitrate", message, Some("add format = \"opus\", or leave out the bitrate"));
    }
    if is(AssetKind::Sound) && sound.store == SoundStorage::Source {
        // What is encoded anew can be changed before.
        let is_kept = sound.format.is_none();
        for (key, is_set) in [
            ("sound.sample", sound.sample.is_some()),
            ("sound.rate", sound.rate.is_some() && is_kept),
            ("sound.channels", sound.channels.is_some() && is_kept),
            ("sound.trim_silence", sound.trim_silence.is_some() && is_kept),
        ] {
            if is_set {
                let message =
                    format!("`{key}` has no effect with `sound.store` = \"source\", which keeps the file as it is");
                push(key, message, None);
            }
        }
    }
    if is(AssetKind::Font) && font.size.len() > 1 && compat == Some(Compat::Raylib) {
        let message = format!(
            "`font.size` of {} sizes cannot be read with `compat` = \"raylib\", which loads the first one",
            font.size.len()
        );
        push("font.size", message, Some("choose one size"));
    }
    if is(AssetKind::Sound) && sound.is_seekable && sound.store == SoundStorage::Pcm {
        let message = "`sound.seek` = true has no effect with `sound.store` = \"pcm\": samples are found without it";
        push("sound.seek", message.to_owned(), None);
    }
    found
}

/// Whether `rres.h` has no number for it.
fn is_ours(compression: Compression) -> bool {
    matches!(compression, Compression::ZSTD | Compression::FILTERED)
}

fn is_qoi_format(format: PixelFormat) -> bool {
    matches!(format, PixelFormat::RGB8 | PixelFormat::RGBA8)
}

/// The contradictions in `[pack]`.
pub(super) fn pack_contradictions(pack: &PackSettings) -> Vec<Contradiction> {
    let mut settings = Settings::default();
    pack.complete(&mut settings.asset);
    let mut found = contradictions(&settings, &[], pack.compat);
    if pack.compression == Some(Compression::QOI) {
        found.push(Contradiction {
            key: "compression",
            message: "`compression` = \"qoi\" is for images only, and a pack holds more".to_owned(),
            help: Some("choose it for images only: [\"**/*.png\"] compression = \"qoi\""),
        });
    }
    let is_locale = |name: &str| pack.locales.iter().any(|locale| locale.eq_ignore_ascii_case(&name.replace('_', "-")));
    if let Some((name, _)) = pack.targets.iter().find(|(name, _)| is_locale(name)) {
        found.push(Contradiction {
            key: "targets",
            message: format!("`targets` and `locales` both have \"{name}\""),
            help: Some("give the target another name: a name of a file has one meaning"),
        });
    }
    found
}

/// Reports the contradictions within one rule.
pub(super) fn check_rule(
    rule: &MatchingRule,
    compat: Option<Compat>,
    importers: &[Description],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut report = |place: &crate::diagnostic::Place, message: &str, help: Option<&str>| {
        let diagnostic = Diagnostic::new(place.clone(), format!("contradictory values: {message}"));
        diagnostics.push(diagnostic.with_help(help.map(str::to_owned)));
    };
    let MatchingRule { pattern, values, .. } = rule;
    if values.asset.ignore == Some(true) {
        let of_row = rule.rows().find(|(row, _)| row.key != "ignore").map(|(_, place)| place);
        if let Some(place) = of_row.or_else(|| rule.importer_places.first().map(|(.., place)| place)) {
            report(place, "the rule has `ignore` = true, and ignored files have no settings", None);
        }
        return;
    }
    if !pattern.is_literal() {
        for (row, place) in rule.rows().filter(|(row, _)| row.affects == Affects::Identity) {
            let message = format!("`{}` is for one asset, and \"{}\" can match several", row.key, pattern.as_str());
            report(place, &message, Some("write a rule with the whole path of the file"));
        }
    }

    if let (Some(Some(base)), Some(place)) = (&values.asset.variant_of, rule.place_of("variant_of")) {
        let (wanted, found) = (wildcards(base), pattern.wildcards());
        if wanted.0 > found.0 || wanted.1 > found.1 {
            let message = format!("`variant_of` = \"{base}\" has more wildcards than \"{}\"", pattern.as_str());
            report(place, &message, Some("each one is what one of the same sort has matched, `*` or `**`"));
        }
    }
    if let (Some(Some(kind)), Some(Some(name))) = (values.asset.kind, &values.asset.importer)
        && let Some(place) = rule.place_of("importer")
    {
        let message = format!("`kind` = \"{kind}\" has an importer of its own, found `importer` = \"{name}\"");
        report(place, &message, Some("remove one of the two"));
    }

    let has_importer = values.asset.importer.iter().flatten().next().is_some();
    let extension = |glob: &str| glob.rsplit_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default();
    let takes = |glob: &str| importers.iter().any(|spec| spec.takes(&extension(glob)));
    let is_taken = has_importer || pattern.globs().any(takes);
    let mut kinds = pattern.globs().map(extension_kind);
    let first_kind = kinds.next().flatten();
    let extension_kind = first_kind.filter(|kind| !is_taken && kinds.all(|other| other == Some(*kind)));
    let kind = values.asset.kind.flatten().or(extension_kind);
    let mut reported = None;
    for (row, place) in rule.rows() {
        let (Some(of), Some(kind)) = (row.kind(), kind) else { continue };
        // One error per table.
        if settings_apply(of, kind) || reported == Some(of) {
            continue;
        }
        reported = Some(of);
        match values.asset.kind {
            Some(_) => report(place, &format!("`{of}` has no effect with `kind` = \"{kind}\""), None),
            None => {
                let message = format!("`{of}` has no effect on \"{}\": the kind is \"{kind}\"", pattern.as_str());
                let help = match of {
                    // Every file can be one.
                    AssetKind::Text | AssetKind::Raw => {
                        format!("to make it one, set `kind` = \"{of}\" in the same rule")
                    }
                    _ => format!("set `{kind}` instead; for `{of}`, write a rule for other files"),
                };
                report(place, &message, Some(&help));
            }
        }
    }

    let mut settings = Settings::default();
    values.apply(&mut settings);
    let other_kind = rule.rows().find_map(|(row, _)| row.kind().filter(|kind| *kind != AssetKind::Image));
    for Contradiction { key, message, help } in contradictions(&settings, kind.or(other_kind).as_slice(), compat) {
        if let Some(place) = rule.place_of(key) {
            report(place, &message, help);
        }
    }
}

/// The kind that the extension of a glob determines for certain. Texts are not certain: a rule for `*.json` may turn
/// them into models.
fn extension_kind(glob: &str) -> Option<AssetKind> {
    let kind = kind_of_extension(glob.rsplit_once('.')?.1);
    (!matches!(kind, AssetKind::Raw | AssetKind::Text)).then_some(kind)
}
