//! CSV (RFC 4180) → a list of values: the first line names the fields, and each line after it is one value.
//!
//! Cells are texts, so they become what the type asks for: a number, a truth value, a text, a variant by its name. An empty cell
//! is `None` where the type has an `Option`.

use std::cell::Cell as Shared;

use rres_import::ImportError;
use serde_core::de::value::{MapDeserializer, SeqDeserializer};
use serde_core::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde_core::forward_to_deserialize_any;
use serde_ignored::Path;

use super::place::at_byte;

type Error = serde_core::de::value::Error;

/// One cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    text: String,
    /// The byte at which it begins.
    start: usize,
}

/// Reads a text whose first line names the fields.
pub(super) fn parse<T: DeserializeOwned>(text: &str, ignored: &mut impl FnMut(Path<'_>)) -> Result<T, ImportError> {
    let fail = |message: &str, byte| Err(at_byte(ImportError::new(message), text, byte));
    let mut rows = match rows(text) {
        Ok(rows) => rows.into_iter(),
        Err(start) => return fail("a text in quotes has no end", start),
    };
    let Some(names) = rows.next() else { return fail("is empty, expected a line with the names of the fields", 0) };
    let rows: Vec<Vec<Field>> = rows.collect();
    if let Some(row) = rows.iter().find(|row| row.len() != names.len()) {
        let message = format!("has {} fields, expected {}, as in the first line", row.len(), names.len());
        return fail(&message, row[0].start);
    }
    // The place of the last cell that was read. An error is at that place.
    let reached = Shared::new(0);
    let table = Table { names: &names, rows: &rows, reached: &reached };
    serde_ignored::deserialize(table, ignored).or_else(|error| fail(&error.to_string(), reached.get()))
}

/// The fields of each line that is not empty; each has at least one. The error is where a text begins that does not end.
fn rows(text: &str) -> Result<Vec<Vec<Field>>, usize> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut chars = text.char_indices().peekable();
    loop {
        let start = chars.peek().map_or(text.len(), |(at, _)| *at);
        let mut field = Field { text: String::new(), start };
        let is_quoted = chars.peek().is_some_and(|(_, c)| *c == '"');
        if chars.next_if(|(_, c)| *c == '"').is_some() {
            loop {
                match chars.next().ok_or(start)?.1 {
                    '"' if chars.next_if(|(_, c)| *c == '"').is_none() => break,
                    c => field.text.push(c),
                }
            }
        }
        while let Some((_, c)) = chars.next_if(|(_, c)| !matches!(c, ',' | '\n')) {
            field.text.push(c);
        }
        let end = chars.next().map(|(_, c)| c);
        if end != Some(',') && field.text.ends_with('\r') {
            field.text.pop();
        }
        row.push(field);
        if end == Some(',') {
            continue;
        }
        // A line without anything has one empty field. An empty text in quotes is a value.
        let is_empty = row.len() == 1 && row[0].text.is_empty() && !is_quoted;
        let row = std::mem::take(&mut row);
        rows.extend((!is_empty).then_some(row));
        if end.is_none() {
            return Ok(rows);
        }
    }
}

/// All lines but the first, as a list.
struct Table<'a> {
    names: &'a [Field],
    rows: &'a [Vec<Field>],
    reached: &'a Shared<usize>,
}

impl<'de, 'a: 'de> Deserializer<'de> for Table<'a> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Self { names, rows, reached } = self;
        visitor.visit_seq(SeqDeserializer::new(rows.iter().map(|fields| Row { names, fields, reached })))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// One line, as a value whose fields the first line names.
struct Row<'a> {
    names: &'a [Field],
    fields: &'a [Field],
    reached: &'a Shared<usize>,
}

impl<'de, 'a: 'de> IntoDeserializer<'de, Error> for Row<'a> {
    type Deserializer = RowDeserializer<'a>;

    fn into_deserializer(self) -> RowDeserializer<'a> {
        RowDeserializer(self)
    }
}

struct RowDeserializer<'a>(Row<'a>);

impl<'de, 'a: 'de> Deserializer<'de> for RowDeserializer<'a> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Row { names, fields, reached } = self.0;
        reached.set(fields[0].start);
        let cells = names.iter().zip(fields).map(|(name, field)| (name.text.as_str(), Cell { field, reached }));
        visitor.visit_map(MapDeserializer::new(cells))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Row { fields, reached, .. } = self.0;
        visitor.visit_seq(SeqDeserializer::new(fields.iter().map(|field| Cell { field, reached })))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        tuple_struct map struct enum identifier ignored_any
    }
}

/// One cell, as a value of the type that is asked for.
struct Cell<'a> {
    field: &'a Field,
    reached: &'a Shared<usize>,
}

impl<'de, 'a: 'de> IntoDeserializer<'de, Error> for Cell<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'a> Cell<'a> {
    /// The text, at which an error would be.
    fn text(&self) -> &'a str {
        self.reached.set(self.field.start);
        &self.field.text
    }
}

macro_rules! numbers {
    ($($deserialize:ident $visit:ident $number:ty,)*) => {
        $(
            fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                let text = self.text().trim();
                match text.parse::<$number>() {
                    Ok(number) => visitor.$visit(number),
                    Err(_) => Err(Error::custom(format!("expected {}, found {text:?}", stringify!($number)))),
                }
            }
        )*
    };
}

impl<'de, 'a: 'de> Deserializer<'de> for Cell<'a> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.text())
    }

    numbers! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i8 i8,
        deserialize_i16 visit_i16 i16,
        deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64,
        deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8,
        deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64,
        deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64,
        deserialize_char visit_char char,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.text().is_empty() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.text().into_deserializer())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}
