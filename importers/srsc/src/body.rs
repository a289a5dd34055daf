//! The bytes of a record body, field by field, and lists of records of fixed size that stay where they are.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use crate::checks::Notes;
use crate::error::{Fault, Problem};
use crate::text::Text;

type Result<T> = std::result::Result<T, Fault>;

/// A position in a record body. Every read is checked against its end.
#[derive(Clone, Debug)]
pub(crate) struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Body<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns where the next field starts.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn take(&mut self, size: u64, field: &'static str) -> Result<&'a [u8]> {
        let left = self.left();
        match usize::try_from(size).ok().filter(|size| *size <= left) {
            Some(size) => {
                let bytes = &self.bytes[self.at..self.at + size];
                self.at += size;
                Ok(bytes)
            }
            None => Err(Fault::new(field, self.at, Problem::Truncated { needed: size, left: left as u64 })),
        }
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N as u64, field)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self, field: &'static str) -> Result<u8> {
        self.array::<1>(field).map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16> {
        self.array(field).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self, field: &'static str) -> Result<i32> {
        self.array(field).map(i32::from_le_bytes)
    }

    /// Returns a number that is finite.
    pub(crate) fn f32(&mut self, field: &'static str) -> Result<f32> {
        let at = self.at;
        let value = self.array(field).map(f32::from_le_bytes)?;
        if value.is_finite() { Ok(value) } else { Err(Fault::invalid(field, at, value, "a finite number")) }
    }

    /// Returns `N` finite numbers.
    pub(crate) fn f32s<const N: usize>(&mut self, field: &'static str) -> Result<[f32; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.f32(field)?;
        }
        Ok(values)
    }

    pub(crate) fn reference(&mut self, field: &'static str) -> Result<Ref> {
        self.array::<4>(field).map(|bytes| Ref::read(&bytes))
    }

    /// Returns a text: its length, and bytes, the last of them padding if it is 0.
    pub(crate) fn text(&mut self, field: &'static str, notes: &mut Notes<'_>) -> Result<Text<'a>> {
        let at = self.at;
        let len = self.u16(field)?;
        let bytes = self.take(len.into(), field)?;
        if len % 2 != 0 {
            notes.warn(Fault::invalid(field, at, format!("of an odd length of {len} bytes"), "an even length"))?;
        }
        Ok(Text::new(bytes.strip_suffix(b"\0").unwrap_or(bytes)))
    }

    /// Returns a list of `count` elements of fixed size. Nothing is copied.
    pub(crate) fn items<T: Element>(&mut self, count: u64, field: &'static str) -> Result<Items<'a, T>> {
        let at = self.at;
        let items = Items::of_bytes(self.take(count.saturating_mul(T::SIZE as u64), field)?);
        match T::FLOATS.then(|| items.iter().position(|item: T| !item.is_finite())).flatten() {
            Some(bad) => Err(Fault::invalid(field, at + bad * T::SIZE, "not a finite number", "a finite number")),
            None => Ok(items),
        }
    }

    /// Returns a list whose number of elements comes first, as 16 bits.
    pub(crate) fn items16<T: Element>(&mut self, field: &'static str) -> Result<Items<'a, T>> {
        let count = self.u16(field)?;
        self.items(count.into(), field)
    }

    /// Checks that `count` elements of at least `size` bytes each can follow, before memory is reserved for them.
    pub(crate) fn expect(&self, count: u64, size: u64, field: &'static str) -> Result<usize> {
        let needed = count.saturating_mul(size);
        if needed > self.left() as u64 {
            return Err(Fault::new(field, self.at, Problem::Truncated { needed, left: self.left() as u64 }));
        }
        // Not more than the body has bytes.
        Ok(count as usize)
    }

    /// Returns all bytes that are left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    /// Warns of bytes after the last field.
    pub(crate) fn end(&self, notes: &mut Notes<'_>) -> Result<()> {
        match self.left() {
            0 => Ok(()),
            left => notes.warn(Fault::unknown("end", self.at, format!("{left} bytes follow the last known field"))),
        }
    }
}

/// What a list of fixed-size elements contains. Implemented by the types of this crate only.
pub trait Element: Copy + PartialEq + fmt::Debug {
    /// The bytes of an element.
    #[doc(hidden)]
    const SIZE: usize;
    /// Whether an element contains floats.
    #[doc(hidden)]
    const FLOATS: bool = false;
    /// Reads an element from [`Self::SIZE`] bytes.
    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Self;
    /// Appends the bytes of an element.
    #[doc(hidden)]
    fn put(self, out: &mut Vec<u8>);
    /// Whether all floats of the element are finite.
    #[doc(hidden)]
    fn is_finite(self) -> bool {
        true
    }
}

/// A list of elements of fixed size, which are read when they are asked for.
#[derive(Clone, PartialEq, Eq)]
pub struct Items<'a, T> {
    bytes: Cow<'a, [u8]>,
    of: PhantomData<T>,
}

impl<'a, T: Element> Items<'a, T> {
    fn of_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.into(), of: PhantomData }
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / T::SIZE
    }

    /// Whether the list has no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns an element; `None` beyond the end.
    pub fn get(&self, index: usize) -> Option<T> {
        let start = index.checked_mul(T::SIZE)?;
        self.bytes.get(start..start.checked_add(T::SIZE)?).map(T::read)
    }

    /// Returns the elements in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + '_ {
        self.bytes.chunks_exact(T::SIZE).map(T::read)
    }

    /// Returns the bytes of all elements, as they are in the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: Element> FromIterator<T> for Items<'_, T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut bytes = Vec::new();
        items.into_iter().for_each(|item| item.put(&mut bytes));
        Self { bytes: bytes.into(), of: PhantomData }
    }
}

impl<T> Default for Items<'_, T> {
    fn default() -> Self {
        Self { bytes: Cow::Borrowed(&[]), of: PhantomData }
    }
}

impl<T: Element> fmt::Debug for Items<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

fn word(bytes: &[u8], at: usize) -> [u8; 4] {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    word
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

impl Element for u8 {
    const SIZE: usize = 1;
    fn read(bytes: &[u8]) -> Self {
        bytes[0]
    }
    fn put(self, out: &mut Vec<u8>) {
        out.push(self);
    }
}

impl Element for u16 {
    const SIZE: usize = 2;
    fn read(bytes: &[u8]) -> Self {
        half(bytes, 0)
    }
    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Element for u32 {
    const SIZE: usize = 4;
    fn read(bytes: &[u8]) -> Self {
        Self::from_le_bytes(word(bytes, 0))
    }
    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

/// Two numbers, such as the range of the frames of a node.
impl Element for [u32; 2] {
    const SIZE: usize = 8;
    fn read(bytes: &[u8]) -> Self {
        [u32::read(bytes), u32::read(&bytes[4..])]
    }
    fn put(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|value| value.put(out));
    }
}

impl<const N: usize> Element for [u16; N] {
    const SIZE: usize = 2 * N;
    fn read(bytes: &[u8]) -> Self {
        std::array::from_fn(|i| half(bytes, 2 * i))
    }
    fn put(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|value| value.put(out));
    }
}

impl<const N: usize> Element for [f32; N] {
    const SIZE: usize = 4 * N;
    const FLOATS: bool = true;
    fn read(bytes: &[u8]) -> Self {
        std::array::from_fn(|i| f32::from_le_bytes(word(bytes, 4 * i)))
    }
    fn put(self, out: &mut Vec<u8>) {
        self.into_iter().for_each(|value| out.extend(value.to_le_bytes()));
    }
    fn is_finite(self) -> bool {
        self.into_iter().all(f32::is_finite)
    }
}

/// Red, green, blue and flags of unknown meaning.
impl Element for [u8; 4] {
    const SIZE: usize = 4;
    fn read(bytes: &[u8]) -> Self {
        word(bytes, 0)
    }
    fn put(self, out: &mut Vec<u8>) {
        out.extend(self);
    }
}

/// How strongly a joint moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// The vertex, counted from the first one of its level of detail.
    pub vertex: u32,
    /// The weight.
    pub weight: f32,
}

impl Element for Weight {
    const SIZE: usize = 8;
    const FLOATS: bool = true;
    fn read(bytes: &[u8]) -> Self {
        Self { vertex: u32::read(bytes), weight: f32::from_le_bytes(word(bytes, 4)) }
    }
    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.vertex.to_le_bytes());
        out.extend(self.weight.to_le_bytes());
    }
    fn is_finite(self) -> bool {
        self.weight.is_finite()
    }
}

/// A reference to another record. Its type follows from the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Ref {
    /// The id of the record.
    pub id: u16,
    /// The database that contains it: 0 for the same one, otherwise an index that the `.db` file names.
    pub database: u16,
}

impl Ref {
    /// Returns a reference to a record of the same database.
    pub const fn local(id: u16) -> Self {
        Self { id, database: 0 }
    }

    /// Whether it refers to nothing.
    pub const fn is_null(self) -> bool {
        self.id == 0 && self.database == 0
    }
}

/// Formats the index of the database and the id, as in `2:0x0001`.
impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:0x{:04x}", self.database, self.id)
    }
}

impl Element for Ref {
    const SIZE: usize = 4;
    fn read(bytes: &[u8]) -> Self {
        Self { id: half(bytes, 0), database: half(bytes, 2) }
    }
    fn put(self, out: &mut Vec<u8>) {
        out.extend(self.id.to_le_bytes());
        out.extend(self.database.to_le_bytes());
    }
}
