//! Images of which a limit has left out the largest levels.

use rres_format::chunk::image::ImageProps;
use rres_format::index::{Meta, MetaKey};

use super::Image;

impl Image {
    /// Returns how many of the largest mip levels a limit of the store has left out; 0 for a whole image. See [`crate::Store::set_texture_limit`].
    pub fn skipped_levels(&self) -> u32 {
        self.whole.mipmaps - self.props.mipmaps
    }

    /// Returns the width and height of the largest level in the pack, in pixels, whether it is loaded or not. What is drawn in the size of
    /// its pixels takes this size.
    ///
    /// ```
    /// use rres_runtime::Image;
    ///
    /// let image = Image::from_rgba8(2, 1, [0; 8])?;
    /// assert_eq!((image.full_size(), image.skipped_levels()), ((2, 1), 0));
    /// # Ok::<(), rres_runtime::Error>(())
    /// ```
    pub fn full_size(&self) -> (u32, u32) {
        (self.whole.width, self.whole.height)
    }

    /// The image, if these are its properties in the pack.
    pub(super) fn within(self, whole: Option<ImageProps>, meta: &Meta) -> Self {
        let Some(whole) = whole else { return self };
        // The picture in a padded image is smaller, too. Metadata comes from a file.
        let content = |key, edge: u32, of: u32| {
            let content = meta.get(key).map_or(of, |content| content.clamp(1, of));
            (u64::from(content) * u64::from(edge)).div_ceil(u64::from(of)) as u32
        };
        let width = content(MetaKey::CONTENT_WIDTH, self.props.width, whole.width);
        let height = content(MetaKey::CONTENT_HEIGHT, self.props.height, whole.height);
        Self { whole, content: (width, height), ..self }
    }

    /// Whether other levels are loaded if this is the limit.
    pub(crate) fn is_changed_by(&self, edge: Option<u32>) -> bool {
        let level = match edge {
            Some(edge) if self.frames.is_none() => self.whole.first_level_within(edge, self.shape.layers()),
            _ => 0,
        };
        level != self.skipped_levels()
    }
}
