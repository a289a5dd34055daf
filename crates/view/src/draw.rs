//! The browser as a screen: the title, the tree, what is known about the selected resource, its preview, and the keys.

use rres_packs::text::{count, grouped};
use rres_settings::ByteSize;

use crate::browser::{Browser, Focus, Panes};
use crate::screen::{Area, Color, Palette, Screen, Style};
use crate::tree::{Node, What};

/// The narrowest window that can show two columns well, and the lowest with details above the preview.
const TWO_COLUMNS: u16 = 50;
const WITH_DETAILS: u16 = 20;

const TITLE: Style = Style::REVERSED;
const FOLDER: Style = Style { is_bold: true, ..Style::colored(Color::Ansi(4)) };
const LINE: Style = Style::DIM;

const HELP: &[(&str, &str)] = &[
    ("↑ ↓ j k", "move"),
    ("PgUp PgDn", "move by a page"),
    ("Home End", "first and last row"),
    ("→ l", "open a folder"),
    ("← h", "close it, or go to the folder around"),
    ("Enter Space", "open or close a folder"),
    ("/", "search paths; Enter keeps the result"),
    ("Esc", "end the search; quit"),
    ("Tab", "to the preview, to scroll it, and back"),
    ("?", "this help"),
    ("q Ctrl-C", "quit"),
];

/// Draws the browser, and notes where its panes are.
pub(crate) fn draw(browser: &mut Browser<'_>, title: &str, size: (u16, u16), palette: Palette) -> Screen {
    let mut screen = Screen::new(size.0, size.1);
    let all = screen.area();
    browser.panes = panes(all, browser.focus, rows_of_details(browser));
    draw_title(&mut screen, all.rows(0, 1), title, browser);
    draw_tree(&mut screen, browser);
    if !browser.panes.preview.is_empty() {
        draw_resource(&mut screen, browser, palette);
    }
    let last = all.rows(all.height.saturating_sub(1), 1);
    if all.height > 1 {
        draw_keys(&mut screen, last, browser);
    }
    if browser.focus == Focus::Help {
        draw_help(&mut screen, all);
    }
    screen
}

/// Returns the facts about the selected resource.
fn facts(browser: &mut Browser<'_>) -> Option<Vec<(&'static str, String)>> {
    let about = browser.preview().map(|preview| preview.about().to_owned());
    Some(browser.items[browser.selected()?].facts(about.as_deref()))
}

/// Returns how many rows the facts about the selected resource take, with the line below them.
fn rows_of_details(browser: &mut Browser<'_>) -> u16 {
    facts(browser).map_or(6, |facts| facts.len().min(11) as u16 + 1)
}

/// Divides the window. In a narrow one, the preview takes the place of the tree while it has the focus.
fn panes(all: Area, focus: Focus, rows: u16) -> Panes {
    let body = all.rows(1, all.height.saturating_sub(2));
    if all.width < TWO_COLUMNS {
        let none = Area::default();
        return match focus {
            Focus::Preview => Panes { tree: none, details: none, preview: body },
            _ => Panes { tree: body, details: none, preview: none },
        };
    }
    let left = (body.width * 2 / 5).min(60);
    // A line separates the two.
    let right = Area { x: body.x + left + 1, width: body.width - left - 1, ..body };
    let details = if body.height >= WITH_DETAILS { rows } else { body.height.min(3) };
    Panes {
        tree: Area { width: left, ..body },
        details: right.rows(0, details),
        preview: right.rows(details, right.height - details),
    }
}

fn draw_title(screen: &mut Screen, area: Area, title: &str, browser: &Browser<'_>) {
    screen.clear(area, TITLE);
    let size: u64 = browser.items.iter().map(|item| item.resource.stored_size).sum();
    let total = format!(" {}, {} ", count_of(browser.items.len()), ByteSize(size));
    let width = total.chars().count() as u16;
    let left = Area { width: area.width.saturating_sub(width), ..area };
    if left.width > 10 {
        screen.text_at(area, left.width, 0, &total, TITLE);
        screen.text_at(left, 1, 0, title, Style { is_bold: true, ..TITLE });
    } else {
        screen.text(area, 0, title, Style { is_bold: true, ..TITLE });
    }
}

fn count_of(resources: usize) -> String {
    let noun = count(resources, "resource").split_off(resources.to_string().len());
    grouped(resources as u64) + &noun
}

fn draw_tree(screen: &mut Screen, browser: &mut Browser<'_>) {
    let area = browser.panes.tree;
    let height = usize::from(area.height);
    if height == 0 {
        return;
    }
    browser.row = browser.row.min(browser.tree.len().saturating_sub(1));
    // The selected row stays in view.
    browser.top = browser.top.clamp((browser.row + 1).saturating_sub(height), browser.row);
    browser.top = browser.top.min(browser.tree.len().saturating_sub(height));
    if browser.tree.len() == 0 {
        let why = if browser.tree.filter().is_empty() { "no resources" } else { "nothing found" };
        screen.text(area, 0, why, Style::DIM);
    }
    for (line, row) in (0..area.height).zip(browser.top..) {
        let Some(node) = browser.tree.row(row) else { break };
        let is_selected = row == browser.row && browser.focus != Focus::Help;
        draw_node(screen, area, line, browser, node, is_selected);
    }
    let (line, all) = (area.x + area.width, screen.area());
    if line < all.width {
        (area.y..area.y + area.height).for_each(|y| screen.set(line, y, '│', LINE));
    }
}

fn draw_node(screen: &mut Screen, area: Area, line: u16, browser: &Browser<'_>, node: &Node, is_selected: bool) {
    let row = area.rows(line, 1);
    let (mark, style, size) = match node.what {
        What::Folder { size, .. } => (if browser.tree.is_open(node) { "▾ " } else { "▸ " }, FOLDER, size),
        What::Resource(position) => ("  ", Style::PLAIN, browser.items[position].resource.stored_size),
    };
    let select = |style: Style| if is_selected { Style { is_reversed: true, ..style } } else { style };
    if is_selected {
        screen.clear(row, Style::REVERSED);
    }
    let size = ByteSize(size).to_string();
    let width = size.chars().count() as u16;
    // A size is worth its space only if the name has enough.
    let names = if row.width > 24 { Area { width: row.width - width - 1, ..row } } else { row };
    let indent = (node.depth as u16 * 2).min(names.width / 2);
    screen.text_at(names, indent, 0, &format!("{mark}{}", node.name), select(style));
    if names != row {
        screen.text_at(row, row.width - width, 0, &size, select(Style::DIM));
    }
}

fn draw_resource(screen: &mut Screen, browser: &mut Browser<'_>, palette: Palette) {
    let Panes { details, preview, .. } = browser.panes;
    let Some(facts) = facts(browser) else { return draw_folder(screen, browser) };
    const NAMES: u16 = 13;
    for (row, (name, value)) in (0..details.height.saturating_sub(1)).zip(&facts) {
        screen.text(details, row, name, Style::DIM);
        screen.text_at(details, NAMES, row, value, if row == 0 { Style::BOLD } else { Style::PLAIN });
    }
    if details.height > 0 {
        let style = if browser.focus == Focus::Preview { Style::BOLD } else { LINE };
        let row = details.height - 1;
        (details.x..details.x + details.width).for_each(|x| screen.set(x, details.y + row, '─', style));
        screen.text_at(
            details,
            1,
            row,
            if browser.focus == Focus::Preview { " preview: ↑ ↓ scroll " } else { " preview " },
            style,
        );
    }
    match browser.preview() {
        Some(made) => made.draw(screen, preview, palette),
        None => {
            screen.text(preview, 0, "…", Style::DIM);
        }
    }
}

fn draw_folder(screen: &mut Screen, browser: &Browser<'_>) {
    let area = browser.panes.details;
    let Some(node) = browser.tree.row(browser.row) else { return };
    if let What::Folder { count, size, .. } = node.what {
        screen.text(area, 0, &node.name, Style::BOLD);
        screen.text(area, 1, &format!("{}, {} stored", count_of(count), ByteSize(size)), Style::PLAIN);
    }
}

fn draw_keys(screen: &mut Screen, area: Area, browser: &Browser<'_>) {
    let filter = browser.tree.filter();
    let (text, style) = match browser.focus {
        Focus::Search => (format!("/{filter}"), Style::BOLD),
        Focus::Preview => ("↑ ↓ scroll  Tab tree  / search  ? help  q quit".to_owned(), Style::DIM),
        _ if !filter.is_empty() => (format!("paths with \"{filter}\"; Esc shows all"), Style::BOLD),
        _ => ("↑ ↓ move  → ← open, close  / search  Tab preview  ? help  q quit".to_owned(), Style::DIM),
    };
    let end = screen.text(area, 0, &text, style);
    if browser.focus == Focus::Search {
        screen.set(end.min(area.width.saturating_sub(1)), area.y, ' ', Style::REVERSED);
    }
}

fn draw_help(screen: &mut Screen, all: Area) {
    let width = 56.min(all.width);
    let height = (HELP.len() as u16 + 4).min(all.height);
    let area = Area { x: (all.width - width) / 2, y: (all.height - height) / 2, width, height };
    screen.clear(area, Style::REVERSED);
    screen.text_at(area, 2, 1.min(height.saturating_sub(1)), "Keys", Style { is_bold: true, ..Style::REVERSED });
    for (row, (keys, what)) in (2..height.saturating_sub(1)).zip(HELP) {
        screen.text_at(area, 2, row, keys, Style::REVERSED);
        screen.text_at(area, 16.min(width), row, what, Style::REVERSED);
    }
}
