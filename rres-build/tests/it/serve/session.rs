//! What a server is asked, and what it keeps to: the protocol, its memory, lock mode.

use super::*;

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

/// The peak memory of a process in bytes.
#[cfg(target_os = "linux")]
fn peak_memory(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "measures memory"]
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
            // Not raw files, which are copied by ranges.
            project.write(&format!("{i}.txt"), &vec![b'a' + i as u8; FILE]);
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
    assert_eq!((answer.len(), files[0]), (1, lock.to_str().unwrap().replace('\\', r"\\").as_str()));
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
    let assets = project.assets().display().to_string().replace('\\', r"\\");
    assert_eq!(answer, [format!("lock-is-off\t{assets}"), "locked\t\t".to_owned()]);
    server.end();
}
