//! What textures are linked with: bump, alternate, material, the pictures of animations, and smaller levels in other archives.
//!
//! A game loads what an image is linked with together with it, so links that lead back to the texture are left out. A material is a class, which
//! leads to models and sounds and by way of them to other textures, so circles are looked for in all of these.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rres_import::Note;
use serde_json::{Map, Value, json};

use super::archives::{Archives, Found, relative};
use super::circles::components;
use super::textures::{Head, Textures};
use super::{Asset, Source, first_of};
use crate::{Checks, Databases, FieldKind, Location, Record, RecordKey, RecordType, Ref, Value as ClassValue};

/// The most references that are followed to find circles. No game has that many.
pub(super) const MAX_EDGES: usize = 1 << 20;

/// The most smaller levels of a texture.
const MAX_LEVELS: usize = 33;

/// What a texture is linked with.
#[derive(Default)]
pub(super) struct Linked {
    pub(super) bump: Option<Target>,
    pub(super) alternate: Option<Target>,
    pub(super) material: Option<Target>,
    /// The other pictures of the animation.
    pub(super) frames: Vec<u16>,
    /// Smaller levels in other archives, which follow those of its own archive.
    pub(super) levels: Vec<(Rc<Found>, Location)>,
}

/// The asset that a link leads to.
#[derive(Clone)]
pub(super) enum Target {
    /// A texture of the same archive.
    Own(u16),
    /// The path of an asset of another archive.
    Other(String),
}

impl Target {
    /// Makes an asset need the target.
    pub(super) fn add_to(&self, asset: Asset, source: &Source<'_>) -> Asset {
        match self {
            Self::Own(id) => asset.with_sub_asset(id.to_string()),
            Self::Other(path) => asset.with_dependency(relative(source, path)),
        }
    }

    fn path(&self, source: &Source<'_>) -> String {
        match self {
            Self::Own(id) => format!("{}#{id}", source.path),
            Self::Other(path) => path.clone(),
        }
    }
}

/// The links of all textures of an archive.
#[derive(Default)]
pub(super) struct TextureLinks {
    of: BTreeMap<u16, Linked>,
    /// Links that lead to nothing.
    missing: Vec<String>,
    /// Links that lead back to their textures.
    circles: Vec<String>,
    /// Levels of other archives that are no levels.
    no_levels: Vec<String>,
    is_too_large: bool,
}

impl TextureLinks {
    /// Looks for what the textures of an archive refer to.
    pub(super) fn find(
        source: &mut Source<'_>,
        databases: &Databases,
        textures: &Textures,
        archives: &mut Archives,
    ) -> Self {
        let mut links = Self::default();
        let mut graph = Graph::new(source.path, databases, textures);
        for (id, head) in textures.heads().filter(|(_, head)| head.has_links()) {
            graph.number(Node { archive: 0, key: texture(id) });
            let levels = links.levels(source, databases, archives, id, head);
            links.of.insert(id, Linked { levels, ..Linked::default() });
        }
        links.is_too_large = !graph.follow(source, archives);
        if links.is_too_large {
            return links;
        }
        let component = components(&graph.edges);
        for (id, head) in textures.heads().filter(|(_, head)| head.has_links()) {
            let own = component[graph.number(Node { archive: 0, key: texture(id) })];
            let mut link = |field: &str, target: Ref, kind: RecordType| {
                if target.is_null() {
                    return None;
                }
                let Some(node) = graph.resolve(source, archives, Node { archive: 0, key: texture(id) }, target, kind)
                else {
                    links.missing.push(format!("{field} {target} of texture {id}"));
                    return None;
                };
                if component[graph.number(node)] == own {
                    links.circles.push(format!("{field} {target} of texture {id}"));
                    return None;
                }
                let found = graph.target(node);
                if found.is_none() {
                    links.missing.push(format!("{field} {target} of texture {id}"));
                }
                found
            };
            let bump = link("bump", head.bump, RecordType::TEXTURE);
            let alternate = link("alternate", head.alternate, RecordType::TEXTURE);
            let material = link("material", head.material, RecordType::CLASS);
            let mut frames = head.frames.get(1..).unwrap_or_default().to_vec();
            let mut is_back = |frame: &u16| component[graph.number(Node { archive: 0, key: texture(*frame) })] == own;
            if !frames.iter().all(|frame| textures.head(*frame).is_some()) {
                links.missing.push(format!("pictures of the animation of texture {id}"));
                frames.clear();
            } else if frames.iter().any(&mut is_back) {
                links.circles.push(format!("pictures of the animation of texture {id}"));
                frames.clear();
            }
            if let Some(linked) = links.of.get_mut(&id) {
                (linked.bump, linked.alternate, linked.material) = (bump, alternate, material);
                linked.frames = frames;
            }
        }
        links
    }

    /// Returns what a texture is linked with; `None` for nothing.
    pub(super) fn get(&self, id: u16) -> Option<&Linked> {
        self.of.get(&id)
    }

    /// Returns the paths of what a texture is linked with, by field, for the list of records; `None` if it refers to nothing.
    pub(super) fn to_json(&self, source: &Source<'_>, id: u16, head: &Head) -> Option<Value> {
        let linked = self.of.get(&id)?;
        let path = |target: &Option<Target>| target.as_ref().map(|target| target.path(source));
        let mut links = Map::new();
        for (field, target, found) in [
            ("alternate", head.alternate, &linked.alternate),
            ("bump", head.bump, &linked.bump),
            ("material", head.material, &linked.material),
        ] {
            if !target.is_null() {
                links.insert(field.to_owned(), json!(path(found)));
            }
        }
        if head.frames.len() > 1 {
            let frames = linked.frames.iter().map(|frame| Target::Own(*frame).path(source));
            links.insert("frames".to_owned(), frames.collect());
        }
        (!links.is_empty()).then(|| links.into())
    }

    /// Notes that the pixels of a level in another archive cannot be read.
    pub(super) fn add_unread_level(&mut self, id: u16, file: &str) {
        self.no_levels.push(format!("of texture {id}, in {file}"));
    }

    /// Names what is not linked.
    pub(super) fn notes(&self) -> impl Iterator<Item = Note> {
        let note =
            |topic: &str, list: &[String]| (!list.is_empty()).then(|| Note::new(topic).with_detail(first_of(list)));
        let help = "put the .db file and the .txd and .odb files of all databases into the assets directory";
        let missing = note("links of textures that lead to nothing here are left out", &self.missing);
        let missing = missing.map(|note| note.with_help(help.to_owned()));
        let circles = note("links of textures that lead back to them are left out", &self.circles);
        let levels = note(
            "smaller levels of textures that cannot be read or have not half the size are left out",
            &self.no_levels,
        );
        let too_large = self.is_too_large.then(|| {
            Note::new(format!("links of textures are left out, because they lead to more than {MAX_EDGES} others"))
        });
        [missing, circles, levels, too_large].into_iter().flatten()
    }

    /// Follows the smaller levels of a texture that are in other archives.
    fn levels(
        &mut self,
        source: &mut Source<'_>,
        databases: &Databases,
        archives: &mut Archives,
        id: u16,
        head: &Head,
    ) -> Vec<(Rc<Found>, Location)> {
        let mut levels: Vec<(Rc<Found>, Location)> = Vec::new();
        let mut rest = head.rest;
        while let Some(target) = rest.filter(|_| levels.len() < MAX_LEVELS) {
            let (path, before) = match levels.last() {
                Some((found, at)) => (found.path.clone(), size(&found.databases, *at)),
                None => {
                    let own = head.levels.last().copied().unwrap_or(at_root(id));
                    (source.path.to_owned(), size(databases, own))
                }
            };
            let found = match target.database {
                0 => None,
                _ => archives.of(source, Archives::database_of(&path), target, RecordType::TEXTURE),
            };
            let at = at_root(target.id);
            let level = found.and_then(|found| Some((size(&found.databases, at)?, found)));
            let Some((level, found)) = level else {
                self.missing.push(format!("smaller level {target} of texture {id}"));
                break;
            };
            if before.map(|size| size.map(|edge| (edge / 2).max(1))) != Some(level) {
                self.no_levels.push(format!("{target} of texture {id}"));
                break;
            }
            levels.push((Rc::clone(&found), at));
            let Ok(more) = found.databases.known_levels(at, &mut Checks::default()) else {
                self.no_levels.push(format!("those after {target} of texture {id}"));
                break;
            };
            levels.extend(more.levels.into_iter().map(|level| (Rc::clone(&found), level)));
            rest = more.unknown.map(|(target, _)| target);
        }
        levels.truncate(MAX_LEVELS);
        levels
    }
}

fn texture(id: u16) -> RecordKey {
    RecordKey { kind: RecordType::TEXTURE, id }
}

fn at_root(id: u16) -> Location {
    Location { database: 0, key: texture(id) }
}

/// The width and height of a texture; `None` if it does not exist, or is damaged.
fn size(databases: &Databases, at: Location) -> Option<[u32; 2]> {
    match databases.record(at)?.parse(&mut Checks::default()).ok()? {
        Record::Texture(texture) => Some([texture.width, texture.height]),
        _ => None,
    }
}

/// A record of an archive; the archive 0 is the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    archive: usize,
    key: RecordKey,
}

/// What textures lead to, directly and through others.
struct Graph<'d> {
    path: &'d str,
    own: (&'d Databases, &'d Textures),
    others: Vec<Rc<Found>>,
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
    edges: Vec<Vec<usize>>,
}

impl<'d> Graph<'d> {
    fn new(path: &'d str, databases: &'d Databases, textures: &'d Textures) -> Self {
        let (others, nodes, numbers, edges) = (Vec::new(), Vec::new(), HashMap::new(), Vec::new());
        Self { path, own: (databases, textures), others, nodes, numbers, edges }
    }

    /// Returns the number of a node; a new one for a new node.
    fn number(&mut self, node: Node) -> usize {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }

    /// Follows all references. Returns whether there are not too many.
    fn follow(&mut self, source: &mut Source<'_>, archives: &mut Archives) -> bool {
        let mut left = MAX_EDGES;
        while let Some(node) = self.nodes.get(self.edges.len()).copied() {
            let mut targets: Vec<usize> = Vec::new();
            for (target, kind) in self.references(node) {
                if left == 0 {
                    return false;
                }
                left -= 1;
                if let Some(node) = self.resolve(source, archives, node, target, kind) {
                    targets.push(self.number(node));
                }
            }
            targets.sort_unstable();
            targets.dedup();
            self.edges.push(targets);
        }
        true
    }

    /// The textures, models and classes that a record refers to. Sounds lead to nothing.
    fn references(&self, node: Node) -> Vec<(Ref, RecordType)> {
        let (databases, textures) = self.archive(node.archive);
        let at = Location { database: 0, key: node.key };
        let record = |key| databases.record(Location { key, ..at })?.parse(&mut Checks::default()).ok();
        let mut found = Vec::new();
        match node.key.kind {
            RecordType::TEXTURE => {
                let Some(head) = textures.head(node.key.id) else { return found };
                found.extend([(head.bump, RecordType::TEXTURE), (head.alternate, RecordType::TEXTURE)]);
                found.push((head.material, RecordType::CLASS));
                let frames = head.frames.iter().skip(1);
                found.extend(frames.map(|frame| (Ref::local(*frame), RecordType::TEXTURE)));
            }
            RecordType::CLASS => {
                let Some(Record::Class(class)) = record(node.key) else { return found };
                found.push((class.model, RecordType::MODEL));
                for (field, value) in class.values() {
                    let kind = match field.kind() {
                        FieldKind::Model => RecordType::MODEL,
                        FieldKind::Texture => RecordType::TEXTURE,
                        _ => continue,
                    };
                    let values = match value {
                        ClassValue::Array(list) => list,
                        value => vec![value],
                    };
                    found.extend(values.into_iter().filter_map(|value| match value {
                        ClassValue::Reference(target) => Some((target, kind)),
                        _ => None,
                    }));
                }
            }
            RecordType::MODEL => {
                let key = RecordKey { kind: RecordType::TEXTURE_LIST, id: node.key.id };
                let Some(Record::TextureList(list)) = record(key) else { return found };
                found.extend(list.iter().take(MAX_EDGES).map(|target| (target, RecordType::TEXTURE)));
            }
            _ => {}
        }
        found.retain(|(target, _)| !target.is_null());
        found
    }

    /// Finds the record that another one refers to; `None` if there is none that becomes an asset. Textures without the number of a database are
    /// in the archive of the texture that names them.
    fn resolve(
        &mut self,
        source: &mut Source<'_>,
        archives: &mut Archives,
        from: Node,
        target: Ref,
        kind: RecordType,
    ) -> Option<Node> {
        let key = RecordKey { kind, id: target.id };
        let archive = match target.database {
            0 if (from.key.kind, kind) == (RecordType::TEXTURE, RecordType::TEXTURE) => from.archive,
            _ => {
                let path = if from.archive == 0 { self.path } else { &self.others[from.archive - 1].path };
                let found = archives.of(source, Archives::database_of(path), target, kind)?;
                self.archive_number(found)
            }
        };
        let (databases, textures) = self.archive(archive);
        let exists = match kind {
            RecordType::TEXTURE => textures.head(target.id).is_some(),
            _ => databases.record(Location { database: 0, key }).is_some(),
        };
        exists.then_some(Node { archive, key })
    }

    fn archive(&self, number: usize) -> (&Databases, &Textures) {
        match number.checked_sub(1) {
            None => self.own,
            Some(number) => (&self.others[number].databases, &self.others[number].textures),
        }
    }

    fn archive_number(&mut self, found: Rc<Found>) -> usize {
        if found.path == self.path {
            return 0;
        }
        let known = self.others.iter().position(|other| other.path == found.path);
        known.unwrap_or_else(|| {
            self.others.push(found);
            self.others.len() - 1
        }) + 1
    }

    /// Returns the asset that a record becomes.
    fn target(&self, node: Node) -> Option<Target> {
        match node.archive.checked_sub(1) {
            None => (node.key.kind == RecordType::TEXTURE).then_some(Target::Own(node.key.id)),
            Some(number) => self.others[number].asset(node.key).map(Target::Other),
        }
    }
}
