//! Runs a build, from its options to its report: executes the steps of the pipeline in order, and fails if there are
//! diagnostics.

use std::path::PathBuf;
use std::process;
use std::time::Instant;

use rres_import::Note;

use crate::cache::{self, RemoteLayer};
use crate::cargo;
use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic, Fix, Place};
use crate::farm::FarmLayer;
use crate::fresh::{self, Fresh};
use crate::licenses;
use crate::listing;
use crate::lock_file;
use crate::model::{ImportedAsset, Resolved};
use crate::note_group::NoteGroup;
use crate::opt_level_hint;
use crate::options::Build;
use crate::pack;
use crate::pipeline::{self, OutputError, Outputs};
use crate::recorded;
use crate::report::{AssetReport, Phases, Report};
use crate::serve::{self, LockState, Request};
use crate::session::{Checked, Policy, Session};
use crate::settings::{self, Rules, SETTINGS_FILE};
use crate::source_list::SourceList;
use crate::temp_file::sweep_temp_files;

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
    /// The paths of the assets that the listing has named so far and whose files do not exist: they were removed, or are not on this machine.
    pub absent: Vec<String>,
}

impl Build {
    /// Runs the build, or serves the running game that started the build script; for the `main` of `build.rs`.
    ///
    /// If the build fails, reports every fault to Cargo and exits with code 1. If a running game started the script
    /// (the variable `RRES_SERVE` is set), serves that game until it ends, then exits with code 0. Use
    /// [`build_or_serve`](Self::build_or_serve) to handle the result yourself.
    pub fn build_or_exit(self) {
        // Another crate of the same compilation can enable the feature `engine` for a build script that leaves the work to the command.
        #[cfg(feature = "tool")]
        if self.rres_importers.is_none() {
            return crate::tool::build_or_exit(self);
        }
        match self.build_unless_fresh() {
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
        self.serve_or(|context| build(context).map(Outcome::Built))
    }

    /// The same, unless it would do nothing. Nobody sees the report.
    pub(crate) fn build_unless_fresh(self) -> Result<Outcome, BuildError> {
        self.serve_or(|context| build_unless_fresh(context).map(|()| Outcome::Skipped))
    }

    /// Serves the running game that started the build script, or else runs `build`.
    fn serve_or(self, build: impl FnOnce(&BuildContext) -> Result<Outcome, BuildError>) -> Result<Outcome, BuildError> {
        let context = BuildContext::new(self)?;
        match serve::request(&context) {
            Request::Build => build(&context),
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
        let mut session = Session::open(&context);
        let old = session.elsewhere.take_listing();
        let (_, resolved) = assets_of(&session)?;
        let absent = old.beside(&context, &resolved).0.into_iter().map(|constant| constant.path).collect();
        let name = context.assets.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (constants, groups) = pipeline::named(&context, &resolved);
        let text = listing::write(&name, &constants, &groups);
        Ok(Listing { file: listing::path_for(&context.assets), text, count: constants.len(), absent })
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

/// Runs a build.
fn build(context: &BuildContext) -> Result<Report, BuildError> {
    let report = run_with_cache(context, false)?;
    Ok(report.expect("only a build that may be skipped has no report"))
}

/// Runs a build, unless it would do nothing.
fn build_unless_fresh(context: &BuildContext) -> Result<(), BuildError> {
    run_with_cache(context, true).map(drop)
}

/// Runs a build; with a cache of its own if the shared one cannot be written. Returns no report if the build has nothing to do, and may be skipped.
fn run_with_cache(context: &BuildContext, may_skip: bool) -> Result<Option<Report>, BuildError> {
    let result = run_checked(context, may_skip);
    if result.is_err()
        && context.cache.has_failed()
        && let Some(context) = context.with_own_cache()?
    {
        let again = run_checked(&context, may_skip);
        // If the disk of the outputs is full, too, the user mends the shared cache.
        if again.is_ok() || !context.cache.has_failed() {
            return again;
        }
    }
    result
}

fn run_checked(context: &BuildContext, may_skip: bool) -> Result<Option<Report>, BuildError> {
    let mut session = Session::open(context);
    let cache_size = cache::size_limit().map_err(|fault| session.diagnostics.push(fault)).unwrap_or_default();
    session.diagnostics.extend(context.claim(&session.files).err());
    session.diagnostics.extend(pipeline::check_outputs(context, &session.rules, &session.files).err());
    if context.in_cargo {
        // This comes first, so that a game can be served while assets are broken.
        tell_cargo(&session)?;
    }
    sweep_temp_files(&context.out_dir);
    if context.options.allows_missing && !context.assets.exists() {
        BuildError::check(session.diagnostics.clone())?;
        return build_without_assets(&session).map(Some);
    }
    let inputs = if may_skip { fresh::Inputs::read(&session) } else { None };
    if let Some(Fresh { root, warnings }) = inputs.as_ref().and_then(fresh::Inputs::fresh) {
        cargo::watch_file(&root);
        warnings.iter().for_each(|line| cargo::warn(line));
        return Ok(None);
    }
    if !context.in_cargo {
        context.cache.sweep_outputs();
    }
    let mut report = run_with_repairs(&session, may_skip)?;
    report.notes.extend(context.cache_note());
    report.remote_cache = context.remote.as_ref().and_then(RemoteLayer::used);
    report.farm = context.farm.as_ref().and_then(FarmLayer::used);
    if report.imported() > 0 {
        context.cache.prune_if_due(cache_size);
    }
    if context.in_cargo {
        let fault = report.remote_cache.iter().filter(|used| used.fault.is_some()).map(ToString::to_string);
        let faults: Vec<String> = fault.collect();
        let warnings = [report.refusal_lines(), report.lint_lines(), report.note_lines()].concat();
        faults.iter().chain(&warnings).for_each(|line| cargo::warn(line));
        opt_level_hint::warn_once(context, &report);
        let is_settled = faults.is_empty() && report.refused.is_empty() && context.cache_note().is_none();
        if let (Some(inputs), Some(index), true) = (inputs, &report.dev_index, is_settled) {
            let outputs = [Some(&report.module), Some(index), report.header.as_ref()];
            let fresh = Fresh { root: context.cache.root_file(index), warnings };
            inputs.record(outputs.into_iter().flatten(), &fresh);
        }
    }
    Ok(Some(report))
}

/// Runs every step, and again if blobs turn out to be damaged.
fn run_with_repairs(session: &Session<'_>, only_imported: bool) -> Result<Report, BuildError> {
    let context = session.context;
    let mut report = run(session, only_imported);
    // Damage shows only when whole blobs are read. The sources are then imported again, and pictures are compared again with
    // their siblings, which may find more damage.
    for _ in 0..2 {
        let Err(Failed::DamagedBlobs(keys)) = &report else { break };
        let cache = &context.cache;
        cache.discard(keys).map_err(|e| Diagnostic::io("repair the import cache", cache.dir(), &e))?;
        report = run(session, only_imported);
    }
    context.remove_hidden_cache();
    report.map_err(|failed| match failed {
        Failed::Error(error) => error,
        Failed::DamagedBlobs(keys) => {
            let message = format!("{} imported assets were corrupt when read back", keys.len());
            let help = "check the disk and the memory of this machine".to_owned();
            Diagnostic::new(Place::Name("import cache".to_owned()), message).with_help(help).into()
        }
    })
}

/// Tells Cargo what to watch and where the outputs are, and leaves what a running game and the command need.
fn tell_cargo(session: &Session<'_>) -> Result<(), Diagnostic> {
    let Session { context, files, rules, .. } = session;
    watch(context, rules);
    let listing = listing::path_for(&context.assets);
    if context.options.allows_missing && (listing.exists() || !context.assets.exists()) {
        cargo::watch_file(&listing);
    }
    licenses::files_above(context, rules).iter().for_each(|file| cargo::watch_file(file));
    Some(SourceList::path_for(&context.assets))
        .filter(|list| list.exists())
        .iter()
        .for_each(|list| cargo::watch_file(list));
    cargo::set_module(&context.module_name(), &files.module());
    serve::write_manifest(context, files)?;
    cargo::watch_marker(&files.rerun_marker());
    recorded::write(context, files)?;
    if context.options.is_library {
        cargo::publish_record(&files.options());
    }
    Ok(())
}

/// Writes the module with the constants of the listing.
fn build_without_assets(session: &Session<'_>) -> Result<Report, BuildError> {
    let Session { context, files, rules, .. } = session;
    let file = listing::path_for(&context.assets);
    let started = Instant::now();
    let module = pipeline::write_listed(context, rules, files, listing::read(&file)?)?;
    if context.in_cargo {
        cargo::warn(&format!(
            "{}: directory not found, so the constants come from {}, and the program will find no assets; when the directory is there, \
             save the build script again, because Cargo does not notice",
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
        remote_cache: None,
        farm: None,
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

/// Runs every step once. With `only_imported`, the report lists no assets that were in the cache, for a build whose report nobody sees.
fn run(session: &Session<'_>, only_imported: bool) -> Result<Report, Failed> {
    let Session { context, files, .. } = session;
    let started = Instant::now();
    let (Checked { found, lints, refused, lock, .. }, resolved) = assets_of(session)?;
    let import_time = started.elapsed();

    let new_lock = lock.is_new.then(|| lock_file::path_for(&context.assets));
    let new_lock = new_lock.as_deref().map(|file| (file, &lock.ids));
    let outputs = pipeline::write(
        context,
        &found.rules,
        files,
        &resolved,
        session.elsewhere.beside(context, &resolved),
        new_lock,
    )
    .map_err(|error| match error {
        OutputError::DamagedBlobs(keys) => Failed::DamagedBlobs(keys),
        OutputError::Other(diagnostic) => Failed::Error(diagnostic.into()),
    })?;
    if let Some(root) = outputs.root.as_deref().filter(|_| context.in_cargo) {
        cargo::watch_file(root);
    }
    let suggested_rules = suggested_rules(session, &refused);
    let refused = BuildError::check(refused).err().map(Vec::from).unwrap_or_default();
    let note = outputs.note.clone();
    let has_assets = !resolved.assets.is_empty();
    let mut report = report(resolved, outputs, import_time, found.notes, only_imported);
    report.notes.extend(note);
    if !has_assets && refused.is_empty() {
        report.notes.push(NoteGroup::of_no_file(&context.assets));
    }
    Ok(Report { lints, refused, suggested_rules, target_files: found.target_files, ..report })
}

/// The assets of a build. Any diagnostic is an error.
fn assets_of(session: &Session<'_>) -> Result<(Checked, Resolved), BuildError> {
    let policy = if session.leaves_out() { Policy::LeaveOut } else { Policy::Refuse };
    let mut checked = session.run(session.plan(), policy);
    check(session, std::mem::take(&mut checked.diagnostics))?;
    let resolved = checked.resolved.take().expect("there is a set, as the lock file was read");
    Ok((checked, resolved))
}

/// `Ok` without diagnostics; otherwise an error with rules that settle what rules can settle.
fn check(session: &Session<'_>, diagnostics: Vec<Diagnostic>) -> Result<(), BuildError> {
    let suggested_rules = suggested_rules(session, &diagnostics);
    let folder = &session.context.own_dir.folder;
    let diagnostics = diagnostics.into_iter().map(|diagnostic| diagnostic.with_rules_below(folder)).collect();
    BuildError::check(diagnostics).map_err(|error| error.with_suggested_rules(suggested_rules))
}

fn suggested_rules(session: &Session<'_>, diagnostics: &[Diagnostic]) -> Option<String> {
    let own = &session.context.own_dir;
    let local = |fix: &Fix| Fix { path: own.local(&fix.path).unwrap_or(&fix.path).to_owned(), keys: fix.keys.clone() };
    let fixes: Vec<Fix> = diagnostics.iter().flat_map(Diagnostic::fixes).map(local).collect();
    if fixes.is_empty() {
        return None;
    }
    let paths = pipeline::all_paths(session.context);
    let paths: Vec<String> = paths.iter().map(|path| own.local(path).unwrap_or(path).to_owned()).collect();
    let settings = session.texts.first().and_then(Option::as_deref).unwrap_or_default();
    settings::suggested_rules(&fixes, &paths, &String::from_utf8_lossy(settings))
}

fn report(
    resolved: Resolved,
    outputs: Outputs,
    import_time: std::time::Duration,
    notes: Vec<(String, Note)>,
    only_imported: bool,
) -> Report {
    let listed = resolved.assets.iter().filter(|asset| !(only_imported && asset.is_cached));
    let notes = notes.iter().map(|(path, note)| (path.as_str(), note));
    let Outputs { packs, pack_size, module, header, dev_index, pack_time, generate_time, .. } = outputs;
    Report {
        assets: listed.map(AssetReport::new).collect(),
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
        remote_cache: None,
        farm: None,
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
    // As long as it is not set, Cargo records no key.
    if context.writes_packs() && rules.have_ciphers() && !context.has_unwatched_key(rules) {
        cargo::watch_variable(rules.pack().key_variable());
    }
    pack::arrangement_files(context, rules).iter().for_each(|file| cargo::watch_file(file));
    if context.options.always_run || context.has_unwatched_key(rules) {
        // This file never exists, so for Cargo it has always changed.
        cargo::watch_file(&context.out_dir.join("rres.always-run"));
    }
}
