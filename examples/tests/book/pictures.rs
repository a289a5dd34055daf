//! The pictures are small, and what is written in them is true.

use rres_examples::links::root;

/// The text of an SVG file, without tags.
fn text(svg: &str) -> String {
    let mut text = String::new();
    for part in svg.split('<') {
        text += part.split_once('>').map_or("", |(_, text)| text);
    }
    text
}

#[test]
fn the_drawing_of_a_hovered_constant_has_its_documentation() {
    let module = include_str!(concat!(env!("OUT_DIR"), "/assets.rs"));
    let constant = module.lines().position(|line| line.contains(" PLAYER_PNG: ImageId ")).expect("the module has it");
    let doc = module.lines().nth(constant - 1).unwrap().trim().trim_start_matches("/// ").replace('`', "");
    let svg = std::fs::read_to_string(root().join("book/src/images/hover.svg")).unwrap();
    assert!(text(&svg).contains(&doc), "hover.svg shows something else than {doc:?}");
    assert!(text(&svg).contains("pub const PLAYER_PNG: ImageId"));
}

#[test]
fn pictures_are_small() {
    for entry in std::fs::read_dir(root().join("book/src/images")).unwrap() {
        let entry = entry.unwrap();
        assert!(entry.metadata().unwrap().len() < 300_000, "{}", entry.path().display());
    }
}
