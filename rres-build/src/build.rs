//! Runs a build, from its options to its report: executes the steps of the pipeline in order, and fails if there are
//! diagnostics.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process;
use std::time::Instant;

use crate::cache::{self, BuildManifest};
use crate::cargo;
use crate::context::{BuildContext, OutputFiles};
use crate::diagnostic::{BuildError, Diagnostic, Fix, Place};
use crate::listing;
use crate::lock_file::{self, LockFile};
use crate::model::{ImportedAsset, Resolved};
use crate::note_group::NoteGroup;
use crate::opt_level_hint;
use crate::options::Build;
use crate::pipeline::{self, Imported, Known, OutputError, Outputs, Resolution, TimedOut, UnavailableSource};
use crate::recorded;
use crate::report::{AssetReport, Phases, Report, TargetFile};
use crate::serve::{self, LockState, Request};
use crate::settings::{self, LintFinding, RefusedFiles, Rules, SETTINGS_FILE, SettingsFile};
use crate::temp_file::sweep_temp_files;
use rres_import::Note;

/// The result of [`Build::build_or_serve`].
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a build script has one")]
pub enum Outcome {
    /// The assets were built.
    Built(Report),
    /// The script served a running game until the game ended. It has nothing left to do.
    Served,
    /// This build did nothing, because a running game asked another build of the same script to serve it.
    Skipped,
}

/// A listing of the constants of a module, for builds without the assets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// Where it belongs: `assets.listing` beside the directory `assets`.
    pub file: PathBuf,
    /// The text that it should have.
    pub text: String,
    /// The number of assets with constants.
    pub count: usize,
}

impl Build {
    /// Runs the build, or serves the running game that started the build script; for the `main` of `build.rs`.
    ///
    /// If the build fails, reports every fault to Cargo and exits with code 1. If a running game started the script
    /// (the variable `RRES_SERVE` is set), serves that game until it ends, then exits with code 0. Use
    /// [`build_or_serve`](Self::build_or_serve) to handle the result yourself.
    pub fn build_or_exit(self) {
        match self.build_or_serve() {
            Ok(Outcome::Built(_) | Outcome::Skipped) => {}
            Ok(Outcome::Served) => process::exit(0),
            Err(error) => {
                cargo::report(&error, cargo::CargoEnv::read().manifest_dir.as_deref());
                process::exit(1);
            }
        }
    }

    /// Runs the build, or serves the running game that started the build script. For hot reload, the compiled build
    /// script imports assets again, so that the rules in `build.rs` apply.
    ///
    /// # Errors
    /// The same errors as [`build`](Self::build).
    pub fn build_or_serve(self) -> Result<Outcome, BuildError> {
        let context = BuildContext::new(self)?;
        match serve::request(&context) {
            Request::Build => build(&context).map(Outcome::Built),
            Request::Serve(name) => {
                // An error means that the game has closed a pipe because it ended.
                let _ = serve::serve(&context, name);
                Ok(Outcome::Served)
            }
            Request::Skip => Ok(Outcome::Skipped),
        }
    }

    /// Runs the build. It never serves a running game; without [`build_or_serve`](Self::build_or_serve) a game has no hot
    /// reload.
    ///
    /// # Errors
    /// Every fault that was found: [`BuildError::diagnostics`]. Packs, indexes and the module are then unchanged.
    pub fn build(self) -> Result<Report, BuildError> {
        build(&BuildContext::new(self)?)
    }

    /// Returns the listing as it should be for the assets, which builds without them read: see [`Build::allow_missing`].
    ///
    /// # Errors
    /// The same errors as [`build`](Self::build).
    pub fn listing(self) -> Result<Listing, BuildError> {
        let context = BuildContext::new(self)?;
        let SettingsFile { mut rules, diagnostics, .. } = context.read_settings();
        let files = context.output_files(context.pack_name(&rules));
        let Set { resolved, .. } = import_and_resolve(&context, &mut rules, &files, &diagnostics)?;
        let name = context.assets.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (constants, groups) = pipeline::named(&context, &resolved);
        let text = listing::write(&name, &constants, &groups);
        Ok(Listing { file: listing::path_for(&context.assets), text, count: constants.len() })
    }

    /// Returns the lock file as it should be for the assets, or `None` if lock mode is off; see [`LockState`].
    ///
    /// Sources that cannot be imported keep their entries and are reported in [`LockState::diagnostics`]. Without the
    /// files that the last debug build left in the output directory, an asset that was moved counts as a new one.
    ///
    /// # Errors
    /// If the settings are wrong, or ids clash.
    pub fn lock_state(self) -> Result<Option<LockState>, BuildError> {
        serve::lock_state(&BuildContext::new(self)?)
    }
}

fn build(context: &BuildContext) -> Result<Report, BuildError> {
    let SettingsFile { mut rules, mut diagnostics, .. } = context.read_settings();
    if context.in_cargo {
        watch(context, &rules);
    }
    let cache_size = cache::size_limit().map_err(|diagnostic| diagnostics.push(diagnostic)).unwrap_or_default();
    let files = context.output_files(context.pack_name(&rules));
    diagnostics.extend(context.claim(&files).err());
    if context.in_cargo {
        cargo::set_module(&context.module_name(), &files.module());
    }
    if context.in_cargo {
        // This comes first, so that a game can be served while assets are broken.
        serve::write_manifest(context, &files)?;
        cargo::watch_marker(&files.rerun_marker());
    }
    if context.in_cargo {
        recorded::write(context, &files)?;
        if context.options.is_library {
            cargo::publish_record(&files.options());
        }
    }
    sweep_temp_files(&context.out_dir);
    if context.options.allows_missing && !context.assets.exists() {
        BuildError::check(diagnostics)?;
        return build_without_assets(context, &rules, &files);
    }
    if !context.in_cargo {
        context.cache.sweep_outputs();
    }
    let report = match run(context, &mut rules, &files, &diagnostics) {
        Err(Failed::DamagedBlobs(keys)) => {
            // Damage shows only when whole blobs are read. The sources are then imported again, once.
            let cache = &context.cache;
            cache.discard(&keys).map_err(|e| Diagnostic::io("repair the import cache", cache.dir(), &e))?;
            run(context, &mut rules, &files, &diagnostics)
        }
        result => result,
    };
    let report = report.map_err(|failed| match failed {
        Failed::Error(error) => error,
        Failed::DamagedBlobs(keys) => {
            let message = format!("{} imported assets were corrupt when read back", keys.len());
            let help = "check the disk and the memory of this machine".to_owned();
            Diagnostic::new(Place::Name("import cache".to_owned()), message).with_help(help).into()
        }
    })?;
    if report.imported() > 0 {
        context.cache.prune_if_due(cache_size);
    }
    if context.in_cargo {
        let lines = [report.refusal_lines(), report.lint_lines(), report.note_lines()].concat();
        lines.iter().for_each(|line| cargo::warn(line));
        opt_level_hint::warn_once(context, &report);
    }
    Ok(report)
}

/// Writes the module with the constants of the listing.
fn build_without_assets(context: &BuildContext, rules: &Rules, files: &OutputFiles) -> Result<Report, BuildError> {
    let file = listing::path_for(&context.assets);
    if context.in_cargo {
        cargo::watch_file(&file);
    }
    let started = Instant::now();
    let module = pipeline::write_listed(context, rules, files, listing::read(&file)?)?;
    if context.in_cargo {
        cargo::warn(&format!(
            "{}: directory not found, so the constants come from {}, and the program will find no assets",
            context.assets.display(),
            file.display()
        ));
    }
    Ok(Report {
        assets: Vec::new(),
        packs: Vec::new(),
        pack_size: 0,
        module,
        header: None,
        dev_index: None,
        notes: Vec::new(),
        lints: Vec::new(),
        refused: Vec::new(),
        suggested_rules: None,
        target_files: Vec::new(),
        phases: Phases { generate: started.elapsed(), ..Phases::default() },
    })
}

/// The reason why a run ended early.
enum Failed {
    DamagedBlobs(Vec<crate::key::Key>),
    Error(BuildError),
}

impl From<BuildError> for Failed {
    fn from(error: BuildError) -> Self {
        Self::Error(error)
    }
}

/// Runs every step once. Reports `settings_diagnostics` together with the others.
fn run(
    context: &BuildContext,
    rules: &mut Rules,
    files: &OutputFiles,
    settings_diagnostics: &[Diagnostic],
) -> Result<Report, Failed> {
    let started = Instant::now();
    let Set { resolved, lints, refused, notes, target_files, lock } =
        import_and_resolve(context, rules, files, settings_diagnostics)?;
    let import_time = started.elapsed();

    let new_lock = lock.is_new.then(|| lock_file::path_for(&context.assets));
    let new_lock = new_lock.as_deref().map(|file| (file, &lock.ids));
    let outputs = pipeline::write(context, rules, files, &resolved, new_lock).map_err(|error| match error {
        OutputError::DamagedBlobs(keys) => Failed::DamagedBlobs(keys),
        OutputError::Other(diagnostic) => Failed::Error(diagnostic.into()),
    })?;
    if let Some(root) = outputs.root.as_deref().filter(|_| context.in_cargo) {
        cargo::watch_file(root);
    }
    let suggested_rules = suggested_rules(context, &refused);
    let refused = BuildError::check(refused).err().map(Vec::from).unwrap_or_default();
    let report = report(resolved, outputs, import_time, notes);
    Ok(Report { lints, refused, suggested_rules, target_files, ..report })
}

/// The assets of a build, checked as a whole.
struct Set {
    resolved: Resolved,
    lints: Vec<LintFinding>,
    /// What is wrong with the files that the build goes on without.
    refused: Vec<Diagnostic>,
    notes: Vec<(String, Note)>,
    target_files: Vec<TargetFile>,
    lock: Lock,
}

/// Runs every step but the last one, which writes the outputs.
fn import_and_resolve(
    context: &BuildContext,
    rules: &mut Rules,
    files: &OutputFiles,
    settings_diagnostics: &[Diagnostic],
) -> Result<Set, BuildError> {
    let mut plan = pipeline::plan(context, rules);
    let rules = &*rules;
    let target_files = std::mem::take(&mut plan.target_files);
    let Imported { mut assets, mut unavailable, diagnostics, notes, .. } = import(context, rules, files, plan);
    let mut diagnostics = [settings_diagnostics, &diagnostics].concat();
    pipeline::drop_unneeded(&context.options.only, &mut assets, &mut unavailable);
    diagnostics.extend(pipeline::refuse_dependents(context, &mut assets, &mut unavailable));
    let lock = lock(context, rules, &assets, &unavailable).unwrap_or_else(|faults| {
        diagnostics.extend(faults);
        Lock::default()
    });
    let set = Importable { assets, unavailable, diagnostics };
    let (resolved, lints, refused) = match goes_on(context, rules) {
        true => resolve_without_refused(context, rules, &lock.ids, set)?,
        false => {
            let (resolved, lints) = resolve(context, rules, &lock.ids, set)?;
            (resolved, lints, Vec::new())
        }
    };
    Ok(Set { resolved, lints, refused, notes, target_files, lock })
}

/// The result of importing, with everything that is wrong so far.
struct Importable {
    assets: Vec<ImportedAsset>,
    unavailable: Vec<UnavailableSource>,
    diagnostics: Vec<Diagnostic>,
}

/// Whether the build goes on without files that it refuses.
fn goes_on(context: &BuildContext, rules: &Rules) -> bool {
    match rules.pack().refused {
        RefusedFiles::Deny => false,
        RefusedFiles::DenyInRelease => context.is_debug,
        RefusedFiles::Warn => true,
    }
}

/// Resolves the assets; any diagnostic is an error.
fn resolve(
    context: &BuildContext,
    rules: &Rules,
    ids: &LockFile,
    set: Importable,
) -> Result<(Resolved, Vec<LintFinding>), BuildError> {
    let Importable { assets, unavailable, mut diagnostics } = set;
    let resolution = pipeline::resolve(context, rules, ids, assets, &unavailable);
    let (lints, denied) = split_lints(context, resolution.lints);
    diagnostics.extend(resolution.diagnostics.into_iter().chain(denied));
    check(context, diagnostics)?;
    Ok((resolution.resolved.expect("ids clash only if there are diagnostics"), lints))
}

/// Resolves the assets that nothing is wrong with, and returns what is wrong with the others. A diagnostic that is not about
/// one file is an error.
fn resolve_without_refused(
    context: &BuildContext,
    rules: &Rules,
    ids: &LockFile,
    set: Importable,
) -> Result<(Resolved, Vec<LintFinding>, Vec<Diagnostic>), BuildError> {
    let Importable { mut assets, mut unavailable, diagnostics } = set;
    let (mut refused, diagnostics) = pipeline::split_refusals(diagnostics);
    // Each round leaves out an asset, so there is a last one.
    loop {
        let out: HashSet<&str> = refused.iter().flat_map(Diagnostic::refused_paths).collect();
        assets.retain(|asset| !out.contains(asset.path.as_str()));
        refused.extend(pipeline::refuse_dependents(context, &mut assets, &mut unavailable));
        // What is left out has neither id nor name.
        let Resolution { resolved, diagnostics: found, lints } =
            pipeline::resolve(context, rules, ids, assets.clone(), &[]);
        let (newly_refused, found) = pipeline::split_refusals(found);
        if newly_refused.is_empty() {
            let (lints, denied) = split_lints(context, lints);
            check(context, [diagnostics, found, denied].concat())?;
            return Ok((resolved.expect("ids clash only if there are diagnostics"), lints, refused));
        }
        refused.extend(newly_refused);
    }
}

/// Divides what is beyond limits into what the build only reports, and what fails it.
fn split_lints(context: &BuildContext, lints: Vec<LintFinding>) -> (Vec<LintFinding>, Vec<Diagnostic>) {
    if context.options.limits_only_warn { (lints, Vec::new()) } else { LintFinding::split(lints) }
}

/// `Ok` without diagnostics; otherwise an error with rules that settle what rules can settle.
fn check(context: &BuildContext, diagnostics: Vec<Diagnostic>) -> Result<(), BuildError> {
    let suggested_rules = suggested_rules(context, &diagnostics);
    let folder = &context.own_dir.folder;
    let diagnostics = diagnostics.into_iter().map(|diagnostic| diagnostic.with_rules_below(folder)).collect();
    BuildError::check(diagnostics).map_err(|error| error.with_suggested_rules(suggested_rules))
}

fn suggested_rules(context: &BuildContext, diagnostics: &[Diagnostic]) -> Option<String> {
    let own = &context.own_dir;
    let local = |fix: &Fix| Fix { path: own.local(&fix.path).unwrap_or(&fix.path).to_owned(), keys: fix.keys.clone() };
    let fixes: Vec<Fix> = diagnostics.iter().flat_map(Diagnostic::fixes).map(local).collect();
    if fixes.is_empty() {
        return None;
    }
    let paths = pipeline::all_paths(context);
    let paths: Vec<String> = paths.iter().map(|path| own.local(path).unwrap_or(path).to_owned()).collect();
    let settings = context.read_settings().bytes.unwrap_or_default();
    settings::suggested_rules(&fixes, &paths, &String::from_utf8_lossy(&settings))
}

/// Imports the sources, and stores the build manifest, even if the build fails because of other files.
fn import(context: &BuildContext, rules: &Rules, files: &OutputFiles, plan: pipeline::Plan) -> Imported {
    let file = files.build_manifest();
    let mut manifest = BuildManifest::read(&file);
    let is_own = manifest.len() > 0;
    if !is_own {
        manifest = BuildManifest::read(&context.cache.manifest_file(&files.name));
    }
    let known = Known {
        manifest: &manifest,
        // A pack for shipping must contain the current files, whatever their times.
        trust_stamps: context.options.trust_stamps.unwrap_or(context.is_debug),
        same_rules: false,
        timed_out: &TimedOut::new(),
    };
    let imported = pipeline::import(context, rules, plan, known);
    // Without usable rules nothing was imported, so the old manifest is kept.
    if rules.is_usable() && !(is_own && imported.is_unchanged) {
        let bytes = BuildManifest::encode(imported.records(), imported.began);
        BuildManifest::write(&file, &bytes);
        context.cache.store_manifest(&files.name, &bytes);
    }
    imported
}

/// The ids of assets according to the lock file.
#[derive(Default)]
struct Lock {
    ids: LockFile,
    /// Whether the lock file does not exist yet.
    is_new: bool,
}

/// Reads the lock file and checks that it matches the assets. The first debug build creates it.
fn lock(
    context: &BuildContext,
    rules: &Rules,
    assets: &[ImportedAsset],
    unavailable: &[UnavailableSource],
) -> Result<Lock, Vec<Diagnostic>> {
    if !rules.pack().lock || !rules.is_usable() {
        return Ok(Lock::default());
    }
    let file = lock_file::path_for(&context.assets);
    let unavailable: Vec<&str> = unavailable.iter().map(|source| source.path.as_str()).collect();
    match LockFile::read(&file)? {
        Some(ids) => match ids.check(assets, &unavailable, &file) {
            Some(diagnostic) => Err(vec![diagnostic]),
            None => Ok(Lock { ids, is_new: false }),
        },
        None if context.can_serve() => {
            Ok(Lock { ids: LockFile::default().reconcile(assets, &unavailable, |_| Vec::new()), is_new: true })
        }
        None => Err(vec![lock_file::missing(&file)]),
    }
}

fn report(
    resolved: Resolved,
    outputs: Outputs,
    import_time: std::time::Duration,
    notes: Vec<(String, Note)>,
) -> Report {
    let notes = notes.iter().map(|(path, note)| (path.as_str(), note));
    let Outputs { packs, pack_size, module, header, dev_index, pack_time, generate_time, .. } = outputs;
    Report {
        assets: resolved.assets.iter().map(AssetReport::new).collect(),
        packs,
        pack_size,
        module,
        header,
        dev_index,
        notes: NoteGroup::collect(resolved.assets.iter().flat_map(ImportedAsset::notes).chain(notes)),
        lints: Vec::new(),
        refused: Vec::new(),
        suggested_rules: None,
        target_files: Vec::new(),
        phases: Phases { import: import_time, pack: pack_time, generate: generate_time },
    }
}

/// Makes Cargo watch everything that the build depends on; in lock mode, debug builds watch only the set of assets and
/// the settings. This is also done if the settings are broken, so that fixing them runs the script again.
fn watch(context: &BuildContext, rules: &Rules) {
    if rules.pack().lock && context.is_debug {
        cargo::watch([context.assets.join(SETTINGS_FILE).as_path()]);
        // If it does not exist yet, this build creates it, and Cargo runs the script once more.
        cargo::watch_file(&lock_file::path_for(&context.assets));
    } else {
        cargo::watch([context.assets.as_path()]);
    }
    cargo::watch(context.libraries.iter().map(|library| library.dir.dir.as_path()));
    if let Some(file) = context.key_file(rules).filter(|_| context.writes_packs() && rules.have_ciphers()) {
        cargo::watch_file(&file);
    }
    if context.options.always_run || context.has_unwatched_key(rules) {
        // This file never exists, so for Cargo it has always changed.
        cargo::watch_file(&context.out_dir.join("rres.always-run"));
    }
}
