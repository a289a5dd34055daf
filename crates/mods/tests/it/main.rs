//! Folders of packs → what is mounted, what is wrong, and who wins.

use std::path::PathBuf;

use rres_format::chunk::raw::raw_block;
use rres_format::chunk::text::TextProps;
use rres_format::index::{GroupSpec, MetaKey};
use rres_format::{AssetKind, Compression, Compressor, FourCc, PackBuilder, Resource, ResourceId, StoredChunk};
use rres_mods::semver::Version;
use rres_mods::{Manifest, ModLoader, ModState, Mods, Policy};
use rres_runtime::{Id, PackOptions, Store, Text};
use rres_test_data::damage::cuts;

fn resource(path: &str, kind: FourCc, block: &[u8]) -> Resource<'static> {
    Resource::new(path, vec![StoredChunk::encode(kind, block, Compression::NONE, &mut Compressor::default()).unwrap()])
}

fn text(path: &str, text: &str) -> Resource<'static> {
    resource(path, FourCc::TEXT, &TextProps::utf8(text.len() as u32).block(text.as_bytes()))
}

fn raw(path: &str) -> Resource<'static> {
    resource(path, FourCc::RAWD, &raw_block(".bin", b"raw"))
}

fn pack(resources: impl IntoIterator<Item = Resource<'static>>) -> PackBuilder<'static> {
    let mut pack = PackBuilder::new();
    resources.into_iter().for_each(|resource| pack.push(resource));
    pack
}

/// A game with three texts, one of which is in the group `rules`.
fn game() -> Store {
    let mut pack = pack([text("a.txt", "game"), text("b.txt", "game"), text("rules/speed.txt", "12")]);
    pack.push_group(GroupSpec { name: "rules".to_owned(), members: vec![ResourceId::from_path("rules/speed.txt")] });
    Store::from_packs([PackOptions::default().from_bytes(pack.to_vec().unwrap()).unwrap()])
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> &Self {
        std::fs::write(self.file(name), bytes).unwrap();
        self
    }

    /// A mod whose id is the name of its file. `rest` are lines of its manifest, separated by `; `.
    fn add(&self, id: &str, rest: &str, assets: impl IntoIterator<Item = Resource<'static>>) -> &Self {
        self.add_as(&format!("{id}.rres"), id, rest, assets)
    }

    fn add_as(&self, file: &str, id: &str, rest: &str, assets: impl IntoIterator<Item = Resource<'static>>) -> &Self {
        let rest = rest.replace("; ", "\n");
        let game = if rest.contains("game =") { "" } else { "game = \"lantern\"" };
        let manifest = format!("id = {id:?}\nname = {id:?}\nversion = \"1.0.0\"\n{game}\n{rest}");
        let manifest = text("mod.toml", &manifest);
        self.write(file, &pack([manifest].into_iter().chain(assets)).to_vec().unwrap())
    }

    fn read(&self, loader: &ModLoader, store: &Store) -> Mods {
        loader.read(self.0.path(), store)
    }

    /// What [`Mods`] prints, without the path of the folder.
    fn printed(&self, mods: &Mods) -> String {
        mods.to_string().replace(&format!("{}{}", self.0.path().display(), std::path::MAIN_SEPARATOR), "")
    }
}

fn loader() -> ModLoader {
    ModLoader::new("lantern", Version::new(1, 4, 0))
}

fn value(store: &Store, path: &str) -> String {
    store.load(Id::<Text>::from_path(path)).unwrap().get().as_str().to_owned()
}

#[test]
fn the_report_names_both_mods_of_an_asset_and_the_winner_and_the_game_loads_that() {
    let (folder, store) = (Folder::new(), game());
    folder.add("winter", "after = [\"snow\"]", [text("a.txt", "winter"), text("new.txt", "")]);
    folder.add("snow", "", [text("a.txt", "snow"), text("b.txt", "snow")]);
    let mut mods = folder.read(&loader(), &store);
    assert_eq!(folder.printed(&mods), "1. snow 1.0.0\n2. winter 1.0.0\na.txt: snow, winter; winter wins\n");
    let [conflict] = &mods.overrides().conflicts().collect::<Vec<_>>()[..] else { panic!("one") };
    assert_eq!((&*conflict.path, conflict.winner(), conflict.replaces_game), ("a.txt", "winter", true));
    assert_eq!(conflict.mods, ["snow", "winter"]);
    let all: Vec<(&str, bool)> =
        mods.overrides().assets().iter().map(|asset| (&*asset.path, asset.replaces_game)).collect();
    assert_eq!(all, [("a.txt", true), ("b.txt", true), ("new.txt", false)]);
    let mounted = mods.mount(&store);
    assert_eq!(mounted.iter().map(|mounted| &*mounted.id).collect::<Vec<_>>(), ["snow", "winter"]);
    assert_eq!([value(&store, "a.txt"), value(&store, "b.txt")], ["winter", "snow"]);
    assert!(mods.mount(&store).is_empty(), "they are mounted");
    mounted.into_iter().for_each(|mounted| assert!(store.unmount(mounted.mount)));
    assert_eq!(value(&store, "a.txt"), "game");
}

#[test]
fn all_faults_are_in_one_report_and_the_rest_is_mounted() {
    let (folder, store) = (Folder::new(), game());
    folder.add("fine", "", [text("a.txt", "fine")]);
    folder.add("needs", "[dependencies]; gone = \"^1\"; fine = \"^2\"", []);
    folder.add("above", "[dependencies]; needs = \"^1\"", []);
    folder.add("x", "after = [\"y\"]", []).add("y", "after = [\"x\"]", []);
    folder.add_as("one.rres", "twin", "", []).add_as("two.rres", "twin", "", []);
    folder.add("other", "game = \"torch\"", []).add("newer", "game-version = \"^2\"", []);
    folder.add("kind", "", [raw("b.txt")]);
    folder.write("empty.rres", b"").write("notes.txt", b"not a pack").write("bare.rres", &pack([]).to_vec().unwrap());
    folder.add("typo", "auhtors = []; after = \"fine\"", []);
    let mut mods = folder.read(&loader(), &store);
    let expected = "\
1. fine 1.0.0
above.rres: the mod above is left out: it needs the mod needs, which is left out
bare.rres: has no mod.toml; put one into the directory of the mod, and pack it again
empty.rres: cannot be opened: …
kind.rres: the mod kind is left out: its b.txt (raw) would replace b.txt (text) of the game; an asset replaces only one of the same path and kind
needs.rres: the mod needs is left out: it needs the mod fine ^2, and the one in the folder is 1.0.0
needs.rres: the mod needs is left out: it needs the mod gone ^1, which is not in the folder
newer.rres: the mod newer is left out: it is for the versions ^2 of the game, and this is 1.4.0
one.rres: the mod twin is left out: two.rres has a mod with the same id; keep one of the files
other.rres: the mod other is left out: it is for the game torch, and this is lantern
two.rres: the mod twin is left out: one.rres has a mod with the same id; keep one of the files
typo.rres: mod.toml: unknown key `auhtors`, expected one of id, name, version, authors, description, game, game-version, dependencies, after, before; `after`: expected a list of texts, found a text
x.rres: the mod x is left out: no order of mods is right, because each must be mounted over the one before it: x, y, x; all of them are left out
";
    let printed = folder.printed(&mods);
    let printed: String = printed
        .lines()
        .map(|line| match line.split_once("cannot be opened: ") {
            Some((before, _)) => format!("{before}cannot be opened: …\n"),
            None => format!("{line}\n"),
        })
        .collect();
    assert_eq!(printed, expected);
    assert_eq!(mods.mount(&store).len(), 1);
    assert_eq!(value(&store, "a.txt"), "fine");
    let states: Vec<_> = mods.found().iter().filter(|found| found.state() == ModState::Used).collect();
    assert_eq!(states.len(), 1);
}

#[test]
fn a_disabled_mod_is_known_and_not_used() {
    let (folder, store) = (Folder::new(), game());
    folder.add("snow", "", [raw("a.txt")]).add("winter", "[dependencies]; snow = \"^1\"", []).add("apart", "", []);
    let mods = folder.read(&loader().disabled(["snow", "not-there"]), &store);
    assert_eq!(
        folder.printed(&mods),
        "1. apart 1.0.0\nwinter.rres: the mod winter is left out: it needs the mod snow, which is disabled\n"
    );
    let states: Vec<(&str, ModState)> =
        mods.found().iter().map(|found| (&*found.manifest().id, found.state())).collect();
    assert_eq!(states, [("apart", ModState::Used), ("snow", ModState::Disabled), ("winter", ModState::LeftOut)]);
}

#[test]
fn a_policy_limits_kinds_groups_folders_and_new_assets() {
    let (folder, store) = (Folder::new(), game());
    folder.add(
        "cheat",
        "",
        [text("rules/speed.txt", "99"), raw("new.bin"), text("rules/new.txt", ""), text("a.txt", "")],
    );
    let check = |policy: Policy| folder.printed(&folder.read(&loader().policy(policy), &store));
    let refused = |reasons: &str| {
        format!("cheat.rres: the mod cheat is left out: it has assets that mods may not have: {reasons}\n")
    };
    assert_eq!(check(Policy::default()), "1. cheat 1.0.0\n");
    let kinds = "new.bin (mods may not have assets of the kind raw)";
    assert_eq!(check(Policy::default().only_kinds([AssetKind::Text])), refused(kinds));
    let group = "rules/speed.txt (the group rules is protected)";
    assert_eq!(check(Policy::default().protect_group("rules").protect_group("no-such-group")), refused(group));
    let folder_ = "rules/new.txt (the folder rules/ is protected), rules/speed.txt (the folder rules/ is protected)";
    assert_eq!(check(Policy::default().protect_folder("rules/")), refused(folder_));
    let new = "new.bin (mods may not add assets), rules/new.txt (mods may not add assets)";
    assert_eq!(check(Policy::default().replace_only()), refused(new));
    let all = Policy::default().replace_only().protect_folder("rules").protect_folder("a.txt").only_kinds([]);
    assert!(check(all).ends_with(", and 1 more\n"));
}

/// Who changes the atlas of a sprite changes the sprite, and a language that the game has is a part of the asset.
#[test]
fn a_policy_covers_what_protected_assets_are_made_of() {
    let atlas = ResourceId::from_path("sprites/ui.atlas");
    let mut logo = text("ui/logo/logo.txt", "logo");
    logo.dependencies.push(atlas);
    let mut french = text("ui/logo/logo.fr.txt", "le logo");
    french.meta.set(MetaKey::VARIANT_OF, ResourceId::from_path("ui/logo/logo.txt").0);
    french.path = "elsewhere.txt".to_owned();
    french.id = ResourceId::from_path("elsewhere.txt");
    let mut game = pack([logo, french, text("sprites/ui.atlas", "atlas"), text("a.txt", "")]);
    game.push_group(GroupSpec { name: "logo".to_owned(), members: vec![ResourceId::from_path("ui/logo/logo.txt")] });
    let store = Store::from_packs([PackOptions::default().from_bytes(game.to_vec().unwrap()).unwrap()]);
    for (path, is_protected) in [("sprites/ui.atlas", true), ("elsewhere.txt", true), ("a.txt", false)] {
        for policy in [Policy::default().protect_group("logo"), Policy::default().protect_folder("ui/logo")] {
            let folder = Folder::new();
            folder.add("cheat", "", [text(path, "99")]);
            let printed = folder.printed(&folder.read(&loader().policy(policy), &store));
            assert_eq!(
                printed.contains("this is a variant or a part of an asset in it"),
                is_protected,
                "{path}: {printed}"
            );
        }
    }
}

#[test]
fn a_policy_cannot_be_evaded_by_entries_without_paths_or_by_variants() {
    let store = game();
    let speed = ResourceId::from_path("rules/speed.txt");
    let mut variant = text("x.txt", "99");
    variant.meta.set(MetaKey::VARIANT_OF, speed.0);
    let mut nameless = text("rules/speed.txt", "99");
    nameless.path = String::new();
    let mut second = text("mod.toml", "99");
    second.id = speed;
    for (cheat, policies) in [
        (nameless, vec![Policy::default().protect_folder("rules/"), Policy::default().protect_group("rules")]),
        (variant, vec![Policy::default().protect_folder("rules/"), Policy::default().protect_group("rules")]),
        (second, vec![Policy::default().protect_group("rules")]),
    ] {
        for policy in policies {
            let folder = Folder::new();
            let manifest = text("mod.toml", "id = \"cheat\"\nname = \"c\"\nversion = \"1.0.0\"\ngame = \"lantern\"\n");
            // The directory of C programs has no empty names.
            folder.write("cheat.rres", &pack([manifest, cheat.clone()]).directory(false).to_vec().unwrap());
            let printed = folder.printed(&folder.read(&loader().policy(policy), &store));
            assert!(printed.contains("protected") || printed.contains("would replace"), "{printed}");
        }
    }
}

#[test]
fn the_packs_of_a_set_are_one_mod() {
    let (folder, store) = (Folder::new(), game());
    let manifest = text("mod.toml", "id = \"big\"\nname = \"Big\"\nversion = \"1.0.0\"\ngame = \"lantern\"\n");
    folder.write("big.rres", &pack([text("a.txt", "big")]).additional_packs(1).to_vec().unwrap());
    folder.write("big.1.rres", &pack([manifest, text("b.txt", "big")]).to_vec().unwrap());
    let mut mods = folder.read(&loader(), &store);
    assert_eq!(folder.printed(&mods), "1. big 1.0.0\n");
    mods.mount(&store);
    assert_eq!([value(&store, "a.txt"), value(&store, "b.txt")], ["big", "big"]);
    // On Windows a file stays as long as a program has mapped it.
    drop((mods, store));
    std::fs::remove_file(folder.file("big.1.rres")).unwrap();
    assert_eq!(folder.read(&loader(), &game()).faults()[0].kind.code(), "unreadable");
}

#[test]
fn a_pack_of_a_stranger_gives_a_fault_and_never_a_panic() {
    let folder = Folder::new();
    folder.add("whole", "authors = [\"Ada\"]", [text("a.txt", "mod")]);
    let bytes = std::fs::read(folder.file("whole.rres")).unwrap();
    let store = game();
    for cut in cuts(&bytes) {
        folder.write("whole.rres", cut);
        assert!(folder.read(&loader(), &store).faults().len() <= 1, "cut at {}", cut.len());
    }
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        folder.write("whole.rres", &damaged);
        let mut mods = folder.read(&loader(), &store);
        let mounted = mods.mount(&store);
        assert!(mounted.len() + mods.faults().len() <= 1, "byte {at}: {mods}");
        mounted.into_iter().for_each(|mounted| assert!(store.unmount(mounted.mount)));
    }
    let long = "#".repeat(200_000);
    folder.write("whole.rres", &pack([text("mod.toml", &long)]).to_vec().unwrap());
    let mods = folder.read(&loader(), &store);
    assert!(mods.faults()[0].to_string().contains("expected at most 65536 bytes"), "{mods}");
}

#[test]
fn a_folder_that_does_not_exist_has_no_mods() {
    let mods = loader().read("no/such/folder", &game());
    assert!(mods.faults().is_empty() && mods.found().is_empty());
}

#[test]
fn a_manifest_says_everything_that_is_wrong_with_it() {
    let problems = |text: &str| Manifest::parse(text).unwrap_err().to_string();
    assert_eq!(
        problems(""),
        "`id` is missing; `name` is missing; `game` is missing; `version` is missing"
            .replace("`game` is missing; `version` is missing", "`version` is missing; `game` is missing")
    );
    assert!(problems("id = ").starts_with("line 1: "), "{}", problems("id = "));
    let wrong = "id = \"My Mod\"\nname = \"\\u001b[31m\"\nversion = \"one\"\ngame = 3\nafter = [1]\nbefore = [\"My Mod\"]\n[dependencies]\nsnow = {}\nrain = \"one\"\n";
    let expected = [
        "`name` has control characters, such as the end of a line",
        "`version`: expected a version such as \"1.2.0\", found \"one\": unexpected character 'o' while parsing major version number",
        "`game`: expected a text in quotes, found a number",
        "`dependencies.rain`: expected versions such as \"^1.2\" or \">=1.0, <3\", found \"one\"",
        "`dependencies.snow`: expected versions in quotes, found a table",
        "`after`: expected a list of texts on one line each",
        "`id`: expected an id of small letters, digits, `-` and `_`, at most 64, found \"My Mod\"",
        "`before` names the mod itself",
    ];
    let found = problems(wrong);
    for part in expected {
        assert!(found.contains(part), "{part:?} is not in {found:?}");
    }
    let deep = format!("id = {}1", "[".repeat(50_000));
    assert!(Manifest::parse(&deep).is_err());
}
