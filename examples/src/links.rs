//! The links of the Markdown pages in this repository: finding them, following them, and making the links of the book's chapters work
//! in the book.
//!
//! The pages in `docs/` are read in two places: in the repository, and as chapters of the book. A link such as `../benches` leads
//! somewhere in the repository only, so the book gets the address of the repository in its place ([`for_the_book`]).

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// The address of the repository on the web.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Returns the root of the repository on this machine.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a directory of the repository")
}

/// Returns where the target of each link and image is in a page, outside of code.
pub fn targets(page: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, line) in prose(page) {
        let mut at = 0;
        while let Some(next) = line[at..].find(['`', ']', '"']).map(|i| at + i) {
            at = next + 1;
            let (opening, closing) = match &line[next..] {
                rest if rest.starts_with('`') => {
                    // Code: the target of a link may not be in it.
                    let ticks = rest.len() - rest.trim_start_matches('`').len();
                    let end = rest[ticks..].find(&rest[..ticks]).map(|end| next + ticks + end + ticks);
                    at = end.unwrap_or(line.len());
                    continue;
                }
                rest if rest.starts_with("](") => ("](", ')'),
                _ if line[..next].ends_with("src=") || line[..next].ends_with("href=") => ("\"", '"'),
                _ => continue,
            };
            let target = next + opening.len();
            let Some(len) = line[target..].find(closing) else { continue };
            found.push(start + target..start + target + len);
            at = target + len;
        }
    }
    found
}

/// Returns the anchors of a page: its headings as GitHub and mdBook write them behind `#`.
pub fn anchors(page: &str) -> Vec<String> {
    let headings =
        prose(page).filter_map(|(_, line)| Some(line.trim_start_matches('#')).filter(|text| text.len() < line.len()));
    let mut anchors: Vec<String> = Vec::new();
    for heading in headings {
        let letters = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
        let anchor: String = letters.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
        let before = anchors.iter().filter(|other| **other == anchor).count();
        anchors.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
    }
    anchors
}

/// Returns the lines that are not in a block of code, each with its offset.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    let mut in_block = false;
    page.split_inclusive('\n').filter_map(move |line| {
        let start = offset;
        offset += line.len();
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        (!is_fence && !in_block).then_some((start, line.trim_end()))
    })
}

/// Returns the file or directory that a link leads to, relative to `root`, and its anchor. `page` is relative to `root` as well.
/// `None` if the link leads out of the repository, or to another site.
pub fn follow(page: &Path, target: &str) -> Option<(PathBuf, Option<String>)> {
    let own = [format!("{REPOSITORY}/blob/main/"), format!("{REPOSITORY}/tree/main/")];
    let inside = own.iter().find_map(|prefix| target.strip_prefix(prefix));
    if inside.is_none() && (target.contains("://") || target.starts_with("mailto:")) {
        return None;
    }
    let (path, anchor) = match inside.unwrap_or(target).split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (inside.unwrap_or(target), None),
    };
    if path.is_empty() {
        return Some((page.to_owned(), anchor));
    }
    let base = if inside.is_some() { Path::new("") } else { page.parent()? };
    let mut file = PathBuf::new();
    for component in base.join(path).components() {
        match component {
            Component::ParentDir => file.pop().then_some(())?,
            Component::CurDir => {}
            other => file.push(other),
        }
    }
    Some((file, anchor))
}

/// Returns a chapter with links that work in the book. `chapter` is its file in `book/src`; its text may come from the file of the
/// same name in `docs`.
///
/// # Errors
/// The links that lead to nothing.
pub fn for_the_book(chapter: &Path, text: &str) -> Result<String, Vec<String>> {
    let (mut out, mut end, mut broken) = (String::new(), 0, Vec::new());
    for range in targets(text) {
        let target = &text[range.clone()];
        let exists = |dir: &str| {
            let (file, anchor) = follow(&Path::new(dir).join(chapter), target)?;
            root().join(&file).exists().then_some((file, anchor))
        };
        if follow(chapter, target).is_none() && target.contains("://") {
            continue;
        }
        let Some((file, anchor)) = exists("book/src").or_else(|| exists("docs")) else {
            broken.push(format!("{}: {target}", chapter.display()));
            continue;
        };
        out += &text[end..range.start];
        end = range.end;
        // A page of `docs` is a chapter under the same name.
        let in_book = file.strip_prefix("book/src").or_else(|_| file.strip_prefix("docs")).ok();
        match in_book.filter(|path| root().join("book/src").join(path).is_file()) {
            Some(path) => out += &path.to_string_lossy().replace('\\', "/"),
            None => {
                let sort = if root().join(&file).is_dir() { "tree" } else { "blob" };
                out += &format!("{REPOSITORY}/{sort}/main/{}", file.to_string_lossy().replace('\\', "/"));
            }
        }
        out += &anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    }
    out += &text[end..];
    if broken.is_empty() { Ok(out) } else { Err(broken) }
}
