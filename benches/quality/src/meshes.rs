//! The meshes that are compared: triangles with positions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use meshopt::VertexDataAdapter;

use crate::Error;

/// A mesh.
#[derive(Debug)]
pub struct Mesh {
    pub name: String,
    pub positions: Vec<[f32; 3]>,
    pub indices: Vec<u32>,
}

impl Mesh {
    /// The positions as meshoptimizer wants them.
    pub fn adapter(&self) -> VertexDataAdapter<'_> {
        VertexDataAdapter::new(as_bytes(&self.positions), 12, 0).expect("positions have three floats")
    }

    /// The diagonal of the box.
    pub fn diagonal(&self) -> f64 {
        let edge = |axis: usize| {
            let along = self.positions.iter().map(|position| f64::from(position[axis]));
            along.clone().fold(f64::MIN, f64::max) - along.fold(f64::MAX, f64::min)
        };
        (0..3).map(|axis| edge(axis).powi(2)).sum::<f64>().sqrt()
    }
}

fn as_bytes(positions: &[[f32; 3]]) -> &[u8] {
    // SAFETY: floats have no padding, and every byte is a `u8`.
    unsafe { std::slice::from_raw_parts(positions.as_ptr().cast(), size_of_val(positions)) }
}

/// Reads `.obj` and `.glb` files.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Mesh>, Error> {
    let mut meshes = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let mesh = match path.extension().and_then(|extension| extension.to_str()) {
            Some("obj") => obj(path, &String::from_utf8_lossy(&bytes))?,
            _ => glb(path, &bytes)?,
        };
        println!("{}: {} vertices, {} triangles", mesh.name, mesh.positions.len(), mesh.indices.len() / 3);
        meshes.push(mesh);
    }
    println!();
    Ok(meshes)
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The vertices of an `.obj` are its different triples, as an importer makes them, so that seams of texture coordinates and normals are seams here.
fn obj(path: &Path, text: &str) -> Result<Mesh, Error> {
    let mut points: Vec<[f32; 3]> = Vec::new();
    let mut known: HashMap<&str, u32> = HashMap::new();
    let mut mesh = Mesh { name: name(path), positions: Vec::new(), indices: Vec::new() };
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut point = [0.0; 3];
                for axis in &mut point {
                    *axis = words.next().ok_or("a vertex has three numbers")?.parse()?;
                }
                points.push(point);
            }
            Some("f") => {
                let mut corners = Vec::new();
                for word in words {
                    let next = mesh.positions.len() as u32;
                    let corner = *known.entry(word).or_insert(next);
                    if corner == next {
                        let number: usize = word.split('/').next().unwrap_or_default().parse()?;
                        mesh.positions
                            .push(*points.get(number.wrapping_sub(1)).ok_or("a face has a vertex that is not there")?);
                    }
                    corners.push(corner);
                }
                for pair in corners.windows(2).skip(1) {
                    mesh.indices.extend([corners[0], pair[0], pair[1]]);
                }
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// All triangles of a `.glb` in one list.
fn glb(path: &Path, bytes: &[u8]) -> Result<Mesh, Error> {
    let gltf = gltf::Gltf::from_slice(bytes)?;
    let blob = gltf.blob.as_deref().ok_or("has no binary part")?;
    let mut mesh = Mesh { name: name(path), positions: Vec::new(), indices: Vec::new() };
    for primitive in gltf.meshes().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(|buffer| (buffer.index() == 0).then_some(blob));
        let (Some(positions), Some(indices)) = (reader.read_positions(), reader.read_indices()) else { continue };
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(positions);
        mesh.indices.extend(indices.into_u32().map(|index| first + index));
    }
    Ok(mesh)
}
