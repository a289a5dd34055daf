//! Images in atlases: sprites, pages, what a change of one image changes, and what is refused.

use std::collections::BTreeMap;
use std::fs;

use rres_format::AssetKind;
use rres_format::chunk::image::ImageView;
use rres_format::chunk::sprite::SpriteProps;
use rres_format::{PackView, ResourceId};
use rres_test_data::picture::plain_bmp;

use super::Project;

const RULES: &[u8] = b"[\"ui/*\"]\nimage = { atlas = \"ui\" }\n[group.ui]\ninclude = \"ui/*\"\n";

fn project() -> Project {
    Project::new(&[
        ("ui/a.bmp", &plain_bmp(5, 3, [255, 0, 0])),
        ("ui/b.bmp", &plain_bmp(2, 9, [0, 255, 0])),
        ("ui/c.bmp", &plain_bmp(4, 4, [0, 0, 255])),
        ("other.bmp", &plain_bmp(3, 3, [9, 9, 9])),
        ("assets.toml", RULES),
    ])
}

/// A sprite of a pack: its rectangle, the path of its page, and its pixels.
type Found = (SpriteProps, String, Vec<u8>);

/// The sprites of a pack by path. Checks that each is on its page.
fn sprites(pack: &[u8]) -> BTreeMap<String, Found> {
    let view = PackView::parse(pack).unwrap();
    let index = view.index().unwrap();
    let decode = |id| view.find(id).unwrap().unwrap().decode(&mut Default::default()).unwrap();
    let path_of =
        |id: ResourceId| index.entries().map(Result::unwrap).find(|entry| entry.id == id).unwrap().path.to_owned();
    let mut found = BTreeMap::new();
    let entries = (0..).zip(index.entries().map(Result::unwrap));
    for (slot, entry) in entries.filter(|(_, entry)| entry.kind == Some(AssetKind::Sprite)) {
        let props = SpriteProps::parse(decode(entry.id).view().unwrap()).unwrap();
        let page = index.dependencies(slot).unwrap().next().unwrap();
        let block = decode(page);
        let image = ImageView::parse(block.view().unwrap()).unwrap();
        let pixel = image.props().format.bytes_per_pixel().unwrap() as usize;
        let row = image.props().width as usize * pixel;
        let rows = image.data().chunks_exact(row).skip(props.y as usize).take(props.height as usize);
        let pixels = rows.flat_map(|row| &row[props.x as usize * pixel..][..props.width as usize * pixel]).copied();
        found.insert(entry.path.to_owned(), (props, path_of(page), pixels.collect()));
    }
    found
}

#[test]
fn images_become_sprites_of_one_image() {
    let project = project();
    let report = project.run();
    let found = sprites(&fs::read(&report.packs[0]).unwrap());
    let all: Vec<_> = found
        .iter()
        .map(|(path, (props, page, pixels))| {
            (path.as_str(), (props.width, props.height), page.as_str(), &pixels[..3], pixels.len())
        })
        .collect();
    assert_eq!(
        all,
        [
            ("ui/a.bmp", (5, 3), "ui.atlas", &[255, 0, 0][..], 45),
            ("ui/b.bmp", (2, 9), "ui.atlas", &[0, 255, 0][..], 54),
            ("ui/c.bmp", (4, 4), "ui.atlas", &[0, 0, 255][..], 48),
        ]
    );
    assert!(found.values().all(|(.., pixels)| pixels.chunks_exact(3).all(|pixel| pixel == &pixels[..3])));
    let module = project.module();
    for part in
        ["pub const A_BMP: SpriteId", "pub const UI_ATLAS: ImageId", "pub const OTHER_BMP: ImageId", " of ui.atlas"]
    {
        assert!(module.contains(part), "{part} in {module}");
    }
    // What sprites need is not unused.
    assert!(module.lines().any(|line| line.contains("UI_ATLAS") && line.ends_with("// needed by other assets")));
    let kinds: BTreeMap<_, _> = report.assets.iter().map(|asset| (asset.path.as_str(), asset.kind)).collect();
    assert_eq!(kinds["ui/a.bmp"], AssetKind::Sprite);
    assert_eq!((kinds["ui.atlas"], kinds["other.bmp"]), (AssetKind::Image, AssetKind::Image));
}

#[test]
fn the_same_images_give_the_same_pack_whoever_made_the_pages() {
    let (first, second) = (project(), project());
    let pack = |project: &Project| fs::read(&project.run().packs[0]).unwrap();
    let cold = pack(&first);
    assert_eq!(pack(&first), cold, "from the cache");
    assert_eq!(pack(&second), cold, "in another directory, from another cache");
    // A change of one image imports one image, and leaves the rest of the atlas as it was.
    first.write("ui/b.bmp", &plain_bmp(2, 9, [3, 2, 1]));
    let report = first.run();
    let found = sprites(&fs::read(&report.packs[0]).unwrap());
    assert_eq!(found["ui/b.bmp"].2[..3], [3, 2, 1]);
    assert_eq!(found["ui/a.bmp"], sprites(&cold)["ui/a.bmp"]);
    let new = report.assets.iter().filter(|asset| !asset.cached).map(|asset| asset.path.as_str());
    assert_eq!(new.collect::<Vec<_>>(), ["ui.atlas", "ui/b.bmp"]);
}

#[test]
fn several_atlases_are_the_same_on_any_number_of_threads_and_in_any_memory() {
    let pack = |threads: usize, memory: u64| {
        let project = Project::new(&[("other.bmp", &plain_bmp(3, 3, [9, 9, 9]))]);
        let mut rules = String::new();
        for folder in 0..12 {
            for image in 0..4 {
                let name = format!("{folder}/{image}.bmp");
                project.write(&name, &plain_bmp(3 + folder, 2 + image, [7, image as u8, folder as u8]));
            }
            rules += &format!("[\"{folder}/*\"]\nimage = {{ atlas = \"atlas {folder}\" }}\n");
        }
        project.write("assets.toml", rules.as_bytes());
        fs::read(&project.build().threads(threads).memory(memory).build().unwrap().packs[0]).unwrap()
    };
    let alone = pack(1, u64::MAX);
    assert_eq!(sprites(&alone).len(), 48);
    assert!(pack(8, u64::MAX) == alone, "eight threads");
    assert!(pack(8, 1) == alone, "one atlas at a time");
}

#[test]
fn images_that_do_not_fit_one_page_go_to_several() {
    let project = project();
    project.write("assets.toml", b"[\"ui/*\"]\nimage = { atlas = \"ui\", atlas_size = 16, atlas_gap = 4 }\n");
    let found = sprites(&fs::read(&project.run().packs[0]).unwrap());
    let pages: Vec<&str> = found.values().map(|(_, page, _)| page.as_str()).collect();
    assert!(pages.contains(&"ui.atlas") && pages.contains(&"ui.atlas#page/1"), "{pages:?}");
    assert!(project.module().contains("pub mod page {"), "{}", project.module());
    assert!(found.values().all(|(.., pixels)| pixels.chunks_exact(3).all(|pixel| pixel == &pixels[..3])));
}

#[test]
fn what_an_atlas_cannot_hold_is_refused_with_what_to_do() {
    let message = |rules: &str| {
        let project = project();
        project.write("assets.toml", rules.as_bytes());
        project.fail().to_string()
    };
    let too_large = message("[\"ui/*\"]\nimage = { atlas = \"ui\", atlas_size = 16, atlas_extrude = 4 }\n");
    assert!(too_large.contains("b.bmp: does not fit its atlas: 2×9 pixels, 4 repeated on each side"), "{too_large}");
    assert!(too_large.contains("help: raise `image.atlas_size`"), "{too_large}");
    let mixed = message("[\"ui/*\"]\nimage = { atlas = \"ui\" }\n[\"ui/c.bmp\"]\nimage = { filter = \"nearest\" }\n");
    assert!(mixed.contains("c.bmp: has another filter than \"ui/a.bmp\", which is in the same atlas"), "{mixed}");

    let taken = project();
    taken.write("ui.atlas", b"a file");
    let taken = taken.fail().to_string();
    assert!(taken.contains("ui.atlas: has the path of an atlas"), "{taken}");
}

/// Asking for one image imports the others of its atlas, since they decide where it is.
#[test]
fn an_explanation_of_a_sprite_is_what_the_build_makes_of_it() {
    let project = project();
    project.run();
    let explained = project.build().explain(&["ui/c.bmp".to_owned()]).unwrap();
    let [sprite] = &explained.explanations[..] else { panic!("{explained:?}") };
    let shown = format!("{sprite:?}");
    let summary = project.module().lines().find(|line| line.contains("`ui/c.bmp`")).unwrap().to_owned();
    let (_, summary) = summary.split_once("`: ").unwrap();
    assert!(shown.contains(summary.split(" of ").next().unwrap()), "{summary} in {shown}");
}

#[cfg(feature = "model")]
#[test]
fn a_model_cannot_use_a_sprite_as_its_texture() {
    let project = project();
    let model = r#"{
        "asset": { "version": "2.0" }, "images": [{ "uri": "ui/a.bmp" }], "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "buffers": [{ "byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }]
    }"#;
    project.write("box.gltf", model.as_bytes());
    let message = project.fail().to_string();
    assert!(
        message.contains("box.gltf: needs \"ui/a.bmp\" as an image, and a rule puts that into \"ui.atlas\""),
        "{message}"
    );
}
