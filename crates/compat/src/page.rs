//! The table of what C readers cannot load, in `docs/format.md`, against the reasons.

use std::fmt::Write as _;
use std::path::Path;

use super::Reason;

#[test]
fn the_page_lists_every_reason() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let (start, end) = ("<!-- reasons -->\n", "<!-- end of reasons -->");
    let mut table =
        String::from("\n| reason | what the C code does | a build with `compat = \"raylib\"` |\n|---|---|---|\n");
    for reason in Reason::ALL {
        let _ = writeln!(table, "| `{}` | {} | {} |", reason.name(), reason.effect(), reason.build());
    }
    table.push('\n');
    let at = page.find(start).expect("the table has a start") + start.len();
    let len = page[at..].find(end).expect("the table has an end");
    if page[at..at + len] == table {
        return;
    }
    assert!(std::env::var_os("UPDATE_EXPECT").is_some(), "run UPDATE_EXPECT=1 cargo test -p rres-compat --lib page");
    std::fs::write(&file, format!("{}{table}{}", &page[..at], &page[at + len..])).unwrap();
}
