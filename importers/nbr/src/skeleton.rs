//! Skeletons: joints with their children, their places at rest, and their names.

use crate::error::{Error, WarningKind};
use crate::reader::Reader;

/// A count, 22 floats, a name length.
const LEAST_JOINT: usize = 2 + 22 * 4 + 1;

/// Joints, which form one or more trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// The joints. A joint is the child of at most one other.
    pub joints: Vec<Joint>,
    /// The number of the root, which is not a child.
    pub root: u16,
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name; may be empty.
    pub name: String,
    /// The numbers of the joints that move with it.
    pub children: Vec<u16>,
    /// Its place at rest, relative to its parent. A tenth of the source, as are the positions of models.
    pub position: [f32; 3],
    /// Its rotation at rest, relative to its parent: a quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Its scale at rest.
    pub scale: [f32; 3],
    /// The inverse of its place at rest in the space of the model: the first three rows of a matrix, column by column. The fourth row is
    /// 0, 0, 0, 1.
    pub inverse_bind: [f32; 12],
}

impl Skeleton {
    pub(crate) fn parse(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let count = usize::from(reader.u16("number of joints")?);
        let at = reader.position();
        if count == 0 {
            return Err(reader.invalid(at - 2, "number of joints", 0, "1 or more"));
        }
        let mut joints = Vec::with_capacity(reader.list(count, LEAST_JOINT, "joints")?);
        let mut places = Vec::with_capacity(count);
        for number in 0..count {
            places.push(reader.position() + 2);
            joints.push(Joint::parse(reader, number, count).map_err(|error| error.within("joints", number))?);
        }
        let at = reader.position();
        let root = reader.u16("root")?;
        if usize::from(root) >= count {
            return Err(reader.invalid(at, "root", root, format!("less than {count}, the number of joints")));
        }
        let mut skeleton = Self { joints, root };
        skeleton.drop_root_as_child(reader, &places);
        skeleton.check_tree(reader, &places)?;
        Ok(skeleton)
    }

    /// `nbr` writes 0, the root, for a child that is not a joint, such as a mesh in a hand.
    fn drop_root_as_child(&mut self, reader: &mut Reader<'_>, places: &[usize]) {
        for ((number, joint), at) in self.joints.iter_mut().enumerate().zip(places) {
            let before = joint.children.len();
            joint.children.retain(|child| *child != self.root);
            for _ in joint.children.len()..before {
                let text = format!("the root {} names a child that is not a joint; it is left out", self.root);
                reader.warn(WarningKind::RootAsChild, *at, format!("joints[{number}].children"), text);
            }
        }
    }

    /// Checks that each joint has at most one parent, and is not below itself.
    fn check_tree(&self, reader: &Reader<'_>, places: &[usize]) -> Result<(), Error> {
        let parents = self.parents();
        let mut is_child = vec![false; self.joints.len()];
        for (number, joint) in self.joints.iter().enumerate() {
            for child in &joint.children {
                if std::mem::replace(&mut is_child[usize::from(*child)], true) {
                    let field = format!("joints[{number}].children");
                    let found = format!("{child}, which is a child of another joint, too");
                    return Err(reader.invalid(places[number], &field, found, "each joint as a child once"));
                }
            }
        }
        // Each joint has one parent or none, so from those without one each joint is met once, unless it is in a circle.
        let mut next: Vec<usize> = (0..parents.len()).filter(|number| parents[*number].is_none()).collect();
        let mut is_met = vec![false; parents.len()];
        while let Some(number) = next.pop() {
            is_met[number] = true;
            next.extend(self.joints[number].children.iter().map(|child| usize::from(*child)));
        }
        match is_met.iter().position(|is_met| !is_met) {
            Some(number) => {
                let field = format!("joints[{number}].children");
                Err(reader.invalid(places[number], &field, "the joint is below itself", "a tree of joints"))
            }
            None => Ok(()),
        }
    }

    /// The number of the parent of each joint.
    #[must_use]
    pub fn parents(&self) -> Vec<Option<u16>> {
        let mut parents = vec![None; self.joints.len()];
        for (number, joint) in self.joints.iter().enumerate() {
            for child in &joint.children {
                if let Some(parent) = parents.get_mut(usize::from(*child)) {
                    *parent = u16::try_from(number).ok();
                }
            }
        }
        parents
    }

    pub(crate) fn heap_size(&self) -> usize {
        let joints = self.joints.iter().map(|joint| joint.name.capacity() + joint.children.capacity() * 2);
        self.joints.capacity() * size_of::<Joint>() + joints.sum::<usize>()
    }
}

impl Joint {
    fn parse(reader: &mut Reader<'_>, number: usize, count: usize) -> Result<Self, Error> {
        let child_count = reader.u16("number of children")?;
        let at = reader.position();
        let bytes = reader.take(u64::from(child_count) * 2, "children")?;
        let children: Vec<u16> = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
        if let Some(wrong) = children.iter().position(|child| usize::from(*child) >= count) {
            let expected = format!("less than {count}, the number of joints");
            return Err(reader.invalid(at + wrong * 2, &format!("children[{wrong}]"), children[wrong], expected));
        }
        Ok(Self {
            children,
            position: reader.f32s("position")?,
            rotation: reader.f32s("rotation")?,
            scale: reader.f32s("scale")?,
            inverse_bind: reader.f32s("inverse bind matrix")?,
            name: reader.name(|| format!("joints[{number}].name"))?,
        })
    }

    /// The inverse bind matrix with its fourth row, column by column, as glTF has it.
    #[must_use]
    pub fn inverse_bind_matrix(&self) -> [f32; 16] {
        let mut matrix = [0.0; 16];
        for (column, values) in self.inverse_bind.chunks_exact(3).enumerate() {
            matrix[column * 4..column * 4 + 3].copy_from_slice(values);
        }
        matrix[15] = 1.0;
        matrix
    }
}
