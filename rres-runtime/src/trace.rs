//! What the crate tells `tracing`, with the feature of that name. Without it, everything here compiles to nothing.
//!
//! All spans and events have the target `rres`. A span covers what its thread does until it is dropped.

use std::fmt::Display;
use std::path::Path;

use rres_format::ResourceId;

/// A span that is entered.
#[cfg(feature = "tracing")]
pub(crate) type Span = tracing::span::EnteredSpan;
#[cfg(not(feature = "tracing"))]
pub(crate) struct Span;

/// The span `open`, while a pack is opened.
#[cfg(feature = "tracing")]
pub(crate) fn opening(file: Option<&Path>) -> Span {
    let file = file.map(|file| tracing::field::display(file.display()));
    tracing::debug_span!(target: "rres", "open", file).entered()
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn opening(_: Option<&Path>) -> Span {
    Span
}

/// The span `load`, while a thread reads, decodes and converts an asset. Assets that it depends on are spans within it.
#[cfg(feature = "tracing")]
pub(crate) fn loading(path: &str, id: ResourceId) -> Span {
    tracing::debug_span!(target: "rres", "load", path, %id).entered()
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn loading(_: &str, _: ResourceId) -> Span {
    Span
}

/// The event that an asset could not be loaded. Its level is `DEBUG`, because the caller gets the error.
pub(crate) fn failed(error: &impl Display) {
    #[cfg(feature = "tracing")]
    tracing::debug!(target: "rres", %error, "not loaded");
    #[cfg(not(feature = "tracing"))]
    let _ = error;
}

/// An event of a store: a failure has the level `WARN`, others have `INFO`. Returns whether a subscriber takes it.
#[cfg(feature = "tracing")]
pub(crate) fn event(event: &impl Display, is_failure: bool) -> bool {
    if is_failure {
        tracing::warn!(target: "rres", "{event}");
        tracing::enabled!(target: "rres", tracing::Level::WARN)
    } else {
        tracing::info!(target: "rres", "{event}");
        tracing::enabled!(target: "rres", tracing::Level::INFO)
    }
}

#[cfg(not(feature = "tracing"))]
pub(crate) fn event(_: &impl Display, _: bool) -> bool {
    false
}
