//! Fluent files → their keys with the variables of their texts. A file with an error of syntax is refused.

use std::collections::HashMap;

use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser::{self, ErrorKind};
use rres_import::{ImportError, NamedPart};

/// How deep braces and arguments may be nested: the parser calls itself for each.
const MAX_DEPTH: u32 = 64;
/// How many of them a file may have. [`too_deep`] takes some texts for strings, so the stack is large enough for all of them.
const MAX_OPEN: usize = 1 << 16;
/// The stack that each of them takes, without optimisation.
const STACK_OF_ONE: usize = 16 << 10;

/// The messages of a file and their attributes. Terms are left out, since each language has its own.
pub(super) fn keys(text: &str) -> Result<Vec<NamedPart>, ImportError> {
    if let Some(at) = too_deep(text) {
        let (line, column) = place(text, at);
        let message = format!("has braces or arguments that are nested more than {MAX_DEPTH} times");
        return Err(ImportError::new(message).with_help("write simpler texts").at(line, column).without_fix());
    }
    let open = text.bytes().filter(|byte| matches!(byte, b'{' | b'(')).count();
    if open > MAX_OPEN {
        let message = format!("has {open} braces and parentheses, expected at most {MAX_OPEN}");
        return Err(ImportError::new(message).with_help("split the file").without_fix());
    }
    std::thread::scope(|scope| {
        let stack = (2 << 20) + open * STACK_OF_ONE;
        let thread = std::thread::Builder::new().name("rres fluent".to_owned()).stack_size(stack);
        match thread.spawn_scoped(scope, || parse(text)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Err(ImportError::new(format!("cannot be checked: no thread could be started: {error}"))),
        }
    })
}

fn parse(text: &str) -> Result<Vec<NamedPart>, ImportError> {
    let resource = parser::parse(text).map_err(|(_, errors)| {
        let first = errors.first();
        let (line, column) = place(text, first.map_or(0, |error| error.pos.start));
        let what = first.map_or_else(String::new, |error| describe(&error.kind));
        let more = if errors.len() > 1 { format!("; there are {} more", errors.len() - 1) } else { String::new() };
        ImportError::new(format!("is not valid Fluent: {what}{more}"))
            .with_help("correct the text, or remove `text.strings` for the file")
            .at(line, column)
            .without_fix()
    })?;
    let mut keys = Vec::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    // Lines are counted from the key before. Keys come in the order of the text.
    let (mut counted, mut lines) = (0, 0);
    for entry in &resource.body {
        let Entry::Message(message) = entry else { continue };
        let value = message.value.iter().map(|value| (message.id.name.to_owned(), message.id.name, value));
        let attributes = message.attributes.iter().map(|attribute| {
            (format!("{}.{}", message.id.name, attribute.id.name), attribute.id.name, &attribute.value)
        });
        for (key, name, pattern) in value.chain(attributes) {
            // The parser's names are parts of the text.
            let at = name.as_ptr().addr().saturating_sub(text.as_ptr().addr());
            lines += text.get(counted..at).unwrap_or_default().matches('\n').count() as u32;
            counted = counted.max(at);
            let line = lines + 1;
            if let Some(first) = seen.insert(key.clone(), line) {
                let error = ImportError::new(format!("has the key \"{key}\" twice, first in line {first}"));
                let (line, column) = place(text, at);
                return Err(error.with_help("remove or rename one of them").at(line, column).without_fix());
            }
            let mut variables = Vec::new();
            of_pattern(pattern, &mut variables);
            keys.push(NamedPart::of_key(&key, variables, line));
        }
    }
    Ok(keys)
}

/// The position of the brace or parenthesis that is nested too deep.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            // A string ends with its line, so a missing quotation mark hides no more than that.
            b'\n' => in_string = false,
            _ if in_string && escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' if depth > 0 => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => depth = depth.saturating_sub(1),
            // Outside of braces they are text.
            b'(' if !in_string && depth > 0 => depth += 1,
            b')' if !in_string && depth > 1 => depth -= 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

fn of_pattern(pattern: &Pattern<&str>, out: &mut Vec<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, out);
        }
    }
}

fn of_expression(expression: &Expression<&str>, out: &mut Vec<String>) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, out),
        Expression::Select { selector, variants } => {
            of_inline(selector, out);
            variants.iter().for_each(|variant| of_pattern(&variant.value, out));
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, out: &mut Vec<String>) {
    let mut of_arguments = |arguments: &CallArguments<&str>| {
        arguments.positional.iter().for_each(|argument| of_inline(argument, out));
        arguments.named.iter().for_each(|argument| of_inline(&argument.value, out));
    };
    match inline {
        InlineExpression::VariableReference { id } => out.push(format!("${}", id.name)),
        InlineExpression::FunctionReference { arguments, .. } => of_arguments(arguments),
        InlineExpression::TermReference { arguments: Some(arguments), .. } => of_arguments(arguments),
        InlineExpression::Placeable { expression } => of_expression(expression, out),
        _ => {}
    }
}

fn describe(kind: &ErrorKind) -> String {
    // The parser's messages are sentences.
    let text = kind.to_string();
    let mut chars = text.trim_end_matches('.').chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Line and column of a byte, counted from 1.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_line_and_the_variables_of_all_branches() {
        let text = "-brand = Lantern\n# comment\nhello = Hello, { $user } of { -brand }!\n\nphotos = { $count ->\n    [one] one\n   \
                    *[other] { NUMBER($count) } by { $user }\n}\nlogin =\n    .title = Log in\n";
        let found: Vec<String> =
            keys(text).unwrap().iter().map(|part| format!("{} {}", part.index, part.name.replace('\n', " "))).collect();
        assert_eq!(found, ["3 hello $user", "5 photos $count $user", "10 login.title"]);
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, message) in [
            ("a = b\nc } d\n", "2:3: is not valid Fluent: expected a token"),
            ("a = { $x\n", ": is not valid Fluent: "),
            ("a = 1\nb = 2\na = 3\n", "3:1: has the key \"a\" twice, first in line 1"),
            (
                &format!("a = {}", "{".repeat(100_000)),
                "1:69: has braces or arguments that are nested more than 64 times",
            ),
            (
                &format!("a = {{ {}", "F(".repeat(100_000)),
                "1:134: has braces or arguments that are nested more than 64 times",
            ),
            (
                &format!("a = {{ $x ->\n   *[a] \"{}", "{".repeat(100_000)),
                "has 100001 braces and parentheses, expected at most 65536",
            ),
        ] {
            let error = keys(text).unwrap_err().into_diagnostic("".as_ref(), "a.ftl").to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(keys("a = { \"{{{{\" }\n").is_ok());
    }
}
