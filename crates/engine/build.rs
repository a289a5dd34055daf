//! Records how this crate is compiled: Cargo tells a build script the level of the game, not its own.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=RRES_BUILD_OPT_LEVEL={level}");
}
