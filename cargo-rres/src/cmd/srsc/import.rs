//! `cargo rres srsc import`: a database → an assets directory with `assets.toml`, which `cargo rres pack` packs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use rres_build::{glob_of, rule_header};
use rres_import_srsc::{Location, RecordType};
use serde_json::{Value, json};

use super::extract::{Content, OutFile, Plan, write};
use super::opened::{Opened, Order32, SourceArgs, print_warnings, records};
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count};

/// The name of the settings file in an assets directory.
const SETTINGS_FILE: &str = "assets.toml";

/// Turn an archive or a database into an assets directory
///
/// Writes pictures, sounds, models, texts and data as `extract` does, and assets.toml with what these files cannot hold: bumps, alternates, animations,
/// smaller levels, volume, loop, priority, drop-off, groups. `cargo rres pack` packs the directory.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc import Common.db -o assets && cargo rres pack assets -o common.rres")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Assets directory to write; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Order of the bytes of pixels with 32 bits [default: bgra if they have alpha, with a warning, and rgba otherwise]
    #[arg(long, value_enum, value_name = "ORDER")]
    order_32: Option<Order32>,
    /// Write the rest if something is damaged
    #[arg(long)]
    keep_going: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut opened = args.source.open()?;
    let Opened { databases, checks } = &mut opened;
    let mut plan = Plan::new(databases, checks, &records(databases), args.order_32.map(Into::into));
    leave_out_levels(&mut plan);
    let settings = settings(&plan.files, opened.databases.root().file());
    let is_written = plan.errors.is_empty() || args.keep_going;
    let written = plan.files.len();
    if is_written {
        plan.files.push(OutFile::of_all(SETTINGS_FILE, settings.into_bytes()));
        write(&args.out, &plan.files, args.force)?;
    }
    let more = opened.checks.more_warnings();
    let warnings = super::check::distinct(opened.checks.take_warnings());
    if args.json {
        let of = |list: &[rres_import_srsc::Error]| -> Vec<Value> { list.iter().map(Opened::error_json).collect() };
        let files: Vec<&str> = plan.files.iter().filter(|_| is_written).map(|file| file.path.as_str()).collect();
        out.json(json!({ "files": files, "errors": of(&plan.errors), "warnings": of(&warnings) }))?;
        return Ok(Outcome::of(plan.errors.is_empty()));
    }
    print_warnings(&warnings, more, out)?;
    for error in &plan.errors {
        out.error(&error.to_string())?;
    }
    if is_written {
        let (dir, files) = (args.out.display(), count(written, "file"));
        out.line(format!(
            "{dir} written: {files} and {SETTINGS_FILE}; pack them with `cargo rres pack {dir} -o OUT.rres`"
        ))?;
    } else {
        out.line("nothing is written because of errors; --keep-going writes the rest")?;
    }
    Ok(Outcome::of(plan.errors.is_empty()))
}

/// Leaves out textures that are only smaller levels of others: a build makes these from the largest.
fn leave_out_levels(plan: &mut Plan) {
    let levels = |file: &OutFile| match &file.content {
        Content::Texture { links, .. } => links.levels.clone(),
        _ => Vec::new(),
    };
    let all: HashSet<Location> = plan.files.iter().flat_map(levels).collect();
    let is_level = |file: &OutFile| {
        matches!(file.content, Content::Texture { is_mip: true, .. }) && file.at.is_some_and(|at| all.contains(&at))
    };
    plan.files.retain(|file| !is_level(file));
}

/// Returns the text of `assets.toml`.
fn settings(files: &[OutFile], database: &str) -> String {
    let mut textures: HashMap<Location, &str> = HashMap::new();
    for file in files.iter().filter(|file| matches!(file.content, Content::Texture { .. })) {
        // References mean the first of several textures with one id.
        file.at.map(|at| *textures.entry(at).or_insert(&file.path));
    }
    // A control character would end the comment.
    let shown: String = database.chars().filter(|c| !c.is_control()).collect();
    let mut text = format!("# Written by `cargo rres srsc import {shown}`.\n");
    let mut linked = Linked::default();
    for file in files {
        let rules = match &file.content {
            Content::Texture { links, fps, .. } => {
                let mut rules = Vec::new();
                if !links.levels.is_empty() {
                    rules.push("mipmaps = true".to_owned());
                }
                for (key, target) in [("bump", links.bump), ("alternate", links.alternate)] {
                    let Some((at, target)) = file.at.zip(target) else { continue };
                    // A build refuses links that lead in a circle.
                    if let Some(path) = textures.get(&target).filter(|_| linked.add(at, target)) {
                        let path = relative(&file.path, path);
                        rules.push(format!("{key} = {}", toml_string(&path)));
                    }
                }
                // The pictures of an animation of this database have a folder of their own.
                let folder = file.path.rsplit_once('/').filter(|(folder, _)| folder.starts_with("textures/"));
                if let Some((folder, _)) = folder.filter(|_| links.frames.len() > 1 && linked.add_all(&links.frames)) {
                    let time = if *fps == 0 { 100 } else { (1000 + u32::from(*fps) / 2) / u32::from(*fps) };
                    let _ = write!(
                        text,
                        "\n[\"{folder}/*.png\"]\nimage = {{ sequence = \"loop\", frame_time = {} }}\n",
                        time.max(1)
                    );
                }
                rules.into_iter().map(|rule| format!("image = {{ {rule} }}")).collect()
            }
            Content::Sound { decibels, drop_off, priority, is_looped } => {
                let mut rules = Vec::new();
                if *decibels != 0.0 {
                    // The range of the setting.
                    rules.push(format!("gain = {:?}", decibels.clamp(-120.0, 60.0)));
                }
                if *is_looped {
                    rules.push("loop = true".to_owned());
                }
                if *priority != 0 {
                    rules.push(format!("priority = {}", (*priority).min(1_000_000)));
                }
                rules.push(format!("falloff = {:?}", f64::from(*drop_off).clamp(0.0, 1000.0)));
                rules.into_iter().map(|rule| format!("sound = {{ {rule} }}")).collect()
            }
            Content::Raw => vec!["kind = \"raw\"".to_owned()],
            _ => Vec::new(),
        };
        push_rule(&mut text, &file.path, merge(rules));
    }
    push_groups(&mut text, files);
    text
}

/// Returns one table for several of the same name: `image = { a }`, `image = { b }` → `image = { a, b }`.
fn merge(rules: Vec<String>) -> Vec<String> {
    let mut merged: Vec<String> = Vec::new();
    for rule in rules {
        let Some((name, values)) = rule.strip_suffix(" }").and_then(|rule| rule.split_once(" = { ")) else {
            merged.push(rule);
            continue;
        };
        let head = format!("{name} = {{ ");
        match merged.iter_mut().find(|known| known.starts_with(&head)) {
            Some(known) => {
                known.truncate(known.len() - 2);
                let _ = write!(known, ", {values} }}");
            }
            None => merged.push(format!("{head}{values} }}")),
        }
    }
    merged
}

fn push_rule(text: &mut String, path: &str, lines: Vec<String>) {
    let Some(header) = rule_header(path).filter(|_| !lines.is_empty()) else { return };
    let _ = write!(text, "\n{header}\n{}\n", lines.join("\n"));
}

/// The most pictures that one leads to by its links.
const MAX_LINKS: usize = 4096;

/// The links that were written, so that none closes a circle.
#[derive(Default)]
struct Linked(HashMap<Location, Vec<Location>>);

impl Linked {
    /// Adds a link, unless it would close a circle.
    fn add(&mut self, from: Location, to: Location) -> bool {
        let mut open = vec![to];
        let mut seen = HashSet::new();
        while let Some(at) = open.pop() {
            if at == from {
                return false;
            }
            if seen.insert(at) {
                // Chains of a game have a few links. Longer ones are left out, like circles.
                if seen.len() > MAX_LINKS {
                    return false;
                }
                open.extend(self.0.get(&at).into_iter().flatten());
            }
        }
        self.0.entry(from).or_default().push(to);
        true
    }

    /// Adds the links of an animation, from its first picture to the others; none if one would close a circle.
    fn add_all(&mut self, frames: &[Location]) -> bool {
        let before = self.0.get(&frames[0]).map_or(0, Vec::len);
        let all = frames[1..].iter().all(|frame| self.add(frames[0], *frame));
        if !all && let Some(links) = self.0.get_mut(&frames[0]) {
            links.truncate(before);
        }
        all
    }
}

/// Writes a group for each group of records. Names of groups have letters, digits, `_` and `-`; groups in groups have the names of
/// both.
fn push_groups(text: &mut String, files: &[OutFile]) {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in files {
        for depth in 1..=file.groups.len() {
            let kind = file.at.map_or("", |at| match at.key.kind {
                RecordType::SOUND => "sounds",
                RecordType::MODEL => "models",
                RecordType::CLASS => "classes",
                RecordType::SEQUENCE => "sequences",
                _ => "others",
            });
            let words = std::iter::once(kind).chain(file.groups[..depth].iter().map(String::as_str));
            let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
            let name: Vec<String> = words.map(|word| word.chars().map(plain).collect()).collect();
            groups.entry(name.join("_")).or_default().push(&file.path);
        }
    }
    for (name, paths) in groups {
        let globs: Vec<String> = paths.iter().map(|path| toml_string(&glob_of(path))).collect();
        let _ = write!(text, "\n[group.{name}]\ninclude = [\n  {},\n]\n", globs.join(",\n  "));
    }
}

/// Returns the path of a file from the folder of another one.
fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let folder = &from[..from.len() - 1];
    let common = folder.iter().zip(&to).take_while(|(a, b)| a == b).count().min(to.len() - 1);
    let up = std::iter::repeat_n("..", folder.len() - common);
    up.chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Returns a text as a string of TOML.
fn toml_string(text: &str) -> String {
    // A JSON string is a TOML string, but for one character, which may not be written as it is.
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
