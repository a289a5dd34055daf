//! The browser in a pseudo-terminal, and what that terminal shows.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rres_test_support::wait;
use vt100::Parser;

use crate::Sandbox;

/// Returns `cargo rres view` with these arguments, for a terminal that says nothing of itself.
fn command(sandbox: &Sandbox, args: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_cargo-rres"));
    command.args(["view"].iter().chain(args));
    command.cwd(sandbox.dir.path());
    for name in ["NO_COLOR", "TMUX", "STY", "KITTY_WINDOW_ID", "TERM_PROGRAM", "COLORTERM", "WT_SESSION"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command
}

/// Starts the browser, closes its terminal after it has written `shown`, and asserts that the browser ends.
///
/// With `leads`, the terminal belongs to the browser's session, and closing it sends a signal. Nobody reads what the browser
/// writes afterwards.
#[track_caller]
pub(super) fn assert_ends_with_its_terminal(sandbox: &Sandbox, leads: bool, shown: &str) {
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = command(sandbox, &["game.rres"]);
    command.set_controlling_tty(leads);
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut output = pair.master.try_clone_reader().unwrap();
    let mut bytes = Vec::new();
    while !String::from_utf8_lossy(&bytes).contains(shown) {
        let mut part = [0; 4096];
        let count = output.read(&mut part).expect("the browser has ended");
        bytes.extend_from_slice(&part[..count]);
    }
    drop((output, pair.master));
    let what = format!("the browser ends with its terminal, after {shown:?}, leads: {leads}");
    wait::until(&what, || child.try_wait().unwrap().is_some());
}

/// A running browser.
pub(super) struct Session {
    master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// What the terminal shows, and every byte that it was sent.
    shown: Arc<Mutex<(Parser, Vec<u8>)>>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Session {
    /// Starts `cargo rres view` with these arguments in a terminal of `columns` × `rows`.
    pub(super) fn start(sandbox: &Sandbox, args: &[&str], columns: u16, rows: u16) -> Self {
        Self::start_with(sandbox, args, columns, rows, &[("COLORTERM", "truecolor")])
    }

    pub(super) fn start_with(
        sandbox: &Sandbox,
        args: &[&str],
        columns: u16,
        rows: u16,
        variables: &[(&str, &str)],
    ) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: columns * 8, pixel_height: rows * 16 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = command(sandbox, args);
        variables.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let shown = Arc::new(Mutex::new((Parser::new(rows, columns, 0), Vec::new())));
        let mut output = pair.master.try_clone_reader().unwrap();
        let reader = std::thread::spawn({
            let shown = shown.clone();
            move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = output.read(&mut bytes) {
                    let (parser, all) = &mut *shown.lock().unwrap();
                    parser.process(&bytes[..count]);
                    all.extend_from_slice(&bytes[..count]);
                }
            }
        });
        let input = pair.master.take_writer().unwrap();
        Self { master: pair.master, input, child, shown, reader: Some(reader) }
    }

    /// Types keys, as the bytes that a terminal sends.
    pub(super) fn keys(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    pub(super) fn resize(&mut self, columns: u16, rows: u16) {
        // In a terminal of a few cells, vt100 overflows. What the command draws there fits a larger one, too.
        self.shown.lock().unwrap().0.screen_mut().set_size(rows.max(5), columns.max(20));
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Returns what the terminal shows, without blanks at the ends of lines.
    pub(super) fn text(&self) -> String {
        let text = self.shown.lock().unwrap().0.screen().contents();
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// Calls `view` with what the terminal shows.
    pub(super) fn screen<T>(&self, view: impl FnOnce(&vt100::Screen) -> T) -> T {
        view(self.shown.lock().unwrap().0.screen())
    }

    /// Returns every byte that the terminal was sent.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.shown.lock().unwrap().1.clone()
    }

    /// Waits until the terminal shows every one of `texts`, and returns how long it took.
    #[track_caller]
    pub(super) fn wait_for(&self, texts: &[&str]) -> Duration {
        self.wait_until(&format!("{texts:?}"), |text| texts.iter().all(|part| text.contains(part)))
    }

    #[track_caller]
    pub(super) fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) -> Duration {
        let start = Instant::now();
        while !holds(&self.text()) {
            assert!(start.elapsed() < wait::LIMIT, "waited for {what}; the terminal shows:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
        start.elapsed()
    }

    /// Waits until the browser has nothing left to do, and returns what the terminal shows: it wrote nothing and none of its threads
    /// ran or wanted to run, for longer than it waits before it makes a preview.
    pub(super) fn settled(&self) -> String {
        let mut before = self.bytes().len();
        let mut idle = 0;
        while idle < 50 {
            std::thread::sleep(Duration::from_millis(5));
            let now = self.bytes().len();
            idle = if now == before && self.is_asleep() { idle + 1 } else { 0 };
            before = now;
        }
        self.text()
    }

    /// Whether every thread of the browser sleeps. A thread that waits for a free processor does not.
    fn is_asleep(&self) -> bool {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process_id()));
        let state = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The state follows the name of the program, which is in parentheses. Systems without this directory are not loaded.
        let sleeps = |stat: String| stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('S'));
        threads.map_or(true, |threads| threads.flatten().map(state).all(sleeps))
    }

    /// Sends a signal to the browser, by the name that `kill` has for it.
    pub(super) fn signal(&self, name: &str) {
        let id = self.process_id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    pub(super) fn process_id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits for the end of the browser, and asserts that the terminal is as it was before.
    #[track_caller]
    pub(super) fn ended(mut self) -> (ExitStatus, Vec<u8>) {
        wait::until("the browser ends", || self.child.try_wait().unwrap().is_some());
        let status = self.child.wait().unwrap();
        let attributes = self.master.get_termios();
        drop((self.input, self.master));
        self.reader.take().unwrap().join().unwrap();
        let (parser, bytes) = &*self.shown.lock().unwrap();
        let screen = parser.screen();
        assert!(!screen.alternate_screen(), "the terminal still shows its other screen");
        assert!(!screen.hide_cursor(), "the cursor is still hidden");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is still captured");
        // Other systems than Linux forget them with the last user of the terminal.
        let flags = attributes.map(|attributes| format!("{:?}", attributes.local_flags));
        let is_known = flags.is_some() || !cfg!(target_os = "linux");
        assert!(is_known && flags.is_none_or(|flags| flags.contains("ICANON") && flags.contains("ECHO")), "raw mode");
        (status, bytes.clone())
    }
}
