//! The setting `model.collision`: which shapes for physics models get.

use std::ops::RangeInclusive;

use rres_protocol::nearest::nearest;
use toml::de::DeValue;

use super::declare::OrNone;
use super::domain::{Domain, Integer, OneOf};
use super::fingerprint::Fingerprint;
use super::shape::{Key, Shape, Table};
use super::toml_reader::{TomlReader, Value, entries};
use super::values::{Word, fingerprint_of_word, word_enum, words};

word_enum! {
    /// What the shapes of a mesh for physics are.
    #[derive(Default)]
    CollisionKind {
        /// Its convex hull.
        #[default]
        Hull = "hull";
        /// Convex parts that fill it.
        Parts = "parts";
        /// Its triangles.
        Triangles = "triangles";
    }
}

/// Which shapes for physics the meshes of a model get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    /// What they are.
    pub shape: CollisionKind,
    /// The most vertices of a hull or part, from 4 to 255.
    pub vertices: u32,
    /// The most parts of a mesh, from 2 to 64.
    pub parts: u32,
}

/// A hull of 64 vertices, or 16 parts of as many: few enough for every engine.
impl Default for Collision {
    fn default() -> Self {
        Self { shape: CollisionKind::default(), vertices: 64, parts: 16 }
    }
}

impl From<CollisionKind> for Collision {
    fn from(shape: CollisionKind) -> Self {
        Self { shape, ..Self::default() }
    }
}

impl From<CollisionKind> for OrNone<Collision> {
    fn from(shape: CollisionKind) -> Self {
        Collision::from(shape).into()
    }
}

impl Fingerprint for Collision {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.shape.fingerprint(out);
        self.vertices.fingerprint(out);
        self.parts.fingerprint(out);
    }
}

const VERTICES: RangeInclusive<u32> = 4..=255;
const PARTS: RangeInclusive<u32> = 2..=64;
const KINDS: OneOf<CollisionKind> = OneOf::<CollisionKind>::ANY;

/// A word, or a table with its limits.
pub(super) struct Collisions;

impl Collisions {
    fn read_table(reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Collision> {
        let DeValue::Table(table) = value.get_ref() else { return None };
        let mut collision = Collision::default();
        let mut limits = Vec::new();
        for entry in entries(table) {
            let key_of = format!("{key}.{}", entry.key);
            match entry.key {
                "shape" => collision.shape = KINDS.read(reader, &key_of, entry.value)?,
                "vertices" => collision.vertices = Integer(VERTICES).read(reader, &key_of, entry.value)?,
                "parts" => collision.parts = Integer(PARTS).read(reader, &key_of, entry.value)?,
                other => {
                    let message = format!("unknown key `{other}` in `{key}`, expected `shape`, `vertices` or `parts`");
                    let near = nearest(other, ["shape", "vertices", "parts"]);
                    reader.push(&entry.at, message, near.map(|near| format!("did you mean `{near}`?")));
                    return None;
                }
            }
            limits.push(entry);
        }
        let word = collision.shape.word();
        let useless = |name: &str| match name {
            "vertices" => collision.shape == CollisionKind::Triangles,
            "parts" => collision.shape != CollisionKind::Parts,
            _ => false,
        };
        if let Some(entry) = limits.iter().find(|entry| useless(entry.key)) {
            let message = format!("`{key}.{}` has no effect on the shape \"{word}\"", entry.key);
            let others = if entry.key == "parts" { "\"parts\"" } else { "\"hull\" or \"parts\"" };
            reader.push(&entry.at, message, Some(format!("remove it, or choose shape = {others}")));
            return None;
        }
        Some(collision)
    }
}

impl Domain for Collisions {
    type Value = Collision;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Collision> {
        match value.get_ref() {
            DeValue::String(_) => KINDS.read(reader, key, value).map(Collision::from),
            DeValue::Table(_) => Self::read_table(reader, key, value),
            _ => {
                let expected =
                    format!("false, {}, or a table such as {{ shape = \"parts\", parts = 8 }}", KINDS.values());
                reader.wrong_type(key, value, &expected);
                None
            }
        }
    }

    fn write(&self, collision: &Collision) -> Option<String> {
        let Collision { shape, vertices, parts } = *collision;
        let word = shape.word();
        Some(match shape {
            CollisionKind::Triangles => format!("\"{word}\""),
            CollisionKind::Hull => format!("{{ shape = \"{word}\", vertices = {vertices} }}"),
            CollisionKind::Parts => format!("{{ shape = \"{word}\", vertices = {vertices}, parts = {parts} }}"),
        })
    }

    fn check(&self, collision: &Collision) -> Result<(), String> {
        match VERTICES.contains(&collision.vertices) && PARTS.contains(&collision.parts) {
            true => Ok(()),
            false => Err(format!("expected {}", self.values())),
        }
    }

    fn values(&self) -> String {
        let (vertices, parts) = (Integer(VERTICES).values(), Integer(PARTS).values());
        format!("{}, or {{ shape = \"parts\", vertices = {vertices}, parts = {parts} }}", KINDS.values())
    }

    fn shape(&self) -> Shape {
        let keys = vec![
            Key::new("shape", "What the shapes of a mesh are.", KINDS.shape()),
            Key::new("vertices", "The most vertices of a hull or part.", Integer(VERTICES).shape()),
            Key::new("parts", "The most parts of a mesh.", Integer(PARTS).shape()),
        ];
        KINDS.shape().or(Shape::Table(Table::of("The shapes of a mesh, with their limits.", keys)))
    }
}
