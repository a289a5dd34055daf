//! Names of the files that one crate writes and another one reads.

use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

/// The group of a pack that was shipped without the assets that its program does not name. It has no members, and no group of a build has a
/// colon in its name.
pub const STRIPPED_GROUP: &str = "rres:stripped";

/// The variable with the path of a file that lists the ids of the assets that a build script is to leave out of its packs, one a line, for
/// `cargo rres ship --strip-unused`.
pub const STRIP_VARIABLE: &str = "RRES_STRIP_LIST";

/// The name of the settings file in an assets directory.
pub const SETTINGS_FILE: &str = "assets.toml";

/// The extension of the empty file in the output directory of a build script whose removal makes Cargo run the script again:
/// `NAME.current`, where `NAME` is the name of the pack.
pub const RERUN_MARKER_EXTENSION: &str = "current";

/// Returns the file name of pack number `number` of the pack set `name`: `game.rres`, `game.1.rres`, `game.2.rres`, …
pub fn pack_file_name(name: &str, number: u32) -> String {
    match number {
        0 => format!("{name}.rres"),
        number => format!("{name}.{number}.rres"),
    }
}

/// Returns the path of the additional pack `number`, counted from 1, of the pack set whose first pack is `first`.
pub fn additional_pack(first: &Path, number: u32) -> PathBuf {
    first.with_extension(format!("{number}.rres"))
}

/// Returns the first pack of the set that a file is an additional pack of, by its name, and its number; `None` if it has another name.
pub fn first_pack(file: &Path) -> Option<(PathBuf, u32)> {
    let (stem, number) = file.file_stem()?.to_str()?.rsplit_once('.')?;
    let (first, number) = (file.with_file_name(format!("{stem}.rres")), number.parse().ok()?);
    // Not `game.01.rres`.
    (number > 0 && additional_pack(&first, number) == file).then_some((first, number))
}

/// Returns the path of patch `number`, counted from 1, of the pack set whose first pack is `first`: `game.patch1.rres`.
pub fn patch_pack(first: &Path, number: u32) -> PathBuf {
    first.with_extension(format!("patch{number}.rres"))
}

/// Returns an asset path, or another path with `/` between folders, as this system writes it: Windows understands both, but a message
/// with both in one path looks like a mistake.
pub fn local_path(path: &str) -> PathBuf {
    // Not pushed name by name: `C:x` in the place of a name would replace what is before it.
    path.replace('/', MAIN_SEPARATOR_STR).into()
}

/// Returns the path of the blob with this key, relative to the directory of blobs: `ab/cdef….rres`.
pub fn blob_path(key: &[u8; 32]) -> PathBuf {
    sharded_path(key, "rres")
}

/// Returns the relative path of a file that is named after a key: the first two hexadecimal digits of the key name the
/// directory, the other 62 the file. The 256 directories keep each of them small.
pub fn sharded_path(key: &[u8; 32], extension: &str) -> PathBuf {
    let hex = hex(key);
    Path::new(&hex[..2]).join(format!("{}.{extension}", &hex[2..]))
}

/// Returns the key of the file `name` in the directory `shard`, or `None` if the two names do not form a key.
pub fn parse_sharded_path(shard: &str, name: &str) -> Option<[u8; 32]> {
    let (stem, _) = name.split_once('.')?;
    let digits: Vec<u8> = shard.bytes().chain(stem.bytes()).map(digit_value).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    if shard.len() == 2 && digits.len() == 64 { bytes.try_into().ok() } else { None }
}

/// Formats a key as 64 lower-case hexadecimal digits.
pub fn hex(key: &[u8; 32]) -> String {
    // Every build formats the key of every blob, so this avoids the slower `format!`.
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    key.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn digit_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_back_from_its_path() {
        let key: [u8; 32] = std::array::from_fn(|i| (i * 37) as u8);
        let path = blob_path(&key);
        let [shard, name] =
            [path.parent(), path.file_name().map(Path::new)].map(|part| part.unwrap().to_str().unwrap());
        assert_eq!((shard, parse_sharded_path(shard, name)), ("00", Some(key)));
        let stem = name.strip_suffix(".rres").unwrap();
        for (shard, name) in [
            ("0", name),
            (shard, stem),
            (shard, "12.rres"),
            ("0G", name),
            ("é", name),
            (shard, &format!("{stem}0.rres")),
            (shard, &format!("{}.rres", stem.to_uppercase())),
        ] {
            assert_eq!(parse_sharded_path(shard, name), None, "{shard}/{name}");
        }
    }

    #[test]
    fn local_paths_have_the_separators_of_the_system() {
        for names in [&["ui", "a b.png"][..], &["ui", "C:x.png"], &[""]] {
            let expected = names.join(MAIN_SEPARATOR_STR);
            assert_eq!(local_path(&names.join("/")).to_str(), Some(expected.as_str()));
        }
    }

    #[test]
    fn packs_of_a_set_are_numbered() {
        let first = Path::new("dir.x").join(pack_file_name("game", 0));
        assert_eq!(first, Path::new("dir.x/game.rres"));
        assert_eq!(patch_pack(&first, 2), Path::new("dir.x/game.patch2.rres"));
        let second = additional_pack(&first, 2);
        assert_eq!(second, Path::new("dir.x").join(pack_file_name("game", 2)));
        assert_eq!(first_pack(&second), Some((first.clone(), 2)));
        for other in ["game.rres", "game.0.rres", "game.01.rres", "game.2.txt", "game.patch1.rres"] {
            assert_eq!(first_pack(&first.with_file_name(other)), None, "{other}");
        }
    }
}
