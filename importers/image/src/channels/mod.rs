//! Images whose channels come from several pictures: a description names a picture for each, as materials want it, where occlusion, roughness and
//! metal are one texture.

mod description;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::ColorSpace;
use rres_import::content::Content;
use rres_settings::{ImageFrames, ImageSettings, ImageStorage, extension_of};

use self::description::{Channel, Chosen, Description};
use super::convert::{Conversion, Pixel, pack};
use super::{Asset, Decoded, ImportError, Source, decode_file, finish};

/// The extension of descriptions.
pub(super) const EXTENSION: &str = "channels";

/// How many pixels are worked on at once.
const BATCH: usize = 1024;

/// Makes the image of a description.
pub(super) fn import(source: &mut Source<'_>) -> Result<Asset, ImportError> {
    let description = description::read(source)?;
    let settings = &source.settings.image;
    if let Some((_, name)) = [
        (settings.sheet, "sheet"),
        (settings.grid.is_some(), "grid"),
        (settings.frames == ImageFrames::All, "frames"),
        (settings.store == ImageStorage::Source, "store"),
        (settings.layers.is_some(), "layers"),
        (settings.slices.is_some(), "slices"),
    ]
    .iter()
    .find(|(is_set, _)| *is_set)
    {
        let message = format!("is made of channels of pictures, which cannot be stored with `image.{name}`");
        return Err(ImportError::new(message).with_help("remove the setting for it").without_fix());
    }
    let mut pictures = Vec::with_capacity(description.pictures.len());
    for path in &description.pictures {
        pictures.push(picture(source, path)?);
    }
    check_sizes(&description, &pictures)?;
    check_channels(&description, &pictures)?;
    let image = combine(&description, &pictures)?;
    // Channels are quantities, unless a rule says that they are colours.
    let settings = &source.settings.image;
    let color_space = settings.color_space.or(Some(ColorSpace::Linear));
    finish(image, &ImageSettings { color_space, frames: ImageFrames::First, ..settings.clone() })
}

/// Reads a picture that the description refers to.
fn picture(source: &mut Source<'_>, path: &str) -> Result<Decoded, ImportError> {
    let bytes = source.read_input(path)?;
    let settings = &source.settings.image;
    // Channels are quantities, unless a rule says that they are colours.
    let color_space = settings.color_space.or(Some(ColorSpace::Linear));
    let settings = ImageSettings { color_space, frames: ImageFrames::First, ..settings.clone() };
    let read = || {
        let (decoded, content) = decode_file(&bytes, path, &extension_of(path).to_lowercase(), &settings)?;
        if decoded.props.format.pixel_block().is_some() || matches!(content, Content::Dds | Content::Ktx) {
            let message = "is a texture for graphics cards, and channels are taken from pictures";
            return Err(ImportError::new(message).with_help("use the PNG that it was made from").without_fix());
        }
        Ok(decoded)
    };
    read().map_err(|error: ImportError| error.within(path))
}

fn check_sizes(description: &Description, pictures: &[Decoded]) -> Result<(), ImportError> {
    let size = |picture: &Decoded| (picture.props.width, picture.props.height);
    let (width, height) = size(&pictures[0]);
    match pictures.iter().position(|picture| size(picture) != (width, height)) {
        None => Ok(()),
        Some(at) => {
            let (own, first) = (&description.pictures[at], &description.pictures[0]);
            let found = size(&pictures[at]);
            let message = format!(
                "takes channels of \"{own}\" with {}×{} pixels and of \"{first}\" with {width}×{height}",
                found.0, found.1
            );
            Err(ImportError::new(message).with_help("save the pictures in one size").without_fix())
        }
    }
}

/// Checks that pictures have the channels that are taken of them, and that those of which the only one is taken are grey.
fn check_channels(description: &Description, pictures: &[Decoded]) -> Result<(), ImportError> {
    for channel in description.channels.iter().flatten() {
        let Channel::Of { picture, channel, .. } = channel else { continue };
        let (decoded, path) = (&pictures[*picture], &description.pictures[*picture]);
        let refuse = |why: &str, help: &str| {
            Err(ImportError::new(format!("takes a channel of \"{path}\", which {why}"))
                .with_help(help.to_owned())
                .without_fix())
        };
        match channel {
            Chosen::At(3) if !decoded.props.format.has_alpha() => {
                return refuse("has no alpha", "save it with alpha, or take another channel with `from`");
            }
            Chosen::Gray if !is_gray(decoded) => {
                return refuse("is not grey", "say which one: { file = \"…\", from = \"r\" }");
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether all pixels of a picture are grey.
fn is_gray(decoded: &Decoded) -> bool {
    let mut is_gray = true;
    each_batch(decoded, 0..pixel_count(decoded), |pixels| {
        is_gray &= pixels.iter().all(|[r, g, b, _]| r == g && g == b);
    });
    is_gray
}

fn pixel_count(decoded: &Decoded) -> usize {
    decoded.props.width as usize * decoded.props.height as usize
}

/// Reads pixels of the first level as numbers, some at a time.
fn each_batch(decoded: &Decoded, range: std::ops::Range<usize>, mut work: impl FnMut(&[Pixel])) {
    let size = decoded.props.format.bytes_per_pixel().unwrap_or_default() as usize;
    let conversion = Conversion { source: decoded.props.format, target: PixelFormat::RGBA32F, premultiply: false };
    let mut pixels = [[0.0; 4]; BATCH];
    for bytes in decoded.data()[range.start * size..range.end * size].chunks(BATCH * size.max(1)) {
        let pixels = &mut pixels[..bytes.len() / size.max(1)];
        conversion.read(bytes, pixels);
        work(pixels);
    }
}

/// Puts the channels together. The format has as many as the description names, and floats if a picture has more than 8 bits.
fn combine(Description { channels, .. }: &Description, pictures: &[Decoded]) -> Result<Decoded, ImportError> {
    use PixelFormat as F;
    let is_float = pictures.iter().any(|of| matches!(of.props.format, F::R32F | F::RGB32F | F::RGBA32F));
    let has = |at: usize| channels[at].is_some();
    let format = match (has(1) || has(2), has(3), is_float) {
        (_, true, false) if !has(1) && !has(2) => F::GRAY_ALPHA8,
        (_, true, false) => F::RGBA8,
        (_, true, true) => F::RGBA32F,
        (true, false, false) => F::RGB8,
        (true, false, true) => F::RGB32F,
        (false, false, false) => F::GRAY8,
        (false, false, true) => F::R32F,
    };
    let ImageProps { width, height, .. } = pictures[0].props;
    let mut image = Decoded::zeroed(ImageProps { width, height, format, mipmaps: 1 })?;
    image.is_widened = is_float && pictures.iter().any(|picture| picture.is_widened);
    image.notes = pictures.iter().flat_map(|picture| picture.notes.clone()).collect();
    let size = format.bytes_per_pixel().unwrap_or(1) as usize;
    // What is not named is 0, and alpha 1.
    let mut out = [[0.0, 0.0, 0.0, 1.0]; BATCH];
    let count = pixel_count(&image);
    for start in (0..count).step_by(BATCH) {
        let range = start..count.min(start + BATCH);
        let out = &mut out[..range.len()];
        for (position, channel) in channels.iter().enumerate() {
            match channel {
                None => {}
                Some(Channel::Constant(number)) => out.iter_mut().for_each(|pixel| pixel[position] = *number),
                Some(Channel::Of { picture, channel, is_inverted }) => {
                    let from = match channel {
                        Chosen::Gray => 0,
                        Chosen::At(at) => *at,
                    };
                    each_batch(&pictures[*picture], range.clone(), |pixels| {
                        for (out, pixel) in out.iter_mut().zip(pixels) {
                            out[position] = if *is_inverted { 1.0 - pixel[from] } else { pixel[from] };
                        }
                    });
                }
            }
        }
        pack(format, out, &mut image.data_mut()[range.start * size..range.end * size]);
    }
    Ok(image)
}
