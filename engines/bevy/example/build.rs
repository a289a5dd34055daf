//! Imports the assets of the example game.

fn main() {
    rres_build::import("../../../assets").build_or_exit();
}
