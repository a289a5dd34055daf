//! The tiles of the map: what they show, and what they say about assets that are too small for tiles of their own.

use serde_json::json;

use super::{ASSETS, page_of_assets, repository};
use crate::Sandbox;
use crate::browser::Browser;
use crate::packs::raw;
use crate::report::pack_of;

/// The pictures in the tiles of the map, by the name of the asset.
const PICTURES: &str = "Object.fromEntries([...document.querySelectorAll('#map .picture')].map((picture) => \
     [picture.parentElement.asset.name, picture.className + ' ' + (picture.style.maskImage || picture.style.backgroundImage).slice(0, 18)]))";

#[test]
#[ignore = "long: clicks in a browser"]
fn tiles_of_sounds_have_a_wave_and_tiles_of_fonts_have_letters() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    assert!(ASSETS.contains(&"sound/wind.ogg"));
    let page = page_of_assets(&sandbox);
    browser.open(&page, "");
    browser.wait_for("document.querySelector('#map .picture.wave') && document.querySelector('#map .picture.letters')");
    let pictures = browser.eval(PICTURES);
    assert_eq!(pictures["sound/wind.ogg"], json!("picture wave url(\"data:image/sv"), "{pictures}");
    assert_eq!(pictures["fonts/Quicksand-Medium.ttf"], json!("picture letters url(\"data:image/pn"), "{pictures}");
    // The table shows the wave, too.
    browser.press("2");
    browser.wait_for("document.querySelector('.grid-row')");
    let sources = browser.eval(
        "[...document.querySelectorAll('.grid-row')].filter((row) => row.asset.kind === 'sound')\
         .map((row) => row.querySelector('img').src.slice(0, 18))",
    );
    assert_eq!(sources, json!(["data:image/svg+xml", "data:image/svg+xml"]));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn the_map_can_be_divided_by_owner() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    for (path, size) in [("music/a.bin", 9000), ("ui/b.bin", 7000), ("c.bin", 5000)] {
        sandbox.write(&format!("assets/{path}"), &vec![size as u8; size]);
    }
    sandbox.write(".git", b"");
    sandbox.write("CODEOWNERS", b"/assets/music/ @audio\n/assets/ui/ @art @ux\n");
    sandbox.run(["report", "assets"]).success();
    browser.open(&sandbox.path("report.html"), "ui%2Fb.bin");
    browser.wait_for("document.querySelector('#map .tile')");
    browser.eval("(() => { const by = document.getElementById('map-group'); by.value = 'owner'; by.dispatchEvent(new Event('change')); return 0; })()");
    browser.wait_for("document.querySelector('#map').textContent.includes('@audio')");
    let map = browser.eval("document.querySelector('#map').textContent");
    for name in ["@audio", "@art, @ux", "nobody"] {
        assert!(map.as_str().unwrap().contains(name), "{name} in {map}");
    }
    let facts = browser.eval("document.getElementById('detail').textContent");
    assert!(facts.as_str().unwrap().contains("Owners@art, @ux"), "{facts}");
    assert_eq!(browser.complaints, [""; 0]);
}

/// Small assets of a folder share a tile. Its text is whole, and its colours say of which kinds they are.
#[test]
#[ignore = "long: clicks in a browser"]
fn the_tile_of_small_assets_is_not_cut_and_shows_their_kinds() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let heart = std::fs::read(repository().join("assets/ui/heart.png")).unwrap();
    sandbox.write("game/heart.png", &heart);
    let of_folder = |folder: usize| {
        let small = (0..260).map(move |i| raw(&format!("folder-{folder}/small-{i}.bin"), &[i as u8; 40]));
        small.chain([raw(&format!("folder-{folder}/large.bin"), &vec![folder as u8; 40_000 * (folder + 1)])])
    };
    sandbox.write("many.rres", &pack_of((0..12).flat_map(of_folder)));
    sandbox.run(["report", "many.rres"]).success();
    browser.open(&sandbox.path("report.html"), "");
    browser.wait_for("document.querySelector('#map .rest')");
    let tiles = browser.eval(
        "[...document.querySelectorAll('#map .rest')].map((tile) => [tile.querySelector('.label')?.textContent ?? '', \
         [...tile.querySelectorAll('span')].every((span) => span.scrollWidth <= span.clientWidth), \
         tile.style.getPropertyValue('--kinds')])",
    );
    let tiles = tiles.as_array().unwrap();
    assert!(tiles.len() > 3, "{tiles:?}");
    for tile in tiles {
        let label = tile[0].as_str().unwrap();
        assert!(["", "+260", "260 more", "260 smaller assets"].contains(&label), "{tile}");
        assert_eq!((&tile[1], &tile[2]), (&json!(true), &json!("linear-gradient(to right, var(--raw) 0% 100%)")));
    }
    assert!(tiles.iter().any(|tile| tile[0] != ""), "{tiles:?}");
    assert_eq!(browser.complaints, [""; 0]);
}
