//! The samples of a sound as a waveform: the loudest sample of each column, up and down from the middle.

use rres_runtime::Sound;

use crate::screen::{Area, Color, Screen, Style};

/// Eighths of a character, from the bottom.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

pub(super) struct Wave {
    sound: Sound,
    /// The width that the peaks are for, and the loudest sample up and down in each column, 0 to 1.
    peaks: (u16, Vec<[f32; 2]>),
}

impl Wave {
    /// Returns the waveform; `None` if the sound is an encoded file.
    pub(super) fn new(sound: &Sound) -> Option<Self> {
        sound.reader().map(|_| Self { sound: sound.clone(), peaks: (0, Vec::new()) })
    }

    pub(super) fn draw(&mut self, screen: &mut Screen, area: Area) {
        if area.height < 2 || area.width == 0 {
            return;
        }
        if self.peaks.0 != area.width {
            self.peaks = (area.width, self.peaks(area.width.into()));
        }
        let half = area.height / 2;
        let style = Style::colored(Color::Ansi(6));
        for (x, [up, down]) in (area.x..).zip(&self.peaks.1) {
            let eighths = |peak: f32| (peak * f32::from(half) * 8.0).round() as u16;
            let (up, down) = (eighths(*up).max(1), eighths(*down));
            for row in 0..half {
                let filled = |eighths: u16| usize::from(eighths.saturating_sub(row * 8).min(8));
                screen.set(x, area.y + half - 1 - row, EIGHTHS[filled(up)], style);
                // Blocks grow from the bottom. With text and background swapped, what is left blank grows from the top.
                let reversed = Style { is_reversed: true, ..style };
                match filled(down) {
                    0 => screen.set(x, area.y + half + row, ' ', Style::PLAIN),
                    count => screen.set(x, area.y + half + row, EIGHTHS[8 - count], reversed),
                }
            }
        }
    }

    /// Returns the peaks of each of `columns`. At most a thousand frames of each column are read.
    fn peaks(&self, columns: u64) -> Vec<[f32; 2]> {
        const MOST: u64 = 1000;
        let Some(mut reader) = self.sound.reader() else { return Vec::new() };
        let frames = self.sound.frames();
        let channels = self.sound.channels().max(1) as usize;
        let mut frame = vec![0.0; channels];
        let mut peaks = Vec::new();
        for column in 0..columns {
            let start = frames * column / columns;
            let end = (frames * (column + 1) / columns).max(start + 1);
            let step = ((end - start) / MOST).max(1);
            let mut peak = [0f32; 2];
            for at in (start..end).step_by(step as usize) {
                if step > 1 || at == start {
                    reader.seek(at);
                }
                let read = reader.read_f32(&mut frame);
                for sample in &frame[..read] {
                    peak = [peak[0].max(*sample), peak[1].max(-*sample)];
                }
            }
            peaks.push(peak.map(|peak| peak.min(1.0)));
        }
        peaks
    }
}
