//! Members of a group that Bevy has no type for, such as fonts with drawn glyphs: the store loads them.

use std::sync::{Mutex, PoisonError};

use rres_runtime::{AnyId, AssetList, LoadedGroup, Loading, Store};

use crate::group::GroupProgress;

/// They stay loaded for as long as this exists, so that the store gives them at once.
#[derive(Debug)]
pub(crate) struct Others(Mutex<State>);

#[derive(Debug)]
enum State {
    Loading(Loading),
    /// The group is only kept.
    Done(GroupProgress, #[expect(dead_code)] LoadedGroup),
}

impl Others {
    pub(crate) fn load(store: &Store, members: Vec<AnyId>) -> Self {
        Self(Mutex::new(State::Loading(store.load_group(AssetList::from(members)))))
    }

    /// Returns how far they are, with what they depend on. Errors are logged when the last one is done.
    pub(crate) fn progress(&self, group: &str) -> GroupProgress {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let loading = match &mut *state {
            State::Done(progress, _) => return *progress,
            State::Loading(loading) => loading,
        };
        let so_far = loaded(loading);
        let rest = match loading.poll() {
            None => return so_far,
            Some(Ok(all)) => all,
            Some(Err(error)) => {
                error.errors().iter().for_each(|error| tracing::error!("group \"{group}\": {error}"));
                error.into_rest()
            }
        };
        let GroupProgress { loaded, total, .. } = loaded(loading);
        let done = GroupProgress { loaded, failed: total - loaded, total };
        *state = State::Done(done, rest);
        done
    }
}

fn loaded(loading: &Loading) -> GroupProgress {
    let progress = loading.progress();
    let failed = progress.failed;
    GroupProgress { loaded: progress.assets - failed, failed, total: progress.assets_total }
}
