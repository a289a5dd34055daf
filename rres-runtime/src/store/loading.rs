//! Loading the assets of a group in the background.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::Store;
use super::batch::{Batch, Job, Progress};
use super::fetching::{fetches, with_dependencies};
use super::loaded_group::LoadedGroup;
use crate::error::{Error, ErrorKind};
use crate::group::AssetList;
use crate::handle::{AnyHandle, Choice};
use crate::mounts::Mounts;
use crate::pool::{Priority, Work};
use crate::source::Source;
use crate::sync::deadline;
use crate::timeline::Asker;

impl Store {
    /// Loads the assets of a group, and their dependencies, on several threads. Ask the result for progress, poll it,
    /// wait for it, or await it.
    ///
    /// A group is one of the settings (`assets::groups::LEVEL_1`), a folder (`assets::ui::ALL`) or a list of ids. An
    /// asset in several groups is loaded once.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn load_group<G>(&self, group: impl Into<AssetList<G>>) -> Loading<G> {
        self.load_group_with(group, Priority::Normal)
    }

    /// Loads a group like [`Self::load_group`], before or after other groups.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn load_group_with<G>(&self, group: impl Into<AssetList<G>>, priority: Priority) -> Loading<G> {
        let (members, mounts) = (group.into(), self.mounts());
        let (job_of, ids, jobs) = jobs(self, &mounts, &members);
        let preferred: Vec<_> = ids.into_iter().map(|id| (id, Choice::Preferred)).collect();
        let fetches = fetches(&mounts, &self.selection(), &preferred, |_| true);
        let asker = Asker::here().with_group(members.name());
        let batch = Batch::new(self, jobs, fetches, priority, false, asker);
        if batch.has_next() {
            self.shared.pool.push(Arc::clone(&batch) as _);
        }
        Loading { store: self.clone(), members, job_of, batch, kept: Vec::new(), taken: false }
    }
}

/// Returns a job for each asset of a group and each of their dependencies, in the order of the pack, with its id; and for each
/// member, the position of its job.
fn jobs<G>(store: &Store, mounts: &Mounts, members: &AssetList<G>) -> (Vec<usize>, Vec<ResourceId>, Vec<Job>) {
    let mut stored: HashMap<ResourceId, (u32, u64)> = HashMap::new();
    let mut slots: Vec<(&Source, Vec<u32>)> = Vec::new();
    let selection = store.selection();
    let mut left: Vec<ResourceId> = members.ids().collect();
    while let Some(id) = left.pop() {
        if stored.contains_key(&id) {
            continue;
        }
        let located = mounts.locate(selection.of(id), Slot(0));
        let range = located.and_then(|(source, slot)| source.index().stored_range(slot).ok()).unwrap_or_default();
        stored.insert(id, (range.offset, range.size.into()));
        if let Some((source, slot)) = located {
            left.extend(source.index().dependencies(slot).into_iter().flatten());
            match slots.iter_mut().find(|(known, _)| std::ptr::eq(*known, source)) {
                Some((_, slots)) => slots.push(slot),
                None => slots.push((source, vec![slot])),
            }
        }
    }
    for (source, slots) in slots {
        source.prefetch(&slots);
    }
    let mut ids: Vec<ResourceId> = stored.keys().copied().collect();
    ids.sort_by_key(|id| (stored[id].0, id.0));
    let at: HashMap<ResourceId, usize> = ids.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let job_of = members.ids().map(|id| at[&id]).collect();
    let jobs = ids.iter().map(|id| Job { entry: store.entry_of_kind(mounts, *id), stored: stored[id].1 }).collect();
    (job_of, ids, jobs)
}

/// Returns the members of a group and all that they depend on.
fn needs<G>(store: &Store, members: &AssetList<G>) -> HashSet<ResourceId> {
    let (mounts, selection) = (store.mounts(), store.selection());
    let mut needs = HashSet::new();
    for id in members.ids() {
        needs.insert(id);
        needs.extend(with_dependencies(&mounts, &selection, id, Choice::Preferred).into_iter().map(|(id, ..)| id));
    }
    needs
}

/// A group that is being loaded. Dropping it cancels the loading.
#[must_use = "dropping it cancels the loading"]
pub struct Loading<G = ()> {
    store: Store,
    members: AssetList<G>,
    /// The job of each member.
    job_of: Vec<usize>,
    batch: Arc<Batch>,
    /// Assets that were loaded for the previous group; see [`LoadedGroup::switch_to`].
    kept: Vec<AnyHandle>,
    /// Whether the group, or the error in its place, was handed out.
    taken: bool,
}

impl<G> Loading<G> {
    /// Returns the progress of the loading. In a browser, which has no threads, this loads some assets first, as [`Self::poll`] does: a
    /// game that draws the progress once a frame goes on loading.
    pub fn progress(&self) -> Progress {
        self.help();
        self.batch.progress()
    }

    /// Moves the group before or after other groups.
    pub fn set_priority(&self, priority: Priority) {
        self.batch.set_priority(priority);
    }

    /// Cancels the loading: assets that are being loaded are finished, no others are begun. Waiting then fails with
    /// [`ErrorKind::Cancelled`].
    pub fn cancel(&self) {
        self.batch.cancel();
    }

    /// Returns the group once it is loaded, and `None` before. Call it once a frame.
    ///
    /// The group is handed out once; after that this returns `None` again.
    pub fn poll(&mut self) -> Option<Result<LoadedGroup<G>, GroupError>> {
        if self.taken {
            return None;
        }
        self.help();
        self.batch.poll(None).then(|| self.finish())
    }

    /// Waits until the group is loaded; this thread helps.
    ///
    /// # Errors
    /// Everything that could not be loaded; the rest is in [`GroupError::into_rest`]. [`ErrorKind::GroupTaken`] if
    /// [`Self::poll`] or [`Self::wait_for`] has handed out the group before.
    pub fn wait(mut self) -> Result<LoadedGroup<G>, GroupError> {
        while self.batch.run_one() {}
        if !self.batch.wait(None) {
            let errors = vec![Error::new(ErrorKind::NotHere)];
            let Progress { assets, assets_total: total, .. } = self.batch.progress();
            return Err(GroupError { errors, not_loaded: total - assets, total, rest: self.rest(Vec::new()) });
        }
        self.finish()
    }

    /// Waits for at most `time`, without helping; `None` if the group is not loaded by then, or was handed out before.
    pub fn wait_for(&mut self, time: Duration) -> Option<Result<LoadedGroup<G>, GroupError>> {
        if self.taken {
            return None;
        }
        self.help();
        self.batch.wait(deadline(time)).then(|| self.finish())
    }

    /// Loads some assets on this thread if the pool has no threads: as many as fit between two frames.
    fn help(&self) {
        if self.store.shared.pool.has_no_threads() {
            self.batch.run_slice();
        }
    }

    fn forget_batch(&self) {
        self.store.shared.pool.forget(&(Arc::clone(&self.batch) as _));
    }

    fn finish(&mut self) -> Result<LoadedGroup<G>, GroupError> {
        if self.taken {
            let errors = vec![Error::new(ErrorKind::GroupTaken)];
            return Err(GroupError { errors, not_loaded: 0, total: 0, rest: self.rest(Vec::new()) });
        }
        self.taken = true;
        let progress = self.batch.progress();
        self.forget_batch();
        let (loaded, mut errors) = self.batch.take();
        self.kept.clear();
        let members = self.members.ids().zip(&self.job_of);
        let mut assets: Vec<(ResourceId, AnyHandle)> = Vec::with_capacity(self.job_of.len());
        assets.extend(members.filter_map(|(id, job)| Some((id, loaded.get(*job)?.clone()?))));
        if errors.is_empty() && progress.is_done() && assets.len() == self.job_of.len() {
            let handles = assets.into_iter().map(|(_, handle)| handle).collect();
            return Ok(LoadedGroup::new(self.store.clone(), self.members.clone(), handles));
        }
        if !progress.is_done() {
            errors.push(Error::new(ErrorKind::Cancelled));
        }
        let not_loaded = progress.assets_total - (progress.assets - progress.failed);
        Err(GroupError { errors, not_loaded, total: progress.assets_total, rest: self.rest(assets) })
    }

    /// Returns a group of the assets that were loaded.
    fn rest(&self, assets: Vec<(ResourceId, AnyHandle)>) -> LoadedGroup {
        let (ids, handles) = assets.into_iter().unzip();
        LoadedGroup::new(self.store.clone(), AssetList::of(self.members.name().to_owned(), ids), handles)
    }
}

/// Awaiting a group that [`Loading::poll`] or [`Loading::wait_for`] has handed out before fails with
/// [`ErrorKind::GroupTaken`].
impl<G> Future for Loading<G> {
    type Output = Result<LoadedGroup<G>, GroupError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        this.help();
        match this.batch.poll(Some(context.waker())) {
            true => return Poll::Ready(this.finish()),
            // Nobody else will.
            false if this.store.shared.pool.has_no_threads() && this.batch.has_next() => context.waker().wake_by_ref(),
            false => {}
        }
        Poll::Pending
    }
}

impl<G> Drop for Loading<G> {
    fn drop(&mut self) {
        self.batch.cancel();
        self.forget_batch();
    }
}

impl<G> fmt::Debug for Loading<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loading").field("group", &self.members.name()).field("progress", &self.progress()).finish()
    }
}

impl<G> LoadedGroup<G> {
    /// Replaces this group by another one: frees the assets that only this group needs, then loads those that only the
    /// other one needs. Assets that both need stay loaded: members, and what members depend on.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn switch_to<H>(self, group: impl Into<AssetList<H>>) -> Loading<H> {
        let (store, handles) = self.into_parts();
        let members = group.into();
        let next = needs(&store, &members);
        let alive = store.shared.table.alive();
        let needed = alive.into_iter().filter(|entry| next.contains(&entry.meta().id()));
        let kept = needed.filter_map(AnyHandle::new).collect();
        drop(handles);
        let mut loading = store.load_group(members);
        loading.kept = kept;
        loading
    }
}

/// Why a group could not be loaded as a whole, and the assets that could.
pub struct GroupError {
    errors: Vec<Error>,
    /// 0 if the group was handed out before.
    not_loaded: usize,
    total: usize,
    rest: LoadedGroup,
}

impl GroupError {
    /// Returns one error per asset, oldest first; then [`ErrorKind::Cancelled`] if loading was cancelled.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// Returns the assets that were loaded.
    pub fn into_rest(self) -> LoadedGroup {
        self.rest
    }
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.rest.name().is_empty() {
            write!(f, "group \"{}\": ", self.rest.name())?;
        }
        if self.not_loaded == 0 {
            return self.errors.iter().try_for_each(|error| write!(f, "{error}"));
        }
        write!(f, "{} of {} assets are not loaded:", self.not_loaded, self.total)?;
        self.errors.iter().try_for_each(|error| write!(f, "\n  {error}"))
    }
}

impl fmt::Debug for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `main() -> Result` prints errors with Debug: let that be readable too.
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for GroupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.errors.first().and_then(std::error::Error::source)
    }
}
