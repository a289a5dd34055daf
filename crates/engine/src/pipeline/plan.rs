//! First step: the assets directory and its settings → the sources to import, with settings and importers.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rres_format::AssetKind;
use rres_import::Note;

use super::discover::{Found, ListedFiles, is_clutter};
use super::found_source::{FoundSource, discover_all, is_left_out, with_replaced};
use super::model_parts::take_parts;
use super::portable::portability;
use super::target_files::choose_files;
use super::unusual;
use crate::asset_kinds;
use crate::context::BuildContext;
use crate::diagnostic::Diagnostic;
use crate::elsewhere::Elsewhere;
use crate::import::RegisteredImporter;
use crate::model::{Naming, SourceFile};
use crate::report::TargetFile;
use crate::settings::{Rules, Settings};
use crate::source_dir::SourceDir;

/// One source and everything that determines how it is imported.
#[derive(Clone)]
pub(crate) struct PlannedSource {
    pub(crate) source: SourceFile,
    /// The directory that it is in.
    pub(crate) dir: Arc<SourceDir>,
    /// The files of that directory.
    pub(super) listed: Arc<ListedFiles>,
    /// Whether the asset is one of a library, whose module has the constant.
    pub(crate) is_of_library: bool,
    pub(crate) importer: Arc<RegisteredImporter>,
    /// Sources beside each other mostly have the same, and share them.
    pub(crate) settings: Arc<Settings>,
}

/// The sources to import, and everything else that the assets directory and its settings tell.
#[derive(Default)]
pub(crate) struct Plan {
    /// The rules of the settings, which now know the files for the target.
    pub(crate) rules: Rules,
    pub(crate) sources: Vec<PlannedSource>,
    /// Sources that exist but are not imported.
    pub(crate) unavailable: Vec<UnavailableSource>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What to know about sources whatever is in them, by path.
    pub(crate) notes: Vec<(String, Note)>,
    /// The assets that have files for some targets.
    pub(crate) target_files: Vec<TargetFile>,
    /// Files that are not assets because models contain them, each with the path of a model.
    pub(crate) model_parts: BTreeMap<String, String>,
}

/// A source that exists but has no imported form, because it is broken or its settings are not certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnavailableSource {
    /// The path of the source.
    pub(crate) path: String,
    /// `None` if its settings are not certain.
    pub(crate) naming: Option<Naming>,
}

impl UnavailableSource {
    pub(crate) fn new(path: &str, settings: &Settings) -> Self {
        Self { path: path.to_owned(), naming: Some(settings.naming(path)) }
    }
}

/// Finds every source, and determines its settings and importer.
pub(crate) fn plan(context: &BuildContext, rules: &Rules, elsewhere: &Elsewhere) -> Plan {
    if !rules.is_usable() {
        return Plan { rules: rules.clone(), ..Plan::default() };
    }
    let mut plan = Plan::default();
    plan.diagnostics.extend(outputs_among_assets(context, rules));
    let Found { sources, diagnostics } = discover_all(context);
    let bad_paths = diagnostics.iter().filter_map(Diagnostic::asset);
    let (sources, notes) = with_replaced(sources);
    plan.notes.extend(notes);
    let found: HashSet<String> = match elsewhere.is_empty() {
        true => HashSet::new(),
        false => sources.iter().map(|found| found.source.path.clone()).collect(),
    };
    let paths = sources.iter().map(|found| found.source.path.as_str());
    let bases: Vec<String> = paths.clone().filter_map(|path| Some(rules.target_name(path)?.base)).collect();
    let paths = paths.chain(bases.iter().map(String::as_str).chain(elsewhere.paths()));
    plan.diagnostics.extend(rules.unmatched(paths.chain(bad_paths)));
    let chosen = choose_files(rules, sources);
    let mut rules = rules.clone();
    rules.set_target_files(chosen.files);
    plan.target_files = chosen.target_files;
    plan.diagnostics.extend(chosen.diagnostics);
    // What refers to these assets is not wrong as well.
    let unavailable = chosen.unavailable.iter().map(|path| UnavailableSource::new(path, &rules.resolve(path)));
    plan.unavailable.extend(unavailable);
    for diagnostic in diagnostics {
        if let Some(path) = diagnostic.asset() {
            let settings = rules.resolve(path);
            if settings.asset.ignore {
                continue;
            }
            plan.unavailable.push(UnavailableSource::new(path, &settings));
        }
        plan.diagnostics.push(diagnostic);
    }
    for dir in context.dirs().filter(|dir| is_left_out(dir)) {
        let note = Note::new("has no assets on this machine, so programs find none of its assets");
        plan.notes.push((format!("library {}", dir.folder), note));
    }
    let mut sources = chosen.sources;
    let (parts, notes) = take_parts(&rules, &mut sources);
    plan.model_parts = parts;
    plan.notes.extend(notes);
    plan.sources.reserve(sources.len());
    for found in sources.drain(..) {
        plan.add(context, found, &rules);
    }
    if !elsewhere.is_empty() {
        plan.add_elsewhere(context, elsewhere, &rules, &found);
    }
    plan.note_unlisted(&rules);
    plan.note_variants_of_other_packs(&rules);
    Plan { rules, ..plan }
}

/// The error if the next build would find the outputs of this one among the assets.
fn outputs_among_assets(context: &BuildContext, rules: &Rules) -> Option<Diagnostic> {
    let files = context.output_files(context.pack_name(rules));
    let dir = real_path(&files.dir);
    let folders: Vec<&str> =
        dir.strip_prefix(real_path(&context.assets)).ok()?.iter().filter_map(|name| name.to_str()).collect();
    let is_asset = |file: PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let names = [&folders[..], &[name]].concat();
        let path = context.own_dir.path(&names.join("/"));
        !names.iter().any(|name| is_clutter(name.as_ref())) && !rules.resolve(&path).asset.ignore
    };
    let header = rules.pack().header.as_ref().map(|name| files.dir.join(name));
    if ![files.module(), files.pack(0), files.dev_index()].into_iter().chain(header).any(is_asset) {
        return None;
    }
    let message = format!(
        "is in the assets directory {}, so the next build would import its own output",
        context.assets.display()
    );
    Some(Diagnostic::file(&files.dir, message).with_help("choose an output directory outside of it".to_owned()))
}

/// The path without symbolic links, as far as it exists.
fn real_path(path: &Path) -> PathBuf {
    let real = |part: &Path| Some(fs::canonicalize(part).ok()?.join(path.strip_prefix(part).ok()?));
    path.ancestors().find_map(real).unwrap_or_else(|| path.to_owned())
}

/// The paths of all files of the assets directory, those that no asset can have included.
pub(crate) fn all_paths(context: &BuildContext) -> Vec<String> {
    let Found { sources, diagnostics } = discover_all(context);
    let bad_paths = diagnostics.iter().filter_map(Diagnostic::asset).map(str::to_owned);
    // Names that differ by case are in both.
    let paths: BTreeSet<String> = bad_paths.chain(sources.into_iter().map(|found| found.source.path)).collect();
    paths.into_iter().collect()
}

/// Whether sources that may become these kinds are imported in a build of the kinds `only` (an empty list means every kind): also
/// sources that others of them may need.
fn takes_part(only: &[AssetKind], kinds: &[AssetKind]) -> bool {
    let is_needed = |kind: &AssetKind| only.iter().any(|chosen| asset_kinds::settings_apply(*kind, *chosen));
    only.is_empty() || kinds.iter().any(is_needed)
}

impl Plan {
    fn add(&mut self, context: &BuildContext, found: FoundSource, rules: &Rules) {
        let FoundSource { source, dir, listed, is_of_library } = found;
        let only = &context.options.only;
        if !rules.is_certain(&source.path) {
            self.unavailable.push(UnavailableSource { path: source.path, naming: None });
            return;
        }
        let settings = rules.resolve(&source.path);
        if settings.asset.ignore {
            return;
        }
        let importer = dir.importers.choose(&source.path, &source.file, &settings);
        // Only the build of the library can import it, and so by the settings that it has there.
        let settings = match rules.of_library(&dir.folder).filter(|_| importer.is_of_script()) {
            Some(rules) => rules.resolve(&source.path),
            None => settings,
        };
        if !takes_part(only, importer.kinds()) {
            self.unavailable.push(UnavailableSource::new(&source.path, &settings));
            return;
        }
        if let Some((message, help)) = rules.contradiction(&source.path, importer.kinds(), &settings) {
            self.unavailable.push(UnavailableSource::new(&source.path, &settings));
            let diagnostic = Diagnostic::file(&source.file, message).with_help(help);
            self.diagnostics.push(diagnostic.with_asset(source.path));
            return;
        }
        if settings.asset.notes {
            let is_meant = settings.asset.kind.is_some() || importer.own_kind().is_none();
            let notes = unusual::note(&source.path).filter(|_| !is_meant).into_iter().chain(portability(&source.path));
            self.notes.extend(notes.map(|note| (source.path.clone(), note)));
        }
        let settings = match self.sources.last() {
            Some(last) if *last.settings == settings => Arc::clone(&last.settings),
            _ => Arc::new(settings),
        };
        self.sources.push(PlannedSource { source, dir, listed, is_of_library, importer, settings });
    }

    /// Adds the sources that are not on this machine. `found` are the paths of all files that are.
    fn add_elsewhere(&mut self, context: &BuildContext, elsewhere: &Elsewhere, rules: &Rules, found: &HashSet<String>) {
        let mapped: HashSet<String> = self
            .sources
            .iter()
            .map(|of| of.settings.naming(&of.source.path).path)
            .chain(self.sources.iter().map(|of| of.source.path.clone()))
            .collect();
        let absent = elsewhere.absent(|path| found.contains(path) || mapped.contains(path));
        self.unavailable.extend(absent.all().map(|path| UnavailableSource::new(path, &rules.resolve(path))));
        self.diagnostics.extend(absent.to_fetch(context));
        self.diagnostics.extend(absent.to_check_out(context));
        let topic = "is in the listing, and not on this machine, so programs do not find it";
        let note = Note::new(topic).with_help("if it was removed, run `cargo rres listing`");
        let paths = absent.kept.iter().chain(&absent.listed).filter(|_| context.is_debug);
        self.notes.extend(paths.map(|path| (path.clone(), note.clone())));
    }

    /// Adds notes about files that a rule makes variants of assets that are not in the directory: in a voice pack that is meant, and
    /// otherwise a path is misspelt.
    fn note_variants_of_other_packs(&mut self, rules: &Rules) {
        if !rules.have_variants() {
            return;
        }
        let is_known = |path: &str| {
            self.sources.binary_search_by(|planned| planned.source.path.as_str().cmp(path)).is_ok()
                || self.unavailable.iter().any(|source| source.path == path)
        };
        let mut notes = Vec::new();
        for PlannedSource { source, settings, .. } in &self.sources {
            if settings.asset.variant_of.is_none() || !settings.asset.notes {
                continue;
            }
            if let Some(name) = rules.variant_name(&source.path).filter(|name| !is_known(&name.base)) {
                let note = Note::new("a variant of an asset that another pack has to contain").with_detail(name.base);
                let help = "if it should be in this one, correct `variant_of` in the rule";
                notes.push((source.path.clone(), note.with_help(help)));
            }
        }
        self.notes.extend(notes);
    }

    /// Adds notes about files with the tag of a language that the pack does not list, beside a file without it: most often the list was
    /// forgotten.
    fn note_unlisted(&mut self, rules: &Rules) {
        if rules.pack().locales.is_empty() {
            return;
        }
        let has = |path: &str| self.sources.binary_search_by(|planned| planned.source.path.as_str().cmp(path)).is_ok();
        let mut notes = Vec::new();
        for PlannedSource { source: SourceFile { path, .. }, settings, .. } in &self.sources {
            let is_meant = !settings.asset.notes || !settings.asset.variants;
            if let Some((base, tag)) = rules.unlisted_variant(path).filter(|_| !is_meant)
                && has(&base)
            {
                let note = Note::new("not a variant, because its language is not in `locales`").with_detail(tag);
                let help = "add the language to `locales` under [pack], or set `variants = false` for the files";
                notes.push((path.clone(), note.with_help(help)));
            }
        }
        self.notes.extend(notes);
    }
}
