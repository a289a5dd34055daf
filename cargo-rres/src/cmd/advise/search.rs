//! A directory → the settings that are worth a rule, each tried on the files of each folder.
//!
//! What the files of a folder take does not depend on those of another, so one build tries one setting for each folder, and these may differ. First each setting
//! is tried alone, then the best one of each folder together with others.

use std::collections::{BTreeMap, VecDeque};

use super::advice::{Advice, chosen};
use super::files::{Files, Measured};
use super::goal::Goal;
use super::measure::Subject;
use super::trials::Candidate;
use crate::exit::Failure;
use crate::output::{Output, escape_terminal};

/// The most settings of one rule.
const MOST_SETTINGS: usize = 3;

/// Settings to try on the files of a folder.
struct Try {
    candidate: Candidate,
    /// What the files take without the last of the settings.
    without: u64,
}

/// What is left to try on the files of each folder.
type Queue = BTreeMap<Files, VecDeque<Try>>;

/// Returns the advice for all files, the largest saving first.
pub(super) fn search(
    subject: &Subject,
    before: &BTreeMap<Files, Measured>,
    goal: Goal,
    out: &mut Output,
) -> Result<Vec<Advice>, Failure> {
    let mut search = Search { subject, before, goal, refused: Vec::new() };
    let singles = search.try_all(search.singles(), out)?;
    let (mut all, mut last) = (singles.clone(), singles.clone());
    for _ in 1..MOST_SETTINGS {
        let better = search.try_all(search.combined(&last, &singles), out)?;
        last = ends(&better, goal).cloned().collect();
        all.extend(last.iter().cloned());
    }
    all.sort_by(|a, b| b.saved(goal).cmp(&a.saved(goal)).then_with(|| a.files.cmp(&b.files)));
    Ok(all)
}

/// Returns the best advice without loss and the best of all, for each folder.
fn ends(advice: &[Advice], goal: Goal) -> impl Iterator<Item = &Advice> {
    let (without, all) = (chosen(advice, goal, false), chosen(advice, goal, true));
    let others: Vec<&Advice> = all.into_iter().filter(|advice| advice.loss().is_some()).collect();
    without.into_iter().chain(others)
}

struct Search<'a> {
    subject: &'a Subject,
    before: &'a BTreeMap<Files, Measured>,
    goal: Goal,
    /// Settings that a build of these assets does not take, such as blocks for a reader that has none.
    refused: Vec<Candidate>,
}

impl Search<'_> {
    /// Each setting alone.
    fn singles(&self) -> Queue {
        let of = |(files, measured): (&Files, &Measured)| {
            let without = self.goal.of(measured);
            let tries = Candidate::singles(self.goal, measured).map(|candidate| Try { candidate, without });
            (files.clone(), tries.collect())
        };
        // A glob for files without an extension matches all others of their folder, too.
        let has_own_glob = |(files, measured): &(&Files, &Measured)| measured.assets > 0 && !files.extension.is_empty();
        self.before.iter().filter(has_own_glob).map(of).collect()
    }

    /// The best settings of each folder with one more, of those that are worth a rule by themselves.
    fn combined(&self, last: &[Advice], singles: &[Advice]) -> Queue {
        let mut queue = Queue::new();
        for base in ends(last, self.goal) {
            let tries = queue.entry(base.files.clone()).or_default();
            for single in singles.iter().filter(|single| single.files == base.files) {
                let Some(candidate) = base.candidate.with(&single.candidate) else { continue };
                let without = self.goal.of(&base.after);
                match tries.iter_mut().find(|queued| queued.candidate == candidate) {
                    // Each of its settings has to be worth it.
                    Some(queued) => queued.without = queued.without.min(without),
                    None => tries.push_back(Try { candidate, without }),
                }
            }
        }
        queue
    }

    /// Tries everything, and returns what is worth a rule.
    fn try_all(&mut self, mut queue: Queue, out: &mut Output) -> Result<Vec<Advice>, Failure> {
        let mut advice = Vec::new();
        loop {
            let is_refused = |tried: &Try| self.refused.iter().any(|refused| tried.candidate.contains(refused));
            queue.values_mut().for_each(|left| left.retain(|tried| !is_refused(tried)));
            let next = |(files, left): (&Files, &mut VecDeque<Try>)| Some((files.clone(), left.pop_front()?));
            let batch: Vec<(Files, Try)> = queue.iter_mut().filter_map(next).collect();
            if batch.is_empty() {
                return Ok(advice);
            }
            // What an atlas holds is no image any more, which can be the fault of what another folder tries.
            let (atlases, others): (Vec<_>, Vec<_>) =
                batch.into_iter().partition(|(files, tried)| tried.candidate.atlas(files).is_some());
            for batch in [others, atlases].into_iter().filter(|batch| !batch.is_empty()) {
                self.try_together(batch, &mut advice, out)?;
            }
        }
    }

    /// Tries each of these in one build.
    fn try_together(
        &mut self,
        batch: Vec<(Files, Try)>,
        advice: &mut Vec<Advice>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let rules: Vec<(&Files, &Candidate)> = batch.iter().map(|(files, tried)| (files, &tried.candidate)).collect();
        let failure = match self.subject.measure(&rules) {
            Ok(measured) => {
                for (files, tried) in batch {
                    if let Some(found) = self.advice(files, tried, &measured)
                        && self.leaves_others_whole(&found)?
                    {
                        advice.push(found);
                    }
                }
                return Ok(());
            }
            Err(failure @ Failure::Usage(_)) => return Err(failure),
            Err(failure @ Failure::Fault(_)) => failure,
        };
        // The settings of one of them are the fault. Each has a build of its own then.
        let (files, first) = rules[0];
        if rules.iter().all(|(_, candidate)| *candidate == first) {
            // Unless something else has happened, such as a full disk.
            self.subject.measure(&[])?;
            let failure = failure.to_string();
            let why = escape_terminal(failure.lines().next().unwrap_or_default());
            out.warn(&format!("`{}` was not tried: {why}", first.keys(files).replace('\n', ", ")))?;
            self.refused.push(first.clone());
            return Ok(());
        }
        let first = first.clone();
        let (same, others) = batch.into_iter().partition(|(_, tried)| tried.candidate == first);
        self.try_together(same, advice, out)?;
        self.try_together(others, advice, out)
    }

    /// Whether a build with this advice alone has all assets. A picture that a model elsewhere needs cannot be in an atlas, and the fault is the model's.
    fn leaves_others_whole(&self, advice: &Advice) -> Result<bool, Failure> {
        if advice.candidate.atlas(&advice.files).is_none() {
            return Ok(true);
        }
        let measured = self.subject.measure(&[(&advice.files, &advice.candidate)])?;
        let is_whole =
            |(files, before): (&Files, &Measured)| before.assets == measured.get(files).map_or(0, |after| after.assets);
        Ok(self.before.iter().all(is_whole))
    }

    /// What a build has measured, if it is worth a rule.
    fn advice(
        &self,
        files: Files,
        Try { candidate, without }: Try,
        measured: &BTreeMap<Files, Measured>,
    ) -> Option<Advice> {
        let (before, after) = (self.before.get(&files)?, measured.get(&files)?);
        let saved = without.saturating_sub(self.goal.of(after));
        // A file that is refused with the setting is not one that takes no bytes.
        let is_worth_it = before.assets == after.assets && self.goal.is_worth_it(saved, self.goal.of(before));
        let (before, after) = (before.clone(), after.clone());
        is_worth_it.then(|| Advice { glob: self.subject.settings.glob(&files), files, candidate, before, after })
    }
}
