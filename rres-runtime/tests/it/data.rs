//! Data of a program's own types from text assets.

use rres_runtime::{DataError, ErrorKind, Event, FromAsset, Handle, PackOptions, Store};
use serde::Deserialize;

use super::assets::{pack, text};
use super::{id, store};

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Enemy {
    name: String,
    speed: f32,
}

/// For hostile files, which must not overflow the stack.
#[cfg(any(feature = "json", feature = "ron"))]
#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "nothing can be in it")]
struct Nested(Vec<Nested>);

/// Loads `contents` as `D`, and returns the error with the part of its message that comes from the parser.
#[track_caller]
fn refused<D: FromAsset<Source = rres_runtime::Text> + std::fmt::Debug>(contents: &str) -> DataError {
    let store = store(&pack([text("enemies", contents)]));
    let error = store.load(id("enemies").into_type::<D>()).unwrap_err();
    let ErrorKind::Conversion(cause) = error.kind() else { panic!("{error}") };
    let cause: &DataError = cause.downcast_ref().expect("it is the error of the data");
    assert_eq!(error.to_string(), format!("asset \"enemies\": {cause}"));
    cause.clone()
}

/// Asserts the place of an error, and that its message contains each of `parts`.
#[track_caller]
fn assert_error(error: &DataError, place: Option<(usize, usize)>, parts: &[&str]) {
    assert_eq!(error.line().zip(error.column()), place, "{error}");
    parts.iter().for_each(|part| assert!(error.message().contains(part), "{part:?} is not in {error}"));
}

/// A broken value keeps the previous one, and the event tells what to mend.
fn a_broken_file_keeps_the_value<D>(good: &str, broken: &str, better: &str, says: &str)
where
    D: FromAsset<Source = rres_runtime::Text> + AsRef<Enemy>,
{
    let overlay =
        |contents: &str| PackOptions::default().from_bytes(pack([text("enemy", contents)]).to_vec().unwrap()).unwrap();
    let store: Store = store(&pack([text("enemy", good)]));
    let events = store.events();
    let enemy: Handle<D> = store.load(id("enemy").into_type()).unwrap();
    store.mount(overlay(broken)).unwrap();
    assert_eq!((AsRef::<Enemy>::as_ref(&*enemy.get()).speed, enemy.version()), (1.0, 1));
    let failed: Vec<String> =
        events.try_iter().filter(|e| matches!(e, Event::ReloadFailed { .. })).map(|e| e.to_string()).collect();
    assert!(
        matches!(&failed[..], [only] if only.contains("asset \"enemy\": line 1, column ") && only.contains(says)),
        "{failed:?}"
    );
    store.mount(overlay(better)).unwrap();
    assert_eq!((AsRef::<Enemy>::as_ref(&*enemy.get()).speed, enemy.version()), (2.0, 2));
}

#[cfg(feature = "json")]
#[test]
fn json() {
    use rres_runtime::Json;
    let store = store(&pack([text("enemies", "\u{feff}[\n  {\"name\": \"Fledermaus\", \"speed\": 2}\n]")]));
    let enemies: Handle<Json<Vec<Enemy>>> = store.load(id("enemies").into_type()).unwrap();
    assert_eq!(enemies.get()[0], Enemy { name: "Fledermaus".to_owned(), speed: 2.0 });

    let error = refused::<Json<Vec<Enemy>>>("[\n  {\"name\": \"Flöhe\", \"speed\": \"fast\"}\n]");
    assert_error(&error, Some((2, 35)), &["invalid type: string \"fast\", expected f32"]);
    assert_eq!(error.to_string(), "line 2, column 35: invalid type: string \"fast\", expected f32");
    assert_error(&refused::<Json<Enemy>>("{\"name\": \"x\"}"), Some((1, 13)), &["missing field `speed`"]);
    assert_error(&refused::<Json<Enemy>>(""), Some((1, 1)), &["EOF while parsing"]);
    assert_error(
        &refused::<Json<Enemy>>("{\n\n  \"nane\": 1}"),
        Some((3, 8)),
        &["unknown field `nane`, expected `name` or `speed`"],
    );
    assert_error(&refused::<Json<Nested>>(&"[".repeat(100_000)), Some((1, 128)), &["recursion limit exceeded"]);
    let (good, better) = (r#"{"name":"a","speed":1}"#, r#"{"name":"a","speed":2}"#);
    a_broken_file_keeps_the_value::<Json<Enemy>>(good, "{\"name\":", better, "EOF while parsing a value");
}

#[cfg(feature = "ron")]
#[test]
fn ron() {
    use rres_runtime::Ron;
    let store = store(&pack([text("enemies", "[(name: \"Fledermaus\", speed: 2.0)] // both")]));
    let enemies: Handle<Ron<Vec<Enemy>>> = store.load(id("enemies").into_type()).unwrap();
    assert_eq!(enemies.get()[0], Enemy { name: "Fledermaus".to_owned(), speed: 2.0 });

    assert_error(
        &refused::<Ron<Vec<Enemy>>>("[\n  (name: \"Flöhe\", speed: \"fast\"),\n]"),
        Some((2, 26)),
        &["Expected float"],
    );
    assert_error(&refused::<Ron<Enemy>>("(nane: 1)"), Some((1, 6)), &["Unexpected field", "nane"]);
    refused::<Ron<Nested>>(&"[".repeat(100_000));
    let (good, better) = ("(name:\"a\",speed:1.0)", "(name:\"a\",speed:2.0)");
    a_broken_file_keeps_the_value::<Ron<Enemy>>(good, "(name:\"a\" speed:1.0)", better, "comma");
}

#[cfg(feature = "toml")]
#[test]
fn toml() {
    use rres_runtime::Toml;
    let store = store(&pack([text("enemy", "name = \"Fledermaus\"\nspeed = 2.0\n")]));
    let enemy: Handle<Toml<Enemy>> = store.load(id("enemy").into_type()).unwrap();
    assert_eq!(enemy.get().0, Enemy { name: "Fledermaus".to_owned(), speed: 2.0 });

    assert_error(
        &refused::<Toml<Enemy>>("name = \"Flöhe\"\nspeed = \"fast\"\n"),
        Some((2, 9)),
        &["invalid type: string \"fast\", expected f32"],
    );
    assert_error(&refused::<Toml<Enemy>>("name = \"Flöhe\" 7\n"), Some((1, 16)), &["expected newline"]);
    assert_error(&refused::<Toml<Enemy>>("name = \"x\""), Some((1, 1)), &["missing field `speed`"]);
    refused::<Toml<Enemy>>(&format!("a = {}", "[".repeat(100_000)));
    let (good, better) = ("name = \"a\"\nspeed = 1.0", "name = \"a\"\nspeed = 2.0");
    a_broken_file_keeps_the_value::<Toml<Enemy>>(good, "name = ", better, "expected");
}
