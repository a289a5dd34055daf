//! Shapes are closed, their normals point out, and their triangles face the way of their normals.

use std::collections::HashMap;

use rres_format::AssetKind;
use rres_format::chunk::PayloadView;
use rres_format::chunk::image::ImageView;
use rres_import::{Encoders, MemoryFiles};
use rres_settings::Settings;

use super::mesh::Mesh;
use super::*;

/// What encodes decoded content in the tests.
const ENCODERS: Encoders = Encoders {
    images: Some(&rres_import_image::ImageImporter),
    sounds: None,
    models: Some(&rres_import_model::ModelImporter),
};

fn files(path: &str, description: &str) -> MemoryFiles {
    MemoryFiles::new([(path, description)]).with_encoders(ENCODERS)
}

/// What a description makes, or its error.
fn generate(description: &str) -> Result<Asset, String> {
    let assets = files("a/b.generate", description).import(&GeneratedImporter, "a/b.generate");
    assets.map(|mut assets| assets.remove(0)).map_err(|error| error.to_string())
}

fn mesh(description: &str) -> Mesh {
    let (settings, mut files) = (Settings::default(), MemoryFiles::default());
    match description::read(&Source::new("a.generate", description.as_bytes(), &settings, &mut files)).unwrap() {
        Description::Shape(shape) => shape.mesh(),
        Description::Pattern(_) => panic!("{description} is a pattern"),
    }
}

const SHAPES: [&str; 11] = [
    "shape = 'cube'",
    "shape = 'cube'\nsize = [1, 2, 3]\ndivisions = 3",
    "shape = 'sphere'",
    "shape = 'sphere'\nsegments = 3\nrings = 2",
    "shape = 'cylinder'",
    "shape = 'cone'\nheight = 3\nsegments = 5",
    "shape = 'capsule'",
    "shape = 'capsule'\nheight = 1.0",
    "shape = 'torus'",
    "shape = 'skybox'",
    "shape = 'cylinder'\nradius = 2\nheight = 0.5\nsegments = 3",
];

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn cross([ax, ay, az]: [f32; 3], [bx, by, bz]: [f32; 3]) -> [f32; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn solids_are_closed() {
    for description in SHAPES {
        let Mesh { positions, indices, .. } = mesh(description);
        let mut edges: HashMap<[[u32; 3]; 2], i32> = HashMap::new();
        for triangle in indices.as_chunks::<3>().0 {
            let corners = triangle.map(|index| positions[index as usize].map(f32::to_bits));
            for i in 0..3 {
                let (from, to) = (corners[i], corners[(i + 1) % 3]);
                assert_ne!(from, to, "{description}");
                // An edge and the same edge in the other direction cancel each other out.
                let (key, sign) = if from < to { ([from, to], 1) } else { ([to, from], -1) };
                *edges.entry(key).or_default() += sign;
            }
        }
        assert!(edges.values().all(|count| *count == 0), "{description} has holes");
    }
}

#[test]
fn triangles_face_the_way_of_their_normals() {
    for description in SHAPES.iter().chain(&["shape = 'plane'", "shape = 'quad'"]) {
        let Mesh { positions, normals, tangents, uvs, indices } = mesh(description);
        assert!(uvs.as_flattened().iter().all(|value| (0.0..=1.0).contains(value)), "{description}");
        for triangle in indices.as_chunks::<3>().0 {
            let corner = |i: usize| triangle[i] as usize;
            let [a, b, c] = [0, 1, 2].map(|i| positions[corner(i)]);
            let front = cross(minus(b, a), minus(c, a));
            for i in 0..3 {
                let normal = normals[corner(i)];
                assert!((dot(normal, normal) - 1.0).abs() < 1e-5, "{description}");
                assert!(dot(front, normal) > 0.0, "{description}: {a:?} {b:?} {c:?} {normal:?}");
                let [x, y, z, sign] = tangents[corner(i)];
                assert!((dot([x, y, z], [x, y, z]) - 1.0).abs() < 1e-5 && sign == 1.0, "{description}");
                assert!(dot([x, y, z], normal).abs() < 1e-5, "{description}");
            }
            // The texture is not mirrored: to the right and up are as the tangent and the bitangent.
            let [ta, tb, tc] = [0, 1, 2].map(|i| uvs[corner(i)]);
            let area = (tb[0] - ta[0]) * (tc[1] - ta[1]) - (tb[1] - ta[1]) * (tc[0] - ta[0]);
            assert!(area <= 1e-6, "{description}: {ta:?} {tb:?} {tc:?}");
        }
    }
}

#[test]
fn measures_are_those_of_the_description() {
    for (description, size) in [
        ("shape = 'cube'\nsize = [1, 2, 3]", [1.0, 2.0, 3.0]),
        ("shape = 'skybox'\nsize = 10", [10.0; 3]),
        ("shape = 'sphere'\nradius = 2", [4.0; 3]),
        ("shape = 'plane'\nsize = [2, 5]", [2.0, 0.0, 5.0]),
        ("shape = 'quad'\nsize = [2, 5]", [2.0, 5.0, 0.0]),
        ("shape = 'cylinder'\nradius = 2\nheight = 3", [4.0, 3.0, 4.0]),
        ("shape = 'cone'\nradius = 2\nheight = 3", [4.0, 3.0, 4.0]),
        ("shape = 'capsule'\nradius = 2\nheight = 7", [4.0, 7.0, 4.0]),
        ("shape = 'torus'\nradius = 2\ntube = 0.5", [5.0, 1.0, 5.0]),
    ] {
        let Mesh { positions, .. } = mesh(description);
        for (axis, size) in size.into_iter().enumerate() {
            let values = || positions.iter().map(|position| position[axis]);
            let (low, high) = (values().reduce(f32::min).unwrap(), values().reduce(f32::max).unwrap());
            assert_eq!((low, high), (-size / 2.0, size / 2.0), "{description}");
        }
    }
}

#[test]
fn models_say_what_they_are() {
    let model = generate("shape = 'cube'").unwrap();
    assert_eq!((model.kind, model.summary.as_str()), (AssetKind::Model, "cube, 12 triangles"));
    assert_eq!(model.blocks.len(), 6);
    let large = generate("shape = 'sphere'\nsegments = 512\nrings = 512").unwrap();
    assert_eq!(large.summary, "sphere, 523264 triangles");
}

#[test]
fn indices_of_16_bits_are_below_65_535() {
    use rres_format::chunk::vertex::{VertexFormat, VertexView};

    for (divisions, format) in [(254, VertexFormat::USHORT), (255, VertexFormat::UINT)] {
        let model = generate(&format!("shape = 'plane'\ndivisions = {divisions}")).unwrap();
        let indices = VertexView::parse(PayloadView::parse(&model.blocks[4].bytes).unwrap()).unwrap();
        assert_eq!(indices.props().format, format, "{divisions}");
    }
}

#[test]
fn each_shape_is_the_same_on_every_machine() {
    let crc = |description: &str| {
        let model = generate(description).unwrap();
        let mut all = crc32fast::Hasher::new();
        model.blocks.iter().for_each(|block| all.update(&block.bytes));
        all.finalize()
    };
    let all = || shapes::WORDS.iter().map(|(kind, _)| (*kind, crc(&format!("shape = '{kind}'")))).collect::<Vec<_>>();
    assert_eq!(all(), all());
    let expected = [
        ("cube", 0x32fb_bcb6),
        ("skybox", 0x7c8b_b0c1),
        ("sphere", 0xf515_80e0),
        ("plane", 0xef6f_95d0),
        ("quad", 0x84b1_ccaa),
        ("cylinder", 0x480d_2d3f),
        ("cone", 0x3e27_92e2),
        ("capsule", 0x94fc_c1d8),
        ("torus", 0x9a2b_9282),
    ];
    assert_eq!(all(), expected);
}

#[test]
fn patterns_are_images() {
    let pixels = |description: &str| {
        let image = generate(description).unwrap();
        let view = ImageView::parse(PayloadView::parse(&image.blocks[0].bytes).unwrap()).unwrap();
        (image.summary, view.data().to_vec())
    };
    assert_eq!(pixels("image = 'color'"), ("1×1 RGB8".into(), vec![255; 3]));
    assert_eq!(pixels("image = 'color'\ncolor = '#01020304'"), ("1×1 RGBA8".into(), vec![1, 2, 3, 4]));
    let checker = "image = 'checker'\nsize = 2\ncells = 2\ncolors = ['#000000', '#010101']";
    assert_eq!(pixels(checker), ("2×2 RGB8".into(), [0, 1, 1, 0].map(|v| [v; 3]).concat()));
    let gradient = "image = 'gradient'\nsize = [1, 3]\ncolors = ['#000000', '#c86464']";
    assert_eq!(pixels(gradient).1, [0, 0, 0, 100, 50, 50, 200, 100, 100]);
}

#[test]
fn mistakes_are_named() {
    for (description, message) in [
        ("", "a .generate file says what to make with `shape` or `image`, found neither"),
        ("shape = 'cube'\nimage = 'color'", "one file makes one asset, found `shape` and `image`"),
        ("shape = 'cude'", "unknown value \"cude\" for `shape`, expected one of \"cube\","),
        (
            "shape = 'cube'\nradius = 1",
            "unknown key `radius` in the shape \"cube\", expected one of shape, size, divisions",
        ),
        ("shape = 'sphere'\nradius = -1", "out of range: -1 for `radius`, expected 0.000001 to 1000000"),
        ("shape = 'sphere'\nsegments = 100000", "out of range: 100000 for `segments`, expected 3 to 512"),
        ("shape = 'cube'\nsize = [1, 2]", "wrong number of values for `size`: found 2, expected 1 or 3"),
        ("shape = 'capsule'\nheight = 0.5", "a capsule with the radius 0.5 is at least 1 high, found 0.5"),
        ("image = 'color'\ncolor = 'red'", "bad colour \"red\" for `color`, expected \"#rrggbb\" or \"#rrggbbaa\""),
        (
            "image = 'checker'\ncolors = '#ffffff'",
            "wrong type for `colors`: found a string, expected an array of two colours",
        ),
        ("image = 'checker'\ncells = 7", "[7, 7] squares do not divide [64, 64] pixels"),
        ("image = 'color'\nsize = 64.9", "wrong type for `size`: found a float, expected an integer"),
        ("shape = ", "invalid TOML"),
        ("shape = 'sphere'\nradius = nan", "out of range: nan for `radius`"),
    ] {
        let found = generate(description).map(|asset| asset.summary).unwrap_err();
        assert!(found.starts_with(message), "{description}: {found}");
    }
}

#[test]
fn settings_of_models_change_shapes() {
    use rres_format::FourCc;
    use rres_format::chunk::model::ModelView;
    use rres_format::chunk::scene::SceneView;
    use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexView};
    use rres_settings::{MeshletSize, NormalFormat};

    let mut settings = Settings::default();
    settings.model.scale = 2.0;
    settings.model.lods = vec![0.5];
    settings.model.meshlets = Some(MeshletSize::default());
    settings.model.normal_format = NormalFormat::Snorm8;
    let made = files("a.generate", "shape = 'sphere'")
        .with_settings(&settings)
        .import(&GeneratedImporter, "a.generate")
        .unwrap();
    let kinds: Vec<_> = made[0].blocks.iter().map(|block| (block.kind, block.linked)).collect();
    let vertices = [true, true, true, true, false, false].map(|linked| (FourCc::VRTX, linked));
    assert_eq!(kinds, [&vertices[..], &[(FourCc::MODL, false), (FourCc::SCNE, false)]].concat());
    let payload = |number: usize| PayloadView::parse(&made[0].blocks[number].bytes).unwrap();
    let primitive = ModelView::parse(payload(6)).unwrap().primitives().next().unwrap();
    assert_eq!((primitive.attributes, primitive.minimum[1], primitive.maximum[1]), (6, -1.0, 1.0));
    let attributes: Vec<_> = (0..6).map(|number| VertexView::parse(payload(number)).unwrap().props()).collect();
    assert_eq!((attributes[2].attribute, attributes[2].format), (VertexAttribute::NORMAL, VertexFormat::BYTE));
    assert_eq!(attributes[5].attribute, VertexAttribute::lod(0));
    let scene = SceneView::parse(payload(7)).unwrap();
    let lists: Vec<_> = scene.meshlet_lists().map(|list| (list.level, list.triangles * 3)).collect();
    assert_eq!(lists, [(0, attributes[4].count), (1, attributes[5].count)]);
    // Without such settings nothing is added.
    assert_eq!(generate("shape = 'sphere'").unwrap().blocks.len(), 6);
}
