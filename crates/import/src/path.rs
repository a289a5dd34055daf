//! Paths in sources, which are relative to the directory of the source.

use rres_format::{PathError, normalize_path};

/// The asset path of `relative`, a path relative to the directory of the asset `path`.
pub fn resolve_relative(path: &str, relative: &str) -> Result<String, PathError> {
    match path.rsplit_once('/') {
        Some((directory, _)) => normalize_path(&format!("{directory}/{relative}")),
        None => normalize_path(relative),
    }
}

/// The opposite of [`resolve_relative`]: `path` relative to the directory of the asset `source`.
pub fn relative_to(source: &str, path: &str) -> String {
    let mut from: Vec<&str> = source.split('/').collect();
    from.pop();
    let to: Vec<&str> = path.split('/').collect();
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.len() - common;
    std::iter::repeat_n("..", up).chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_convert_both_ways() {
        for (source, path, relative) in [
            ("a/b/x.gltf", "a/b/x.bin", "x.bin"),
            ("a/b/x.gltf", "a/c/x.bin", "../c/x.bin"),
            ("x.gltf", "a/x.bin", "a/x.bin"),
            ("a/b/x.gltf", "x.bin", "../../x.bin"),
        ] {
            assert_eq!(relative_to(source, path), relative, "{source} → {path}");
            assert_eq!(resolve_relative(source, relative).as_deref(), Ok(path), "{source} + {relative}");
        }
        assert_eq!(resolve_relative("a/x.gltf", "../../y"), Err(PathError::Escapes));
    }
}
