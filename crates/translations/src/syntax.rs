//! How the texts of a table are written → their placeholders.

/// How the texts of a table are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `{name}` is a value, and nothing else is special: CSV and PO.
    Braces,
    /// [Fluent](https://projectfluent.org): `{ $name }` is a value.
    Fluent,
}

impl Syntax {
    /// Returns the names of the placeholders of a text, as they occur: `name` for `{name}`, and `$name` for `{ $name }`.
    ///
    /// ```
    /// use rres_translations::Syntax;
    ///
    /// assert_eq!(Syntax::Braces.placeholders("{name} has {count}"), ["name", "count"]);
    /// assert_eq!(Syntax::Fluent.placeholders("{ $name } has { NUMBER($count) }"), ["$name", "$count"]);
    /// ```
    pub fn placeholders(self, text: &str) -> Vec<String> {
        match self {
            Self::Braces => braces(text),
            Self::Fluent => variables(text),
        }
    }

    /// Writes a placeholder as texts do.
    pub fn show(self, name: &str) -> String {
        match self {
            Self::Braces => format!("{{{name}}}"),
            Self::Fluent => format!("{{ {name} }}"),
        }
    }
}

/// Whether a name between braces is a placeholder.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn braces(text: &str) -> Vec<String> {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name);
    names.filter(|name| is_name(name)).map(str::to_owned).collect()
}

/// The variables within the braces of a Fluent text, without those in string literals.
fn variables(text: &str) -> Vec<String> {
    let (mut found, mut depth, mut in_string) = (Vec::new(), 0_usize, false);
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => in_string = false,
            '\\' if in_string => _ = chars.next(),
            '"' if depth > 0 => in_string = !in_string,
            '{' if !in_string => depth += 1,
            '}' if !in_string => depth = depth.saturating_sub(1),
            '$' if depth > 0 && !in_string => {
                let rest = &text[at + 1..];
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
                let name = &rest[..end.unwrap_or(rest.len())];
                if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                    found.push(format!("${name}"));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_are_placeholders() {
        assert_eq!(Syntax::Braces.placeholders("a {b} {c d} {} {e {f}"), ["b", "f"]);
        let fluent = "$a { $b } { \"{ $c\" } { $d ->\n  [one] { $e }\n *[other] $5 } { -brand } { F($g) }";
        assert_eq!(Syntax::Fluent.placeholders(fluent), ["$b", "$d", "$e", "$g"]);
    }
}
