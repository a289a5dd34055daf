//! What stands for hot reload in release builds and without its feature: nothing.

use crate::source::locate::Dev;
use crate::store::Store;

pub(crate) fn start(_: &Store, _: &Dev, _: &'static str) {}
