//! Meshlets: how full they are, and how well their bounds cull.

use rres_import_model::measured;
use rres_settings::MeshletSize;

use crate::clock::in_turn;
use crate::meshes::Mesh;

/// The default of meshoptimizer's own tools: how much flat groups count beside round ones.
const CONE_WEIGHT: f32 = 0.25;

/// The vertices of meshlets and the triangles by these.
type Lists = Vec<List>;
type List = (Vec<u32>, Vec<[u8; 3]>);

/// Prints a row for each mesh.
pub fn compare(meshes: &[Mesh], rounds: usize) {
    let size = MeshletSize::default();
    println!(
        "At most {} vertices and {} triangles. Bounds of both sides by meshoptimizer: the mean radius in hundredths of the diagonal, the share with a cone, and the mean part of all directions from which a meshlet is culled by its cone.\n",
        size.vertices, size.triangles
    );
    println!(
        "| mesh | by | meshlets | vertices, triangles of each | mean radius | with a cone | directions culled | ms per 100,000 triangles |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for mesh in meshes {
        // Both begin with triangles in a good order, as tools do.
        let indices = meshopt::optimize_vertex_cache(&mesh.indices, mesh.positions.len());
        let mut ways: Vec<Box<dyn FnMut() -> Lists + '_>> = vec![
            Box::new(|| measured::meshlets(&indices, &mesh.positions, size)),
            Box::new(|| {
                let (vertices, triangles) = (size.vertices as usize, size.triangles as usize);
                let made = meshopt::build_meshlets(&indices, &mesh.adapter(), vertices, triangles, CONE_WEIGHT);
                let lists = |meshlet: meshopt::Meshlet<'_>| {
                    (meshlet.vertices.to_vec(), meshlet.triangles.as_chunks().0.to_vec())
                };
                made.iter().map(lists).collect()
            }),
        ];
        for (name, (lists, seconds)) in ["**rres**", "meshoptimizer"].iter().zip(in_turn(rounds, &mut ways)) {
            let count = lists.len() as f64;
            let mean = |of: &dyn Fn(&List) -> f64| lists.iter().map(of).sum::<f64>() / count;
            let bounds = |(vertices, triangles): &List| {
                let corners: Vec<u32> =
                    triangles.as_flattened().iter().map(|corner| vertices[usize::from(*corner)]).collect();
                meshopt::compute_cluster_bounds(&corners, &mesh.adapter())
            };
            println!(
                "| {} | {name} | {} | {:.1}, {:.1} | {:.2} | {:.0} % | {:.1} % | {:.0} |",
                mesh.name,
                lists.len(),
                mean(&|(vertices, _)| vertices.len() as f64),
                mean(&|(_, triangles)| triangles.len() as f64),
                mean(&|list| f64::from(bounds(list).radius)) * 100.0 / mesh.diagonal(),
                mean(&|list| f64::from(bounds(list).cone_cutoff < 1.0)) * 100.0,
                // The directions whose cosine with the axis is at least the cut-off.
                mean(&|list| (1.0 - f64::from(bounds(list).cone_cutoff)) / 2.0) * 100.0,
                seconds * 1e3 * 300_000.0 / mesh.indices.len() as f64
            );
        }
    }
    println!();
}
