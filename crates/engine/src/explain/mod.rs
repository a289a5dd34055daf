//! Why an asset became what it became: the rules that matched, what set each setting, and the result of importing it.
//!
//! The answer comes from the steps of the pipeline themselves: the plan decides what is an asset, the rules trace its
//! settings, and sources are imported as in a build, mostly from the cache. Nothing is written but the cache.

mod import;
mod standing;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use import::Facts;
use rres_format::{AssetKind, ChunkInfo, Compression, FourCc, ResourceId};
use rres_import::Note;

use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic};
use crate::import::RegisteredImporter;
use crate::options::Build;
use crate::pipeline::{self, Plan, PlannedSource};
use crate::scope::Scope;
use crate::session::{Policy, Session};
use crate::settings::{BudgetUse, Compat, LintFinding, MatchedRule, Rules, SettingOrigin, Settings};
pub use standing::Standing;

/// The answer to [`Build::explain`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explained {
    /// The assets directory.
    pub dir: PathBuf,
    /// The name of the generated module.
    pub module: String,
    /// The name of the pack, without extension.
    pub pack: String,
    /// One for each path, in the given order. From [`Build::explain_all`], one for each file, sorted by path.
    pub explanations: Vec<Explanation>,
    /// Everything that is beyond a limit or a budget, whether it warns or denies. Budgets are only here if all assets were asked
    /// for.
    pub lints: Vec<LintFinding>,
    /// What the assets take of each budget; empty if not all assets were asked for.
    pub budgets: Vec<BudgetUse>,
    /// What is wrong with the settings and with the explained files.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why one file became what it became.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The asset path.
    pub path: String,
    /// The source file, whether it exists or not.
    pub file: PathBuf,
    /// Whether it is an asset, and why if it is not.
    pub standing: Standing,
    /// The rules that match the path, in order. Later ones win.
    pub rules: Vec<MatchedRule>,
    /// The name of its importer: the name of the kind if it makes assets of one kind; `None` if the file is not an asset.
    pub importer: Option<String>,
    /// The kind of asset; `None` if the file is not an asset, or if only its contents tell and it cannot be imported.
    pub kind: Option<AssetKind>,
    /// Of data: the path of the game's type that it is a value of.
    pub rust_type: Option<String>,
    /// What decided the importer, and so the kind: `rule "*.dat"`, `extension png`, `no kind has the extension xyz`.
    pub kind_reason: String,
    /// Every setting that has an effect on this kind; empty if the file is not an asset.
    pub settings: Vec<SettingOrigin>,
    /// The path of its constant in the module: `ui::BUTTON_PNG`.
    pub constant: Option<String>,
    /// The module with the constant: `assets`, or `ui_kit::assets` if the asset is one of the library `ui-kit`.
    pub module: String,
    /// Its id.
    pub id: Option<ResourceId>,
    /// The source of the id: the path, a rule or the lock file.
    pub id_reason: String,
    /// The groups that contain it.
    pub groups: Vec<String>,
    /// What importing it gave; `None` if it is not an asset or cannot be imported.
    pub import: Option<ImportFacts>,
    /// The assets that need it at run time, by the paths of their files.
    pub needed_by: Vec<String>,
    /// The paths of the assets whose importers read the file.
    pub read_by: Vec<String>,
    /// What a build would say about it, with what to do; also if `notes = false` silences it.
    pub notes: Vec<(String, String)>,
    /// Whether a build prints the notes.
    pub prints_notes: bool,
    /// The compression that the settings choose.
    compression: Compression,
    /// The programs that must be able to read the pack.
    compat: Option<Compat>,
}

impl Explanation {
    /// Returns why a chunk of the asset, or of a sub-asset, has its compression, in words. `kind` is the kind of the asset or sub-asset.
    ///
    /// The chunk must come from a pack with these settings. For the chunks in the import cache, [`ChunkFacts::reason`] says it.
    pub fn compression_reason(&self, kind: AssetKind, chunk: &ChunkInfo) -> String {
        pipeline::why(kind, chunk, self.compression, self.compat)
    }
}

/// What importing a source gave.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImportFacts {
    /// Bytes of the source file.
    pub source_size: u64,
    /// Bytes in the pack, sub-assets included.
    pub stored_size: u64,
    /// Whether it was in the import cache.
    pub cached: bool,
    /// Time from reading the source to having its imported form.
    pub elapsed: Duration,
    /// The paths of the other files that its importer read.
    pub inputs: Vec<String>,
    /// The asset, then its sub-assets.
    pub resources: Vec<ResourceFacts>,
}

/// An asset or sub-asset.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ResourceFacts {
    /// The path of the asset, or `asset#name`.
    pub path: String,
    /// The id.
    pub id: ResourceId,
    /// The kind.
    pub kind: AssetKind,
    /// The path of its constant in the module.
    pub constant: String,
    /// Shape, length or format: `64×64 RGBA8`.
    pub summary: String,
    /// Bytes in the pack.
    pub stored_size: u64,
    /// Bytes before compression.
    pub decoded_size: u64,
    /// The compression of its largest chunk.
    pub compression: Compression,
    /// The number of its chunks.
    pub chunk_count: usize,
    /// Its chunks; empty in the answer of [`Build::explain_all`].
    pub chunks: Vec<ChunkFacts>,
    /// The paths of the resources that it needs at run time.
    pub dependencies: Vec<String>,
}

/// A chunk in the pack.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChunkFacts {
    /// Its kind.
    pub kind: FourCc,
    /// Its compression.
    pub compression: Compression,
    /// Bytes in the pack, after the chunk header.
    pub stored_size: u64,
    /// Bytes before compression.
    pub decoded_size: u64,
    /// Why it has this compression, in words.
    pub reason: String,
}

/// What is explained.
enum Question<'q> {
    Paths(&'q [String]),
    All,
}

impl Build {
    /// Explains what the files `paths` of the assets directory become, and why. Paths are asset paths; a file that does not exist has
    /// an answer, too. Imports these files, mostly from the cache, but writes no pack.
    ///
    /// # Errors
    /// If the build has no output directory, or the settings file cannot be read as a whole. Faults of files and of single rules are in
    /// [`Explained::diagnostics`].
    pub fn explain(self, paths: &[String]) -> Result<Explained, BuildError> {
        explain(&BuildContext::new(self)?, &Question::Paths(paths))
    }

    /// Explains every file of the assets directory, those that are left out included; see [`explain`](Self::explain).
    ///
    /// # Errors
    /// The same as for [`explain`](Self::explain).
    pub fn explain_all(self) -> Result<Explained, BuildError> {
        explain(&BuildContext::new(self)?, &Question::All)
    }
}

fn explain(context: &BuildContext, question: &Question<'_>) -> Result<Explained, BuildError> {
    let session = Session::open(context);
    if !session.rules.is_usable() {
        BuildError::check(session.diagnostics)?;
        return Err(Diagnostic::file(&context.assets, "cannot be explained: the settings cannot be read").into());
    }
    let plan = session.plan();
    let all_paths;
    let paths = match question {
        Question::Paths(paths) => *paths,
        Question::All => {
            all_paths = pipeline::all_paths(context);
            &all_paths
        }
    };
    let rules = plan.rules.clone();
    let scope = Scope { context, rules: &rules };
    let standings: Vec<Standing> = paths.iter().map(|path| standing::of(scope, &plan, path)).collect();
    let planned: Vec<_> = paths.iter().map(|path| plan.importer_and_settings(path)).collect();
    let notes = plan.notes.clone();
    let is_whole = matches!(question, Question::All);
    let are_linked = rules.have_image_links();
    let is_wanted = |planned: &PlannedSource| {
        is_whole || paths.contains(&planned.source.path) || has_part_in_others(planned, are_linked)
    };
    let mut checked = session.run(plan, Policy::Explain(&is_wanted));
    let ids = std::mem::take(&mut checked.lock.ids);
    let facts = Facts::new(context, checked, paths, is_whole);
    let explanations = paths.iter().zip(standings).zip(planned).map(|((path, standing), planned)| {
        let (importer, settings) = planned.unzip();
        let naming = settings.as_ref().map(|settings| settings.naming(path));
        // A file without a rule may be a variant, or take the place of an asset that does not exist.
        let is_variant = rules.variant_name(path).is_some_and(|name| name.is_by_rule);
        let named = naming.as_ref().filter(|_| !is_variant);
        let constant = named.map(|naming| {
            rres_codegen::constant_path_in(&context.dir_of(path).folder, &naming.path, naming.rename.as_deref())
        });
        let id = naming.as_ref().map(|naming| naming.id.unwrap_or_else(|| ids.id(path, &naming.path)));
        let of_plan = notes.iter().filter(|(of, _)| of == path).map(|(_, note)| note);
        Explanation {
            path: path.clone(),
            file: scope.source_file(path),
            rules: rules.matched(path),
            kind: importer.as_ref().and_then(|importer| facts.kind(path).or(importer.kind())),
            rust_type: facts.custom_kind(path).and_then(|chunk| scope.rust_type(path, chunk)),
            kind_reason: importer.as_ref().map(|of| standing::kind_reason(&rules, path, of)).unwrap_or_default(),
            settings: importer.as_ref().map(|of| settings_of(&rules, path, of)).unwrap_or_default(),
            importer: importer.map(|importer| importer.name().to_owned()),
            constant,
            module: context.module_of(path),
            id,
            id_reason: id.map(|id| standing::id_reason(&rules, path, id)).unwrap_or_default(),
            groups: facts.groups_of(path),
            import: facts.of(scope, path, !is_whole),
            needed_by: facts.needed_by(path),
            read_by: facts.read_by(path),
            notes: of_plan.chain(facts.notes(path)).map(note_text).collect(),
            prints_notes: settings.as_ref().is_some_and(|settings| settings.asset.notes),
            compression: import::wanted_compression(&rules, path),
            compat: rules.pack().compat,
            standing,
        }
    });
    let explanations = explanations.collect();
    let is_about = |diagnostic: &Diagnostic| match diagnostic.asset() {
        Some(_) => diagnostic.refused_paths().any(|refused| paths.iter().any(|path| path == refused)),
        None => true,
    };
    let mut diagnostics: Vec<Diagnostic> = facts.diagnostics.into_iter().filter(is_about).collect();
    diagnostics.sort();
    diagnostics.dedup();
    Ok(Explained {
        dir: context.assets.clone(),
        module: context.module_name(),
        pack: session.files.name,
        explanations,
        lints: facts.lints,
        budgets: facts.budgets,
        diagnostics,
    })
}

/// Whether what others become may follow from this source, or name it. `are_linked` says whether rules link images.
fn has_part_in_others(planned: &PlannedSource, are_linked: bool) -> bool {
    planned.importer.refers()
        // The place of an image in an atlas follows from all of its images.
        || planned.settings.image.atlas.is_some()
        // A sequence has all images whose names are alike.
        || are_linked && planned.importer.kinds().contains(&AssetKind::Image)
}

/// The settings that have an effect on a source, the importer's own last.
fn settings_of(rules: &Rules, path: &str, importer: &RegisteredImporter) -> Vec<SettingOrigin> {
    let own = rules.trace_importer(path, importer.name());
    rules.trace(path, importer.kinds()).into_iter().chain(own).collect()
}

fn note_text(Note { topic, detail, help }: &Note) -> (String, String) {
    let text = if detail.is_empty() { topic.clone() } else { format!("{topic} ({detail})") };
    (text, help.clone())
}

impl Plan {
    /// The importer and the settings of a source that is going to be imported.
    fn importer_and_settings(&self, path: &str) -> Option<(Arc<RegisteredImporter>, Settings)> {
        let planned = self.source(path)?;
        Some((planned.importer.clone(), (*planned.settings).clone()))
    }

    /// The source that is the asset `path`.
    fn source(&self, path: &str) -> Option<&PlannedSource> {
        let at = self.sources.binary_search_by(|planned| planned.source.path.as_str().cmp(path)).ok()?;
        Some(&self.sources[at])
    }
}
