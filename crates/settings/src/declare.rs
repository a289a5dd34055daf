//! Generates structs, readers, builder methods, cache keys and documentation from the table of settings.
//!
//! [`super::table`] has one row per setting; the macros here turn the rows into everything that depends on them.

use rres_format::AssetKind;

use super::shape::Shape;
use super::toml_reader::{TomlReader, Value};
use crate::diagnostic::{Diagnostic, Place};

/// What a setting affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affects {
    /// Whether the file is an asset, and its kind.
    Selection,
    /// The id or the name of one asset: a rule for several files cannot have it.
    Identity,
    /// The imported form, and therefore the key of the blob in the cache.
    Import,
    /// What the build prints.
    Report,
    /// The limits that the imported form is compared with.
    Check,
    /// How packs store the imported form. Blobs do not depend on it.
    Cipher,
    /// Which other assets it refers to.
    Links,
    /// The pack as a whole.
    Pack,
}

/// One setting, as seen by everything except the importers. `V` contains the values of one rule or of `[pack]`, `S` the
/// resolved settings.
pub struct SettingRow<V: 'static, S: 'static> {
    /// The key in messages and in the manual: `image.format`.
    pub key: &'static str,
    /// Its meaning, in a sentence or two.
    pub doc: &'static str,
    /// The values that it accepts, as described in the manual.
    pub values: fn() -> String,
    /// The TOML that it accepts.
    pub shape: fn() -> Shape,
    /// The default, as described in the manual.
    pub default: &'static str,
    pub affects: Affects,
    /// Reads the value of the key; errors go to the reader.
    pub read: fn(&mut TomlReader<'_>, &Value<'_>, &mut V),
    /// The value in TOML, if a rule sets it.
    pub write: fn(&V) -> Option<String>,
    /// The resolved value in TOML; `None` if no rule sets it and only words describe the default.
    pub show: fn(&S) -> Option<String>,
    /// Whether a rule sets it.
    pub is_set: fn(&V) -> bool,
    /// What is wrong with a value that did not come from TOML.
    pub check: fn(&V) -> Result<(), String>,
    /// Appends the bytes of the value, if it is not the default.
    pub fingerprint: fn(&S, &mut Vec<u8>),
}

impl<V, S> SettingRow<V, S> {
    /// The table that the key is in: `image` of `image.format`.
    pub fn table(&self) -> Option<&'static str> {
        self.key.split_once('.').map(|(table, _)| table)
    }

    /// The key without its table.
    pub fn name(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(_, name)| name)
    }

    /// The kind of asset that the setting is for; `None` if it is for all.
    pub fn kind(&self) -> Option<AssetKind> {
        AssetKind::from_name(self.table()?)
    }
}

/// What is wrong with values that did not come from TOML and were set at `place`.
pub fn faults<V: 'static, S: 'static>(
    rows: impl IntoIterator<Item = &'static SettingRow<V, S>>,
    values: &V,
    place: &Place,
) -> Vec<Diagnostic> {
    let fault = |row: &SettingRow<V, S>| {
        let expected = (row.check)(values).err()?;
        Some(Diagnostic::new(place.clone(), format!("unknown value for `{}`, {expected}", row.key)))
    };
    rows.into_iter().filter_map(fault).collect()
}

/// Declares, for one table of keys, the struct of settings that importers read and the struct of values that a rule sets.
macro_rules! declare_structs {
    (
        $(#[$meta:meta])*
        [$settings:ident $values:ident $rows:ident $group:ident]
        $(
            $(#[doc = $doc:literal])+
            $field:ident: $type:ty as $method:ident($arg:ty, $convert:ident) $key:literal = $default:expr, $default_text:literal,
                $domain:expr, $affects:ident;
        )*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $settings {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        impl Default for $settings {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        /// The values that one rule sets.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $values {
            $( pub $field: Option<$type>, )*
        }

        impl $values {
            /// Overrides the settings that these values are for.
            pub fn apply(&self, settings: &mut $settings) {
                $( if let Some(value) = &self.$field { settings.$field = value.clone(); } )*
            }
        }
    };
}

/// Declares the rows of one table of keys, for values and settings of these types.
macro_rules! declare_rows {
    (
        ($all_values:ty, $all_settings:ty)
        $(#[$meta:meta])*
        [$settings:ident $values:ident $rows:ident $group:ident]
        $(
            $(#[doc = $doc:literal])+
            $field:ident: $type:ty as $method:ident($arg:ty, $convert:ident) $key:literal = $default:expr, $default_text:literal,
                $domain:expr, $affects:ident;
        )*
    ) => {
        pub const $rows: &[SettingRow<$all_values, $all_settings>] = &[$(
                SettingRow {
                    key: $key,
                    doc: concat!($($doc),+),
                    values: || $domain.values(),
                    shape: || $domain.shape(),
                    default: $default_text,
                    affects: Affects::$affects,
                    read: |reader, value, values| values.$group.$field = $domain.read(reader, $key, value),
                    write: |values| values.$group.$field.as_ref().and_then(|value| $domain.write(value)),
                    show: |settings| $domain.write(&settings.$group.$field),
                    is_set: |values| values.$group.$field.is_some(),
                    check: |values| values.$group.$field.as_ref().map_or(Ok(()), |value| $domain.check(value)),
                    fingerprint: |settings, out| {
                        if settings.$group.$field != $default {
                            $key.fingerprint(out);
                            settings.$group.$field.fingerprint(out);
                        }
                    },
                },
            )*];
    };
}

/// Declares the builder methods of one table of keys, for a builder that keeps the values in the field `$root`.
#[doc(hidden)]
#[macro_export]
macro_rules! declare_methods {
    (
        ($root:ident)
        $(#[$meta:meta])*
        [$settings:ident $values:ident $rows:ident $group:ident]
        $(
            $(#[doc = $doc:literal])+
            $field:ident: $type:ty as $method:ident($arg:ty, $convert:ident) $key:literal = $default:expr, $default_text:literal,
                $domain:expr, $affects:ident;
        )*
    ) => {
        $(
            $(#[doc = $doc])+
            #[doc = concat!("\n\nKey `", $key, "` in `assets.toml`. Default: ", $default_text, ".")]
            pub fn $method(mut self, value: $arg) -> Self {
                self.$root.$group.$field = Some($convert(value));
                self
            }
        )*
    };
}

/// The value of a setting that a builder method sets.
pub fn same<T, V: Into<T>>(value: V) -> T {
    value.into()
}

/// The value of a setting that a builder method takes from any texts.
pub fn strings<V: IntoIterator<Item = impl Into<String>>>(values: V) -> Vec<String> {
    values.into_iter().map(Into::into).collect()
}

/// The value of a setting that a builder method takes from pairs of texts.
pub fn pairs<V: IntoIterator<Item = (impl Into<String>, impl Into<String>)>>(values: V) -> Vec<(String, String)> {
    values.into_iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// The value of a setting that is `None` unless it is set.
pub fn some<T, V: Into<T>>(value: V) -> Option<T> {
    Some(value.into())
}

/// The value of a setting that a builder method sets or removes.
pub(crate) fn or_none<T, V: Into<OrNone<T>>>(value: V) -> Option<T> {
    value.into().0
}

/// A value of a rule, or `None`, with which a rule takes back what an earlier one sets.
///
/// ```
/// # use rres_settings::Rule;
/// # struct Build;
/// # impl Build { fn rule(self, _: &str, set: impl FnOnce(Rule) -> Rule) -> Self { let _ = set(Rule::default()); self } }
/// # let build = Build;
/// # let _ =
/// build
///     .rule("ui/**/*.png", |rule| rule.image_atlas("ui"))
///     .rule("ui/background.png", |rule| rule.image_atlas(None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrNone<T>(Option<T>);

impl<T> From<T> for OrNone<T> {
    fn from(value: T) -> Self {
        Self(Some(value))
    }
}

impl<T> From<Option<T>> for OrNone<T> {
    fn from(value: Option<T>) -> Self {
        Self(value)
    }
}

impl From<&str> for OrNone<String> {
    fn from(value: &str) -> Self {
        Self(Some(value.to_owned()))
    }
}

pub(super) use {declare_rows, declare_structs};
