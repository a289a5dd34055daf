//! ARCHITECTURE.md promises which crates depend on which.

use std::process::Command;

/// Crates that `package` needs to be built and linked, whatever its features.
fn tree(package: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--offline", "--all-features", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--package", package])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn a_shipped_game_links_no_importer() {
    let tree = tree("rres-runtime");
    assert!(tree.iter().any(|name| name == "memmap2"), "{tree:?}");
    for importer in ["rres-build", "image", "png", "symphonia", "fontdue", "ttf-parser", "gltf", "toml", "serde"] {
        assert!(!tree.iter().any(|name| name == importer), "rres-runtime depends on {importer}");
    }
}

#[test]
fn the_format_knows_neither_side() {
    let tree = tree("rres-format");
    for other in ["rres-build", "rres-runtime", "memmap2", "walkdir", "tempfile"] {
        assert!(!tree.iter().any(|name| name == other), "rres-format depends on {other}");
    }
}
