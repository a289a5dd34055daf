//! `cargo rres view` in a real pseudo-terminal.

mod picture;
mod session;

use std::process::Stdio;
use std::time::{Duration, Instant};

use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{Compression, FourCc, PackBuilder, Resource};
use rres_test_support::wait;
use session::Session;

use crate::packs::{chunk, every_kind, raw, text};
use crate::{Sandbox, expect};

const DOWN: &str = "\x1b[B";
const ESCAPE: &str = "\x1b";

fn with_pack(pack: &PackBuilder<'_>) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack.to_vec().unwrap());
    sandbox
}

#[test]
fn one_moves_and_sees_details_and_previews() {
    let sandbox = with_pack(&every_kind());
    let mut session = Session::start(&sandbox, &["game.rres"], 90, 30);
    session.wait_for(&["game.rres", "8 resources", "▾ data", "▾ ui", "? help"]);
    session.keys(DOWN);
    session.wait_for(&["0x09a7d2de", "raw, RAWD", "000000  00 01 02"]);
    expect("view-bytes.txt", &(session.settled() + "\n"));
    session.keys("G");
    session.wait_for(&["movie.mp4", "link, LINK", "a file outside the pack"]);
    session.keys("/credits\r");
    session.wait_for(&["paths with \"credits\"", "text, TEXT", "Grüße aus dem Wald."]);
    session.keys(ESCAPE);
    session.wait_for(&["▾ data"]);
    session.keys("/step\r");
    session.wait_for(&["sound, WAVE", "gain -3.5, loop true", "0.03 s, 8000 Hz, 2 channels", "█"]);
    expect("view-sound.txt", &(session.settled() + "\n"));
    session.keys("/small.ttf\r");
    session.wait_for(&["font, FNTG", "2 chunks", "▀"]);
    session.keys("/triangle\r");
    session.wait_for(&["model, VRTX", "1 mesh, 1 primitive, 3 vertices", "node root, mesh 0"]);
    session.keys("q");
    assert!(session.ended().0.success());
}

#[test]
fn folders_open_and_close_and_help_is_shown() {
    let sandbox = with_pack(&every_kind());
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    session.wait_for(&["table.bin"]);
    session.keys("\x1b[D");
    session.wait_until("a closed folder", |text| text.contains("▸ data") && !text.contains("table.bin"));
    session.wait_for(&["1 resource, 320 B stored"]);
    session.keys("\r");
    session.wait_for(&["▾ data", "table.bin"]);
    session.keys("?");
    session.wait_for(&["open or close a folder"]);
    expect("view-help.txt", &(session.settled() + "\n"));
    session.keys("x");
    session.wait_until("no help", |text| !text.contains("open or close a folder"));
    // A click selects, and another one closes the folder: the second row of the window is the first of the tree.
    session.keys("\x1b[<0;3;3M");
    session.wait_for(&["raw, RAWD"]);
    session.keys("\x1b[<0;3;2M\x1b[<0;3;2M");
    session.wait_for(&["▸ data"]);
    // The wheel moves.
    session.keys("\x1b[<65;3;3M");
    session.wait_for(&["1 resource, 336 B stored"]);
    session.keys("\x03");
    assert!(session.ended().0.success());
}

#[test]
fn images_are_shown_in_the_colours_of_the_terminal() {
    let pixels: Vec<u8> =
        (0..16 * 8).flat_map(|i| if i % 16 < 8 { [255, 0, 0, 255] } else { [0, 0, 255, 255] }).collect();
    let props = ImageProps { width: 16, height: 8, format: PixelFormat::RGBA8, mipmaps: 1 };
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("flag.png", vec![chunk(FourCc::IMGE, &props.block(&pixels), Compression::ZSTD)]));
    let sandbox = with_pack(&pack);
    let colors = |variables: &[(&str, &str)]| {
        let mut session = Session::start_with(&sandbox, &["game.rres"], 80, 24, variables);
        session.wait_for(&["image, IMGE"]);
        session.settled();
        // The preview starts in column 33 of row 13, and shows each pixel twice.
        let left = 33;
        let pair = session.screen(|screen| {
            let cell = |column: u16| {
                screen.cell(13, column).map(|cell| (cell.contents().to_owned(), cell.fgcolor(), cell.bgcolor()))
            };
            (cell(left).unwrap(), cell(left + 15 * 2).unwrap())
        });
        session.keys("q");
        assert!(session.ended().0.success());
        pair
    };
    let (red, blue) = (vt100::Color::Rgb(255, 0, 0), vt100::Color::Rgb(0, 0, 255));
    let block = |color: vt100::Color| ("▀".to_owned(), color, color);
    assert_eq!(colors(&[("COLORTERM", "truecolor")]), (block(red), block(blue)));
    assert_eq!(colors(&[]), (block(vt100::Color::Idx(196)), block(vt100::Color::Idx(21))));
    let none = vt100::Color::Default;
    assert_eq!(colors(&[("NO_COLOR", "1")]), (("░".to_owned(), none, none), (String::new(), none, none)));
}

#[test]
fn pictures_are_sent_in_pixels_to_terminals_that_show_them() {
    let props = ImageProps { width: 2, height: 2, format: PixelFormat::RGB8, mipmaps: 1 };
    let mut pack = PackBuilder::new();
    pack.push(Resource::new("a.png", vec![chunk(FourCc::IMGE, &props.block(&[255; 12]), Compression::NONE)]));
    pack.push(text("b.txt", "only text"));
    let sandbox = with_pack(&pack);
    let sent = |args: &[&str], variables: &[(&str, &str)], start: &[u8]| {
        let mut session = Session::start_with(&sandbox, args, 80, 24, variables);
        wait::until("a picture", || session.bytes().windows(start.len()).any(|bytes| bytes == start));
        session.settled();
        let before = session.bytes().len();
        session.keys(DOWN);
        session.wait_for(&["only text"]);
        let after = session.bytes()[before..].to_vec();
        session.keys("q");
        assert!(session.ended().0.success());
        after
    };
    let kitty = sent(&["game.rres"], &[("TERM", "xterm-kitty")], b"\x1b_Ga=T,f=100,q=2,C=1,c=");
    assert!(
        kitty.starts_with(b"\x1b_Ga=d,d=A") || kitty.windows(11).any(|bytes| bytes == b"\x1b_Ga=d,d=A,"),
        "the picture goes"
    );
    let sixel = sent(&["game.rres", "--graphics", "sixel"], &[], b"\x1bP0;1;0q\"1;1;");
    assert!(sixel.windows(4).any(|bytes| bytes == b"\x1b[2J"), "the screen is cleared");
    // Within tmux, and in a terminal that says nothing, there are only characters.
    for variables in [&[("TERM", "xterm-kitty"), ("TMUX", "1")][..], &[]] {
        let mut session = Session::start_with(&sandbox, &["game.rres"], 80, 24, variables);
        session.wait_for(&["▀"]);
        session.keys("q");
        let (_, bytes) = session.ended();
        assert!(!bytes.windows(3).any(|bytes| bytes == b"\x1b_G" || bytes == b"\x1bP0"));
    }
}

#[test]
fn a_terminal_that_says_that_it_shows_sixels_gets_them() {
    let sandbox = with_pack(&every_kind());
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    wait::until("it asks", || session.bytes().windows(3).any(|bytes| bytes == b"\x1b[c"));
    session.keys("\x1b[?62;4;22c");
    session.wait_for(&["▾ ui"]);
    session.keys("/button\r");
    session.wait_for(&["image, IMGE"]);
    session.settled();
    assert!(session.bytes().windows(8).any(|bytes| bytes == b"\x1bP0;1;0q"), "{}", session.text());
    session.keys("q");
    assert!(session.ended().0.success());
}

#[test]
fn hostile_names_and_texts_cannot_control_the_terminal() {
    let hostile = "\x1b]0;owned\x07\x1b[2J\x1b[31m\u{202e}x\u{9b}1m";
    let mut pack = PackBuilder::new();
    pack.push(text(&format!("{hostile}/{hostile}.txt"), hostile));
    let sandbox = with_pack(&pack.directory(false));
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    session.wait_for(&["1 resource", r"\u{1b}]0;owned"]);
    session.keys(DOWN);
    session.wait_for(&["text, TEXT"]);
    session.settled();
    session.keys("\tjjq");
    let (status, bytes) = session.ended();
    assert!(status.success());
    for control in ["\x1b]0;", "\x1b[31m", "\u{202e}", "\u{9b}", "\x07"] {
        assert!(!String::from_utf8_lossy(&bytes).contains(control), "{control:?}");
    }
}

#[test]
#[ignore = "long: looks at 640 previews"]
fn wrong_numbers_in_a_pack_do_not_end_the_browser() {
    let sandbox = with_pack(&crate::extract::hostile::pack());
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    session.wait_for(&["? help"]);
    // A preview of each kind with each wrong number; `2` is the number of the word.
    for kind in ["image", "blocks", "sound", "font", "model", "text", "raw", "link"] {
        for word in 0..20 {
            session.keys(&format!("/{kind}/0-{word}-\r"));
            session.wait_for(&[&format!("paths with \"{kind}/0-{word}-\"")]);
            for _ in 0..4 {
                // The preview of a selection is made when it has rested.
                std::thread::sleep(Duration::from_millis(45));
                session.keys(DOWN);
            }
        }
    }
    session.keys("q");
    assert!(session.ended().0.success());
}

#[test]
fn a_tiny_terminal_shows_the_tree_or_the_preview() {
    let sandbox = with_pack(&every_kind());
    let mut session = Session::start(&sandbox, &["game.rres"], 20, 5);
    session.wait_for(&["game.rres", "▾ data"]);
    session.keys(DOWN);
    session.keys("\t");
    session.wait_for(&["000000  00 01"]);
    for (columns, rows) in [(1, 1), (2, 2), (20, 1), (1, 20), (3, 3), (49, 3), (51, 4), (60, 6), (300, 100)] {
        session.resize(columns, rows);
        session.keys("?");
        session.keys("xjk/a\r\x1b");
        session.settled();
    }
    session.resize(80, 24);
    session.wait_for(&["? help"]);
    session.keys("q");
    assert!(session.ended().0.success());
}

#[test]
fn the_window_follows_the_size_of_the_terminal() {
    let sandbox = with_pack(&every_kind());
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    session.wait_for(&["? help"]);
    session.resize(100, 40);
    session.wait_until("keys in the last row", |text| {
        text.lines().count() == 40 && text.lines().last().unwrap().contains("? help")
    });
    session.keys("q");
    session.ended();
}

#[test]
fn a_key_and_a_new_size_that_arrive_together_are_both_followed() {
    let sandbox = with_pack(&every_kind());
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    session.wait_for(&["? help"]);
    for (columns, rows) in [(100, 40), (80, 24)] {
        session.settled();
        session.signal("STOP");
        session.keys("j");
        session.resize(columns, rows);
        session.signal("CONT");
        session.wait_until("keys in the last row", |text| {
            text.lines().count() == usize::from(rows) && text.lines().last().unwrap().contains("? help")
        });
    }
    session.keys("q");
    session.ended();
}

#[test]
#[ignore = "measures time"]
fn twenty_thousand_resources_stay_quick() {
    let mut pack = PackBuilder::new();
    for i in 0..20_000 {
        pack.push(raw(&format!("folder {:02}/part {:02}/file {i:05}.bin", i % 20, i % 7), &[]));
    }
    let sandbox = with_pack(&pack);
    let start = Instant::now();
    let mut session = Session::start(&sandbox, &["game.rres"], 100, 40);
    session.wait_for(&["20,000 resources", "▸ folder 00"]);
    let opened = start.elapsed();
    session.keys("/file 19999");
    let searched = session.wait_for(&["file 19999.bin", "folder 19"]);
    session.keys("\r\x1b");
    session.wait_for(&["▸ folder 00"]);
    // A key that is held down: each step is handled, and not each is drawn.
    session.keys("g\x1b[C\x1b[B\x1b[C");
    session.wait_for(&["file 00000.bin"]);
    let begin = Instant::now();
    session.keys(&"j".repeat(1000));
    session.keys("G");
    session.wait_for(&["folder 19"]);
    let moved = begin.elapsed();
    // A debug build on a busy machine; a release build takes a tenth.
    let is_quick =
        opened < Duration::from_secs(10) && searched < Duration::from_secs(5) && moved < Duration::from_secs(5);
    assert!(is_quick, "open {opened:?}, search {searched:?}, 1,000 keys {moved:?}");
    session.keys("q");
    assert!(session.ended().0.success());
}

#[test]
fn the_terminal_is_restored_after_signals() {
    let sandbox = with_pack(&every_kind());
    for signal in ["TERM", "HUP", "INT"] {
        let session = Session::start(&sandbox, &["game.rres"], 80, 24);
        session.wait_for(&["? help"]);
        session.signal(signal);
        session.ended();
    }
}

#[test]
fn it_ends_with_its_terminal() {
    let sandbox = with_pack(&every_kind());
    for leads in [false, true] {
        // Before the browser has written anything, while it asks the terminal what it shows, and after that.
        for shown in ["", "\x1b[?1049h", "\x1b[c", "? help"] {
            session::assert_ends_with_its_terminal(&sandbox, leads, shown);
        }
    }
}

#[test]
fn faults_are_printed_after_the_browser_has_ended() {
    let pack = every_kind().to_vec().unwrap();
    let sandbox = Sandbox::new();
    sandbox.write("game.rres", &pack[..pack.len() - 400]);
    let mut session = Session::start(&sandbox, &["game.rres"], 80, 24);
    session.wait_for(&["? help"]);
    session.keys("q");
    let (status, bytes) = session.ended();
    assert_eq!(status.exit_code(), 1);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (_, after) = text.rsplit_once("\x1b[?1049l").unwrap();
    assert!(after.contains("error:") && after.contains("game.rres"), "{after}");
}

#[test]
fn without_a_terminal_it_says_what_to_use() {
    let sandbox = with_pack(&every_kind());
    let run = sandbox.run(["view", "game.rres"]);
    run.failed(2, &["cannot show the browser: standard output is not a terminal", "cargo rres ls"]);
    let mut command = sandbox.command();
    command.args(["view", "none.rres"]).stdin(Stdio::null());
    crate::Run::from(command.output().unwrap()).failed(2, &["cannot open none.rres: no such file"]);
    sandbox.run(["view", "game.rres", "ui"]).failed(2, &["unexpected argument"]);
}
