//! A disk that is full, and clocks that are wrong.
//!
//! A build runs in a process of its own: this test program, started for its test [`build`] alone, by a command that changes what it finds.
#![cfg(target_os = "linux")]

use std::process::Command;

use rres_remote_cache::Config;
use rres_test_support::has_tools;

use crate::server::Server;
use crate::{Machine, read, reader, writer};

/// The variables with the directory of the machine and the address of the store.
const DIR: &str = "RRES_TEST_MACHINE";
const ADDRESS: &str = "RRES_TEST_STORE";

/// The build of the started process.
#[test]
#[ignore = "run by the tests of this file, in a process of its own"]
#[expect(clippy::print_stdout, reason = "the test that started the process reads it")]
fn build() {
    let (Ok(dir), Ok(address)) = (std::env::var(DIR), std::env::var(ADDRESS)) else { return };
    let mut config = Config::new(&address);
    config.writes = true;
    let machine = Machine::at(dir.into(), config);
    match machine.try_build() {
        Ok((_, used)) => println!("\nended {}", used.map(|used| used.to_string()).unwrap_or_default()),
        Err(error) => println!("\nfailed {}", error.replace('\n', " ")),
    }
}

impl Machine {
    /// Builds in a process that a command line starts. Returns the pack, and what the build says of the store.
    fn build_under(&self, command: &[&str], address: &str) -> (Vec<u8>, String) {
        let output = Command::new(command[0])
            .args(&command[1..])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "surroundings::build", "--ignored", "--nocapture", "--test-threads=1"])
            .env(DIR, self.path())
            .env(ADDRESS, address)
            .output()
            .unwrap();
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        let ended = out.lines().find_map(|line| line.strip_prefix("ended "));
        let ended = ended.unwrap_or_else(|| panic!("{out}\n{}", String::from_utf8_lossy(&output.stderr)));
        (read(&self.path().join("out/game.rres")), ended.to_owned())
    }
}

#[test]
fn a_full_disk_harms_no_build_and_no_store() {
    if !has_tools(&["bwrap"]) {
        return;
    }
    let server = Server::start();
    let first = writer(&server.address());
    first.write_files(40);
    let (pack, _) = first.build();
    // What is read, and what is added.
    for (files, full) in [(40, "cache"), (40, "remote"), (60, "cache"), (60, "remote")] {
        let machine = writer(&server.address());
        machine.write_files(files);
        let right = match files {
            40 => pack.clone(),
            _ => {
                let alone = writer(&Server::start().address());
                alone.write_files(files);
                alone.build().0
            }
        };
        let dir = machine.path().join(full);
        std::fs::create_dir_all(&dir).unwrap();
        let dir = dir.to_str().unwrap();
        // Half of the blobs have room.
        let disk = ["bwrap", "--dev-bind", "/", "/", "--size", "40960", "--tmpfs", dir];
        let (found, said) = machine.build_under(&disk, &server.address());
        assert!(found == right, "{files} files, {full}: {said}");
        let last = reader(&server.address());
        last.write_files(files);
        let (found, used) = last.build();
        let used = used.unwrap();
        assert!(found == right && used.damaged == 0, "after {files} files, {full}: {used}");
    }
}

#[test]
fn a_clock_that_is_wrong_harms_no_build() {
    if !has_tools(&["faketime"]) {
        return;
    }
    let server = Server::start();
    let first = writer(&server.address());
    first.write_files(10);
    let (pack, _) = first.build();
    for clock in ["-4000d", "+4000d", "1970-01-02 00:00:00"] {
        let machine = writer(&server.address());
        machine.write_files(10);
        let (found, said) = machine.build_under(&["faketime", "-f", clock], &server.address());
        assert!(found == pack, "{clock}: {said}");
        assert!(said.contains("10 of 10"), "{clock}: {said}");
        // What it adds, others read.
        machine.write("late.bin", clock);
        machine.build_under(&["faketime", "-f", clock], &server.address());
        let last = reader(&server.address());
        last.write_files(10);
        last.write("late.bin", clock);
        let used = last.build().1.unwrap();
        assert_eq!((used.fetched, used.damaged), (11, 0), "{clock}: {used}");
    }
}
