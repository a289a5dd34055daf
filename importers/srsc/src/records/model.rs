//! The parts of models. Each is a record of its own, and all parts of a model have the same id.
//!
//! | record | body |
//! |---|---|
//! | model | string name, `u32` shading |
//! | counters | `u16` groups, `u16` last group, `u16` last model |
//! | vertices | `u16` count, each `f32[3]` |
//! | polygons | `u16` count, each `u16` flags, `u16` corners (3 or 4), `u16` texture, and for each corner `u16` vertex, `f32` u, `f32` v |
//! | textures | `u32` count, each a ref |
//! | lod | `u16` model, `f32` distance |

use crate::body::Body;
use crate::checks::Notes;
use crate::error::Fault;
use crate::text::Text;

/// How a model is shaded: bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Shading(pub u32);

impl Shading {
    /// Every polygon has one brightness.
    pub const FLAT: Self = Self(0x01);
    /// The brightness changes smoothly.
    pub const SMOOTH: Self = Self(0x02);
    /// It takes the colours of the landscape.
    pub const LANDSCAPE: Self = Self(0x04);
    /// It is shiny.
    pub const SHINY: Self = Self(0x08);
    /// Its colours are added to those behind it.
    pub const ADDITIVE: Self = Self(0x10);
    /// It reflects its surroundings.
    pub const ENVIRONMENT: Self = Self(0x20);

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The name of a model, and how it is shaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelName<'a> {
    /// The name.
    pub name: Text<'a>,
    /// How it is shaded.
    pub shading: Shading,
}

impl<'a> ModelName<'a> {
    pub(super) fn parse(body: &mut Body<'a>, notes: &mut Notes<'_>) -> Result<Self, Fault> {
        Ok(Self { name: body.text("name", notes)?, shading: Shading(body.u32("shading")?) })
    }
}

/// Numbers that the editor counts on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelCounters {
    /// The number of groups.
    pub groups: u16,
    /// The id of the last group.
    pub last_group: u16,
    /// The id of the last model.
    pub last_model: u16,
}

impl ModelCounters {
    pub(super) fn parse(body: &mut Body<'_>) -> Result<Self, Fault> {
        Ok(Self {
            groups: body.u16("groups")?,
            last_group: body.u16("last group")?,
            last_model: body.u16("last model")?,
        })
    }
}

/// A corner of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Corner {
    /// The vertex, counted from the first one of the level of detail.
    pub vertex: u16,
    /// The place in the texture. 0, 0 is the start of the first stored row, which is the bottom of the picture.
    pub uv: [f32; 2],
}

/// A polygon of three or four corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polygon {
    /// The flags; see [`Self::is_double_sided`].
    pub flags: u16,
    /// The texture: a position in the list of the model. Null references count, too.
    pub texture: u16,
    corners: [Corner; 4],
    count: u8,
}

impl Polygon {
    /// Returns a polygon; `None` if it has neither three nor four corners.
    pub fn new(flags: u16, texture: u16, corners: &[Corner]) -> Option<Self> {
        let mut all = [Corner::default(); 4];
        all.get_mut(..corners.len()).filter(|_| corners.len() >= 3)?.copy_from_slice(corners);
        Some(Self { flags, texture, corners: all, count: corners.len() as u8 })
    }

    /// Returns the three or four corners.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..usize::from(self.count)]
    }

    /// Whether both sides are visible.
    pub fn is_double_sided(&self) -> bool {
        self.flags & 2 != 0
    }

    /// Returns one or two triangles, as corners.
    pub fn triangles(&self) -> impl Iterator<Item = [Corner; 3]> + use<> {
        let [a, b, c, d] = self.corners;
        [[a, b, c], [a, c, d]].into_iter().take(usize::from(self.count) - 2)
    }
}

/// Reads a list of polygons.
pub(super) fn polygons(body: &mut Body<'_>, _notes: &mut Notes<'_>) -> Result<Vec<Polygon>, Fault> {
    let count = body.u16("polygon count")?;
    let mut polygons = Vec::with_capacity(body.expect(count.into(), 36, "polygons")?);
    for _ in 0..count {
        let (flags, at) = (body.u16("polygon flags")?, body.at());
        let (corners, texture) = (body.u16("corner count")?, body.u16("texture index")?);
        if !matches!(corners, 3 | 4) {
            return Err(Fault::invalid("corner count", at, corners, "3 or 4"));
        }
        let mut polygon = Polygon { flags, texture, corners: [Corner::default(); 4], count: corners as u8 };
        for corner in polygon.corners.iter_mut().take(corners.into()) {
            *corner = Corner { vertex: body.u16("vertex index")?, uv: body.f32s("uv")? };
        }
        polygons.push(polygon);
    }
    Ok(polygons)
}

/// The model that is shown from a distance on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lod {
    /// The id of the model, in the same database.
    pub model: u16,
    /// The distance.
    pub distance: f32,
}

impl Lod {
    pub(super) fn parse(body: &mut Body<'_>) -> Result<Self, Fault> {
        Ok(Self { model: body.u16("model")?, distance: body.f32("distance")? })
    }
}
