//! The directives of a shader that ask for names: `#ifdef`, `#ifndef`, `#if`, `#elif`, `#else`, `#endif`, `#define`, and `#{NAME}` in a
//! line. WGSL has none of them, so the build follows them. They have the syntax of naga_oil.

use std::collections::BTreeMap;

use rres_settings::{DefineValue, ShaderDefines};

/// Conditions inside each other; more is a mistake.
const MAX_DEPTH: usize = 256;

/// The names that are defined, with what a shader has in their place.
#[derive(Clone, Debug, Default)]
pub(super) struct Defined(BTreeMap<String, String>);

impl Defined {
    /// What a rule defines, for all variants and for one of them; `false` takes a name away.
    pub(super) fn new<'d>(all: impl IntoIterator<Item = &'d ShaderDefines>) -> Self {
        let mut names = BTreeMap::new();
        for (name, value) in all.into_iter().flat_map(|defines| &defines.0) {
            let text = match value {
                DefineValue::Flag(false) => {
                    names.remove(name);
                    continue;
                }
                DefineValue::Flag(true) => "1".to_owned(),
                DefineValue::Integer(number) => number.to_string(),
                DefineValue::Code(code) => code.clone(),
            };
            names.insert(name.clone(), text);
        }
        Self(names)
    }

    /// A line of GLSL for each name.
    pub(super) fn glsl(&self) -> String {
        self.0.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect()
    }

    /// What a line of WGSL has in the place of `#{NAME}`: parts of the line, and values between them.
    ///
    /// # Errors
    /// A message and its byte in the line, if a name has no value.
    pub(super) fn substitute<'l>(&'l self, line: &'l str) -> Result<Vec<Piece<'l>>, (usize, String)> {
        let (mut pieces, mut at) = (Vec::new(), 0);
        let end = line.find("//").unwrap_or(line.len());
        while let Some(found) = line[at..end].find("#{") {
            let start = at + found;
            let Some(len) = line[start..end].find('}') else {
                return Err((start, "has `#{` without `}`".to_owned()));
            };
            let name = line[start + 2..start + len].trim();
            let value = self.0.get(name).ok_or_else(|| (start, undefined(name)))?;
            pieces.extend([Piece::Source(at, &line[at..start]), Piece::Value(start, value)]);
            at = start + len + 1;
        }
        pieces.push(Piece::Source(at, &line[at..]));
        Ok(pieces)
    }
}

/// A part of a line, with the byte where it is in the source.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'l> {
    Source(usize, &'l str),
    Value(usize, &'l str),
}

/// The conditions that a line is in.
#[derive(Debug)]
pub(super) struct Conditions {
    defined: Defined,
    open: Vec<Condition>,
}

/// A condition that has no end yet.
#[derive(Debug)]
struct Condition {
    /// Whether the lines around it count.
    is_inside: bool,
    /// Whether the lines of the present branch count.
    is_active: bool,
    /// Whether a branch was chosen.
    is_decided: bool,
    has_else: bool,
    /// Its place in its file.
    at: usize,
}

impl Conditions {
    pub(super) fn new(defined: Defined) -> Self {
        Self { defined, open: Vec::new() }
    }

    /// Whether a line counts.
    pub(super) fn is_active(&self) -> bool {
        self.open.last().is_none_or(|condition| condition.is_active)
    }

    pub(super) fn defined(&self) -> &Defined {
        &self.defined
    }

    /// How many conditions have no end yet.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The place of the last condition without end.
    pub(super) fn last_open(&self) -> usize {
        self.open.last().map_or(0, |condition| condition.at)
    }

    /// Follows the directive of a line at the byte `at` of its file, in which there were `depth` conditions before; `false` if the line
    /// has none of these directives.
    ///
    /// # Errors
    /// A message, if the directive is wrong.
    pub(super) fn follow(&mut self, code: &str, at: usize, depth: usize) -> Result<bool, String> {
        let Some(directive) = code.strip_prefix('#') else { return Ok(false) };
        let directive = directive.split_once("//").map_or(directive, |(code, _)| code).trim();
        let (word, rest) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
        match (word, rest.trim()) {
            ("ifdef" | "ifndef" | "if", condition) => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(format!("has more than {MAX_DEPTH} conditions inside each other"));
                }
                let is_inside = self.is_active();
                let is_active = is_inside && self.holds(word, condition)?;
                self.open.push(Condition { is_inside, is_active, is_decided: is_active, has_else: false, at });
            }
            ("elif", condition) => self.branch("if", condition, word, depth)?,
            ("else", "") => self.branch("", "", word, depth)?,
            ("else", rest) => {
                let (word, condition) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if !matches!(word, "ifdef" | "ifndef" | "if") {
                    return Err(format!("has `#else {rest}`, expected `#else` or `#else if …`"));
                }
                self.branch(word, condition.trim(), "else", depth)?;
            }
            ("endif", _) => {
                self.innermost("endif", depth)?;
                self.open.pop();
            }
            ("define", rest) => {
                let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if !ShaderDefines::is_name(name) {
                    return Err(format!("has `#define {rest}`, expected a name of letters, digits and `_`"));
                }
                if self.is_active() {
                    let value = if value.trim().is_empty() { "1" } else { value.trim() };
                    self.defined.0.insert(name.to_owned(), value.to_owned());
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Begins another branch of the innermost condition.
    fn branch(&mut self, word: &str, condition: &str, directive: &str, depth: usize) -> Result<(), String> {
        let innermost = self.innermost(directive, depth)?;
        if innermost.has_else {
            return Err(format!("has `#{directive}` after the last branch of the condition"));
        }
        let is_open = innermost.is_inside && !innermost.is_decided;
        // What was decided before is not asked for again, so it may name what is not defined.
        let holds = is_open && (word.is_empty() || self.holds(word, condition)?);
        let innermost = self.innermost(directive, depth)?;
        innermost.is_active = holds;
        innermost.is_decided |= holds;
        innermost.has_else = word.is_empty();
        Ok(())
    }

    fn innermost(&mut self, directive: &str, depth: usize) -> Result<&mut Condition, String> {
        let is_here = self.open.len() > depth;
        self.open.last_mut().filter(|_| is_here).ok_or_else(|| format!("has `#{directive}` without `#if`"))
    }

    /// Whether a condition holds.
    fn holds(&self, word: &str, condition: &str) -> Result<bool, String> {
        let wrong =
            || format!("has `#{word} {condition}`, expected a name, or a name that is compared with an integer");
        let names = &self.defined.0;
        if word != "if" {
            return match ShaderDefines::is_name(condition) {
                true => Ok(names.contains_key(condition) == (word == "ifdef")),
                false => Err(format!("has `#{word} {condition}`, expected a name")),
            };
        }
        if ShaderDefines::is_name(condition) {
            return Ok(names.get(condition).is_some_and(|value| value != "0" && value != "false"));
        }
        let at = condition.find(['=', '!', '<', '>']).ok_or_else(wrong)?;
        let (name, rest) = condition.split_at(at);
        let len = rest.bytes().take_while(|byte| b"=!<>".contains(byte)).count();
        let (operator, right) = rest.split_at(len);
        let (name, right) = (name.trim(), right.trim());
        if !ShaderDefines::is_name(name) {
            return Err(wrong());
        }
        let value = names.get(name).ok_or_else(|| undefined(name))?;
        let equals = operator == "==";
        match (integer(value), integer(right)) {
            (Some(left), Some(right)) => Ok(match operator {
                "==" => left == right,
                "!=" => left != right,
                "<" => left < right,
                "<=" => left <= right,
                ">" => left > right,
                ">=" => left >= right,
                _ => return Err(wrong()),
            }),
            // `true` and `false` are compared with what is defined as 1.
            (Some(left), None) if matches!((right, operator), ("true" | "false", "==" | "!=")) => {
                Ok(((left != 0) == (right == "true")) == equals)
            }
            _ => Err(format!("compares {name}, which is `{value}`, with `{right}`, expected integers")),
        }
    }
}

fn integer(text: &str) -> Option<i64> {
    match text {
        "true" => Some(1),
        "false" => Some(0),
        text => text.parse().ok(),
    }
}

fn undefined(name: &str) -> String {
    format!(
        "asks for `{name}`, which is not defined: give it a value with text.defines in assets.toml, or with #define"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text that count.
    fn lines(text: &str, defines: &ShaderDefines) -> Result<String, String> {
        let mut conditions = Conditions::new(Defined::new([defines]));
        let mut kept = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if !conditions.follow(line.trim(), number, 0)? && conditions.is_active() {
                kept.push(line);
            }
        }
        if conditions.depth() > 0 {
            return Err(format!("open since line {}", conditions.last_open()));
        }
        Ok(kept.join(" "))
    }

    #[test]
    fn one_branch_of_a_condition_counts() {
        let text =
            "a\n#ifdef A\nb\n#else if B == 2\nc\n#elif B >= 3 // more\nd\n#else\ne\n#endif\n#ifndef A\nf\n#endif\ng";
        for (defines, expected) in [
            (ShaderDefines::from([("A", DefineValue::from(true))]), "a b g"),
            ([("B", DefineValue::from(2))].into(), "a c f g"),
            ([("A", DefineValue::from(false)), ("B", 3.into())].into(), "a d f g"),
            ([("B", DefineValue::from(-2))].into(), "a e f g"),
        ] {
            assert_eq!(lines(text, &defines).as_deref(), Ok(expected), "{defines:?}");
        }
    }

    #[test]
    fn what_does_not_count_defines_nothing_and_asks_for_nothing() {
        let text = "#if A\n#define B 4\n#if C > 2\nx\n#else if D > 1\n#else\ny\n#endif\n#endif\n#ifdef B\nz\n#endif";
        assert_eq!(lines(text, &[("A", 0)].into()).as_deref(), Ok(""));
        assert_eq!(lines(text, &[("A", 1), ("C", 3)].into()).as_deref(), Ok("x z"));
        let error = lines(text, &[("A", 1)].into()).unwrap_err();
        assert!(error.starts_with("asks for `C`, which is not defined"), "{error}");
    }

    #[test]
    fn wrong_directives_are_errors() {
        let none = ShaderDefines::default();
        for (text, expected) in [
            ("#endif", "has `#endif` without `#if`"),
            ("#else", "has `#else` without `#if`"),
            ("#ifdef A\n#else\n#elif A", "has `#elif` after the last branch of the condition"),
            ("#ifdef A\n#else\n#else", "has `#else` after the last branch of the condition"),
            ("x\n#ifdef A", "open since line 1"),
            ("#ifdef", "has `#ifdef `, expected a name"),
            ("#ifdef A B", "has `#ifdef A B`, expected a name"),
            ("#if", "has `#if `, expected a name, or a name that is compared with an integer"),
            ("#if 1 == A", "has `#if 1 == A`, expected a name, or a name that is compared with an integer"),
            ("#define 1", "has `#define 1`, expected a name of letters, digits and `_`"),
            ("#else x", "has `#else x`, expected `#else` or `#else if …`"),
            (
                "#define A\n#if A =! 1\n",
                "has `#if A =! 1`, expected a name, or a name that is compared with an integer",
            ),
            ("#define A b\n#if A == 1\n", "compares A, which is `b`, with `1`, expected integers"),
        ] {
            assert_eq!(lines(text, &none).unwrap_err(), expected, "{text}");
        }
        assert!(lines(&"#ifdef A\n".repeat(300), &none).unwrap_err().contains("256 conditions"));
    }

    #[test]
    fn values_take_the_place_of_their_names() {
        let defined = Defined::new([&ShaderDefines::from([("N", DefineValue::from(4)), ("T", "vec3f".into())])]);
        let pieces = defined.substitute("a: array<#{T}, #{ N }>, // #{X}").unwrap();
        let text: String = pieces.iter().map(|(Piece::Source(_, text) | Piece::Value(_, text))| *text).collect();
        assert_eq!((text.as_str(), pieces.len()), ("a: array<vec3f, 4>, // #{X}", 5));
        assert_eq!(pieces[2], Piece::Source(13, ", "));
        assert_eq!(defined.substitute("ab#{X}").unwrap_err().0, 2);
        assert_eq!(defined.substitute("#{N").unwrap_err(), (0, "has `#{` without `}`".to_owned()));
        assert_eq!(defined.glsl(), "#define N 4\n#define T vec3f\n");
    }
}
