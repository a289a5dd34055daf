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
use serde_core::de::{Error as _, Visitor};
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
    let before = DEPENDENCIES.replace(Some(chunk.dependencies().into()));
    let value = postcard::take_from_bytes::<T>(chunk.data());
    DEPENDENCIES.set(before);
    match value {
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
        let number = u32::try_from(number).map_err(|_| E::custom(format!("{number} is no id of an asset")))?;
        Ok(Id::new(ResourceId(number), Slot(0)))
    }

    fn visit_i64<E: serde_core::de::Error>(self, number: i64) -> Result<Id<T>, E> {
        let number = u64::try_from(number).map_err(|_| E::custom(format!("{number} is no id of an asset")))?;
        self.visit_u64(number)
    }
}
