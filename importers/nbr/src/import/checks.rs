//! What no asset can have, although a file does.

use rres_import::ImportError;

/// The error of a file that has something that cannot be.
pub(super) fn damaged(message: String) -> ImportError {
    ImportError::new(message).with_damage_help("convert its source again")
}

/// Refuses numbers that are not finite.
pub(super) fn check_finite(numbers: &[f32], what: impl FnOnce() -> String) -> Result<(), ImportError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(damaged(format!("{} contains {number}, which no model can have", what()))),
        None => Ok(()),
    }
}
