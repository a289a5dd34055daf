//! Names of files and folders → Rust identifiers.
//!
//! Words are split at every character that is not a letter or digit, and at the capitals of camelCase, so that
//! `playerIdle.png`, `player-idle.png` and `player idle.png` all become `PLAYER_IDLE_PNG`. Letters beyond ASCII are
//! transliterated. The result never contains two underscores in a row and never ends in one, except for the underscore
//! that distinguishes a reserved name (`ALL_`, `self_`), so these cannot clash with other names.

/// Names of items that [`super::emit`] generates in every module.
const TAKEN: &[&str] = &["ALL"];

/// Keywords that cannot be identifiers even as `r#…`.
const NEVER_RAW: &[&str] = &["crate", "self", "super"];

/// Strict and reserved keywords in lower case, up to edition 2024. The generated text is compiled in the game's
/// edition. A raw identifier is valid in every edition, so the keywords of later editions are listed too.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The constant for a file, its extension included.
///
/// An underscore is added before a leading digit. rustc's dead-code lint ignores such names, as it ignores all names
/// that start with an underscore.
///
/// `button-pressed.png` → `BUTTON_PRESSED_PNG`, `playerIdle.png` → `PLAYER_IDLE_PNG`, `01 Höhe.ogg` → `_01_HOHE_OGG`.
pub fn constant_name(file_name: &str) -> String {
    let mut name = match file_name.rsplit_once('.') {
        // Without this, `★.png` and every other file whose name has no letters would be `PNG`.
        Some((stem, extension)) if !stem.is_empty() => {
            let (stem, extension) = (words_or_code_points(stem), words(extension));
            if extension.is_empty() { stem } else { format!("{stem}_{extension}") }
        }
        _ => words_or_code_points(file_name),
    };
    name.make_ascii_uppercase();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if TAKEN.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The module for a folder, or for the sub-assets of a file.
///
/// `UI Elements` → `ui_elements`, `type` → `r#type`, `self` → `self_`.
pub fn module_name(folder: &str) -> String {
    let name = words_or_code_points(folder);
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{name}")
    } else if NEVER_RAW.contains(&name.as_str()) {
        format!("{name}_")
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}

/// The module for an assets directory, which is also the name of a file: a keyword names neither, so it gets an ending.
///
/// `gameAssets` → `game_assets`, `static` → `static_assets`.
pub fn root_module_name(directory: &str) -> String {
    match module_name(directory) {
        name if is_module_file(&name) => name,
        keyword => format!("{}_assets", keyword.trim_start_matches("r#").trim_end_matches('_')),
    }
}

/// Whether a module can have this name and be in a file of this name: no keyword, no other spelling.
pub fn is_module_file(name: &str) -> bool {
    module_name(name) == name && !name.starts_with("r#")
}

/// [`words`], or the code points of a name that has none (`★` → `u2605`).
fn words_or_code_points(text: &str) -> String {
    let name = words(text);
    if !name.is_empty() {
        return name;
    }
    let code_points: Vec<String> = text.chars().map(|c| format!("u{:x}", u32::from(c))).collect();
    if code_points.is_empty() { "unnamed".to_owned() } else { code_points.join("_") }
}

/// The words of `text` in lower-case ASCII, one underscore between two; empty if it has none.
fn words(text: &str) -> String {
    let mut words = Words::default();
    let mut previous = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_uppercase() && starts_word(previous, chars.peek().copied()) {
            words.split();
        }
        words.push(c);
        previous = Some(c);
    }
    words.text
}

/// Whether a capital between these two starts a word: `playerIdle` and `XMLFile` and `run2Idle` have two, `icon3D` one.
fn starts_word(previous: Option<char>, next: Option<char>) -> bool {
    let before_lowercase = next.is_some_and(char::is_lowercase);
    previous.is_some_and(|c| c.is_lowercase() || before_lowercase && (c.is_uppercase() || c.is_ascii_digit()))
}

/// Words being written. The underscore between two words is written only when the second one begins.
#[derive(Default)]
struct Words {
    text: String,
    ended: bool,
}

impl Words {
    fn split(&mut self) {
        self.ended = true;
    }

    fn push(&mut self, c: char) {
        if c.is_ascii() {
            return self.push_ascii(c);
        }
        let Some(spelled) = deunicode::deunicode_char(c) else { return self.split() };
        // A symbol is a word (`🦀` → `crab`), and a letter is part of a word. A combining mark is neither, and does not
        // separate words.
        let is_word = !spelled.is_empty() && !c.is_alphanumeric();
        if is_word {
            self.split();
        }
        spelled.chars().for_each(|c| self.push_ascii(c));
        if is_word {
            self.split();
        }
    }

    fn push_ascii(&mut self, c: char) {
        if !c.is_ascii_alphanumeric() {
            return self.split();
        }
        if self.ended && !self.text.is_empty() {
            self.text.push('_');
        }
        self.ended = false;
        self.text.push(c.to_ascii_lowercase());
    }
}
