//! All rules together: the file's, then those of `build.rs`. An asset path goes in, its [`Settings`] come out.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::contradictions::check_rule;
use super::error::{Position, SettingsError, Source};
use super::fields::{Field, read_rule};
use super::pack::{Budget, PackSettings, read_budgets, read_pack};
use super::pattern::{Pattern, split_path};
use super::size::format_size;
use super::types::Settings;
use super::walk::{Entry, entries};
use super::{nearest::nearest, unmatched};

const SECTIONS: [&str; 3] = ["pack", "group", "budget"];

/// The rules that settings come from.
///
/// ```
/// # use rres_build::settings::{Filter, Rules};
/// let text = r#"
///     ["ui/**/*.png"]
///     image = { filter = "nearest", mipmaps = true }
///     ["ui/icons/*.png"]
///     image = { mipmaps = false }
/// "#;
/// let rules = Rules::parse("assets/assets.toml", text).unwrap();
/// let icon = rules.resolve("ui/icons/ok.png");
/// assert_eq!((icon.image.filter, icon.image.mipmaps), (Filter::Nearest, false));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    label: String,
    pack: PackSettings,
    rules: Vec<Rule>,
    groups: Vec<Group>,
    budgets: Vec<Budget>,
    code_rules: Vec<CodeRule>,
}

/// A rule of the file.
#[derive(Clone, Debug)]
struct Rule {
    pattern: Pattern,
    position: Position,
    fields: Vec<Field>,
}

/// A rule of `build.rs`.
#[derive(Clone)]
struct CodeRule {
    pattern: Pattern,
    place: &'static Location<'static>,
    apply: Arc<dyn Fn(&mut Settings) + Send + Sync>,
}

impl fmt::Debug for CodeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeRule").field("pattern", &self.pattern).field("place", &self.place).finish_non_exhaustive()
    }
}

/// Assets that are loaded and dropped together.
#[derive(Clone, Debug)]
pub struct Group {
    name: String,
    position: Position,
    include: Vec<(Pattern, Position)>,
}

impl Group {
    /// The name in `[group.name]`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line of the file that the group starts in, from 1.
    pub fn line(&self) -> u32 {
        self.position.line
    }
}

impl Rules {
    /// Reads the text of `assets.toml`. `label` is the name of the file as errors show it.
    ///
    /// # Errors
    /// Everything that is wrong with the file, in the order of its lines. Text that is no TOML hides the rest.
    pub fn parse(label: &str, text: &str) -> Result<Self, Vec<SettingsError>> {
        let mut source = Source::new(label, text);
        let (document, errors) = toml::de::DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            errors.iter().for_each(|error| source.toml_error(error));
            return Err(source.into_errors());
        }
        let mut rules = Self { label: label.to_owned(), ..Self::default() };
        let entries = entries(document.get_ref());
        // Rules are checked against the readers that the pack is for, wherever [pack] stands.
        for entry in entries.iter().filter(|entry| entry.key == "pack") {
            if let Some(table) = source.table("pack", entry.value) {
                rules.pack = read_pack(&mut source, table);
            }
        }
        for entry in &entries {
            match entry.key {
                "pack" => {}
                "group" => rules.groups = read_groups(&mut source, entry),
                "budget" => {
                    let table = source.table("budget", entry.value);
                    rules.budgets = table.map(|table| read_budgets(&mut source, table)).unwrap_or_default();
                }
                _ => rules.read_rule(&mut source, entry),
            }
        }
        match source.into_errors() {
            errors if errors.is_empty() => Ok(rules),
            errors => Err(errors),
        }
    }

    fn read_rule(&mut self, source: &mut Source<'_>, entry: &Entry<'_>) {
        let Entry { key, at, value } = entry;
        let is_word = !key.contains(['*', '?', '[', '/', '.']);
        if let Some(section) = nearest(key, SECTIONS).filter(|_| is_word) {
            let message = format!("unknown section [{key}], expected [pack], [group.name], [budget] or a glob");
            let help = format!("did you mean [{section}]? A rule for a file of this name is [\"./{key}\"]");
            return source.error_with_help(at, message, help);
        }
        let place = format!("[\"{key}\"]");
        let pattern = source.pattern(at, key);
        let Some(table) = source.table(key, value) else { return };
        let fields = read_rule(source, &place, table);
        let Some(pattern) = pattern else { return };
        check_rule(source, &pattern, &fields, self.pack.compat);
        for written in &fields {
            let Field::Id(id) = written.field else { continue };
            let has_id = |rule: &&Rule| rule.fields.contains(&written.field);
            if let Some(other) = self.rules.iter().find(has_id) {
                let message = format!(
                    "contradictory values: `id` = {id} is already that of \"{}\" in line {}",
                    other.pattern.as_str(),
                    other.position.line
                );
                source.error(&written.at, message);
            }
        }
        let position = source.position(at.start);
        let fields = fields.into_iter().map(|written| written.field).collect();
        self.rules.push(Rule { pattern, position, fields });
    }

    /// Adds a rule that comes after those of the file and after those added before.
    ///
    /// Errors about it name the caller's file and line.
    ///
    /// # Errors
    /// If `glob` is no glob.
    #[track_caller]
    pub fn push(
        &mut self,
        glob: &str,
        apply: impl Fn(&mut Settings) + Send + Sync + 'static,
    ) -> Result<(), SettingsError> {
        self.push_at(Location::caller(), glob, apply)
    }

    /// As [`Self::push`], for a rule that stands at `place`.
    pub(crate) fn push_at(
        &mut self,
        place: &'static Location<'static>,
        glob: &str,
        apply: impl Fn(&mut Settings) + Send + Sync + 'static,
    ) -> Result<(), SettingsError> {
        let pattern =
            Pattern::new(glob).map_err(|bad| SettingsError::new(place.file(), place.into(), bad.message, bad.help))?;
        self.code_rules.push(CodeRule { pattern, place, apply: Arc::new(apply) });
        Ok(())
    }

    /// What the asset at `path` is imported with: later rules win, field by field.
    pub fn resolve(&self, path: &str) -> Settings {
        let names = split_path(path);
        let mut settings = Settings::default();
        for rule in self.rules.iter().filter(|rule| rule.pattern.matches(&names)) {
            rule.fields.iter().for_each(|field| field.apply(&mut settings));
        }
        for rule in self.code_rules.iter().filter(|rule| rule.pattern.matches(&names)) {
            (rule.apply)(&mut settings);
        }
        settings
    }

    /// The rules that `path` matches, in order, as `assets/assets.toml:3:2: ["ui/**"]`.
    pub fn explain(&self, path: &str) -> Vec<String> {
        let names = split_path(path);
        let matching = |pattern: &Pattern| pattern.matches(&names);
        let of_file = self.rules.iter().filter(|rule| matching(&rule.pattern));
        let of_code = self.code_rules.iter().filter(|rule| matching(&rule.pattern));
        of_file
            .map(|rule| format!("{}:{}: [\"{}\"]", self.label, rule.position, rule.pattern.as_str()))
            .chain(of_code.map(|rule| format!("{}: [\"{}\"]", rule.place, rule.pattern.as_str())))
            .collect()
    }

    /// What holds for the pack as a whole.
    pub fn pack(&self) -> &PackSettings {
        &self.pack
    }

    /// Turns `[pack] lock` on or off, whatever the file says.
    pub(crate) fn set_lock(&mut self, yes: bool) {
        self.pack.lock = yes;
    }

    /// The groups in the order of the file.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// For each group in the order of the file: its name and the indices of its members in `paths`, ascending.
    pub fn group_members<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<(&str, Vec<usize>)> {
        let mut members: Vec<(&str, Vec<usize>)> = self.groups.iter().map(|group| (group.name(), Vec::new())).collect();
        for (index, path) in paths.into_iter().enumerate() {
            let names = split_path(path);
            for (group, (_, indices)) in self.groups.iter().zip(&mut members) {
                if group.include.iter().any(|(pattern, _)| pattern.matches(&names)) {
                    indices.push(index);
                }
            }
        }
        members
    }

    /// The rules, group entries and budgets that match none of `paths`, which are all files of the assets
    /// directory, the ignored ones too: most often a glob is misspelt or a file has moved.
    pub fn unmatched<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<SettingsError> {
        let paths: Vec<&str> = paths.into_iter().collect();
        let rules = self.rules.iter().map(|rule| (&self.label[..], rule.position, "rule".to_owned(), &rule.pattern));
        let groups = self.groups.iter().flat_map(|group| {
            let what = format!("group `{}`:", group.name);
            group.include.iter().map(move |(pattern, position)| (&self.label[..], *position, what.clone(), pattern))
        });
        let budgets = self.budgets.iter().filter_map(|budget| {
            Some((&self.label[..], budget.position, "budget".to_owned(), budget.pattern.as_ref()?))
        });
        let mut of_file: Vec<_> = rules.chain(groups).chain(budgets).collect();
        of_file.sort_by_key(|(_, position, ..)| *position);
        let code =
            self.code_rules.iter().map(|rule| (rule.place.file(), rule.place.into(), "rule".to_owned(), &rule.pattern));
        let patterns: Vec<_> = of_file.into_iter().chain(code).collect();
        unmatched::find(&patterns, &paths)
    }

    /// The budgets that the assets `stored` (path, bytes in the pack) break.
    pub fn over_budget(&self, stored: &[(&str, u64)]) -> Vec<SettingsError> {
        let mut errors = Vec::new();
        for budget in &self.budgets {
            let counts = |path: &str| budget.pattern.as_ref().is_none_or(|pattern| pattern.matches(&split_path(path)));
            let counted = stored.iter().filter(|(path, _)| counts(path));
            let sum = counted.fold(0_u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
            if sum > budget.bytes {
                let name = budget.pattern.as_ref().map_or("total", Pattern::as_str);
                let message = format!(
                    "over budget: \"{name}\" takes {} ({sum} bytes), expected at most {}",
                    format_size(sum),
                    format_size(budget.bytes)
                );
                errors.push(SettingsError::new(&self.label, budget.position, message, None));
            }
        }
        errors
    }
}

impl From<&Location<'_>> for Position {
    fn from(place: &Location<'_>) -> Self {
        Self { line: place.line(), column: place.column() }
    }
}

fn read_groups(source: &mut Source<'_>, entry: &Entry<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for entry in source.table("group", entry.value).map(entries).unwrap_or_default() {
        let place = format!("[group.{}]", entry.key);
        let name = entry.key;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-') {
            let message = format!("bad group name \"{name}\", expected letters, digits, `_` and `-`");
            source.error(&entry.at, message);
        }
        // Each group becomes a constant.
        let constant = |name: &str| name.replace('-', "_").to_ascii_uppercase();
        if let Some(other) = groups.iter().find(|other| constant(&other.name) == constant(name)) {
            let message = format!(
                "duplicate group: `{name}` and `{}` in line {} both become the constant {}",
                other.name,
                other.position.line,
                constant(name)
            );
            source.error_with_help(&entry.at, message, "rename one of them".into());
        }
        let position = source.position(entry.at.start);
        let mut group = Group { name: name.to_owned(), position, include: Vec::new() };
        let Some(table) = source.table(&format!("group.{name}"), entry.value) else { continue };
        let mut has_include = false;
        for key in entries(table) {
            if key.key != "include" {
                source.unknown_key(&key, &place, &["include"]);
                continue;
            }
            has_include = true;
            let read = source.one_or_many("include", key.value, |source, value| {
                let glob = source.string("include", value)?;
                let pattern = source.pattern(&value.span(), glob)?;
                Some((pattern, source.position(value.span().start)))
            });
            group.include = read.unwrap_or_default();
        }
        if !has_include {
            let help = "add `include = [\"levels/1/**\"]`".into();
            source.error_with_help(&entry.at, format!("missing key `include` in {place}"), help);
        }
        groups.push(group);
    }
    groups
}
