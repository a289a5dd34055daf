//! Small files that unfold: what is refused, in how much memory, and that other files are not hurt by it.

use rres_test_support::is_nightly;

use super::super::Project;
use super::child::{self, Ended};

/// The memory in MiB that a build without images or sounds takes here.
const EMPTY_BUILD: u64 = 40;

/// A file that is hostile, and what is expected of it.
pub(super) struct Bomb {
    pub(super) path: &'static str,
    pub(super) bytes: Vec<u8>,
    /// What the error has to contain; `None` if the file is fine, or either is fine.
    pub(super) refusal: Option<&'static str>,
    /// The memory in MiB that its import may take.
    pub(super) memory: u64,
}

impl Bomb {
    /// A file that is refused in next to no memory.
    pub(super) fn refused(path: &'static str, bytes: impl Into<Vec<u8>>, refusal: &'static str) -> Self {
        Self { path, bytes: bytes.into(), refusal: Some(refusal), memory: 32 }
    }

    /// A file that may be good or bad, and takes next to no memory.
    pub(super) fn harmless(path: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { refusal: None, ..Self::refused(path, bytes, "") }
    }
}

/// Builds each file in a process of its own, with these settings and a good file beside it.
#[track_caller]
#[allow(clippy::print_stderr, reason = "the figures of docs/security.md")]
pub(super) fn defuse(settings: &str, bombs: Vec<Bomb>) {
    let mut faults = Vec::new();
    for Bomb { path, bytes, refusal, memory } in bombs {
        let project = Project::new(&[(path, &bytes), ("good.txt", b"good"), ("assets.toml", settings.as_bytes())]);
        let started = std::time::Instant::now();
        let Ended { error, peak } = child::run(&project, "");
        if std::env::var_os("RRES_HOSTILE_SHOW").is_some() {
            eprintln!("{path}: {:?}, {peak} MiB: {error:?}", started.elapsed());
        }
        if let Some(error) = &error {
            let is_named = error.contains(&format!("{}: ", project.place(path))) && !error.contains("good.txt");
            let is_right = refusal.is_none_or(|refusal| error.contains(refusal));
            // Such limits are for what no other limit catches, and depend on the machine.
            let is_own_limit = !error.contains("cannot be had") && !error.contains("decoder failed");
            if !is_named || !is_right || !is_own_limit {
                faults.push(format!("{path}: expected {refusal:?}: {error}"));
            }
        } else if let Some(refusal) = refusal {
            faults.push(format!("{path} is accepted, expected: {refusal}"));
        }
        if is_nightly() && peak > EMPTY_BUILD + memory {
            faults.push(format!("{path} takes {peak} MiB, expected {EMPTY_BUILD} + {memory}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn texts_and_raw_files() {
    let deep = "[".repeat(200_000);
    let wide = [b"\xff\xfe".as_slice(), &[b'a', 0].repeat(1 << 20)].concat();
    defuse(
        "",
        vec![
            Bomb::harmless("deep.json", deep.as_bytes()),
            Bomb::harmless("wide.txt", wide),
            Bomb::harmless("line.txt", b"x".repeat(1 << 20)),
            Bomb::harmless("zero.txt", vec![0; 1 << 20]),
        ],
    );
}

#[test]
fn settings() {
    let cases: Vec<(String, &str)> = vec![
        (format!("x = {}", "[".repeat(100_000)), "assets.toml:1:"),
        (format!("x{}", ".x".repeat(100_000)), "assets.toml:1:"),
        (format!("[\"{}\"]\nlevel = 3\n", "{a,b}".repeat(40)), "assets.toml:1:"),
        (format!("[\"{}b\"]\nlevel = 3\n", "*a".repeat(200)), "matches no file"),
        (format!("[\"{}b\"]\nlevel = 3\n", "**/".repeat(200)), "matches no file"),
        (format!("[\"{}\"]\nlevel = 3\n", "[a-z]".repeat(10_000)), "assets.toml:1:"),
        (
            format!("[target.'cfg({}unix{})'.\"*\"]\nlevel = 3\n", "not(".repeat(50_000), ")".repeat(50_000)),
            "assets.toml:",
        ),
        (format!("[target.'cfg({}'.\"*\"]\nlevel = 3\n", "all(".repeat(50_000)), "assets.toml:"),
        ("[\"*\"]\nlevel = 99999999999999999999999\n".to_owned(), "assets.toml:2:"),
        ("[budget]\ntotal = \"99999999999999999999999999 GB\"\n".to_owned(), "assets.toml:2:"),
        (format!("{}\n", "[\"*\"]\nlevel = 3\n".repeat(5_000)), "assets.toml:"),
    ];
    let name = format!("{}.txt", "a".repeat(200));
    let mut faults = Vec::new();
    for (settings, refusal) in cases {
        let project = Project::new(&[(&name, b"x"), ("assets.toml", settings.as_bytes())]);
        let Ended { error, peak } = child::run(&project, "");
        let head: String = settings.chars().take(40).collect();
        if !error.as_ref().is_some_and(|error| error.contains(refusal)) {
            let error: String = error.unwrap_or_default().chars().take(300).collect();
            faults.push(format!("{head}: expected {refusal}: {error}"));
        } else if peak > EMPTY_BUILD + 64 {
            faults.push(format!("{head}: {peak} MiB"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
