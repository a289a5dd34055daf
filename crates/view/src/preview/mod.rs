//! What a resource looks like or contains, as far as characters can show it.

mod font;
mod picture;
mod text;
mod wave;

pub(crate) use picture::Picture;

use rres_format::{AssetKind, FourCc};
use rres_packs::{OpenedPack, Resource};
use rres_runtime::{Font, Image, Link, Model, Pack, Sound, Sprite};
use wave::Wave;

use crate::screen::{Area, Color, Palette, Screen, Style};

/// The largest resource that is decoded for its preview, in bytes.
const MAX_SIZE: u64 = 512 << 20;

/// A preview, with what it was last scaled to.
pub(crate) struct Preview {
    content: Content,
    /// The size of a picture, or the length of a sound.
    about: Option<String>,
    /// The first line that is shown.
    scroll: usize,
}

enum Content {
    Picture(Picture),
    Wave(Wave),
    Lines(Vec<String>),
    /// Why the preview is missing.
    Nothing(String),
}

impl Preview {
    /// Makes the preview of a resource.
    pub(crate) fn of(pack: &OpenedPack, resource: &Resource<'_>) -> Self {
        let mut about = None;
        let content = content(pack, resource, &mut about).unwrap_or_else(Content::Nothing);
        Self { content, about, scroll: 0 }
    }

    /// Returns the size of a picture, or the length of a sound; an empty text if they are not known.
    pub(crate) fn about(&self) -> &str {
        self.about.as_deref().unwrap_or_default()
    }

    /// Scrolls text by a number of lines.
    pub(crate) fn scroll(&mut self, lines: isize) {
        let count = if let Content::Lines(all) = &self.content { all.len() } else { 0 };
        self.scroll = self.scroll.saturating_add_signed(lines).min(count.saturating_sub(1));
    }

    /// Returns the picture, for terminals that show pictures.
    pub(crate) fn picture(&self) -> Option<&Picture> {
        match &self.content {
            Content::Picture(picture) => Some(picture),
            _ => None,
        }
    }

    pub(crate) fn draw(&mut self, screen: &mut Screen, area: Area, palette: Palette) {
        match &mut self.content {
            Content::Picture(picture) => picture.draw(screen, area, palette),
            Content::Wave(wave) => wave.draw(screen, area),
            Content::Lines(lines) => {
                for (row, line) in (0..area.height).zip(lines.iter().skip(self.scroll)) {
                    screen.text(area, row, line, Style::PLAIN);
                }
            }
            Content::Nothing(why) => {
                screen.text(area, 0, why, Style { is_dim: true, ..Style::colored(Color::Default) });
            }
        }
    }
}

/// Makes the preview of a resource, and says what a picture or a sound is.
///
/// # Errors
/// The reason why there is none.
fn content(pack: &OpenedPack, resource: &Resource<'_>, about: &mut Option<String>) -> Result<Content, String> {
    if pack.is_dev_index() {
        return Err("a dev index contains no bytes of assets".to_owned());
    }
    if let Some(cipher) = resource.sealed_with() {
        return Err(format!("encrypted with {cipher}"));
    }
    if resource.decoded_size > MAX_SIZE {
        return Err("too large for a preview".to_owned());
    }
    let kind = resource.chunks.first().ok_or("the pack contains no bytes of it")?.info.kind;
    let is_decoded = matches!(resource.kind, Some(AssetKind::Sound | AssetKind::Image));
    if matches!(kind, FourCc::RAWD | FourCc::TEXT) && !is_decoded {
        let bytes = resource.source_bytes().map_err(|error| error.to_string())?.unwrap_or_default();
        return Ok(Content::Lines(text::lines(&bytes)));
    }
    let loaded: &Pack = pack.runtime_pack().ok_or("the pack is damaged")?;
    let failed = |error: rres_runtime::Error| error.to_string();
    match resource.kind {
        Some(AssetKind::Image) => {
            let image: Image = loaded.load(resource.id).map_err(failed)?;
            let levels = match image.mipmaps() {
                0 | 1 => String::new(),
                levels => format!(", {levels} levels"),
            };
            *about = Some(format!("{} × {} {}{levels}", image.width(), image.height(), image.format()));
            let pixels = rres_export::rgba8(&image, 0);
            let pixels = pixels.ok_or_else(|| format!("blocks of format {} are not decoded", image.format()))?;
            Ok(Content::Picture(Picture::new(image.width(), image.height(), pixels.into_owned())))
        }
        Some(AssetKind::Sound) => {
            let sound: Sound = loaded.load(resource.id).map_err(failed)?;
            *about = Some(text::sound(&sound));
            match Wave::new(&sound) {
                Some(wave) => Ok(Content::Wave(wave)),
                None => Ok(Content::Lines(text::encoded_sound(&sound))),
            }
        }
        Some(AssetKind::Font) => {
            let font: Font = loaded.load(resource.id).map_err(failed)?;
            Ok(Content::Picture(font::specimen(&font)))
        }
        Some(AssetKind::Model) => {
            let model: Model = loaded.load(resource.id).map_err(failed)?;
            Ok(Content::Lines(text::model(&model)))
        }
        Some(AssetKind::Link) => {
            let link: Link = loaded.load(resource.id).map_err(failed)?;
            Ok(Content::Lines(vec![format!("→ {link}"), "a file outside the pack".to_owned()]))
        }
        Some(AssetKind::Sprite) => {
            let sprite: Sprite = loaded.load(resource.id).map_err(failed)?;
            let (x, y, width, height) = (sprite.x(), sprite.y(), sprite.width(), sprite.height());
            let atlas = sprite.atlas().resource();
            Ok(Content::Lines(vec![format!("{width} × {height} pixels at {x}, {y}"), format!("of the atlas {atlas}")]))
        }
        Some(AssetKind::Custom) => Err(format!("only the game knows what is in a chunk of kind {kind}")),
        _ => Err(format!("chunks of kind {kind} are unknown")),
    }
}
