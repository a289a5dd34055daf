//! Packs beside a zip archive of the same files, with the assets of the example game.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;

use super::Sandbox;
use super::report_page::copy_tree;

/// The bytes of an archive that `zip -9` makes of these files: each deflated, if that makes it smaller, between its two headers.
fn zip_size(dir: &Path, paths: &[&str]) -> u64 {
    const LOCAL_HEADER: usize = 30;
    const CENTRAL_HEADER: usize = 46;
    const END: usize = 22;
    let of = |path: &&str| {
        let bytes = fs::read(dir.join(path)).unwrap();
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
        deflated.write_all(&bytes).unwrap();
        LOCAL_HEADER + CENTRAL_HEADER + 2 * path.len() + deflated.finish().unwrap().len().min(bytes.len())
    };
    (END + paths.iter().map(of).sum::<usize>()) as u64
}

/// The size of a pack of `dir` and of a zip archive of the assets in it.
fn sizes(sandbox: &Sandbox, dir: &str) -> (u64, u64, u64) {
    let run = sandbox.run(["pack", dir, "-o", "out.rres", "--json"]).success();
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let assets = report["assets"].as_array().unwrap();
    let paths: Vec<&str> = assets.iter().map(|asset| asset["path"].as_str().unwrap()).collect();
    let sources = paths.iter().map(|path| fs::metadata(sandbox.path(dir).join(path)).unwrap().len()).sum();
    (fs::metadata(sandbox.path("out.rres")).unwrap().len(), zip_size(&sandbox.path(dir), &paths), sources)
}

/// The README says so. With its settings the pack of the example is larger than the archive: pictures get mip levels, and fonts several sizes.
#[test]
fn a_pack_of_the_example_is_smaller_than_its_sources_and_than_a_zip_of_them_without_settings() {
    let sandbox = Sandbox::new();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    copy_tree(&assets, &sandbox.path("assets"));
    let (pack, _, sources) = sizes(&sandbox, "assets");
    assert!(pack < sources, "with settings: {pack} bytes of {sources}");
    fs::remove_file(sandbox.path("assets/assets.toml")).unwrap();
    let (pack, zip, sources) = sizes(&sandbox, "assets");
    assert!(pack < sources && pack < zip, "{pack} bytes, {zip} as a zip archive, {sources} as files");
}
