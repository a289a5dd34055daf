//! Values that a build has checked and stored: data of a type of the program, without a parser.
//!
//! A reference to another asset is stored as its position among the dependencies of the data. serde passes nothing else along, so the
//! dependencies are in a variable of the thread while a value is read.

#[cfg(feature = "data")]
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;
#[cfg(feature = "data")]
use serde_core::de::Error as _;
use serde_core::de::Visitor;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(feature = "data")]
use crate::asset::CustomChunk;
use crate::id::Id;

#[cfg(feature = "data")]
thread_local! {
    /// The dependencies of the data that is being read.
    static DEPENDENCIES: RefCell<Option<Box<[ResourceId]>>> = const { RefCell::new(None) };
}

/// Reads a value that `rres-build` has stored. The types of data that the generated module declares call it.
#[cfg(feature = "data")]
pub fn read_data<T: serde_core::de::DeserializeOwned>(chunk: &CustomChunk<'_>) -> Result<T, String> {
    read(chunk.data(), chunk.dependencies())
}

#[cfg(feature = "data")]
fn read<T: serde_core::de::DeserializeOwned>(data: &[u8], dependencies: &[ResourceId]) -> Result<T, String> {
    /// Puts back the previous value, also if the type panics.
    struct Before(Option<Box<[ResourceId]>>);

    impl Drop for Before {
        fn drop(&mut self) {
            DEPENDENCIES.set(self.0.take());
        }
    }

    let _before = Before(DEPENDENCIES.replace(Some(dependencies.into())));
    match postcard::take_from_bytes::<T>(data) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(format!("the stored value has {} bytes too many", rest.len())),
        Err(error) => Err(format!("the stored value does not fit the type of the program: {error}")),
    }
}

/// Stored as its resource id.
impl<T: ?Sized> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.resource().0)
    }
}

/// Reads what [`Serialize`] stores. In texts, such as JSON, it may be the path of the asset, too: `"ui/heart.png"`. In data that a build has checked, it is what the
/// file refers to.
impl<'de, T: ?Sized> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(PathOrNumber(PhantomData));
        }
        let number = u32::deserialize(deserializer)?;
        #[cfg(feature = "data")]
        let number = DEPENDENCIES.with_borrow(|dependencies| match dependencies {
            None => Ok(number),
            Some(ids) => {
                ids.get(number as usize).map(|id| id.0).ok_or_else(|| D::Error::custom("refers to no dependency"))
            }
        })?;
        Ok(Self::new(ResourceId(number), Slot(0)))
    }
}

struct PathOrNumber<T: ?Sized>(PhantomData<fn() -> T>);

impl<T: ?Sized> Visitor<'_> for PathOrNumber<T> {
    type Value = Id<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the path of an asset or its id")
    }

    fn visit_str<E: serde_core::de::Error>(self, path: &str) -> Result<Id<T>, E> {
        Ok(Id::from_path(path))
    }

    fn visit_u64<E: serde_core::de::Error>(self, number: u64) -> Result<Id<T>, E> {
        let number = u32::try_from(number).map_err(|_| E::custom(format!("{number} is not the id of an asset")))?;
        Ok(Id::new(ResourceId(number), Slot(0)))
    }

    fn visit_i64<E: serde_core::de::Error>(self, number: i64) -> Result<Id<T>, E> {
        let number = u64::try_from(number).map_err(|_| E::custom(format!("{number} is not the id of an asset")))?;
        self.visit_u64(number)
    }
}

#[cfg(all(test, feature = "data"))]
mod tests {
    use super::*;
    use crate::asset::Image;

    type Value = (String, Id<Image>, Vec<Id<Image>>);

    const IDS: [ResourceId; 2] = [ResourceId(70), ResourceId(0xffff_fff0)];

    #[test]
    fn references_are_positions_among_the_dependencies() {
        let (name, first, others): Value = read(b"\x02ab\x01\x02\x00\x01", &IDS).unwrap();
        assert_eq!((name.as_str(), first.resource()), ("ab", IDS[1]));
        assert_eq!(others.iter().map(|id| id.resource()).collect::<Vec<_>>(), IDS);
    }

    #[test]
    fn bytes_that_are_no_value_are_errors() {
        let whole = b"\x02ab\x01\x02\x00\x01";
        for end in 0..whole.len() {
            assert!(read::<Value>(&whole[..end], &IDS).is_err(), "cut off at {end}");
        }
        let error = |data: &[u8]| read::<Value>(data, &IDS).unwrap_err();
        assert_eq!(error(b"\x02ab\x01\x00xyz"), "the stored value has 3 bytes too many");
        assert!(error(b"\x02ab\x02\x00").starts_with("the stored value does not fit the type of the program"));
        // A list of 2^63 texts: nothing is allocated for them in advance.
        assert!(read::<Vec<String>>(b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", &[]).is_err());
    }

    #[test]
    fn outside_of_data_an_id_is_a_number() {
        let bytes = postcard::to_stdvec(&Id::<Image>::from_path("ui/a.png")).unwrap();
        assert_eq!(postcard::from_bytes::<Id<Image>>(&bytes), Ok(Id::from_path("ui/a.png")));
    }

    #[test]
    fn a_type_that_panics_leaves_nothing_behind() {
        struct Panics;
        impl<'de> Deserialize<'de> for Panics {
            fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                panic!("no");
            }
        }
        assert!(std::panic::catch_unwind(|| read::<Panics>(&[], &IDS).is_ok()).is_err());
        assert_eq!(postcard::from_bytes::<Id<Image>>(&[1]).unwrap().resource(), ResourceId(1));
    }

    #[cfg(feature = "json")]
    #[test]
    fn in_texts_an_id_is_a_path_or_a_number() {
        fn read(text: &str) -> serde_json::Result<Id<Image>> {
            serde_json::from_str(text)
        }
        let stored = serde_json::to_string(&Id::<Image>::from_path("x")).unwrap();
        assert_eq!(read("\"ui/a.png\"").unwrap(), Id::from_path("ui/a.png"));
        assert_eq!(read(&stored).unwrap(), Id::from_path("x"));
        assert!(read("4294967296").is_err() && read("-1").is_err() && read("[]").is_err());
    }
}
