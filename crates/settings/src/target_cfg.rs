//! What a game is compiled for, in the words of `cfg(target_…)`.

/// The names and values that describe a target, as `rustc --print cfg` prints them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetCfg(Vec<(String, Option<String>)>);

impl TargetCfg {
    /// Reads lines such as `unix` and `target_os="linux"`.
    pub fn new<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Self {
        let split = |line: L| match line.as_ref().trim().split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.trim_matches('"').to_owned())),
            None => (line.as_ref().trim().to_owned(), None),
        };
        Self(lines.into_iter().map(split).collect())
    }

    /// The machine that runs this program.
    pub fn of_host() -> Self {
        use std::env::consts::{ARCH, FAMILY, OS};
        let width = usize::BITS.to_string();
        let endian = if cfg!(target_endian = "big") { "big" } else { "little" };
        let pairs = [
            ("target_arch", ARCH),
            ("target_os", OS),
            ("target_family", FAMILY),
            ("target_pointer_width", &width),
            ("target_endian", endian),
        ];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
        Self(pairs.into_iter().chain([(FAMILY.to_owned(), None)]).collect())
    }

    /// Writes this value as lines that [`Self::new`] reads.
    pub fn lines(&self) -> Vec<String> {
        let line = |(name, value): &(String, Option<String>)| match value {
            Some(value) => format!("{name}=\"{value}\""),
            None => name.clone(),
        };
        self.0.iter().map(line).collect()
    }

    pub(super) fn has(&self, name: &str, value: Option<&str>) -> bool {
        self.0.iter().any(|(known, of)| known == name && of.as_deref() == value)
    }
}
