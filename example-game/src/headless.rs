//! The game without a window: loads every group, flies every level by autopilot, and prints a table.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use anyhow::{Context, Result};
use rres_runtime::{LoadedGroup, Store};

use crate::assets::{fonts, groups};
use crate::data::{RuleAssets, credits};
use crate::game::{Game, Input, Screen};
use crate::loading::{LEVELS, LevelLoading};
use crate::world::{Rules, STEP, World};

/// The largest number of steps per level. A flight takes about 2,500.
pub(crate) const MOST_STEPS: u32 = 9_000;

/// A whole game: what was loaded, and the results of the levels.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Path, kind and bytes in memory of each asset, sorted and without duplicates.
    pub(crate) assets: Vec<(String, String, u64)>,
    /// One line per group, and one per change of levels.
    groups: String,
    /// One line per level.
    pub(crate) flights: Vec<String>,
}

/// Loads, flies and prints.
pub(crate) fn run(store: &Store) -> Result<()> {
    let start = Instant::now();
    let report = play(store)?;
    let mut text = table(&report.assets) + &report.groups + &report.flights.concat();
    writeln!(text, "total time: {:.1} s", start.elapsed().as_secs_f64())?;
    let credits = credits(store)?;
    text += credits
        .as_deref()
        .and_then(|text| text.lines().next())
        .unwrap_or("the credits are a link to a file that does not exist here");
    print(&(text + "\n"))
}

/// Prints the licences of the fonts, which are shipped with the game.
pub(crate) fn print_licenses(store: &Store) -> Result<()> {
    let texts = [
        fonts::GOUDY_PUBLIC_DOMAIN_TXT,
        fonts::QUICKSAND_OFL_TXT,
        fonts::GFS_NEOHELLENIC_OFL_TXT,
        fonts::NOTO_SANS_CJK_OFL_TXT,
    ];
    for id in texts {
        let license = store.load(id)?;
        print(&format!("{}\n\n{}\n", license.path(), license.get().as_str().trim_end()))?;
    }
    Ok(())
}

fn print(text: &str) -> Result<()> {
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot print")
}

/// Loads the groups in the same order as the game with a window, and flies each level when it is loaded.
pub(crate) fn play(store: &Store) -> Result<Report> {
    let mut report = Report::default();
    let start = Instant::now();
    report.note(store, &store.load_group(groups::INTERFACE).wait()?, start);
    let mut start = Instant::now();
    let mut loaded = LevelLoading::first(store, 0).wait()?;
    let flight = loaded.flight.take();
    flight.iter().for_each(|flight| report.note(store, flight, start));
    loop {
        report.note(store, &loaded.level, start);
        let number = loaded.number;
        report.flights.push(fly(number, RuleAssets::load(store, number)?.rules()));
        if number + 1 == LEVELS.len() {
            break;
        }
        let from = loaded.level.name().to_owned();
        start = Instant::now();
        let loading = LevelLoading::next(loaded.level, number + 1);
        let change = loading.change.unwrap_or_default();
        loaded = loading.wait()?;
        let (to, read) = (loaded.level.name(), loaded.level.bytes() - change.kept);
        writeln!(report.groups, "{from} to {to}: {} bytes freed, {} kept, {read} read", change.freed, change.kept)?;
    }
    report.assets.sort();
    report.assets.dedup();
    Ok(report)
}

impl Report {
    fn note<G>(&mut self, store: &Store, group: &LoadedGroup<G>, start: Instant) {
        let mounts = store.mounts();
        let entries = group.iter().filter_map(|asset| mounts.entry(asset.resource()));
        let stored: u64 = entries.map(|entry| u64::from(entry.stored_size)).sum();
        let (name, count, bytes) = (group.name(), group.iter().len(), group.bytes());
        let ms = start.elapsed().as_secs_f64() * 1e3;
        self.groups += &format!(
            "group {name:<9} {count:>3} assets, {stored:>8} bytes stored, {bytes:>9} loaded after {ms:.1} ms\n"
        );
        let row = |asset: &rres_runtime::AnyHandle| {
            (asset.path().to_owned(), asset.type_name().to_lowercase(), asset.bytes())
        };
        self.assets.extend(group.iter().map(row));
    }
}

/// Flies a level once by autopilot, and returns a line about the result.
fn fly(level: usize, rules: Rules) -> String {
    let mut game = Game::new(level, rules, Screen::Story);
    game.autopilot = true;
    let mut steps = 0;
    while !matches!(game.screen, Screen::Won | Screen::Lost) && steps < MOST_STEPS {
        game.step(Input::default());
        steps += 1;
    }
    let (World { rules, gathered, hearts, .. }, seconds) = (&game.world, steps as f32 * STEP);
    let (title, need) = (&rules.level.title, rules.level.need);
    let result = if game.screen == Screen::Won { "the lamp burns" } else { "the lamp stays dark" };
    format!(
        "flew {title}, {steps} steps ({seconds:.1} s of game): {result}, {gathered} of {need} crystals, {hearts} hearts left\n"
    )
}

fn table(assets: &[(String, String, u64)]) -> String {
    let wide = assets.iter().map(|(path, ..)| path.len()).max().unwrap_or(0).max(5);
    let row = |path: &str, kind: &str, bytes: &dyn std::fmt::Display| format!("{path:<wide$}  {kind:<6} {bytes:>10}\n");
    let mut text = row("asset", "kind", &"bytes");
    text.extend(assets.iter().map(|(path, kind, bytes)| row(path, kind, bytes)));
    let bytes: u64 = assets.iter().map(|(.., bytes)| bytes).sum();
    text + &row(&format!("{} assets", assets.len()), "", &bytes)
}
