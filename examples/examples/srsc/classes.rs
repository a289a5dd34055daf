// Written by `cargo rres srsc schema`. References are texts such as "2:0x0001": the number of the database and the id; `null` is none.
// A colour is a text such as "#ff7f0180": red, green, blue, alpha.

/// A class with the values `T` of its fields.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct Class<T> {
    pub name: String,
    /// The model of objects of the class.
    pub model: Option<String>,
    /// The number of the class in the library of functions.
    pub library_class: u16,
    /// The icon in the editor.
    pub icon: u16,
    pub values: T,
    /// The paths of models, sounds and textures that the class refers to.
    #[serde(default)]
    pub assets: ClassAssets,
}

/// The paths of assets that a class refers to.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub struct ClassAssets {
    /// The model of objects of the class.
    pub model: Option<String>,
    /// By the name of the field: a text, `null` or a list of both.
    pub values: std::collections::BTreeMap<String, ClassAsset>,
}

/// The path of one asset, or the paths of an array.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(untagged)]
pub enum ClassAsset {
    One(Option<String>),
    List(Vec<Option<String>>),
}

/// The fields of `Synthetic Thing`, record 0x0030 of Synth.odb.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct SyntheticThing {
    /// Integer.
    #[serde(rename = "Hit points")]
    pub hit_points: i32,
    /// Float.
    #[serde(rename = "Speed")]
    pub speed: f32,
    /// Text.
    #[serde(rename = "Label")]
    pub label: String,
    /// Sounds.
    #[serde(rename = "Sounds")]
    pub sounds: Vec<Option<String>>,
    /// Color.
    #[serde(rename = "Tint")]
    pub tint: String,
    /// Boolean.
    #[serde(rename = "Solid")]
    pub solid: bool,
    /// Texture.
    #[serde(rename = "Skin")]
    pub skin: Option<String>,
}
