//! Levels of detail: how far the surface is from the original.

use meshopt::SimplifyOptions;
use rres_import_model::measured;

use crate::clock::in_turn;
use crate::distance::between;
use crate::meshes::Mesh;

/// The shares of the triangles that are asked for.
const SHARES: [f32; 2] = [0.5, 0.1];

/// Prints a row for each mesh and share.
pub fn compare(meshes: &[Mesh], rounds: usize) {
    println!(
        "Distances between the surfaces, in both directions, in ten-thousandths of the diagonal of the box: root of the mean square, and largest.\n"
    );
    println!("| mesh | asked for | by | triangles left | mean | largest | ms per 100,000 triangles |");
    println!("|---|---|---|---|---|---|---|");
    for mesh in meshes {
        for share in SHARES {
            let target = (mesh.indices.len() as f64 / 3.0 * f64::from(share)) as usize * 3;
            let options = SimplifyOptions::None;
            let mut ways: Vec<Box<dyn FnMut() -> Vec<u32> + '_>> = vec![
                Box::new(|| {
                    let mut levels = measured::simplified(&mesh.indices, &mesh.positions, &[share], 1.0);
                    levels.pop().map_or_else(|| mesh.indices.clone(), |(indices, _)| indices)
                }),
                Box::new(|| meshopt::simplify(&mesh.indices, &mesh.adapter(), target, 1.0, options, None)),
            ];
            for (name, (indices, seconds)) in ["**rres**", "meshoptimizer"].iter().zip(in_turn(rounds, &mut ways)) {
                let (mean, largest) = between(&mesh.positions, &mesh.indices, &indices);
                let part = 1e4 / mesh.diagonal();
                println!(
                    "| {} | {:.0} % | {name} | {:.1} % | {:.2} | {:.1} | {:.0} |",
                    mesh.name,
                    share * 100.0,
                    indices.len() as f64 * 100.0 / mesh.indices.len() as f64,
                    mean * part,
                    largest * part,
                    seconds * 1e3 * 300_000.0 / mesh.indices.len() as f64
                );
            }
        }
    }
    println!();
}
