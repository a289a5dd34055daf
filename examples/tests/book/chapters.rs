//! Every chapter is listed, and every program in one is run.

use std::path::Path;

use super::{chapters, pages_in, read};

#[test]
fn every_page_is_a_chapter() {
    let mut listed = chapters();
    listed.push("book/src/SUMMARY.md".into());
    listed.sort();
    assert_eq!(listed, pages_in(&["book/src"]));
}

#[test]
fn every_page_of_docs_is_a_chapter() {
    for page in pages_in(&["docs"]) {
        let name = page.file_name().unwrap();
        let chapter = read(&Path::new("book/src").join(name));
        assert_eq!(chapter, format!("{{{{#include ../../docs/{}}}}}\n", name.display()));
    }
}

/// The attributes behind the fence of each block of code.
fn blocks(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("```")).step_by(2).collect()
}

#[test]
fn every_program_is_run() {
    let with_doctests =
        ["examples/src/lib.rs", "book/engines/src/lib.rs", "engines/bevy/programs/src/lib.rs", "web/http/src/lib.rs"];
    let doctests: String = with_doctests.iter().map(|file| read(Path::new(file))).collect();
    for page in chapters() {
        let text = read(&page);
        let programs = blocks(&text).iter().filter(|block| block.starts_with("rust")).count();
        let name = page.file_name().unwrap().to_str().unwrap();
        let is_run = doctests.contains(&format!("src/{name}\")]"));
        assert!(programs == 0 || is_run, "nothing runs the programs of {}", page.display());
        // Comparisons show code of other libraries; each is followed by a program that is run.
        let ignored = blocks(&text).iter().filter(|block| block.contains("ignore")).count();
        assert!(ignored * 2 <= programs, "{}: {ignored} of {programs} programs are not run", page.display());
    }
}

#[test]
fn what_blocks_are_is_said() {
    for page in chapters() {
        let text = read(&page);
        assert!(blocks(&text).iter().all(|block| !block.is_empty()), "{}: a block without a language", page.display());
    }
}

/// The blocks of a page whose fence has these attributes.
fn blocks_of<'p>(page: &'p str, attributes: &str) -> Vec<&'p str> {
    let fence = format!("\n```{attributes}\n");
    page.split(&*fence).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// The build script of this crate makes doctests of the other diffs. What these make is a program of a page about an engine.
#[test]
fn diffs_make_programs_that_are_run() {
    let page = read(Path::new("book/src/coming-from.md"));
    // Those of games are not whole programs.
    let ports = read(Path::new("book/src/ports.md"));
    for block in [blocks_of(&page, "diff"), blocks_of(&page, "diff engine"), blocks_of(&ports, "diff")].concat() {
        assert!(block.lines().all(|line| line.starts_with([' ', '+', '-'])), "a line without a sign in:\n{block}");
    }
    let pages = ["engines.md", "bevy.md"].map(|name| read(&Path::new("book/src").join(name)));
    // `.ci/nightly` compiles the program for raylib, which other tests ignore.
    let of = |page| ["rust", "rust,no_run", "rust,ignore"].map(|fence| blocks_of(page, fence)).concat();
    let programs: Vec<&str> = pages.iter().flat_map(|page| of(page)).collect();
    let diffs = blocks_of(&page, "diff engine");
    assert!(diffs.len() >= 3 && programs.len() >= 6, "{} diffs, {} programs", diffs.len(), programs.len());
    // A program may leave out what needs a window, as a comment.
    let code = |line: &str| line.trim().trim_start_matches("// ").to_owned();
    for diff in diffs {
        let made: Vec<String> =
            diff.lines().filter(|line| !line.starts_with('-')).map(|line| code(&line[1..])).collect();
        let is_in = |program: &&&str| {
            let mut lines = program.lines().map(code);
            made.iter().filter(|line| !line.is_empty()).all(|wanted| lines.any(|line| line == *wanted))
        };
        assert!(programs.iter().find(is_in).is_some(), "no program of engines.md or bevy.md is:\n{}", made.join("\n"));
    }
}
