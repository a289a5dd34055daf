//! Every link within the repository leads somewhere, in the repository and in the book.

use std::path::Path;

use rres_examples::links::{REPOSITORY, anchors, follow, for_the_book, root, targets};

use super::{chapters, pages_in, read};

/// What is wrong with the links of a page; `text` is what is at `page`.
fn broken(page: &Path, text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    for range in targets(text) {
        let target = &text[range];
        let Some((file, anchor)) = follow(page, target) else {
            if !target.starts_with("https://") {
                broken.push(format!("{}: {target} leads out of the repository", page.display()));
            }
            continue;
        };
        if !root().join(&file).exists() {
            broken.push(format!("{}: {target} does not exist", page.display()));
        } else if let Some(anchor) = anchor
            && file.extension().is_some_and(|extension| extension == "md")
        {
            // The chapter of a page of `docs` has the headings of that page.
            let docs = Path::new("docs").join(file.file_name().unwrap());
            let is_included = file.starts_with("book/src") && root().join(&docs).exists();
            let found = if is_included {
                read(&docs)
            } else if file == page {
                text.to_owned()
            } else {
                read(&file)
            };
            if !anchors(&found).contains(&anchor) {
                broken.push(format!("{}: {target}: no heading has this anchor", page.display()));
            }
        }
    }
    broken
}

#[test]
fn links_of_the_repository_lead_somewhere() {
    let directories = [
        ".",
        "docs",
        "book/src",
        "benches",
        "example-game",
        "crates/decode",
        "crates/codegen",
        "crates/engine",
        "crates/export",
        "crates/inspect",
        "crates/packs",
        "crates/view",
        "crates/compat",
        "fuzz",
        "importers/data",
        "importers/font",
        "importers/generate",
        "importers/image",
        "importers/model",
        "importers/nbr",
        "importers/sound",
        "importers/srsc",
        "importers/text",
        "interop",
        "rres-build",
        "rres-format",
        "rres-protocol",
        "rres-runtime",
        "cargo-rres",
    ];
    let pages = pages_in(&directories);
    assert!(pages.len() > 30, "{pages:?}");
    let broken: Vec<String> = pages.iter().flat_map(|page| broken(page, &read(page))).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn links_of_the_book_lead_to_chapters_and_to_the_repository() {
    let mut to_chapters = 0;
    for page in chapters() {
        let (chapter, docs) =
            (page.strip_prefix("book/src").unwrap(), Path::new("docs").join(page.file_name().unwrap()));
        let text = if root().join(&docs).exists() { read(&docs) } else { read(&page) };
        let text = for_the_book(chapter, &text).unwrap_or_else(|broken| panic!("{}", broken.join("\n")));
        assert_eq!(broken(&page, &text), Vec::<String>::new());
        for range in targets(&text) {
            let target = &text[range];
            assert!(!target.starts_with("../"), "{}: {target} is not part of the book", page.display());
            to_chapters += usize::from(target.contains(".md") && !target.contains("://"));
        }
    }
    assert!(to_chapters > 50, "{to_chapters}");
}

#[test]
fn a_link_of_docs_leads_to_the_repository_in_the_book() {
    let text = "see [benches](../benches), [the game](../example-game/README.md#where-to-look), `[no](link.md)`\n\
                [settings](settings.md#rules) and [this](#anchor), <img src=\"images/game.webp\">\n```text\n[no](x.md)\n```\n";
    let expected = format!(
        "see [benches]({REPOSITORY}/tree/main/benches), [the game]({REPOSITORY}/blob/main/example-game/README.md#where-to-look), \
         `[no](link.md)`\n[settings](settings.md#rules) and [this](hot-reload.md#anchor), <img src=\"images/game.webp\">\n\
         ```text\n[no](x.md)\n```\n"
    );
    assert_eq!(for_the_book(Path::new("hot-reload.md"), text), Ok(expected));
    assert_eq!(
        for_the_book(Path::new("hot-reload.md"), "[a](gone.md)"),
        Err(vec!["hot-reload.md: gone.md".to_owned()])
    );
}

#[test]
fn a_broken_link_is_found() {
    let page = Path::new("docs/settings.md");
    let text = "# A heading: `x`\n\n[1](#a-heading-x) [2](#other) [3](gone.md) [4](../../x) [5](runtime.md#groups)\n";
    let broken = broken(page, text);
    assert_eq!(broken.len(), 3, "{broken:?}");
}
