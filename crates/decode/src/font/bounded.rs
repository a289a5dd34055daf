//! Work of a font parser that calls back → the same work, ended after so many calls.
//!
//! The parser follows what a file says, and a kilobyte can say four thousand million characters or 2³² copies of a glyph.
//! Its callbacks cannot refuse, so they unwind. The limit is on work and not on time: the same font has the same result on
//! every machine.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The callback had enough.
struct Stopped;

/// Ends the work that is running in [`bounded`]; no panic is printed.
pub(super) fn stop() -> ! {
    resume_unwind(Box::new(Stopped))
}

/// The result of `work`, or `None` if a callback called [`stop`].
pub(super) fn bounded<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => Some(result),
        Err(panic) if panic.is::<Stopped>() => None,
        Err(panic) => resume_unwind(panic),
    }
}
