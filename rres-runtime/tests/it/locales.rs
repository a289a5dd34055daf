//! Variants of assets for languages: which one loads, and what switching and mounting do to handles.

use rres_format::index::{Meta, MetaKey};
use rres_format::{LanguageTag, Resource, ResourceId};
use rres_runtime::{AnyId, ErrorKind, Event, FromAsset, Handle, LoadState, PackOptions, Store, Strings, Text};

use super::assets::{image, pack, raw, text};
use super::{assert_message, id, store};

/// A text that is a variant of another asset.
pub(crate) fn variant(path: &str, of: &str, locale: &str, content: &str) -> Resource<'static> {
    text(path, content).with_meta(meta_of(of, locale))
}

fn meta_of(asset: &str, locale: &str) -> Meta {
    let mut meta = tagged(locale);
    meta.set(MetaKey::VARIANT_OF, ResourceId::from_path(asset).0);
    meta
}

fn tagged(locale: &str) -> Meta {
    let mut meta = Meta::default();
    locale.parse::<LanguageTag>().unwrap().add_to(&mut meta);
    meta
}

fn menu() -> Store {
    store(&pack([
        text("menu.txt", "start").with_meta(tagged("en")),
        variant("menu.fr.txt", "menu.txt", "fr", "commencer"),
        variant("menu.fr-CA.txt", "menu.txt", "fr-CA", "débuter"),
        variant("menu.zh-Hans.txt", "menu.txt", "zh-Hans", "开始"),
        variant("menu.zh-Hant.txt", "menu.txt", "zh-Hant", "開始"),
        text("other.txt", "other"),
    ]))
}

fn tags(tags: &[LanguageTag]) -> String {
    tags.iter().map(LanguageTag::as_str).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_watcher_collects_what_another_language_changes() {
    let store = menu();
    let watcher = store.watch();
    store.set_locale("fr").unwrap();
    let changed: Vec<Option<String>> = watcher.changed().into_iter().map(|id| store.path(id)).collect();
    assert_eq!(changed, [Some("menu.txt".to_owned())], "the asset that is asked for");
    store.set_locale("fr").unwrap();
    assert!(watcher.changed().is_empty());
}

#[test]
fn the_best_variant_is_loaded() {
    let store = menu();
    assert_eq!(tags(&store.available_locales()), "en fr fr-CA zh-Hans zh-Hant");
    for (locales, expected) in [
        (&["fr-CA"][..], "débuter"),
        (&["fr-BE"], "commencer"),
        (&["fr_CA.UTF-8"], "débuter"),
        (&["zh-Hant-TW"], "開始"),
        (&["zh-TW"], "開始"),
        (&["zh-CN"], "开始"),
        (&["de"], "start"),
        (&["de", "fr"], "commencer"),
        (&["en-GB", "fr"], "start"),
        (&[], "start"),
    ] {
        store.set_locales(locales).unwrap();
        assert_eq!(store.load(id::<Text>("menu.txt")).unwrap().get().as_str(), expected, "{locales:?}");
    }
}

#[test]
fn handles_follow_the_language_and_send_events() {
    struct Loud(String);
    impl FromAsset for Loud {
        type Source = Text;
        type Error = String;
        fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
            Ok(Self(text.to_uppercase()))
        }
    }
    let store = menu();
    let menu: Handle<Text> = store.load(id("menu.txt")).unwrap();
    let other: Handle<Text> = store.load(id("other.txt")).unwrap();
    let loud: Handle<Loud> = store.load(id("menu.txt").into_type()).unwrap();
    let (events, mut watch) = (store.events(), menu.watch());
    store.set_locale("fr").unwrap();
    assert_eq!(tags(&store.locales()), "fr");
    assert_eq!((menu.get().as_str(), loud.get().0.as_str()), ("commencer", "COMMENCER"));
    assert_eq!(watch.changed().unwrap().as_str(), "commencer");
    assert_eq!((menu.version(), other.version()), (2, 1));
    assert_eq!(menu.path(), "menu.txt", "the handle is of the asset");
    let changed: Vec<String> = events
        .try_iter()
        .map(|event| match event {
            Event::Changed(handle) => format!("{} {}", handle.type_name(), handle.path()),
            other => other.to_string(),
        })
        .collect();
    assert_eq!(changed, ["Text menu.txt", "Loud menu.txt", "the language is fr now: 2 assets have new values"]);
    store.set_locale("fr-BE").unwrap();
    assert_eq!((menu.version(), events.try_iter().count()), (2, 0), "the choice is the same");
    store.set_locales([""; 0]).unwrap();
    assert_eq!(menu.get().as_str(), "start");
}

#[test]
fn one_language_can_be_loaded_beside_the_others() {
    let store = menu();
    store.set_locale("fr").unwrap();
    let menu = id::<Text>("menu.txt");
    let follows = store.load(menu).unwrap();
    let english = store.load(menu.in_locale("en-GB")).unwrap();
    let canadian = store.load(menu.in_locale("fr-CA")).unwrap();
    let values = || [&follows, &english, &canadian].map(|handle| handle.get().as_str().to_owned());
    assert_eq!(values(), ["commencer", "start", "débuter"]);
    store.set_locale("zh-TW").unwrap();
    assert_eq!(values(), ["開始", "start", "débuter"]);
    assert_eq!((english.version(), canadian.version()), (1, 1));
    assert_eq!(store.load(id::<Text>("menu.fr.txt")).unwrap().get().as_str(), "commencer", "a variant by its own path");
}

/// A type of the program's own follows the language that it was asked for, and is made again only if that text changes.
#[test]
fn the_programs_own_types_can_be_loaded_in_one_language() {
    struct Loud(String);
    impl FromAsset for Loud {
        type Source = Text;
        type Error = String;
        fn from_asset(text: &Text, _: &Store) -> Result<Self, String> {
            Ok(Self(text.to_uppercase()))
        }
    }
    let store = menu();
    store.set_locale("fr").unwrap();
    let menu = id::<Text>("menu.txt");
    let follows: Handle<Loud> = store.load(menu.into_type()).unwrap();
    let english: Handle<Loud> = store.load(menu.into_type().in_locale("en-GB")).unwrap();
    let canadian: Handle<Loud> = store.load(menu.into_type().in_locale("fr-CA")).unwrap();
    let values = || [&follows, &english, &canadian].map(|handle| handle.get().0.clone());
    assert_eq!(values(), ["COMMENCER", "START", "DÉBUTER"]);
    store.set_locale("zh-TW").unwrap();
    assert_eq!(values(), ["開始", "START", "DÉBUTER"]);
    assert_eq!((follows.version(), english.version(), canadian.version()), (2, 1, 1));
    assert_eq!(english.path(), "menu.txt");
    assert!(store.load(menu.into_type::<Loud>().in_locale("en")).unwrap().version() == 1, "it is the same value");

    // The contents of the asset itself change, under every language.
    let of = |resources: Vec<_>| PackOptions::default().from_bytes(pack(resources).to_vec().unwrap()).unwrap();
    store.mount(of(vec![text("menu.txt", "go").with_meta(tagged("en"))])).unwrap();
    assert_eq!(values(), ["開始", "GO", "DÉBUTER"]);
    assert_message(store.load(menu.into_type::<Loud>().in_locale("de-DE-AT")).map(drop), &["\"AT\" cannot be there"]);
}

#[test]
fn every_way_to_ask_for_an_asset_takes_a_language() {
    let store = menu();
    store.set_locale("fr").unwrap();
    let menu = id::<Text>("menu.txt");
    let english = menu.in_locale("en");
    assert!(store.loaded(english.clone()).is_none() && store.stats().assets == 0, "asking loads nothing");
    let pending = store.reserve(english.clone());
    assert!(matches!(pending.state(), LoadState::Reserved));
    let handle = store.load_async(english.clone()).wait().unwrap();
    assert_eq!((handle.get().as_str(), pending.handle().unwrap() == handle), ("start", true));
    assert_eq!(store.loaded(english.clone()), Some(handle));
    assert!(store.loaded(menu).is_none(), "the store prefers another variant");
    assert_eq!(format!("{english:?}"), format!("{menu:?} in \"en\""));
}

#[test]
fn a_language_that_has_no_tag_fails_when_the_request_is_used() {
    let store = menu();
    let wrong = id::<Text>("menu.txt").in_locale("de-DE-AT");
    assert!(store.loaded(wrong.clone()).is_none());
    let pending = store.load_async(wrong);
    assert!(matches!(pending.clone().state(), LoadState::Failed(_)));
    pending.start();
    let placeholder = store.load(id::<Text>("menu.fr.txt")).unwrap().get();
    assert_eq!((pending.get_or(&placeholder).as_str(), pending.path()), ("commencer", ""));
    let insert = pending.insert((*placeholder).clone());
    let waited = pending.wait_for(std::time::Duration::ZERO).expect("it does not wait");
    for outcome in [pending.handle(), pending.wait(), insert, waited] {
        assert_message(outcome, &["\"de-DE-AT\" is not the tag of a language", "\"AT\" cannot be there"]);
    }
}

#[test]
fn a_stream_can_be_opened_in_one_language() {
    use std::io::Read;

    let french = raw("voice.fr.bin", b"bonjour").with_meta(meta_of("voice.bin", "fr"));
    let store = store(&pack([raw("voice.bin", b"hello").with_meta(tagged("en")), french]));
    store.set_locale("fr").unwrap();
    let read = |stream: rres_runtime::Result<rres_runtime::Stream>| {
        let mut text = String::new();
        stream.unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let voice = id::<rres_runtime::Raw>("voice.bin");
    assert_eq!(read(store.stream(voice)), "bonjour");
    assert_eq!(read(store.stream(voice.in_locale("en"))), "hello");
    assert_eq!(read(store.stream(voice.in_locale("fr-CA"))), "bonjour");
    assert_message(store.stream(voice.in_locale("")).map(drop), &["is not the tag of a language"]);
}

#[test]
fn events_say_what_the_store_prefers_now() {
    let tags = |text: &str| text.split_whitespace().map(|tag| tag.parse().unwrap()).collect();
    for (event, expected) in [
        (Event::LocaleChanged { locales: tags("fr"), assets: 1 }, "the language is fr now: 1 asset has a new value"),
        (
            Event::LocaleChanged { locales: tags("fr-CA de"), assets: 2 },
            "the language is fr-CA, or else de now: 2 assets have new values",
        ),
        (
            Event::LocaleChanged { locales: Vec::new(), assets: 3 },
            "no language is preferred now: 3 assets have new values",
        ),
        (Event::DensityChanged { density: 1.5, assets: 1 }, "the density is 1.5 now: 1 asset has a new value"),
    ] {
        assert_eq!(event.to_string(), expected);
    }
}

#[test]
fn tags_that_are_not_well_formed_are_refused() {
    let store = menu();
    store.set_locale("fr").unwrap();
    assert_message(
        store.set_locale("français"),
        &["\"français\" is not the tag of a language: it does not begin with", "\"fr-CA\""],
    );
    assert_message(store.load(id::<Text>("menu.txt").in_locale("de-DE-AT")), &["\"AT\" cannot be there"]);
    assert_eq!(tags(&store.locales()), "fr");
}

#[test]
fn the_language_cannot_change_while_a_value_is_made() {
    #[derive(Debug)]
    struct Switching;
    impl FromAsset for Switching {
        type Source = Text;
        type Error = rres_runtime::Error;
        fn from_asset(_: &Text, store: &Store) -> Result<Self, Self::Error> {
            store.set_locale("fr").map(|()| Self)
        }
    }
    let error = menu().load(id("menu.txt").into_type::<Switching>()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Conversion(_)), "{error}");
}

#[test]
fn a_mounted_pack_adds_a_language() {
    let store = menu();
    store.set_locale("de").unwrap();
    let menu: Handle<Text> = store.load(id("menu.txt")).unwrap();
    let of = |resources: Vec<_>| PackOptions::default().from_bytes(pack(resources).to_vec().unwrap()).unwrap();
    let german = store.mount(of(vec![variant("menu.de.txt", "menu.txt", "de", "anfangen")])).unwrap();
    assert_eq!((menu.get().as_str(), menu.version()), ("anfangen", 2));
    let better = store.mount(of(vec![variant("menu.de.txt", "menu.txt", "de", "los")])).unwrap();
    assert_eq!(menu.get().as_str(), "los", "the contents of the choice have changed");
    assert!(store.unmount(better) && store.unmount(german));
    assert_eq!((menu.get().as_str(), menu.version()), ("start", 5));
}

#[test]
fn what_is_not_a_variant_of_the_asset_is_ignored() {
    let store = store(&pack([
        text("menu.txt", "start"),
        image("menu.fr.txt", Default::default()).with_meta(meta_of("menu.txt", "fr")),
        variant("menu.de.txt", "menu.de.txt", "de", "itself"),
        variant("menu.it.txt", "menu.de.txt", "it", "of a variant"),
        variant("menu.es.txt", "missing.txt", "es", "of nothing"),
    ]));
    for locale in ["fr", "de", "it", "es"] {
        store.set_locale(locale).unwrap();
        assert_eq!(store.load(id::<Text>("menu.txt")).unwrap().get().as_str(), "start", "{locale}");
    }
    assert_eq!(store.available_locales(), []);
}

#[test]
fn groups_and_pending_assets_load_the_variant() {
    let store = menu();
    store.set_locale("fr").unwrap();
    let any = AnyId::from(id::<Text>("menu.txt"));
    let group = store.load_group([any]).wait().unwrap();
    assert_eq!(group.iter().next().unwrap().downcast::<Text>().unwrap().get().as_str(), "commencer");
    drop(group);
    let pending = store.reserve(id::<Text>("menu.txt"));
    store.set_locale("fr-CA").unwrap();
    assert_eq!(pending.wait().unwrap().get().as_str(), "débuter");
}

#[test]
fn images_follow_the_density_of_the_display() {
    let dense = |path: &str, density: f32| {
        let mut meta = Meta::default();
        meta.set(MetaKey::VARIANT_OF, ResourceId::from_path("a.png").0);
        meta.set_f32(MetaKey::DENSITY, density);
        image(path, Default::default()).with_meta(meta)
    };
    let store = store(&pack([image("a.png", Default::default()), dense("a@2x.png", 2.0), dense("a@3x.png", 3.0)]));
    let image: Handle<rres_runtime::Image> = store.load(id("a.png")).unwrap();
    assert_eq!(image.get().density(), 1.0);
    for (display, loaded) in [(1.0, 1.0), (1.25, 2.0), (2.5, 3.0), (4.0, 3.0)] {
        store.set_density(display).unwrap();
        assert_eq!(image.get().density(), loaded, "{display}");
    }
    assert_message(store.set_density(f32::NAN), &["cannot have the density NaN"]);
    assert_eq!(store.load(id::<rres_runtime::Image>("a.png").in_locale("fr")).unwrap().get().density(), 3.0);
}

#[test]
fn streams_read_the_variant() {
    let song = |path: &str, bytes: &[u8]| {
        let chunk = super::assets::plain(rres_format::FourCc::RAWD, &rres_format::chunk::raw::raw_block(".ogg", bytes));
        Resource::new(path.to_owned(), vec![chunk])
    };
    let store =
        store(&pack([song("song.ogg", b"la"), song("song.fr.ogg", b"lala").with_meta(meta_of("song.ogg", "fr"))]));
    let len = || store.stream(id::<rres_runtime::Raw>("song.ogg")).unwrap().len();
    assert_eq!(len(), 2);
    store.set_locale("fr").unwrap();
    assert_eq!(len(), 4);
}

#[test]
fn tables_of_texts_follow_the_language() {
    let store = store(&pack([
        text("a.csv", "hi\tHi, {name}, {n} of {\nbreak\ta\\nb\\\\c\\td\n").with_meta(tagged("en")),
        variant("a.csv#fr", "a.csv", "fr", "hi\tSalut {name}\nbreak\t\n"),
        text("b.csv", "key,en\n"),
    ]));
    let strings: Handle<Strings> = store.load(id("a.csv").into_type()).unwrap();
    let hi = || strings.get().format("hi", &[("name", &"Ann"), ("x", &1)]);
    assert_eq!(hi(), "Hi, Ann, {n} of {");
    assert_eq!(strings.get().get("break"), Some("a\nb\\c\td"));
    assert_eq!((strings.get().get("none"), strings.get().text("none"), strings.get().len()), (None, "none", 2));
    store.set_locale("fr-CA").unwrap();
    assert_eq!(hi(), "Salut Ann");
    assert_message(store.load(id("b.csv").into_type::<Strings>()), &["line 1 has no tab between key and text"]);
}
