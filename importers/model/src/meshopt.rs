//! `EXT_meshopt_compression` → the bytes of a buffer view.
//!
//! The bitstream follows the extension's specification: attributes as differences in groups of 16, triangles as edges and vertices of
//! the triangles before them, indices as differences, and three filters. Everything that is read is checked against its length.

use rres_import::ImportError;

/// What the extension says about a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compressed<'v> {
    /// `ATTRIBUTES`, `TRIANGLES` or `INDICES`.
    pub(super) mode: &'v str,
    /// `NONE`, `OCTAHEDRAL`, `QUATERNION` or `EXPONENTIAL`.
    pub(super) filter: &'v str,
    pub(super) count: usize,
    /// Bytes of an element.
    pub(super) stride: usize,
}

/// The largest size of a view in bytes.
pub(super) const MAX_SIZE: usize = 1 << 30;

/// Elements of a group.
const GROUP: usize = 16;

/// Returns the elements, `count × stride` bytes.
pub(super) fn decode(view: Compressed<'_>, data: &[u8]) -> Result<Vec<u8>, ImportError> {
    let Compressed { mode, filter, count, stride } = view;
    let bad = |found: String| ImportError::new(found).with_damage_help("it is damaged: export it again");
    let size = count.checked_mul(stride).filter(|size| *size <= MAX_SIZE);
    let size =
        size.ok_or_else(|| bad(format!("has {count} compressed elements of {stride} bytes, which is too many")))?;
    let is_right_stride = match mode {
        "ATTRIBUTES" => stride > 0 && stride <= 256 && stride.is_multiple_of(4),
        _ => matches!(stride, 2 | 4),
    };
    let is_right_filter = match filter {
        "" | "NONE" => true,
        "OCTAHEDRAL" => mode == "ATTRIBUTES" && matches!(stride, 4 | 8),
        "QUATERNION" => mode == "ATTRIBUTES" && stride == 8,
        "EXPONENTIAL" => mode == "ATTRIBUTES",
        _ => false,
    };
    if !is_right_stride || !is_right_filter {
        return Err(bad(format!(
            "has compressed elements of {stride} bytes with mode \"{mode}\" and filter \"{filter}\""
        )));
    }
    let decoded = match mode {
        "ATTRIBUTES" => attributes(count, stride, size, data),
        "TRIANGLES" => triangles(count, data).map(|indices| narrowed(&indices, stride)),
        "INDICES" => indices(count, data).map(|indices| narrowed(&indices, stride)),
        _ => None,
    };
    let mut decoded =
        decoded.ok_or_else(|| bad(format!("has {} compressed bytes that are not {mode} of {count}", data.len())))?;
    match (filter, stride) {
        ("OCTAHEDRAL", 4) => decoded.as_chunks_mut().0.iter_mut().for_each(octahedral_8),
        ("OCTAHEDRAL", _) => decoded.as_chunks_mut().0.iter_mut().for_each(octahedral_16),
        ("QUATERNION", _) => decoded.as_chunks_mut().0.iter_mut().for_each(quaternion),
        ("EXPONENTIAL", _) => decoded.as_chunks_mut().0.iter_mut().for_each(exponential),
        _ => {}
    }
    Ok(decoded)
}

/// Takes bytes from the front.
fn take<'d>(data: &mut &'d [u8], len: usize) -> Option<&'d [u8]> {
    let (front, rest) = data.split_at_checked(len)?;
    *data = rest;
    Some(front)
}

fn attributes(count: usize, stride: usize, size: usize, data: &[u8]) -> Option<Vec<u8>> {
    let (0xa0, body) = data.split_first().map(|(head, body)| (*head, body))? else { return None };
    // The last bytes are the element before the first one.
    let (mut body, tail) = body.split_at_checked(body.len().checked_sub(stride.max(32))?)?;
    let mut before = tail[tail.len() - stride..].to_vec();
    let block = ((8192 / stride) & !(GROUP - 1)).clamp(GROUP, 256);
    // Every block has two bits for each group of each byte of an element, at least.
    let least = count.div_ceil(block).checked_mul(stride)?;
    if least > body.len() {
        return None;
    }
    let mut out = vec![0; size];
    for elements in out.chunks_mut(block * stride) {
        let groups = (elements.len() / stride).div_ceil(GROUP);
        for (byte, before) in before.iter_mut().enumerate() {
            let head = take(&mut body, groups.div_ceil(4))?;
            for group in 0..groups {
                let differences = group_of(head[group / 4] >> (group % 4 * 2) & 3, &mut body)?;
                let start = group * GROUP * stride + byte;
                for (at, difference) in (start..elements.len()).step_by(stride).zip(differences) {
                    let change = (difference >> 1) ^ (difference & 1).wrapping_neg();
                    *before = before.wrapping_add(change);
                    elements[at] = *before;
                }
            }
        }
    }
    Some(out)
}

/// Sixteen bytes in one of four forms: zeros, 2 bits each, 4 bits each, 8 bits each. The largest number of 2 or 4 bits means a byte
/// that follows.
fn group_of(form: u8, data: &mut &[u8]) -> Option<[u8; GROUP]> {
    let mut out = [0; GROUP];
    let bits = match form {
        0 => return Some(out),
        1 => 2,
        2 => 4,
        _ => {
            out.copy_from_slice(take(data, GROUP)?);
            return Some(out);
        }
    };
    let packed = take(data, GROUP * bits / 8)?;
    let sentinel = (1 << bits) - 1;
    for (i, slot) in out.iter_mut().enumerate() {
        let at = i * bits;
        let number = packed[at / 8] >> (8 - bits - at % 8) & sentinel;
        *slot = if number == sentinel { take(data, 1)?[0] } else { number };
    }
    Some(out)
}

/// A number of up to 32 bits, 7 in each byte.
fn number(data: &mut &[u8]) -> Option<u32> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let byte = take(data, 1)?[0];
        value |= u32::from(byte & 127).checked_shl(shift)?;
        if byte < 128 {
            break;
        }
    }
    Some(value)
}

/// A difference: the lowest bit is the sign.
fn difference(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// The last sixteen items.
#[derive(Default)]
struct Fifo<T> {
    items: [T; 16],
    next: usize,
}

impl<T: Copy> Fifo<T> {
    fn push(&mut self, item: T) {
        self.items[self.next] = item;
        self.next = (self.next + 1) % 16;
    }

    /// The item that was pushed `ago` items before the next one.
    fn get(&self, ago: u8) -> T {
        self.items[self.next.wrapping_sub(usize::from(ago)) % 16]
    }
}

fn triangles(count: usize, data: &[u8]) -> Option<Vec<u32>> {
    let (0xe1, body) = data.split_first().map(|(head, body)| (*head, body))? else { return None };
    if !count.is_multiple_of(3) {
        return None;
    }
    let (codes, rest) = body.split_at_checked(count / 3)?;
    // The last sixteen bytes are a table of codes.
    let (mut rest, table) = rest.split_at_checked(rest.len().checked_sub(16)?)?;
    let (mut edges, mut vertices) = (Fifo::<(u32, u32)>::default(), Fifo::<u32>::default());
    let (mut next, mut last) = (0u32, 0u32);
    let mut out = Vec::with_capacity(count);
    let new = |next: &mut u32| {
        let vertex = *next;
        *next = next.wrapping_add(1);
        vertex
    };
    for code in codes {
        if *code < 0xf0 {
            let (a, b) = edges.get((code >> 4) + 1);
            let (c, is_new) = match code & 15 {
                0 => (new(&mut next), true),
                ago @ 1..=12 => (vertices.get(ago + 1), false),
                13 => (last.wrapping_sub(1), true),
                14 => (last.wrapping_add(1), true),
                _ => (last.wrapping_add(difference(number(&mut rest)?)), true),
            };
            if code & 15 >= 13 {
                last = c;
            }
            if is_new {
                vertices.push(c);
            }
            edges.push((c, b));
            edges.push((a, c));
            out.extend([a, b, c]);
            continue;
        }
        let is_explicit = *code >= 0xfe;
        let pair = if is_explicit { take(&mut rest, 1)?[0] } else { table[usize::from(code & 15)] };
        let (first, second, third) = (if *code == 0xff { 15 } else { 0 }, pair >> 4, pair & 15);
        if is_explicit && pair == 0 {
            next = 0;
        }
        // New ones first: explicit ones do not change which they are.
        let vertex = |ago: u8, next: &mut u32| if ago == 0 { new(next) } else { vertices.get(ago) };
        let mut corners = [vertex(first, &mut next), vertex(second, &mut next), vertex(third, &mut next)];
        let kinds = [first, second, third];
        for (corner, _) in corners.iter_mut().zip(kinds).filter(|(_, kind)| is_explicit && *kind == 15) {
            last = last.wrapping_add(difference(number(&mut rest)?));
            *corner = last;
        }
        let [a, b, c] = corners;
        vertices.push(a);
        for (corner, kind) in [(b, second), (c, third)] {
            if kind == 0 || is_explicit && kind == 15 {
                vertices.push(corner);
            }
        }
        [(b, a), (c, b), (a, c)].into_iter().for_each(|edge| edges.push(edge));
        out.extend(corners);
    }
    Some(out)
}

fn indices(count: usize, data: &[u8]) -> Option<Vec<u32>> {
    let (0xd1, mut body) = data.split_first().map(|(head, body)| (*head, body))? else { return None };
    // Each takes a byte at least.
    if count > body.len() {
        return None;
    }
    let mut last = [0u32; 2];
    (0..count)
        .map(|_| {
            let value = number(&mut body)?;
            let slot = &mut last[(value & 1) as usize];
            *slot = slot.wrapping_add(difference(value >> 1));
            Some(*slot)
        })
        .collect()
}

fn narrowed(indices: &[u32], stride: usize) -> Vec<u8> {
    match stride {
        2 => indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
        _ => indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
    }
}

/// A direction in two numbers on an octahedron → three numbers of length `most`.
fn direction([x, y, one]: [f32; 3], most: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    let fold = z.min(0.0);
    let (x, y) = (x + if x >= 0.0 { fold } else { -fold }, y + if y >= 0.0 { fold } else { -fold });
    let scale = most / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|value| (value * scale).round())
}

fn octahedral_8(element: &mut [u8; 4]) {
    let [x, y, one, _] = element.map(|byte| f32::from(byte.cast_signed()));
    let found = direction([x, y, one], 127.0);
    element.iter_mut().zip(found).for_each(|(byte, value)| *byte = (value as i8).cast_unsigned());
}

fn shorts(element: &[u8; 8]) -> [i16; 4] {
    std::array::from_fn(|i| i16::from_le_bytes([element[i * 2], element[i * 2 + 1]]))
}

fn octahedral_16(element: &mut [u8; 8]) {
    let [x, y, one, _] = shorts(element).map(f32::from);
    let found = direction([x, y, one], 32767.0);
    element.chunks_exact_mut(2).zip(found).for_each(|(raw, value)| raw.copy_from_slice(&(value as i16).to_le_bytes()));
}

/// The three smallest components of a quaternion, and which one is missing.
fn quaternion(element: &mut [u8; 8]) {
    let values = shorts(element);
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(values[3] | 3);
    let [x, y, z] = [0, 1, 2].map(|i| f32::from(values[i]) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let missing = (values[3] & 3) as usize;
    for (i, value) in [w, x, y, z].into_iter().enumerate() {
        let raw = ((value * 32767.0).round() as i16).to_le_bytes();
        let at = (missing + i) % 4 * 2;
        element[at..at + 2].copy_from_slice(&raw);
    }
}

/// A mantissa of 24 bits and an exponent of 8 → a float.
fn exponential(element: &mut [u8; 4]) {
    let bits = i32::from_le_bytes(*element);
    let (mantissa, exponent) = (bits << 8 >> 8, bits >> 24);
    let value = (f64::from(mantissa) * 2f64.powi(exponent)) as f32;
    *element = value.to_le_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(mode: &'static str, filter: &'static str, count: usize, stride: usize) -> Compressed<'static> {
        Compressed { mode, filter, count, stride }
    }

    #[test]
    fn attributes_are_differences_in_groups() {
        // Two elements of 4 bytes: the first byte in 2 bits with one that follows, the second raw, the others zeros.
        let mut data = vec![0xa0];
        data.extend([1, 0b1011_0000, 0, 0, 0, 9]);
        data.push(3);
        data.extend([4, 6]);
        data.extend([0; 14]);
        data.extend([0, 0]);
        let mut tail = [0; 32];
        tail[28..].copy_from_slice(&[10, 20, 30, 40]);
        data.extend(tail);
        // 2 is +1, 9 is -5, 4 is +2, 6 is +3.
        let found = decode(view("ATTRIBUTES", "NONE", 2, 4), &data).unwrap();
        assert_eq!(found, [11, 22, 30, 40, 6, 25, 30, 40]);
        for len in 0..data.len() {
            let cut = decode(view("ATTRIBUTES", "", 2, 4), &data[..len]);
            assert!(cut.is_err(), "{len}");
        }
        assert!(decode(view("ATTRIBUTES", "", usize::MAX, 4), &data).is_err());
        assert!(decode(view("ATTRIBUTES", "", 1 << 28, 4), &data).is_err());
        assert!(decode(view("ATTRIBUTES", "OCTAHEDRAL", 2, 12), &data).is_err());
        assert!(decode(view("ATTRIBUTES", "", 2, 3), &data).is_err());
    }

    #[test]
    fn triangles_and_indices() {
        // Three new vertices, one across an edge, one of three that is explicit, three that are.
        let table = [0, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0, 0];
        let data = [&[0xe1, 0xf0, 0x10, 0xfe, 0xff, 0xf0, 0x0c, 0xff, 0x02, 0x02, 0x02][..], &table].concat();
        let found = decode(view("TRIANGLES", "", 12, 4), &data).unwrap();
        let words: Vec<u32> = found.as_chunks().0.iter().map(|raw| u32::from_le_bytes(*raw)).collect();
        assert_eq!(words, [0, 1, 2, 2, 1, 3, 4, 6, 5, 7, 8, 9]);
        // Differences from the last index of two sequences: 0, +1, then 1000 in the other, then -1.
        let data = [0xd1, 0, 4, 0xa1, 0x1f, 2];
        let found = decode(view("INDICES", "", 4, 2), &data).unwrap();
        let words: Vec<u16> = found.as_chunks().0.iter().map(|raw| u16::from_le_bytes(*raw)).collect();
        assert_eq!(words, [0, 1, 1000, 0]);
        assert!(decode(view("INDICES", "", 5, 4), &data).is_err());
    }

    #[test]
    fn filters_give_directions_rotations_and_floats() {
        let mut up = [0, 0, 127, 5];
        octahedral_8(&mut up);
        assert_eq!(up, [0, 0, 127, 5]);
        let mut down = [127, 127, 127, 0].map(|byte: u8| byte);
        octahedral_8(&mut down);
        assert_eq!(down.map(u8::cast_signed), [0, 0, -127, 0]);
        let mut none = [0, 0, 0, 0, 0, 0, 3, 0];
        quaternion(&mut none);
        assert_eq!(shorts(&none), [0, 0, 0, 32767]);
        let mut number = (-1i32 << 24 | 3).to_le_bytes();
        exponential(&mut number);
        assert_eq!(f32::from_le_bytes(number), 1.5);
    }

    #[test]
    fn any_bytes_are_an_error_or_elements() {
        let mut random = rres_test_data::random::Random::new(1);
        for round in 0..3000 {
            let mut next = || random.byte();
            let mode = ["ATTRIBUTES", "TRIANGLES", "INDICES"][round % 3];
            let mut data: Vec<u8> = (0..next()).map(|_| next()).collect();
            if let Some(first) = data.first_mut() {
                *first = [0xa0, 0xe1, 0xd1][round % 3];
            }
            let (count, stride) = (usize::from(next()), 4);
            if let Ok(found) = decode(view(mode, "", count, stride), &data) {
                assert_eq!(found.len(), count * stride);
            }
        }
    }
}
