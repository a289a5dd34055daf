//! Groups of assets, and how far they are.

use std::pin::pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use bevy_asset::{AssetPath, AssetServer, LoadState, RecursiveDependencyLoadState, UntypedHandle};
use bevy_ecs::prelude::Resource;
use rres_runtime::{AnyId, AssetKind, Group};

use crate::convert::Conversions;
use crate::others::Others;
use crate::plain::{RawAsset, TextAsset};
use crate::rres::Rres;

/// The handles of a group. Keep it as a resource for as long as the assets are needed; dropping it and its clones frees them.
///
/// [`crate::GroupLoaded`] and [`crate::GroupFailed`] say when it is done. A bar can show how far it is:
///
/// ```
/// use bevy_asset::AssetServer;
/// use bevy_ecs::prelude::*;
/// use rres_bevy::GroupHandles;
///
/// fn show(level: Res<GroupHandles>, server: Res<AssetServer>) {
///     println!("{:.0} %", level.progress(&server).fraction() * 100.0);
/// }
/// ```
#[derive(Clone, Debug, Resource)]
pub struct GroupHandles(Arc<Members>);

#[derive(Debug)]
struct Members {
    name: &'static str,
    handles: Vec<UntypedHandle>,
    others: Option<Others>,
    /// How many members no mounted pack has.
    missing: usize,
}

/// A group that may have been dropped.
pub(crate) struct WeakGroup(Weak<Members>);

impl WeakGroup {
    pub(crate) fn upgrade(&self) -> Option<GroupHandles> {
        self.0.upgrade().map(GroupHandles)
    }
}

/// How many assets of a group are loaded. Those that Bevy has no type for count with the assets that they depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupProgress {
    /// Those that are loaded, with what they depend on.
    pub loaded: usize,
    /// Those that could not be loaded, or something that they depend on. The log says why.
    pub failed: usize,
    /// All.
    pub total: usize,
}

impl GroupProgress {
    /// Returns whether no asset is still being loaded.
    pub fn is_done(&self) -> bool {
        self.loaded + self.failed == self.total
    }

    /// Returns the part that is done, from 0 to 1.
    pub fn fraction(&self) -> f32 {
        if self.total == 0 { 1.0 } else { (self.loaded + self.failed) as f32 / self.total as f32 }
    }
}

impl GroupHandles {
    pub(crate) fn load(rres: &Rres<'_>, conversions: &Conversions, group: Group) -> Self {
        let mounts = rres.store().mounts();
        let (mut handles, mut others) = (Vec::new(), Vec::new());
        let mut missing = 0;
        for resource in group.members() {
            let Some(entry) = mounts.entry(resource) else {
                tracing::error!("group \"{}\": no pack has its asset {resource}", group.name());
                missing += 1;
                continue;
            };
            match load_any(rres, conversions, entry.id) {
                Some(handle) => handles.push(handle),
                None => others.push(entry.id),
            }
        }
        let others = (!others.is_empty()).then(|| Others::load(rres.store(), others));
        Self(Arc::new(Members { name: group.name(), handles, others, missing }))
    }

    pub(crate) fn downgrade(&self) -> WeakGroup {
        WeakGroup(Arc::downgrade(&self.0))
    }

    /// Returns the name of the group.
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Returns how far it is.
    pub fn progress(&self, server: &AssetServer) -> GroupProgress {
        let Members { name, handles, others, missing } = &*self.0;
        let none = GroupProgress { loaded: 0, failed: 0, total: 0 };
        let mut progress = others.as_ref().map_or(none, |others| others.progress(name));
        progress.failed += missing;
        progress.total += handles.len() + missing;
        for handle in handles {
            match server.get_load_states(handle.id()) {
                Some((LoadState::Failed(_), ..) | (.., RecursiveDependencyLoadState::Failed(_))) => {
                    progress.failed += 1
                }
                Some((LoadState::Loaded, _, RecursiveDependencyLoadState::Loaded)) => progress.loaded += 1,
                _ => {}
            }
        }
        progress
    }

    /// Returns the handles of Bevy. Assets that it has no type for have none: `Rres::store` gives them.
    pub fn handles(&self) -> impl ExactSizeIterator<Item = &UntypedHandle> {
        self.0.handles.iter()
    }
}

/// Loads an asset as the type of its kind, or a file as what Bevy's loader for the extension makes of it, such as a font; `None` if Bevy has neither.
fn load_any(rres: &Rres<'_>, conversions: &Conversions, id: AnyId) -> Option<UntypedHandle> {
    let (server, path) = (rres.server(), rres.path(id));
    if let Some(conversion) = conversions.of(id.kind()) {
        return Some((conversion.load)(server, path));
    }
    match id.kind()? {
        AssetKind::Sound | AssetKind::Raw | AssetKind::Text if has_loader(server, &path) => {
            Some(server.load_builder().load_untyped(path).untyped())
        }
        AssetKind::Text => Some(server.load::<TextAsset>(path).untyped()),
        AssetKind::Raw => Some(server.load::<RawAsset>(path).untyped()),
        _ => None,
    }
}

/// Whether Bevy has a loader for the extension, or a plugin has said that one comes.
fn has_loader(server: &AssetServer, path: &AssetPath<'_>) -> bool {
    let found = pin!(server.get_path_asset_loader(path));
    !matches!(found.poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Err(_)))
}
