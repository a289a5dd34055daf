//! The axes of a variable font, and its named instances.

use ttf_parser::Face;

use super::subset::table;
use super::tables::Layout;

/// Most instances that are listed.
const MAX_INSTANCES: u16 = 1024;

/// One axis of a variable font.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Axis {
    /// Its tag: `wght` is the weight, `wdth` the width.
    pub tag: [u8; 4],
    /// The least value.
    pub min: f32,
    /// The value of the outlines in the file.
    pub default: f32,
    /// The largest value.
    pub max: f32,
}

pub(super) fn axes(face: &Face<'_>) -> Vec<Axis> {
    let axes = face.variation_axes().into_iter();
    axes.map(|axis| Axis {
        tag: axis.tag.to_bytes(),
        min: axis.min_value,
        default: axis.def_value,
        max: axis.max_value,
    })
    .collect()
}

/// The names of the instances in English, or else in any language, each with the values of all axes.
pub(super) fn instances(face: &Face<'_>) -> Vec<(String, Vec<f32>)> {
    let read = || {
        let fvar = Layout(table(face.raw_face(), b"fvar")?);
        let start = usize::from(fvar.u16(4)?);
        let (axes, axis_size) = (usize::from(fvar.u16(8)?), usize::from(fvar.u16(10)?));
        let (count, size) = (fvar.u16(12)?.min(MAX_INSTANCES), usize::from(fvar.u16(14)?));
        let instance = |number: u16| {
            let at = start + axes * axis_size + usize::from(number) * size;
            let name = name(face, fvar.u16(at)?)?;
            let value = |axis: usize| Some(fvar.u32(at + 4 + axis * 4)?.cast_signed() as f32 / 65_536.0);
            Some((name, (0..axes).map(value).collect::<Option<Vec<f32>>>()?))
        };
        Some((0..count).filter_map(instance).collect())
    };
    read().unwrap_or_default()
}

fn name(face: &Face<'_>, id: u16) -> Option<String> {
    const ENGLISH: u16 = 0x0409;
    let names = || face.names().into_iter().filter(move |name| name.name_id == id && name.is_unicode());
    let english = names().find(|name| name.language_id == ENGLISH);
    english.or_else(|| names().next())?.to_string()
}
