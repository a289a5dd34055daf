//! The order of triangles: how often vertices are computed and pixels drawn again.

use rres_import_model::measured;

use crate::clock::in_turn;
use crate::meshes::Mesh;

/// How much worse the use of the cache may become for the sake of less overdraw: that of `model.optimize`.
const THRESHOLD: f32 = 1.05;

/// Prints a row for each mesh and order.
pub fn compare(meshes: &[Mesh], rounds: usize) {
    println!(
        "ACMR: vertices computed for each triangle; ATVR: for each vertex. Of caches of 16 vertices, first in, first out, and of groups of 32 vertices.\n"
    );
    println!("| mesh | order | ACMR of 16 | ATVR of 16 | ACMR of groups | overdraw | ms per 100,000 triangles |");
    println!("|---|---|---|---|---|---|---|");
    for mesh in meshes {
        let count = mesh.positions.len();
        let mut ways: Vec<Box<dyn FnMut() -> Vec<u32> + '_>> = vec![
            Box::new(|| mesh.indices.clone()),
            Box::new(|| measured::ordered(&mesh.indices, &mesh.positions)),
            Box::new(|| with_overdraw(mesh, meshopt::optimize_vertex_cache(&mesh.indices, count))),
            Box::new(|| with_overdraw(mesh, meshopt::optimize_vertex_cache_fifo(&mesh.indices, count, 16))),
        ];
        let names = ["of the file", "**rres**", "meshoptimizer", "meshoptimizer, fifo"];
        for (name, (indices, seconds)) in names.iter().zip(in_turn(rounds, &mut ways)) {
            let fifo = meshopt::analyze_vertex_cache(&indices, count, 16, 0, 0);
            let groups = meshopt::analyze_vertex_cache(&indices, count, 32, 32, 32);
            let overdraw = meshopt::analyze_overdraw(&indices, &mesh.adapter()).overdraw;
            let time = seconds * 1e3 * 300_000.0 / mesh.indices.len() as f64;
            println!(
                "| {} | {name} | {:.3} | {:.3} | {:.3} | {overdraw:.3} | {time:.1} |",
                mesh.name, fifo.acmr, fifo.atvr, groups.acmr
            );
        }
    }
    println!();
}

fn with_overdraw(mesh: &Mesh, mut indices: Vec<u32>) -> Vec<u32> {
    meshopt::optimize_overdraw_in_place(&mut indices, &mesh.adapter(), THRESHOLD);
    indices
}
