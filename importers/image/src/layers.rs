//! Pictures of one size, one above the other in one image: the layers of a texture array, the slices of a 3D texture, the faces of a cube.
//!
//! A sheet is cut into them by a rule, and textures for graphics cards may have them. Each mip level has all of its layers together. A 3D texture has one
//! level: smaller ones would have fewer slices, and an image has no place for them.

use rres_format::chunk::image::{ImageProps, level_edge};
use rres_format::index::ImageShape;
use rres_import::Note;
use rres_settings::{ImageFrames, ImagePadding, ImageSettings, ImageStorage};

use super::convert::Conversion;
use super::{Asset, Decoded, ImportError, blocks, edit, finish, meaning, mips};

/// The most layers and slices that graphics cards take.
const MAX_LAYERS: u32 = 2048;

/// The size of the pictures of a sheet, and what they become, if a rule says so.
fn asked(settings: &ImageSettings) -> Option<((u32, u32), ShapeOf)> {
    let layers = settings.layers.map(|size| (size, ImageShape::Array as ShapeOf));
    layers.or(settings.slices.map(|size| (size, ImageShape::Volume as ShapeOf)))
}

/// The shape of a number of pictures.
type ShapeOf = fn(u32) -> ImageShape;

/// Cuts a sheet into layers or slices, if a rule says so.
pub(super) fn of_sheet(sheet: Decoded, settings: &ImageSettings) -> Result<Result<Asset, Decoded>, ImportError> {
    let Some(((width, height), shape)) = asked(settings) else { return Ok(Err(sheet)) };
    if settings.layers.is_some() && settings.slices.is_some() {
        return Err(
            ImportError::new("cannot have both `image.layers` and `image.slices`").with_help("remove one of them")
        );
    }
    let props = sheet.props;
    let setting = if settings.layers.is_some() { "layers" } else { "slices" };
    if props.format.pixel_block().is_some() || props.mipmaps > 1 {
        let ImageProps { format, mipmaps, .. } = props;
        let message =
            format!("has pixels of {format} with mip levels: {mipmaps}, and `image.{setting}` cuts plain pixels");
        return Err(ImportError::new(message).with_help("use the picture that it was made from").without_fix());
    }
    if !props.width.is_multiple_of(width) || !props.height.is_multiple_of(height) {
        let message = format!(
            "has {}×{} pixels, expected multiples of `image.{setting}` = [{width}, {height}]",
            props.width, props.height
        );
        return Err(ImportError::new(message).with_help("correct the rule, or save the whole sheet").without_fix());
    }
    let (columns, rows) = (props.width / width, props.height / height);
    check_count(u64::from(columns) * u64::from(rows))?;
    let cells = (0..columns * rows)
        .map(|cell| crop(&sheet, (cell % columns * width, cell / columns * height), (width, height)));
    let mut cells = cells.collect::<Result<Vec<_>, _>>()?;
    cells[0].notes = sheet.notes;
    of_pictures(cells, shape(columns * rows), settings).map(Ok)
}

/// Makes the image of a texture file whose pictures are one above the other. Its levels are kept if the pixels need not change.
pub(super) fn of_texture(stacked: Decoded, settings: &ImageSettings) -> Result<Asset, ImportError> {
    let (shape, props) = (stacked.shape, stacked.props);
    if asked(settings).is_some() {
        let message = format!("is {} already, and cannot be cut again", described(shape));
        return Err(ImportError::new(message)
            .with_help("remove `image.layers` and `image.slices` for it")
            .without_fix());
    }
    let size = (props.width, props.height / shape.layers());
    refuse_settings(shape, size, settings)?;
    let is_blocks = props.format.pixel_block().is_some();
    if !is_blocks {
        check_blocks("layers", size, settings)?;
    }
    let has_levels = props.mipmaps > 1;
    let needs_pixels = needs_pixels(&stacked, settings);
    if is_blocks || !needs_pixels || matches!(shape, ImageShape::Volume(_)) {
        let settings = for_column(&stacked, settings);
        return finish_stacked(stacked, &ImageSettings { mipmaps: settings.mipmaps && !has_levels, ..settings });
    }
    let settings = ImageSettings { mipmaps: settings.mipmaps || has_levels, ..settings.clone() };
    let pictures = (0..shape.layers()).map(|layer| crop(&stacked, (0, layer * size.1), size));
    let mut pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    pictures[0].notes = stacked.notes;
    pictures[0].notes.extend(new_levels(props.mipmaps));
    of_pictures(pictures, shape, &settings)
}

/// Makes the image of pictures that have one size and one format.
fn of_pictures(pictures: Vec<Decoded>, shape: ImageShape, settings: &ImageSettings) -> Result<Asset, ImportError> {
    refuse_settings(shape, size(&pictures[0]), settings)?;
    let linear = meaning(&pictures[0], settings) != mips::Meaning::Srgb;
    let mut edited = Vec::with_capacity(pictures.len());
    for picture in pictures {
        edited.push(edit::apply(picture, settings, linear)?.decoded);
    }
    let (width, height) = size(&edited[0]);
    check_blocks("layers", (width, height), settings)?;
    let all = width.max(height).ilog2() + 1;
    let levels = if settings.mipmaps {
        (0..all).take_while(|level| is_whole(height, *level, settings)).count() as u32
    } else {
        1
    };
    if settings.mipmaps && levels < all {
        let note = Note::new("the mip levels of layers end when their height is odd, or no whole number of blocks");
        let help = "without blocks, layers whose height is a power of two and not less than their width have all levels; or accept it with notes = false";
        edited[0].notes.push(note.with_detail(format!("{levels} of {all} levels")).with_help(help));
    }
    let mut made = Vec::with_capacity(edited.len());
    for picture in edited {
        made.push(with_levels(picture, levels, settings)?);
    }
    let stacked = stack(&made, levels, shape)?;
    let without_edits =
        ImageSettings { scale: 1.0, fit: None, alpha_bleed: false, color_key: None, ..settings.clone() };
    finish_stacked(stacked, &without_edits)
}

/// Applies the other settings to all pictures at once.
pub(super) fn finish_stacked(stacked: Decoded, settings: &ImageSettings) -> Result<Asset, ImportError> {
    let (shape, ImageProps { width, height, .. }) = (stacked.shape, stacked.props);
    // Pictures of pixels have their levels. Blocks cannot get any, which is an error if a rule asks for them.
    let is_blocks = stacked.props.format.pixel_block().is_some();
    let without =
        ImageSettings { mipmaps: settings.mipmaps && is_blocks, layers: None, slices: None, ..settings.clone() };
    let mut image = finish(stacked, &without)?;
    shape.set(&mut image.meta);
    let rest = image.summary.strip_prefix(&format!("{width}×{height}")).unwrap_or_default().to_owned();
    let own = height / shape.layers();
    image.summary = match shape {
        ImageShape::Array(layers) => format!("array of {layers} {width}×{own}{rest}"),
        ImageShape::Volume(slices) => format!("volume {width}×{own}×{slices}{rest}"),
        _ => format!("cubemap {width}×{own}{rest}"),
    };
    Ok(image)
}

/// The pictures of a texture file, each with its levels, as one image. Levels that cannot be stored are left out, and a note says so.
pub(super) fn of_texture_layers(pictures: &[Decoded], shape: ImageShape) -> Result<Decoded, ImportError> {
    let ImageProps { width, height, format, mipmaps } = pictures[0].props;
    let count = check_count(pictures.len() as u64)?;
    let block = format.pixel_block().map_or((1, 1), |block| (block.width, block.height));
    let whole = checked_stack(pictures[0].props, count)?;
    let is_whole = |level: &u32| {
        let (width, own) = (level_edge(width, *level), level_edge(height, *level));
        level_edge(whole.height, *level) == own * count
            && (*level == 0 || (width.is_multiple_of(block.0) && own.is_multiple_of(block.1)))
    };
    if count > 1 && !height.is_multiple_of(block.1) {
        let what = if shape == ImageShape::Cube { "faces" } else { "layers" };
        let message =
            format!("has {what} of {width}×{height} pixels, expected whole blocks of {}×{}", block.0, block.1);
        return Err(ImportError::new(message).with_help("save the pictures again in another size").without_fix());
    }
    let levels = (0..mipmaps).take_while(is_whole).count() as u32;
    let mut stacked = stack(pictures, levels, shape)?;
    if levels < mipmaps {
        let topic = match shape {
            ImageShape::Cube => {
                "levels of a cubemap that are smaller than a block are left out, since blocks would have two faces"
            }
            _ => "levels of a texture array that are smaller than a block, or whose height is odd before, are left out",
        };
        stacked.notes.push(Note::new(topic).with_detail(format!("{} of {mipmaps}", mipmaps - levels)));
    }
    Ok(stacked)
}

/// A note that the levels of a file are not those that are stored.
pub(super) fn new_levels(levels: u32) -> Option<Note> {
    let note = Note::new("stored mip levels are made anew, since the settings change the pixels");
    let help = "levels of a filter of your own, such as those for rough reflections, stay without `scale`, `fit`, `alpha_bleed`, `color_key` and blocks";
    (levels > 1).then(|| note.with_detail(format!("{levels} levels")).with_help(help))
}

/// A note that a volume has smaller levels, which are not stored.
pub(super) fn left_out_levels(levels: u32) -> Option<Note> {
    let note = Note::new("mip levels of a 3D texture are left out, since packs have them in one size only");
    (levels > 1).then(|| note.with_detail(format!("{} of {levels}", levels - 1)))
}

/// All pictures one above the other, level by level.
pub(super) fn stack(pictures: &[Decoded], levels: u32, shape: ImageShape) -> Result<Decoded, ImportError> {
    let ImageProps { width, height, format, .. } = pictures[0].props;
    let count = pictures.len() as u32;
    let mut stacked = Decoded::zeroed(ImageProps { mipmaps: levels, ..checked_stack(pictures[0].props, count)? })?;
    let mut rest = stacked.data_mut();
    let mut start = 0;
    for level in 0..levels {
        // The sum of the sizes was checked.
        let size = format.level_size(level_edge(width, level), level_edge(height, level)).unwrap_or(0) as usize;
        for picture in pictures {
            let (to, tail) = rest.split_at_mut(size);
            to.copy_from_slice(&picture.data()[start..][..size]);
            rest = tail;
        }
        start += size;
    }
    let first = &pictures[0];
    (stacked.linear, stacked.premultiplied, stacked.shape) = (first.linear, first.premultiplied, shape);
    stacked.is_widened = pictures.iter().any(|picture| picture.is_widened);
    stacked.notes.clear();
    for note in pictures.iter().flat_map(|picture| &picture.notes) {
        if !stacked.notes.contains(note) {
            stacked.notes.push(note.clone());
        }
    }
    Ok(stacked)
}

/// The properties of the image that pictures of this size make, if it is not too large.
pub(super) fn checked_stack(picture: ImageProps, count: u32) -> Result<ImageProps, ImportError> {
    let props = ImageProps { height: picture.height.saturating_mul(count), mipmaps: 1, ..picture };
    super::checked_size(&props)?;
    Ok(props)
}

/// Refuses more layers than graphics cards take.
pub(super) fn check_count(count: u64) -> Result<u32, ImportError> {
    match u32::try_from(count) {
        Ok(count) if count <= MAX_LAYERS => Ok(count),
        _ => {
            Err(ImportError::new(format!("has {count} layers or slices, and a texture can have at most {MAX_LAYERS}"))
                .with_help("split it, or use larger ones")
                .without_fix())
        }
    }
}

/// Whether a level of pictures with this height can be one above the other: as high as the sum, and whole blocks.
fn is_whole(height: u32, level: u32, settings: &ImageSettings) -> bool {
    if level == 0 {
        return true;
    }
    let is_halved = height.is_multiple_of(1u32.checked_shl(level).unwrap_or(u32::MAX));
    let block = if blocks::is_asked(settings) {
        // Formats that are chosen for each image have blocks of up to 8×8.
        let exact = settings.format.exact().and_then(|format| format.pixel_block());
        exact.map_or(8, |block| block.height)
    } else {
        1
    };
    is_halved && (height >> level).is_multiple_of(block)
}

/// Refuses settings that mean nothing for several pictures.
fn refuse_settings(
    shape: ImageShape,
    (width, height): (u32, u32),
    settings: &ImageSettings,
) -> Result<(), ImportError> {
    let is_volume = matches!(shape, ImageShape::Volume(_));
    let is_fitted = settings.fit.is_some_and(|fit| fit < width.max(height));
    let refused = [
        (settings.atlas.is_some(), "atlas"),
        (settings.grid.is_some(), "grid"),
        (settings.sheet, "sheet"),
        (settings.frames == ImageFrames::All, "frames"),
        (settings.pad != ImagePadding::None, "pad"),
        (settings.store == ImageStorage::Source, "store"),
        (is_volume && settings.mipmaps, "mipmaps"),
        // Slices would become smaller, and not fewer.
        (is_volume && settings.scale != 1.0, "scale"),
        (is_volume && is_fitted, "fit"),
    ];
    match refused.iter().find(|(is_set, _)| *is_set) {
        Some((_, name)) => {
            let message = format!("is {}, which cannot be stored with `image.{name}`", described(shape));
            Err(ImportError::new(message).with_help("remove the setting for it").without_fix())
        }
        None => Ok(()),
    }
}

fn described(shape: ImageShape) -> &'static str {
    match shape {
        ImageShape::Volume(_) => "a 3D texture",
        ImageShape::Cube => "a cubemap",
        _ => "a texture array",
    }
}

/// Whether the levels of pictures in a column cannot stay as they are: they are edited or missing, or lower levels would share blocks.
pub(super) fn needs_pixels(stacked: &Decoded, settings: &ImageSettings) -> bool {
    let bleeds = settings.alpha_bleed && stacked.props.format.has_alpha() && !stacked.premultiplied;
    let is_edited = is_resized(stacked, settings) || bleeds || settings.color_key.is_some();
    let has_levels = stacked.props.mipmaps > 1;
    is_edited || (has_levels && blocks::is_asked(settings)) || (settings.mipmaps && !has_levels)
}

/// Whether the pictures of a column get another size.
fn is_resized(stacked: &Decoded, settings: &ImageSettings) -> bool {
    let ImageProps { width, height, .. } = stacked.props;
    let size = (width, height / stacked.shape.layers());
    edit::scaled(settings, size) != size
}

/// The settings for a column of pictures as a whole: a limit is for each of them.
pub(super) fn for_column(stacked: &Decoded, settings: &ImageSettings) -> ImageSettings {
    match is_resized(stacked, settings) {
        true => settings.clone(),
        false => ImageSettings { scale: 1.0, fit: None, ..settings.clone() },
    }
}

/// Checks that pictures, which a message calls `what`, are whole blocks of the format that a rule names: a block with pixels of two pictures
/// belongs to neither.
pub(super) fn check_blocks(
    what: &str,
    (width, height): (u32, u32),
    settings: &ImageSettings,
) -> Result<(), ImportError> {
    let Some(format) = settings.format.exact() else { return Ok(()) };
    let Some(block) = format.pixel_block() else { return Ok(()) };
    if width.is_multiple_of(block.width) && height.is_multiple_of(block.height) {
        return Ok(());
    }
    let message =
        format!("has {what} of {width}×{height} pixels, and {format} has blocks of {}×{}", block.width, block.height);
    Err(ImportError::new(message).with_help("scale the pictures, or choose another `image.format`").without_fix())
}

/// A picture with this number of levels.
fn with_levels(picture: Decoded, levels: u32, settings: &ImageSettings) -> Result<Decoded, ImportError> {
    if levels == 1 {
        return Ok(picture);
    }
    let format = picture.props.format;
    let conversion = Conversion { source: format, target: format, premultiply: false };
    let mut made = mips::with_all_levels(&picture, conversion, meaning(&picture, settings))?;
    made.props.mipmaps = levels;
    Ok(Decoded { props: made.props, block: made.block, ..picture })
}

fn size(picture: &Decoded) -> (u32, u32) {
    (picture.props.width, picture.props.height)
}

/// A part of the first level of plain pixels.
fn crop(picture: &Decoded, (left, top): (u32, u32), (width, height): (u32, u32)) -> Result<Decoded, ImportError> {
    let format = picture.props.format;
    let mut part = Decoded::zeroed(ImageProps { width, height, format, mipmaps: 1 })?;
    (part.linear, part.premultiplied, part.is_widened) = (picture.linear, picture.premultiplied, picture.is_widened);
    let size = format.bytes_per_pixel().unwrap_or(1) as usize;
    let (row, whole) = (width as usize * size, picture.props.width as usize * size);
    let rows = picture.data().chunks_exact(whole).skip(top as usize);
    for (from, to) in rows.zip(part.data_mut().chunks_exact_mut(row)) {
        to.copy_from_slice(&from[left as usize * size..][..row]);
    }
    Ok(part)
}
