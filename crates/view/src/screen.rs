//! A grid of character cells, and the bytes that change what a terminal shows from one grid to another.

use rres_packs::text::escape_terminal;
use unicode_width::UnicodeWidthChar;

/// A colour of text or of its background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Color {
    /// The terminal's own.
    #[default]
    Default,
    /// One of the terminal's 16 colours, which fit its theme.
    Ansi(u8),
    Rgb(u8, u8, u8),
}

/// The colours that a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Palette {
    /// 24 bits.
    True,
    /// 256 colours.
    Indexed,
    /// None: the user wants none.
    None,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) text: Color,
    pub(crate) background: Color,
    pub(crate) is_bold: bool,
    pub(crate) is_dim: bool,
    /// Text and background are swapped.
    pub(crate) is_reversed: bool,
}

impl Style {
    pub(crate) const PLAIN: Self =
        Self { text: Color::Default, background: Color::Default, is_bold: false, is_dim: false, is_reversed: false };
    pub(crate) const BOLD: Self = Self { is_bold: true, ..Self::PLAIN };
    pub(crate) const DIM: Self = Self { is_dim: true, ..Self::PLAIN };
    pub(crate) const REVERSED: Self = Self { is_reversed: true, ..Self::PLAIN };

    pub(crate) const fn colored(text: Color) -> Self {
        Self { text, ..Self::PLAIN }
    }

    /// Returns the control sequence that sets the style.
    fn sequence(self, palette: Palette) -> String {
        let mut codes = "\x1b[0".to_owned();
        let flags = [(self.is_bold, ";1"), (self.is_dim, ";2"), (self.is_reversed, ";7")];
        codes.extend(flags.into_iter().filter_map(|(is_set, code)| is_set.then_some(code)));
        for (color, base) in [(self.text, 30u16), (self.background, 40)] {
            match (color, palette) {
                (Color::Default, _) | (_, Palette::None) => {}
                (Color::Ansi(number), _) if number < 8 => codes += &format!(";{}", base + u16::from(number)),
                (Color::Ansi(number), _) => codes += &format!(";{}", base + 52 + u16::from(number)),
                (Color::Rgb(r, g, b), Palette::True) => codes += &format!(";{};2;{r};{g};{b}", base + 8),
                (Color::Rgb(r, g, b), Palette::Indexed) => codes += &format!(";{};5;{}", base + 8, indexed(r, g, b)),
            }
        }
        codes + "m"
    }
}

/// Returns the nearest of the 256 colours: of a cube with six levels per channel, or of 24 grays.
fn indexed(r: u8, g: u8, b: u8) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance =
        |a: [u8; 3], b: [u8; 3]| -> u32 { a.into_iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum() };
    let nearest = |value: u8| (0..6).min_by_key(|level| LEVELS[*level].abs_diff(value)).unwrap_or(0);
    let cube = [r, g, b].map(nearest);
    let gray =
        (0..24u8).min_by_key(|step| (8 + step * 10).abs_diff(r.max(g).max(b).midpoint(r.min(g).min(b)))).unwrap_or(0);
    let of_cube = distance(cube.map(|level| LEVELS[level]), [r, g, b]);
    let of_gray = distance([8 + gray * 10; 3], [r, g, b]);
    if of_gray < of_cube { 232 + gray } else { 16 + (36 * cube[0] + 6 * cube[1] + cube[2]) as u8 }
}

/// What one column of one row shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    character: char,
    /// An accent that combines with the character.
    accent: Option<char>,
    /// The character is two columns wide, and the next cell is its right half.
    is_wide: bool,
    style: Style,
}

const BLANK: Cell = Cell { character: ' ', accent: None, is_wide: false, style: Style::PLAIN };

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Area {
    /// Returns the rows from `top` on, `height` of them, as far as the area has them.
    pub(crate) fn rows(self, top: u16, height: u16) -> Self {
        let top = top.min(self.height);
        Self { y: self.y + top, height: height.min(self.height - top), ..self }
    }

    pub(crate) fn contains(self, x: u16, y: u16) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }
}

pub(crate) struct Screen {
    width: u16,
    height: u16,
    cells: Vec<Cell>,
}

impl Screen {
    pub(crate) fn new(width: u16, height: u16) -> Self {
        Self { width, height, cells: vec![BLANK; usize::from(width) * usize::from(height)] }
    }

    pub(crate) fn area(&self) -> Area {
        Area { x: 0, y: 0, width: self.width, height: self.height }
    }

    fn cell(&mut self, x: u16, y: u16) -> Option<&mut Cell> {
        let is_inside = x < self.width && y < self.height;
        is_inside.then(|| &mut self.cells[usize::from(y) * usize::from(self.width) + usize::from(x)])
    }

    /// Sets one cell to a character that is one column wide.
    pub(crate) fn set(&mut self, x: u16, y: u16, character: char, style: Style) {
        if let Some(cell) = self.cell(x, y) {
            *cell = Cell { character, style, ..BLANK };
        }
    }

    /// Fills an area with blanks.
    pub(crate) fn clear(&mut self, area: Area, style: Style) {
        for y in area.y..area.y + area.height {
            (area.x..area.x + area.width).for_each(|x| self.set(x, y, ' ', style));
        }
    }

    /// Writes text into row `y` of an area, from its left edge on, and returns the column after it. What does not fit is cut
    /// off, with `…` at the edge. Characters that could control the terminal are escaped.
    pub(crate) fn text(&mut self, area: Area, row: u16, text: &str, style: Style) -> u16 {
        self.text_at(area, 0, row, text, style)
    }

    /// Like [`Self::text`], from a column of the area on.
    pub(crate) fn text_at(&mut self, area: Area, column: u16, row: u16, text: &str, style: Style) -> u16 {
        let (mut x, end) = (area.x + column.min(area.width), area.x + area.width);
        if row >= area.height {
            return x;
        }
        let y = area.y + row;
        let mut last = None;
        for character in escape_terminal(text).chars() {
            let width = character.width().unwrap_or(0) as u16;
            if width == 0 {
                // The marks that join pictures into others would make widths a matter of the terminal.
                let joins = matches!(character, '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
                if !joins && let Some(cell) = last.and_then(|x| self.cell(x, y)) {
                    cell.accent.get_or_insert(character);
                }
                continue;
            }
            if x + width > end {
                // The ellipsis takes the place of the last character.
                if end > area.x + column {
                    let at = end - 1;
                    self.set(at, y, '…', style);
                    let before = at.checked_sub(1).filter(|before| *before >= area.x);
                    if let Some(cell) = before.and_then(|x| self.cell(x, y)).filter(|cell| cell.is_wide) {
                        *cell = Cell { style, ..BLANK };
                    }
                }
                return end;
            }
            if let Some(cell) = self.cell(x, y) {
                *cell = Cell { character, style, is_wide: width == 2, ..BLANK };
            }
            if width == 2 {
                self.set(x + 1, y, ' ', style);
            }
            last = Some(x);
            x += width;
        }
        x
    }

    /// Returns the bytes that make a terminal that shows `before` show this screen; everything if the sizes differ.
    pub(crate) fn update(&self, before: Option<&Self>, palette: Palette) -> Vec<u8> {
        let before = before.filter(|before| (before.width, before.height) == (self.width, self.height));
        let mut out = String::new();
        if before.is_none() {
            out += "\x1b[0m\x1b[2J";
        }
        let mut style = None;
        for y in 0..self.height {
            let mut position = None;
            let mut x = 0;
            while x < self.width {
                let at = usize::from(y) * usize::from(self.width) + usize::from(x);
                let cell = self.cells[at];
                let next = x + if cell.is_wide { 2 } else { 1 };
                let is_same = |i: usize| before.map_or(BLANK, |before| before.cells[i]) == self.cells[i];
                if is_same(at) && (!cell.is_wide || is_same(at + 1)) {
                    x = next;
                    continue;
                }
                if position != Some(x) {
                    out += &format!("\x1b[{};{}H", y + 1, x + 1);
                }
                if style != Some(cell.style) {
                    out += &cell.style.sequence(palette);
                    style = Some(cell.style);
                }
                out.push(cell.character);
                out.extend(cell.accent);
                x = next;
                position = Some(x);
            }
        }
        out.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(screen: &Screen) -> String {
        screen.cells.iter().map(|cell| cell.character).collect()
    }

    #[test]
    fn text_is_cut_off_at_the_edge_and_cannot_control_the_terminal() {
        let write = |text: &str| {
            let mut screen = Screen::new(8, 1);
            screen.text(screen.area(), 0, text, Style::PLAIN);
            row(&screen)
        };
        assert_eq!(write("short"), "short   ");
        assert_eq!(write("exactly8"), "exactly8");
        assert_eq!(write("much longer"), "much lo…");
        assert_eq!(write("\x1b[2J"), r"\u{1b}[…");
        assert_eq!(write("漢字漢字"), "漢 字 漢 字 ");
        assert_eq!(write("漢字漢字x"), "漢 字 漢  …");
        assert_eq!(write("a\u{301}\u{200d}b"), "ab      ");
    }

    #[test]
    fn only_what_changed_is_written() {
        let mut before = Screen::new(10, 2);
        before.text(before.area(), 0, "one", Style::PLAIN);
        let mut after = Screen::new(10, 2);
        after.text(after.area(), 0, "onx", Style::PLAIN);
        assert_eq!(after.update(Some(&before), Palette::True), b"\x1b[1;3H\x1b[0mx");
        assert_eq!(after.update(Some(&after), Palette::True), b"");
        assert!(after.update(None, Palette::True).starts_with(b"\x1b[0m\x1b[2J"));
    }

    #[test]
    fn colours_are_those_that_the_terminal_has() {
        let style = Style { background: Color::Rgb(255, 0, 0), ..Style::colored(Color::Ansi(9)) };
        assert_eq!(style.sequence(Palette::True), "\x1b[0;91;48;2;255;0;0m");
        assert_eq!(style.sequence(Palette::Indexed), "\x1b[0;91;48;5;196m");
        assert_eq!(style.sequence(Palette::None), "\x1b[0m");
        assert_eq!([indexed(128, 128, 128), indexed(0, 0, 0), indexed(8, 8, 8)], [244, 16, 232]);
    }
}
