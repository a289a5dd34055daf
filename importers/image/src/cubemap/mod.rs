//! Cubemaps: six square faces, one above the other in one image, in the order of graphics libraries: +X, -X, +Y, -Y, +Z, -Z.
//!
//! A description says what the faces are made of: six pictures, a cross, a strip, or a panorama. DDS and KTX2 may have all faces. Each mip level has all of its faces
//! together, so that it is the strip of that level. raylib reads such an image as `CUBEMAP_LAYOUT_LINE_VERTICAL`.

mod crop;
mod description;
mod panorama;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::index::ImageShape;

use self::description::Description;
pub(super) use self::description::PANORAMA;
use rres_import::content::Content;
use rres_settings::{ImageFrames, ImagePadding, ImageSettings, extension_of};

use super::convert::Conversion;
use super::{Asset, Decoded, ImportError, Source, blocks, decode_file, edit, layers, meaning, mips};

/// The extension of descriptions.
pub(super) const EXTENSION: &str = "cubemap";

/// The faces, as the keys of descriptions and in messages.
const FACES: [&str; 6] = ["px", "nx", "py", "ny", "pz", "nz"];

/// Makes the image of a description.
pub(super) fn import(source: &mut Source<'_>) -> Result<Asset, ImportError> {
    let settings = &source.settings.image;
    let description = description::read(source)?;
    refuse_settings(settings)?;
    let faces = match description {
        Description::Faces(paths) => {
            let mut faces = Vec::with_capacity(paths.len());
            for path in &paths {
                faces.push(picture(source, path)?);
            }
            faces
        }
        Description::Cross(path) => crop::cross(&picture(source, &path)?).map_err(|error| error.within(&path))?,
        Description::Strip(path) => crop::strip(&picture(source, &path)?).map_err(|error| error.within(&path))?,
        Description::Panorama { path, size } => {
            panorama::faces(&picture(source, &path)?, size, settings).map_err(|error| error.within(&path))?
        }
    };
    of_faces(faces, settings)
}

/// Reads a picture that the description refers to.
fn picture(source: &mut Source<'_>, path: &str) -> Result<Decoded, ImportError> {
    let bytes = source.read_input(path)?;
    let read = || {
        let (decoded, content) = decode_file(&bytes, path, &extension_of(path).to_lowercase(), &source.settings.image)?;
        if decoded.props.format.pixel_block().is_some() || matches!(content, Content::Dds | Content::Ktx) {
            let message = "is a texture for graphics cards, and the faces of a cubemap are made of pictures";
            return Err(ImportError::new(message)
                .with_help("use the PNG, EXR or HDR that it was made from")
                .without_fix());
        }
        Ok(decoded)
    };
    read().map_err(|error: ImportError| error.within(path))
}

/// Refuses settings of images that are not faces.
fn refuse_settings(settings: &ImageSettings) -> Result<(), ImportError> {
    let refused = [
        (settings.atlas.is_some(), "atlas"),
        (settings.grid.is_some(), "grid"),
        (settings.sheet, "sheet"),
        (settings.frames == ImageFrames::All, "frames"),
        (settings.pad != ImagePadding::None, "pad"),
        (settings.layers.is_some(), "layers"),
        (settings.slices.is_some(), "slices"),
    ];
    match refused.iter().find(|(is_set, _)| *is_set) {
        Some((_, name)) => Err(ImportError::new(format!("is a cubemap, which cannot be stored with `image.{name}`"))
            .with_help("remove the setting for it")
            .without_fix()),
        None => Ok(()),
    }
}

/// Makes one image of six faces.
fn of_faces(faces: Vec<Decoded>, settings: &ImageSettings) -> Result<Asset, ImportError> {
    let linear = meaning(&faces[0], settings) != mips::Meaning::Srgb;
    let mut edited = Vec::with_capacity(faces.len());
    for face in faces {
        edited.push(edit::apply(face, settings, linear)?.decoded);
    }
    let edge = check_sizes(&edited)?;
    layers::check_blocks("faces", (edge, edge), settings)?;
    let format = common_format(&edited)?;
    let levels = if settings.mipmaps { levels(edge, settings)? } else { 1 };
    let with_levels = edited.into_iter().map(|face| with_levels(face, format, levels, settings));
    let faces = with_levels.collect::<Result<Vec<_>, _>>()?;
    let stacked = layers::stack(&faces, levels, ImageShape::Cube)?;
    // The faces have their edits and levels.
    let without_edits =
        ImageSettings { scale: 1.0, fit: None, alpha_bleed: false, color_key: None, ..settings.clone() };
    layers::finish_stacked(stacked, &without_edits)
}

/// Makes the image of a texture for graphics cards that is a cubemap. Its levels are kept if the pixels need not change.
pub(super) fn of_texture(stacked: Decoded, settings: &ImageSettings) -> Result<Asset, ImportError> {
    refuse_settings(settings)?;
    if stacked.props.format.pixel_block().is_none() {
        layers::check_blocks("faces", (stacked.props.width, stacked.props.width), settings)?;
    }
    let has_levels = stacked.props.mipmaps > 1;
    if !layers::needs_pixels(&stacked, settings) || stacked.props.format.pixel_block().is_some() {
        let settings = layers::for_column(&stacked, settings);
        return layers::finish_stacked(
            stacked,
            &ImageSettings { mipmaps: settings.mipmaps && !has_levels, ..settings },
        );
    }
    let settings = ImageSettings { mipmaps: settings.mipmaps || has_levels, ..settings.clone() };
    let note = layers::new_levels(stacked.props.mipmaps);
    let mut faces = crop::strip(&stacked)?;
    faces[0].notes.extend(note);
    of_faces(faces, &settings)
}

/// The six faces of a texture file, each with its levels, as one image.
pub(super) fn of_texture_faces(faces: &[Decoded]) -> Result<Decoded, ImportError> {
    check_sizes(faces)?;
    layers::of_texture_layers(faces, ImageShape::Cube)
}

/// Checks that all faces are squares of one size, and returns their edge.
fn check_sizes(faces: &[Decoded]) -> Result<u32, ImportError> {
    let size = |face: &Decoded| (face.props.width, face.props.height);
    let first = size(&faces[0]);
    if first.0 != first.1 {
        return Err(wrong(format!("has faces of {}×{} pixels, expected squares", first.0, first.1)));
    }
    for (name, face) in FACES.iter().zip(faces) {
        let (width, height) = size(face);
        if (width, height) != first {
            let expected = first.0;
            return Err(wrong(format!(
                "has a face {name} of {width}×{height} pixels, expected {expected}×{expected} as of the face px"
            )));
        }
    }
    // A strip of more is refused when it is made.
    first.0.checked_mul(6).map(|_| first.0).ok_or_else(|| wrong("has faces that are too large".to_owned()))
}

/// The format that has all that the formats of the faces have: programs that save pictures leave out what a picture does not use.
fn common_format(faces: &[Decoded]) -> Result<PixelFormat, ImportError> {
    use PixelFormat as F;
    let first = &faces[0];
    if faces.iter().all(|face| face.props.format == first.props.format && face.linear == first.linear) {
        return Ok(first.props.format);
    }
    if let Some((name, face)) = FACES
        .iter()
        .zip(faces)
        .find(|(_, face)| face.linear != first.linear || face.premultiplied != first.premultiplied)
    {
        let (found, expected) = (face.props.format, first.props.format);
        return Err(wrong(format!(
            "has a face {name} in {found} and a face px in {expected} whose numbers mean something else"
        )));
    }
    let has = |test: fn(F) -> bool| faces.iter().any(|face| test(face.props.format));
    let is_float = has(|format| matches!(format, F::R32F | F::RGB32F | F::RGBA32F));
    let is_gray = !has(|format| !matches!(format, F::GRAY8 | F::GRAY_ALPHA8 | F::R32F));
    Ok(match (is_float, is_gray, has(F::has_alpha)) {
        (false, true, false) => F::GRAY8,
        (false, true, true) => F::GRAY_ALPHA8,
        (false, false, false) => F::RGB8,
        (false, false, true) => F::RGBA8,
        (true, true, false) => F::R32F,
        (true, false, false) => F::RGB32F,
        (true, _, true) => F::RGBA32F,
    })
}

/// The number of levels of faces with this edge: down to one pixel, or to the last one of whole blocks.
fn levels(edge: u32, settings: &ImageSettings) -> Result<u32, ImportError> {
    if !edge.is_power_of_two() {
        return Err(wrong(format!(
            "has faces of {edge}×{edge} pixels, and mip levels of a cubemap need a power of two such as {}",
            edge.next_power_of_two()
        )));
    }
    let all = edge.ilog2() + 1;
    if !blocks::is_asked(settings) {
        return Ok(all);
    }
    let block = settings.format.exact().and_then(PixelFormat::pixel_block);
    // Formats that are chosen for each image have blocks of up to 8×8.
    let block = block.map_or(8, |block| block.width.max(block.height));
    Ok((0..all).take_while(|level| (edge >> level).is_multiple_of(block)).count().max(1) as u32)
}

/// A face in this format with this number of levels.
fn with_levels(
    face: Decoded,
    format: PixelFormat,
    levels: u32,
    settings: &ImageSettings,
) -> Result<Decoded, ImportError> {
    let conversion = Conversion { source: face.props.format, target: format, premultiply: false };
    let ImageProps { width, height, .. } = face.props;
    let mut made = if levels > 1 {
        mips::with_all_levels(&face, conversion, meaning(&face, settings))?
    } else if conversion.is_identity() {
        return Ok(face);
    } else {
        let mut converted = Decoded::zeroed(ImageProps { width, height, format, mipmaps: 1 })?;
        conversion.convert(face.data(), converted.data_mut());
        converted
    };
    made.props.mipmaps = levels;
    Ok(Decoded { props: made.props, block: made.block, ..face })
}

/// An error about the pictures.
fn wrong(message: String) -> ImportError {
    ImportError::new(message).with_help("save the pictures again, or remove what is not a face").without_fix()
}
