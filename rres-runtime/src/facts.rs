//! What a program knows of an asset while it is compiled, from the table of the generated module.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use rres_format::chunk::image::PixelFormat;
use rres_protocol::facts::{WORDS, find, font, image, model, sound};

use crate::asset::{Font, Image, Model, Sound, Sprite};
use crate::id::Id;

/// What is known of an asset without loading it, in constants too: the size of an image, the length of a sound.
///
/// The function `facts` of the generated module returns it for a constant of that module. Which methods there are depends on the type of the
/// constant.
///
/// ```
/// # mod assets {
/// #     use rres_runtime as rt;
/// #     pub const PLAYER_PNG: rt::Id<rt::Image> = rt::Id { id: 1, kind: [] };
/// #     pub const fn facts<T: rt::HasFacts>(id: rt::Id<T>) -> rt::Facts<T> {
/// #         rt::Facts::find(b"\x01\0\0\0\x80\0\0\0\x20\0\0\0\x07\0\x01\0\x01\0\0\0\0\0\0\0", id)
/// #     }
/// # }
/// // rres_runtime::include_assets!();
/// const WIDTH: u32 = assets::facts(assets::PLAYER_PNG).width();
/// const COLUMNS: usize = (WIDTH / 32) as usize;
/// let mut seen = [false; COLUMNS];
/// # seen[3] = true;
/// ```
///
/// The values come from the build that the program was compiled in. After hot reload they no longer describe the asset, if
/// its size has changed: compile the program again then. In lock mode there are none; see `docs/runtime.md`.
pub struct Facts<T: ?Sized> {
    words: [u32; WORDS],
    of: PhantomData<fn() -> T>,
}

/// The types of assets that have [`Facts`].
#[diagnostic::on_unimplemented(
    message = "assets of the type `{Self}` have no facts",
    label = "no facts are known of it before it is loaded",
    note = "`Image`, `Sprite`, `Sound`, `Font` and `Model` have facts"
)]
pub trait HasFacts: sealed::Sealed {}

mod sealed {
    /// No other crate can implement [`super::HasFacts`].
    pub trait Sealed {}
}

macro_rules! have_facts {
    ($($asset:ty)*) => {
        $(
            impl sealed::Sealed for $asset {}
            impl HasFacts for $asset {}
        )*
    };
}

have_facts! { Image Sprite Sound Font Model }

impl<T: HasFacts> Facts<T> {
    /// Returns the facts of an asset, from the table of a generated module. Called by generated code.
    ///
    /// # Panics
    /// The table has no facts of this asset. In a constant, that is an error of the compiler.
    #[doc(hidden)]
    #[track_caller]
    pub const fn find(table: &[u8], id: Id<T>) -> Self {
        match find(table, id.resource().0) {
            Some(words) => Self { words, of: PhantomData },
            None => panic!(
                "no facts are known of this asset: it is not of this module, or the pack keeps a file of it that the build did not decode"
            ),
        }
    }
}

impl Facts<Image> {
    /// Returns the width of the first level, in pixels.
    pub const fn width(self) -> u32 {
        self.words[image::WIDTH]
    }

    /// Returns the height of the first level, in pixels.
    pub const fn height(self) -> u32 {
        self.words[image::HEIGHT]
    }

    /// Returns the format of the pixels.
    pub const fn format(self) -> PixelFormat {
        PixelFormat(self.words[image::FORMAT_AND_LEVELS] & 0xffff)
    }

    /// Returns the number of mip levels, with the first one.
    pub const fn mipmaps(self) -> u32 {
        self.words[image::FORMAT_AND_LEVELS] >> 16
    }

    /// Returns the number of frames; 1 for a picture that is not an animation.
    pub const fn frame_count(self) -> u32 {
        self.words[image::FRAMES]
    }

    /// Returns how long all frames together are shown; 0 for a picture that is not an animation.
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.words[image::MILLISECONDS] as u64)
    }
}

impl Facts<Sprite> {
    /// Returns the width of the picture before transparent edges were left out, in pixels.
    pub const fn full_width(self) -> u32 {
        self.words[image::WIDTH]
    }

    /// Returns the height of the picture before transparent edges were left out, in pixels.
    pub const fn full_height(self) -> u32 {
        self.words[image::HEIGHT]
    }
}

impl Facts<Sound> {
    /// Returns the length in frames; 0 if the file that the pack keeps does not say.
    pub const fn frames(self) -> u64 {
        self.words[sound::FRAMES_LOW] as u64 | (self.words[sound::FRAMES_HIGH] as u64) << 32
    }

    /// Returns the number of frames per second.
    pub const fn sample_rate(self) -> u32 {
        self.words[sound::SAMPLE_RATE]
    }

    /// Returns the number of channels.
    pub const fn channels(self) -> u32 {
        self.words[sound::CHANNELS]
    }

    /// Returns the length, rounded down to nanoseconds; 0 if the number of frames is not known.
    pub const fn duration(self) -> Duration {
        let (frames, rate) = (self.frames(), self.sample_rate() as u64);
        if rate == 0 {
            return Duration::ZERO;
        }
        // The remainder is less than 2³², so the product fits.
        Duration::new(frames / rate, ((frames % rate) * 1_000_000_000 / rate) as u32)
    }
}

impl Facts<Font> {
    /// Returns the height of the first strike in pixels, from ascent to descent.
    pub const fn size(self) -> u32 {
        self.words[font::SIZE]
    }

    /// Returns the number of glyphs of the first strike.
    pub const fn glyph_count(self) -> u32 {
        self.words[font::GLYPHS]
    }

    /// Returns the distance from one baseline to the next in the first strike, in pixels.
    pub const fn line_height(self) -> f32 {
        f32::from_bits(self.words[font::LINE_HEIGHT])
    }

    /// Returns the distance from the top of a line to its baseline in the first strike, in pixels.
    pub const fn ascent(self) -> f32 {
        f32::from_bits(self.words[font::ASCENT])
    }
}

impl Facts<Model> {
    /// Returns the number of primitives.
    pub const fn primitive_count(self) -> u32 {
        self.words[model::PRIMITIVES]
    }

    /// Returns the number of vertices of all primitives together.
    pub const fn vertex_count(self) -> u32 {
        self.words[model::VERTICES]
    }

    /// Returns the number of nodes in the default scene: the length of [`Model::nodes`].
    pub const fn node_count(self) -> u32 {
        self.words[model::NODES]
    }

    /// Returns the number of materials.
    pub const fn material_count(self) -> u32 {
        self.words[model::MATERIALS]
    }

    /// Returns the number of animations.
    pub const fn animation_count(self) -> u32 {
        self.words[model::ANIMATIONS]
    }
}

/// Stops the compilation of a program that asks for facts in lock mode, when edits of assets do not compile the program.
#[track_caller]
pub const fn no_facts_in_lock_mode<T: HasFacts>() -> Facts<T> {
    panic!(
        "there are no facts with `lock = true`: in lock mode the program is not compiled after an edit of an asset, so they would be \
         wrong; load the asset and ask it, or remove `lock` from [pack] in assets.toml"
    )
}

// By hand: a derive would require the same of `T`.
impl<T: ?Sized> Clone for Facts<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Facts<T> {}

impl<T: ?Sized> PartialEq for Facts<T> {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl<T: ?Sized> Eq for Facts<T> {}

impl<T: ?Sized> fmt::Debug for Facts<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = std::any::type_name::<T>();
        write!(f, "Facts<{}>({:?})", name.rsplit("::").next().unwrap_or(name), self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: Id<Image> = Id { id: 7, kind: [] };

    #[test]
    fn a_duration_is_exact_for_every_length() {
        let of = |frames: u64, rate: u32| {
            let mut words = [0; WORDS];
            words[sound::FRAMES_LOW] = frames as u32;
            words[sound::FRAMES_HIGH] = (frames >> 32) as u32;
            words[sound::SAMPLE_RATE] = rate;
            Facts::<Sound> { words, of: PhantomData }.duration()
        };
        assert_eq!(of(66_150, 44_100), Duration::from_millis(1500));
        assert_eq!(of(u64::MAX, u32::MAX), Duration::from_secs((1 << 32) + 1));
        assert_eq!(of(u64::from(u32::MAX) - 1, u32::MAX).as_nanos(), 999_999_999);
        assert_eq!(of(5, 0), Duration::ZERO);
    }

    #[test]
    #[should_panic = "no facts are known of this asset"]
    fn an_asset_of_another_module_has_no_facts() {
        let _ = Facts::find(&rres_protocol::facts::table([(8, [0; WORDS])]), IMAGE);
    }
}
