//! The rules of a game and of the libraries whose assets it adds.

use super::rules;
use crate::Rules;

/// The rules of a game with the libraries `kit` and `base`.
fn game(text: &str) -> Rules {
    let mut game = rules(text);
    let kit = r#"
[pack]
locales = ["en", "fr"]
["**/*.png"]
image.filter = "nearest"
image.atlas = "ui"
["moved.txt"]
path = "text/here.txt"
["voice/**"]
variant_of = "sounds/hello.ogg"
[group.menu]
include = ["ui/**"]
"#;
    game.add_library("kit", rules(kit).moved_into("kit"));
    game.add_library("base", rules("").moved_into("base"));
    game
}

#[test]
fn rules_of_a_library_are_for_its_own_files() {
    let rules = game("[\"**/*.png\"]\nimage.mipmaps = true\n");
    let (own, of_library) = (rules.resolve("ui/a.png"), rules.resolve("kit/ui/a.png"));
    assert_eq!((own.image.mipmaps, own.image.atlas.as_deref()), (true, None));
    assert_eq!((of_library.image.mipmaps, of_library.image.atlas.as_deref()), (false, Some("kit/ui")));
    // A folder of the game with a similar name is none of the library.
    assert!(rules.resolve("kits/a.png").image.mipmaps && rules.resolve("a/kit/b.png").image.mipmaps);
    assert_eq!(rules.resolve("kit/moved.txt").asset.path.as_deref(), Some("kit/text/here.txt"));
    assert_eq!(rules.resolve("kit/voice/a.ogg").asset.variant_of.as_deref(), Some("kit/sounds/hello.ogg"));
    let members = rules.group_members(["kit/ui/a.png", "ui/a.png"]);
    assert_eq!(members, [("kit/menu", vec![0])]);
}

#[test]
fn rules_that_name_a_library_override_its_own() {
    let rules = game("[\"kit/**/*.png\"]\nimage.filter = \"linear\"\n[\"base/*\"]\nignore = true\n");
    let settings = rules.resolve("kit/ui/a.png");
    assert_eq!(format!("{:?}", settings.image.filter), "Some(Linear)");
    assert_eq!(settings.image.atlas.as_deref(), Some("kit/ui"), "field by field");
    assert!(rules.resolve("base/x.txt").asset.ignore);
    // Alone, the library has its own.
    let alone = rules.of_library("kit").unwrap().resolve("kit/ui/a.png");
    assert_eq!(format!("{:?}", alone.image.filter), "Some(Nearest)");
}

#[test]
fn names_in_a_library_mean_what_its_own_pack_lists() {
    let rules = game("[pack]\ndensities = [2]\n");
    assert!(rules.variant_name("kit/menu.fr.txt").is_some() && rules.variant_name("menu.fr.txt").is_none());
    assert!(rules.variant_name("a@2x.png").is_some() && rules.variant_name("kit/a@2x.png").is_none());
}

#[test]
fn what_the_constants_of_a_library_are_compiled_with_cannot_be_changed() {
    let text = "[\"kit/a.png\"]\nkind = \"raw\"\nid = 7\n[\"kit/b.png\"]\nrename = \"A\"\n[\"**\"]\nlevel = 3\n";
    let game = rules(text);
    let faults: Vec<String> = game.changes_of_constants("kit").iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("`kind` of an asset of the library `kit` cannot be changed"), "{faults:?}");
    assert_eq!(game.changes_of_constants("base").len(), 0);
}
