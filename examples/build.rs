//! Imports the assets of the examples: an addition, shaders, several languages, files of two editors with importers of its own, archives of
//! the Riot engine, and data with a type that it shares with an example; builds the mod that one of
//! the examples mounts, the mods of the page about mods, and the pack that a program in C reads.

#[path = "importers/aseprite.rs"]
mod aseprite;
#[path = "shared/quest.rs"]
mod quest;
#[path = "importers/tiled.rs"]
mod tiled_maps;

// What `quest.rs` takes from `super`; the game has the types of `rres_runtime`.
use rres_build::data::{Id, Image};

fn main() {
    rres_build::import("assets").build_or_exit();
    rres_build::import("dlc").build_or_exit();
    rres_build::import("shaders").build_or_exit();
    rres_build::import("languages").build_or_exit();
    rres_build::import("tiled").importer(tiled_maps::TiledImporter).build_or_exit();
    rres_build::import("srsc").build_or_exit();
    rres_build::import("aseprite").importer(aseprite::AsepriteImporter).build_or_exit();
    rres_build::import("quests").data::<quest::Quest>("crate::quest::Quest", "*.toml").build_or_exit();
    // The same as `cargo rres build winter --name winter -o mods`. An import with an output directory of its own prints
    // no directives, so this script tells Cargo what to watch.
    println!("cargo::rerun-if-changed=winter");
    let out_dir = std::env::var("OUT_DIR").expect("Cargo sets it");
    rres_build::import("winter").name("winter").out_dir(format!("{out_dir}/mods")).debug(false).build_or_exit();
    // The same as `cargo rres pack mods/snow -o mods/snow.rres`.
    println!("cargo::rerun-if-changed=mods");
    for name in ["snow", "winter"] {
        let dir = format!("mods/{name}");
        rres_build::import(dir).name(name).out_dir(format!("{out_dir}/players/mods")).debug(false).build_or_exit();
    }
    // The same as `cargo rres build c/assets -o c`: a pack, and a C header with its ids.
    println!("cargo::rerun-if-changed=c/assets");
    rres_build::import("c/assets").out_dir(format!("{out_dir}/c")).debug(false).build_or_exit();
    // Programs of the book, for the doctests of `src/lib.rs`.
    println!("cargo::rerun-if-changed=../book/src/coming-from.md");
    let page = std::fs::read_to_string("../book/src/coming-from.md").expect("the page exists");
    std::fs::write(format!("{out_dir}/coming-from.md"), programs_of_diffs(&page)).expect("OUT_DIR can be written");
}

/// The program that each block of `diff` in a page makes: the lines that stay, and those that are added.
fn programs_of_diffs(page: &str) -> String {
    let blocks = page.split("\n```diff\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    let lines = |block: &str| -> Vec<String> {
        block.lines().filter(|line| !line.starts_with('-')).map(|line| line.chars().skip(1).collect()).collect()
    };
    blocks.map(|block| format!("```rust\n{}\n```\n\n", lines(block).join("\n"))).collect()
}
