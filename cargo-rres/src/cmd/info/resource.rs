//! Everything about one resource: its entry in the front index and the properties of its chunks.

use rres_format::index::GroupView;
use rres_format::{AssetKind, ChunkView, Cipher, Decompressor};
use rres_packs::describe::{self, Property};
use rres_packs::{OpenedPack, Resource};
use rres_settings::ByteSize;
use serde_json::{Map, Value, json};

use super::print_facts;
use crate::cmd::ls::resource_json;
use crate::exit::Failure;
use crate::output::{Output, Style};

/// Everything about one resource.
pub(crate) struct ResourceInfo<'a> {
    pack: &'a OpenedPack,
    resource: &'a Resource<'a>,
    metadata: Vec<(String, Value)>,
    /// Paths of the resources that it needs at run time, or their ids if the pack does not contain them.
    dependencies: Vec<String>,
    groups: Vec<String>,
    chunks: Vec<DescribedChunk<'a>>,
}

/// A chunk and its properties.
struct DescribedChunk<'a> {
    chunk: ChunkView<'a>,
    properties: rres_format::Result<Vec<Property>>,
}

impl<'a> ResourceInfo<'a> {
    pub(crate) fn new(pack: &'a OpenedPack, resource: &'a Resource<'a>) -> Self {
        let (mut metadata, mut dependencies, mut groups) = (Vec::new(), Vec::new(), Vec::new());
        if let (Some(index), Some(slot)) = (pack.view().index(), resource.slot) {
            let path_of = |id| {
                let entry = index.find(id).and_then(|slot| index.entry(slot).ok());
                entry.map_or_else(|| id.to_string(), |entry| entry.path.to_owned())
            };
            let is_member = |group: &GroupView<'_>| group.slots().any(|member| member == slot);
            metadata = index.meta(slot).map(describe::metadata).unwrap_or_default();
            dependencies = index.dependencies(slot).map(|ids| ids.map(path_of).collect()).unwrap_or_default();
            let all_groups = index.groups().filter_map(Result::ok);
            groups = all_groups.filter(is_member).map(|group| group.name.to_owned()).collect();
        }
        let mut decompressor = Decompressor::default();
        let chunk_info = |chunk: &ChunkView<'a>| {
            let properties =
                chunk.verify().and_then(|()| describe::properties(chunk, resource.keyring, &mut decompressor));
            DescribedChunk { chunk: *chunk, properties }
        };
        let chunks = resource.chunks.iter().map(chunk_info).collect();
        Self { pack, resource, metadata, dependencies, groups, chunks }
    }

    /// Whether every chunk could be decoded, apart from encrypted chunks.
    pub(crate) fn is_readable(&self) -> bool {
        let is_encrypted = |chunk: &DescribedChunk<'_>| !self.resource.keyring.can_read(chunk.chunk.info.cipher);
        self.chunks.iter().all(|chunk| chunk.properties.is_ok() || is_encrypted(chunk))
    }

    pub(crate) fn to_json(&self) -> Value {
        let metadata = self.metadata.iter().map(|(name, value)| (describe::json_key(name), value.clone()));
        let mut json = resource_json(self.resource);
        json["pack"] = json!(self.pack.name());
        json["metadata"] = metadata.collect::<Map<_, _>>().into();
        json["dependencies"] = json!(self.dependencies);
        json["groups"] = json!(self.groups);
        json["chunks"] = self.chunks.iter().map(DescribedChunk::to_json).collect();
        json
    }

    pub(crate) fn print(&self, out: &mut Output) -> Result<(), Failure> {
        out.styled_line(Style::Bold, &self.resource.name())?;
        print_facts(&self.facts(), out)?;
        for (number, chunk) in self.chunks.iter().enumerate() {
            chunk.print(number, self.resource.kind, out)?;
        }
        Ok(())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![
            ("id", self.resource.id.to_string()),
            ("kind", self.resource.kind_name()),
            ("pack", format!("{}, number {}", self.pack.name(), self.resource.number)),
            ("stored", ByteSize(self.resource.stored_size).to_string()),
            ("decoded", ByteSize(self.resource.decoded_size).to_string()),
        ];
        let uploaded = self.resource.video_memory().filter(|bytes| *bytes > 0);
        facts.extend(uploaded.map(|bytes| ("video memory", ByteSize(bytes).to_string())));
        facts.extend(self.resource.same_as.as_ref().map(|_| ("stored as", self.resource.encoding())));
        let metadata = self.metadata.iter().map(|(name, value)| format!("{name} {}", describe::to_text(value)));
        let lists = [
            ("metadata", metadata.collect::<Vec<_>>().join(", ")),
            ("dependencies", self.dependencies.join(", ")),
            ("groups", self.groups.join(", ")),
        ];
        facts.extend(lists.into_iter().filter(|(_, list)| !list.is_empty()));
        facts
    }
}

impl DescribedChunk<'_> {
    fn to_json(&self) -> Value {
        let info = &self.chunk.info;
        let mut json = json!({
            "kind": info.kind.to_string(),
            "offset": self.chunk.offset,
            "compression": info.compression.to_string(),
            "cipher": Some(info.cipher).filter(|cipher| *cipher != Cipher::NONE).map(|cipher| cipher.to_string()),
            "stored_size": info.packed_size,
            "decoded_size": info.base_size,
            "next_offset": Some(info.next_offset).filter(|next| *next != 0),
            "crc32": format!("{:08x}", info.crc32),
            "flags": info.flags,
            "reserved": info.reserved,
        });
        match &self.properties {
            Ok(properties) => {
                let properties = properties.iter().map(|(name, value)| (describe::json_key(name), value.clone()));
                json["properties"] = Value::Object(properties.collect());
            }
            Err(error) => json["error"] = json!(error.to_string()),
        }
        json
    }

    fn print(&self, number: usize, of: Option<AssetKind>, out: &mut Output) -> Result<(), Failure> {
        let info = &self.chunk.info;
        let unknown = match of {
            Some(AssetKind::Custom) => "data of a type of the game",
            _ => "a kind that rres v1.0 does not define",
        };
        let kind = info.kind.description().unwrap_or(unknown);
        out.line("")?;
        out.styled_line(Style::Bold, &format!("chunk {number}: {}, {kind}", info.kind))?;
        let mut facts = vec![
            ("offset", self.chunk.offset.to_string()),
            ("stored", ByteSize(info.packed_size.into()).to_string()),
            ("decoded", ByteSize(info.base_size.into()).to_string()),
            ("compression", info.compression.to_string()),
            ("cipher", info.cipher.to_string()),
        ];
        if info.next_offset != 0 {
            facts.push(("links to", info.next_offset.to_string()));
        }
        // Both are 0 unless another program means something by them.
        if info.flags != 0 {
            facts.push(("flags", format!("{:#06x}", info.flags)));
        }
        if info.reserved != 0 {
            facts.push(("reserved", format!("{:#010x}", info.reserved)));
        }
        match &self.properties {
            Ok(properties) => {
                facts.extend(properties.iter().flat_map(describe::to_lines));
            }
            Err(error) => facts.push(("error", error.to_string())),
        }
        print_facts(&facts, out)
    }
}
