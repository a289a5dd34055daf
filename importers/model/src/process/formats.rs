//! Numbers of vertices in fewer bits. Every number is rounded to the nearest; `docs/models.md` states by how much that differs.

use rres_format::chunk::PayloadView;
use rres_format::chunk::model::Primitive;
use rres_format::chunk::vertex::{VertexAttribute, VertexFormat, VertexProps, VertexView};
use rres_import::{Block, ImportError};
use rres_settings::{ModelSettings, NormalFormat, PositionFormat, TexCoordFormat, WeightFormat};

use super::half;

/// How much the weights of a vertex may differ from 1 in all to count as 1.
const TOLERANCE: f32 = 1.0 / 1024.0;

/// Applies the formats to the blocks of the primitives of one mesh, which share a box.
pub(in super::super) fn apply(
    blocks: &mut [Block],
    primitives: &[Primitive],
    settings: &ModelSettings,
) -> Result<(), ImportError> {
    let whole = whole_box(primitives);
    let mut rest = blocks;
    for primitive in primitives {
        let (own, next) = rest.split_at_mut((primitive.attributes as usize).min(rest.len()));
        rest = next;
        if settings.weight_format != WeightFormat::F32 {
            weights(own, settings.weight_format);
        }
        for block in own {
            let Some((props, values)) = floats(block) else { continue };
            let is_tex_coord = matches!(props.attribute.0, 10..=13 | 1014..=1017);
            let changed = match props.attribute {
                VertexAttribute::POSITION => positions(&values, settings.positions, whole)?,
                VertexAttribute::NORMAL | VertexAttribute::TANGENT => {
                    normals(&values, props.components as usize, settings.normal_format)
                }
                _ if is_tex_coord => tex_coords(&values, settings.tex_coord_format),
                _ => None,
            };
            let Some((format, data)) = changed else { continue };
            let size = format.size().unwrap_or_default() * props.count;
            let components = (data.len() as u32).checked_div(size).unwrap_or(props.components);
            block.bytes = VertexProps { components, format, ..props }.block(&data);
        }
    }
    Ok(())
}

/// The box of all primitives of a mesh.
pub(in super::super) fn whole_box(primitives: &[Primitive]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for primitive in primitives {
        for axis in 0..3 {
            low[axis] = low[axis].min(primitive.minimum[axis]);
            high[axis] = high[axis].max(primitive.maximum[axis]);
        }
    }
    (low, high)
}

/// The positions that a program finds in the blocks of a primitive: those that [`apply`] stored, as floats again. Empty if it has none.
pub(in super::super) fn positions_of<'b>(
    blocks: impl IntoIterator<Item = &'b Block>,
    whole: ([f32; 3], [f32; 3]),
) -> Vec<[f32; 3]> {
    let view = |block: &'b Block| PayloadView::parse(&block.bytes).and_then(VertexView::parse).ok();
    let mut views = blocks.into_iter().filter_map(view);
    let of_it = views.find(|view| view.props().attribute == VertexAttribute::POSITION);
    of_it.map(|view| stored_positions(view.props(), view.data(), whole)).unwrap_or_default()
}

pub(in super::super) fn stored_positions(
    props: VertexProps,
    data: &[u8],
    (low, high): ([f32; 3], [f32; 3]),
) -> Vec<[f32; 3]> {
    let whole = |number: u16, axis: usize| low[axis] + (high[axis] - low[axis]) * (f32::from(number) / 65_535.0);
    match props.format {
        VertexFormat::HFLOAT => {
            let number = |bytes: [u8; 2]| half::to_f32(u16::from_le_bytes(bytes));
            data.as_chunks::<8>()
                .0
                .iter()
                .map(|at| std::array::from_fn(|i| number([at[i * 2], at[i * 2 + 1]])))
                .collect()
        }
        VertexFormat::USHORT => {
            let part = |at: &[u8; 8], axis: usize| whole(u16::from_le_bytes([at[axis * 2], at[axis * 2 + 1]]), axis);
            data.as_chunks().0.iter().map(|at| std::array::from_fn(|axis| part(at, axis))).collect()
        }
        _ => {
            let numbers: Vec<f32> = data.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
            numbers.as_chunks().0.to_vec()
        }
    }
}

/// The properties and numbers of a block of floats.
fn floats(block: &Block) -> Option<(VertexProps, Vec<f32>)> {
    let view = PayloadView::parse(&block.bytes).and_then(VertexView::parse).ok()?;
    let props = view.props();
    let is_float = props.format == VertexFormat::FLOAT && props.attribute != VertexAttribute::INDEX;
    let values = || view.data().as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
    is_float.then(|| (props, values()))
}

type Changed = Option<(VertexFormat, Vec<u8>)>;

fn positions(
    values: &[f32],
    format: PositionFormat,
    (low, high): ([f32; 3], [f32; 3]),
) -> Result<Changed, ImportError> {
    let (positions, _) = values.as_chunks::<3>();
    Ok(match format {
        PositionFormat::F32 => None,
        PositionFormat::F16 => {
            let most = half::MAX;
            if let Some(vertex) = positions.iter().position(|position| position.iter().any(|axis| axis.abs() > most)) {
                let found = positions[vertex];
                let error =
                    ImportError::new(format!("POSITION of vertex {vertex} is {found:?}, but f16 ends at {most}"));
                return Err(error.with_help("set model.positions to \"unorm16\" or \"f32\", or choose a model.scale"));
            }
            let whole = |[x, y, z]: &[f32; 3]| [*x, *y, *z, 1.0].map(|axis| half::from_f32(axis).to_le_bytes());
            Some((VertexFormat::HFLOAT, positions.iter().flat_map(whole).flatten().collect()))
        }
        PositionFormat::Unorm16 => {
            let part = |position: &[f32; 3]| {
                let mut steps = [u16::MAX; 4];
                for axis in 0..3 {
                    steps[axis] = steps_between(position[axis], low[axis], high[axis]);
                }
                steps.map(u16::to_le_bytes)
            };
            Some((VertexFormat::USHORT, positions.iter().flat_map(part).flatten().collect()))
        }
    })
}

/// The nearest of 65,536 steps from one number to another.
fn steps_between(value: f32, low: f32, high: f32) -> u16 {
    let (value, low, high) = (f64::from(value), f64::from(low), f64::from(high));
    let part = if high > low { (value - low) / (high - low) } else { 0.0 };
    (part.clamp(0.0, 1.0) * 65535.0).round() as u16
}

/// Three numbers and a 0, or three and the sign of a tangent. What is longer than a direction is made shorter as a whole.
fn normals(values: &[f32], components: usize, format: NormalFormat) -> Changed {
    let steps = match format {
        NormalFormat::F32 => return None,
        NormalFormat::Snorm16 => 32767.0,
        NormalFormat::Snorm8 => 127.0,
    };
    let whole = |vector: &[f32]| {
        let finite = |i: usize| vector.get(i).copied().filter(|axis| axis.is_finite()).unwrap_or_default();
        let longest = (0..3).map(|i| finite(i).abs()).fold(1.0, f32::max);
        let axis = |i: usize| if i < 3 { finite(i) / longest } else { finite(i).clamp(-1.0, 1.0) };
        std::array::from_fn::<i16, 4, _>(|i| (axis(i) * steps).round() as i16)
    };
    let vectors = values.chunks_exact(components.max(1)).flat_map(whole);
    Some(match format {
        NormalFormat::Snorm8 => (VertexFormat::BYTE, vectors.map(|step| (step as i8).cast_unsigned()).collect()),
        _ => (VertexFormat::SHORT, vectors.flat_map(i16::to_le_bytes).collect()),
    })
}

/// Texture coordinates, unless the format does not hold them.
fn tex_coords(values: &[f32], format: TexCoordFormat) -> Changed {
    match format {
        TexCoordFormat::F16 if values.iter().all(|value| value.abs() <= half::MAX) => {
            let bytes = values.iter().flat_map(|value| half::from_f32(*value).to_le_bytes());
            Some((VertexFormat::HFLOAT, bytes.collect()))
        }
        TexCoordFormat::Unorm16 if values.iter().all(|value| (0.0..=1.0).contains(value)) => {
            let bytes = values.iter().flat_map(|value| steps_between(*value, 0.0, 1.0).to_le_bytes());
            Some((VertexFormat::USHORT, bytes.collect()))
        }
        _ => None,
    }
}

/// The weights of all sets of a primitive, which belong together.
fn weights(blocks: &mut [Block], format: WeightFormat) {
    let is_weights = |block: &&mut Block| {
        floats(block).is_some_and(|(props, _)| (1060..1070).contains(&props.attribute.0) && props.components == 4)
    };
    let mut sets: Vec<&mut Block> = blocks.iter_mut().filter(is_weights).collect();
    let read: Vec<_> = sets.iter().filter_map(|block| floats(block)).collect();
    let count = read.iter().map(|(_, values)| values.len() / 4).min().unwrap_or_default();
    let most: u16 = if format == WeightFormat::Unorm8 { 255 } else { u16::MAX };
    let mut out: Vec<Vec<u16>> = vec![Vec::with_capacity(count * 4); read.len()];
    for vertex in 0..count {
        let of_vertex: Vec<f32> = read.iter().flat_map(|(_, values)| &values[vertex * 4..][..4]).copied().collect();
        let steps = rounded(&of_vertex, most);
        out.iter_mut().zip(steps.as_chunks::<4>().0).for_each(|(set, steps)| set.extend(steps));
    }
    for ((block, (props, _)), steps) in sets.iter_mut().zip(read).zip(out) {
        let (format, data) = match format {
            WeightFormat::Unorm8 => (VertexFormat::UBYTE, steps.into_iter().map(|step| step as u8).collect()),
            _ => (VertexFormat::USHORT, steps.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        };
        block.bytes = VertexProps { format, ..props }.block(&data);
    }
}

/// Weights in steps. If they add up to 1, the steps add up to `most`: those with the largest rest are rounded up.
fn rounded(weights: &[f32], most: u16) -> Vec<u16> {
    let scaled: Vec<f64> = weights.iter().map(|weight| f64::from(weight.clamp(0.0, 1.0)) * f64::from(most)).collect();
    if (weights.iter().sum::<f32>() - 1.0).abs() > TOLERANCE {
        return scaled.iter().map(|weight| weight.round() as u16).collect();
    }
    let total: f64 = scaled.iter().sum();
    let scaled: Vec<f64> = scaled.iter().map(|weight| weight / total * f64::from(most)).collect();
    let mut steps: Vec<u16> = scaled.iter().map(|weight| *weight as u16).collect();
    let given: u32 = steps.iter().map(|step| u32::from(*step)).sum();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    let rest = |i: usize| scaled[i] - f64::from(steps[i]);
    order.sort_by(|a, b| rest(*b).total_cmp(&rest(*a)));
    let missing = u32::from(most).saturating_sub(given) as usize;
    for i in order.into_iter().take(missing) {
        steps[i] += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(format: VertexFormat, data: &[u8]) -> Vec<f32> {
        match format {
            VertexFormat::HFLOAT => data.as_chunks().0.iter().map(|b| half::to_f32(u16::from_le_bytes(*b))).collect(),
            VertexFormat::USHORT => {
                data.as_chunks().0.iter().map(|b| f32::from(u16::from_le_bytes(*b)) / 65535.0).collect()
            }
            VertexFormat::SHORT => {
                data.as_chunks().0.iter().map(|b| f32::from(i16::from_le_bytes(*b)) / 32767.0).collect()
            }
            VertexFormat::BYTE => data.iter().map(|b| f32::from(b.cast_signed()) / 127.0).collect(),
            _ => panic!("{format:?}"),
        }
    }

    /// Numbers that fill a range without a pattern.
    fn numbers(count: usize, low: f32, high: f32) -> Vec<f32> {
        let mut random = rres_test_data::random::Random::new(12345);
        (0..count).map(|_| low + random.fraction() * (high - low)).collect()
    }

    #[test]
    fn known_numbers_have_known_bits() {
        let (format, data) =
            positions(&[1.0, -2.0, 65504.0], PositionFormat::F16, ([0.0; 3], [0.0; 3])).unwrap().unwrap();
        assert_eq!((format, data), (VertexFormat::HFLOAT, vec![0, 0x3c, 0, 0xc0, 0xff, 0x7b, 0, 0x3c]));
        // To the nearest, and to even between two: 1 + 2⁻¹¹ is halfway, and goes down; 1 + 3·2⁻¹¹ goes up.
        let (_, data) = tex_coords(&[1.000_488_3, 1.001_464_8], TexCoordFormat::F16).unwrap();
        assert_eq!(data, [0, 0x3c, 2, 0x3c]);
        let (_, data) = tex_coords(&[0.0, 1.0, 0.5, 0.25], TexCoordFormat::Unorm16).unwrap();
        assert_eq!(data, [0, 0, 0xff, 0xff, 0, 0x80, 0, 0x40]);
        let (_, data) = normals(&[1.0, -1.0, 0.5], 3, NormalFormat::Snorm8).unwrap();
        assert_eq!(data, [127, 0x81, 64, 0]);
        let (_, data) = normals(&[0.0, 0.0, 1.0, -1.0], 4, NormalFormat::Snorm16).unwrap();
        assert_eq!(data, [0, 0, 0, 0, 0xff, 0x7f, 1, 0x80]);
    }

    #[test]
    fn errors_are_within_their_bounds() {
        let (low, high) = ([-3.0, 10.0, 7.0], [5.0, 10.5, 7.0]);
        let axes: Vec<Vec<f32>> = (0..3).map(|axis| numbers(1000, low[axis], high[axis])).collect();
        let values: Vec<f32> = (0..1000).flat_map(|i| [axes[0][i], axes[1][i], axes[2][i]]).collect();
        let (format, data) = positions(&values, PositionFormat::Unorm16, (low, high)).unwrap().unwrap();
        for (found, expected) in decoded(format, &data).as_chunks::<4>().0.iter().zip(values.as_chunks::<3>().0) {
            for axis in 0..3 {
                let extent = high[axis] - low[axis];
                let back = low[axis] + found[axis] * extent;
                assert!((back - expected[axis]).abs() <= extent / 131_070.0 + 1e-6, "{back} {}", expected[axis]);
            }
            assert_eq!(found[3], 1.0);
        }
        let (format, data) = positions(&values, PositionFormat::F16, (low, high)).unwrap().unwrap();
        for (found, expected) in decoded(format, &data).as_chunks::<4>().0.iter().zip(values.as_chunks::<3>().0) {
            assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() <= expected[axis].abs() / 2048.0 + 3e-8));
        }
        let directions = numbers(3000, -1.0, 1.0);
        for (wanted, bound) in [(NormalFormat::Snorm16, 1.0 / 65534.0), (NormalFormat::Snorm8, 1.0 / 254.0)] {
            let (format, data) = normals(&directions, 3, wanted).unwrap();
            for (found, expected) in decoded(format, &data).as_chunks::<4>().0.iter().zip(directions.as_chunks::<3>().0)
            {
                assert!((0..3).all(|axis| (found[axis] - expected[axis]).abs() <= bound + 1e-7), "{wanted:?}");
            }
        }
    }

    #[test]
    fn weights_add_up_to_one() {
        for most in [255, u16::MAX] {
            for weights in numbers(4000, 0.0, 1.0).as_chunks::<8>().0 {
                let total: f32 = weights.iter().sum();
                let weights = weights.map(|weight| weight / total);
                let steps = rounded(&weights, most);
                assert_eq!(steps.iter().map(|step| u32::from(*step)).sum::<u32>(), u32::from(most));
                for (step, weight) in steps.iter().zip(weights) {
                    assert!((f32::from(*step) / f32::from(most) - weight).abs() < 1.001 / f32::from(most));
                }
            }
            assert_eq!(
                rounded(&[0.5, 0.5, 0.0, 0.0], most).iter().map(|s| u32::from(*s)).sum::<u32>(),
                u32::from(most)
            );
            assert_eq!(rounded(&[1.0, 0.0, 0.0, 0.0], most), [most, 0, 0, 0]);
            // Weights that are not 1 in all stay so.
            assert_eq!(rounded(&[1.0, 1.0, 0.0, 0.0], most), [most, most, 0, 0]);
        }
        assert_eq!(rounded(&[0.4, 0.4, 0.2, 0.0], 255), [102, 102, 51, 0]);
    }

    #[test]
    fn what_a_format_does_not_hold_stays_or_is_an_error() {
        assert!(tex_coords(&[0.0, 1.1], TexCoordFormat::Unorm16).is_none());
        assert!(tex_coords(&[0.0, f32::NAN], TexCoordFormat::Unorm16).is_none());
        assert!(tex_coords(&[0.0, 70_000.0], TexCoordFormat::F16).is_none());
        let error = positions(&[0.0, 0.0, 0.0, 1.0, 7e4, 2.0], PositionFormat::F16, ([0.0; 3], [0.0; 3])).unwrap_err();
        assert_eq!(error.to_string(), "POSITION of vertex 1 is [1.0, 70000.0, 2.0], but f16 ends at 65504");
        // A mesh without extent, a normal that is longer than 1, and one that is none.
        assert_eq!(steps_between(5.0, 5.0, 5.0), 0);
        assert_eq!(normals(&[2.0, 0.0, 1.0], 3, NormalFormat::Snorm8).unwrap().1, [127, 0, 64, 0]);
        assert_eq!(normals(&[f32::NAN, 0.0, 0.0], 3, NormalFormat::Snorm8).unwrap().1, [0, 0, 0, 0]);
    }
}
