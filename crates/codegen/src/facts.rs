//! What a game can know of a resource while it is compiled: the size of an image, the length of a sound.
//!
//! The step that encodes a resource reads them off its chunks (`pipeline/facts.rs`). They are kept with the resource in the import cache,
//! limits are checked against them, and the generated module has a table of them; `rres_protocol::facts` has its layout.

use rres_protocol::facts::{WORDS, font, image, model, sound};

/// The facts of a resource, by its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facts {
    /// Of other kinds, and of files that are kept without being decoded.
    #[default]
    Unknown,
    /// Of an image or a sprite.
    Image(ImageFacts),
    /// Of a sound.
    Sound(SoundFacts),
    /// Of a font.
    Font(FontFacts),
    /// Of a model.
    Model(ModelFacts),
}

/// Of an image, or of the picture that a sprite is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageFacts {
    /// The width of the largest level, in pixels.
    pub width: u32,
    /// The height of the largest level, in pixels.
    pub height: u32,
    /// The number of the pixel format.
    pub format: u16,
    /// The number of mip levels.
    pub levels: u16,
    /// The number of frames of an animation; 1 of a picture.
    pub frames: u32,
    /// How long all frames are shown.
    pub milliseconds: u32,
}

/// Of a sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoundFacts {
    /// The number of frames: samples of one channel.
    pub frames: u64,
    /// Frames per second.
    pub rate: u32,
    /// The number of channels.
    pub channels: u32,
}

/// Of the first strike of a font.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FontFacts {
    /// Pixels from ascent to descent.
    pub size: u32,
    /// The number of glyphs.
    pub glyphs: u32,
    /// The bits of an `f32`, as is `ascent`.
    pub line_height: u32,
    /// Pixels from the baseline to the ascent: the bits of an `f32`.
    pub ascent: u32,
}

/// Of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelFacts {
    /// The number of primitives.
    pub primitives: u32,
    /// The number of vertices of all primitives.
    pub vertices: u32,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of materials.
    pub materials: u32,
    /// The number of animations.
    pub animations: u32,
}

impl Facts {
    /// The numbers in the generated table, with the number of the kind of facts in front; `None` if nothing is known.
    pub fn words(self) -> Option<(u32, [u32; WORDS])> {
        let mut words = [0; WORDS];
        let kind = match self {
            Self::Unknown => return None,
            Self::Image(of) => {
                words[image::WIDTH] = of.width;
                words[image::HEIGHT] = of.height;
                words[image::FORMAT_AND_LEVELS] = u32::from(of.format) | u32::from(of.levels) << 16;
                words[image::FRAMES] = of.frames;
                words[image::MILLISECONDS] = of.milliseconds;
                1
            }
            Self::Sound(of) => {
                words[sound::FRAMES_LOW] = of.frames as u32;
                words[sound::FRAMES_HIGH] = (of.frames >> 32) as u32;
                words[sound::SAMPLE_RATE] = of.rate;
                words[sound::CHANNELS] = of.channels;
                2
            }
            Self::Font(of) => {
                words[font::SIZE] = of.size;
                words[font::GLYPHS] = of.glyphs;
                words[font::LINE_HEIGHT] = of.line_height;
                words[font::ASCENT] = of.ascent;
                3
            }
            Self::Model(of) => {
                words[model::PRIMITIVES] = of.primitives;
                words[model::VERTICES] = of.vertices;
                words[model::NODES] = of.nodes;
                words[model::MATERIALS] = of.materials;
                words[model::ANIMATIONS] = of.animations;
                4
            }
        };
        Some((kind, words))
    }

    /// The opposite of [`Self::words`]; `None` if the kind does not exist.
    pub fn from_words(kind: u32, words: [u32; WORDS]) -> Option<Self> {
        Some(match kind {
            1 => Self::Image(ImageFacts {
                width: words[image::WIDTH],
                height: words[image::HEIGHT],
                format: words[image::FORMAT_AND_LEVELS] as u16,
                levels: (words[image::FORMAT_AND_LEVELS] >> 16) as u16,
                frames: words[image::FRAMES],
                milliseconds: words[image::MILLISECONDS],
            }),
            2 => Self::Sound(SoundFacts {
                frames: u64::from(words[sound::FRAMES_LOW]) | u64::from(words[sound::FRAMES_HIGH]) << 32,
                rate: words[sound::SAMPLE_RATE],
                channels: words[sound::CHANNELS],
            }),
            3 => Self::Font(FontFacts {
                size: words[font::SIZE],
                glyphs: words[font::GLYPHS],
                line_height: words[font::LINE_HEIGHT],
                ascent: words[font::ASCENT],
            }),
            4 => Self::Model(ModelFacts {
                primitives: words[model::PRIMITIVES],
                vertices: words[model::VERTICES],
                nodes: words[model::NODES],
                materials: words[model::MATERIALS],
                animations: words[model::ANIMATIONS],
            }),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back_to_facts() {
        let image = ImageFacts { width: 1, height: 2, format: 1145, levels: 12, frames: 3, milliseconds: 300 };
        for facts in [
            Facts::Image(image),
            Facts::Sound(SoundFacts { frames: 1 << 33 | 5, rate: 48_000, channels: 2 }),
            Facts::Font(FontFacts { size: 32, glyphs: 95, line_height: 36.5f32.to_bits(), ascent: 30f32.to_bits() }),
            Facts::Model(ModelFacts { primitives: 1, vertices: 1728, nodes: 3, materials: 4, animations: 5 }),
        ] {
            let (kind, words) = facts.words().unwrap();
            assert_eq!(Facts::from_words(kind, words), Some(facts));
        }
        assert_eq!(Facts::Unknown.words(), None);
        assert_eq!(Facts::from_words(9, [0; WORDS]), None);
    }
}
