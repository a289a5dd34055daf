//! `cargo rres deps`: which resources of a pack need which others, forward and backward.

mod dot;
mod graph;
mod tree;

use std::collections::HashSet;
use std::ffi::OsString;

use graph::{Graph, Node};
use rres_format::ResourceId;
use rres_packs::{Selection, pack_set};
use serde_json::{Value, json};

use super::unused;
use crate::exit::{Failure, Outcome};
use crate::output::Output;
use crate::pack_args::{Need, PackArgs};

/// Show which resources need which others
///
/// A model needs its images, an asset its sub-assets, a link the resource that it names, and a group its members. Reads what the front
/// index of a pack or of a debug build contains.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres deps                            everything that this package has built last
  cargo rres deps models/fox.gltf            what the model needs
  cargo rres deps -i textures/fur.png        what needs the image
  cargo rres deps --unused                   with what no program uses, according to the compiler
  cargo rres deps --dot | dot -Tsvg -o deps.svg")]
pub(crate) struct Args {
    /// Path to the pack [default: what this package has built last]
    pack: Option<OsString>,
    /// Begin with these: paths, folders, ids, or globs such as "models/**" [default: what nothing needs]
    #[arg(value_name = "PATH")]
    names: Vec<String>,
    #[command(flatten)]
    packs: PackArgs,
    /// Show what needs a resource, instead of what it needs
    #[arg(short, long)]
    invert: bool,
    /// Mark what no program of the package uses; compiles it as `cargo rres unused` does
    #[arg(long)]
    unused: bool,
    /// Print the output as JSON
    #[arg(long, conflicts_with = "dot")]
    json: bool,
    /// Print the graph in the language of Graphviz
    #[arg(long)]
    dot: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let (paths, names) = args.packs.choose(args.pack.as_deref(), &args.names, Need::List, out)?;
    let sets = args.packs.opener()?.read_sets(&paths)?;
    let selection = Selection::parse(&names)?;
    let lists = pack_set::resource_lists(&sets);
    selection.check_used(&lists)?;
    let is_intact = out.findings(&sets, &lists)?;
    if is_intact && pack_set::packs(&sets).all(|pack| pack.view().index().is_none()) {
        out.warn("the pack has no front index, which would contain what resources need; other programs write none")?;
    }
    let unused = if args.unused { Some(unused_ids(args, out)?) } else { None };
    let graph = Graph::new(&sets, &lists, unused.as_ref());
    let roots = match names.is_empty() {
        true => graph.roots(args.invert),
        false => graph.selected(&selection, &lists),
    };
    let shown = graph.reachable(&roots, args.invert);
    if args.json {
        out.json(to_json(&graph, &shown))?;
    } else if args.dot {
        dot::print(&graph, &shown, out)?;
    } else {
        tree::print(&graph, &roots, args.invert, out)?;
    }
    Ok(Outcome::of(is_intact))
}

/// The resources that no program of the package uses.
fn unused_ids(args: &Args, out: &mut Output) -> Result<HashSet<ResourceId>, Failure> {
    let modules = unused::modules(&args.packs.package.find()?, out)?;
    Ok(modules.iter().flat_map(|module| &module.usage.unused).map(|asset| asset.id).collect())
}

fn to_json(graph: &Graph, shown: &[usize]) -> Value {
    let names = |nodes: &[usize]| nodes.iter().map(|node| graph.nodes[*node].name.as_str()).collect::<Vec<_>>();
    let resources = shown.iter().map(|at| &graph.nodes[*at]).filter(|node| !node.is_group).map(|node: &Node| {
        let (groups, needed_by): (Vec<usize>, Vec<usize>) =
            node.needed_by.iter().partition(|other| graph.nodes[**other].is_group);
        json!({
            "path": node.path,
            "id": node.id.map(|id| id.to_string()),
            "kind": node.kind,
            "needs": names(&node.needs),
            "needed_by": names(&needed_by),
            "groups": names(&groups),
            "missing": node.is_missing,
            "used": node.is_used,
        })
    });
    let groups = shown.iter().map(|at| &graph.nodes[*at]).filter(|node| node.is_group);
    let groups = groups.map(|node| json!({ "name": node.name, "members": names(&node.needs) }));
    json!({ "resources": resources.collect::<Vec<_>>(), "groups": groups.collect::<Vec<_>>() })
}
