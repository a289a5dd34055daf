//! The game without a window: loads every group, lets the autopilot fly every level, prints what it took.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use rres_runtime::{LoadedGroup, Store};

use crate::assets::groups;
use crate::error::{Error, Result};
use crate::journey::{Journey, LEVELS, Screen, Wishes};
use crate::library::{self, Rulebook};
use crate::loading::{Approach, Arrived};
use crate::world::{Rules, STEP};

/// Steps flown at most per level; a flight takes about 2,500.
const MOST_STEPS: u32 = 9_000;

/// One loaded asset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Record {
    pub(crate) path: String,
    pub(crate) kind: String,
    /// In memory, decoded.
    pub(crate) bytes: u64,
}

/// What came of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) title: String,
    pub(crate) won: bool,
    pub(crate) gathered: usize,
    pub(crate) need: usize,
    pub(crate) hearts: u32,
    pub(crate) steps: u32,
}

/// A whole game: what was loaded, how long each group took, what came of the levels.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// By path, each asset once.
    pub(crate) records: Vec<Record>,
    /// A line per group, and per change of levels.
    pub(crate) groups: String,
    pub(crate) outcomes: Vec<Outcome>,
    flying: Duration,
}

/// Loads, flies and prints.
pub(crate) fn run(store: &Store) -> Result<()> {
    let account = play(store, true)?;
    let mut text = table(&account.records) + &account.groups;
    for o in &account.outcomes {
        let result = if o.won { "the lamp burns" } else { "the lamp stays dark" };
        text += &format!(
            "flew {:<8} {:>5} steps ({:>4.1} s of game): {result}, {} of {} crystals, {} hearts left\n",
            o.title,
            o.steps,
            o.steps as f32 * STEP,
            o.gathered,
            o.need,
            o.hearts
        );
    }
    text +=
        &format!("{} steps in {:.1} ms\n", account.outcomes.iter().map(|o| o.steps).sum::<u32>(), ms(account.flying));
    text += match &library::credits(store)? {
        Some(text) => text.lines().next().unwrap_or_default(),
        None => "the credits are a link to a file that is not here; the game goes without",
    };
    writeln!(std::io::stdout().lock(), "{text}").map_err(|e| Error::Output(format!("cannot print the table: {e}")))
}

/// Loads the groups in the order in which the game with a window does, and flies each level when it is there.
pub(crate) fn play(store: &Store, flying: bool) -> Result<Account> {
    let mut account = Account::default();
    let start = Instant::now();
    let interface = store.load_group(groups::INTERFACE).wait()?;
    account.note(store, &interface, start.elapsed());
    let start = Instant::now();
    let mut arrived = Approach::with_flight(store, 0).wait()?;
    let took = start.elapsed();
    let flight = arrived.flight.take();
    flight.iter().for_each(|flight| account.note(store, flight, took));
    account.note(store, &arrived.level, took);
    loop {
        let start = Instant::now();
        let rules = Rulebook::load(store, arrived.number)?.rules();
        account.outcomes.extend(flying.then(|| fly(arrived.number, rules)));
        account.flying += start.elapsed();
        if arrived.number + 1 == LEVELS {
            break;
        }
        arrived = account.go_on(store, arrived)?;
    }
    account.records.sort();
    account.records.dedup();
    Ok(account)
}

impl Account {
    fn go_on(&mut self, store: &Store, Arrived { number, level, .. }: Arrived) -> Result<Arrived> {
        let (start, from) = (Instant::now(), level.name().to_owned());
        let approach = Approach::next(level, number + 1);
        let change = approach.change.unwrap_or_default();
        let arrived = approach.wait()?;
        let (to, read) = (arrived.level.name(), arrived.level.bytes() - change.kept);
        let _ = writeln!(self.groups, "{from} to {to}: {} freed, {} kept, {read} read", change.freed, change.kept);
        self.note(store, &arrived.level, start.elapsed());
        Ok(arrived)
    }

    fn note<G>(&mut self, store: &Store, group: &LoadedGroup<G>, time: Duration) {
        let mounts = store.mounts();
        let stored: u64 =
            group.iter().filter_map(|a| mounts.entry(a.resource())).map(|e| u64::from(e.stored_size)).sum();
        let (name, count, bytes, ms) = (group.name(), group.iter().len(), group.bytes(), ms(time));
        // Writing to a string does not fail.
        let _ = writeln!(
            self.groups,
            "group {name:<9} {count:>3} assets {stored:>9} bytes stored {bytes:>9} bytes loaded, there after {ms:>6.1} ms"
        );
        self.records.extend(group.iter().map(|asset| Record {
            path: asset.path().to_owned(),
            kind: asset.type_name().to_lowercase(),
            bytes: asset.bytes(),
        }));
    }
}

/// Lets the autopilot fly a level once, whether or not it wins.
pub(crate) fn fly(level: usize, rules: Rules) -> Outcome {
    let mut journey = Journey::new(level, rules, Screen::Story);
    journey.autopilot = true;
    let mut steps = 0;
    while !matches!(journey.screen, Screen::Won | Screen::Lost) && steps < MOST_STEPS {
        journey.step(Wishes::default());
        steps += 1;
    }
    let world = &journey.world;
    Outcome {
        title: world.level.title.clone(),
        won: journey.screen == Screen::Won,
        gathered: world.gathered,
        need: world.level.need,
        hearts: world.hearts,
        steps,
    }
}

fn table(records: &[Record]) -> String {
    let wide = records.iter().map(|r| r.path.len()).max().unwrap_or(0).max(5);
    let mut text = format!("{:<wide$}  {:<6} {:>10}\n", "asset", "kind", "bytes");
    for Record { path, kind, bytes } in records {
        text += &format!("{path:<wide$}  {kind:<6} {bytes:>10}\n");
    }
    let bytes: u64 = records.iter().map(|r| r.bytes).sum();
    text += &format!("{:<wide$}  {:<6} {bytes:>10}\n", format!("{} assets", records.len()), "");
    text
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_level_can_be_won_and_the_same_way_again() {
        let store = crate::assets::open().unwrap();
        let outcomes = play(&store, true).unwrap().outcomes;
        assert_eq!(outcomes.len(), 3);
        assert!(outcomes.iter().all(|o| o.won && o.gathered >= o.need && o.hearts > 0), "{outcomes:?}");
        assert_eq!(play(&store, true).unwrap().outcomes, outcomes);
    }

    #[test]
    fn a_lantern_that_nobody_steers_is_lost() {
        let store = crate::assets::open().unwrap();
        let mut journey = Journey::new(0, Rulebook::load(&store, 0).unwrap().rules(), Screen::Story);
        journey.step(Wishes { confirm: true, ..Wishes::default() });
        for _ in 0..MOST_STEPS {
            journey.step(Wishes::default());
        }
        assert_eq!(journey.screen, Screen::Lost);
        journey.step(Wishes { confirm: true, ..Wishes::default() });
        assert_eq!((journey.screen, journey.level), (Screen::Story, 0));
    }

    #[test]
    fn the_next_level_is_asked_for_and_nothing_happens_before_it_is_there() {
        let store = crate::assets::open().unwrap();
        let rules = |level| Rulebook::load(&store, level).unwrap().rules();
        let mut journey = Journey::new(0, rules(0), Screen::Won);
        let go_on = Wishes { confirm: true, ..Wishes::default() };
        journey.step(go_on);
        assert_eq!(journey.wants, Some((1, Screen::Story)));
        let time = journey.world.time;
        journey.step(go_on);
        assert_eq!((journey.screen, journey.world.time), (Screen::Won, time));
        journey.enter(1, rules(1), Screen::Story);
        assert_eq!(
            (journey.screen, journey.world.level.title.as_str(), journey.wants),
            (Screen::Story, "level2", None)
        );
    }

    #[test]
    fn every_language_says_everything() {
        let store = crate::assets::open().unwrap();
        let words: Vec<_> = library::words(&store).unwrap().iter().map(|words| words.get()).collect();
        for (other, code) in words.iter().zip(library::LANGUAGES).skip(1) {
            assert_eq!(other.keys(), words[0].keys(), "{code}");
        }
        assert_eq!(words[1].get("level2"), "Nördliche Stille");
        assert_eq!(words[3].get("language"), "Español");
    }

    #[test]
    fn the_groups_hold_every_asset_and_every_kind() {
        let store = crate::assets::open().unwrap();
        let records = play(&store, false).unwrap().records;
        let loaded: BTreeSet<&str> = records.iter().map(|r| r.path.as_str()).collect();
        let mounts = store.mounts();
        // What a model brings along is loaded with it, and need not be named by a group.
        let left: Vec<&str> = mounts.entries().map(|entry| entry.path).filter(|path| !loaded.contains(path)).collect();
        assert_eq!(left, [""; 0], "in no group");
        let kinds: BTreeSet<&str> = records.iter().map(|r| r.kind.as_str()).collect();
        assert_eq!(kinds, BTreeSet::from(["font", "image", "link", "model", "raw", "sound", "text"]));
    }

    #[test]
    fn going_to_the_next_level_frees_and_reads_only_what_they_do_not_share() {
        let store = crate::assets::open().unwrap();
        let Arrived { level, .. } = Approach::first(&store, 0).wait().unwrap();
        let (before, own, loads) = (store.stats().bytes, level.bytes(), store.stats().loads);
        let approach = Approach::next(level, 1);
        let change = approach.change.unwrap();
        let arrived = approach.wait().unwrap();
        let moon = store.get(crate::assets::world::MOON_DDS).unwrap().get().data().len() as u64;
        assert!(change.kept >= moon && change.freed > 0, "{change:?}");
        assert_eq!(store.stats().bytes, before - change.freed + arrived.level.bytes() - change.kept);
        assert_eq!(own, change.freed + change.kept);
        // Everything of the second level but the moon.
        assert_eq!(store.stats().loads - loads, arrived.level.iter().len() as u64 - 1);
        assert!(store.get(crate::assets::world::SKY_DUSK_JPG).is_none());
    }
}
