//! Text in aligned columns.

use std::io;

use super::{Output, Style, escape_terminal};

/// The widest that a column is made, in characters. A longer cell, such as a path of a thousand characters, only shifts
/// the rest of its own row.
const MAX_WIDTH: usize = 60;

/// A column: its heading and its alignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    heading: &'static str,
    is_right_aligned: bool,
}

impl Column {
    /// A column of names.
    pub(crate) const fn left(heading: &'static str) -> Self {
        Self { heading, is_right_aligned: false }
    }

    /// A column of numbers.
    pub(crate) const fn right(heading: &'static str) -> Self {
        Self { heading, is_right_aligned: true }
    }
}

/// A table: headings and rows.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    /// The first row contains the headings.
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[Column]) -> Self {
        let headings = columns.iter().map(|column| column.heading.to_owned()).collect();
        Self { columns: columns.to_vec(), rows: vec![headings] }
    }

    /// Adds a row, with its cells escaped.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| escape_terminal(&cell)).collect());
    }

    /// Returns the headings and the rows as lines of text.
    pub(crate) fn lines(&self) -> Vec<String> {
        let widths: Vec<usize> = (0..self.columns.len()).map(|column| self.width(column)).collect();
        self.rows.iter().map(|row| self.line(row, &widths)).collect()
    }

    fn width(&self, column: usize) -> usize {
        let widths = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        widths.filter(|width| *width <= MAX_WIDTH).max().unwrap_or(0)
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, column), width) in row.iter().zip(&self.columns).zip(widths) {
            if !line.is_empty() {
                line.push_str("  ");
            }
            let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
            line.extend(if column.is_right_aligned { [&gap, cell.as_str()] } else { [cell.as_str(), &gap] });
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// Prints the table with its headings in bold.
    pub(crate) fn print(&self, out: &mut Output) -> io::Result<()> {
        for (number, line) in self.lines().iter().enumerate() {
            if number == 0 { out.styled_line(Style::Bold, line)? } else { out.line(line)? }
        }
        Ok(())
    }

    /// Prints the table with its headings and its last row, a total, in bold.
    pub(crate) fn print_with_total(&self, out: &mut Output) -> io::Result<()> {
        let lines = self.lines();
        for (number, line) in lines.iter().enumerate() {
            let is_bold = number == 0 || number + 1 == lines.len();
            if is_bold { out.styled_line(Style::Bold, line)? } else { out.line(line)? }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&str; 3]]) -> Vec<String> {
        let mut table = Table::new(&[Column::left("NAME"), Column::right("SIZE"), Column::left("NOTE")]);
        rows.iter().for_each(|row| table.row(row.map(str::to_owned)));
        table.lines()
    }

    #[test]
    fn columns_are_aligned_by_characters() {
        let lines = table(&[["größe.txt", "1 B", ""], ["a", "1000 B", "last"]]);
        assert_eq!(lines, ["NAME         SIZE  NOTE", "größe.txt     1 B", "a          1000 B  last"]);
    }

    #[test]
    fn a_very_long_cell_shifts_only_its_own_row() {
        let long = "n".repeat(1022);
        let lines = table(&[["a.txt", "1 B", ""], [&long, "20 B", ""]]);
        assert_eq!(lines[..2], ["NAME   SIZE  NOTE", "a.txt   1 B"]);
        assert_eq!(lines[2], format!("{long}  20 B"));
    }

    #[test]
    fn cells_cannot_control_the_terminal() {
        assert_eq!(table(&[["\x1b[2J", "", ""]])[1], r"\u{1b}[2J");
    }
}
