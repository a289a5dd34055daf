//! The terminal as the browser needs it, and as it was before: put back when the browser ends, panics or is terminated.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};
use rres_packs::Error;

use crate::screen::{Palette, Screen};

/// A terminal in raw mode that shows its other screen.
pub(crate) struct Terminal {
    palette: Palette,
    /// What the terminal shows; `None` if that is not known.
    shown: Option<Screen>,
    is_terminated: Arc<AtomicBool>,
}

impl Terminal {
    /// Changes the mode of the terminal.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if standard input and output are not a terminal that can show a browser.
    pub(crate) fn open(palette: Palette) -> Result<Self, Error> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let why = match (io::stdin().is_terminal(), io::stdout().is_terminal()) {
            (_, false) => Some("standard output is not a terminal"),
            (false, true) => Some("standard input is not a terminal"),
            (true, true) => is_dumb.then_some("the terminal cannot move its cursor (TERM=dumb)"),
        };
        if let Some(why) = why {
            let text = format!("cannot show the browser: {why}; use `cargo rres ls` or `cargo rres info`");
            return Err(Error::Unavailable(text));
        }
        let is_terminated = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP, signal_hook::consts::SIGINT] {
            signal_hook::flag::register(signal, is_terminated.clone()).map_err(failed)?;
        }
        #[cfg(unix)]
        std::thread::spawn(end_with_the_terminal);
        // The message of a panic would be written to the other screen, and vanish with it.
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            restore();
            before(info);
        }));
        enable_raw_mode().map_err(failed)?;
        let terminal = Self { palette, shown: None, is_terminated };
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide, EnableMouseCapture).map_err(failed)?;
        Ok(terminal)
    }

    /// Whether a signal asks the program to end.
    pub(crate) fn is_terminated(&self) -> bool {
        self.is_terminated.load(Ordering::Relaxed)
    }

    /// Shows a screen, then the bytes of a picture on it.
    pub(crate) fn show(&mut self, screen: Screen, picture: &[u8]) -> Result<(), Error> {
        let mut bytes = screen.update(self.shown.as_ref(), self.palette);
        bytes.extend_from_slice(picture);
        let mut out = io::stdout().lock();
        out.write_all(&bytes).and_then(|()| out.flush()).map_err(failed)?;
        self.shown = Some(screen);
        Ok(())
    }

    /// Forgets what the terminal shows, so that the next screen is written as a whole.
    pub(crate) fn forget(&mut self) {
        self.shown = None;
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Ends the program when its terminal hangs up. Nothing else would: crossterm takes the end of its input for no input, and
/// reads again without a pause; and a program that does not lead its session gets no signal.
#[cfg(unix)]
fn end_with_the_terminal() {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    /// Not every system reports a hang-up to those who wait for it already.
    const TICK: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

    let stdin = io::stdin();
    loop {
        // It asks for no event; a hang-up is always reported.
        let mut ready = [PollFd::new(&stdin, PollFlags::empty())];
        match poll(&mut ready, Some(&TICK)) {
            Ok(_) if ready[0].revents().intersects(PollFlags::HUP | PollFlags::ERR) => {
                // As if writing to the terminal had failed. The other thread may never return from its read.
                std::process::exit(2);
            }
            // If a terminal cannot be polled, writing to it fails once it is gone.
            Ok(_) if ready[0].revents().contains(PollFlags::NVAL) => return,
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

/// Puts the terminal back. Doing it twice changes nothing.
fn restore() {
    // There is nobody to tell if the terminal is gone.
    drop(execute!(io::stdout(), DisableMouseCapture, cursor::Show, LeaveAlternateScreen));
    drop(disable_raw_mode());
}

pub(crate) fn failed(error: io::Error) -> Error {
    Error::Unavailable(format!("cannot use the terminal: {error}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::*;

    #[test]
    #[ignore = "the test below runs it in a terminal"]
    fn panic_in_a_terminal() {
        let terminal = Terminal::open(Palette::None).unwrap();
        assert!(terminal.is_terminated(), "the message of a panic");
    }

    #[test]
    fn a_panic_puts_the_terminal_back_and_its_message_stays() {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        let name = "terminal::tests::panic_in_a_terminal";
        command.args([name, "--exact", "--ignored", "--nocapture"]);
        command.env("TERM", "xterm");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut bytes = Vec::new();
        let mut output = pair.master.try_clone_reader().unwrap();
        // The end of a terminal is an error on Linux.
        let mut part = [0; 4096];
        while let Ok(count @ 1..) = output.read(&mut part) {
            bytes.extend_from_slice(&part[..count]);
        }
        assert!(!child.wait().unwrap().success());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(text.contains("\x1b[?1049h"), "it was opened: {text}");
        let (_, after) = text.split_once("\x1b[?1049l").unwrap();
        assert!(after.contains("the message of a panic"), "{text}");
        assert!(text.contains("\x1b[?25h"), "the cursor is shown: {text}");
        let flags = pair.master.get_termios().map(|attributes| format!("{:?}", attributes.local_flags));
        // Other systems than Linux forget them with the last user of the terminal.
        let is_known = flags.is_some() || !cfg!(target_os = "linux");
        assert!(is_known && flags.is_none_or(|flags| flags.contains("ICANON")), "raw mode");
    }
}
