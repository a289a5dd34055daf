use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use rres_format::chunk::text::TextProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{Compression, Compressor, FourCc, LanguageTag, PackBuilder, Resource, ResourceId, StoredChunk};

use crate::fetch::{ByteSource, Reply};
use crate::source::PackOptions;
use crate::sync::tests::without_waiting;
use crate::{AnyId, ErrorKind, Event, FromAsset, Handle, Id, Pack, Store, Text};

/// A server that answers what was asked when it is told to.
#[derive(Clone, Default)]
struct Server {
    pack: Arc<[u8]>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A request that is not answered yet.
type Asked = (Range<u64>, Reply);

impl ByteSource for Server {
    fn name(&self) -> String {
        "a server".to_owned()
    }

    fn read(&self, range: Range<u64>, reply: Reply) {
        self.asked.lock().unwrap().push((range, reply));
    }
}

impl Server {
    fn new(resources: impl IntoIterator<Item = Resource<'static>>) -> Self {
        let mut pack = PackBuilder::new();
        resources.into_iter().for_each(|resource| pack.push(resource));
        Self { pack: pack.to_vec().unwrap().into(), ..Self::default() }
    }

    fn open(&self) -> Pack {
        let mut opening = PackOptions::default().open_from(self.clone());
        self.answer_all();
        opening.poll().expect("the front is here").unwrap()
    }

    /// Answers everything that was asked, and what is asked thereupon; returns how many requests that were.
    fn answer_all(&self) -> usize {
        std::iter::repeat_with(|| self.answer_next()).take_while(|is_asked| *is_asked).count()
    }

    /// Answers the last request; returns whether there was one.
    fn answer_next(&self) -> bool {
        let Some((range, mut reply)) = self.next() else { return false };
        let end = range.end.min(self.pack.len() as u64);
        if reply.push(&self.pack[range.start as usize..end as usize]) {
            reply.finish();
        }
        true
    }

    fn next(&self) -> Option<Asked> {
        self.asked.lock().unwrap().pop()
    }
}

fn text(path: &str, text: &str) -> Resource<'static> {
    let block = TextProps::utf8(text.len() as u32).block(text.as_bytes());
    let chunk = StoredChunk::encode(FourCc::TEXT, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    Resource::new(path, vec![chunk])
}

fn variant(of: &str, locale: &str, content: &str) -> Resource<'static> {
    let mut meta = Meta::default();
    locale.parse::<LanguageTag>().unwrap().add_to(&mut meta);
    meta.set(MetaKey::VARIANT_OF, ResourceId::from_path(of).0);
    text(&format!("{of}.{locale}"), content).with_meta(meta)
}

/// A pack with so many bytes between any two of these.
fn apart(resources: impl IntoIterator<Item = Resource<'static>>, bytes: usize) -> Server {
    let far = |number| text(&format!("{number}.txt"), &"-".repeat(bytes));
    Server::new((0..).zip(resources).flat_map(|(number, resource)| [resource, far(number)]))
}

/// Each text is alone in its part of the pack.
fn menu() -> Server {
    let (french, german) = (variant("menu.txt", "fr", "commencer"), variant("menu.txt", "de", "beginnen"));
    apart([text("menu.txt", "start"), french, german], 200_000)
}

fn load<T: FromAsset<Source = Text>>(store: &Store, server: &Server) -> Handle<T> {
    let pending = store.load_async(Id::<Text>::from_path("menu.txt").into_type::<T>());
    server.answer_all();
    pending.handle().expect("it is here")
}

#[derive(Debug)]
struct Label(String);

impl FromAsset for Label {
    type Source = Text;
    type Error = crate::Error;

    fn from_asset(text: &Text, _: &Store) -> crate::Result<Self> {
        Ok(Self(text.as_str().to_owned()))
    }
}

#[test]
fn a_value_in_another_language_comes_when_it_is_here() {
    without_waiting(|| {
        let server = menu();
        let store = Store::from_packs([server.open()]);
        let label = load::<Label>(&store, &server);
        let events = store.events();
        store.set_locale("fr").unwrap();
        assert_eq!(label.get().0, "start", "until the other is here");
        assert!(matches!(&events.try_iter().collect::<Vec<_>>()[..], [Event::LocaleChanged { assets: 1, .. }]));
        assert_eq!(server.answer_all(), 1);
        assert_eq!(label.get().0, "commencer");
        assert!(matches!(&events.try_iter().collect::<Vec<_>>()[..], [Event::Changed(_)]));
        // What is here is used at once.
        store.set_locale("en").unwrap();
        assert_eq!((label.get().0.as_str(), server.answer_all()), ("start", 0));
    });
}

#[test]
fn of_several_languages_the_last_one_counts() {
    without_waiting(|| {
        let server = menu();
        let store = Store::from_packs([server.open()]);
        let label = load::<Label>(&store, &server);
        let events = store.events();
        store.set_locale("fr").unwrap();
        store.set_locale("de").unwrap();
        // The last request is answered first.
        assert_eq!(server.answer_all(), 2);
        assert_eq!(label.get().0, "beginnen");
        store.set_locale("fr").unwrap();
        store.set_locale("de").unwrap();
        assert_eq!(label.get().0, "beginnen");
        assert!(!events.try_iter().any(|event| matches!(event, Event::ReloadFailed { .. })));
    });
}

#[test]
fn a_mod_in_parts_replaces_an_asset_when_it_is_here() {
    without_waiting(|| {
        let (server, other) = (menu(), Server::new([text("0.txt", &"-".repeat(200_000)), text("menu.txt", "go!")]));
        let store = Store::from_packs([server.open()]);
        let label = load::<Label>(&store, &server);
        let id = store.mount(other.open()).unwrap();
        assert_eq!(label.get().0, "start");
        assert_eq!(other.answer_all(), 1);
        assert_eq!(label.get().0, "go!");
        assert!(store.unmount(id));
        assert_eq!(label.get().0, "start");
    });
}

#[test]
fn a_server_that_fails_is_said_and_the_value_stays() {
    without_waiting(|| {
        let server = menu();
        let store = Store::from_packs([server.open()]);
        let label = load::<Label>(&store, &server);
        let events = store.events();
        store.set_locale("fr").unwrap();
        let (_, reply) = server.next().unwrap();
        reply.fail(io::Error::other("no route"));
        assert_eq!(label.get().0, "start");
        let events: Vec<_> = events.try_iter().collect();
        let [Event::LocaleChanged { .. }, Event::ReloadFailed { path, error }] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(path, "menu.txt");
        assert!(matches!(error.kind(), ErrorKind::Io(reason) if reason.to_string() == "no route"), "{error}");
    });
}

#[test]
fn a_load_that_is_on_its_way_gets_the_language_that_is_set_meanwhile() {
    without_waiting(|| {
        let server = menu();
        let store = Store::from_packs([server.open()]);
        let menu = Id::<Text>::from_path("menu.txt");
        let (alone, mut group) = (store.load_async(menu), store.load_group([AnyId::from(menu)]));
        store.set_locale("fr").unwrap();
        server.answer_all();
        let group = loop {
            if let Some(group) = group.poll() {
                break group.unwrap();
            }
            assert!(server.answer_all() > 0, "{:?}", group.progress());
        };
        let handle = alone.handle().unwrap();
        assert_eq!((handle.get().as_str(), group.iter().len()), ("commencer", 1));
    });
}

/// A value that is made of two texts.
#[derive(Debug)]
struct Both(String);

impl FromAsset for Both {
    type Source = Text;
    type Error = crate::Error;

    fn from_asset(text: &Text, store: &Store) -> crate::Result<Self> {
        Ok(Self(format!("{} {}", text.as_str(), store.load(Id::<Text>::from_path("title.txt"))?.get().as_str())))
    }
}

#[test]
fn a_value_that_is_made_of_several_assets_waits_for_all_of_them() {
    without_waiting(|| {
        let (menu, title) = (variant("menu.txt", "fr", "commencer"), variant("title.txt", "fr", "le jeu"));
        let server = apart([text("menu.txt", "start"), text("title.txt", "the game"), menu, title], 3 << 20);
        let store = Store::from_packs([server.open()]);
        let _title = store.load_async(Id::<Text>::from_path("title.txt"));
        server.answer_all();
        let both = load::<Both>(&store, &server);
        let events = store.events();
        store.set_locale("fr").unwrap();
        assert_eq!(server.asked.lock().unwrap().len(), 2);
        server.answer_next();
        assert_eq!(both.get().0, "start the game");
        server.answer_next();
        assert_eq!(both.get().0, "commencer le jeu");
        let events: Vec<_> = events.try_iter().collect();
        assert!(
            matches!(&events[..], [Event::LocaleChanged { assets: 2, .. }, Event::Changed(_), Event::Changed(_)]),
            "{events:?}"
        );
    });
}
