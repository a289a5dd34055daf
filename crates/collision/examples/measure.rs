//! Times the shapes of OBJ files, and what a game has left to do with them: `cargo run --release --example measure -- *.obj`.

use std::time::Instant;

use parry3d::math::Vector;
use parry3d::shape::{SharedShape, TriMesh};
use rres_collision::{Shape, parts, surface};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| file | triangles | parts | cut, s | by parry when the game loads, s | load the parts, ms | tree of the triangles, ms |"
    );
    println!("|---|---|---|---|---|---|---|");
    for file in std::env::args().skip(1) {
        let (points, triangles) = obj(&std::fs::read_to_string(&file)?)?;
        let Shape { vertices, triangles } = surface(&points, &triangles);
        let vectors: Vec<Vector> = vertices.iter().copied().map(Vector::from).collect();
        let (cut, solids) = timed(|| parts(&vertices, &triangles, 16, 64));
        let (theirs, _) = timed(|| SharedShape::convex_decomposition(&vectors, &triangles));
        let (load, _) = timed(|| {
            let solid = |part: &Shape| {
                SharedShape::convex_mesh(part.vertices.iter().copied().map(Vector::from).collect(), &part.triangles)
            };
            solids.iter().map(|part| solid(part).expect("a part is a solid")).collect::<Vec<_>>()
        });
        let (tree, _) = timed(|| TriMesh::new(vectors.clone(), triangles.clone()));
        let name = file.rsplit('/').next().unwrap_or_default();
        let (count, solids) = (triangles.len(), solids.len());
        println!("| {name} | {count} | {solids} | {cut:.2} | {theirs:.2} | {:.2} | {:.1} |", load * 1e3, tree * 1e3);
    }
    Ok(())
}

/// Seconds, and the result.
fn timed<T>(step: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = step();
    (start.elapsed().as_secs_f64(), result)
}

/// Positions and triangles.
type Body = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// Returns what an OBJ has.
fn obj(text: &str) -> Result<Body, Box<dyn std::error::Error>> {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let axes: Vec<f32> = words.take(3).map(str::parse).collect::<Result<_, _>>()?;
                points.push(axes.try_into().map_err(|_| "a vertex without three numbers")?);
            }
            Some("f") => {
                let corner = |word: &str| word.split('/').next().unwrap_or_default().parse::<u32>();
                let corners: Vec<u32> = words.map(corner).collect::<Result<_, _>>()?;
                triangles.extend(corners.windows(2).skip(1).map(|pair| [corners[0] - 1, pair[0] - 1, pair[1] - 1]));
            }
            _ => {}
        }
    }
    Ok((points, triangles))
}
