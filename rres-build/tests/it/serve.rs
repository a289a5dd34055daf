//! The build script as a server, in a separate process: the response to an update, the published index, and the files
//! that remain.
//!
//! The build script is this test program, started for its test [`script`] alone.

#[cfg(all(feature = "image", debug_assertions))]
mod stopped;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rres_format::{AssetKind, PackView};

use super::{Project, sources};

/// Longer than any response takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The build script.
#[test]
#[ignore = "run by the tests of this file, in a process of its own"]
#[expect(clippy::print_stdout, reason = "a build script may print what it likes")]
fn script() {
    let Ok(assets) = std::env::var("SCRIPT_ASSETS") else { return };
    print!("noise without an end of line");
    rres_build::import(Path::new(&assets).with_file_name("other")).module("other").name("other").build_or_exit();
    let mut build = rres_build::import(assets)
        .rule("**/*.list", |rule| rule.kind(rres_build::AssetKind::Raw))
        .name("game")
        .lock(std::env::var_os("SCRIPT_LOCK").is_some());
    if let Some(bytes) = std::env::var("SCRIPT_MEMORY").ok().and_then(|bytes| bytes.parse().ok()) {
        build = build.memory(bytes);
    }
    if let Some(file) = std::env::var_os("SCRIPT_PROGRESS") {
        build = build.progress(move |progress| {
            let mut file = fs::File::options().append(true).create(true).open(&file).unwrap();
            writeln!(file, "{} of {}", progress.done(), progress.assets).unwrap();
        });
    }
    build.build_or_exit();
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
            let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
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
    let place = project.assets().join("levels/1.txt").display().to_string().replace('\\', "\\\\");
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

#[test]
fn unknown_requests_get_a_response_and_without_a_manifest_nothing_is_served() {
    let project = built(&[("a.txt", b"a"), ("b.list", b"x")]);
    let mut server = Server::start(&project);
    server.ask("dance\tnow");
    assert_eq!(server.answer("unknown"), ["unknown\tdance\\tnow\tupdate, lock"]);
    server.end();

    fs::remove_file(project.out().join("game.serve")).unwrap();
    let output = command(&project).env("RRES_SERVE", "game").stdin(Stdio::null()).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !out.contains("rres: ") && !out.contains("cargo::"), "{out}");
}

/// The peak memory of a process in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_and_the_progress_callback_apply_while_serving() {
    const FILE: usize = 16 << 20;
    const COUNT: usize = 8;
    let peak = |limit: u64| {
        let project = built(&[("b.list", b"x"), ("assets.toml", b"[pack]\ncompression = \"none\"\n")]);
        let log = project.dir.path().join("progress");
        let mut command = command(&project);
        // The allocator must return freed memory at once, or the peak would include it.
        command.env("NUM_JOBS", COUNT.to_string()).env("MALLOC_MMAP_THRESHOLD_", "1000000");
        command.env("SCRIPT_MEMORY", limit.to_string()).env("SCRIPT_PROGRESS", &log);
        let mut server = Server::start_with(command);
        for i in 0..COUNT {
            project.write(&format!("{i}.bin"), &vec![i as u8; FILE]);
        }
        assert_eq!(server.update().0.len(), COUNT);
        let peak = peak_memory(&server.child);
        server.end();
        assert_eq!(fs::read_to_string(log).unwrap().lines().last(), Some("9 of 9"));
        peak
    };
    let (limited, unlimited) = (peak(FILE as u64), peak(u64::MAX));
    assert!(limited + 3 * FILE as u64 <= unlimited, "{limited} bytes with a limit, {unlimited} without");
}

#[test]
fn in_lock_mode_builds_watch_the_lock_file_and_the_server_updates_it() {
    let project = built(&sources_and_list());
    let locked = || {
        let mut command = command(&project);
        command.env("SCRIPT_LOCK", "1");
        command
    };
    let watches = |out: &str, file: &Path| out.contains(&format!("cargo::rerun-if-changed={}\n", file.display()));
    let lock = project.dir.path().join("assets.lock");
    // The first debug build creates the lock file, and watches it from then on.
    assert!(watches(&run(&mut locked()), &lock));
    assert!(fs::read_to_string(&lock).unwrap().contains(" text levels/1.txt\n"));
    let out = run(&mut locked());
    assert!(watches(&out, &lock) && !watches(&out, &project.assets()), "{out}");
    let settings = project.assets().join("assets.toml");
    assert!(!watches(&out, &settings), "Cargo would always consider a missing file changed: {out}");
    fs::write(&settings, "").unwrap();
    assert!(watches(&run(&mut locked()), &settings));
    let release = run(locked().env("PROFILE", "release"));
    assert!(watches(&release, &project.assets()) && !watches(&release, &lock), "{release}");

    let before = fs::read_to_string(&lock).unwrap();
    let mut server = Server::start_with(locked());
    project.write("levels/1.txt", b"edited\n");
    assert_eq!(server.update().0, ["changed\tlevels/1.txt"]);
    project.write("levels/new.txt", b"new\n");
    fs::rename(project.assets().join("levels/2.txt"), project.assets().join("levels/moved.txt")).unwrap();
    server.ask("lock");
    let answer = server.answer("locked");
    let files: Vec<&str> = answer[0].split('\t').skip(1).collect();
    let wanted = fs::read_to_string(files[1]).unwrap();
    assert_eq!((answer.len(), files[0]), (1, lock.to_str().unwrap()));
    assert_eq!(fs::read_to_string(&lock).unwrap(), before, "asking changes nothing");
    assert_eq!(server.update().0.len(), 3);
    server.end();
    assert_eq!(fs::read_to_string(&lock).unwrap(), wanted);
    let id = |lock: &str, path: &str| {
        let line = lock.lines().find(|line| line.ends_with(&format!(" {path}"))).unwrap();
        line.split(' ').next().unwrap().to_owned()
    };
    assert_eq!(id(&wanted, "levels/moved.txt"), id(&before, "levels/2.txt"));
    assert!(wanted.contains(" levels/new.txt\n") && !wanted.contains(" levels/2.txt\n"), "{wanted}");
    run(&mut locked());

    // Without lock mode, the response is an error.
    let mut server = Server::start(&project);
    server.ask("lock");
    let answer = server.answer("locked");
    let assets = project.assets().display().to_string();
    assert_eq!(answer, [format!("lock-is-off\t{assets}"), "locked\t\t".to_owned()]);
    server.end();
}

#[cfg(feature = "model")]
#[test]
fn dependencies_of_a_kept_model_are_kept_too() {
    let model = |image: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},
            "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{}"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}}],
            "images":[{{"uri":"{image}"}}],"textures":[{{"source":0}}],
            "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
            "nodes":[{{"mesh":0}}],"scenes":[{{"nodes":[0]}}],"scene":0}}"#,
            "A".repeat(48)
        )
    };
    let wood = model("wood.list");
    let project = built(&[("m/tree.gltf", wood.as_bytes()), ("m/wood.list", b"wood"), ("b.list", b"x")]);
    let mut server = Server::start(&project);

    // The texture is removed, but the unchanged model still depends on it.
    fs::remove_file(project.assets().join("m/wood.list")).unwrap();
    project.write("b.list", b"y");
    let (answer, index) = server.update();
    assert!(answer[0].starts_with("failed\tm/tree.gltf") && answer[0].contains("m/wood.list"), "{answer:?}");
    assert_eq!(answer[1..], ["changed\tb.list"]);
    assert_eq!(contents(&project, &index)["m/wood.list"], b"wood");

    // A model that depends on a file that never existed keeps its last good version.
    project.write("m/wood.list", b"wood");
    project.write("m/tree.gltf", model("none.list").as_bytes());
    let (answer, again) = server.update();
    assert!(answer.len() == 1 && answer[0].contains("none.list"), "{answer:?}");
    assert_eq!(contents(&project, &again), contents(&project, &index));

    // A new model that depends on such a file has no entry.
    project.write("m/bush.gltf", model("none.list").as_bytes());
    let (answer, again) = server.update();
    assert_eq!(answer.iter().filter(|line| line.starts_with("failed\tm/")).count(), 2, "{answer:?}");
    assert!(!paths(&project, &again).contains(&"m/bush.gltf".to_owned()));
    server.end();
}

/// An edit of a file that shaders include reloads them, and a fault in it keeps their last good versions.
#[test]
fn an_included_file_reloads_the_shaders_that_include_it() {
    let project = built(&[
        ("assets.toml", b"[\"fx/*\"]\ntext = { shader = \"preprocess\" }\n"),
        ("fx/a.frag", b"#include \"../lib/c.glsl\"\na\n"),
        ("fx/b.frag", b"b\n"),
        ("lib/c.glsl", b"c\n"),
        ("b.list", b"x"),
    ]);
    let mut server = Server::start(&project);
    project.write("lib/c.glsl", b"other\n");
    let (answer, index) = server.update();
    assert_eq!(answer, ["changed\tfx/a.frag", "changed\tlib/c.glsl"]);
    assert!(contents(&project, &index)["fx/a.frag"].ends_with(b"other\na\n"));

    project.write("lib/c.glsl", b"#include \"none.glsl\"\n");
    let (answer, index) = server.update();
    assert!(answer[0].starts_with("failed\tfx/a.frag") && answer[0].contains("none.glsl"), "{answer:?}");
    assert!(contents(&project, &index)["fx/a.frag"].ends_with(b"other\na\n"));
    server.end();
}

/// A changed image moves the others of its atlas, and a broken one stays in it as it was.
#[cfg(feature = "image")]
#[test]
fn an_atlas_is_made_again_when_one_of_its_images_changes() {
    use super::atlas::bmp;

    let project = built(&[
        ("ui/a.bmp", &bmp(5, 3, [0, 0, 255])),
        ("ui/b.bmp", &bmp(2, 9, [0, 255, 0])),
        ("b.list", b"x"),
        ("assets.toml", b"[\"ui/*\"]\nimage = { atlas = \"ui\" }\n"),
    ]);
    let mut server = Server::start(&project);
    server.update();
    let kinds = |index: &Path| {
        let bytes = fs::read(index).unwrap();
        let index = PackView::parse(&bytes).unwrap().index().unwrap();
        let of = |entry: rres_format::index::Entry<'_>| (entry.path.to_owned(), entry.kind, entry.blob);
        let entries = index.entries().map(|entry| of(entry.unwrap()));
        entries.map(|(path, kind, blob)| (path, (kind, index.blob(blob)))).collect::<BTreeMap<_, _>>()
    };
    let (_, index) = server.update();
    let first = kinds(&index);
    assert_eq!(first["ui/a.bmp"].0, Some(AssetKind::Sprite));
    assert_eq!(first["ui.atlas"].0, Some(AssetKind::Image));

    project.write("ui/b.bmp", &bmp(7, 12, [0, 255, 0]));
    let (answer, index) = server.update();
    assert!(answer.iter().any(|line| line.contains("ui/b.bmp")), "{answer:?}");
    let second = kinds(&index);
    assert!(second["ui.atlas"].1 != first["ui.atlas"].1 && second["ui/b.bmp"].1 != first["ui/b.bmp"].1);

    // The image that was good goes into the atlas, not the one of its page.
    project.write("ui/b.bmp", b"BM broken");
    let (answer, index) = server.update();
    assert!(answer.iter().any(|line| line.contains("ui/b.bmp")), "{answer:?}");
    assert_eq!(kinds(&index), second);

    project.write("ui/b.bmp", &bmp(2, 9, [0, 255, 0]));
    let (_, index) = server.update();
    assert_eq!(kinds(&index), first);
    server.end();
}

#[test]
fn garbage_and_long_lines_are_unknown_requests() {
    let project = built(&sources_and_list());
    let mut server = Server::start(&project);
    let input = server.requests.as_mut().unwrap();
    input.write_all(b"\xff\xfe\0\x1b]0;pwned\x07\n").unwrap();
    input.write_all(&[b'x'; 3 << 20]).unwrap();
    input.write_all(b"\n\n").unwrap();
    let unknown = server.answer("unknown");
    assert!(unknown[0].len() < 1000, "{}", unknown[0].len());
    for _ in 0..3 {
        assert!(server.answer("unknown")[0].len() < 1000);
    }
    let (answer, _) = server.update();
    assert!(answer.iter().all(|line| !line.starts_with("failed")), "{answer:?}");
    server.end();
}
