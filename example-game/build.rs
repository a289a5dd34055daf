//! Imports `assets/` and generates the constants that `include_assets!` takes in.

fn main() {
    rres_build::import("../assets").build_or_exit();
}
