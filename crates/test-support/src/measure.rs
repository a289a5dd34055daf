//! Measurements, which other programs on the machine can falsify.

/// Whether tests compare the memory that a process took with a limit: `RRES_MEASURE=1`, which `.ci/nightly` sets on a quiet machine.
pub fn is_measuring() -> bool {
    std::env::var_os("RRES_MEASURE").is_some_and(|value| value == "1")
}
