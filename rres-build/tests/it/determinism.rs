//! The same sources and settings give the same bytes: in another directory, with another number of threads, from a cold
//! or a warm cache.

use std::fs;

use super::{Project, sources};

#[test]
fn check_3_5_8_packs_and_modules_do_not_depend_on_place_threads_or_cache() {
    let (mut packs, mut modules) = (Vec::new(), Vec::new());
    for threads in [1, 2, 16] {
        let mut files = sources();
        // The order of files in a directory's listing must not matter either.
        files.rotate_left(threads % 3);
        let project = Project::new(&files);
        project.write("assets.toml", b"[group.levels]\ninclude = [\"levels/**\"]\n");
        for _ in 0..2 {
            fs::remove_dir_all(project.out()).ok();
            // Hardly any memory, a little, and more than enough.
            project.build().threads(threads).memory([1, 4000, 1 << 30][threads % 3]).build().unwrap();
            packs.push(fs::read(project.out().join("game.rres")).unwrap());
            modules.push(project.module());
        }
    }
    assert!(packs.iter().all(|pack| *pack == packs[0]), "packs differ");
    assert!(modules.iter().all(|module| *module == modules[0]), "modules differ");
}

#[test]
fn debug_and_release_share_imported_forms() {
    let project = Project::new(&sources());
    assert_eq!(project.build().debug(true).build().unwrap().imported(), sources().len());
    let release = project.run();
    assert_eq!((release.imported(), release.cached()), (0, sources().len()));
}

#[test]
fn an_unchanged_build_rewrites_nothing() {
    let project = Project::new(&sources());
    let times = || {
        let mut files = super::files_below(&project.out());
        // The build manifest, which no program watches.
        files.retain(|file| file.extension().unwrap() != "manifest");
        files.iter().map(|file| fs::metadata(file).unwrap().modified().unwrap()).collect::<Vec<_>>()
    };
    for debug in [true, false] {
        project.build().debug(debug).build().unwrap();
        let before = times();
        project.build().debug(debug).build().unwrap();
        assert_eq!(times(), before);
    }
}
