//! Hot reload in release builds and without its feature: nothing happens.

use crate::source::Dev;
use crate::store::Store;

pub(crate) fn start(_: &Store, _: &Dev, _: &'static str) {}
