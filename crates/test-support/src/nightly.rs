//! What `.ci/nightly` tests besides.

/// Whether tests also do what takes long, and compare measurements with limits, which needs a quiet machine: `RRES_NIGHTLY=1`.
pub fn is_nightly() -> bool {
    std::env::var_os("RRES_NIGHTLY").is_some_and(|value| value == "1")
}
