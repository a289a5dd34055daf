//! Which files an image becomes.

use rres_export::ImageForm;
use rres_runtime::Image;
use rres_runtime::asset::PixelFormat;

use super::Options;

/// The files of an image, and what the pack contains of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ImageFiles {
    pub(super) form: ImageForm,
    /// How many smaller mip levels become files of their own. Only a `.png` file has just one level.
    pub(super) smaller_levels: u32,
    /// The format of the pixels in the pack.
    pub(super) stored: PixelFormat,
    /// The number of mip levels in the pack.
    pub(super) levels: u32,
}

/// Returns the files of an image whose path is `path`.
pub(super) fn files(image: &Image, path: &str, options: &Options) -> ImageFiles {
    let (stored, levels) = (image.format(), image.mipmaps());
    let form = match ImageForm::lossless(image, path) {
        ImageForm::Dds if options.decode_blocks && stored.pixel_block().is_some() => ImageForm::Png,
        form => form,
    };
    let has_levels = options.mips && form == ImageForm::Png;
    ImageFiles { form, smaller_levels: if has_levels { levels - 1 } else { 0 }, stored, levels }
}

/// Returns the names of the files: `a.png`, `a.mip1.png`, …
pub(super) fn file_names(first: String, smaller_levels: u32) -> Vec<String> {
    let stem = first.strip_suffix(".png").unwrap_or(&first).to_owned();
    let smaller = (1..=smaller_levels).map(|level| format!("{stem}.mip{level}.png"));
    std::iter::once(first).chain(smaller).collect()
}
