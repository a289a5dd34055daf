use super::*;

fn tetrahedron(mesh: u32) -> Shape {
    Shape {
        mesh,
        kind: ShapeKind::CONVEX,
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    }
}

fn square(mesh: u32) -> Shape {
    Shape {
        mesh,
        kind: ShapeKind::TRIANGLES,
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

fn parse(block: &[u8]) -> Result<Vec<(ShapeRecord, usize, usize)>> {
    let view = CollisionView::parse(PayloadView::parse(block)?)?;
    Ok(view.shapes().map(|shape| (shape.record, shape.vertices.len(), shape.triangles.len())).collect())
}

fn refused(shapes: &[Shape]) -> String {
    collision_block(shapes).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read() {
    let block = collision_block(&[tetrahedron(0), tetrahedron(2), square(2)]).unwrap();
    assert_eq!(block.len(), 4 + 16 + 3 * 16 + 12 * 12 + 10 * 12);
    let shapes = parse(&block).unwrap();
    let record = |mesh, kind, vertices, triangles| ShapeRecord { mesh, kind, vertices, triangles };
    let solid = |mesh| (record(mesh, ShapeKind::CONVEX, 4, 4), 48, 48);
    assert_eq!(shapes, [solid(0), solid(2), (record(2, ShapeKind::TRIANGLES, 4, 2), 48, 24)]);
    assert!(parse(&collision_block(&[]).unwrap()).unwrap().is_empty());
}

#[test]
fn the_bytes_of_a_shape_are_fixed() {
    let block = collision_block(&[square(7)]).unwrap();
    let words: Vec<u32> = block.chunks_exact(4).map(u32::get).collect();
    assert_eq!(words[..9], [4, 1, 1, 4, 2, 7, 1, 4, 2]);
    assert_eq!(words[9..15], [0, 0, 0, 1.0f32.to_bits(), 0, 0]);
    assert_eq!(words[21..], [0, 1, 2, 0, 2, 3]);
}

#[test]
fn a_fault_names_the_shape() {
    let with = |change: fn(&mut Shape)| {
        let mut bad = tetrahedron(0);
        change(&mut bad);
        refused(&[tetrahedron(0), bad])
    };
    assert!(with(|shape| shape.triangles[1][2] = 4).contains("shape 1 refers to vertex 4, but has 4"));
    assert!(with(|shape| shape.vertices[2][0] = f32::NAN).contains("shape 1 has a vertex 2 that is not finite"));
    assert!(with(|shape| shape.kind = ShapeKind(9)).contains("shape 1 is of kind 9"));
    let open = with(|shape| shape.triangles.truncate(3));
    assert!(open.contains("shape 1 is convex, but no triangle is beyond the edge from"), "{open}");
    let turned = with(|shape| shape.triangles[0].swap(0, 1));
    assert!(turned.contains("shape 1 is convex, but"), "{turned}");
    assert!(with(|shape| shape.triangles[0] = [1, 1, 2]).contains("shape 1 is convex"));
    assert!(with(|shape| shape.triangles.extend_from_within(..)).contains("more than two triangles"));
    assert!(with(|shape| shape.triangles.clear()).contains("convex without triangles"));
    assert!(refused(&[square(3), square(1)]).contains("a shape of mesh 1 follows one of mesh 3"));
}

#[test]
fn shapes_that_lie_about_their_sizes_are_refused() {
    let good = collision_block(&[tetrahedron(0), square(1)]).unwrap();
    for word in 1..5 {
        for value in [0u32, 3, 100, u32::MAX] {
            let mut bad = good.clone();
            bad[word * 4..word * 4 + 4].copy_from_slice(&value.to_le_bytes());
            assert!(parse(&bad).is_err() || bad == good, "property {word} = {value}");
        }
    }
    for end in 0..good.len() {
        assert!(parse(&good[..end]).is_err(), "cut at {end}");
    }
}
