//! The bytes of a value → the same bytes with the entries of hash maps and hash sets in a fixed order.
//!
//! `HashMap` and `HashSet` have another order in each run, and the bytes of postcard do not say where they are. So the value is read once more:
//! its type asks for one part after another, and says of each map and each list what it makes of it.

use std::any::type_name;
use std::ops::Range;

use postcard::Error;
use serde_core::de::value::U32Deserializer;
use serde_core::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_core::{Deserialize, Deserializer};

/// The entries of a hash map or a hash set: where each begins and ends.
pub(super) type Entries = Vec<Range<usize>>;

/// Finds the hash maps and hash sets of a value of type `T`, the inner ones first.
pub(super) fn hashed<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<Entries>, Error> {
    let mut reader = Reader { bytes, at: 0, hashed: Vec::new() };
    T::deserialize(&mut reader)?;
    Ok(reader.hashed)
}

/// Sorts the entries of each hash map and hash set by their bytes.
pub(super) fn sort(bytes: &mut [u8], hashed: &[Entries]) {
    for entries in hashed {
        // What is inside of an entry was sorted before, and has kept its size.
        let mut sorted: Vec<Vec<u8>> = entries.iter().map(|entry| bytes[entry.clone()].to_vec()).collect();
        sorted.sort_unstable();
        if let Some(first) = entries.first() {
            let sorted = sorted.concat();
            bytes[first.start..][..sorted.len()].copy_from_slice(&sorted);
        }
    }
}

/// Whether a type has its entries in an order that no two runs agree on.
fn is_hashed<T>() -> bool {
    let path = type_name::<T>().split('<').next().unwrap_or_default();
    // A tuple or an array may have one in it.
    path.starts_with(|c: char| c.is_alphabetic()) && matches!(path.rsplit("::").next(), Some("HashMap" | "HashSet"))
}

/// Reads a value of postcard, and notes where its hash maps and hash sets are.
struct Reader<'de> {
    bytes: &'de [u8],
    at: usize,
    hashed: Vec<Entries>,
}

impl<'de> Reader<'de> {
    /// Reads what has no parts.
    fn read<T: Deserialize<'de>>(&mut self) -> Result<T, Error> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let (value, rest) = postcard::take_from_bytes(rest)?;
        self.at = self.bytes.len() - rest.len();
        Ok(value)
    }

    /// Reads the parts of a list or a map of `len` entries.
    fn read_entries<V: Visitor<'de>>(
        &mut self,
        len: usize,
        visit: impl FnOnce(&mut Parts<'_, 'de>) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        let mut parts = Parts { reader: self, left: len, starts: Vec::new() };
        let value = visit(&mut parts)?;
        let mut starts = parts.starts;
        if is_hashed::<V::Value>() {
            starts.push(self.at);
            self.hashed.push(starts.windows(2).map(|pair| pair[0]..pair[1]).collect());
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

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let len = self.read()?;
        self.read_entries::<V>(len, |parts| visitor.visit_seq(parts))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let len = self.read()?;
        self.read_entries::<V>(len, |parts| visitor.visit_map(parts))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.read_entries::<V>(len, |parts| visitor.visit_seq(parts))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::WontImplement)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::WontImplement)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::WontImplement)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The parts of a list, a map or a struct.
struct Parts<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: usize,
    /// Where each part begins: of a map, the key.
    starts: Vec<usize>,
}

impl<'de> SeqAccess<'de> for &mut Parts<'_, 'de> {
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

impl<'de> MapAccess<'de> for &mut Parts<'_, 'de> {
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
        self.deserialize_tuple(fields.len(), visitor)
    }
}
