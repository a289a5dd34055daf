//! A value → what a pack has of it: its bytes, and the assets that it refers to.

use std::collections::BTreeSet;

use rres_import::ImportError;
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::parts::Parts;
use crate::reference::{References, with_references};

/// A stored value.
#[derive(Debug, PartialEq)]
pub(super) struct Stored {
    pub(super) bytes: Vec<u8>,
    pub(super) references: References,
    /// The names of the fields that values of the type have.
    pub(super) fields: BTreeSet<&'static str>,
}

/// Stores a value. The same value is stored in the same way in each run.
///
/// # Errors
/// [`ImportError`] if the value cannot be read back, or is not stored the same each time.
pub(super) fn store<T: Serialize + DeserializeOwned>(value: &T) -> Result<Stored, ImportError> {
    let stored = in_order(value, References::new())?;
    let Stored { bytes, references, .. } = &stored;
    // Types without an order that are not known are stored in the same order now and then.
    let rounds = if bytes.len() < 4096 { 16 } else { 2 };
    for _ in 0..rounds {
        let (read, _) = with_references(references.clone(), || postcard::take_from_bytes::<T>(bytes));
        let (again, rest) = read.map_err(|error| cannot_be("read back", &error.to_string()))?;
        if !rest.is_empty() || in_order(&again, references.clone())? != stored {
            let error = ImportError::new("its type is not stored the same each time").without_fix();
            let help =
                "use lists, maps and sets that have an order, and let `Serialize` write what `Deserialize` reads";
            return Err(error.with_help(help));
        }
    }
    Ok(stored)
}

/// The value with the entries of its hash maps and hash sets in a fixed order. References that are not yet in `references` are added.
fn in_order<T: Serialize + DeserializeOwned>(value: &T, references: References) -> Result<Stored, ImportError> {
    let (mut bytes, mut references) = as_it_is(value, references)?;
    let mut parts = parts_of::<T>(&bytes, &references)?;
    if !parts.hashed.is_empty() && !references.is_sorted() {
        // The numbers of references follow from the order in which they were met.
        references.sort_unstable();
        (bytes, references) = as_it_is(value, references)?;
        parts = parts_of::<T>(&bytes, &references)?;
    }
    parts.sort(&mut bytes);
    Ok(Stored { bytes, references, fields: parts.fields })
}

fn as_it_is<T: Serialize>(value: &T, references: References) -> Result<(Vec<u8>, References), ImportError> {
    let (bytes, references) = with_references(references, || postcard::to_stdvec(value));
    Ok((bytes.map_err(|error| cannot_be("stored", &error.to_string()))?, references))
}

fn parts_of<T: DeserializeOwned>(bytes: &[u8], references: &References) -> Result<Parts, ImportError> {
    let (parts, _) = with_references(references.clone(), || Parts::of::<T>(bytes));
    parts.map_err(|error| cannot_be("read back", &error))
}

fn cannot_be(what: &str, error: &str) -> ImportError {
    ImportError::new(format!("its type cannot be {what}: {error}")).without_fix().with_help(
        "the game reads what `Serialize` has written. `from` needs `into`, and `deserialize_with` needs `serialize_with`. What serde reads \
         by asking what is there cannot be stored: `untagged`, `tag`, `flatten`, `skip_serializing_if` and values of any type. \
         Or load the file as a text",
    )
}
