//! `cargo rres srsc schema`: classes → Rust types that their JSON is read as.

use std::collections::HashSet;
use std::fmt::Write as _;

use rres_import_srsc::json::{field_names, id};
use rres_import_srsc::{Class, Field, FieldKind, Record};

use super::opened::{SourceArgs, records};
use super::selector::Selector;
use crate::exit::{Failure, Outcome};
use crate::output::Output;

/// Print Rust types for classes, which serde reads from their JSON
///
/// Each class becomes a struct with a field for each of its fields. `Class` has what all classes have; `Class<Door>` reads the JSON
/// of the class Door, as a build stores it and `extract` writes it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo rres srsc schema Common.odb > src/classes.rs
  cargo rres srsc schema Common.odb class:0x0030")]
pub(crate) struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Print only these classes, such as class:0x0030
    #[arg(value_name = "RECORD")]
    records: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let selectors = Selector::parse_all(&args.records)?;
    let mut opened = args.source.open()?;
    let chosen = Selector::choose(&selectors, records(&opened.databases))?;
    let mut classes = Vec::new();
    for (_, view) in &chosen {
        let record = view.parse(&mut opened.checks).map_err(|error| Failure::Fault(error.to_string()))?;
        if let Record::Class(class) = record {
            classes.push((view, class));
        } else if !selectors.is_empty() {
            return Err(Failure::Usage(format!("{} is not a class", view.key())));
        }
    }
    if classes.is_empty() {
        return Err(Failure::Usage(format!("{} has no classes", args.source.file.display())));
    }
    let mut text = HEAD.to_owned();
    let mut types = Names::new(["Class", "ClassAsset", "ClassAssets", "Option", "String", "Vec"]);
    for (view, class) in &classes {
        let place = format!("record {} of {}", id(view.key().id), view.file());
        put(class, &types.unique(&type_name(&class.name.decode())), &place, &mut text);
    }
    out.bytes(text.as_bytes())?;
    opened.warn(out)?;
    Ok(Outcome::Success)
}

/// What all classes have.
const HEAD: &str = "\
// Written by `cargo rres srsc schema`. References are texts such as \"2:0x0001\": the number of the database and the id; `null` is none.
// A colour is a text such as \"#ff7f0180\": red, green, blue, alpha.

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
";

/// Adds the struct of a class.
fn put(class: &Class<'_>, name: &str, place: &str, text: &mut String) {
    let shown = doc(&class.name.decode());
    let _ = write!(text, "\n/// The fields of {shown}, {place}.\n");
    text.push_str("#[derive(Clone, Debug, PartialEq, serde::Deserialize)]\n");
    if class.fields.is_empty() {
        let _ = writeln!(text, "pub struct {name} {{}}");
        return;
    }
    let _ = writeln!(text, "pub struct {name} {{");
    let mut fields = Names::new([]);
    for (field, known) in class.fields.iter().zip(field_names(class)) {
        let name = fields.unique(&field_name(&known));
        let array = if field.is_array() { "s" } else { "" };
        let _ = writeln!(text, "    /// {}{array}.", kind(field));
        if name != known {
            let _ = writeln!(text, "    #[serde(rename = {known:?})]");
        }
        let _ = writeln!(text, "    pub {name}: {},", rust_type(field));
    }
    text.push_str("}\n");
}

fn kind(field: &Field<'_>) -> String {
    match field.kind() {
        FieldKind::Unknown(number) => format!("A number of the unknown type {number}"),
        kind => {
            let mut name = kind.name().to_owned();
            name[..1].make_ascii_uppercase();
            name
        }
    }
}

fn rust_type(field: &Field<'_>) -> String {
    let one = match field.kind() {
        FieldKind::Integer => "i32",
        FieldKind::Float => "f32",
        FieldKind::Boolean => "bool",
        FieldKind::Class
        | FieldKind::Model
        | FieldKind::Sound
        | FieldKind::Animation
        | FieldKind::Sequence
        | FieldKind::Texture => "Option<String>",
        FieldKind::Color => "String",
        FieldKind::Text if !field.is_array() => "String",
        _ => "u32",
    };
    if field.is_array() { format!("Vec<{one}>") } else { one.to_owned() }
}

/// The words of a text: its letters and digits.
fn words(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

/// `Synthetic Thing` → `SyntheticThing`.
fn type_name(text: &str) -> String {
    let capital = |mut word: String| {
        word[..1].make_ascii_uppercase();
        word
    };
    let name: String = words(text).into_iter().map(capital).collect();
    match name.chars().next() {
        None => "Unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("Class{name}"),
        // The only type name that is a keyword.
        Some(_) if name == "Self" => "Self_".to_owned(),
        Some(_) => name,
    }
}

/// `Hit points` → `hit_points`.
fn field_name(text: &str) -> String {
    /// The keywords of all editions, and the names that cannot be raw.
    const KEYWORDS: &str = " abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in \
        let loop macro match mod move mut override priv pub ref return self static struct super trait true try type typeof union unsafe \
        unsized use virtual where while yield ";
    let name = words(text).join("_");
    match name.chars().next() {
        None => "unnamed".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("field_{name}"),
        Some(_) if KEYWORDS.contains(&format!(" {name} ")) => format!("{name}_"),
        Some(_) => name,
    }
}

/// Returns a text for a comment of one line.
fn doc(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c }).collect();
    format!("`{}`", plain.trim())
}

/// Names that are taken.
struct Names(HashSet<String>);

impl Names {
    fn new<const N: usize>(taken: [&str; N]) -> Self {
        Self(taken.map(str::to_owned).into())
    }

    /// Returns the name, with a number if it is taken.
    fn unique(&mut self, name: &str) -> String {
        let separator = if name.contains('_') || name.starts_with(|c: char| c.is_ascii_lowercase()) { "_" } else { "" };
        let numbered = (2..).map(|number| format!("{name}{separator}{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        candidates.find(|name| self.0.insert(name.clone())).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_are_identifiers() {
        for (text, expected) in [
            ("Hit points", "hit_points"),
            ("type", "type_"),
            ("3D sound?", "field_3d_sound"),
            ("Größe", "gr_e"),
            ("", "unnamed"),
            ("Self", "self_"),
        ] {
            assert_eq!(field_name(text), expected);
        }
    }

    #[test]
    fn names_of_classes_are_types() {
        for (text, expected) in [
            ("Synthetic Thing", "SyntheticThing"),
            ("2 handed AXE", "Class2HandedAxe"),
            ("**", "Unnamed"),
            ("self", "Self_"),
        ] {
            assert_eq!(type_name(text), expected);
        }
        let mut names = Names::new(["Class"]);
        assert_eq!(names.unique("Class"), "Class2");
        assert_eq!([names.unique("a"), names.unique("a")], ["a", "a_2"]);
        assert_eq!(doc("a`\nb"), "`a  b`");
    }
}
