//! The shapes, as surfaces of two coordinates.

use rres_import::exact_math::sin_cos;
use rres_settings::Entry;

use super::fields::Fields;
use super::mesh::{Mesh, Point};

/// A shape with its measures, in the units of the game. Its centre is the origin.
pub(super) enum Shape {
    /// A box; a skybox is seen from inside.
    Box {
        size: [f64; 3],
        divisions: u32,
        is_sky: bool,
    },
    Sphere {
        radius: f64,
        segments: u32,
        rings: u32,
    },
    /// On the ground: its front is up.
    Plane {
        size: [f64; 2],
        divisions: u32,
    },
    /// Upright: its front is +Z.
    Quad {
        size: [f64; 2],
    },
    /// A cylinder, or a cone if the radius at the top is 0.
    Cylinder {
        top: f64,
        bottom: f64,
        height: f64,
        segments: u32,
    },
    /// A cylinder between two half spheres.
    Capsule {
        radius: f64,
        height: f64,
        segments: u32,
        rings: u32,
    },
    /// Around the Y axis.
    Torus {
        radius: f64,
        tube: f64,
        segments: u32,
        rings: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Cube,
    Skybox,
    Sphere,
    Plane,
    Quad,
    Cylinder,
    Cone,
    Capsule,
    Torus,
}

pub(super) const WORDS: [(&str, ShapeKind); 9] = [
    ("cube", ShapeKind::Cube),
    ("skybox", ShapeKind::Skybox),
    ("sphere", ShapeKind::Sphere),
    ("plane", ShapeKind::Plane),
    ("quad", ShapeKind::Quad),
    ("cylinder", ShapeKind::Cylinder),
    ("cone", ShapeKind::Cone),
    ("capsule", ShapeKind::Capsule),
    ("torus", ShapeKind::Torus),
];

/// Lengths that 32-bit floats can distinguish.
const LENGTH: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
const SEGMENTS: std::ops::RangeInclusive<i64> = 3..=512;
const RINGS: std::ops::RangeInclusive<i64> = 2..=512;
const DIVISIONS: std::ops::RangeInclusive<i64> = 1..=256;

impl Shape {
    /// Reads the keys of a shape.
    pub(super) fn read(entry: &Entry<'_>, mut fields: Fields<'_, '_>) -> Option<Self> {
        let kind = fields.word(entry, &WORDS)?;
        let f = &mut fields;
        let (shape, known): (_, &[&str]) = match kind {
            ShapeKind::Cube | ShapeKind::Skybox => {
                let (size, divisions) = (f.numbers("size", [1.0; 3], LENGTH), f.count("divisions", 1, DIVISIONS));
                (Self::Box { size, divisions, is_sky: kind == ShapeKind::Skybox }, &["size", "divisions"])
            }
            ShapeKind::Sphere => {
                let (segments, rings) = (f.count("segments", 32, SEGMENTS), f.count("rings", 16, RINGS));
                (
                    Self::Sphere { radius: f.number("radius", 0.5, LENGTH), segments, rings },
                    &["radius", "segments", "rings"],
                )
            }
            ShapeKind::Plane => {
                let (size, divisions) = (f.numbers("size", [1.0; 2], LENGTH), f.count("divisions", 1, DIVISIONS));
                (Self::Plane { size, divisions }, &["size", "divisions"])
            }
            ShapeKind::Quad => (Self::Quad { size: f.numbers("size", [1.0; 2], LENGTH) }, &["size"]),
            ShapeKind::Cylinder | ShapeKind::Cone => {
                let (bottom, height) = (f.number("radius", 0.5, LENGTH), f.number("height", 1.0, LENGTH));
                let top = if kind == ShapeKind::Cone { 0.0 } else { bottom };
                let segments = f.count("segments", 32, SEGMENTS);
                (Self::Cylinder { top, bottom, height, segments }, &["radius", "height", "segments"])
            }
            ShapeKind::Capsule => {
                let (radius, height) = (f.number("radius", 0.5, LENGTH), f.number("height", 2.0, LENGTH));
                if height < 2.0 * radius {
                    f.contradiction(
                        if f.entries.iter().any(|entry| entry.key == "height") { "height" } else { "radius" },
                        format!("a capsule with the radius {radius} is at least {} high, found {height}", 2.0 * radius),
                    );
                }
                let (segments, rings) = (f.count("segments", 32, SEGMENTS), f.count("rings", 8, RINGS));
                (Self::Capsule { radius, height, segments, rings }, &["radius", "height", "segments", "rings"])
            }
            ShapeKind::Torus => {
                let (radius, tube) = (f.number("radius", 0.375, LENGTH), f.number("tube", 0.125, LENGTH));
                let (segments, rings) = (f.count("segments", 32, SEGMENTS), f.count("rings", 16, SEGMENTS));
                (Self::Torus { radius, tube, segments, rings }, &["radius", "tube", "segments", "rings"])
            }
        };
        let word = WORDS.iter().find(|(_, known)| *known == kind).map_or("", |(word, _)| word);
        fields.check_keys("shape", word, known);
        Some(shape)
    }

    /// Its name, in summaries and of its node.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Box { is_sky: true, .. } => "skybox",
            Self::Box { .. } => "cube",
            Self::Sphere { .. } => "sphere",
            Self::Plane { .. } => "plane",
            Self::Quad { .. } => "quad",
            Self::Cylinder { top: 0.0, .. } => "cone",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
            Self::Torus { .. } => "torus",
        }
    }

    /// Its triangles.
    pub(super) fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        match *self {
            Self::Box { size, divisions, is_sky } => {
                for (right, down) in SIDES {
                    flat(&mut mesh, divisions, right, down, size);
                }
                if is_sky {
                    return mesh.inside_out();
                }
            }
            Self::Sphere { radius, segments, rings } => {
                mesh.add_surface(segments, rings, |u, v| {
                    let (out, up) = sin_cos(v / 2.0);
                    around(u, out * radius, up * radius, out, up)
                });
            }
            Self::Plane { size: [x, z], divisions } => {
                flat(&mut mesh, divisions, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [x, 0.0, z]);
            }
            Self::Quad { size: [x, y] } => flat(&mut mesh, 1, [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [x, y, 0.0]),
            Self::Cylinder { top, bottom, height, segments } => {
                // The normal of a slanted side.
                let (run, rise) = (bottom - top, height);
                let length = (run * run + rise * rise).sqrt();
                mesh.add_surface(segments, 1, |u, v| {
                    around(u, top + run * v, height * (0.5 - v), rise / length, run / length)
                });
                for (radius, side) in [(top, 1.0), (bottom, -1.0)] {
                    if radius > 0.0 {
                        disc(&mut mesh, segments, radius, height / 2.0 * side, side);
                    }
                }
            }
            Self::Capsule { radius, height, segments, rings } => {
                let middle = height / 2.0 - radius;
                // A half sphere, the side, a half sphere. Texture coordinates follow the length of the outline.
                let half = radius * std::f64::consts::PI / 2.0;
                let length = 2.0 * (half + middle);
                let rows = rings * 2 + 1;
                let place = |row: u32| {
                    let (ring, side) = if row <= rings { (row, 1.0) } else { (row - 1, -1.0) };
                    let (out, up) = sin_cos(f64::from(ring) / f64::from(rings * 4));
                    (out, up, up * radius + middle * side)
                };
                mesh.add_surface(segments, rows, |u, v| {
                    let (out, up, y) = place((v * f64::from(rows)).round() as u32);
                    around(u, out * radius, y, out, up)
                });
                let along = |row: u32| {
                    let (ring, gap) = if row <= rings { (row, 0.0) } else { (row - 1, 2.0 * middle) };
                    (half * f64::from(ring) / f64::from(rings) + gap) / length
                };
                mesh.set_rows(segments, |row| along(row) as f32);
            }
            Self::Torus { radius, tube, segments, rings } => {
                mesh.add_surface(segments, rings, |u, v| {
                    // From the inner side over the top to the outer side.
                    let (sin, cos) = sin_cos(v);
                    around(u, radius - cos * tube, sin * tube, -cos, sin)
                });
            }
        }
        mesh
    }
}

/// The directions to the right and down of the six sides of a box, as an observer in front of each sees them.
const SIDES: [([f64; 3], [f64; 3]); 6] = [
    ([0.0, 0.0, -1.0], [0.0, -1.0, 0.0]),
    ([0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
    ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    ([1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
    ([1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
    ([-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
];

/// Adds a rectangle whose middle is half of `size` in front of the origin.
fn flat(mesh: &mut Mesh, divisions: u32, right: [f64; 3], down: [f64; 3], size: [f64; 3]) {
    // The front is where right, up and out are as X, Y and Z.
    let normal = cross(down, right);
    mesh.add_surface(divisions, divisions, |u, v| {
        let at = |axis: usize| right[axis] * (u - 0.5) + down[axis] * (v - 0.5) + normal[axis] * 0.5;
        Point { position: std::array::from_fn(|axis| at(axis) * size[axis]), normal, tangent: right }
    });
}

/// Adds a disc whose front is up (`side` is 1) or down (-1).
fn disc(mesh: &mut Mesh, segments: u32, radius: f64, y: f64, side: f64) {
    mesh.add_surface(segments, 1, |u, v| {
        let mut point = around(u * side, radius * v, y, 0.0, side);
        // As a picture that is laid on it: to the right is +X.
        point.tangent = [1.0, 0.0, 0.0];
        point
    });
    mesh.lay_picture((segments + 1) * 2, radius, side);
}

/// A point of a surface of revolution around the Y axis: `out` from the axis at the height `y`, with the normal's parts away from the axis
/// and up. `u` is the part of a turn; the middle of the texture, 0.5, is at +Z.
fn around(u: f64, out: f64, y: f64, normal_out: f64, normal_up: f64) -> Point {
    let (sin, cos) = sin_cos(u - 0.5);
    Point {
        position: [sin * out, y, cos * out],
        normal: [sin * normal_out, normal_up, cos * normal_out],
        tangent: [cos, 0.0, -sin],
    }
}

fn cross([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}
