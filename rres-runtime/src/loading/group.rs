//! Groups: loading under way, and what it leads to.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use rres_format::ResourceId;

use super::batch::{Batch, Job};
use super::{Priority, Progress};
use crate::error::{Error, ErrorKind};
use crate::group::{Member, Members};
use crate::handle::cell::AnyCell;
use crate::handle::{AnyHandle, Handle};
use crate::id::Id;
use crate::store::{Mounts, Store};

impl Store {
    /// Loads the assets of a group on several threads, with those that they need: ask for progress, poll, wait, or await.
    ///
    /// A group of the settings (`assets::groups::LEVEL_1`), a folder (`assets::ui::ALL`) or a list of ids. One asset is
    /// loaded once, whichever groups it is in.
    pub fn load_group<G>(&self, group: impl Into<Members<G>>) -> Loading<G> {
        self.load_group_with(group, Priority::Normal)
    }

    /// As [`Self::load_group`], before or after other groups.
    pub fn load_group_with<G>(&self, group: impl Into<Members<G>>, priority: Priority) -> Loading<G> {
        let members = group.into();
        let mounts = self.mounts();
        let (order, jobs) = self.jobs(&mounts, &members);
        let batch = Arc::new(Batch::new(self, jobs, priority));
        if batch.len() > 0 {
            self.shared.pool.push(Arc::clone(&batch));
        }
        Loading { store: self.clone(), members, order, batch, kept: Vec::new(), marker: PhantomData }
    }

    /// A job for each asset of a group and each that those need, in the order of the pack; and for each member, which job
    /// is its own.
    fn jobs<G>(&self, mounts: &Mounts, members: &Members<G>) -> (Vec<usize>, Vec<Job>) {
        let mut places: std::collections::HashMap<ResourceId, (u32, u64)> = Default::default();
        let mut left: Vec<ResourceId> = members.ids().collect();
        while let Some(id) = left.pop() {
            if places.contains_key(&id) {
                continue;
            }
            let located = mounts.locate(id, 0);
            let place = located.and_then(|(source, slot)| source.index().place(slot).ok());
            let (offset, stored) = place.unwrap_or_default();
            places.insert(id, (offset, stored.into()));
            if let Some((source, slot)) = located {
                left.extend(source.index().dependencies(slot).into_iter().flatten());
            }
        }
        let mut ids: Vec<ResourceId> = places.keys().copied().collect();
        ids.sort_by_key(|id| (places[id].0, id.0));
        let at: std::collections::HashMap<ResourceId, usize> = ids.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let order = members.ids().map(|id| at[&id]).collect();
        let jobs = ids.iter().map(|id| Job { cell: self.cell_of(mounts, *id), stored: places[id].1 }).collect();
        (order, jobs)
    }
}

/// A group while it is loaded. Dropping it cancels what has not begun.
#[must_use = "dropping it cancels the loading"]
pub struct Loading<G = ()> {
    store: Store,
    members: Members<G>,
    /// The job of each member.
    order: Vec<usize>,
    batch: Arc<Batch>,
    /// What both the group before and this one have.
    kept: Vec<AnyHandle>,
    marker: PhantomData<fn() -> G>,
}

impl<G> Loading<G> {
    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.batch.progress()
    }

    /// Loads it before or after other groups.
    pub fn set_priority(&self, priority: Priority) {
        self.batch.set_priority(priority);
    }

    /// Cancels: nothing more is begun, what is being loaded is loaded to its end. Waiting gives
    /// [`ErrorKind::Cancelled`] then.
    pub fn cancel(&self) {
        self.batch.cancel();
    }

    /// The group, where it is loaded; `None` while it is not. To be called once a frame.
    pub fn poll(&mut self) -> Option<Result<LoadedGroup<G>, GroupError>> {
        self.help();
        self.batch.poll(None).then(|| self.finish())
    }

    /// Waits until it is loaded; this thread helps.
    ///
    /// # Errors
    /// Everything that could not be loaded; the rest is in [`GroupError::into_rest`].
    pub fn wait(mut self) -> Result<LoadedGroup<G>, GroupError> {
        while self.batch.run_one() {}
        self.batch.wait(None);
        self.finish()
    }

    /// Waits for at most `time`, without helping: `None` where that did not suffice.
    pub fn wait_for(&mut self, time: Duration) -> Option<Result<LoadedGroup<G>, GroupError>> {
        self.help();
        self.batch.wait(Instant::now().checked_add(time)).then(|| self.finish())
    }

    /// Where there are no threads, asking does the work, one asset at a time.
    fn help(&self) {
        if self.store.shared.pool.has_no_threads() {
            self.batch.run_one();
        }
    }

    fn finish(&mut self) -> Result<LoadedGroup<G>, GroupError> {
        let progress = self.batch.progress();
        self.store.shared.pool.forget(&self.batch);
        let (loaded, mut errors) = self.batch.take();
        self.kept.clear();
        let members = self.members.ids().zip(&self.order);
        let mut assets: Vec<(ResourceId, AnyHandle)> = Vec::with_capacity(self.order.len());
        assets.extend(members.filter_map(|(id, job)| Some((id, loaded.get(*job)?.clone()?))));
        if errors.is_empty() && progress.is_done() && assets.len() == self.order.len() {
            let handles = assets.into_iter().map(|(_, handle)| handle).collect();
            return Ok(LoadedGroup::new(self.store.clone(), self.members.clone(), handles));
        }
        if !progress.is_done() {
            errors.push(Error::new(ErrorKind::Cancelled).of_asset(|| format!("group \"{}\"", self.members.name())));
        }
        let (ids, handles): (Vec<ResourceId>, Vec<AnyHandle>) = assets.into_iter().unzip();
        let members = Members::of(self.members.name().to_owned(), ids);
        Err(GroupError {
            errors,
            total: progress.assets_total,
            rest: LoadedGroup::new(self.store.clone(), members, handles),
        })
    }
}

impl<G> Future for Loading<G> {
    type Output = Result<LoadedGroup<G>, GroupError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        while this.store.shared.pool.has_no_threads() && this.batch.run_one() {}
        match this.batch.poll(Some(context.waker())) {
            true => Poll::Ready(this.finish()),
            false => Poll::Pending,
        }
    }
}

impl<G> Drop for Loading<G> {
    fn drop(&mut self) {
        self.batch.cancel();
        self.store.shared.pool.forget(&self.batch);
    }
}

impl<G> fmt::Debug for Loading<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loading").field("group", &self.members.name()).field("progress", &self.progress()).finish()
    }
}

/// A loaded group: holds every asset of it until it is dropped, and gives members without a way to fail.
///
/// What another group, a handle or a model still needs outlives it.
pub struct LoadedGroup<G = ()> {
    store: Store,
    members: Members<G>,
    /// By member.
    handles: Vec<AnyHandle>,
}

impl<G> LoadedGroup<G> {
    fn new(store: Store, members: Members<G>, handles: Vec<AnyHandle>) -> Self {
        Self { store, members, handles }
    }

    /// A member, named so that membership is checked by the compiler:
    /// `level.get(const { groups::LEVEL_1.member(assets::TREE_PNG) })`.
    ///
    /// # Panics
    /// Where the member was made of an id of another type than the asset has; generated constants have the right one.
    pub fn get<T: crate::Asset>(&self, member: Member<G, T>) -> Handle<T> {
        let handle = self.handles.get(member.at()).and_then(AnyHandle::downcast);
        handle.unwrap_or_else(|| {
            panic!("an id of group \"{}\" was made with another type than its asset has", self.name())
        })
    }

    /// An asset of the group, where it is one.
    pub fn find<T: crate::Asset>(&self, id: Id<T>) -> Option<Handle<T>> {
        let at = self.members.ids().position(|member| member == id.resource())?;
        self.handles.get(at)?.downcast()
    }

    /// Its assets, by path for groups of the settings and folders, else in the given order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &AnyHandle> {
        self.handles.iter()
    }

    /// Its name, as in the settings; empty for lists of ids.
    pub fn name(&self) -> &str {
        self.members.name()
    }

    /// Bytes of its assets, decoded.
    pub fn bytes(&self) -> u64 {
        self.handles.iter().map(AnyHandle::bytes).sum()
    }

    /// Goes over to another group: frees what only this one needs, then loads what only the other needs. What both have
    /// stays.
    pub fn switch_to<H>(self, group: impl Into<Members<H>>) -> Loading<H> {
        let Self { store, handles, .. } = self;
        let members = group.into();
        let next: std::collections::HashSet<ResourceId> = members.ids().collect();
        let (kept, freed): (Vec<_>, Vec<_>) = handles.into_iter().partition(|handle| next.contains(&handle.resource()));
        drop(freed);
        let mut loading = store.load_group(members);
        loading.kept = kept;
        loading
    }

    /// Frees its assets, unless somebody else still holds one: then nothing happens, and the error names who does. To let
    /// go of them anyway, drop the group.
    ///
    /// # Errors
    /// [`InUse`], which gives the group back.
    pub fn unload(self) -> Result<(), InUse<G>> {
        let alive = self.store.shared.table.alive();
        let kept = self.store.shared.residence.keeps();
        let is_inside = |cell: &Arc<dyn AnyCell>| self.handles.iter().any(|inside| Arc::ptr_eq(&inside.0, cell));
        let mut held = Vec::new();
        for handle in &self.handles {
            let needs_it = |cell: &&Arc<dyn AnyCell>| {
                cell.made_of().is_some_and(|made| made.needs.iter().any(|need| Arc::ptr_eq(&need.0, &handle.0)))
            };
            let dependents: Vec<&Arc<dyn AnyCell>> = alive.iter().filter(needs_it).collect();
            // The group, the list of those alive, the store's own keeping.
            let known = 2 + usize::from(kept.contains(&handle.0.head().key()));
            let others = Arc::strong_count(&handle.0).saturating_sub(known + dependents.len());
            let outside = dependents.into_iter().filter(|cell| !is_inside(cell));
            let by: Vec<String> = outside.map(|cell| cell.head().path.to_string()).collect();
            if !by.is_empty() || others > 0 {
                held.push((handle.path().to_owned(), by, others));
            }
        }
        match held.is_empty() {
            true => Ok(()),
            false => Err(InUse { held, group: self }),
        }
    }
}

impl<G> fmt::Debug for LoadedGroup<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedGroup").field("group", &self.name()).field("assets", &self.handles.len()).finish()
    }
}

/// Why a group was not unloaded: who holds its assets.
pub struct InUse<G = ()> {
    /// Path, paths of assets that need it, handles elsewhere.
    held: Vec<(String, Vec<String>, usize)>,
    group: LoadedGroup<G>,
}

impl<G> InUse<G> {
    /// The group, still loaded.
    pub fn into_group(self) -> LoadedGroup<G> {
        self.group
    }
}

impl<G> fmt::Display for InUse<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group \"{}\" is not unloaded:", self.group.name())?;
        for (path, by, others) in &self.held {
            write!(f, "\n  \"{path}\" is held by ")?;
            for (i, by) in by.iter().enumerate() {
                write!(f, "{}\"{by}\"", if i > 0 { ", " } else { "" })?;
            }
            let and = if by.is_empty() { "" } else { " and " };
            match others {
                0 => {}
                1 => write!(f, "{and}1 other reference")?,
                others => write!(f, "{and}{others} other references")?,
            }
        }
        Ok(())
    }
}

impl<G> fmt::Debug for InUse<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<G> std::error::Error for InUse<G> {}

/// What of a group could not be loaded, and the rest of it.
pub struct GroupError {
    errors: Vec<Error>,
    total: usize,
    rest: LoadedGroup,
}

impl GroupError {
    /// One error per asset, each with its path, in the order in which they happened.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// What was loaded all the same.
    pub fn into_rest(self) -> LoadedGroup {
        self.rest
    }
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, failed, total) = (self.rest.name(), self.errors.len(), self.total);
        match name {
            "" => write!(f, "{failed} of {total} assets are not loaded:")?,
            name => write!(f, "group \"{name}\": {failed} of {total} assets are not loaded:")?,
        }
        self.errors.iter().try_for_each(|error| write!(f, "\n  {error}"))
    }
}

impl fmt::Debug for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for GroupError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.errors.first().and_then(std::error::Error::source)
    }
}
