// A minimal form of the part of rres-runtime that generated code uses. The tests of `codegen` include it in a module
// whose parent has a function `crc32`.

use std::marker::PhantomData;

pub struct Raw;
pub struct Text;
pub struct Image;
pub struct Sound;
pub struct Font;
pub struct Model;
pub struct Link;

pub struct Id<T: ?Sized> {
    pub id: u64,
    pub kind: [PhantomData<fn() -> T>; 0],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyId {
    pub id: u32,
    pub slot: u32,
    pub kind: u8,
}

#[derive(Clone, Copy)]
pub struct Ids {
    ids: &'static [u64],
    kinds: &'static [u8],
}

impl Ids {
    pub const fn new(ids: &'static [u64], kinds: &'static [u8]) -> Self {
        assert!(ids.len() == kinds.len());
        Self { ids, kinds }
    }

    pub const fn part(self, start: usize, count: usize) -> Self {
        Self { ids: self.ids.split_at(start).1.split_at(count).0, kinds: self.kinds.split_at(start).1.split_at(count).0 }
    }

    pub fn get(self, at: usize) -> Option<AnyId> {
        let (id, kind) = (*self.ids.get(at)?, *self.kinds.get(at)?);
        Some(AnyId { id: id as u32, slot: (id >> 32) as u32, kind })
    }

    pub fn iter(self) -> impl Iterator<Item = AnyId> {
        (0..self.ids.len()).map_while(move |at| self.get(at))
    }
}

pub trait HasFacts {}
impl HasFacts for Image {}
impl HasFacts for Sound {}

pub struct Facts<T> {
    pub words: [u32; 5],
    kind: PhantomData<T>,
}

impl<T: HasFacts> Facts<T> {
    pub const fn find(table: &[u8], id: Id<T>) -> Self {
        let mut at = 0;
        while word(table, at) != id.id as u32 {
            at += 24;
        }
        let words = [word(table, at + 4), word(table, at + 8), word(table, at + 12), word(table, at + 16), word(table, at + 20)];
        Self { words, kind: PhantomData }
    }
}

const fn word(table: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([table[at], table[at + 1], table[at + 2], table[at + 3]])
}

pub struct Group<G> {
    pub name: &'static str,
    pub members: &'static [u32],
    pub kind: PhantomData<G>,
}

impl<G> Group<G> {
    pub const fn new(name: &'static str, members: &'static [u32]) -> Self {
        Self { name, members, kind: PhantomData }
    }
}

#[derive(Debug)]
pub struct Store {
    pub location: String,
}

#[derive(Default)]
pub struct PackOptions(());

impl PackOptions {
    pub fn open_from(&self, source: impl ByteSource) -> OpeningPack {
        drop(source);
        OpeningPack
    }
}

pub trait ByteSource {}

pub struct OpeningPack;

impl OpeningPack {
    pub fn wait(self) -> Result<Pack, Error> {
        Ok(Pack)
    }
}

impl std::future::Future for OpeningPack {
    type Output = Result<Pack, Error>;

    fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
        std::task::Poll::Ready(Ok(Pack))
    }
}

pub struct Pack;

#[derive(Debug)]
pub struct Error;

#[allow(unused_macros)]
macro_rules! __require_jpeg {
    ($assets:literal) => {};
}
#[allow(unused_imports)]
pub(crate) use __require_jpeg;

#[allow(dead_code)]
#[derive(Debug)]
pub struct Credit {
    pub license: Option<&'static str>,
    pub authors: &'static [&'static str],
    pub copyright: &'static [&'static str],
    pub source: Option<&'static str>,
    pub attribution: Option<&'static str>,
    pub assets: &'static [&'static str],
}

pub mod __private {
    use super::super::crc32;
    use super::{Credit, Error, Store};

    #[allow(dead_code)]
    pub const fn credited(marked: &'static str) -> &'static str {
        marked.split_at(3).1
    }

    pub const fn credit(
        license: Option<&'static str>,
        authors: &'static [&'static str],
        copyright: &'static [&'static str],
        source: Option<&'static str>,
        attribution: Option<&'static str>,
        assets: &'static [&'static str],
    ) -> Credit {
        Credit { license, authors, copyright, source, attribution, assets }
    }

    pub const fn check_generated_code(version: u32) {
        assert!(version > 0);
    }

    #[derive(Debug)]
    pub struct Location {
        pub pack: &'static str,
        pub dev: Option<Dev>,
        pub pack_path_tail: Option<&'static str>,
        pub set_hash: [u8; 16],
        pub types: &'static [AssetType],
    }

    #[derive(Debug)]
    pub struct AssetType;

    pub static ALL_TYPES: [AssetType; 0] = [];

    impl AssetType {
        #[allow(dead_code)]
        pub const fn of<T>() -> Self {
            let _ = size_of::<T>();
            Self
        }
    }

    #[derive(Debug)]
    pub struct Dev {
        pub index: &'static str,
        pub blobs: &'static str,
        pub assets: &'static str,
        pub libraries: &'static [(&'static str, &'static str)],
        pub serve: &'static str,
        pub reader: DevReader,
    }

    #[derive(Debug)]
    pub struct DevReader;

    impl DevReader {
        pub const LOOSE: Self = Self;
    }

    pub fn open_with(location: &Location, _: super::PackOptions) -> Result<Store, Error> {
        if location.pack.is_empty() { Err(Error) } else { Ok(Store { location: format!("{location:?}") }) }
    }

    pub fn from_packs(location: &Location, packs: Vec<super::Pack>) -> Result<Store, Error> {
        if packs.is_empty() { Err(Error) } else { open_with(location, super::PackOptions::default()) }
    }

    pub use super::super::phf;

    pub struct Paths {
        offsets: phf::Map<u32, u32>,
        lines: &'static str,
    }

    impl Paths {
        pub const fn new(offsets: phf::Map<u32, u32>, lines: &'static str) -> Self {
            Self { offsets, lines }
        }

        pub fn find(&self, path: &str) -> Option<usize> {
            let lines = self.lines.get(*self.offsets.get(&crc32(path))? as usize..)?;
            lines.lines().take_while(|line| !line.is_empty()).find_map(|line| {
                let (place, of) = line.split_once('\t')?;
                if of == path { place.parse().ok() } else { None }
            })
        }
    }
}
