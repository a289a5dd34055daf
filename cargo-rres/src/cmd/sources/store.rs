//! The store of a list, if this command is compiled with one.

use std::io;

use crate::exit::Failure;

#[cfg(not(feature = "remote-cache"))]
pub(super) use absent::{SourceStore, open};
#[cfg(feature = "remote-cache")]
pub(super) use rres_remote_cache::SourceStore;

/// Opens the store at an address.
#[cfg(feature = "remote-cache")]
pub(super) fn open(address: &str) -> Result<SourceStore, Failure> {
    SourceStore::open(address).map_err(Failure::Usage)
}

/// What stands for a store in a command without one.
#[cfg(not(feature = "remote-cache"))]
mod absent {
    use std::io;
    use std::path::{Path, PathBuf};

    use rres_engine::ListedSource;

    use crate::exit::Failure;

    /// There is no value of it.
    pub(crate) enum SourceStore {}

    pub(crate) fn open(_: &str) -> Result<SourceStore, Failure> {
        let install = "cargo install cargo-rres --features remote-cache";
        Err(Failure::Usage(format!("this command is compiled without the feature `remote-cache`: {install}")))
    }

    impl SourceStore {
        pub(crate) fn place(&self) -> &str {
            match *self {}
        }

        pub(crate) fn has(&self, _: &[ListedSource]) -> io::Result<Vec<bool>> {
            match *self {}
        }

        pub(crate) fn push(&self, _: &ListedSource, _: &Path) -> io::Result<()> {
            match *self {}
        }

        pub(crate) fn pull(
            &self,
            _: &[(ListedSource, PathBuf)],
            _: &dyn Fn(usize) -> bool,
            _: &mut dyn FnMut(usize),
        ) -> io::Result<Vec<usize>> {
            match *self {}
        }
    }
}

/// The failure of a store.
pub(super) fn failed(operation: &str, store: &SourceStore, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot {operation} {}: {error}", store.place()))
}
