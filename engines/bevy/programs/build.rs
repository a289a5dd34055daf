//! Imports the assets of the examples.

fn main() {
    rres_build::import("../../../examples/assets").build_or_exit();
}
