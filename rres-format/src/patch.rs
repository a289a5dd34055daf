//! PTCH (ours): what a patch pack was made from, what it removes, and how the pack that it leads to is rebuilt.
//!
//! A patch pack is a pack with a front index that contains the resources that were added or changed, some of them as
//! deltas ([`crate::delta`]). This chunk, plain and with id 0, follows the front index. Its four properties are the layout
//! version (1) and the numbers of base packs, target packs and removed resources. The sections of the data follow one
//! another:
//!
//! | section | bytes each | fields |
//! |---|---|---|
//! | header | 16 | flags, number of steps (`u32`), 0, 0; flag 1: the target packs can be rebuilt |
//! | base packs | 44 | CRC-32 of the front index as its chunk header has it (`u32`), file size (`u64`), BLAKE3 of the file |
//! | target packs | 64 | the same, then reserved field of the file header, number of its steps, number of additional packs, flags (`u32`) and 0; flag 1: it has a directory; flag 2: equal resources share chunks |
//! | removed | 4 | ids, ascending |
//! | steps | 12 | source (0 base packs, 1 this pack, 2 a gap), first resource, number of resources (`u32`); of a gap, the offset of the next resource and 0 |
//! | groups | | until the end: number (`u32`), then of each: size of the name, number of members (`u32`), name, ids |
//!
//! The steps of a target pack list its resources in file order: runs of the resources of a source, which are counted in
//! file order through all of its packs.

use crate::bytes::{slice, u32_at};
use crate::chunk::{PayloadView, block};
use crate::error::{Error, Result};
use crate::id::ResourceId;
use crate::index::GroupSpec;
use crate::wire::{Wire, wire_record};

const VERSION: u32 = 1;

/// Flag of the header: the target packs can be rebuilt.
const CAN_REBUILD: u32 = 1;
/// Flag of a target pack: it has a directory.
const HAS_DIRECTORY: u32 = 1;
/// The flag of a target pack whose equal resources share their chunks.
const SHARES_EQUAL: u32 = 2;

wire_record! {
    struct HeaderRecord[16] {
        flags: u32,
        steps: u32,
        reserved: [u8; 8],
    }
}

wire_record! {
    /// What identifies a pack.
    #[derive(Eq)]
    pub struct PackIdentity[44] {
        /// The CRC-32 in the chunk header of its front index.
        pub index_crc: u32,
        /// The size of the file in bytes.
        pub size: u64,
        /// The BLAKE3 hash of the file.
        pub hash: [u8; 32],
    }
}

impl PackIdentity {
    /// Whether these are the same pack, as far as its front index tells.
    pub fn is_alike(&self, index_crc: u32, size: u64) -> bool {
        (self.index_crc, self.size) == (index_crc, size)
    }
}

wire_record! {
    struct TargetRecord[64] {
        identity: PackIdentity,
        reserved: u32,
        steps: u32,
        additional_packs: u32,
        flags: u32,
        zero: u32,
    }
}

wire_record! {
    /// A run of resources of one source.
    #[derive(Eq)]
    pub struct Step[12] {
        /// 0 for the base packs, 1 for the patch, 2 for a gap.
        pub source: u32,
        /// The number of the first resource, in file order through all packs of the source; of a gap, the offset that the next resource starts
        /// at, with NULL chunks before it.
        pub first: u32,
        /// The number of resources.
        pub count: u32,
    }
}

/// A pack that a patch leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPack {
    /// What identifies it.
    pub identity: PackIdentity,
    /// The reserved field of its file header.
    pub reserved: u32,
    /// The number of additional packs in its front index.
    pub additional_packs: u32,
    /// Whether it has a central directory.
    pub has_directory: bool,
    /// Whether resources share their chunks with an earlier one if they are equal.
    pub shares_equal: bool,
    /// Its resources.
    pub steps: Vec<Step>,
}

/// What a patch is written from.
#[derive(Clone, Debug, Default)]
pub struct PatchSpec {
    /// The packs that it was made from.
    pub base: Vec<PackIdentity>,
    /// The packs that it leads to.
    pub targets: Vec<TargetPack>,
    /// The resources that only the base packs contain, ascending.
    pub removed: Vec<ResourceId>,
    /// The groups of the target packs.
    pub groups: Vec<GroupSpec>,
    /// Whether the target packs can be rebuilt from the base packs and the patch.
    pub can_rebuild: bool,
}

impl PatchSpec {
    /// Returns the block of the chunk.
    pub fn block(&self) -> Vec<u8> {
        let mut data = Vec::new();
        let steps = self.targets.iter().map(|target| target.steps.len()).sum::<usize>() as u32;
        HeaderRecord { flags: if self.can_rebuild { CAN_REBUILD } else { 0 }, steps, reserved: [0; 8] }.put(&mut data);
        self.base.iter().for_each(|base| base.put(&mut data));
        for target in &self.targets {
            let record = TargetRecord {
                identity: target.identity,
                reserved: target.reserved,
                steps: target.steps.len() as u32,
                additional_packs: target.additional_packs,
                flags: if target.has_directory { HAS_DIRECTORY } else { 0 }
                    | if target.shares_equal { SHARES_EQUAL } else { 0 },
                zero: 0,
            };
            record.put(&mut data);
        }
        self.removed.iter().for_each(|id| id.put(&mut data));
        self.targets.iter().flat_map(|target| &target.steps).for_each(|step| step.put(&mut data));
        (self.groups.len() as u32).put(&mut data);
        for group in &self.groups {
            (group.name.len() as u32).put(&mut data);
            (group.members.len() as u32).put(&mut data);
            data.extend_from_slice(group.name.as_bytes());
            group.members.iter().for_each(|id| id.put(&mut data));
        }
        let counts = [self.base.len(), self.targets.len(), self.removed.len()].map(|count| count as u32);
        block(&[VERSION, counts[0], counts[1], counts[2]], &data)
    }
}

/// A borrowed PTCH payload, whose sections were checked.
#[derive(Clone, Copy, Debug)]
pub struct PatchView<'a> {
    header: HeaderRecord,
    base: &'a [u8],
    targets: &'a [u8],
    removed: &'a [u8],
    steps: &'a [u8],
    groups: &'a [u8],
}

impl<'a> PatchView<'a> {
    /// Checks that the sections are inside the payload.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if the layout version is unknown, [`Error::Truncated`] if a section does not fit.
    pub fn parse(payload: PayloadView<'a>) -> Result<Self> {
        let [version, base, targets, removed] = payload.first_props()?;
        if version != VERSION {
            return Err(Error::inconsistent("patch", format!("layout version {version}, expected {VERSION}")));
        }
        let data = payload.data();
        let header = HeaderRecord::get(slice(data, "patch header", 0, HeaderRecord::SIZE as u64)?);
        let mut at = HeaderRecord::SIZE as u64;
        let mut section = |what, count: u32, size: usize| {
            let bytes = slice(data, what, at, u64::from(count) * size as u64)?;
            at += bytes.len() as u64;
            Ok(bytes)
        };
        let base = section("base packs of a patch", base, PackIdentity::SIZE)?;
        let targets = section("target packs of a patch", targets, TargetRecord::SIZE)?;
        let removed = section("removed resources of a patch", removed, ResourceId::SIZE)?;
        let steps = section("steps of a patch", header.steps, Step::SIZE)?;
        let groups = &data[at as usize..];
        Ok(Self { header, base, targets, removed, steps, groups })
    }

    /// Returns the packs that the patch was made from.
    pub fn base(&self) -> impl ExactSizeIterator<Item = PackIdentity> + use<'a> {
        self.base.chunks_exact(PackIdentity::SIZE).map(PackIdentity::get)
    }

    /// Returns what identifies the packs that the patch leads to.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = PackIdentity> + use<'a> {
        self.targets.chunks_exact(TargetRecord::SIZE).map(PackIdentity::get)
    }

    /// Returns the resources that the patch removes.
    pub fn removed(&self) -> impl ExactSizeIterator<Item = ResourceId> + use<'a> {
        self.removed.chunks_exact(ResourceId::SIZE).map(ResourceId::get)
    }

    /// Whether the target packs can be rebuilt from the base packs and the patch.
    pub fn can_rebuild(&self) -> bool {
        self.header.flags & CAN_REBUILD != 0
    }

    /// Returns the packs that the patch leads to, with their steps.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if they have more steps than the patch.
    pub fn target_packs(&self) -> Result<Vec<TargetPack>> {
        let mut steps = self.steps.chunks_exact(Step::SIZE).map(Step::get);
        let target = |raw: &[u8]| {
            let record = TargetRecord::get(raw);
            let own: Vec<Step> = steps.by_ref().take(record.steps as usize).collect();
            if own.len() < record.steps as usize {
                let detail = format!("a target pack has {} steps, found {}", record.steps, own.len());
                return Err(Error::inconsistent("patch", detail));
            }
            Ok(TargetPack {
                identity: record.identity,
                reserved: record.reserved,
                additional_packs: record.additional_packs,
                has_directory: record.flags & HAS_DIRECTORY != 0,
                shares_equal: record.flags & SHARES_EQUAL != 0,
                steps: own,
            })
        };
        self.targets.chunks_exact(TargetRecord::SIZE).map(target).collect()
    }

    /// Returns the groups of the target packs.
    ///
    /// # Errors
    /// [`Error::Truncated`] if they do not fit the payload, [`Error::Inconsistent`] if a name is not UTF-8.
    pub fn groups(&self) -> Result<Vec<GroupSpec>> {
        let mut at = 0;
        let mut next = |what, len: u64| {
            let bytes = slice(self.groups, what, at, len)?;
            at += len;
            Ok::<_, Error>(bytes)
        };
        let count = u32_at(next("groups of a patch", 4)?, 0);
        let mut groups = Vec::new();
        for _ in 0..count {
            let sizes = next("group of a patch", 8)?;
            let name = next("name of a group", u32_at(sizes, 0).into())?;
            let members = next("members of a group", u64::from(u32_at(sizes, 4)) * ResourceId::SIZE as u64)?;
            let name = core::str::from_utf8(name);
            let name = name.map_err(|_| Error::inconsistent("patch", "the name of a group is not UTF-8"))?.to_owned();
            groups.push(GroupSpec { name, members: members.chunks_exact(4).map(ResourceId::get).collect() });
        }
        Ok(groups)
    }
}
