//! All rules, of `assets.toml` and then of `build.rs`: asset path → [`Settings`].

mod variants;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rres_format::{AssetKind, Cipher};
use rres_protocol::nearest::nearest;

use super::contradictions::{check_rule, contradictions, pack_contradictions};
use super::declare::{Affects, faults};
use super::file::{self, File, PackOrigin};
use super::image_values::ImageSequence;
use super::importer_description::Description;
use super::importer_rules::{check_importers, check_values};
use super::lint::{BudgetUse, LintFinding};
use super::matching_rule::MatchingRule;
use super::pattern::{Pattern, split_path};
use super::rule::Rule;
use super::sections::{Budget, BudgetOf, Group, check_group};
use super::table::{GlobalValues, PACK_ROWS, PackSettings, RuleRow, Settings};
use super::target_cfg::TargetCfg;
use super::unmatched;
use super::values::{AssetSize, BudgetFor, Culture, LintLevel, Measure};
use crate::asset_kinds::described;
use crate::diagnostic::{Diagnostic, Place};

pub use rres_protocol::files::SETTINGS_FILE;

/// The rules that settings come from.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pack: PackSettings,
    /// What set the settings of the pack, in order.
    pub(super) pack_origins: Vec<PackOrigin>,
    pub(super) rules: Vec<MatchingRule>,
    pub(super) groups: Vec<Group>,
    pub(super) budgets: Vec<Budget>,
    /// The globs of rules with errors: the settings of the files that they match are not certain.
    pub(super) uncertain: Vec<Pattern>,
    /// The folders of libraries, to which only rules apply that name them, and the rules of each library alone.
    pub(super) libraries: Vec<(String, Rules)>,
    is_usable: bool,
    /// The importers of the build script.
    importers: Arc<[Description]>,
    /// What the game is compiled for.
    target: TargetCfg,
    /// The path of the file of each asset whose file is one for the target: rules for either path apply.
    target_files: BTreeMap<String, String>,
}

/// The settings file of an assets directory, read once: its rules and its faults.
#[derive(Debug)]
pub struct SettingsFile {
    pub rules: Rules,
    pub diagnostics: Vec<Diagnostic>,
    /// The bytes of the file; `None` if it does not exist or cannot be read.
    pub bytes: Option<Vec<u8>>,
    /// The bytes of the files of libraries.
    pub of_libraries: Vec<Option<Vec<u8>>>,
}

impl SettingsFile {
    /// Reads the settings file of the assets directory `dir` for builds for `target` with these importers. It need not exist.
    pub fn read(dir: &Path, target: &TargetCfg, importers: &Arc<[Description]>) -> Self {
        let path = dir.join(SETTINGS_FILE);
        let fail = |diagnostic: Diagnostic| Self {
            rules: Rules { is_usable: false, ..Rules::new(importers) },
            diagnostics: vec![diagnostic],
            bytes: None,
            of_libraries: Vec::new(),
        };
        // Reading anything but a file, such as a FIFO, might never end.
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Self {
                    rules: Rules::new(importers),
                    diagnostics: Vec::new(),
                    bytes: None,
                    of_libraries: Vec::new(),
                };
            }
            Err(error) => return fail(Diagnostic::io("read it", &path, &error)),
            Ok(metadata) if !metadata.is_file() => {
                return fail(
                    Diagnostic::file(path, "is not a file").with_help("replace it with a text file".to_owned()),
                );
            }
            Ok(_) => {}
        }
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => return fail(Diagnostic::io("read it", &path, &error)),
        };
        match String::from_utf8(bytes) {
            Ok(text) => Self::of_text(dir, text, target, importers),
            Err(error) => {
                let message = format!("is not UTF-8 (byte {})", error.utf8_error().valid_up_to());
                let diagnostic = Diagnostic::file(path, message).with_help("save it as UTF-8".to_owned());
                Self { bytes: Some(error.into_bytes()), ..fail(diagnostic) }
            }
        }
    }

    /// The same with `text` in the place of the one that the file has.
    pub fn of_text(dir: &Path, text: String, target: &TargetCfg, importers: &Arc<[Description]>) -> Self {
        let (rules, diagnostics) = Rules::parse(&dir.join(SETTINGS_FILE), &text, target, importers);
        Self { rules, diagnostics, bytes: Some(text.into_bytes()), of_libraries: Vec::new() }
    }
}

impl Rules {
    fn new(importers: &Arc<[Description]>) -> Self {
        Self { is_usable: true, importers: Arc::clone(importers), ..Self::default() }
    }

    /// Reads the text of `assets.toml`, whose path is `file`, and reports every fault. [`Self::is_usable`] and
    /// [`Self::is_certain`] tell how far the rules can still be used.
    pub fn parse(
        file: &Path,
        text: &str,
        target: &TargetCfg,
        importers: &Arc<[Description]>,
    ) -> (Self, Vec<Diagnostic>) {
        let File { pack, pack_origins, rules, groups, budgets, uncertain, is_usable, mut diagnostics, .. } =
            file::read(file, text, target, importers);
        let errors_before = diagnostics.len();
        for contradiction in pack_contradictions(&pack) {
            // The level may be wrong for the default compressor.
            if let Some((_, place, _)) = pack_origins.iter().find(|(key, ..)| *key == contradiction.key) {
                let message = format!("contradictory values: {}", contradiction.message);
                let help = contradiction.help.map(str::to_owned);
                diagnostics.push(Diagnostic::new(place.clone(), message).with_help(help));
            }
        }
        let is_usable = is_usable && diagnostics.len() == errors_before;
        let mut all = Self { pack, pack_origins, groups, budgets, uncertain, is_usable, ..Self::new(importers) };
        for rule in rules {
            all.add(rule, &mut diagnostics);
        }
        diagnostics.sort();
        (all, diagnostics)
    }

    /// Adds a rule after all others.
    fn add(&mut self, rule: MatchingRule, diagnostics: &mut Vec<Diagnostic>) {
        let errors_before = diagnostics.len();
        check_importers(&rule, &self.importers, diagnostics);
        check_rule(&rule, self.pack.compat, &self.importers, diagnostics);
        if let (Some(Some(id)), Some(place)) = (rule.values.asset.id, rule.place_of("id"))
            && let Some(other) = self.rules.iter().find(|other| other.values.asset.id == Some(Some(id)))
        {
            let (glob, at) = (other.pattern.as_str(), &other.place);
            let message = format!("contradictory values: `id` = {id} is already the id of \"{glob}\" at {at}");
            diagnostics.push(Diagnostic::new(place.clone(), message));
        }
        if let (Some(Some(path)), Some(place)) = (&rule.values.asset.path, rule.place_of("path"))
            && let Some(other) =
                self.rules.iter().find(|other| other.values.asset.path.as_ref() == Some(&Some(path.clone())))
            && other.pattern.as_str() != rule.pattern.as_str()
        {
            let (glob, at) = (other.pattern.as_str(), &other.place);
            let message =
                format!("contradictory values: `path` = \"{path}\" is already the path of \"{glob}\" at {at}");
            diagnostics.push(Diagnostic::new(place.clone(), message));
        }
        if diagnostics.len() > errors_before {
            self.uncertain.push(rule.pattern.clone());
        }
        self.rules.push(rule);
    }

    /// Adds a rule of `build.rs`, after all others.
    pub fn add_rule(&mut self, place: Place, glob: &str, rule: Rule, diagnostics: &mut Vec<Diagnostic>) {
        let Some(pattern) = pattern(glob, &place, diagnostics) else { return };
        let errors_before = diagnostics.len();
        let mut rule = MatchingRule::of_code(pattern.clone(), place, rule, diagnostics);
        check_values(&mut rule, &self.importers, diagnostics);
        if diagnostics.len() > errors_before {
            self.uncertain.push(pattern);
        }
        self.add(rule, diagnostics);
    }

    /// Adds a group of `build.rs`.
    pub fn add_group(&mut self, place: Place, name: &str, globs: &[String], diagnostics: &mut Vec<Diagnostic>) {
        let include = globs.iter().filter_map(|glob| Some((pattern(glob, &place, diagnostics)?, place.clone())));
        let group = Group { name: name.to_owned(), include: include.collect(), place: place.clone() };
        if let Err((message, help)) = check_group(&group.name, &self.groups) {
            diagnostics.push(Diagnostic::new(place, message).with_help(help));
        }
        self.groups.push(group);
    }

    /// Adds a budget of `build.rs`, after its groups.
    pub fn add_budget(
        &mut self,
        place: Place,
        of: &BudgetFor,
        measure: Measure,
        bytes: u64,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let of = match of {
            BudgetFor::All => Some(BudgetOf::Total),
            BudgetFor::Glob(glob) => pattern(glob, &place, diagnostics).map(BudgetOf::Glob),
            BudgetFor::Group(name) if self.group_place(name).is_some() => Some(BudgetOf::Group(name.clone())),
            BudgetFor::Group(name) => {
                let names = self.groups.iter().map(|group| group.name.as_str());
                let help = nearest(name, names).map(|near| format!("did you mean \"{near}\"?"));
                diagnostics.push(Diagnostic::new(place.clone(), format!("no group `{name}`")).with_help(help));
                None
            }
        };
        self.budgets.extend(of.map(|of| Budget { of, measure, bytes, place }));
    }

    /// Overrides settings of `[pack]` by settings of the builder, which is at `place`. If one of them is wrong, none takes
    /// effect.
    pub fn override_pack(&mut self, values: &GlobalValues, place: &Place, diagnostics: &mut Vec<Diagnostic>) {
        let errors_before = diagnostics.len();
        diagnostics.extend(faults(PACK_ROWS, values, place));
        self.is_usable &= diagnostics.len() == errors_before;
        if *values == GlobalValues::default() || !self.is_usable {
            return;
        }
        values.pack.apply(&mut self.pack);
        let set = PACK_ROWS.iter().filter(|row| (row.is_set)(values));
        self.pack_origins.extend(set.map(|row| (row.key, place.clone(), (row.write)(values).unwrap_or_default())));
        for contradiction in pack_contradictions(&self.pack) {
            let message = format!("contradictory values: {}", contradiction.message);
            diagnostics.push(Diagnostic::new(place.clone(), message).with_help(contradiction.help.map(str::to_owned)));
        }
    }

    /// Sets what the game is compiled for, which chooses among files such as `hud.mobile.png`.
    pub fn set_target(&mut self, target: TargetCfg) {
        self.target = target;
    }

    /// Sets the files of assets whose file is one for the target, by the paths of the assets.
    pub fn set_target_files(&mut self, files: BTreeMap<String, String>) {
        self.target_files = files;
    }

    /// The path of the file of the asset at `path`, if that is one for the target.
    pub fn target_file(&self, path: &str) -> Option<&str> {
        self.target_files.get(path).map(String::as_str)
    }

    /// The settings of the pack as a whole.
    pub fn pack(&self) -> &PackSettings {
        &self.pack
    }

    /// Whether assets can be imported by these rules. This is false if the file is not TOML or `[pack]` is wrong.
    pub fn is_usable(&self) -> bool {
        self.is_usable
    }

    /// Whether the settings of the asset at `path` are certain. This is false if a rule with errors matches it.
    pub fn is_certain(&self, path: &str) -> bool {
        self.uncertain.is_empty() || {
            let names = split_path(path);
            !self.uncertain.iter().any(|pattern| self.reaches(pattern, names[0]) && pattern.matches(&names))
        }
    }

    /// The settings of the asset at `path`: later rules win, field by field, and profile and `[pack]` provide
    /// what no rule sets.
    pub fn resolve(&self, path: &str) -> Settings {
        let mut settings = Settings::default();
        for rule in self.matching(path) {
            rule.values.apply(&mut settings);
        }
        self.pack.complete(&mut settings.asset);
        // C programs know the language of a text by this number.
        if settings.text.culture.is_none() {
            let locale = self.variant_by(path, &settings).and_then(|name| name.locale);
            settings.text.culture =
                locale.map(|locale| Culture::Tag(locale.to_string())).filter(|culture| culture.lcid().is_some());
        }
        settings
    }

    /// The file that has the path `stored` in the pack: the one that a rule gives this path, or else the file of this path.
    pub fn file_of(&self, stored: &str) -> String {
        let has_path = |rule: &&MatchingRule| matches!(&rule.values.asset.path, Some(Some(path)) if path == stored);
        let mut files = self.rules.iter().filter(has_path).filter_map(|rule| rule.pattern.file());
        files.find(|file| self.resolve(file).asset.path.as_deref() == Some(stored)).unwrap_or_else(|| stored.to_owned())
    }

    /// The rules for the target that `path` matches, in order.
    pub(super) fn matching(&self, path: &str) -> impl DoubleEndedIterator<Item = &MatchingRule> {
        self.matching_for_any_target(path).filter(|rule| rule.holds())
    }

    /// The rules that `path` matches, in order, also those for other targets.
    pub(super) fn matching_for_any_target(&self, path: &str) -> impl DoubleEndedIterator<Item = &MatchingRule> {
        let names = split_path(path);
        let names_of_file = self.target_files.get(path).map(|file| split_path(file));
        self.rules.iter().filter(move |rule| {
            let matches = |names: &[&str]| rule.pattern.matches(names);
            self.reaches(&rule.pattern, names[0]) && (matches(&names) || names_of_file.as_deref().is_some_and(matches))
        })
    }

    /// The contradictions in the settings of a source that may become these kinds of assets, with the place of the value that would have to change.
    pub fn contradiction(&self, path: &str, kinds: &[AssetKind], settings: &Settings) -> Option<(String, String)> {
        let first = contradictions(settings, kinds, self.pack.compat).into_iter().next()?;
        let place = self.matching(path).rev().find_map(|rule| rule.place_of(first.key));
        let help = match place {
            Some(place) => format!("it is set at {place}"),
            None => "it is set under [pack]".to_owned(),
        };
        Some((first.message, help))
    }

    /// For each group in the order of declaration: its name and the indices of its members in `paths`, ascending.
    pub fn group_members<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<(&str, Vec<usize>)> {
        let mut members: Vec<(&str, Vec<usize>)> =
            self.groups.iter().map(|group| (group.name.as_str(), Vec::new())).collect();
        if members.is_empty() {
            return members;
        }
        for (index, path) in paths.into_iter().enumerate() {
            let names = split_path(path);
            // As rules do, a glob names an asset or the file that a target has for it.
            let names_of_file = self.target_files.get(path).map(|file| split_path(file));
            for (group, (_, indices)) in self.groups.iter().zip(&mut members) {
                let matches = |names: &[&str]| group.include.iter().any(|(pattern, _)| pattern.matches(names));
                if matches(&names) || names_of_file.as_deref().is_some_and(matches) {
                    indices.push(index);
                }
            }
        }
        members
    }

    /// The place where the group called `name` is declared.
    pub fn group_place(&self, name: &str) -> Option<&Place> {
        self.groups.iter().find(|group| group.name == name).map(|group| &group.place)
    }

    /// Whether a rule says what `.data(…)` of a build script says.
    fn is_of_data(&self, rule: &MatchingRule) -> bool {
        let importer = rule.values.asset.importer.as_ref().and_then(Option::as_deref);
        let spec = importer.and_then(|name| described(&self.importers, name));
        spec.is_some_and(|spec| spec.types.iter().any(|of| of.is_data))
    }

    /// What a rule is called in messages: `rule "ui/**"`, or `data("levels/*.toml")` as its build script writes it.
    fn label(&self, rule: &MatchingRule) -> String {
        let glob = rule.pattern.as_str();
        if self.is_of_data(rule) { format!("data(\"{glob}\")") } else { format!("rule \"{glob}\"") }
    }

    /// What decided the value of `key` for the asset at `path`, in words: `rule "ui/**" at assets.toml:1:2`.
    pub fn decider(&self, path: &str, key: &str) -> Option<String> {
        let (rule, place) = self.matching(path).rev().find_map(|rule| Some((rule, rule.place_of(key)?)))?;
        Some(format!("{} at {place}", self.label(rule)))
    }

    /// An error for each rule, group entry and budget that matches none of `paths`, which are all files of the assets
    /// directory, including ignored ones. Most often a glob is misspelt or a file was moved. Rules that only leave files
    /// out or silence notes may match none: working files are often on one machine only.
    pub fn unmatched<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<Diagnostic> {
        let rules = self.rules.iter().filter(|rule| !rule.only_leaves_out());
        let rules = rules.map(|rule| {
            let of = if self.is_of_data(rule) { " of the build script" } else { "" };
            (self.label(rule) + of, &rule.pattern, &rule.place)
        });
        let groups = self.groups.iter().flat_map(|group| {
            let label = |pattern: &Pattern| format!("group `{}`: \"{}\"", group.name, pattern.as_str());
            group.include.iter().map(move |(pattern, place)| (label(pattern), pattern, place))
        });
        let budgets = self.budgets.iter().filter_map(|budget| {
            let pattern = budget.pattern()?;
            Some((format!("budget \"{}\"", pattern.as_str()), pattern, &budget.place))
        });
        let patterns: Vec<_> = rules.chain(groups).chain(budgets).collect();
        if patterns.is_empty() {
            return Vec::new();
        }
        unmatched::find(&patterns, &paths.into_iter().collect::<Vec<_>>())
    }

    /// Whether any budget limits the video memory of a group.
    pub fn limit_video_memory_of_groups(&self) -> bool {
        let is_such =
            |budget: &Budget| matches!(budget.of, BudgetOf::Group(_)) && budget.measure == Measure::VideoMemory;
        self.budgets.iter().any(is_such)
    }

    /// A finding for each budget that the assets exceed.
    pub fn over_budget(&self, assets: &[AssetSize<'_>]) -> Vec<LintFinding> {
        let level = self.pack.over_budget;
        if level == LintLevel::Allow {
            return Vec::new();
        }
        self.budgets.iter().filter_map(|budget| budget.check(&self.groups, level, assets)).collect()
    }

    /// What the assets take of each budget.
    pub fn budget_uses(&self, assets: &[AssetSize<'_>]) -> Vec<BudgetUse> {
        let level = self.pack.over_budget;
        self.budgets.iter().map(|budget| budget.measure(&self.groups, level, assets)).collect()
    }

    /// Whether there are groups.
    pub fn have_groups(&self) -> bool {
        !self.groups.is_empty()
    }

    /// Whether there are budgets.
    pub fn have_budgets(&self) -> bool {
        !self.budgets.is_empty()
    }

    /// Whether any rule sets a limit for assets.
    pub fn have_limits(&self) -> bool {
        let is_limit = |(row, _): (&RuleRow, &Place)| row.affects == Affects::Check && row.key != "lint";
        self.rules.iter().filter(|rule| rule.holds()).any(|rule| rule.rows().any(is_limit))
    }

    /// Whether anything must be encrypted.
    pub fn have_ciphers(&self) -> bool {
        let sets =
            |rule: &MatchingRule| rule.values.asset.cipher.flatten().is_some_and(|cipher| cipher != Cipher::NONE);
        self.pack.cipher != Cipher::NONE || self.rules.iter().any(sets)
    }

    /// Whether any rule puts images into an atlas.
    pub fn have_atlases(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule.values.image.atlas, Some(Some(_))))
    }

    /// Whether a rule links images with others.
    pub fn have_image_links(&self) -> bool {
        self.rules.iter().any(|rule| {
            let image = &rule.values.image;
            let is_name = |name: &Option<Option<String>>| matches!(name, Some(Some(_)));
            let is_sequence = image.sequence.is_some_and(|sequence| sequence != ImageSequence::None);
            is_name(&image.bump) || is_name(&image.alternate) || is_name(&image.material) || is_sequence
        })
    }

    /// The importers of the build script.
    pub(super) fn importers(&self) -> &[Description] {
        &self.importers
    }

    /// The rule that sets `key` for the asset at `path`: its glob and the place of the key.
    pub fn origin(&self, path: &str, key: &str) -> Option<(&str, &Place)> {
        self.matching(path).rev().find_map(|rule| Some((rule.pattern.as_str(), rule.place_of(key)?)))
    }
}

/// Compiles a glob, or reports why it is invalid.
fn pattern(glob: &str, place: &Place, diagnostics: &mut Vec<Diagnostic>) -> Option<Pattern> {
    let report = |bad: super::pattern::BadGlob| {
        diagnostics.push(Diagnostic::new(place.clone(), bad.message).with_help(bad.help));
    };
    Pattern::new(glob).map_err(report).ok()
}
