//! Loading many assets at once: batches of assets, a pool of threads that takes from them, and groups on top.

mod batch;
mod group;
mod pool;

pub(crate) use batch::Batch;
pub use group::{GroupError, InUse, LoadedGroup, Loading};
pub(crate) use pool::Pool;

use std::sync::Arc;

/// Which of several batches the pool's threads take from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// What may be wanted later: the next level, while this one is played.
    Low,
    /// The default.
    #[default]
    Normal,
    /// What the player waits for.
    High,
}

/// How far a batch is. The totals are exact from the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Assets that are loaded or have failed.
    pub assets: usize,
    /// All of them, with those that they need.
    pub assets_total: usize,
    /// Stored bytes of what is done.
    pub bytes: u64,
    /// Stored bytes of all.
    pub bytes_total: u64,
    /// Assets that have failed.
    pub failed: usize,
    /// The path of the one that was begun last.
    pub current: Option<Arc<str>>,
}

impl Progress {
    /// From 0 to 1, by bytes.
    pub fn fraction(&self) -> f32 {
        match self.bytes_total {
            0 if self.assets == self.assets_total => 1.0,
            0 => self.assets as f32 / self.assets_total as f32,
            total => (self.bytes as f64 / total as f64) as f32,
        }
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.assets == self.assets_total
    }
}
