//! A decoded image, before its settings are applied.

use rres_format::Limits;
use rres_format::chunk::image::ImageProps;
use rres_format::index::ImageShape;
use rres_import::{ImportError, Note};

/// The largest number of pixels in one level: 16384².
pub(crate) const MAX_PIXELS: u64 = 1 << 28;

/// The size of the property count and the four properties that precede the pixels of an IMGE block.
pub(crate) const HEAD: usize = 20;

/// A decoded image: an IMGE block without its properties.
pub(crate) struct Decoded {
    pub(crate) props: ImageProps,
    /// [`HEAD`] bytes reserved for the properties, then all levels.
    pub(crate) block: Vec<u8>,
    /// The file format defines the numbers as linear, whatever the settings are.
    pub(crate) linear: bool,
    /// The file declares that its colours are premultiplied with alpha.
    pub(crate) premultiplied: bool,
    /// Whether the file holds whole numbers of 16 bits, which rres only has floats for.
    pub(crate) is_widened: bool,
    /// What the pictures are that are one above the other, level by level.
    pub(crate) shape: ImageShape,
    /// Whether a colour profile was applied: the numbers are not those of the file.
    pub(crate) is_converted: bool,
    /// What a user should know about it.
    pub(crate) notes: Vec<Note>,
}

impl Decoded {
    /// An image of zeros, after its size is checked.
    pub(crate) fn zeroed(props: ImageProps) -> Result<Self, ImportError> {
        let size = checked_size(&props)?;
        // Zeroed pages cost nothing until they are written, whatever size the header of a short file claims.
        Ok(Self {
            props,
            block: vec![0; HEAD + size],
            linear: false,
            premultiplied: false,
            is_widened: false,
            shape: ImageShape::Flat,
            is_converted: false,
            notes: Vec::new(),
        })
    }

    pub(crate) fn data(&self) -> &[u8] {
        &self.block[HEAD..]
    }

    pub(crate) fn data_mut(&mut self) -> &mut [u8] {
        &mut self.block[HEAD..]
    }
}

/// The bytes of all levels, if the dimensions and the size are within the limits.
pub(crate) fn checked_size(props: &ImageProps) -> Result<usize, ImportError> {
    let ImageProps { width, height, .. } = *props;
    if width == 0 || height == 0 {
        return Err(
            ImportError::new(format!("has {width}×{height} pixels")).with_help("save it with at least one pixel")
        );
    }
    let size = props.data_size().map_err(|e| {
        ImportError::new(format!("cannot be stored: {e}"))
            .with_help("save it again with other dimensions or mip levels")
    })?;
    let limit = Limits::DEFAULT.max_decoded - HEAD as u64;
    if u64::from(width) * u64::from(height) > MAX_PIXELS || size > limit {
        return Err(ImportError::new(format!(
            "is too large: {width}×{height} {} with {} is {} MiB, the limits are 2^28 pixels and 1 GiB",
            props.format,
            if props.mipmaps == 1 { "1 level".to_owned() } else { format!("{} mip levels", props.mipmaps) },
            size >> 20
        ))
        .with_help("split it or scale it down"));
    }
    usize::try_from(size).map_err(|_| ImportError::new("is too large for this machine"))
}
