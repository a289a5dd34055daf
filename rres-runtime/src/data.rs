//! Data of a program's own types: text assets in JSON, RON or TOML, read with serde.

use std::fmt;
use std::ops::Deref;

use serde_core::de::DeserializeOwned;

use crate::asset::Text;
use crate::store::{FromAsset, Store};

/// Declares the type of one format. `$parse` turns the text into a value, or into a [`DataError`].
macro_rules! data_format {
    ($(#[$meta:meta])* $name:ident, $parse:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name<T>(pub T);

        // A type of the program that lacks an implementation is rarely meant to be one of these.
        #[diagnostic::do_not_recommend]
        impl<T: DeserializeOwned + Send + Sync + 'static> FromAsset for $name<T> {
            type Source = Text;
            type Error = DataError;

            fn from_asset(text: &Text, _: &Store) -> Result<Self, DataError> {
                $parse(text).map(Self)
            }
        }

        impl<T> Deref for $name<T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> AsRef<T> for $name<T> {
            fn as_ref(&self) -> &T {
                &self.0
            }
        }
    };
}

#[cfg(feature = "json")]
data_format! {
    /// A value of the program's own type in a JSON file. Needs the feature `json`.
    ///
    /// It loads with [`Id::into_type`](crate::Id::into_type), dereferences to the value, and is made again when the file changes; while the
    /// file is broken, the previous value stays.
    ///
    /// ```
    /// use rres_runtime::{Handle, Id, Json, Result, Store, Text};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Enemy { name: String, speed: f32 }
    ///
    /// fn load(store: &Store, enemies: Id<Text>) -> Result<()> {
    ///     let enemies: Handle<Json<Vec<Enemy>>> = store.load(enemies.into_type())?;
    ///     for enemy in enemies.get().iter() {
    ///         println!("{} runs at {}", enemy.name, enemy.speed);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    Json, |text: &str| serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        match error.line() {
            0 => DataError { place: None, message },
            line => {
                let end = format!(" at line {line} column {}", error.column());
                let message = message.strip_suffix(&end).unwrap_or(&message).to_owned();
                let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
                // `column` counts bytes up to and with the one at which the parser stopped.
                DataError { place: Some(Place::at(text, before + error.column().saturating_sub(1))), message }
            }
        }
    })
}

#[cfg(feature = "ron")]
data_format! {
    /// A value of the program's own type in a RON file. Needs the feature `ron`.
    ///
    /// It loads with [`Id::into_type`](crate::Id::into_type), dereferences to the value, and is made again when the file changes; while the
    /// file is broken, the previous value stays.
    ///
    /// ```
    /// use rres_runtime::{Id, Result, Ron, Store, Text};
    ///
    /// #[derive(serde::Deserialize)]
    /// enum Step { Walk(f32), Say { line: String } }
    ///
    /// fn length(store: &Store, cutscene: Id<Text>) -> Result<usize> {
    ///     Ok(store.load(cutscene.into_type::<Ron<Vec<Step>>>())?.get().len())
    /// }
    /// ```
    Ron, |text: &str| ron::from_str(text).map_err(|error| {
        let ron::error::Position { line, col } = error.span.end;
        DataError { place: Some(Place { line, column: col }), message: error.code.to_string() }
    })
}

#[cfg(feature = "toml")]
data_format! {
    /// A value of the program's own type in a TOML file. Needs the feature `toml`.
    ///
    /// It loads with [`Id::into_type`](crate::Id::into_type), dereferences to the value, and is made again when the file changes; while the
    /// file is broken, the previous value stays.
    ///
    /// ```
    /// use rres_runtime::{Id, Result, Store, Text, Toml};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Balance { gravity: f32 }
    ///
    /// fn gravity(store: &Store, balance: Id<Text>) -> Result<f32> {
    ///     Ok(store.load(balance.into_type::<Toml<Balance>>())?.get().gravity)
    /// }
    /// ```
    Toml, |text: &str| toml::from_str(text).map_err(|error: toml::de::Error| {
        let place = error.span().map(|span| Place::at(text, span.start));
        DataError { place, message: error.message().to_owned() }
    })
}

/// Why a text is not a value of the type that it was loaded as: `line 3, column 14: invalid type: string "fast", expected
/// f32`.
///
/// [`Store::load`] returns it as [`crate::ErrorKind::Conversion`], with the path of the asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    place: Option<Place>,
    message: String,
}

/// The place in a text at which a parser stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

#[cfg(any(feature = "json", feature = "toml"))]
impl Place {
    /// Returns the place of a byte, or of the character that contains it.
    fn at(text: &str, byte: usize) -> Self {
        let end = (0..=byte.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let before = &text[..end];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self { line: 1 + before.matches('\n').count(), column: 1 + before[line_start..].chars().count() }
    }
}

impl DataError {
    /// Returns the line at which the parser stopped, from 1; `None` if the error is about the text as a whole.
    pub fn line(&self) -> Option<usize> {
        self.place.map(|place| place.line)
    }

    /// Returns the column at which the parser stopped, from 1, in characters; `None` if the error is about the text as a whole.
    pub fn column(&self) -> Option<usize> {
        self.place.map(|place| place.column)
    }

    /// Returns what was found and what was expected, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for DataError {}
