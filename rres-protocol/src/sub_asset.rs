//! The paths of sub-assets: that of the file, a `#`, and a name in it, as in `models/fox.glb#image/0`.
//!
//! The name of a file may have a `#`, too: samples of a piano are called `C#4.wav`.

/// Splits the path of a sub-asset into the path of the file and the name in it; `None` for the path of a file.
///
/// A name in a file begins after the extension of the file. Only what has no extension at all may be in a file without one.
///
/// ```
/// use rres_protocol::sub_asset::split;
///
/// assert_eq!(split("models/fox.glb#image/0"), Some(("models/fox.glb", "image/0")));
/// assert_eq!(split("piano/C#4.wav"), None);
/// assert_eq!(split("piano/C#4.wav#left"), Some(("piano/C#4.wav", "left")));
/// assert_eq!(split("table#fr"), Some(("table", "fr")));
/// ```
pub fn split(path: &str) -> Option<(&str, &str)> {
    let has_extension =
        |path: &str| path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
    let is_split = |(file, inside): &(&str, &str)| !file.is_empty() && (has_extension(file) || !has_extension(inside));
    path.match_indices('#').map(|(at, _)| (&path[..at], &path[at + 1..])).find(is_split)
}

/// The path of the file that an asset is, or that a sub-asset is in.
pub fn file(path: &str) -> &str {
    split(path).map_or(path, |(file, _)| file)
}
