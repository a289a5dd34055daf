//! What the browser shows and where in it the user is, and what keys and the mouse change.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::items::Item;
use crate::preview::Preview;
use crate::screen::Area;
use crate::tree::{Tree, What};

/// The parts of the window that keys and the mouse act on. They follow from its size.
#[derive(Clone, Copy, Default)]
pub(crate) struct Panes {
    pub(crate) tree: Area,
    /// Empty if the window has no room for it beside the tree.
    pub(crate) details: Area,
    pub(crate) preview: Area,
}

/// What the keys act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    Tree,
    Preview,
    /// The text to search for is being typed.
    Search,
    Help,
}

pub(crate) struct Browser<'a> {
    pub(crate) items: Vec<Item<'a>>,
    pub(crate) tree: Tree,
    /// The selected row, and the first row that is shown.
    pub(crate) row: usize,
    pub(crate) top: usize,
    pub(crate) focus: Focus,
    pub(crate) panes: Panes,
    /// The preview of a resource, with its position in `items`.
    preview: Option<(usize, Preview)>,
}

/// What the program does after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Continue,
    /// The size of the terminal has changed.
    Resize,
    Quit,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(items: Vec<Item<'a>>) -> Self {
        let paths: Vec<_> = items.iter().map(|item| (item.path(), item.resource.stored_size)).collect();
        let tree = Tree::new(paths.iter().map(|(path, size)| (&**path, *size)));
        Self { items, tree, row: 0, top: 0, focus: Focus::Tree, panes: Panes::default(), preview: None }
    }

    /// Returns the position of the selected resource; `None` for a folder.
    pub(crate) fn selected(&self) -> Option<usize> {
        match self.tree.row(self.row)?.what {
            What::Resource(position) => Some(position),
            What::Folder { .. } => None,
        }
    }

    /// Returns the preview of the selected resource, if it has been made.
    pub(crate) fn preview(&mut self) -> Option<&mut Preview> {
        let selected = self.selected()?;
        self.preview.as_mut().filter(|(position, _)| *position == selected).map(|(_, preview)| preview)
    }

    /// Makes the preview of the selected resource. Returns whether it was missing.
    pub(crate) fn make_preview(&mut self) -> bool {
        let Some(position) = self.selected().filter(|_| self.preview().is_none()) else { return false };
        let Item { pack, resource, .. } = &self.items[position];
        self.preview = Some((position, Preview::of(pack, resource)));
        true
    }

    pub(crate) fn handle(&mut self, event: &Event) -> Next {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Resize(..) => Next::Resize,
            _ => Next::Continue,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Next {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, self.focus) {
            (KeyCode::Char('c'), _) if is_control => return Next::Quit,
            (KeyCode::Char('l'), _) if is_control => return Next::Resize,
            (_, Focus::Help) => self.focus = Focus::Tree,
            (code, Focus::Search) => self.search_key(code),
            (KeyCode::Char('q'), _) => return Next::Quit,
            (KeyCode::Esc, Focus::Preview) => self.focus = Focus::Tree,
            (KeyCode::Esc, _) if self.tree.filter().is_empty() => return Next::Quit,
            (KeyCode::Esc, _) => self.search(""),
            (KeyCode::Char('?') | KeyCode::F(1), _) => self.focus = Focus::Help,
            (KeyCode::Char('/'), _) => {
                self.search("");
                self.focus = Focus::Search;
            }
            (KeyCode::Tab | KeyCode::BackTab, focus) => {
                self.focus = if focus == Focus::Tree { Focus::Preview } else { Focus::Tree };
            }
            (code, Focus::Preview) => self.preview_key(code),
            (code, Focus::Tree) => self.tree_key(code),
        }
        Next::Continue
    }

    fn search_key(&mut self, code: KeyCode) {
        let mut text = self.tree.filter().to_owned();
        match code {
            KeyCode::Enter | KeyCode::Down | KeyCode::Tab => self.focus = Focus::Tree,
            KeyCode::Esc => {
                self.focus = Focus::Tree;
                self.search("");
            }
            KeyCode::Backspace => {
                text.pop();
                self.search(&text);
            }
            KeyCode::Char(character) => {
                text.push(character);
                self.search(&text);
            }
            _ => {}
        }
    }

    fn search(&mut self, text: &str) {
        self.row = self.tree.search(text, self.row);
    }

    fn tree_key(&mut self, code: KeyCode) {
        let page = isize::try_from(self.panes.tree.height.max(2) - 1).unwrap_or(1);
        match code {
            KeyCode::Down | KeyCode::Char('j') => self.move_by(1),
            KeyCode::Up | KeyCode::Char('k') => self.move_by(-1),
            KeyCode::PageDown => self.move_by(page),
            KeyCode::PageUp => self.move_by(-page),
            KeyCode::Home | KeyCode::Char('g') => self.row = 0,
            KeyCode::End | KeyCode::Char('G') => self.row = self.tree.len().saturating_sub(1),
            KeyCode::Enter | KeyCode::Char(' ') => _ = self.tree.toggle(self.row, None),
            KeyCode::Right | KeyCode::Char('l') => _ = self.tree.toggle(self.row, Some(true)),
            KeyCode::Left | KeyCode::Char('h') => {
                let is_open = |tree: &Tree| tree.row(self.row).is_some_and(|node| tree.is_open(node));
                let can_close = self.selected().is_none() && self.tree.filter().is_empty() && is_open(&self.tree);
                match self.tree.parent(self.row) {
                    _ if can_close => _ = self.tree.toggle(self.row, Some(false)),
                    Some(parent) => self.row = parent,
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn preview_key(&mut self, code: KeyCode) {
        let page = isize::try_from(self.panes.preview.height.max(2) - 1).unwrap_or(1);
        let lines = match code {
            KeyCode::Down | KeyCode::Char('j') => 1,
            KeyCode::Up | KeyCode::Char('k') => -1,
            KeyCode::PageDown | KeyCode::Char(' ') => page,
            KeyCode::PageUp => -page,
            KeyCode::Home | KeyCode::Char('g') => isize::MIN,
            KeyCode::End | KeyCode::Char('G') => isize::MAX,
            _ => return,
        };
        if let Some(preview) = self.preview() {
            preview.scroll(lines);
        }
    }

    fn move_by(&mut self, rows: isize) {
        self.row = self.row.saturating_add_signed(rows).min(self.tree.len().saturating_sub(1));
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Next {
        const WHEEL: isize = 3;
        let is_preview = self.panes.preview.contains(mouse.column, mouse.row);
        let wheel = |rows| (is_preview, rows);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) if self.panes.tree.contains(mouse.column, mouse.row) => {
                let row = self.top + usize::from(mouse.row - self.panes.tree.y);
                if row < self.tree.len() {
                    // A click on the selected folder opens or closes it.
                    if row == self.row {
                        self.tree.toggle(row, None);
                    }
                    self.row = row;
                    self.focus = Focus::Tree;
                }
            }
            MouseEventKind::ScrollDown | MouseEventKind::ScrollUp => {
                let rows = if mouse.kind == MouseEventKind::ScrollDown { WHEEL } else { -WHEEL };
                match (wheel(rows), self.preview()) {
                    ((true, rows), Some(preview)) => preview.scroll(rows),
                    ((true, _), None) => {}
                    ((false, rows), _) => self.move_by(rows),
                }
            }
            _ => {}
        }
        Next::Continue
    }
}
