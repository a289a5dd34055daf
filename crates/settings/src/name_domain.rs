//! The names and paths that settings accept. What is valid does not depend on anything else.

use rres_format::LanguageTag;

use super::domain::Domain;
use super::shape::Shape;
use super::toml_reader::{TomlReader, Value};
use super::toml_string::toml_string;

/// A name that is valid or not, whatever else is set.
pub(super) trait Name {
    /// What is expected, for the error about another name.
    const EXPECTED: &str;
    /// What to write, for the help of that error.
    const HELP: &str;
    /// What is expected, for the manual.
    const VALUES: &str;
    /// A regular expression that every valid name matches, for editors.
    const PATTERN: &str;

    fn is_valid(name: &str) -> bool;
}

impl<N: Name> Domain for N {
    type Value = String;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<String> {
        let name = reader.string(key, value)?;
        if !N::is_valid(name) {
            let message = format!("unknown value \"{name}\" for `{key}`, expected {}", N::EXPECTED);
            reader.push(&value.span(), message, Some(N::HELP.into()));
            return None;
        }
        Some(name.to_owned())
    }

    fn write(&self, value: &String) -> Option<String> {
        Some(toml_string(value))
    }

    fn check(&self, value: &String) -> Result<(), String> {
        if N::is_valid(value) { Ok(()) } else { Err(format!("expected {}", N::VALUES)) }
    }

    fn values(&self) -> String {
        N::VALUES.to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::text(N::PATTERN)
    }
}

/// The path of an image relative to another one, with `*` for the name of that.
pub(super) struct LinkedImage;

impl Name for LinkedImage {
    const EXPECTED: &str = "a path relative to the file, with at most one `*`";
    const HELP: &str = "such as \"wall_n.png\" or \"normals/*_n.png\"";
    const VALUES: &str = "a path relative to the file, where one `*` is its name";
    const PATTERN: &str = r"^(\*[^*\\:\x00-\x1f]*|[^*\\:/\x00-\x1f][^*\\:\x00-\x1f]*(\*[^*\\:\x00-\x1f]*)?)$";

    fn is_valid(name: &str) -> bool {
        let is_part = |part: &str| !part.is_empty() && part != ".";
        name.split('/').all(is_part)
            && !name.ends_with("..")
            && name.matches('*').count() <= 1
            && !name.contains(|c: char| c.is_control() || matches!(c, '\\' | ':'))
    }
}

/// The path of the asset that files are variants of, with the wildcards of the glob of a rule.
pub(super) struct VariantBase;

impl Name for VariantBase {
    const EXPECTED: &str = "the path of an asset, where `*` and `**` are what the rule has matched";
    const HELP: &str = "such as \"voice/en/**\" in a rule for \"voice/fr/**\"";
    const VALUES: &str = "a path of an asset, where `*` and `**` are what the rule has matched";
    const PATTERN: &str = r"^[^\\?\[\]/\x00-\x1f]([^\\?\[\]\x00-\x1f]*[^\\?\[\]/\x00-\x1f])?$";

    fn is_valid(name: &str) -> bool {
        let is_part = |part: &str| !matches!(part, "" | "." | "..") && (part == "**" || !part.contains("**"));
        name.split('/').all(is_part) && !name.contains(|c: char| c.is_control() || matches!(c, '\\' | '?' | '[' | ']'))
    }
}

/// A text for the credits, on one line.
pub(super) struct CreditLine;

impl Name for CreditLine {
    const EXPECTED: &str = "a text on one line";
    const HELP: &str = "such as \"CC-BY-4.0\" for a licence";
    const VALUES: &str = "a text";
    const PATTERN: &str = r"^[^\x00-\x1f]*[^ \x00-\x1f][^\x00-\x1f]*$";

    fn is_valid(name: &str) -> bool {
        !name.trim().is_empty() && !name.contains(char::is_control)
    }
}

/// The tag of a language, in its usual case.
pub(super) struct LocaleTag;

impl Name for LocaleTag {
    const EXPECTED: &str = "the tag of a language";
    const HELP: &str = "such as \"en\", \"fr-CA\" or \"zh-Hant\", in this case of letters and with hyphens";
    const VALUES: &str = "a tag such as \"en\", \"fr-CA\" or \"zh-Hant\"";
    const PATTERN: &str = "^[a-z]{1,8}(-[A-Za-z0-9]{1,8})*$";

    fn is_valid(name: &str) -> bool {
        name.parse::<LanguageTag>().is_ok_and(|tag| tag.as_str() == name)
    }
}

/// The name of a Rust constant.
pub(super) struct ConstantName;

impl Name for ConstantName {
    const EXPECTED: &str = "the name of a constant";
    const HELP: &str = "letters, digits and `_`, such as \"HERO_PNG\"";
    const VALUES: &str = "the name of a Rust constant";
    const PATTERN: &str = "^([A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9_]+)$";

    fn is_valid(name: &str) -> bool {
        let mut bytes = name.bytes();
        let starts_well = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        starts_well && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && name != "_"
    }
}

/// The name of an importer.
pub(super) struct ImporterName;

impl Name for ImporterName {
    const EXPECTED: &str = "the name of an importer";
    const HELP: &str = "small letters, digits, `_` and `-`, such as \"tiled\"";
    const VALUES: &str = "the name of an importer";
    const PATTERN: &str = "^[a-z][a-z0-9_-]{0,63}$";

    fn is_valid(name: &str) -> bool {
        let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
        name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
            && name.bytes().all(is_part)
            && name.len() <= 64
    }
}

/// The name of a file on any system, without folder or extension.
pub(super) struct FileName;

impl Name for FileName {
    const EXPECTED: &str = "a file name without a folder";
    const HELP: &str = "such as \"game\"; `.rres` is added";
    const VALUES: &str = "a file name without folder and extension";
    const PATTERN: &str =
        r#"^([^. /\\:*?"<>|\x00-\x1f]|[^./\\:*?"<>|\x00-\x1f][^/\\:*?"<>|\x00-\x1f]{0,98}[^. /\\:*?"<>|\x00-\x1f])$"#;

    fn is_valid(name: &str) -> bool {
        let is_forbidden =
            |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
        !name.is_empty()
            && name.len() <= 100
            && !name.starts_with('.')
            && !name.ends_with([' ', '.'])
            && !name.contains(is_forbidden)
    }
}

/// The name of an environment variable.
pub(super) struct VariableName;

impl Name for VariableName {
    const EXPECTED: &str = "the name of an environment variable";
    const HELP: &str = "such as \"GAME_KEY\"; the key itself does not belong into settings";
    const VALUES: &str = "the name of an environment variable";
    const PATTERN: &str = ConstantName::PATTERN;

    fn is_valid(name: &str) -> bool {
        ConstantName::is_valid(name)
    }
}

/// The path of a file, relative to the package or absolute.
pub(super) struct FilePath;

impl Name for FilePath {
    const EXPECTED: &str = "the path of a file";
    const HELP: &str = "relative to the package, such as \"../game.key\"";
    const VALUES: &str = "the path of a file";
    const PATTERN: &str = r"^[^\x00-\x1f]*[^/\x00-\x1f]$";

    fn is_valid(name: &str) -> bool {
        !name.is_empty() && !name.contains(char::is_control) && !name.ends_with('/')
    }
}

/// The name of a file of constants for another language, without folder. The extension chooses the language.
pub(super) struct HeaderName;

/// The extensions of the languages that `rres-codegen` writes.
const HEADER_EXTENSIONS: &[&str] = &["h", "hh", "hpp", "cs", "ts", "lua", "luau"];

impl Name for HeaderName {
    const EXPECTED: &str = "the file name of a C header, or of a file in C#, TypeScript, Lua or Luau";
    const HELP: &str = "without a folder, such as \"assets.h\" or \"Assets.cs\"";
    const VALUES: &str = "a file name that ends in `.h`, `.hh`, `.hpp`, `.cs`, `.ts`, `.lua` or `.luau`";
    const PATTERN: &str = r#"^[^./\\:*?"<>|\x00-\x1f][^/\\:*?"<>|\x00-\x1f]*\.(h|hh|hpp|cs|ts|lua|luau)$"#;

    fn is_valid(name: &str) -> bool {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        HEADER_EXTENSIONS.contains(&extension) && FileName::is_valid(name)
    }
}
