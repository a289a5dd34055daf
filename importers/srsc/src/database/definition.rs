//! The text of a `.db` file.
//!
//! ```text
//! version 1
//! dependencies 2
//! 2 common\shared
//! 4 ..\weapons
//! ```
//!
//! Lines may begin with spaces, end with CR LF, or be empty. A path is the rest of its line, starts from the directory of the file, has
//! `\` between its parts, and no extension.

use crate::checks::Checks;
use crate::error::{Error, Problem, Result};
use crate::text::Text;

/// The text of a `.db` file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Definition {
    /// The version.
    pub version: u32,
    /// The databases that it depends on, in the order of the file.
    pub dependencies: Vec<Dependency>,
}

/// A database that another one depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The number that references use for it; never 0.
    pub index: u16,
    /// The path as the file has it.
    pub path: String,
    /// The offset of its line, in bytes from the start of the file.
    pub offset: u64,
}

/// The newest version that is known.
const VERSION: u32 = 1;

impl Definition {
    /// Reads the text of a `.db` file. `file` is its path, for messages.
    ///
    /// ```
    /// use rres_import_srsc::{Checks, Definition};
    ///
    /// let text = b"version 1\r\ndependencies 1\r\n2 common\\SHARED\r\n";
    /// let definition = Definition::parse("Synth.db", text, &mut Checks::strict())?;
    /// assert_eq!(definition.dependencies[0].index, 2);
    /// assert_eq!(definition.dependencies[0].path, r"common\SHARED");
    /// # Ok::<(), rres_import_srsc::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a line is not what is expected, or a number is 0, above 65535 or used twice. A number of dependencies that is wrong, and
    /// a version that is not known, are warnings.
    pub fn parse(file: &str, bytes: &[u8], checks: &mut Checks) -> Result<Self> {
        let mut lines = lines(bytes);
        let fail = |field, offset: u64, found: &str, expected: &str| {
            let problem = Problem::Invalid { found: format!("{:?}", shorten(found)), expected: expected.to_owned() };
            Error::in_file(file, field, offset, problem)
        };
        let mut head = |name: &str, field: &'static str| {
            let (offset, line) = lines.next().unwrap_or((bytes.len() as u64, String::new()));
            let value = line.strip_prefix(name).filter(|rest| rest.starts_with([' ', '\t']));
            let value = value.and_then(|value| value.trim().parse::<u32>().ok());
            value
                .map(|value| (offset, value))
                .ok_or_else(|| fail(field, offset, &line, &format!("{name} and a number")))
        };
        let (version_at, version) = head("version", "version")?;
        let (count_at, count) = head("dependencies", "dependencies")?;
        if version > VERSION {
            let problem = Problem::Invalid { found: version.to_string(), expected: format!("at most {VERSION}") };
            checks.warn(Error::in_file(file, "version", version_at, problem))?;
        }
        let mut dependencies: Vec<Dependency> = Vec::new();
        let mut used = std::collections::BTreeSet::new();
        for (offset, line) in lines {
            let (index, path) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
            let path = path.trim();
            let Ok(index) = index.parse::<u16>() else {
                return Err(fail("dependency", offset, &line, "a number of at most 65535 and a path"));
            };
            if index == 0 {
                return Err(fail("dependency", offset, &line, "a number above 0, which means the database itself"));
            }
            if path.is_empty() {
                return Err(fail("dependency", offset, &line, "a path after the number"));
            }
            if !used.insert(index) {
                return Err(fail("dependency", offset, &line, "a number that no other line has"));
            }
            dependencies.push(Dependency { index, path: path.to_owned(), offset });
        }
        if dependencies.len() as u64 != u64::from(count) {
            let expected = format!("{}, the number of lines that follow", dependencies.len());
            let problem = Problem::Invalid { found: count.to_string(), expected };
            checks.warn(Error::in_file(file, "dependencies", count_at, problem))?;
        }
        Ok(Self { version, dependencies })
    }
}

/// Returns the lines that are not empty, without spaces at their ends, each with where it starts.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, String)> {
    let mut offset = 0;
    let line = move |line: &[u8]| {
        let at = offset;
        offset += line.len() as u64 + 1;
        (at, Text::new(line).decode().trim().to_owned())
    };
    bytes.split(|byte| *byte == b'\n').map(line).filter(|(_, line)| !line.is_empty())
}

/// Returns the start of a line that a message can show.
fn shorten(line: &str) -> String {
    line.chars().take(80).collect()
}
