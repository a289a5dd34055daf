//! What the page says in words: numbers of assets, metadata, long lists of findings, and columns of sizes.

use serde_json::json;

use super::{open_asset, page_of_assets, repository};
use crate::Sandbox;
use crate::browser::Browser;
use crate::packs::raw;
use crate::report::pack_of;

#[test]
#[ignore = "long: clicks in a browser"]
fn assets_are_described_without_internals() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let page = page_of_assets(&sandbox);
    for asset in ["sound/wind.ogg", "sound/click.wav", "fonts/Quicksand-Medium.ttf", "world/moon.dds", "ui/heart.png"] {
        open_asset(&mut browser, &page, asset);
        let facts = browser.text("#detail > .facts");
        for internal in ["Metadata", "half", "sound format", "sample size", "custom kind", "clamp", "linear filter"] {
            assert!(!facts.contains(internal), "{internal:?} of {asset} is in {facts}");
        }
        // What the preview shows is at the top, and the parts of the pack are folded.
        let order = "[...document.querySelectorAll('#detail > *')].map((part) => part.className || part.localName)";
        let order = browser.eval(order);
        let first = order.as_array().unwrap().iter().position(|part| part == "preview");
        assert_eq!(first, Some(3), "{order}");
        assert_eq!(browser.eval("document.querySelector('#detail details.chunks').open"), json!(false));
    }
    open_asset(&mut browser, &page, "fonts/Quicksand-Medium.ttf");
    let facts = browser.text("#detail > .facts");
    assert!(facts.contains("Letters") && facts.contains("capitals"), "{facts}");
    let long = browser.eval("/\\d\\.\\d\\d/.test([...document.querySelectorAll('#detail > .facts dd')].find((dd) => dd.textContent.includes('capitals')).textContent)");
    assert_eq!(long, json!(false), "sizes have one decimal: {facts}");
    // All of it is in the folded part.
    open_asset(&mut browser, &page, "sound/wind.ogg");
    browser.click("#detail details.chunks summary");
    let chunks = browser.text("#detail details.chunks");
    assert!(chunks.contains("RAWD") && chunks.contains("frames low half"), "{chunks}");
    assert_eq!(browser.complaints, [""; 0]);
}

/// More than a screen of findings is grouped by folder, and folded.
#[test]
#[ignore = "long: clicks in a browser"]
fn long_lists_of_findings_are_grouped_by_folder() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    for i in 0..60 {
        sandbox.write(&format!("game/folder-{}/file-{i:02}.txt", i % 3), &[b'a'; 60]);
    }
    sandbox.write("game/assets.toml", b"[\"**/*.txt\"]\nmax_size = 10\n");
    sandbox.run(["report", "game"]);
    browser.open(&sandbox.path("report.html"), "");
    browser.press("3");
    let groups = "[...document.querySelectorAll('#view-findings .card')].find((card) => card.textContent.includes('Beyond a limit'))\
         .querySelectorAll('details')";
    let heads = browser
        .eval(&format!("[...{groups}].map((group) => [group.querySelector('summary').textContent, group.open])"));
    let expected = [["folder-0/20"], ["folder-1/20"], ["folder-2/20"]].map(|[name]| json!([name, false]));
    assert_eq!(heads, json!(expected));
    browser.eval(&format!("[...{groups}][1].querySelector('summary').click()"));
    browser.wait_for(&format!("[...{groups}][1].querySelectorAll('li').length === 20"));
    browser.eval(&format!("[...{groups}][1].querySelector('.path').click()"));
    browser.wait_for("document.querySelector('#detail .notice')");
    assert_eq!(browser.text("#detail h2"), "folder-1/file-01.txt");
    assert_eq!(browser.complaints, [""; 0]);
}

/// The sizes before and after are below each other.
#[test]
#[ignore = "long: clicks in a browser"]
fn sizes_of_changes_are_in_columns() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let pack = |sizes: [usize; 3]| {
        pack_of(sizes.iter().enumerate().map(|(i, size)| raw(&format!("{i}.bin"), &vec![sizes[0] as u8; *size])))
    };
    sandbox.write("old.rres", &pack([1100, 184_000, 20]));
    sandbox.write("new.rres", &pack([80, 184_000, 3_000_000]));
    sandbox.run(["report", "new.rres", "--since", "old.rres"]).success();
    browser.open(&sandbox.path("report.html"), "");
    browser.press("4");
    let edges = browser.eval(
        "[...document.querySelectorAll('#view-changes li')].map((line) => [...line.querySelectorAll('.number')]\
         .map((number) => Math.round(number.getBoundingClientRect().right)).join(' '))",
    );
    let edges = edges.as_array().unwrap();
    assert_eq!(edges.len(), 3, "{edges:?}");
    assert!(edges.iter().all(|line| *line == edges[0]), "{edges:?}");
    assert_eq!(edges[0].as_str().unwrap().split(' ').count(), 3, "{edges:?}");
    assert_eq!(browser.complaints, [""; 0]);
}

/// As a build counts: what comes from inside a file is no asset of its own.
#[test]
#[ignore = "long: clicks in a browser"]
fn assets_are_counted_as_a_build_counts_them() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    sandbox.write("game/whale.glb", &std::fs::read(repository().join("assets/models/whale.glb")).unwrap());
    let run = sandbox.run(["report", "game"]).success();
    assert!(run.out.contains("1 asset and 1 sub-asset: "), "{}", run.out);
    browser.open(&sandbox.path("report.html"), "");
    assert!(browser.text("#totals").starts_with("1 asset, 1 sub-asset · "), "{}", browser.text("#totals"));
    let folder = browser.eval("document.querySelector('#map .tile.folder')?.ariaLabel ?? ''");
    assert_eq!(folder, json!(""));
    assert_eq!(browser.complaints, [""; 0]);
}
