//! Imports what the programs of `docs/runtime.md` load.

fn main() {
    rres_build::import("assets").build_or_exit();
}
