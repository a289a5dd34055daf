//! Loaded assets → what the page shows of them: pictures, sounds, letters, shapes and texts, as JSON.
//!
//! A preview is small on purpose. Each asset gets a share of a budget, by its kind alone, so that the same pack always has
//! the same previews.

mod font;
mod image;
mod model;
mod pixels;
mod sound;
mod sprite;
mod text;

pub(super) use sprite::Atlases;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rres_format::AssetKind;
use rres_runtime::{Font, Image, Link, Model, Pack, Raw, Sound, Sprite, Text};
use serde_json::{Value, json};

/// How much of the assets the page contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Previews {
    // Ordinary comments, because `--help` explains the names with the option.
    // Up to 256 MB, 8 MB of each asset.
    Full,
    // Up to 16 MB, 512 kB of each asset.
    #[default]
    Small,
    None,
}

/// What the previews of a page may take, in bytes of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    total: u64,
    most_of_one: u64,
    /// The weights of all assets together.
    weights: u64,
}

/// The smallest share of an asset. A page with 65,000 assets exceeds its budget rather than showing nothing.
const LEAST_OF_ONE: u64 = 1500;

/// What the page shows of one asset.
#[derive(Debug)]
pub(super) struct Preview {
    /// An object with the field `type`, which says how to show the others.
    pub(super) value: Value,
    /// A picture for a line of the table, as a data URI.
    pub(super) thumbnail: Option<String>,
}

impl Previews {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Small => "small",
            Self::None => "none",
        }
    }

    /// Returns the budget for assets of these kinds, or `None` if the report has no previews.
    pub(super) fn budget(self, kinds: impl Iterator<Item = Option<AssetKind>>) -> Option<Budget> {
        let (total, most_of_one) = match self {
            Self::Full => (256_000_000, 8_000_000),
            Self::Small => (16_000_000, 512_000),
            Self::None => return None,
        };
        Some(Budget { total, most_of_one, weights: kinds.map(weight).sum::<u64>().max(1) })
    }
}

/// How much more an asset of a kind needs than a text to be recognised.
fn weight(kind: Option<AssetKind>) -> u64 {
    match kind {
        Some(AssetKind::Sound) => 12,
        Some(AssetKind::Font | AssetKind::Model) => 8,
        Some(AssetKind::Image | AssetKind::Sprite) => 3,
        _ => 1,
    }
}

impl Budget {
    /// Returns the bytes that the preview of an asset may take.
    fn share(&self, kind: Option<AssetKind>) -> usize {
        let share = self.total * weight(kind) / self.weights;
        share.clamp(LEAST_OF_ONE, self.most_of_one) as usize
    }
}

impl Preview {
    /// Returns a preview that is a sentence.
    pub(super) fn nothing(why: impl Into<String>) -> Self {
        Self { value: json!({ "type": "nothing", "why": why.into() }), thumbnail: None }
    }

    /// Returns a preview without a thumbnail.
    fn of(value: Value) -> Self {
        Self { value, thumbnail: None }
    }

    /// Loads an asset and makes its preview.
    pub(super) fn new(
        pack: &Pack,
        id: rres_format::ResourceId,
        kind: AssetKind,
        budget: &Budget,
        atlases: &Atlases,
    ) -> Self {
        let share = budget.share(Some(kind));
        let make = || -> rres_runtime::Result<Self> {
            Ok(match kind {
                AssetKind::Image => image::preview(&pack.load::<Image>(id)?, share),
                AssetKind::Sound => sound::preview(&pack.load::<Sound>(id)?, share),
                AssetKind::Font => font::preview(&pack.load::<Font>(id)?, share),
                AssetKind::Model => model::preview(&pack.load::<Model>(id)?, pack, share),
                AssetKind::Text => text::preview(&pack.load::<Text>(id)?, share),
                AssetKind::Raw => text::preview_raw(&pack.load::<Raw>(id)?, share),
                AssetKind::Sprite => sprite::preview(&pack.load::<Sprite>(id)?, pack, atlases, share),
                AssetKind::Link => Self::of(json!({ "type": "link", "path": &*pack.load::<Link>(id)?.to_string() })),
                AssetKind::Custom => Self::nothing("only the game knows what is in it"),
                _ => Self::nothing("this version has no preview for its kind"),
            })
        };
        // Decoders of blocks take what strangers have packed. A page without one preview is better than no page.
        match catch_unwind(AssertUnwindSafe(make)) {
            Ok(Ok(preview)) => preview,
            Ok(Err(error)) => Self::nothing(error.to_string()),
            Err(_) => Self::nothing("making its preview failed"),
        }
    }
}

/// Returns a data URI.
fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", base64(bytes))
}

/// Encodes bytes in base 64, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if digit <= three.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let encoded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn shares_keep_within_the_budget_of_a_page() {
        let sounds = |count| Previews::Small.budget(std::iter::repeat_n(Some(AssetKind::Sound), count)).unwrap();
        assert_eq!(sounds(1).share(Some(AssetKind::Sound)), 512_000);
        assert_eq!(sounds(1000).share(Some(AssetKind::Sound)), 16_000);
        assert_eq!(sounds(1_000_000).share(Some(AssetKind::Sound)), LEAST_OF_ONE as usize);
        assert!(Previews::None.budget(std::iter::empty()).is_none());
    }
}
