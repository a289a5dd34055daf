//! The graph as trees, as `cargo tree` draws them.

use std::collections::HashSet;

use super::graph::Graph;
use crate::exit::Failure;
use crate::output::{Output, Style, escape_terminal};

/// The deepest level that is printed. The indentation of a longer chain, which only a hostile pack has, would take gigabytes.
const MAX_DEPTH: usize = 64;

pub(super) fn print(graph: &Graph, roots: &[usize], is_inverted: bool, out: &mut Output) -> Result<(), Failure> {
    if roots.is_empty() {
        out.line("no resource needs another, and there are no groups")?;
    }
    let mut printed = HashSet::new();
    for root in roots {
        // A stack instead of recursion: a hostile pack could have a chain of any length.
        let mut open = vec![(*root, 0, String::new(), String::new())];
        while let Some((node, depth, before, below)) = open.pop() {
            let next = graph.next(node, is_inverted);
            let is_repeated = !printed.insert(node) && !next.is_empty();
            out.line(format!("{before}{}{}", label(graph, node, out), if is_repeated { " (*)" } else { "" }))?;
            if is_repeated {
                continue;
            }
            if depth == MAX_DEPTH && !next.is_empty() {
                out.line(format!("{below}└── …"))?;
                continue;
            }
            for (i, child) in next.iter().enumerate().rev() {
                let (branch, space) =
                    if i + 1 == next.len() { ("└── ", "    ") } else { ("├── ", "│   ") };
                open.push((*child, depth + 1, format!("{below}{branch}"), format!("{below}{space}")));
            }
        }
    }
    Ok(())
}

fn label(graph: &Graph, node: usize, out: &Output) -> String {
    let node = &graph.nodes[node];
    let name = escape_terminal(&node.name);
    let name = if node.is_group { format!("group {name}") } else { name };
    let kind = node.kind.as_ref().map(|kind| format!(" ({})", escape_terminal(kind))).unwrap_or_default();
    let mark = match (node.is_missing, node.is_used) {
        (true, _) => out.style(Style::Bad, " not in the pack"),
        (false, Some(false)) => out.style(Style::Bad, " not used"),
        _ => String::new(),
    };
    format!("{name}{}{mark}", out.style(Style::Dim, &kind))
}
