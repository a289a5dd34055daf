//! Games as a developer ships them for browsers, with a page that tells the test what happens.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rres_test_server::Server;

use super::is_pack;

/// Added to the page of the game.
const SPY: &str = r#"<script>
const post = (path, text) => fetch(path, { method: "POST", body: text });
for (const level of ["info", "log"]) {
  const old = console[level];
  console[level] = (...words) => { old(...words); if (/loaded |reload: /.test(words.join(" "))) post("/loaded", words.join(" ")); };
}
const oldError = console.error;
console.error = (...words) => { oldError(...words); post("/error", words.join(" ")); };
addEventListener("error", event => post("/error", event.message));
addEventListener("unhandledrejection", event => post("/error", String(event.reason)));
// The picture must be taken in the frame that has drawn it.
const oldFrame = window.requestAnimationFrame.bind(window);
let asked = false;
let drawn = false;
window.requestAnimationFrame = callback => oldFrame(time => {
  callback(time);
  if (!drawn) { drawn = true; post("/frame", ""); }
  if (asked) { asked = false; post("/picture", document.querySelector("canvas").toDataURL()); }
});
window.key = (code, keyCode) => {
  for (const kind of ["keydown", "keyup"]) {
    const event = new KeyboardEvent(kind, { code, key: code, keyCode, bubbles: true });
    setTimeout(() => document.querySelector("canvas").dispatchEvent(event), kind == "keyup" ? 200 : 0);
  }
};
(async () => {
  for (;;) {
    // A page that loads itself again ends what it has asked for.
    const command = await fetch("/command?" + Math.random()).then(response => response.text(), () => "none");
    if (command == "picture") asked = true;
    if (command == "enter") window.key("Enter", 13);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
})();
</script>
"#;

/// What `cargo rres ship --web` makes of a game: the files by path, page, program, scripts and pack.
pub(crate) struct Shipped(Vec<(String, Vec<u8>)>);

/// The example game, in macroquad.
pub(crate) fn game() -> &'static Shipped {
    static GAME: OnceLock<Shipped> = OnceLock::new();
    GAME.get_or_init(|| Shipped::new("example-game", &[]))
}

/// The example in Bevy.
pub(crate) fn in_bevy() -> &'static Shipped {
    static GAME: OnceLock<Shipped> = OnceLock::new();
    GAME.get_or_init(|| Shipped::new("rres-bevy-example", &["--manifest-path", "engines/bevy/Cargo.toml"]))
}

impl Shipped {
    fn new(package: &str, options: &[&str]) -> Self {
        let out = tempfile::tempdir().unwrap();
        let status = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "-p", "cargo-rres", "--", "rres", "ship", "--web", "-p", package])
            .args(options)
            .args(["--target-dir".as_ref(), "target/web".as_ref(), "--out".as_ref(), out.path().as_os_str()])
            .current_dir(root())
            // Of this test's own package.
            .env_remove("CARGO_TARGET_DIR")
            .status()
            .unwrap();
        assert!(status.success(), "cargo rres ship --web");
        let dir = out.path().join(format!("{package}-web"));
        let mut files = files_below(&dir, "/");
        let page = &mut files.iter_mut().find(|(path, _)| path == "/index.html").expect("a page").1;
        *page = String::from_utf8_lossy(page).replacen("<script", &format!("{SPY}<script"), 1).into();
        // The copy is of the page without the additions.
        files.retain(|(path, _)| path != "/index.html.gz");
        files.push(("/favicon.ico".into(), Vec::new()));
        Self(files)
    }

    /// The path of the pack and its bytes.
    fn path_and_pack(&self) -> &(String, Vec<u8>) {
        self.0.iter().find(|(path, _)| is_pack(path)).expect("a pack")
    }

    /// The bytes of the pack.
    pub(crate) fn pack(&self) -> &[u8] {
        &self.path_and_pack().1
    }

    /// The directory of the program and the scripts.
    pub(crate) fn build(&self) -> &str {
        let path = self.0.iter().find_map(|(path, _)| path.strip_suffix("/game.wasm"));
        path.and_then(|path| path.strip_prefix('/')).expect("a program")
    }

    fn file(&self, path: &str) -> &[u8] {
        &self.0.iter().find(|(known, _)| known == path).unwrap_or_else(|| panic!("{path} is shipped")).1
    }

    /// Returns the page of a build with the same contents and another name.
    pub(crate) fn page_of(&self, build: &str) -> Vec<u8> {
        String::from_utf8_lossy(self.file("/index.html")).replace(self.build(), build).into()
    }

    /// Returns the program and the scripts of that build.
    pub(crate) fn files_of(&self, build: &str) -> impl Iterator<Item = (String, Vec<u8>)> {
        let own = format!("/{}/", self.build());
        self.0.iter().filter_map(move |(path, content)| {
            Some((format!("/{build}/{}", path.strip_prefix(&own)?), content.clone()))
        })
    }

    /// Serves the pack, and everything else, on a server each.
    pub(crate) fn serve_apart(&self) -> (Server, Server) {
        let (path, pack) = self.path_and_pack();
        let packs = Server::start([(path.as_str(), pack.clone())]);
        let server = self.serve();
        let name = path.trim_start_matches('/');
        let start = format!("/{}/start.js", self.build());
        let script = String::from_utf8_lossy(self.file(&start)).replace(name, &packs.url(path));
        assert!(script.contains(&packs.url(path)), "{script}");
        server.set_file(&start, script.into());
        // The copy is of the script as it was.
        server.remove_file(&format!("{start}.gz"));
        (server, packs)
    }

    pub(crate) fn serve(&self) -> Server {
        Server::start(self.0.iter().map(|(path, content)| (path.as_str(), content.clone())))
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files of a directory, by path from its top.
pub(crate) fn files_below(dir: &Path, top: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    let files = entries.flat_map(|entry| {
        let path = format!("{top}{}", entry.file_name().to_str().unwrap());
        match entry.path().is_dir() {
            true => files_below(&entry.path(), &format!("{path}/")),
            false => vec![(path, fs::read(entry.path()).unwrap())],
        }
    });
    files.collect()
}
