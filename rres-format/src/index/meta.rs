//! Metadata of assets that rres chunks cannot express.

use crate::bytes::{u16_at, u32_at};
use crate::closed_enum::closed_enum;
use crate::open_enum::open_enum;

open_enum! {
    /// The key of a metadata record, which determines the type of its value.
    pub struct MetaKey(u16);
    /// How an image is sampled between pixels: `u32`, a [`Filter`].
    FILTER = 1, "filter";
    /// How an image is sampled outside its edges: `u32`, a [`Wrap`].
    WRAP = 2, "wrap";
    /// The colour space of an image: `u32`, a [`ColorSpace`].
    COLOR_SPACE = 3, "color space";
    /// Whether the colours of an image are multiplied by alpha: `u32`, 0 or 1.
    PREMULTIPLIED = 4, "premultiplied";
    /// Width in pixels of an image stored in its source form: `u32`.
    WIDTH = 5, "width";
    /// Height in pixels of an image stored in its source form: `u32`.
    HEIGHT = 6, "height";
    /// Format of the decoded pixels of an image stored in its source form: `u32`, a [`crate::chunk::image::PixelFormat`].
    PIXEL_FORMAT = 7, "pixel format";
    /// Whether an image is the six square faces of a cube, one above the other: `u32`, 0 or 1. The faces are +X, -X, +Y, -Y, +Z and -Z;
    /// each level has all of them.
    CUBEMAP = 8, "cubemap";
    /// Number of layers of a texture array, one above the other: `u32`, above 0. Each level has all of them; see [`crate::index::ImageShape`].
    LAYERS = 9, "layers";
    /// Playback gain of a sound: `f32`, in decibels.
    GAIN = 10, "gain";
    /// Whether a sound loops: `u32`, 0 or 1.
    LOOP = 11, "loop";
    /// Frames per second of a sound stored in its source form: `u32`.
    SAMPLE_RATE = 12, "sample rate";
    /// Number of channels of a sound stored in its source form: `u32`.
    CHANNELS = 13, "channels";
    /// Low 32 bits of the number of frames of a sound stored in its source form: `u32`.
    FRAMES_LOW = 14, "frames, low half";
    /// High 32 bits of the number of frames; see [`Self::FRAMES_LOW`].
    FRAMES_HIGH = 15, "frames, high half";
    /// First frame that a sound repeats: `u32`.
    LOOP_START = 16, "loop start";
    /// The frame after the last one that a sound repeats: `u32`.
    LOOP_END = 17, "loop end";
    /// How important it is that a sound is heard, if not all can be: `u32`.
    PRIORITY = 18, "priority";
    /// How fast a sound fades with distance: `f32`.
    FALLOFF = 19, "falloff";
    /// Distance from the top of a line of text to its baseline, for a font's first strike: `f32`, in pixels.
    ASCENT = 20, "ascent";
    /// Distance from one baseline to the next, for a font's first strike: `f32`, in pixels.
    LINE_HEIGHT = 21, "line height";
    /// How far the letters of a font reach below the baseline, for its first strike: `f32`, in pixels, above 0.
    DESCENT = 22, "descent";
    /// Height of capital letters above the baseline, for the first strike: `f32`, in pixels.
    CAP_HEIGHT = 23, "cap height";
    /// Height of small letters such as x, for the first strike: `f32`, in pixels.
    X_HEIGHT = 24, "x-height";
    /// Distance from the baseline down to the middle of an underline, for the first strike: `f32`, in pixels.
    UNDERLINE = 25, "underline";
    /// Thickness of an underline, for the first strike: `f32`, in pixels.
    UNDERLINE_THICKNESS = 26, "underline thickness";
    /// What the atlas of a font contains: `u32`, a [`GlyphForm`].
    GLYPH_FORM = 27, "glyph form";
    /// The difference of distance, in pixels of the atlas, between the values 0 and 255 of a distance field: `f32`.
    DISTANCE_RANGE = 28, "distance range";
    /// The format of the file of a sound that is decoded when it is loaded: `u32`, a [`SoundFormat`](crate::SoundFormat).
    SOUND_FORMAT = 30, "sound format";
    /// Bits of a decoded sample of such a sound: `u32`, 8, 16 or 32.
    SAMPLE_SIZE = 31, "sample size";
    /// Frames that a decoder makes of the file of a sound before its first one: `u32`.
    SKIPPED_FRAMES = 32, "skipped frames";
    /// Width of the picture at the top left of a padded image: `u32`, in pixels.
    CONTENT_WIDTH = 40, "content width";
    /// Height of the picture at the top left of a padded image: `u32`, in pixels.
    CONTENT_HEIGHT = 41, "content height";
    /// Columns that were cut off on the left of an image: `u32`. In blobs only, for images that go into an atlas.
    TRIM_LEFT = 42, "trimmed columns";
    /// Rows that were cut off at the top of such an image: `u32`.
    TRIM_TOP = 43, "trimmed rows";
    /// Width of such an image before: `u32`.
    FULL_WIDTH = 44, "full width";
    /// Height of such an image before: `u32`.
    FULL_HEIGHT = 45, "full height";
    /// Number of slices of a 3D texture, one above the other: `u32`, above 0.
    SLICES = 46, "slices";
    /// The image with the bumps of an image: `u32`, a position in its dependencies.
    BUMP = 50, "bump";
    /// Another image that may be shown instead: `u32`, a position in the dependencies.
    ALTERNATE = 51, "alternate";
    /// The second image of a sequence that an image begins: `u32`, a position in its dependencies. The others follow there.
    SEQUENCE = 52, "sequence";
    /// Number of images in that sequence, with the first one: `u32`.
    SEQUENCE_LENGTH = 53, "sequence length";
    /// How long each of them is shown: `u32`, in milliseconds.
    FRAME_TIME = 54, "frame time";
    /// How they are shown: `u32`, a [`Playback`].
    PLAYBACK = 55, "playback";
    /// How many images of a sequence are shown in a second: `u32`, above 0. It comes before [`Self::FRAME_TIME`], which is rounded.
    FRAME_RATE = 56, "frame rate";
    /// The asset that says what the surface of an image is made of: `u32`, a position in the dependencies.
    MATERIAL = 57, "material";
    /// The red that the first entry of a table of colours is for: `f32`; 0 if it is missing. The next two are for green and blue.
    DOMAIN_START_RED = 62, "start of red";
    /// See [`Self::DOMAIN_START_RED`].
    DOMAIN_START_GREEN = 63, "start of green";
    /// See [`Self::DOMAIN_START_RED`].
    DOMAIN_START_BLUE = 64, "start of blue";
    /// The red that the last entry of a table of colours is for: `f32`; 1 if it is missing. The next two are for green and blue.
    DOMAIN_END_RED = 65, "end of red";
    /// See [`Self::DOMAIN_END_RED`].
    DOMAIN_END_GREEN = 66, "end of green";
    /// See [`Self::DOMAIN_END_RED`].
    DOMAIN_END_BLUE = 67, "end of blue";
    /// The language of a variant, or of the asset that has variants: four bytes of its tag, the first one lowest. The next
    /// eight keys have the rest; see [`crate::LanguageTag`].
    LOCALE = 70, "locale";
    /// The pixels for each unit of length of a variant of an image, such as 2 for `@2x`: `f32`.
    DENSITY = 79, "density";
    /// The id of the asset that a resource is a variant of: `u32`.
    VARIANT_OF = 80, "variant of";
    /// The kind of the chunk of a custom asset: `u32`, the four bytes of a [`crate::FourCc`], the first one lowest.
    CUSTOM_KIND = 128, "data kind";
    /// How near the blocks of an image are to the pixels that a build made them of, as the peak signal-to-noise ratio of the
    /// first level: `f32`, in decibels.
    PSNR = 60, "PSNR";
    /// The same as structural similarity: `f32`, at most 1.
    SSIM = 61, "SSIM";
}

closed_enum! {
    /// How an image is sampled between pixels.
    #[derive(Default)]
    pub enum Filter: u32 {
        /// Interpolate between neighbouring pixels.
        #[default]
        Linear = 0, "linear";
        /// Use the nearest pixel, for pixel art.
        Nearest = 1, "nearest";
    }
}

closed_enum! {
    /// What the pixels of a font's atlas mean.
    #[derive(Default)]
    pub enum GlyphForm: u32 {
        /// Alpha is the part of the pixel that the glyph covers.
        #[default]
        Coverage = 0, "coverage";
        /// Alpha is the distance to the outline of the glyph.
        Sdf = 1, "sdf";
        /// The median of red, green and blue is that distance, with sharp corners; alpha is the true distance.
        Msdf = 2, "msdf";
        /// Colour and alpha of a glyph that was drawn by another program.
        Picture = 3, "picture";
    }
}

closed_enum! {
    /// How an image is sampled outside its edges.
    #[derive(Default)]
    pub enum Wrap: u32 {
        /// Repeat the pixel at the edge.
        #[default]
        Clamp = 0, "clamp";
        /// Repeat the image.
        Repeat = 1, "repeat";
        /// Repeat the image, mirrored every other time.
        Mirror = 2, "mirror";
    }
}

closed_enum! {
    /// How the images of a sequence are shown.
    #[derive(Default)]
    pub enum Playback: u32 {
        /// Again and again.
        #[default]
        Loop = 0, "loop";
        /// Once; the last one stays.
        Once = 1, "once";
        /// To the last one and back, which shows neither end twice.
        PingPong = 2, "ping-pong";
    }
}

closed_enum! {
    /// The meaning of the values in the colour channels.
    #[derive(Default)]
    pub enum ColorSpace: u32 {
        /// sRGB colours: sprites, albedo.
        #[default]
        Srgb = 0, "srgb";
        /// Linear quantities: normals, masks, heights.
        Linear = 1, "linear";
    }
}

/// Owned metadata of one resource. Each record is stored as a `u16` key, a `u16` size (4) and a `u32` or `f32` value.
/// Keys ascend, and each occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta(Vec<(MetaKey, u32)>);

impl Meta {
    /// Adds or replaces a record.
    pub fn set(&mut self, key: MetaKey, value: u32) {
        match self.0.binary_search_by_key(&key, |record| record.0) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => self.0.insert(i, (key, value)),
        }
    }

    /// Adds or replaces a record with an `f32` value.
    pub fn set_f32(&mut self, key: MetaKey, value: f32) {
        self.set(key, value.to_bits());
    }

    /// Removes the record of `key`, if it has one.
    pub fn remove(&mut self, key: MetaKey) {
        self.0.retain(|record| record.0 != key);
    }

    /// Returns the value of `key`, or `None` if it has no record.
    pub fn get(&self, key: MetaKey) -> Option<u32> {
        self.0.iter().find(|record| record.0 == key).map(|record| record.1)
    }

    /// Returns the records, ascending by key. The value of an `f32` record is its bit pattern.
    pub fn records(&self) -> &[(MetaKey, u32)] {
        &self.0
    }

    /// Whether the resource has no metadata.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for (key, value) in &self.0 {
            out.extend_from_slice(&key.0.to_le_bytes());
            out.extend_from_slice(&4u16.to_le_bytes());
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// Borrowed metadata of one resource. It skips records whose size is not 4, which a newer version may have written, and
/// ends at a record that does not fit.
#[derive(Clone, Copy, Debug)]
pub struct MetaView<'a>(&'a [u8]);

impl<'a> MetaView<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the records in stored order.
    pub fn records(&self) -> impl Iterator<Item = (MetaKey, u32)> + use<'a> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            loop {
                let header = rest.get(..4)?;
                let len = usize::from(u16_at(header, 2));
                let value = rest.get(4..4 + len)?;
                rest = &rest[4 + len..];
                if len == 4 {
                    return Some((MetaKey(u16_at(header, 0)), u32_at(value, 0)));
                }
            }
        })
    }

    /// Returns the value of `key`, or `None` if it has no record.
    pub fn get(&self, key: MetaKey) -> Option<u32> {
        self.records().find(|record| record.0 == key).map(|record| record.1)
    }

    /// Returns the value of `key` as an `f32`, or `None` if it has no record.
    pub fn get_f32(&self, key: MetaKey) -> Option<f32> {
        self.get(key).map(f32::from_bits)
    }

    /// Returns an owned copy.
    pub fn to_meta(&self) -> Meta {
        let mut meta = Meta::default();
        for (key, value) in self.records() {
            meta.set(key, value);
        }
        meta
    }
}
