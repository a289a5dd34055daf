//! The inspector in release builds and without its feature: nothing is served.

use crate::store::Store;

/// In debug builds, says what is missing if a developer asks for the page.
#[cfg_attr(
    all(debug_assertions, not(target_family = "wasm")),
    expect(clippy::print_stderr, reason = "a developer has asked for the page")
)]
pub(crate) fn start(_: &Store, _: &str) {
    #[cfg(all(debug_assertions, not(target_family = "wasm")))]
    if std::env::var_os("RRES_INSPECT").is_some_and(|value| !value.is_empty() && value != "0" && value != "off") {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(|| {
            eprintln!(
                "rres: RRES_INSPECT needs the feature `inspect` of rres-runtime; add it to the dependency in Cargo.toml"
            );
        });
    }
}
