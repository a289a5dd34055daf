//! What a graphics card allocates, as a build counts it: of assets, of groups, for targets, and against budgets.

use rres_test_data::picture::{plain_bmp, png};

use super::Project;

const RULES: &str = "[\"sky.bmp\"]\nimage = { mipmaps = true }\n[\"ui/*\"]\nimage = { atlas = \"ui\" }\n\
    [\"mask.bmp\"]\nimage = { format = \"gray8\", color_space = \"linear\" }\n\
    [\"gray.bmp\"]\nimage = { format = \"gray8\" }\n[group.ui]\ninclude = \"ui/*\"\n";

fn project(more: &str) -> Project {
    let project = Project::new(&[
        ("sky.bmp", &plain_bmp(64, 32, [1, 2, 3])),
        ("mask.bmp", &plain_bmp(16, 16, [9, 9, 9])),
        ("gray.bmp", &plain_bmp(16, 16, [8, 8, 8])),
        ("alpha.png", &png(8, 8, &[7; 256])),
        ("ui/a.bmp", &plain_bmp(30, 30, [255, 0, 0])),
        ("ui/b.bmp", &plain_bmp(30, 30, [0, 255, 0])),
        ("a.txt", b"text"),
    ]);
    project.write("assets.toml", format!("{RULES}{more}").as_bytes());
    project
}

#[test]
fn each_asset_has_what_its_texture_takes() {
    let project = project("");
    for is_cached in [false, true] {
        let report = project.run();
        let of = |path: &str| report.assets.iter().find(|asset| asset.path == path).unwrap().video_memory;
        // RGB becomes RGBA, with the levels of 32 × 16 to 1 × 1.
        assert_eq!(of("sky.bmp"), 4 * (0..7).map(|level| (64 >> level) * (32u64 >> level).max(1)).sum::<u64>());
        // Masks have one byte a pixel, and no graphics card has gray in sRGB.
        assert_eq!((of("mask.bmp"), of("gray.bmp"), of("alpha.png")), (256, 4 * 256, 256));
        assert_eq!((of("ui/a.bmp"), of("a.txt")), (0, 0), "the page has the pixels");
        let page = report.assets.iter().find(|asset| asset.path == "ui.atlas").unwrap();
        assert!(page.video_memory >= 2 * 30 * 30 * 4, "{page:?}");
        assert_eq!(report.video_memory(), report.assets.iter().map(|asset| asset.video_memory).sum::<u64>());
        assert_eq!(report.cached() > 0, is_cached);
    }
}

#[test]
fn a_budget_of_video_memory_fails_the_build_and_names_the_largest_assets() {
    let page = project("").run().assets.iter().find(|asset| asset.path == "ui.atlas").unwrap().video_memory;
    let error = project("[budget]\nvram = \"1 kB\"\n").fail().to_string();
    for part in [
        "over budget: \"vram\" takes ",
        " of video memory, expected at most 1.0 kB; the largest: ",
        "sky.bmp (10.9 kB)",
    ] {
        assert!(error.contains(part), "{part} in:\n{error}");
    }
    assert!(!error.contains("alpha.png"), "only the largest: {error}");
    // The members are sprites, which take nothing: it is the page that they need.
    let of_group = RULES.replace("include = \"ui/*\"", "include = \"ui/*\"\nvram = 1000");
    let project = project("");
    project.write("assets.toml", of_group.as_bytes());
    let error = project.fail().to_string();
    assert!(error.contains("\"group.ui.vram\" takes ") && error.contains(&format!("({page} bytes)")), "{error}");
    project.write("assets.toml", RULES.as_bytes());
    let build = project.build().vram_budget_for("*.bmp", 12_000).vram_budget_for_group("ui", page).vram_budget(1 << 20);
    let error = build.build().unwrap_err().to_string();
    assert!(error.contains("\"vram.*.bmp\" takes 12.2 kB (12204 bytes)") && !error.contains("group.ui"), "{error}");
}

#[test]
fn targets_have_figures_of_their_own() {
    let project = project("[target.'cfg(target_os = \"android\")'.\"sky.bmp\"]\nimage.scale = 0.5\n");
    let builds = project.build().for_targets(["x86_64-unknown-linux-gnu", "aarch64-linux-android"]).unwrap();
    let [all, half] = [0, 1].map(|at: usize| builds[at].build.clone().build().unwrap().video_memory());
    let levels = |width: u64, height: u64| (0..7).map(|n| (width >> n).max(1) * (height >> n).max(1)).sum::<u64>() * 4;
    assert_eq!(all - half, levels(64, 32) - (levels(32, 16) - 4));
}
