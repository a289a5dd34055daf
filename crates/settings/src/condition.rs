//! Conditions on the target, in Cargo's syntax: `cfg(any(target_os = "android", target_os = "ios"))`.

use rres_protocol::nearest::nearest;

use super::target_cfg::TargetCfg;

/// The names that conditions may use, and the values of those whose values are known. Targets of one's own may have others.
const NAMES: &[(&str, &[&str])] = &[
    ("unix", &[]),
    ("windows", &[]),
    (
        "target_os",
        &[
            "aix",
            "amdhsa",
            "android",
            "cuda",
            "cygwin",
            "dragonfly",
            "emscripten",
            "espidf",
            "freebsd",
            "fuchsia",
            "haiku",
            "helenos",
            "hermit",
            "horizon",
            "hurd",
            "illumos",
            "ios",
            "l4re",
            "linux",
            "lynxos178",
            "macos",
            "managarm",
            "motor",
            "netbsd",
            "none",
            "nto",
            "nuttx",
            "openbsd",
            "psp",
            "psx",
            "qurt",
            "redox",
            "rtems",
            "solaris",
            "solid_asp3",
            "teeos",
            "trusty",
            "tvos",
            "uefi",
            "unknown",
            "vexos",
            "visionos",
            "vita",
            "vxworks",
            "wasi",
            "watchos",
            "windows",
            "xous",
            "zkvm",
        ],
    ),
    (
        "target_arch",
        &[
            "aarch64",
            "amdgpu",
            "arm",
            "arm64ec",
            "avr",
            "bpf",
            "csky",
            "hexagon",
            "loongarch32",
            "loongarch64",
            "m68k",
            "mips",
            "mips32r6",
            "mips64",
            "mips64r6",
            "msp430",
            "nvptx64",
            "powerpc",
            "powerpc64",
            "riscv32",
            "riscv64",
            "s390x",
            "sparc",
            "sparc64",
            "wasm32",
            "wasm64",
            "x86",
            "x86_64",
            "xtensa",
        ],
    ),
    ("target_family", &["unix", "wasm", "windows"]),
    ("target_env", &["", "gnu", "macabi", "msvc", "musl", "newlib", "ohos", "p1", "p2", "p3", "sgx", "sim", "uclibc"]),
    ("target_vendor", &["apple", "espressif", "ibm", "nintendo", "nvidia", "pc", "sony", "sun", "unknown", "uwp"]),
    ("target_endian", &["big", "little"]),
    ("target_pointer_width", &["16", "32", "64"]),
    ("target_abi", &["", "eabi", "eabihf", "llvm", "macabi", "sim", "softfloat", "uwp", "x32"]),
];

/// How deep conditions may be nested.
const MAX_DEPTH: u32 = 32;

/// A condition that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// As it is written.
    pub(super) text: String,
    /// Whether the target meets it.
    pub(super) holds: bool,
}

/// Why a text is not a condition, and what to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadCondition {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Condition {
    /// Reads `cfg(…)`.
    pub(super) fn new(text: &str, target: &TargetCfg) -> Result<Self, BadCondition> {
        let bad = |why: String, help| BadCondition { message: format!("bad target '{text}': {why}"), help };
        let Some(inner) = text.strip_prefix("cfg(").and_then(|rest| rest.strip_suffix(')')) else {
            let help = "write a condition as in Cargo.toml: [target.'cfg(target_os = \"android\")'.\"textures/**\"]";
            return Err(bad("expected cfg(…)".to_owned(), Some(help.to_owned())));
        };
        let mut parser = Parser { rest: inner, target };
        let holds = parser.predicate(0).and_then(|holds| match parser.token() {
            None => Ok(holds),
            Some(token) => Err((format!("expected `)`, found `{token}`"), None)),
        });
        match holds {
            Ok(holds) => Ok(Self { text: text.to_owned(), holds }),
            Err((why, help)) => Err(bad(why, help)),
        }
    }
}

/// A message and a help.
type Fault = (String, Option<String>);

struct Parser<'p> {
    rest: &'p str,
    target: &'p TargetCfg,
}

impl<'p> Parser<'p> {
    /// Takes the next token: a name, a string with its quotes, or one other character.
    fn token(&mut self) -> Option<&'p str> {
        let rest = self.rest.trim_start();
        let first = rest.chars().next()?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = if first == '"' {
            // Without an end, the string is all of the rest, and no value.
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if is_name(first) {
            rest.find(|c| !is_name(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, rest) = rest.split_at(len);
        self.rest = rest;
        Some(token)
    }

    /// Takes the next token if it is `expected`.
    fn take(&mut self, expected: &str) -> bool {
        let before = self.rest;
        let is_expected = self.token() == Some(expected);
        if !is_expected {
            self.rest = before;
        }
        is_expected
    }

    fn predicate(&mut self, depth: u32) -> Result<bool, Fault> {
        if depth > MAX_DEPTH {
            return Err((format!("it is nested more than {MAX_DEPTH} times"), None));
        }
        let name = self.token().ok_or_else(|| ("expected a name, found the end".to_owned(), None))?;
        if matches!(name, "all" | "any" | "not") && self.take("(") {
            let mut results = Vec::new();
            while !self.take(")") {
                results.push(self.predicate(depth + 1)?);
                if !self.take(",") && !self.rest.trim_start().starts_with(')') {
                    let found = self.token().unwrap_or("the end");
                    return Err((format!("expected `,` or `)` in `{name}(…)`, found `{found}`"), None));
                }
            }
            return match (name, &results[..]) {
                ("all", results) => Ok(results.iter().all(|holds| *holds)),
                ("any", results) => Ok(results.iter().any(|holds| *holds)),
                (_, [holds]) => Ok(!holds),
                (_, results) => Err((format!("`not(…)` takes one condition, found {}", results.len()), None)),
            };
        }
        let names = || NAMES.iter().map(|(name, _)| *name);
        let Some((_, values)) = NAMES.iter().find(|(known, _)| *known == name) else {
            let list: Vec<_> = names().chain(["all(…)", "any(…)", "not(…)"]).collect();
            let help = nearest(name, names()).map(|near| format!("did you mean `{near}`?"));
            return Err((format!("unknown name `{name}`, expected one of {}", list.join(", ")), help));
        };
        let takes_value = !values.is_empty();
        if self.take("=") != takes_value {
            let why = if takes_value { format!("`{name}` needs a value") } else { format!("`{name}` has no value") };
            let example = values.iter().find(|value| !value.is_empty());
            return Err((why, example.map(|value| format!("write {name} = \"{value}\""))));
        }
        if !takes_value {
            return Ok(self.target.has(name, None));
        }
        let token = self.token().unwrap_or("the end");
        let value = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let Some(value) = value else {
            return Err((format!("expected a value in quotes for `{name}`, found `{token}`"), None));
        };
        // A value that is not known may be one of a new target; one that is nearly known is misspelt.
        match nearest(value, values.iter().copied()).filter(|_| !values.contains(&value)) {
            Some(near) => {
                Err((format!("unknown value \"{value}\" for `{name}`"), Some(format!("did you mean \"{near}\"?"))))
            }
            None => Ok(self.target.has(name, Some(value))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn android() -> TargetCfg {
        TargetCfg::new([r#"target_arch="aarch64""#, r#"target_os="android""#, "unix", r#"target_family="unix""#])
    }

    fn fault(text: &str) -> String {
        let BadCondition { message, help } = Condition::new(text, &android()).unwrap_err();
        format!("{} | {}", message, help.unwrap_or_default())
    }

    #[test]
    fn conditions_mean_what_they_mean_in_cargo() {
        for (text, holds) in [
            (r#"cfg(target_os = "android")"#, true),
            (r#"cfg(target_os="ios")"#, false),
            ("cfg(unix)", true),
            ("cfg(windows)", false),
            ("cfg(not(windows))", true),
            (r#"cfg(any(target_os = "ios", target_os = "android"))"#, true),
            (r#"cfg(all(unix, not(target_arch = "aarch64")))"#, false),
            (r#"cfg( all( unix , target_arch = "aarch64" , ) )"#, true),
            ("cfg(all())", true),
            ("cfg(any())", false),
            (r#"cfg(target_os = "playstation5")"#, false),
            (r#"cfg(target_env = "")"#, false),
        ] {
            assert_eq!(Condition::new(text, &android()).map(|condition| condition.holds), Ok(holds), "{text}");
        }
    }

    #[test]
    fn faults_say_what_to_write() {
        for (text, expected) in [
            ("android", "bad target 'android': expected cfg(…) | write a condition as in Cargo.toml: "),
            (
                "cfg(target_oss = \"ios\")",
                "bad target 'cfg(target_oss = \"ios\")': unknown name `target_oss`, expected one of unix,",
            ),
            ("cfg(feature = \"x\")", "bad target 'cfg(feature = \"x\")': unknown name `feature`, expected"),
            (
                "cfg(target_os = \"andriod\")",
                "bad target 'cfg(target_os = \"andriod\")': unknown value \"andriod\" for `target_os` | did you mean \"android\"?",
            ),
            ("cfg(target_os)", "bad target 'cfg(target_os)': `target_os` needs a value | write target_os = \"aix\""),
            ("cfg(unix = \"a\")", "bad target 'cfg(unix = \"a\")': `unix` has no value"),
            (
                "cfg(target_os = ios)",
                "bad target 'cfg(target_os = ios)': expected a value in quotes for `target_os`, found `ios`",
            ),
            ("cfg(target_os = \"ios)", "bad target 'cfg(target_os = \"ios)': expected a value in quotes"),
            ("cfg(not(unix, windows))", "bad target 'cfg(not(unix, windows))': `not(…)` takes one condition, found 2"),
            (
                "cfg(any(unix windows))",
                "bad target 'cfg(any(unix windows))': expected `,` or `)` in `any(…)`, found `windows`",
            ),
            ("cfg(any(unix)", "bad target 'cfg(any(unix)': expected `,` or `)`"),
            ("cfg(unix))", "bad target 'cfg(unix))': expected `)`, found `)`"),
            ("cfg()", "bad target 'cfg()': expected a name, found the end"),
        ] {
            let found = fault(text);
            assert!(found.starts_with(expected), "{found}\n{expected}");
        }
        let deep = format!("cfg({}unix{})", "not(".repeat(100_000), ")".repeat(100_000));
        assert!(fault(&deep).contains("nested more than 32 times"));
    }
}
