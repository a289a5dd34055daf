//! The events at the end of loading a group.

use std::sync::{Mutex, PoisonError};

use bevy_asset::AssetServer;
use bevy_ecs::event::Event;
use bevy_ecs::prelude::{Commands, Res, Resource};

use crate::group::{GroupHandles, GroupProgress, WeakGroup};

/// All assets of a group are loaded: an event for observers.
///
/// It is triggered once for each [`GroupHandles`], unless that is dropped before, and not again when an asset is reloaded.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::*;
/// use rres_bevy::GroupLoaded;
///
/// fn add_level(app: &mut App) {
///     app.add_observer(|loaded: On<GroupLoaded>| println!("{} is loaded", loaded.group));
/// }
/// ```
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupLoaded {
    /// The name of the group: `assets::groups::LEVEL_1.name()`.
    pub group: &'static str,
}

/// All assets of a group have been tried, and some could not be loaded: an event for observers, instead of [`GroupLoaded`]. The log says
/// which, and why.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupFailed {
    /// The name of the group.
    pub group: &'static str,
    /// How many are loaded, and how many are not.
    pub progress: GroupProgress,
}

/// The groups that are still being loaded.
#[derive(Default, Resource)]
pub(crate) struct LoadingGroups(Mutex<Vec<WeakGroup>>);

impl LoadingGroups {
    pub(crate) fn add(&self, group: &GroupHandles) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(group.downgrade());
    }
}

/// Triggers the event of each group that is done.
pub(crate) fn tell_groups(mut commands: Commands, loading: Res<LoadingGroups>, server: Res<AssetServer>) {
    loading.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|group| {
        let Some(group) = group.upgrade() else { return false };
        let progress = group.progress(&server);
        match progress {
            GroupProgress { failed: 0, .. } if progress.is_done() => {
                commands.trigger(GroupLoaded { group: group.name() });
            }
            _ if progress.is_done() => commands.trigger(GroupFailed { group: group.name(), progress }),
            _ => return true,
        }
        false
    });
}
