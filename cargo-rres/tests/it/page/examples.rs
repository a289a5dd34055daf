//! The examples in the page: each must print what the page shows. Only on Unix, because file names differ elsewhere.

use rres_format::{ChunkInfo, ResourceId};
use rres_test_data::picture;
use rres_test_data::sound::mono;

use super::{file, lock, read};
use crate::damage::chunk_offset;
use crate::sync::{LOCKED, serving_script};
use crate::{Sandbox, is_update};

/// A sandbox with everything that the examples of the page use.
pub(super) fn with_examples() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", b"[package]\nname = \"game\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    sandbox.write("src/main.rs", b"fn main() {}\n");
    sandbox.write("assets/assets.toml", b"[pack]\nname = \"game\"\n[group.menu]\ninclude = [\"ui/**\", \"text/**\"]\n");
    sandbox.write("assets/data/table.bin", &(0..=255).collect::<Vec<u8>>());
    sandbox.write("assets/text/credits.txt", b"Written by a forest.\n");
    sandbox.write("assets/ui/button.bmp", &bmp(48, 16));
    sandbox.write("assets/sound/step.wav", &saw(4000));
    sandbox.write("winter/ui/button.bmp", &bmp(48, 16));
    sandbox.write("packer/images/hero.bmp", &bmp(16, 16));
    sandbox.write("packer/sounds/step.wav", &saw(400));
    let project = "f C:\\game\\packer\\images/hero.bmp@images/hero.bmp,0,0,0x00000000,40,0\n\
                   f C:\\game\\packer\\sounds/step.wav@sfx/step.wav,0,0,0x00000000,10,0\n";
    sandbox.write("packer/game.rrp", project.as_bytes());
    sandbox.run(["build", "assets", "-o", "out"]).success();
    for file in ["assets.toml", "data/table.bin", "sound/step.wav"] {
        sandbox.write(&format!("next/{file}"), &sandbox.read(&format!("assets/{file}")));
    }
    sandbox.write("next/text/authors.txt", &sandbox.read("assets/text/credits.txt"));
    sandbox.write("next/text/help.txt", b"Jump with the space bar.\n");
    let mut button = bmp(48, 16);
    button[54..60].fill(9);
    sandbox.write("next/ui/button.bmp", &button);
    sandbox.write("shaders/sprite.wgsl", include_bytes!("../../../../examples/shaders/sprite.wgsl"));
    sandbox.write("shaders/lib/frame.wgsl", include_bytes!("../../../../examples/shaders/lib/frame.wgsl"));
    sandbox.write("shaders/assets.toml", b"[\"lib/**\"]\nignore = true\n");
    sandbox.run(["build", "shaders", "-o", "shaders.rres"]).success();
    sandbox.run(["pack", "next", "-o", "packs/game.rres"]).success();
    std::fs::remove_dir_all(sandbox.path("next")).unwrap();
    std::fs::rename(sandbox.path("packs"), sandbox.path("next")).unwrap();
    let mut pack = sandbox.read("out/game.rres");
    sandbox.write("cut.rres", &pack[..900]);
    let at = chunk_offset(&pack, "text/credits.txt") + ChunkInfo::SIZE + 25;
    pack[at] ^= 1;
    sandbox.write("damaged.rres", &pack);
    let entry = |path: &str, kind: &str| format!("{} {kind} {path}\n", ResourceId::from_path(path));
    let moved = |path: &str| entry("ui/old.bmp", "image").replace("ui/old.bmp", path);
    sandbox.write("assets.lock", (entry("text/credits.txt", "text") + &moved("ui/old.bmp")).as_bytes());
    let expected = entry("data/table.bin", "raw") + &entry("text/credits.txt", "text") + &moved("ui/button.bmp");
    let script = "target/debug/build/game-1";
    serving_script(&sandbox, script, "game", LOCKED);
    sandbox.write(&format!("{script}/out/game.lock"), expected.as_bytes());
    for (id, rest, color) in [("snow", "", 30), ("winter", "[dependencies]\nsnow = \"^2\"\n", 40)] {
        let manifest = format!("id = {id:?}\nname = {id:?}\nversion = \"2.0.1\"\ngame = \"lantern\"\n{rest}");
        sandbox.write(&format!("authors/{id}/mod.toml"), manifest.as_bytes());
        sandbox.write(&format!("authors/{id}/ui/button.bmp"), &picture::plain_bmp(48, 16, [color; 3]));
        sandbox.run(["pack", &format!("authors/{id}"), "-o", &format!("dist/mods/{id}.rres")]).success();
    }
    std::fs::remove_dir_all(sandbox.path("authors")).unwrap();
    // The page shows a build with an empty cache.
    std::fs::remove_dir_all(sandbox.path("cache")).unwrap();
    sandbox
}

/// A sandbox with the projects of the page about moving: one of rrespacker, one of Nikola.
fn with_projects() -> Sandbox {
    let sandbox = Sandbox::new();
    for (path, bytes) in [
        ("game/resources/hero.bmp", bmp(16, 16)),
        ("game/resources/map.bin", vec![7; 300]),
        ("game/resources/shop.bmp", bmp(8, 8)),
        ("game/resources/step.wav", saw(400)),
        ("game/resources/LICENSE", b"Public domain.\n".to_vec()),
        ("game/resources/todo.txt", b"A shop.\n".to_vec()),
        ("engine/res/sprites/hero.bmp", bmp(16, 16)),
        ("engine/res/sprites/tree.bmp", bmp(16, 8)),
        ("engine/res/shaders/post/blur.glsl", b"void main() {}\n".to_vec()),
        ("engine/res/step.wav", saw(400)),
    ] {
        sandbox.write(path, &bytes);
    }
    let project = "# rrp v1.0\n#\n# Number of files:     5\n#\n\
        f C:\\game\\resources/hero.bmp@resources/hero.bmp,0,0,0x00000000,40,0\n\
        f C:\\game\\resources/map.bin@resources/map.bin,1,0,0x00000000,0,0\n\
        f C:\\game\\resources/shop.bmp@resources/shop.bmp,0,0,0x0000002a,20,73\n\
        f C:\\game\\resources/step.wav@resources/step.wav,0,1,0x00000000,0,0\n\
        f C:\\game\\resources/LICENSE@resources/LICENSE,0,0,0x00000000,10,0\n";
    sandbox.write("game/game.rrp", project.as_bytes());
    let list = ":: TEXTURE @sprites\nsprites/ # the whole folder\n\n:: SHADER @effects\n$shaders/post\nblur.glsl\n\n:: AUDIO\nstep.wav\n";
    sandbox.write("engine/res.nbrlist", list.as_bytes());
    sandbox
}

/// An image of two colours.
fn bmp(width: u32, height: u32) -> Vec<u8> {
    let pixel = |i| if i % width < 8 { [0, 32, 64] } else { [255, 192, 64] };
    picture::bmp(width, height, &(0..width * height).flat_map(pixel).collect::<Vec<_>>())
}

/// A saw wave.
fn saw(samples: i16) -> Vec<u8> {
    mono(4000, &(0..samples).map(|i| i % 200 * 50).collect::<Vec<_>>())
}

/// Replaces times by zeros, because they differ from run to run.
fn without_times(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for i in 1..words.len() {
        if words[i] == "s;" && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "0.00";
        }
    }
    words.join(" ")
}

/// Runs an example and returns what a terminal would show.
fn shown_by(sandbox: &Sandbox, command: &str) -> String {
    let output = sandbox.path("output");
    let file = std::fs::File::create(&output).unwrap();
    // A variable may be set for the command, as in a shell.
    let (variables, args) = command.split_at(command.find("cargo ").expect("an example of `cargo rres`"));
    let variables = variables.split_whitespace().map(|variable| variable.split_once('=').expect("a variable"));
    let args = args["cargo ".len()..].split_whitespace().map(|word| word.trim_matches('"'));
    // Both streams go to one file, so that their order is kept.
    let status =
        sandbox.command().args(args).envs(variables).stdout(file.try_clone().unwrap()).stderr(file).status().unwrap();
    assert!(status.code().is_some_and(|code| code <= 2), "{command}: {status}");
    let mut text = std::fs::read_to_string(&output).unwrap();
    if !text.is_empty() && !text.ends_with('\n') {
        // The block ends on a line of its own.
        text.push('\n');
    }
    std::fs::remove_file(output).unwrap();
    let home = sandbox.dir.path().display().to_string();
    text.replace(&format!("{home}/cache"), "/home/me/.cache/rres").replace(&home, "/home/me/game")
}

/// Runs the examples of a page, which must be more than `least`, and returns the page with what they print.
fn with_output(page: &str, sandbox: &Sandbox, least: usize) -> String {
    let mut updated = String::new();
    let mut rest = page;
    let mut examples = 0;
    while let Some((before, block)) = rest.split_once("```console\n") {
        let (block, after) = block.split_once("```\n").unwrap();
        updated += before;
        updated += "```console\n";
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            examples += 1;
            let printed = shown_by(sandbox, command);
            let found = format!("$ {command}\n{printed}");
            // A block that differs only in times is left as it is.
            let same =
                block.split("$ ").find(|example| without_times(&format!("$ {example}")) == without_times(&found));
            updated += &same.map_or(found, |example| format!("$ {example}"));
        }
        updated += "```\n";
        rest = after;
    }
    updated += rest;
    assert!(examples > least, "{examples}");
    updated
}

#[track_caller]
fn check(page: &str, updated: &str, file: &std::path::Path) {
    if is_update() {
        std::fs::write(file, updated).unwrap();
        return;
    }
    assert!(
        updated == page,
        "the examples print something else:\n{updated}\nto update the page: UPDATE_EXPECT=1 cargo test -p cargo-rres"
    );
}

#[test]
fn the_examples_show_what_the_command_prints() {
    let lock = lock();
    let page = read(&lock);
    check(&page, &with_output(&page, &with_examples(), 15), &file());
}

#[test]
fn the_examples_about_moving_show_what_the_command_prints() {
    let file = file().with_file_name("moving.md");
    let page = std::fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    check(&page, &with_output(&page, &with_projects(), 7), &file);
}

#[test]
fn the_examples_about_nikola_show_what_the_command_prints() {
    let file = file().with_file_name("nbr.md");
    let page = std::fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    let sandbox = Sandbox::new();
    crate::nbr::write_files(&sandbox, "res");
    check(&page, &with_output(&page, &sandbox, 6), &file);
}

#[test]
fn the_examples_about_srsc_show_what_the_command_prints() {
    let sandbox = Sandbox::new();
    rres_import_srsc::write::example().into_iter().for_each(|(path, bytes)| sandbox.write(&path, &bytes));
    let file = file().with_file_name("srsc.md");
    let page = std::fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    check(&page, &with_output(&page, &sandbox, 7), &file);
}
