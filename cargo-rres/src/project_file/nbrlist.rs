//! `.nbrlist`, the lists of Nikola's tool `nbr`.
//!
//! ```text
//! :: TEXTURE @textures    # a section, and where its output goes
//! $sprites/               # goes before the paths that follow, and after an earlier `$` of the section
//! hero.png ui/            # paths of files or folders
//! "old hero.png"          # one path
//! ```
//!
//! Words are separated by space or line breaks, and nothing is escaped. A `#` begins a comment if it begins a word. As in `nbr`,
//! several `$` or `@` of a section are joined. Unlike in `nbr`, words may be in quotes, names may begin with a digit, tabs separate words,
//! and a fault ends nothing.

use super::{MAX_FAULTS, MAX_FILES, Remark, lines, shown, too_many_faults};

/// The longest path, with what goes before it. No asset can have a longer one.
const MAX_LENGTH: usize = 1024;

/// What the files of a section are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Type {
    Texture,
    Cubemap,
    Shader,
    Model,
    Skeleton,
    Animation,
    Font,
    Audio,
}

impl Type {
    /// Every type and its name, which `nbr` takes in upper and in lower case.
    pub(crate) const ALL: [(&str, Self); 8] = [
        ("TEXTURE", Self::Texture),
        ("CUBEMAP", Self::Cubemap),
        ("SHADER", Self::Shader),
        ("MODEL", Self::Model),
        ("SKELETON", Self::Skeleton),
        ("ANIMATION", Self::Animation),
        ("FONT", Self::Font),
        ("AUDIO", Self::Audio),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, of)| *of == self).map_or("", |(name, _)| name)
    }
}

/// A section, with at least its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) line: u32,
    pub(crate) of: Type,
    /// The directory for its output, below the directory of the list; empty if it has none.
    pub(crate) out: String,
    /// What goes before its paths, for reading on.
    prefix: String,
    pub(crate) paths: Vec<ListedPath>,
}

/// A path of a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedPath {
    pub(crate) line: u32,
    /// Behind what goes before it, as written.
    pub(crate) path: String,
}

/// What a list says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) sections: Vec<Section>,
    pub(crate) faults: Vec<Remark>,
}

/// What a word is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Path,
    /// After `::`.
    Type,
    /// After `@`.
    Out,
    /// After `$`.
    Prefix,
}

impl Expected {
    fn missing(self) -> Option<&'static str> {
        match self {
            Self::Path => None,
            Self::Type => Some("`::` without a type"),
            Self::Out => Some("`@` without a directory"),
            Self::Prefix => Some("`$` without a directory"),
        }
    }
}

/// Reads the text of a list.
pub(crate) fn parse(text: &str) -> List {
    let mut reader = Reader { list: List::default(), expected: Expected::Path, at: 1, is_skipping: false, count: 0 };
    for (line, text) in lines(text) {
        let mut rest = text.trim_start();
        while !rest.is_empty() && !rest.starts_with('#') {
            rest = reader.read(line, rest).trim_start();
            if reader.list.faults.len() >= MAX_FAULTS {
                reader.list.faults.push(too_many_faults(line));
                return reader.list;
            }
            if reader.count > MAX_FILES {
                let message = format!("the list has more than {MAX_FILES} paths, and a pack holds no more files");
                reader.list.faults.push(Remark::new(line, message));
                return reader.list;
            }
        }
    }
    reader.expect(0, Expected::Path);
    reader.list
}

struct Reader {
    list: List,
    expected: Expected,
    /// The line of the sign that led to `expected`.
    at: u32,
    /// Whether the type of the section is wrong, so that its paths mean nothing.
    is_skipping: bool,
    count: usize,
}

impl Reader {
    /// Reads one sign or word from the start of a text that is not empty, and returns the rest.
    fn read<'t>(&mut self, line: u32, text: &'t str) -> &'t str {
        if let Some(rest) = text.strip_prefix("::") {
            self.is_skipping = false;
            self.expect(line, Expected::Type);
            return rest;
        }
        for (sign, expected) in [('@', Expected::Out), ('$', Expected::Prefix)] {
            if let Some(rest) = text.strip_prefix(sign) {
                self.expect(line, expected);
                return rest;
            }
        }
        let (word, rest) = match text.strip_prefix('"') {
            Some(quoted) => match quoted.split_once('"') {
                Some((word, rest)) if !word.is_empty() => (word, rest),
                Some((_, rest)) => {
                    self.list.faults.push(Remark::new(line, "there is nothing between the quotes"));
                    return rest;
                }
                None => {
                    let help = "a word in quotes ends on the line that it begins on";
                    self.list.faults.push(Remark::new(line, "a quote without an end").with_help(help));
                    return "";
                }
            },
            None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
        };
        if word.len() > MAX_LENGTH {
            self.list.faults.push(Remark::new(line, format!("a word is longer than {MAX_LENGTH} bytes")));
        } else {
            self.word(line, word);
        }
        rest
    }

    /// Notes what the next word has to be. Before it has come, another sign is a fault.
    fn expect(&mut self, line: u32, expected: Expected) {
        if let Some(missing) = std::mem::replace(&mut self.expected, expected).missing() {
            self.list.faults.push(Remark::new(self.at, missing));
        }
        self.at = line;
    }

    fn word(&mut self, line: u32, word: &str) {
        let expected = std::mem::replace(&mut self.expected, Expected::Path);
        if expected == Expected::Type {
            return self.section(line, word);
        }
        if self.is_skipping {
            return;
        }
        let faults = &mut self.list.faults;
        let mut fault = |message: String, help: &str| faults.push(Remark::new(line, message).with_help(help));
        let Some(section) = self.list.sections.last_mut() else {
            let message = format!("\"{}\" comes before the first section", shown(word));
            return fault(message, "begin a section with `:: TYPE`");
        };
        match expected {
            Expected::Path if word.starts_with(':') => {
                fault(format!("\"{}\" begins with one colon", shown(word)), "a section begins with two: `:: TYPE`");
            }
            Expected::Path => {
                let path = join(&section.prefix, word);
                if path.len() > MAX_LENGTH {
                    return fault(format!("the path is longer than {MAX_LENGTH} bytes"), "");
                }
                self.count += 1;
                section.paths.push(ListedPath { line, path });
            }
            Expected::Out | Expected::Prefix => {
                let joined = if expected == Expected::Out { &mut section.out } else { &mut section.prefix };
                let path = join(joined, word);
                if path.len() > MAX_LENGTH {
                    return fault(format!("the path is longer than {MAX_LENGTH} bytes"), "");
                }
                *joined = path;
            }
            Expected::Type => {}
        }
    }

    fn section(&mut self, line: u32, word: &str) {
        match Type::ALL.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            Some((_, of)) => {
                let (out, prefix, paths) = (String::new(), String::new(), Vec::new());
                self.list.sections.push(Section { line, of, out, prefix, paths });
            }
            None => {
                self.is_skipping = true;
                let known: Vec<&str> = Type::ALL.into_iter().map(|(name, _)| name).collect();
                let message = format!("unknown type \"{}\", expected one of {}", shown(word), known.join(", "));
                self.list.faults.push(Remark::new(line, message));
            }
        }
    }
}

/// Returns a path below a directory, which may be empty.
fn join(directory: &str, path: &str) -> String {
    match directory.trim_end_matches(['/', '\\']) {
        "" => path.to_owned(),
        directory => format!("{directory}/{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections as one line each: type, output, paths.
    fn shown(list: &List) -> Vec<String> {
        let path = |listed: &ListedPath| format!("{}:{}", listed.line, listed.path);
        let section = |section: &Section| {
            let paths: Vec<String> = section.paths.iter().map(path).collect();
            format!("{} {} [{}] {}", section.line, section.of.name(), section.out, paths.join(" "))
        };
        list.sections.iter().map(section).collect()
    }

    #[test]
    fn sections_have_types_outputs_prefixes_and_comments() {
        let text = "\u{23}\r\n:: TEXTURE # sprites\r\nsprites/ # all\r\nicons/7.png\r\n\r\n::model @out/models\n$models/\na.gltf b/c.glb\n\
                    :: Shader @fx\n@glow\n$shaders\n$post/\nblur.glsl\n::\nFONT\n3d.ttf";
        let list = parse(text);
        assert_eq!(list.faults, []);
        let expected = [
            "2 TEXTURE [] 3:sprites/ 4:icons/7.png",
            "6 MODEL [out/models] 8:models/a.gltf 8:models/b/c.glb",
            "9 SHADER [fx/glow] 13:shaders/post/blur.glsl",
            "15 FONT [] 16:3d.ttf",
        ];
        assert_eq!(shown(&list), expected);
    }

    #[test]
    fn a_number_sign_inside_of_a_word_is_no_comment() {
        assert_eq!(shown(&parse(":: AUDIO\na#1.wav #b.wav\nc.wav")), ["1 AUDIO [] 2:a#1.wav 3:c.wav"]);
    }

    #[test]
    fn words_in_quotes_may_contain_anything_but_quotes() {
        let list =
            parse(":: \"TEXTURE\" @\"my out\"\n$\"my art\"\n\"old hero.png\" # both\n\"#1.png\"\"@2.png\" 3.png\n");
        assert_eq!(list.faults, []);
        let paths = "3:my art/old hero.png 4:my art/#1.png 4:my art/@2.png 4:my art/3.png";
        assert_eq!(shown(&list), [format!("1 TEXTURE [my out] {paths}")]);
        let list = parse(":: AUDIO\n\"a.wav b.wav\n\"\" c.wav\nd.wav");
        let found: Vec<(u32, &str)> = list.faults.iter().map(|fault| (fault.line, fault.message.as_str())).collect();
        assert_eq!(found, [(2, "a quote without an end"), (3, "there is nothing between the quotes")]);
        assert_eq!(shown(&list), ["1 AUDIO [] 3:c.wav 4:d.wav"]);
    }

    #[test]
    fn every_fault_is_reported_with_its_line_and_reading_goes_on() {
        let list = parse("a.png\n:: SOUND @x\nb.wav\n:: AUDIO @ # no\n: c.wav\n$\n:: FONT\n d.ttf\n@");
        let found: Vec<(u32, &str)> = list.faults.iter().map(|fault| (fault.line, fault.message.as_str())).collect();
        let known = "TEXTURE, CUBEMAP, SHADER, MODEL, SKELETON, ANIMATION, FONT, AUDIO";
        let unknown = format!("unknown type \"SOUND\", expected one of {known}");
        // A word on the next line is what the sign before it waits for, as in `nbr`.
        let expected = [
            (1, "\"a.png\" comes before the first section"),
            (2, unknown.as_str()),
            (6, "`$` without a directory"),
            (9, "`@` without a directory"),
        ];
        assert_eq!(found, expected);
        assert_eq!(shown(&list), ["4 AUDIO [:] 5:c.wav", "7 FONT [] 8:d.ttf"]);
    }

    #[test]
    fn hostile_lists_are_bounded() {
        let list = parse(&format!(":: MODEL\n{}\n", "x".repeat(5000)));
        assert!(list.faults[0].message.contains("longer than 1024 bytes") && list.sections[0].paths.is_empty());
        let list = parse(&format!(":: MODEL\n{}", format!("${} ", "y".repeat(500)).repeat(100)));
        assert!(list.faults.iter().all(|fault| fault.message.contains("longer than 1024 bytes")), "{:?}", list.faults);
        assert_eq!(parse(&"x\n".repeat(9000)).faults.len(), MAX_FAULTS + 1);
        let list = parse(&format!(":: MODEL\n{}", "a ".repeat(MAX_FILES + 9)));
        assert_eq!(list.faults.len(), 1);
    }
}
