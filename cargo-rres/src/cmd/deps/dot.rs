//! The graph in the language of Graphviz.

use super::graph::Graph;
use crate::exit::Failure;
use crate::output::{Output, escape_terminal};

pub(super) fn print(graph: &Graph, shown: &[usize], out: &mut Output) -> Result<(), Failure> {
    out.line("digraph assets {")?;
    out.line("    rankdir = LR;")?;
    out.line("    node [shape = box];")?;
    for at in shown {
        let node = &graph.nodes[*at];
        let style = match (node.is_group, node.is_missing, node.is_used) {
            (true, ..) => ", shape = folder",
            (_, true, _) => ", color = red",
            (_, _, Some(false)) => ", color = grey, fontcolor = grey",
            _ => "",
        };
        out.line(format!("    n{at} [label = {}{style}];", quoted(&node.name)))?;
    }
    for at in shown {
        for to in graph.nodes[*at].needs.iter().filter(|to| shown.binary_search(to).is_ok()) {
            out.line(format!("    n{at} -> n{to};"))?;
        }
    }
    out.line("}")?;
    Ok(())
}

/// A string of the language: only quotes and backslashes have a meaning in it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escape_terminal(text).replace('\\', "\\\\").replace('"', "\\\""))
}
