//! Picture, sound and font files that packs keep as they are, decoded to their end.
//!
//! A CRC covers the bytes that were packed. A file that was cut or damaged before has the right CRC.

use rres_decode::{DecodeError, SoundFile};
use rres_format::SoundFormat;
use rres_format::{AssetKind, Error, FourCc, ResourceId};
use rres_runtime::asset::Samples;
use rres_runtime::{ErrorKind, Font, Image, Pack, Sound};

use crate::finding::{Code, Findings};
use crate::opened_pack::OpenedPack;
use crate::progress::ProgressMeter;
use crate::resource_list::ResourceList;
use crate::text::count;

/// Decodes the files. In a pack without a front index those are all raw files that begin like a picture, a sound or a font.
pub(super) fn check(pack: &OpenedPack, meter: &ProgressMeter, findings: &mut Findings<'_>) {
    let Some(runtime_pack) = pack.runtime_pack().filter(|_| !pack.is_dev_index()) else { return };
    let has_index = pack.view().index().is_some();
    let mut unchecked = 0;
    for resource in ResourceList::new(pack).resources {
        let has_file = resource.chunks.iter().any(|chunk| chunk.info.kind == FourCc::RAWD);
        // The file was checked with the resource that owns it. The check of the chunks has reported damage of a single chunk.
        if !has_file || resource.same_as.is_some() || resource.chunks.iter().any(|chunk| chunk.verify().is_err()) {
            continue;
        }
        meter.next(None, &resource.name());
        let result = match resource.kind {
            Some(AssetKind::Image) => check_image(runtime_pack, resource.id),
            Some(AssetKind::Sound) => check_sound(runtime_pack, resource.id),
            Some(AssetKind::Raw) if !has_index => match check_image(runtime_pack, resource.id) {
                Ok(Checked::OtherKind) => match check_sound(runtime_pack, resource.id) {
                    Ok(Checked::OtherKind) => {
                        runtime_pack.load::<Font>(resource.id).map_or_else(|e| explain(&e), |_| Ok(Checked::Whole))
                    }
                    result => result,
                },
                result => result,
            },
            _ => continue,
        };
        match result {
            Ok(Checked::Whole | Checked::OtherKind) => {}
            Ok(Checked::NotDecoded) => unchecked += 1,
            Err(message) => findings.add_resource(Code::SourceDamaged, resource.id, message),
        }
    }
    if unchecked > 0 {
        let message =
            format!("{} of a format that is not decoded here; only the CRC was checked", count(unchecked, "file"));
        findings.add(Code::SourceUnchecked, message);
    }
}

/// What was found out about a file that is not damaged.
enum Checked {
    Whole,
    /// The audio library of the game may decode it.
    NotDecoded,
    /// The file holds something else.
    OtherKind,
}

/// The file of an image, decoded as a game does.
fn check_image(pack: &Pack, id: ResourceId) -> Result<Checked, String> {
    pack.load::<Image>(id).map_or_else(|e| explain(&e), |_| Ok(Checked::Whole))
}

/// The file of a sound. The samples of a long one are counted and not kept, as they may be larger than memory.
fn check_sound(pack: &Pack, id: ResourceId) -> Result<Checked, String> {
    let sound = match pack.load::<Sound>(id) {
        Ok(sound) => sound,
        Err(error) => return explain(&error),
    };
    let Samples::Encoded { bytes, .. } = sound.samples() else { return Ok(Checked::Whole) };
    let counted = SoundFile::open(bytes).and_then(|file| {
        let found = file.count_frames()?;
        Ok((file, found))
    });
    let (file, found) = match counted {
        Ok(counted) => counted,
        Err(error) => return explain_source(&error),
    };
    // Packs of other programs record nothing.
    if sound.sample_rate() == 0 {
        return Ok(Checked::Whole);
    }
    let recorded = (sound.channels(), sound.sample_rate());
    if recorded != (file.channels(), file.sample_rate()) {
        return Err(format!(
            "its file has {} channels at {} Hz, expected {} at {} Hz as the index records",
            file.channels(),
            file.sample_rate(),
            recorded.0,
            recorded.1
        ));
    }
    let (found, expected) = (found.saturating_sub(sound.skipped_frames().into()), sound.frames());
    // Encoders of the other formats add frames to the last packet.
    if found < expected || (file.format() == SoundFormat::Flac && expected > 0 && found > expected) {
        return Err(format!("its file has {found} frames, expected {expected} as the index records"));
    }
    Ok(Checked::Whole)
}

/// Why an asset was not loaded, if its file is the reason.
fn explain(error: &rres_runtime::Error) -> Result<Checked, String> {
    match error.kind() {
        ErrorKind::WrongKind { .. } => Ok(Checked::OtherKind),
        ErrorKind::Source(error) => explain_source(error),
        ErrorKind::Format(error @ (Error::Inconsistent { .. } | Error::LimitExceeded { .. })) => Err(error.to_string()),
        // Another check has reported it.
        _ => Ok(Checked::OtherKind),
    }
}

fn explain_source(error: &DecodeError) -> Result<Checked, String> {
    match error {
        // Only the game knows what it is.
        DecodeError::UnknownFormat { .. } => Ok(Checked::OtherKind),
        DecodeError::Unsupported { .. } | DecodeError::NoDecoder { .. } => Ok(Checked::NotDecoded),
        error => Err(format!("its file {error}")),
    }
}
