//! The files of a folder, and what they take.

use std::time::Duration;

use rres_format::AssetKind;
use rres_settings::{extension_of, glob_of};

/// The files of a folder with one extension. A pack compares files with those of their folder only, so what they take does not depend on files
/// elsewhere, unless these have equal contents, which a pack stores once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Files {
    /// With `/` between folders; empty for the directory itself.
    pub(super) folder: String,
    pub(super) extension: String,
}

/// What files take.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// The number of their assets; 0 for what has no file of its own, such as an atlas.
    pub(super) assets: usize,
    /// Their kinds: models have images in them.
    pub(super) kinds: Vec<AssetKind>,
    /// Whether the folder has other images: with another extension, or of an atlas.
    pub(super) has_other_images: bool,
    /// Whether the files are those of a library, which may not be in an atlas of the game.
    pub(super) is_of_library: bool,
    /// Bytes in the pack.
    pub(super) stored: u64,
    /// Bytes in memory.
    pub(super) decoded: u64,
    /// Bytes in video memory.
    pub(super) video: u64,
    pub(super) load: Duration,
    /// The number of images.
    pub(super) textures: u64,
    /// The least quality of their blocks, in decibels and as structural similarity.
    pub(super) psnr: Option<f32>,
    pub(super) ssim: Option<f32>,
}

impl Files {
    /// The files beside the one at `path`, with its extension.
    pub(super) fn of(path: &str) -> Self {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        Self { folder, extension: extension_of(path).to_owned() }
    }

    /// A glob that matches these files. Each number is another spelling of the same.
    pub(super) fn glob(&self, spelling: usize) -> String {
        let folder = if self.folder.is_empty() { String::new() } else { format!("{}/", glob_of(&self.folder)) };
        format!("{folder}*{}.{}", "{,}".repeat(spelling), glob_of(&self.extension))
    }
}
