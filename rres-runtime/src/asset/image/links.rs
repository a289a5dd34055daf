//! The other images that an image is linked with: dependencies, and metadata that says which one is what.

use std::time::Duration;

use rres_format::ResourceId;
use rres_format::index::MetaKey;
use rres_protocol::packed_id::Slot;

use super::{Image, inconsistent};
use crate::error::Result;
use crate::id::Id;
use crate::resource::LoadedResource;

/// What an image is linked with.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) bump: Option<Id<Image>>,
    pub(super) alternate: Option<Id<Image>>,
    pub(super) material: Option<ResourceId>,
    pub(super) sequence: Option<Sequence>,
}

/// Images that are shown one after another.
///
/// ```
/// use rres_runtime::{Id, Image, Result, Store};
/// use std::time::Duration;
///
/// /// The texture of a fire that has been burning for a while.
/// fn texture(store: &Store, fire: Id<Image>, elapsed: Duration) -> Result<Id<Image>> {
///     let first = store.load(fire)?.get();
///     Ok(first.sequence().map_or(fire, |sequence| sequence.at(elapsed)))
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    images: Box<[Id<Image>]>,
    frame_time: FrameTime,
    playback: Playback,
}

/// How long each image is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameTime {
    /// In milliseconds, at least 1.
    Milliseconds(u32),
    /// So long that this many images are shown in a second, at least 1.
    Rate(u32),
}

impl FrameTime {
    /// How many images have been shown as a whole after this time.
    fn images_in(self, elapsed: Duration) -> u128 {
        match self {
            Self::Milliseconds(milliseconds) => elapsed.as_nanos() / (u128::from(milliseconds.max(1)) * 1_000_000),
            Self::Rate(rate) => elapsed.as_nanos() * u128::from(rate) / 1_000_000_000,
        }
    }
}

/// How the images of a sequence are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Playback {
    /// Again and again.
    #[default]
    Loop,
    /// Once; the last one stays.
    Once,
    /// To the last one and back, again and again. Neither end is shown twice.
    PingPong,
}

impl Sequence {
    /// Returns the images in order, at least two. The first one is the image that has the sequence.
    pub fn images(&self) -> &[Id<Image>] {
        &self.images
    }

    /// Returns how long each image is shown, rounded to nanoseconds. [`Self::index_at`] computes with the exact time, such as a twelfth of a
    /// second.
    pub fn frame_time(&self) -> Duration {
        match self.frame_time {
            FrameTime::Milliseconds(milliseconds) => Duration::from_millis(milliseconds.into()),
            FrameTime::Rate(rate) => Duration::from_secs(1) / rate.max(1),
        }
    }

    /// Returns how they are shown.
    pub fn playback(&self) -> Playback {
        self.playback
    }

    /// Returns the number of the image that is shown `elapsed` after the beginning.
    pub fn index_at(&self, elapsed: Duration) -> usize {
        let count = self.images.len() as u128;
        let step = self.frame_time.images_in(elapsed);
        let index = match self.playback {
            Playback::Loop => step % count,
            Playback::Once => step.min(count - 1),
            Playback::PingPong => {
                let round = 2 * count - 2;
                let at = step % round.max(1);
                at.min(round - at)
            }
        };
        index as usize
    }

    /// Returns the image that is shown `elapsed` after the beginning.
    pub fn at(&self, elapsed: Duration) -> Id<Image> {
        self.images[self.index_at(elapsed)]
    }
}

impl Links {
    /// The links of an image; `None` if it has none.
    pub(super) fn of(resource: &LoadedResource<'_>) -> Result<Option<Self>> {
        if resource.dependencies.is_empty() {
            return Ok(None);
        }
        let number = |key| resource.meta.get(key).map(|number| number as usize);
        let asset = |key| match number(key) {
            None => Ok(None),
            Some(at) => match resource.dependencies.get(at) {
                Some(id) => Ok(Some(*id)),
                None => Err(missing(&format!("dependency {at} as its {key}"), resource)),
            },
        };
        let image = |key| Ok::<_, crate::error::Error>(asset(key)?.map(|id| Id::new(id, Slot(0))));
        let sequence = match (number(MetaKey::SEQUENCE), number(MetaKey::SEQUENCE_LENGTH)) {
            (Some(first), Some(length)) => {
                let end = length.checked_sub(1).and_then(|others| first.checked_add(others));
                let others = end.and_then(|end| resource.dependencies.get(first..end));
                let others = others.filter(|others| !others.is_empty());
                let others =
                    others.ok_or_else(|| missing(&format!("a sequence of {length} from {first} on"), resource))?;
                let ids = std::iter::once(resource.id).chain(others.iter().copied());
                let milliseconds = resource.meta.get(MetaKey::FRAME_TIME).unwrap_or(0).max(1);
                let rate = resource.meta.get(MetaKey::FRAME_RATE).filter(|rate| *rate > 0);
                Some(Sequence {
                    images: ids.map(|id| Id::new(id, Slot(0))).collect(),
                    frame_time: rate.map_or(FrameTime::Milliseconds(milliseconds), FrameTime::Rate),
                    playback: match resource.meta.get(MetaKey::PLAYBACK) {
                        Some(1) => Playback::Once,
                        Some(2) => Playback::PingPong,
                        _ => Playback::Loop,
                    },
                })
            }
            _ => None,
        };
        let (bump, alternate) = (image(MetaKey::BUMP)?, image(MetaKey::ALTERNATE)?);
        Ok(Some(Self { bump, alternate, material: asset(MetaKey::MATERIAL)?, sequence }))
    }
}

fn missing(what: &str, resource: &LoadedResource<'_>) -> crate::error::Error {
    inconsistent(format!("it has {what}, expected one of {} dependencies", resource.dependencies.len()))
}

#[cfg(test)]
mod tests {
    use rres_format::ResourceId;

    use super::*;

    #[test]
    fn each_image_is_shown_for_its_time() {
        let images: Box<[_]> = (1..=3).map(|id| Id::new(ResourceId(id), Slot(0))).collect();
        let shown = |playback, milliseconds: &[u64]| -> Vec<usize> {
            let frame_time = FrameTime::Milliseconds(80);
            let sequence = Sequence { images: images.clone(), frame_time, playback };
            milliseconds.iter().map(|ms| sequence.index_at(Duration::from_millis(*ms))).collect()
        };
        let times = [0, 79, 80, 160, 240, 320, 400];
        assert_eq!(shown(Playback::Loop, &times), [0, 0, 1, 2, 0, 1, 2]);
        assert_eq!(shown(Playback::Once, &times), [0, 0, 1, 2, 2, 2, 2]);
        assert_eq!(shown(Playback::PingPong, &times), [0, 0, 1, 2, 1, 0, 1]);
    }

    #[test]
    fn pictures_of_a_rate_do_not_drift() {
        let images: Box<[_]> = (1..=7).map(|id| Id::new(ResourceId(id), Slot(0))).collect();
        let sequence = Sequence { images, frame_time: FrameTime::Rate(12), playback: Playback::Loop };
        assert_eq!(sequence.frame_time(), Duration::from_nanos(83_333_333));
        for seconds in [1, 100, 1_000_000_000] {
            let elapsed = Duration::from_secs(seconds);
            let expected = seconds * 12 % 7;
            assert_eq!(sequence.index_at(elapsed) as u64, expected, "{seconds}");
            assert_eq!(sequence.index_at(elapsed - Duration::from_nanos(1)) as u64, (expected + 6) % 7, "{seconds}");
        }
    }
}
