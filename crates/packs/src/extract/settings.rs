//! What the files cannot hold → the settings of an `assets.toml` with which a build of the extracted tree restores it.

use std::fmt::Write as _;

use rres_decode::SampleForm;
use rres_export::ImageForm;
use rres_format::chunk::image::PixelFormat;
use rres_format::chunk::text::TextView;
use rres_format::index::{ColorSpace, Filter, GroupView, Meta, MetaKey, Wrap};
use rres_format::{AssetKind, Decompressor, FourCc, ResourceId, normalize_path};
use rres_settings::asset_kinds::kind_of_extension;
use rres_settings::{glob_of, rule_header};
use toml_edit::Value;

use super::image_links::{ImageLinks, image_links};
use super::images::ImageFiles;
use super::plan::{Extraction, Form};
use crate::opened_pack::OpenedPack;
use crate::resource_list::Resource;

/// The name of the file in the output directory.
pub(super) const FILE: &str = "assets.toml";

const HEAD: &str = "\
# Written by `cargo rres extract --metadata`: what the files beside it cannot hold.
# A build of this directory takes it as its settings.
";

/// Returns the settings for the extracted files.
pub(super) fn settings(extractions: &[Extraction<'_>]) -> String {
    let mut text = HEAD.to_owned();
    let mut links = image_links(extractions);
    for extraction in extractions {
        let settings = of_resource(extraction, links.remove(&extraction.resource.id).unwrap_or_default());
        if !settings.is_empty() {
            // Writing to a string never fails.
            let file = &extraction.files[0];
            let (header, start) = match rule_header(file) {
                Some(header) => (header, ""),
                None => (format!("# No rule can name {}:", quoted(file)), "# "),
            };
            writeln!(text, "\n{header}").unwrap_or_default();
            settings.iter().for_each(|line| writeln!(text, "{start}{line}").unwrap_or_default());
        }
    }
    let mut packs: Vec<&OpenedPack> = Vec::new();
    for extraction in extractions {
        if !packs.iter().any(|pack| std::ptr::eq(*pack, extraction.pack)) {
            packs.push(extraction.pack);
        }
    }
    packs.into_iter().for_each(|pack| groups(pack, extractions, &mut text));
    text
}

/// Returns the lines of a rule. `links` are settings of an image.
fn of_resource(extraction: &Extraction<'_>, links: ImageLinks) -> Vec<String> {
    let Extraction { pack, resource, form, files, .. } = extraction;
    let file = &files[0];
    // The picture and the description of a font are not the font.
    if *form == Form::Font {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    if *form == Form::Sprite {
        lines.push("# It was in an atlas: a build makes it one again with image = { atlas = … }.".to_owned());
    } else if let Some(kind) = resource.kind.filter(|kind| *kind != kind_of_extension(extension)) {
        lines.push(format!("kind = \"{kind}\""));
    }
    // The id follows from the path, if no rule has set another.
    let is_usual =
        |path: &&str| ResourceId::from_path(path) == resource.id && normalize_path(path).is_ok_and(|it| it == **path);
    match resource.path.as_deref().filter(is_usual) {
        Some(path) if path != file => lines.push(format!("path = {}", quoted(path))),
        None if ResourceId::from_path(file) != resource.id => lines.push(format!("id = {}", resource.id)),
        _ => {}
    }
    lines.extend(links.remarks);
    let index = pack.view().index();
    let meta = resource.slot.and_then(|slot| index?.meta(slot).ok()).map(|meta| meta.to_meta()).unwrap_or_default();
    match form {
        Form::Image(files) => {
            let mut settings = pixels(files);
            settings.extend(sampling(&meta));
            settings.extend(links.settings);
            let is_in_blocks = files.form == ImageForm::Dds && files.stored.pixel_block().is_some();
            if meta.get(MetaKey::PREMULTIPLIED) == Some(1) && !is_in_blocks {
                lines.push("# The colours are multiplied by alpha already; no setting says so.".to_owned());
            }
            image(settings, &mut lines);
        }
        Form::Source if resource.kind == Some(AssetKind::Image) => {
            image(["store = \"source\"".to_owned()].into_iter().chain(sampling(&meta)).collect(), &mut lines);
        }
        Form::Wav => sound(false, &meta, &mut lines),
        Form::Source if resource.kind == Some(AssetKind::Sound) => sound(true, &meta, &mut lines),
        Form::Source if resource.kind == Some(AssetKind::Text) => lines.extend(culture(resource)),
        _ => {}
    }
    lines
}

/// Returns the lines of a rule with which a file of another author is drawn and played as the asset that it replaces: how an image is sampled, how loud a
/// sound is and whether it loops. `extension` is the one of the file.
pub fn replacement_settings(kind: Option<AssetKind>, extension: &str, meta: &Meta) -> Vec<String> {
    let mut lines: Vec<String> = kind
        .filter(|kind| *kind != kind_of_extension(extension) && !matches!(kind, AssetKind::Sprite | AssetKind::Custom))
        .map(|kind| format!("kind = \"{kind}\""))
        .into_iter()
        .collect();
    match kind {
        Some(AssetKind::Image) => image(sampling(meta), &mut lines),
        Some(AssetKind::Sound) => sound(false, meta, &mut lines),
        _ => {}
    }
    lines
}

fn image(settings: Vec<String>, lines: &mut Vec<String>) {
    if !settings.is_empty() {
        lines.push(format!("image = {{ {} }}", settings.join(", ")));
    }
}

/// Returns the settings that make the stored pixels of an extracted picture again.
fn pixels(files: &ImageFiles) -> Vec<String> {
    let ImageFiles { form, stored, levels, .. } = *files;
    let mut settings = Vec::new();
    if form == ImageForm::Png {
        let packed = match stored {
            PixelFormat::RGB565 => Some("rgb565"),
            PixelFormat::RGBA5551 => Some("rgba5551"),
            PixelFormat::RGBA4444 => Some("rgba4444"),
            _ => None,
        };
        settings.extend(packed.map(|format| format!("format = \"{format}\"")));
        if levels > 1 && stored.pixel_block().is_none() {
            settings.push("mipmaps = true".to_owned());
        }
    }
    settings
}

/// Returns the settings of how an image is sampled.
fn sampling(meta: &Meta) -> Vec<String> {
    let mut settings = Vec::new();
    let number = |key| meta.get(key).unwrap_or_default();
    if let Some(filter) = Filter::from_number(number(MetaKey::FILTER)).filter(|filter| *filter != Filter::default()) {
        settings.push(format!("filter = \"{filter}\""));
    }
    if let Some(wrap) = Wrap::from_number(number(MetaKey::WRAP)).filter(|wrap| *wrap != Wrap::default()) {
        settings.push(format!("wrap = \"{wrap}\""));
    }
    let color_space = ColorSpace::from_number(number(MetaKey::COLOR_SPACE));
    if let Some(color_space) = color_space.filter(|color_space| *color_space != ColorSpace::default()) {
        settings.push(format!("color_space = \"{color_space}\""));
    }
    settings
}

fn sound(is_source: bool, meta: &Meta, lines: &mut Vec<String>) {
    let mut settings = Vec::new();
    if is_source {
        // A file that loads as samples of this size is kept by default, as it is smaller than they are.
        let loads_as = meta.get(MetaKey::SOUND_FORMAT).and(meta.get(MetaKey::SAMPLE_SIZE));
        settings.push(match loads_as.and_then(SampleForm::from_number) {
            Some(form) => format!("sample = \"{}\"", form.name()),
            None => "store = \"source\"".to_owned(),
        });
    }
    let gain = meta.get(MetaKey::GAIN).map(f32::from_bits);
    // TOML tells floats from whole numbers by their dot.
    settings.extend(gain.filter(|gain| gain.is_finite() && *gain != 0.0).map(|gain| format!("gain = {gain:?}")));
    if meta.get(MetaKey::LOOP) == Some(1) {
        settings.push("loop = true".to_owned());
    }
    if let Some(priority) = meta.get(MetaKey::PRIORITY).filter(|priority| *priority != 0) {
        settings.push(format!("priority = {priority}"));
    }
    let falloff = meta.get(MetaKey::FALLOFF).map(f32::from_bits);
    settings.extend(falloff.filter(|falloff| falloff.is_finite()).map(|falloff| format!("falloff = {falloff:?}")));
    if !settings.is_empty() {
        lines.push(format!("sound = {{ {} }}", settings.join(", ")));
    }
}

/// Returns the setting for the language and region of a text, if it has any.
fn culture(resource: &Resource<'_>) -> Option<String> {
    let chunk = resource.chunks.iter().find(|chunk| chunk.info.kind == FourCc::TEXT)?;
    let block = resource.keyring.decode(chunk, &mut Decompressor::default()).ok()?;
    let culture = TextView::parse(block.view().ok()?).ok()?.props().culture;
    (culture != 0).then(|| format!("text = {{ culture = {culture:#06x} }}"))
}

/// Adds the groups of a pack, with the files of those members that were extracted.
fn groups(pack: &OpenedPack, extractions: &[Extraction<'_>], text: &mut String) {
    let Some(index) = pack.view().index() else { return };
    let is_plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    for GroupView { name, .. } in index.groups().filter_map(Result::ok).filter(|group| is_plain(group.name)) {
        let group = index.groups().filter_map(Result::ok).find(|group| group.name == name);
        let slots: std::collections::HashSet<u32> = group.iter().flat_map(GroupView::slots).collect();
        let is_member = |extraction: &&Extraction<'_>| {
            std::ptr::eq(extraction.pack, pack) && extraction.resource.slot.is_some_and(|slot| slots.contains(&slot))
        };
        let files: Vec<String> = (extractions.iter().filter(is_member))
            .map(|extraction| format!("    {},\n", quoted(&glob_of(&extraction.files[0]))))
            .collect();
        if !files.is_empty() {
            write!(text, "\n[group.{name}]\ninclude = [\n{}]\n", files.concat()).unwrap_or_default();
        }
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
