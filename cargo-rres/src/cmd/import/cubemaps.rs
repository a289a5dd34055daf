//! The cubemaps of a list of `nbr`: folders of six pictures → `.cubemap` files, which say which picture is which face.
//!
//! `nbr` takes the pictures in the order in which the system lists them, so only their names tell what they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::toml_string::toml_string;
use crate::output::count;

/// The faces, as `.cubemap` files call them, and how the names of pictures call them.
const FACES: [(&str, &[&str]); 6] = [
    ("px", &["px", "posx", "xpos", "x+", "+x", "right", "rt", "r"]),
    ("nx", &["nx", "negx", "xneg", "x-", "-x", "left", "lf", "l"]),
    ("py", &["py", "posy", "ypos", "y+", "+y", "top", "up", "t", "u"]),
    ("ny", &["ny", "negy", "yneg", "y-", "-y", "bottom", "down", "dn", "b", "d"]),
    ("pz", &["pz", "posz", "zpos", "z+", "+z", "front", "ft", "f"]),
    ("nz", &["nz", "negz", "zneg", "z-", "-z", "back", "bk", "b"]),
];

/// A file that says which pictures are the faces of a cube.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cubemap {
    /// Its path in the assets directory.
    pub(super) path: String,
    pub(super) text: String,
    /// The paths of the pictures.
    pub(super) faces: Vec<String>,
}

/// Sorts files by the folders that they are in.
pub(super) fn by_folder<'p>(paths: impl Iterator<Item = &'p str>) -> BTreeMap<&'p str, Vec<&'p str>> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in paths {
        folders.entry(path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default().push(path);
    }
    folders
}

/// Makes the cubemap of a folder. `name` is what it is called if the folder is the assets directory itself.
///
/// # Errors
/// Why it is none.
pub(super) fn of_folder(folder: &str, pictures: &[&str], name: &str) -> Result<Cubemap, String> {
    if pictures.len() != FACES.len() {
        return Err(format!("it has {}, and a cubemap has six faces", count(pictures.len(), "picture")));
    }
    let Some(faces) = faces(pictures) else {
        return Err("the names of its pictures do not say which faces they are".to_owned());
    };
    // Beside the folder, so that the constant is that of one file: `SKY_CUBEMAP`.
    let (path, prefix) = match folder.rsplit_once('/') {
        _ if folder.is_empty() => (format!("{name}.cubemap"), String::new()),
        Some((_, last)) => (format!("{folder}.cubemap"), format!("{last}/")),
        None => (format!("{folder}.cubemap"), format!("{folder}/")),
    };
    let mut text = String::new();
    for ((face, _), picture) in FACES.iter().zip(&faces) {
        let file = picture.rsplit('/').next().unwrap_or(picture);
        // Writing to a string never fails.
        let _ = writeln!(text, "{face} = {}", toml_string(&format!("{prefix}{file}")));
    }
    Ok(Cubemap { path, text, faces: faces.into_iter().map(str::to_owned).collect() })
}

/// Returns the pictures in the order of the faces; `None` if their names do not tell it.
fn faces<'p>(pictures: &[&'p str]) -> Option<Vec<&'p str>> {
    let stem = |path: &str| -> String {
        let file = path.rsplit('/').next().unwrap_or(path);
        file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_lowercase()
    };
    let stems: Vec<String> = pictures.iter().map(|path| stem(path)).collect();
    // What comes before or after the name of the face, such as `sky_`, is the same for all.
    let is_same = |text: &dyn Fn(&str, usize) -> Option<String>, length: usize| {
        let mut all = stems.iter().map(|stem| text(stem, length));
        all.next().flatten().is_some_and(|first| all.all(|other| other.as_ref() == Some(&first)))
    };
    let before = |stem: &str, length: usize| Some(stem.get(..length)?.to_owned());
    let after = |stem: &str, length: usize| Some(stem.get(stem.len().checked_sub(length)?..)?.to_owned());
    let shortest = stems.iter().map(String::len).min().unwrap_or_default();
    for start in (0..=shortest).filter(|length| is_same(&before, *length)) {
        for end in (0..=shortest - start).filter(|length| is_same(&after, *length)) {
            let words: Vec<&str> = stems
                .iter()
                .filter_map(|stem| stem.get(start..stem.len() - end))
                .map(|word| word.trim_matches(['_', '.', ' ']))
                .collect();
            let of = |names: &[&str]| words.iter().position(|word| names.contains(word));
            let found: Option<Vec<usize>> = FACES.iter().map(|(_, names)| of(names)).collect();
            let is_each_once = |found: &Vec<usize>| {
                let mut sorted = found.clone();
                sorted.sort_unstable();
                sorted.windows(2).all(|pair| pair[0] != pair[1])
            };
            if let Some(found) = found.filter(is_each_once) {
                return Some(found.into_iter().filter_map(|at| pictures.get(at).copied()).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_pictures_tell_their_faces() {
        for names in [
            ["right.png", "left.png", "top.png", "bottom.png", "front.png", "back.png"],
            ["px.hdr", "nx.hdr", "py.hdr", "ny.hdr", "pz.hdr", "nz.hdr"],
            ["sky_rt.jpg", "sky_lf.jpg", "sky_up.jpg", "sky_dn.jpg", "sky_ft.jpg", "sky_bk.jpg"],
            ["Right day.png", "Left day.png", "Top day.png", "Bottom day.png", "Front day.png", "Back day.png"],
            ["sky-x+.png", "sky-x-.png", "sky-y+.png", "sky-y-.png", "sky-z+.png", "sky-z-.png"],
        ] {
            let mut sorted = names.to_vec();
            sorted.sort_unstable();
            assert_eq!(faces(&sorted).as_deref(), Some(&names[..]), "{names:?}");
        }
        assert_eq!(faces(&["1.png", "2.png", "3.png", "4.png", "5.png", "6.png"]), None);
        assert_eq!(faces(&["right.png", "right.jpg", "top.png", "bottom.png", "front.png", "back.png"]), None);
        assert_eq!(faces(&["ä", "ö", "ü", "é", "è", "ß"]), None);
    }

    #[test]
    fn the_file_is_beside_the_folder() {
        let names = ["right", "left", "top", "bottom", "front", "back"];
        let of = |folder: &str| {
            let paths: Vec<String> = names.iter().map(|name| format!("{folder}{name}.png")).collect();
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let found = of_folder(folder.trim_end_matches('/'), &paths, "res").unwrap();
            (found.path, found.text.lines().next().unwrap().to_owned())
        };
        assert_eq!(of("maps/sky/"), ("maps/sky.cubemap".to_owned(), "px = \"sky/right.png\"".to_owned()));
        assert_eq!(of("sky/"), ("sky.cubemap".to_owned(), "px = \"sky/right.png\"".to_owned()));
        assert_eq!(of(""), ("res.cubemap".to_owned(), "px = \"right.png\"".to_owned()));
        let why = |paths: &[&str]| of_folder("", paths, "res").unwrap_err();
        assert_eq!(why(&["a"]), "it has 1 picture, and a cubemap has six faces");
        assert!(why(&["1", "2", "3", "4", "5", "6"]).starts_with("the names of its pictures"));
    }
}
