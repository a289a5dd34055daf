//! Loads that begin before the app is finished, such as in `FromWorld` of a resource: what loads which asset is not registered yet.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};

use bevy_ecs::prelude::Resource;

/// Whether all plugins have registered what they load.
#[derive(Clone, Debug, Default, Resource)]
pub(crate) struct Ready(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    is_ready: bool,
    waiting: Vec<Waker>,
}

impl Ready {
    pub(crate) fn set(&self) {
        let waiting = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_ready = true;
            std::mem::take(&mut state.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }

    pub(crate) async fn wait(&self) {
        poll_fn(|context| {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if state.is_ready {
                return Poll::Ready(());
            }
            state.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}
