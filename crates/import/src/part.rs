//! Parts of an asset that have constants: animations of a model, keys of a table of texts.

/// A part of a model that has a name: its constant is a number. Also a key of a table of texts, whose constant is the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPart {
    /// What it is.
    pub sort: PartSort,
    /// Its place among the parts of its sort; the line of a key.
    pub index: u32,
    /// After a key, the placeholders in its text, each in a line of its own.
    pub name: String,
}

impl NamedPart {
    /// A key of a table of texts, with the names of the placeholders in its text.
    pub fn of_key(key: &str, placeholders: impl IntoIterator<Item = String>, line: u32) -> Self {
        let mut placeholders: Vec<String> = placeholders.into_iter().collect();
        placeholders.sort();
        placeholders.dedup();
        let name = std::iter::once(key.to_owned()).chain(placeholders).collect::<Vec<_>>().join("\n");
        Self { sort: PartSort::Key, index: line, name }
    }

    /// The key, and the placeholders in order.
    pub fn key_and_placeholders(&self) -> (&str, impl Iterator<Item = &str>) {
        // The name of a part of a model may have several lines.
        let (key, rest) = match self.sort {
            PartSort::Key => self.name.split_once('\n').unwrap_or((&self.name, "")),
            _ => (self.name.as_str(), ""),
        };
        (key, rest.split('\n').filter(|placeholder| !placeholder.is_empty()))
    }
}

/// The sorts of parts that have constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSort {
    /// An animation of a model.
    Animation,
    /// A camera.
    Camera,
    /// A light.
    Light,
    /// A material.
    Material,
    /// A mesh.
    Mesh,
    /// A scene.
    Scene,
    /// A skin.
    Skin,
    /// A key of a table of texts.
    Key,
}

impl PartSort {
    /// All sorts.
    pub const ALL: [Self; 8] =
        [Self::Animation, Self::Camera, Self::Light, Self::Material, Self::Mesh, Self::Scene, Self::Skin, Self::Key];

    /// Its type in the runtime, whose name in small letters is the module of the constants. Keys are strings.
    pub fn type_name(self) -> &'static str {
        match self {
            Self::Animation => "Animation",
            Self::Camera => "Camera",
            Self::Light => "Light",
            Self::Material => "Material",
            Self::Mesh => "Mesh",
            Self::Scene => "Scene",
            Self::Skin => "Skin",
            Self::Key => "Key",
        }
    }
}
