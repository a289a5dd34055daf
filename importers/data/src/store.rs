//! A value → what a pack has of it: its bytes, and the assets that it refers to.

use rres_import::ImportError;
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;

use crate::order;
use crate::reference::{References, with_references};

type Stored = (Vec<u8>, References);

/// Stores a value. The same value is stored in the same way in each run.
///
/// # Errors
/// [`ImportError`] if the value cannot be read back, or is not stored the same each time.
pub(super) fn store<T: Serialize + DeserializeOwned>(value: &T) -> Result<Stored, ImportError> {
    let stored = in_order(value, References::new())?;
    let (bytes, references) = &stored;
    // Types without an order that are not known are stored in the same order now and then.
    let rounds = if bytes.len() < 4096 { 16 } else { 2 };
    for _ in 0..rounds {
        let (read, _) = with_references(references.clone(), || postcard::take_from_bytes::<T>(bytes));
        let (again, rest) = read.map_err(cannot_be_read)?;
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
    let mut entries = hashed::<T>(&bytes, &references)?;
    if !entries.is_empty() && !references.is_sorted() {
        // The numbers of references follow from the order in which they were met.
        references.sort_unstable();
        (bytes, references) = as_it_is(value, references)?;
        entries = hashed::<T>(&bytes, &references)?;
    }
    order::sort(&mut bytes, &entries);
    Ok((bytes, references))
}

fn as_it_is<T: Serialize>(value: &T, references: References) -> Result<Stored, ImportError> {
    let (bytes, references) = with_references(references, || postcard::to_stdvec(value));
    Ok((bytes.map_err(|error| cannot_be("stored", error))?, references))
}

fn hashed<T: DeserializeOwned>(bytes: &[u8], references: &References) -> Result<Vec<order::Entries>, ImportError> {
    let (entries, _) = with_references(references.clone(), || order::hashed::<T>(bytes));
    entries.map_err(cannot_be_read)
}

fn cannot_be_read(error: postcard::Error) -> ImportError {
    cannot_be("read back", error)
}

fn cannot_be(what: &str, error: postcard::Error) -> ImportError {
    ImportError::new(format!("its type cannot be {what}: {error}")).without_fix().with_help(
        "types that serde reads without asking what is there cannot be stored: avoid `untagged`, `tag`, `flatten`, \
         `skip_serializing_if` and values of any type. `deserialize_with` needs a `serialize_with` that writes what it reads. Or load the \
         file as a text",
    )
}
