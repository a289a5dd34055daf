//! What tests of several crates share.
//!
//! - [`cases`]: property tests that try the same cases in every run;
//! - [`fresh`]: crates as users write them, which Cargo builds without compiling again what the workspace has compiled;
//! - [`has_tools`] and [`skip`]: programs that may be missing, and the list of what was skipped because of that;
//! - [`inspector`]: what a program shows with `RRES_INSPECT=1`;
//! - [`is_nightly`]: whether tests also do what takes long;
//! - [`wait`]: waiting for an event, with a limit that only a test that hangs reaches.

pub mod fresh;
pub mod inspector;
mod nightly;
mod skipped;
pub mod wait;

pub use nightly::is_nightly;
pub use skipped::{any_tool, has_tools, skip, take_notes};

use proptest::test_runner::{Config, RngSeed};

/// The configuration of a property test with this number of cases.
///
/// The cases are the same in every run, so that a test that has passed passes again. `PROPTEST_RNG_SEED=NUMBER` chooses other ones;
/// searching without end is what the targets in `fuzz` are for.
pub fn cases(cases: u32) -> Config {
    let default = Config::default();
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0),
        chosen => chosen,
    };
    Config { cases, rng_seed, failure_persistence: None, ..default }
}
