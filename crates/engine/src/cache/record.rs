//! Small binary records: numbers are `u32` little-endian, texts and lists are preceded by their length.
//!
//! Reading trusts no length: if a record does not fit its bytes, the result is `None`, and the caller creates the
//! record again.

use rres_codegen::Facts;
use rres_format::index::{Meta, MetaKey};
use rres_format::{AssetKind, Compression};
use rres_import::Note;
use rres_protocol::facts::WORDS;

use crate::model::{ChunkRun, Dependency, NamedPart, PartSort, ResourceInfo};

/// The number of an image of quantities among the sorts of dependencies, above the numbers with a kind.
const QUANTITIES: u32 = 1000;

/// A record being written.
#[derive(Default)]
pub(super) struct Output(pub(super) Vec<u8>);

impl Output {
    pub(super) fn number(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn bytes<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn resources(&mut self, resources: &[ResourceInfo]) {
        self.number(resources.len() as u32);
        resources.iter().for_each(|resource| self.resource(resource));
    }

    fn resource(&mut self, resource: &ResourceInfo) {
        self.text(&resource.name);
        self.number(resource.kind as u32);
        self.text(&resource.summary);
        let ChunkRun { offset, count, headers_crc } = resource.chunks;
        for number in [offset, resource.stored_size, resource.base_size, count.into(), headers_crc] {
            self.number(number);
        }
        self.number(resource.compression.0.into());
        match resource.facts.words() {
            None => self.number(0),
            Some((kind, words)) => std::iter::once(kind).chain(words).for_each(|number| self.number(number)),
        }
        self.number(resource.video_memory as u32);
        self.number((resource.video_memory >> 32) as u32);
        let records = resource.meta.records();
        self.number(records.len() as u32);
        for (key, value) in records {
            self.number(key.0.into());
            self.number(*value);
        }
        self.number(resource.dependencies.len() as u32);
        for dependency in &resource.dependencies {
            let (tag, text) = match dependency {
                Dependency::SubAsset(name) => (0, name),
                Dependency::Asset(path) => (1, path),
                Dependency::Typed(path, None) => (2, path),
                Dependency::Typed(path, Some(kind)) => (3 + *kind as u32, path),
                Dependency::Quantities(path) => (QUANTITIES, path),
            };
            self.number(tag);
            self.text(text);
        }
        self.number(resource.notes.len() as u32);
        for Note { topic, detail, help } in &resource.notes {
            [topic, detail, help].into_iter().for_each(|text| self.text(text));
        }
        self.number(resource.parts.len() as u32);
        for NamedPart { sort, index, name } in &resource.parts {
            self.number(*sort as u32);
            self.number(*index);
            self.text(name);
        }
    }
}

/// A record being read.
pub(super) struct Input<'a>(pub(super) &'a [u8]);

impl Input<'_> {
    pub(super) fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes()?))
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (raw, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*raw)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        let len = self.number()? as usize;
        let (raw, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(std::str::from_utf8(raw).ok()?.to_owned())
    }

    pub(super) fn resources(&mut self) -> Option<Vec<ResourceInfo>> {
        // Most sources have one. A vector that grows would have room for four.
        match self.number()? {
            1 => Some(vec![self.resource()?]),
            count => (0..count).map(|_| self.resource()).collect(),
        }
    }

    fn resource(&mut self) -> Option<ResourceInfo> {
        let name = self.text()?;
        let kind = AssetKind::from_number(u8::try_from(self.number()?).ok()?)?;
        let summary = self.text()?;
        let [offset, stored_size, base_size] = [self.number()?, self.number()?, self.number()?];
        let (count, headers_crc) = (u16::try_from(self.number()?).ok()?, self.number()?);
        let compression = Compression(u8::try_from(self.number()?).ok()?);
        let facts = match self.number()? {
            0 => Facts::Unknown,
            kind => {
                let mut words = [0; WORDS];
                for word in &mut words {
                    *word = self.number()?;
                }
                Facts::from_words(kind, words)?
            }
        };
        let video_memory = u64::from(self.number()?) | u64::from(self.number()?) << 32;
        let mut meta = Meta::default();
        for _ in 0..self.number()? {
            meta.set(MetaKey(u16::try_from(self.number()?).ok()?), self.number()?);
        }
        let mut dependencies = Vec::new();
        for _ in 0..self.number()? {
            dependencies.push(match self.number()? {
                0 => Dependency::SubAsset(self.text()?),
                1 => Dependency::Asset(self.text()?),
                2 => Dependency::Typed(self.text()?, None),
                QUANTITIES => Dependency::Quantities(self.text()?),
                tag => {
                    let kind = AssetKind::from_number(u8::try_from(tag - 3).ok()?)?;
                    Dependency::Typed(self.text()?, Some(kind))
                }
            });
        }
        let mut notes = Vec::new();
        for _ in 0..self.number()? {
            notes.push(Note { topic: self.text()?, detail: self.text()?, help: self.text()? });
        }
        let mut parts = Vec::new();
        for _ in 0..self.number()? {
            let sort = *PartSort::ALL.get(self.number()? as usize)?;
            parts.push(NamedPart { sort, index: self.number()?, name: self.text()? });
        }
        Some(ResourceInfo {
            name,
            kind,
            summary,
            chunks: ChunkRun { offset, count, headers_crc },
            stored_size,
            base_size,
            compression,
            facts,
            video_memory,
            meta,
            dependencies,
            notes,
            parts,
        })
    }
}
