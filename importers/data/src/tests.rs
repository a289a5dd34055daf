use std::collections::{BTreeMap, HashMap};

use rres_format::AssetKind;
use serde::{Deserialize, Serialize};

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

/// The place and the message of an error.
fn fault<T: DeserializeOwned + std::fmt::Debug>(format: Format, text: &str) -> String {
    let error = format.parse::<T>(text).unwrap_err();
    error.into_diagnostic("f".as_ref(), "f").to_string().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn one_type_is_read_from_every_format() {
    let toml = "name = \"bat\"\nspeed = 2.5\nkind = \"Bat\"\n";
    let json = r#"{ "name": "bat", "speed": 2.5, "kind": "Bat" }"#;
    let ron = r#"(name: "bat", speed: 2.5, kind: Some(Bat))"#;
    for (format, text) in [(Format::Toml, toml), (Format::Json, json), (Format::Ron, ron)] {
        assert_eq!(format.parse::<Enemy>(text).unwrap(), bat(), "{format:?}");
    }
    let csv = "\u{feff}name,speed,boss,kind\r\nbat,2.5,false,Bat\r\n\"the \"\"old\"\",\nslow one\", 0.5 ,true,\r\n\r\n";
    let old = Enemy { name: "the \"old\",\nslow one".to_owned(), speed: 0.5, boss: true, kind: None };
    assert_eq!(Format::Csv.parse::<Vec<Enemy>>(csv).unwrap(), [bat(), old]);
    assert_eq!(Format::Csv.parse::<Vec<(String, u8)>>("a,b\nx,1\ny,2").unwrap(), [("x".into(), 1), ("y".into(), 2)]);
    assert_eq!(Format::Csv.parse::<Vec<Enemy>>("name,speed").unwrap(), []);
    #[derive(Debug, PartialEq, Deserialize)]
    struct Enemies(Vec<Enemy>);
    assert_eq!(Format::Csv.parse::<Enemies>("name,speed,kind\nbat,2.5,Bat").unwrap(), Enemies(vec![bat()]));
}

#[test]
fn mistakes_have_line_and_column() {
    let cases = [
        (Format::Toml, "name = \"bat\"\nspeed = \"fast\"\n", "f:2:9: invalid type: string \"fast\", expected f32"),
        (Format::Toml, "name = \"ö\" x\n", "f:1:12: "),
        (Format::Json, "{\n  \"name\": 3 }", "f:2:11: invalid type: integer `3`, expected a string"),
        (Format::Ron, "(name: \"bat\",\n speed: fast)", "f:2:9: "),
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
    let wave: Wave = Format::Toml.parse(text).unwrap();
    let (bytes, references) = store(&wave).unwrap();
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

#[test]
fn values_that_have_no_order_are_refused() {
    let pairs = || [("a", 1), ("b", 2)].map(|(name, number)| (name.to_owned(), number));
    let error = store(&HashMap::from(pairs())).unwrap_err();
    assert_eq!(error.to_string(), "its type is not stored the same each time");
    assert!(store(&BTreeMap::from(pairs())).is_ok());
    assert!(store(&HashMap::from([("a".to_owned(), 1)])).is_ok(), "one entry has one order");
}

#[test]
fn names_follow_from_the_path_of_the_type() {
    let importer = DataImporter::<Enemy>::new("crate::world::Enemy".to_owned());
    assert_eq!(importer.describe().name, "data-crate-world-enemy");
    let kinds = ["crate::world::Enemy", "crate::world::Wave", "crate::Level"].map(fourcc_of);
    assert!(kinds.iter().all(|kind| kind.0.iter().all(u8::is_ascii_alphanumeric) && kind.description().is_none()));
    assert!(kinds[0] != kinds[1] && kinds[1] != kinds[2]);
}
