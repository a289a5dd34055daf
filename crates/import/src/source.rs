//! One source, as its importer sees it: its bytes, its settings, and the other files that it refers to.

use std::fmt;
use std::sync::Arc;

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_settings::{Description, ImporterSettings, Settings, extension_of};

use crate::model::ModelBuilder;
use crate::{Asset, Encoders, ImportError, Samples, resolve_relative};

/// The most parts of a source that are named because they are damaged.
const MAX_FAULTS: usize = 256;

/// One source to import, and everything that its importer may use.
pub struct Source<'a> {
    /// The asset's path.
    pub path: &'a str,
    /// The file's bytes.
    pub bytes: &'a [u8],
    /// How to import it.
    pub settings: &'a Settings,
    /// Reads the other files that the source refers to.
    pub inputs: &'a mut dyn InputFiles,
    /// Makes assets of decoded content.
    pub encoders: Encoders,
    /// What its importer has declared, unless it runs without a build.
    importer: Option<&'a Description>,
    /// The faults of single parts, if the other parts are wanted all the same.
    faults: Option<Vec<ImportError>>,
}

/// The files that an importer reads besides its source.
pub trait InputFiles {
    /// The bytes of the file with this asset path.
    ///
    /// # Errors
    /// [`ImportError`] if it does not exist or cannot be read.
    fn read(&mut self, path: &str) -> Result<Arc<[u8]>, ImportError>;

    /// The asset path of the file that has this path if case is ignored; `None` if there is none. When another file would be found, the
    /// source is imported again.
    fn find(&mut self, path: &str) -> Option<String>;

    /// The asset paths of the files that a glob matches, in order. When other files would match, the source is imported again.
    ///
    /// # Errors
    /// [`ImportError`] if it is not a glob.
    fn list(&mut self, glob: &str) -> Result<Vec<String>, ImportError>;
}

impl<'a> Source<'a> {
    /// A source without settings of its importer.
    pub fn new(path: &'a str, bytes: &'a [u8], settings: &'a Settings, inputs: &'a mut dyn InputFiles) -> Self {
        Self { path, bytes, settings, inputs, encoders: Encoders::default(), importer: None, faults: None }
    }

    /// The same source in an engine with these encoders.
    #[must_use]
    pub fn with_encoders(self, encoders: Encoders) -> Self {
        Self { encoders, ..self }
    }

    /// The same source for this importer.
    #[must_use]
    pub fn for_importer(self, importer: &'a Description) -> Self {
        Self { importer: Some(importer), ..self }
    }

    /// The same source; its parts are imported although others are damaged.
    pub fn in_parts(self) -> Self {
        Self { faults: Some(Vec::new()), ..self }
    }

    /// Whether parts are imported although others are damaged.
    pub fn is_in_parts(&self) -> bool {
        self.faults.is_some()
    }

    /// Goes on without a part that cannot be imported, if the others are wanted all the same.
    ///
    /// # Errors
    /// The error, in a build: there, a file is imported as a whole or not at all.
    pub fn leave_out(&mut self, error: ImportError) -> Result<(), ImportError> {
        match &mut self.faults {
            Some(faults) if faults.len() == MAX_FAULTS => {
                faults.push(ImportError::new(format!(
                    "more than {MAX_FAULTS} parts are damaged; the others are not named"
                )));
            }
            Some(faults) if faults.len() < MAX_FAULTS && !faults.contains(&error) => faults.push(error),
            Some(_) => {}
            None => return Err(error),
        }
        Ok(())
    }

    /// What is wrong with the parts that were left out.
    pub fn into_faults(self) -> Vec<ImportError> {
        self.faults.unwrap_or_default()
    }

    /// Returns the path of the file in the assets directory, with `/` between folders.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the file as a text.
    ///
    /// # Errors
    /// [`ImportError`] with line and column if it is not UTF-8.
    pub fn text(&self) -> Result<&'a str, ImportError> {
        std::str::from_utf8(self.bytes).map_err(|error| {
            let valid = &self.bytes[..error.valid_up_to()];
            let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
            let start = valid.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let column = String::from_utf8_lossy(&valid[start..]).chars().count() + 1;
            let at = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            ImportError::new("is not UTF-8").with_help("save it as UTF-8").at(at(line), at(column))
        })
    }

    /// Returns the extension of the path: lower case, without dot, empty if there is none.
    pub fn extension(&self) -> String {
        extension_of(self.path).to_ascii_lowercase()
    }

    /// Returns the settings of the importer for this file.
    pub fn settings(&self) -> ImporterSettings<'a> {
        let (name, declared) = self.importer.map_or(("", &[][..]), |importer| (&importer.name, &importer.settings));
        ImporterSettings::new(name, declared, &self.settings.importers)
    }

    /// Returns the asset path of `relative`, a path in the source that is relative to its own directory.
    ///
    /// # Errors
    /// [`ImportError`] if it leads out of the assets directory.
    pub fn input_path(&self, relative: &str) -> Result<String, ImportError> {
        let is_absolute = relative.starts_with(['/', '\\']) || relative.contains(':');
        resolve_relative(self.path, relative).ok().filter(|_| !is_absolute).ok_or_else(|| {
            ImportError::new(format!("refers to \"{relative}\", which is not inside the assets directory"))
                .with_help("move the file beside this one and refer to it by a relative path")
        })
    }

    /// Returns the bytes of a file that the source refers to, relative to its own directory. When that file changes, the source is
    /// imported again. It need not be an asset.
    ///
    /// # Errors
    /// [`ImportError`] if it leads out of the assets directory, does not exist or cannot be read.
    pub fn read_input(&mut self, relative: &str) -> Result<Arc<[u8]>, ImportError> {
        let path = self.input_path(relative)?;
        self.inputs.read(&path)
    }

    /// Makes an image of pixels, row by row from the top, as the rules for the file say: format, mip levels, scale and so on. List
    /// [`AssetKind::Image`](rres_format::AssetKind::Image) in the [`Description`], so that they apply.
    ///
    /// # Errors
    /// [`ImportError`] if the pixels are not `width` × `height` ones in `format`, the image is too large, or it cannot be stored as the
    /// rules ask.
    pub fn image(
        &self,
        width: u32,
        height: u32,
        format: PixelFormat,
        pixels: impl AsRef<[u8]>,
    ) -> Result<Asset, ImportError> {
        self.image_levels(ImageProps { width, height, format, mipmaps: 1 }, pixels)
    }

    /// Makes an image of the pixels of all levels, from the largest on. Otherwise as [`Self::image`].
    ///
    /// # Errors
    /// As [`Self::image`].
    pub fn image_levels(&self, props: ImageProps, pixels: impl AsRef<[u8]>) -> Result<Asset, ImportError> {
        self.encoders.images()?.of_levels(props, pixels.as_ref(), &self.settings.image)
    }

    /// Makes a model of what a builder has, as the rules for the file say: scale, formats of vertices, meshlets and so on. List
    /// [`AssetKind::Model`](rres_format::AssetKind::Model) in the [`Description`], so that they apply. `summary` is for the documentation of
    /// the constant.
    ///
    /// # Errors
    /// As [`ModelBuilder::into_asset`], and if the model cannot be stored as the rules ask.
    pub fn model(&self, built: ModelBuilder, summary: impl Into<String>) -> Result<Asset, ImportError> {
        let mut asset = built.into_asset(summary)?;
        self.encoders.apply_model_settings(std::slice::from_mut(&mut asset), &self.settings.model)?;
        Ok(asset)
    }

    /// Makes a sound of samples, one of each channel in turn, as the rules for the file say: numbers from -1 to 1, or whole numbers of 16
    /// bits. List [`AssetKind::Sound`](rres_format::AssetKind::Sound) in the [`Description`], so that they apply.
    ///
    /// # Errors
    /// [`ImportError`] if the samples are not a whole number of frames, the sound is too long, or it cannot be stored as the rules ask.
    pub fn sound<'s>(&self, rate: u32, channels: u16, samples: impl Into<Samples<'s>>) -> Result<Asset, ImportError> {
        self.encoders.sounds()?.of_samples(rate, channels, samples.into(), self.path, self.settings)
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("path", &self.path).field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}
