//! The pictures of a description → the atlases that packs store: gray and alpha if the pictures have no colours, otherwise RGBA.

use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageView, PixelFormat};
use rres_import::{ImportError, PictureFile, Source};
use rres_settings::{ColorProfile, ImageFormat, ImageSettings, ImageStorage, extension_of};

use super::description::{Channels, Description};

/// Most pixels of all pictures: 4 bytes each, and as many again for each channel that has glyphs of its own.
const MAX_PIXELS: u64 = 1 << 26;

/// The decoded pictures.
pub(super) struct Pictures(Vec<Picture>);

struct Picture {
    /// Four bytes per pixel.
    rgba: Vec<u8>,
    meaning: Meaning,
}

/// How the coverage of glyphs follows from a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// White, with the coverage in alpha.
    Alpha,
    /// Opaque shades of gray: the shade is the coverage.
    Gray,
    /// Colours.
    Color,
}

/// Reads and decodes all pictures, which become inputs of the font.
pub(super) fn read(source: &mut Source<'_>, description: &Description) -> Result<Pictures, ImportError> {
    let encoder = source.encoders.images()?;
    let (width, height) = description.scale;
    let pixels = u64::from(width) * u64::from(height) * description.pages.len() as u64;
    if pixels > MAX_PIXELS {
        let message = format!("has {} pages of {width}×{height} pixels", description.pages.len());
        let error = ImportError::new(format!("{message}, more than {MAX_PIXELS} pixels in all"));
        return Err(error.with_help("export the font with fewer or smaller pages"));
    }
    let color_profile = ColorProfile::Ignore;
    let mut settings = ImageSettings { store: ImageStorage::Pixels, color_profile, ..ImageSettings::default() };
    settings.format = ImageFormat::Exact(PixelFormat::RGBA8);
    let mut pictures = Vec::new();
    for file in &description.pages {
        let bytes = source.read_input(file)?;
        let path = source.input_path(file)?;
        let in_page = |error: ImportError| error.within(&format!("page \"{file}\""));
        let picture = PictureFile { bytes: &bytes, path: &path, extension: extension_of(&path) };
        let image = encoder.of_file(picture, &settings).map_err(in_page)?;
        let block = image.blocks.iter().find(|block| block.kind == FourCc::IMGE);
        let view = block.and_then(|block| ImageView::parse(PayloadView::parse(&block.bytes).ok()?).ok());
        let view = view.ok_or_else(|| in_page(ImportError::new("has no pixels")))?;
        let props = view.props();
        if (props.width, props.height) != (width, height) {
            let message = format!(
                "describes pages of {width}×{height} pixels, and \"{file}\" has {}×{}",
                props.width, props.height
            );
            return Err(ImportError::new(message).with_help("export description and pictures together"));
        }
        let rgba = view.data().to_vec();
        pictures.push(Picture { meaning: meaning(&rgba), rgba });
    }
    Ok(Pictures(pictures))
}

fn meaning(rgba: &[u8]) -> Meaning {
    let mut pixels = rgba.chunks_exact(4);
    if pixels.clone().all(|pixel| pixel[3] == 255 && pixel[0] == pixel[1] && pixel[1] == pixel[2]) {
        Meaning::Gray
    } else if pixels.all(|pixel| pixel[3] == 0 || pixel[..3] == [255; 3]) {
        Meaning::Alpha
    } else {
        Meaning::Color
    }
}

impl Pictures {
    /// Whether glyphs in these channels of a page have colours.
    pub(super) fn is_color(&self, page: u32, channels: Channels) -> bool {
        channels == Channels::All && self.0[page as usize].meaning == Meaning::Color
    }

    /// The pixels of a page in a format: RGBA, or gray and alpha.
    pub(super) fn pixels(&self, page: u32, channels: Channels, format: PixelFormat) -> Vec<u8> {
        let Picture { rgba, meaning } = &self.0[page as usize];
        let coverage = |pixel: &[u8]| match (channels, meaning) {
            (Channels::One(channel), _) => pixel[channel],
            (Channels::All, Meaning::Gray) => pixel[0],
            (Channels::All, _) => pixel[3],
        };
        let pixels = rgba.chunks_exact(4);
        if format == PixelFormat::GRAY_ALPHA8 {
            pixels.flat_map(|pixel| [255, coverage(pixel)]).collect()
        } else if channels == Channels::All && *meaning == Meaning::Color {
            rgba.clone()
        } else {
            pixels.flat_map(|pixel| [255, 255, 255, coverage(pixel)]).collect()
        }
    }
}
