//! Numbers that are predicted, and their median.

/// A number that is predicted: an unsigned integer with wrapping arithmetic.
pub(crate) trait Element: Copy + Default + Ord {
    /// Its size in bytes.
    const SIZE: usize;
    /// Reads one from the first [`Self::SIZE`] bytes, little-endian.
    fn get(bytes: &[u8]) -> Self;
    /// Writes it into the first [`Self::SIZE`] bytes.
    fn set(self, bytes: &mut [u8]);
    /// `self + other`, wrapping.
    fn plus(self, other: Self) -> Self;
    /// `self - other`, wrapping.
    fn minus(self, other: Self) -> Self;
    /// `(self + other) / 2` without overflow, rounded down.
    fn middle(self, other: Self) -> Self;
}

macro_rules! element {
    ($($number:ident)*) => {$(
        impl Element for $number {
            const SIZE: usize = size_of::<$number>();
            #[inline(always)]
            fn get(bytes: &[u8]) -> Self {
                let mut number = [0; size_of::<$number>()];
                number.copy_from_slice(&bytes[..size_of::<$number>()]);
                Self::from_le_bytes(number)
            }
            #[inline(always)]
            fn set(self, bytes: &mut [u8]) {
                bytes[..size_of::<$number>()].copy_from_slice(&self.to_le_bytes());
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn middle(self, other: Self) -> Self {
                (self & other) + ((self ^ other) >> 1)
            }
        }
    )*};
}

element!(u8 u16 u32);

/// The median of `left`, `up` and `left + up - up_left`: the predictor of JPEG-LS. With `up_left` clamped to the two others, the
/// sum is the median, and does not wrap.
#[inline(always)]
pub(crate) fn median<E: Element>(left: E, up: E, up_left: E) -> E {
    let (low, high) = (left.min(up), left.max(up));
    low.plus(high).minus(up_left.max(low).min(high))
}
