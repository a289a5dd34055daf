//! A headless Chromium that tests click and type in, through the DevTools protocol over pipes. A test without Chromium is skipped
//! aloud; with `RRES_REQUIRE_TOOLS=1` it fails.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rres_test_support::{any_tool, wait};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A page in a browser of its own.
pub(crate) struct Browser {
    child: Child,
    commands: File,
    messages: Receiver<Value>,
    next: u64,
    session: Option<String>,
    /// What the page reported: exceptions, and errors such as what its policy has blocked.
    pub(crate) complaints: Vec<String>,
    has_loaded: bool,
    _dir: TempDir,
}

impl Browser {
    /// Starts a browser with a window of this size, or returns `None` if there is none on this machine.
    pub(crate) fn start(width: u32, height: u32) -> Option<Self> {
        let program = any_tool(&["chromium", "chromium-browser", "google-chrome", "chrome"])?;
        let dir = tempfile::tempdir().unwrap();
        let pipes = ["commands", "messages"].map(|name| dir.path().join(name));
        assert!(Command::new("mkfifo").args(&pipes).status().unwrap().success());
        // The browser reads commands from the file 3 and writes messages to the file 4; the shell can open these.
        let child = Command::new("sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<commands 4>messages",
                program,
                "--headless=new",
                "--remote-debugging-pipe",
            ])
            // Tests run as any user in containers. There is neither a sandbox nor a graphics card.
            .args(["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .args(["--autoplay-policy=user-gesture-required", "--no-first-run", "--disable-extensions"])
            .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
            .arg("about:blank")
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let commands = File::options().write(true).open(&pipes[0]).unwrap();
        let replies = BufReader::new(File::open(&pipes[1]).unwrap());
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in replies.split(0).map_while(Result::ok) {
                if sender.send(serde_json::from_slice(&message).unwrap_or_default()).is_err() {
                    return;
                }
            }
        });
        let complaints = Vec::new();
        let mut browser =
            Self { child, commands, messages, next: 0, session: None, complaints, has_loaded: false, _dir: dir };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let session = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(width, height);
        Some(browser)
    }

    /// Sends a command and returns its result.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut command = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).unwrap();
        loop {
            let message = self.message();
            if message["id"] == self.next {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    #[track_caller]
    fn message(&mut self) -> Value {
        let message = wait::receive(&self.messages);
        let entry = &message["params"]["entry"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.has_loaded = true,
            Some("Runtime.exceptionThrown") => self.complaints.push(message["params"].to_string()),
            Some("Log.entryAdded") if entry["level"] == "error" => self.complaints.push(entry.to_string()),
            // It waits for an answer, so it has to be one of the test's complaints.
            Some("Page.javascriptDialogOpening") => panic!("the page opened a dialog: {message}"),
            _ => {}
        }
        message
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Chooses the colours that the system asks pages for.
    pub(crate) fn set_dark(&mut self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Opens a file, and waits until it is loaded. `fragment` is what follows the `#` of the address.
    #[track_caller]
    pub(crate) fn open(&mut self, file: &Path, fragment: &str) {
        self.open_url("about:blank");
        self.open_url(&format!("file://{}#{fragment}", file.display()));
    }

    /// Opens an address, and waits until it is loaded.
    #[track_caller]
    pub(crate) fn open_url(&mut self, url: &str) {
        self.has_loaded = false;
        self.call("Page.navigate", json!({ "url": url }));
        while !self.has_loaded {
            self.message();
        }
    }

    /// Returns the value of an expression, after waiting for it if it is a promise.
    #[track_caller]
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {}", result["exceptionDetails"]);
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, expression: &str) {
        wait::until(expression, || {
            let is_true = self.eval(&format!("Boolean({expression})")) == true;
            let thrown = self.complaints.iter().find(|complaint| complaint.contains("exceptionDetails"));
            assert!(thrown.is_none(), "{thrown:?}");
            is_true
        });
    }

    /// Returns the text of an element.
    #[track_caller]
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let found = self.eval(&format!("document.querySelector({}).textContent", json!(selector)));
        found.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks into the middle of an element with the mouse.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        self.click_near(selector, 0.5);
    }

    /// Clicks at a share of the height of an element, once it no longer moves: a picture that is still decoded would
    /// push it from under the mouse.
    #[track_caller]
    pub(crate) fn click_near(&mut self, selector: &str, height: f64) {
        let place = self.eval(&format!(
            "(async () => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'nearest' }}); \
             for (let last = [];;) {{ \
               const r = e.getBoundingClientRect(); const place = [r.x + r.width / 2, r.y + r.height * {height}]; \
               if (place.every((at, axis) => at === last[axis])) return place; \
               last = place; await new Promise((then) => setTimeout(then, 40)); }} }})()",
            json!(selector)
        ));
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            let event = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": buttons, "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key, such as `Enter` or `a`.
    pub(crate) fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Backspace" => 8,
            "Escape" => 27,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key.chars().count() == 1 {
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", event);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }));
    }

    /// Types a text into the element that has the focus.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Returns a picture of the window, as PNG in base 64.
    pub(crate) fn screenshot(&mut self) -> String {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        shot["data"].as_str().unwrap_or_default().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
