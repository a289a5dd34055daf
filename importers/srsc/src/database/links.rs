//! What textures and models refer to: smaller levels, alternates, bumps, the pictures of an animation, models for distances.

use super::{Databases, Location};
use crate::body::Ref;
use crate::checks::Checks;
use crate::error::{Error, Fault, Problem, Result};
use crate::record_type::{RecordKey, RecordType};
use crate::records::{Record, Texture, TextureFlags};

/// The most models, alternates or bumps that are followed one after the other.
const MAX_CHAIN: usize = 64;

/// What a texture refers to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TextureLinks {
    /// The smaller levels, from the largest on.
    pub levels: Vec<Location>,
    /// Another texture that the game may show instead.
    pub alternate: Option<Location>,
    /// The bumps of the surface.
    pub bump: Option<Location>,
    /// The class of the material.
    pub material: Option<Location>,
    /// The pictures of the animation, this texture first; empty if it is not animated.
    pub frames: Vec<Location>,
}

/// The smaller levels of a texture, as far as they are known.
pub(crate) struct KnownLevels {
    /// From the largest on.
    pub(crate) levels: Vec<Location>,
    /// The reference after them that leads to nothing known, and what is wrong with it.
    pub(crate) unknown: Option<(Ref, Error)>,
}

/// A model that is shown from a distance on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelOfDetail {
    /// The model.
    pub model: Location,
    /// The distance; 0 for the first.
    pub distance: f32,
}

impl Databases {
    /// Finds what a texture refers to.
    ///
    /// # Errors
    /// If a reference leads to nothing, levels lead in a circle, or an animation has more pictures than the limit allows.
    pub fn texture_links(&self, at: Location, checks: &mut Checks) -> Result<TextureLinks> {
        let view = self.expect(at)?;
        let texture = self.texture(at, checks)?;
        let resolve = |reference, kind, field| self.resolve(at.database, &view, reference, kind, field);
        let mut links = TextureLinks {
            alternate: resolve(texture.alternate, RecordType::TEXTURE, ("alternate", 26))?,
            bump: resolve(texture.bump, RecordType::TEXTURE, ("bump", 30))?,
            material: resolve(texture.material, RecordType::CLASS, ("material", 38))?,
            ..TextureLinks::default()
        };
        links.levels = self.texture_levels(at, checks)?;
        links.frames = self.texture_frames(at, checks)?;
        for (field, offset) in [("alternate", 26), ("bump", 30)] {
            if let Some(circle) = self.circle(at, field)? {
                checks.warn(view.error(Fault::new(field, offset, Problem::Cycle { path: circle })))?;
            }
        }
        Ok(links)
    }

    fn texture(&self, at: Location, checks: &mut Checks) -> Result<Texture<'_>> {
        let view = self.expect(at)?;
        match view.parse(checks)? {
            Record::Texture(texture) => Ok(texture),
            _ => Err(view.error(Fault::invalid("type", 0, view.key().kind, "a texture"))),
        }
    }

    /// Finds the smaller levels of a texture, from the largest on. Warns of sizes that are not halves.
    ///
    /// # Errors
    /// As [`Self::texture_links`], about the levels.
    pub fn texture_levels(&self, at: Location, checks: &mut Checks) -> Result<Vec<Location>> {
        match self.known_levels(at, checks)? {
            KnownLevels { levels, unknown: None } => Ok(levels),
            KnownLevels { unknown: Some((_, error)), .. } => Err(error),
        }
    }

    /// Finds the smaller levels of a texture as far as they are known.
    ///
    /// # Errors
    /// If levels lead in a circle, or a level is damaged.
    pub(crate) fn known_levels(&self, at: Location, checks: &mut Checks) -> Result<KnownLevels> {
        let mut levels = Vec::new();
        let (mut texture, mut from) = (self.texture(at, checks)?, at);
        loop {
            let view = self.expect(from)?;
            let next = match self.resolve(from.database, &view, texture.mip, RecordType::TEXTURE, ("mip", 22)) {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(KnownLevels { levels, unknown: None }),
                Err(error) => return Ok(KnownLevels { levels, unknown: Some((texture.mip, error)) }),
            };
            if next == at || levels.contains(&next) {
                let path = std::iter::once(&at).chain(&levels).chain([&next]).map(|at| at.key.to_string()).collect();
                return Err(view.error(Fault::new("mip", 22, Problem::Cycle { path })));
            }
            // A picture of 2^32 pixels has 33 levels.
            if levels.len() > 32 {
                let problem = Problem::TooLarge { found: levels.len() as u64 + 1, limit: 32 };
                return Err(view.error(Fault::new("mip", 22, problem)));
            }
            let level = self.texture(next, checks)?;
            let expected = [texture.width, texture.height].map(|edge| (edge / 2).max(1));
            if [level.width, level.height] != expected {
                let found = format!("{next} of {} x {} pixels", level.width, level.height, next = next.key);
                let expected = format!("{} x {}", expected[0], expected[1]);
                checks.warn(view.error(Fault::invalid("mip", 22, found, expected)))?;
            }
            levels.push(next);
            (texture, from) = (level, next);
        }
    }

    /// Returns the pictures of an animation: this texture, and those with the following ids that are marked as next pictures; none if it is
    /// not animated.
    ///
    /// # Errors
    /// As [`Self::texture_links`], about the pictures.
    pub fn texture_frames(&self, at: Location, checks: &mut Checks) -> Result<Vec<Location>> {
        if self.texture(at, checks)?.flags.contains(TextureFlags::NEXT_FRAME) {
            return Ok(Vec::new());
        }
        let mut frames = vec![at];
        while let Some(id) = frames.last().and_then(|last| last.key.id.checked_add(1)) {
            let next = Location { key: RecordKey { id, ..at.key }, ..at };
            let Some(view) = self.record(next) else { break };
            // A damaged texture is reported when it is read itself.
            let is_next = matches!(view.parse(&mut Checks::default().with_limits(*checks.limits())),
                Ok(Record::Texture(texture)) if texture.flags.contains(TextureFlags::NEXT_FRAME));
            if !is_next {
                break;
            }
            if frames.len() >= checks.limits().frames {
                let problem =
                    Problem::TooLarge { found: frames.len() as u64 + 1, limit: checks.limits().frames as u64 };
                return Err(view.error(Fault::new("flags", 35, problem)));
            }
            frames.push(next);
        }
        Ok(if frames.len() > 1 { frames } else { Vec::new() })
    }

    /// Returns the circle that the references of a field lead in, if they come back to `at`.
    fn circle(&self, at: Location, field: &str) -> Result<Option<Vec<String>>> {
        let mut path = vec![at];
        // Long chains without a circle take no time.
        while path.len() <= MAX_CHAIN {
            let last = path[path.len() - 1];
            let (Some(view), Ok(texture)) = (self.record(last), self.texture(last, &mut Checks::default())) else {
                break;
            };
            let reference = if field == "bump" { texture.bump } else { texture.alternate };
            let next = self.resolve(last.database, &view, reference, RecordType::TEXTURE, ("alternate", 26));
            let Ok(Some(next)) = next else { break };
            if next == at {
                return Ok(Some(path.iter().chain([&at]).map(|at| at.key.to_string()).collect()));
            }
            // A circle that does not contain this texture is reported for those in it.
            if path.contains(&next) {
                break;
            }
            path.push(next);
        }
        Ok(None)
    }

    /// Returns a model, and those that are shown from a distance on, by increasing distance.
    ///
    /// # Errors
    /// If a model does not exist, the distances do not increase, the models lead in a circle, or there are more than 64.
    pub fn levels_of_detail(&self, at: Location, checks: &mut Checks) -> Result<Vec<LevelOfDetail>> {
        let mut levels = vec![LevelOfDetail { model: at, distance: 0.0 }];
        loop {
            let last = levels[levels.len() - 1];
            let key = RecordKey { kind: RecordType::LOD, id: last.model.key.id };
            let Some(view) = self.record(Location { key, ..at }) else { return Ok(levels) };
            let Record::Lod(lod) = view.parse(checks)? else { return Ok(levels) };
            let model = Location { key: RecordKey { kind: RecordType::MODEL, id: lod.model }, ..at };
            let fail = |field, offset, problem| -> Error { view.error(Fault::new(field, offset, problem)) };
            if levels.iter().any(|level| level.model == model) {
                let ids = levels.iter().map(|level| level.model).chain([model]);
                let path = ids.map(|at| format!("0x{:04x}", at.key.id)).collect();
                return Err(fail("model", 0, Problem::Cycle { path }));
            }
            if self.record(model).is_none() {
                let what = format!("the model 0x{:04x}, which does not exist", lod.model);
                return Err(fail("model", 0, Problem::Missing { what }));
            }
            if lod.distance <= last.distance {
                let expected = format!("more than {}, the distance before", last.distance);
                return Err(fail("distance", 2, Problem::Invalid { found: lod.distance.to_string(), expected }));
            }
            if levels.len() > MAX_CHAIN {
                let problem = Problem::TooLarge { found: levels.len() as u64 + 1, limit: MAX_CHAIN as u64 };
                return Err(fail("model", 0, problem));
            }
            levels.push(LevelOfDetail { model, distance: lod.distance });
        }
    }
}

/// Returns the model for a distance: the last one whose distance is not above it. `levels` has at least one.
pub fn select_level(levels: &[LevelOfDetail], distance: f32) -> Option<&LevelOfDetail> {
    levels.iter().rev().find(|level| level.distance <= distance).or(levels.first())
}

/// Returns the number of the picture that an animation of `count` pictures shows after `seconds`, when it starts again after its end.
///
/// ```
/// assert_eq!(rres_import_srsc::frame_at(3, 12, 0.1), 1);
/// assert_eq!(rres_import_srsc::frame_at(3, 12, 0.25), 0);
/// ```
pub fn frame_at(count: usize, fps: u8, seconds: f64) -> usize {
    if count == 0 || fps == 0 || !seconds.is_finite() || seconds < 0.0 {
        return 0;
    }
    (seconds * f64::from(fps)) as usize % count
}
