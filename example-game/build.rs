//! Imports `assets/` and generates the constants that `include_assets!` includes.

fn main() {
    rres_build::import("../assets").build_or_exit();
}
