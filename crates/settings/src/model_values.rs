//! The values of settings of models.

use std::ops::RangeInclusive;

use rres_protocol::nearest::nearest;
use toml::de::DeValue;

use super::declare::OrNone;
use super::domain::{Domain, Integer};
use super::fingerprint::Fingerprint;
use super::shape::{Key, Shape, Table};
use super::toml_reader::{TomlReader, Value, entries};
use super::values::{Word, fingerprint_of_word, word_enum, words};

word_enum! {
    /// The normals of primitives that have none.
    #[derive(Default)]
    NormalMode {
        /// None.
        #[default]
        Keep = "keep";
        /// Averages of the triangles around a position.
        Smooth = "smooth";
        /// The normal of each triangle.
        Flat = "flat";
    }
}

word_enum! {
    /// The tangents of primitives that have none.
    #[derive(Default)]
    TangentMode {
        /// None.
        #[default]
        Keep = "keep";
        /// The tangents of MikkTSpace.
        Generate = "generate";
    }
}

word_enum! {
    /// The format of positions.
    #[derive(Default)]
    PositionFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// 16-bit floats.
        F16 = "f16";
        /// Parts of the box of the mesh in 16 bits.
        Unorm16 = "unorm16";
    }
}

word_enum! {
    /// The format of normals and tangents.
    #[derive(Default)]
    NormalFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// From -1 to 1 in 16 bits.
        Snorm16 = "snorm16";
        /// From -1 to 1 in 8 bits.
        Snorm8 = "snorm8";
    }
}

word_enum! {
    /// The format of texture coordinates.
    #[derive(Default)]
    TexCoordFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// 16-bit floats.
        F16 = "f16";
        /// From 0 to 1 in 16 bits.
        Unorm16 = "unorm16";
    }
}

word_enum! {
    /// The format of the weights of joints.
    #[derive(Default)]
    WeightFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// From 0 to 1 in 16 bits.
        Unorm16 = "unorm16";
        /// From 0 to 1 in 8 bits.
        Unorm8 = "unorm8";
    }
}

/// The size of meshlets: groups of neighbouring triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshletSize {
    /// The most vertices of a meshlet, from 3 to 256.
    pub vertices: u32,
    /// The most triangles of a meshlet, from 1 to 512.
    pub triangles: u32,
}

/// 64 vertices and 124 triangles, which suit the GPUs of all vendors.
impl Default for MeshletSize {
    fn default() -> Self {
        Self { vertices: 64, triangles: 124 }
    }
}

/// Meshlets of the default size, or none.
impl From<bool> for OrNone<MeshletSize> {
    fn from(value: bool) -> Self {
        value.then(MeshletSize::default).into()
    }
}

impl Fingerprint for MeshletSize {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.vertices.fingerprint(out);
        self.triangles.fingerprint(out);
    }
}

/// A size of meshlets, or `true` for the default one.
pub(super) struct Meshlets;

const VERTICES: RangeInclusive<u32> = 3..=256;
const TRIANGLES: RangeInclusive<u32> = 1..=512;

impl Domain for Meshlets {
    type Value = MeshletSize;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<MeshletSize> {
        let mut size = MeshletSize::default();
        match value.get_ref() {
            DeValue::Boolean(true) => {}
            DeValue::Table(table) => {
                for entry in entries(table) {
                    let (slot, range) = match entry.key {
                        "vertices" => (&mut size.vertices, VERTICES),
                        "triangles" => (&mut size.triangles, TRIANGLES),
                        other => {
                            let message =
                                format!("unknown key `{other}` in `{key}`, expected `vertices` or `triangles`");
                            let near = nearest(other, ["vertices", "triangles"]);
                            reader.push(&entry.at, message, near.map(|near| format!("did you mean `{near}`?")));
                            return None;
                        }
                    };
                    *slot = Integer(range).read(reader, &format!("{key}.{}", entry.key), entry.value)?;
                }
            }
            _ => {
                reader.wrong_type(key, value, "true, false, or a size such as { vertices = 64, triangles = 124 }");
                return None;
            }
        }
        Some(size)
    }

    fn write(&self, size: &MeshletSize) -> Option<String> {
        Some(format!("{{ vertices = {}, triangles = {} }}", size.vertices, size.triangles))
    }

    fn check(&self, size: &MeshletSize) -> Result<(), String> {
        match VERTICES.contains(&size.vertices) && TRIANGLES.contains(&size.triangles) {
            true => Ok(()),
            false => Err(format!("expected {}", self.values())),
        }
    }

    fn values(&self) -> String {
        let (vertices, triangles) = (Integer(VERTICES).values(), Integer(TRIANGLES).values());
        format!("true, or {{ vertices = {vertices}, triangles = {triangles} }}")
    }

    fn shape(&self) -> Shape {
        let key = |name, doc, range| Key::new(name, doc, Integer(range).shape());
        let keys = vec![
            key("vertices", "The most vertices of a meshlet.", VERTICES),
            key("triangles", "The most triangles of a meshlet.", TRIANGLES),
        ];
        Shape::Only(true).or(Shape::Table(Table::of("The size of meshlets.", keys)))
    }
}
