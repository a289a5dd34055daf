//! Groups on their way: what every flight needs and one level's own, loaded on the store's threads while a screen is drawn.
//!
//! [`Approach`] is asked once a frame; what arrives is a group that gives its members without a way to fail.

use rres_runtime::asset::{Image, Text};
use rres_runtime::{Group, Id, LoadedGroup, Loading, Member, Priority, Progress, Store};

use crate::assets::groups::{self, FLIGHT};
use crate::assets::{levels, world};
use crate::error::Result;
use crate::journey::LEVELS;

/// One level: its group, and what of it is drawn. An asset that is not in the group does not compile.
pub(crate) struct Route {
    pub(crate) group: Group,
    pub(crate) level: Id<Text>,
    pub(crate) sky: Member<(), Image>,
    pub(crate) moon: Option<Member<(), Image>>,
    pub(crate) aurora: Option<Member<(), Image>>,
}

pub(crate) const ROUTES: [Route; LEVELS] = {
    // Levels are told apart at run time, hence without the groups' own types.
    const FIRST: Group = groups::LEVEL_1.untyped();
    const SECOND: Group = groups::LEVEL_2.untyped();
    const THIRD: Group = groups::LEVEL_3.untyped();
    [
        Route {
            group: FIRST,
            level: levels::LEVEL_1_TXT,
            sky: FIRST.member(world::SKY_DUSK_JPG),
            moon: Some(FIRST.member(world::MOON_DDS)),
            aurora: None,
        },
        Route {
            group: SECOND,
            level: levels::LEVEL_2_TXT,
            sky: SECOND.member(world::SKY_MIDNIGHT_PNG),
            moon: Some(SECOND.member(world::MOON_DDS)),
            aurora: Some(SECOND.member(world::AURORA_DDS)),
        },
        Route {
            group: THIRD,
            level: levels::LEVEL_3_TXT,
            sky: THIRD.member(world::SKY_DAWN_BMP),
            moon: None,
            aurora: None,
        },
    ]
};

/// What a change of levels does to memory, in bytes of decoded assets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// Of what only the level before needed.
    pub(crate) freed: u64,
    /// Of what both need: neither freed nor read.
    pub(crate) kept: u64,
}

/// The way to a level.
#[derive(Debug)]
pub(crate) struct Approach {
    pub(crate) number: usize,
    /// Where it is to come along.
    flight: Option<Part<FLIGHT>>,
    level: Part,
    /// `None` where there was no level before.
    pub(crate) change: Option<Change>,
}

/// What has arrived.
#[derive(Debug)]
pub(crate) struct Arrived {
    pub(crate) number: usize,
    /// What every flight needs, where it came along.
    pub(crate) flight: Option<LoadedGroup<FLIGHT>>,
    pub(crate) level: LoadedGroup,
}

impl Approach {
    /// To a level and to what every flight needs, with neither of them loaded.
    pub(crate) fn with_flight(store: &Store, number: usize) -> Self {
        Self { flight: Some(Part::coming(store.load_group(groups::FLIGHT))), ..Self::first(store, number) }
    }

    /// To a level with none before it.
    pub(crate) fn first(store: &Store, number: usize) -> Self {
        // The player waits: before whatever else may be loading.
        let level = store.load_group_with(ROUTES[number].group, Priority::High);
        Self { number, flight: None, level: Part::coming(level), change: None }
    }

    /// From one level to another: only what they do not share is freed and read.
    pub(crate) fn next(level: LoadedGroup, number: usize) -> Self {
        let next = ROUTES[number].group;
        let stays = |id| next.members().any(|member| member == id);
        let kept = level.iter().filter(|asset| stays(asset.resource())).map(|asset| asset.bytes()).sum();
        let change = Change { freed: level.bytes() - kept, kept };
        let level = Part::coming(level.switch_to(next));
        Self { number, flight: None, level, change: Some(change) }
    }

    /// How far both groups are, as one.
    pub(crate) fn progress(&self) -> Progress {
        let mut sum = self.level.loading.progress();
        if let Some(flight) = self.flight.as_ref().map(|part| part.loading.progress()) {
            sum.assets += flight.assets;
            sum.assets_total += flight.assets_total;
            sum.bytes += flight.bytes;
            sum.bytes_total += flight.bytes_total;
            sum.failed += flight.failed;
            sum.current = if flight.is_done() { sum.current } else { flight.current.or(sum.current) };
        }
        sum
    }

    /// Once a frame: whether everything is there, or what went wrong.
    pub(crate) fn poll(&mut self) -> Result<bool> {
        // Both, whatever comes of the first: where there are no threads, asking is what loads.
        let flight = self.flight.as_mut().map_or(Ok(true), Part::poll)?;
        Ok(self.level.poll()? && flight)
    }

    /// Waits for what is not there yet; this thread helps.
    pub(crate) fn wait(self) -> Result<Arrived> {
        let Self { number, flight, level, .. } = self;
        Ok(Arrived { number, level: level.wait()?, flight: flight.map(Part::wait).transpose()? })
    }
}

/// A group that is coming, or is there. Dropping it on its way cancels what has not begun.
#[derive(Debug)]
struct Part<G = ()> {
    loading: Loading<G>,
    loaded: Option<LoadedGroup<G>>,
}

impl<G> Part<G> {
    fn coming(loading: Loading<G>) -> Self {
        Self { loading, loaded: None }
    }

    fn poll(&mut self) -> Result<bool> {
        if self.loaded.is_none() {
            self.loaded = self.loading.poll().transpose()?;
        }
        Ok(self.loaded.is_some())
    }

    fn wait(self) -> Result<LoadedGroup<G>> {
        match self.loaded {
            Some(loaded) => Ok(loaded),
            None => Ok(self.loading.wait()?),
        }
    }
}
