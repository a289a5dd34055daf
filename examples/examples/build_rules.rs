//! Does what a build script with rules of its own does, but as a program, so that you can see its report.
//!
//! In a `build.rs` the same chain of calls ends with `.build_or_exit()`, and does not need `out_dir` or `debug`.
//!
//! ```sh
//! cargo run -p rres-examples --example build_rules
//! ```
#![allow(clippy::print_stdout, reason = "an example prints")]

use rres_build::AssetKind;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = tempfile::tempdir()?;
    let report = rres_build::import(concat!(env!("CARGO_MANIFEST_DIR"), "/assets"))
        // Rules apply after the rules of assets.toml, and later ones win.
        .rule("ui/*.png", |rule| rule.image_premultiply(true))
        .rule("levels/*.png", |rule| rule.image_mipmaps(true))
        // Settings may depend on anything that a program can find out.
        .rule("**/*.txt", |rule| rule.kind(AssetKind::Raw))
        .name("demo")
        .debug(false) // write a pack, as a release build does
        .out_dir(out.path())
        .build()?;

    for asset in &report.assets {
        println!("{:<18} {:<6} {}", asset.path, asset.kind, asset.summary);
    }
    for pack in &report.packs {
        println!("{} has {} bytes", pack.file_name().unwrap_or_default().display(), report.pack_size);
    }
    Ok(())
}
