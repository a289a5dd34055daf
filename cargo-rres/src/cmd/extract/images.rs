//! Which files an image becomes.

use rres_runtime::Image;
use rres_runtime::asset::PixelFormat;

use super::Args;
use super::plan::Form;
use crate::export::ImageForm;

/// What the pack contains of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) format: PixelFormat,
    pub(super) levels: u32,
}

/// Returns the form of an image whose path is `path`.
pub(super) fn form(image: &Image, path: &str, args: &Args) -> Form<'static> {
    let stored = Stored { format: image.format(), levels: image.mipmaps() };
    let form = match ImageForm::lossless(image, path) {
        ImageForm::Dds if args.decode_blocks && stored.format.pixel_block().is_some() => ImageForm::Png,
        form => form,
    };
    // The other formats contain every level.
    let has_levels = args.mips && form == ImageForm::Png;
    Form::Image { form, stored, smaller_levels: if has_levels { stored.levels - 1 } else { 0 } }
}

/// Returns the names of the files: `a.png`, `a.mip1.png`, …
pub(super) fn file_names(first: String, smaller_levels: u32) -> Vec<String> {
    let stem = first.strip_suffix(".png").unwrap_or(&first).to_owned();
    let smaller = (1..=smaller_levels).map(|level| format!("{stem}.mip{level}.png"));
    std::iter::once(first).chain(smaller).collect()
}
