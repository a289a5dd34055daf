//! CSV (RFC 4180) → rows of fields with their places.

use rres_import::ImportError;

/// One field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) text: String,
    /// The place of its first character, counted from 1.
    pub(super) line: u32,
    pub(super) column: u32,
}

/// Reads all rows. Fields are separated by commas, or by what the first line has: semicolons, which spreadsheets of many countries
/// write, or tabs.
pub(super) fn rows(text: &str) -> Result<Vec<Vec<Field>>, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().next().unwrap_or_default();
    let separator = [',', ';', '\t'].into_iter().find(|separator| first.contains(*separator)).unwrap_or(',');
    let mut rows = vec![Vec::new()];
    let mut chars = text.chars().peekable();
    let (mut line, mut column) = (1, 1);
    while chars.peek().is_some() {
        let mut field = Field { text: String::new(), line, column };
        let mut is_quoted = chars.peek() == Some(&'"');
        if is_quoted {
            chars.next();
            column += 1;
        }
        let mut ends_row = false;
        loop {
            let Some(c) = chars.next() else {
                if is_quoted {
                    let error = ImportError::new("has a quotation mark that is not closed");
                    return Err(error
                        .with_help("close it; a quotation mark within a text is written twice")
                        .at(field.line, field.column)
                        .without_fix());
                }
                break;
            };
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
            match c {
                '"' if is_quoted && chars.peek() == Some(&'"') => {
                    chars.next();
                    column += 1;
                    field.text.push('"');
                }
                '"' if is_quoted => is_quoted = false,
                c if is_quoted => field.text.push(c),
                c if c == separator => break,
                '\r' if chars.peek() == Some(&'\n') => {}
                '\n' => {
                    ends_row = true;
                    break;
                }
                c => field.text.push(c),
            }
        }
        if let Some(row) = rows.last_mut() {
            row.push(field);
        }
        if ends_row && chars.peek().is_some() {
            rows.push(Vec::new());
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> String {
        let rows = rows(text).unwrap();
        let row = |row: &Vec<Field>| row.iter().map(|field| format!("[{}]", field.text)).collect::<String>();
        rows.iter().map(row).collect::<Vec<_>>().join("/")
    }

    #[test]
    fn fields_are_read_as_rfc_4180_says() {
        for (text, expected) in [
            ("a,b\nc,d\n", "[a][b]/[c][d]"),
            ("a,b\r\nc,\"d, \"\"e\"\"\"", "[a][b]/[c][d, \"e\"]"),
            ("a;b\n1,5;c", "[a][b]/[1,5][c]"),
            ("a\tb\n", "[a][b]"),
            ("a,\"b\nc\"\n\nd", "[a][b\nc]/[]/[d]"),
            ("", ""),
        ] {
            assert_eq!(texts(text), expected, "{text:?}");
        }
    }

    #[test]
    fn places_count_characters() {
        let rows = rows("ä,b\n\"x\ny\",z").unwrap();
        let places: Vec<_> = rows.iter().flatten().map(|field| (field.line, field.column)).collect();
        assert_eq!(places, [(1, 1), (1, 3), (2, 1), (3, 4)]);
    }
}
