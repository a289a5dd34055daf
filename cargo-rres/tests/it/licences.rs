//! What the packages of this workspace contain besides code.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Each package that is published brings the licences with it. They are copies, since a link is a text with a path on systems
/// without links.
#[test]
fn each_package_has_the_licences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new(rres_test_support::fresh::cargo())
        .current_dir(root)
        .args(["metadata", "--locked", "--no-deps", "--format-version", "1"])
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let published: Vec<_> = packages.iter().filter(|package| package["publish"].is_null()).collect();
    assert!(published.len() > 6, "{metadata}");
    for package in published {
        let directory = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let copy = fs::read(directory.join(licence)).unwrap_or_default();
            assert!(
                copy == fs::read(root.join(licence)).unwrap(),
                "copy {licence} from the root to {}",
                directory.display()
            );
        }
    }
}
