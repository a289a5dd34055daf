//! Files that change while they are read: each build is an error, or a pack with every file as it was at some time.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rres_format::PackView;

use super::super::Project;

/// Contents of one state: the same byte throughout, of a length that follows from it.
fn contents(state: u8) -> Vec<u8> {
    vec![state; 10_000 + usize::from(state) * 1000]
}

fn is_whole(bytes: &[u8]) -> bool {
    bytes.is_empty() || bytes.len() == contents(bytes[0]).len() && bytes.iter().all(|byte| *byte == bytes[0])
}

/// The paths and bytes of the pack.
fn pack(project: &Project) -> Vec<(String, Vec<u8>)> {
    let bytes = fs::read(project.out().join("game.rres")).unwrap();
    let pack = PackView::parse(&bytes).unwrap();
    let index = pack.index().unwrap();
    let entries = index.entries().map(|entry| entry.unwrap());
    let data = |offset| pack.chunk_at(offset).unwrap().decode(&mut Default::default()).unwrap();
    entries.map(|entry| (entry.path.to_owned(), data(entry.offset).view().unwrap().data().to_vec())).collect()
}

/// Builds again and again while `change` runs with ascending numbers.
fn build_while(project: &Project, change: impl Fn(u8) + Sync, check: impl Fn(&[(String, Vec<u8>)])) {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for state in (0..=200).cycle() {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                change(state);
            }
        });
        for round in 0..40 {
            match project.build().debug(round % 2 == 1).build() {
                Ok(_) if round % 2 == 0 => check(&pack(project)),
                Ok(_) => {}
                Err(error) => assert!(error.diagnostics().iter().all(|one| one.place().contains("assets")), "{error}"),
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    // What was built while files changed does not stay.
    project.run();
    check(&pack(project));
    for (path, bytes) in pack(project) {
        assert_eq!(bytes, fs::read(project.assets().join(path)).unwrap());
    }
}

#[test]
fn files_that_are_replaced_by_renaming_are_whole() {
    let project = Project::new(&[("a.bin", &contents(0)), ("b.bin", &contents(0))]);
    let replace = |state| {
        for name in ["a.bin", "b.bin"] {
            let temporary = project.assets().join(format!(".{name}.new"));
            fs::write(&temporary, contents(state)).unwrap();
            fs::rename(temporary, project.assets().join(name)).unwrap();
        }
    };
    build_while(&project, replace, |pack| {
        assert_eq!(pack.len(), 2);
        assert!(pack.iter().all(|(_, bytes)| !bytes.is_empty() && is_whole(bytes)));
    });
}

#[test]
fn files_that_come_and_go_and_become_folders_and_pipes() {
    let project = Project::new(&[("stays.bin", &contents(7))]);
    let path = project.assets().join("x.bin");
    let other = project.assets().join("y.bin");
    let change = |state: u8| {
        let _ = fs::write(&path, contents(state));
        let _ = fs::rename(&path, &other);
        let _ = fs::create_dir(&path);
        let _ = fs::remove_dir(&path);
        let _ = std::os::unix::fs::symlink("/dev/zero", &path);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_file(&other);
    };
    build_while(&project, change, |pack| {
        assert!(pack.iter().any(|(path, bytes)| path == "stays.bin" && *bytes == contents(7)));
    });
}

#[test]
fn files_that_grow_and_shrink_while_they_are_read_are_refused_or_read_again() {
    let large = |state: u8| vec![state; 4_000_000 + usize::from(state) * 1000];
    let project = Project::new(&[("a.bin", &large(0))]);
    let change = |state: u8| {
        let file = fs::File::options().write(true).open(project.assets().join("a.bin")).unwrap();
        file.set_len(u64::from(state) * 1000).unwrap();
        drop(file);
        fs::write(project.assets().join("a.bin"), large(state)).unwrap();
    };
    build_while(&project, change, |pack| assert_eq!(pack.len(), 1));
}
