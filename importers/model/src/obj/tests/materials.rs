//! Libraries of materials and their textures.

use rres_format::chunk::scene::{Factor, SceneView, TextureRecord, TextureSlot};
use rres_import::Dependency;

use super::*;

const FACE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nmtllib a.mtl\nusemtl m\nf 1 2 3\n";

fn with_library(library: &str, textures: &[&str]) -> Result<Asset, ImportError> {
    let mut files: Vec<(&str, &[u8])> = vec![("models/a.mtl", library.as_bytes())];
    files.extend(textures.iter().map(|path| (*path, &b""[..])));
    import_with(FACE.as_bytes(), &files).map(|mut parts| parts.remove(0))
}

fn refusal(library: &str, textures: &[&str]) -> (String, Option<u32>) {
    let error = with_library(library, textures).map(|model| model.summary).unwrap_err();
    (error.to_string(), error.line())
}

fn scene(model: &Asset) -> SceneView<'_> {
    SceneView::parse(PayloadView::parse(&model.blocks.last().unwrap().bytes).unwrap()).unwrap()
}

fn factors(model: &Asset) -> Vec<(Factor, [f32; 3])> {
    scene(model).factors().map(|factor| (factor.factor, [factor.value[0], factor.value[1], factor.value[2]])).collect()
}

fn textures(model: &Asset) -> Vec<TextureRecord> {
    scene(model).textures().collect()
}

#[test]
fn numbers_become_those_of_physically_based_rendering() {
    let library = "newmtl m\nKa 1 1 1\nKd 0.5 0.25 1\nKs 0.5 0.5 0.5\nKe 0 4 2\nNs 6\nNi 1.33\nd 0.75\nillum 2\nPc 0.5\nPcr 0.25\nPm 0.125\n";
    let model = with_library(library, &[]).unwrap();
    assert!(model.notes.is_empty());
    let material = structure(&model).materials().next().unwrap();
    assert_eq!((material.name, material.base_color, material.base_color_image), ("m", [0.5, 0.25, 1.0, 0.75], None));
    // (2 / (6 + 2))^¼
    let roughness = 0.25f32.sqrt().sqrt();
    assert_eq!(
        factors(&model),
        [
            (Factor::ALPHA_MODE, [2.0, 0.0, 0.0]),
            (Factor::METALLIC, [0.125, 0.0, 0.0]),
            (Factor::ROUGHNESS, [roughness, 0.0, 0.0]),
            (Factor::EMISSIVE, [0.0, 1.0, 0.5]),
            (Factor::EMISSIVE_STRENGTH, [4.0, 0.0, 0.0]),
            (Factor::IOR, [1.33, 0.0, 0.0]),
            (Factor::SPECULAR_COLOR, [0.5; 3]),
            (Factor::CLEARCOAT, [0.5, 0.0, 0.0]),
            (Factor::CLEARCOAT_ROUGHNESS, [0.25, 0.0, 0.0]),
        ]
    );
}

#[test]
fn a_material_without_numbers_is_white_and_rough() {
    let model = with_library("newmtl other\nKd 1 0 0\nnewmtl m\nTr 0\n", &[]).unwrap();
    assert_eq!(structure(&model).materials().next().unwrap().base_color, [1.0; 4]);
    assert_eq!(factors(&model), [(Factor::METALLIC, [0.0; 3])]);
    assert_eq!(model.notes[0].detail, "without 1 material without faces");
    let model = with_library("newmtl m\nTr 0.75\nillum 0\nPr 0.5\nKd 0.5", &[]).unwrap();
    assert_eq!(structure(&model).materials().next().unwrap().base_color, [0.5, 0.5, 0.5, 0.25]);
    let expected = [(Factor::ALPHA_MODE, 2.0), (Factor::UNLIT, 1.0), (Factor::METALLIC, 0.0), (Factor::ROUGHNESS, 0.5)];
    assert_eq!(factors(&model), expected.map(|(factor, value)| (factor, [value, 0.0, 0.0])));
}

#[test]
fn textures_are_dependencies_with_the_way_they_are_sampled() {
    let library = "newmtl m\nmap_Kd -o 0.25 0.5 -s 2 4 1 ..\\tex\\my wood.png\nbump -bm 0.5 n.png\nmap_Ke -clamp on e.png\n\
                   map_Pr r.png\nmap_Pm r2.png\nmap_d o.png\nmap_Ks s.png\n";
    let all = ["tex/my wood.png", "models/n.png", "models/e.png", "models/r.png", "models/r2.png", "models/o.png"];
    let model = with_library(library, &[&all[..], &["models/s.png"]].concat()).unwrap();
    let path = |number: u32| match &model.dependencies[number as usize] {
        Dependency::Asset(path) => (path.as_str(), true),
        Dependency::Quantities(path) => (path.as_str(), false),
        other => panic!("{other:?}"),
    };
    let found: Vec<_> = textures(&model).iter().map(|texture| (texture.slot, path(texture.image))).collect();
    // Whether the numbers are colours.
    assert_eq!(
        found,
        [
            (TextureSlot::BASE_COLOR, ("../tex/my wood.png", true)),
            (TextureSlot::NORMAL, ("n.png", false)),
            (TextureSlot::EMISSIVE, ("e.png", true)),
            (TextureSlot::SPECULAR_COLOR, ("s.png", true)),
            (TextureSlot::ROUGHNESS, ("r.png", false)),
            (TextureSlot::METALLIC, ("r2.png", false)),
            (TextureSlot::OPACITY, ("o.png", false)),
        ]
    );
    let [color, normal, emissive, ..] = &textures(&model)[..] else { panic!() };
    // From the bottom, v becomes 4v + 0.5; from the top that is 4v + 1 - 4 - 0.5.
    assert_eq!((color.offset, color.scale), ([0.25, -3.5], [2.0, 4.0]));
    assert_eq!((normal.strength, normal.sampler), (0.5, [0, 0, 1, 1]));
    assert_eq!(emissive.sampler, [0, 0, 0, 0]);
    // A texture alone is not multiplied by what the file does not state.
    let factor = |wanted| factors(&model).into_iter().find(|(factor, _)| *factor == wanted);
    assert_eq!(factor(Factor::EMISSIVE), Some((Factor::EMISSIVE, [1.0; 3])));
    assert_eq!((factor(Factor::METALLIC), factor(Factor::ROUGHNESS)), (None, None), "1 is the default");
    assert_eq!(factor(Factor::ALPHA_MODE), Some((Factor::ALPHA_MODE, [2.0, 0.0, 0.0])));
}

#[test]
fn maps_that_are_one_picture_are_one_texture() {
    let library = "newmtl m\nmap_Kd c.png\nmap_d c.png\nmap_Pr r.png\nmap_Pm r.png\nnorm n.png\n";
    let model = with_library(library, &["models/c.png", "models/r.png", "models/n.png"]).unwrap();
    let found: Vec<_> = textures(&model).iter().map(|texture| texture.slot).collect();
    assert_eq!(found, [TextureSlot::BASE_COLOR, TextureSlot::METALLIC_ROUGHNESS, TextureSlot::NORMAL]);
    assert_eq!(model.dependencies.len(), 3);
}

#[test]
fn what_has_no_place_is_named() {
    let library = "newmtl m\nKa 0.1 0.2 0.3\nillum 4\nTf 1 1 1\nPs 0.5\nmap_Kd -colorspace sRGB -mm 0 1 -boost 2 c.png\nrefl -type sphere r.png\n\
                   Kd spectral x.rfl\nd -halo 0.5\nnorm n.png\nbump b.png\n";
    let model = with_library(library, &["models/c.png", "models/n.png", "models/b.png"]).unwrap();
    let expected = "without `-halo`, `Ka`, `Kd`, `Ps`, `Tf`, `illum`, `map_Bump`, `map_Kd -boost`, `map_Kd -colorspace`, `map_Kd -mm`, `refl`";
    assert_eq!(model.notes[0].detail, expected);
    assert_eq!(structure(&model).materials().next().unwrap().base_color[3], 0.5);
}

#[test]
fn what_is_missing_is_an_error_with_its_place() {
    let missing = refusal("newmtl m\n\nmap_Kd wood.png\n", &[]);
    assert_eq!(missing, ("a.mtl:3: `map_Kd` names wood.png, which does not exist".to_owned(), None));
    let other_case = with_library("newmtl m\nmap_Kd Wood.PNG\n", &["models/wood.png"]).map(|_| ()).unwrap_err();
    assert_eq!(other_case.help(), Some("the file is called models/wood.png: write it so in the MTL file"));
    let (outside, _) = refusal("newmtl m\nmap_Kd C:\\tex\\wood.png\n", &[]);
    assert_eq!(outside, "a.mtl:2: refers to \"C:/tex/wood.png\", which is not inside the assets directory");
    assert_eq!(refusal("newmtl m\nmap_Kd -o 1\n", &[]).0, "a.mtl:2: `map_Kd` has no file");
    assert_eq!(refusal("newmtl m\nKd 1 x 0\n", &[]), ("a.mtl:2: `Kd` has \"x\", expected a number".to_owned(), None));
    assert_eq!(refusal("newmtl m\nd nan\n", &[]).0, "a.mtl:2: `d` has \"nan\", expected a number");
}

#[test]
fn a_model_without_its_library_of_materials_is_imported_and_says_so() {
    let model = &import_with(FACE.as_bytes(), &[]).unwrap()[0];
    assert_eq!(model.notes[0].detail, "without the materials of a.mtl, which does not exist");
    assert_eq!(structure(model).materials().next().unwrap().name, "m");
}

#[test]
fn a_material_that_no_library_has_keeps_its_name() {
    let model = with_library("newmtl other\n", &[]).unwrap();
    assert_eq!(structure(&model).materials().next().unwrap().name, "m");
    assert_eq!(model.notes[0].detail, "without 1 material that no MTL file has, 1 material without faces");
    let model = import("v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl brick\nf 1 2 3\nusemtl None\nf 1 2 3\n");
    assert!(model.notes.is_empty());
    let found: Vec<_> = parts(&model).iter().map(|part| part.material).collect();
    assert_eq!((found, structure(&model).materials().len()), (vec![Some(0), None], 1));
}

#[test]
fn names_of_libraries_may_have_spaces_and_another_folder() {
    let face = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
    let library: &[u8] = b"newmtl m\nmap_Kd w.png\n";
    let one = format!("mtllib lib/my car.mtl\n{face}");
    let model = import_with(one.as_bytes(), &[("models/lib/my car.mtl", library), ("models/lib/w.png", b"")]).unwrap();
    assert_eq!(model[0].dependencies, [Dependency::Asset("lib/w.png".to_owned())]);
    let two = format!("mtllib empty.mtl b.mtl\n{face}");
    let files: &[(&str, &[u8])] = &[("models/empty.mtl", b""), ("models/b.mtl", library), ("models/w.png", b"")];
    assert_eq!(import_with(two.as_bytes(), files).unwrap()[0].dependencies.len(), 1);
    for names in ["no wheels.mtl my car.MTL", "no\\ wheels.mtl my\\ car.MTL"] {
        let several = format!("mtllib {names}\n{face}");
        let files: &[(&str, &[u8])] =
            &[("models/no wheels.mtl", b""), ("models/my car.MTL", library), ("models/w.png", b"")];
        assert_eq!(import_with(several.as_bytes(), files).unwrap()[0].dependencies.len(), 1, "{names}");
    }
}
