//! The comparison as a comment for a merge request, in the Markdown of GitHub and GitLab.

use rres_packs::compare::{Change, Item, Row, Side};
use rres_settings::ByteSize;

use super::{Differences, Update, how, name_of, path_of, total};
use crate::output::escape_terminal;

/// The most changes that are listed: comments have at most 65,536 characters on GitHub.
const MAX_ROWS: usize = 100;
/// Up to this number, changes are shown without a click.
const MAX_OPEN: usize = 12;
/// The longest text of a cell in characters.
const MAX_CELL: usize = 160;

/// Returns the comparison. The changes that add or save the most bytes come first.
pub(super) fn markdown(
    old: &Side<'_>,
    new: &Side<'_>,
    Differences { rows, groups }: &Differences<'_, '_>,
    update: Option<&Update>,
) -> String {
    let mut changes: Vec<&Row<'_, '_>> = rows.iter().filter(|row| row.change != Change::Same).collect();
    changes.sort_by_key(|row| (std::cmp::Reverse(growth(row).unsigned_abs()), path_of(row)));
    let mut out = format!(
        "### Assets: {} ({} → {})\n",
        difference(new.size() as i64 - old.size() as i64),
        ByteSize(old.size()),
        ByteSize(new.size())
    );
    if !groups.is_empty() {
        let names: Vec<String> = groups.iter().map(|name| code(name)).collect();
        out += &format!("\nGroups with other members: {}.\n", names.join(", "));
    }
    if changes.is_empty() {
        return out + "\nNo asset has changed.\n";
    }
    let counted = Change::ALL.into_iter().filter(|change| *change != Change::Same);
    let counts = counted.map(|change| (total(rows, change).0, change.name())).filter(|(count, _)| *count > 0);
    out += &format!("\n{}", counts.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", "));
    if let Some(Update { fixed, patches, .. }) = update {
        let patch = patches.map(|(_, deltas)| format!("; {} as a patch", ByteSize(deltas)));
        out += &format!(
            ". An update is {} in a store with blocks of 1 MiB{}",
            ByteSize(fixed.bytes),
            patch.unwrap_or_default()
        );
    }
    out += ".\n\n";
    let is_folded = changes.len() > MAX_OPEN;
    if is_folded {
        out += &format!("<details><summary>{} assets</summary>\n\n", changes.len());
    }
    out += "| change | asset | before | after | difference | how |\n|---|---|--:|--:|--:|---|\n";
    for row in changes.iter().take(MAX_ROWS) {
        let size =
            |item: Option<&Item<'_>>| item.map_or_else(|| "–".to_owned(), |item| ByteSize(stored(item)).to_string());
        let asset = match (row.old, row.new) {
            (Some(old), Some(new)) if row.change == Change::Moved => {
                format!("{} → {}", code(&name_of(old)), code(&name_of(new)))
            }
            _ => code(&name_of(row.item())),
        };
        out += &format!(
            "| {} | {asset} | {} | {} | {} | {} |\n",
            row.change.name(),
            size(row.old),
            size(row.new),
            difference(growth(row)),
            if how(row).is_empty() { String::new() } else { code(&how(row)) }
        );
    }
    if let Some(more) = changes.len().checked_sub(MAX_ROWS).filter(|more| *more > 0) {
        out += &format!("\n… and {more} more, each with a smaller difference: `cargo rres diff` lists all.\n");
    }
    if is_folded {
        out += "\n</details>\n";
    }
    out
}

fn stored(item: &Item<'_>) -> u64 {
    item.resource.stored_size
}

/// The bytes that a change adds.
fn growth(row: &Row<'_, '_>) -> i64 {
    row.new.map_or(0, stored) as i64 - row.old.map_or(0, stored) as i64
}

fn difference(bytes: i64) -> String {
    let size = ByteSize(bytes.unsigned_abs());
    match bytes {
        0 => "±0 B".to_owned(),
        1.. => format!("+{size}"),
        _ => format!("−{size}"),
    }
}

/// A name that is shown as it is, whatever it contains.
fn code(name: &str) -> String {
    let name = shortened(&escape_terminal(name)).replace('|', "\\|");
    // A run of backticks that the name does not have.
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let (fence, space) = ("`".repeat(longest + 1), if name.contains('`') { " " } else { "" });
    format!("{fence}{space}{name}{space}{fence}")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_CELL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_no_markup() {
        assert_eq!(code("ui/a.png"), "`ui/a.png`");
        assert_eq!(code("a`b``c|d"), "``` a`b``c\\|d ```");
        assert_eq!(code("a\nb"), "`a\\u{a}b`");
        assert_eq!(code("width 16 → 32 | <b>@all</b>"), "`width 16 → 32 \\| <b>@all</b>`");
        assert_eq!(code(&"a".repeat(500)).chars().count(), MAX_CELL + 3);
    }

    #[test]
    fn differences_have_a_sign() {
        assert_eq!([difference(0), difference(1500), difference(-2)], ["±0 B", "+1.5 kB", "−2 B"]);
    }
}
