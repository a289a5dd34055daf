//! Keys and texts → lines of a table: `rres_runtime::Strings` undoes this.

/// Appends a text without tabs and line breaks.
pub(super) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
}
