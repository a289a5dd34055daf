//! Classes: what objects of a level are made from. A class has typed fields, each with a default value.
//!
//! | field | |
//! |---|---|
//! | string name, `u16` group | |
//! | ref model, `u16` number in the library, `u16` icon | |
//! | `u32` number of fields | |
//! | `u32` size in words, words of 32 bits | the values |
//! | for each field: `u32` type, string name | |
//!
//! The value of field *n* is word *n*. For texts and arrays the word has two halves: the offset of the value, in words from the start
//! of the data, and how many words it has.

use crate::body::{Body, Items, Ref};
use crate::checks::Notes;
use crate::error::Fault;
use crate::text::Text;

/// The type of a field, without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKind {
    /// A whole number with a sign.
    Integer,
    /// A number.
    Float,
    /// A reference to a class.
    Class,
    /// A reference to a model.
    Model,
    /// A reference to a sound.
    Sound,
    /// Whether something is so.
    Boolean,
    /// One of a set of names that are in the library.
    Enum,
    /// A channel of a character.
    Channel,
    /// A reference to an animation.
    Animation,
    /// A text.
    Text,
    /// A reference to a sequence.
    Sequence,
    /// A layer of a landscape.
    Layer,
    /// A reference to a texture.
    Texture,
    /// A colour.
    Color,
    /// A type of unknown meaning.
    Unknown(u8),
}

impl FieldKind {
    fn of(number: u32) -> Self {
        match number as u8 {
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Class,
            4 => Self::Model,
            5 => Self::Sound,
            6 => Self::Boolean,
            7 => Self::Enum,
            8 => Self::Channel,
            9 => Self::Animation,
            10 => Self::Text,
            11 => Self::Sequence,
            12 => Self::Layer,
            14 => Self::Texture,
            15 => Self::Color,
            other => Self::Unknown(other),
        }
    }

    /// Returns the name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Class => "class",
            Self::Model => "model",
            Self::Sound => "sound",
            Self::Boolean => "boolean",
            Self::Enum => "enum",
            Self::Channel => "channel",
            Self::Animation => "animation",
            Self::Text => "text",
            Self::Sequence => "sequence",
            Self::Layer => "layer",
            Self::Texture => "texture",
            Self::Color => "color",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// A field of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The number of the type with its modifiers, as the file has it.
    pub number: u32,
    /// The name.
    pub name: Text<'a>,
}

impl Field<'_> {
    /// Returns the type without its modifiers.
    pub fn kind(&self) -> FieldKind {
        FieldKind::of(self.number)
    }

    /// Whether the field is an array.
    pub fn is_array(&self) -> bool {
        self.modifier() == 0x10
    }

    /// Returns the second byte of the type: 0x10 for arrays. The meaning of 0x20 to 0x50, which classes have, is unknown.
    pub fn modifier(&self) -> u8 {
        (self.number >> 8) as u8
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Integer(i32),
    /// A number.
    Float(f32),
    /// Whether something is so.
    Boolean(bool),
    /// A number whose meaning is in the library, or of unknown type.
    Number(u32),
    /// A reference to a record of the field's type.
    Reference(Ref),
    /// Alpha, red, green, blue.
    Color([u8; 4]),
    /// A text.
    Text(String),
    /// An array.
    Array(Vec<Value>),
}

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub struct Class<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The id of the group, which the directory has, too.
    pub group: u16,
    /// The model of objects of the class.
    pub model: Ref,
    /// The number of the class in the library of functions.
    pub library_class: u16,
    /// The icon in the editor.
    pub icon: u16,
    /// The values, as words of 32 bits.
    pub data: Items<'a, u32>,
    /// The fields.
    pub fields: Vec<Field<'a>>,
}

impl<'a> Class<'a> {
    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        let name = body.text("name", notes)?;
        let (group, model) = (body.u16("group")?, body.reference("model")?);
        let (library_class, icon) = (body.u16("library class")?, body.u16("icon")?);
        let at = body.at();
        let count = body.u32("number of fields")?;
        let words = body.u32("number of values")?;
        let data_at = body.at();
        let data: Items<'_, u32> = body.items(words.into(), "values")?;
        if count > words {
            return Err(Fault::invalid(
                "number of fields",
                at,
                count,
                format!("at most {words}, the number of values"),
            ));
        }
        // A field has at least a type and the length of a name.
        let count = body.expect(count.into(), 6, "fields")?;
        let mut fields = Vec::with_capacity(count);
        for _ in 0..count {
            fields.push(Field { number: body.u32("field type")?, name: body.text("field name", notes)? });
        }
        let class = Self { name, group, model, library_class, icon, data, fields };
        // Texts and arrays do not share words, so that a small record cannot become a huge list.
        let mut used = 0;
        for number in 0..class.fields.len() {
            used += class.span(number).map_or(0, |(_, len)| len);
            if used > class.data.len() {
                let at = data_at + 4 * number;
                let expected = format!("texts and arrays of at most {words} words together");
                return Err(Fault::invalid("value", at, format!("beyond {used} words"), expected));
            }
            class.checked_value(number, data_at)?;
        }
        Ok(class)
    }

    /// Returns the fields with their values.
    pub fn values(&self) -> impl Iterator<Item = (&Field<'a>, Value)> {
        // Reading the class has checked every value.
        (0..self.fields.len()).filter_map(|number| Some((&self.fields[number], self.value(number)?)))
    }

    /// Returns the value of a field; `None` beyond the last field.
    pub fn value(&self, number: usize) -> Option<Value> {
        self.checked_value(number, 0).ok()
    }

    /// Returns the first word of a text or an array, and the number of its words; `None` for other fields.
    fn span(&self, number: usize) -> Option<(usize, usize)> {
        let field = self.fields.get(number).filter(|field| field.is_array() || field.kind() == FieldKind::Text);
        field.and_then(|_| self.data.get(number)).map(|word| ((word & 0xffff) as usize, (word >> 16) as usize))
    }

    /// Returns a value. `data_at` is where the values start.
    fn checked_value(&self, number: usize, data_at: usize) -> Result<Value, Fault> {
        let at = data_at + 4 * number;
        let beyond = || Fault::invalid("value", at, format!("number {number}"), "the number of a field");
        let field = self.fields.get(number).ok_or_else(beyond)?;
        let word = self.data.get(number).ok_or_else(beyond)?;
        let Some((offset, len)) = self.span(number) else { return scalar(field.kind(), word, at) };
        if offset + len > self.data.len() {
            let found = format!("words {offset} to {}", offset + len);
            return Err(Fault::invalid(
                "value",
                at,
                found,
                format!("words within the {} of the class", self.data.len()),
            ));
        }
        if field.is_array() {
            let element = |i: usize| scalar(field.kind(), self.data.get(i).unwrap_or(0), data_at + 4 * i);
            return (offset..offset + len).map(element).collect::<Result<_, _>>().map(Value::Array);
        }
        let bytes = &self.data.bytes()[4 * offset..4 * (offset + len)];
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        Ok(Value::Text(Text::new(&bytes[..end]).decode().into_owned()))
    }
}

/// Returns the value of one word.
fn scalar(kind: FieldKind, word: u32, at: usize) -> Result<Value, Fault> {
    Ok(match kind {
        FieldKind::Integer => Value::Integer(word.cast_signed()),
        FieldKind::Float => match f32::from_bits(word) {
            value if value.is_finite() => Value::Float(value),
            value => return Err(Fault::invalid("value", at, value, "a finite number")),
        },
        FieldKind::Boolean => Value::Boolean(word != 0),
        FieldKind::Class
        | FieldKind::Model
        | FieldKind::Sound
        | FieldKind::Animation
        | FieldKind::Sequence
        | FieldKind::Texture => Value::Reference(Ref { id: word as u16, database: (word >> 16) as u16 }),
        FieldKind::Color => Value::Color(word.to_be_bytes()),
        // The elements of an array of texts are not described.
        FieldKind::Enum | FieldKind::Channel | FieldKind::Layer | FieldKind::Text | FieldKind::Unknown(_) => {
            Value::Number(word)
        }
    })
}
