//! The build script as a server, in a separate process: the response to an update, the published index, and the files
//! that remain.
//!
//! The build script is this test program, started for its test [`script`] alone.

mod inputs;
mod session;
mod settings;
mod stopped;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rres_format::{AssetKind, PackView};
use rres_test_support::wait;

use super::{Project, sources};

/// The build script.
#[test]
#[ignore = "run by the tests of this file, in a process of its own"]
#[expect(clippy::print_stdout, reason = "a build script may print what it likes")]
fn script() {
    let Ok(assets) = std::env::var("SCRIPT_ASSETS") else { return };
    print!("noise without an end of line");
    rres_build::import(Path::new(&assets).with_file_name("other")).module("other").name("other").build_or_exit();
    let mut build = rres_build::import(assets)
        .rule("**/*.list", |rule| rule.kind(rres_format::AssetKind::Raw))
        .name("game")
        .lock(std::env::var_os("SCRIPT_LOCK").is_some());
    if let Some(bytes) = std::env::var("SCRIPT_MEMORY").ok().and_then(|bytes| bytes.parse().ok()) {
        build = build.memory(bytes);
    }
    if let Some(kind) = std::env::var("SCRIPT_ONLY").ok().and_then(|name| AssetKind::from_name(&name)) {
        build = build.only([kind]);
    }
    if let Some(file) = std::env::var_os("SCRIPT_PROGRESS") {
        build = build.progress(move |progress| {
            let mut file = fs::File::options().append(true).create(true).open(&file).unwrap();
            writeln!(file, "{} of {}", progress.done(), progress.assets).unwrap();
        });
    }
    stopped::with_slow_importer(build).build_or_exit();
}

fn command(project: &Project) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "serve::script", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env("SCRIPT_ASSETS", project.assets()).env("OUT_DIR", project.out()).env("PROFILE", "debug");
    command.env("CARGO_MANIFEST_DIR", project.dir.path()).env("RRES_CACHE_DIR", project.cache()).env("NUM_JOBS", "2");
    command.env("CARGO_REGISTRY_TOKEN", "secret").env_remove("RRES_SERVE");
    command
}

/// A rule of the build script matches one of them.
fn sources_and_list() -> Vec<(&'static str, &'static [u8])> {
    [sources(), vec![("b.list", b"x")]].concat()
}

/// A project whose script has run once, as Cargo runs it.
fn built(files: &[(&str, &[u8])]) -> Project {
    let project = Project::new(files);
    fs::create_dir_all(project.out()).unwrap();
    fs::create_dir_all(project.dir.path().join("other")).unwrap();
    build(&project);
    project
}

fn build(project: &Project) {
    run(&mut command(project));
}

/// Runs the command, and returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}");
    out
}

/// A running script that serves.
struct Server {
    child: Child,
    requests: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Server {
    fn start(project: &Project) -> Self {
        Self::start_with(command(project))
    }

    fn start_with(command: Command) -> Self {
        Self::start_noting(command, Stdio::null())
    }

    /// The same, with standard error.
    fn start_noting(mut command: Command, stderr: impl Into<Stdio>) -> Self {
        command.env("RRES_SERVE", "game").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        let server = Self { requests: child.stdin.take(), child, lines };
        assert_eq!(server.answer("ready"), ["ready\t1"]);
        server
    }

    /// The lines of the protocol up to the one with this word.
    fn answer(&self, last: &str) -> Vec<String> {
        let mut answer = Vec::new();
        loop {
            let line = wait::receive(&self.lines);
            assert!(!line.starts_with("cargo:"), "{line}");
            let Some(line) = line.strip_prefix("rres: ") else { continue };
            answer.push(line.to_owned());
            if line.split('\t').next() == Some(last) {
                return answer;
            }
        }
    }

    fn ask(&mut self, request: &str) {
        writeln!(self.requests.as_ref().unwrap(), "{request}").unwrap();
    }

    /// The response to an update, without `done`, and the path of the index.
    fn update(&mut self) -> (Vec<String>, PathBuf) {
        self.ask("update");
        let mut answer = self.answer("done");
        let done = answer.pop().unwrap();
        (answer, PathBuf::from(done.strip_prefix("done\t").unwrap()))
    }

    /// Closes its input, which makes it exit.
    fn end(mut self) {
        self.requests = None;
        assert!(self.child.wait().unwrap().success());
        assert_eq!(self.lines.iter().filter(|line| line.starts_with("cargo:")).count(), 0);
    }
}

/// The assets of an index and their bytes in the cache.
fn contents(project: &Project, index: &Path) -> BTreeMap<String, Vec<u8>> {
    let bytes = fs::read(index).unwrap();
    let index = PackView::parse(&bytes).unwrap().index().unwrap();
    let blob = |number| {
        let hex: String = index.blob(number).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
        fs::read(project.cache().join("blobs").join(&hex[..2]).join(format!("{}.rres", &hex[2..]))).unwrap()
    };
    let entry = |entry: rres_format::index::Entry<'_>| {
        let blob = blob(entry.blob);
        let chunk = PackView::parse(&blob).unwrap().chunk_at(entry.offset).unwrap();
        let block = chunk.decode(&mut Default::default()).unwrap();
        (entry.path.to_owned(), block.view().unwrap().data().to_vec())
    };
    index.entries().map(|found| entry(found.unwrap())).collect()
}

fn paths(project: &Project, index: &Path) -> Vec<String> {
    contents(project, index).into_keys().collect()
}

fn dev_index(project: &Project) -> PathBuf {
    project.out().join("game.dev.rres")
}

#[test]
fn the_manifest_describes_how_to_start_the_script_and_contains_no_secrets() {
    let project = built(&sources_and_list());
    let record = fs::read_to_string(project.out().join("game.serve")).unwrap();
    let mut lines = record.lines();
    assert_eq!(lines.next(), Some("rres-serve 1"));
    let exe = std::env::current_exe().unwrap().display().to_string().replace('\\', "\\\\");
    assert_eq!(lines.next(), Some(format!("script {exe}").as_str()));
    assert!(lines.next().is_some_and(|line| line.starts_with("dir ")));
    assert_eq!(lines.next(), Some("module assets"));
    assert!(record.contains("\nenv PROFILE=debug\n") && record.contains("\nenv RRES_CACHE_DIR="), "{record}");
    assert!(!record.contains("secret") && !record.contains("\nenv PATH="), "{record}");
    let module = project.module();
    assert!(module.contains("serve: \"") && module.contains("game.serve\""), "{module}");
}

#[test]
fn an_edit_is_published_and_a_restart_without_cargo_shows_it_too() {
    let project = built(&sources_and_list());
    let before = fs::read(dev_index(&project)).unwrap();
    let mut server = Server::start(&project);
    assert_eq!(server.update(), (vec![], dev_index(&project)));

    project.write("levels/1.txt", b"one\n");
    let (answer, index) = server.update();
    assert_eq!(answer, ["changed\tlevels/1.txt"]);
    assert_eq!(index, project.out().join("game.live.rres"));
    assert_eq!(contents(&project, &index)["levels/1.txt"], b"one\n");
    assert_eq!(server.update(), (vec![], index.clone()), "said once");
    // The same size, within one tick of the clock.
    project.write("levels/1.txt", b"two\n");
    assert_eq!(server.update().0, ["changed\tlevels/1.txt"]);
    server.end();
    assert_ne!(fs::read(dev_index(&project)).unwrap(), before);
    assert_eq!(fs::read(dev_index(&project)).unwrap(), fs::read(index).unwrap());
    assert_eq!(contents(&project, &dev_index(&project))["levels/1.txt"], b"two\n");
}

#[test]
fn a_new_set_is_published_but_not_to_the_constants_of_the_old_one() {
    let project = built(&sources_and_list());
    let before = fs::read(dev_index(&project)).unwrap();
    let mut server = Server::start(&project);
    project.write("levels/3.txt", b"three");
    fs::rename(project.assets().join("readme.txt"), project.assets().join("read me.txt")).unwrap();
    let (answer, index) = server.update();
    assert_eq!(answer, ["added\tlevels/3.txt", "added\tread me.txt", "removed\treadme.txt"]);
    assert!(paths(&project, &index).contains(&"levels/3.txt".to_owned()));
    assert!(!paths(&project, &index).contains(&"readme.txt".to_owned()));
    server.end();
    assert_eq!(fs::read(dev_index(&project)).unwrap(), before);

    // Cargo's next build generates constants for the new set, and a server then starts from that set.
    build(&project);
    let mut server = Server::start(&project);
    assert_eq!(server.update(), (vec![], dev_index(&project)));
    server.end();
}

#[test]
fn a_broken_file_keeps_its_entry_and_good_ones_are_updated() {
    let project = built(&sources_and_list());
    // Broken before the server starts, which knows its last good version only from the last build.
    project.write("levels/1.txt", b"\xff\xff");
    let mut server = Server::start(&project);
    project.write("levels/2.txt", b"good\n");
    project.write("levels/3.txt", b"\xfe");
    let (answer, index) = server.update();
    let fields: Vec<Vec<&str>> = answer.iter().map(|line| line.split('\t').collect()).collect();
    assert_eq!(fields.len(), 3, "{answer:?}");
    let place = project.place("levels/1.txt").replace('\\', "\\\\");
    assert_eq!(fields[0][..3], ["failed", "levels/1.txt", &place]);
    assert!(fields[0][3].starts_with("is not valid text") && fields[0][4].contains("save it as"), "{answer:?}");
    assert_eq!(fields[1][1], "levels/3.txt");
    assert_eq!(fields[2], ["changed", "levels/2.txt"]);
    let contents = contents(&project, &index);
    assert_eq!(contents["levels/1.txt"], b"####\n#..#\n####\n");
    assert_eq!(contents["levels/2.txt"], b"good\n");
    assert!(!contents.contains_key("levels/3.txt"), "it never was good");

    project.write("levels/1.txt", b"right again\n");
    let (answer, _) = server.update();
    assert!(answer[0].starts_with("failed\tlevels/3.txt"), "as long as it is bad: {answer:?}");
    assert_eq!(answer[1..], ["changed\tlevels/1.txt"]);
    server.end();
}

#[test]
fn a_mapped_file_is_published_under_its_path_in_the_pack_and_keeps_its_last_good_version() {
    let project =
        built(&[&sources_and_list()[..], &[("assets.toml", b"[\"levels/1.txt\"]\npath = \"first\"\n")]].concat());
    project.write("levels/1.txt", b"\xff\xff");
    let mut server = Server::start(&project);
    project.write("levels/2.txt", b"good\n");
    let (answer, index) = server.update();
    assert!(answer[0].starts_with("failed\tlevels/1.txt"), "{answer:?}");
    assert_eq!(answer[1..], ["changed\tlevels/2.txt"]);
    assert_eq!(
        contents(&project, &index)["first"],
        b"####\n#..#\n####\n",
        "known from the index of the last build only"
    );
    project.write("levels/1.txt", b"one\n");
    let (answer, index) = server.update();
    assert_eq!(answer, ["changed\tfirst"]);
    assert_eq!(contents(&project, &index)["first"], b"one\n");
    // An edit of the rule is a new path, which has no constant until the next build.
    project.write("assets.toml", b"[\"levels/1.txt\"]\npath = \"one\"\n");
    assert_eq!(server.update().0, ["added\tone", "removed\tfirst"]);
    fs::rename(project.assets().join("levels/1.txt"), project.assets().join("levels/one.txt")).unwrap();
    project.write("assets.toml", b"");
    assert_eq!(server.update().0, ["added\tlevels/one.txt", "removed\tone"]);
    server.end();
}

#[test]
fn a_missing_assets_directory_changes_nothing() {
    let project = built(&[("a.txt", b"a"), ("b.list", b"x")]);
    let mut server = Server::start(&project);
    let away = project.dir.path().join("away");
    fs::rename(project.assets(), &away).unwrap();
    let (answer, index) = server.update();
    assert!(answer.len() == 1 && answer[0].contains("assets directory not found"), "{answer:?}");
    assert_eq!(index, dev_index(&project));
    fs::rename(&away, project.assets()).unwrap();
    assert_eq!(server.update(), (vec![], dev_index(&project)));
    server.end();
}

#[test]
fn ids_that_clash_change_nothing() {
    let project = built(&[("a.txt", b"a"), ("b.list", b"x")]);
    let mut server = Server::start(&project);
    project.write("assets.toml", b"[\"a.txt\"]\nid = 7\n[\"b.*\"]\nid = 0x07\n");
    project.write("a.txt", b"edited");
    let (answer, index) = server.update();
    assert!(answer.iter().all(|line| line.starts_with("failed\t\t")) && !answer.is_empty(), "{answer:?}");
    assert_eq!(index, dev_index(&project));
    fs::remove_file(project.assets().join("assets.toml")).unwrap();
    assert_eq!(server.update().0, ["changed\ta.txt"]);
    server.end();
}
