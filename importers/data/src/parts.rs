//! The bytes of a value → what they consist of: which of them are hash maps and hash sets, and the fields of its structs.
//!
//! `HashMap` and `HashSet` have another order in each run, and the bytes of postcard do not say where they are. So the value is read once more:
//! its type asks for one part after another, and says of each map and each list what it makes of it.

use std::any::type_name;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use serde_core::de::value::U32Deserializer;
use serde_core::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_core::{Deserialize, Deserializer};

/// The parts of a stored value.
#[derive(Debug)]
pub(super) struct Parts {
    /// The hash maps and hash sets, the inner ones first: where each entry begins and ends.
    pub(super) hashed: Vec<Vec<Range<usize>>>,
    /// The names of the fields of all structs.
    pub(super) fields: BTreeSet<&'static str>,
}

impl Parts {
    /// The parts of a value of type `T`.
    ///
    /// # Errors
    /// What is wrong, and in which types, if the type does not read what it has written.
    pub(super) fn of<T: DeserializeOwned>(bytes: &[u8]) -> Result<Self, String> {
        let parts = Self { hashed: Vec::new(), fields: BTreeSet::new() };
        let mut reader = Reader { bytes, at: 0, parts, types: Vec::new() };
        match T::deserialize(&mut reader) {
            Ok(_) => Ok(reader.parts),
            Err(error) => Err(reader.explain(&error)),
        }
    }

    /// Sorts the entries of each hash map and hash set by their bytes.
    pub(super) fn sort(&self, bytes: &mut [u8]) {
        for entries in &self.hashed {
            // What is inside of an entry was sorted before, and has kept its size.
            let mut sorted: Vec<Vec<u8>> = entries.iter().map(|entry| bytes[entry.clone()].to_vec()).collect();
            sorted.sort_unstable();
            if let Some(first) = entries.first() {
                let sorted = sorted.concat();
                bytes[first.start..][..sorted.len()].copy_from_slice(&sorted);
            }
        }
    }
}

/// What a type does not accept, in words.
#[derive(Debug)]
struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl serde_core::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Whether a type has its entries in an order that no two runs agree on.
fn is_hashed<T>() -> bool {
    let path = type_name::<T>().split('<').next().unwrap_or_default();
    // A tuple or an array may have one in it.
    path.starts_with(|c: char| c.is_alphabetic()) && matches!(path.rsplit("::").next(), Some("HashMap" | "HashSet"))
}

/// Reads a value of postcard, and notes its parts.
struct Reader<'de> {
    bytes: &'de [u8],
    at: usize,
    parts: Parts,
    /// The types that are being read, the outermost first.
    types: Vec<&'static str>,
}

impl<'de> Reader<'de> {
    /// Reads what has no parts.
    fn read<T: Deserialize<'de>>(&mut self) -> Result<T, Error> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let (value, rest) = postcard::take_from_bytes(rest).map_err(|error| Error(error.to_string()))?;
        self.at = self.bytes.len() - rest.len();
        Ok(value)
    }

    /// Reads a type with a name. If that fails, the name stays.
    fn read_type<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.types.push(name);
        let value = read(self)?;
        self.types.pop();
        Ok(value)
    }

    /// An error with the types in which it is.
    fn explain(&self, error: &Error) -> String {
        let places: Vec<_> = self.types.iter().rev().map(|name| format!(" in `{name}`")).collect();
        format!("{error},{}", places.join("")).trim_end_matches(',').to_owned()
    }

    /// Reads the parts of a list or a map of `len` entries.
    fn read_entries<V: Visitor<'de>>(
        &mut self,
        len: usize,
        visit: impl FnOnce(&mut Members<'_, 'de>) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        let mut members = Members { reader: self, left: len, starts: Vec::new() };
        let value = visit(&mut members)?;
        let mut starts = members.starts;
        if is_hashed::<V::Value>() {
            starts.push(self.at);
            self.parts.hashed.push(starts.windows(2).map(|pair| pair[0]..pair[1]).collect());
        }
        Ok(value)
    }
}

macro_rules! read {
    ($($deserialize:ident, $visit:ident;)*) => {
        $(
            fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                visitor.$visit(self.read()?)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    read! {
        deserialize_bool, visit_bool;
        deserialize_i8, visit_i8;
        deserialize_i16, visit_i16;
        deserialize_i32, visit_i32;
        deserialize_i64, visit_i64;
        deserialize_i128, visit_i128;
        deserialize_u8, visit_u8;
        deserialize_u16, visit_u16;
        deserialize_u32, visit_u32;
        deserialize_u64, visit_u64;
        deserialize_u128, visit_u128;
        deserialize_f32, visit_f32;
        deserialize_f64, visit_f64;
        deserialize_char, visit_char;
        deserialize_str, visit_borrowed_str;
        deserialize_string, visit_borrowed_str;
        deserialize_bytes, visit_borrowed_bytes;
        deserialize_byte_buf, visit_borrowed_bytes;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // A byte that is neither 0 nor 1 cannot come from a build.
        if self.read::<bool>()? { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.read_type(name, |reader| visitor.visit_newtype_struct(reader))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let len = self.read()?;
        self.read_entries::<V>(len, |members| visitor.visit_seq(members))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let len = self.read()?;
        self.read_entries::<V>(len, |members| visitor.visit_map(members))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.read_entries::<V>(len, |members| visitor.visit_seq(members))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.read_type(name, |reader| reader.deserialize_tuple(len, visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.parts.fields.extend(fields);
        self.read_type(name, |reader| reader.deserialize_tuple(fields.len(), visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.read_type(name, |reader| visitor.visit_enum(reader))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error("the type asks what is there".to_owned()))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error("the type asks what is there".to_owned()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error("the type asks what is there".to_owned()))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The members of a list, a map or a struct.
struct Members<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: usize,
    /// Where each begins: of a map, the key.
    starts: Vec<usize>,
}

impl<'de> SeqAccess<'de> for &mut Members<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.starts.push(self.reader.at);
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for &mut Members<'_, 'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> EnumAccess<'de> for &mut Reader<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let number: U32Deserializer<Error> = self.read::<u32>()?.into_deserializer();
        Ok((seed.deserialize(number)?, self))
    }
}

impl<'de> VariantAccess<'de> for &mut Reader<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.parts.fields.extend(fields);
        self.deserialize_tuple(fields.len(), visitor)
    }
}
