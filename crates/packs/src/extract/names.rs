//! Paths in a pack → paths of files, which every system can have.

use rres_format::chunk::raw::RawView;
use rres_format::{FourCc, normalize_path};

use crate::resource_list::Resource;

/// Returns the path of the file for a resource, relative to the output directory. `extension` is the extension of the file's
/// format, with the dot, or "" for the source file.
///
/// The name of the source stays as it is, and the extension is appended unless the name has it: `cat.jpg` and `cat.png`
/// become `cat.jpg.png` and `cat.png`, so they are two files, and each tells what it came from.
///
/// # Errors
/// The reason why the path is refused: it leads out of the directory, or no file can have it.
pub(super) fn relative_path(resource: &Resource<'_>, extension: &str) -> Result<String, String> {
    let mut file = match &resource.path {
        None => format!("id-{:08x}{}", resource.id.0, source_extension(resource)),
        Some(path) if path.split(['/', '\\']).any(|name| name == "..") => {
            return Err(format!("refused, because the path \"{path}\" leads out of the directory"));
        }
        Some(path) => normalize_path(path).map_err(|e| format!("refused: {e}"))?,
    };
    if !file.to_ascii_lowercase().ends_with(extension) {
        file += extension;
    }
    Ok(file)
}

/// Returns another path for a resource whose path another file has: with the id before the extension, and a number if that is not 1.
pub(super) fn with_id(file: &str, resource: &Resource<'_>, number: u32) -> String {
    let name = file.rfind('/').map_or(0, |slash| slash + 1);
    let dot = file[name..].rfind('.').filter(|dot| *dot > 0).map_or(file.len(), |dot| name + dot);
    // Resources of several packs may have one id, too.
    let number = if number > 1 { format!("-{number}") } else { String::new() };
    format!("{}.id-{:08x}{number}{}", &file[..dot], resource.id.0, &file[dot..])
}

/// Returns a path that every system can have: the same on all of them, so that an extracted tree can be copied from one to
/// another. Windows reserves some characters, the names of devices, and dots and spaces at the end of a name.
pub fn portable_path(path: &str) -> String {
    let names: Vec<String> = path.split('/').map(portable_name).collect();
    names.join("/")
}

fn portable_name(name: &str) -> String {
    const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];
    let is_reserved = |c: char| matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*') || c.is_control();
    let mut portable = name.replace(is_reserved, "_");
    if portable.ends_with(['.', ' ']) {
        portable.pop();
        portable.push('_');
    }
    // `nul.txt` is the device, too.
    let stem = portable.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = number.is_some_and(|number| {
        matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    });
    if is_port || DEVICES.contains(&stem.as_str()) {
        portable.insert(0, '_');
    }
    portable
}

/// Returns the URI of a file, relative to the folder of another one. Both paths are relative to the output directory.
pub(super) fn relative_uri(from: &str, to: &str) -> String {
    let folder: Vec<&str> = from.split('/').collect();
    let folder = &folder[..folder.len() - 1];
    let names: Vec<&str> = to.split('/').collect();
    let common = folder.iter().zip(&names).take_while(|(a, b)| a == b).count().min(names.len() - 1);
    let up = std::iter::repeat_n("..".to_owned(), folder.len() - common);
    let down = names[common..].iter().map(|name| percent_encoded(name));
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Returns a name with `%` and two digits for each byte that a URI cannot have.
fn percent_encoded(name: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(encode).collect()
}

/// Returns the extension of the source file of a resource without a path, or "" if the resource is re-encoded.
fn source_extension(resource: &Resource<'_>) -> String {
    match resource.chunks[0].info.kind {
        FourCc::TEXT => ".txt".to_owned(),
        FourCc::RAWD => stored_extension(resource).unwrap_or_else(|| ".bin".to_owned()),
        _ => String::new(),
    }
}

/// Returns the extension in a RAWD chunk, if it consists of ASCII letters and digits.
pub(super) fn stored_extension(resource: &Resource<'_>) -> Option<String> {
    let block = resource.keyring.decode(&resource.chunks[0], &mut Default::default()).ok()?;
    let view = RawView::parse(block.view().ok()?).ok()?;
    let extension = std::str::from_utf8(view.extension()).ok()?;
    let is_plain = extension.strip_prefix('.')?.chars().all(|c| c.is_ascii_alphanumeric());
    is_plain.then(|| extension.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_windows_reserves_are_changed_and_no_others() {
        for (path, expected) in [
            ("ui/q?.txt", "ui/q_.txt"),
            ("a:b/c*", "a_b/c_"),
            ("trail./x ", "trail_/x_"),
            ("CON", "_CON"),
            ("aux.h", "_aux.h"),
            ("dir/nul .tar.gz", "dir/_nul .tar.gz"),
            ("COM7.txt", "_COM7.txt"),
            ("com10", "com10"),
            ("console/a.b.c", "console/a.b.c"),
            ("größe ü.png", "größe ü.png"),
        ] {
            assert_eq!(portable_path(path), expected);
            assert_eq!(portable_path(expected), expected, "twice");
        }
    }

    #[test]
    fn uris_lead_from_the_model_to_the_image() {
        for (from, to, expected) in [
            ("m.glb", "t.png", "t.png"),
            ("m/a.glb", "m/t.png", "t.png"),
            ("m/a.glb", "m/b/t.png", "b/t.png"),
            ("m/a/x.glb", "t/b ü.png", "../../t/b%20%C3%BC.png"),
            ("m/a/x.glb", "m/a", "../a"),
        ] {
            assert_eq!(relative_uri(from, to), expected, "{from} {to}");
        }
    }
}
