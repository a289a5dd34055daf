//! Groups of assets, and how far they are.

use bevy_asset::{AssetServer, LoadState, UntypedHandle};
use bevy_ecs::prelude::Resource;
use rres_runtime::{AnyId, AssetKind, Group};

use crate::plain::{RawAsset, TextAsset};
use crate::rres::Rres;

/// The handles of a group. Keep it as a resource for as long as the assets are needed; dropping it frees them.
///
/// ```
/// use bevy_asset::AssetServer;
/// use bevy_ecs::prelude::*;
/// use rres_bevy::GroupHandles;
///
/// /// Enters the level when its group is loaded.
/// fn loading(level: Res<GroupHandles>, server: Res<AssetServer>) {
///     let progress = level.progress(&server);
///     println!("{:.0} %", progress.fraction() * 100.0);
///     if progress.is_done() && progress.failed == 0 {
///         // next_state.set(GameState::Level)
///     }
/// }
/// ```
#[derive(Clone, Debug, Resource)]
pub struct GroupHandles {
    name: &'static str,
    handles: Vec<UntypedHandle>,
    /// How many members no mounted pack has.
    missing: usize,
}

/// How many assets of a group are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupProgress {
    /// Those that are loaded, with what they depend on.
    pub loaded: usize,
    /// Those that could not be loaded. The log says why.
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
    pub(crate) fn load(rres: &Rres<'_>, group: Group) -> Self {
        let mounts = rres.store().mounts();
        let mut handles = Vec::new();
        let mut missing = 0;
        for resource in group.members() {
            match mounts.entry(resource) {
                Some(entry) => handles.push(load_any(rres, entry.id)),
                None => {
                    tracing::error!("group \"{}\": no pack has its asset {resource}", group.name());
                    missing += 1;
                }
            }
        }
        Self { name: group.name(), handles, missing }
    }

    /// Returns the name of the group.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns how far it is.
    pub fn progress(&self, server: &AssetServer) -> GroupProgress {
        let total = self.handles.len() + self.missing;
        let mut progress = GroupProgress { loaded: 0, failed: self.missing, total };
        for handle in &self.handles {
            if server.is_loaded_with_dependencies(handle.id()) {
                progress.loaded += 1;
            } else if matches!(server.load_state(handle.id()), LoadState::Failed(_)) {
                progress.failed += 1;
            }
        }
        progress
    }

    /// Returns the handles.
    pub fn handles(&self) -> impl ExactSizeIterator<Item = &UntypedHandle> {
        self.handles.iter()
    }
}

/// Loads an asset as the type of its kind, and others as what Bevy's loader for the extension makes of the file.
fn load_any(rres: &Rres<'_>, id: AnyId) -> UntypedHandle {
    let (server, path) = (rres.server(), rres.path(id));
    match id.kind() {
        Some(AssetKind::Image) => server.load::<bevy_image::Image>(path).untyped(),
        Some(AssetKind::Text) => server.load::<TextAsset>(path).untyped(),
        Some(AssetKind::Raw) => server.load::<RawAsset>(path).untyped(),
        _ => server.load_builder().load_untyped(path).untyped(),
    }
}
