//! Tests of the game with its own assets: every level, every language, every group, and assets that change while it
//! runs. The tests change assets by mounting overlays.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, ensure};
use macroquad::math::{Vec3, vec2};
use rres_format::chunk::custom::custom_block;
use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, StoredChunk};
use rres_runtime::{CustomAsset, Handle, MountId, PackOptions, Store, Text};

use crate::assets::{self, data, shaders, text, world};
use crate::data::{LANGUAGES, Palette, RuleAssets, SMALL_TEXTURES, Tuning, Words};
use crate::draw::LoadingView;
use crate::draw::hud::Letters;
use crate::draw::sky::moon;
use crate::engine::Shader;
use crate::game::{Game, Input, Screen};
use crate::headless::{MOST_STEPS, play};
use crate::level::Level;
use crate::live::{Errors, Live};
use crate::loading::{LEVELS, LevelLoading};
use crate::notices::Notices;
use crate::skinned::Skinned;
use map::Map;

// What the build script compiles, too.
#[path = "../build/level.rs"]
mod map;

fn rules(store: &Store, level: usize) -> crate::world::Rules {
    RuleAssets::load(store, level).unwrap().rules()
}

#[test]
fn every_level_can_be_won_and_the_same_way_again() {
    let store = assets::open().unwrap();
    let flights = play(&store).unwrap().flights;
    assert_eq!(flights.len(), 3);
    assert!(flights.iter().all(|flight| flight.contains("the lamp burns")), "{flights:?}");
    assert_eq!(play(&store).unwrap().flights, flights);
}

/// Half of the bar is half of the bytes and of the assets, also if all of them are there already.
#[test]
fn the_loading_screen_says_what_its_bar_shows() {
    let store = assets::open().unwrap();
    let loading = LevelLoading::first(&store, 0);
    while loading.progress().fraction() < 1.0 {
        std::thread::yield_now();
    }
    let progress = loading.progress();
    let (bytes, assets) = (progress.bytes_total, progress.assets_total);
    let mut view = LoadingView::new(loading.progress(), None);
    assert_eq!(view.loaded(), (0, 0));
    view.follow(loading.progress(), 0.2);
    let shown = view.loaded();
    assert!(shown.0.abs_diff(bytes / 2) <= 1 && shown.1.abs_diff(assets / 2) <= 1, "{shown:?} of {bytes}, {assets}");
    view.follow(progress, 0.2);
    assert_eq!(view.loaded(), (bytes, assets));
}

#[test]
fn nothing_shines_through_the_letters_of_the_title() {
    let store = assets::open().unwrap();
    let mut game = Game::new(0, rules(&store, 0), Screen::Title);
    const RADIUS: f32 = 76.0;
    // The longest title is the Greek one.
    let letters = Letters::of_width(1020.0);
    for _ in 0..MOST_STEPS {
        game.step(Input::default());
        let moon = moon(&game);
        let top = moon - vec2(0.0, RADIUS);
        assert!(top.y > 215.0 && moon.x - RADIUS > 960.0, "the moon at {moon} touches the letters");
    }
    let behind = vec2(640.0, 150.0);
    assert_eq!((letters.beside(behind), Letters::default().beside(behind)), (0.0, 1.0));
    assert_eq!(letters.beside(vec2(640.0, 500.0)), 1.0);
}

#[test]
fn a_lantern_that_nobody_steers_is_lost() {
    let store = assets::open().unwrap();
    let mut game = Game::new(0, rules(&store, 0), Screen::Story);
    let confirm = Input { confirm: true, ..Input::default() };
    game.step(confirm);
    for _ in 0..MOST_STEPS {
        game.step(Input::default());
    }
    assert_eq!(game.screen, Screen::Lost);
    game.step(confirm);
    assert_eq!((game.screen, game.level), (Screen::Story, 0));
}

#[test]
fn the_next_level_is_asked_for_and_nothing_happens_before_it_is_loaded() {
    let store = assets::open().unwrap();
    let mut game = Game::new(0, rules(&store, 0), Screen::Won);
    let confirm = Input { confirm: true, ..Input::default() };
    game.step(confirm);
    assert_eq!(game.next, Some((1, Screen::Story)));
    let time = game.world.time;
    game.step(confirm);
    assert_eq!((game.screen, game.world.time), (Screen::Won, time));
    game.enter(1, rules(&store, 1), Screen::Story);
    assert_eq!((game.screen, &*game.world.rules.level.title, game.next), (Screen::Story, "level2", None));
}

#[test]
fn every_language_has_every_text() {
    let words: Vec<_> = Words::load(&assets::open().unwrap()).unwrap().iter().map(Handle::get).collect();
    for (other, code) in words.iter().zip(LANGUAGES).skip(1) {
        assert!(other.0.keys().eq(words[0].0.keys()), "{code}");
    }
    assert_eq!(words[1].get("level2"), "Nördliche Stille");
    assert_eq!(words[3].get("language"), "Español");
}

#[test]
fn the_groups_contain_every_asset_and_every_kind() {
    let store = assets::open().unwrap();
    let loaded = play(&store).unwrap().assets;
    let paths: BTreeSet<&str> = loaded.iter().map(|(path, ..)| &**path).collect();
    let mounts = store.mounts();
    let left: Vec<&str> = mounts.entries().map(|entry| entry.path).filter(|path| !paths.contains(path)).collect();
    assert_eq!(left, [""; 0], "these are in no group");
    let kinds: BTreeSet<&str> = loaded.iter().map(|(_, kind, _)| &**kind).collect();
    assert_eq!(kinds, BTreeSet::from(["font", "image", "level", "link", "model", "raw", "sound", "text"]));
}

#[test]
fn check_3_5_3_going_to_the_next_level_frees_and_reads_only_what_they_do_not_share() {
    let store = assets::open().unwrap();
    let level = store.load_group(LEVELS[0].group).wait().unwrap();
    let (before, own, loads) = (store.stats().bytes, level.bytes(), store.stats().loads);
    let loading = LevelLoading::next(level, 1);
    let change = loading.change.unwrap();
    let loaded = loading.wait().unwrap();
    let moon = store.loaded(world::MOON_DDS).unwrap().get().data().len() as u64;
    assert!(change.kept >= moon && change.freed > 0, "{change:?}");
    assert_eq!(store.stats().bytes, before - change.freed + loaded.level.bytes() - change.kept);
    assert_eq!(own, change.freed + change.kept);
    // Everything in the second level except the moon.
    assert_eq!(store.stats().loads - loads, loaded.level.iter().len() as u64 - 1);
    assert!(store.loaded(world::SKY_DUSK_JPG).is_none());
}

#[test]
fn mistakes_in_a_level_name_the_line() {
    let small = "title = t\nsky = dusk\nspeed = 100\nneed = 1\nwind = 0.5\n\n*.S\n.RL\n";
    let level = level(small);
    assert_eq!((level.crystals.len(), level.storms.len(), level.rocks.len()), (1, 1, 1));
    for (text, part) in [
        (small.replace('L', "."), (None, "the map has no L")),
        (small.replace(".RL", ".?L"), (Some(8), "unknown sign '?' in column 2")),
        (small.replace("speed = 100", "speed = fast"), (Some(3), "speed is \"fast\"")),
        (small.replace("need = 1", "need = 2"), (None, "need is 2, but the map has 1 crystals")),
        (small.replace("wind", "wid"), (Some(5), "unknown setting \"wid\"")),
    ] {
        let mistake = Map::parse(&text).unwrap_err();
        assert!(mistake.line == part.0 && mistake.message.starts_with(part.1), "{mistake:?}");
    }
    let whole = Map::parse(small).unwrap().to_bytes();
    for cut in 0..whole.len() {
        assert!(Level::from_bytes(&whole[..cut]).is_err(), "{cut}");
    }
}

/// The level of a map.
fn level(map: &str) -> Level {
    Level::from_bytes(&Map::parse(map).unwrap().to_bytes()).unwrap()
}

#[test]
fn the_whale_swims_and_comes_back_to_where_it_was() {
    let store = assets::open().unwrap();
    let model = store.load(assets::models::WHALE_GLB).unwrap().get();
    // The texture needs a window.
    let whale = Skinned::without_texture(&model);
    let [start, later, again] = [0.0, 1.7, 5.0].map(|time| whale.pose(time));
    let far = |a: &[(Vec3, Vec3)], b: &[(Vec3, Vec3)]| {
        a.iter().zip(b).map(|((a, _), (b, _))| a.distance(*b)).fold(0.0, f32::max)
    };
    assert!(far(&start, &later) > 0.2 && far(&start, &again) < 1e-3);
    let swim = model.part(assets::models::whale_glb::animation::SWIM).unwrap();
    assert_eq!((swim.duration(), model.skins()[0].joints().len()), (5.0, 8));
    let skin = model.part(assets::models::whale_glb::material::SKIN).unwrap();
    assert_eq!((skin.metallic, skin.roughness), (0.0, 0.86));
}

/// Replaces the bytes of an asset by an overlay, as an edit of its file would.
fn edit(store: &Store, path: &str, kind: FourCc, content: &str) -> MountId {
    let block = match kind {
        FourCc::TEXT => TextProps::utf8(content.len() as u32).block(content.as_bytes()),
        _ => raw_block(&path[path.rfind('.').unwrap()..], content.as_bytes()),
    };
    replace(store, path, kind, &block)
}

/// The same with the bytes of a chunk.
fn replace(store: &Store, path: &str, kind: FourCc, block: &[u8]) -> MountId {
    let chunk = StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap();
    let mut pack = PackBuilder::new();
    let resource = Resource::new(path, vec![chunk]);
    // Chunks of the game's own are custom assets, which the index says.
    let mut meta = Meta::default();
    meta.set(MetaKey::CUSTOM_KIND, u32::from_le_bytes(kind.0));
    let is_own = kind == Level::FOURCC;
    pack.push(if is_own { resource.with_kind(AssetKind::Custom).with_meta(meta) } else { resource });
    store.mount(PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()).unwrap()
}

fn length(text: &Arc<Text>) -> Result<usize> {
    Ok(text.as_str().len())
}

#[test]
fn a_thing_made_from_an_asset_follows_it_there_and_back() {
    let store = assets::open().unwrap();
    let mut live = Live::new(&store.load(text::EN_TXT).unwrap(), &Errors::default(), length);
    let before = *live.get().unwrap();
    let mounted = edit(&store, "text/en.txt", FourCc::TEXT, "title = X");
    assert_eq!(live.get(), Some(&9));
    store.unmount(mounted);
    assert_eq!(live.get(), Some(&before));
}

#[test]
fn nothing_is_made_again_without_a_change_and_nothing_unused_is_kept() {
    let store = assets::open().unwrap();
    let made = Rc::new(Cell::new(0));
    let count = Rc::clone(&made);
    let make = move |text: &Arc<Text>| {
        count.set(count.get() + 1);
        length(text)
    };
    let mut live = Live::new(&store.load(text::EN_TXT).unwrap(), &Errors::default(), make);
    live.get();
    live.get();
    assert_eq!(made.get(), 1);
    drop(live);
    assert!(store.loaded(text::EN_TXT).is_none(), "the asset is freed with the thing made from it");
}

#[test]
fn a_thing_that_cannot_be_made_again_stays_and_is_reported_until_it_can() {
    let (store, errors) = (assets::open().unwrap(), Errors::default());
    let make = |text: &Arc<Text>| {
        ensure!(text.as_str().starts_with('#'), "does not compile");
        length(text)
    };
    let mut live = Live::new(&store.load(text::EN_TXT).unwrap(), &errors, make);
    let mut notices = Notices::new(&store, &errors);
    let before = *live.get().unwrap();
    edit(&store, "text/en.txt", FourCc::TEXT, "title = X");
    assert_eq!(live.get(), Some(&before));
    notices.follow(0.0);
    notices.follow(100.0);
    let [notice] = &notices.lines[..] else { panic!("{:?}", notices.lines) };
    assert!(notice.is_error && notice.text.contains("text/en.txt: does not compile"), "{notice:?}");
    edit(&store, "text/en.txt", FourCc::TEXT, "# again");
    assert_eq!(live.get(), Some(&7));
    notices.follow(0.0);
    assert!(notices.lines.iter().all(|notice| !notice.is_error), "{:?}", notices.lines);
}

#[test]
fn an_edited_level_changes_under_the_lantern() {
    let store = assets::open().unwrap();
    let rules = RuleAssets::load(&store, 0).unwrap();
    let mut game = Game::new(0, rules.rules(), Screen::Story);
    game.autopilot = true;
    while game.world.gathered < 3 {
        game.step(Input::default());
    }
    let source = include_str!("../../assets/levels/level_1.level");
    let (time, all) = (game.world.time, game.world.crystals.len());
    // Another goal, and one more crystal in the empty first column.
    let edited = source.replace("need   = 12", "need   = 7").replacen("\n....I", "\n*...I", 1);
    let data = Map::parse(&edited).unwrap().to_bytes();
    replace(&store, "levels/level_1.level", Level::FOURCC, &custom_block(&data).unwrap());
    game.world.follow(rules.rules());
    let world = &game.world;
    assert_eq!((world.rules.level.need, world.crystals.len(), world.time), (7, all + 1, time));
    assert_eq!(world.crystals.iter().filter(|crystal| crystal.taken).count(), 3, "gathered crystals stay gathered");
}

#[test]
fn a_broken_table_is_reported_and_the_previous_one_stays() {
    let store = assets::open().unwrap();
    let tuning: Handle<Tuning> = store.load(data::TUNING_CSV.into_type()).unwrap();
    let mut notices = Notices::new(&store, &Errors::default());
    let source = String::from_utf8(store.load(data::TUNING_CSV).unwrap().get().bytes().to_vec()).unwrap();
    let broken = edit(&store, "data/tuning.csv", FourCc::RAWD, &source.replace("hearts,3", "hearts,many"));
    notices.follow(0.0);
    let expected = "\"data/tuning.csv\": line 8: hearts is \"many\", expected a number";
    assert!(notices.lines.iter().any(|line| line.is_error && line.text.contains(expected)), "{:?}", notices.lines);
    assert_eq!((tuning.get().hearts, tuning.version()), (3, 1));
    store.unmount(broken);
    edit(&store, "data/tuning.csv", FourCc::RAWD, &source.replace("hearts,3", "hearts,5"));
    notices.follow(0.0);
    assert_eq!(tuning.get().hearts, 5);
    assert!(notices.lines.iter().all(|line| !line.is_error), "{:?}", notices.lines);
    notices.follow(60.0);
    assert_eq!(notices.lines.len(), 0, "changes are shown only for a while: {:?}", notices.lines);
}

#[test]
fn tables_name_what_is_missing_or_wrong() {
    let store = assets::open().unwrap();
    for (path, content, expected) in [
        ("data/tuning.csv", "name,value,unit\nlift,1,x\n", "missing field `drag`"),
        ("data/palette.json", r##"{"a": {"far": "#ff"}}"##, "\"#ff\" is not a colour"),
        ("data/gusts.dat", "abc", "has 3 bytes, expected 4 per number"),
    ] {
        edit(&store, path, FourCc::RAWD, content);
        let results = [
            store.load(data::TUNING_CSV.into_type::<Tuning>()).err(),
            store.load(data::PALETTE_JSON.into_type::<Palette>()).err(),
            store.load(data::GUSTS_DAT.into_type::<crate::data::Gusts>()).err(),
        ];
        let messages: Vec<String> = results.into_iter().flatten().map(|error| error.to_string()).collect();
        assert!(messages.iter().any(|message| message.contains(expected)), "{expected}: {messages:?}");
    }
}

#[test]
fn a_material_follows_either_of_its_shaders() {
    let store = assets::open().unwrap();
    let shader: Handle<Shader> = store.load(shaders::LIGHT_FS.into_type()).unwrap();
    edit(&store, "shaders/flat.vs", FourCc::TEXT, "void main() {}");
    assert_eq!(shader.version(), 2);
    let events = store.events();
    edit(&store, "shaders/light.fs", FourCc::TEXT, "// vertex shader: round.vs");
    let told: Vec<String> = events.try_iter().map(|event| event.to_string()).collect();
    assert!(told.iter().any(|text| text.contains("\"round.vs\", expected flat.vs or crystal.vs")), "{told:?}");
    assert_eq!(shader.version(), 2);
}

#[test]
fn a_player_may_choose_smaller_textures_while_the_game_runs() {
    let store = assets::open().unwrap();
    let _loaded = LevelLoading::first(&store, 0).wait().unwrap();
    let sprites = [world::LANTERN_PNG, world::ROCK_1_PNG, world::STORM_1_PNG].map(|id| store.load(id).unwrap());
    let sizes = || sprites.each_ref().map(|sprite| (sprite.get().width(), sprite.get().height()));
    let memory = || -> u64 { sprites.iter().map(|sprite| sprite.get().video_memory()).sum() };
    let (whole, taken) = (sizes(), memory());
    assert!(store.set_texture_limit(SMALL_TEXTURES).unwrap() >= sprites.len());
    for ((width, height), before) in sizes().into_iter().zip(whole) {
        assert!(width.max(height) <= SMALL_TEXTURES && (width, height) == (before.0 / 2, before.1 / 2), "{before:?}");
    }
    assert!(memory() * 3 < taken, "{} of {taken}", memory());
    store.set_texture_limit(None).unwrap();
    assert_eq!((sizes(), memory()), (whole, taken));
}

#[test]
fn an_edited_language_is_used_at_once() {
    let store = assets::open().unwrap();
    let words = Words::load(&store).unwrap();
    edit(&store, "text/de.txt", FourCc::TEXT, "play = Los!");
    assert_eq!(words[1].get().get("play"), "Los!");
    assert_eq!(words[0].get().get("play"), "Set off");
}
