//! Tests that import files as text, and compare the model with what the text says.

mod hostile;
mod materials;
mod polygons;

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::{ModelView, Topology};
use rres_format::chunk::vertex::{VertexAttribute, VertexView};
use rres_import::{Asset, ImportError, Importer as _, MemoryFiles as Files, Source};
use rres_settings::Settings;

use super::super::ModelImporter;

fn import_with(text: &[u8], files: &[(&str, &[u8])]) -> Result<Vec<Asset>, ImportError> {
    let mut inputs = Files::default();
    inputs.files.extend(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())));
    ModelImporter.import(&mut Source::new("models/a.obj", text, &Settings::default(), &mut inputs))
}

fn import(text: &str) -> Asset {
    import_with(text.as_bytes(), &[]).unwrap().remove(0)
}

/// Name, parent, mesh.
type NodeFields = (String, Option<u32>, Option<u32>);

/// A primitive: its fields, and the numbers of each attribute.
#[derive(Debug)]
struct Part {
    mesh: u32,
    material: Option<u32>,
    topology: Topology,
    attributes: Vec<(VertexAttribute, Vec<f32>)>,
    indices: Vec<u32>,
}

impl Part {
    fn get(&self, attribute: VertexAttribute) -> &[f32] {
        let found = self.attributes.iter().find(|(known, _)| *known == attribute);
        found.map(|(_, numbers)| &numbers[..]).unwrap_or_default()
    }
}

fn structure(model: &Asset) -> ModelView<'_> {
    let block = model.blocks.iter().rev().nth(1).unwrap();
    ModelView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap()
}

fn nodes(model: &Asset) -> Vec<NodeFields> {
    structure(model).nodes().map(|node| (node.name.to_owned(), node.parent, node.mesh)).collect()
}

fn parts(model: &Asset) -> Vec<Part> {
    let mut blocks = model.blocks.iter();
    let of_primitive = |primitive: rres_format::chunk::model::Primitive| {
        let mut part = Part {
            mesh: primitive.mesh,
            material: primitive.material,
            topology: primitive.topology,
            attributes: Vec::new(),
            indices: Vec::new(),
        };
        for block in blocks.by_ref().take(primitive.attributes as usize) {
            let view = VertexView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
            let (props, data) = (view.props(), view.data());
            match (props.attribute, props.format.size().unwrap()) {
                (VertexAttribute::INDEX, 2) => {
                    part.indices.extend(data.as_chunks().0.iter().map(|index| u32::from(u16::from_le_bytes(*index))));
                }
                (attribute, 1) => part.attributes.push((attribute, data.iter().map(|byte| f32::from(*byte)).collect())),
                (attribute, _) => {
                    let numbers = data.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
                    part.attributes.push((attribute, numbers));
                }
            }
        }
        part
    };
    structure(model).primitives().map(of_primitive).collect()
}

const SQUARE: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\n";

#[test]
fn corners_become_vertices_and_texture_coordinates_count_from_the_top() {
    let text = format!(
        "# a square\n{SQUARE}vt 0 0\nvt 1 0.25\nvn 0 0 1\nf 1/1/1 2/2/1 3/2/1 4/1/1\nf -4/1/-1 -3/-1/1 -2/2/1\n"
    );
    let model = import(&text);
    assert_eq!(model.summary, "1 mesh, 1 primitive, 3 triangles");
    assert!(model.notes.is_empty());
    let [part] = &parts(&model)[..] else { panic!() };
    assert_eq!(part.indices, [0, 1, 2, 0, 2, 3, 0, 1, 2]);
    assert_eq!(part.get(VertexAttribute::POSITION), [0., 0., 0., 2., 0., 0., 2., 1., 0., 0., 1., 0.]);
    assert_eq!(part.get(VertexAttribute::TEXCOORD1), [0., 1., 1., 0.75, 1., 0.75, 0., 1.]);
    assert_eq!(part.get(VertexAttribute::NORMAL), [0., 0., 1.].repeat(4));
    assert_eq!(nodes(&model), [(String::new(), None, Some(0))]);
}

#[test]
fn a_position_with_two_normals_is_two_vertices() {
    let model = import(&format!("{SQUARE}vn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 3//1 4//1"));
    let [part] = &parts(&model)[..] else { panic!() };
    assert_eq!(part.indices, [0, 1, 2, 3, 2, 4]);
    assert_eq!(part.get(VertexAttribute::NORMAL)[9..12], [1., 0., 0.]);
}

#[test]
fn objects_and_groups_are_nodes_and_materials_are_primitives() {
    let model = import(&format!(
        "{SQUARE}f 1 2 3\no Car\nusemtl red\nf 1 2 3\ng wheels\nf 1 2 4\nusemtl black\nf 2 3 4\nusemtl red\nf 1 3 4\n\
         o Tree\ng Tree\nf 1 2 3\no Car\ng wheels\nf 1 2 3\no empty\n"
    ));
    let named = |name: &str, parent, mesh| (name.to_owned(), parent, Some(mesh));
    assert_eq!(
        nodes(&model),
        [named("", None, 0), named("Car", None, 1), named("wheels", Some(1), 2), named("Tree", None, 3)]
    );
    let found: Vec<_> = parts(&model).iter().map(|p| (p.mesh, p.material, p.indices.len() / 3)).collect();
    assert_eq!(found, [(0, None, 1), (1, Some(0), 1), (2, Some(0), 3), (2, Some(1), 1), (3, Some(0), 1)]);
    let names: Vec<_> = model.parts.iter().map(|part| (part.index, &*part.name)).collect();
    assert_eq!(names, [(0, "red"), (1, "black"), (1, "Car"), (2, "wheels"), (3, "Tree")]);
}

#[test]
fn a_group_without_object_is_a_root() {
    let model = import(&format!("{SQUARE}g door frame\nf 1 2 3\ng\nf 1 2 3\n"));
    assert_eq!(nodes(&model), [("door frame".to_owned(), None, Some(0)), (String::new(), None, Some(1))]);
}

#[test]
fn lines_and_points_have_primitives_of_their_own() {
    let model = import(&format!("{SQUARE}l 1 2 3\nl 3 4\np 1 4\nf 1 2 3\n"));
    let parts = parts(&model);
    let found: Vec<_> = parts.iter().map(|part| (part.topology, &part.indices[..])).collect();
    assert_eq!(
        found,
        [
            (Topology::LINES, &[0, 1, 1, 2, 2, 3][..]),
            (Topology::POINTS, &[0, 1][..]),
            (Topology::TRIANGLES, &[0, 1, 2][..])
        ]
    );
}

#[test]
fn colors_follow_positions() {
    let model = import("v 0 0 0\nv 1 0 0 1 0.5 0\nv 0 1 0 1.0 0 0 1\nf 1 2 3\n");
    let [part] = &parts(&model)[..] else { panic!() };
    assert_eq!(part.get(VertexAttribute::COLOR), [255., 255., 255., 255., 255., 128., 0., 255., 0., 0., 255., 255.]);
}

#[test]
fn faces_without_normals_have_those_of_their_smoothing_group() {
    // A roof: two squares that meet at a right angle in the edge 2-3.
    let roof = "v 0 0 0\nv 1 1 0\nv 1 1 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\n";
    let normals = |faces: &str| {
        let model = import(&format!("{roof}{faces}"));
        let [part] = &parts(&model)[..] else { panic!() };
        part.get(VertexAttribute::NORMAL).to_vec()
    };
    // Without a smoothing group the file does not say, and there are none.
    assert!(normals("f 4 3 2 1\nf 3 6 5 2").is_empty());
    assert!(normals("s off\nf 4 3 2 1\nf 3 6 5 2").is_empty());
    let smooth = normals("s 1\nf 4 3 2 1\nf 3 6 5 2");
    assert_eq!(smooth.len(), 6 * 3, "the edge is shared");
    assert_eq!(smooth[3..6], [0., 1., 0.], "the average of both");
    let half = 0.5f32.sqrt();
    assert_eq!(smooth[..3], [-half, half, 0.]);
    let apart = normals("s 1\nf 4 3 2 1\ns 2\nf 3 6 5 2");
    assert_eq!(apart.len(), 8 * 3, "the edge is sharp");
    assert_eq!(apart[3..6], [-half, half, 0.]);
    // Back to back, the normals of both faces cancel each other out.
    let leaf = normals("s 1\nf 4 3 2 1\nf 1 2 3 4");
    assert_eq!(leaf, [[-half, half, 0.].repeat(4), [half, -half, 0.].repeat(4)].concat());
    let flat = normals("s 1\nf 4 3 2 1\ns off\nf 3 6 5 2");
    assert_eq!(flat[12..], [half, half, 0.].repeat(4));
}

#[test]
fn faces_with_and_without_texture_coordinates_are_primitives_of_their_own() {
    let model = import(&format!("{SQUARE}vt 0 0\nf 1/1 2/1 3/1\nf 1 2 3\n"));
    let found: Vec<_> = parts(&model).iter().map(|p| p.get(VertexAttribute::TEXCOORD1).len()).collect();
    assert_eq!(found, [6, 0]);
}

#[test]
fn lines_end_and_continue_in_every_way() {
    for text in [
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
        "\u{feff}v 0 0 0\n\tv 1 0 0 # the second\n\n  v 0 1 \\\n0\nf 1 \\\r\n 2\\\n 3\n",
    ] {
        let model = import(text);
        let [part] = &parts(&model)[..] else { panic!("{text:?}") };
        assert_eq!(part.get(VertexAttribute::POSITION), [0., 0., 0., 1., 0., 0., 0., 1., 0.], "{text:?}");
    }
}

#[test]
fn everything_that_is_left_out_is_named_once() {
    let model = import(&format!("{SQUARE}f 1 2 3\nvp 1 2\ncurv 0 1 1 2\ncurv 0 1 1 2\nlod 3\nmg 1 0.5\nwhatever\n"));
    let [note] = &model.notes[..] else { panic!("{:?}", model.notes) };
    assert_eq!(note.detail, "without `curv` × 2, `lod`, `mg`, `vp`, `whatever`");
}

#[test]
fn weights_and_third_texture_coordinates_are_named_unless_they_say_nothing() {
    let model = |text: &str| import(&format!("{SQUARE}{text}f 1/1 2/1 3/1\n"));
    assert!(model("v 0 0 0 1\nvt 0 0 0\n").notes.is_empty());
    let [note] = &model("v 0 0 0 0.5\nv 0 0 0 2 1 1 1\nvt 0 0 0.5\n").notes[..] else { panic!() };
    assert_eq!(note.detail, "without 2 weights of positions, 1 third texture coordinate");
}
