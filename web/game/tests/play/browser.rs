//! Browsers without a graphics card.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Browser {
    Chromium,
    /// It draws with WebGL only on a display, so it gets one that nobody sees.
    Firefox,
}

/// What Firefox draws with if there is no graphics card, and pages that it should not open: its own, and ours a second time, hidden, for a small
/// picture of it.
const PREFERENCES: &str = r#"user_pref("webgl.force-enabled", true);
user_pref("gfx.webrender.software", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.pagethumbnails.capturing_disabled", true);
"#;

impl Browser {
    /// Returns a program that this machine lacks.
    pub(crate) fn missing(self) -> Option<&'static str> {
        let programs: &[_] = match self {
            Self::Chromium => &["chromium"],
            Self::Firefox => &["firefox", "Xvfb"],
        };
        let starts = |program: &str| {
            let mut command = Command::new(program);
            // Each of them knows one of these.
            let argument = if program == "Xvfb" { "-help" } else { "--version" };
            command.arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        programs.iter().copied().find(|program| !starts(program))
    }

    /// Opens a page. `profile` is where the browser keeps what pages keep.
    pub(crate) fn open(self, profile: &Path, url: &str) -> Running {
        let mut command = match self {
            Self::Chromium => {
                let mut command = Command::new("chromium");
                command.args(["--headless", "--no-sandbox", "--no-first-run", "--window-size=1280,800"]);
                command.args(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
                command.arg(format!("--user-data-dir={}", profile.display()));
                command
            }
            Self::Firefox => {
                fs::write(profile.join("user.js"), PREFERENCES).unwrap();
                let mut command = Command::new("xvfb-run");
                command.args(["-a", "-s", "-screen 0 1280x800x24", "firefox", "--no-remote", "--profile"]).arg(profile);
                command.env("LIBGL_ALWAYS_SOFTWARE", "1");
                command
            }
        };
        // A group of its own, so that the processes that it starts end with it.
        Running(command.arg(url).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn().unwrap())
    }
}

/// A running browser; it ends with this value.
pub(crate) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
        let _ = self.0.wait();
    }
}
