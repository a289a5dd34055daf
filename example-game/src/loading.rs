//! Groups: the assets that every flight needs, and the assets of one level. The store's threads load them while a
//! screen is drawn.

use anyhow::Result;
use rres_runtime::Image;
use rres_runtime::{Group, Id, LoadedGroup, Loading, Priority, Progress, Store};

use crate::assets::groups::{self, FLIGHT};
use crate::assets::{levels, world};
use crate::level::Level;

/// The assets of one level.
pub(crate) struct LevelAssets {
    pub(crate) group: Group,
    pub(crate) map: Id<Level>,
    pub(crate) sky: Id<Image>,
    pub(crate) moon: Option<Id<Image>>,
    pub(crate) aurora: Option<Id<Image>>,
}

pub(crate) const LEVELS: [LevelAssets; 3] = {
    use groups::{LEVEL_1, LEVEL_2, LEVEL_3};
    let moon = Some(world::MOON_DDS);
    [
        level(LEVEL_1.untyped(), levels::LEVEL_1_LEVEL, world::SKY_DUSK_JPG, moon, None),
        level(LEVEL_2.untyped(), levels::LEVEL_2_LEVEL, world::SKY_MIDNIGHT_PNG, moon, Some(world::AURORA_DDS)),
        level(LEVEL_3.untyped(), levels::LEVEL_3_LEVEL, world::SKY_DAWN_BMP, None, None),
    ]
};

/// An asset that is not in the level's group is a compile error.
const fn level(
    group: Group,
    map: Id<Level>,
    sky: Id<Image>,
    moon: Option<Id<Image>>,
    aurora: Option<Id<Image>>,
) -> LevelAssets {
    let _ = (group.member(map), group.member(sky));
    if let Some(moon) = moon {
        let _ = group.member(moon);
    }
    if let Some(aurora) = aurora {
        let _ = group.member(aurora);
    }
    LevelAssets { group, map, sky, moon, aurora }
}

/// It is loaded with the model that refers to it, never by name.
const _: Id<Image> = crate::assets::models::CRYSTAL_PNG;

/// How a change of levels affects memory, in bytes of decoded assets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// Assets that only the previous level needed.
    pub(crate) freed: u64,
    /// Assets that both levels need, which are neither freed nor read.
    pub(crate) kept: u64,
}

/// A level that is being loaded. Dropping it cancels loads that have not begun.
#[derive(Debug)]
pub(crate) struct LevelLoading {
    pub(crate) number: usize,
    flight: Option<Loading<FLIGHT>>,
    level: Loading,
    /// `None` for the first level.
    pub(crate) change: Option<Change>,
}

/// A loaded level.
#[derive(Debug)]
pub(crate) struct LoadedLevel {
    pub(crate) number: usize,
    /// The assets that every flight needs, if this was the first one.
    pub(crate) flight: Option<LoadedGroup<FLIGHT>>,
    pub(crate) level: LoadedGroup,
}

impl LevelLoading {
    /// Loads a level and the assets that every flight needs.
    pub(crate) fn first(store: &Store, number: usize) -> Self {
        let flight = Some(store.load_group(groups::FLIGHT));
        // The player waits for both groups, but the level's is smaller.
        let level = store.load_group_with(LEVELS[number].group, Priority::High);
        Self { number, flight, level, change: None }
    }

    /// Goes from one level to another. Only the assets that they do not share are freed or read.
    pub(crate) fn next(level: LoadedGroup, number: usize) -> Self {
        let next = LEVELS[number].group;
        let stays = |id| next.members().any(|member| member == id);
        let kept = level.iter().filter(|asset| stays(asset.resource())).map(|asset| asset.bytes()).sum();
        let change = Some(Change { freed: level.bytes() - kept, kept });
        Self { number, flight: None, level: level.switch_to(next), change }
    }

    /// Returns the progress of both groups together.
    pub(crate) fn progress(&self) -> Progress {
        let mut sum = self.level.progress();
        if let Some(flight) = self.flight.as_ref().map(Loading::progress) {
            sum.assets += flight.assets;
            sum.assets_total += flight.assets_total;
            sum.bytes += flight.bytes;
            sum.bytes_total += flight.bytes_total;
            sum.failed += flight.failed;
            sum.current = flight.current.or(sum.current);
        }
        sum
    }

    /// Waits for the rest; this thread helps.
    pub(crate) fn wait(self) -> Result<LoadedLevel> {
        let flight = self.flight.map(Loading::wait).transpose()?;
        Ok(LoadedLevel { number: self.number, flight, level: self.level.wait()? })
    }
}
