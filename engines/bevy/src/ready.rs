//! Loads that begin before the app is finished, such as in `FromWorld` of a resource: what loads which asset is not registered yet.

use bevy_ecs::prelude::Resource;

use crate::waiting::Waiting;

/// Whether all plugins have registered what they load.
#[derive(Clone, Debug, Default, Resource)]
pub(crate) struct Ready(Waiting<bool>);

impl Ready {
    pub(crate) fn set(&self) {
        self.0.set(true);
    }

    pub(crate) async fn wait(&self) {
        self.0.until(|is_ready| *is_ready).await;
    }
}
