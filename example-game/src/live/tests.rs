//! Assets that are edited while the game runs, here by overlays: what the game made of them follows, mistakes are told.

use std::cell::Cell;

use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::{Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{MountId, Pack, Store};

use super::*;
use crate::assets::{self, data, levels, shaders, text};
use crate::engine::Shader;
use crate::journey::{Journey, Screen, Wishes};
use crate::library::{self, Rulebook};
use crate::notices::Notices;
use crate::tables::Tuning;

/// Lays other bytes over an asset, as an edit of its file does.
fn edit(store: &Store, path: &str, kind: FourCc, content: &str) -> MountId {
    let block = match kind {
        FourCc::TEXT => TextProps::utf8(content.len() as u32).block(content.as_bytes()),
        _ => raw_block(&path[path.rfind('.').unwrap()..], content.as_bytes()),
    };
    let chunk = StoredChunk::encode(kind, &block, Compression::NONE, &mut Compressor::default()).unwrap();
    let mut pack = PackBuilder::new();
    pack.push(Resource::new(path, vec![chunk]));
    store.mount(Pack::from_bytes(pack.to_vec().unwrap()).unwrap()).unwrap()
}

fn length(text: &rres_runtime::Text) -> Result<usize> {
    Ok(text.as_str().len())
}

#[test]
fn what_is_made_of_an_asset_follows_it_there_and_back() {
    let (store, lives) = (assets::open().unwrap(), Lives::default());
    let live = lives.of(&store.load(text::EN_TXT).unwrap(), |text, _| length(text)).unwrap();
    let before = live.get();
    let mounted = edit(&store, "text/en.txt", FourCc::TEXT, "title = X");
    assert_eq!(live.get(), before, "once a frame, not in the midst of one");
    assert!(lives.follow().is_empty());
    assert_eq!(live.get(), 9);
    store.unmount(mounted);
    lives.follow();
    assert_eq!(live.get(), before);
}

#[test]
fn nothing_is_made_where_nothing_changed_and_nothing_is_kept_that_nobody_uses() {
    let (store, lives) = (assets::open().unwrap(), Lives::default());
    let made = Rc::new(Cell::new(0));
    let count = Rc::clone(&made);
    let making = move |text: &Arc<rres_runtime::Text>, _: &str| {
        count.set(count.get() + 1);
        length(text)
    };
    let live = lives.of(&store.load(text::EN_TXT).unwrap(), making).unwrap();
    lives.follow();
    assert_eq!(made.get(), 1);
    drop(live);
    assert!(store.get(text::EN_TXT).is_none(), "the asset is freed with what was made of it");
    lives.follow();
    assert_eq!(Rc::strong_count(&made), 1, "the maker is gone");
}

#[test]
fn what_cannot_be_made_stays_as_it_was_and_is_told_until_it_can() {
    let (store, lives) = (assets::open().unwrap(), Lives::default());
    let make = |text: &Arc<rres_runtime::Text>, path: &str| match text.as_str().starts_with('#') {
        true => length(text),
        false => Err(Error::content(path, "does not compile")),
    };
    let live = lives.of(&store.load(text::EN_TXT).unwrap(), make).unwrap();
    let mut notices = Notices::of(&store);
    let before = live.get();
    edit(&store, "text/en.txt", FourCc::TEXT, "title = X");
    notices.follow(0.0, lives.follow());
    assert_eq!(live.get(), before);
    let told = |notices: &Notices| notices.lines().any(|line| line.contains("\"text/en.txt\": does not compile"));
    notices.follow(100.0, lives.follow());
    assert!(told(&notices), "{notices:?}");
    edit(&store, "text/en.txt", FourCc::TEXT, "# again");
    notices.follow(0.0, lives.follow());
    assert_eq!(live.get(), 7);
    assert!(!told(&notices), "{notices:?}");
}

#[test]
fn an_edited_level_changes_under_the_lantern() {
    let store = assets::open().unwrap();
    let rulebook = Rulebook::load(&store, 0).unwrap();
    let mut journey = Journey::new(0, rulebook.rules(), Screen::Story);
    journey.autopilot = true;
    while journey.world.gathered < 3 {
        journey.step(Wishes::default());
    }
    let source = store.load(levels::LEVEL_1_TXT).unwrap().get().as_str().to_owned();
    let (time, all) = (journey.world.time, journey.world.crystals.len());
    // Another goal, and one crystal more in the empty first column.
    let edited = source.replace("need   = 12", "need   = 7").replacen("\n....I", "\n*...I", 1);
    edit(&store, "levels/level_1.txt", FourCc::TEXT, &edited);
    journey.world.follow(rulebook.rules());
    let world = &journey.world;
    assert_eq!((world.level.need, world.crystals.len(), world.time), (7, all + 1, time));
    assert_eq!(world.crystals.iter().filter(|crystal| crystal.taken).count(), 3, "what was gathered stays so");
}

#[test]
fn a_broken_table_is_told_in_the_errors_words_and_the_last_good_one_stays() {
    let store = assets::open().unwrap();
    let tuning: Handle<Tuning> = store.load_as(data::TUNING_CSV).unwrap();
    let mut notices = Notices::of(&store);
    let source = String::from_utf8(store.load(data::TUNING_CSV).unwrap().get().bytes().to_vec()).unwrap();
    let broken = edit(&store, "data/tuning.csv", FourCc::RAWD, &source.replace("hearts,3", "hearts,many"));
    notices.follow(0.0, Vec::new());
    let lines: Vec<&str> = notices.lines().collect();
    let expected = "\"data/tuning.csv\": line 8: hearts is \"many\", expected a number";
    assert!(lines.iter().any(|line| line.contains(expected)), "{lines:?}");
    assert_eq!((tuning.get().hearts, tuning.version()), (3, 1));
    store.unmount(broken);
    edit(&store, "data/tuning.csv", FourCc::RAWD, &source.replace("hearts,3", "hearts,5"));
    notices.follow(0.0, Vec::new());
    assert_eq!(tuning.get().hearts, 5);
    assert!(notices.lines().all(|line| !line.contains("many")), "{notices:?}");
    notices.follow(60.0, Vec::new());
    assert_eq!(notices.lines().count(), 0, "news are no longer news: {notices:?}");
}

#[test]
fn a_material_follows_either_of_its_shaders() {
    let store = assets::open().unwrap();
    let shader: Handle<Shader> = store.load_as(shaders::LIGHT_FS).unwrap();
    edit(&store, "shaders/flat.vs", FourCc::TEXT, "void main() {}");
    assert_eq!(shader.version(), 2);
    let mut events = store.events();
    edit(&store, "shaders/light.fs", FourCc::TEXT, "// vertex shader: round.vs");
    let told: Vec<String> = events.by_ref().map(|event| event.to_string()).collect();
    assert!(told.iter().any(|text| text.contains("\"round.vs\", expected flat.vs or crystal.vs")), "{told:?}");
    assert_eq!(shader.version(), 2);
}

#[test]
fn an_edited_language_is_spoken_at_once() {
    let store = assets::open().unwrap();
    let words = library::words(&store).unwrap();
    edit(&store, "text/de.txt", FourCc::TEXT, "play = Los!");
    assert_eq!(words[1].get().get("play"), "Los!");
    assert_eq!(words[0].get().get("play"), "Set off");
}
