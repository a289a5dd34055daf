//! Numbers and texts as bytes, and checksums. All are as slow as they are short.

/// A number of a fixed size.
pub trait Number: Copy {
    /// The bytes, the lowest first.
    fn le(self) -> Vec<u8>;
}

macro_rules! numbers {
    ($($number:ident)*) => {
        $(impl Number for $number {
            fn le(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 i8 i16 i32 f32 f64);

/// The bytes of numbers, the lowest byte of each first.
pub fn le<T: Number>(numbers: &[T]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.le()).collect()
}

/// [`le`] of floats, for numbers that do not tell their type.
pub fn floats(numbers: &[f32]) -> Vec<u8> {
    le(numbers)
}

/// [`le`] of 16 bits.
pub fn shorts(numbers: &[u16]) -> Vec<u8> {
    le(numbers)
}

/// [`le`] of 32 bits.
pub fn words(numbers: &[u32]) -> Vec<u8> {
    le(numbers)
}

/// The bytes of numbers, the highest byte of each first.
pub fn be<T: Number>(numbers: &[T]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.le().into_iter().rev()).collect()
}

/// Bytes as base64, for data URIs.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        let digits = (0..4).map(|i| char::from(DIGITS[(bits >> (18 - 6 * i)) as usize & 63]));
        text.extend(digits.take(group.len() + 1));
        text.extend(std::iter::repeat_n('=', 3 - group.len()));
    }
    text
}

/// The CRC-32 of PNG, zlib and packs.
pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// The CRC of FLAC and Ogg: the highest bit first, from zero on, with `width` bits.
pub fn crc(bytes: &[u8], width: u32, polynomial: u32) -> u32 {
    let top = 1 << (width - 1);
    let step = |crc: u32, _| if crc & top == 0 { crc << 1 } else { (crc << 1) ^ polynomial };
    let crc = bytes.iter().fold(0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte) << (width - 8), step));
    crc & (u32::MAX >> (32 - width))
}
