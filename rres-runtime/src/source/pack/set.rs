//! The packs of a set: the first one, and those that it says there are besides.

use std::path::Path;
use std::sync::Arc;

use rres_protocol::files::additional_pack;

use super::{Pack, PackOptions};
use crate::error::{Error, ErrorKind, Result};

/// Opens a pack and the additional packs of its set, in order. A pack that lacks its end is refused.
pub(crate) fn open_set(first: &Path, options: &PackOptions) -> Result<Vec<Arc<Pack>>> {
    set(options.open(first)?, |number| options.open(additional_pack(first, number)))
}

impl PackOptions {
    /// Maps a pack and the additional packs of its set, in order, for [`crate::Store::mount_set`]. Most packs have no additional ones.
    ///
    /// ```no_run
    /// use rres_runtime::{PackOptions, Store};
    ///
    /// # fn mount(store: &Store) -> Result<(), rres_runtime::Error> {
    /// store.mount_set(PackOptions::default().open_set("mods/voices.rres")?)?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// As [`Pack::open`]; if an additional pack is missing, or the packs were not signed together.
    pub fn open_set(&self, first: impl AsRef<Path>) -> Result<Vec<Pack>> {
        let packs = open_set(first.as_ref(), self)?;
        Ok(packs.into_iter().filter_map(Arc::into_inner).collect())
    }
}

/// Returns the packs of a set, in order, where `open` opens the additional ones by number.
pub(crate) fn set(first: Pack, open: impl Fn(u32) -> Result<Pack>) -> Result<Vec<Arc<Pack>>> {
    let is_recovered = first.index_damage.is_some();
    let mut additional = first.index().additional_packs();
    let mut packs = vec![Arc::new(first)];
    while is_recovered || packs.len() as u64 <= additional.into() {
        match open(packs.len() as u32) {
            Ok(pack) => packs.push(Arc::new(pack)),
            // Only the index says how many there are.
            Err(error) if is_recovered && is_absent(&error) => break,
            Err(error) => return Err(error),
        }
    }
    if is_recovered {
        additional = packs.len() as u32 - 1;
    }
    check(packs, additional)
}

/// Checks that these are a pack and the additional packs of its set, in order.
pub(crate) fn check_set(packs: Vec<Pack>) -> Result<Vec<Arc<Pack>>> {
    let expected = packs.first().map_or(0, |first| first.index().additional_packs()).saturating_add(1);
    if packs.len() as u64 != u64::from(expected) {
        let file = packs.first().and_then(|first| first.file().map(Path::to_owned));
        let kind = ErrorKind::IncompleteSet { expected, found: packs.len() };
        return Err(Error::new(kind).with_file(file.as_deref()));
    }
    check(packs.into_iter().map(Arc::new).collect(), expected - 1)
}

/// Checks the packs of a set against each other.
fn check(packs: Vec<Arc<Pack>>, additional: u32) -> Result<Vec<Arc<Pack>>> {
    for (number, pack) in (0..).zip(&packs) {
        pack.check_end()?;
        let checked = pack.signed.check_set(&packs[0].signed, number, additional.saturating_add(1));
        checked.map_err(|e| e.with_file(pack.file()))?;
    }
    Ok(packs)
}

/// Whether a pack could not be opened because it does not exist.
fn is_absent(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        kind => matches!(kind, ErrorKind::NotEmbedded { .. }),
    }
}
