//! Versions of the format, and the types of resources.

use std::fmt;

/// The version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: i16,
    /// The second number.
    pub minor: i16,
}

impl Version {
    /// The version that Nikola writes since December 2025, and that this crate writes.
    pub const CURRENT: Self = Self { major: 0, minor: 8 };

    /// The versions that are read. In 0.5 and 0.6, skeletons and animations had other layouts, which are refused.
    pub const SUPPORTED: [Self; 3] = [Self { major: 0, minor: 5 }, Self { major: 0, minor: 6 }, Self::CURRENT];
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The type of a resource that has files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceType {
    /// A picture.
    Texture,
    /// Six pictures.
    Cubemap,
    /// The source of a shader.
    Shader,
    /// Meshes, with their materials and textures.
    Model,
    /// Joints.
    Skeleton,
    /// Movements of joints.
    Animation,
    /// Pictures of characters.
    Font,
    /// Samples of a sound.
    Audio,
}

/// The names of the numbers in version 0.8. Version 0.5 has no skeleton, and the numbers after it are smaller by one.
pub(crate) const NUMBERS: [&str; 14] = [
    "invalid",
    "buffer",
    "texture",
    "cubemap",
    "shader",
    "mesh",
    "material",
    "skybox",
    "model",
    "skeleton",
    "animation",
    "font",
    "shader context",
    "audio",
];

/// The number of skeletons, which version 0.5 does not have.
pub(crate) const SKELETON: u16 = 9;

impl ResourceType {
    /// Every type, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Texture,
        Self::Cubemap,
        Self::Shader,
        Self::Model,
        Self::Skeleton,
        Self::Animation,
        Self::Font,
        Self::Audio,
    ];

    /// The name in lower case, as lists of `nbr` have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Texture => "texture",
            Self::Cubemap => "cubemap",
            Self::Shader => "shader",
            Self::Model => "model",
            Self::Skeleton => "skeleton",
            Self::Animation => "animation",
            Self::Font => "font",
            Self::Audio => "audio",
        }
    }

    /// The number in files of [`Version::CURRENT`].
    #[must_use]
    pub fn number(self) -> u16 {
        let at = NUMBERS.iter().position(|name| *name == self.name());
        at.map_or(0, |at| at as u16)
    }
}

impl fmt::Display for ResourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
