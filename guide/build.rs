//! Imports what the programs of `docs/runtime.md` load, and makes the mod that one of them mounts.

fn main() {
    rres_build::import("assets").build_or_exit();
    // What `cargo rres build winter --name winter -o mods` does. The pack is not the game's own, so Cargo is told what to watch.
    println!("cargo::rerun-if-changed=winter");
    let mods = std::env::var("OUT_DIR").expect("Cargo sets it") + "/mods";
    rres_build::import("winter").name("winter").out_dir(mods).debug(false).build_or_exit();
}
