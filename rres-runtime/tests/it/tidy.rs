//! ARCHITECTURE.md promises which crates depend on which.

use std::process::Command;

/// Crates that `package` needs to be built and linked, with the features that `features` chooses: name, version and own features.
fn described_tree(package: &str, features: &[&str]) -> Vec<String> {
    let output = Command::new(rres_test_support::fresh::cargo())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        // Not offline: Cargo may have to fetch what no test is built with.
        .args(["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p} {f}"])
        .args(["--package", package])
        .args(features)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Their names.
fn tree(package: &str, features: &[&str]) -> Vec<String> {
    let tree = described_tree(package, features);
    tree.iter().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn a_shipped_game_links_no_importer() {
    let importers = ["rres-build", "gif", "ddsfile", "gltf", "symphonia-codec-adpcm"];
    // What is asked for by a feature of its own.
    let options = [
        "image",
        "ron",
        "serde",
        "serde_core",
        "serde_json",
        "toml",
        "notify",
        "postcard",
        "png",
        "zune-jpeg",
        "symphonia",
        "symphonia-core",
        "fontdue",
        "ttf-parser",
    ];
    for (features, absent) in [(&["--all-features"][..], &importers[..]), (&[], &[&importers[..], &options].concat())] {
        let tree = tree("rres-runtime", features);
        assert!(tree.iter().any(|name| name == "memmap2"), "{tree:?}");
        for name in absent {
            assert!(!tree.iter().any(|found| found == name), "rres-runtime depends on {name} {features:?}");
        }
    }
}

/// `simd` of fontdue adds coverage in another order, and exists for x86 only. In this workspace another crate asks for it, so that only the
/// dependencies tell.
#[test]
fn glyphs_are_drawn_alike_on_every_machine() {
    for package in ["rres-build", "cargo-rres"] {
        let tree = described_tree(package, &["--all-features"]);
        let drawing: Vec<_> = tree.iter().filter(|line| line.starts_with("fontdue ")).collect();
        assert!(!drawing.is_empty() && drawing.iter().all(|line| !line.contains("simd")), "{package}: {drawing:?}");
    }
}

#[test]
fn the_format_knows_neither_side() {
    let sides = ["rres-build", "rres-runtime", "memmap2", "walkdir", "tempfile"];
    let decoders = ["rres-decode", "symphonia", "fontdue", "ttf-parser", "png", "zune-jpeg", "ropus"];
    for (package, others) in [("rres-format", &[&sides[..], &decoders].concat()), ("rres-decode", &sides.to_vec())] {
        let tree = tree(package, &["--all-features"]);
        for other in others {
            assert!(!tree.iter().any(|name| name == other), "{package} depends on {other}");
        }
    }
}
