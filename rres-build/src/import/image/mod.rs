//! PNG, JPEG, BMP, TGA, GIF (first frame), Radiance HDR, QOI and DDS → IMGE: pixels of the source's depth and alpha.
//!
//! 8-bit channels stay 8-bit, 16-bit and float channels become 32-bit floats, palettes their colours, DXT blocks stay
//! blocks. Settings convert explicitly. Orientation tags, gamma chunks and colour profiles are not applied: the numbers
//! of the file are the numbers of the asset.

mod convert;
mod dds;
mod decode;
mod mips;
mod srgb;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::{Meta, MetaKey};
use rres_format::limits::Limits;
use rres_format::{AssetKind, FourCc};

use self::convert::Conversion;
use super::sniff::{Content, first_bytes, sniff};
use super::{Block, ImportError, Importer, Part, Source};
use crate::settings::{ColorSpace, Filter, ImageSettings, Settings, Wrap};

/// Most pixels of one level: 16384².
const MAX_PIXELS: u64 = 1 << 28;

/// Property count and four properties, before the pixels of an IMGE block.
const HEAD: usize = 20;

pub(super) struct ImageImporter;

impl Importer for ImageImporter {
    fn kind(&self) -> AssetKind {
        AssetKind::Image
    }

    fn version(&self) -> u32 {
        1
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["png", "jpg", "jpeg", "bmp", "tga", "gif", "hdr", "qoi", "dds"]
    }

    fn memory(&self, bytes: &[u8], _settings: &Settings) -> u64 {
        // Pixels, a conversion of them, and twice what they are compressed to.
        decode::decoded_size(bytes).map_or(bytes.len() as u64 * 4, |pixels| pixels.saturating_mul(4))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Part>, ImportError> {
        let extension = source.extension();
        Ok(vec![import_image(source.bytes, source.path, &extension, &source.settings.image)?])
    }
}

/// Turns the bytes of an image file into a part without a name.
///
/// `name_for_messages` is what help texts call the file; `extension_hint` what it is said to be, without dot. Content
/// that is something else is an error; an empty hint accepts every known format (TGA, which has no mark, by `tga` only).
///
/// # Errors
/// [`ImportError`] for what is no image, is damaged or too large, or cannot be stored as the settings ask.
pub(crate) fn import_image(
    bytes: &[u8],
    name_for_messages: &str,
    extension_hint: &str,
    settings: &ImageSettings,
) -> Result<Part, ImportError> {
    let decoded = match check_content(bytes, name_for_messages, extension_hint)? {
        Some(Content::Dds) => dds::read(bytes, name_for_messages)?,
        content => decode::decode(bytes, content)?,
    };
    finish(decoded, settings)
}

/// What the bytes are, `None` for TGA, once they agree with the extension.
fn check_content(bytes: &[u8], name: &str, extension: &str) -> Result<Option<Content>, ImportError> {
    let expected = match extension {
        "png" => Some(Content::Png),
        "jpg" | "jpeg" => Some(Content::Jpeg),
        "bmp" => Some(Content::Bmp),
        "gif" => Some(Content::Gif),
        "hdr" => Some(Content::Hdr),
        "qoi" => Some(Content::Qoi),
        "dds" => Some(Content::Dds),
        _ => None,
    };
    if bytes.is_empty() {
        return Err(ImportError::new("is empty (0 bytes)")
            .help("save it again, or leave it out with ignore = true in assets.toml"));
    }
    let found = sniff(bytes);
    let is_image = matches!(
        found,
        Some(Content::Png | Content::Jpeg | Content::Bmp | Content::Gif | Content::Hdr | Content::Qoi | Content::Dds)
    );
    match (found, expected) {
        (Some(found), Some(expected)) if found == expected => Ok(Some(found)),
        (Some(found), Some(expected)) => {
            Err(ImportError::new(format!("is {}, not {}", found.name(), expected.name())).help(found.help(name)))
        }
        // A TGA may begin with anything, but nothing that begins like another kind has turned out to be one.
        (Some(found), None) if extension == "tga" => {
            Err(ImportError::new(format!("is {}, not a TGA", found.name())).help(found.help(name)))
        }
        (Some(found), None) if is_image => Ok(Some(found)),
        (Some(found), None) => {
            Err(ImportError::new(format!("is {}, which is no image format known here", found.name()))
                .help(found.help(name)))
        }
        (None, None) if extension == "tga" => Ok(None),
        (None, expected) => {
            let what = expected.map_or("an image of a known format", Content::name);
            Err(ImportError::new(format!("is not {what}: it starts with {}", first_bytes(bytes))).help(format!(
                "save it again, or store it as it is with kind = \"raw\" under [\"{name}\"] in assets.toml"
            )))
        }
    }
}

/// An image as decoded: an IMGE block in the making.
struct Decoded {
    props: ImageProps,
    /// [`HEAD`] bytes for the properties, then all levels.
    block: Vec<u8>,
    /// The numbers are linear by the definition of the file format, whatever the settings say.
    linear: bool,
    /// The file says that its colours are multiplied with alpha.
    premultiplied: bool,
}

impl Decoded {
    /// An image of zeros, once its size is known to be sane.
    fn zeroed(props: ImageProps) -> Result<Self, ImportError> {
        let size = checked_size(&props)?;
        // Zeroed pages cost nothing until they are written, whatever size the header of a short file claims.
        Ok(Self { props, block: vec![0; HEAD + size], linear: false, premultiplied: false })
    }

    fn data(&self) -> &[u8] {
        &self.block[HEAD..]
    }

    fn data_mut(&mut self) -> &mut [u8] {
        &mut self.block[HEAD..]
    }
}

/// The bytes of all levels, if edges and sizes are within what is stored.
fn checked_size(props: &ImageProps) -> Result<usize, ImportError> {
    let ImageProps { width, height, .. } = *props;
    if width == 0 || height == 0 {
        return Err(ImportError::new(format!("has {width}×{height} pixels")).help("save it with at least one pixel"));
    }
    let size = props.data_size().map_err(|e| {
        ImportError::new(format!("cannot be stored: {e}")).help("save it again with other edges or mip levels")
    })?;
    let limit = Limits::DEFAULT.max_decoded - HEAD as u64;
    if u64::from(width) * u64::from(height) > MAX_PIXELS || size > limit {
        return Err(ImportError::new(format!(
            "is too large: {width}×{height} {} with {} is {} MiB, the limits are 2^28 pixels and 1 GiB",
            props.format,
            if props.mipmaps == 1 { "1 level".to_owned() } else { format!("{} mip levels", props.mipmaps) },
            size >> 20
        ))
        .help("split it or scale it down"));
    }
    usize::try_from(size).map_err(|_| ImportError::new("is too large for this machine"))
}

/// Applies the settings and makes the part.
fn finish(decoded: Decoded, settings: &ImageSettings) -> Result<Part, ImportError> {
    let props = decoded.props;
    let all_levels = props.width.max(props.height).ilog2() + 1;
    let target = settings.format.map_or(props.format, |choice| PixelFormat(choice as u32));
    let linear = decoded.linear || settings.color_space == ColorSpace::Linear;
    let premultiplied = decoded.premultiplied || settings.premultiply;
    let conversion = Conversion {
        source: props.format,
        target,
        premultiply: settings.premultiply && !decoded.premultiplied && props.format.has_alpha(),
    };
    let add_levels = settings.mipmaps && props.mipmaps != all_levels;
    let done = if props.format.block().is_some() {
        refuse_changes_of_blocks(&decoded, settings, conversion.premultiply, add_levels)?;
        decoded
    } else if add_levels {
        mips::with_all_levels(&decoded, conversion, linear)?
    } else if conversion.is_identity() {
        decoded
    } else {
        let mut converted = Decoded::zeroed(ImageProps { format: target, ..props })?;
        conversion.convert(decoded.data(), converted.data_mut());
        converted
    };
    let Decoded { props, mut block, .. } = done;
    block[..HEAD].copy_from_slice(&props.block(&[]));

    let mut summary = format!("{}×{} {}", props.width, props.height, props.format);
    if props.mipmaps > 1 {
        summary += &format!(" {} mips", props.mipmaps);
    }
    let mut meta = Meta::default();
    if settings.filter != Filter::default() {
        meta.set(MetaKey::FILTER, settings.filter as u32);
        summary += &format!(" {}", settings.filter.name());
    }
    if settings.wrap != Wrap::default() {
        meta.set(MetaKey::WRAP, settings.wrap as u32);
        summary += &format!(" {}", settings.wrap.name());
    }
    if linear {
        meta.set(MetaKey::COLOR_SPACE, ColorSpace::Linear as u32);
        summary += " linear";
    }
    if premultiplied {
        meta.set(MetaKey::PREMULTIPLIED, 1);
        summary += " premultiplied";
    }
    // "linear" twice would say nothing: the filter is only named when it is not linear.
    Ok(Part { meta, ..Part::new(AssetKind::Image, vec![Block::new(FourCc::IMGE, block)], summary) })
}

/// Blocks are kept as they are: to change them they would have to be decoded and encoded again, with a loss.
fn refuse_changes_of_blocks(
    decoded: &Decoded,
    settings: &ImageSettings,
    premultiply: bool,
    add_levels: bool,
) -> Result<(), ImportError> {
    let asked = if let Some(format) = settings.format {
        format!("format = \"{}\"", format.name())
    } else if add_levels {
        "mipmaps = true".to_owned()
    } else if premultiply {
        "premultiply = true".to_owned()
    } else {
        return Ok(());
    };
    let ImageProps { format, mipmaps, .. } = decoded.props;
    Err(ImportError::new(format!(
        "is block-compressed ({format}, mip levels: {mipmaps}) and cannot be stored with {asked}"
    ))
    .help("take the setting away, or export the DDS that way, or use an uncompressed source such as PNG"))
}

#[cfg(test)]
mod tests;
