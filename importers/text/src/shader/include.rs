//! `#include`, and the other directives that are followed: the texts of several files become one, which knows where each of its parts
//! comes from.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use rres_import::{ImportError, Source, resolve_relative};

use super::KEEP;
use super::directives::{Conditions, Defined, Piece};
use super::lines::{Line, Lines};

/// Files inside files; more is a mistake.
const MAX_DEPTH: usize = 64;
/// Directives that are followed for one text.
const MAX_INCLUDES: usize = 10_000;
/// The size of the whole text.
const MAX_SIZE: usize = 16 << 20;
/// The longest part of a line that a message shows.
const MAX_SHOWN: usize = 120;

/// A text that was put together from files.
#[derive(Debug)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// Whether it differs from the source.
    pub(super) is_changed: bool,
    /// The source, and the files that it includes: asset path and text.
    files: Vec<(String, Arc<str>)>,
    /// The parts of the text, in order.
    segments: Vec<Segment>,
}

/// A part of the text: it begins at `start`, and comes from the file `file`, from `from` on.
#[derive(Debug)]
#[cfg_attr(not(feature = "shader"), expect(dead_code, reason = "only validation asks where a part comes from"))]
struct Segment {
    start: usize,
    file: usize,
    from: usize,
}

impl Expanded {
    /// Puts the parts of a source together, with the files that they include. With `defined`, WGSL has the lines whose conditions hold,
    /// and GLSL has a line for each name.
    ///
    /// # Errors
    /// [`ImportError`] about an include that cannot be followed, at its place.
    pub(super) fn new(
        source: &mut Source<'_>,
        text: &str,
        parts: &[Range<usize>],
        is_wgsl: bool,
        defined: Option<&Defined>,
    ) -> Result<Self, ImportError> {
        let files = vec![(source.path.to_owned(), Arc::from(text))];
        let expanded = Self { text: String::new(), is_changed: false, files, segments: Vec::new() };
        let conditions = defined.filter(|_| is_wgsl).map(|defined| Conditions::new(defined.clone()));
        let defines = defined.filter(|_| !is_wgsl).map(Defined::glsl).unwrap_or_default();
        let (stack, once) = (vec![0], HashSet::new());
        let mut expander = Expander { source, is_wgsl, conditions, defines, expanded, stack, once, followed: 0 };
        let mut lines = parts.iter().flat_map(|part| Lines::new(text, part.clone(), false));
        if !lines.any(|line| is_version(line.code)) {
            expander.define(0);
        }
        for part in parts {
            expander.append(0, part.clone())?;
        }
        let mut expanded = expander.expanded;
        expanded.is_changed = expanded.text != text;
        Ok(expanded)
    }

    /// Whether one of the files has this name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.files.iter().any(|(_, text)| {
            text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
                .any(|word| word == name)
        })
    }

    /// An error about what the text has at a byte, in the file that it comes from.
    #[cfg(feature = "shader")]
    pub(super) fn fault(&self, at: usize, message: &str) -> ImportError {
        let number = self.segments.partition_point(|segment| segment.start <= at).saturating_sub(1);
        match self.segments.get(number) {
            Some(Segment { start, file, from }) => {
                self.fault_in(*file, from + at.saturating_sub(*start), message, true)
            }
            None => ImportError::new(message),
        }
    }

    /// Appends what a file has at the byte `from`.
    fn push(&mut self, file: usize, from: usize, text: &str) {
        self.segments.push(Segment { start: self.text.len(), file, from });
        self.text.push_str(text);
    }

    /// Whether so many bytes more are not too many.
    fn reserve(&self, len: usize) -> Result<(), ImportError> {
        if self.text.len() + len <= MAX_SIZE {
            return Ok(());
        }
        let message = format!("has more than {} MiB with what it includes", MAX_SIZE >> 20);
        Err(ImportError::new(message).with_help("include less, or split the shader"))
    }

    /// An error about what the source has at a byte.
    pub(super) fn fault_in_source(&self, at: usize, message: &str) -> ImportError {
        self.fault_in(0, at, message, false)
    }

    /// An error about what a file has at a byte, with the line if that helps.
    fn fault_in(&self, file: usize, at: usize, message: &str, shows_line: bool) -> ImportError {
        let (path, text) = &self.files[file];
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = text[..start].bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = text[start..at].chars().count() + 1;
        let shown = text[start..].lines().next().unwrap_or_default().trim();
        let mut message = message.to_owned();
        if shows_line && !shown.is_empty() {
            let cut: String = shown.chars().take(MAX_SHOWN).collect();
            message += &format!(", in `{cut}{}`", if cut.len() < shown.len() { "…" } else { "" });
        }
        if file != 0 {
            message += &format!("; {} includes this file", self.files[0].0);
        }
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let error = ImportError::new(message).at(number(line), number(column)).with_fix(KEEP);
        if file == 0 { error } else { error.in_file(path) }
    }
}

struct Expander<'a, 's> {
    source: &'a mut Source<'s>,
    is_wgsl: bool,
    /// The conditions of WGSL, if they are followed.
    conditions: Option<Conditions>,
    /// The definitions that GLSL gets, until it has them.
    defines: String,
    expanded: Expanded,
    /// The file that is read, after those that include it.
    stack: Vec<usize>,
    /// The paths of files that are not included again.
    once: HashSet<String>,
    /// The directives that were followed.
    followed: usize,
}

impl Expander<'_, '_> {
    /// Appends a part of a file.
    fn append(&mut self, file: usize, part: Range<usize>) -> Result<(), ImportError> {
        let text = Arc::clone(&self.expanded.files[file].1);
        // The part that is not yet copied.
        let mut from = part.start;
        let depth = self.conditions.as_ref().map_or(0, Conditions::depth);
        for line in Lines::new(&text, part.clone(), self.is_wgsl) {
            if let Some(conditions) = &mut self.conditions {
                let was_active = conditions.is_active();
                let fault = |message: String| self.expanded.fault_in(file, line.range.start, &message, false);
                let is_directive = conditions.follow(line.code, line.range.start, depth).map_err(fault)?;
                if is_directive {
                    if was_active {
                        self.copy(file, &text, from..line.range.start)?;
                    }
                    from = line.range.end;
                    continue;
                }
                if !was_active {
                    continue;
                }
                if line.code.contains("#{") {
                    self.copy(file, &text, from..line.range.start)?;
                    from = line.range.end;
                    self.substitute(file, &text, &line)?;
                    continue;
                }
            }
            if is_version(line.code) && file == 0 {
                self.copy(file, &text, from..line.range.end)?;
                from = line.range.end;
                self.define(from);
                continue;
            }
            let Some(directive) = line.code.strip_prefix('#').map(str::trim_start) else { continue };
            if !self.is_wgsl && file != 0 && is_pragma_once(line.code) {
                self.copy(file, &text, from..line.range.start)?;
                from = line.range.end;
                continue;
            }
            let Some(argument) = directive.strip_prefix("include") else { continue };
            self.copy(file, &text, from..line.range.start)?;
            from = line.range.end;
            self.include(file, line.range.start, argument.trim())?;
        }
        let Some(conditions) = &self.conditions else { return self.copy(file, &text, from..part.end) };
        if conditions.depth() > depth {
            let fault = self.expanded.fault_in(file, conditions.last_open(), "has a condition without `#endif`", true);
            return Err(fault);
        }
        match conditions.is_active() {
            true => self.copy(file, &text, from..part.end),
            false => Ok(()),
        }
    }

    /// Appends the definitions of GLSL, once, after the bytes of the source before `at`.
    fn define(&mut self, at: usize) {
        let defines = std::mem::take(&mut self.defines);
        if !defines.is_empty() {
            self.end_line();
            self.expanded.push(0, at, &defines);
        }
    }

    /// Appends a line, with values in the place of names.
    fn substitute(&mut self, file: usize, text: &str, line: &Line<'_>) -> Result<(), ImportError> {
        self.end_line();
        let Some(conditions) = &self.conditions else { return Ok(()) };
        let start = line.range.start;
        let pieces = conditions
            .defined()
            .substitute(&text[line.range.clone()])
            .map_err(|(at, message)| self.expanded.fault_in(file, start + at, &message, true))?;
        for piece in pieces {
            let (Piece::Source(at, text) | Piece::Value(at, text)) = piece;
            self.expanded.reserve(text.len())?;
            self.expanded.push(file, start + at, text);
        }
        Ok(())
    }

    /// Ends the last line of a file, which what follows must not continue.
    fn end_line(&mut self) {
        let out = &mut self.expanded.text;
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
    }

    fn copy(&mut self, file: usize, text: &str, part: Range<usize>) -> Result<(), ImportError> {
        if part.is_empty() {
            return Ok(());
        }
        self.expanded.reserve(part.len())?;
        self.end_line();
        self.expanded.push(file, part.start, &text[part]);
        Ok(())
    }

    /// Appends the file that a directive names.
    fn include(&mut self, file: usize, at: usize, argument: &str) -> Result<(), ImportError> {
        let fault = |this: &Self, message: &str| this.expanded.fault_in(file, at, message, false);
        let Some((name, is_system)) = name(argument) else {
            let message = format!("has an include without a file: `#include {argument}`");
            return Err(fault(self, &message).with_help("write #include \"file\" for a file beside this one"));
        };
        let from = self.expanded.files[file].0.clone();
        let (path, text) =
            self.read(&from, name, is_system).map_err(|(message, help)| fault(self, &message).with_help(help))?;
        if let Some(first) = self.stack.iter().position(|open| self.expanded.files[*open].0 == path) {
            let mut chain: Vec<&str> =
                self.stack[first..].iter().map(|open| self.expanded.files[*open].0.as_str()).collect();
            chain.push(&path);
            let message = format!("is included by itself: {}", chain.join(" → "));
            return Err(fault(self, &message).with_help("move what both need into a third file"));
        }
        self.followed += 1;
        if self.stack.len() >= MAX_DEPTH || self.followed > MAX_INCLUDES {
            let message = format!(
                "includes too much: at most {MAX_DEPTH} files inside each other and {MAX_INCLUDES} directives are followed"
            );
            return Err(fault(self, &message).with_help("include each file from one place"));
        }
        let is_once = self.is_wgsl || Lines::new(&text, 0..text.len(), false).any(|line| is_pragma_once(line.code));
        if is_once && !self.once.insert(path.clone()) {
            return Ok(());
        }
        let known = self.expanded.files.iter().position(|(known, _)| *known == path);
        let number = known.unwrap_or(self.expanded.files.len());
        let len = text.len();
        if known.is_none() {
            self.expanded.files.push((path, text.into()));
        }
        self.stack.push(number);
        self.append(number, 0..len)?;
        self.stack.pop();
        Ok(())
    }

    /// The path and the text of an included file, or what is wrong and what to do.
    fn read(&mut self, from: &str, name: &str, is_system: bool) -> Result<(String, String), (String, String)> {
        let beside = Some(name).filter(|name| !is_system && !name.starts_with('/'));
        let beside = beside.and_then(|name| resolve_relative(from, name).ok());
        let below =
            resolve_relative("", name.trim_start_matches('/')).ok().filter(|below| Some(below) != beside.as_ref());
        let places: Vec<String> = beside.into_iter().chain(below).collect();
        let read = places.iter().find_map(|path| Some((path, self.source.inputs.read(path).ok()?)));
        let Some((path, bytes)) = read else {
            let quoted: Vec<String> = places.iter().map(|path| format!("\"{path}\"")).collect();
            let message = match quoted.is_empty() {
                true => format!("includes \"{name}\", which is not inside the assets directory"),
                false => {
                    format!("includes \"{name}\", but {} does not exist in the assets directory", quoted.join(" or "))
                }
            };
            let help = "a path in quotes is relative to the file that has it, or to the assets directory".to_owned();
            return Err((message, help));
        };
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| (format!("includes \"{path}\", which is not UTF-8"), "save it as UTF-8".to_owned()))?;
        Ok((path.clone(), text.trim_start_matches('\u{feff}').to_owned()))
    }
}

/// The name in `"name"` or `<name>`, and whether it is the latter.
fn name(argument: &str) -> Option<(&str, bool)> {
    let is_system = argument.starts_with('<');
    let end = if is_system { '>' } else { '"' };
    let (name, rest) = argument.strip_prefix(['"', '<'])?.split_once(end)?;
    let rest = rest.trim_start_matches(';').trim_start();
    let is_end = rest.is_empty() || rest.starts_with("//") || rest.starts_with("/*");
    (!name.is_empty() && is_end).then_some((name, is_system))
}

fn is_version(code: &str) -> bool {
    code.strip_prefix('#').is_some_and(|rest| rest.split_whitespace().next() == Some("version"))
}

fn is_pragma_once(code: &str) -> bool {
    code.strip_prefix('#').is_some_and(|rest| rest.split_whitespace().take(2).eq(["pragma", "once"]))
}
