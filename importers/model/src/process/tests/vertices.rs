//! Normals, tangents, scale, formats.

use rres_format::chunk::model::ModelView;
use rres_settings::{NormalFormat, PositionFormat, TexCoordFormat};

use super::*;

const ROOF: &str = "v 0 0 0\nv 1 1 0\nv 1 1 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\nf 4 3 2 1\nf 3 6 5 2\n";

#[test]
fn normals_are_made_only_where_there_are_none() {
    let plain = import(ROOF, &Settings::default()).unwrap();
    assert!(attributes(&plain).iter().all(|(props, _)| props.attribute != VertexAttribute::NORMAL));
    let half = 0.5f32.sqrt();
    let flat = import(ROOF, &settings(|s| s.normals = NormalMode::Flat)).unwrap();
    let normals = numbers::<3>(&flat, VertexAttribute::NORMAL);
    assert_eq!(normals, [[[-half, half, 0.0]; 4], [[half, half, 0.0]; 4]].concat(), "a square has four vertices");
    assert_eq!(numbers::<3>(&flat, VertexAttribute::POSITION).len(), 8);
    let smooth = import(ROOF, &settings(|s| s.normals = NormalMode::Smooth)).unwrap();
    let normals = numbers::<3>(&smooth, VertexAttribute::NORMAL);
    assert_eq!((normals.len(), normals[1].map(|axis| axis.abs() < 1e-6)), (6, [true, false, true]));
    // The normals of the file stay.
    let own = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 0 0\nf 1//1 2//1 3//1\n";
    for mode in [NormalMode::Flat, NormalMode::Smooth] {
        let model = import(own, &settings(|s| s.normals = mode)).unwrap();
        assert_eq!(numbers::<3>(&model, VertexAttribute::NORMAL), [[1.0, 0.0, 0.0]; 3]);
    }
}

#[test]
fn a_seam_of_texture_coordinates_does_not_split_smooth_normals() {
    let text =
        "v 0 0 0\nv 1 1 0\nv 1 1 1\nv 0 0 1\nv 2 0 0\nv 2 0 1\nvt 0 0\nvt 1 1\nf 4/1 3/1 2/1 1/1\nf 3/2 6/2 5/2 2/2\n";
    let model = import(text, &settings(|s| s.normals = NormalMode::Smooth)).unwrap();
    let (positions, normals) =
        (numbers::<3>(&model, VertexAttribute::POSITION), numbers::<3>(&model, VertexAttribute::NORMAL));
    let ridge: Vec<_> =
        positions.iter().zip(&normals).filter(|(position, _)| position[1] == 1.0).map(|(_, n)| *n).collect();
    assert_eq!(ridge.len(), 4);
    assert!(ridge.iter().all(|[x, y, z]| x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6 && *z == 0.0), "{ridge:?}");
}

#[test]
fn smooth_normals_of_faces_back_to_back_point_away_from_each() {
    // Other texture coordinates make other vertices of the back.
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/1 3/1\nf 3/2 2/2 1/2\n";
    let model = import(text, &settings(|s| s.normals = NormalMode::Smooth)).unwrap();
    let normals = numbers::<3>(&model, VertexAttribute::NORMAL);
    assert_eq!(normals, [[[0.0, 0.0, 1.0]; 3], [[0.0, 0.0, -1.0]; 3]].concat());
}

#[test]
fn both_sides_of_a_surface_that_share_vertices_have_the_normal_of_one() {
    let text = "v 0.1 0.3 0\nv 1.7 0.2 0.9\nv 0.3 1.1 0.4\nv 1.3 1.2 0.8\nf 1 2 3\nf 3 2 1\nf 2 4 3\nf 3 4 2\n";
    let one_side = text.lines().filter(|line| !matches!(*line, "f 3 2 1" | "f 3 4 2")).collect::<Vec<_>>().join("\n");
    let smooth = settings(|s| s.normals = NormalMode::Smooth);
    let [both, one] =
        [text, &one_side].map(|text| numbers::<3>(&import(text, &smooth).unwrap(), VertexAttribute::NORMAL));
    for (both, one) in both.iter().zip(&one) {
        let cosine: f32 = both.iter().zip(one).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.9, "{both:?} is not near {one:?}");
    }
}

#[test]
fn tangents_point_along_the_texture_with_the_sign_of_gltf() {
    // Seen from +z, u goes to the right, and v to the top in OBJ.
    let square =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\nf 1/1/1 2/2/1 3/3/1 4/4/1\n";
    let generate = settings(|s| s.tangents = TangentMode::Generate);
    let model = import(square, &generate).unwrap();
    assert_eq!(numbers::<4>(&model, VertexAttribute::TANGENT), [[1.0, 0.0, 0.0, 1.0]; 4]);
    // The other half of a mirrored texture has the other sign, and vertices between both are split.
    let mirrored = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n\
                    f 1/1/1 2/2/1 3/3/1 4/4/1\nf 2/2/1 5/1/1 6/4/1 3/3/1\n";
    let model = import(mirrored, &generate).unwrap();
    let tangents = numbers::<4>(&model, VertexAttribute::TANGENT);
    assert_eq!(tangents, [[[1.0, 0.0, 0.0, 1.0]; 4], [[-1.0, 0.0, 0.0, -1.0]; 4]].concat());
    // Without normals or texture coordinates there is nothing to make them of.
    let model = import(ROOF, &generate).unwrap();
    assert!(attributes(&model).iter().all(|(props, _)| props.attribute != VertexAttribute::TANGENT));
    // A texture without extent has no direction.
    let model = import(&square.replace("vt 1", "vt 0"), &generate).unwrap();
    assert!(numbers::<4>(&model, VertexAttribute::TANGENT).iter().flatten().all(|number| number.is_finite()));
}

#[test]
fn scale_multiplies_positions_and_bounds() {
    let model = import(ROOF, &settings(|s| s.scale = 0.5)).unwrap();
    assert_eq!(numbers::<3>(&model, VertexAttribute::POSITION)[1], [0.5, 0.5, 0.5]);
    let block = model.blocks.iter().rev().nth(1).unwrap();
    let view = ModelView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
    let primitive = view.primitives().next().unwrap();
    assert_eq!((primitive.minimum, primitive.maximum), ([0.0; 3], [1.0, 0.5, 0.5]));
    let error = import("v 1e38 0 0\nf 1 1 1\n", &settings(|s| s.scale = 1e6)).map(|_| ()).unwrap_err();
    assert!(
        error.to_string().ends_with("vertex 0 is beyond what a float holds when it is scaled by 1000000"),
        "{error}"
    );
}

#[test]
fn formats_are_those_of_the_settings() {
    let formats = settings(|s| {
        (s.positions, s.normal_format) = (PositionFormat::Unorm16, NormalFormat::Snorm8);
        (s.tex_coord_format, s.normals) = (TexCoordFormat::Unorm16, NormalMode::Smooth);
    });
    let model = import(&grid(4, |x, _| x), &formats).unwrap();
    let found: Vec<_> =
        attributes(&model).iter().map(|(p, data)| (p.attribute, p.components, p.format, data.len())).collect();
    assert_eq!(
        found,
        [
            (VertexAttribute::POSITION, 4, VertexFormat::USHORT, 25 * 8),
            (VertexAttribute::TEXCOORD1, 2, VertexFormat::USHORT, 25 * 4),
            (VertexAttribute::NORMAL, 4, VertexFormat::BYTE, 25 * 4),
            (VertexAttribute::INDEX, 1, VertexFormat::USHORT, 32 * 3 * 2),
        ]
    );
    // The primitives of a mesh are parts of one box, so that positions that they share are the same.
    let text = format!("{ROOF}usemtl b\nv 9 0 0\nf 1 2 9\n").replace("f 1 2 9", "f 1 2 7");
    let model = import(&text, &settings(|s| s.positions = PositionFormat::Unorm16)).unwrap();
    let positions: Vec<Vec<u8>> = attributes(&model)
        .into_iter()
        .filter(|(p, _)| p.attribute == VertexAttribute::POSITION)
        .map(|(_, d)| d)
        .collect();
    let of = |primitive: &[u8]| -> Vec<[u8; 8]> { primitive.as_chunks().0.to_vec() };
    let [first, second] = [of(&positions[0]), of(&positions[1])];
    assert_eq!(second.iter().filter(|position| first.contains(position)).count(), 2);
}
