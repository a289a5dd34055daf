//! Machines that import for a build: here processes of this test program, started for its test [`worker`] alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use rres_build::importer::{Asset, Description, ImportError, Importer, Source};
use rres_engine::{Farm, FarmJob, Portion, RecordedBuild, RresImporters};
use rres_import::Encoders;
use rres_import_text::TextImporter;
use rres_settings::Settings;
use rres_test_support::wait;

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

/// Imports texts on this machine when the cache has what the farm makes of all of them: so slow can it be.
struct Slow {
    farm: Arc<Processes>,
    blobs: PathBuf,
    count: usize,
}

impl Importer for Slow {
    fn describe(&self) -> Description {
        TextImporter.describe()
    }

    fn sees_path(&self, path: &str, settings: &Settings) -> bool {
        TextImporter.sees_path(path, settings)
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        self.farm.wait();
        wait::until("the results of the farm are stored", || files_below(&self.blobs).len() >= self.count);
        TextImporter.import(source)
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
        take: &mut dyn FnMut(io::Result<Vec<Vec<u8>>>),
    ) -> io::Result<()> {
        assert!(jobs.iter().all(|job| job.size > 0 && job.files.len() > 1), "{jobs:?}");
        jobs.iter().for_each(|job| take(Ok(run(job))));
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
    fs::remove_file(project.assets().join("once.bin")).unwrap();
    project.write("assets.toml", b"[\"texts/**\"]\nlevel = 5\n");
    let farm = Arc::new(Processes::default());
    let slow = Arc::new(Slow { farm: Arc::clone(&farm), blobs: project.cache().join("blobs"), count: 70 });
    let code_of = |name: &str| (name == "text").then(|| Arc::clone(&slow) as Arc<dyn Importer>);
    let importers = Arc::new(RresImporters::new(code_of, Encoders::default()));
    let build = project.build().with_rres_importers(importers).rule("texts/3.txt", |rule| rule.level(9));
    let report = build.threads(1).farm(farm).build().unwrap();
    let used = report.farm.unwrap();
    assert_eq!((used.wanted, used.unusable, used.fault), (70, 0, None));
    let here = report.assets.iter().filter(|asset| !asset.cached).count();
    // The first one is imported on both.
    assert_eq!((here, used.imported), (1, 70));
    // With the rule of the build script, it is what this machine alone makes.
    let of_alone =
        project.build().cache_dir(project.dir.path().join("other cache")).out_dir(project.dir.path().join("other"));
    let of_alone = of_alone.rule("texts/3.txt", |rule| rule.level(9)).build().unwrap();
    assert_eq!(fs::read(&report.packs[0]).unwrap(), fs::read(&of_alone.packs[0]).unwrap());
}

/// A farm that does harm.
#[derive(Debug)]
enum Bad {
    Away,
    /// It works until this machine is done.
    Slow,
    Wrong,
    /// Its machines cannot run the command.
    Unfit,
}

impl Farm for Bad {
    fn place(&self) -> String {
        "nowhere".to_owned()
    }

    fn import(
        &self,
        jobs: &[FarmJob],
        is_over: &(dyn Fn() -> bool + Sync),
        take: &mut dyn FnMut(io::Result<Vec<Vec<u8>>>),
    ) -> io::Result<()> {
        match self {
            Self::Away => return Err(io::Error::other("connection refused")),
            Self::Slow => {
                while !is_over() {
                    std::thread::yield_now();
                }
            }
            Self::Unfit => jobs.iter().for_each(|_| take(Err(io::Error::other("exit code 127")))),
            Self::Wrong => jobs.iter().for_each(|_| take(Ok(vec![b"no blob".to_vec()]))),
        }
        Ok(())
    }
}

#[test]
fn a_farm_that_is_away_slow_or_wrong_changes_nothing() {
    let expected = project();
    expected.run();
    for (bad, said) in [
        (Bad::Away, "connection refused"),
        (Bad::Slow, "0 of 71"),
        (Bad::Wrong, "could not be used"),
        (Bad::Unfit, "3 jobs failed there, the first because exit code 127"),
    ] {
        let project = project();
        let report = project.build().farm(Arc::new(bad)).build().unwrap();
        let line = report.farm.unwrap().to_string();
        assert!(line.contains(said), "{said} in {line}");
        let pack = |project: &Project| fs::read(project.out().join("game.rres")).unwrap();
        assert_eq!(pack(&project), pack(&expected));
    }
}
