//! PNG, JPEG, BMP, TGA, GIF (first frame), WebP, Radiance HDR, OpenEXR, QOI, Aseprite, DDS and KTX → IMGE: pixels of the source's depth and alpha.
//! A `.cube` is a table of colours. A `.cubemap` names the pictures that become the faces of a cube, and a `.channels` those that become the channels of an image.
//!
//! 8-bit channels stay 8-bit, 16-bit and float channels become 32-bit floats, palettes their colours, blocks stay
//! blocks. Settings convert and edit explicitly. Orientation tags are applied. Colours with another profile or gamma than that of sRGB become
//! sRGB, and a note says so; the numbers of all others are the numbers of the asset.
//!
//! A JPEG has a second form, its file, which the runtime decodes with the same code (`source_form`).
#![forbid(unsafe_code)]

mod aseprite;
#[cfg(feature = "gpu")]
mod astc_pattern;
mod atlas;
mod blocks;
mod channels;
mod convert;
mod cubemap;
mod dds;
mod decode;
mod decoded;
mod edit;
#[cfg(feature = "exr")]
mod exr;
mod facts;
mod frames;
mod gif;
mod half_float;
mod ktx;
mod layers;
mod lut;
#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod measured;
mod mips;
mod normals;
mod png;
mod profile;
mod source_form;
mod srgb;
mod tga;

use rres_format::Limits;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::{ImageProps, ImageView, PixelFormat};
use rres_format::index::{ColorSpace, Filter, ImageShape, Meta, MetaKey, Wrap};
use rres_format::{AssetKind, FourCc};

use rres_import::atlas::{AtlasOptions, Member, Page, Place};
use rres_import::content::{Content, check_content};
use rres_import::{Asset, Block, ImageEncoder, ImportError, Importer, Note, PictureFile, Source};
use rres_settings::{
    ColorProfile, Description, ImageFormat, ImageFrames, ImagePadding, ImageSettings, ImageStorage, Settings, Word,
    extension_of,
};

use self::convert::Conversion;
use self::decoded::{Decoded, HEAD, checked_size};
use self::edit::{Edited, Trim};
use self::frames::Frames;
use self::mips::Meaning;

/// The importer of pictures, and the encoder of images of all importers.
#[derive(Clone, Copy, Debug)]
pub struct ImageImporter;

impl Importer for ImageImporter {
    fn describe(&self) -> Description {
        rres_settings::asset_kinds::describe("image", 15)
    }

    /// Descriptions of channels and sheets name other files after their own. Most images are pictures.
    fn sees_path(&self, path: &str, settings: &Settings) -> bool {
        settings.image.sheet || extension_of(path).eq_ignore_ascii_case(channels::EXTENSION)
    }

    fn memory(&self, source: &Source<'_>) -> u64 {
        let (bytes, settings) = (source.bytes, source.settings);
        if source.extension() == cubemap::EXTENSION {
            // Its pictures are not known yet: faces of 1024×1024 as numbers, and copies; or a panorama of 8192×4096.
            let is_panorama = bytes.windows(cubemap::PANORAMA.len()).any(|word| word == cubemap::PANORAMA.as_bytes());
            return if is_panorama { 1536 << 20 } else { 256 << 20 };
        }
        if source.extension() == channels::EXTENSION {
            // Its pictures are not known yet: four of 2048×2048, and the image.
            return 128 << 20;
        }
        // Pixels, a conversion of them, and twice what they are compressed to. Edits need them as numbers, too, which take 16
        // to 28 bytes for each pixel.
        let ImageSettings { scale, fit, pad, alpha_bleed, color_key, .. } = &settings.image;
        let is_edited =
            *scale != 1.0 || *alpha_bleed || fit.is_some() || color_key.is_some() || *pad != ImagePadding::None;
        // Blocks are made of RGBA, once for each format that is tried.
        let copies = if is_edited {
            24
        } else if blocks::is_asked(&settings.image) {
            8
        } else {
            4
        };
        let size = match settings.image.frames {
            ImageFrames::First => 1,
            ImageFrames::All => frames::animation::count(bytes),
        };
        let pixels = decode::decoded_size(bytes).map(|pixels| pixels.saturating_mul(size.into()));
        // What is far too large is refused by its head. The estimate may be above what is stored, but not that far.
        let pixels = pixels.filter(|pixels| *pixels <= 4 * Limits::DEFAULT.max_decoded);
        pixels.map_or(bytes.len() as u64 * 4, |pixels| pixels.saturating_mul(copies))
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let extension = source.extension();
        let settings = &source.settings.image;
        if extension == channels::EXTENSION {
            return Ok(vec![channels::import(source)?]);
        }
        if extension == lut::EXTENSION {
            return Ok(vec![lut::import(source.bytes, settings)?]);
        }
        if extension == cubemap::EXTENSION {
            return Ok(vec![cubemap::import(source)?]);
        }
        let mut image = import_image(source.bytes, source.path, &extension, settings)?;
        if settings.sheet {
            let name = source.path.rsplit('/').next().unwrap_or(source.path);
            let json = format!("{}.json", name.rsplit_once('.').map_or(name, |(stem, _)| stem));
            let description = source.read_input(&json)?;
            frames::sheet::read(&description, &json, picture_size(&image))?.attach(&mut image);
        }
        Ok(vec![image])
    }
}

impl ImageEncoder for ImageImporter {
    fn of_levels(&self, props: ImageProps, pixels: &[u8], settings: &ImageSettings) -> Result<Asset, ImportError> {
        of_levels(props, pixels, settings)
    }

    fn of_file(&self, file: PictureFile<'_>, settings: &ImageSettings) -> Result<Asset, ImportError> {
        import_image(file.bytes, file.path, file.extension, settings)
    }

    fn rgba_of_png(&self, png: &[u8], stored: (u32, u32), drawn: (u32, u32)) -> Result<Vec<u8>, ImportError> {
        import_picture(png, stored, drawn)
    }

    fn lay_out(&self, sizes: &[(u32, u32)], options: &AtlasOptions) -> Result<(Vec<Page>, Vec<Place>), usize> {
        atlas::lay_out(sizes, options)
    }

    fn compose(
        &self,
        members: &[Member],
        pages: &[Page],
        options: &AtlasOptions,
        meta: &Meta,
    ) -> Result<Vec<Asset>, ImportError> {
        atlas::compose(members, pages, options, meta)
    }

    fn decoded_size(&self, file: &[u8]) -> Option<u64> {
        decode::decoded_size(file)
    }
}

/// Turns the bytes of an image file into a resource without a name.
///
/// `path` is the asset path, for help texts. `extension` is the extension of the file, without dot; contents of another
/// format are an error. If it is empty, every known format is accepted except TGA, which has no signature.
///
/// # Errors
/// [`ImportError`] if the bytes are not an image, are damaged or too large, or cannot be stored as the settings ask.
pub(crate) fn import_image(
    bytes: &[u8],
    path: &str,
    extension: &str,
    settings: &ImageSettings,
) -> Result<Asset, ImportError> {
    if settings.frames == ImageFrames::All
        && settings.layers.or(settings.slices).is_none()
        && let content = check_content(bytes, path, extension, AssetKind::Image, false)?
        && let Some((mut sheet, frames)) = frames::animation::decode(bytes, content)?
    {
        facts::apply_colors(&mut sheet, bytes, content, settings);
        let mut image = finish(sheet, settings)?;
        frames.attach(&mut image);
        return Ok(image);
    }
    let (decoded, content) = decode_file(bytes, path, extension, settings)?;
    let decoded = match decoded.shape {
        ImageShape::Flat => match layers::of_sheet(decoded, settings)? {
            Ok(image) => return Ok(image),
            Err(decoded) => decoded,
        },
        ImageShape::Cube => return cubemap::of_texture(decoded, settings),
        _ => return layers::of_texture(decoded, settings),
    };
    let (props, is_converted) = (decoded.props, decoded.is_converted);
    let mut image = finish(decoded, settings)?;
    if let Some(cell) = settings.grid {
        Frames::of_grid(picture_size(&image), cell, settings)?.attach(&mut image);
    }
    if settings.atlas.is_some() || is_converted {
        // Its pixels become a part of another image, or are not those of the file.
        return Ok(image);
    }
    source_form::offer(image, props, (bytes, content), path, settings)
}

/// A PNG inside of another file → its pixels as RGBA, in the size `drawn`. `stored` is its size according to that file.
pub(crate) fn import_picture(png: &[u8], stored: (u32, u32), drawn: (u32, u32)) -> Result<Vec<u8>, ImportError> {
    if !png.starts_with(b"\x89PNG") {
        return Err(ImportError::new("is not a PNG"));
    }
    let format = ImageFormat::Exact(PixelFormat::RGBA8);
    let store = ImageStorage::Pixels;
    let color_profile = ColorProfile::Ignore;
    let settings = ImageSettings { store, format, color_profile, ..ImageSettings::default() };
    // A head that states another size may state one that takes gigabytes.
    let size = png.get(16..24).map(|size| (u32_be(size), u32_be(&size[4..])));
    if size != Some(stored) {
        let (width, height) = size.unwrap_or_default();
        return Err(ImportError::new(format!("has {width}×{height} pixels, expected {}×{}", stored.0, stored.1)));
    }
    let image = import_image(png, "picture.png", "png", &settings)?;
    let block = image.blocks.iter().find(|block| block.kind == FourCc::IMGE);
    let view = block.and_then(|block| ImageView::parse(PayloadView::parse(&block.bytes).ok()?).ok());
    let Some(rgba) = view.as_ref().and_then(|view| view.level(0)) else {
        return Err(ImportError::new("has no pixels"));
    };
    Ok(if drawn == stored { rgba.to_vec() } else { edit::resized(rgba, stored, drawn) })
}

fn u32_be(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// The pixels of an image file, and its format; only the first picture of an animation.
fn decode_file(
    bytes: &[u8],
    path: &str,
    extension: &str,
    settings: &ImageSettings,
) -> Result<(Decoded, Content), ImportError> {
    let content = check_content(bytes, path, extension, AssetKind::Image, false)?;
    let decoded = match content {
        Content::Dds => dds::read(bytes, path)?,
        Content::Ktx => ktx::read(bytes, path)?,
        Content::Aseprite => aseprite::decode(bytes)?,
        #[cfg(feature = "exr")]
        Content::Exr => exr::decode(bytes)?,
        #[cfg(not(feature = "exr"))]
        Content::Exr => return Err(exr_is_disabled()),
        content => decode::decode(bytes, content)?,
    };
    Ok((facts::apply(decoded, bytes, content, settings)?, content))
}

/// Makes an asset of the pixels of all levels, from the largest on.
fn of_levels(props: ImageProps, pixels: &[u8], settings: &ImageSettings) -> Result<Asset, ImportError> {
    let ImageProps { width, height, format, .. } = props;
    let mut decoded = Decoded::zeroed(props)?;
    if decoded.data().len() != pixels.len() {
        let expected = decoded.data().len();
        let found = pixels.len();
        let message = format!("became {width}×{height} {format} with {found} bytes of pixels, expected {expected}");
        return Err(ImportError::new(message));
    }
    decoded.data_mut().copy_from_slice(pixels);
    finish(decoded, settings)
}

#[cfg(not(feature = "exr"))]
fn exr_is_disabled() -> ImportError {
    ImportError::new("is an OpenEXR file, and the feature `exr` of rres-build is disabled").with_help(
        "enable it with `cargo add --build rres-build --features exr`, or convert the file to Radiance HDR or DDS, or store its \
         bytes with kind = \"raw\"",
    )
}

/// Imports a file with the extension `extension`, for the fuzz targets of this repository: what it became, or why not.
///
/// # Errors
/// As [`import_image`].
#[doc(hidden)]
pub fn fuzz_image(bytes: &[u8], extension: &str) -> Result<String, String> {
    let settings = ImageSettings::default();
    let image = match extension {
        lut::EXTENSION => lut::import(bytes, &settings),
        _ => import_image(bytes, "fuzz", extension, &settings),
    };
    let image = image.map_err(|e| e.to_string())?;
    let block = image.blocks.first().ok_or("an image has a block")?;
    let payload = PayloadView::parse(&block.bytes).map_err(|e| e.to_string())?;
    // Readers must accept what an importer writes.
    assert!(ImageView::parse(payload).is_ok(), "{}", image.summary);
    Ok(image.summary)
}

/// Width and height of a stored image, without padding.
fn picture_size(image: &Asset) -> (u32, u32) {
    let view = image.blocks.first().and_then(|block| ImageView::parse(PayloadView::parse(&block.bytes).ok()?).ok());
    let props = view.map(|view| view.props());
    let edge = |key, edge| image.meta.get(key).unwrap_or(edge);
    props.map_or((0, 0), |props| {
        (edge(MetaKey::CONTENT_WIDTH, props.width), edge(MetaKey::CONTENT_HEIGHT, props.height))
    })
}

/// What the numbers of an image are.
fn meaning(decoded: &Decoded, settings: &ImageSettings) -> Meaning {
    match settings.normal_map {
        Some(true)
            if [decoded.props.format, settings.format.of(decoded.props.format)].into_iter().all(normals::fit) =>
        {
            Meaning::Normals
        }
        Some(true) => Meaning::Linear,
        _ if blocks::is_linear_only(settings) => Meaning::Linear,
        _ if is_linear(decoded, settings) => Meaning::Linear,
        _ => Meaning::Srgb,
    }
}

/// Whether the numbers are linear, as a rule or the file says. A rule that says sRGB is for files whose exporter was wrong; formats that have no
/// sRGB form stay linear.
fn is_linear(decoded: &Decoded, settings: &ImageSettings) -> bool {
    let format = decoded.props.format;
    let is_float = matches!(format, PixelFormat::R32F | PixelFormat::RGB32F | PixelFormat::RGBA32F);
    let has_no_srgb = is_float || format.pixel_block().is_some() && format.is_always_linear();
    match settings.color_space {
        Some(ColorSpace::Linear) => true,
        Some(ColorSpace::Srgb) if !has_no_srgb => false,
        _ => decoded.linear,
    }
}

/// Applies the settings and creates the resource.
fn finish(decoded: Decoded, settings: &ImageSettings) -> Result<Asset, ImportError> {
    let meaning = meaning(&decoded, settings);
    let linear = meaning != Meaning::Srgb;
    let is_linear = is_linear(&decoded, settings);
    let is_widened = decoded.is_widened;
    let Edited { mut decoded, content, trim, lost_levels } = edit::apply(decoded, settings, linear)?;
    let props = decoded.props;
    let all_levels = props.width.max(props.height).ilog2() + 1;
    let target = settings.format.of(props.format);
    let premultiplied = decoded.premultiplied || settings.premultiply;
    let conversion = Conversion {
        source: props.format,
        target,
        premultiply: settings.premultiply && !decoded.premultiplied && props.format.has_alpha(),
    };
    // Levels of an atlas are made of the whole.
    let add_levels = settings.atlas.is_none() && (settings.mipmaps || lost_levels) && props.mipmaps != all_levels;
    let mut notes = std::mem::take(&mut decoded.notes);
    if settings.normal_map == Some(true) && meaning != Meaning::Normals {
        let note = Note::new("grey images are not normal maps").with_detail(target.to_string());
        notes.push(note.with_help("save them in colour, or remove image = { normal_map = true } for them"));
    }
    if decoded.is_widened && settings.format.exact().is_none() {
        let size = props.format.bytes_per_pixel().unwrap_or_default();
        let note =
            Note::new("16-bit channels are stored as 32-bit floats").with_detail(format!("{size} bytes a pixel"));
        notes.push(
            note.with_help("store 8 bits with image = { format = \"rgba8\" }, or accept it with format = \"rgba32f\""),
        );
    }
    let done = if props.format.pixel_block().is_some() {
        refuse_changes_of_blocks(&decoded, settings, conversion.premultiply, add_levels)?;
        decoded
    } else if add_levels {
        mips::with_all_levels(&decoded, conversion, meaning)?
    } else if conversion.is_identity() {
        decoded
    } else {
        let mut converted = Decoded::zeroed(ImageProps { format: target, ..props })?;
        conversion.convert(decoded.data(), converted.data_mut());
        converted
    };
    let mut quality = None;
    let done = if blocks::is_asked(settings) && props.format.pixel_block().is_none() {
        let source = blocks::Source { format: props.format, is_linear, is_widened };
        let stored = blocks::store(done, source, settings, meaning, &mut notes)?;
        quality = stored.quality;
        stored.decoded
    } else {
        done
    };
    let Decoded { props, mut block, .. } = done;
    block[..HEAD].copy_from_slice(&props.block(&[]));

    let mut summary = format!("{}×{} {}", props.width, props.height, props.format);
    if props.mipmaps > 1 {
        summary += &format!(" {} mips", props.mipmaps);
    }
    if let Some(quality) = quality {
        summary += &format!(" {:.1} dB SSIM {:.3}", quality.psnr, quality.ssim);
    }
    let mut meta = Meta::default();
    if let Some(blocks::Quality { psnr, ssim }) = quality {
        // Rounded, since mathematical libraries disagree about the last digits of logarithms.
        meta.set_f32(MetaKey::PSNR, ((psnr * 100.0).round() / 100.0) as f32);
        meta.set_f32(MetaKey::SSIM, ((ssim * 10_000.0).round() / 10_000.0) as f32);
    }
    if let Some((width, height)) = content {
        meta.set(MetaKey::CONTENT_WIDTH, width);
        meta.set(MetaKey::CONTENT_HEIGHT, height);
        summary += &format!(" with {width}×{height} content");
    }
    if let Some(Trim { left, top, full }) = trim {
        meta.set(MetaKey::TRIM_LEFT, left);
        meta.set(MetaKey::TRIM_TOP, top);
        meta.set(MetaKey::FULL_WIDTH, full.0);
        meta.set(MetaKey::FULL_HEIGHT, full.1);
    }
    if let Some(filter) = settings.filter.filter(|filter| *filter != Filter::default()) {
        meta.set(MetaKey::FILTER, filter as u32);
        summary += &format!(" {filter}");
    }
    if let Some(wrap) = settings.wrap.filter(|wrap| *wrap != Wrap::default()) {
        meta.set(MetaKey::WRAP, wrap as u32);
        summary += &format!(" {wrap}");
    }
    if linear {
        meta.set(MetaKey::COLOR_SPACE, ColorSpace::Linear as u32);
        summary += " linear";
    }
    if premultiplied {
        meta.set(MetaKey::PREMULTIPLIED, 1);
        summary += " premultiplied";
    }
    // The filter is named only if it is not "linear", since the colour space may also be "linear".
    Ok(Asset { meta, notes, ..Asset::new(AssetKind::Image, vec![Block::new(FourCc::IMGE, block)], summary) })
}

/// Refuses settings that would change block-compressed pixels: decoding and encoding them again would lose quality.
fn refuse_changes_of_blocks(
    decoded: &Decoded,
    settings: &ImageSettings,
    premultiply: bool,
    add_levels: bool,
) -> Result<(), ImportError> {
    let asked = if let Some(format) = settings.format.exact().filter(|format| *format != decoded.props.format) {
        format!("format = \"{}\"", ImageFormat::Exact(format).word())
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
    .with_help("remove the setting, or export the file that way, or use an uncompressed source such as PNG"))
}

#[cfg(test)]
mod tests;
