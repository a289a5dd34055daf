//! Blobs → packs, at the speed of copying.
//!
//! One thread reads and checks blobs (`blobs.rs`) while another writes. Packs are not synced, because syncing takes
//! longer than writing, and after a power failure they are as safe as the executable that Cargo has written.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use rres_format::index::LAYOUT_VERSION;
use rres_format::{Cipher, PackBuilder, Resource as PackedResource, ResourceId};
use rres_protocol::packed_id::Slot;

use super::arrangement::{Arranged, Arrangement};
use super::blobs::{self, Blob, BlobResource};
use super::encryption::Encryption;
use super::equal::EqualResources;
use super::existing::{EarlierSet, check_additional};
use super::siblings::{SiblingForm, Siblings};
use super::slots;
use super::split::{TRAILER, split};
use crate::cache::Cache;
use crate::context::OutputFiles;
use crate::diagnostic::Diagnostic;
use crate::key::{Key, KeyBuilder};
use crate::model::{FileStamp, Resolved, Resource};
use crate::read_file::read_record;
use crate::settings::PackSettings;
use crate::staging::Staging;
use crate::temp_file::replace;

/// The packs of a build, written to temporary files.
#[derive(Debug, Default)]
pub(crate) struct WrittenPacks {
    /// Their files, the first one first.
    pub(crate) files: Vec<PathBuf>,
    /// Bytes of all of them.
    pub(crate) size: u64,
    /// The position of each resource's entry.
    pub(crate) slots: HashMap<ResourceId, Slot>,
    /// The new packs.
    new: Vec<NewPack>,
}

/// A pack that this build writes.
#[derive(Debug)]
struct NewPack {
    file: PathBuf,
    /// The key of its contents.
    key: Key,
    /// The file to record that in.
    key_file: PathBuf,
}

/// The reason why a pack could not be written.
#[derive(Debug)]
pub(crate) enum PackError {
    /// These blobs are missing or damaged and must be imported again.
    DamagedBlobs(Vec<Key>),
    /// Anything else.
    Other(Diagnostic),
}

impl From<Diagnostic> for PackError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Other(diagnostic)
    }
}

/// What packs are made of.
#[derive(Debug)]
pub(crate) struct Packing<'a> {
    pub(crate) resolved: &'a Resolved,
    pub(crate) cache: &'a Cache,
    pub(crate) settings: &'a PackSettings,
    pub(crate) encryption: &'a Encryption,
    pub(crate) siblings: &'a Siblings<'a>,
    pub(crate) arrangement: &'a Arrangement,
    /// Whether files that no build has written are kept.
    pub(crate) keeps_foreign_files: bool,
}

/// One pack of a set.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    number: usize,
    resources: &'a [&'a Resource],
    /// How many packs follow the first one.
    additional: u32,
}

impl WrittenPacks {
    /// Records the contents of the new packs, once they are in place.
    pub(crate) fn record(&self) -> Result<(), Diagnostic> {
        for NewPack { file, key, key_file } in &self.new {
            let stamp = FileStamp::of(&fs::metadata(file).map_err(|e| Diagnostic::io("read it", file, &e))?);
            replace(key_file, |out| io::Write::write_all(out, key_text(key, stamp).as_bytes()))
                .map_err(|e| Diagnostic::io("write it", key_file, &e))?;
        }
        Ok(())
    }
}

/// The record of a pack: the key of its contents and the stamp of its file, so that a pack that was changed or cut off
/// is written again.
fn key_text(key: &Key, stamp: FileStamp) -> String {
    let FileStamp { size, modified, changed, inode } = stamp;
    let mut text = key.hex();
    let _ = writeln!(text, " {size} {modified} {changed} {inode}");
    text
}

impl<'a> Packing<'a> {
    /// Writes the pack, and additional packs if one cannot contain everything, to temporary files. Packs whose contents
    /// have not changed are not written.
    pub(crate) fn write(&self, files: &OutputFiles, staging: &mut Staging) -> Result<WrittenPacks, PackError> {
        let packs = split(self.resolved, self.settings, self.encryption, self.arrangement);
        let earlier = EarlierSet::read(&files.pack(0));
        let mut written = WrittenPacks::default();
        for (number, resources) in packs.iter().enumerate() {
            let file = files.pack(number as u32);
            let slots = slots(resources.iter().copied());
            let slot = |slot: u32| if packs.len() == 1 { Slot(slot) } else { Slot::in_set(number as u16, slot as u16) };
            written.slots.extend(slots.into_iter().map(|(id, number)| (id, slot(number))));
            let additional = if number == 0 { packs.len() as u32 - 1 } else { 0 };
            let part = Part { number, resources, additional };
            let (key, key_file) = (self.key(part), files.pack_key(number as u32));
            let current = fs::metadata(&file).ok().filter(|current| {
                let made_of = read_record(&key_file);
                made_of.is_ok_and(|made_of| made_of == key_text(&key, FileStamp::of(current)).as_bytes())
            });
            written.size += match current {
                Some(current) => current.len(),
                None => {
                    if self.keeps_foreign_files {
                        check_additional(&file, number as u32, earlier.as_ref())?;
                    }
                    let size = self.write_one(part, &file, staging)?;
                    written.new.push(NewPack { file: file.clone(), key, key_file });
                    size
                }
            };
            written.files.push(file);
        }
        // The set that is replaced may have had more packs. Beside files of other programs, one with such a name may be none of them.
        for number in packs.len() as u32.. {
            let stale = files.pack(number);
            let is_stale = match self.keeps_foreign_files {
                true => earlier.is_some_and(|earlier| earlier.has(number, &stale)),
                false => stale.exists(),
            };
            if !is_stale {
                break;
            }
            staging.remove(files.pack_key(number));
            staging.remove(stale);
        }
        Ok(written)
    }

    /// The key of everything that determines the bytes of a pack.
    fn key(&self, part: Part<'_>) -> Key {
        let Self { resolved, settings, encryption, siblings, .. } = self;
        let mut key = KeyBuilder::new("rres pack");
        key.field(env!("CARGO_PKG_VERSION").as_bytes());
        key.number(LAYOUT_VERSION);
        key.field(&resolved.set_hash).field(&part.additional.to_le_bytes());
        key.field(&[settings.directory.into(), settings.compat.is_none().into(), settings.paths.into()]);
        encryption.fingerprint(&mut key);
        siblings.fingerprint(&mut key);
        self.arrangement.fingerprint(part.number, &mut key);
        for resource in part.resources {
            let blob_key = &resolved.asset(resource).record.blob_key;
            key.field(resource.path.as_bytes()).field(&resource.id.0.to_le_bytes()).field(&blob_key.0);
            key.field(&[encryption.cipher_of(resource.id).0]);
            resource.dependencies.iter().for_each(|id| key.number(id.0));
            // Links and variants are not part of the blob.
            for (meta_key, value) in resolved.info(resource).meta.records() {
                key.number(meta_key.0.into());
                key.number(*value);
            }
        }
        for group in &resolved.groups {
            key.field(group.name.as_bytes());
            group.members.iter().for_each(|id| key.number(id.0));
        }
        key.finish()
    }

    /// Writes one pack to a temporary file, and returns its size.
    fn write_one(&self, part: Part<'_>, file: &Path, staging: &mut Staging) -> Result<u64, PackError> {
        let Self { resolved, settings, encryption, .. } = self;
        let with_siblings = self.siblings.choose(part.resources, encryption).map_err(PackError::DamagedBlobs)?;
        let start = || self.builder(part, part.resources.iter().copied()).front_size();
        let size = |resource: &Resource| {
            let info = resolved.info(resource);
            let is_encrypted = encryption.cipher_of(resource.id) != Cipher::NONE;
            let trailers = if is_encrypted { u64::from(info.chunks.count) * TRAILER } else { 0 };
            u64::from(with_siblings.get(&resource.id).map_or(info.stored_size, |form| form.stored_size)) + trailers
        };
        let arranged = self.arrangement.arrange(part.number, part.resources, start, size);
        let arranged = arranged.map_err(|e| Diagnostic::file(file, e.to_string()))?;
        let resources: Vec<&Resource> = arranged.iter().map(|arranged| arranged.resource).collect();
        let pack = self.builder(part, resources.iter().copied());
        // rres-raylib.h finds chunks by the ids in their headers.
        let mut equal = EqualResources::new(resolved, &resources, settings.compat.is_none());
        let mut damaged = Vec::new();
        let mut blobs = self.blobs_of(&arranged, &with_siblings);
        let written = staging.write(file, |out| {
            let mut stream = pack.stream(BufWriter::with_capacity(1 << 20, out))?;
            blobs::read(std::mem::take(&mut blobs), |blob| match blob {
                // After a damaged blob, writing stops but reading continues, to find all damaged blobs.
                Ok((blob, contents)) => {
                    let is_sound = match damaged.is_empty() {
                        true => blob.write(contents, encryption, &mut equal, &mut stream)?,
                        false => blob.is_sound(contents),
                    };
                    if !is_sound {
                        damaged.push(blob.key);
                    }
                    Ok(())
                }
                Err(key) => {
                    damaged.push(key);
                    Ok(())
                }
            })?;
            if damaged.is_empty() { stream.finish() } else { Err(io::Error::other("blobs are damaged")) }
        });
        match written {
            Err(_) if !damaged.is_empty() => Err(PackError::DamagedBlobs(damaged)),
            written => Ok(written.map_err(|e| Diagnostic::io("write the pack", file, &e))?),
        }
    }

    /// Returns the pack, whose resources have no chunks yet.
    fn builder<'r>(&self, part: Part<'_>, resources: impl Iterator<Item = &'r Resource>) -> PackBuilder<'static> {
        let Self { resolved, settings, .. } = self;
        let mut pack = PackBuilder::new()
            .directory(settings.directory && settings.paths)
            .set_hash(resolved.set_hash)
            .additional_packs(part.additional);
        for resource in resources {
            let mut packed =
                PackedResource::new(if settings.paths { resource.path.clone() } else { String::new() }, Vec::new())
                    .with_id(resource.id)
                    .with_kind(resource.kind)
                    .with_meta(resolved.info(resource).meta.clone());
            packed.dependencies.clone_from(&resource.dependencies);
            pack.push(packed);
        }
        resolved.groups.iter().for_each(|group| pack.push_group(group.clone()));
        pack
    }

    /// The blobs of these resources, in the same order. Adjacent resources of one blob are read at once; a resource with a sibling
    /// has a blob of its own.
    fn blobs_of(&self, arranged: &[Arranged<'_>], with_siblings: &HashMap<ResourceId, SiblingForm>) -> Vec<Blob> {
        let blob = |arranged: &[Arranged<'_>]| {
            let resource = arranged[0].resource;
            let form = with_siblings.get(&resource.id);
            let key = form.map_or_else(|| self.resolved.asset(resource).record.blob_key, |form| form.blob);
            let place = |Arranged { resource, at }: &Arranged<'_>| {
                let chunks = form.map_or_else(|| self.resolved.info(resource).chunks, |form| form.chunks);
                BlobResource { id: resource.id, chunks, at: *at }
            };
            Blob { key, file: self.cache.blob_file(&key), resources: arranged.iter().map(place).collect() }
        };
        let is_alone = |resource: &Resource| with_siblings.contains_key(&resource.id);
        let same = |a: &Arranged<'_>, b: &Arranged<'_>| {
            a.resource.asset == b.resource.asset && !is_alone(a.resource) && !is_alone(b.resource)
        };
        arranged.chunk_by(same).map(blob).collect()
    }
}
