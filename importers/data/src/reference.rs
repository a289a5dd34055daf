//! References to other assets in data: a path in the text, a number in what is stored.
//!
//! A blob does not know its path, and an id follows from a path, so data is stored with the positions of its references in the list of
//! dependencies. While a value is stored, the list is in a variable of the thread: serde passes nothing else along.

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use rres_format::{AssetKind, normalize_path};
use serde_core::de::{Error as _, Visitor};
use serde_core::ser::Error as _;
use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

/// A reference to an asset of type `T`: in the text of the data its path in the assets directory, such as `"ui/heart.png"`.
///
/// In the game it is an `rres_runtime::Id`. That the asset exists and is a `T` is checked in the build, and it is loaded with the data.
pub struct Id<T: ?Sized> {
    path: &'static str,
    of: PhantomData<fn() -> T>,
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name {}
        )*

        /// The kind of assets of this type; `None` if any will do, as for raw bytes.
        fn kind_of<T: ?Sized + 'static>() -> Option<AssetKind> {
            let of = TypeId::of::<T>();
            if of == TypeId::of::<Raw>() {
                return None;
            }
            $(
                if of == TypeId::of::<$name>() {
                    return Some(AssetKind::$name);
                }
            )*
            Some(AssetKind::Custom)
        }
    };
}

kinds! {
    /// Represents `rres_runtime::Font`.
    Font,
    /// Represents `rres_runtime::Image`.
    Image,
    /// Represents `rres_runtime::Model`.
    Model,
    /// Represents `rres_runtime::Raw`: the bytes of any asset.
    Raw,
    /// Represents `rres_runtime::Sound`.
    Sound,
    /// Represents `rres_runtime::Sprite`.
    Sprite,
    /// Represents `rres_runtime::Text`.
    Text,
}

/// The references of a value that is being stored: path, and kind if it matters.
pub(super) type References = Vec<(&'static str, Option<AssetKind>)>;

thread_local! {
    static REFERENCES: RefCell<Option<References>> = const { RefCell::new(None) };
}

/// Calls `work`, which stores or reads values, with these references, and returns them as they are afterwards.
pub(super) fn with_references<R>(references: References, work: impl FnOnce() -> R) -> (R, References) {
    let before = REFERENCES.replace(Some(references));
    let result = work();
    (result, REFERENCES.replace(before).unwrap_or_default())
}

/// The same text for as long as the program runs. A build has few of them, and so does one that serves a game.
fn interned(path: String) -> &'static str {
    static PATHS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    match paths.get(path.as_str()) {
        Some(known) => known,
        None => {
            let path: &'static str = path.leak();
            paths.insert(path);
            path
        }
    }
}

impl<T: ?Sized> Id<T> {
    /// Returns the path of the asset in the assets directory.
    pub fn path(&self) -> &'static str {
        self.path
    }
}

impl<T: ?Sized + 'static> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.serialize_str(self.path);
        }
        let number = REFERENCES.with_borrow_mut(|references| {
            let references = references.as_mut()?;
            let reference = (self.path, kind_of::<T>());
            let known = references.iter().position(|known| *known == reference);
            let at = known.unwrap_or(references.len());
            if known.is_none() {
                references.push(reference);
            }
            u32::try_from(at).ok()
        });
        serializer.serialize_u32(number.ok_or_else(|| S::Error::custom("an id is stored in data of a build only"))?)
    }
}

impl<'de, T: ?Sized> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            let at = u32::deserialize(deserializer)?;
            let path = REFERENCES.with_borrow(|references| Some(references.as_ref()?.get(at as usize)?.0));
            let path = path.ok_or_else(|| D::Error::custom("has the number of no reference"))?;
            return Ok(Self { path, of: PhantomData });
        }
        deserializer.deserialize_str(Path).map(|path| Self { path, of: PhantomData })
    }
}

/// Reads the path of an asset.
struct Path;

impl Visitor<'_> for Path {
    type Value = &'static str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the path of an asset, such as \"ui/heart.png\"")
    }

    fn visit_str<E: serde_core::de::Error>(self, path: &str) -> Result<&'static str, E> {
        // A sub-asset has a name after `#`, which is a path, too.
        let is_path = |part: &str| normalize_path(part).is_ok_and(|normal| normal == part);
        if !path.split('#').all(is_path) {
            return Err(E::custom(format!(
                "expected the path of an asset from the assets directory on, found {path:?}"
            )));
        }
        Ok(interned(path.to_owned()))
    }
}

// By hand: a derive would require the same of `T`.
impl<T: ?Sized> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Id<T> {}

impl<T: ?Sized> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl<T: ?Sized> Eq for Id<T> {}

impl<T: ?Sized> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.path.hash(state);
    }
}

impl<T: ?Sized> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({:?})", self.path)
    }
}
