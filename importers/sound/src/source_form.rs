//! The file of a short encoded sound as its stored form, beside its samples.
//!
//! The runtime makes the same samples from it when it loads the sound. That is tried here. If its decoder
//! would make others from the file, for example because the end is not where it says, the sound is stored as samples.

use rres_decode::{SampleForm, SoundFile};
use rres_format::Limits;
use rres_format::chunk::PayloadView;
use rres_format::chunk::wave::{WaveProps, WaveView};
use rres_format::index::{Meta, MetaKey};
use rres_import::SourceForm;

use super::{Asset, Block, Source};

/// The file of a sound, if its block is of samples that the file decodes to.
pub(super) fn of(resource: &Asset, source: &Source<'_>) -> Option<SourceForm> {
    let [block] = resource.blocks.as_slice() else { return None };
    // Samples that are smaller than the file before they are compressed.
    if source.bytes.len() >= block.bytes.len() {
        return None;
    }
    let view = WaveView::parse(PayloadView::parse(&block.bytes).ok()?).ok()?;
    let WaveProps { frames, sample_rate, sample_size, channels } = view.props();
    let form = SampleForm::from_number(sample_size)?;
    let file = SoundFile::open(source.bytes).ok()?;
    if (file.sample_rate(), file.channels()) != (sample_rate, channels) {
        return None;
    }
    let decoded = file.decode(form, false, Limits::DEFAULT.max_decoded).ok()?;
    let skipped = skipped_frames(&decoded, view.samples(), file.frame_size(form))?;
    let mut meta = Meta::default();
    meta.set(MetaKey::SAMPLE_RATE, sample_rate);
    meta.set(MetaKey::CHANNELS, channels);
    meta.set(MetaKey::FRAMES_LOW, frames);
    meta.set(MetaKey::FRAMES_HIGH, 0);
    meta.set(MetaKey::SOUND_FORMAT, file.format() as u32);
    meta.set(MetaKey::SAMPLE_SIZE, sample_size);
    meta.set(MetaKey::SKIPPED_FRAMES, skipped);
    let block = Block { compressible: false, ..rres_import::Block::raw_file(source.path, source.bytes) };
    Some(SourceForm { block, meta, format: file.format().name() })
}

/// How many frames of `decoded` precede `samples`, which is a part of it.
pub(super) fn skipped_frames(decoded: &[u8], samples: &[u8], frame_size: usize) -> Option<u32> {
    let surplus = decoded.len().checked_sub(samples.len())?;
    let starts = (0..=surplus).step_by(frame_size);
    let start = { starts }.find(|start| decoded[*start..].starts_with(samples))?;
    u32::try_from(start / frame_size).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_found_at_the_start_of_a_frame() {
        assert_eq!(skipped_frames(b"aabbccdd", b"bbcc", 2), Some(1));
        assert_eq!(skipped_frames(b"aabbccdd", b"aabbccdd", 2), Some(0));
        assert_eq!(skipped_frames(b"aabbccdd", b"abbc", 2), None);
        assert_eq!(skipped_frames(b"aabb", b"aabbcc", 2), None);
        assert_eq!(skipped_frames(b"aabb", b"", 2), Some(0));
    }
}
