//! The names of targets in names of files, such as `mobile` in `hud.mobile.png`, and the conditions that they stand for.

use super::domain::Domain;
use super::fingerprint::Fingerprint;
use super::shape::{Shape, Table};
use super::toml_reader::{TomlReader, Value, entries};
use super::toml_string::toml_string;

/// Names, each with its condition in Cargo's syntax: `{ mobile = "cfg(target_os = \"android\")" }`.
pub(super) struct TargetNames;

/// The most letters of a name.
const MAX_NAME: usize = 32;

impl TargetNames {
    const EXPECTED_NAME: &str = "small letters, digits, `-` and `_`";

    fn is_name(name: &str) -> bool {
        let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
        (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_allowed)
    }

    /// What is wrong with a condition, and what to write instead.
    fn fault(condition: &str) -> Option<(String, Option<String>)> {
        use super::condition::{BadCondition, Condition};
        use super::target_cfg::TargetCfg;

        let BadCondition { message, help } = Condition::new(condition, &TargetCfg::default()).err()?;
        // The help without parts is an example of a rule.
        let is_rule = help.as_ref().is_some_and(|help| help.contains("[target."));
        let help = if is_rule { Some("such as 'cfg(target_os = \"android\")'".to_owned()) } else { help };
        Some((message, help))
    }
}

impl Domain for TargetNames {
    type Value = Vec<(String, String)>;

    fn read(&self, reader: &mut TomlReader<'_>, key: &str, value: &Value<'_>) -> Option<Self::Value> {
        let Some(table) = value.get_ref().as_table() else {
            reader.wrong_type(key, value, "a table such as { mobile = 'cfg(target_os = \"android\")' }");
            return None;
        };
        let mut names = Vec::new();
        let mut is_whole = true;
        for entry in entries(table) {
            if !Self::is_name(entry.key) {
                let message = format!("unknown name `{}` in `{key}`, expected {}", entry.key, Self::EXPECTED_NAME);
                let help = "such as `mobile`, for files like hud.mobile.png".to_owned();
                reader.push(&entry.at, message, Some(help));
                is_whole = false;
            }
            let condition = reader.string(&format!("{key}.{}", entry.key), entry.value);
            if let Some((message, help)) = condition.and_then(Self::fault) {
                reader.push(&entry.value.span(), message, help);
                is_whole = false;
            }
            match condition {
                Some(condition) => names.push((entry.key.to_owned(), condition.to_owned())),
                None => is_whole = false,
            }
        }
        is_whole.then_some(names)
    }

    fn write(&self, value: &Self::Value) -> Option<String> {
        let pair = |(name, condition): &(String, String)| format!("{} = {}", toml_string(name), toml_string(condition));
        Some(format!("{{ {} }}", value.iter().map(pair).collect::<Vec<_>>().join(", ")))
    }

    fn check(&self, value: &Self::Value) -> Result<(), String> {
        for (at, (name, condition)) in value.iter().enumerate() {
            if !Self::is_name(name) {
                return Err(format!("expected a name of {}, found \"{name}\"", Self::EXPECTED_NAME));
            }
            if value[..at].iter().any(|(other, _)| other == name) {
                return Err(format!("expected each name once, found \"{name}\" twice"));
            }
            if let Some((message, _)) = Self::fault(condition) {
                return Err(format!("expected conditions on the target: {message}"));
            }
        }
        Ok(())
    }

    fn values(&self) -> String {
        "names with conditions: { mobile = 'cfg(target_os = \"android\")' }".to_owned()
    }

    fn shape(&self) -> Shape {
        let condition = Shape::text(r"^cfg\([\s\S]*\)$");
        Shape::Table(Table::of_any("Conditions on the target, by name.", "^[a-z0-9_-]{1,32}$", condition))
    }
}

impl Fingerprint for (String, String) {
    fn fingerprint(&self, out: &mut Vec<u8>) {
        self.0.fingerprint(out);
        self.1.fingerprint(out);
    }
}
