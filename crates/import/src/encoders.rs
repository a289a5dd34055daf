//! What makes assets of decoded content, as the settings of its kind say. An engine has an encoder for each kind that it is compiled with;
//! importers reach them through [`Source`](crate::Source), so that they need no codec themselves.

use std::fmt;

use rres_format::chunk::image::ImageProps;
use rres_format::index::Meta;
use rres_settings::{ImageSettings, ModelSettings, Settings};

use crate::atlas::{AtlasOptions, Member, Page, Place};
use crate::{Asset, ImportError};

/// Makes images of pixels and of files of pictures.
pub trait ImageEncoder: Sync {
    /// Makes an image of the pixels of all levels, from the largest on, row by row from the top.
    ///
    /// # Errors
    /// [`ImportError`] if there are not as many pixels as `props` say, or they cannot be stored as the settings ask.
    fn of_levels(&self, props: ImageProps, pixels: &[u8], settings: &ImageSettings) -> Result<Asset, ImportError>;

    /// Makes an image of a file of a picture.
    ///
    /// # Errors
    /// [`ImportError`] if it is not a picture, is damaged or too large, or cannot be stored as the settings ask.
    fn of_file(&self, file: PictureFile<'_>, settings: &ImageSettings) -> Result<Asset, ImportError>;

    /// Decodes a PNG with `stored` pixels, width and height, to RGBA of 8 bits with `drawn` pixels.
    ///
    /// # Errors
    /// [`ImportError`] if it is not a PNG of this size.
    fn rgba_of_png(&self, png: &[u8], stored: (u32, u32), drawn: (u32, u32)) -> Result<Vec<u8>, ImportError>;

    /// Places the pictures of an atlas, which have these sizes.
    ///
    /// # Errors
    /// The number of a picture that does not fit an empty page.
    fn lay_out(&self, sizes: &[(u32, u32)], options: &AtlasOptions) -> Result<(Vec<Page>, Vec<Place>), usize>;

    /// Makes the images of the pages of an atlas. All members and the pages have the same `meta`.
    ///
    /// # Errors
    /// [`ImportError`] if a member is not an image with plain pixels, or a page is too large.
    fn compose(
        &self,
        members: &[Member],
        pages: &[Page],
        options: &AtlasOptions,
        meta: &Meta,
    ) -> Result<Vec<Asset>, ImportError>;

    /// Returns the bytes that a picture takes once it is decoded, by the head of its file; `None` if that does not tell.
    fn decoded_size(&self, file: &[u8]) -> Option<u64>;
}

/// A file of a picture inside of a source, or beside it.
#[derive(Clone, Copy, Debug)]
pub struct PictureFile<'f> {
    /// The bytes of the file.
    pub bytes: &'f [u8],
    /// The asset path of the source, for help texts.
    pub path: &'f str,
    /// The extension of the file: lower case, without dot. Contents of another format are an error. If it is empty, every known format is
    /// accepted except TGA, which has no signature.
    pub extension: &'f str,
}

/// Makes sounds of samples.
pub trait SoundEncoder: Sync {
    /// Makes a sound of samples, one of each channel in turn, for the source at `path`.
    ///
    /// # Errors
    /// [`ImportError`] if they are not whole frames, the sound is too long, or it cannot be stored as the settings ask.
    fn of_samples(
        &self,
        rate: u32,
        channels: u16,
        samples: Samples<'_>,
        path: &str,
        settings: &Settings,
    ) -> Result<Asset, ImportError>;
}

/// Samples of a sound, one of each channel in turn.
#[derive(Clone, Copy, Debug)]
pub enum Samples<'s> {
    /// From -1 to 1.
    F32(&'s [f32]),
    /// Signed numbers of 16 bits.
    I16(&'s [i16]),
}

impl Samples<'_> {
    /// Returns the number of samples of all channels together.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(samples) => samples.len(),
            Self::I16(samples) => samples.len(),
        }
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

macro_rules! samples_from {
    ($($variant:ident $type:ty),*) => { $(
        impl<'s> From<&'s [$type]> for Samples<'s> {
            fn from(samples: &'s [$type]) -> Self {
                Self::$variant(samples)
            }
        }

        impl<'s> From<&'s Vec<$type>> for Samples<'s> {
            fn from(samples: &'s Vec<$type>) -> Self {
                Self::$variant(samples)
            }
        }

        impl<'s, const N: usize> From<&'s [$type; N]> for Samples<'s> {
            fn from(samples: &'s [$type; N]) -> Self {
                Self::$variant(samples)
            }
        }
    )* };
}

samples_from!(F32 f32, I16 i16);

/// Applies the settings of models.
pub trait ModelEncoder: Sync {
    /// Applies the settings to every model among `assets`.
    ///
    /// # Errors
    /// [`ImportError`] if a model cannot be stored as the settings ask.
    fn apply(&self, assets: &mut [Asset], settings: &ModelSettings) -> Result<(), ImportError>;

    /// Returns the files that the file of a model at `path` names as parts of itself, such as the buffers of a glTF, relative to it. Some may
    /// not exist. `None` if it is cut off or damaged.
    fn parts(&self, path: &str, bytes: &[u8]) -> Option<Vec<String>>;
}

/// The encoders of an engine, one for each kind that it is compiled with. The default has none.
#[derive(Clone, Copy, Default)]
pub struct Encoders {
    /// Encodes images.
    pub images: Option<&'static dyn ImageEncoder>,
    /// Encodes sounds.
    pub sounds: Option<&'static dyn SoundEncoder>,
    /// Applies the settings of models.
    pub models: Option<&'static dyn ModelEncoder>,
}

impl Encoders {
    /// Returns the encoder of images.
    ///
    /// # Errors
    /// [`ImportError`] if the engine is compiled without.
    pub fn images(self) -> Result<&'static dyn ImageEncoder, ImportError> {
        self.images.ok_or_else(|| disabled("contains pictures", "image"))
    }

    /// Returns the encoder of sounds.
    ///
    /// # Errors
    /// [`ImportError`] if the engine is compiled without.
    pub fn sounds(self) -> Result<&'static dyn SoundEncoder, ImportError> {
        self.sounds.ok_or_else(|| disabled("contains sounds", "sound"))
    }

    /// Returns the bytes that a picture takes once it is decoded, by the head of its file; `None` if that does not tell, or if the engine is
    /// compiled without images.
    pub fn decoded_size(self, file: &[u8]) -> Option<u64> {
        self.images?.decoded_size(file)
    }

    /// Applies the settings to every model among `assets`.
    ///
    /// # Errors
    /// [`ImportError`] if a model cannot be stored as the settings ask, or if there are settings and the engine is compiled without them.
    pub fn apply_model_settings(self, assets: &mut [Asset], settings: &ModelSettings) -> Result<(), ImportError> {
        let has_models = assets.iter().any(|asset| asset.kind == rres_format::AssetKind::Model);
        match self.models {
            Some(models) => models.apply(assets, settings),
            None if has_models && *settings != ModelSettings::default() => {
                Err(disabled("has settings of models", "model"))
            }
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Encoders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { images, sounds, models } = self;
        let kinds = [("images", images.is_some()), ("sounds", sounds.is_some()), ("models", models.is_some())];
        f.debug_list().entries(kinds.iter().filter(|(_, has)| *has).map(|(kind, _)| kind)).finish()
    }
}

fn disabled(what: &str, feature: &str) -> ImportError {
    ImportError::new(format!("{what}, but the feature `{feature}` of rres-build is disabled"))
        .with_help(format!("enable it with `cargo add --build rres-build --features {feature}`"))
        .without_fix()
}
