//! Levels. The importer in `build/main.rs` makes them of the maps in `assets/levels`.

use anyhow::{Context, Error, Result, ensure};
use macroquad::math::{Vec2, vec2};
use rres_runtime::{CustomAsset, CustomChunk, FourCc};

/// One night's journey.
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// Key of the title in the language files.
    pub(crate) title: String,
    /// Name of the sky in the palette.
    pub(crate) sky: String,
    /// Speed in pixels per second.
    pub(crate) speed: f32,
    /// Number of crystals that the lamp needs.
    pub(crate) need: usize,
    /// Strength of gusts, 0 to 1.
    pub(crate) wind: f32,
    /// In the order that a flight meets them.
    pub(crate) crystals: Vec<Vec2>,
    pub(crate) storms: Vec<Vec2>,
    pub(crate) rocks: Vec<Vec2>,
    pub(crate) islands: Vec<Vec2>,
    pub(crate) lighthouse: Vec2,
}

impl CustomAsset for Level {
    const FOURCC: FourCc = FourCc(*b"LEVL");
    type Error = Error;

    fn from_chunk(chunk: &CustomChunk<'_>) -> Result<Self> {
        Self::from_bytes(chunk.data())
    }
}

impl Level {
    /// Reads what `build/level.rs` writes. A pack can come from elsewhere, so nothing in it is trusted.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader(bytes);
        let (speed, wind) = (reader.number()?, reader.number()?);
        let need = reader.count()?;
        let lighthouse = reader.place()?;
        let (crystals, storms) = (reader.places()?, reader.places()?);
        let (rocks, islands) = (reader.places()?, reader.places()?);
        let (title, sky) = (reader.text()?, reader.text()?);
        let left = reader.0.len();
        ensure!(left == 0, "has {left} bytes after its end");
        ensure!(need <= crystals.len(), "needs {need} of {} crystals", crystals.len());
        Ok(Self { title, sky, speed, need, wind, crystals, storms, rocks, islands, lighthouse })
    }
}

/// What is left of the data.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().context("ends too early")?;
        self.0 = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<f32> {
        let number = f32::from_le_bytes(self.take()?);
        ensure!(number.is_finite(), "has a number that is not finite");
        Ok(number)
    }

    fn count(&mut self) -> Result<usize> {
        Ok(u32::from_le_bytes(self.take()?) as usize)
    }

    fn place(&mut self) -> Result<Vec2> {
        Ok(vec2(self.number()?, self.number()?))
    }

    fn places(&mut self) -> Result<Vec<Vec2>> {
        let count = self.count()?;
        ensure!(count <= self.0.len() / 8, "has {count} places in {} bytes", self.0.len());
        (0..count).map(|_| self.place()).collect()
    }

    fn text(&mut self) -> Result<String> {
        let len = self.count()?;
        let (text, rest) = self.0.split_at_checked(len).context("ends in a text")?;
        self.0 = rest;
        Ok(std::str::from_utf8(text)?.to_owned())
    }
}
