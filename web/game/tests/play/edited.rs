//! Edits of another machine, which the page is told of while the game runs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::shipped::{Shipped, game, in_bevy, root};
use super::{command, in_each_browser, picture, until_loaded};

const TOKEN: &str = "dgs3-vk3w-x4qa-7t5m";

/// Pictures that fill much of the title screen.
const PICTURES: [&str; 4] = ["cloud_sea_far.png", "cloud_sea_near.png", "mountains_far.png", "mountains_near.png"];

/// `cargo rres watch --network`, which ends with this value.
struct Watch(Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_edited_picture_is_seen_in_the_page() {
    assert_edits_are_seen(game(), &["level_1"]);
}

#[test]
fn an_edited_picture_is_seen_in_a_game_in_bevy() {
    assert_edits_are_seen(in_bevy(), &["loaded interface", "loaded flight"]);
}

/// Plays a game until it has loaded each of these groups, for which it waits for Enter, and edits pictures.
fn assert_edits_are_seen(game: &Shipped, groups: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("shipped.rres"), game.pack()).unwrap();
    fs::create_dir_all(at("assets/world")).unwrap();
    fs::write(at("assets/note.txt"), "what else is in the pack stays as it is").unwrap();
    // `game` has compiled it.
    let mut child = Command::new(root().join("target/debug/cargo-rres"))
        .args(["rres", "watch", "assets", "-o", "out", "--base", "shipped.rres", "--network=127.0.0.1:0"])
        .env("RRES_RELOAD_TOKEN", TOKEN)
        .env("RRES_CACHE_DIR", at("cache"))
        .current_dir(dir.path())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let _watch = Watch(child);
    let serving = lines.find(|line| line.starts_with("serving")).expect("it serves");
    let address = serving.split_whitespace().nth(1).unwrap().to_owned();
    // So that the command is not held up by lines that nobody reads.
    std::thread::spawn(move || lines.for_each(drop));
    in_each_browser(|browser| {
        let (server, profile) = (game.serve(), tempfile::tempdir().unwrap());
        let page = server.url(&format!("/index.html#rres-reload={address},{TOKEN}"));
        let _browser = browser.open(profile.path(), &page);
        for (number, group) in groups.iter().enumerate() {
            if number > 0 {
                command(&server, "enter");
            }
            until_loaded(&server, group);
        }
        let before = picture(&server);
        for name in PICTURES {
            let (width, height) = image::image_dimensions(root().join("assets/world").join(name)).unwrap();
            let magenta = image::RgbaImage::from_pixel(width, height, image::Rgba([255, 0, 255, 255]));
            magenta.save_with_format(at("assets/world").join(name), image::ImageFormat::Png).unwrap();
        }
        // With the note, which is not in the pack of the game.
        until_loaded(&server, &format!("reload: {} assets differ", PICTURES.len() + 1));
        let after = picture(&server);
        let excess = |picture: &image::RgbaImage| {
            let of_pixel =
                |pixel: &image::Rgba<u8>| i64::from(pixel[0]) + i64::from(pixel[2]) - 2 * i64::from(pixel[1]);
            picture.pixels().map(of_pixel).sum::<i64>() / (picture.len() as i64 / 4)
        };
        let (was, is) = (excess(&before), excess(&after));
        after.save(root().join("target/web/edited.png")).unwrap();
        assert!(is > was + 60, "the picture is not magenta: {was}, {is}: see target/web/edited.png");
        for name in PICTURES {
            fs::remove_file(at("assets/world").join(name)).unwrap();
        }
        until_loaded(&server, "reload: 1 asset differs");
    });
}
