//! The values of settings of shaders: what a build does with them, their stage, their variants, and what they are compiled to.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::domain::Domain;
use super::fingerprint::Fingerprint;
use super::shape::{Shape, Table};
use super::toml_reader::{TomlReader, Value, entries, to_i64};
use super::toml_string::toml_string;
use super::values::{Word, fingerprint_of_word, word_enum, words};

word_enum! {
    /// What a build does with the source of a shader.
    ShaderImport {
        /// It stores the source as it is.
        Keep = "keep";
        /// It puts included files in their place, and makes a text of each stage.
        Preprocess = "preprocess";
        /// The same, and it validates the source and stores the interface of the shader.
        Validate = "validate";
    }
}

word_enum! {
    /// The stage of a shader in GLSL, whose source does not say it.
    GlslStage {
        /// A vertex shader.
        Vertex = "vertex";
        /// A fragment shader, also called pixel shader.
        Fragment = "fragment";
        /// A compute shader.
        Compute = "compute";
    }
}

word_enum! {
    /// What a build compiles a shader to.
    ShaderTarget {
        /// SPIR-V 1.3, for Vulkan.
        Spirv = "spirv";
        /// Metal Shading Language 2.1.
        Msl = "msl";
    }
}

/// The names that directives of a shader ask for, with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderDefines(pub BTreeMap<String, DefineValue>);

impl ShaderDefines {
    /// Returns whether something can be defined by this name: letters, digits and `_`, and no digit first.
    pub fn is_name(name: &str) -> bool {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }
}

/// The value of a name that directives of a shader ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefineValue {
    /// It is defined, as 1, or it is not defined.
    Flag(bool),
    /// It is a number.
    Integer(i32),
    /// It is what a shader may have in its place, such as `0.5` or `vec3f`.
    Code(String),
}

/// Names that are defined, with these values.
impl<const N: usize, V: Into<DefineValue>> From<[(&str, V); N]> for ShaderDefines {
    fn from(defines: [(&str, V); N]) -> Self {
        Self(defines.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect())
    }
}

/// Defined or not.
impl From<bool> for DefineValue {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

/// A number.
impl From<i32> for DefineValue {
    fn from(value: i32) -> Self {
        Self::Integer(value)
    }
}

/// What the shader has in its place.
impl From<&str> for DefineValue {
    fn from(value: &str) -> Self {
        Self::Code(value.to_owned())
    }
}

/// The variants of a shader: what each of them defines, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderVariants(pub BTreeMap<String, ShaderDefines>);

/// Variants with these names.
impl<const N: usize, D: Into<ShaderDefines>> From<[(&str, D); N]> for ShaderVariants {
    fn from(variants: [(&str, D); N]) -> Self {
        Self(variants.into_iter().map(|(name, defines)| (name.to_owned(), defines.into())).collect())
    }
}

impl Fingerprint for ShaderDefines {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        (self.0.len() as u64).fingerprint(out);
        for (name, value) in &self.0 {
            name.fingerprint(out);
            match value {
                DefineValue::Flag(flag) => out.extend([0, u8::from(*flag)]),
                DefineValue::Integer(number) => {
                    out.push(1);
                    number.fingerprint(out);
                }
                DefineValue::Code(code) => {
                    out.push(2);
                    code.fingerprint(out);
                }
            }
        }
    }
}

impl Fingerprint for ShaderVariants {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        (self.0.len() as u64).fingerprint(out);
        for (name, defines) in &self.0 {
            name.fingerprint(out);
            defines.fingerprint(out);
        }
    }
}

/// A table of names with their values.
pub(super) struct Defines;

/// What the values of [`Defines`] may be.
const VALUES: &str = "true, false, an integer of 32 bits, or a string without line break or `\\`";
/// The names of what is defined, as a regular expression.
const NAMES: &str = "^[A-Za-z_][A-Za-z0-9_]*$";
/// The names of variants, as a regular expression.
const VARIANTS: &str = "^[A-Za-z][A-Za-z0-9_]*$";
/// Each variant is validated by itself.
const MAX_VARIANTS: usize = 1_000;

fn is_variant(name: &str) -> bool {
    ShaderDefines::is_name(name) && !name.starts_with('_')
}

fn is_code(code: &str) -> bool {
    !code.trim().is_empty() && !code.contains(|character: char| character.is_control() || character == '\\')
}

impl Domain for Defines {
    type Value = ShaderDefines;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<ShaderDefines> {
        let DeValue::Table(table) = value.get_ref() else {
            reader.wrong_type(key, value, "a table of names such as { SHADOWS = true, LIGHTS = 4 }");
            return None;
        };
        let mut defines = BTreeMap::new();
        for entry in entries(table) {
            if !ShaderDefines::is_name(entry.key) {
                let message = format!("invalid name `{}` in `{key}`, expected letters, digits and `_`", entry.key);
                reader.push(&entry.at, message, None);
                return None;
            }
            let read = match entry.value.get_ref() {
                DeValue::Boolean(flag) => Some(DefineValue::Flag(*flag)),
                DeValue::Integer(number) => {
                    to_i64(number).and_then(|number| i32::try_from(number).ok()).map(DefineValue::Integer)
                }
                DeValue::String(code) if is_code(code) => Some(DefineValue::Code(code.clone().into_owned())),
                _ => None,
            };
            let Some(read) = read else {
                reader.wrong_type(&format!("{key}.{}", entry.key), entry.value, VALUES);
                return None;
            };
            defines.insert(entry.key.to_owned(), read);
        }
        Some(ShaderDefines(defines))
    }

    fn write(&self, value: &ShaderDefines) -> Option<String> {
        let defines = value.0.iter().map(|(name, value)| match value {
            DefineValue::Flag(flag) => format!("{name} = {flag}"),
            DefineValue::Integer(number) => format!("{name} = {number}"),
            DefineValue::Code(code) => format!("{name} = {}", toml_string(code)),
        });
        Some(format!("{{ {} }}", defines.collect::<Vec<_>>().join(", ")))
    }

    fn check(&self, value: &ShaderDefines) -> Result<(), String> {
        for (name, value) in &value.0 {
            if !ShaderDefines::is_name(name) {
                return Err(format!("expected a name of letters, digits and `_`, found `{name}`"));
            }
            if matches!(value, DefineValue::Code(code) if !is_code(code)) {
                return Err(format!("expected for `{name}`: {VALUES}"));
            }
        }
        Ok(())
    }

    fn values(&self) -> String {
        "names and their values such as { SHADOWS = true, LIGHTS = 4 }".to_owned()
    }

    fn shape(&self) -> Shape {
        let number = Shape::Integer(i64::from(i32::MIN)..=i64::from(i32::MAX));
        let value = Shape::Flag.or(number).or(Shape::text(r"^[^\\\x00-\x1f\x7f]+$"));
        Shape::Table(Table::of_any("Names that directives ask for, with their values.", NAMES, value))
    }
}

/// A table of variants with what each defines.
pub(super) struct Variants;

impl Domain for Variants {
    type Value = ShaderVariants;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<ShaderVariants> {
        let DeValue::Table(table) = value.get_ref() else {
            reader.wrong_type(key, value, "a table of variants such as { night = { SHADOWS = true } }");
            return None;
        };
        let mut variants = BTreeMap::new();
        for entry in entries(table) {
            if !is_variant(entry.key) {
                let message = format!(
                    "invalid name of a variant `{}` in `{key}`, expected letters, digits and `_`, and a letter first",
                    entry.key
                );
                reader.push(&entry.at, message, None);
                return None;
            }
            let defines = Defines.read(reader, &format!("{key}.{}", entry.key), entry.value)?;
            variants.insert(entry.key.to_owned(), defines);
        }
        if variants.len() > MAX_VARIANTS {
            reader.error(&value.span(), format!("too many variants in `{key}`, expected at most {MAX_VARIANTS}"));
            return None;
        }
        Some(ShaderVariants(variants))
    }

    fn write(&self, value: &ShaderVariants) -> Option<String> {
        let variants: Option<Vec<String>> =
            value.0.iter().map(|(name, defines)| Some(format!("{name} = {}", Defines.write(defines)?))).collect();
        Some(format!("{{ {} }}", variants?.join(", ")))
    }

    fn check(&self, value: &ShaderVariants) -> Result<(), String> {
        if value.0.len() > MAX_VARIANTS {
            return Err(format!("expected at most {MAX_VARIANTS} variants"));
        }
        for (name, defines) in &value.0 {
            if !is_variant(name) {
                return Err(format!("expected a name of letters, digits and `_`, found `{name}`"));
            }
            Defines.check(defines)?;
        }
        Ok(())
    }

    fn values(&self) -> String {
        "variants and what they define such as { night = { SHADOWS = true } }".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::Table(Table::of_any("What each variant of the shader defines.", VARIANTS, Defines.shape()))
    }
}
