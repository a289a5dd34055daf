//! What a sound says about places in it → loop points and markers, in frames.
//!
//! A WAV says it in the chunks `smpl`, `cue ` and `LIST`; an AIFF in `MARK` and `INST`; an OGG and a FLAC in the comments `LOOPSTART` and `LOOPLENGTH` or
//! `LOOPEND`, which count frames.

use std::ops::Range;

use rres_decode::wav_chunks as chunks;
use rres_import::Note;

use super::aiff;

/// Places in a sound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cues {
    /// The frames to repeat. Until [`Self::fit`] they may lead beyond the sound.
    pub(super) loop_points: Option<Range<u64>>,
    /// Frames with their names, ascending.
    pub(super) markers: Vec<(u64, String)>,
    /// What is left out.
    pub(super) notes: Vec<Note>,
}

impl Cues {
    /// Reads the chunks of a WAV.
    pub(super) fn of_wav(bytes: &[u8]) -> Self {
        let (mut cues, mut names, mut frames) = (Self::default(), Vec::new(), Vec::new());
        for (name, body) in chunks(bytes) {
            match name {
                b"smpl" => cues.read_loops(body),
                b"cue " => {
                    let count = u32_at(body, 0).unwrap_or(0) as usize;
                    let rows = body.get(4..).unwrap_or_default().chunks_exact(24).take(count);
                    frames.extend(rows.filter_map(|row| Some((u32_at(row, 0)?, u32_at(row, 20)?))));
                }
                b"LIST" if body.starts_with(b"adtl") => {
                    let labels = chunks(body).filter(|(name, _)| *name == b"labl");
                    names.extend(labels.filter_map(|(_, label)| Some((u32_at(label, 0)?, text(&label[4..])))));
                }
                _ => {}
            }
        }
        let name = |id: u32| names.iter().find(|(of, _)| *of == id).map(|(_, name)| name.clone()).unwrap_or_default();
        cues.markers = frames.into_iter().map(|(id, frame)| (frame.into(), name(id))).collect();
        cues.markers.sort_by_key(|(frame, _)| *frame);
        cues
    }

    /// Reads the loops of a chunk `smpl`.
    fn read_loops(&mut self, body: &[u8]) {
        const FORWARD: u32 = 0;
        let count = u32_at(body, 28).unwrap_or(0) as usize;
        let rows = body.get(36..).unwrap_or_default().chunks_exact(24).take(count);
        // The last frame belongs to the loop.
        let loops =
            rows.filter_map(|row| Some((u32_at(row, 4)?, u32_at(row, 8)?.into(), u64::from(u32_at(row, 12)?) + 1)));
        let loops: Vec<(u32, u64, u64)> = loops.collect();
        let forward = loops.iter().find(|(kind, start, end)| *kind == FORWARD && start < end);
        self.loop_points = forward.map(|(_, start, end)| *start..*end);
        if loops.len() > usize::from(forward.is_some()) {
            self.notes.push(not_every_loop(loops.len()));
        }
    }

    /// Reads the chunks of an AIFF. Its loops lead from one marker to another.
    pub(super) fn of_aiff(bytes: &[u8]) -> Self {
        let (mut cues, mut ids, mut loops) = (Self::default(), Vec::new(), Vec::new());
        for (name, body) in aiff::chunks(bytes) {
            match name {
                b"MARK" => ids = aiff_markers(body),
                // The loops while a key is held and after that: kind, first and last marker.
                b"INST" => {
                    let rows = body.get(8..).unwrap_or_default().chunks_exact(6);
                    loops.extend(
                        rows.filter_map(|row| {
                            Some((aiff::u16_at(row, 0)?, aiff::u16_at(row, 2)?, aiff::u16_at(row, 4)?))
                        }),
                    );
                }
                _ => {}
            }
        }
        let frame = |wanted: u16| ids.iter().find(|(id, ..)| *id == wanted).map(|(_, frame, _)| u64::from(*frame));
        let forward =
            loops.iter().filter(|(kind, ..)| *kind == 1).find_map(|(_, start, end)| frame(*start).zip(frame(*end)));
        cues.loop_points = forward.map(|(start, end)| start..end).filter(|points| !points.is_empty());
        // A kind of 0 means that the sound does not loop.
        let count = loops.iter().filter(|(kind, ..)| *kind != 0).count();
        if count > usize::from(cues.loop_points.is_some()) {
            cues.notes.push(not_every_loop(count));
        }
        cues.markers = ids.into_iter().map(|(_, frame, name)| (frame.into(), name)).collect();
        cues.markers.sort_by_key(|(frame, _)| *frame);
        cues
    }

    /// Reads the comments of an OGG or a FLAC: keys and values.
    pub(super) fn of_comments<'a>(comments: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let (mut cues, mut start, mut length, mut end) = (Self::default(), None, None, None);
        for (key, value) in comments {
            let key: String = key.chars().filter(|c| !matches!(c, '_' | '-')).collect();
            let place = match key.to_ascii_uppercase().as_str() {
                "LOOPSTART" => &mut start,
                "LOOPLENGTH" => &mut length,
                "LOOPEND" => &mut end,
                _ => continue,
            };
            *place = value.trim().parse::<u64>().ok();
            if place.is_none() {
                let note = Note::new("has loop points that are not numbers of frames, which are left out");
                cues.notes.push(note.with_detail(format!("{key} = \"{value}\"")));
                return cues;
            }
        }
        let end = length.map(|length| start.unwrap_or(0).saturating_add(length)).or(end);
        if start.is_some() || end.is_some() {
            cues.loop_points = Some(start.unwrap_or(0)..end.unwrap_or(u64::MAX));
        }
        cues
    }

    /// Leaves out what is not inside a sound of this many frames. A loop without an end ends with the sound.
    pub(super) fn fit(&mut self, frames: u64) {
        if let Some(points) = self.loop_points.take() {
            let fitting = points.start..points.end.min(frames);
            let is_open = points.end == u64::MAX;
            // Longer sounds have no loop points: packs store them in 32 bits.
            if !fitting.is_empty() && u32::try_from(fitting.end).is_ok() {
                self.loop_points = Some(fitting.clone());
            }
            if self.loop_points.is_none() || (fitting.end != points.end && !is_open) {
                let note = Note::new("has loop points outside its samples; the others are stored");
                self.notes.push(note.with_detail(format!("{} to {} of {frames} frames", points.start, points.end)));
            }
        }
        let count = self.markers.len();
        self.markers.retain(|(frame, _)| *frame <= frames);
        if self.markers.len() < count {
            let note = Note::new("has markers outside its samples, which are left out");
            self.notes.push(note.with_detail(format!("{} of {count}", count - self.markers.len())));
        }
    }

    /// Moves the places as if only these frames were left.
    pub(super) fn cut(&mut self, kept: Range<u64>) {
        self.map(|at| at.clamp(kept.start, kept.end) - kept.start);
    }

    /// Moves the places to another rate, at which the sound has this many frames.
    pub(super) fn scale(&mut self, from: u32, to: u32, frames: u64) {
        self.map(|at| frames_at(at, from, to).min(frames));
    }

    fn map(&mut self, place: impl Fn(u64) -> u64) {
        let points = self.loop_points.take().map(|points| place(points.start)..place(points.end));
        self.loop_points = points.filter(|points| !points.is_empty());
        self.markers.iter_mut().for_each(|(frame, _)| *frame = place(*frame));
    }
}

/// The number of frames, or the place of one, at another rate.
pub(super) fn frames_at(frames: u64, from: u32, to: u32) -> u64 {
    let frames = (u128::from(frames) * u128::from(to) + u128::from(from / 2)) / u128::from(from.max(1));
    u64::try_from(frames).unwrap_or(u64::MAX)
}

fn not_every_loop(count: usize) -> Note {
    Note::new("only the first loop that is played forward is stored").with_detail(match count {
        1 => "1 loop".to_owned(),
        count => format!("{count} loops"),
    })
}

/// The markers of an AIFF: id, frame and name, which has its length in front and padding behind.
fn aiff_markers(body: &[u8]) -> Vec<(u16, u32, String)> {
    let mut rest = body.get(2..).unwrap_or_default();
    let marker = || {
        let (id, frame, len) = (aiff::u16_at(rest, 0)?, aiff::u32_at(rest, 2)?, usize::from(*rest.get(6)?));
        let name = text(rest.get(7..7 + len)?);
        rest = rest.get((7 + len).next_multiple_of(2)..).unwrap_or_default();
        Some((id, frame, name))
    };
    std::iter::from_fn(marker).take(usize::from(aiff::u16_at(body, 0).unwrap_or(0))).collect()
}

/// A text up to a NUL: UTF-8, or in old files Latin-1.
fn text(bytes: &[u8]) -> String {
    let bytes = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), str::to_owned)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
