//! One run of the pipeline: settings → plan → import → resolve. Builds, the serving script, explanations, listings and the lock file are made
//! from it; a [`Policy`] says what becomes of broken assets.

mod last_good;
mod leave_out;
mod lock;

use std::mem::take;
use std::sync::PoisonError;

use crate::cache::BuildManifest;
use crate::context::{BuildContext, OutputFiles};
use crate::diagnostic::Diagnostic;
use crate::elsewhere::Elsewhere;
use crate::model::Resolved;
use crate::pipeline::{self, Imported, Known, Plan, PlannedSource, Resolution, UnavailableSource};
use crate::scope::Scope;
use crate::settings::{LintFinding, RefusedFiles, Rules, SettingsFile};
pub(crate) use last_good::LastGood;
pub(crate) use lock::{Lock, LockReading};

/// A build whose settings have been read.
pub(crate) struct Session<'c> {
    pub(crate) context: &'c BuildContext,
    pub(crate) files: OutputFiles,
    pub(crate) rules: Rules,
    /// The assets that are not on this machine.
    pub(crate) elsewhere: Elsewhere,
    /// What is wrong with the settings, and whatever else the whole build is to report.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The settings file, then the settings files of libraries; `None` for one that does not exist.
    pub(crate) texts: Vec<Option<Vec<u8>>>,
}

/// What becomes of assets that cannot be imported, and of those that need them.
pub(crate) enum Policy<'p> {
    /// They are faults of the build.
    Refuse,
    /// The set is without them.
    LeaveOut,
    /// Their last good versions take their places.
    LastGood(LastGood<'p>),
    /// They are reported. Only the sources that the function wants are imported.
    Explain(&'p dyn Fn(&PlannedSource) -> bool),
}

/// The assets of a build, checked as a whole.
pub(crate) struct Checked {
    /// `None` if the last good versions are up to date, or if the lock file cannot be read.
    pub(crate) resolved: Option<Resolved>,
    /// Whether ids or paths clash. There are diagnostics then.
    pub(crate) is_ambiguous: bool,
    /// Everything that is wrong.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is wrong with the assets that the set is without.
    pub(crate) refused: Vec<Diagnostic>,
    /// What is beyond a limit and only reported.
    pub(crate) lints: Vec<LintFinding>,
    pub(crate) lock: Lock,
    /// What the plan and the import have found, without diagnostics. Its assets are those that the set does not need.
    pub(crate) found: Imported,
}

impl<'c> Session<'c> {
    /// Reads the settings.
    pub(crate) fn open(context: &'c BuildContext) -> Self {
        let SettingsFile { rules, mut diagnostics, bytes, of_libraries } = context.read_settings();
        let elsewhere = Elsewhere::read(context).map_err(|fault| diagnostics.push(fault)).unwrap_or_default();
        let files = context.output_files(context.pack_name(&rules));
        Self { context, files, rules, elsewhere, diagnostics, texts: [vec![bytes], of_libraries].concat() }
    }

    /// Whether the settings want a set without the assets that something is wrong with.
    pub(crate) fn leaves_out(&self) -> bool {
        match self.rules.pack().refused {
            RefusedFiles::Deny => false,
            RefusedFiles::DenyInRelease => self.context.is_debug,
            RefusedFiles::Warn => true,
        }
    }

    /// Finds the sources to import.
    pub(crate) fn plan(&self) -> Plan {
        pipeline::plan(self.context, &self.rules, &self.elsewhere)
    }

    /// Imports the sources of the plan, and checks the assets as a whole.
    pub(crate) fn run(&self, plan: Plan, mut policy: Policy<'_>) -> Checked {
        let mut found = self.import(plan, &policy);
        let is_same = found.is_unchanged && found.diagnostics.is_empty();
        if matches!(&policy, Policy::LastGood(of) if of.is_settled && is_same) {
            return Checked::without_set(found, Vec::new());
        }
        let mut diagnostics = [self.diagnostics.clone(), take(&mut found.diagnostics)].concat();
        let (mut assets, mut unavailable) = (take(&mut found.assets), take(&mut found.unavailable));
        let scope = Scope { context: self.context, rules: &found.rules };
        // The last good version of an asset may need others than the new one.
        if let Policy::LastGood(of) = &policy {
            of.restore_all(scope, &mut assets, &unavailable);
        }
        if !matches!(policy, Policy::Explain(_)) {
            found.assets = pipeline::drop_unneeded(&self.context.options.only, &mut assets, &mut unavailable);
        }
        diagnostics.extend(match &policy {
            Policy::Refuse | Policy::LeaveOut => pipeline::refuse_dependents(scope, &mut assets, &mut unavailable),
            Policy::LastGood(of) => of.complete(scope, &mut assets, &unavailable),
            Policy::Explain(_) => Vec::new(),
        });
        let lock = match lock::read(scope, &mut policy, &assets, &unavailable) {
            Ok(lock) => lock,
            // Another asset could have another id.
            Err(diagnostics) if matches!(policy, Policy::LastGood(_)) => {
                return Checked::without_set(found, diagnostics);
            }
            Err(faults) => {
                diagnostics.extend(faults);
                Lock::default()
            }
        };
        let mut refused = Vec::new();
        let resolution = match policy {
            Policy::LeaveOut => {
                (refused, diagnostics) = pipeline::split_refusals(diagnostics);
                leave_out::resolve(scope, &lock.ids, assets, unavailable, &mut refused)
            }
            _ => pipeline::resolve(scope, &lock.ids, assets, &unavailable),
        };
        let Resolution { resolved, is_ambiguous, diagnostics: of_set, lints } = resolution;
        let only_report = self.context.options.limits_only_warn || matches!(policy, Policy::Explain(_));
        let (lints, denied) = if only_report { (lints, Vec::new()) } else { LintFinding::split(lints) };
        diagnostics.extend(of_set.into_iter().chain(denied));
        Checked { resolved: Some(resolved), is_ambiguous, diagnostics, refused, lints, lock, found }
    }

    fn import(&self, mut plan: Plan, policy: &Policy<'_>) -> Imported {
        if let Policy::LastGood(LastGood { known, .. }) = policy {
            return pipeline::import(self.context, plan, *known);
        }
        let (manifest, is_own) = self.last_manifest();
        let remembered = || self.context.options.timed_out.lock().unwrap_or_else(PoisonError::into_inner);
        let timed_out = remembered().clone();
        let known = Known { manifest: &manifest, trust_stamps: true, same_rules: false, timed_out: &timed_out };
        if let Policy::Explain(is_wanted) = policy {
            let (sources, others): (Vec<_>, Vec<_>) = take(&mut plan.sources).into_iter().partition(is_wanted);
            let mut imported = pipeline::import(self.context, Plan { sources, ..plan }, known);
            let others = others.iter().map(|of| UnavailableSource::new(&of.source.path, &of.settings));
            imported.unavailable.extend(others);
            return imported;
        }
        // A pack for shipping must contain the current files, whatever their times.
        let trust_stamps = self.context.options.trust_stamps.unwrap_or(self.context.is_debug);
        let imported = pipeline::import(self.context, plan, Known { trust_stamps, ..known });
        remembered().clone_from(&imported.timed_out);
        // Without usable rules nothing was imported, so the old manifest is kept. Otherwise it is stored even if the build fails because of
        // other files.
        if self.rules.is_usable() && !(is_own && imported.is_unchanged) {
            // The new one is large, too.
            drop(manifest);
            let own = self.files.build_manifest();
            let bytes = BuildManifest::encode(imported.records(), imported.began);
            BuildManifest::write(&own, &bytes);
            self.context.cache.store_manifest(&self.files.name, &own, &bytes);
        }
        imported
    }

    /// The manifest of the last build, and whether it is of the same output directory.
    fn last_manifest(&self) -> (BuildManifest, bool) {
        let own = self.files.build_manifest();
        // The manifest of a build script is in its output directory.
        let of_script = own.file_name().map(|name| self.files.dir.join(name));
        let others = of_script.into_iter().chain([self.context.cache.manifest_file(&self.files.name)]);
        let manifest = BuildManifest::read(&own);
        if manifest.len() > 0 {
            return (manifest, true);
        }
        let mut others = others.map(|file| BuildManifest::read(&file));
        (others.find(|manifest| manifest.len() > 0).unwrap_or_default(), false)
    }
}

impl Checked {
    fn without_set(found: Imported, diagnostics: Vec<Diagnostic>) -> Self {
        let (refused, lints, lock) = (Vec::new(), Vec::new(), Lock::default());
        Self { resolved: None, is_ambiguous: false, diagnostics, refused, lints, lock, found }
    }
}
