//! `cargo rres watch` as a process of its own: it rebuilds, survives faults, and leaves nothing behind when it is interrupted.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use rres_test_support::wait;

use super::Sandbox;

pub(super) struct Watch {
    child: Child,
    /// The lines of standard output and standard error, in the order of each.
    lines: Receiver<String>,
}

impl Watch {
    pub(super) fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        Self::of(sandbox.command(), args)
    }

    pub(super) fn of(mut command: Command, args: &[&str]) -> Self {
        // One pipe for both streams, so that their lines come in the order of writing.
        let (output, writer) = std::io::pipe().unwrap();
        command.arg("watch").args(args).stdout(writer.try_clone().unwrap()).stderr(writer);
        let child = command.spawn().unwrap();
        drop(command);
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { child, lines }
    }

    /// Waits for a line that contains `part`, and returns it.
    pub(super) fn expect(&self, part: &str) -> String {
        self.lines_until(part).pop().expect("the line is among them")
    }

    /// Waits for a line that contains `part`, and returns it after the lines before it.
    pub(super) fn lines_until(&self, part: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(wait::LIMIT).unwrap_or_else(|e| panic!("{e}: no {part:?} in {seen:#?}"));
            let is_it = line.contains(part);
            seen.push(line);
            if is_it {
                return seen;
            }
        }
    }

    /// Ends it by a signal. It is not the signal of Ctrl-C: programs that a shell starts in the background ignore it, tests among them.
    /// Windows has no signals, and ends it as the signal would.
    fn interrupt(mut self) -> std::process::ExitStatus {
        if cfg!(windows) {
            self.child.kill().unwrap();
            return self.child.wait().unwrap();
        }
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        self.child.wait().unwrap()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cat(sandbox: &Sandbox) -> String {
    sandbox.run(["cat", "out/game.rres", "a.txt"]).success().out
}

#[test]
fn every_change_is_in_the_pack_and_a_fault_leaves_the_pack_as_it_was() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"one");
    sandbox.write("assets/b.bin", &[7; 3000]);
    let watch = Watch::start(&sandbox, &["assets", "-o", "out/game.rres"]);
    watch.expect("2 assets: 0 cached, 2 imported");
    watch.expect("watching");
    assert_eq!(cat(&sandbox), "one");

    sandbox.write("assets/a.txt", b"two");
    assert_eq!(watch.expect("changed"), "changed  a.txt");
    // Only what has changed is imported.
    watch.expect("2 assets: 1 cached, 1 imported");
    watch.expect("assets.rs");
    assert_eq!(cat(&sandbox), "two");

    let before = sandbox.read("out/game.rres");
    sandbox.write("assets/bad.txt", b"\xff\xff\xff\x81");
    watch.expect("added    bad.txt");
    watch.expect("bad.txt: ");
    watch.expect("stays as it was");
    assert_eq!(sandbox.read("out/game.rres"), before);

    sandbox.write("assets/assets.toml", b"[\"bad.txt\"]\nignore = true\n[\"a.txt\"]\nmax_size = 1\n");
    watch.expect("added    assets.toml");
    watch.expect("`max_size` of \"a.txt\" allows 1 B");
    watch.expect("2 assets: 2 cached");
    std::fs::remove_file(sandbox.path("assets/b.bin")).unwrap();
    watch.expect("removed  b.bin");
    watch.expect("1 asset: ");
    watch.expect("assets.rs");
    assert_eq!(sandbox.run(["ls", "out/game.rres", "a.txt"]).success().code, 0);
    sandbox.run(["cat", "out/game.rres", "b.bin"]).failed(2, &["no resource"]);

    assert!(!watch.interrupt().success(), "it ends by the signal");
    let names = std::fs::read_dir(sandbox.path("out")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["assets.rs", "game.rres"]);
}

/// `cargo rres watch … | head -1` ends with the next change.
#[test]
fn it_ends_when_nobody_reads_any_more() {
    let sandbox = Sandbox::new();
    sandbox.write("assets/a.txt", b"one");
    let mut command = sandbox.command();
    command.args(["watch", "assets", "-o", "out"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    drop(child.stdout.take());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.starts_with("watching "), "{line}");
    sandbox.write("assets/a.txt", b"two");
    wait::until("it ends", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_directory_that_does_not_exist_is_a_usage_error() {
    Sandbox::new().run(["watch", "none", "-o", "out"]).failed(2, &["none: no such directory"]);
}
