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
    let (mut found, mut place) = (Vec::new(), Place::default());
    for (at, c) in text.char_indices() {
        if c == '$' && place.is_code() {
            let rest = &text[at + 1..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
            let name = &rest[..end.unwrap_or(rest.len())];
            if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                found.push(format!("${name}"));
            }
        }
        place.pass(c);
    }
    found
}

/// A place in a Fluent text, which is passed from its start.
#[derive(Debug, Default)]
pub(crate) struct Place {
    /// The braces around the place, each with whether the place is in the text of a variant, after its `[key]`: a quotation mark there is text.
    braces: Vec<bool>,
    in_string: bool,
    is_escaped: bool,
}

impl Place {
    pub(crate) fn pass(&mut self, c: char) {
        match c {
            // A string ends with its line, so a missing quotation mark hides no more than that.
            '\n' => (self.in_string, self.is_escaped) = (false, false),
            _ if self.is_escaped => self.is_escaped = false,
            '\\' => self.is_escaped = self.in_string,
            '"' if self.braces.last() == Some(&false) => self.in_string = !self.in_string,
            _ if self.in_string => {}
            '{' => self.braces.push(false),
            '}' => _ = self.braces.pop(),
            ']' => {
                if let Some(in_variant) = self.braces.last_mut() {
                    *in_variant = true;
                }
            }
            _ => {}
        }
    }

    /// Passes a line and its end.
    pub(crate) fn pass_line(&mut self, line: &str) {
        line.chars().chain(['\n']).for_each(|c| self.pass(c));
    }

    /// How many braces are open.
    pub(crate) fn depth(&self) -> usize {
        self.braces.len()
    }

    pub(crate) fn in_string(&self) -> bool {
        self.in_string
    }

    /// Whether the place is within braces, and neither in a string nor in the text of a variant.
    fn is_code(&self) -> bool {
        self.braces.last() == Some(&false) && !self.in_string
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_are_placeholders() {
        assert_eq!(Syntax::Braces.placeholders("a {b} {c d} {} {e {f}"), ["b", "f"]);
        let fluent = "$a { $b } { \"{ $c\" } { $d ->\n  [one] { $e }\n *[other] $5 } { -brand } { F($g) }";
        assert_eq!(Syntax::Fluent.placeholders(fluent), ["$b", "$d", "$e", "$g"]);
        let quoted = "{ $n ->\n  [one] \"{ $a }\" $x\n *[other] \" { F($b, x: \"$c\") }\n} { \"\\\"$d\" }";
        assert_eq!(Syntax::Fluent.placeholders(quoted), ["$n", "$a", "$b"]);
    }
}
