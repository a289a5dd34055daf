//! Requests: which asset, as which type, in which language.

use std::fmt;
use std::sync::Arc;

use rres_format::ResourceId;
use rres_protocol::packed_id::Slot;

use super::load::{load_asset, load_own};
use super::{FromAsset, Loader, Store};
use crate::asset::Asset;
use crate::error::Result;
use crate::handle::{AssetEntry, Choice, Key};
use crate::id::Id;

/// What to load: an asset, as which type, and in which language.
///
/// An [`Id`] is a request by itself. Its methods make the others:
///
/// ```no_run
/// # use rres_runtime::{FromAsset, Id, Result, Store, Text};
/// # struct Level;
/// # impl FromAsset for Level {
/// #     type Source = Text;
/// #     type Error = String;
/// #     fn from_asset(_: &Text, _: &Store) -> std::result::Result<Self, String> { Ok(Self) }
/// # }
/// # fn load(store: &Store, menu: Id<Text>) -> Result<()> {
/// store.load(menu)?;                                        // Handle<Text>
/// store.load(menu.in_locale("fr"))?;                        // Handle<Text>, in French
/// store.load(menu.into_type::<Level>())?;                   // Handle<Level>, which `FromAsset` makes
/// store.load(menu.into_type::<Level>().in_locale("fr"))?;   // both
/// # Ok(())
/// # }
/// ```
pub struct Request<T> {
    id: Id<T>,
    loader: Loader,
    /// As the program wrote it.
    locale: Option<Box<str>>,
}

impl<T> Request<T> {
    fn new(id: Id<T>, loader: Loader) -> Self {
        Self { id, loader, locale: None }
    }

    /// Asks for one language, whatever the store prefers: `fr-CA`, or `fr_CA.UTF-8`. The handle stays with the variant that is chosen
    /// when it is asked for, and gets a new value if that variant changes.
    ///
    /// What [`FromAsset::from_asset`] loads from the store is in the language of the store. If the tag is not well-formed, using the
    /// request fails with [`crate::ErrorKind::BadLocale`].
    #[must_use]
    pub fn in_locale(mut self, locale: &str) -> Self {
        self.locale = Some(locale.into());
        self
    }
}

impl<T: Asset> Id<T> {
    /// Asks for this asset in one language; see [`Request::in_locale`].
    #[must_use]
    pub fn in_locale(self, locale: &str) -> Request<T> {
        self.into_request().in_locale(locale)
    }

    /// Asks for one of the program's own types, made from this asset.
    #[must_use]
    pub fn into_type<U: FromAsset<Source = T>>(self) -> Request<U> {
        Request::new(Id::new(self.resource(), self.slot()), load_own::<U>)
    }
}

/// What [`Store::load`] and its relatives take: an [`Id`], or a [`Request`] made from one.
///
/// A program may implement it for ids that it defines itself, such as the number of a level.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request for an asset",
    label = "not a request",
    note = "use a generated constant such as `assets::PLAYER_PNG`; for a path that is known at run time only, \
            `Store::find_typed` returns the id"
)]
pub trait IntoRequest {
    /// The type of the value.
    type Value: Send + Sync + 'static;

    /// Returns the request.
    fn into_request(self) -> Request<Self::Value>;
}

impl<T: Asset> IntoRequest for Id<T> {
    type Value = T;

    fn into_request(self) -> Request<T> {
        Request::new(self, load_asset::<T>)
    }
}

impl<T: Send + Sync + 'static> IntoRequest for Request<T> {
    type Value = T;

    fn into_request(self) -> Self {
        self
    }
}

impl Store {
    /// Returns the entry that a request asks for.
    ///
    /// # Errors
    /// [`crate::ErrorKind::BadLocale`].
    pub(super) fn requested<T: Send + Sync + 'static>(&self, request: &Request<T>) -> Result<Arc<AssetEntry<T>>> {
        let (key, slot) = self.key(request)?;
        Ok(self.entry_of(key, slot, request.loader))
    }

    /// Returns the key of the entry that a request asks for, and the probable position in the index.
    pub(super) fn key<T: Send + Sync + 'static>(&self, request: &Request<T>) -> Result<(Key, Slot)> {
        let (id, slot) = (request.id.resource(), request.id.slot());
        let Some(locale) = &request.locale else { return Ok((Key::new::<T>(id, Choice::Preferred), slot)) };
        Ok(match self.variant_for(id, locale)? {
            None => (Key::new::<T>(id, Choice::Fixed), slot),
            Some(variant) => (Key::new::<T>(variant, Choice::Preferred), Slot(0)),
        })
    }

    /// Returns the id that a request is for, and the resource that is the chosen variant.
    ///
    /// # Errors
    /// [`crate::ErrorKind::BadLocale`].
    pub(super) fn chosen<T>(&self, request: &Request<T>) -> Result<(ResourceId, ResourceId)> {
        let id = request.id.resource();
        let chosen = match &request.locale {
            None => self.selection().of(id),
            Some(locale) => self.variant_for(id, locale)?.unwrap_or(id),
        };
        Ok((id, chosen))
    }
}

impl<T> Clone for Request<T> {
    fn clone(&self) -> Self {
        Self { id: self.id, loader: self.loader, locale: self.locale.clone() }
    }
}

impl<T> fmt::Debug for Request<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.id, f)?;
        self.locale.iter().try_for_each(|locale| write!(f, " in {locale:?}"))
    }
}
