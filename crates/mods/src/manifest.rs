//! The text of a `mod.toml` → a [`Manifest`], or everything that is wrong with it.

use std::collections::BTreeMap;
use std::fmt;

use semver::{Version, VersionReq};
use toml::{Table, Value};

/// The path of the manifest in the pack of a mod.
pub const MANIFEST_PATH: &str = "mod.toml";

/// The most bytes that a manifest may have: 64 KiB.
pub const MAX_MANIFEST: u32 = 64 << 10;

/// The longest id of a mod, in bytes.
const MAX_ID: usize = 64;

/// What a mod says about itself.
///
/// ```
/// let manifest = rres_mods::Manifest::parse(
///     r#"
///     id = "winter"
///     name = "Winter"
///     version = "1.2.0"
///     authors = ["Ada"]
///     game = "lantern"
///     game-version = "^1.4"
///     after = ["more-trees"]
///
///     [dependencies]
///     snow = "^2"
///     "#,
/// )?;
/// assert_eq!(manifest.dependencies["snow"].to_string(), "^2");
/// # Ok::<(), rres_mods::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manifest {
    /// What other mods and the game call it: small letters, digits, `-` and `_`.
    pub id: String,
    /// What players read.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// Who has made it.
    pub authors: Vec<String>,
    /// A sentence for players; may be empty.
    pub description: String,
    /// The id of the game that it is for.
    pub game: String,
    /// The versions of the game that it is for; `None` for any.
    pub game_version: Option<VersionReq>,
    /// The mods that it needs, with their versions. They are mounted below it.
    pub dependencies: BTreeMap<String, VersionReq>,
    /// Mods that it is mounted over, if players have them.
    pub after: Vec<String>,
    /// Mods that it is mounted below, if players have them.
    pub before: Vec<String>,
}

/// Everything that is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    /// A sentence each, without a full stop.
    pub problems: Vec<String>,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("; "))
    }
}

impl std::error::Error for ManifestError {}

const KEYS: [&str; 10] =
    ["id", "name", "version", "authors", "description", "game", "game-version", "dependencies", "after", "before"];

impl Manifest {
    /// Reads the text of a manifest, which may be a stranger's.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        if text.len() > MAX_MANIFEST as usize {
            return Err(too_long(text.len() as u64));
        }
        let table: Table = text.parse().map_err(|error| ManifestError { problems: vec![syntax(text, &error)] })?;
        let mut reader = Reader { table: &table, problems: Vec::new() };
        let manifest = reader.manifest();
        match reader.problems.is_empty() {
            true => Ok(manifest),
            false => Err(ManifestError { problems: reader.problems }),
        }
    }
}

pub(crate) fn too_long(bytes: u64) -> ManifestError {
    ManifestError { problems: vec![format!("expected at most {MAX_MANIFEST} bytes, found {bytes}")] }
}

fn syntax(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().and_then(|span| Some(text.get(..span.start)?.matches('\n').count() + 1));
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    format!("{place}{}", error.message().trim().replace('\n', " "))
}

/// Reads the values of a table, and collects what is wrong.
struct Reader<'a> {
    table: &'a Table,
    problems: Vec<String>,
}

impl Reader<'_> {
    fn manifest(&mut self) -> Manifest {
        for key in self.table.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            self.problems.push(format!("unknown key `{}`, expected one of {}", key.escape_debug(), KEYS.join(", ")));
        }
        let manifest = Manifest {
            id: self.required("id"),
            name: self.required("name"),
            version: self.version(),
            authors: self.texts("authors"),
            description: self.text("description").unwrap_or_default(),
            game: self.required("game"),
            game_version: self.text("game-version").and_then(|text| self.requirement("game-version", &text)),
            dependencies: self.dependencies(),
            after: self.texts("after"),
            before: self.texts("before"),
        };
        let Manifest { id, game, dependencies, after, before, .. } = &manifest;
        let others = dependencies.keys().map(|id| ("dependencies", id));
        let others = others.chain(after.iter().map(|id| ("after", id))).chain(before.iter().map(|id| ("before", id)));
        let own = [("id", id), ("game", game)].into_iter().filter(|(_, id)| !id.is_empty());
        for (key, found) in own.chain(others.clone()) {
            if !is_id(found) {
                self.problems.push(format!(
                    "`{key}`: expected an id of small letters, digits, `-` and `_`, at most {MAX_ID}, found {found:?}"
                ));
            }
        }
        for (key, _) in others.filter(|(_, other)| *other == id) {
            self.problems.push(format!("`{key}` names the mod itself"));
        }
        manifest
    }

    fn required(&mut self, key: &str) -> String {
        match self.text(key) {
            Some(text) if !text.trim().is_empty() => text,
            Some(_) => {
                self.problems.push(format!("`{key}` is empty"));
                String::new()
            }
            None => {
                if !self.table.contains_key(key) {
                    self.problems.push(format!("`{key}` is missing"));
                }
                String::new()
            }
        }
    }

    /// Returns a text. Its lines go to terminals and to players, so it has no control characters.
    fn text(&mut self, key: &str) -> Option<String> {
        match self.table.get(key)? {
            Value::String(text) if !text.chars().any(char::is_control) => Some(text.clone()),
            Value::String(_) => {
                self.problems.push(format!("`{key}` has control characters, such as the end of a line"));
                None
            }
            other => {
                self.problems.push(format!("`{key}`: expected a text in quotes, found {}", name(other)));
                None
            }
        }
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        let list = match self.table.get(key) {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => {
                self.problems.push(format!("`{key}`: expected a list of texts, found {}", name(other)));
                return Vec::new();
            }
        };
        let text = |value: &Value| value.as_str().filter(|text| !text.chars().any(char::is_control)).map(str::to_owned);
        let texts: Option<Vec<String>> = list.iter().map(text).collect();
        if texts.is_none() {
            self.problems
                .push(format!("`{key}`: expected a list of texts on one line each, found something else in it"));
        }
        texts.unwrap_or_default()
    }

    fn version(&mut self) -> Version {
        let text = self.required("version");
        match Version::parse(&text) {
            Err(error) if !text.is_empty() => {
                self.problems.push(format!("`version`: expected a version such as \"1.2.0\", found {text:?}: {error}"));
                Version::new(0, 0, 0)
            }
            parsed => parsed.unwrap_or(Version::new(0, 0, 0)),
        }
    }

    fn requirement(&mut self, key: &str, text: &str) -> Option<VersionReq> {
        let parsed = VersionReq::parse(text);
        parsed
            .map_err(|error| {
                let what = "expected versions such as \"^1.2\" or \">=1.0, <3\"";
                self.problems.push(format!("`{key}`: {what}, found {text:?}: {error}"));
            })
            .ok()
    }

    fn dependencies(&mut self) -> BTreeMap<String, VersionReq> {
        let table = match self.table.get("dependencies") {
            None => return BTreeMap::new(),
            Some(Value::Table(table)) => table,
            Some(other) => {
                self.problems
                    .push(format!("`dependencies`: expected a table of ids and versions, found {}", name(other)));
                return BTreeMap::new();
            }
        };
        let mut dependencies = BTreeMap::new();
        for (id, value) in table {
            let key = format!("dependencies.{}", id.escape_debug());
            match value {
                Value::String(text) => dependencies.extend(self.requirement(&key, text).map(|req| (id.clone(), req))),
                other => self.problems.push(format!("`{key}`: expected versions in quotes, found {}", name(other))),
            }
        }
        dependencies
    }
}

/// The type of a value, in words.
fn name(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) | Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

fn is_id(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= MAX_ID
        && text.bytes().next().is_some_and(is_letter)
        && text.bytes().all(|byte| is_letter(byte) || matches!(byte, b'-' | b'_'))
}
