//! Characters: joints, weights, levels of detail and channels of a model that is animated.
//!
//! | field | |
//! |---|---|
//! | sphere, box | as in the bounds of other models |
//! | `u16` number of levels, string for each level but the first | the first has the name of the model |
//! | `u16` count, nodes | `char[32]` name, `i32` joint (-1: none) |
//! | `u16` count, joints | `f32[12]` inverted transform, `i32` mesh (-1: none), `i32` first child, `i32` next sibling (0: none), and for each level `u16` count, weights |
//! | for each level `u16` count, meshes | `f32` distance, `u32` usage, node, first vertex, vertices, first polygon, polygons |
//! | `u16` count, refs | animations |
//! | `u16` count, channels | `i32` node, `f32[12]`, `f32[12]`, `u16` count, caps |
//! | `u16` count, and for each `u16` count, spheres | one list for each level |
//!
//! A weight is `u32` vertex, `f32` weight. A cap is `u32[5]`, `u16` count, weights. A sphere is `u16` first child, `u16` next sibling, `u32`
//! vertex of its centre, `f32` radius, `u16` channel, `u16` of unknown meaning.

use super::bounds::{Volume, check_tree};
use crate::body::{Body, Element, Items, Ref, Weight};
use crate::checks::Notes;
use crate::error::Fault;
use crate::text::Text;

/// A node of the skeleton as it was modelled. Only some nodes are joints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    /// The name, at most 32 bytes.
    pub name: Text<'a>,
    /// The joint; `None` for other nodes.
    pub joint: Option<u32>,
}

/// A joint, which moves vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<'a> {
    /// Nine numbers of a matrix, row by row, and three of a translation: the inverse of the joint's position in the model.
    pub inverse: [f32; 12],
    /// The mesh that it moves; -1 for a place to attach things.
    pub mesh: i32,
    /// The first child; 0 for none.
    pub first_child: u32,
    /// The next sibling; 0 for none.
    pub next_sibling: u32,
    /// The weights for each level of detail.
    pub weights: Vec<Items<'a, Weight>>,
}

/// The mesh of a level of detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LodMesh {
    /// It is shown from this distance on.
    pub distance: f32,
    /// A number of unknown meaning.
    pub usage: u32,
    /// The node.
    pub node: u32,
    /// Its first vertex.
    pub first_vertex: u32,
    /// The number of its vertices.
    pub vertices: u32,
    /// Its first polygon.
    pub first_polygon: u32,
    /// The number of its polygons.
    pub polygons: u32,
}

impl Element for LodMesh {
    const SIZE: usize = 28;
    const FLOATS: bool = true;
    fn read(bytes: &[u8]) -> Self {
        let [distance] = <[f32; 1]>::read(bytes);
        let word = |number: usize| u32::read(&bytes[4 * number..]);
        Self {
            distance,
            usage: word(1),
            node: word(2),
            first_vertex: word(3),
            vertices: word(4),
            first_polygon: word(5),
            polygons: word(6),
        }
    }
    fn put(self, out: &mut Vec<u8>) {
        [self.distance].put(out);
        let Self { usage, node, first_vertex, vertices, first_polygon, polygons, .. } = self;
        [usage, node, first_vertex, vertices, first_polygon, polygons].into_iter().for_each(|word| word.put(out));
    }
    fn is_finite(self) -> bool {
        self.distance.is_finite()
    }
}

/// Polygons that close the hole if a channel is cut off; probably one for each level of detail.
#[derive(Clone, Debug, PartialEq)]
pub struct Cap<'a> {
    /// First polygon and number of polygons of the cap, the same of the part, and a number of unknown meaning.
    pub numbers: [u32; 5],
    /// The weights.
    pub weights: Items<'a, Weight>,
}

/// A channel: what animations move.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel<'a> {
    /// The node; negative for none.
    pub node: i32,
    /// Its position as it was modelled: a matrix row by row, and a translation.
    pub transform: [f32; 12],
    /// The inverse of it.
    pub inverse: [f32; 12],
    /// The caps.
    pub caps: Vec<Cap<'a>>,
}

/// A bounding sphere that moves with a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacterSphere {
    /// The first child; 0 for none.
    pub first_child: u16,
    /// The next sibling; 0 for none.
    pub next_sibling: u16,
    /// The vertex at its centre.
    pub vertex: u32,
    /// The radius.
    pub radius: f32,
    /// The channel.
    pub channel: u16,
    /// A number of unknown meaning.
    pub unknown: u16,
}

impl Element for CharacterSphere {
    const SIZE: usize = 16;
    const FLOATS: bool = true;
    fn read(bytes: &[u8]) -> Self {
        let ([first_child, next_sibling], [channel, unknown]) =
            (<[u16; 2]>::read(bytes), <[u16; 2]>::read(&bytes[12..]));
        let ([radius], vertex) = (<[f32; 1]>::read(&bytes[8..]), u32::read(&bytes[4..]));
        Self { first_child, next_sibling, vertex, radius, channel, unknown }
    }
    fn put(self, out: &mut Vec<u8>) {
        [self.first_child, self.next_sibling].put(out);
        self.vertex.put(out);
        [self.radius].put(out);
        [self.channel, self.unknown].put(out);
    }
    fn is_finite(self) -> bool {
        self.radius.is_finite()
    }
}

/// A character.
#[derive(Clone, Debug, PartialEq)]
pub struct Character<'a> {
    /// The sphere and the box round everything.
    pub volume: Volume,
    /// The names of the levels of detail after the first.
    pub lod_names: Vec<Text<'a>>,
    /// The nodes.
    pub nodes: Vec<Node<'a>>,
    /// The joints.
    pub joints: Vec<Joint<'a>>,
    /// The meshes of each level of detail.
    pub lods: Vec<Items<'a, LodMesh>>,
    /// The animations.
    pub animations: Items<'a, Ref>,
    /// The channels.
    pub channels: Vec<Channel<'a>>,
    /// The bounding spheres of each level of detail.
    pub spheres: Vec<Items<'a, CharacterSphere>>,
}

impl<'a> Character<'a> {
    /// Returns the parent of each joint; `None` for those that have none.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.joints.len()];
        for (number, joint) in self.joints.iter().enumerate() {
            let mut child = joint.first_child as usize;
            // Reading the record has refused links that lead in a circle, and two links to one joint.
            while child != 0 {
                let Some(slot) = parents.get_mut(child).filter(|slot| slot.is_none()) else { break };
                *slot = Some(number);
                child = self.joints[child].next_sibling as usize;
            }
        }
        parents
    }

    /// Returns the name of each joint; empty if no node is it.
    pub fn joint_names(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.joints.len()];
        for node in &self.nodes {
            if let Some(name) = node.joint.and_then(|joint| names.get_mut(joint as usize)) {
                *name = node.name.decode().into_owned();
            }
        }
        names
    }

    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        Self::parse_with(body, notes, &mut 0)
    }

    /// Reads a character, and sets `animations_at` to the offset of its first animation.
    fn parse_with(body: &mut Body<'a>, notes: &mut Notes<'_>, animations_at: &mut usize) -> Result<Self, Fault> {
        let volume = Volume::parse(body)?;
        let at = body.at();
        let lod_count = body.u16("number of levels")?;
        if lod_count == 0 {
            return Err(Fault::invalid("number of levels", at, 0, "at least 1"));
        }
        let mut lod_names = Vec::with_capacity(body.expect(u64::from(lod_count) - 1, 2, "level names")?);
        for _ in 1..lod_count {
            lod_names.push(body.text("level name", notes)?);
        }
        let (nodes, joint_numbers_at) = nodes(body)?;
        let joints = joints(body, lod_count)?;
        for (number, node) in nodes.iter().enumerate() {
            if let Some(joint) = node.joint.filter(|joint| *joint as usize >= joints.len()) {
                let at = joint_numbers_at + 36 * number + 32;
                return Err(Fault::invalid("joint of a node", at, joint, format!("less than {}", joints.len())));
            }
        }
        let mut lods = Vec::with_capacity(body.expect(lod_count.into(), 2, "levels")?);
        for _ in 0..lod_count {
            lods.push(body.items16("meshes of a level")?);
        }
        *animations_at = body.at() + 2;
        let animations = body.items16("animations")?;
        let channels = channels(body)?;
        let at = body.at();
        let sphere_lists = body.u16("number of lists of spheres")?;
        if sphere_lists != lod_count {
            let found = Fault::invalid("number of lists of spheres", at, sphere_lists, lod_count);
            notes.warn(found)?;
        }
        let mut spheres = Vec::with_capacity(body.expect(sphere_lists.into(), 2, "spheres")?);
        for _ in 0..sphere_lists {
            let at = body.at() + 2;
            let list: Items<'_, CharacterSphere> = body.items16("spheres")?;
            check_tree("spheres", at, 16, list.iter().map(|sphere| [sphere.first_child, sphere.next_sibling]))?;
            spheres.push(list);
        }
        Ok(Self { volume, lod_names, nodes, joints, lods, animations, channels, spheres })
    }
}

/// Returns the offset of the first animation in the body of a character that is not damaged.
pub(crate) fn animations_offset(bytes: &[u8], notes: &mut Notes<'_>) -> Result<usize, Fault> {
    let mut offset = 0;
    Character::parse_with(&mut Body::new(bytes), notes, &mut offset)?;
    Ok(offset)
}

/// Reads the nodes, and returns where they start.
fn nodes<'a>(body: &mut Body<'a>) -> Result<(Vec<Node<'a>>, usize), Fault> {
    let count = body.u16("number of nodes")?;
    let start = body.at();
    let mut nodes = Vec::with_capacity(body.expect(count.into(), 36, "nodes")?);
    for _ in 0..count {
        let name = body.take(32, "node name")?;
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        let joint = body.i32("joint of a node")?;
        nodes.push(Node { name: Text::new(&name[..end]), joint: u32::try_from(joint).ok() });
    }
    Ok((nodes, start))
}

fn joints<'a>(body: &mut Body<'a>, lod_count: u16) -> Result<Vec<Joint<'a>>, Fault> {
    let count = body.u16("number of joints")?;
    let start = body.at();
    let mut joints = Vec::with_capacity(body.expect(count.into(), 60 + 2 * u64::from(lod_count), "joints")?);
    let mut links = Vec::with_capacity(count.into());
    for _ in 0..count {
        let (inverse, mesh) = (body.f32s("joint transform")?, body.i32("joint mesh")?);
        let [first_child, next_sibling] = [link(body, count, "first child")?, link(body, count, "next sibling")?];
        links.push([first_child, next_sibling]);
        let mut weights = Vec::with_capacity(lod_count.into());
        for _ in 0..lod_count {
            weights.push(body.items16("weights")?);
        }
        joints.push(Joint {
            inverse,
            mesh,
            first_child: first_child.into(),
            next_sibling: next_sibling.into(),
            weights,
        });
    }
    check_tree("joints", start, 0, links.into_iter())?;
    Ok(joints)
}

/// Reads the number of another joint.
fn link(body: &mut Body<'_>, count: u16, field: &'static str) -> Result<u16, Fault> {
    let at = body.at();
    let link = body.i32(field)?;
    match u16::try_from(link) {
        Ok(link) if link == 0 || link < count => Ok(link),
        _ => Err(Fault::invalid(field, at, link, format!("less than {count}, the number of joints"))),
    }
}

fn channels<'a>(body: &mut Body<'a>) -> Result<Vec<Channel<'a>>, Fault> {
    let count = body.u16("number of channels")?;
    let mut channels = Vec::with_capacity(body.expect(count.into(), 102, "channels")?);
    for _ in 0..count {
        let (node, transform, inverse) =
            (body.i32("node of a channel")?, body.f32s("channel transform")?, body.f32s("channel inverse")?);
        let cap_count = body.u16("number of caps")?;
        let mut caps = Vec::with_capacity(body.expect(cap_count.into(), 22, "caps")?);
        for _ in 0..cap_count {
            let mut numbers = [0; 5];
            for number in &mut numbers {
                *number = body.u32("cap")?;
            }
            caps.push(Cap { numbers, weights: body.items16("weights of a cap")? });
        }
        channels.push(Channel { node, transform, inverse, caps });
    }
    Ok(channels)
}
