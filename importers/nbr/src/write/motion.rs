//! Skeletons and animations as files.

use super::Writer;
use crate::error::{Error, ErrorKind};
use crate::{Animation, Joint, Key, Skeleton};

impl Writer {
    pub(super) fn skeleton(&mut self, skeleton: &Skeleton) -> Result<(), Error> {
        let Skeleton { joints, root } = skeleton;
        if usize::from(*root) >= joints.len() {
            let expected = format!("less than {}, the number of joints", joints.len());
            return Err(self.error(ErrorKind::Invalid, "root", root, expected));
        }
        self.u16(joints.len(), "number of joints")?;
        for (number, joint) in joints.iter().enumerate() {
            self.joint(joint, joints.len(), *root).map_err(|error| error.within("joints", number))?;
        }
        self.bytes.extend(root.to_le_bytes());
        Ok(())
    }

    fn joint(&mut self, joint: &Joint, count: usize, root: u16) -> Result<(), Error> {
        let Joint { name, children, position, rotation, scale, inverse_bind } = joint;
        self.u16(children.len(), "children")?;
        if let Some(wrong) = children.iter().find(|child| usize::from(**child) >= count || **child == root) {
            let expected = format!("less than {count}, the number of joints, and not the root");
            return Err(self.error(ErrorKind::Invalid, "children", wrong, expected));
        }
        self.bytes.extend(children.iter().flat_map(|child| child.to_le_bytes()));
        [&position[..], rotation, scale, inverse_bind].into_iter().for_each(|values| self.f32s(values));
        self.name(name)
    }

    pub(super) fn animation(&mut self, animation: &Animation) -> Result<(), Error> {
        let Animation { name, tracks, duration } = animation;
        self.name(name)?;
        self.u16(tracks.len(), "number of tracks")?;
        for (number, track) in tracks.iter().enumerate() {
            let within = |error: Error| error.within("tracks", number);
            self.keys(&track.positions, "positions").map_err(within)?;
            self.keys(&track.rotations, "rotations").map_err(within)?;
            self.keys(&track.scales, "scales").map_err(within)?;
        }
        self.f32s(&[*duration]);
        Ok(())
    }

    fn keys<const N: usize>(&mut self, keys: &[Key<N>], field: &str) -> Result<(), Error> {
        if keys.is_empty() {
            return Err(self.error(ErrorKind::Invalid, field, "0 keys", "1 or more"));
        }
        self.u16(keys.len(), field)?;
        for key in keys {
            self.f32s(&key.value);
            self.f32s(&[key.time]);
        }
        Ok(())
    }

    fn name(&mut self, name: &str) -> Result<(), Error> {
        self.u8(name.len(), "name length")?;
        self.bytes.extend_from_slice(name.as_bytes());
        Ok(())
    }
}
