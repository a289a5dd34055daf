//! ICC profiles of versions 2 and 4: three curves and three colorants, or a curve for greys.
//!
//! Profiles of printers and scanners have tables of several dimensions instead. They are not applied.

use super::curve::Curve;
use super::{Profile, primaries};

/// The most tags of a profile. Real ones have up to 40.
const MAX_TAGS: usize = 100;

/// The most points of a curve. Real ones have up to 4096.
const MAX_POINTS: usize = 65_536;

/// Reads a profile.
pub(super) fn read(bytes: &[u8]) -> Result<Profile, &'static str> {
    if bytes.get(36..40) != Some(b"acsp") {
        return Err("is damaged");
    }
    match (bytes.get(16..20), bytes.get(20..24)) {
        (Some(b"RGB "), Some(b"XYZ ")) => {}
        (Some(b"GRAY"), Some(b"XYZ ")) => {
            let data = tag(bytes, b"kTRC").ok_or("has no curve")?;
            // One is enough, and a curve has no copy.
            let curves = [curve(data), curve(data), curve(data)];
            let [Some(r), Some(g), Some(b)] = curves else { return Err("has a damaged curve") };
            return Ok(Profile { curves: [r, g, b], matrix: None });
        }
        // The curve leads to lightness then, and not to light.
        (Some(b"GRAY"), _) => return Err("has a curve of lightness"),
        (Some(b"CMYK"), _) => return Err("is for CMYK"),
        (Some(b"RGB "), _) => return Err("has tables instead of curves"),
        _ => return Err("is for other channels"),
    }
    let colorants = [b"rXYZ", b"gXYZ", b"bXYZ"].map(|name| tag(bytes, name));
    let [Some(r), Some(g), Some(b)] = colorants else { return Err("has tables instead of curves") };
    let [Some(r), Some(g), Some(b)] = [r, g, b].map(xyz) else { return Err("has damaged colorants") };
    let colorants = std::array::from_fn(|row| [r[row], g[row], b[row]]);
    // The sum is white, whose Y is 1.
    if !(0.8..=1.2).contains(&(r[1] + g[1] + b[1])) {
        return Err("has colorants without white");
    }
    let curves = [b"rTRC", b"gTRC", b"bTRC"].map(|name| tag(bytes, name).and_then(curve));
    let [Some(r), Some(g), Some(b)] = curves else { return Err("has no curves") };
    let matrix = primaries::from_d50(colorants).ok_or("has damaged colorants")?;
    Ok(Profile { curves: [r, g, b], matrix: Some(matrix) })
}

/// The description of a profile.
pub(crate) fn description(profile: &[u8]) -> Option<String> {
    let data = tag(profile, b"desc")?;
    let name = match data.get(..4)? {
        b"desc" => {
            let len = word(data, 8)?.min(200);
            String::from_utf8_lossy(part(data, 12, len)?).into_owned()
        }
        b"mluc" => {
            let (len, offset) = (word(data, 20)?.min(400), word(data, 24)?);
            let units = part(data, offset, len)?.chunks_exact(2);
            char::decode_utf16(units.map(|unit| u16::from_be_bytes([unit[0], unit[1]])))
                .map(|c| c.unwrap_or('?'))
                .collect()
        }
        _ => return None,
    };
    let name: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The data of a tag. A profile that was cut off has what is left of it.
fn tag<'a>(profile: &'a [u8], name: &[u8; 4]) -> Option<&'a [u8]> {
    let count = word(profile, 128)?.min(MAX_TAGS);
    let mut entries = profile.get(132..)?.chunks_exact(12).take(count);
    let entry = entries.find(|entry| entry.starts_with(name))?;
    let (start, len) = (word(entry, 4)?, word(entry, 8)?);
    let data = profile.get(start..)?;
    Some(&data[..len.min(data.len())])
}

/// The colour of a tag.
fn xyz(data: &[u8]) -> Option<[f64; 3]> {
    if !data.starts_with(b"XYZ ") {
        return None;
    }
    Some([fixed(data, 8)?, fixed(data, 12)?, fixed(data, 16)?])
}

/// The curve of a tag.
fn curve(data: &[u8]) -> Option<Curve> {
    match data.get(..4)? {
        b"curv" => match word(data, 8)? {
            0 => Some(Curve::Linear),
            1 => {
                let gamma = f64::from(half(data, 12)?) / 256.0;
                (gamma > 0.0).then_some(Curve::Power(gamma))
            }
            count if count <= MAX_POINTS => {
                let points = part(data, 12, count * 2)?.chunks_exact(2);
                Some(Curve::Points(points.map(|point| u16::from_be_bytes([point[0], point[1]])).collect()))
            }
            _ => None,
        },
        b"para" => parts(data),
        _ => None,
    }
}

/// A curve of a formula, of which there are five with more and more parameters.
fn parts(data: &[u8]) -> Option<Curve> {
    let parameter = |number: usize| fixed(data, 12 + 4 * number);
    let g = parameter(0).filter(|g| *g > 0.0 && *g < 100.0)?;
    let kind = half(data, 8)?;
    if kind == 0 {
        return Some(Curve::Power(g));
    }
    let (a, b) = (parameter(1)?, parameter(2)?);
    // Below this the base would be negative.
    let start = if a > 0.0 { -b / a } else { return None };
    Some(match kind {
        1 => Curve::Parts { g, a, b, c: 0.0, d: start, e: 0.0, f: 0.0 },
        2 => {
            let c = parameter(3)?;
            Curve::Parts { g, a, b, c: 0.0, d: start, e: c, f: c }
        }
        3 => Curve::Parts { g, a, b, c: parameter(3)?, d: parameter(4)?, e: 0.0, f: 0.0 },
        4 => {
            let (c, d, e, f) = (parameter(3)?, parameter(4)?, parameter(5)?, parameter(6)?);
            Curve::Parts { g, a, b, c, d, e, f }
        }
        _ => return None,
    })
}

fn part(data: &[u8], start: usize, len: usize) -> Option<&[u8]> {
    data.get(start..start.checked_add(len)?)
}

fn word(data: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_be_bytes(*data.get(at..)?.first_chunk()?) as usize)
}

fn half(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*data.get(at..)?.first_chunk()?))
}

/// A number with 16 bits before and after the point.
fn fixed(data: &[u8], at: usize) -> Option<f64> {
    Some(f64::from(i32::from_be_bytes(*data.get(at..)?.first_chunk()?)) / 65536.0)
}
