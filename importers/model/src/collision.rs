//! The setting `model.collision`: the shapes of the meshes for physics, in a COLL chunk.

use rres_format::{AssetKind, FourCc};
use rres_import::{Asset, ImportError};
use rres_settings::Collision;

/// Adds the shapes to every model among `assets`.
pub(super) fn apply(assets: &mut [Asset], collision: Option<Collision>) -> Result<(), ImportError> {
    let Some(collision) = collision else { return Ok(()) };
    for asset in assets.iter_mut().filter(|asset| asset.kind == AssetKind::Model) {
        // A model that comes from a pack may have some.
        asset.blocks.retain(|block| block.kind != FourCc::COLL);
        add(asset, collision).map_err(|error| match asset.name.as_str() {
            "" => error,
            name => error.within(name),
        })?;
    }
    Ok(())
}

#[cfg(not(feature = "collision"))]
fn add(_asset: &mut Asset, _collision: Collision) -> Result<(), ImportError> {
    let error = ImportError::new("would have collision shapes, but the feature `collision` of rres-build is disabled");
    let help = "enable it with `cargo add --build rres-build --features collision`, or remove `model.collision`";
    Err(error.with_help(help).without_fix())
}

#[cfg(feature = "collision")]
use enabled::add;

#[cfg(feature = "collision")]
mod enabled {
    use rres_format::chunk::PayloadView;
    use rres_format::chunk::collision::{Shape, ShapeKind, collision_block};
    use rres_format::chunk::model::{ModelView, Primitive};
    use rres_format::chunk::scene::SceneView;
    use rres_format::{Error, FourCc};
    use rres_import::{Asset, Block, ImportError, Note};
    use rres_settings::{Collision, CollisionKind};

    use super::super::counted;
    use super::super::process::{formats, geometry::Geometry};

    /// The shapes of all meshes.
    #[derive(Default)]
    struct Shapes {
        all: Vec<Shape>,
        /// How many meshes are flat, and so have their triangles in place of a solid.
        flat: u64,
        /// How many meshes have points and lines alone.
        without_triangles: u64,
    }

    pub(super) fn add(asset: &mut Asset, collision: Collision) -> Result<(), ImportError> {
        let invalid = |error: Error| ImportError::new(error.to_string());
        let Some(structure) = asset.blocks.iter().find(|block| block.kind == FourCc::MODL) else { return Ok(()) };
        let view = PayloadView::parse(&structure.bytes).and_then(ModelView::parse).map_err(invalid)?;
        let primitives: Vec<Primitive> = view.primitives().collect();
        let mut shapes = Shapes::default();
        let mut rest = asset.blocks.iter().filter(|block| block.kind == FourCc::VRTX);
        for of_mesh in primitives.chunk_by(|a, b| a.mesh == b.mesh) {
            let body =
                triangles(of_mesh, &mut rest).map_err(|error| error.within(&format!("mesh {}", of_mesh[0].mesh)))?;
            shapes.add(of_mesh[0].mesh, &body, collision);
        }
        if shapes.all.is_empty() {
            asset.notes.extend(shapes.note());
            return Ok(());
        }
        let block = collision_block(&shapes.all).map_err(invalid)?;
        asset.notes.extend(shapes.note());
        asset.notes.extend(of_skins(asset));
        asset.blocks.push(Block { linked: false, ..Block::new(FourCc::COLL, block) });
        Ok(())
    }

    /// The positions and triangles of a mesh.
    type Body = (Vec<[f32; 3]>, Vec<[u32; 3]>);

    /// Returns a mesh as it is drawn.
    fn triangles<'b>(
        primitives: &[Primitive],
        rest: &mut impl Iterator<Item = &'b Block>,
    ) -> Result<Body, ImportError> {
        let whole = formats::whole_box(primitives);
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for primitive in primitives {
            let own: Vec<Block> = rest.take(primitive.attributes as usize).cloned().collect();
            let positions = formats::positions_of(&own, whole);
            let first = points.len() as u32;
            let mut geometry = Geometry::read(own, primitive.topology)?;
            if !geometry.make_triangles() {
                continue;
            }
            let count = positions.len() as u32;
            if let Some(corner) = geometry.indices.iter().find(|corner| **corner >= count) {
                return Err(ImportError::new(format!("an index is {corner}, but there are {count} vertices")));
            }
            points.extend(positions);
            let corners = geometry.indices.as_chunks::<3>().0.iter();
            triangles.extend(corners.map(|corners| corners.map(|corner| corner + first)));
        }
        Ok((points, triangles))
    }

    impl Shapes {
        fn add(&mut self, mesh: u32, (points, triangles): &Body, collision: Collision) {
            let surface = rres_collision::surface(points, triangles);
            if surface.triangles.is_empty() {
                self.without_triangles += 1;
                return;
            }
            let Collision { shape, vertices, parts } = collision;
            let solids = match shape {
                CollisionKind::Hull => rres_collision::hull(&surface.vertices, vertices).into_iter().collect(),
                CollisionKind::Parts => rres_collision::parts(&surface.vertices, &surface.triangles, parts, vertices),
                CollisionKind::Triangles => Vec::new(),
            };
            self.flat += u64::from(solids.is_empty() && shape != CollisionKind::Triangles);
            let (kind, all) =
                if solids.is_empty() { (ShapeKind::TRIANGLES, vec![surface]) } else { (ShapeKind::CONVEX, solids) };
            self.all.extend(all.into_iter().map(|rres_collision::Shape { vertices, triangles }| Shape {
                mesh,
                kind,
                vertices,
                triangles,
            }));
        }

        fn note(&self) -> Option<Note> {
            let parts: Vec<String> = [
                (self.flat, "that is flat, which keeps its triangles", "that are flat, which keep their triangles"),
                (self.without_triangles, "without triangles, which gets none", "without triangles, which get none"),
            ]
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| {
                let what = if count == 1 { one } else { many };
                format!("{} {what}", counted(count, "mesh", "meshes"))
            })
            .collect();
            let topic = "meshes that do not get the shapes that `model.collision` asks for";
            (!parts.is_empty()).then(|| Note::new(topic).with_detail(parts.join(", ")))
        }
    }

    /// What moves vertices does not move shapes.
    fn of_skins(asset: &Asset) -> Option<Note> {
        let scene = asset.blocks.iter().find(|block| block.kind == FourCc::SCNE)?;
        let scene = PayloadView::parse(&scene.bytes).and_then(SceneView::parse).ok()?;
        let skins = scene.nodes().filter(|node| node.skin != rres_format::chunk::scene::NONE).count();
        let topic = "collision shapes of meshes with skins are of the pose in which they are stored";
        (skins > 0).then(|| Note::new(topic).with_detail(counted(skins as u64, "node with a skin", "nodes with skins")))
    }
}
