//! The page of `cargo rres report` in a browser, with clicks and keys.

mod blocks;
mod map;
mod words;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Sandbox;
use crate::browser::Browser;
use crate::packs::{raw, text};
use crate::report::pack_of;

/// Assets of the example game, which have every kind of preview.
const ASSETS: [&str; 12] = [
    "data/palette.json",
    "data/gusts.dat",
    "fonts/Quicksand-Medium.ttf",
    "models/crystal.bin",
    "models/crystal.gltf",
    "models/crystal.png",
    "shaders/light.fs",
    "sound/click.wav",
    "sound/wind.ogg",
    "ui/heart.png",
    "world/moon.dds",
    "world/spark.png",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Makes a page of some assets of the example game.
fn page_of_assets(sandbox: &Sandbox) -> PathBuf {
    for name in ASSETS {
        sandbox.write(&format!("game/{name}"), &std::fs::read(repository().join("assets").join(name)).unwrap());
    }
    sandbox.write("game/ui/heart-copy.png", &std::fs::read(repository().join("assets/ui/heart.png")).unwrap());
    // Chinese characters and spaces are ordinary in names.
    sandbox.write("game/文本/hello world.txt", "你好\n".as_bytes());
    sandbox.write(
        "game/assets.toml",
        b"[group.menu]\ninclude = \"ui/**\"\n[\"models/*.bin\"]\nignore = true\n\
        [\"ui/heart-copy.png\"]\ncompression = \"lz4\"\n",
    );
    sandbox.run(["report", "game", "--previews", "full"]).success();
    sandbox.path("report.html")
}

/// Opens a page and one of its assets.
#[track_caller]
fn open_asset(browser: &mut Browser, page: &Path, asset: &str) {
    browser.open(page, &asset.replace('/', "%2F"));
    browser.wait_for("document.querySelector('#detail h2')");
    assert_eq!(browser.text("#detail h2"), asset);
}

/// The names in the lines of the table, from the top.
fn names(browser: &mut Browser) -> Vec<String> {
    let names = browser.eval(
        "[...document.querySelectorAll('.grid-row')].sort((a, b) => a.offsetTop - b.offsetTop)\
         .map((row) => row.querySelector('.cell-path').textContent)",
    );
    names.as_array().unwrap().iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

const FOCUSED: &str = "document.activeElement.getAttribute('aria-label') ?? ''";

/// Presses the button that shows blocks.
const PRESS_BLOCKS: &str =
    "[...document.querySelectorAll('.tools button')].find((b) => b.textContent === 'blocks').click()";

#[test]
#[ignore = "long: clicks in a browser"]
fn the_map_zooms_with_clicks_and_keys_and_opens_assets() {
    let Some(mut browser) = Browser::start(1300, 800) else { return };
    let sandbox = Sandbox::new();
    browser.open(&page_of_assets(&sandbox), "");
    let tiles = browser.eval("document.querySelectorAll('#map [role=treeitem]').length").as_u64().unwrap();
    assert!(tiles > 10, "{tiles}");
    // A click on a folder's name makes it the whole map; Backspace leads back to it.
    browser.click_near("[data-key='folder:world']", 0.01);
    browser.wait_for("document.querySelectorAll('#crumbs li').length === 2");
    let labels = "[...document.querySelectorAll('#map .tile')].map((tile) => tile.ariaLabel).join('|')";
    let shown = browser.eval(labels).as_str().unwrap().to_owned();
    assert!(shown.contains("world/moon.dds, image, 24.0 kB") && !shown.contains("heart"), "{shown}");
    browser.press("Backspace");
    browser.wait_for("document.querySelectorAll('#crumbs li').length === 1");
    let focused = browser.eval(FOCUSED);
    assert!(focused.as_str().unwrap().starts_with("folder world, 2 assets, "), "{focused}");
    // Arrow keys move to other tiles, Enter opens.
    browser.press("ArrowDown");
    let focused = browser.eval(FOCUSED).as_str().unwrap().to_owned();
    assert!(!focused.starts_with("folder world,") && focused.contains('%'), "{focused}");
    browser.click("[data-key='asset:world/moon.dds']");
    assert_eq!(browser.text("#detail h2"), "world/moon.dds");
    assert_eq!(browser.eval("decodeURIComponent(location.hash)"), "#world/moon.dds");
    browser.press("Escape");
    browser.wait_for("!document.querySelector('#detail h2')");
    // By kind, each kind is a folder.
    browser.eval(
        "const by = document.querySelector('#map-group'); by.value = 'kind'; by.dispatchEvent(new Event('change'))",
    );
    browser.wait_for("document.querySelector(\"[data-key='folder:sound']\")");
    // What is not shown takes no room.
    browser.click("#kinds button:nth-child(2)");
    browser.wait_for("!document.querySelector(\"[data-key='folder:image']\")");
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn the_table_sorts_searches_and_moves_with_5000_assets() {
    let Some(mut browser) = Browser::start(1300, 800) else { return };
    let sandbox = Sandbox::new();
    let pack = pack_of((0..5000).map(|i| raw(&format!("folder-{}/file-{i:04}.bin", i % 50), &vec![b'x'; 40 + i * 16])));
    sandbox.write("many.rres", &pack);
    sandbox.run(["report", "many.rres"]).success();
    browser.open(&sandbox.path("report.html"), "");
    browser.press("2");
    browser.wait_for("document.querySelector('.grid-row')");
    let lines = names(&mut browser);
    assert!(lines.len() < 60, "{} lines are elements", lines.len());
    assert_eq!(lines[0], "folder-49/file-4999.bin", "the largest is first");
    browser.click("[data-key=name] button");
    assert_eq!(browser.eval("document.querySelector('[data-key=name]').ariaSort"), "ascending");
    assert_eq!(names(&mut browser)[0], "folder-0/file-0000.bin");
    assert_eq!(names(&mut browser)[1], "folder-0/file-0050.bin");
    // To the end and back, with the keys.
    browser.click(".grid-row");
    browser.press("End");
    let focused = "document.activeElement.querySelector('.cell-path').textContent";
    assert_eq!(browser.eval(focused), "folder-49/file-4999.bin");
    browser.press("ArrowUp");
    assert_eq!(browser.eval(focused), "folder-49/file-4949.bin");
    assert_eq!(browser.eval("document.activeElement.getAttribute('aria-rowindex')"), "5000");
    browser.press("Enter");
    browser.wait_for("document.querySelector('#detail h2')?.textContent === 'folder-49/file-4949.bin'");
    // The search finds all of its words; Enter leads to what it found.
    browser.press("Escape");
    browser.press("/");
    browser.type_text("file-12 folder-7/");
    browser.wait_for("document.querySelector('#shown').textContent.startsWith('2 assets of 5,000')");
    browser.press("Enter");
    assert_eq!(names(&mut browser), ["folder-7/file-1207.bin", "folder-7/file-1257.bin"]);
    assert_eq!(browser.eval(focused), "folder-7/file-1207.bin");
    // The table has the columns of rrespacker's list.
    let heads = browser.eval("[...document.querySelectorAll('[role=columnheader]')].map((head) => head.textContent)");
    for column in ["Num", "Name", "Id", "Type", "Raw", "Compression", "Encryption", "Linked", "Size"] {
        assert!(heads.as_array().unwrap().contains(&json!(column)), "{column}: {heads}");
    }
    assert_eq!(browser.complaints, [""; 0]);
}

/// Returns how many pixels of a canvas differ from transparent.
fn painted(browser: &mut Browser, selector: &str) -> u64 {
    let pixels = browser.eval(&format!(
        "(() => {{ const c = document.querySelector({}); const copy = document.createElement('canvas'); copy.width = c.width; \
         copy.height = c.height; const x = copy.getContext('2d'); x.drawImage(c, 0, 0); \
         return x.getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v > 0).length; }})()",
        json!(selector)
    ));
    pixels.as_u64().unwrap_or_default()
}

#[test]
#[ignore = "long: clicks in a browser"]
fn a_sprite_is_shown_as_the_picture_that_was_put_into_the_atlas() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let heart = std::fs::read(repository().join("assets/ui/heart.png")).unwrap();
    sandbox.write("game/ui/heart.png", &heart);
    sandbox.write("game/alone.png", &heart);
    sandbox.write("game/assets.toml", b"[\"ui/*\"]\nimage = { atlas = \"ui\" }\n");
    sandbox.run(["report", "game", "--previews", "full"]).success();
    let mut shown = ["ui/heart.png", "alone.png"].map(|asset| {
        open_asset(&mut browser, &sandbox.path("report.html"), asset);
        browser.wait_for("document.querySelector('.preview .note').textContent !== ''");
        browser.eval("document.querySelector('.preview canvas').toDataURL()")
    });
    assert!(painted(&mut browser, ".preview canvas") > 100);
    assert_eq!(shown[0].take(), shown[1].take());
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn sounds_play_and_fonts_are_typed_into() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let page = page_of_assets(&sandbox);
    for sound in ["sound/click.wav", "sound/wind.ogg"] {
        open_asset(&mut browser, &page, sound);
        browser.wait_for("!document.querySelector('.preview button').disabled");
        assert!(painted(&mut browser, ".preview canvas") > 100, "{sound} has a wave");
    }
    browser.click(".preview button");
    assert_eq!(browser.text(".preview button"), "Pause");
    browser.wait_for("Number(document.querySelector('.stage').ariaValueNow) > 0.2");
    browser.eval("document.querySelector('.stage').focus()");
    browser.press(" ");
    assert_eq!(browser.text(".preview button"), "Play");
    browser.press("Home");
    assert_eq!(browser.eval("document.querySelector('.stage').ariaValueNow"), "0.0");

    open_asset(&mut browser, &page, "fonts/Quicksand-Medium.ttf");
    browser.wait_for("document.querySelector('.preview .note').textContent.includes('glyphs')");
    let before = painted(&mut browser, ".preview canvas");
    assert!(before > 500, "{before}");
    browser.eval("document.querySelector('.specimen').select()");
    browser.click(".specimen");
    browser.eval("document.querySelector('.specimen').select()");
    browser.type_text("i 字");
    let after = painted(&mut browser, ".preview canvas");
    assert!(after > 0 && after < before, "{after} {before}");
    assert!(browser.text(".preview .note").ends_with("missing: 字"), "{}", browser.text(".preview .note"));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn models_turn_and_texts_have_colours() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let page = page_of_assets(&sandbox);
    open_asset(&mut browser, &page, "models/crystal.gltf");
    browser.wait_for("document.querySelector('.stage').dataset.turned");
    let turned = |browser: &mut Browser| browser.eval("document.querySelector('.stage').dataset.turned");
    let first = turned(&mut browser);
    browser.click(".stage");
    browser.press("ArrowRight");
    let second = turned(&mut browser);
    browser.press("+");
    assert!(first != second && second != turned(&mut browser), "{first} {second}");
    let links = "[...document.querySelectorAll('#detail .path')].map((link) => link.textContent)";
    assert_eq!(browser.eval(links), json!(["models/crystal.png"]));
    browser.click("#detail .path");
    browser.wait_for("document.querySelector('#detail h2').textContent === 'models/crystal.png'");

    open_asset(&mut browser, &page, "shaders/light.fs");
    let key = browser.eval("[...document.querySelectorAll('.t-key')].map((key) => key.textContent)");
    assert!(key.as_array().unwrap().contains(&json!("uniform")), "{key}");
    let source = std::fs::read_to_string(sandbox.path("game/shaders/light.fs")).unwrap();
    let shown =
        browser.eval("[...document.querySelectorAll('.code code')].map((line) => line.textContent).join('\\n')");
    assert_eq!(shown, source);
    open_asset(&mut browser, &page, "data/palette.json");
    assert!(browser.eval("document.querySelectorAll('.t-key').length").as_u64() > Some(3));
    open_asset(&mut browser, &page, "data/gusts.dat");
    assert!(browser.text(".code").starts_with("0000  "));
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn findings_and_changes_lead_to_assets() {
    let Some(mut browser) = Browser::start(1300, 800) else { return };
    let sandbox = Sandbox::new();
    let page = page_of_assets(&sandbox);
    sandbox.write("game/new.txt", b"New.\n");
    std::fs::remove_file(sandbox.path("game/data/gusts.dat")).unwrap();
    sandbox
        .run([
            "report".as_ref(),
            "game".as_ref(),
            "-o".as_ref(),
            "new.html".as_ref(),
            "--since".as_ref(),
            page.as_os_str(),
        ])
        .success();
    browser.open(&sandbox.path("new.html"), "");
    browser.press("3");
    let findings = browser.text("#view-findings");
    assert!(findings.contains("Stored more than once") && findings.contains("ui/heart-copy.png"), "{findings}");
    browser.click("#view-findings .path");
    browser.wait_for("document.querySelector('#detail .notice')");
    browser.press("4");
    let changes = browser.text("#view-changes");
    assert!(changes.contains("Since report.html") && changes.contains("data/gusts.dat"), "{changes}");
    browser.eval(
        "[...document.querySelectorAll('#view-changes .path')].find((path) => path.textContent === 'new.txt').click()",
    );
    assert_eq!(browser.text("#detail h2"), "new.txt");
    assert_eq!(browser.complaints, [""; 0]);
}

/// A rule, a limit and a budget are shown as text, with their places, and lead to their assets.
#[test]
#[ignore = "long: clicks in a browser"]
fn rules_limits_and_budgets_are_shown() {
    let Some(mut browser) = Browser::start(1300, 900) else { return };
    let sandbox = Sandbox::new();
    let glob = "[<img src=x onerror=document.title=1>a].txt";
    sandbox.write("game/a.txt", &[b'a'; 600]);
    sandbox.write("game/b.txt", b"b");
    let settings = format!(
        "[\"{glob}\"]\ncompression = \"lz4\"\nmax_size = 10\nlint = \"deny\"\n[budget]\ntotal = 20\n\"b*\" = \"1 MB\"\n"
    );
    sandbox.write("game/assets.toml", settings.as_bytes());
    sandbox.run(["report", "game"]).failed(1, &["over budget"]);
    browser.open(&sandbox.path("report.html"), "");
    browser.press("3");
    let cards = browser.text("#view-findings");
    for part in
        ["Beyond a limit", "fails the build", glob, "allows 10 B", "assets.toml:3:1", "Budgets", "of 20 B", "of 1.0 MB"]
    {
        assert!(cards.contains(part), "{part:?} is not in {cards}");
    }
    let bars = browser.eval(
        "[...document.querySelectorAll('.meter')].map((bar) => [bar.className, bar.getAttribute('aria-valuemax'), \
         bar.querySelector('.fill').getBoundingClientRect().width > 100])",
    );
    assert_eq!(bars, json!([["meter over", "20", true], ["meter", "1000000", false]]));
    browser.click("#view-findings .path");
    browser.wait_for("document.querySelector('#detail .settings')");
    assert_eq!(browser.text("#detail h2"), "a.txt");
    let notice = browser.text("#detail .notice.error");
    assert!(notice.contains("`max_size`") && notice.contains("assets.toml:3:1"), "{notice}");
    let row = browser.text("#detail .settings tbody tr");
    assert!(row.starts_with("compression") && row.contains(glob) && row.contains("assets.toml:2:1"), "{row}");
    let why = browser.text("#detail");
    assert!(
        why.contains("extension .txt") && why.contains("makes it smaller") && why.contains("CRC-32 of the path"),
        "{why}"
    );
    open_asset(&mut browser, &sandbox.path("report.html"), "b.txt");
    assert!(browser.text("#detail").contains("All settings have their defaults."));
    assert_eq!(browser.eval("document.querySelectorAll('img[src=x]').length"), 0);
    assert_eq!(browser.complaints, [""; 0]);
}

#[test]
#[ignore = "long: clicks in a browser"]
fn names_and_texts_of_strangers_run_nothing() {
    let Some(mut browser) = Browser::start(1300, 800) else { return };
    let sandbox = Sandbox::new();
    let evil = "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">";
    let names = [
        format!("{evil}.txt"),
        "a/<!--<script>.txt".to_owned(),
        "__proto__/constructor".to_owned(),
        "\u{202e}gnp.exe".to_owned(),
        "{{details}}".to_owned(),
    ];
    sandbox.write("evil.rres", &pack_of(names.iter().map(|name| text(name, evil))));
    // Some of the names are none that the command accepts; the page shows them nevertheless.
    let run = sandbox.run(["report", "evil.rres"]);
    assert!(run.out.contains("report.html"), "{run:?}");
    let page = sandbox.path("report.html");
    browser.open(&page, "");
    browser.press("2");
    browser.wait_for("document.querySelector('.grid-row')");
    assert_eq!(self::names(&mut browser).len(), names.len());
    let all = "document.querySelectorAll('.grid-row').length";
    for line in 1..=browser.eval(all).as_u64().unwrap() {
        browser.click(&format!(".grid-row:nth-child({line})"));
        browser.wait_for("document.querySelector('#detail .code')");
        assert_eq!(browser.text("#detail .code"), evil);
    }
    assert_eq!(browser.eval("document.title"), "evil.rres – rres report");
    assert_eq!(browser.eval("document.querySelectorAll('script').length"), 3);
    assert_eq!(browser.eval("document.querySelectorAll('img[src=x]').length"), 0);
    // A script that got into the page all the same would not run.
    browser.eval(
        "(() => { const s = document.createElement('div'); s.innerHTML = '<img src=x onerror=\"document.title=1\">'; \
         document.body.append(s); })()",
    );
    browser.wait_for("true");
    assert_eq!(browser.eval("document.title"), "evil.rres – rres report");
    assert!(!browser.complaints.is_empty(), "the policy of the page reports what it blocked");
}

/// Returns the times of a page: to its first paint, and to the picture after a click that sorts, in milliseconds.
fn measure(browser: &mut Browser, page: &Path) -> Value {
    browser.open(page, "");
    browser.wait_for("performance.getEntriesByName('first-contentful-paint').length");
    let paint = browser.eval("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    let ready = browser.eval("performance.getEntriesByType('navigation')[0].loadEventEnd");
    browser.press("2");
    browser.wait_for("document.querySelector('.grid-row')");
    let sort = browser.eval(
        "new Promise((done) => { const start = performance.now(); document.querySelector('[data-key=name] button').click(); \
         requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start))); })",
    );
    let search = browser.eval(
        "new Promise((done) => { const start = performance.now(); const s = document.querySelector('#search'); s.value = 'a'; \
         s.dispatchEvent(new Event('input')); requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start))); })",
    );
    json!({ "first_paint": paint, "loaded": ready, "sort": sort, "search": search })
}

/// For `docs/performance.md`: the page that the variable `RRES_MEASURE_PAGE` names.
#[test]
#[ignore = "measures a page"]
#[expect(clippy::print_stderr, reason = "figures for people")]
fn measure_a_page() {
    let page = std::env::var_os("RRES_MEASURE_PAGE").expect("RRES_MEASURE_PAGE names a page");
    let page = std::path::absolute(page).unwrap();
    let mut browser = Browser::start(1400, 860).expect("Chromium");
    for _ in 0..5 {
        eprintln!("{}", measure(&mut browser, &page));
    }
}

/// The pictures of `docs/report.md`: the assets of the example game, and limits that some of them exceed.
#[test]
#[ignore = "makes the pictures of the documentation"]
fn make_the_pictures_of_the_documentation() {
    let sandbox = Sandbox::new();
    let mut browser = Browser::start(1280, 800).expect("Chromium");
    copy_tree(&repository().join("assets"), &sandbox.path("assets"));
    sandbox.run(["report", "assets"]).success();
    let settings = std::fs::read_to_string(sandbox.path("assets/assets.toml")).unwrap();
    sandbox.write("assets/assets.toml", format!("{settings}{LIMITS}").as_bytes());
    sandbox.run(["report", "assets", "-o", "limits.html"]).failed(1, &["over budget"]);
    let (page, limits) = (sandbox.path("report.html"), sandbox.path("limits.html"));
    let shots = [
        ("map-light", false, &page, "1", "world/moon.dds"),
        ("map-dark", true, &page, "1", "models/lighthouse.glb"),
        ("table-light", false, &page, "2", ""),
        ("table-dark", true, &page, "2", "fonts/Quicksand-Medium.ttf"),
        ("findings-light", false, &limits, "3", "sound/lose.mp3"),
    ];
    for (name, is_dark, page, view, asset) in shots {
        browser.set_dark(is_dark);
        match asset {
            "" => browser.open(page, ""),
            asset => open_asset(&mut browser, page, asset),
        }
        browser.press(view);
        save_picture(&mut browser, name);
    }
    browser.resize(1280, 1090);
    browser.set_dark(true);
    open_asset(&mut browser, &page, "world/moon.dds");
    browser.eval(PRESS_BLOCKS);
    browser.click(".tools .levels button:nth-of-type(2)");
    browser.eval(
        "const zoom = document.querySelector('.tools select'); zoom.value = 8; zoom.dispatchEvent(new Event('change'))",
    );
    // To the edge of the moon.
    browser.eval("document.querySelector('.stage').focus()");
    for key in ["ArrowLeft"; 11].into_iter().chain(["ArrowUp"; 4]) {
        browser.press(key);
    }
    save_picture(&mut browser, "blocks-dark");
}

/// Settings for the picture of limits and budgets.
const LIMITS: &str = r#"
["sound/*"]
sound = { max_seconds = 2 }

["world/sky_*"]
max_size = "300 kB"
lint = "deny"

[budget]
"sound/**" = "2.5 MB"
"world/**" = "1.4 MB"
total = "8 MB"
"#;

pub(super) fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_tree(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
}

fn save_picture(browser: &mut Browser, name: &str) {
    browser.eval("document.activeElement.blur()");
    std::thread::sleep(std::time::Duration::from_millis(800));
    let encoded = browser.screenshot();
    let file = repository().join(format!("book/src/images/report-{name}.png"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, decode_base64(&encoded)).unwrap();
}

fn decode_base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(value).collect();
    let bits = digits.chunks(4).map(|four| {
        (four.iter().fold(0u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - four.len())), four.len())
    });
    bits.flat_map(|(bits, len)| bits.to_be_bytes()[1..len].to_vec()).collect()
}
