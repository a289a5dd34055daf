//! The page of the inspector in a browser, with clicks and keys, beside a game that runs.

use serde_json::json;

use crate::browser::Browser;
use crate::inspector::Game;

/// The text of a cell in the line of an asset.
fn cell(path: &str, number: usize) -> String {
    format!("document.querySelector('.assets [data-path=\"{path}\"]').children[{number}].textContent")
}

const STATE: usize = 2;
const VERSION: usize = 6;
const HELD_BY: usize = 7;
const ASKED_BY: usize = 8;

#[test]
#[ignore = "long: clicks in a browser"]
fn the_page_follows_the_game_and_reloads_and_unloads() {
    let Some(mut browser) = Browser::start(1500, 800) else { return };
    let game = Game::start("watched", "");
    browser.open_url(&game.inspector.url);
    browser.wait_for("document.querySelectorAll('.assets .grid-row').length === 3");
    assert_eq!(browser.text("#title"), "watched");
    assert_eq!(browser.eval(&cell("words.txt", STATE)), "ready");
    assert_eq!(browser.eval(&cell("words.txt", HELD_BY)), "1 handle");
    assert_eq!(browser.eval(&cell("credits.txt", HELD_BY)), "the store");
    assert_eq!(browser.eval(&cell("level/heart.png", ASKED_BY)), "group level, src/main.rs:13");

    // A saved file is imported by itself, and the page shows it.
    game.fresh.write("assets/words.txt", "second");
    browser.wait_for(&format!("{} === '2'", cell("words.txt", VERSION)));
    // A click makes the value again.
    browser.click(".assets [data-path='words.txt']");
    assert_eq!(browser.text("#detail h2"), "words.txt");
    browser.click("[data-action=reload]");
    browser.wait_for("document.querySelector('#answer').textContent.startsWith('The source has not changed')");
    browser.wait_for(&format!("{} === '3'", cell("words.txt", VERSION)));
    // What a handle holds stays, and the page says so.
    browser.click("[data-action=unload]");
    browser.wait_for("document.querySelector('#answer.error')?.textContent.includes('is held by 1 other reference')");
    browser.press("Escape");
    browser.wait_for("!document.querySelector('#detail h2')");
    // By keys: the store alone keeps this one.
    browser.click(".assets [data-path='credits.txt']");
    browser.press("u");
    browser.wait_for("!document.querySelector('.assets [data-path=\"credits.txt\"]')");
    browser.wait_for("document.querySelector('#answer').textContent === 'It was freed.'");

    // A failure shows up, and stays in the list when it is mended.
    game.fresh.write("assets/words.txt", b"\xff");
    browser.wait_for("document.querySelector('#tab-events .badge.bad')");
    browser.press("3");
    let failures = browser.text("#view-events");
    assert!(failures.contains("words.txt: import failed"), "{failures}");
    game.fresh.write("assets/words.txt", "third");
    browser.wait_for("document.querySelector('#view-events').textContent.includes('no longer fails')");

    assert_eq!(game.end(), "4 third\n");
    browser.wait_for("document.querySelector('#connection').textContent === 'The game does not answer'");
    // The refused unload, and the questions after the end.
    let is_expected =
        |complaint: &String| complaint.contains("409 (Conflict)") || complaint.contains("ERR_CONNECTION_");
    browser.complaints.retain(|complaint| !is_expected(complaint));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn the_table_and_the_waterfall_sort_search_and_move_with_keys() {
    let Some(mut browser) = Browser::start(1500, 800) else { return };
    let game = Game::start("sorted", "off");
    browser.open_url(&game.inspector.url);
    browser.wait_for("document.querySelectorAll('.assets .grid-row').length === 3");
    let names = "[...document.querySelectorAll('.assets .grid-row')].sort((a, b) => a.offsetTop - b.offsetTop)\
                 .map((row) => row.dataset.path)";
    assert_eq!(browser.eval(names)[0], "level/heart.png", "the largest is first");
    browser.click(".assets [data-key=path] button");
    assert_eq!(browser.eval("document.querySelector('.assets [data-key=path]').ariaSort"), "ascending");
    assert_eq!(browser.eval(names), json!(["credits.txt", "level/heart.png", "words.txt"]));
    browser.click(".assets [data-path='credits.txt']");
    browser.press("End");
    assert_eq!(browser.eval("document.activeElement.dataset.path"), "words.txt");
    browser.press("ArrowUp");
    browser.press("Enter");
    assert_eq!(browser.text("#detail h2"), "level/heart.png");
    assert_eq!(browser.eval("document.activeElement.dataset.path"), "level/heart.png", "the focus stays in the table");
    // The search finds groups as well.
    browser.press("/");
    browser.type_text("level");
    assert_eq!(browser.eval(names), json!(["level/heart.png"]));
    browser.press("Enter");
    assert_eq!(browser.eval("document.activeElement.dataset.path"), "level/heart.png");
    browser.press("2");
    browser.wait_for("document.querySelector('.waterfall .grid-row[data-path=\"level/heart.png\"] .decode')");
    browser.press("/");
    browser.press("Escape");
    browser.wait_for("document.querySelectorAll('.waterfall .grid-row').length === 4");
    assert_eq!(browser.eval("document.querySelectorAll('.waterfall .axis span').length > 2"), true);
    browser.click(".bar [aria-label='Shorter time']");
    browser.wait_for("document.querySelector('.bar .choice').ariaPressed === 'false'");
    assert_ne!(browser.eval("document.querySelectorAll('.waterfall .grid-row').length"), 0, "where the loads are");

    // Without the token of the address, nothing can be changed.
    let (without, _) = game.inspector.url.split_once('?').unwrap();
    browser.open_url(without);
    browser.wait_for("document.querySelectorAll('.assets .grid-row').length === 3");
    browser.click(".assets [data-path='words.txt']");
    assert_eq!(browser.eval("document.querySelector('[data-action=reload]').disabled"), true);
    assert!(browser.text("#detail").contains("it ends with a token"));

    // Light and dark.
    let shots = [false, true].map(|is_dark| {
        browser.set_dark(is_dark);
        browser.wait_for(&format!("document.documentElement.classList.contains('dark') === {is_dark}"));
        (browser.eval("getComputedStyle(document.body).backgroundColor"), browser.screenshot())
    });
    assert!(shots[0].0 != shots[1].0 && shots[0].1 != shots[1].1);
    browser.click("#theme");
    let now = browser.eval("getComputedStyle(document.body).backgroundColor");
    assert_eq!(now, shots[0].0, "the button has turned it light");
    assert_eq!(browser.complaints, [""; 0]);
    game.end();
}
