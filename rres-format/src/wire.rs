//! Little-endian fields and fixed-size records, which have exactly one byte form.
//!
//! A record is declared once with [`wire_record!`], field by field in file order. The declaration generates the reader,
//! the writer and the size, so they cannot disagree.

/// A value with a fixed size and exactly one byte form.
pub(crate) trait Wire: Copy {
    /// Size of the byte form.
    const SIZE: usize;

    /// Reads the value from the start of `raw`, which has at least [`Self::SIZE`] bytes.
    fn get(raw: &[u8]) -> Self;

    /// Appends the bytes of the value.
    fn put(self, out: &mut Vec<u8>);
}

impl<const N: usize> Wire for [u8; N] {
    const SIZE: usize = N;

    #[inline]
    fn get(raw: &[u8]) -> Self {
        *raw.first_chunk().expect("the caller has checked the length of the record")
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self);
    }
}

macro_rules! wire_number {
    ($($number:ty),*) => {$(
        impl Wire for $number {
            const SIZE: usize = size_of::<$number>();

            #[inline]
            fn get(raw: &[u8]) -> Self {
                Self::from_le_bytes(Wire::get(raw))
            }

            fn put(self, out: &mut Vec<u8>) {
                self.to_le_bytes().put(out);
            }
        }
    )*};
}

wire_number!(u8, u16, u32, u64, i32, f32);

impl<const N: usize> Wire for [f32; N] {
    const SIZE: usize = N * f32::SIZE;

    #[inline]
    fn get(raw: &[u8]) -> Self {
        core::array::from_fn(|i| f32::get(&raw[i * f32::SIZE..]))
    }

    fn put(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|number| number.put(out));
    }
}

/// Implements [`Wire`] for a newtype over a [`Wire`] value.
macro_rules! wire_newtype {
    ($name:ty) => {
        impl $crate::wire::Wire for $name {
            const SIZE: usize = size_of::<$name>();

            #[inline]
            fn get(raw: &[u8]) -> Self {
                Self($crate::wire::Wire::get(raw))
            }

            fn put(self, out: &mut Vec<u8>) {
                $crate::wire::Wire::put(self.0, out);
            }
        }
    };
}

/// Declares a record: a struct whose fields are stored one after another, in this order and without gaps. The number in
/// brackets is its size in bytes, which the compiler checks.
macro_rules! wire_record {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident [$size:literal] {
            $( $(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $name {
            $( $(#[$field_meta])* $field_vis $field: $type, )*
        }

        const _: () = assert!(0 $(+ <$type as $crate::wire::Wire>::SIZE)* == $size);

        impl $crate::wire::Wire for $name {
            const SIZE: usize = $size;

            #[inline]
            fn get(raw: &[u8]) -> Self {
                let raw: &[u8; $size] = raw.first_chunk().expect("the caller has checked the length of the record");
                let mut at = 0;
                $(
                    let $field = <$type as $crate::wire::Wire>::get(&raw[at..]);
                    at += <$type as $crate::wire::Wire>::SIZE;
                )*
                debug_assert_eq!(at, $size);
                Self { $($field),* }
            }

            fn put(self, out: &mut Vec<u8>) {
                $( $crate::wire::Wire::put(self.$field, out); )*
            }
        }
    };
}

pub(crate) use {wire_newtype, wire_record};
