//! `cargo rres advise`: tries settings on all assets, and says what each would save.

mod advice;
mod files;
mod goal;
mod measure;
mod print;
mod search;
mod settings_text;
mod trials;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rres_settings::SETTINGS_FILE;
use serde_json::{Value, json};

use advice::{Advice, chosen};
use files::{Files, Measured};
use goal::Goal;
use measure::Subject;

use crate::asset_builds::{AssetBuild, BuildArgs};
use crate::exit::{Failure, Outcome};
use crate::key::KeyArgs;
use crate::output::Output;

/// Try settings on the assets, and say what each would save
///
/// Builds packs with the settings, from the import cache if they have been tried before, and compares the files of each folder. Then it tries the
/// best of them together. Nothing is changed without --apply.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres advise                          what saves at least 5 % of the files of a folder
  cargo rres advise --goal vram              what saves video memory
  cargo rres advise --apply                  adds the rules that lose nothing to assets.toml
  cargo rres advise --assets assets --json")]
pub(crate) struct Args {
    #[command(flatten)]
    builds: BuildArgs,
    #[command(flatten)]
    key: KeyArgs,
    /// What to save
    #[arg(long, value_name = "GOAL", value_enum, default_value_t)]
    goal: Goal,
    /// Add the rules that lose nothing to assets.toml, the best one for each folder
    #[arg(long)]
    apply: bool,
    /// With --apply, add rules that lose something, too, if they save more
    #[arg(long, requires = "apply")]
    lossy: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let keys = args.key.load()?;
    let mut found = Vec::new();
    for AssetBuild { dir, build } in args.builds.find(out)?.builds {
        let subject = Subject::new(&dir, build, keys.clone())?;
        if subject.settings.has_rules_for_targets() {
            let file = dir.join(SETTINGS_FILE);
            out.warn(&format!("{} has rules for some targets; this measures a build for one", file.display()))?;
        }
        found.push(Found::of(dir, subject, args.goal, out)?);
    }
    // What is advised for one directory is not written before all others have been measured.
    if args.apply {
        found.iter_mut().try_for_each(|found| found.apply(args))?;
    }
    if args.json {
        let builds: Vec<Value> = found.iter().map(|found| print::json(found, args.goal)).collect();
        out.json(json!({ "builds": builds }))?;
    } else {
        let has_titles = found.len() > 1;
        found.iter().try_for_each(|found| print::print(found, has_titles, args, out))?;
    }
    Ok(Outcome::Success)
}

/// What has been found for a directory.
struct Found {
    dir: PathBuf,
    subject: Subject,
    /// What its assets take now.
    before: BTreeMap<Files, Measured>,
    /// What is worth a rule, the largest saving first.
    advice: Vec<Advice>,
    totals: Totals,
    /// Whether the chosen rules build together: those without loss, and the best of all.
    fits: [bool; 2],
    /// The number of rules that were added.
    applied: usize,
}

/// What all assets take of a goal.
struct Totals {
    now: u64,
    /// With the best rules that lose nothing.
    without_loss: u64,
    /// With the best rules.
    best: u64,
}

impl Found {
    fn of(dir: PathBuf, subject: Subject, goal: Goal, out: &mut Output) -> Result<Self, Failure> {
        let before = subject.measure(&[])?;
        let advice = search::search(&subject, &before, goal, out)?;
        let sum = |measured: &BTreeMap<Files, Measured>| measured.values().map(|measured| goal.of(measured)).sum();
        let mut fits = [true; 2];
        // Measured again, as a build with these rules does it.
        let mut with = |may_lose: bool, out: &mut Output| -> Result<u64, Failure> {
            let rules: Vec<_> = chosen(&advice, goal, may_lose).iter().map(|of| (&of.files, &of.candidate)).collect();
            if rules.is_empty() {
                return Ok(sum(&before));
            }
            match subject.measure(&rules) {
                Ok(measured) => Ok(sum(&measured)),
                // Each of them does.
                Err(Failure::Fault(fault)) => {
                    out.warn(&format!("all rules together do not build, so add them one by one: {fault}"))?;
                    fits[usize::from(may_lose)] = false;
                    Ok(sum(&before))
                }
                Err(failure) => Err(failure),
            }
        };
        let totals = Totals { now: sum(&before), without_loss: with(false, out)?, best: with(true, out)? };
        Ok(Self { dir, subject, before, advice, totals, fits, applied: 0 })
    }

    /// Adds the rules to the settings file of the directory.
    fn apply(&mut self, args: &Args) -> Result<(), Failure> {
        let settings = &self.subject.settings;
        let rule = |advice: &&Advice| {
            let saved = print::amount(args.goal, advice.saved(args.goal));
            let of = print::amount(args.goal, args.goal.of(&advice.before));
            let rule = settings.rule(&advice.files, &advice.candidate);
            format!("# `cargo rres advise`: saves {saved} of {of} {}.\n{rule}", args.goal.unit())
        };
        let rules: Vec<String> = chosen(&self.advice, args.goal, args.lossy).iter().map(rule).collect();
        if !rules.is_empty() {
            if !self.fits[usize::from(args.lossy)] {
                let dir = self.dir.display();
                return Err(Failure::Fault(format!("{dir}: nothing is added, since all rules together do not build")));
            }
            settings.write(&rules)?;
        }
        self.applied = rules.len();
        Ok(())
    }
}
