//! Pictures in pixels, on terminals that can show them: by the protocol of kitty, or as sixels.
//!
//! The cells below a picture are blank, so the terminal draws nothing over it. Characters stay the fallback: within `tmux`
//! and `screen`, which would swallow the pictures, and if the terminal does not say that it shows them.

use rres_runtime::Image;

use crate::preview::Picture;
use crate::screen::{Area, Palette, Screen, Style};

/// How pictures are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// Pixels if the terminal says that it can show them, and else characters.
    #[default]
    Auto,
    /// The protocol of kitty.
    Kitty,
    /// Sixels.
    Sixel,
    /// Characters with two colours.
    Blocks,
}

/// The largest picture that is sent, in pixels of each edge: over a slow connection every byte counts.
const MAX_EDGE: u32 = 1024;

/// The size of a cell in pixels, if the terminal does not say it.
const CELL: (u32, u32) = (8, 16);

/// The most bytes of base64 in one command of kitty.
const KITTY_PART: usize = 4096;

pub(crate) struct Graphics {
    how: Protocol,
    cell: (u32, u32),
    /// The number of the picture that the terminal shows, and where.
    shown: Option<(usize, Area)>,
}

/// What shows the picture of the next screen.
#[derive(Default)]
pub(crate) struct Update {
    pub(crate) bytes: Vec<u8>,
    /// The whole screen has to be written again, to remove a picture.
    pub(crate) redraws: bool,
}

/// Returns the colours that the terminal shows, if it is to show any.
pub(crate) fn palette(colored: bool) -> Palette {
    let is = |name: &str, values: &[&str]| {
        std::env::var(name).is_ok_and(|value| values.iter().any(|part| value.contains(part)))
    };
    let is_true = is("COLORTERM", &["truecolor", "24bit"])
        || is("TERM", &["direct", "kitty", "ghostty", "alacritty", "foot", "wezterm"])
        || std::env::var_os("WT_SESSION").is_some();
    match colored {
        false => Palette::None,
        true if is_true => Palette::True,
        true => Palette::Indexed,
    }
}

impl Graphics {
    /// Finds out what the terminal can show. It is in raw mode, and nothing has read from it yet.
    pub(crate) fn detect(how: Protocol) -> Self {
        let how = if how == Protocol::Auto { detected() } else { how };
        let cell = crossterm::terminal::window_size().ok().and_then(|size| {
            let edge = |pixels: u16, cells: u16| Some(u32::from(pixels.checked_div(cells)?)).filter(|edge| *edge > 0);
            Some((edge(size.width, size.columns)?, edge(size.height, size.rows)?))
        });
        Self { how, cell: cell.unwrap_or(CELL), shown: None }
    }

    /// Forgets what the terminal shows.
    pub(crate) fn forget(&mut self) {
        self.shown = None;
    }

    /// Returns what changes the picture that the terminal shows to this one, which has a number of its own. Blanks the cells
    /// below it.
    pub(crate) fn update(&mut self, picture: Option<(usize, &Picture)>, area: Area, screen: &mut Screen) -> Update {
        if self.how == Protocol::Blocks {
            return Update::default();
        }
        let picture = picture.filter(|_| !area.is_empty());
        if picture.is_some() {
            screen.clear(area, Style::PLAIN);
        }
        let next = picture.map(|(number, _)| (number, area));
        if next == self.shown {
            return Update::default();
        }
        let had_picture = std::mem::replace(&mut self.shown, next).is_some();
        let mut update = Update { redraws: had_picture && self.how == Protocol::Sixel, bytes: Vec::new() };
        if had_picture && self.how == Protocol::Kitty {
            update.bytes.extend(b"\x1b_Ga=d,d=A,q=2\x1b\\");
        }
        if let Some((_, picture)) = picture {
            update.bytes.extend(format!("\x1b[{};{}H", area.y + 1, area.x + 1).into_bytes());
            update.bytes.extend(self.encoded(picture, area));
        }
        update
    }

    fn encoded(&self, picture: &Picture, area: Area) -> Vec<u8> {
        let (cell_width, cell_height) = self.cell;
        let width = u32::from(area.width) * cell_width;
        // A sixel picture that ends in the last row would scroll the screen.
        let height = u32::from(area.height) * cell_height;
        let scaled = picture.scale(width.clamp(1, MAX_EDGE), height.clamp(1, MAX_EDGE));
        if self.how == Protocol::Sixel {
            return sixels(scaled.width, &scaled.pixels);
        }
        let columns = (scaled.width as u32).div_ceil(cell_width).min(area.width.into());
        let rows = (scaled.height as u32).div_ceil(cell_height).min(area.height.into());
        let pixels: Vec<u8> = scaled.pixels.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
        let image = Image::from_rgba8(scaled.width as u32, scaled.height as u32, pixels);
        let png = image
            .map_err(rres_export::ExportError::from)
            .and_then(|image| Ok(rres_export::png(&image)?.bytes.into_owned()));
        png.map(|png| kitty(&png, columns, rows)).unwrap_or_default()
    }
}

/// Returns the commands that show a `.png` file in a rectangle of cells, and leave the cursor where it is.
fn kitty(png: &[u8], columns: u32, rows: u32) -> Vec<u8> {
    let data = rres_export::base64(png);
    let parts: Vec<&[u8]> = data.as_bytes().chunks(KITTY_PART).collect();
    let mut bytes = Vec::with_capacity(data.len() + parts.len() * 16);
    for (number, part) in parts.iter().enumerate() {
        let more = u8::from(number + 1 < parts.len());
        let control = match number {
            0 => format!("a=T,f=100,q=2,C=1,c={columns},r={rows},m={more}"),
            _ => format!("m={more}"),
        };
        bytes.extend(format!("\x1b_G{control};").into_bytes());
        bytes.extend_from_slice(part);
        bytes.extend(b"\x1b\\");
    }
    bytes
}

/// Returns pixels as sixels: columns of six pixels, for each of 216 colours.
fn sixels(width: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    const LEVELS: u32 = 6;
    let level = |value: u8| (u32::from(value) * (LEVELS - 1) + 127) / 255;
    let color = |[r, g, b]: [u8; 3]| (level(r) * LEVELS * LEVELS + level(g) * LEVELS + level(b)) as usize;
    let colors: Vec<usize> = pixels.iter().map(|pixel| color(*pixel)).collect();
    let height = pixels.len() / width.max(1);
    let mut out = format!("\x1bP0;1;0q\"1;1;{width};{height}");
    let mut used = colors.clone();
    used.sort_unstable();
    used.dedup();
    for number in used {
        let percent = |place: u32| (number as u32 / LEVELS.pow(place) % LEVELS) * 100 / (LEVELS - 1);
        out += &format!("#{number};2;{};{};{}", percent(2), percent(1), percent(0));
    }
    for band in colors.chunks(width.max(1) * 6) {
        let mut in_band = band.to_vec();
        in_band.sort_unstable();
        in_band.dedup();
        for number in in_band {
            out += &format!("#{number}");
            let column = |x: usize| {
                let rows = band.chunks(width).enumerate();
                rows.filter(|(_, row)| row.get(x) == Some(&number)).fold(0u8, |bits, (y, _)| bits | 1 << y)
            };
            let mut run: Option<(u8, usize)> = None;
            for bits in (0..width).map(column).map(Some).chain([None]) {
                match (run, bits) {
                    (Some((known, count)), Some(bits)) if known == bits => run = Some((known, count + 1)),
                    (before, next) => {
                        if let Some((known, count)) = before {
                            out += &format!("!{count}{}", char::from(63 + known));
                        }
                        run = next.map(|bits| (bits, 1));
                    }
                }
            }
            out.push('$');
        }
        out.push('-');
    }
    (out + "\x1b\\").into_bytes()
}

/// Returns what the terminal shows, by what its variables say, or by its answer.
fn detected() -> Protocol {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    if ["TMUX", "STY"].into_iter().any(|name| !variable(name).is_empty()) {
        return Protocol::Blocks;
    }
    let (term, program) = (variable("TERM"), variable("TERM_PROGRAM"));
    let is_kitty =
        ["kitty", "ghostty"].into_iter().any(|name| term.contains(name)) || !variable("KITTY_WINDOW_ID").is_empty();
    if is_kitty || matches!(program.as_str(), "ghostty" | "WezTerm") {
        return Protocol::Kitty;
    }
    if shows_sixels() { Protocol::Sixel } else { Protocol::Blocks }
}

/// Asks the terminal what it is. One that shows sixels has a 4 in its answer: `ESC [ ? 62 ; 4 c`.
#[cfg(unix)]
fn shows_sixels() -> bool {
    use std::io::Write;
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    /// Over a slow connection, the answer comes too late; its reader then drops it.
    const WAIT: Duration = Duration::from_millis(300);

    let (stdin, mut stdout) = (std::io::stdin(), std::io::stdout());
    if stdout.write_all(b"\x1b[c").and_then(|()| stdout.flush()).is_err() {
        return false;
    }
    let end = Instant::now() + WAIT;
    let mut answer = Vec::new();
    while answer.len() < 256 && !answer.ends_with(b"c") {
        let left = end.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        if !matches!(poll(&mut ready, Some(&left)), Ok(1)) {
            return false;
        }
        let mut bytes = [0; 64];
        match rustix::io::read(&stdin, &mut bytes) {
            Ok(count) if count > 0 => answer.extend_from_slice(&bytes[..count]),
            _ => return false,
        }
    }
    let text = String::from_utf8_lossy(&answer);
    let attributes = text.rsplit_once("\x1b[?").map_or("", |(_, attributes)| attributes.trim_end_matches('c'));
    attributes.split(';').skip(1).any(|attribute| attribute == "4")
}

#[cfg(not(unix))]
fn shows_sixels() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixels_have_a_run_for_each_colour_of_a_band() {
        let (black, red) = ([0; 3], [255, 0, 0]);
        let text = String::from_utf8(sixels(3, &[black, black, red, red, black, red])).unwrap();
        let expected = "\x1bP0;1;0q\"1;1;3;2#0;2;0;0;0#180;2;100;0;0#0!1@!1B!1?$#180!1A!1?!1B$-\x1b\\";
        assert_eq!(text, expected);
    }

    #[test]
    fn long_pictures_are_sent_in_parts() {
        let bytes = kitty(&[0; 4000], 10, 5);
        let text = String::from_utf8(bytes).unwrap();
        let parts: Vec<&str> = text.split("\x1b_G").skip(1).collect();
        assert!(parts[0].starts_with("a=T,f=100,q=2,C=1,c=10,r=5,m=1;"), "{}", parts[0]);
        assert!(parts[1].starts_with("m=0;") && parts.len() == 2);
        assert!(parts.iter().all(|part| part.ends_with("\x1b\\")));
    }
}
