//! How an asset of a pack becomes one of Bevy: the interface for the types of this crate and of others, such as `rres-bevy-model`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use bevy_app::App;
use bevy_asset::io::Reader;
use bevy_asset::meta::{AssetAction, AssetMeta, AssetMetaDyn, Settings};
use bevy_asset::{Asset, AssetApp, AssetLoader, AssetPath, AssetServer, Assets, LoadContext, UntypedHandle};
use bevy_ecs::prelude::Resource;
use bevy_reflect::TypePath;
use rres_runtime::{Asset as Stored, AssetKind, Raw, Store, Text};
use serde::{Deserialize, Serialize};

use crate::arriving::Turns;
use crate::plain::{RawAsset, TextAsset};
use crate::plugin::{RresStore, Source};

/// A type of constants, and the asset of Bevy that [`Rres::load`](crate::Rres::load) gives for them.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` gives no handle of `{A}`",
    label = "its assets do not become this type",
    note = "`Rres::load_file` gives what a loader of Bevy makes of a file; models need the crate rres-bevy-model"
)]
pub trait Becomes<A: Asset>: Stored {}

impl Becomes<bevy_image::Image> for rres_runtime::Image {}
impl Becomes<TextAsset> for Text {}
impl Becomes<RawAsset> for Raw {}

/// An asset of Bevy that is made from one of the store. [`RresApp::register_rres_asset`] makes an app use it.
///
/// ```
/// use std::convert::Infallible;
///
/// use bevy_app::App;
/// use bevy_asset::{Asset, LoadContext};
/// use bevy_reflect::TypePath;
/// use rres_bevy::{Becomes, FromStore, RresApp};
/// use rres_runtime::{Font, Store};
///
/// /// How high the lines of a font are.
/// #[derive(Asset, TypePath)]
/// struct LineHeight(f32);
///
/// impl Becomes<LineHeight> for Font {}
///
/// impl FromStore for LineHeight {
///     type Stored = Font;
///     type Settings = ();
///     type Error = rres_runtime::Error;
///
///     fn from_store(font: &Font, (): &(), _: &Store, _: &mut LoadContext<'_>) -> Result<Self, rres_runtime::Error> {
///         Ok(Self(font.strikes().first().map_or(0.0, |strike| strike.line_height())))
///     }
/// }
///
/// /// In the `finish` of a plugin.
/// fn finish(app: &mut App) {
///     app.register_rres_asset::<LineHeight>();
/// }
/// ```
pub trait FromStore: Asset + Sized {
    /// The type in the pack.
    type Stored: Becomes<Self>;
    /// What `LoadBuilder::with_settings` takes.
    type Settings: Settings + Default + Serialize + for<'a> Deserialize<'a>;
    /// Why it cannot be made.
    type Error: Error + From<rres_runtime::Error> + Send + Sync + 'static;

    /// Makes it. `context` takes assets inside it, and gives handles of assets that it needs: [`asset_path`](crate::asset_path) has their
    /// paths. The store has loaded nothing that it depends on.
    ///
    /// # Errors
    /// Whatever makes it impossible. The `LoadState` of the handle has it.
    fn from_store(
        stored: &Self::Stored,
        settings: &Self::Settings,
        store: &Store,
        context: &mut LoadContext<'_>,
    ) -> Result<Self, Self::Error>;
}

/// What plugins do with an app to add a type of assets.
pub trait RresApp {
    /// Has all assets of the kind of `A::Stored` loaded as `A`. Call it in `Plugin::finish`: the plugin of the store and Bevy's own come
    /// first.
    fn register_rres_asset<A: FromStore>(&mut self) -> &mut Self;
}

impl RresApp for App {
    fn register_rres_asset<A: FromStore>(&mut self) -> &mut Self {
        register::<A>(self, Hooks { make: Box::new(A::from_store), from_file: None });
        self
    }
}

/// What an app does with the assets of a type.
pub(crate) struct Hooks<A: FromStore> {
    /// Makes an asset of a stored one, like [`FromStore::from_store`].
    pub(crate) make: Box<Make<A>>,
    /// Makes an asset of a file. Bevy also takes the newest loader of a type for files without an extension, and for files inside other files.
    pub(crate) from_file: Option<Box<FromFile<A>>>,
}

type Make<A> = dyn Fn(
        &<A as FromStore>::Stored,
        &<A as FromStore>::Settings,
        &Store,
        &mut LoadContext<'_>,
    ) -> Result<A, <A as FromStore>::Error>
    + Send
    + Sync;
type FromFile<A> = dyn Fn(io::Result<Vec<u8>>, &<A as FromStore>::Settings, &mut LoadContext<'_>) -> Result<A, <A as FromStore>::Error>
    + Send
    + Sync;

/// Loads all assets of the kind of `A::Stored` as `A`.
pub(crate) fn register<A: FromStore>(app: &mut App, hooks: Hooks<A>) {
    let world = app.world();
    let (Some(store), Some(source), Some(turns), Some(conversions)) = (
        world.get_resource::<RresStore>(),
        world.get_resource::<Source>(),
        world.get_resource::<Turns>(),
        world.get_resource::<Conversions>(),
    ) else {
        let asset = A::short_type_path();
        tracing::error!("{asset} cannot be loaded from packs: the app has no RresPlugin");
        return;
    };
    let loader = StoreLoader::<A> { store: store.0.clone(), source: source.clone(), turns: turns.clone(), hooks };
    conversions.add::<A>();
    // Bevy's plugins have added their own types.
    if !app.world().contains_resource::<Assets<A>>() {
        app.init_asset::<A>();
    }
    app.register_asset_loader(loader);
}

/// The kinds of assets that become one type of Bevy, whatever loads them. The reader of the asset source has it, too.
#[derive(Clone, Debug, Default, Resource)]
pub(crate) struct Conversions(Arc<RwLock<BTreeMap<AssetKind, Conversion>>>);

/// How a kind is loaded.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    /// The meta file that has Bevy use the loader.
    pub(crate) meta: Vec<u8>,
    pub(crate) load: fn(&AssetServer, AssetPath<'static>) -> UntypedHandle,
}

impl Conversions {
    fn add<A: FromStore>(&self) {
        let loader = StoreLoader::<A>::type_path().to_owned();
        let load = AssetAction::Load { loader, settings: A::Settings::default() };
        let meta = AssetMetaDyn::serialize(&AssetMeta::<StoreLoader<A>, ()>::new(load));
        let conversion = Conversion { meta, load: |server, path| server.load::<A>(path).untyped() };
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(A::Stored::KIND, conversion);
    }

    pub(crate) fn of(&self, kind: Option<AssetKind>) -> Option<Conversion> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&kind?).cloned()
    }
}

/// Takes assets from the store. Bevy reads no bytes for them.
#[derive(TypePath)]
struct StoreLoader<A: FromStore> {
    store: Store,
    source: Source,
    turns: Turns,
    hooks: Hooks<A>,
}

impl<A: FromStore> AssetLoader for StoreLoader<A> {
    type Asset = A;
    type Settings = A::Settings;
    type Error = A::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &A::Settings,
        context: &mut LoadContext<'_>,
    ) -> Result<A, A::Error> {
        if let Some(from_file) = &self.hooks.from_file {
            let mut bytes = Vec::new();
            let file = reader.read_to_end(&mut bytes).await.map(|_| bytes);
            let is_stored = file.as_ref().is_ok_and(Vec::is_empty) && *context.path().source() == self.source.0;
            if !is_stored {
                return from_file(file, settings, context);
            }
        }
        let path = context.path().path().to_string_lossy().replace('\\', "/");
        let id = self.store.find_typed::<A::Stored>(&path)?;
        let stored = self.turns.load(&self.store, id).await?;
        (self.hooks.make)(&stored, settings, &self.store, context)
    }
}
