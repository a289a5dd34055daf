//! Texts as TOML has them between quotes.

/// Returns a text as a string of TOML.
pub(super) fn toml_string(text: &str) -> String {
    // A JSON string is a TOML string, but for one character, which may not be written as it is.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_those_of_toml() {
        assert_eq!(toml_string("a \"b\" \\ \t\u{7f}ö"), r#""a \"b\" \\ \t\u007fö""#);
    }
}
