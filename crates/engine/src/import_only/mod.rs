//! Importing into the cache, without a pack: for machines that divide the work between them, and to find out whether importers make the same
//! bytes each time.

mod portion;
mod recheck;

use crate::cache::{self, BuildManifest, RemoteLayer, RemoteUse};
use crate::context::BuildContext;
use crate::diagnostic::{BuildError, Diagnostic};
use crate::import::Origin;
use crate::options::Build;
use crate::pipeline::{self, Imported, Known, Plan};
use crate::session::Session;
use crate::timed_out::TimedOut;
pub use portion::Portion;
pub use recheck::{Difference, ImportCheck};

/// What [`Build::import_only`] has done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ImportedOnly {
    /// The number of sources in the portion that were imported, or had been.
    pub sources: usize,
    /// How many of them the cache had, those from the remote cache included.
    pub cached: usize,
    /// How many sources all portions have together.
    pub all: usize,
    /// How many more only the build script can import.
    pub of_script: usize,
    /// What the remote cache had, and has got; `None` if there is none, or nothing was needed.
    pub remote_cache: Option<RemoteUse>,
}

impl Build {
    /// Imports a portion of the sources into the import cache, and into the remote cache if this machine adds to one. Writes no pack. So
    /// several machines can each import a part of what the build of another one needs.
    ///
    /// # Errors
    /// Every fault of the settings, and of the sources of the portion. The other sources are in the cache all the same.
    pub fn import_only(self, portion: &Portion) -> Result<ImportedOnly, BuildError> {
        let context = BuildContext::new(self)?;
        let cache_size = cache::size_limit()?;
        let Chosen { plan, all, of_script, diagnostics } = Chosen::new(&context, portion);
        let Imported { assets, diagnostics: faults, .. } = import(&context, plan);
        let cached = assets.iter().filter(|asset| asset.is_cached).count();
        if cached < assets.len() {
            context.cache.prune_if_due(cache_size);
        }
        BuildError::check([diagnostics, faults].concat())?;
        let remote_cache = context.remote.as_ref().and_then(RemoteLayer::used);
        Ok(ImportedOnly { sources: assets.len(), cached, all, of_script, remote_cache })
    }
}

/// The sources of a portion.
struct Chosen {
    plan: Plan,
    /// The number of sources before the choice.
    all: usize,
    /// The number of sources that only the build script can import, which belong to no portion.
    of_script: usize,
    /// What is wrong with the settings.
    diagnostics: Vec<Diagnostic>,
}

impl Chosen {
    fn new(context: &BuildContext, portion: &Portion) -> Self {
        let session = Session::open(context);
        let mut plan = session.plan();
        let found = plan.sources.len();
        plan.sources.retain(|planned| !matches!(planned.importer.origin, Origin::RecordOfScript));
        let all = plan.sources.len();
        portion.choose(&mut plan.sources);
        Self { plan, all, of_script: found - all, diagnostics: session.diagnostics }
    }
}

/// Imports the sources of a plan that the caches lack. Every source is read: on a machine of CI, times of files say nothing.
fn import(context: &BuildContext, plan: Plan) -> Imported {
    let (manifest, timed_out) = (BuildManifest::default(), TimedOut::default());
    let known = Known { manifest: &manifest, trust_stamps: false, same_rules: false, timed_out: &timed_out };
    pipeline::import(context, plan, known)
}
