use std::collections::{BTreeMap, HashMap, HashSet};

use rres_format::AssetKind;
use serde::{Deserialize, Serialize};

use super::reference::with_references;
use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Enemy {
    name: String,
    speed: f32,
    #[serde(default)]
    boss: bool,
    kind: Option<Kind>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Bat,
    Golem,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Wave {
    picture: Id<Image>,
    sounds: Vec<Id<Sound>>,
}

fn bat() -> Enemy {
    Enemy { name: "bat".to_owned(), speed: 2.5, boss: false, kind: Some(Kind::Bat) }
}

fn value<T: DeserializeOwned>(format: Format, text: &str) -> T {
    format.parse(text).unwrap().value
}

/// The place and the message of an error.
fn fault<T: DeserializeOwned + std::fmt::Debug>(format: Format, text: &str) -> String {
    let error = format.parse::<T>(text).map(|parsed| parsed.value).unwrap_err();
    error.into_diagnostic("f".as_ref(), "f").to_string().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn one_type_is_read_from_every_format() {
    let toml = "name = \"bat\"\nspeed = 2.5\nkind = \"Bat\"\n";
    let json = r#"{ "name": "bat", "speed": 2.5, "kind": "Bat" }"#;
    let ron = r#"(name: "bat", speed: 2.5, kind: Some(Bat))"#;
    for (format, text) in [(Format::Toml, toml), (Format::Json, json), (Format::Ron, ron)] {
        assert_eq!(value::<Enemy>(format, text), bat(), "{format:?}");
        assert_eq!(value::<Enemy>(format, &format!("\u{feff}{text}")), bat(), "{format:?} of an editor for Windows");
    }
    // An empty text is a value, and an empty line is none.
    assert_eq!(
        value::<Vec<(String,)>>(Format::Csv, "text\na\n\"\"\n\nb"),
        [("a".into(),), (String::new(),), ("b".into(),)]
    );
    let csv = "\u{feff}name,speed,boss,kind\r\nbat,2.5,false,Bat\r\n\"the \"\"old\"\",\nslow one\", 0.5 ,true,\r\n\r\n";
    let old = Enemy { name: "the \"old\",\nslow one".to_owned(), speed: 0.5, boss: true, kind: None };
    assert_eq!(value::<Vec<Enemy>>(Format::Csv, csv), [bat(), old]);
    assert_eq!(value::<Vec<(String, u8)>>(Format::Csv, "a,b\nx,1\ny,2"), [("x".into(), 1), ("y".into(), 2)]);
    assert_eq!(value::<Vec<Enemy>>(Format::Csv, "name,speed"), []);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Enemies(Vec<Enemy>);
    assert_eq!(value::<Enemies>(Format::Csv, "name,speed,kind\nbat,2.5,Bat"), Enemies(vec![bat()]));
}

#[test]
fn mistakes_have_line_and_column() {
    let cases = [
        (Format::Toml, "name = \"bat\"\nspeed = \"fast\"\n", "f:2:9: invalid type: string \"fast\", expected f32"),
        (Format::Toml, "name = \"ö\" x\n", "f:1:12: "),
        (Format::Json, "{\n  \"name\": 3 }", "f:2:11: invalid type: integer `3`, expected a string"),
        (Format::Ron, "(name: \"bat\",\n speed: fast)", "f:2:9: Expected float, found \"fast)\""),
        (Format::Ron, "(name: \"bat\"\n speed: 1)", "f:2:2: Expected comma, found \"speed:\""),
    ];
    for (format, text, expected) in cases {
        let found = fault::<Enemy>(format, text);
        assert!(found.starts_with(expected), "{format:?}: {found}");
    }
    let rows = |text: &str| fault::<Vec<Enemy>>(Format::Csv, text);
    assert_eq!(rows("name,speed,boss\nbat,1,true\nöre,fast,true"), "f:3:5: expected f32, found \"fast\"");
    assert_eq!(rows("name,speed\nbat"), "f:2:1: has 1 fields, expected 2, as in the first line");
    assert_eq!(rows("name,speed\n\"bat,1"), "f:2:1: a text in quotes has no end");
    assert_eq!(rows(""), "f:1:1: is empty, expected a line with the names of the fields");
    assert!(
        rows("name,speed,kind\nbat,1,Dragon").starts_with("f:2:7: unknown variant `Dragon`"),
        "variants are checked"
    );
    assert!(rows("name,sped\nbat,1").contains("unknown field `sped`"), "names are checked");
}

#[test]
fn references_are_numbers_that_lead_to_paths() {
    let text = "picture = \"ui/a.png\"\nsounds = [\"x.wav\", \"ui/a.png\", \"x.wav\"]";
    let wave: Wave = value(Format::Toml, text);
    let Stored { bytes, references, .. } = store(&wave).unwrap();
    // The image and the sound of one path are two references, since each has a kind of its own.
    let expected =
        [("ui/a.png", Some(AssetKind::Image)), ("x.wav", Some(AssetKind::Sound)), ("ui/a.png", Some(AssetKind::Sound))];
    assert_eq!(references, expected);
    assert_eq!(bytes, [0, 3, 1, 2, 1]);
    for path in ["../a.png", "/a.png", "a//b", "C:\\a.png", ""] {
        let found = fault::<Wave>(Format::Toml, &format!("sounds = []\npicture = {path:?}"));
        assert!(found.starts_with("f:2:11: expected the path of an asset"), "{path}: {found}");
    }
    assert!(postcard::to_stdvec(&wave).is_err(), "outside of a build there is no list of dependencies");
}

#[test]
fn types_that_cannot_be_read_back_are_refused() {
    #[derive(Debug, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u32),
        Text(String),
    }
    let error = store(&[Either::Number(1), Either::Text("a".to_owned())]).unwrap_err();
    assert!(error.to_string().starts_with("its type cannot be read back"), "{error}");
    assert!(error.help().is_some_and(|help| help.contains("untagged")));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Shop {
    prices: HashMap<String, u32>,
    /// A map in a map, with references.
    shelves: HashMap<u8, HashMap<String, Id<Image>>>,
    tags: Option<HashSet<String>>,
    kinds: Vec<(Sort, HashSet<u16>)>,
    /// Two numbers like the entries of a map, in the order of the file.
    last: [u8; 2],
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Sort {
    Plain,
    Pair(u8, HashSet<i64>),
    Named { of: HashMap<char, f32> },
}

fn shop() -> Shop {
    let shelf = |names: &[&str]| names.iter().map(|name| (format!("the {name}"), picture(name))).collect();
    Shop {
        prices: ["rope", "lamp", "bread", "map"]
            .iter()
            .zip(1..)
            .map(|(name, price)| ((*name).to_owned(), price))
            .collect(),
        shelves: HashMap::from([
            (9, shelf(&["z.png", "a.png", "m.png"])),
            (2, shelf(&["m.png", "b.png"])),
            (5, shelf(&[])),
        ]),
        tags: Some(["old", "new", "cheap"].map(str::to_owned).into()),
        kinds: vec![
            (Sort::Named { of: HashMap::from([('x', 1.0), ('ö', 2.0), ('a', -3.0)]) }, HashSet::from([300, 7, 65535])),
            (Sort::Pair(1, HashSet::from([-1, i64::MIN, 40])), HashSet::new()),
            (Sort::Plain, HashSet::from([1])),
        ],
        last: [2, 1],
    }
}

fn picture(path: &str) -> Id<Image> {
    value(Format::Json, &format!("{path:?}"))
}

#[test]
fn hash_maps_and_hash_sets_are_stored_in_one_order() {
    let stored = store(&shop()).unwrap();
    for _ in 0..50 {
        assert_eq!(store(&shop()).unwrap(), stored);
    }
    let Stored { bytes, references, .. } = stored;
    let paths: Vec<_> = references.iter().map(|(path, _)| *path).collect();
    assert_eq!(paths, ["a.png", "b.png", "m.png", "z.png"]);
    let (read, _) = with_references(references, || postcard::from_bytes::<Shop>(&bytes).unwrap());
    assert_eq!(read, shop());
    // The keys by their bytes, in which a text begins with its length.
    let prices = store(&shop().prices).unwrap().bytes;
    assert_eq!(prices, b"\x04\x03map\x04\x04lamp\x02\x04rope\x01\x05bread\x03");
    let ordered: BTreeMap<_, _> = shop().prices.into_iter().collect();
    assert_eq!(store(&ordered).unwrap().bytes, b"\x04\x05bread\x03\x04lamp\x02\x03map\x04\x04rope\x01");
}

/// Entries without an order, in a type that serde reads as a list.
#[derive(Debug, Deserialize)]
#[serde(from = "Vec<String>")]
struct Bag(HashSet<String>);

impl From<Vec<String>> for Bag {
    fn from(texts: Vec<String>) -> Self {
        Self(texts.into_iter().collect())
    }
}

impl Serialize for Bag {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

#[test]
fn values_that_are_not_stored_as_they_are_read_are_refused() {
    let error = store(&Bag(["a", "b", "c", "d", "e", "f"].map(str::to_owned).into())).unwrap_err();
    assert_eq!(error.to_string(), "its type is not stored the same each time");
    // serde reads numbers as texts, and writes them as numbers.
    #[derive(Debug, Serialize, Deserialize)]
    struct Level {
        #[serde(deserialize_with = "from_text")]
        width: u32,
    }
    fn from_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
    let error = store(&Level { width: 40 }).unwrap_err();
    assert!(error.to_string().starts_with("its type cannot be read back"), "{error}");
    assert!(error.help().is_some_and(|help| help.contains("`serialize_with`")));
}

/// What serde reads as another type than it writes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "String")]
struct Skill {
    name: String,
    level: Option<u32>,
}

impl From<String> for Skill {
    fn from(name: String) -> Self {
        Self { name, level: None }
    }
}

#[test]
fn a_type_that_is_not_read_as_it_was_written_is_named() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Actor {
        skills: Vec<Skill>,
        kind: Kind,
    }
    #[derive(Debug, Serialize, Deserialize)]
    struct Actors(BTreeMap<String, Actor>);
    let skill = Skill { name: "jump".to_owned(), level: Some(3) };
    let actor = Actor { skills: vec![skill.clone(), skill], kind: Kind::Golem };
    let error = store(&Actors(BTreeMap::from([("imp".to_owned(), actor)]))).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("its type cannot be read back: ") && text.ends_with(" in `Actor` in `Actors`"), "{text}");
    assert!(error.help().is_some_and(|help| help.contains("`from` needs `into`")));
}

#[test]
fn fields_that_the_type_does_not_have_are_a_note() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Level {
        #[serde(default)]
        rocky_tiles_count: u32,
        #[serde(default)]
        waves: Vec<Wave>,
    }
    let note = |format: Format, text: &str| {
        let parsed = format.parse::<Level>(text).unwrap();
        let notes = unknown::notes(format, &parsed.unknown, &store(&parsed.value).unwrap().fields);
        notes.first().map(|note| note.detail.clone()).unwrap_or_default()
    };
    let suggestion = "`rocky_tile_count`, did you mean `rocky_tiles_count`?";
    assert_eq!(note(Format::Ron, "(rocky_tile_count: 10)"), suggestion);
    assert_eq!(note(Format::Toml, "rocky_tile_count = 10"), suggestion);
    assert_eq!(note(Format::Json, r#"{ "rocky_tile_count": 10 }"#), suggestion);
    assert_eq!(note(Format::Toml, "weather = \"rain\""), "`weather`");
    // Programs write more than a game reads.
    assert_eq!(note(Format::Json, r#"{ "exporter": "x", "rocky_tiles_count": 10 }"#), "");
    assert_eq!(note(Format::Ron, "(a: 1, b: 2, c: 3, d: 4)"), "");
    let waves = "[[waves]]\npictur = \"x.png\"\npicture = \"a.png\"\nsounds = []\n".repeat(2);
    assert_eq!(note(Format::Toml, &waves), "`waves.pictur`, did you mean `picture`?");
    assert_eq!(note(Format::Toml, "rocky_tiles_count = 10"), "");
}

#[test]
fn names_follow_from_the_path_of_the_type() {
    let importer = DataImporter::<Enemy>::new("crate::world::Enemy".to_owned());
    assert_eq!(importer.describe().name, "data-crate-world-enemy");
    let kinds = ["crate::world::Enemy", "crate::world::Wave", "crate::Level"].map(fourcc_of);
    assert!(kinds.iter().all(|kind| kind.0.iter().all(u8::is_ascii_alphanumeric) && kind.description().is_none()));
    assert!(kinds[0] != kinds[1] && kinds[1] != kinds[2]);
}
