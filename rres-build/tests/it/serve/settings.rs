//! Settings and rules while a script serves.

use std::time::{Duration, Instant};

use super::*;

#[test]
fn a_broken_settings_file_changes_nothing_until_it_is_fixed() {
    let project = built(&sources_and_list());
    let mut server = Server::start(&project);
    project.write("assets.toml", b"[\"levels/*\"]\nkind = \"wrong\"\n");
    project.write("levels/1.txt", b"edited");
    let (answer, index) = server.update();
    assert!(answer.len() == 1 && answer[0].starts_with("failed\t\t") && answer[0].contains("assets.toml:2:8"));
    assert_eq!(index, dev_index(&project));
    project.write("assets.toml", b"[\"levels/*\"]\nkind = \"raw\"\n");
    assert_eq!(server.update().0, ["changed\tlevels/1.txt", "changed\tlevels/2.txt"]);
    server.end();

    // Broken before the server starts, which can tell the name of the pack without it.
    project.write("assets.toml", b"[");
    let mut server = Server::start(&project);
    assert!(server.update().0[0].contains("assets.toml:1:"));
    server.end();
}

#[test]
#[ignore = "long: waits until file stamps are trusted"]
fn settings_that_are_saved_during_an_update_apply_to_the_next_one() {
    let project = built(&[("a.txt", b"a"), ("b.list", b"x")]);
    let settings = project.assets().join("assets.toml");
    // Only files older than this count as unchanged, and only unchanged files could be left with old settings.
    std::thread::sleep(Duration::from_millis(2100));
    let mut server = Server::start(&project);
    let save = |kind: &str| {
        // The file is so long that reading it takes most of an update, and it is replaced by renaming, so that no
        // update reads half of it.
        let text = format!("{}[\"a.txt\"]\nkind = \"{kind}\"\n", "# a comment\n".repeat(50_000));
        let next = settings.with_extension("next");
        fs::write(&next, text).unwrap();
        fs::rename(&next, &settings).unwrap();
    };
    let kind_of = |index: &Path| {
        let bytes = fs::read(index).unwrap();
        let index = PackView::parse(&bytes).unwrap().index().unwrap();
        index.entry(index.find_path("a.txt").unwrap()).unwrap().kind
    };
    save("text");
    let started = Instant::now();
    server.update();
    let whole = started.elapsed();
    for round in 0..24 {
        let kind = [AssetKind::Raw, AssetKind::Text][round % 2];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(whole.mul_f64(round as f64 / 24.0));
                save(kind.name());
            });
            server.update();
        });
        let (_, index) = server.update();
        assert_eq!(kind_of(&index), Some(kind), "round {round}");
    }
    server.end();
}

#[test]
fn rules_of_the_build_script_apply() {
    let project = built(&[("a.txt", b"a"), ("b.list", b"x")]);
    let mut server = Server::start(&project);
    project.write("b.list", b"\xff\xfe");
    let (answer, index) = server.update();
    assert_eq!(answer, ["changed\tb.list"]);
    assert_eq!(contents(&project, &index)["b.list"], b"\xff\xfe");
    server.end();
}
