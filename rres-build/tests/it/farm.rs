//! Machines that import for a build: here processes of this test program, started for its test [`worker`] alone.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use rres_engine::{Farm, FarmJob, Portion, RecordedBuild};

use super::{Project, files_below};

/// What the installed command does on a machine of a farm.
#[test]
#[ignore = "run by the tests of this file, in a process of its own"]
fn worker() {
    let record = Path::new(FarmJob::RECORD);
    let Ok(Some(recorded)) = RecordedBuild::read(record, Path::new("."), &rres_build::importers()) else { return };
    let out = std::env::temp_dir();
    let _ = recorded.build.out_dir(out).import_only(&Portion::All);
}

/// A farm that is asked, and says when it has done all.
#[derive(Debug, Default)]
struct Processes {
    is_done: Mutex<bool>,
    done: Condvar,
}

impl Processes {
    fn wait(&self) {
        drop(self.done.wait_while(self.is_done.lock().unwrap(), |is_done| !*is_done).unwrap());
    }
}

/// Runs a job, and returns the blobs that it has made.
fn run(job: &FarmJob) -> Vec<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(FarmJob::RECORD), &job.record).unwrap();
    for (path, file) in &job.files {
        let to = dir.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(file, to).unwrap();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "farm::worker", "--ignored", "--test-threads=1"]).current_dir(dir.path());
    command.env("RRES_CACHE_DIR", dir.path().join("cache")).env("TMPDIR", dir.path()).env_remove("CARGO_MANIFEST_DIR");
    assert!(command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    files_below(&dir.path().join("cache/blobs")).iter().map(|file| fs::read(file).unwrap()).collect()
}

impl Farm for Processes {
    fn place(&self) -> String {
        "here".to_owned()
    }

    fn import(
        &self,
        jobs: &[FarmJob],
        _: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(Vec<Vec<u8>>),
    ) -> io::Result<()> {
        assert!(jobs.iter().all(|job| job.size > 0 && job.files.len() > 1), "{jobs:?}");
        jobs.iter().for_each(|job| take(run(job)));
        *self.is_done.lock().unwrap() = true;
        self.done.notify_all();
        Ok(())
    }
}

fn project() -> Project {
    // A rule of assets.toml, and one that no file of a job matches.
    let project = Project::new(&[
        ("assets.toml", b"[\"texts/**\"]\nlevel = 5\n[\"once.bin\"]\nrename = \"ONCE\"\n"),
        ("once.bin", &[7; 90]),
    ]);
    for number in 0..70 {
        project.write(&format!("texts/{number}.txt"), format!("text {number}, ").repeat(number + 1).as_bytes());
    }
    project
}

#[test]
fn what_other_machines_have_imported_is_not_imported_here() {
    let project = project();
    let farm = Arc::new(Processes::default());
    let waiting = Arc::clone(&farm);
    // This machine waits for the others soon after its first source.
    let slow = move |progress: &rres_engine::Progress<'_>| {
        if progress.done() == 1 {
            waiting.wait()
        }
    };
    let build = project.build().rule("texts/3.txt", |rule| rule.level(9)).threads(1).progress(slow).farm(farm);
    let report = build.build().unwrap();
    let used = report.farm.unwrap();
    assert_eq!((used.wanted, used.damaged, used.fault), (71, 0, None));
    let here = report.assets.iter().filter(|asset| !asset.cached).count();
    assert!(here < 40 && used.imported + here >= 71, "{here} here, {} there", used.imported);
    // With the rule of the build script, it is what this machine alone makes.
    let alone = self::project();
    let of_alone = alone.build().rule("texts/3.txt", |rule| rule.level(9)).build().unwrap();
    assert_eq!(fs::read(&report.packs[0]).unwrap(), fs::read(&of_alone.packs[0]).unwrap());
}

/// A farm that does harm.
#[derive(Debug)]
enum Bad {
    Away,
    /// It works until this machine is done.
    Slow,
    Wrong,
}

impl Farm for Bad {
    fn place(&self) -> String {
        "nowhere".to_owned()
    }

    fn import(
        &self,
        jobs: &[FarmJob],
        is_over: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(Vec<Vec<u8>>),
    ) -> io::Result<()> {
        match self {
            Self::Away => return Err(io::Error::other("connection refused")),
            Self::Slow => {
                while !is_over() {
                    std::thread::yield_now();
                }
            }
            Self::Wrong => jobs.iter().for_each(|_| take(vec![b"no blob".to_vec()])),
        }
        Ok(())
    }
}

#[test]
fn a_farm_that_is_away_slow_or_wrong_changes_nothing() {
    let expected = project();
    expected.run();
    for (bad, said) in [(Bad::Away, "connection refused"), (Bad::Slow, "0 of 71"), (Bad::Wrong, "damaged")] {
        let project = project();
        let report = project.build().farm(Arc::new(bad)).build().unwrap();
        let line = report.farm.unwrap().to_string();
        assert!(line.contains(said), "{said} in {line}");
        let pack = |project: &Project| fs::read(project.out().join("game.rres")).unwrap();
        assert_eq!(pack(&project), pack(&expected));
    }
}
