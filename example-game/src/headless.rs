//! The game without a window: loads every asset, lets the autopilot fly every level, prints what it took.

use std::io::Write as _;
use std::time::{Duration, Instant};

use rres_runtime::Store;

use crate::error::{Error, Result};
use crate::journey::{Journey, Screen, Wishes};
use crate::loading::{self, Library, Loading, Record};
use crate::world::STEP;

/// Steps flown at most per level; a flight takes about 2,500.
const MOST_STEPS: u32 = 9_000;

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

/// Loads, flies and prints.
pub(crate) fn run(store: &Store) -> Result<()> {
    let start = Instant::now();
    let mut loading = Loading::new(store);
    while loading.step()? {}
    let took = start.elapsed();
    let library = Library::load(store)?;
    let credits = loading::credits(store)?;
    let start = Instant::now();
    let outcomes = fly_all(library.journey);
    let flown = start.elapsed();

    let mut text = table(&loading.records, took);
    let mounts = store.mounts();
    for group in loading::GROUPS {
        let mut members = group.members().collect::<Vec<_>>();
        members.sort_unstable();
        let inside = mounts.entries().filter(|entry| members.binary_search(&entry.id.resource()).is_ok());
        let bytes: u64 = inside.map(|entry| u64::from(entry.stored_size)).sum();
        text += &format!("group {:<9} {:>3} assets {bytes:>9} bytes stored\n", group.name(), members.len());
    }
    for o in &outcomes {
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
    text += &format!("{} steps in {:.1} ms\n", outcomes.iter().map(|o| o.steps).sum::<u32>(), ms(flown));
    text += match &credits {
        Some(text) => text.lines().next().unwrap_or_default(),
        None => "the credits are a link to a file that is not here; the game goes without",
    };
    writeln!(std::io::stdout().lock(), "{text}").map_err(|e| Error::Output(format!("cannot print the table: {e}")))
}

/// Lets the autopilot fly every level once, whether or not it wins.
pub(crate) fn fly_all(mut journey: Journey) -> Vec<Outcome> {
    journey.autopilot = true;
    let mut outcomes = Vec::new();
    loop {
        journey.enter(outcomes.len());
        let mut steps = 0;
        while !matches!(journey.screen, Screen::Won | Screen::Lost) && steps < MOST_STEPS {
            journey.step(Wishes::default());
            steps += 1;
        }
        let world = &journey.world;
        outcomes.push(Outcome {
            title: world.level.title.clone(),
            won: journey.screen == Screen::Won,
            gathered: world.gathered,
            need: world.level.need,
            hearts: world.hearts,
            steps,
        });
        if journey.is_last() {
            return outcomes;
        }
    }
}

fn table(records: &[Record], took: Duration) -> String {
    let wide = records.iter().map(|r| r.path.len()).max().unwrap_or(0).max(5);
    let mut text = format!("{:<wide$}  {:<6} {:>10} {:>9}\n", "asset", "kind", "bytes", "ms");
    for record in records {
        text += &format!("{:<wide$}  {:<6} {:>10} {:>9.3}\n", record.path, record.kind, record.bytes, ms(record.time));
    }
    let bytes: usize = records.iter().map(|r| r.bytes).sum();
    text += &format!("{:<wide$}  {:<6} {bytes:>10} {:>9.3}\n", format!("{} assets", records.len()), "", ms(took));
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
        let journey = Library::load(&store).unwrap().journey;
        let outcomes = fly_all(journey.clone());
        assert_eq!(outcomes.len(), 3);
        assert!(outcomes.iter().all(|o| o.won && o.gathered >= o.need && o.hearts > 0), "{outcomes:?}");
        assert_eq!(fly_all(journey), outcomes);
    }

    #[test]
    fn a_lantern_that_nobody_steers_is_lost() {
        let store = crate::assets::open().unwrap();
        let mut journey = Library::load(&store).unwrap().journey;
        journey.enter(0);
        journey.step(Wishes { confirm: true, ..Wishes::default() });
        for _ in 0..MOST_STEPS {
            journey.step(Wishes::default());
        }
        assert_eq!(journey.screen, Screen::Lost);
        journey.step(Wishes { confirm: true, ..Wishes::default() });
        assert_eq!((journey.screen, journey.level), (Screen::Story, 0));
    }

    #[test]
    fn every_language_says_everything() {
        let store = crate::assets::open().unwrap();
        let library = Library::load(&store).unwrap();
        let english = library.languages[0].words.keys();
        for (language, code) in library.languages.iter().zip(loading::LANGUAGES).skip(1) {
            assert_eq!(language.words.keys(), english, "{code}");
        }
        assert_eq!(library.languages[1].words.get("level2"), "Nördliche Stille");
        assert_eq!(library.languages[3].words.get("language"), "Español");
    }

    #[test]
    fn assets_of_every_kind_load() {
        let store = crate::assets::open().unwrap();
        let mut loading = Loading::new(&store);
        while loading.step().unwrap() {}
        assert_eq!(loading.records.len(), store.mounts().entries().count());
        let kinds: BTreeSet<&str> = loading.records.iter().map(|r| r.kind).collect();
        assert_eq!(kinds, BTreeSet::from(["font", "image", "link", "model", "raw", "sound", "text"]));
    }
}
