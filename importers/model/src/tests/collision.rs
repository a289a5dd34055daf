//! The setting `model.collision`.

use rres_format::FourCc;
use rres_format::chunk::PayloadView;
use rres_format::chunk::collision::{CollisionView, ShapeKind};
use rres_import::{Asset, ImportError, Importer as _, MemoryFiles, Source};
use rres_settings::{Collision, Settings};

use super::super::ModelImporter;

/// A cube, and a square as a mesh of its own.
const CUBE_AND_SQUARE: &str = "o cube
v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1
f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6
o square
v 0 0 5\nv 1 0 5\nv 1 1 5\nv 0 1 5
f 9 10 11 12
";

fn import(text: &str, change: impl FnOnce(&mut Settings)) -> Result<Asset, ImportError> {
    let mut settings = Settings::default();
    change(&mut settings);
    let mut files = MemoryFiles::default();
    let assets = ModelImporter.import(&mut Source::new("a.obj", text.as_bytes(), &settings, &mut files))?;
    Ok(assets.into_iter().next().unwrap())
}

/// The mesh, kind, vertices and triangles of each shape.
fn shapes(model: &Asset) -> Vec<(u32, ShapeKind, u32, u32)> {
    let Some(block) = model.blocks.iter().find(|block| block.kind == FourCc::COLL) else { return Vec::new() };
    assert!(!block.linked);
    let view = CollisionView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
    view.shapes().map(|shape| shape.record).map(|r| (r.mesh, r.kind, r.vertices, r.triangles)).collect()
}

#[test]
fn no_model_has_shapes_by_default() {
    assert!(shapes(&import(CUBE_AND_SQUARE, |_| {}).unwrap()).is_empty());
}

#[cfg(not(feature = "collision"))]
#[test]
fn without_the_feature_the_error_names_it() {
    let error = import(CUBE_AND_SQUARE, |settings| settings.model.collision = Some(Collision::default())).unwrap_err();
    assert!(error.to_string().contains("the feature `collision` of rres-build is disabled"), "{error}");
}

#[cfg(feature = "collision")]
mod enabled {
    use rres_import::ModelEncoder as _;
    use rres_settings::{CollisionKind, PositionFormat};

    use super::*;

    fn with(text: &str, collision: impl Into<Collision>) -> Asset {
        let collision = collision.into();
        import(text, |settings| settings.model.collision = Some(collision)).unwrap()
    }

    const SQUARE: (u32, ShapeKind, u32, u32) = (1, ShapeKind::TRIANGLES, 4, 2);

    #[test]
    fn each_mesh_has_a_hull_or_the_triangles_that_it_has_in_place_of_one() {
        let model = with(CUBE_AND_SQUARE, CollisionKind::Hull);
        assert_eq!(shapes(&model), [(0, ShapeKind::CONVEX, 8, 12), SQUARE]);
        let [note] = &model.notes[..] else { panic!("{:?}", model.notes) };
        let text = format!("{note:?}");
        assert!(text.contains("1 mesh that is flat, which keeps its triangles"), "{text}");
        assert_eq!(shapes(&with(CUBE_AND_SQUARE, CollisionKind::Parts)), shapes(&model));
        let small = with(CUBE_AND_SQUARE, Collision { vertices: 5, ..Collision::default() });
        assert_eq!(shapes(&small)[0].2, 5);
    }

    #[test]
    fn triangles_have_each_position_once() {
        let model = with(CUBE_AND_SQUARE, CollisionKind::Triangles);
        assert_eq!(shapes(&model), [(0, ShapeKind::TRIANGLES, 8, 12), SQUARE]);
        assert!(model.notes.is_empty());
    }

    #[test]
    fn shapes_are_of_the_vertices_as_they_are_stored() {
        let bounds = |change: fn(&mut Settings)| {
            let model = import(CUBE_AND_SQUARE, |settings| {
                settings.model.collision = Some(Collision::default());
                change(settings);
            });
            let model = model.unwrap();
            let block = model.blocks.iter().find(|block| block.kind == FourCc::COLL).unwrap();
            let view = CollisionView::parse(PayloadView::parse(&block.bytes).unwrap()).unwrap();
            let first = view.shapes().next().unwrap();
            let axes = first.vertices.as_chunks().0.iter().map(|axis| f32::from_le_bytes(*axis));
            (axes.clone().fold(f32::INFINITY, f32::min), axes.fold(f32::NEG_INFINITY, f32::max))
        };
        assert_eq!(bounds(|_| {}), (0.0, 1.0));
        assert_eq!(bounds(|settings| settings.model.scale = 3.0), (0.0, 3.0));
        assert_eq!(bounds(|settings| settings.model.positions = PositionFormat::Unorm16), (0.0, 1.0));
        assert_eq!(bounds(|settings| settings.model.positions = PositionFormat::F16), (0.0, 1.0));
        assert_eq!(bounds(|settings| settings.model.optimize = true), (0.0, 1.0));
    }

    #[test]
    fn models_of_other_importers_get_the_same_shapes() {
        let mut assets = [import(CUBE_AND_SQUARE, |_| {}).unwrap()];
        let mut settings = Settings::default();
        settings.model.collision = Some(CollisionKind::Hull.into());
        for _ in 0..2 {
            ModelImporter.apply(&mut assets, &settings.model).unwrap();
            assert_eq!(shapes(&assets[0]), shapes(&with(CUBE_AND_SQUARE, CollisionKind::Hull)));
        }
    }

    #[test]
    fn meshes_without_triangles_are_named() {
        let lines = "o line\nv 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n";
        let model = with(lines, CollisionKind::Hull);
        assert!(shapes(&model).is_empty());
        let text = format!("{:?}", model.notes);
        assert!(text.contains("1 mesh without triangles, which gets none"), "{text}");
    }
}
