//! The ids of a run according to the lock file, in lock mode.

use super::Policy;
use crate::diagnostic::Diagnostic;
use crate::lock_file::{self, LockFile};
use crate::model::ImportedAsset;
use crate::pipeline::UnavailableSource;
use crate::scope::Scope;

/// The ids of assets; without lock mode, every asset has the one of its path.
#[derive(Default)]
pub(crate) struct Lock {
    pub(crate) ids: LockFile,
    /// Whether the lock file does not exist yet.
    pub(crate) is_new: bool,
}

/// How a lock file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockReading {
    /// Every line must be valid.
    Strict,
    /// Both sides of merge conflicts are read.
    Lenient,
}

/// Reads the lock file. Builds check that it matches the assets, and the first debug build creates it; with last good versions it is changed
/// to match.
pub(super) fn read(
    scope: Scope<'_>,
    policy: &mut Policy<'_>,
    assets: &[ImportedAsset],
    unavailable: &[UnavailableSource],
) -> Result<Lock, Vec<Diagnostic>> {
    if !scope.rules.pack().lock || !scope.rules.is_usable() {
        return Ok(Lock::default());
    }
    let file = lock_file::path_for(&scope.context.assets);
    let unavailable: Vec<&str> = unavailable.iter().map(|source| source.path.as_str()).collect();
    let (ids, is_new) = match policy {
        Policy::Refuse | Policy::LeaveOut => match LockFile::read(&file)? {
            Some(ids) => match ids.check(assets, &unavailable, &file) {
                Some(diagnostic) => return Err(vec![diagnostic]),
                None => (ids, false),
            },
            None if scope.context.can_serve() => {
                (LockFile::default().reconcile(assets, &unavailable, |_| Vec::new()), true)
            }
            None => return Err(vec![lock_file::missing(&file)]),
        },
        Policy::LastGood(of) => {
            let mut ids = match of.reading {
                LockReading::Strict => LockFile::read(&file)?.unwrap_or_default(),
                LockReading::Lenient => LockFile::read_lenient(&file)?,
            };
            // A path that disappears for a moment keeps its id.
            ids.add_missing(of.known_ids);
            of.known_ids.clone_from(&ids);
            (ids.reconcile(assets, &unavailable, |path| of.hashes(scope, path)), false)
        }
        Policy::Explain(_) => (LockFile::read_lenient(&file)?, false),
    };
    Ok(Lock { ids, is_new })
}
