//! Puppets: a text with vertices, triangles, bones and the keys of an animation, which becomes a model that joints move.
//!
//! ```text
//! vertex 0 0 0 pole        position and bone
//! triangle 0 1 2
//! bone tip pole 0 1 0      name, parent or -, and where it is
//! turn wave tip 0.5 90     animation, bone, seconds, and degrees around z
//! ```

use std::collections::BTreeMap;

use rres_format::AssetKind;
use rres_format::chunk::scene::{Interpolation, Property};
use rres_format::chunk::vertex::VertexAttribute;
use rres_import::model::{ModelBuilder, ModelChannel, ModelMaterial, ModelNode, ModelSkin, Vertices};
use rres_import::{Asset, Description, ImportError, Importer, Setting, Source};

use super::number;

/// The importer of puppets. Its setting `scale` multiplies all lengths.
#[derive(Clone, Copy, Debug)]
pub struct PuppetImporter;

#[derive(Default)]
struct Puppet<'a> {
    positions: Vec<[f32; 3]>,
    bone_of: Vec<&'a str>,
    indices: Vec<u32>,
    /// Name, number of the parent, and position.
    bones: Vec<(&'a str, Option<usize>, [f32; 3])>,
    /// By animation and bone.
    turns: BTreeMap<(&'a str, usize), Turn>,
}

/// The keys of a bone: times, and rotations as quaternions.
#[derive(Default)]
struct Turn {
    times: Vec<f32>,
    rotations: Vec<f32>,
}

impl Importer for PuppetImporter {
    fn describe(&self) -> Description {
        Description::new("puppet", 1)
            .reads(["puppet"])
            .makes(AssetKind::Model)
            .with_setting(Setting::number("scale", 0.001..=1000.0).with_default(1.0))
            .without_path()
    }

    fn import(&self, source: &mut Source<'_>) -> Result<Vec<Asset>, ImportError> {
        let scale = source.settings().number("scale").unwrap_or(1.0) as f32;
        let puppet = Puppet::read(source.text()?, scale)?;
        Ok(vec![puppet.model(source)?])
    }
}

impl<'a> Puppet<'a> {
    fn read(text: &'a str, scale: f32) -> Result<Self, ImportError> {
        let mut read = Self::default();
        for (line, text) in (1..).zip(text.lines()) {
            let mut words = text.split_whitespace();
            match words.next() {
                None => {}
                Some("vertex") => {
                    read.positions.push(point(&mut words, line, scale)?);
                    read.bone_of.push(words.next().unwrap_or_default());
                }
                Some("triangle") => {
                    for _ in 0..3 {
                        read.indices.push(number(&mut words, line)?);
                    }
                }
                Some("bone") => {
                    let (name, parent) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                    let parent = if parent == "-" { None } else { Some(read.bone(parent).map_err(|e| e.at(line, 1))?) };
                    read.bones.push((name, parent, point(&mut words, line, scale)?));
                }
                Some("turn") => {
                    let (name, bone) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
                    let bone = read.bone(bone).map_err(|e| e.at(line, 1))?;
                    let turn = read.turns.entry((name, bone)).or_default();
                    turn.times.push(number(&mut words, line)?);
                    let half = number::<f32>(&mut words, line)?.to_radians() / 2.0;
                    turn.rotations.extend([0.0, 0.0, half.sin(), half.cos()]);
                }
                Some(other) => {
                    let found = format!("expected vertex, triangle, bone or turn, found \"{other}\"");
                    return Err(ImportError::new(found).at(line, 1));
                }
            }
        }
        Ok(read)
    }

    fn bone(&self, name: &str) -> Result<usize, ImportError> {
        let found = self.bones.iter().position(|(known, ..)| *known == name);
        found.ok_or_else(|| ImportError::new(format!("there is no bone \"{name}\" above")))
    }

    fn model(self, source: &Source<'_>) -> Result<Asset, ImportError> {
        let mut model = ModelBuilder::default();
        let (mesh, material) = (model.add_mesh(""), model.add_material(ModelMaterial::new("paper", [1.0; 4])));
        let mut joints = Vec::new();
        for name in &self.bone_of {
            joints.push([self.bone(name)? as u16, 0, 0, 0]);
        }
        let weights = self.bone_of.iter().map(|_| [1.0, 0.0, 0.0, 0.0]);
        let moved = vec![Vertices::joints(0, joints), Vertices::floats(VertexAttribute::weights(0), weights)];
        model.add_triangles(mesh, Some(material), &self.positions, Vec::new(), &self.indices, moved)?;
        model.add_node(ModelNode { mesh: Some(mesh), skin: Some(0), ..ModelNode::default() });
        let (mut nodes, mut inverse) = (Vec::new(), Vec::new());
        for (name, parent, at) in &self.bones {
            let origin = parent.map_or([0.0; 3], |parent| self.bones[parent].2);
            nodes.push(model.add_node(ModelNode {
                name: (*name).to_owned(),
                parent: parent.map(|parent| nodes[parent]),
                translation: std::array::from_fn(|axis| at[axis] - origin[axis]),
                ..ModelNode::default()
            }));
            // Vertices are where the puppet stands, so a joint first moves them to its own place.
            let mut matrix: [f32; 16] = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
            (0..3).for_each(|axis| matrix[12 + axis] = -at[axis]);
            inverse.push(matrix);
        }
        let root = nodes.first().copied();
        model.add_skin(ModelSkin { name: String::new(), joints: nodes.clone(), inverse_bind_matrices: inverse, root });
        let mut animations: BTreeMap<&str, Vec<ModelChannel>> = BTreeMap::new();
        for ((name, bone), Turn { times, rotations: values }) in self.turns {
            let (node, property, interpolation) = (nodes[bone], Property::ROTATION, Interpolation::LINEAR);
            let channel = ModelChannel { node, property, interpolation, times, values };
            animations.entry(name).or_default().push(channel);
        }
        for (name, channels) in animations {
            model.add_animation(name, channels);
        }
        source.model(model, format!("{} triangles, {} joints", self.indices.len() / 3, self.bones.len()))
    }
}

fn point(words: &mut dyn Iterator<Item = &str>, line: u32, scale: f32) -> Result<[f32; 3], ImportError> {
    let mut at = [0.0; 3];
    for value in &mut at {
        *value = number::<f32>(words, line)? * scale;
    }
    Ok(at)
}
