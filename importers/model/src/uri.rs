//! URIs in a glTF: `data:` URIs → their bytes; relative URIs → paths relative to the file.

use rres_import::ImportError;

/// The location of the bytes of a URI.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Uri {
    /// In the URI itself.
    Data(Vec<u8>),
    /// In a file, relative to the directory of the source.
    File(String),
}

/// Reads a URI; `what` names its purpose in messages.
pub(super) fn read(uri: &str, what: &str) -> Result<Uri, ImportError> {
    let bad =
        |found: &str| ImportError::new(format!("{what} has a URI that {found}")).with_damage_help("export it again");
    if let Some(rest) = uri.strip_prefix("data:") {
        let (head, body) = rest.split_once(',').ok_or_else(|| bad("begins with data: but has no comma"))?;
        if !head.ends_with(";base64") {
            return percent_decoded(body)
                .map(Uri::Data)
                .ok_or_else(|| bad("has a % that is not followed by two digits"));
        }
        return base64(body).map(Uri::Data).ok_or_else(|| bad("is not valid base64"));
    }
    if uri.contains("://") {
        let shown: String = uri.chars().take(80).collect();
        let error = ImportError::new(format!("{what} is at {shown}, and files are not downloaded"));
        return Err(error.with_help("save the file beside this one and refer to it by a relative path"));
    }
    let path = percent_decoded(uri).ok_or_else(|| bad("has a % that is not followed by two digits"))?;
    let path = String::from_utf8(path).map_err(|_| bad("is not UTF-8"))?;
    // Exporters on Windows write backslashes.
    Ok(Uri::File(path.replace('\\', "/")))
}

/// The bytes of a percent-encoded text, or `None` if a `%` is not followed by two hexadecimal digits.
fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        out.push((high * 16 + low) as u8);
    }
    Some(out)
}

/// The bytes of a base64 text, with or without padding at its end.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    if digits.len() % 4 == 1 || text.len() - digits.len() > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for group in digits.chunks(4) {
        let mut bits = 0u32;
        for digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bits <<= 6 * (4 - group.len());
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_and_files() {
        for (uri, expected) in [
            ("data:application/octet-stream;base64,", Some(Uri::Data(Vec::new()))),
            ("data:;base64,TQ==", Some(Uri::Data(b"M".to_vec()))),
            ("data:;base64,TWE", Some(Uri::Data(b"Ma".to_vec()))),
            ("data:;base64,TWFu", Some(Uri::Data(b"Man".to_vec()))),
            ("data:;base64,+/+/", Some(Uri::Data(vec![0xfb, 0xff, 0xbf]))),
            ("data:;base64,T", None),
            ("data:;base64,T===", None),
            ("data:;base64,T=Fu", None),
            ("data:;base64,TWF\u{e9}", None),
            ("data:text/plain,a%20b", Some(Uri::Data(b"a b".to_vec()))),
            ("data:nothing", None),
            ("a%20b.bin", Some(Uri::File("a b.bin".into()))),
            ("t\\%C3%A9.png", Some(Uri::File("t/é.png".into()))),
            ("a%2.bin", None),
            ("a%", None),
            ("%ff", None),
            ("https://example.org/a.bin", None),
        ] {
            assert_eq!(read(uri, "buffer 0").ok(), expected, "{uri}");
        }
    }
}
