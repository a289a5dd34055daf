//! A preprocessor of mdBook: makes the links of the chapters work in the book, see [`rres_examples::links`].
//!
//! mdBook starts it as `book/book.toml` says, with the book as JSON on standard input, and reads the changed book from standard output.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use rres_examples::links;
use serde_json::Value;

fn main() -> ExitCode {
    // `mdbook-repository-links supports html` asks whether it works with a renderer: with all of them.
    if std::env::args().nth(1).as_deref() == Some("supports") {
        return ExitCode::SUCCESS;
    }
    let mut broken = Vec::new();
    let mut input: Value = match serde_json::from_reader(io::stdin()) {
        Ok(input) => input,
        Err(error) => return fail(&format!("cannot read the book from standard input: {error}")),
    };
    // The input is an array: the context, then the book.
    let mut book = input.get_mut(1).map(Value::take).unwrap_or_default();
    visit(&mut book, &mut broken);
    if !broken.is_empty() {
        return fail(&format!("links that lead to nothing:\n  {}", broken.join("\n  ")));
    }
    match serde_json::to_writer(io::stdout(), &book) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot write the book to standard output: {error}")),
    }
}

#[allow(clippy::print_stderr, reason = "mdBook shows it")]
fn fail(message: &str) -> ExitCode {
    eprintln!("mdbook-repository-links: {message}");
    ExitCode::FAILURE
}

/// Visits every chapter: an object with a path and a text, at any depth.
fn visit(value: &mut Value, broken: &mut Vec<String>) {
    if let (Some(Value::String(path)), Some(Value::String(text))) = (value.get("path"), value.get("content")) {
        match links::for_the_book(Path::new(path), text) {
            Ok(text) => value["content"] = text.into(),
            Err(links) => broken.extend(links),
        }
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, broken)),
        Value::Object(fields) => fields.values_mut().for_each(|item| visit(item, broken)),
        _ => {}
    }
}
